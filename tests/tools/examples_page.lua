--[[
examples_page - writes docs/tutorials/examples.md, which has each example with what it teaches and prints: `lua5.4
tests/tools/examples_page.lua` in the root of the checkout, after ./dev build. It runs all of them, with the arguments
that they have by themselves: five minutes on a machine that does nothing else. From the losses that they print the site
draws curves; those of epochs are left out of what is shown.
]]

local PROGRAM, PAGE, DATA = "build/release/moonpod", "docs/tutorials/examples.md", os.tmpname() .. "_data"
local COLUMNS, LINES = 78, 15 -- of an output; the pictures that examples draw with letters have 14 lines

local NOT_RUN = { ["image_folder.lua"] = true } -- it trains on pictures of one's own
local PICTURES = { ["segmentation_memory.lua"] = "![A step that does not fit a TPU](../pictures/memory.svg)\n" }

local HEAD = [[
<!-- Made by tests/tools/examples_page.lua, which runs the examples; change these, or examples/README.md. -->

# Examples
]]

local INTRODUCTION = [[
What each example teaches, how it learns, and the end of what it printed on %d threads of an %s (family %s). The same
seed gives the same numbers on CPUs of a family. Times are those of two cores. Programs of Keras stand beside their
ports: `from_keras`. [examples/README.md](../../examples/README.md) says how to run them.
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

-- A paragraph in lines of 120 columns.
local function wrapped(text)
  local lines, line = {}, ""
  for word in text:gmatch "%S+" do
    if #line + #word >= 120 then
      lines[#lines + 1], line = line, ""
    end
    line = line == "" and word or line .. " " .. word
  end
  lines[#lines + 1] = line
  return table.concat(lines, "\n") .. "\n"
end

-- What a program printed, as a terminal shows it.
local function run(path)
  local command = ("%s %s %s 2>&1"):format(PROGRAM, path, path:find "/from_keras/" and DATA or "")
  io.stderr:write(command, "\n")
  local pipe = assert(io.popen(command))
  local output = pipe:read "a"
  assert(pipe:close(), output)
  local lines = lines_of(output)
  for i, line in ipairs(lines) do
    lines[i] = line:match "([^\r]*)\r*$"
  end
  return lines
end

-- The numbers of each epoch, which a comment gives to the site: "loss 3 2.5 val_loss 3.25 2.75".
local function curves(lines)
  local text = {}
  for _, name in ipairs { "loss", "val_loss", "d_loss", "g_loss", "stood" } do
    local values = {}
    for _, line in ipairs(lines) do
      local value = not line:find "^[Tt]est" and (" " .. line):match("[%s\"]" .. name .. "\"?: ([%d.]+[%de+-]*)")
      values[#values + 1] = value ~= values[#values] and value or nil -- some say it twice
    end
    text[#text + 1] = #values > 2 and name .. " " .. table.concat(values, " ") or nil
  end
  return #text > 0 and wrapped(("<!-- curves %s -->"):format(table.concat(text, " "))) or nil
end

-- Puts a line into a list, in pieces that fit; a word that is longer stays whole.
local function fold(line, list)
  while utf8.len(line) and utf8.len(line) > COLUMNS do
    local head = line:sub(1, utf8.offset(line, COLUMNS + 1) - 1):match "^(.*%S) " or line:match "^%s*%S+"
    list[#list + 1], line = head, "  " .. line:sub(#head + 1):gsub("^ +", "")
  end
  list[#list + 1] = line
end

-- The end of it, without tables of layers, the lines of epochs but the last one's, and their times.
local function shown(lines)
  local kept, last = {}, nil
  for _, line in ipairs(lines) do
    local epoch = line:match "^%d+/%d+ %- .-/step %- (.*)$"
    if epoch then
      last = epoch
    elseif not line:find "^Epoch %d+/%d+$" and not line:find "^Model: " and not line:find "^ .*rainable params: "
      and not line:find "^\xE2[\x94\x95]" then
      kept[#kept + 1], last = last, nil
      kept[#kept + 1] = line
    end
  end
  kept[#kept + 1] = last
  local text = {}
  for i = math.max(1, #kept - LINES + 1), #kept do
    fold(kept[i], text)
  end
  return table.concat(text, "\n")
end

-- The rows of the table of examples/README.md: file, what it shows, names, time.
local function rows()
  local list = {}
  for line in read "examples/README.md":gmatch "[^\n]+" do
    local file, what, names, time = line:match "^|%s*`([%w_/.]+)`%s*|%s*(.-)%s*|%s*(.-)%s*|%s*(.-)%s*|"
    list[#list + 1] = file and { file = file, what = what, names = names, time = time ~= "" and time or nil }
  end
  return list
end

local function entry(row)
  local is_port, is_script = row.file:find "^from_keras/" ~= nil, row.file:find "%.lua$" ~= nil
  local path = "examples/" .. row.file .. (is_port and ".lua" or row.file:find "/$" and "main.lua" or "")
  local parts = { ("## %s\n"):format(row.file), wrapped(row.what:gsub("^%l", string.upper) .. ".") }
  local facts = { ("[%s](../../%s), %d lines"):format(path:match "[^/]+$", path, #lines_of(read(path))) }
  if is_port then
    local python = path:gsub("lua$", "py")
    facts[1] = ("[%s](../../%s), %d lines, beside [%s](../../%s), %d"):format(path:match "[^/]+$", path,
      #lines_of(read(path)), python:match "[^/]+$", python, #lines_of(read(python)))
  end
  facts[#facts + 1] = row.time
  facts[#facts + 1] = row.names ~= "" and row.names or nil
  parts[#parts + 1] = wrapped(table.concat(facts, "; ") .. ".")
  parts[#parts + 1] = PICTURES[row.file]
  if (is_port or is_script) and not NOT_RUN[row.file] then
    local lines = run(path)
    parts[#parts + 1] = curves(lines)
    parts[#parts + 1] = ("```text\n$ moonpod %s\n%s\n```\n"):format(path, shown(lines))
  end
  return table.concat(parts, "\n")
end

run("examples/from_keras/data.lua")
local cpu = read "/proc/cpuinfo"
local threads = select(2, cpu:gsub("processor%s*:", ""))
local parts = { HEAD, wrapped(INTRODUCTION:format(threads, cpu:match "model name%s*:%s*([^\n]+)",
  cpu:match "cpu family%s*:%s*(%d+)")) }
for _, row in ipairs(rows()) do
  parts[#parts + 1] = entry(row)
end
local file = assert(io.open(PAGE, "w"))
assert(file:write((table.concat(parts, "\n"):gsub("\n\n\n+", "\n\n"))))
assert(file:close())
