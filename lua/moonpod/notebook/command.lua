-- The command: moonpod notebook run|convert|new. Its exit code is 0 where all was done, 1 where a cell failed or a file
-- could not be read or written.

local device = require "moonpod.tensor.device"
local document = require "moonpod.notebook.document"
local errors = require "moonpod.base.errors"
local execute = require "moonpod.notebook.execute"
local html_page = require "moonpod.notebook.html_page"
local markdown_page = require "moonpod.notebook.markdown_page"
local percent = require "moonpod.notebook.percent"
local random = require "moonpod.func.random"
local texts = require "moonpod.base.texts"

local USAGE = [[
usage: moonpod notebook run FILE [-o OUT] [--html PAGE] [--markdown PAGE] [--seed N] [--allow-errors]
       moonpod notebook convert FROM TO
       moonpod notebook new FILE
  FILE           a notebook: .ipynb, or .nb.lua, which is Lua whose cells begin with "-- %%"
  -o OUT         writes the notebook with its outputs: .ipynb, or another form as `convert` does
  --html PAGE    writes it as one page of HTML
  --markdown PAGE  writes it as Markdown, with its pictures beside
  --seed N       random numbers begin so
  --allow-errors goes on behind cells that fail
  TO             .ipynb, .nb.lua, .html or .md: as it is, without running it
`run` without a file to write prints what the cells print. A notebook whose cell fails is not written, unless errors are
allowed. exit code: 0 all was done, 1 not
]]

local function fail(message)
  io.stderr:write("moonpod notebook: ", message, "\n")
  return 1
end

-- ---- files ---------------------------------------------------------------------------------------------

local function read_file(path)
  local text, failure = texts.read(path)
  if not text then
    errors.raise("%s", tostring(failure):find(path, 1, true) and failure or path .. ": " .. tostring(failure))
  end
  return text
end

local function write_file(path, bytes)
  local ok, failure = pcall(device.core.file_write, device.context(), path, bytes)
  if not ok then
    error(failure, 0)
  end
end

-- What a path is by its ending.
local function kind_of(path)
  local lower = path:lower()
  return lower:find "%.ipynb$" and "ipynb" or lower:find "%.nb%.lua$" and "lua" or lower:find "%.html?$" and "html"
    or lower:find "%.md$" and "markdown" or lower:find "%.lua$" and "lua" or nil
end

local function read_notebook(path)
  local kind = kind_of(path)
  if kind == "ipynb" then
    return document.decode(read_file(path), path)
  elseif kind == "lua" then
    return percent.decode(read_file(path), path)
  end
  errors.raise("%s: a notebook is a file .ipynb or .nb.lua", path)
end

local function name_of(path)
  return path:match "([^/\\]*)$":gsub("%.ipynb$", ""):gsub("%.nb%.lua$", ""):gsub("%.%w+$", "")
end

local writers = {}

function writers.ipynb(one, path)
  write_file(path, document.encode(one))
end

function writers.lua(one, path)
  write_file(path, percent.encode(one))
end

function writers.html(one, path)
  write_file(path, html_page.write(one, name_of(path)))
end

-- Pictures first: a page that is there has all of its pictures.
function writers.markdown(one, path)
  local text, files = markdown_page.write(one, (name_of(path)))
  for _, file in ipairs(files) do
    write_file((path:match "^(.*[/\\])" or "") .. file.name, file.bytes)
  end
  write_file(path, text)
end

local function check_target(path)
  if not kind_of(path) then
    errors.raise("%s: a notebook is written as .ipynb, .nb.lua, .html or .md", path)
  end
  return path
end

-- ---- commands ------------------------------------------------------------------------------------------

local TAKES = { ["-o"] = "out", ["--output"] = "out", ["--html"] = "html", ["--markdown"] = "markdown",
  ["--seed"] = "seed" }

local function parse(words)
  local given = { paths = {} }
  local i = 1
  while i <= #words do
    local word, name = words[i], TAKES[words[i]]
    if name then
      i = i + 1
      if given[name] ~= nil or words[i] == nil then
        errors.raise(words[i] == nil and "%s needs a value" or "%s is given twice", word)
      end
      given[name] = words[i]
    elseif word == "--allow-errors" then
      given.allow_errors = true
    elseif word:sub(1, 1) == "-" then
      errors.raise("there is no option %s", word)
    else
      table.insert(given.paths, word)
    end
    i = i + 1
  end
  if given.seed and not given.seed:find "^%d+$" then
    errors.raise("--seed is a whole number from 0, not %s", given.seed)
  end
  return given
