-- The command: moonpod advise program.mlir --chip v5e [--chips mine.json] [--cores 8]
-- [--html page.html]. Its exit code is the verdict's.

local chips = require "moonpod.tpu.chips"
local file = require "moonpod.advisor.file"

local USAGE = [[
usage: moonpod advise FILE [options]
  FILE           a StableHLO module as text (docs/guides/advise.md says how to export one)
  --chip NAME    a TPU generation or slice, such as v3, v5e or v3-8; v3 if not said
  --chips FILE   adds chips of your own, which --chip may then name (docs/reference/formats.md)
  --cores N      cores that run the program alike
  --donate       results take over arguments of their type, as PyTorch/XLA's updates do
  --exact        ask an installed libtpu as well: its totals, its verdict; no TPU is needed
  --compiler PATH  the libtpu.so to ask
  --viewer       also draw the memory over the program's order
  --html PATH    write the memory viewer as a page
exit code: 0 the program fits, 2 it does not, 3 that cannot be said; 1 for an error
]]

local CODES = { fits = 0, does_not_fit = 2, cannot_say = 3 }
local FAILED = 1

local takes_value = { ["--chip"] = "chip", ["--chips"] = "chips", ["--cores"] = "cores", ["--html"] = "html",
  ["--compiler"] = "compiler" }

local function fail(message)
  io.stderr:write("moonpod advise: ", message, "\n")
  return FAILED
end

-- A value may be given once: of two the last would win in silence.
local function set(given, name, word, value)
  if given[name] ~= nil then
    return word .. " is given twice"
  end
  given[name] = value
end

local function parse(arguments)
  local given = {}
  local i, problem = 1, nil
  while i <= #arguments do
    local word = arguments[i]
    if word == "-h" or word == "--help" then
      given.help = true
    elseif word == "--viewer" or word == "--donate" or word == "--exact" then
      problem = set(given, word:sub(3), word, true)
    elseif takes_value[word] then
      i = i + 1
      if arguments[i] == nil then
        return nil, word .. " needs a value"
      end
      problem = set(given, takes_value[word], word, arguments[i])
    elseif word:sub(1, 1) == "-" and word ~= "-" then
      return nil, "there is no option " .. word
    elseif given.path then
      return nil, "one file at a time; " .. word .. " is a second one"
    else
      given.path = word
    end
    if problem then
      return nil, problem
    end
    i = i + 1
  end
  return given
end

-- Runs the command; returns its exit code.
return function(...)
  local given, problem = parse { ... }
  if not given then
    io.stderr:write(USAGE)
    return fail(problem)
  elseif given.help then
    io.write(USAGE)
    return 0
  elseif not given.path then
    io.stderr:write(USAGE)
    return fail "which file?"
  end
  if given.cores and not given.cores:find "^%d+$" then
    return fail("--cores must be a whole number, not " .. given.cores)
  end
  if given.chips then
    local added, message = pcall(chips.add_file, given.chips)
    if not added then
      return fail(tostring(message))
    end
  end
  local ok, advice = pcall(file.advise, given.path, { chip = given.chip, cores = tonumber(given.cores),
    donate = given.donate, exact = given.compiler or given.exact })
  if not ok then
    return fail((tostring(advice):gsub("^advise: ", "")))
  end
  print(advice)
  if given.viewer then
    print()
    print(advice.memory:viewer())
  end
  if given.html then
    local written, message = pcall(advice.memory.html, advice.memory, given.html)
    if not written then
      return fail(tostring(message))
    end
  end
  return CODES[advice.verdict]
end
