local pod = require "moonpod"
local data = require "moonpod.data"

local function scaled(x, y)
  return x:cast "float32" / 255, y
end

-- 24 rows of 4 bytes and their classes.
local function rows()
  local x, y = {}, {}
  for i = 1, 24 do
    x[i], y[i] = {}, i % 3
    for j = 1, 4 do
      x[i][j] = (i * 37 + j * 91) % 256
    end
  end
  return data.from_tensor_slices { pod.tensor(x, { dtype = "uint8" }), pod.tensor(y, { dtype = "int32" }) }
end

-- What becomes of a dataset of rows with the function: in a map that is applied on the host, or in the step.
local function on_host(ds) return ds:map(scaled, { defer = false }) end
local function on_device(ds) return ds:move_to_device(scaled) end

local orders = {
  before = function(move) return move(rows()):shuffle(8, { seed = 3 }):batch(8):prefetch(2) end,
  behind = function(move) return move(rows():shuffle(8, { seed = 3 }):batch(8)):prefetch(2) end,
}

local function values_of(distributed)
  local steps = {}
  for x in distributed:iter() do
    for _, t in ipairs(x:values()) do
      steps[#steps + 1] = t:totable()
    end
  end
  return steps
end

describe("a function that is moved to the device", function()
  it("gives loops what a map gives", function()
    for name, make in pairs(orders) do
      local expected, moved = make(on_host), make(on_device)
      assert.same(tostring(expected:element_spec()[1]), tostring(moved:element_spec()[1]), name)
      assert.equal("float32", moved:element_spec()[1].dtype)
      assert.equal(expected:cardinality(), moved:cardinality())
      assert.same(expected:totable(), moved:totable(), name)
    end
    local function noisy(x) return x + pod.random.uniform({}, { maxval = 100, dtype = "int32" }):cast "int64" end
    assert.same(data.range(9):map(noisy, { seed = 5 }):batch(4):totable(),
      data.range(9):move_to_device(noisy, { seed = 5 }):batch(4):totable())
  end)

  it("gives models what a map gives", function()
    for name, make in pairs(orders) do
      local seen = {}
      for i, move in ipairs { on_host, on_device } do
        pod.random.set_seed(3)
        local model = pod.models.sequential { pod.layers.dense(8, { activation = "relu", input_shape = { 4 } }),
          pod.layers.dense(3) }
        model:compile { optimizer = "sgd", loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
        local ds = make(move)
        seen[i] = { model:fit(ds, { epochs = 3, verbose = 0 }).history.loss, model:evaluate(ds, { verbose = 0 }),
          model:predict(make(move):map(function(x) return x end), { verbose = 0 }):totable() }
      end
      assert.same(seen[1], seen[2], name)
    end
  end)

  it("gives replicas, and hosts, what a map gives", function()
    for _, count in ipairs { 1, 2 } do
      for _, policy in ipairs { "DATA", "OFF" } do
        local function distributed(move)
          local strategy = pod.distribute.mirrored(2, { num_hosts = count })
          return strategy:distribute_dataset(move(rows()):batch(16):options { auto_shard = policy })
        end
        local moved = distributed(on_device)
        assert.same(values_of(distributed(on_host)), values_of(moved))
        assert.equal("uint8", moved.dataset:raw():element_spec()[1].dtype)
        assert.equal("float32", moved:element_spec()[1].dtype)
      end
    end
    assert.error_matches(function()
      pod.distribute.mirrored(2, { num_hosts = 2 }):distribute_dataset(
        on_device(rows():batch(16)):options { auto_shard = "OFF" })
    end, "distribute_dataset: it would need what the function of move_to_device")
  end)

  it("makes a quarter of the bytes travel where it casts bytes", function()
    local function cast(x) return x:cast "float32" end
    local pixels = data.from_tensor_slices(pod.zeros({ 24, 4 }, { dtype = "uint8" }))
    local here = pixels:map(cast, { defer = false }):batch(8, { drop_remainder = true })
    local moved = pixels:move_to_device(cast):batch(8, { drop_remainder = true })
    local function bytes(ds) -- of a batch as a step gets it
      local it = ds:raw():iterator()
      local batch = it:next_buffers()[1]
      it:close()
      return #batch:data()
    end
    assert.equal(8 * 4 * 4, bytes(here))
    assert.equal(bytes(here) / 4, bytes(moved))
    assert.equal(here:prefetch(2):host_bytes() - here:host_bytes(),
      4 * (moved:prefetch(2):host_bytes() - moved:host_bytes()))
  end)

  it("is refused before stages that need its results on the host", function()
    local moved = on_device(rows())
    local path = os.tmpname()
    for stage, use in pairs {
      filter = function() return moved:filter(function(_, y) return pod.equal(y, 0) end) end,
      unbatch = function() return on_device(rows():batch(4)):unbatch() end,
      batch = function() return on_device(rows():batch(4)):batch(2) end,
      padded_batch = function() return moved:padded_batch(4) end,
      window = function() return moved:window(2) end,
      zip = function() return data.zip { moved, moved } end,
      concatenate = function() return moved:concatenate(moved) end,
      flat_map = function() return moved:flat_map(function(x) return data.from_tensors(x) end) end,
      scan = function() return moved:scan(0, function(s, _, y) return s, y end) end,
      cache = function() return moved:cache(path) end,
      save = function() return moved:save(path) end,
      map = function() return moved:map(function(x) return x end, { interpret = true }) end,
    } do
      assert.error_matches(use, stage .. ": it would need what the function of move_to_device %(tests/lua/data_device")
    end
    os.remove(path)
    assert.error_matches(function() data.from_texts { "a" }:move_to_device(function(x) return x end) end, "strings")
    assert.error_matches(function() rows():move_to_device(scaled, { num_parallel_calls = 2 }) end, "seed")
    assert.error_matches(function() rows():move_to_device "x" end, "the function")
  end)
end)
