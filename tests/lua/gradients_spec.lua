-- Gradients: of gradients, of branches and loops, of one's own, on replicas; losses that replicas share.

local pod = require "moonpod"

local function near(expected, actual)
  assert.is_true(pod.allclose(actual, pod.tensor(expected), { atol = 1e-5 }), tostring(actual))
end

describe("a second derivative", function()
  it("times a vector agrees with finite differences", function()
    local x = pod.tensor({ { 0.5, -1 }, { 0.25, 2 } }, "float64")
    local v = pod.tensor({ { 1, 0.5 }, { -1, 2 } }, "float64")
    local function gradient_at(w)
      local tape, loss = pod.tape(function(t)
        t:watch(w)
        return (pod.tanh(x:matmul(w)) ^ 2):sum()
      end)
      return tape:gradient(loss, w)
    end
    local w = pod.tensor({ { 1, 2 }, { 3, 4 } }, "float64") * 0.1
    local outer = pod.tape()
    outer:watch(w)
    local along = (gradient_at(w) * v):sum()
    local product = outer:gradient(along, w)
    local e = 1e-5
    local numeric = (gradient_at(w + v * e) - gradient_at(w - v * e)) / (2 * e)
    assert.is_true(pod.allclose(product, numeric, { atol = 1e-7 }))
    assert.is_true(pod.gradcheck(gradient_at, w) < 1e-6)
  end)

  it("is the same in a compiled function", function()
    local w = pod.variable(2)
    local f = pod.func(function()
      local outer, first = pod.tape(function()
        local inner, y = pod.tape(function() return w * w * w end)
        return inner:gradient(y, w)
      end)
      return first, outer:gradient(first, w)
    end)
    local first, second = f()
    assert.same({ 12, 12 }, { first:item(), second:item() })
  end)

  it("comes from a persistent tape too, and a third after it", function()
    local x = pod.variable(2)
    local a, b, c = pod.tape { persistent = true }, pod.tape { persistent = true }, pod.tape()
    local y = x ^ 4
    local d1 = c:gradient(y, x)
    local d2 = b:gradient(d1, x)
    local d3 = a:gradient(d2, x)
    near({ 32, 48, 48 }, pod.stack { d1, d2, d3 })
    near(32, a:gradient(y, x))
    a:close()
    b:close()
  end)
end)

describe("stop_gradient", function()
  it("keeps the value and stops what comes back", function()
    local x = pod.variable { 1, 2 }
    local tape, y = pod.tape(function() return (x * pod.stop_gradient(x * x)):sum() end)
    assert.equal(9, y:item())
    assert.same({ 1, 4 }, tape:gradient(y, x):totable())
  end)
end)

describe("the gradient of a branch", function()
  it("is that of the one that runs", function()
    local function f(x)
      return pod.cond(pod.less(x:sum(), 1), function() return x * x end, function() return x * 3 end)
    end
    assert.is_true(pod.gradcheck(f, pod.tensor { 0.5, 0.25 }) < 1e-6)
    assert.is_true(pod.gradcheck(f, pod.tensor { 0.5, 2 }) < 1e-6)
    local x, other = pod.tensor { 1, 2 }, pod.tensor { 3, 4 }
    assert.same({ 3, 4 }, pod.cond(pod.tensor(true), function() return other end, function() return x end):totable())
  end)
end)

describe("the gradient of a loop", function()
  local function power(x, n, options)
    local _, y = pod.while_loop(function(i) return i:less(n) end, function(i, y) return i + 1, y * x end,
      { pod.tensor(0, "int32"), pod.tensor(1) }, options)
    return y
  end

  it("needs to know how often it may run", function()
    local x = pod.variable(2)
    local tape, y = pod.tape(function() return power(x, 5) end)
    assert.error_matches(function() tape:gradient(y, x) end, "maximum_iterations")
  end)

  it("counts the turns that were taken, eagerly and compiled", function()
    local x = pod.variable(2)
    local function gradient()
      local tape, y = pod.tape(function() return power(x, 5, { maximum_iterations = 8 }) end)
      return tape:gradient(y, x)
    end
    assert.equal(80, gradient():item())
    assert.equal(80, pod.func(gradient)():item())
  end)

  it("agrees with finite differences", function()
    assert.is_true(pod.gradcheck(function(x)
      local _, y = pod.while_loop(function(i) return i:less(3) end,
        function(i, y) return i + 1, pod.sin(y) * x end, { pod.tensor(0, "int32"), x + 1 },
        { maximum_iterations = 3 })
      return y
    end, pod.tensor { 0.5, 0.25 }) < 1e-6)
  end)

  it("ends after maximum_iterations", function()
    local function forever() return pod.tensor(true) end
    assert.equal(7, pod.while_loop(forever, function(i) return i + 1 end, { pod.tensor(0) },
      { maximum_iterations = 7 }):item())
  end)
end)

