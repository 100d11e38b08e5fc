-- Files of Keras 3 with classes and functions of somebody's own (tests/golden/keras_custom.py wrote them): what loading
-- says to do is done, and the model predicts what Keras predicts.

local pod = require "moonpod"
local json = require "moonpod.base.json"

local FOLDER = "tests/golden/keras_custom/"
local OUTPUTS = json.decode(io.open(FOLDER .. "outputs.json"):read "*a")

-- By file: what is said of it, and what is given then.
local CASES = {
  layer = { says = 'there is no class \'Scale\'; register it first: pod.register_layer("Scale", class), or give '
    .. 'custom_objects = { ["Scale"] = class }', give = { Scale = pod.layers.subclass { name = "Scale",
      setup = function(self, config) self.factor = config.factor end,
      build = function(self, shape) self.gain = self:add_weight { name = "gain", shape = { shape[#shape] } } end,
      call = function(self, x) return x * self.gain:value() * self.factor end } } },
  lambda = { says = "layer 'lambda' (Lambda): its function is code of Python, which is not run; write it in Lua and "
    .. 'give custom_objects = { ["lambda"] = pod.layers.subclass { name = "Lambda", call = function(self, x) ... end '
    .. "} }", give = { lambda = pod.layers.subclass { name = "Lambda", call = function(_, x) return x * 2 end } } },
  loss = { says = "function 'mine>cubes' is code of Python, which is not run; write it in Lua and give "
    .. 'custom_objects = { ["mine>cubes"] = function }, or load the model without what compile() was given: compile = '
    .. "false", give = { ["mine>cubes"] = function(y, predicted) return pod.mean(pod.abs(y - predicted) ^ 3) end } },
  activation = { says = "function 'mine>square' is code of Python, which is not run; write it in Lua and give "
    .. 'custom_objects = { ["mine>square"] = function }', give = { ["mine>square"] = function(x) return x * x end } },
  train_step = { says = 'custom_objects = { ["mine>Trains"] = pod.models.functional } loads the layers, and what the '
    .. "class does besides is written in Lua: model.train_step = function(self, data) ... end",
    give = { ["mine>Trains"] = pod.models.functional } },
  subclass = { says = 'custom_objects = { ["TwoLayers"] = class }', give = { TwoLayers = pod.models.subclass {
    name = "TwoLayers",
    setup = function(self)
      self.first = pod.layers.dense(4)
      self.second = pod.layers.dense(1)
    end,
    call = function(self, x) return self.second(self.first(x)) end } } },
}

local function check_outputs(name, model)
  local found = model:predict(pod.tensor { { 0, 1, 2 }, { 3, 4, 5 } }:cast "float32", { verbose = 0 }):totable()
  for i, row in ipairs(found) do
    assert.is_true(math.abs(row[1] - OUTPUTS[name][i]) <= 1e-5 * (1 + math.abs(row[1])), name)
  end
end

describe("a .keras file", function()
  for name, case in pairs(CASES) do
    it(("says what to do about a custom %s, and that works"):format(name), function()
      local path = FOLDER .. name .. ".keras"
      local ok, message = pcall(pod.models.load, path)
      assert.is_false(ok)
      assert.truthy(tostring(message):find(case.says, 1, true), message)
      check_outputs(name, pod.models.load(path, { custom_objects = case.give }))
    end)
  end

  it("trains with the loss and the step that are given, and is loaded without the loss", function()
    local path = FOLDER .. "loss.keras"
    local model = pod.models.load(path, { custom_objects = CASES.loss.give })
    local x, y = pod.ones { 2, 3 }, pod.zeros { 2, 1 }
    assert.is_true(model:fit(x, y, { verbose = 0 }).history.loss[1] > 0)
    check_outputs("loss", pod.models.load(path, { compile = false }))
    local trains = pod.models.load(FOLDER .. "train_step.keras", { custom_objects = CASES.train_step.give })
    trains.train_step = function() return { loss = pod.tensor(7) } end
    trains:compile { optimizer = "sgd", loss = "mse" }
    assert.equal(7, trains:fit(x, y, { verbose = 0 }).history.loss[1])
  end)
end)
