-- Models in files: what is loaded predicts the same to the bit, and trains on as if it had never been away.

local pod = require "moonpod"
local models = require "tests.lua.support.saved_models"

local written = {}
local function path(ending)
  local name = os.tmpname()
  os.remove(name)
  written[#written + 1] = name .. (ending or ".safetensors")
  return written[#written]
end

local function bits(model)
  local out = {}
  for i, v in ipairs(model.weights) do
    out[i] = v:value():data()
  end
  return out
end

describe("a model in a file", function()
  after_each(function()
    for _, name in ipairs(written) do
      os.remove(name)
    end
  end)

  for _, name in ipairs(models.names) do
    it("predicts and trains on as before: " .. name, function()
      local made = models.make(name)
      made.train(made.model)
      local saved = path()
      made.model:save(saved)
      local loaded = pod.models.load(saved)
      local state = pod.random.get_state()
      assert.same(bits(made.model), bits(loaded))
      assert.same(made.predict(made.model), made.predict(loaded))
      pod.random.restore_state(state)
      local losses = made.train(made.model)
      pod.random.restore_state(state)
      assert.same(losses, made.train(loaded))
      assert.same(bits(made.model), bits(loaded))
    end)
  end
end)
