-- pod.advisor.verify_equivalence: whether replicas and parts of batches train the same.

local pod = require "moonpod"

local verify = pod.advisor.verify_equivalence

local x = pod.random.normal({ 128, 10 }, { seed = 3 })
local y = pod.tanh(pod.matmul(x, pod.random.normal({ 10, 4 }, { seed = 5 })))

-- A training by fit, with layers of one's own between two of its own.
local function fits(options, ...)
  local between = { ... }
  return function(case)
    local layers = { pod.layers.dense(8, { activation = "relu", input_shape = { 10 } }) }
    for _, make in ipairs(between) do
      layers[#layers + 1] = make()
    end
    layers[#layers + 1] = pod.layers.dense(4)
    local model = pod.models.sequential(layers)
    if options.parts then
      model:set_memory_options { micro_batches = case.accumulation }
    end
    model:compile { loss = "mse", optimizer = "adam" }
    model:fit(x, y, { batch_size = 64, verbose = 0, epochs = 2 })
    return model
  end
end

-- A loop of one's own; loss(losses, rows) makes the number to differentiate of the losses of a replica's rows.
local function loops(loss)
  return function(case)
    local w, sgd = pod.variable(pod.zeros { 10, 4 }, { name = "w" }), pod.optimizers.sgd(0.01)
    local step = pod.func(function(a, b)
      case.strategy:run(function(p, q)
        local tape, target = pod.tape(function()
          return loss(pod.sum(pod.square(pod.matmul(p, w) - q), 1), p)
        end)
        sgd:apply(tape:gradient(target, { w }), { w })
      end, { case.strategy:split(a), case.strategy:split(b) })
    end)
    for i = 0, 1 do
      local rows = ("%d:%d"):format(64 * i, 64 * i + 64)
      step(x:at(rows), y:at(rows))
    end
    return { w }
  end
end

local function verdicts(result)
  local list = {}
  for i, row in ipairs(result) do
    list[i] = ("%d/%d %s"):format(row.replicas, row.accumulation, row.problem and "fails" or row.equal and "equal"
      or row.agrees and "rounded" or "differs")
  end
  return table.concat(list, ", ")
end

describe("verify_equivalence", function()
  it("finds the same bits on any number of replicas, and parts within rounding", function()
    local result = verify(fits { parts = true }, { replicas = { 1, 2, 8 }, accumulation = 4 })
    assert.equal("1/1 equal, 2/1 equal, 8/1 equal, 1/4 rounded, 2/4 rounded, 8/4 rounded", verdicts(result))
    assert.same({ false, true }, { result.equal, result.agrees })
    assert.truthy(result[4].difference > 0 and result[4].relative < 1e-4)
    assert.matches("replicas +parts.*1 +1 +equal +what the others.*8 +1 +equal +the same bits\n"
      .. " +1 +4 +rounded +%d.- of .- in dense", tostring(result))
    assert.equal("1/1 equal, 2/1 equal, 4/1 equal, 8/1 equal", verdicts(verify(loops(function(losses)
      return losses:sum() / 64
    end))))
  end)

  it("finds a mean that is not divided by the global batch", function()
    -- of a kind that is refused where gradients are added up
    local result = verify(loops(function(losses)
      return pod.mean(losses)
    end), { replicas = { 1, 2 } })
    assert.equal("1/1 equal, 2/1 fails", verdicts(result))
    assert.matches("mean over each replica's own rows.*steps would be 2 times as long", result[2].problem)
    assert.matches("2 +1 +fails\nthe first failure: .*own rows", tostring(result))
    -- and one that only numbers tell
    result = verify(loops(function(losses, rows)
      return losses:sum() / rows.shape[1]
    end), { replicas = { 1, 4 } })
    assert.equal("1/1 equal, 4/1 differs", verdicts(result))
    assert.same({ false, false, "w" }, { result.equal, result.agrees, result[2].where })
    assert.truthy(result[2].relative > 0.5)
    assert.matches("4 +1 +DIFFERS", tostring(result))
  end)

  it("finds statistics of a replica's own rows, and none where they are of all", function()
    local function normalized(options)
      return fits({}, function()
        return pod.layers.batch_normalization(options)
      end)
    end
    assert.equal("1/1 equal, 4/1 differs", verdicts(verify(normalized {}, { replicas = { 1, 4 } })))
    assert.equal(true, verify(normalized { synchronized = true }, { replicas = { 1, 4 } }).agrees)
  end)

  it("compares numbers and tables of tensors, with a tolerance", function()
    local function close(case)
      return { a = { b = pod.tensor { 1, 1 + case.replicas / 1000 } }, c = 5 }
    end
    local result = verify(close, { replicas = { 1, 3 }, tolerance = 0.01 })
    assert.same({ false, true, "a.b" }, { result[2].equal, result[2].agrees, result[2].where })
    assert.near(0.002, result[2].difference, 1e-6)
    assert.is_false(verify(close, { replicas = { 1, 3 } }).agrees)
    assert.is_false(verify(function(case) return case.replicas == 1 and 1 or 0 / 0 end).agrees)
  end)

  it("leaves random numbers as they were", function()
    pod.random.set_seed(5)
    local expected = pod.random.uniform({}):item()
    pod.random.set_seed(5)
    verify(function() return pod.random.normal { 2 } end)
    assert.equal(expected, pod.random.uniform({}):item())
  end)

  it("says what is wrong", function()
    assert.error_matches(function() verify(5) end, "first argument must be a function")
    assert.error_matches(function() verify(function() end) end, "returned nil; return the model")
    assert.error_matches(function() verify(function() return {} end) end, "returned nothing")
    assert.error_matches(function() verify(function() return { a = "b" } end) end, "\"b\" at 'a'; return the model")
    assert.error_matches(function() verify(fits {}, { replicas = { 0 } }) end, "'replicas' must be whole numbers")
    assert.error_matches(function() verify(function() return 1 end, { accumulation = 2 }) end,
      "did not look at 'accumulation'")
    assert.error_matches(function() verify(function(case) return pod.ones { case.replicas } end) end,
      "'the value' is float32 %(2,%) on 2 replicas in 1 parts, and was float32 %(1,%)")
  end)
end)
