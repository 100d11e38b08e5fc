local pod = require "moonpod"
local lua_version = require "tests.lua.support.lua_version"

local function near(expected, actual, tolerance)
  assert.is_true(pod.allclose(actual, pod.tensor(expected), { atol = tolerance or 1e-5 }),
    "expected\n" .. tostring(pod.tensor(expected)) .. "\ngot\n" .. tostring(actual))
end

describe("making tensors", function()
  it("infers shapes and types", function()
    local x = pod.tensor { { 1, 2, 3 }, { 4, 5, 6 } }
    assert.equal("(2, 3)", tostring(x.shape))
    assert.equal("float32", x.dtype)
    assert.equal("bool", pod.tensor({ true }).dtype)
    assert.equal("int32", pod.tensor({ 1 }, { dtype = "s32" }).dtype)
    assert.equal("(2,)", tostring(pod.tensor({ pod.tensor(1), pod.tensor(2) }).shape))
    assert.same({ { 1, 2 }, { 3, 4 } }, pod.tensor({ 1, 2, 3, 4 }, { shape = { 2, 2 } }):totable())
  end)

  it("fills", function()
    assert.same({ { 0, 0 }, { 0, 0 } }, pod.zeros({ 2, 2 }):totable())
    assert.same({ 1, 1 }, pod.ones(2):totable())
    assert.equal("int32", pod.ones({ 2 }, "int32").dtype)
    assert.equal("bfloat16", pod.zeros({ 2 }, { dtype = "bfloat16" }).dtype)
    assert.same({ 7, 7 }, pod.full({ 2 }, 7):totable())
    assert.same({ 0, 1, 2 }, pod.arange(3):totable())
    assert.same({ 1, 3 }, pod.arange(1, 5, 2):totable())
    assert.equal("int32", pod.arange(3).dtype)
    assert.same({ 0, 0.25, 0.5, 0.75, 1 }, pod.linspace(0, 1, 5):totable())
    assert.same({ { 1, 0 }, { 0, 1 } }, pod.eye(2):totable())
    assert.same({ { 0, 1 }, { 1, 0 } }, pod.one_hot({ 1, 0 }, 2):totable())
    assert.equal("(0,)", tostring(pod.zeros({ 0 }).shape))
  end)
end)

