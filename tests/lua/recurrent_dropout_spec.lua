-- Dropout in recurrent layers and cells: which masks there are and what they are multiplied by, against Keras
-- (tests/golden/keras_recurrent_dropout.lua); that a mask is for a whole sequence, and each sequence has its own.

local pod = require "moonpod"
local random = require "moonpod.func.random"
local tables = require "moonpod.base.tables"

local golden = dofile "tests/golden/keras_recurrent_dropout.lua"
local L = pod.layers

local function size_of(shape)
  local size = 1
  for i = 1, #shape do
    size = size * shape[i]
  end
  return size
end

local function dims_of(x)
  local dims = {}
  for i = 1, #x.shape do
    dims[i] = x.shape[i]
  end
  return dims
end

-- As values() and mask() of the script.
local function values(shape, n)
  local list = {}
  for i = 1, size_of(shape) do
    list[i] = math.sin((i - 1) * (n * 0.7 + 1.3) + n)
  end
  return pod.tensor(list, "float32"):reshape(shape)
end

local function mask(n, shape, rate)
  local list = {}
  for i = 0, size_of(shape) - 1 do
    list[i + 1] = (i * i + i * (n + 2) + n * 3) % 7 >= 7 * rate and 1 / (1 - rate) or 0
  end
  return pod.tensor(list, "float32"):reshape(shape)
end

