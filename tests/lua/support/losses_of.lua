-- Runs an example to its end, here or on devices of a plugin of PJRT, and prints what its first eight steps came to in
-- 17 digits, a line "@step VALUE" each: the loss of each batch of `fit` (the mean of its epoch so far). Lines of @read
-- are of what it read of tensors, and all of @given of small results of its functions, summed squares. An execution is
-- one step, Fashion-MNIST has as many rows as eight batches of 1024, and policies of 16 bits are left out, but where
-- programs are recorded (tests/tools/pjrt_proxy.c). With "moved" each number that Fashion-MNIST or a tensor gives `fit`
-- is other by some 1e-7.
--
--   moonpod tests/lua/support/losses_of.lua here|moved|PLUGIN EXAMPLE.lua [arguments of the example]

local callback_list = require "moonpod.models.callback_list"
local compile = require "moonpod.models.compile"
local pod = require "moonpod"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.tensor.trace"
local training = require "moonpod.models.fit"

local MOST = { step = 8, read = 8, given = 4096 }
local MOST_ELEMENTS = 64

local path, example = ...
local seen = { step = 0, given = 0, read = 0 }
local lines = {}

local function record(kind, value)
  if type(value) == "number" and seen[kind] < MOST[kind] then
    seen[kind] = seen[kind] + 1
    lines[#lines + 1] = ("@%s %.17g"):format(kind, value)
  end
end

local new = callback_list.new
function callback_list.new(given, options) -- luacheck: ignore
  local recorder = options.history and pod.callbacks.lambda { on_train_batch_end = function(_, logs)
    for _, name in ipairs { "loss", "d_loss", "g_loss" } do
      record("step", logs[name])
    end
  end }
  return new({ given or {}, recorder }, options)
end

local class = debug.getmetatable(pod.func(function() end))
local call = class.__call
local function told(...)
  for i = 1, select("#", ...) do
    local one = select(i, ...)
    if not trace.is_tracing() and pod.is_tensor(one) and one.dtype == "float32" and one:size() <= MOST_ELEMENTS then
      record("given", (one * one):sum():item())
    end
  end
  return ...
end
function class.__call(...)
  return told(call(...))
end

local item = tensor.methods.item
function tensor.methods.item(one)
  local value = item(one)
  if debug.getinfo(2, "S").source:find("examples/", 1, true) then
    record("read", value)
  end
  return value
end

local compile_model = compile.compile
function compile.compile(model, options)
  options.steps_per_execution = nil
  return compile_model(model, options)
end

local function moves_of(shape)
  return pod.random.normal(shape, { seed = 5 }) * 1e-7
end

local fashion_mnist = pod.datasets.fashion_mnist
function pod.datasets.fashion_mnist(options)
  local train, test = fashion_mnist(options)
  train = train:take(8192)
  if path == "moved" then
    local moves = moves_of(options and options.shape or { 784 })
    train = train:map(function(image, label)
      return image + moves, label
    end)
  end
  return train, test:take(1000)
end

local fit = training.fit
function training.fit(model, x, ...)
  local is_moved = path == "moved" and pod.is_tensor(x) and x.dtype == "float32"
  return fit(model, is_moved and x + moves_of(x.shape) or x, ...)
end

pod.random.set_seed(1)
if not os.getenv "MOONPOD_TEST_RECORD" then
  pod.mixed_precision.set_global_policy = function() end
end

local arguments = { select(3, ...) }
if path == "here" or path == "moved" then
  arg = { [0] = example, (table.unpack or unpack)(arguments) } -- luacheck: ignore
  assert(loadfile(example))((table.unpack or unpack)(arguments)) -- luacheck: ignore
else
  assert(loadfile "tests/lua/support/on_plugin.lua")(...)
end
print(table.concat(lines, "\n"))
