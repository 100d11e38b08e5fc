-- device_limits - what a host allows: memory, files, messages of the library.

local pod = require "moonpod"
local core = require "moonpod.core"

local function folder()
  local name = os.tmpname()
  os.remove(name)
  assert(os.execute("mkdir -p '" .. name .. "/root/inner' '" .. name .. "/outside'"))
  return name
end

local function write(path, text)
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
end

-- Runs a chunk in a process of its own: what configure sets stays.
local function run(chunk)
  local script = os.tmpname()
  write(script, chunk)
  local lua = os.getenv "MOONPOD_SPECS_RUN_BY" or "lua5.4"
  local command = ("env -u MOONPOD_SHORT_RUN '%s' '%s' 2>&1"):format(lua, script)
  local pipe = assert(io.popen(command))
  local text = pipe:read "*a"
  pipe:close()
  os.remove(script)
  return text
end

describe("a folder of all files", function()
  local base, context
  before_each(function()
    base = folder()
    context = core.context { threads = 1, files = base .. "/root" }
    write(base .. "/outside/secret", "secret")
    write(base .. "/root/open", "open")
    os.execute("cd '" .. base .. "/root' && ln -s ../outside link && ln -s ../outside/secret secret && ln -s open in")
  end)
  after_each(function()
    context:close()
    os.execute("rm -rf '" .. base .. "'")
  end)

  it("opens and deletes files for those that Lua reads and writes", function()
    local path = os.tmpname()
    local where, name = path:match "^(.*)/([^/]*)$"
    local own = core.context { files = where }
    local opened = assert(core.open_file(own, name, "w"))
    local file = assert(io.open(opened:path(), "wb"))
    assert(os.rename(path, path .. "x")) -- whatever has the name
    assert(file:write "text")
    assert(file:close())
    opened:close()
    file = assert(io.open(path .. "x"))
    assert.equal("text", file:read "*a")
    file:close()
    assert.is_true(core.remove_file(own, name .. "x"))
    assert.same(2, (select(3, core.remove_file(own, name .. "x"))))
    assert.same(2, (select(3, core.open_file(own, name .. "x", "r"))))
    assert.is_nil((core.open_file(own, "/etc/passwd", "r")))
    assert.has_error(function() core.open_file(own, name, "r+") end)
  end)

  it("is where relative paths begin and where absolute ones must lie", function()
    assert.equal("open", core.file_read(context, "open"))
    assert.equal("open", core.file_read(context, base .. "/root/./open"))
    core.file_write(context, "inner/new", "new")
    assert.equal("new", core.file_read(context, base .. "/root/inner/new"))
    core.make_folder(context, "a/b/c")
    core.rename_file(context, "inner/new", "a/b/c/new")
    assert.equal("new", core.file_read(context, "a/b/c/new"))
    assert.equal(base .. "/root/x", context:locate "x")
  end)

  it("is not left by '..', symbolic links or other names", function()
    for _, path in ipairs { "../outside/secret", "inner/../../outside/secret", "link/secret", "secret", "in",
      base .. "/outside/secret", base .. "/root/../outside/secret", base .. "/rootless", "/etc/passwd", "..",
      "link/../open", "inner/.." } do
      for name, try in pairs {
        read = function() return core.file_read(context, path) end,
        write = function() core.file_write(context, path, "gone") end,
        folder = function() core.make_folder(context, path .. "/made") end,
        rename = function() core.rename_file(context, "open", path) end,
        event = function() core.event_writer(context, path .. "/logs") end,
        locate = function() context:locate(path) end,
      } do
        local ok, message = pcall(try)
        assert.is_false(ok, name .. " of " .. path)
        assert.truthy(tostring(message):find("is outside of", 1, true), name .. ": " .. tostring(message))
      end
    end
    assert.equal("open", core.file_read(context, "open"))
    local file = assert(io.open(base .. "/outside/secret"))
    assert.equal("secret", file:read "*a")
    file:close()
  end)

  it("can be narrowed, never widened", function()
    context:limit { files = base .. "/root/inner" }
    assert.has_error(function() core.file_read(context, base .. "/root/open") end)
    for _, wider in ipairs { base .. "/root", base, "/" } do
      assert.error_matches(function() context:limit { files = wider } end, "is not within it")
    end
    context:limit { files = false }
    assert.error_matches(function() core.file_read(context, "open") end, "files are switched off")
    assert.error_matches(function() context:limit { files = base .. "/root" } end, "is not within it")
    assert.error_matches(function() core.context { files = base .. "/nowhere" } end, "there is no folder")
  end)

  it("is kept by everything that reads and writes, under configure", function()
    local text = run(([[
      local pod = require "moonpod"
      pod.device.configure { files = %q, threads = 1 }
      local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
      model:save_weights "weights.safetensors"
      model:load_weights "weights.safetensors"
      for _, try in ipairs {
        function() model:save_weights "../weights.safetensors" end,
        function() model:load_weights "secret" end,
        function() model:save "/tmp/moonpod-escape.safetensors" end,
        function() pod.callbacks.csv_logger("../log.csv"):on_train_begin {} end,
        function() pod.datasets.kjv_text() end,
        function() pod.data.list_files("../outside/*"):iterator():next_element() end,
        function() pod.data.list_files("link/*"):iterator():next_element() end,
        function() pod.device.configure { files = "/" } end,
      } do
        local ok, message = pcall(try)
        io.write(tostring(ok), " ", (tostring(message):gsub("\n.*", "")), "\n")
      end
      io.write "ended\n"
    ]]):format(base .. "/root"))
    assert.truthy(text:find("ended", 1, true), text)
    assert.is_nil(text:find("true", 1, true), text)
    assert.truthy(io.open(base .. "/root/weights.safetensors"))
  end)
end)