local function near(expected, got, what)
  got = got:reshape({ -1 }):totable()
  assert.equal(#expected, #got, what)
  for i = 1, #expected do
    assert.near(expected[i], got[i], 2e-5 * (1 + math.abs(expected[i])), what .. ", number " .. i)
  end
end

local function layer_of(case)
  local layer = case.layer(L, case.options)
  layer(pod.zeros(case.shape))
  local weights = {}
  for n, weight in ipairs(layer.weights) do
    weights[n] = values(dims_of(weight), n)
  end
  layer:set_weights(weights)
  return layer
end

describe("dropout in recurrent layers is Keras':", function()
  local drawn, dropout = 0, nil

  before_each(function()
    drawn, dropout = 0, random.dropout
    rawset(random, "dropout", function(x, rate)
      drawn = drawn + 1
      return mask(drawn, dims_of(x), rate)
    end)
  end)

  after_each(function()
    rawset(random, "dropout", dropout)
  end)

  local function run(layer, x)
    local y
    local tape, loss = pod.tape(function(t)
      t:watch(x)
      y = layer(x, { training = true })
      return pod.sum(y * values(dims_of(y), 0))
    end)
    local sources = { x }
    for i, weight in ipairs(layer.trainable_weights) do
      sources[i + 1] = weight
    end
    return y, tape:gradient(loss, sources)
  end

  for number, case in ipairs(golden) do
    local name = "case " .. number

    it(name .. ", by hand and compiled", function()
      for way, form in pairs { ["by hand"] = run, compiled = pod.func(run) } do
        local layer = layer_of(case)
        drawn = 0
        local y, gradients = form(layer, values(case.shape, 0))
        assert.equal(case.count, drawn, way)
        near(case.y, y, way)
        for i, expected in ipairs(case.gradients) do
          near(expected, gradients[i], way .. ", gradient " .. i)
        end
      end
    end)

    it(name .. ", in fit", function()
      local layer, x = layer_of(case), values(case.shape, 0)
      local model = pod.models.sequential { layer }
      local shape, before = dims_of(layer(x)), layer:get_weights()
      local rows = shape[1]
      model:compile { optimizer = pod.optimizers.sgd(1), loss = function(y_true, y_pred)
        return pod.sum((y_true * y_pred):reshape { rows, -1 }, 1)
      end }
      drawn = 0
      model:train_on_batch(x, values(shape, 0))
      for i, weight in ipairs(layer:get_weights()) do
        near(case.gradients[i + 1], (before[i] - weight) * rows, "weight " .. i)
      end
    end)
  end
end)

describe("a mask of dropout", function()
  local STEPS = 4

  before_each(function()
    pod.random.set_seed(4)
  end)

  local function cell_of(more)
    local options = { activation = "linear", kernel_initializer = "identity", recurrent_initializer = "zeros",
      dropout = 0.5 }
    for key, value in pairs(more or {}) do
      options[key] = value
    end
    return L.simple_rnn_cell(16, options)
  end

  -- What each step of a sequence of ones gives: the mask of the step, where the cell's kernel is 1.
  local function check_one_mask(y, what)
    local first = y[{ ":", 0 }]
    for step = 1, STEPS - 1 do
      assert.is_true(pod.allclose(first, y[{ ":", step }]), what)
    end
    local sum = pod.mean(first):item()
    assert.is_true(sum > 0.3 and sum < 1.7, what)
    return first
  end

  it("is one for a sequence and another for the next, in each form", function()
    local Twice = L.subclass { name = "Twice", -- a cell of one's own around a cell
      setup = function(self)
        self.inner = cell_of()
        self.state_sizes = { 16 }
      end,
      call = function(self, x, options)
        return self.inner(x, options)
      end }
    for name, cell in pairs { plain = cell_of(), seeded = cell_of { seed = 3 }, own = Twice(),
      stacked = L.stacked_rnn_cells { cell_of(), cell_of { dropout = 0 } } } do
      local layer, x = L.rnn(cell, { return_sequences = true }), pod.ones { 8, STEPS, 16 }
      local function train(one)
        return layer(one, { training = true })
      end
      for form, fn in pairs { ["by hand"] = train, compiled = pod.func(train) } do
        local first = check_one_mask(fn(x), name .. " " .. form)
        assert.is_false(pod.allclose(first, check_one_mask(fn(x), name)), name .. " " .. form)
      end
      local both = pod.func(function(one)
        return train(one), train(one)
      end)
      local a, b = both(x)
      assert.is_false(pod.allclose(check_one_mask(a, name), check_one_mask(b, name)), name)
    end
  end)

  it("differs from row to row, on replicas as well", function()
    local strategy, ones = pod.distribute.mirrored(2), pod.ones { 4, STEPS, 16 }
    -- The second step gives x + mask * x where dropout is that of states.
    local of_states = { recurrent_initializer = "identity", dropout = 0, recurrent_dropout = 0.5 }
    local layer_of_states = tables.merge(of_states, { activation = "linear", kernel_initializer = "identity",
      return_sequences = true })
    for name, layer in pairs { cell = L.rnn(cell_of(), { return_sequences = true }),
      states = L.rnn(cell_of(of_states), { return_sequences = true }), layer = L.simple_rnn(16, layer_of_states) } do
      layer(ones)
      local rows = strategy:run(function(one)
        return layer(one, { training = true })
      end, { strategy:from_values { ones, ones } }):values()
      local masks = pod.concat({ rows[1], rows[2] }, 0)[{ ":", 1 }]:totable()
      for i = 1, 8 do
        for j = 1, i - 1 do
          assert.are_not.same(masks[i], masks[j], name)
        end
      end
    end
  end)

  it("of a cell called by hand stays until it is reset", function()
    local cell, x = cell_of(), pod.ones { 8, 16 }
    local options = { states = { pod.zeros { 8, 16 } }, training = true }
    local first = cell(x, options)[1]
    assert.is_true(pod.allclose(first, cell(x, options)[1]))
    assert.is_true(pod.allclose(x, cell(x, { states = options.states })[1]))

    local compiled = pod.func(function(one) -- has masks of its own, and takes none away
      local once = cell(one, options)[1]
      local kept = pod.sum(pod.abs(cell(one, options)[1] - once))
      cell:reset_dropout_mask()
      return once, kept, cell(one, options)[1]
    end)
    local once, kept, again = compiled(x)
    assert.equal(0, kept:item())
    for _, other in ipairs { first, again, (compiled(x)) } do
      assert.is_false(pod.allclose(once, other))
    end
    assert.is_true(pod.allclose(first, cell(x, options)[1]))

    cell:reset_recurrent_dropout_mask()
    assert.is_true(pod.allclose(first, cell(x, options)[1]))
    cell:reset_dropout_mask()
    assert.is_false(pod.allclose(first, cell(x, options)[1]))
    -- A batch of another size has a mask of its own.
    local two = cell(pod.ones { 2, 16 }, { states = { pod.zeros { 2, 16 } }, training = true })[1]
    assert.are.same({ 2, 16 }, dims_of(two))
  end)

  it("that a loop's body drew is not used outside of it", function()
    local cell = cell_of()
    local fn = pod.func(function(x)
      local states = { pod.zeros { 8, 16 } }
      local _, inside = pod.while_loop(function(i) return i:less(2) end, function(i, y)
        return i + 1, y + cell(x, { states = states, training = true })[1]
      end, { pod.tensor(0), pod.zeros { 8, 16 } })
      return inside, cell(x, { states = states, training = true })[1]
    end)
    local inside, outside = fn(pod.ones { 8, 16 })
    assert.is_false(pod.allclose(inside, outside * 2))
  end)
end)
