-- The command: moonpod advise program.mlir --chip v5e [--cores 8] [--policy name] [--html page.html]

local USAGE = [[
usage: moonpod advise FILE [options]
  FILE           a StableHLO module as text (docs/advise.md says how to export one)
  --chip NAME    a TPU generation or slice, such as v3, v5e or v3-8; v3 if not said
  --cores N      cores that run the program alike
  --policy NAME  layouts: compact, row_major_2021 or convolution_2021
  --donate       results take over arguments of their type, as PyTorch/XLA's updates do
  --viewer       also draw the memory over the program's order
  --html PATH    write the memory viewer as a page
]]

local takes_value = { ["--chip"] = "chip", ["--cores"] = "cores", ["--policy"] = "policy", ["--html"] = "html" }

local function fail(message)
  io.stderr:write("moonpod advise: ", message, "\n")
  return false
end

local function parse(arguments)
  local given = {}
  local i = 1
  while i <= #arguments do
    local word = arguments[i]
    if word == "-h" or word == "--help" then
      given.help = true
    elseif word == "--viewer" or word == "--donate" then
      given[word:sub(3)] = true
    elseif takes_value[word] then
      i = i + 1
      if arguments[i] == nil then
        return nil, word .. " needs a value"
      end
      given[takes_value[word]] = arguments[i]
    elseif word:sub(1, 1) == "-" and word ~= "-" then
      return nil, "there is no option " .. word
    elseif given.path then
      return nil, "one file at a time; " .. word .. " is a second one"
    else
      given.path = word
    end
    i = i + 1
  end
  return given
end

-- Runs the command; returns whether all went well.
return function(...)
  local given, problem = parse { ... }
  if not given then
    io.stderr:write(USAGE)
    return fail(problem)
  elseif given.help then
    io.write(USAGE)
    return true
  elseif not given.path then
    io.stderr:write(USAGE)
    return fail "which file?"
  end
  if given.cores and not tonumber(given.cores) then
    return fail("--cores must be a number, not " .. given.cores)
  end
  local pod = require "moonpod"
  local ok, advice = pcall(pod.advise, given.path, { chip = given.chip, cores = tonumber(given.cores),
    policy = given.policy, donate = given.donate })
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
  return true
end