describe("a limit of memory", function()
  it("is told with what asked for more, and leaves the rest usable", function()
    local context = core.context { threads = 1, memory_limit = 2 ^ 20 }
    local small = core.buffer(context, 1.5, "float32", { 1000 })
    assert.error_matches(function() core.buffer(context, 0, "float32", { 1000000 }) end,
      "a buffer float32 %(1000000,%) needs 4000000 bytes, and there is no memory")
    assert.equal(1.5, small:item(999))
    assert.is_true(context:memory().current_bytes <= 2 ^ 20)
    assert.equal(2 ^ 20, context:memory().limit_bytes)
    context:limit { memory_limit = 16 * 2 ^ 20 }
    local large = core.buffer(context, 0, "float32", { 1000000 })
    context:limit { memory_limit = 1000 }
    assert.has_error(function() core.buffer(context, 0, "float32", { 10 }) end)
    context:limit { memory_limit = 0 }
    core.buffer(context, 0, "float32", { 10 }):close()
    large:close()
    small:close()
    context:close()
    assert.has_error(function() core.context { memory_limit = -1 } end)
  end)

  it("leaves variables whole and the model usable, under configure", function()
    local text = run [[
      local pod = require "moonpod"
      pod.random.set_seed(1)
      local model = pod.models.sequential { pod.layers.dense(64, { input_shape = { 32 } }), pod.layers.dense(2) }
      model:compile { optimizer = "adam", loss = "mse" }
      local x, y = pod.ones { 8, 32 }, pod.ones { 8, 2 }
      model:fit(x, y, { epochs = 1, verbose = 0 })
      local function sum()
        local total = 0
        for _, v in ipairs(model.variables) do total = total + pod.sum(pod.cast(v:value(), "float64")):item() end
        return total
      end
      local before = sum()
      pod.device.configure { memory_limit = pod.device.memory().current_bytes + 2 ^ 20 }
      local ok, message = pcall(function() return pod.ones { 4096, 4096 }:totable() end)
      io.write(tostring(ok), " ", tostring(message), "\n")
      io.write("same ", tostring(before == sum()), "\n")
      model:fit(x, y, { epochs = 1, verbose = 0 })
      io.write "ended\n"
    ]]
    assert.truthy(text:find("false ", 1, true), text)
    assert.truthy(text:find("no memory below the limit of %d+ bytes"), text)
    assert.truthy(text:find("same true\nended", 1, true), text)
  end)
end)

describe("limits of memory from too little to enough", function()
  it("leave variables and files whole at each", function()
    local base = folder()
    local text = run(([[
      local pod = require "moonpod"
      pod.random.set_seed(1)
      pod.device.configure { threads = 2, short_run_nanoseconds = -1 }
      local path = %q .. "/w.safetensors"
      local function new_model()
        local model = pod.models.sequential { pod.layers.dense(64, { input_shape = { 32 } }), pod.layers.dense(2) }
        model:compile { optimizer = "adam", loss = "mse" }
        return model
      end
      local x, y = pod.ones { 8, 32 }, pod.ones { 8, 2 }
      x:data() y:data()
      local function weights(model)
        local list = {}
        for i, v in ipairs(model.trainable_variables) do list[i] = v:value():data() end
        return table.concat(list)
      end
      local failed, survived = 0, 0
      for step = 0, 40 do
        pod.device.configure { memory_limit = 0 }
        pod.random.set_seed(1)
        local model = new_model()
        local before = weights(model)
        collectgarbage() collectgarbage()
        pod.device.configure { memory_limit = pod.device.memory().current_bytes + step * 12000 + 1 }
        local fitted, message = pcall(model.fit, model, x, y, { epochs = 1, verbose = 0 })
        local saved, told = pcall(model.save_weights, model, path)
        pod.device.configure { memory_limit = 0 }
        for _, text in ipairs { not fitted and message or "memory", not saved and told or "memory" } do
          assert(tostring(text):find "memory", text)
        end
        local after = weights(model)
        if fitted then assert(after ~= before) end
        if saved then
          local other = new_model()
          other:load_weights(path)
          assert(weights(other) == after)
        end
        -- a step was done whole or not at all: the same step gives the same weights
        if after == before then
          model:fit(x, y, { epochs = 1, verbose = 0 })
          after = weights(model)
        end
        whole = whole or after
        assert(after == whole, "a step was half done")
        failed, survived = failed + (fitted and 0 or 1) + (saved and 0 or 1), survived + (fitted and saved and 1 or 0)
      end
      io.write(failed, " failed, ", survived, " survived\n")
    ]]):format(base))
    os.execute("rm -rf '" .. base .. "'")
    local failed, survived = text:match "^(%d+) failed, (%d+) survived\n$"
    assert(failed, text)
    assert.is_true(tonumber(failed) > 5 and tonumber(survived) > 0, text)
  end)
end)

