-- Batches of any number of rows by the programs of a few sizes: pod.func(fn, { batch_buckets = ... }).

local pod = require "moonpod"

local layers = pod.layers

local function bucketed(fn, buckets, ...)
  return pod.func(fn, { input_signature = select("#", ...) > 0 and { ... } or { pod.spec { -1, 3 } },
    batch_buckets = buckets, name = "f" })
end

local function message_of(fn, ...)
  local ok, message = pcall(fn, ...)
  assert.is_false(ok)
  return message
end

describe("batch_buckets", function()
  it("compile a program for each size and give the numbers of the function", function()
    local function fn(x, scale)
      return pod.softmax(x * scale + 1), { x.shape[1], pod.transpose(x) }, pod.mean(x, 1)
    end
    local sizes = { powers_of_two = { 1, 2, 4, 8, 16, 32 }, multiples_of_eight = { 1, 8, 16, 24 } }
    sizes[{ 4, 32 }] = { 1, 4, 32 }
    for buckets, expected in pairs(sizes) do
      local f = bucketed(fn, buckets, pod.spec { -1, 3 }, pod.spec({}, "float32"))
      for rows = 1, 20 do
        local x = pod.random.normal({ rows, 3 }, { seed = rows })
        local a, more, m = f(x, 2)
        local a2, more2, m2 = fn(x, 2)
        assert.equal(rows, more[1])
        assert.is_true(a.shape == a2.shape and more[2].shape == more2[2].shape and m.shape == m2.shape)
        assert.is_true(a:data() == a2:data() and more[2]:data() == more2[2]:data() and m:data() == m2:data())
      end
      local found, given, padding = {}, 0, 0
      for i, one in ipairs(f:traces()) do
        found[i] = one.bucket.rows
        given, padding = given + one.bucket.given, padding + one.bucket.padding
        assert.equal(one.bucket.rows * one.count, one.bucket.given + one.bucket.padding)
      end
      assert.same(expected, found)
      assert.is_true(given == 210 and padding > 0)
    end
  end)

  it("fill batches of models up", function()
    local input = layers.input { 6, 6, 2 }
    local x = layers.conv2d(4, 3, { activation = "relu" })(input)
    x = layers.batch_normalization()(layers.max_pooling2d(2)(x))
    x = layers.reshape { 4, 4 } (x)
    x = layers.multi_head_attention(2, 4)(x, x)
    x = layers.dropout(0.5)(layers.layer_normalization()(layers.gru(5)(x)))
    local model = pod.models.functional { inputs = input, outputs = layers.dense(3, { activation = "softmax" })(x) }
    local function predict(rows)
      return model(rows, { training = false })
    end
    local f = bucketed(predict, "powers_of_two", pod.spec { -1, 6, 6, 2 })
    for _, rows in ipairs { 1, 3, 5, 7, 11 } do
      local data = pod.random.normal({ rows, 6, 6, 2 }, { seed = rows })
      assert.is_true(f(data):data() == pod.func(predict)(data):data())
    end
    assert.equal(4, #f:traces())
  end)

  it("refuse what mixes rows or looks at their number, and say where", function()
    local cases = {
      { "'reduce_sum' mixes rows", function(x) return x - pod.mean(x, 0) end },
      { "'reduce_sum' mixes rows", function(x) return x:sum() end },
      { "'cumulative_sum' mixes rows", function(x) return pod.cumsum(x, 0) end },
      { "'sort' mixes rows", function(x) return pod.sort(x, 0) end },
      { "'reverse' mixes rows", function(x) return pod.flip(x, 0) end },
      { "'concatenate' mixes rows", function(x) return pod.concat({ x, x }, 0) end },
      { "'slice' mixes rows", function(x) return x[1] * 2 end },
      { "'constant' is another for 5 rows than for 8", function(x) return x * x.shape[1] end },
      { "'iota' is another for 5 rows than for 8", function(x)
        return x * pod.cast(pod.arange(x.shape[1]), "float32"):reshape { -1, 1 }
      end },
      { "'dot' is another for 5 rows than for 8", function(x) return pod.matmul(x, pod.transpose(x)) end },
      { "'random_bits' draws random numbers", function(x) return x + pod.random.normal(x.shape) end },
      { "it computes something else for 5 rows", function(x) return x.shape[1] > 6 and x * 2 or x end },
      { "other tensors from outside for 5 rows", function(x) return x + pod.tensor { 1, 2, x.shape[1] } end },
      { "was traced for the 8 rows of the bucket that 5", function(x) return x + pod.zeros { 5, 3 } end },
    }
    for _, case in ipairs(cases) do
      local message = message_of(bucketed(case[2], { 8 }), pod.ones { 5, 3 })
      assert.truthy(message:find(case[1], 1, true), message)
    end
    local line = debug.getinfo(1, "l").currentline + 1
    local message = message_of(bucketed(function(x) return x - pod.max(x, 0) end, { 8 }), pod.ones { 5, 3 })
    assert.truthy(message:find(("buckets_spec.lua:%d: 'reduce_max'"):format(line), 1, true), message)
    -- a full bucket needs no padding
    assert.equal(24, bucketed(function(x) return x:sum() end, { 8 })(pod.ones { 8, 3 }):item())
  end)

  it("refuse training, and let variables change that see no rows", function()
    local w, calls = pod.variable(pod.ones { 3, 1 }), pod.variable(0)
    local function train(x)
      local tape, loss = pod.tape(function() return pod.matmul(x, w:value()):sum() end)
      w:assign_sub(tape:gradient(loss, w))
      return loss
    end
    assert.truthy(message_of(bucketed(train, { 8 }), pod.ones { 5, 3 }):find("mixes rows", 1, true))
    local f = bucketed(function(x)
      calls:assign_add(1)
      return pod.matmul(x, w:value())
    end, { 8 })
    for rows = 1, 8 do
      assert.equal(rows, f(pod.ones { rows, 3 }).shape[1])
    end
    assert.equal(8, calls:item())
    assert.equal(1, w:value():totable()[1][1])
  end)

  it("check what rows are looked up as in those that were given alone", function()
    local function look_up(i) return pod.gather(pod.tensor { 10, 20, 30 }, i) end
    local f = bucketed(look_up, { 8 }, pod.spec({ -1 }, "int32"))
    assert.same({ 30, 20, 30 }, f(pod.tensor({ 2, 1, 2 }, { dtype = "int32" })):totable())
    assert.truthy(message_of(f, pod.tensor({ 2, 3 }, { dtype = "int32" })):find("3", 1, true))
  end)

  it("check their option and the rows of the arguments", function()
    local plain = { input_signature = { pod.spec { -1 } } }
    for wrong, expected in pairs { twos = '"powers_of_two", "multiples_of_eight" or a list', [5] = "not 5" } do
      plain.batch_buckets = wrong
      assert.truthy(message_of(pod.func, print, plain):find(expected, 1, true))
    end
    plain.batch_buckets = { 8, 8 }
    assert.truthy(message_of(pod.func, print, plain):find("batch_buckets[2] is 8", 1, true))
    assert.truthy(message_of(pod.func, print, { batch_buckets = { 8 } }):find("need an input_signature", 1, true))
    local f = bucketed(function(a, b) return a + b end, { 4 }, pod.spec { -1 }, pod.spec { -1 })
    local message = message_of(f, pod.ones { 2 }, pod.ones { 3 })
    assert.truthy(message:find("argument 1 has 2 rows and argument 2 has 3", 1, true))
    assert.truthy(message_of(f, pod.ones { 5 }, pod.ones { 5 }):find("given 5 rows, and the greatest", 1, true))
    assert.equal(0, f(pod.ones { 0 }, pod.ones { 0 }).shape[1])
  end)

  it("are tried on TPUs where nothing says so", function()
    local resolver = pod.cluster.resolve "v3-8"
    pod.cluster.connect(resolver)
    pod.cluster.initialize(resolver)
    local specs = { pod.spec { -1, 3 } }
    local function double(x) return x * 2 end
    local f, mixing = pod.func(double, { input_signature = specs }), pod.func(pod.sum, { input_signature = specs })
    local without = pod.func(double, { input_signature = specs, batch_buckets = false })
    local function call_all()
      for rows = 1, 9 do
        local x = pod.ones { rows, 3 } * rows
        assert.is_true(f(x):data() == (x * 2):data() and without(x):data() == (x * 2):data())
        assert.equal(3 * rows * rows, mixing(x):item())
      end
    end
    pod.distribute.tpu_strategy(resolver):scope(call_all)
    assert.same({ 5, 9, 9 }, { #f:traces(), #mixing:traces(), #without:traces() })
    call_all() -- by programs of their own
    assert.equal(5 + 9, #f:traces())
  end)

  it("are told by reports", function()
    local f = bucketed(function(x) return x * 2 end, "powers_of_two")
    f(pod.ones { 5, 3 })
    f(pod.ones { 8, 3 })
    assert.truthy(tostring(pod.compile_report()):find("bucket of 8: 13 rows, 3 of padding", 1, true))
    local report = f:memory_report("v5e", { arguments = { pod.spec { 1000, 3 } } })
    assert.truthy(tostring(report):find("1000 rows, filled up to 1024", 1, true), tostring(report))
  end)
end)
