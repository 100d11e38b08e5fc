-- Charts as SVG: well-formed whatever the texts and numbers, small whatever the count, nothing outside its field.

local pod = require "moonpod"
local balanced = require "tests.lua.support.balanced"

-- Fails unless a text is balanced XML of one SVG. Returns how often each element occurs.
local function parse(text)
  local counts = balanced(text)
  assert.equal(1, counts.svg)
  assert.equal("</svg>\n", text:sub(-7))
  return counts
end

describe("a chart as SVG", function()
  it("draws lines with gaps, axes, a legend and a title", function()
    local chart = pod.plot.line({ a = { 1, 2, 0 / 0, 4, 5 }, b = { 2, 2, 1 / 0, 3, 3 } }, { title = "<Loss & co>" })
    local text = chart:svg()
    local counts = parse(text)
    assert.equal(8, counts.circle) -- the finite points
    assert.is_truthy(text:find('aria-label="&lt;Loss &amp; co&gt;"', 1, true))
    assert.is_truthy(text:find("<desc>A chart of 10 values from 1 to 5: a, b</desc>", 1, true))
    assert.is_truthy(text:find("prefers-color-scheme:dark", 1, true))
    local _, moves = text:match 'd="(M[^"]*)" class="s%-1" fill="none" stroke%-width="2"':gsub("M", "")
    assert.equal(2, moves)
    assert.is_nil(text:find "nan")
    assert.is_nil(text:find "inf")
  end)

  it("is the same text each time, in the theme that is asked for", function()
    local chart = pod.plot.bar { x = 1, y = 3 }
    assert.equal(chart:svg(), chart:svg())
    assert.is_nil(chart:svg({ theme = "light" }):find "prefers")
    assert.is_truthy(chart:svg({ theme = "dark" }):find("f-paper{fill:#0d1117}", 1, true))
    assert.error_matches(function()
      chart:svg { theme = "pink" }
    end, 'theme is "auto", "light" or "dark", not "pink"')
  end)

  it("draws of many points what can be seen", function()
    local y = {}
    for i = 1, 200000 do
      y[i] = math.sin(i / 10000) + (i % 7) / 20
    end
    y[100001] = 40 -- seen, though one of many
    local text = pod.plot.line(y):svg()
    parse(text)
    assert.is_true(#text < 60000, #text)
    assert.is_truthy(text:find("to 40", 1, true))
    local least = math.huge
    for _, at in text:match 'd="([^"]*)" class="s%-1" fill="none" stroke%-width="2"':gmatch "([%d.]+) ([%d.]+)" do
      least = math.min(least, tonumber(at))
    end
    assert.is_true(least < 40, least)
  end)

  it("stays in its field where a range is asked for", function()
    local text = pod.plot.line({ 0, 1000, -1000, 0 }, { y_range = { -1, 1 } }):svg()
    parse(text)
    for x, y in text:match 'd="([^"]*)" class="s%-1" fill="none" stroke%-width="2"':gmatch "([%d.-]+) ([%d.-]+)" do
      assert.is_true(tonumber(x) >= 0 and tonumber(x) <= 640 and tonumber(y) >= 0 and tonumber(y) <= 400)
    end
  end)

  it("writes any bytes as text of XML", function()
    for _, name in ipairs { "\0\1\27[31m", "\255\254", "caf\195\169 \226\130\172", "\237\160\128", "]]>&\"'",
      "\240\159\153\130" } do
      parse(pod.plot.line({ { name = name, y = { 1, 2 } }, { y = { 2 } } }, { title = name }):svg())
    end
    assert.is_truthy(pod.plot.line({ 1 }, { title = "\226\130\172\226\130" }):svg():find(">\226\130\172??<", 1, true))
  end)

  it("draws any numbers", function()
    local odd = { 0, -0.0, 1e308, -1e308, 5e-324, 1 / 0, -1 / 0, 0 / 0, 1, -1, 1e15 + 1 }
    math.randomseed(5)
    for round = 1, 20 do
      local x, y = {}, {}
      for i = 1, math.random(0, 6) do
        x[i], y[i] = odd[math.random(#odd)], odd[math.random(#odd)]
      end
      local options = { x_log = round % 2 == 0, y_log = round % 3 == 0, stacked = round % 5 == 0 }
      for _, mark in ipairs { "line", "points", "area", "bar" } do
        local chart = pod.plot.line({ { x = x, y = y, mark = mark }, { x = x, y = x, mark = mark } }, options)
        local text = chart:svg()
        parse(text)
        assert.is_nil(text:find "[ \"(M]%-?nan", text)
        assert.is_nil(text:find "[ \"(ML]%-?inf", text)
        chart:text { width = 40, height = 5, ascii = round % 2 == 1 }
      end
      pod.plot.histogram(y):text { width = 30 }
      parse(pod.plot.histogram(y):svg())
      parse(pod.plot.heat_map({ x, y }):svg())
      parse(pod.plot.bar(y):svg())
      pod.plot.bar(y):text { width = 30, ascii = round % 2 == 1 }
      pod.plot.heat_map({ x, y }):text { width = 30 }
    end
  end)

  it("draws heat maps, numbers in their cells where there is room", function()
    local small = pod.plot.heat_map({ { 1, 2 }, { 3, 0 / 0 } }, { rows = { "a", "b" }, columns = { "c", "d" } }):svg()
    assert.is_truthy(small:find(">nan</text>", 1, true))
    parse(small)
    local rows = {}
    for i = 1, 500 do
      rows[i] = {}
      for j = 1, 450 do
        rows[i][j] = i * j
      end
    end
    local large = pod.plot.heat_map(rows):svg()
    parse(large)
    assert.is_true(#large < 3e6)
  end)

  it("refuses what cannot be drawn", function()
    local function fails(text, fn, ...)
      assert.error_matches(function(...)
        fn(...)
      end, text, nil, nil, ...)
    end
    for _, case in ipairs {
      { "a list of numbers has \"x\" in it", { 1, "x" } },
      { "3 numbers in x, 2 in y", { x = { 1, 2, 3 }, y = { 1, 2 } } },
      { "numbers or a tensor are wanted, not 3", 3 }, { "a mark is", { y = { 1 }, mark = "star" } },
      { "nested more than", (function() local t = {} t[1] = t return { y = t } end)() },
    } do
      local ok, message = pcall(pod.plot.line, case[2])
      assert.is_false(ok)
      assert.is_truthy(message:find(case[1], 1, true), message)
    end
    fails("y_range is", function() pod.plot.line({ 1 }, { y_range = { 2, 1 } }) end)
    fails("above 0", function() pod.plot.line({ 1 }, { y_log = true, y_range = { 0, 1 } }) end)
    fails("2 labels for 3 entries", function() pod.plot.bar({ 1, 2, 3 }, { labels = { "a", "b" } }) end)
    fails("row 2 has 1 numbers, row 1 has 2", function() pod.plot.heat_map { { 1, 2 }, { 3 } } end)
    fails("no map \"viridi\"; did you mean 'viridis'", function()
      pod.plot.heat_map({ { 1 } }, { map = "viridi" })
    end)
    fails("unknown option 'titel'; did you mean 'title'", function() pod.plot.scatter({ 1 }, { titel = "" }) end)
  end)
end)
