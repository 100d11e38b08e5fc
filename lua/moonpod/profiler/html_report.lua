-- html_report - a profile as a page of HTML: its views.

local decimal = require "moonpod.base.decimal"
local html_page = require "moonpod.profiler.html_page"
local script = require "moonpod.profiler.html_script"
local svg = require "moonpod.plot.svg"
local tables = require "moonpod.profiler.tables"
local trace_events = require "moonpod.profiler.trace_events"

local html_report = {}

local escape = svg.escape

local facts_html, paragraph, table_html = html_page.facts, html_page.paragraph, html_page.table

-- A table below its title.
local function titled(title, rows)
  return "<h3>" .. title .. "</h3>\n" .. table_html(rows)
end

-- The charts of these names that `of` (a profile, say) has.
local function charts_html(of, names)
  local list = {}
  for _, name in ipairs(names) do
    local one = of:chart(name)
    list[#list + 1] = one and { name, one:svg { theme = "auto" } }
  end
  return html_page.charts(list)
end

local sections = {}

local function section(id, title, make)
  sections[#sections + 1] = { id = id, title = title, make = make }
end

section("overview", "Overview", function(p, measured)
  local one, sum = p.overview, 0
  for _, row in ipairs(one.parts) do
    sum = sum + row.seconds
  end
  local time = one.step_seconds
  local list = { { ("%d"):format(one.steps), "steps" }, { tables.seconds(time.mean), "a step, mean" },
    { tables.seconds(time.median), "median" }, { tables.seconds(time.deviation), "deviation" },
    { tables.percent(one.input_bound), "waits for input" }, { tables.scaled(one.flops_per_second), "FLOP/s" },
    { tables.percent(one.half_share), "of FLOPs on 16 bits" } }
  if measured then
    list[#list + 1] = { tables.percent(p:roofline().step.share_of_roof), "of the machine's measured roof" }
  end
  return (one.note and paragraph(one.note, "verdict bad") or "")
    .. (one.steps > 0 and paragraph(one.verdict, one.input_bound >= 0.05 and "verdict bad" or "verdict") or "")
    .. facts_html(list) .. charts_html(p, { "parts", "steps" }) .. titled("Parts of a step", one.parts)
    .. paragraph(("The parts sum to %s, the step is %s; other is %s."):format(tables.seconds(sum),
      tables.seconds(time.mean), tables.percent(one.shares.other)), "note")
    .. paragraph(one.system .. ".", "note")
    .. (one.lost ~= "" and paragraph("The recording is bounded: " .. one.lost .. ". Sums miss nothing.", "note") or "")
    .. titled("Ops that take most", one.top)
end)

section("changes", "Changes", function(_, _, change)
  if not change then
    return nil
  end
  local slower = change.row_ratio > 1
  local list = { { tables.seconds(change.before), "a step, before" }, { tables.seconds(change.after), "a step, now" },
    { decimal.format("%.2f", change.ratio), "of the time before" } }
  if change.rows_before ~= change.rows_after then
    list[#list + 1] = { ("%d, %d"):format(change.rows_before, change.rows_after), "rows a step, before and now" }
    list[#list + 1] = { decimal.format("%.2f", change.row_ratio), "of the time before, for a row" }
  end
  return paragraph(slower and "This is slower than what it is compared with." or
    "This is faster than what it is compared with.", slower and "verdict bad" or "verdict") .. facts_html(list)
    .. charts_html(change, { "parts", "ops" }) .. titled("Parts of a step", change.parts)
    .. titled("By op", change.ops) .. titled("By layer", change.layers) .. titled("By line of source", change.lines)
    .. paragraph("Times of ops, layers and lines are of all threads. What changed most stands first.", "note")
end)

section("advice", "Advice", function(p, measured)
  local advice = measured and p.advice
  if not advice then
    return nil
  end
  local out = { paragraph(#advice > 0 and "What to change, what was computed to bring most first." or tostring(advice),
    "note") }
  for _, one in ipairs(advice) do
    out[#out + 1] = decimal.format('<div class="verdict"><b>%s</b>: a step in %.2f of the time<p>%s</p><pre>%s</pre>'
      .. '<p class="note">%s</p></div>\n', escape(one.title), one.gain, escape(one.why), escape(one.fix),
      escape(one.id .. (one.where and ", at " .. one.where or "") .. "; see " .. one.page))
  end
  return table.concat(out)
end)

section("input", "Input", function(p)
  local input = p.input
  local list = { { tables.percent(input.input_bound), "of a step waits for input" } }
  if input.feed_ratio then
    list[2] = { tables.decimal(input.feed_ratio), "batches the input could give for each that a step takes" }
  end
  local slowest = input.bottleneck
  local verdict = slowest and paragraph(("The slowest stage: %s, at work %s of the time. Fix: %s."):format(slowest.name,
    tables.percent(slowest.share), slowest.fix), "verdict") or ""
  return facts_html(list) .. verdict .. charts_html(p, { "stages" }) .. titled("Stages", input.stages)
    .. titled("What the host does", input.categories)
end)

section("ops", "Ops", function(p, measured)
  local function by(title, key)
    return titled(title, p:op_stats(key, { roof = measured }))
  end
  return charts_html(p, { "ops", "layers" }) .. by("By op", "op") .. by("By layer", "layer")
    .. by("By line of source", "line") .. by("By instruction", "instruction")
end)

section("roofline", "Roofline", function(p, measured)
  if not measured then
    return paragraph("The machine's roofs were not measured for this profile.", "note")
  end
  local one = p:roofline()
  local list = { { tables.scaled(one.roofs.float32), "FLOP/s, float32" },
    { tables.scaled(one.roofs.bfloat16), "FLOP/s, bfloat16" } }
  for _, place in ipairs(one.roofs.places) do
    list[#list + 1] = { tables.bytes(place.rate) .. "/s", place.name }
  end
  list[#list + 1] = { tables.percent(one.step.share_of_roof), "of its roof a step achieves" }
  return facts_html(list) .. charts_html(p, { "roofline" })
    .. paragraph("Roofs were measured on this machine, on all threads. Each instruction is judged by the nearest cache "
      .. "that holds all it reads and writes.", "note") .. table_html(one.points)
    .. titled("By layer", p:roofline("layer").points) .. titled("By line of source", p:roofline("line").points)
end)

section("memory", "Memory", function(p)
  local one = p.memory
  if not one.peak then
    return table_html(one.steps)
  end
  local row = one.timeline[one.peak_instruction]
  return facts_html { { tables.bytes(one.peak_bytes), "in use at the peak of a step" },
    { ("%d of %d"):format(one.peak_instruction, #one.timeline), "instruction of the peak" }, { row.op, row.layer } }
    .. charts_html(p, { "memory_in_step", "memory_over_steps", "memory_by_layer" })
    .. titled("By layer, at the peak", one.by_layer) .. titled("By op, at the peak", one.by_op)
    .. titled("What is live at the peak", one.peak)
    .. paragraph("Memory of this machine. What a TPU would take: model:memory_report().", "note")
end)

section("threads", "Threads", function(p)
  return charts_html(p, { "threads" }) .. table_html(p.threads) .. "<h3>What the CPU counted of them</h3>\n"
    .. (p.counters.note and paragraph(("Cycles, instructions and cache misses: %s."):format(p.counters.note), "note")
      or charts_html(p, { "counters" }) .. table_html(p.counters))
end)

section("pod", "Pod", function(p)
  local replicas = #p.replicas > 0 and titled("What each replica got", p.replicas) or ""
  if #p.pod == 0 then
    return paragraph("There is one feed for all replicas, which are computed together in one program: none can be "
      .. "slower than another.", "note") .. replicas
  end
  return charts_html(p, { "feeds" }) .. table_html(p.pod) .. replicas
end)

section("steps", "Steps", function(p)
  return table_html(p.steps)
end)

section("trace", "Trace", function(p)
  local data, shown, all = trace_events.write(p._recorded, p.recording, p.recording.parts)
  return [[
<div id="tools"><button data-key="w">Zoom in</button><button data-key="s">Zoom out</button><button data-key="a">&larr;
</button><button data-key="d">&rarr;</button><button data-key="r">All</button><button data-as="png">PNG</button>
<input id="search" type="search" placeholder="Find a name" aria-label="Find a name"></div>
<div id="view"><canvas tabindex="0" role="img" aria-label="Trace"></canvas></div>
<div id="about" aria-live="polite"></div><div id="legend"></div>
<p class="note"><kbd>W</kbd> <kbd>S</kbd> zoom, <kbd>A</kbd> <kbd>D</kbd> pan, arrows go from slice to slice,
<kbd>F</kbd> fits the slice, <kbd>R</kbd> shows all; drag to pan, pinch or wheel to zoom (click first).</p>
]] .. paragraph(("%d of %d events: each thread keeps its newest."):format(shown, all), "note")
    .. '<script type="application/json" id="events">' .. data .. "</script>\n"
end)

-- The page of a profile, as text. measured: with what this machine is measured for. change: how it differs from another
-- (nil: from none).
function html_report.new(profile, measured, change)
  local views = {}
  for _, one in ipairs(sections) do
    local body = one.make(profile, measured, change)
    views[#views + 1] = body and { id = one.id, title = one.title, body = body }
  end
  local one = profile.overview
  return html_page.new("Moonpod profile", ("%d steps in %s"):format(one.steps, tables.seconds(one.seconds)), views,
    script.trace)
end

return html_report
