-- Models and weights as strings: the bytes of their files, read by the same rules.

local pod = require "moonpod"

local L = pod.layers

local function trained()
  local model = pod.models.sequential { L.input { shape = { 3, 2 }, batch_size = 4 },
    L.lstm(2, { stateful = true, name = "kept" }), L.dense(1, { name = "last" }) }
  model:compile { optimizer = "adam", loss = "mse" }
  model:fit(pod.random.uniform { 8, 3, 2 }, pod.ones { 8, 1 }, { verbose = 0, batch_size = 4, shuffle = false })
  return model
end

local function contents_of(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read "*a"
  file:close()
  return text
end

describe("a string", function()
  it("has the bytes of the file, and makes a model that goes on as the first", function()
    local path, model = os.tmpname() .. ".safetensors", trained()
    model:save(path)
    local text = model:to_string()
    assert.equal(contents_of(path), text)
    model:save_weights(path)
    assert.equal(contents_of(path), model:weights_to_string())
    os.remove(path)
    local x, y = pod.random.uniform { 8, 3, 2 }, pod.ones { 8, 1 }
    local again = pod.models.from_string(text)
    local options = { verbose = 0, batch_size = 4, epochs = 2, shuffle = false }
    assert.same(model:fit(x, y, options).history, again:fit(x, y, options).history)
    local plain = pod.models.from_string(model:to_string { include_optimizer = false })
    assert.is_nil(plain.optimizer)
    assert.is_nil(pod.models.from_string(text, { compile = false }).optimizer)
  end)

  it("gives weights to a model of the same layers", function()
    local model, other = trained(), trained()
    other:weights_from_string(model:weights_to_string())
    for i, weight in ipairs(model:get_weights()) do
      assert.equal(weight:data(), other:get_weights()[i]:data())
    end
    local wide = pod.models.sequential { L.dense(3, { input_shape = { 2 }, name = "last" }) }
    assert.error_matches(function() wide:weights_from_string(model:weights_to_string()) end,
      "'the string' has the weights of another model.*nothing was loaded")
  end)

  it("that is damaged is refused, and nothing changes", function()
    local model = trained()
    local text, weights = model:to_string(), model:weights_to_string()
    local before = model:weights_to_string()
    for _, bad in ipairs { "", "text", text:sub(1, -2), text .. "\0", ("\255"):rep(8) .. text:sub(9),
      (text:gsub('"F32"', '"F99"', 1)), (text:gsub("Sequential", "Sequentiel")) } do
      assert.error_matches(function() pod.models.from_string(bad) end, "the string")
    end
    for _, bad in ipairs { "", weights:sub(1, -5), weights:sub(2), (weights:gsub("kernel", "kernal", 1)) } do
      assert.error_matches(function() model:weights_from_string(bad) end, "the string")
    end
    assert.equal(before, model:weights_to_string())
    assert.error_matches(function() pod.models.from_string(weights) end, "it was not written by save")
    assert.error_matches(function() pod.models.from_string(5) end, "the text must be a string")
    assert.error_matches(function() model:weights_from_string() end, "the text must be a string")
    assert.error_matches(function() pod.models.from_string(text, { compiled = true }) end, "did you mean 'compile'")
  end)

  it("is what a script in a sandbox has in the place of files", function()
    local script = [[
      local model = pod.models.from_string(...)
      local ok, message = pcall(pod.models.from_string, (...):sub(1, -2))
      return model:count_params(), ok, message, model:to_string()
    ]]
    local model = trained()
    local count, ok, message, text = pod.sandbox.new():run(script, model:to_string())
    assert.equal(model:count_params(), count)
    assert.is_false(ok)
    assert.truthy(message:find "the string")
    assert.equal(model:to_string(), text)
  end)
end)
