-- predict - one-row predictions of a 784-128-10 network beside ONNX Runtime, LiteRT and PyTorch:
-- `./dev bench predict [--calls N] [--rounds N] [--python PATH] [--peers PATH]`. Each by its fastest call on one
-- thread, less an empty call of its language; what is measured alternates, and medians are told. PATHs name Pythons
-- with onnx, onnxruntime and ai-edge-litert, and with tensorflow and torch (build/peers). A prediction takes a row and
-- gives its outputs; LiteRT's invoke() alone, which does neither, is told beside it. The processor's time of a
-- call says most on a machine that others use.

package.path = arg[1] .. "/?.lua;" .. package.path
local tools = require "tools"
local quote, capture = tools.quote, tools.capture

local here, build = arg[1], arg[2]
local root = build:match "^(.*)/build/[^/]*$"
local calls, rounds = 20000, 5
local peers, python = root .. "/build/peers/bin/python", nil
for i = 3, #arg, 2 do
  if arg[i] == "--calls" then
    calls = tools.whole_number(arg[i], arg[i + 1])
  elseif arg[i] == "--rounds" then
    rounds = tools.whole_number(arg[i], arg[i + 1])
  elseif arg[i] == "--python" then
    python = arg[i + 1]
  elseif arg[i] == "--peers" then
    peers = arg[i + 1]
  else
    tools.fail("bench predict knows --calls, --rounds, --python and --peers, not '%s'", tostring(arg[i]))
  end
end
python = python or tools.find_python(build, "onnxruntime")

local base = os.tmpname()
local weights, exported, tflite = base .. ".weights", base .. ".safetensors", base .. ".tflite"
os.remove(base)

-- Weights that no library of these has made: the same for all.
local file = assert(io.open(weights, "wb"))
local state, values = 1, {}
for i = 1, 784 * 128 + 128 + 128 * 10 + 10 do
  state = state * 48271 % 2147483647
  values[i] = (state / 2147483647 - 0.5) / 8
end
file:write(require "moonpod".tensor(values):data())
file:close()

local function own(interpreter, modules)
  return ("LUA_PATH=%s LUA_CPATH=%s %s %s %s %%d"):format(
    quote(root .. "/lua/?.lua;" .. root .. "/lua/?/init.lua;;"), quote(build .. "/" .. modules .. "/?.so;;"),
    interpreter, quote(here .. "/predict_calls.lua"), quote(weights))
end

local function peer(name, path)
  return ("%s %s %s %s %%d %s 2>/dev/null"):format(quote(path), quote(here .. "/peers/predict_peers.py"), name,
    quote(weights), quote(tflite))
end

capture(own("lua5.4", "lua"):format(1) .. " " .. quote(exported))
os.execute(peer("make", peers):format(1) .. " >/dev/null")

local measured = {
  { "Moonpod, Lua 5.4", own("lua5.4", "lua") },
  { "Moonpod, LuaJIT", own("luajit", "lua5.1") },
  { "Moonpod, C", ("%s %s %%d"):format(quote(build .. "/tests/bench_predict"), quote(exported)) },
  { "ONNX Runtime", peer("onnxruntime", python) },
  { "LiteRT", peer("litert", python) },
  { "LiteRT, invoke()", peer("litert_invoke", python) },
  { "PyTorch", peer("torch", peers) },
}

for round = 1, rounds do
  for i = 1, #measured do
    local one = measured[(i + round) % #measured + 1]
    one.start, one.memory, one.call, one.work = one.start or {}, one.memory or {}, one.call or {}, one.work or {}
    local numbers = {}
    for word in capture(one[2]:format(calls)):gmatch "%S+" do
      numbers[#numbers + 1] = tonumber(word)
    end
    table.insert(one.start, numbers[1])
    table.insert(one.memory, numbers[2])
    table.insert(one.call, numbers[3])
    table.insert(one.work, numbers[4])
    one.outputs = { table.unpack(numbers, 5) }
  end
end

print(("%d predictions of one row, the median of %d rounds"):format(calls, rounds))
print(("%-18s %10s %12s %12s %10s %10s"):format("", "all, s", "a call, us", "processor", "start, s", "MiB"))
for _, one in ipairs(measured) do
  local seconds = tools.median(one.call)
  print(("%-18s %10.3f %12.2f %12.2f %10.3f %10.1f"):format(one[1], seconds, seconds / calls * 1e6,
    tools.median(one.work) / calls * 1e6, tools.median(one.start), tools.median(one.memory) / 1024))
  for i = 1, 10 do
    if math.abs(one.outputs[i] - measured[1].outputs[i]) > 1e-4 then
      tools.fail("%s gives %g for output %d, Moonpod %g", one[1], one.outputs[i], i, measured[1].outputs[i])
    end
  end
end
for _, path in ipairs { weights, exported, tflite } do
  os.remove(path)
end
