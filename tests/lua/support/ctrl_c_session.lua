-- What the session of tests/lua/ctrl_c_spec.lua runs while Ctrl-C is pressed: start(kind) goes on for ever, check(kind)
-- says whether what it has left is whole.

local pod = require "moonpod"

_PROMPT = "ready> " -- luacheck: ignore

-- A model whose weights are all -k behind k steps: what is more or less in one of them is of a step that is not whole.
local INPUTS, OUTPUTS, ROWS = 256, 256, 64
local x, y = pod.ones { ROWS * 8, INPUTS }, pod.zeros { ROWS * 8, OUTPUTS }
local model = pod.models.sequential {
  pod.layers.dense(OUTPUTS, { input_shape = { INPUTS }, kernel_initializer = "zeros" }) }
model:compile { optimizer = pod.optimizers.sgd { learning_rate = OUTPUTS },
  loss = function(_, y_pred) return pod.mean(y_pred, { axis = -1 }) end }

local function train(background)
  return model:fit(x, y, { epochs = 1000000, batch_size = ROWS, verbose = 0, background = background })
end

local function check_model()
  local run = model._state.run
  if run and not run:done() then
    return "the run is not over"
  end
  local steps = model.optimizer.iterations:value():item()
  for _, weight in ipairs(model:get_weights()) do
    local low, high = pod.min(weight):item(), pod.max(weight):item()
    if low ~= -steps or high ~= -steps then
      return ("weights from %g to %g behind %d steps"):format(low, high, steps)
    end
  end
  if steps > 2 ^ 22 then -- whole numbers of float32 end at 2^24
    for _, weight in ipairs(model.weights) do
      weight:assign(pod.zeros(weight.shape))
    end
    model.optimizer.iterations:assign(0)
  end
  return nil
end

local one, two = pod.variable(pod.zeros { 65536 }), pod.variable(pod.zeros { 65536 })
local add = pod.func(function()
  one:assign_add(pod.ones { 65536 })
  two:assign_add(pod.ones { 65536 })
end)

local function check_variables()
  local low, high = pod.min(one:value()):item(), pod.max(two:value()):item()
  if low ~= high or pod.max(one:value()):item() ~= low or pod.min(two:value()):item() ~= high then
    return ("variables of %g and %g"):format(low, high)
  end
  return nil
end

local function busy()
  local sum = 0
  for i = 1, 1e6 do
    sum = sum + i
  end
  return sum
end

-- A net of so many layers that its step takes long to trace and to compile.
local function compile_large()
  local layers = { pod.layers.dense(8, { input_shape = { 8 } }) }
  for _ = 1, 60 do
    layers[#layers + 1] = pod.layers.dense(8, { activation = "gelu" })
    layers[#layers + 1] = pod.layers.batch_normalization()
  end
  local large = pod.models.sequential(layers)
  large:compile { optimizer = "adam", loss = "mse" }
  large:fit(pod.ones { 4, 8 }, pod.ones { 4, 8 }, { verbose = 0 })
end

local kinds = {
  fit = train,
  eager = function()
    local t = pod.ones { 100, 100 }
    while true do
      t = pod.tanh(t + 1)
    end
  end,
  pcall = function()
    while true do
      pcall(busy)
    end
  end,
  coroutine = function()
    while true do
      coroutine.wrap(function()
        while true do
          pcall(busy)
          coroutine.yield(busy())
        end
      end)()
    end
  end,
  func = function()
    while true do
      add()
    end
  end,
  compile = function()
    while true do
      compile_large()
    end
  end,
  map = function()
    local ds = pod.data.range(1000000000):map(function(i)
      local sum = i
      for j = 1, 1e5 do
        sum = sum + j
      end
      return sum
    end, { interpret = true, num_parallel_calls = 2, output_signature = pod.spec({}, "int64") }):batch(16)
    for _ in ds:iter() do end -- luacheck: ignore
  end,
  read = function()
    io.read()
  end,
  background = function()
    train(true)
  end,
}

function start(kind) -- luacheck: ignore
  io.write "<begun>\n"
  io.flush()
  kinds[kind]()
end

function check(kind) -- luacheck: ignore
  local failure
  if kind == "fit" or kind == "background" then
    failure = check_model()
  elseif kind == "func" then
    failure = check_variables()
  end
  print(failure or "<sound>")
end
