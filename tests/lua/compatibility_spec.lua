-- What a TPU would refuse or do slowly: planted in models, found with layer, line and what to write instead.

local pod = require "moonpod"

local function find(found, kind, op)
  for _, finding in ipairs(found) do
    if finding.kind == kind and (op == nil or finding.op == op) then
      return finding
    end
  end
  error("nothing of kind " .. kind .. " in:\n" .. tostring(found))
end

local function line_of(marker)
  local number = 0
  for line in io.lines "tests/lua/compatibility_spec.lua" do
    number = number + 1
    if line:find("-- here: " .. marker, 1, true) then
      return "tests/lua/compatibility_spec.lua:" .. number
    end
  end
end

local function compiled(layers, loss)
  local model = pod.models.sequential(layers)
  model:compile { optimizer = "sgd", loss = loss or pod.losses.sparse_categorical_crossentropy { from_logits = true } }
  return model
end

-- A model with one planted layer between dense ones; it is built when its step is traced.
local function planted(call)
  local layer = pod.layers.subclass { name = "Planted", call = call }
  return compiled { pod.layers.dense(16), layer(), pod.layers.dense(10) }
end

local SPECS = { x = pod.spec({ 32, 8 }, "float32"), y = pod.spec({ 32 }, "int32") }

local function check(model, chip, host)
  return model:check_tpu(chip, { x = SPECS.x, y = SPECS.y, host = host })
end

