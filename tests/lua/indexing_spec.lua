-- Picking parts of tensors and variables, and shapes that are very large.

local pod = require "moonpod"

local t = pod.reshape(pod.arange(24), { 2, 3, 4 })

describe("an index", function()
  it("is a row from 1, or a list from 0 as in NumPy", function()
    assert.same({ 4, 5, 6, 7 }, t[1][2]:totable())
    assert.same({ 20, 21, 22, 23 }, t[-1][-1]:totable())
    assert.equal(23, t[{ -1, 2, 3 }]:item())
    assert.same({ 7, 11 }, t[{ 0, "1:3", -1 }]:totable())
    assert.same({ { 0, 2 }, { 12, 14 } }, t[{ ":", 0, "::2" }]:totable())
    assert.same({ { 8, 9, 10, 11 } }, t[{ 0, "-1:" }]:totable())
    assert.equal("(2, 0, 4)", tostring(t[{ ":", "2:1" }].shape))
  end)

  it("is one text as well", function()
    assert.same({ { 4, 5, 6, 7 }, { 8, 9, 10, 11 } }, t:at("0, 1:3"):totable())
    assert.same({ { 3, 7, 11 }, { 15, 19, 23 } }, t:at("..., -1"):totable())
  end)

  it("goes backwards", function()
    assert.same({ 3, 2, 1, 0 }, t[{ 0, 0, "::-1" }]:totable())
    assert.same({ 3, 1 }, t[{ 0, 0, "3:0:-2" }]:totable())
    assert.same({ 1, 0 }, t[{ 0, 0, "1::-1" }]:totable())
    assert.same({}, t[{ 0, 0, "0:2:-1" }]:totable())
  end)

  it("makes new axes and stands for all that are not named", function()
    assert.equal("(1, 1, 3, 4)", tostring(t[{ "newaxis", 1, "newaxis", "..." }].shape))
    assert.equal("(2, 3)", tostring(t[{ "...", 0 }].shape))
    assert.equal("(2, 3, 4)", tostring(t[{ "..." }].shape))
  end)

  it("is a tensor of row numbers", function()
    assert.same({ t[2]:totable(), t[1]:totable() }, t[pod.tensor({ 1, 0 }, "int32")]:totable())
  end)

  it("has a gradient", function()
    local x = pod.variable { 1, 2, 3, 4 }
    local tape, y = pod.tape(function() return (x[{ "::-2" }] * pod.tensor { 10, 20 }):sum() end)
    assert.same({ 0, 20, 0, 10 }, tape:gradient(y, x):totable())
  end)

  it("says what is wrong", function()
    assert.error_matches(function() return t[{ 2 }] end, "index 2 is outside axis 0 of shape %(2, 3, 4%)")
    assert.error_matches(function() return t[4] end, "row 4 is outside 1 .. 2")
    assert.error_matches(function() return t[{ 0, 0, 0, 0 }] end, "4 indices given for shape")
    assert.error_matches(function() return t:at "x" end, "'x' is no index; write a number, 'low:high'")
    assert.error_matches(function() return t[{ "::0" }] end, "the step cannot be 0")
    assert.error_matches(function() return t[{ true }] end, "an index is a number or a range")
    assert.error_matches(function() return t[t:greater(3)] end, "a mask does not pick")
  end)
end)

