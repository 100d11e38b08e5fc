-- capture - what a cell prints and shows goes to a function, while the cell runs: print, io.write, files' write on the
-- standard streams, pod.display, bars of fit.
--
-- An output is a table as Jupyter has it: { output_type = "stream", name =, text = }, { output_type = "display_data" or
-- "update_display_data", data =, metadata =, transient = { display_id = } }.

local around = require "moonpod.base.around"
local bundle = require "moonpod.notebook.bundle"
local errors = require "moonpod.base.errors"
local screen = require "moonpod.base.screen"
local texts = require "moonpod.base.texts"

local capture = {}

-- Hands an output over. What the function itself prints goes where it would without us.
local function deliver(to, output)
  if to.out then
    around(function()
      to.is_inside = true
    end, function()
      to.is_inside = false
    end, to.out, output)
  end
end

capture.deliver = deliver

local function send(to, name, text)
  if text ~= "" then
    deliver(to, { output_type = "stream", name = name, text = texts.clean(text) })
  end
end

local function concat(...)
  local parts = {}
  for i = 1, select("#", ...) do
    local value = select(i, ...)
    local kind = type(value)
    if kind ~= "string" and kind ~= "number" then
      errors.raise("write: value %d must be a string or a number, not %s", i, errors.describe(value))
    end
    parts[i] = tostring(value)
  end
  return table.concat(parts)
end

-- What stands in the place of Lua's own while a cell runs: { table, name, function }.
local function replacements(to)
  local exit = { os, "exit", function()
    error("os.exit: a cell does not end the notebook's process; close the notebook, or restart its kernel", 2)
  end }
  if not to.streams then
    return { exit }
  end
  local stdout, stderr, io_write, print_plainly = io.stdout, io.stderr, io.write, print
  local methods = getmetatable(stdout).__index
  local file_write = methods.write
  return { { _G, "print", function(...)
    if to.is_inside then
      return print_plainly(...)
    end
    local parts = {}
    for i = 1, select("#", ...) do
      parts[i] = tostring((select(i, ...)))
    end
    send(to, "stdout", table.concat(parts, "\t") .. "\n")
  end }, { io, "write", function(...)
    if to.is_inside or io.output() ~= stdout then
      return io_write(...)
    end
    send(to, "stdout", concat(...))
    return stdout
  end }, { methods, "write", function(file, ...)
    if to.is_inside or file ~= stdout and file ~= stderr then
      return file_write(file, ...)
    end
    send(to, file == stdout and "stdout" or "stderr", concat(...))
    return file
  end }, exit }
end

-- Reads a line of the process itself, as `moonpod notebook run` does.
local function read_plainly(prompt)
  io.stderr:write(prompt)
  io.stderr:flush()
  return io.stdin:read "*l"
end

-- What cells have as `input`, unless they have a value of that name.
local function new_input(read_line)
  --- Asks whoever runs the notebook, and returns the answer as text.
  ---
  --- prompt: what is asked.
  --- options.password: the answer is not seen while it is typed.
  return function(prompt, options)
    local kind = type(prompt)
    if prompt ~= nil and kind ~= "string" and kind ~= "number" then
      errors.raise("input: the prompt must be a string, not %s", errors.describe(prompt))
    end
    options = errors.check_options(options, { password = "boolean" }, "input")
    return read_line(tostring(prompt or ""), options.password == true)
      or errors.raise "input: there is nothing to read: standard input is at its end"
  end
end

local function add_input(list, read_line)
  if rawget(_G, "input") == nil then
    list[#list + 1] = { _G, "input", new_input(read_line) }
  end
end

local function add_read(list, read_line)
  local io_read, stdin = io.read, io.stdin
  list[#list + 1] = { io, "read", function(...)
    local form = tostring((...) or "l"):gsub("^%*", "")
    if io.input() ~= stdin or select("#", ...) > 1 or not form:find "^[lLn]" then
      return io_read(...)
    end
    local line = read_line("", false)
    if line == nil then
      return nil
    end
    return form:find "^n" and tonumber(line) or form:find "^l" and line or form:find "^L" and line .. "\n" or nil
  end }
end

-- The page that a cell writes on.
local function page_of(to)
  local function show(kind, data, id)
    deliver(to, { output_type = kind, data = data, metadata = {}, transient = id and { display_id = id } or {} })
  end
  return { columns = bundle.COLUMNS, display = function(one)
    show("display_data", bundle.of_description(one))
    to.shown[one] = true
  end, open = function()
    to.panels = to.panels + 1
    local id, kind = "moonpod-" .. to.panels, "display_data"
    return function(text)
      show(kind, { ["text/plain"] = texts.clean(text) }, id)
      kind = "update_display_data"
    end
  end }
end

-- What outputs go to: `out` is the function that is called with each, or nil. options: read_line(prompt, is_secret),
-- which reads for io.read and input; streams = false where others catch what is printed.
function capture.new(options)
  local to = { shown = setmetatable({}, { __mode = "k" }), panels = 0 }
  to.page = page_of(to)
  to.read_line, to.streams = options.read_line, options.streams ~= false
  return to
end

-- Calls fn(...) while what is printed and shown goes to `to`.
function capture.run(to, fn, ...)
  local list, page = replacements(to), screen.page
  if to.read_line then
    add_read(list, to.read_line)
  end
  add_input(list, to.read_line or read_plainly)
  local before = {}
  for i, one in ipairs(list) do
    before[i] = rawget(one[1], one[2])
  end
  return around(function()
    screen.page = to.page
    for _, one in ipairs(list) do
      rawset(one[1], one[2], one[3])
    end
  end, function()
    screen.page = page
    for i, one in ipairs(list) do
      if rawequal(rawget(one[1], one[2]), one[3]) then -- a cell may have put its own there
        rawset(one[1], one[2], before[i])
      end
    end
  end, fn, ...)
end

return capture
