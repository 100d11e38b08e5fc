-- programs - compiles graphs; programs of what runs eagerly are kept for graphs like theirs.

local device = require "moonpod.tensor.device"
local span = require "moonpod.tensor.span"

local programs = {}

local kept, order = {}, {}
local MOST_KEPT = 128

-- How exactly products of float32 are computed: see mixed_precision.set_float32_matmul_precision.
programs.matmul_precision = "highest"

-- What was compiled, or loaded from disk instead, so far: of functions and of what runs eagerly.
programs.compiled = { programs = 0, seconds = 0, loaded = 0, load_seconds = 0 }

local function compile(context, graph, parameters)
  if programs.checks_numbers then
    local checked = graph:check_numbers(parameters)
    local program =
      device.core.compile(context, checked, { no_fusion = true, matmul_precision = programs.matmul_precision })
    checked:close()
    return program
  end
  return device.core.compile(context, graph, { matmul_precision = programs.matmul_precision })
end

-- Compiles a graph; while programs.checks_numbers each of its results is checked for Inf and NaN, and with `parameters`
-- what goes into it. Returns the program and the seconds that took.
function programs.compile(graph, parameters)
  local context, started = device.context(), device.core.clock()
  local program = span.around("compile", "compile", compile, context, graph, parameters)
  local seconds = device.core.clock() - started
  local compiled = programs.compiled
  if program:stats().from_cache then
    compiled.loaded = compiled.loaded + 1
    compiled.load_seconds = compiled.load_seconds + seconds
  else
    compiled.programs = compiled.programs + 1
    compiled.seconds = compiled.seconds + seconds
  end
  return program, seconds
end

-- Returns a program for a graph, one that is kept where an equal graph has been compiled.
function programs.find(graph)
  local hash = graph:hash() .. programs.matmul_precision .. (programs.checks_numbers and "checked" or "")
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
