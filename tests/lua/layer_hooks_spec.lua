-- Hooks of layers (layer:hook): what a layer gives and takes and the gradients, by hand and in compiled steps.

local pod = require "moonpod"

-- A hook that keeps what it is called with: a tensor's elements, or those of a table of tensors.
local function keeper(list)
  return function(value)
    local kept = {}
    if value.shape then
      kept = value:totable()
    else
      for key, t in pairs(value) do
        kept[key] = t:totable()
      end
    end
    list[#list + 1] = kept
  end
end

-- A layer of `x * 2` and a model of it that sums: d(loss)/d(output) of loss "mse" is 2 (y - 0) / rows.
local function doubling(options)
  local hidden = pod.layers.dense(1, { use_bias = false, kernel_initializer = pod.initializers.constant(2),
    name = "hidden" })
  local model = pod.models.sequential { hidden }
  local all = { loss = "mse", optimizer = pod.optimizers.sgd(0) }
  for key, value in pairs(options or {}) do
    all[key] = value
  end
  model:compile(all)
  return hidden, model
end

local X, ZEROS = { { 1 }, { 2 }, { 3 }, { 4 }, { 5 }, { 6 } }, { { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, { 0 } }

local function fit(model, options)
  local all = { verbose = 0, shuffle = false, batch_size = 4 }
  for key, value in pairs(options or {}) do
    all[key] = value
  end
  return model:fit(pod.tensor(X, "float32"), pod.tensor(ZEROS, "float32"), all)
end

-- What doubling gives for the two batches of X, and the gradients by it.
local OUTPUTS = { { { 2 }, { 4 }, { 6 }, { 8 } }, { { 10 }, { 12 } } }
local GRADIENTS = { { { 1 }, { 2 }, { 3 }, { 4 } }, { { 10 }, { 12 } } }

describe("layer:hook", function()
  it("gives what a layer gives and takes at once where it is called by hand", function()
    local hidden = doubling()
    local outputs, inputs = {}, {}
    hidden:hook("output", keeper(outputs))
    hidden:hook("input", keeper(inputs))
    hidden(pod.tensor { { 1 }, { 3 } })
    assert.same({ { { 2 }, { 6 } } }, outputs)
    assert.same({ { { 1 }, { 3 } } }, inputs)
  end)

  it("gives gradients of a tape, by output, input and weights", function()
    local hidden = doubling()
    local outputs, inputs, weights = {}, {}, {}
    hidden:hook("gradient", keeper(outputs))
    hidden:hook("input_gradient", keeper(inputs))
    hidden:hook("weight_gradients", keeper(weights))
    local x = pod.variable { { 1 }, { 3 } }
    local tape, loss = pod.tape(function() return pod.sum(hidden(x:value()) * 5) end)
    local found = tape:gradient(loss, { x, hidden.kernel })
    assert.same({ { 10 }, { 10 } }, found[1]:totable())
    assert.same({ { { 5 }, { 5 } } }, outputs)
    assert.same({ { { 10 }, { 10 } } }, inputs)
    assert.same({}, weights)
    pod.optimizers.sgd(0.5):apply({ found[2] }, { hidden.kernel })
    assert.same({ { ["hidden/kernel"] = { { 20 } } } }, weights)
  end)

  for _, replicas in ipairs { 1, 2, 4 } do
    it(("gives each step of fit all rows on %d replicas"):format(replicas), function()
      pod.distribute.mirrored(replicas):scope(function()
        local hidden, model = doubling()
        local outputs, gradients, weights = {}, {}, {}
        hidden:hook("output", keeper(outputs))
        hidden:hook("gradient", keeper(gradients))
        hidden:hook("weight_gradients", keeper(weights))
        fit(model)
        assert.same(OUTPUTS, outputs)
        assert.same(GRADIENTS, gradients)
        assert.same({ { ["hidden/kernel"] = { { 30 } } }, { ["hidden/kernel"] = { { 122 } } } }, weights)
      end)
    end)
  end

  for name, options in pairs { eagerly = { run_eagerly = true }, ["in executions"] = { steps_per_execution = 5 } } do
    it("gives each step of a model that runs " .. name, function()
      local hidden, model = doubling(options)
      local outputs, gradients = {}, {}
      hidden:hook("output", keeper(outputs))
      hidden:hook("gradient", keeper(gradients))
      fit(model)
      assert.same(OUTPUTS, outputs)
      assert.same(GRADIENTS, gradients)
    end)
  end

  it("gives each step of a run in the background, of evaluate and of predict", function()
    local hidden, model = doubling()
    local outputs = {}
    hidden:hook("output", keeper(outputs))
    fit(model, { background = "stepped" }):wait()
    model:evaluate(pod.tensor(X, "float32"), pod.tensor(ZEROS, "float32"), { verbose = 0, batch_size = 6 })
    model:predict(pod.tensor(X, "float32"), { verbose = 0, batch_size = 6 })
    assert.equal(4, #outputs)
    assert.same(OUTPUTS[1], outputs[1])
    assert.same(outputs[3], outputs[4])
  end)

  it("gives what measure makes of a value in the step, one a replica", function()
    pod.distribute.mirrored(2):scope(function()
      local hidden, model = doubling()
      local found = {}
      hidden:hook("output", keeper(found), { measure = function(y)
        return { mean = pod.mean(y), rows = y }
      end })
      fit(model)
      assert.same({ { mean = { 3, 7 }, rows = OUTPUTS[1] }, { mean = { 10, 12 }, rows = OUTPUTS[2] } }, found)
    end)
  end)

  it("sees a cell within its loop, each call of a shared layer, and values of several tensors", function()
    for _, replicas in ipairs { 1, 2 } do
      pod.distribute.mirrored(replicas):scope(function()
        local x = pod.layers.input { 3, 2 }
        local shared, states = pod.layers.dense(4), pod.layers.lstm(4, { return_state = true })(x)
        local y = pod.layers.add() { shared(pod.layers.rnn(pod.layers.gru_cell(4))(x)), shared(shared(states[1])) }
        local model = pod.models.functional { inputs = x, outputs = y }
        model:compile { loss = "mse", optimizer = "sgd" }
        local counts = {}
        for _, layer in ipairs(model.layers) do
          local what = layer.class_name
          layer:hook("gradient", function(value)
            counts[what] = (counts[what] or 0) + 1
            if what == "LSTM" then
              assert.equal("(4, 4) (4, 4) (4, 4)", table.concat({ tostring(value[1].shape), tostring(value[2].shape),
                tostring(value[3].shape) }, " "))
            end
          end)
          if what == "RNN" then
            layer.cell:hook("output", function() counts.cell = (counts.cell or 0) + 1 end)
          end
        end
        model:fit(pod.ones { 4, 3, 2 }, pod.ones { 4, 4 }, { verbose = 0 })
        assert.same({ Dense = 3, LSTM = 1, RNN = 1, Add = 1, cell = 3 },
          { Dense = counts.Dense, LSTM = counts.LSTM, RNN = counts.RNN, Add = counts.Add, cell = counts.cell })
      end)
    end
  end)

  it("changes no number that is computed, and leaves nothing in a step when it is removed", function()
    local function train(with_hooks)
      pod.random.set_seed(3)
      local hidden = pod.layers.dense(8, { activation = "tanh" })
      local model = pod.models.sequential { hidden, pod.layers.dropout(0.5), pod.layers.dense(1) }
      model:compile { loss = "mse", optimizer = "adam" }
      local hooks = {}
      for i, what in ipairs(with_hooks and { "output", "gradient", "weight_gradients" } or {}) do
        hooks[i] = hidden:hook(what, function() end)
      end
      fit(model)
      for _, hook in ipairs(hooks) do
        hook:remove()
      end
      fit(model)
      return model
    end
    local plain, hooked = train(false), train(true)
    for i, weight in ipairs(plain.weights) do
      assert.same(weight:totable(), hooked.weights[i]:totable())
    end
  end)

  it("may be removed by its own function", function()
    local hidden, model = doubling()
    local count, hook = 0, nil
    hook = hidden:hook("output", function()
      count = count + 1
      hook:remove()
    end)
    assert.equal("<hook of layer 'hidden': its output>", tostring(hook))
    fit(model)
    hook:remove()
    assert.equal(1, count)
    assert.equal("<hook of layer 'hidden': its output, removed>", tostring(hook))
  end)

  it("is no part of reports and exports", function()
    local hidden, model = doubling()
    model:build { -1, 1 }
    local count = 0
    hidden:hook("output", function() count = count + 1 end)
    assert.equal("fits", model:memory_report("v5e", { batch = 8 }).verdict)
    local path = os.tmpname() .. ".safetensors"
    model:export(path)
    assert.same({ { 2 }, { 6 } }, pod.load_exported(path)(pod.tensor { { 1 }, { 3 } }):totable())
    os.remove(path)
    assert.equal(0, count)
  end)

  it("refuses by name what it cannot do", function()
    local hidden, model = doubling()
    local function refused(words, fn)
      local ok, message = pcall(fn)
      assert.is_false(ok)
      assert.truthy(tostring(message):find(words, 1, true), message)
    end
    refused("did you mean 'output'?", function() hidden:hook("outputs", print) end)
    refused("must be a function, not nil", function() hidden:hook("output") end)
    hidden(pod.ones { 1, 1 })
    local hook = hidden:hook("output", function(value) return value end)
    refused("layer 'hidden': the hook of its output returned a tensor", function() fit(model) end)
    hook:remove()
    hook = hidden:hook("output", function() error("too large", 0) end)
    refused("too large", function() fit(model) end)
    hook:remove()
    hook = hidden:hook("output", print)
    refused("hooks of layers tell nobody", function()
      pod.data.from_tensor_slices(pod.ones { 4, 1, 1 }):map(function(x) return hidden(x) end)
    end)
    hook:remove()
    local mesh = pod.distribute.mesh({ 1, 2 }, { "data", "model" })
    local map = pod.distribute.layout_map(mesh)
    map["hidden/kernel"] = { "model", nil }
    pod.distribute.model_parallel({ layout_map = map }):scope(function()
      local divided, whole = doubling()
      divided:hook("output", print)
      refused("a strategy that divides values among cores", function()
        whole:fit(pod.ones { 4, 2 }, pod.ones { 4, 1 }, { verbose = 0 })
      end)
    end)
  end)
end)

describe("pod.print", function()
  it("tells of values in a branch and on several replicas", function()
    local seen, hook = {}, require("moonpod.tensor.trace").print_hook
    require("moonpod.tensor.trace").print_hook = function(label, t)
      seen[#seen + 1] = { label, t:totable() }
    end
    local ok, message = pcall(function()
      pod.func(function(x)
        return pod.cond(pod.greater(pod.sum(x), 0), function() return pod.print("x", x) end, function() return x end)
      end)(pod.tensor { 1, 2 })
      local strategy = pod.distribute.mirrored(2)
      pod.func(function(x)
        return strategy:run(function(own) return pod.print("own", own) end, { strategy:split(x) })
      end)(pod.tensor { 1, 2, 3 })
    end)
    require("moonpod.tensor.trace").print_hook = hook
    assert(ok, message)
    assert.same({ { "x", { 1, 2 } }, { "own", { 1, 2, 3 } } }, seen)
  end)
end)
