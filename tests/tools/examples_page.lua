--[[
examples_page - writes docs/tutorials/examples.md, which shows each example with what it prints: `lua5.4
tests/tools/examples_page.lua` in the root of the checkout, after ./dev build. It runs all of them, with the arguments
that they have by themselves: three minutes on a machine that does nothing else.
]]

local PROGRAM, PAGE, MOST_LINES, MOST_COLUMNS = "build/release/moonpod", "docs/tutorials/examples.md", 16, 100

local HEAD = [[
# Examples

<!-- Made by tests/tools/examples_page.lua, which runs the examples; change these, or examples/README.md. -->

What each example does, and the end of what it printed. Each is one file; the same seed gives the same numbers on CPUs
of a family. Printed by %s with %d threads.

]]

local function read(path)
  local file = assert(io.open(path))
  local text = file:read "a"
  file:close()
  return text
end

local function lines_of(text)
  local list = {}
  for line in (text:gsub("\n?$", "\n")):gmatch "([^\n]*)\n" do
    list[#list + 1] = line
  end
  return list
end

local function machine()
  local name = read "/proc/cpuinfo":match "model name%s*:%s*([^\n]+)"
  local threads = select(2, read "/proc/cpuinfo":gsub("processor%s*:", ""))
  return name, threads
end

-- The sentences at the top of a script, up to its usage.
local function purpose(text)
  local sentences = {}
  for _, line in ipairs(lines_of(text)) do
    local said = line:match "^%-%- (%S.*)$"
    if not said then
      break
    end
    sentences[#sentences + 1] = said
  end
  return table.concat(sentences, "\n")
end

-- The end of what a program printed, as a terminal shows it.
local function shown(output)
  local all, kept = {}, {}
  for _, line in ipairs(lines_of(output)) do
    all[#all + 1] = line:match "([^\r]*)\r*$"
  end
  for i = math.max(1, #all - MOST_LINES + 1), #all do
    local line = all[i]
    kept[#kept + 1] = utf8.len(line) and utf8.len(line) > MOST_COLUMNS
      and line:sub(1, utf8.offset(line, MOST_COLUMNS) - 1) .. "…" or line
  end
  return (#all > MOST_LINES and "…\n" or "") .. table.concat(kept, "\n")
end

local function run(command)
  io.stderr:write(command, "\n")
  local pipe = assert(io.popen(command .. " 2>&1"))
  local output = pipe:read "a"
  assert(pipe:close(), output)
  return output
end

-- The rows of the table of examples/README.md: file, what it shows, names, time.
local function rows()
  local list = {}
  for line in read "examples/README.md":gmatch "[^\n]+" do
    local file, what, names, time = line:match "^| `([%w_/.]+)` | (.-) | (.-) | (.-) |"
    if not file then
      file, what, names = line:match "^| `([%w_/.]+)` | (.-) | (.-) |"
    end
    list[#list + 1] = file and { file = file, what = what, names = names, time = time }
  end
  return list
end

local NOT_RUN = { ["image_folder.lua"] = "It trains on pictures of your own." }

local function entry(row)
  local path = "examples/" .. row.file
  local parts = { ("## %s\n"):format(row.file) }
  local is_script = row.file:find "^[%w_]+%.lua$"
  local text = is_script and read(path)
  parts[#parts + 1] = (text and purpose(text) or row.what) .. "\n"
  local facts = {}
  facts[#facts + 1] = text and ("%d lines"):format(#lines_of(text)) or nil
  facts[#facts + 1] = row.time and row.time:find "%d" and row.time or nil
  facts[#facts + 1] = row.names ~= "" and row.names or nil
  parts[#parts + 1] = ("[%s](../../%s): %s.\n"):format(row.file, path, table.concat(facts, "; "))
  if is_script and NOT_RUN[row.file] then
    parts[#parts + 1] = NOT_RUN[row.file] .. "\n"
  elseif is_script then
    parts[#parts + 1] = ("```console\n$ moonpod %s\n%s\n```\n"):format(path, shown(run(PROGRAM .. " " .. path)))
  end
  return table.concat(parts, "\n")
end

local parts = { HEAD:format(machine()) }
for _, row in ipairs(rows()) do
  parts[#parts + 1] = entry(row)
end
local file = assert(io.open(PAGE, "w"))
assert(file:write((table.concat(parts, "\n"):gsub("\n\n\n+", "\n\n"))))
assert(file:close())