describe("model:check_tpu", function()
  it("finds nothing in a plain model, on any chip", function()
    local model = compiled { pod.layers.dense(16, { activation = "relu", input_shape = { 8 } }), pod.layers.dense(10) }
    for _, chip in ipairs { "v2", "v3", "v4", "v5e", "v5p", "v6e", "v7x" } do
      local found = model:check_tpu(chip)
      assert.truthy(found.ok)
      assert.equal(0, #found, tostring(found))
      assert(found.nodes > 10)
    end
  end)

  it("finds a selection by a mask in a functional model, and in a loss", function()
    local Pick = pod.layers.subclass { name = "Pick", call = function(_, x)
      return x + pod.mean(pod.boolean_mask(x, pod.greater(pod.mean(x, -1), 0))) -- here: pick
    end }
    local x = pod.layers.input { 12, 12, 3 }
    local h = Pick()(pod.layers.conv2d(4, 3)(x))
    local model = pod.models.functional { inputs = x, outputs = pod.layers.flatten()(h) }
    model:compile { optimizer = "adam", loss = function(y, p)
      local kept = pod.greater(y, 0)
      return pod.mean(pod.boolean_mask(p - y, kept)) -- here: chosen
    end }
    local found = model:check_tpu "v4"
    local lines = {}
    for _, finding in ipairs(found) do
      lines[#lines + 1] = finding.op == "boolean_mask" and finding.location or nil
    end
    assert.same({ line_of "pick", line_of "chosen" }, lines)
    assert.truthy(find(found, "dynamic shape", "boolean_mask").scope:find "pick")
    local ok, message = pcall(model.fit, model, pod.ones { 8, 12, 12, 3 }, pod.ones { 8, 400 }, { verbose = 0 })
    assert.falsy(ok)
    assert.truthy(message:find((line_of "pick") .. ": boolean_mask: in a compiled step", 1, true), message)
  end)

  it("gives the line of a layer that is not the user's own code", function()
    local model = pod.models.sequential {
      pod.layers.embedding(100, 8, { input_shape = { 4 } }), -- here: table
      pod.layers.flatten(), pod.layers.dense(3) }
    model:compile { optimizer = "sgd", loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
    local finding = find(model:check_tpu "v3", "sparse access", "gather")
    assert.equal(line_of "table", finding.location)
    assert.truthy(finding.scope:find "embedding")
  end)

  it("finds an axis without a size, with its layer, and goes on", function()
    local model = pod.models.sequential {
      pod.layers.embedding(50, 8, { input_shape = { -1 } }), -- here: open
      pod.layers.gru(4), pod.layers.dense(1) }
    model:compile { optimizer = "sgd", loss = "mse" }
    local found = model:check_tpu "v3"
    local finding = find(found, "dynamic shape", "input")
    assert.equal("refused", finding.support)
    assert.equal(line_of "open", finding.location)
    assert.truthy(finding.scope:find "embedding")
    assert.equal(1, found.refused)
    assert(found.nodes > 100)
  end)

  it("needs no batch for data whose batches have no one size", function()
    local model = compiled { pod.layers.dense(10, { input_shape = { 8 } }) }
    local data = pod.data.from_tensor_slices { pod.ones { 10, 8 }, pod.zeros({ 10 }, "int32") }:batch(4)
    local found = model:check_tpu("v3", { data = data })
    assert.equal("batch", find(found, "dynamic shape").op)
    assert.truthy(found.ok, tostring(found))
  end)

  it("finds a selection by a mask", function()
    local model = planted(function(_, x)
      local kept = pod.boolean_mask(x, pod.greater(pod.sum(x, 1), 0)) -- here: mask
      return kept
    end)
    local found = check(model, "v3")
    local finding = find(found, "dynamic shape", "boolean_mask")
    assert.falsy(found.ok)
    assert.equal("refused", finding.support)
    assert.equal(line_of "mask", finding.location)
    assert.truthy(finding.scope:find "planted")
    assert.truthy(finding.instead:find("pod.masked_loss", 1, true))
  end)

  it("finds float64", function()
    local model = planted(function(_, x)
      return pod.cast(pod.exp(pod.cast(x, "float64")), "float32") -- here: wide
    end)
    local finding = find(check(model, "v5e"), "64-bit")
    assert.equal("slow", finding.support)
    assert.equal(line_of "wide", finding.location)
    assert.truthy(finding.scope:find "planted")
  end)

  it("finds a product of 64-bit integers, which the compiler refuses", function()
    local model = planted(function(_, x)
      local whole = pod.cast(x, "int64")
      return x + pod.cast(pod.sum(pod.matmul(whole, pod.transpose(whole))), "float32") * 0 -- here: whole
    end)
    local finding = find(check(model, "v3"), "64-bit", "dot_general")
    assert.equal("refused", finding.support)
    assert.equal(line_of "whole", finding.location)
  end)

  it("finds a host callback: slow on a chip's own host, refused through a network", function()
    local model = planted(function(_, x)
      pod.print("x", x) -- here: print
      return x
    end)
    local finding = find(check(model, "v3"), "host callback", "print")
    assert.equal("slow", finding.support)
    assert.equal(line_of "print", finding.location)
    assert.equal("refused", find(check(model, "v3", "node"), "host callback", "print").support)
  end)

  it("finds a value that is read while the step is built", function()
    local model = planted(function(_, x)
      return x * pod.sum(x):item() -- here: read
    end)
    local finding = find(check(model, "v3"), "dynamic shape")
    assert.equal("refused", finding.support)
    assert.equal(line_of "read", finding.location)
  end)

  it("finds one-hot labels", function()
    local model = compiled({ pod.layers.dense(10, { input_shape = { 8 } }) },
      pod.losses.categorical_crossentropy { from_logits = true })
    local finding = find(model:check_tpu "v3", "one-hot")
    assert.truthy(finding.instead:find("sparse_categorical_crossentropy", 1, true))
  end)

  it("finds one-hot labels that the step makes", function()
    local model = compiled({ pod.layers.dense(10, { input_shape = { 8 } }) }, function(y, logits)
      return pod.mean(-pod.sum(pod.one_hot(y, 10) * pod.log_softmax(logits), -1)) -- here: hot
    end)
    assert.equal(line_of "hot", find(check(model, "v3"), "one-hot", "one_hot").location)
  end)

  it("finds batches whose last one is shorter", function()
    local model = compiled { pod.layers.dense(10, { input_shape = { 8 } }) }
    local function data(drop)
      return pod.data.from_tensor_slices { pod.ones { 10, 8 }, pod.zeros({ 10 }, "int32") }
        :batch(4, { drop_remainder = drop })
    end
    assert.equal("batch", find(model:check_tpu("v3", { data = data(false), batch = 4 }), "dynamic shape").op)
    assert.truthy(model:check_tpu("v3", { data = data(true), batch = 4 }).ok)
  end)

  it("finds rows that are picked from tables", function()
    local model = compiled { pod.layers.embedding(1000, 16, { input_shape = { 4 } }), pod.layers.flatten(),
      pod.layers.dense(10) }
    assert.equal("slow", find(model:check_tpu "v3", "sparse access", "gather").support)
    assert.truthy(find(model:check_tpu "v5p", "sparse access", "gather").instead:find("SparseCores", 1, true))
  end)

  it("is told of stages of the input that the host of a TPU Node cannot run", function()
    local function check_data(data, host)
      return compiled({ pod.layers.dense(10) }):check_tpu("v3", { host = host, data = data })
    end
    local rows = pod.data.from_generator(function()
      return function() return nil end
    end, { pod.spec({ 8 }, "float32"), pod.spec({}, "int32") })
    local interpreted = pod.data.from_tensor_slices({ pod.ones { 4, 8 }, pod.zeros({ 4 }, "int32") })
      :map(function(x, y) return x, y end, { interpret = true })
    for kind, data in pairs { ["from_generator"] = rows, ["a map that is interpreted"] = interpreted } do
      data = data:batch(2, { drop_remainder = true })
      local finding = find(check_data(data, "node"), "host", kind)
      assert.equal("refused", finding.support)
      assert.matches(kind == "from_generator" and "from_generator" or "map %(.*compatibility_spec.lua:%d+",
        finding.location)
      for _, one in ipairs(check_data(data, "vm")) do
        assert.not_equal("host", one.kind)
      end
    end
    local plain = pod.data.from_tensor_slices({ pod.ones { 4, 8 }, pod.zeros({ 4 }, "int32") })
    assert.is_true(check_data(plain:batch(2, { drop_remainder = true }), "node").ok)
  end)

  it("says that a short last batch is a second program", function()
    local model = compiled { pod.layers.dense(10) }
    local data = pod.data.from_tensor_slices({ pod.ones { 5, 8 }, pod.zeros({ 5 }, "int32") })
    local finding = find(model:check_tpu("v3", { data = data:batch(2) }), "dynamic shape", "batch")
    assert.matches("fit here compiles a second program for the last batch", finding.instead)
  end)

  it("prints what, where and what instead", function()
    local model = planted(function(_, x)
      return pod.boolean_mask(x, pod.greater(pod.sum(x, 1), 0))
    end)
    local text = tostring(check(model, "v3"))
    for _, piece in ipairs { "on v3 (vm host): refused", "/planted", "compatibility_spec.lua:", "instead: "
      .. "multiply" } do
      assert.truthy(text:find(piece, 1, true), text)
    end
  end)

  it("refuses options that are none", function()
    local model = planted(function(_, x) return x end)
    assert.error_matches(function() model:check_tpu "v33" end, "v33")
    assert.error_matches(function() model:check_tpu("v3", { host = "cloud" }) end, "there is no host")
    assert.error_matches(function() model:check_tpu("v3", { hst = "vm" }) end, "hst")
  end)
end)

describe("pod.op_rules", function()
  it("has a verdict for every op of the op table on every chip", function()
    for _, chip in ipairs { "v2", "v3", "v4", "v5e", "v5p", "v6e", "v7x" } do
      for _, host in ipairs { "vm", "node" } do
        local rules = pod.op_rules(chip, { host = host })
        assert(#rules >= 92)
        for _, rule in ipairs(rules) do
          assert.truthy(rule.support == "supported" or rule.support == "slow" or rule.support == "refused", rule.op)
          assert.equal(rule.support ~= "supported", rule.reason ~= nil and rule.instead ~= nil)
          assert.falsy((rule.instead or ""):find "pod%.", rule.op) -- programs of others are told, too
        end
      end
    end
  end)
end)

describe("pod.boolean_mask", function()
  it("picks what a mask is true for, as NumPy", function()
    local x = pod.tensor { { 1, 2 }, { 3, 4 }, { 5, 6 } }
    assert.same({ { 1, 2 }, { 5, 6 } }, pod.boolean_mask(x, pod.tensor({ true, false, true })):totable())
    local places = pod.tensor { { false, true }, { true, false }, { false, false } }
    assert.same({ 2, 3 }, pod.boolean_mask(x, places):totable())
    assert.same({ { 2 }, { 4 }, { 6 } }, pod.boolean_mask(x, pod.tensor { false, true }, { axis = 1 }):totable())
    assert.equal(0, pod.boolean_mask(x, pod.tensor { false, false, false }).shape[1])
  end)

  it("says what to write instead where a step is compiled", function()
    local step = pod.func(function(x)
      local kept = pod.boolean_mask(x, pod.greater(x, 0))
      return kept
    end)
    local ok, message = pcall(step, pod.ones { 3 })
    assert.falsy(ok)
    assert.truthy(message:find "compatibility_spec.lua:%d+: boolean_mask: .*masked_loss")
  end)

  it("wants a mask that fits", function()
    assert.error_matches(function() pod.boolean_mask(pod.ones { 3 }, pod.tensor { true, false }) end, "mask has "
      .. "shape %(2,%)")
    assert.error_matches(function() pod.boolean_mask(pod.ones { 3 }, pod.tensor(true)) end, "does not fit")
  end)
end)
