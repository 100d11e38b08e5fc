-- Every function and every method, called with nothing, with another object and with values of wrong types: whatever
-- is raised is a message of Moonpod's at a line of this file, never one of Lua's about the insides.

local pod = require "moonpod"
local api = require "tests.lua.support.api"

-- What wait for a terminal, write to one, or make classes (which are reached as fields of layers).
local LEFT_OUT = {
  ["pod.debug.break_"] = true, ["pod.debug.on_break"] = true, ["pod.log_placement"] = true,
  ["pod.device.log_placement"] = true, ["pod.datasets.fashion_mnist"] = true, -- reads much
  -- Models of up to half a gigabyte: tests/lua/applications_spec.lua calls them.
  ["pod.applications.resnet18"] = true, ["pod.applications.resnet50"] = true, ["pod.applications.unet"] = true,
  ["pod.applications.mobilenet_v2"] = true, ["pod.applications.vit_small"] = true,
  ["pod.applications.gpt2_small"] = true, ["pod.applications.bert_base"] = true,
  init = true, define = true, lookup = true, track = true, metatable = true, init_model = true, setup = true,
}

-- What takes a tenth of a second a call, and is not called with several arguments: looks for the nearest of a thousand
-- names; records a program; repeats one.
local SLOW = { ["pod.help"] = true, ["pod.profiler.trace"] = true, ["pod.session.timeit"] = true }

-- A folder that is not there; writers of profiles and of event files make it.
local folder = os.tmpname()
os.remove(folder)

local HOLE = {}
local VALUES = {
  { "nil", HOLE }, { "3", 3 }, { "'no-such-folder/x'", folder .. "/x" }, { "{ 1, 2 }", { 1, 2 } },
  { "a function", function() end }, { "-1.5", -1.5 }, { "true", true }, { "{}", {} }, { "{ 'a' }", { "a" } },
  { "{ x = 1 }", { x = 1 } }, { "NaN", 0 / 0 }, { "a file", io.stdout },
  { "a thread", coroutine.create(function() print() end) },
  { "a tensor", pod.tensor { { 1, 2 }, { 3, 4 } } }, { "a layer", pod.layers.dense(1) },
}
local FEW = 5 -- of them, in front of another argument

-- What is wrong with the message of an error, or nil.
local function fault_of(message)
  if type(message) ~= "string" then
    return "no text"
  end
  for _, words in ipairs { "attempt to", "lua/moonpod", "bad argument", "stack traceback", "stack overflow",
    "table index", "%[string", "%[C%]" } do
    if message:find(words) then
      return words
    end
  end
  local has_place = message:find "api_spec%.lua:%d+" or message:find "support/api%.lua:%d+"
  return not has_place and "no line of the caller" or nil
end

local function value_at(i)
  local value = VALUES[i][2]
  if value == HOLE then
    return nil
  elseif type(value) ~= "table" or getmetatable(value) then
    return value
  end
  local copy = {} -- some are kept and written to
  for key, one in pairs(value) do
    copy[key] = one
  end
  return copy
end

local calls, faults, faulty = 0, {}, {}

local function try(name, fn, arguments, ...)
  calls = calls + 1
  local function go(...)
    fn(...)
  end
  local ok, message = pcall(go, ...)
  local fault = not ok and fault_of(message)
  if fault and not faulty[name] then
    faulty[name] = true
    faults[#faults + 1] = ("%s(%s): %s: %s"):format(name, arguments, fault, tostring(message))
  end
end

local function try_function(name, fn)
  try(name, fn, "")
  for i = 1, #VALUES do
    try(name, fn, VALUES[i][1], value_at(i))
  end
  for i = 1, SLOW[name] and 0 or FEW do
    for j = 1, #VALUES do
      try(name, fn, VALUES[i][1] .. ", " .. VALUES[j][1], value_at(i), value_at(j))
    end
    for j = 1, i <= 3 and 3 or 0 do
      for k = 1, 3 do
        try(name, fn, ("%s, %s, %s"):format(VALUES[i][1], VALUES[j][1], VALUES[k][1]), value_at(i), value_at(j),
          value_at(k))
      end
    end
  end
end

local function try_method(name, fn, object)
  try(name, fn, "")
  for i = 1, #VALUES do
    try(name, fn, VALUES[i][1], value_at(i))
    try(name, fn, VALUES[i][1] .. ", a tensor", value_at(i), value_at(#VALUES - 1))
  end
  try(name, fn, "itself", object)
  for i = 1, #VALUES do
    try(name, fn, "itself, " .. VALUES[i][1], object, value_at(i))
  end
  for i = 1, FEW do
    for j = 1, FEW do
      try(name, fn, ("itself, %s, %s"):format(VALUES[i][1], VALUES[j][1]), object, value_at(i), value_at(j))
    end
  end
end

local function report()
  local found = faults
  faults = {}
  assert(#found == 0, ("%d faults:\n%s"):format(#found, table.concat(found, "\n", 1, math.min(#found, 20))))
end

describe("what scripts can call", function()
  local scope = require "moonpod.base.warnings"
  local warn, write, stderr = scope.warn, io.write, io.stderr
  setup(function()
    local function silence() end
    scope.warn = silence
    rawset(io, "write", silence)
    rawset(io, "stderr", { write = silence })
  end)
  teardown(function()
    scope.warn = warn
    rawset(io, "write", write)
    rawset(io, "stderr", stderr)
    os.execute("rm -rf '" .. folder .. "'")
  end)

  it("refuses wrong arguments in words: functions", function()
    for _, entry in ipairs(api.functions()) do
      if not LEFT_OUT[entry.name] then
        try_function(entry.name, entry.fn)
      end
    end
    assert(calls > 30000, calls)
    report()
  end)

  it("refuses wrong objects and arguments in words: methods", function()
    local done = {}
    for _, entry in ipairs(api.objects()) do
      for _, method in ipairs(api.methods(entry.object)) do
        if not done[method.fn] and not LEFT_OUT[method.name] then
          done[method.fn] = true
          try_method(entry.name .. ":" .. method.name, method.fn, entry.object)
        end
      end
    end
    report()
  end)

  it("refuses operators and indices in words", function()
    for _, entry in ipairs(api.objects()) do
      local o, name = entry.object, entry.name
      for i = 1, #VALUES do
        local v, shown = value_at(i), VALUES[i][1]
        if v ~= nil and (v == v or type(o) ~= "table") then
          try(name .. "[" .. shown .. "]", function() return o[v] end, "")
        end
      end
      try("tostring", tostring, name, o)
    end
    report()
  end)
end)
