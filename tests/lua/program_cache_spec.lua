-- Programs on disk: a second start of a script compiles nothing, and computes the same bits.

local pod = require "moonpod"

local build = os.getenv "MOONPOD_BUILD"

local function quote(text)
  return "'" .. text:gsub("'", "'\\''") .. "'"
end

local function read_all(command)
  local pipe = assert(io.popen(command))
  local text = pipe:read "a"
  pipe:close()
  return text
end

-- A model that fit trains, a loop by hand on replicas, a compiled function with control flow, and eager operations.
-- Prints "compiled", "loaded" and "rejected", then a line of weights to the last bit.
local SCRIPT = [[
  local units, dtype, replicas, precision = ...
  local pod = require "moonpod"
  pod.random.set_seed(7)
  pod.mixed_precision.set_global_policy(dtype)
  pod.set_float32_matmul_precision(precision)
  local strategy = pod.distribute.mirrored(tonumber(replicas))
  local x = pod.random.uniform { 48, 6 }
  local y = pod.cast(pod.random.uniform({ 48 }, { maxval = 3 }), "int32")
  local function new_model()
    local model = pod.models.sequential {
      pod.layers.dense(tonumber(units), { activation = "relu", input_shape = { 6 } }),
      pod.layers.dropout(0.1),
      pod.layers.dense(3, { dtype = "float32" }),
    }
    model:compile { optimizer = "adam", metrics = { "accuracy" },
      loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
    return model
  end
  local model = strategy:scope(new_model)
  model:fit(x, y, { epochs = 2, batch_size = 16, verbose = 0 })
  local scores = model:evaluate(x, y, { batch_size = 16, verbose = 0 })
  model:predict(x, { batch_size = 16, verbose = 0 })

  local weight = pod.variable(pod.ones { 6, 3 })
  local optimizer = pod.optimizers.sgd { learning_rate = 0.1 }
  local loss_of = pod.losses.sparse_categorical_crossentropy { from_logits = true }
  local step = pod.func(function(inputs, labels)
    local tape, loss = pod.tape(function()
      return loss_of(labels, pod.matmul(inputs, weight))
    end)
    optimizer:apply_gradients { { tape:gradient(loss, weight), weight } }
    return loss
  end)
  for _ = 1, 3 do
    step(x, y)
  end
  local halved = pod.func(function(value)
    return pod.while_loop(function(v) return pod.sum(v):greater(1) end, function(v) return v * 0.5 end, { value })
  end)
  local small = halved(pod.ones { 5 })
  local info = pod.cache.info()
  local messages = pod.device.messages()
  assert(#messages >= math.min(info.rejected, 64) and #pod.device.messages() == 0)
  for _, message in ipairs(messages) do
    assert(message.level == "warning" and message.text:find(info.rejected > 0 and "the cached program is not used"
      or "the program is not kept"), message.text)
  end
  print(info.compiled, info.loaded, info.rejected)
  local words = {}
  local function add(t)
    for _, number in ipairs(pod.reshape(pod.cast(t, "float64"), { -1 }):totable()) do
      words[#words + 1] = ("%a"):format(number)
    end
  end
  for _, one in ipairs(model.weights) do
    add(one)
  end
  add(weight)
  print(table.concat(words, " "))
]]

-- Starts of the executable, all with one cache.
local function new_runner()
  local name = os.tmpname()
  os.remove(name)
  local script = name .. ".lua"
  local file = assert(io.open(script, "w"))
  file:write(SCRIPT)
  file:close()
  local self = { directory = name .. ".programs", script = script }

  -- Returns compiled, loaded, rejected and the line of weights.
  function self.start(options)
    options = options or {}
    local text = read_all(("MOONPOD_CACHE=%s %s %s %s %s %s %s %s"):format(quote(options.cache or self.directory),
      options.environment or "", quote(build .. "/moonpod"), quote(script), options.units or 8,
      options.policy or "float32", options.replicas or 2, options.precision or "highest") .. " 2>&1")
    local compiled, loaded, rejected, weights = text:match "(%d+)\t(%d+)\t(%d+)\n([^\n]+)\n$"
    assert(compiled, text)
    return tonumber(compiled), tonumber(loaded), tonumber(rejected), weights
  end

  function self.close()
    os.execute("rm -rf " .. quote(self.directory) .. " " .. quote(script))
  end

  return self
end

describe("the cache of programs", function()
  if not build then
    pending "needs MOONPOD_BUILD"
    return
  end

  local runner
  before_each(function() runner = new_runner() end)
  after_each(function() runner.close() end)

  it("makes a second start compile nothing, with the same bits", function()
    local compiled, loaded, _, weights = runner.start()
    assert.is_true(compiled > 5)
    local again, from_disk, rejected, same = runner.start()
    assert.equal(0, again)
    assert.equal(0, rejected)
    assert.equal(compiled + loaded, from_disk)
    assert.equal(weights, same)
    local _, _, _, without = runner.start { cache = "off" }
    assert.equal(weights, without)
  end)

  it("misses where anything differs that is compiled", function()
    runner.start()
    local changes = {
      { units = 9 }, { policy = "mixed_bfloat16" }, { replicas = 3 }, { precision = "high" },
      { environment = "MOONPOD_ISA=portable" },
    }
    for i, change in ipairs(changes) do
      local compiled = runner.start(change)
      assert.is_true(compiled > 0, "change " .. i .. " hit")
      local again = runner.start(change)
      assert.equal(0, again)
    end
  end)

  it("compiles anew what is damaged, and says so", function()
    local compiled, _, _, weights = runner.start()
    os.execute(("for f in %s/*.program; do printf x | dd of=$f bs=1 seek=100 conv=notrunc 2>/dev/null; done"):format(
      quote(runner.directory)))
    local again, loaded, rejected, same = runner.start()
    assert.equal(compiled, again)
    assert.equal(0, loaded)
    assert.equal(compiled, rejected)
    assert.equal(weights, same)
    assert.equal(0, (runner.start()))
  end)

  it("is left out where its directory cannot be written", function()
    local compiled = runner.start { cache = "/dev/null/programs" }
    assert.is_true(compiled > 5)
  end)

  it("is shared by processes that run at once", function()
    local one = ("MOONPOD_CACHE=%s %s %s 8 float32 2 highest | tail -n 1"):format(quote(runner.directory),
      quote(build .. "/moonpod"), quote(runner.script))
    local lines = {}
    for line in read_all(("(%s) & (%s) & (%s) & wait"):format(one, one, one)):gmatch "[^\n]+" do
      lines[#lines + 1] = line
    end
    assert.same({ lines[1], lines[1], lines[1] }, lines)
    local again, _, rejected = runner.start()
    assert.equal(0, again)
    assert.equal(0, rejected)
  end)

  it("is told of by pod.cache and the report", function()
    local text = read_all(("MOONPOD_CACHE=%s %s -e %s 2>&1"):format(quote(runner.directory), quote(build .. "/moonpod"),
      quote [[
        local pod = require "moonpod"
        local double = pod.func(function(x) return x + x end, { name = "double" })
        double(pod.ones { 3 })
        print(pod.cache.info().files > 0, double:traces()[1].from_cache)
        pod.device.configure { cache = false }
        print(pod.cache.info().directory, pod.cache.clear())
        pod.device.configure { cache = true }
        local twice = pod.func(function(x) return x + x end, { name = "twice" })
        twice(pod.ones { 3 })
        print(twice:traces()[1].from_cache)
        print((tostring(pod.compile_report()):match "twice.-loaded from disk"))
        print(pod.cache.clear() > 0, pod.cache.info().files)
      ]]))
    assert.truthy(text:find("^true\tfalse\nnil\t0\ntrue\ntwice.-first call; loaded from disk\ntrue\t0\n$"), text)
  end)
end)

describe("in a host that did not ask for it", function()
  it("no program is kept", function()
    assert.is_nil(pod.cache.info().directory)
    assert.equal(0, pod.cache.clear())
    assert.same({}, pod.device.messages())
    assert.has_error(function() pod.device.configure { cache = 3 } end)
    assert.error_matches(function() pod.device.configure { isa = "sse9" } end, "kernels of '[%w_]+' are in use already")
  end)
end)