describe("a variable", function()
  local v
  before_each(function() v = pod.variable { { 1, 2, 3 }, { 4, 5, 6 } } end)

  it("is read by indices", function()
    assert.same({ 4, 5, 6 }, v[2]:totable())
    assert.same({ 2, 5 }, v[{ ":", 1 }]:totable())
    assert.same({ 2, 5 }, v:at(":, 1"):totable())
  end)

  it("takes rows and parts", function()
    v[1] = 0
    assert.same({ { 0, 0, 0 }, { 4, 5, 6 } }, v:totable())
    v[-1] = { 7, 8, 9 }
    assert.same({ { 0, 0, 0 }, { 7, 8, 9 } }, v:totable())
    v[{ 0, "1:" }] = pod.tensor { 1, 2 }
    assert.same({ { 0, 1, 2 }, { 7, 8, 9 } }, v:totable())
    v[{ ":", "::2" }] = -1
    assert.same({ { -1, 1, -1 }, { -1, 8, -1 } }, v:totable())
    v[{ 1, "::-1" }] = { 1, 2, 3 }
    assert.same({ { -1, 1, -1 }, { 3, 2, 1 } }, v:totable())
    v[{ "..." }] = 5
    assert.same({ { 5, 5, 5 }, { 5, 5, 5 } }, v:totable())
  end)

  it("takes them in a compiled function", function()
    local step = pod.func(function(x) v[{ 1, "0:2" }] = x end)
    step(pod.tensor { 10, 20 })
    step(pod.tensor { 30, 40 })
    assert.same({ { 1, 2, 3 }, { 30, 40, 6 } }, v:totable())
  end)

  it("refuses what does not fit", function()
    assert.error_matches(function() v[3] = 1 end, "row 3 of variable '.-' is outside 1 .. 2")
    assert.error(function() v[1] = { 1, 2 } end)
    assert.error_matches(function() v[{ 0, 5 }] = 1 end, "index 5 is outside axis 1")
    assert.same({ { 1, 2, 3 }, { 4, 5, 6 } }, v:totable())
  end)
end)

describe("a shape of more than 2^31 elements", function()
  it("is counted right, and out of memory is an error like others", function()
    local x = pod.ones { 2 ^ 20, 2 ^ 20 }
    assert.equal(2 ^ 40, x:size())
    assert.equal(2 ^ 40, pod.arange(2 ^ 40).shape[1])
    pod.func(function()
      local y = pod.ones { 2 ^ 20, 2 ^ 20 } * 2 + 1
      assert.equal("(1048576, 1048576)", tostring(y.shape))
      assert.equal("(1099511627776,)", tostring(y:reshape(-1).shape))
      assert.equal("(2, 1099511627776)", tostring(pod.stack({ y, y }):reshape { 2, -1 }.shape))
    end)()
    assert.error_matches(function() x:totable() end, "needs 4398046511104 bytes, and there is no memory")
    assert.error_matches(function() pod.random.uniform({ 2 ^ 40 }):totable() end, "there is no memory")
    assert.error_matches(function() return pod.zeros { 2 ^ 40, 2 ^ 40 } end, "more bytes than 63 bits count")
    assert.error_matches(function() pod.func(function() return pod.ones { 2 ^ 40 } * 2 end)() end, "no memory")
    assert.same({ 1, 1 }, pod.ones({ 2 }):totable())
  end)

  it("is stored and summed where there is memory", function()
    local rows = 2 ^ 16 + 1
    local x = pod.full({ rows, 2 ^ 15 }, 1, "uint8")
    assert.is_true(x:size() > 2 ^ 31)
    local last = pod.func(function(n) return x[{ "-1:" }] + n end)
    assert.equal("(1, 32768)", tostring(last(pod.tensor(1, "uint8")).shape))
  end)
end)

-- What takes its time there is the core, which is the same under every Lua.
local LAYERS = _VERSION == "Lua 5.4" and 10000 or 2000

describe(("a network of %d layers"):format(LAYERS), function()
  it("is built, traced, compiled and trained", function()
    local layers = { pod.layers.dense(4, { input_shape = { 4 } }) }
    for i = 2, LAYERS do
      layers[i] = pod.layers.dense(4)
    end
    local model = pod.models.sequential(layers)
    model:compile { optimizer = "sgd", loss = "mse" }
    local x = pod.ones { 2, 4 }
    model:fit(x, x, { epochs = 1, batch_size = 2, verbose = 0 })
    assert.equal("(2, 4)", tostring(model:predict(x).shape))
    assert.equal(20 * LAYERS, model:count_params())
  end)
end)
