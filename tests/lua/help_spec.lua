-- Help: texts where things are declared, what is read from them, and that they are there.

local pod = require "moonpod"
local commands = require "moonpod.session.commands"
local complete = require "moonpod.session.complete"
local help = require "moonpod.help"

local function has(text, part)
  assert(tostring(text):find(part, 1, true), ("%q is not in:\n%s"):format(part, tostring(text)))
end

-- The option of a name that a callable has.
local function option(value, name)
  for _, one in ipairs(help.options(value)) do
    if one.name == name then
      return one
    end
  end
end

describe("options of a callable", function()
  it("are read from where they are declared: layers", function()
    local units = option(pod.layers.dense, "units")
    assert.equal(1, units.place)
    assert.is_true(units.required)
    local use_bias = option(pod.layers.dense, "use_bias")
    assert.equal("boolean", use_bias.type)
    assert.equal("true", use_bias.default)
    assert.same({ "valid", "same" }, option(pod.layers.conv2d, "padding").values)
    assert.is_true(option(pod.layers.dense, "trainable").common)
  end)

  it("are read from where they are declared: constructors and functions", function()
    assert.equal("0.9", option(pod.optimizers.adam, "beta_1").default)
    assert.equal('"ROC"', option(pod.metrics.auc, "curve").default)
    assert.equal('"val_loss"', option(pod.callbacks.early_stopping, "monitor").default)
    assert.equal(2, option(pod.schedules.exponential_decay, "decay_steps").place)
    assert.equal("number", option(pod.allclose, "rtol").type)
    assert.equal("integer", option(pod.initializers.he_normal, "seed").type)
    local model = pod.models.sequential { pod.layers.dense(1) }
    assert.truthy(option(model.fit, "validation_split"))
    assert.truthy(option(model.compile, "optimizer").values)
    assert.truthy(option(pod.data.range(3).interleave, "cycle_length"))
  end)

  it("have names of things as values", function()
    local function offers(list, wanted)
      for _, one in ipairs(list) do
        if one == wanted then
          return true
        end
      end
    end
    assert.truthy(offers(option(pod.layers.dense, "activation").values, "relu"))
    assert.truthy(offers(option(pod.layers.dense, "kernel_initializer").values, "he_normal"))
    assert.truthy(offers(option(pod.layers.dense, "dtype").values, "bfloat16"))
  end)
end)

-- Runs `test` with a file of a user's, loaded, whose globals are in a table.
local function with_file(text, test)
  local path = os.tmpname()
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
  local globals = setmetatable({ pod = pod }, { __index = _G })
  local chunk
  if setfenv then -- luacheck: ignore
    chunk = setfenv(assert(loadfile(path)), globals) -- luacheck: ignore
  else
    chunk = assert(loadfile(path, "t", globals))
  end
  chunk()
  local ok, failure = pcall(test, globals)
  os.remove(path)
  assert(ok, failure)
end

local MINE = [[
--- Scales by a number. More of it.
---@param x tensor what is scaled
---@param options.by number how much (default 2)
---@return tensor of x's shape
--- ```lua
--- scale(pod.ones { 2 })
--- ```
function scale(x, options)
  return x * (options and options.by or 2)
end

--- Doubles what comes.
Double = pod.layers.subclass {
  name = "Double",
  call = function(_, x)
    return x * 2
  end,
}

-- A stack of values.
local Stack = {}
Stack.__index = Stack

-- Puts a value on it.
function Stack:push(value)
  self[#self + 1] = value
end

stack = setmetatable({}, Stack)
]]

describe("help", function()
  it("tells of a user's own functions and classes", function()
    with_file(MINE, function(globals)
      local text = tostring(help.show(globals.scale))
      has(text, "Scales by a number. More of it.")
      has(text, "x  tensor  what is scaled")
      has(text, "by  number  how much (default 2)")
      has(text, "returns  tensor, of x's shape")
      has(text, "  scale(pod.ones { 2 })")
      has(help.of_name("scale", globals), "scale")
      has(help.show(globals.Double), "Doubles what comes.")
      has(help.show(globals.Double()), "Doubles what comes.")
      has(help.show(globals.stack), "A stack of values.")
      has(help.show(globals.stack), ":push  Puts a value on it.")
      has(help.of_name("stack:push", globals), "Puts a value on it.")
      has(help.source(globals.scale), "function scale(x, options)\n  return x")
      assert.equal("Scales by a number.", help.line(globals.scale))
    end)
  end)

  it("says what a name could have been, and finds names", function()
    local ok, message = pcall(help.of_name, "pod.losses.hubber")
    assert.is_false(ok)
    has(message, "huber")
    has(help.search "*crossentropy", "pod.losses.binary_crossentropy")
    has(help.search "nothing*like*this", "no name is like")
    has(help.show(), "pod.layers")
    has(help.show(3), "a number")
    has(help.show "pod.help", "pod.help(value?)")
  end)

  it("says what is here in the place of names of Keras, PyTorch and JAX", function()
    for name, place in pairs { GradientTape = "pod.tape", ["tf.data.TFRecordDataset"] = "pod.data.tfrecord",
      DataLoader = "pod.data.from_tensor_slices { x, y }:batch(32)", ["nn.Linear"] = "pod.layers.dense",
      vmap = "pod.func" } do
      assert.error_matches(function() help.show(name) end, "there is no '.-'; here it is " .. place:gsub("%p", "%%%0"))
    end
  end)

  it("knows a name without its beginning: a method, or as Keras writes it", function()
    for name, here in pairs { ["keras.layers.Dense"] = "pod.layers.dense", ["torch.nn.Linear"] = "pod.layers.dense",
      ["tf.GradientTape"] = "pod.tape", ["tf.keras.callbacks.EarlyStopping"] = "pod.callbacks.early_stopping",
      ["numpy.mean"] = "pod.mean" } do
      assert.error_matches(function() help.show(name) end, "there is no '" .. name .. "'; here it is " .. here)
    end
    has(help.show "fit", "model:fit(x, y?, options?)")
    has(help.show "model.fit", "model:fit(x, y?, options?)")
    has(help.show "EarlyStopping", "pod.callbacks.early_stopping(")
    has(help.source_of_name "step", "function methods:step(options)")
    has(help.show "save", "dataset:save")
    has(help.show "save", "model:save")
    assert.has_error(function() help.source_of_name "save" end)
    assert.error_matches(function() help.show "nothing_like_this" end, "names$")
  end)

  it("answers ?name, name?, ??name and ?*part*", function()
    local host = { load = require }
    has(commands.run("?pod.layers.dense", host), "pod.layers.dense(units, options?)")
    has(commands.run("layers.dense?", host), "pod.layers.dense(units, options?)")
    has(commands.run("??pod.allclose", host), "function ops.allclose(a, b, options)")
    has(commands.run("?*dense*", host), "pod.layers.einsum_dense")
    has(commands.run("?", host), "pod.losses")
    has(commands.run("?model:fit", host), "validation_split")
  end)

  it("stands beside what completion offers", function()
    local _, found = complete.candidates("pod.hel", { late = { pod = function() return pod end } })
    assert.equal("help", found[1].text)
    has(found[1].help, "The help of a value or a name")
  end)
end)
