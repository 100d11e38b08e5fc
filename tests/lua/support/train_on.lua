-- train_on NAME MODEL DATA OUT: loads a model of saved_kinds.lua or saved_models.lua that another process has saved,
-- predicts and trains on; what comes of it is written to OUT as JSON.

local json = require "moonpod.base.json"
local pod = require "moonpod"
local kinds = require "tests.lua.support.saved_kinds"
require "tests.lua.support.saved_models" -- its classes

local name, model_path, data_path, out_path = arg[1], arg[2], arg[3], arg[4]

local file = assert(io.open(data_path, "rb"))
local data = json.decode(file:read "*a")
file:close()

local function tensors(plain)
  if plain.dtype then
    local bytes = plain.data:gsub("%x%x", function(code)
      return string.char(tonumber(code, 16))
    end)
    return pod.tensor(bytes, { dtype = plain.dtype, shape = plain.shape })
  end
  local out = {}
  for key, value in pairs(plain) do
    out[tonumber(key) or key] = tensors(value)
  end
  return out
end

local x, y = tensors(data.x), tensors(data.y)
local model = pod.models.load(model_path, { strategy = kinds.strategy(name) })
local out = { loaded = kinds.state(model, x), history = kinds.train(model, x, y, data.more) }
out.trained = kinds.state(model, x)

file = assert(io.open(out_path, "wb"))
file:write(json.encode(out))
file:close()