describe("a gradient of one's own", function()
  local square = pod.custom_gradient(function(x)
    return x * x, function(upstream) return upstream * 100 end
  end)

  it("holds in a compiled function and on replicas", function()
    local strategy = pod.distribute.mirrored(4)
    local w = strategy:scope(function() return pod.variable { 1, 2 } end)
    local step = pod.func(function(x)
      local g = strategy:run(function(shard)
        local tape, loss = pod.tape(function() return square(w * shard:sum()):sum() end)
        return pod.distribute.replica_context():all_reduce("sum", tape:gradient(loss, w))
      end, { strategy:split(x) })
      return strategy:local_results(g)[1]
    end)
    assert.same({ 1000, 1000 }, step(pod.tensor { 1, 2, 3, 4 }):totable())
    assert.same({ 1000, 1000 }, step(pod.tensor { 4, 3, 2, 1 }):totable())
  end)

  it("is refused by gradcheck when it is wrong", function()
    assert.error_matches(function() pod.gradcheck(square, pod.tensor { 3 }) end,
      "element 1 of input 1: the gradient is 100, finite differences say 6")
    local right = pod.custom_gradient(function(x) return x * x, function(g) return g * x * 2 end end)
    assert.is_true(pod.gradcheck(right, pod.tensor { 3, -1 }) < 1e-6)
    local one_wrong = pod.custom_gradient(function(a, b) return a * b, function(g) return g * b, g * b end end)
    assert.error_matches(function() pod.gradcheck(one_wrong, { pod.tensor { 3 }, pod.tensor { 5 } }) end,
      "element 1 of input 2")
  end)
end)

describe("remat", function()
  it("gives the gradients of layers, equal to the bit", function()
    local layer = pod.layers.dense(5, { activation = "tanh" })
    local x = pod.random.uniform { 3, 4 }
    layer(x)
    local function gradients(fn)
      local tape, y = pod.tape(function(t)
        t:watch(x)
        return (fn(x) ^ 2):sum()
      end)
      local list = {}
      for i, g in ipairs(tape:gradient(y, { x, layer.kernel, layer.bias })) do
        list[i] = g:totable()
      end
      return list
    end
    local function plain(t) return layer(t) end
    assert.same(gradients(plain), gradients(pod.remat(plain)))
    local function nested(t) return pod.remat(plain)(t) * 1 end
    assert.same(gradients(plain), gradients(pod.remat(nested)))
  end)

  it("works on replicas", function()
    local strategy = pod.distribute.mirrored(4)
    local w = strategy:scope(function() return pod.variable { 1, 2 } end)
    local function gradient(fn)
      local per_replica = strategy:run(function(shard)
        local tape, loss = pod.tape(function() return fn(w * shard:sum()):sum() end)
        return pod.distribute.replica_context():all_reduce("sum", tape:gradient(loss, w))
      end, { strategy:split(pod.tensor { 0.1, 0.2, 0.3, 0.4 }) })
      return strategy:local_results(per_replica)[1]:totable()
    end
    assert.same(gradient(function(x) return pod.tanh(x) end),
      gradient(pod.remat(function(x) return pod.tanh(x) end)))
  end)
end)

describe("functions inside of functions", function()
  it("share variables, and keep their order", function()
    local traced, v = 0, pod.variable(0)
    local inner = pod.func(function(x)
      traced = traced + 1
      v:assign_add(x)
      return x * 2 + v
    end)
    local outer = pod.func(function(x)
      local y = inner(x)
      v:assign(v * 10)
      return inner(y)
    end)
    assert.equal(6 + 13, outer(pod.tensor(1)):item())
    assert.equal(13, v:value():item())
    outer(pod.tensor(1))
    assert.equal(2, traced)
  end)
end)

