-- Records the profiles of this folder, on the machine at hand: programs with one planted fault each.
--
--   build/release/moonpod tests/golden/advice/record.lua tests/bench tests/golden/advice PICTURES
--
-- in an environment as of ./dev bench, with LUA_PATH set. PICTURES is what tests/make_pictures writes.

local bench, folder, pictures, only = arg[1], arg[2], arg[3], tonumber(arg[4])
package.path = bench .. "/?.lua;" .. package.path
local cases = require "advice_cases"
local pod = require "moonpod"

local STEPS = { 24, 24, 16, 24, 16, 16, 4, 4, 24 }

-- Writes what a recording is made of; keys in order, so that two runs can be compared.
local function write(value, indent)
  if type(value) == "number" then
    return (value == math.floor(value) and "%d" or "%.5g"):format(value)
  elseif type(value) ~= "table" then
    return type(value) == "string" and ("%q"):format(value) or tostring(value)
  end
  local keys, lines = {}, {}
  for key in pairs(value) do
    keys[#keys + 1] = key
  end
  table.sort(keys, function(a, b)
    return type(a) == type(b) and a < b or type(a) == "number" and type(b) ~= "number"
  end)
  local one_line = true
  for i, key in ipairs(keys) do
    local name = type(key) == "number" and (key == i and "" or "[" .. key .. "] = ") or key .. " = "
    one_line = one_line and type(value[key]) ~= "table"
    lines[i] = name .. write(value[key], indent .. " ")
  end
  if one_line then
    local text, width = "{", #indent
    for i, line in ipairs(lines) do
      local gap = i == 1 and "" or width + #line > 80 and ",\n" .. indent .. " " or ", "
      width = gap:find "\n" and #indent + #line or width + #line + 2
      text = text .. gap .. line
    end
    return text .. "}"
  end
  return "{\n" .. indent .. " " .. table.concat(lines, ",\n" .. indent .. " ") .. "\n" .. indent .. "}"
end

local function record(case, name, steps)
  pod.device.context():set_threads(case.threads)
  local model, data, given = case.make(false, nil, pictures)
  given.per_row, given.verbose, given.steps_per_epoch = nil, 0, steps
  model:fit(data, given)
  pod.profiler.start()
  model:fit(data, given)
  local recording = pod.profiler.stop().recording
  recording.cpus = case.cpus or recording.cpus
  for _, program in ipairs(recording.programs) do
    program.values = nil -- what it keeps in memory: no advice is of that
    for _, one in ipairs(program) do
      one.location = one.location and one.location:gsub("^.*/", "")
    end
  end
  local file = assert(io.open(folder .. "/" .. name .. ".lua", "w"))
  file:write("-- ", case.name, ": see record.lua\nreturn ", write(recording, ""), "\n")
  file:close()
end

for i, case in ipairs(cases) do
  if not only or only == i then
    record(case, ("%d-%s"):format(i, case.id), STEPS[i])
  end
end
if not only then
  record(cases.clean, "clean", 8)
end
