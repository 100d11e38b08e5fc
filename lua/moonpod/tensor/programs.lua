-- programs - compiles graphs; programs of what runs eagerly are kept for graphs like theirs.

local device = require "moonpod.tensor.device"
local global_state = require "moonpod.base.global_state"
local span = require "moonpod.tensor.span"
local tables = require "moonpod.base.tables"

local programs = {}

local kept, order = {}, {}
local MOST_KEPT = 128

-- Whether results are checked for Inf and NaN: see debug.nan.
local checks_numbers = global_state.new("debug.nan", false)
programs.checks_numbers = checks_numbers

-- What was compiled so far: of functions and of what runs eagerly.
programs.compiled = { programs = 0, seconds = 0 }

-- What a session says of itself: `account`, where it wants one, is the table that runs are written down in from now on
-- (see moonpod.session.why).
programs.host = package.loaded["moonpod.host"] or {}

local moved = setmetatable({}, { __mode = "k" })

-- The bytes that a step of a program reads and writes, each operand of an instruction once.
local function bytes_moved(program)
  local bytes = moved[program]
  if not bytes then
    bytes = 0
    for _, one in ipairs(program:times()) do
      bytes = bytes + one.bytes
    end
    moved[program] = bytes
  end
  return bytes
end

-- Writes down that functions were traced.
function programs.note_trace(name)
  local account = programs.host.account
  if account then
    account.traces = (account.traces or 0) + 1
    account.traced = account.traced or {}
    account.traced[name] = (account.traced[name] or 0) + 1
  end
end

local COLLECTIVES = tables.set_of { "all_reduce", "reduce_scatter", "all_gather", "all_to_all" }

-- What cores exchange in a graph of one of them, in order, a text each, where an account is kept: the op, what comes of
-- it, among how many cores where that is not all of them, and the layer and line that ask for it.
function programs.collectives(graph)
  local list = {}
  for line in (programs.host.account and graph:print(device.context()) or ""):gmatch "[^\n]+" do
    local what, op, options = line:match "= (%S+) ([%l_]+)%(%S+%)([^#]*)"
    if COLLECTIVES[op] then
      local among, place = options:match "count=(%d+)", line:match "# (.+)$"
      list[#list + 1] = ("%s %s%s%s"):format(op, what, among and " among " .. among or "",
        place and ": " .. place or "")
    end
  end
  return list
end

-- Writes down a run of so many steps (nil: one). buffers: its arguments; collectives: of each step, or nil.
function programs.note_run(program, steps, buffers, collectives)
  local account = programs.host.account
  if not account then
    return
  end
  steps = steps or 1
  account.runs = (account.runs or 0) + 1
  account.steps = (account.steps or 0) + steps
  account.moved = (account.moved or 0) + steps * bytes_moved(program)
  account.collectives = (account.collectives or 0) + steps * #(collectives or {})
  account.exchanged = account.exchanged or {}
  for _, text in ipairs(collectives or {}) do
    local row = account.exchanged[text] or { text = text, count = 0 }
    if row.count == 0 then
      account.exchanged[text] = row
      table.insert(account.exchanged, row)
    end
    row.count = row.count + steps
  end
  account.seen = account.seen or setmetatable({}, { __mode = "k" })
  if not account.seen[program] then
    account.seen[program] = true
    account.arguments = account.arguments or {}
    for _, buffer in ipairs(buffers) do
      if buffer then
        account.arguments[#account.arguments + 1] = { dtype = buffer:dtype(), shape = buffer:shape() }
      end
    end
  end
end

local function compile(context, graph, parameters, options)
  if checks_numbers.value and not (options and options.device) then
    local checked = graph:check_numbers(parameters)
    local program = device.core.compile(context, checked, { no_fusion = true })
    checked:close()
    return program
  end
  return device.core.compile(context, graph, options)
end

-- Compiles a graph; while checks_numbers each of its results is checked for Inf and NaN, and with `parameters`
-- what goes into it. options: { device = an accelerator that runs it (nil: this host), has_rows = of each parameter
-- whether devices divide its rows, held = whether it stays as it is over many runs } or nil. Returns the program and
-- the seconds that took.
function programs.compile(graph, parameters, options)
  local context, started = device.context(), device.core.clock()
  local program = span.around("compile", "compile", compile, context, graph, parameters, options)
  local seconds = device.core.clock() - started
  local compiled = programs.compiled
  local account = programs.host.account
  if account then
    account.compiled, account.seconds = (account.compiled or 0) + 1, (account.seconds or 0) + seconds
  end
  compiled.programs = compiled.programs + 1
  compiled.seconds = compiled.seconds + seconds
  return program, seconds
end

-- Returns a program for a graph, one that is kept where an equal graph has been compiled.
function programs.find(graph)
  local hash = graph:hash() .. (checks_numbers.value and "checked" or "")
  local program = kept[hash]
  if not program then
    program = programs.compile(graph)
    kept[hash] = program
    order[#order + 1] = hash
    if #order > MOST_KEPT then
      kept[table.remove(order, 1)] = nil
    end
  end
  return program
end

-- Forgets those that are kept.
function programs.clear()
  kept, order = {}, {}
end

return programs