describe("the loss of a custom loop", function()
  it("adds up over replicas to that of one device", function()
    local x, y = pod.random.uniform { 22, 3 }, pod.random.uniform { 22 }
    local function total(replicas)
      local strategy = pod.distribute.mirrored(replicas)
      local losses = strategy:run(function(a, b)
        return pod.losses.compute_average_loss((a:sum(1) - b) ^ 2, { global_batch_size = 22 })
      end, { strategy:split(x), strategy:split(y) })
      return strategy:reduce("sum", losses):item()
    end
    local single = ((x:sum(1) - y) ^ 2):mean():item()
    for _, replicas in ipairs { 1, 3, 8 } do
      assert.is_true(math.abs(total(replicas) - single) <= 1e-6 * single)
    end
  end)
end)

describe("masked_loss", function()
  local mask = pod.tensor { true, false, true, true }
  local kept = pod.tensor({ 0, 2, 3 }, "int32")
  local logits = pod.tensor { { 1, 2, -1 }, { 0.5, 9, 1 }, { 0, 0, 3 }, { -2, 1, 1 } }
  local dense = pod.tensor { { 0, 1, 0 }, { 1, 0, 0 }, { 0, 0, 1 }, { 1, 0, 0 } }
  local numbers = pod.tensor({ 1, 0, 2, 0 }, "int32")

  local cases = {
    { "categorical_crossentropy", dense },
    { "sparse_categorical_crossentropy", numbers },
    { "binary_crossentropy", dense },
  }
  for _, case in ipairs(cases) do
    local name, labels = case[1], case[2]
    it("is the loss of the rows that " .. name .. " keeps", function()
      local loss = pod.losses[name] { from_logits = true }
      local expected = loss(pod.gather(labels, kept), pod.gather(logits, kept)):item()
      local got = pod.masked_loss(loss, logits, labels, mask):item()
      assert.is_true(math.abs(expected - got) < 1e-6)
    end)
  end

  it("is shifted by a constant where the mask multiplies logits and labels instead", function()
    local function shift(name, labels)
      local loss = pod.losses[name] { from_logits = true, reduction = "sum" }
      local rows = pod.cast(mask, "float32"):expand_dims(-1)
      local all = labels.rank == 1 and pod.cast(labels, "float32") * rows:squeeze(-1) or labels * rows
      local literal = loss(labels.rank == 1 and pod.cast(all, "int32") or all, logits * rows):item()
      return literal - loss(pod.gather(labels, kept), pod.gather(logits, kept)):item()
    end
    assert.is_true(math.abs(shift("categorical_crossentropy", dense)) < 1e-5)
    assert.is_true(math.abs(shift("sparse_categorical_crossentropy", numbers) - math.log(3)) < 1e-5)
    assert.is_true(math.abs(shift("binary_crossentropy", dense) - math.log(2)) < 1e-5)
  end)

  it("passes no gradient, nor NaN, where the mask is false", function()
    local x = pod.variable(pod.where(pod.expand_dims(mask, -1), logits, 0 / 0))
    local loss = pod.losses.sparse_categorical_crossentropy { from_logits = true }
    local tape, value = pod.tape(function() return pod.masked_loss(loss, x, numbers, mask) end)
    local g = tape:gradient(value, x)
    assert.is_true(value:item() == value:item())
    assert.same({ 0, 0, 0 }, g[2]:totable())
    assert.is_true(pod.all(pod.is_finite(g)):item())
  end)

  it("adds up over replicas, and is 0 where nothing is kept", function()
    local strategy = pod.distribute.mirrored(3)
    local loss = pod.losses.sparse_categorical_crossentropy { from_logits = true }
    local parts = strategy:run(function(a, b, m) return pod.masked_loss(loss, a, b, m) end,
      { strategy:split(logits), strategy:split(numbers), strategy:split(mask) })
    near(pod.masked_loss(loss, logits, numbers, mask):item(), strategy:reduce("sum", parts))
    assert.equal(0, pod.masked_loss(loss, logits, numbers, pod.zeros({ 4 }, "bool")):item())
  end)

  it("wants a mask that fits", function()
    assert.error_matches(function() pod.masked_loss("mse", logits, dense, pod.tensor { true }) end,
      "the mask has shape %(1,%), logits %(4, 3%)")
  end)
end)