describe("a deadline", function()
  it("ends loops of programs, and refuses steps that would take longer", function()
    local context = core.context { threads = 1 }
    local graph = core.graph(context, "loop")
    local x = graph:parameter("float32", { 64, 64 }, "x")
    graph:output((graph:matmul(x, x)))
    graph:alias(0, 0)
    local program = core.compile(context, graph)
    local buffer = core.buffer(context, 0, "float32", { 64, 64 })
    context:limit { seconds = 0.05 }
    local _, report = program:run({ buffer }, { steps = 1000000000 })
    assert.is_true(report.interrupted)
    context:limit { seconds = 0 }
    _, report = program:run({ buffer }, { steps = 3 })
    assert.equal(3, report.steps)
    local large = core.graph(context, "large")
    local y = large:parameter("float32", { 3000, 3000 }, "y")
    large:output((large:matmul(y, y)))
    local slow = core.compile(context, large)
    local operand = core.buffer(context, 0, "float32", { 3000, 3000 })
    context:limit { seconds = 0.001 }
    assert.error_matches(function() slow:run { operand } end, "a step of the program takes about")
    context:close()
  end)
end)

describe("threads of a host", function()
  local STEPPED = [[
    local function threads()
      local count, tasks = 0, io.open("/proc/self/stat"):read "*n"
      for _ in io.popen("ls /proc/" .. tasks .. "/task"):lines() do
        count = count + 1
      end
      return count
    end
    local before, pod = threads(), require "moonpod" -- an emulator has one of its own
    pod.device.configure { threads = %s }
    local model = pod.models.sequential { pod.layers.dense(64, { input_shape = { 2 } }), pod.layers.dense(1) }
    model:compile { optimizer = "sgd", loss = "mse" }
    local x, y = {}, {}
    for i = 1, 8192 do
      x[i], y[i] = { i %% 7, i %% 5 }, { i %% 3 }
    end
    local run = model:fit(pod.tensor(x), pod.tensor(y), { background = "stepped", batch_size = 8192, shuffle = false,
      verbose = 0 })
    while run:step { ms = 100 } do end
    print(pod.device.has_threads(), threads() - before)
  ]]

  it("are started by a stepped run only where somebody has said how many there may be", function()
    assert.equal("false\t0\n", run(STEPPED:format "nil"))
    assert.equal("true\t1\n", run(STEPPED:format "2"))
  end)

  it("are numbers that a context can have, also before there is one", function()
    local text = run [[
      local pod = require "moonpod"
      for _, options in ipairs { { threads = 1025 }, { nice = 20 }, { nice = 1.5 }, { memory_limit = -1 },
        { memory_limit = 0 / 0 } } do
        assert(not pcall(pod.device.configure, options))
      end
      print(pod.ones({ 2 }):sum():item() == 2)
    ]]
    assert.equal("true\n", text)
  end)
end)

describe("the log of a host", function()
  it("gets what the library has to say, on the script's thread", function()
    local text = run [[
      local pod = require "moonpod"
      pod.device.configure { log = function(level, text) io.write(level, ": ", text, "\n") end }
      local function leave_early() -- a cache of which a pass reads a part keeps nothing, and says so
        local pass = pod.data.range(9):cache():iterator()
        pass:next_element()
        pass:close()
        pod.ones({ 2 }):totable()
      end
      leave_early()
      pod.device.configure { log = false }
      leave_early()
      io.write("kept: ", pod.device.messages()[1].text, "\n")
    ]]
    assert.truthy(text:find("warning: a pass over a cached dataset ended after 1 element", 1, true), text)
    assert.truthy(text:find("\nkept: a pass over a cached dataset[^\n]*\n$"), text)
  end)

  it("and other options are checked", function()
    for _, options in ipairs { { files = true }, { files = 1 }, { memory_limit = "much" }, { log = 1 }, { log = true },
      { nice = -1 }, { nice = 20 },
      { short_run_nanoseconds = 5 } } do
      pod.ones({ 1 }):totable()
      assert.has_error(function() pod.device.configure(options) end)
    end
  end)
end)