describe("reading tensors", function()
  local x = pod.tensor { { 1, 2, 3 }, { 4, 5, 6 } }

  it("gives rows by t[i], counted from 1", function()
    assert.same({ 1, 2, 3 }, x[1]:totable())
    assert.equal(6, x[2][3]:item())
    assert.same({ 4, 5, 6 }, x[-1]:totable())
    assert.error_matches(function() local _ = x[9] end, "row 9 is outside 1 .. 2")
    if lua_version.has_table_length then -- and ipairs asks the metatable
      local rows = 0
      for _ in ipairs(x) do
        rows = rows + 1
      end
      assert.equal(2, rows)
    end
  end)

  it("gives parts by NumPy's ranges, counted from 0", function()
    assert.same({ { 2, 3 }, { 5, 6 } }, x[{ ":", "1:" }]:totable())
    assert.same({ 4, 5 }, x[{ 1, ":2" }]:totable())
    assert.same({ { 1, 3 } }, x[{ "0:1", "::2" }]:totable())
  end)

  it("knows its sizes", function()
    if lua_version.has_table_length then
      assert.equal(2, #x)
    end
    assert.equal(2, x.rank)
    assert.equal(6, x:size())
    assert.equal(24, #x:data())
  end)

  it("refuses to change, or to be one number when it is many", function()
    assert.error_matches(function() x.y = 1 end, "do not change")
    assert.error_matches(function() x:item() end, "one element.*%(2, 3%)")
  end)
end)

describe("printing tensors", function()
  it("looks like NumPy, with type and shape below", function()
    assert.equal("[[1. 2.]\n [3. 4.]]\nfloat32 (2, 2) on CPU:0", tostring(pod.tensor { { 1, 2 }, { 3, 4 } }))
    assert.equal("[ 1.5   2.25 10.  ]\nfloat32 (3,) on CPU:0", tostring(pod.tensor { 1.5, 2.25, 10 }))
    assert.equal("[1 2]\nint32 (2,) on CPU:0", tostring(pod.tensor({ 1, 2 }, { dtype = "int32" })))
    assert.equal("[ true false]\nbool (2,) on CPU:0", tostring(pod.tensor { true, false }))
    assert.equal("[nan inf  1.]\nfloat32 (3,) on CPU:0", tostring(pod.tensor { -(0 / 0), math.huge, 1 }))
    assert.equal("[]\nfloat32 (0,) on CPU:0", tostring(pod.zeros { 0 }))
  end)

  it("shows scalars as numbers", function()
    assert.equal("2.5", tostring(pod.tensor(2.5)))
    assert.equal("8.0", tostring(pod.tensor(8)))
    assert.equal("3", tostring(pod.tensor(3, { dtype = "int32" })))
    assert.equal("loss 0.5", "loss " .. pod.tensor(0.5))
  end)

  it("leaves out the middle of more than 1000 elements", function()
    local text = tostring(pod.arange(2000))
    assert.equal("[   0    1    2 ... 1997 1998 1999]\nint32 (2000,) on CPU:0", text)
  end)

  it("uses powers of ten where sizes differ much", function()
    assert.equal("[1.e-08 2.e+00]\nfloat32 (2,) on CPU:0", tostring(pod.tensor { 1e-8, 2 }))
    assert.equal("[1.5e+00 3.0e+10]\nfloat32 (2,) on CPU:0", tostring(pod.tensor { 1.5, 3e10 }))
  end)
end)

describe("arithmetic", function()
  it("broadcasts and keeps the type beside plain numbers", function()
    near({ { 3, 5 }, { 7, 9 } }, pod.tensor({ { 1, 2 }, { 3, 4 } }) * 2 + 1)
    near({ { 11, 22 }, { 13, 24 } }, pod.tensor({ { 1, 2 }, { 3, 4 } }) + pod.tensor { 10, 20 })
    assert.equal("bfloat16", (pod.ones({ 2 }, "bfloat16") * 1.5).dtype)
    assert.equal("float16", (2 ^ pod.ones({ 2 }, "float16")).dtype)
    assert.equal("int32", (pod.arange(3) + 1).dtype)
    assert.equal("float32", (pod.arange(3) + 0.5).dtype)
    assert.equal("float32", (pod.arange(3) / 2).dtype)
  end)

  it("promotes as NumPy and Keras do", function()
    local function meet(a, b)
      return (pod.ones({ 1 }, a) + pod.ones({ 1 }, b)).dtype
    end
    assert.equal("float32", meet("float16", "bfloat16"))
    assert.equal("float32", meet("bfloat16", "float32"))
    assert.equal("bfloat16", meet("int32", "bfloat16"))
    assert.equal("int16", meet("int8", "uint8"))
    assert.equal("int64", meet("uint32", "int8"))
    assert.equal("int32", meet("bool", "bool"))
    assert.equal("int32", meet("int32", "uint8"))
  end)

  it("knows how any two dtypes meet, in either order", function()
    local ops = require "moonpod.ops"
    local dtypes = require("moonpod.core").dtypes()
    for _, a in ipairs(dtypes) do
      for _, b in ipairs(dtypes) do
        assert.is_string(ops.dtype(ops.promote(a.name, b.name)))
        assert.equal(ops.promote(a.name, b.name), ops.promote(b.name, a.name))
      end
      assert.equal(a.name, ops.dtype(a.xla))
    end
  end)

  it("divides as Lua does", function()
    assert.same({ 2, 1 }, (pod.tensor({ 5, -5 }, { dtype = "int32" }) % 3):totable())
    assert.same({ 1, -2 }, pod.floor_divide(pod.tensor({ 5, -5 }, { dtype = "int32" }), 3):totable())
    near({ 0.5, -1.5 }, pod.tensor({ 4.5, -5.5 }) % pod.tensor { 4, -4 } - pod.tensor { 0, 0 }, 1e-6)
    near({ 0, 2 }, pod.divide_no_nan(pod.tensor { 3, 4 }, pod.tensor { 0, 2 }))
  end)

  it("compares", function()
    assert.same({ true, false }, pod.less(pod.tensor { 1, 5 }, 3):totable())
    assert.is_true(pod.tensor(1) < pod.tensor(2))
    assert.is_true(pod.tensor(1) <= pod.tensor(1))
    assert.is_true(pod.ones({ 2 }) == pod.ones({ 2 }))
    assert.is_false(pod.ones({ 2 }) == pod.zeros({ 2 }))
    assert.same({ 1, -1 }, pod.where(pod.tensor { true, false }, 1, -1):totable())
    assert.same({ 0, 0.5, 1 }, pod.clip(pod.tensor { -2, 0.5, 7 }, 0, 1):totable())
  end)

  it("has the elementwise functions", function()
    local x = pod.tensor { 0.5, 1 }
    near({ math.exp(0.5), math.exp(1) }, pod.exp(x))
    near({ math.exp(0.5), math.exp(1) }, x:exp())
    near({ math.log(0.5), 0 }, x:log())
    near({ 1 / (1 + math.exp(-0.5)), 1 / (1 + math.exp(-1)) }, pod.sigmoid(x))
    near({ math.log(1 + math.exp(0.5)), math.log(1 + math.exp(1)) }, pod.softplus(x))
    near({ math.atan(0.5), math.atan(1) }, pod.atan(x))
    near({ 0.25, 1 }, x ^ 2)
    near({ 2, 1 }, pod.reciprocal(x))
    near({ 0, 1 }, pod.relu(pod.tensor { -1, 1 }))
    assert.same({ true, false }, pod.is_nan(pod.tensor { 0 / 0, 1 }):totable())
  end)
end)

describe("reductions", function()
  local x = pod.tensor { { 1, 2, 3 }, { 4, 5, 6 } }

  it("take axes from 0, or from the end", function()
    assert.equal(21, x:sum():item())
    assert.same({ 5, 7, 9 }, x:sum(0):totable())
    assert.same({ 6, 15 }, x:sum(-1):totable())
    assert.same({ { 6 }, { 15 } }, x:sum(1, { keepdims = true }):totable())
    assert.same({ { 6 }, { 15 } }, x:sum({ axis = 1, keepdims = true }):totable())
    assert.equal(21, x:sum({ 0, 1 }):item())
    assert.error_matches(function() x:sum(2) end, "axis 2 does not exist in 2 axes")
    assert.error_matches(function() x:sum(0, { keepdim = true }) end, "did you mean 'keepdims'")
  end)

  it("compute what they say", function()
    assert.equal(3.5, x:mean():item())
    near({ 2 / 3, 2 / 3 }, x:var(1))
    near({ math.sqrt(2 / 3), math.sqrt(2 / 3) }, x:std(1))
    assert.same({ 3, 6 }, x:max(1):totable())
    assert.same({ 1, 4 }, x:min(1):totable())
    assert.same({ 6, 120 }, x:prod(1):totable())
    assert.same({ 2, 2 }, x:argmax(1):totable())
    assert.equal(5, x:argmax():item())
    near({ math.sqrt(14), math.sqrt(77) }, x:norm(1))
    near({ 3.4076059, 6.4076059 }, x:logsumexp(1))
    near({ { 0.0900306, 0.2447285, 0.6652410 }, { 0.0900306, 0.2447285, 0.6652410 } }, x:softmax())
    assert.is_true(pod.any(pod.tensor { false, true }):item())
    assert.is_false(pod.all(pod.tensor { false, true }):item())
    assert.equal(2, pod.sum(pod.tensor { true, true }):item())
  end)
end)

describe("shapes", function()
  local x = pod.arange(6):reshape(2, 3)

  it("change", function()
    assert.equal("(3, 2)", tostring(x:reshape(3, -1).shape))
    assert.same({ { 0, 3 }, { 1, 4 }, { 2, 5 } }, x:transpose():totable())
    assert.equal("(2, 1, 3)", tostring(x:expand_dims(1).shape))
    assert.equal("(2, 3)", tostring(x:expand_dims(1):squeeze().shape))
    assert.same({ { 2, 1, 0 }, { 5, 4, 3 } }, x:flip(1):totable())
    assert.same({ 2, 0, 1 }, pod.arange(3):roll(1):totable())
    assert.same({ { 0, 1, 0, 1 } }, pod.tile(pod.tensor({ { 0, 1 } }), { 1, 2 }):totable())
    assert.same({ 0, 0, 1, 1 }, pod.repeat_(pod.arange(2), 2):totable())
    assert.error_matches(function() x:squeeze(0) end, "size 2, not 1")
  end)

  it("join and part", function()
    assert.same({ 0, 1, 0, 1 }, pod.concat({ pod.arange(2), pod.arange(2) }):totable())
    assert.same({ { 0, 0 }, { 1, 1 } }, pod.stack({ pod.arange(2), pod.arange(2) }, 1):totable())
    assert.error_matches(function() pod.stack { { 1 }, "x" } end, "a tensor is needed, not a string")
    local parts = pod.split(pod.arange(6), 3)
    assert.same({ { 0, 1 }, { 2, 3 }, { 4, 5 } }, { parts[1]:totable(), parts[2]:totable(), parts[3]:totable() })
    assert.equal(2, #pod.unstack(x))
    assert.error_matches(function() pod.split(pod.arange(5), 2) end, "cannot be cut into 2 equal parts")
    assert.same({ 0, 0, 1, 0 }, pod.pad(pod.tensor { 0, 1 }, { { 1, 1 } }):totable())
    assert.same({ 2, 1, 2, 3, 2 }, pod.pad(pod.tensor { 1, 2, 3 }, { { 1, 1 } }, { mode = "reflect" }):totable())
  end)

  it("are picked from", function()
    assert.same({ { 3, 4, 5 }, { 0, 1, 2 } }, x:gather({ 1, 0 }):totable())
    assert.same({ { 2, 0 }, { 5, 3 } }, x:gather({ 2, 0 }, 1):totable())
    assert.same({ { 1 }, { 5 } }, x:take_along_axis(pod.tensor { { 1 }, { 2 } }, 1):totable())
    assert.same({ 0, 9, 2 }, pod.scatter(pod.arange(3), { 1 }, pod.tensor { 9 }):totable())
    assert.same({ { 4, 6, 8 }, { 0, 0, 0 } }, pod.segment_sum({ { 1, 2, 3 }, { 3, 4, 5 } }, { 0, 0 }, 2):totable())
    assert.error_matches(function() pod.segment_sum({ 1, 2 }, { 0, 3 }, 3):totable() end, "index 3 .* is outside 0")
    assert.error_matches(function() pod.segment_sum({ 1, 2 }, { 0, 1 }) end, "segment_sum: argument 3 %(count%) must")
    assert.same({ { 1, 2 } }, x:slice({ 0, 1 }, { 1, 2 }):totable())
    assert.same({ 1, 2, 3 }, pod.sort(pod.tensor { 3, 1, 2 }):totable())
    assert.same({ 0, 2, 1 }, pod.argsort(pod.tensor { 3, 1, 2 }, -1, { descending = true }):totable())
    local values, places = pod.top_k(pod.tensor { 3, 1, 2 }, 2)
    assert.same({ 3, 2 }, values:totable())
    assert.same({ 0, 2 }, places:totable())
    assert.same({ 0, 1, 3 }, pod.cumsum(pod.arange(3)):totable())
  end)
end)

describe("products", function()
  it("multiply matrices", function()
    local a, b = pod.tensor { { 1, 2 }, { 3, 4 } }, pod.tensor { { 5, 6 }, { 7, 8 } }
    assert.same({ { 19, 22 }, { 43, 50 } }, pod.matmul(a, b):totable())
    assert.same({ { 17, 23 }, { 39, 53 } }, pod.matmul(a, b, { transpose_b = true }):totable())
    assert.same({ { 19, 22 }, { 43, 50 } }, pod.einsum("ij,jk->ik", a, b):totable())
    assert.same({ { 19, 43 }, { 22, 50 } }, pod.einsum("ij,jk->ki", a, b):totable())
    assert.equal(70, pod.einsum("ij,ij->", a, b):item())
    assert.equal(70, pod.tensordot(a, b, 2):item())
    assert.same({ 5, 24 }, pod.einsum("i,i->i", pod.tensor { 1, 3 }, pod.tensor { 5, 8 }):totable())
    assert.error_matches(function() pod.einsum("ij,jk", a, b) end, "no equation")
  end)

  it("name the shapes that do not fit, and the line", function()
    local ok, message = pcall(function()
      local y = pod.matmul(pod.ones { 2, 3 }, pod.ones { 2, 3 })
      return y
    end)
    assert.is_false(ok)
    assert.matches("%(2, 3%)", message)
    assert.matches("tensor_spec.lua:%d+", message)
  end)
end)

describe("random numbers", function()
  it("repeat with a seed", function()
    pod.random.set_seed(7)
    local a, b = pod.random.normal({ 4 }):totable(), pod.random.normal({ 4 }):totable()
    pod.random.set_seed(7)
    assert.same(a, pod.random.normal({ 4 }):totable())
    assert.same(b, pod.random.normal({ 4 }):totable())
    assert.not_same(a, b)
  end)

  it("have their distributions", function()
    pod.random.set_seed(1)
    local u = pod.random.uniform({ 20000 }, { minval = 2, maxval = 4 })
    assert.is_true(math.abs(u:mean():item() - 3) < 0.02)
    assert.is_true(u:min():item() >= 2 and u:max():item() < 4)
    local n = pod.random.normal({ 20000 }, { mean = 1, stddev = 2 })
    assert.is_true(math.abs(n:mean():item() - 1) < 0.05)
    assert.is_true(math.abs(n:std():item() - 2) < 0.05)
    local t = pod.random.truncated_normal({ 20000 })
    assert.is_true(t:max():item() <= 2 and t:min():item() >= -2)
    assert.is_true(math.abs(t:std():item() - 0.8796) < 0.02)
    local i = pod.random.uniform({ 1000 }, { minval = 3, maxval = 6, dtype = "int32" })
    assert.equal(3, i:min():item())
    assert.equal(5, i:max():item())
    assert.is_true(math.abs(pod.random.bernoulli({ 10000 }, 0.3, { dtype = "float32" }):mean():item() - 0.3) < 0.02)
    local p = pod.random.permutation(50):sort()
    assert.same(pod.arange(50):totable(), p:totable())
  end)

  it("draw once", function()
    local x = pod.random.uniform({ 3 })
    local y = x * 1
    assert.same(x:totable(), x:totable())
    assert.same(x:totable(), y:totable())
  end)

  it("refuse seeds that are none", function()
    assert.error_matches(function() pod.random.set_seed(1.5) end, "integer from 0")
  end)
end)

describe("initializers", function()
  it("have Keras' limits", function()
    pod.random.set_seed(2)
    local function size(name, shape)
      return pod.initializers.get(name)(shape, "float32")
    end
    local limit = math.sqrt(6 / (30 + 50))
    local g = size("glorot_uniform", { 30, 50 })
    assert.is_true(g:max():item() <= limit and g:max():item() > 0.9 * limit)
    assert.is_true(math.abs(size("he_normal", { 100, 100 }):std():item() - math.sqrt(2 / 100)) < 0.01)
    assert.is_true(math.abs(size("lecun_normal", { 3, 3, 10, 100 }):std():item() - math.sqrt(1 / 90)) < 0.01)
    assert.same({ 0, 0 }, size("zeros", { 2 }):totable())
    assert.same({ 3, 3 }, pod.initializers.constant(3)({ 2 }):totable())
    assert.same({ 3, 3 }, pod.initializers.get(3)({ 2 }):totable())
  end)

  it("scale kernels of einsums by what a unit sees, as Keras does from 3.15 on", function()
    local function expect_limit(kernel, inputs, outputs)
      local limit, most = math.sqrt(6 / (inputs + outputs)), pod.abs(kernel:value()):max():item()
      assert.is_true(most <= limit and most > 0.95 * limit, most)
    end
    local x = pod.zeros { 1, 3, 32 }
    local attention = pod.layers.multi_head_attention(4, 8, { value_dim = 6 })
    attention(x, x)
    expect_limit(attention._query.kernel, 32, 32)
    expect_limit(attention._value.kernel, 32, 24)
    expect_limit(attention._output.kernel, 24, 32)
    local dense = pod.layers.einsum_dense("abc,cde->abde", { -1, 4, 9 })
    dense(x)
    expect_limit(dense.kernel, 32, 36)
    dense = pod.layers.einsum_dense("abcd,cde->abe", { -1, 7 }, { kernel_initializer = "he_uniform" })
    dense(pod.zeros { 1, 3, 9, 11 })
    expect_limit(dense.kernel, 99, 0)
  end)

  it("make orthogonal matrices, wide or tall", function()
    local function far(shape, dtype)
      local q = pod.initializers.orthogonal { seed = 7 }(shape, dtype)
      local small = math.min(shape[1], shape[2])
      local product = pod.matmul(q, q, { [shape[1] > shape[2] and "transpose_a" or "transpose_b"] = true })
      return pod.max(pod.abs(product - pod.eye(small, small, { dtype = dtype }))):item()
    end
    for _, shape in ipairs { { 5, 3 }, { 3, 5 }, { 1, 1 }, { 33, 33 }, { 100, 64 }, { 130, 700 }, { 256, 256 } } do
      assert.is_true(far(shape, "float32") < 4e-6)
      assert.is_true(far(shape, "float64") < 1e-14)
    end
    local q = pod.initializers.orthogonal { seed = 7 } { 70, 50 }
    pod.set_float32_matmul_precision "default"
    assert.same(q:totable(), pod.initializers.orthogonal { seed = 7 } { 70, 50 }:totable())
    pod.set_float32_matmul_precision "highest"
  end)

  it("make the orthogonal matrix whose R has a positive diagonal", function()
    local drawn = pod.random.normal({ 70, 40 }, { seed = 7 })
    local r = pod.matmul(pod.initializers.orthogonal { seed = 7 } { 70, 40 }, drawn, { transpose_a = true }):totable()
    for i = 1, 40 do
      assert.is_true(r[i][i] > 0)
      for j = 1, i - 1 do
        assert.is_true(math.abs(r[i][j]) < 1e-4)
      end
    end
  end)

  it("know their names", function()
    assert.error_matches(function() local x = pod.initializers.get("glorot_unifrm"); return x end,
      "did you mean 'glorot_uniform'")
    assert.equal("<initializer zeros>", tostring(pod.initializers.get("Zeros")))
  end)
end)

describe("tensors of 2^31 elements and more", function()
  it("have shapes without having memory, and sums", function()
    local t = pod.zeros { 2 ^ 31, 4 }
    assert.equal("(2147483648, 4)", tostring(t.shape))
    assert.equal(2 ^ 33, t:size())
    assert.equal(2 ^ 31, t.shape[1])
    assert.equal("(1048576, 4096)", tostring(pod.ones({ 2 ^ 16, 2 ^ 16 }):reshape(2 ^ 20, -1).shape))
    assert.equal(2 ^ 32, pod.ones({ 2 ^ 16, 2 ^ 16 }):sum():item())
    assert.equal(2 ^ 31 + 2, pod.iota({ 2 ^ 31 + 8 }, 0, "int64")[2 ^ 31 + 3]:item())
  end)

  it("are refused where bytes or indices overflow", function()
    assert.error_matches(function() pod.zeros { 2 ^ 40, 2 ^ 40 } end, "more bytes than 63 bits count")
    assert.error_matches(function() pod.zeros { -1, 2 } end, "sizes are whole numbers from 0")
    local long = pod.zeros { 2 ^ 31 + 8 }
    assert.error_matches(function() local i = long:argmax() return i end, "ask for an int64 result")
  end)

  it("do not keep the values of small ones from being read", function()
    local small = pod.tensor { 1, 2 }
    local giant = pod.full({ 2 ^ 31 }, 3) + small:sum()
    local next_one = small * 2
    assert.same({ 2, 4 }, next_one:totable())
    assert.equal(6 * 2 ^ 31, giant:sum():item())
  end)
end)
