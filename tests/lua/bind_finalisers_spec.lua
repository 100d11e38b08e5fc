-- Finalisers run whenever Lua takes memory, within functions of the core, too: what a function was told it has until it
-- is over, whatever becomes of the tables; and what it counted is as it was, or it says so. `./dev test --sanitize`
-- runs this under AddressSanitizer.

local core = require "moonpod.core"
local files = require "tests.lua.support.files"
local lua_version = require "tests.lua.support.lua_version"
local pod = require "moonpod"

local context = core.context { threads = 1 }

-- Calls a function while all memory that is taken ends a cycle of the collector; the cycle of a number does something.
-- Returns whether it came to that, and what pcall() does.
local function call_amid(number, deed, fn, ...)
  collectgarbage()
  collectgarbage "stop"
  local on, count = true, 0
  local function arm()
    setmetatable({}, { __gc = function()
      count = on and count + 1 or 0
      if count == number then
        deed()
      elseif on then
        arm()
      end
    end })
  end
  arm()
  collectgarbage("incremental", 1, 1000, 40)
  collectgarbage "restart"
  local ok, result = pcall(fn, ...)
  on = false
  collectgarbage("incremental", 200, 100, 13)
  return count >= number, ok, result
end

-- Calls what make() gives, a function and its deed, until the function is over before the deed's turn. Returns the
-- results, and a list of what was raised.
local function call_often(make)
  local results, messages = {}, {}
  for number = 1, 1000 do
    local deed, fn = make()
    local came, ok, result = call_amid(number, deed, fn)
    local list = ok and results or messages
    list[#list + 1] = result
    if not came then
      return results, messages
    end
  end
  error "it does not end"
end

local function clear(t)
  for key, value in pairs(t) do
    if type(value) == "table" then
      clear(value)
    end
    t[key] = nil
  end
end

local function long(name, i)
  return ("%s %d "):format(name, i or 0):rep(20)
end

local function filled(value)
  return core.buffer(context, value, "f32", { 50 })
end

describe("what a function is given in a table, which a finaliser empties,", function()
  if not lua_version.has_close then
    return pending "this Lua has no finalisers of tables, or collects otherwise"
  end

  -- Arguments are made anew for each call. Where they are emptied in time that is refused, or so taken; else all is as
  -- it was.
  local function is_used(fn, make, read)
    read = read or function(result) return result end
    local wanted = read(fn(make()))
    local results = call_often(function()
      local given = { make() }
      return function() clear(given[1]) clear(given[2] or {}) end, function() return fn(given[1], given[2]) end
    end)
    assert.is_true(#results > 1)
    for _, result in ipairs(results) do
      local got = read(result)
      if type(got) ~= "table" or next(got) ~= nil then
        assert.same(wanted, got)
      end
    end
  end

  it("are buffers of a run", function()
    local graph = core.graph(context)
    local sum = (graph:parameter("f32", { 50 }))
    for _ = 2, 20 do
      sum = (graph:binary("add", sum, (graph:parameter("f32", { 50 }))))
    end
    for _ = 1, 20 do
      graph:output(sum)
    end
    local program = core.compile(context, graph)
    local function make()
      local given = {}
      for i = 1, 20 do
        given[i] = filled(i)
      end
      return given
    end
    local function read(results)
      return results[20]:item(49)
    end
    is_used(function(given) return program:run(given) end, make, read)
    is_used(function(given)
      local run = program:begin(given)
      run:step(0)
      return run:results()
    end, make, read)
  end)

  it("are inputs of an exported program", function()
    local path = files.temporary()
    local fn = pod.func(function(a, b) return { a + b, a - b, a * b, a / b } end)
    fn:export(path, { pod.spec { 50 }, pod.spec { 50 } }, { format = "moonpod" })
    local exported = core.exported_open(context, path)
    os.remove(path)
    is_used(function(given) return exported:run(context, 1, given) end, function() return { filled(6), filled(3) } end,
      function(results) return results[1]:item(49) end)
  end)

  it("are arrays of a file, and its texts", function()
    is_used(function(arrays, texts) return core.safetensors_to_text(context, arrays, texts) end, function()
      local arrays, texts = {}, {}
      for i = 1, 20 do
        arrays[i] = { long("array", i), filled(i) }
        texts[2 * i - 1], texts[2 * i] = long("key", i), long("text", i)
      end
      return arrays, texts
    end)
  end)

  it("are features of an example", function()
    is_used(function(features) return core.example_encode(context, features) end, function()
      local features = {}
      for i = 1, 20 do
        features[i] = { long("feature", i), "bytes", { long("a", i), long("b", i) } }
      end
      return features
    end)
  end)

  it("are what datasets are made of", function()
    local function read(dataset)
      local list, iterator = {}, dataset:iterator()
      for element in function() return iterator:next() end do
        list[#list + 1] = element:data()
      end
      return list
    end
    local function buffers()
      return { filled(1), filled(1) }
    end
    local function texts()
      return { long "one", long "two", long "three" }
    end
    is_used(function(given) return core.dataset_from_texts(context, given) end, texts, read)
    is_used(function(given) return core.dataset_from_slices(context, given) end, buffers, read)
    is_used(function(given) return core.dataset_from_buffers(context, given) end, buffers, read)
    local path = files.temporary()
    files.write(path, "a\nb\n")
    is_used(function(given) return core.dataset_files(context, given, { kind = "lines" }) end, function()
      return { path .. "", (path .. "x"):sub(1, -2) }
    end, read)
    os.remove(path)
    local function datasets()
      return { core.dataset_from_buffers(context, { filled(1) }), core.dataset_from_buffers(context, { filled(2) }) },
        { 0.5, 0.5 }
    end
    is_used(core.dataset_zip, datasets, read)
    is_used(core.dataset_concatenate, datasets, read)
    is_used(function(given, weights) return core.dataset_sample(given, weights, 7, false) end, datasets, read)
  end)

  it("are the features that are parsed", function()
    local example = core.example_encode(context, { { long "name", "float", { 3 } } })
    local input = core.dataset_from_texts(context, { example })
    is_used(function(specs) return input:parse_examples(specs) end, function()
      return { { name = long "name", dtype = "f32", shape = {} },
        { name = long "absent", dtype = "f32", shape = { 50 }, default = filled(5) } }
    end, function(dataset)
      local a, b = dataset:iterator():next()
      return { a:item(), b:item(49) }
    end)
  end)

  it("are what an event file is to tell", function()
    local folder = files.temporary()
    local function written(write)
      return function(...)
        local writer = core.event_writer(context, folder)
        local path = writer:path()
        write(writer, ...)
        writer:close()
        os.remove(path)
        return {}
      end
    end
    is_used(written(function(writer, values, metrics) writer:hparams(values, metrics) end), function()
      local values, metrics = {}, {}
      for i = 1, 9 do
        values[i], metrics[i] = { long("name", i), long("name", i) }, long("tag", i)
      end
      return values, metrics
    end)
    is_used(written(function(writer, nodes) writer:graph(nodes) end), function()
      local nodes = {}
      for i = 1, 9 do
        nodes[i] = { long("name", i), long("tag", i), { long("name", i), long("tag", i) }, { 2, 3 } }
      end
      return nodes
    end)
    is_used(written(function(writer, texts) writer:text(1, "tag", { 2 }, texts) end), function()
      return { long("name", 1), long("name", 2) }
    end)
  end)

  it("are attributes of a node", function()
    local graph = core.graph(context)
    is_used(function(inputs, attributes)
      graph:apply("constant", inputs, attributes)
      return 1
    end, function()
      return {}, { dtype = "f32", shape = { 50 }, data = filled(3), name = long "name" }
    end)
    graph:output((graph:result(0, 0)))
    local program = core.compile(context, graph)
    assert.equal(3, program:run({})[1]:item(49))
  end)
end)

describe("what a finaliser changes meanwhile", function()
  if not lua_version.has_close then
    return pending "this Lua has no finalisers of tables, or collects otherwise"
  end

  local GREW = "the graph got parameters or outputs while it was in use"

  local function has(list, text)
    for _, one in ipairs(list) do
      if tostring(one):find(text, 1, true) then
        return true
      end
    end
    error(("'%s' is not among: %s"):format(text, table.concat(list, "; ")))
  end

  local function grown(method)
    for _, what in ipairs { "parameter", "output" } do
      local _, messages = call_often(function()
        local graph = core.graph(context)
        local x = (graph:parameter("f32", { 2 }))
        graph:output(x)
        return function()
          for _ = 1, 100 do
            if what == "parameter" then
              graph:parameter("f32", { 2 })
            else
              graph:output(x)
            end
          end
        end, function() return method(graph) end
      end)
      has(messages, GREW)
    end
  end

  it("is refused where it is a graph of which something is told", function()
    local outer = core.graph(context)
    local y = (outer:parameter("f32", { 2 }))
    grown(function(graph) return graph:map(4, { true }) end)
    grown(function(graph) return core.tpu_lower(context, graph, "v4", { name = "a", donated = { true } }) end)
    grown(function(graph)
      return graph:replicate { replicas = 2, parameters = { "mirrored" }, outputs = { "mirrored" } }
    end)
    grown(function(graph) return graph:check_row_padding(2, graph, 4) end)
    grown(function(graph) return outer:inline(graph, { y }) end)
  end)

  it("is nothing that a function goes on with where it is closed", function()
    call_often(function()
      local iterator = core.dataset_range(context, 0, 5, 1):iterator()
      return function() iterator:close() end, function() return iterator:state(context) end
    end)
    local graph = core.graph(context)
    graph:output((graph:parameter("f32", { 50 })))
    local program = core.compile(context, graph)
    local results = call_often(function()
      local run = program:begin { filled(4) }
      run:step(0)
      return function() run:close() end, function() return run:results() end
    end)
    for _, one in ipairs(results) do
      assert.equal(4, one[1]:item(49))
    end
  end)

  it("is nothing that a function goes on with where another takes it", function()
    local dataset = core.dataset_range(context, 0, 5, 1)
    local function graph_of(dtype)
      local graph = core.graph(context)
      local x = (graph:parameter(dtype, {}))
      for _ = 1, 20 do
        x = (graph:unary("abs", x))
      end
      graph:output(x)
      return graph, x
    end
    for _, dtype in ipairs { "s64", "f32" } do -- of the latter the dataset takes it and refuses it
      call_often(function()
        local graph, x = graph_of(dtype)
        return function() pcall(dataset.map, dataset, graph) end, function()
          return graph:extract(context, { x }, {})
        end
      end)
    end
    local taken = call_often(function()
      local graph = graph_of "s64"
      local mapped
      return function() mapped = dataset:map(graph) end, function() return { graph:map(4), mapped } end
    end)
    for _, one in ipairs(taken) do
      assert.equal(one[2] and 4 or nil, one[2] and (one[2]:skip(4):iterator():next():item()))
    end
  end)

  it("is told where it is what is read", function()
    local folder = files.temporary()
    local writer = core.event_writer(context, folder)
    for i = 1, 200 do
      writer:scalar(i, long("tag", i), i)
    end
    local path = writer:path()
    writer:close()
    local _, messages = call_often(function()
      local reader = core.event_reader(context, path)
      reader:next()
      return function() reader:next() end, function() return reader:next() end
    end)
    os.execute(("rm -r '%s'"):format(folder))
    has(messages, "a finaliser has read the event file meanwhile")
  end)

  it("is kept where chips are added", function()
    local number = 0
    local function chip()
      number = number + 1
      return { { name = ("v%dz"):format(7000 + number), based_on = "v4" } }
    end
    local _, messages = call_often(function()
      local one, other = chip(), chip()
      return function() core.add_chips(one) end, function() return core.add_chips(other) end
    end)
    has(messages, "other chips were added meanwhile")
    assert.equal("v7001z", core.slice("v7001z-8").generation)
  end)

  it("is not a sandbox whose results are on their way", function()
    local box = pod.sandbox.new()
    local _, messages = call_often(function()
      return function() box:run "return { { 7 } }" end, function()
        return box:run "local t = {} for i = 1, 9 do t[i] = { 'value ' .. i, { i } } end return t"
      end
    end)
    for _, message in ipairs(messages) do
      assert.matches("the sandbox is running", message, 1, true)
    end
  end)
end)
