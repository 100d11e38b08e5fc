--[[
drawings ROOT [--check] - draws docs/pictures/program.svg, replicas.svg and house.svg, which are light or dark as the
reader's system is. --check writes nothing; the exit code is 1 where a file is another than this draws.
]]

local root, check = arg[1] or ".", arg[2] == "--check"

-- Narrow, so that a telephone shows the letters at their size.
local WIDTH, EDGE = 420, 14
local INSIDE = WIDTH - 2 * EDGE

local STYLE = [[
<style>
.back { fill: #ffffff } .box { fill: #f4f5f7; stroke: #c3c9d2 } .own { fill: #e3edfb; stroke: #1559b7 }
.head { fill: #1d2129; font-weight: 600 } .text { fill: #4b5462 } .by { fill: #1559b7; font-weight: 600 }
.line { stroke: #1559b7; stroke-width: 2; fill: none } .tip { fill: #1559b7 }
@media (prefers-color-scheme: dark) {
.back { fill: #14171c } .box { fill: #1d222a; stroke: #4a5361 } .own { fill: #1b2a44; stroke: #7fb2ff }
.head { fill: #dfe3ea } .text { fill: #aab3c0 } .by { fill: #7fb2ff }
.line { stroke: #7fb2ff } .tip { fill: #7fb2ff }
}
</style>]]

local parts

local function add(format, ...)
  parts[#parts + 1] = format:format(...)
end

local function escape(text)
  return (text:gsub("[&<>]", { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;" }))
end

local function say(x, y, class, text, middle)
  add('<text x="%g" y="%g" class="%s"%s>%s</text>', x, y, class, middle and ' text-anchor="middle"' or "", escape(text))
end

local function box(x, y, width, height, class)
  add('<rect x="%g" y="%g" width="%g" height="%g" rx="7" class="%s"/>', x, y, width, height, class or "box")
end

-- An arrow down, with what does it and what that means beside it.
local function arrow(x, y, height, by, means)
  add('<path class="line" d="M%g %gV%g"/><path class="tip" d="M%g %gl-6 -9h12z"/>', x, y, y + height - 8, x, y + height)
  if by then
    say(x + 18, y + height / 2 + (means and -3 or 5), "by", by)
  end
  if means then
    say(x + 18, y + height / 2 + 14, "text", means)
  end
end

local function drawing(title, description, height, draw)
  parts = {}
  add('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" '
    .. 'font-family="system-ui, \'DejaVu Sans\', sans-serif" font-size="14">', WIDTH, height, WIDTH, height)
  add("<title>%s</title>", escape(title))
  add("<desc>%s</desc>", escape(description))
  parts[#parts + 1] = STYLE
  add('<rect width="%d" height="%d" rx="8" class="back"/>', WIDTH, height)
  draw()
  return table.concat(parts, "\n") .. "\n</svg>\n"
end

-- ---- how a script becomes a program -----------------------------------------------------------------------

local STEPS = {
  { "Lua", "a function of tensors", by = "trace", means = "it runs once, on shapes without values" },
  { "Graph of one core", "nodes, shapes, lines of the script", by = "gradient",
    means = "adds the nodes of the backward pass" },
  { "Graph of a step of one core", "forward, backward and the update", by = "replicate",
    means = "each value once, joined or stacked" },
  { "Graph of all cores", "as small as that of one, for the most part", by = "compile",
    means = "merges, fuses, orders, plans the memory" },
  { "Program", "instructions in phases, over one arena", by = "run",
    means = "threads walk through the phases together" },
  { "Results", "and variables, updated in place" },
}

local BOX, GAP = 52, 48

local function program()
  return drawing("How a script becomes a program", "From Lua by tracing to a graph of one core, by gradients and "
    .. "replication to a graph of all cores, by compiling to a program, and by running to results.",
    #STEPS * BOX + (#STEPS - 1) * GAP + 2 * EDGE, function()
    local y = EDGE
    for i, step in ipairs(STEPS) do
      box(EDGE, y, INSIDE, BOX, (i == 1 or i == 5) and "own" or "box")
      say(EDGE + 14, y + 22, "head", step[1])
      say(EDGE + 14, y + 41, "text", step[2])
      y = y + BOX
      if step.by then
        arrow(EDGE + 40, y + 4, GAP - 8, step.by, step.means)
        y = y + GAP
      end
    end
  end)
end

-- ---- three forms of a value -------------------------------------------------------------------------------

local function cells(y, names, down)
  local width = down and 96 or (INSIDE - 28) / #names
  for i, name in ipairs(names) do
    local x, top = EDGE + 14 + (down and 0 or (i - 1) * width), y + (down and (i - 1) * 26 or 0)
    add('<rect x="%g" y="%g" width="%g" height="26" class="own"/>', x, top, width)
    say(x + width / 2, top + 18, "head", name, true)
  end
end

local function replicas()
  return drawing("Three forms of a value", "A value is kept once for all cores, or joined as one array of all rows, or "
    .. "stacked with one value for each core.", 396, function()
    local forms = {
      { 96, "Uniform: once", "the same on each core: weights, constants", { "w" }, true },
      { 96, "Joined: the global batch", "rows of core 0, then of core 1, and so on",
        { "x0", "x1", "x2", "x3", "…", "x7" } },
      { 148, "Stacked: one for each core", "what each core computes over its whole part", { "s0", "s1", "…" }, true },
    }
    local y = EDGE
    for _, form in ipairs(forms) do
      box(EDGE, y, INSIDE, form[1])
      say(EDGE + 14, y + 22, "head", form[2])
      say(EDGE + 14, y + 41, "text", form[3])
      cells(y + 54, form[4], form[5])
      y = y + form[1] + EDGE
    end
  end)
end

-- ---- the map of the house ---------------------------------------------------------------------------------

-- From the roof down; a room may use those below it.
local FLOORS = {
  { "What people run", { { "repl", "moonpod" }, { "notebooks", "moonpod-kernel" }, { "examples", "" } } },
  { "Lua", { { "lua/moonpod", "the library of Lua" }, { "lua/bind", "calls C" } } },
  { "What the library is asked for", { { "advisor", "verdicts" }, { "tpu", "a TPU's plan" },
    { "service", "data there" }, { "input", "data" }, { "backends", "compilers" }, { "exported", "models" } } },
  { "From a graph to a running step", { { "compile", "plans" }, { "verify", "proves" }, { "program", "is run" },
    { "engine", "runs" } } },
  { "What is done to graphs", { { "grad", "slopes" }, { "replicate", "n cores" }, { "exchange", "StableHLO" },
    { "ir", "passes" } } },
  { "Graphs, files, arithmetic", { { "graph", "ops" }, { "formats", "files" }, { "kernels", "loops" },
    { "chip", "layouts" } } },
  { "The ground", { { "tensor", "buffers" }, { "trace", "events" }, { "base", "errors" }, { "include", "public" } } },
}

local ROOM, HEAD = 44, 26

local function house()
  return drawing("The map of the house", "Seven floors: executables and notebooks over Lua, Lua over the C core, whose "
    .. "rooms go from the advisor, the TPU model and data down to buffers and errors.",
    #FLOORS * (ROOM + HEAD + 8) + EDGE + 6, function()
    local y = EDGE
    for i, floor in ipairs(FLOORS) do
      say(EDGE, y + 16, "by", floor[1])
      local rooms = floor[2]
      local width = (INSIDE - (#rooms - 1) * 6) / #rooms
      for j, room in ipairs(rooms) do
        local x = EDGE + (j - 1) * (width + 6)
        box(x, y + HEAD - 2, width, ROOM, i <= 2 and "own" or "box")
        say(x + width / 2, y + HEAD + (room[2] == "" and 24 or 16), "head", room[1], true)
        say(x + width / 2, y + HEAD + 34, "text", room[2], true)
      end
      y = y + ROOM + HEAD + 8
    end
  end)
end

local stale = 0
for name, text in pairs { program = program(), replicas = replicas(), house = house() } do
  local path = ("%s/docs/pictures/%s.svg"):format(root, name)
  local file = io.open(path, check and "rb" or "wb")
  if check then
    if not file or file:read "a" ~= text then
      print(path .. ": is not what tests/tools/drawings.lua draws")
      stale = stale + 1
    end
  else
    assert(file, path):write(text)
  end
  if file then file:close() end
end
os.exit(stale == 0)
