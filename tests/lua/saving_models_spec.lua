-- Models that are saved in one process and loaded in another: there they predict the same to the bit, and training goes
-- on to the same weights as without the break.

local json = require "moonpod.base.json"
local pod = require "moonpod"
local kinds = require "tests.lua.support.saved_kinds"
local models = require "tests.lua.support.saved_models"

local directory

local function write(path, text)
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
end

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read "*a"
  file:close()
  return json.decode(text)
end

local function plain(value)
  if pod.is_tensor(value) then
    local shape = {}
    for i = 1, #value.shape do
      shape[i] = value.shape[i]
    end
    return { data = kinds.bits(value), dtype = value.dtype, shape = shape }
  end
  local out = {}
  for key, each in pairs(value) do
    out[tostring(key)] = plain(each)
  end
  return out
end

-- What there is after JSON: the same types of numbers on both sides.
local function as_read(value)
  return json.decode(json.encode(value))
end

local function check(name, model, x, y, more)
  kinds.train(model, x, y, more)
  local saved, data, out = directory .. "/m.safetensors", directory .. "/data.json", directory .. "/out.json"
  model:save(saved)
  write(data, json.encode { x = plain(x), y = plain(y), more = more })
  -- What predict() draws, if anything, is drawn in both.
  local expected = { loaded = kinds.state(model, x), history = kinds.train(model, x, y, more) }
  expected.trained = kinds.state(model, x)
  expected = as_read(expected)
  assert.not_same(expected.loaded.weights, expected.trained.weights)
  assert.not_same(expected.loaded.predicted, expected.trained.predicted)
  local pipe = assert(io.popen(("lua5.4 tests/lua/support/train_on.lua %q %s %s %s 2>&1"):format(name, saved, data,
    out)))
  local text = pipe:read "*a"
  assert(pipe:close(), text)
  local found = read(out)
  for _, part in ipairs { "weights", "optimizer", "predicted" } do
    assert.same(expected.loaded[part], found.loaded[part])
  end
  assert.same(expected.history, found.history)
  for _, part in ipairs { "weights", "optimizer", "predicted" } do
    assert.same(expected.trained[part], found.trained[part])
  end
end

describe("saved here and trained on in another process:", function()
  setup(function()
    directory = os.tmpname()
    os.remove(directory)
    os.execute("mkdir " .. directory)
  end)
  teardown(function()
    os.execute("rm -rf " .. directory)
  end)

  for _, name in ipairs(kinds.names) do
    it(name, function()
      check(name, kinds.make(name))
    end)
  end

  for _, name in ipairs(models.names) do
    it(name, function()
      local made = models.make(name)
      check(name, made.model, made.x, made.y)
    end)
  end
end)