end

-- Prints cells and what comes of them, as they run.
local function printer()
  local began, latest = false, nil
  local function flush()
    if latest then
      io.write(latest, "\n")
      latest = nil
    end
  end
  local function watch(cell, output)
    if not output then
      flush()
      local text = cell.cell_type == "code" and "    " .. cell.source:gsub("\n", "\n    ") or cell.source
      io.write(began and "\n" or "", text, "\n\n")
      began = true
    elseif output.output_type == "stream" then
      flush()
      io[output.name == "stderr" and "stderr" or "stdout"]:write(output.text)
    elseif output.output_type == "update_display_data" then
      latest = output.data["text/plain"]
    else
      flush()
      latest = output.data and output.data["text/plain"] or table.concat(output.traceback, "\n")
    end
    io.stdout:flush()
  end
  return watch, flush
end

local function told(path, one, stopped)
  local head = ("%s: cell %d, which is [%d]%s, failed"):format(path, stopped.place, stopped.number,
    stopped.line and (", line %d"):format(stopped.line) or "")
  local id = one.cells[stopped.place].id
  return head .. (id and (" (%s)"):format(id) or "")
end

local function write_all(one, given)
  if given.out then
    writers[kind_of(given.out)](one, given.out)
  end
  for _, name in ipairs { "html", "markdown" } do
    if given[name] then
      writers[name](one, given[name])
    end
  end
end

local commands = {}

function commands.run(words)
  local given = parse(words)
  local path = given.paths[1]
  if #given.paths ~= 1 then
    errors.raise("%s", path and "one notebook at a time; " .. given.paths[2] .. " is a second one" or "which notebook?")
  end
  local one = read_notebook(path)
  if given.out then
    check_target(given.out)
  end
  if given.seed then
    random.set_seed(tonumber(given.seed))
    math.randomseed(tonumber(given.seed))
  end
  local writes = given.out or given.html or given.markdown
  local watch, flush
  if not writes then
    watch, flush = printer()
  end
  local count, stopped = execute.run(one, { allow_errors = given.allow_errors, watch = watch })
  if flush then
    flush()
  end
  if stopped then
    return fail(told(path, one, stopped) .. (writes and "\n" .. table.concat(stopped.reply.traceback, "\n") or ""))
  end
  write_all(one, given)
  if writes then
    io.write(("%s: %d cell%s ran\n"):format(path, count, count == 1 and "" or "s"))
  end
  return 0
end

function commands.convert(words)
  local given = parse(words)
  if #given.paths ~= 2 or next(given, next(given)) then
    errors.raise "write where from and where to: moonpod notebook convert lesson.nb.lua lesson.ipynb"
  end
  local one = read_notebook(given.paths[1])
  writers[kind_of(check_target(given.paths[2]))](one, given.paths[2])
  return 0
end

local function new_notebook(title)
  local one = document.new()
  document.add(one, "markdown", "# " .. title .. "\n\nWhat this notebook shows.")
  document.add(one, "code", "pod.random.set_seed(1)\nx = pod.random.normal { 100 }\npod.plot.histogram(x)")
  return one
end

function commands.new(words)
  local path = parse(words).paths[1]
  if #words ~= 1 or not path then
    errors.raise "name the notebook: moonpod notebook new lesson.ipynb"
  end
  path = kind_of(path) and path or path .. ".ipynb"
  local kind = kind_of(path)
  if kind ~= "ipynb" and kind ~= "lua" then
    errors.raise("%s: a notebook is a file .ipynb or .nb.lua", path)
  end
  if texts.exists(path) then
    errors.raise("%s is there already; it is kept as it is", path)
  end
  writers[kind](new_notebook((name_of(path))), path)
  io.write(path, "\n")
  return 0
end

-- The command: prints, and returns the exit code.
return function(name, ...)
  if name == "-h" or name == "--help" or name == "help" then
    io.write(USAGE)
    return 0
  elseif not commands[name] then
    io.stderr:write(USAGE)
    return fail(name and ("there is no command '%s'%s"):format(name, errors.suggest(name, commands)) or
      "write run, convert or new behind it")
  end
  local ok, code = pcall(commands[name], { ... })
  return ok and code or fail(tostring(code))
end
