-- Memory reports as SVG and as pages: well-formed, with the numbers of the report, whatever names are in it.

local pod = require "moonpod"
local balanced = require "tests.lua.support.balanced"
local core = require "moonpod.core"
local memory_page = require "moonpod.advisor.memory_page"

local SMALL = 16384
local HOSTILE = "</script></title><b onload=\"x\">'&amp;\1\255"

-- The rows of the table of a view, as lists of the numbers (or else texts) of their cells.
local function rows_of(page, id)
  local rows = {}
  local view = page:match('<section id="' .. id .. '".-</section>')
  for row in view:match("<tbody>(.-)</tbody>"):gmatch "<tr>(.-)</tr>" do
    local cells = {}
    for attributes, text in row:gmatch "<td([^>]*)>(.-)</td>" do
      cells[#cells + 1] = tonumber(attributes:match 'data%-v="([^"]*)"') or text
    end
    rows[#rows + 1] = cells
  end
  return rows, view
end

-- A report of 40 steps by hand, with its peak at step 11.
local function by_hand(name)
  local buffers, padded, unpadded = {}, {}, {}
  for i, one in ipairs { { "argument", 2 ^ 21, 1, 40 }, { "temporary", 14 * 2 ^ 30, 11, 12 },
    { "temporary", 2818572288, 3, 31 }, { "temporary", 1024, 1, 40 } } do
    buffers[i] = { name = name .. i, op = name, location = name, scope = name, use = one[1], type = "f32[8]{0}",
      reason = name, padded_bytes = one[2], unpadded_bytes = one[2] / 2, first_step = one[3], last_step = one[4],
      at_peak = true }
  end
  buffers[5] = { name = "twin", op = "o", use = "output", type = "t", alias = 1, padded_bytes = 2 ^ 21,
    unpadded_bytes = 1, first_step = 1, last_step = 40 }
  buffers[6] = { name = "fast", op = "o", use = "temporary", type = "t", on_chip = true, padded_bytes = 2 ^ 20,
    unpadded_bytes = 1, first_step = 1, last_step = 40 }
  for step = 1, 40 do
    padded[step] = 2 ^ 21
    for i = 2, 4 do
      local lives = buffers[i].first_step <= step and step <= buffers[i].last_step
      padded[step] = padded[step] + (lives and buffers[i].padded_bytes or 0)
    end
    unpadded[step] = padded[step] / 2
  end
  return { name = name, chip = "v3", verdict = "does_not_fit", verdict_text = "does not fit: " .. name,
    buffers = buffers, curve = { padded = padded, unpadded = unpadded }, argument_bytes = 2 ^ 21, output_bytes = 2 ^ 21,
    alias_bytes = 2 ^ 21, temp_bytes = padded[11] - 2 ^ 21, need_bytes = padded[11], limit_bytes = 16621699072,
    fragmentation_bytes = 0, on_chip_bytes = 2 ^ 20, peak_padded_bytes = padded[11] - 2 ^ 21,
    peak_unpadded_bytes = unpadded[11] - 2 ^ 20, held_padded_bytes = 2 ^ 21, held_unpadded_bytes = 2 ^ 20 }
end

describe("a memory report as a page", function()
  local model = pod.models.sequential { pod.layers.dense(300, { input_shape = { 300 } }), pod.layers.dense(300) }
  model:compile { loss = "mse", optimizer = "adam" }
  local report = model:memory_report("v3", { batch = 2048 })

  it("has the numbers of the report", function()
    local page = report:html()
    local counts = balanced(page)
    assert.equal(3, counts.section)
    assert.equal(1, counts.svg)
    assert.is_truthy(page:find(report.verdict_text, 1, true))
    for _, name in ipairs { "argument", "output", "alias", "temp", "fragmentation", "need", "limit" } do
      assert.is_truthy(page:find("<b>" .. core.bytes_text(report[name .. "_bytes"]) .. "</b>", 1, true), name)
    end
    for id, takes in pairs { peak = function(buffer)
      return buffer.at_peak
    end, buffers = function(buffer)
      return not buffer.alias and not buffer.on_chip
    end } do
      local rows, view = rows_of(page, id)
      local sizes, small, small_count = {}, 0, 0
      for _, buffer in ipairs(report.buffers) do
        if takes(buffer) and buffer.padded_bytes > SMALL then
          sizes[#sizes + 1] = buffer.padded_bytes
        elseif takes(buffer) and buffer.padded_bytes > 0 then
          small, small_count = small + buffer.padded_bytes, small_count + 1
        end
      end
      table.sort(sizes, function(a, b)
        return a > b
      end)
      assert.is_true(#sizes > 5 and small_count > 0)
      for i, size in ipairs(sizes) do
        assert.equal(size, rows[i][1])
      end
      assert.equal(#sizes, #rows)
      assert.is_truthy(view:find(("%d smaller ones, together %s"):format(small_count, core.bytes_text(small)), 1, true))
    end
  end)

  it("draws what is in use at each step, and the peak", function()
    local text = report:svg()
    balanced(text)
    local most = 0
    for step, padded in ipairs(report.curve.padded) do
      local tip = text:match("<title>(step " .. step .. "\n.-)</title>")
      assert.is_truthy(tip:find("padded " .. core.bytes_text(padded) .. "\nunpadded "
        .. core.bytes_text(report.curve.unpadded[step]), 1, true))
      most = math.max(most, padded)
    end
    assert.is_truthy(text:find(">peak " .. core.bytes_text(most) .. "<", 1, true))
    assert.is_nil(text:find(">limit", 1, true)) -- it is far above
    assert.is_truthy(text:find("prefers-color-scheme:dark", 1, true))
  end)

  it("shows the limit where the peak comes near it, and what a step makes", function()
    local text = memory_page.svg(by_hand "iota")
    balanced(text)
    assert.is_truthy(text:find(">limit 15.48G<", 1, true))
    assert.is_truthy(text:find(">peak 16.63G<", 1, true))
    assert.is_truthy(text:find("<title>step 11\niota2 at iota\npadded 16.63G\nunpadded 8.31G</title>", 1, true))
  end)

  it("lists what takes HBM, small ones in one line", function()
    local page = memory_page.html(by_hand "x")
    local rows, view = rows_of(page, "buffers")
    assert.equal(3, #rows) -- no twin of an argument, nothing on the chip itself, none of 1 KiB
    assert.near(14 * 2 ^ 30, rows[1][1], 50) -- so many digits are kept to sort by
    assert.near(7 * 2 ^ 30, rows[1][2], 50)
    assert.same({ 2, "x2" }, { rows[1][3], rows[1][4] })
    assert.is_truthy(view:find(">14.00G</td>", 1, true))
    assert.same({ 11, 12 }, { rows[1][10], rows[1][11] })
    assert.same({ "", "", 1, 40 }, { rows[3][8], rows[3][9], rows[3][10], rows[3][11] })
    assert.is_truthy(view:find("1 smaller ones, together 1.0K", 1, true))
    assert.is_truthy(page:find("<b>1.00M</b><span>on the chip</span>", 1, true))
    assert.is_truthy(page:find('<p class="verdict bad">does not fit', 1, true))
  end)

  it("lets no name out of its place", function()
    local report_of = by_hand(HOSTILE)
    for _, text in ipairs { memory_page.svg(report_of), memory_page.html(report_of) } do
      assert.equal(nil, balanced(text).b and text:find("<b onload", 1, true))
      assert.is_nil(text:find(HOSTILE, 1, true) or text:find "[%z\1\255]")
      assert.is_truthy(text:find("&lt;/script&gt;&lt;/title&gt;&lt;b onload=&quot;x&quot;&gt;'&amp;amp;??", 1, true))
    end
  end)

  it("is there for a program without steps, and for one of many", function()
    local one = by_hand "none"
    one.buffers, one.curve = {}, { padded = {}, unpadded = {} }
    balanced(memory_page.html(one))
    assert.is_truthy(memory_page.svg(one):find(">peak 2.00M<", 1, true))
    one = by_hand "many"
    for step = 41, 5000 do
      one.curve.padded[step], one.curve.unpadded[step] = 2 ^ 21, 2 ^ 20
    end
    one.curve.padded[4321] = 15 * 2 ^ 30 -- seen, though one of many
    local text = memory_page.svg(one)
    balanced(text)
    assert.equal(436, select(2, text:gsub("<title>step ", "")))
    assert.is_truthy(text:find("<title>step 4321\n", 1, true))
    for place = 1, 2500 do
      one.buffers[place] = { name = "b", op = "o", use = "temporary", type = "t", padded_bytes = 2 ^ 20,
        unpadded_bytes = 0, first_step = 1, last_step = 2 }
    end
    local rows, view = rows_of(memory_page.html(one), "buffers")
    assert.equal(2000, #rows)
    assert.equal(1, rows[1][3])
    assert.is_truthy(view:find("500 smaller ones, together 500.00M", 1, true))
  end)
end)
