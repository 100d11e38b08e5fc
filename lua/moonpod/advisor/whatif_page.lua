-- whatif_page - the variants of a model as a page: a slider an axis chooses one of them.

local core = require "moonpod.core"
local html_page = require "moonpod.profiler.html_page"
local json = require "moonpod.base.json"
local projection = require "moonpod.advisor.projection"
local svg = require "moonpod.plot.svg"
local tables = require "moonpod.base.tables"
local table_rows = require "moonpod.profiler.tables"
local variants = require "moonpod.advisor.variants"

local escape = svg.escape

-- What sliders choose is looked up among the rows, which are all combinations, the last slider's values next to each
-- other. Bars of the values of the slider that was moved last show what it changes.
local SCRIPT = [==[
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("variants").textContent);
  const sliders = [...document.querySelectorAll("input[type=range]")];
  const place = id => document.getElementById(id);
  let moved = sliders.length - 1;
  const row_at = at => data.rows[at.reduce((sum, one, i) => sum * data.axes[i].values.length + one, 0)];
  const element = (tag, text, more) => Object.assign(document.createElement(tag), {textContent: text}, more);
  const bar = (share, text, over) => {
    const box = element("span", "", {className: "meter"});
    const fill = element("span", "", {className: over ? "over" : ""});
    fill.style.width = Math.min(100, 100 * share) + "%";
    box.append(fill);
    const cell = document.createElement("td");
    cell.append(box, element("small", text));
    return cell;
  };
  const show = () => {
    const at = sliders.map(one => +one.value), row = row_at(at);
    sliders.forEach((one, i) => {
      const text = data.axes[i].values[at[i]];
      one.setAttribute("aria-valuetext", text);
      place("value" + i).textContent = text;
    });
    const verdict = place("chosen");
    verdict.textContent = row.verdict;
    verdict.className = row.fits ? "verdict" : "verdict bad";
    place("said").replaceChildren(...row.said.map(([name, text]) => {
      const fact = element("div", "", {className: "fact"});
      fact.append(element("b", text), element("span", name));
      return fact;
    }));
    if (!data.axes.length) return;
    const axis = data.axes[moved];
    const others = axis.values.map((_, i) => row_at(at.map((one, j) => j === moved ? i : one)));
    const slowest = Math.max(...others.map(one => one.seconds || 0)) || 1;
    place("axis").textContent = axis.name;
    place("bars").replaceChildren(...others.map((one, i) => {
      const line = document.createElement("tr");
      const choose = element("button", axis.values[i], {onclick: () => {
        sliders[moved].value = i;
        show();
      }});
      const head = element("th", "", {scope: "row"});
      head.append(choose);
      if (i === at[moved]) line.setAttribute("aria-current", "true");
      line.append(head, one.need === undefined ? element("td", one.verdict) : bar(one.need / one.limit, one.need_text,
        one.need > one.limit), one.seconds === undefined ? element("td", "")
        : bar(one.seconds / slowest, one.step_text));
      return line;
    }));
  };
  sliders.forEach((one, i) => one.addEventListener("input", () => {
    moved = i;
    show();
  }));
  show();
})();
]==]

local STYLE = [[
<style>.sliders{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,16rem),1fr));gap:.4rem 1.5rem}
.sliders label{display:block}.sliders output{float:right;font-weight:600}.sliders input{width:100%}
.meter{display:block;height:.7rem;background:var(--panel);border-radius:3px;overflow:hidden;min-width:8rem}
.meter span{display:block;height:100%;background:var(--mark)}.meter .over{background:var(--warn)}
#bars th,#bars td{position:static;vertical-align:middle}#bars [aria-current]{background:var(--panel)}</style>
]]

-- Axes that have several values, with the texts of these.
local function axes_of(rows, value_text)
  local list = {}
  for _, one in ipairs(rows.values) do
    if #one[2] > 1 then
      list[#list + 1] = { name = one[1]:gsub("_", " "), values = json.array(tables.map(one[2], value_text)) }
    end
  end
  return json.array(list)
end

local function row_of(row, said)
  return { verdict = row.verdict_text or (row.verdict:gsub("_", " ")) .. (row.problem and ": " .. row.problem or ""),
    fits = row.verdict == "fits", said = json.array(tables.map(said(row), json.array)), need = row.need_bytes,
    limit = row.need_bytes and row.limit_bytes, need_text = row.need_bytes and core.bytes_text(row.need_bytes),
    seconds = variants.seconds(row), step_text = row.low_seconds and
      projection.range_text(row.low_seconds, row.high_seconds) }
end

local function sliders_html(axes)
  local parts = tables.map(tables.range(1, #axes), function(i)
    return ('<label>%s <output id="value%d"></output><input type="range" min="0" max="%d" step="1" value="0">'
      .. "</label>\n"):format(escape(axes[i].name), i - 1, #axes[i].values - 1)
  end)
  return '<div class="sliders">' .. table.concat(parts) .. "</div>\n"
end

local BARS = [[
<div class="scroll" tabindex="0"><table><thead><tr><th scope="col" id="axis"></th><th scope="col">needs of the
memory</th><th scope="col">step</th></tr></thead><tbody id="bars"></tbody></table></div>
]]

local function all_rows(rows, said)
  local list, columns, known = {}, {}, {}
  for i, row in ipairs(rows) do
    list[i] = {}
    for _, pair in ipairs(said(row, true)) do
      local key = pair[1]:gsub("%W", "_")
      list[i][key] = pair[2]
      if not known[key] then
        columns[#columns + 1], known[key] = ("%s : %s"):format(key, pair[1]), true
      end
    end
  end
  return html_page.table(table_rows.new(list, columns))
end

-- The page of rows that whatif made: said(row, all) is what a row says, value_text the text of an axis' value.
return function(rows, said, value_text)
  local axes = axes_of(rows, value_text)
  local data = json.encode { axes = axes, rows = json.array(tables.map(rows, function(row)
    return row_of(row, said)
  end)) }
  local body = STYLE .. sliders_html(axes) .. '<p id="chosen" class="verdict" aria-live="polite"></p>\n'
    .. '<div id="said" class="facts"></div>\n' .. (#axes > 0 and BARS or "")
    .. '<script type="application/json" id="variants">' .. data:gsub("<", "\\u003c") .. "</script>\n"
  return html_page.new("What if: " .. rows.name, "on " .. table.concat(rows.chips or { rows.chip }, ", "), {
    { id = "choose", title = "Choose", body = body },
    { id = "all", title = "All", body = all_rows(rows, said) },
  }, SCRIPT)
end
