local core = require "moonpod.core"
local lua_version = require "tests.lua.support.lua_version"

local context = core.context { threads = 2 }

local function buffer(value, dtype, shape)
  return core.buffer(context, value, dtype, shape)
end

describe("moonpod.core", function()
  it("tells dtypes and ops from the tables of C", function()
    local names = {}
    for _, entry in ipairs(core.dtypes()) do
      names[entry.name] = entry
    end
    assert.same({ name = "bfloat16", xla = "bf16", size = 2, float = true, integer = false }, names.bfloat16)
    assert.is_true(#core.ops() > 60)
    local ops = {}
    for _, op in ipairs(core.ops()) do
      ops[op.name] = op
    end
    assert.same({ name = "exp", operands = 1, float = true, integer = false, bool = false }, ops.exp)
    assert.same({ name = "xor", operands = 2, float = false, integer = true, bool = true }, ops.xor)
    assert.same({ name = "dot", operands = 0, float = false, integer = false, bool = false }, ops.dot)
    assert.matches("^%d+%.%d+%.%d+$", core.version())
  end)

  it("names the entry of a list that is of a wrong type", function()
    local own = core.context { threads = 1 }
    local elements = core.dataset_range(own, 0, 5, 1)
    local function refuses(text, fn, ...)
      local ok, message = pcall(fn, ...)
      assert.is_false(ok)
      assert.equal(text, message)
    end
    refuses("an output of decode must be a table, not number", elements.decode, elements, { 5 })
    refuses("the name of a feature must be a string, not nil", elements.parse_examples, elements, { {} })
    refuses("a value of a float feature must be a number, not string", core.example_encode, own,
      { { "x", "float", { "y" } } })
    -- whose text nobody would keep
    refuses("the name of a feature must be a string, not number", elements.parse_examples, elements, { { name = 5 } })
    refuses("the name of an array must be a string, not number", core.npz_write, own, "/nowhere/5.npz",
      { { 5, core.buffer(own, 1) } })
  end)

  it("has a clock that goes on", function()
    local before = core.clock()
    assert.is_true(core.clock() >= before)
  end)
end)

describe("a context", function()
  it("tells and changes its threads", function()
    local own = core.context { threads = 1 }
    assert.equal(1, own:threads())
    own:set_threads(3)
    assert.equal(3, own:threads())
    assert.error_matches(function() own:set_threads(0) end, "thread")
    own:close()
    own:close()
    assert.error_matches(function() own:threads() end, "closed")
    assert.equal("moonpod.context (closed)", tostring(own))
  end)

  it("counts memory that buffers hold", function()
    local before = context:memory().current_bytes
    local big = buffer(nil, "float32", { 1000, 1000 })
    assert.is_true(context:memory().current_bytes >= before + 4000000)
    big:close()
    assert.is_true(context:memory().current_bytes < before + 4000000)
  end)

  it("tells its kernels, and keeps no message twice", function()
    local own = core.context { threads = 1, isa = "portable" }
    assert.equal("portable", own:isa())
    assert.equal("moonpod.context (1 threads, portable)", tostring(own))
    local iterator = core.dataset_range(own, 0, 5, 1):cache():iterator()
    iterator:next()
    iterator:close()
    local messages = own:messages()
    assert.equal(1, #messages)
    assert.equal("warning", messages[1].level)
    assert.matches("^a pass over a cached dataset ended after 1 elements", messages[1].text)
    assert.same({}, own:messages())
    own:close()
  end)

  it("refuses kernels that do not exist", function()
    assert.error_matches(function() core.context { isa = "z80" } end, "z80")
  end)
end)

describe("a buffer", function()
  it("takes nested tables and gives them back", function()
    local b = buffer { { 1, 2, 3 }, { 4, 5, 6 } }
    assert.same({ 2, 3 }, b:shape())
    assert.equal("float32", b:dtype())
    assert.same({ { 1, 2, 3 }, { 4, 5, 6 } }, b:totable())
    assert.equal(24, b:bytes())
    assert.equal(6, b:item(5))
  end)

  it("takes numbers, booleans and shapes", function()
    assert.equal(7, buffer(7, "int32", {}):item())
    assert.same({ { 2, 2 }, { 2, 2 } }, buffer(2, "float32", { 2, 2 }):totable())
    assert.equal("bool", buffer({ true, false }):dtype())
    assert.same({ 1, 2, 3, 4 }, buffer({ { 1, 2 }, { 3, 4 } }, nil, { 4 }):totable())
    assert.same({}, buffer({}):totable())
  end)

  it("takes and gives raw bytes", function()
    local b = buffer("\1\0\2\0", "uint16", { 2 })
    assert.same({ 1, 2 }, b:totable())
    assert.equal("\1\0\2\0", b:data())
    assert.error_matches(function() buffer("abc", "uint16", { 2 }) end,
      "3 bytes given, but uint16 of shape %(2,%) has 4")
  end)

  it("keeps 64-bit integers exact", function()
    if not lua_version.has_integers then
      pending "this Lua has no 64-bit integers"
      return
    end
    local b = buffer({ math.maxinteger, math.mininteger }, "int64")
    assert.equal(math.maxinteger, b:item(0))
    assert.equal(math.mininteger, b:item(1))
  end)

  it("gives numbers of every integer type, to their extremes", function()
    local extremes = { int8 = { -128, 127 }, int16 = { -32768, 32767 }, int32 = { -2 ^ 31, 2 ^ 31 - 1 },
      uint8 = { 0, 255 }, uint16 = { 0, 65535 }, uint32 = { 0, 2 ^ 32 - 1 }, uint64 = { 0, 2 ^ 62 } }
    for dtype, values in pairs(extremes) do
      local given = buffer(values, dtype)
      assert.equal(values[1], given:item(0), dtype)
      assert.equal(values[2], given:item(1), dtype)
    end
    -- Beyond what 64 bits with a sign hold it is a float.
    assert.equal(2.0 ^ 63, buffer({ 2.0 ^ 63 }, "uint64"):item())
  end)

  it("refuses places that there are not, and values of another shape", function()
    local three = buffer { 1, 2, 3 }
    assert.error_matches(function() three:item() end, "item%(%) needs a tensor of one element; this one has 3")
    assert.error_matches(function() three:item(3) end, "place is 3; it must be from 0 to 2")
    assert.error_matches(function() three:item(-1) end, "place is %-1; it must be from 0 to 2")
    assert.error_matches(function() three:set(3, 0) end, "place is 3; it must be from 0 to 2")
    assert.error_matches(function() buffer({ 1, 2, 3 }, "float32", { 2, 2 }) end,
      "the values have shape %(3,%), which does not fit shape %(2, 2%)")
    local five = buffer({ 1, 2, 3, 4, 5 }, "int64")
    for _, first in ipairs { 3, -1, 2 ^ 31, 2 ^ 48, 2 ^ 53, 2 ^ 61, 2 ^ 61 - 256, 2 ^ 62, 2 ^ 63, -2 ^ 63, 0 / 0 } do
      assert.has_error(function() five:write(five, first) end)
      assert.has_error(function() five:write(buffer({ 1, 2, 3 }, "int64"), first) end)
      assert.has_error(function() five:view(first, { 5 }) end)
      assert.has_error(function() five:item(first * 2) end)
      assert.has_error(function() five:set(first * 2, 1) end)
    end
    if math.type then -- places that no double has: 8 times them comes around to just before the elements
      local least = math.tointeger(2 ^ 61)
      for k = 1, 20 do
        assert.has_error(function() five:write(buffer({ 1 }, "int64"), least - k) end)
        assert.has_error(function() five:view(least - k, { 1 }) end)
      end
    end
    assert.same({ 1, 2, 3, 4, 5 }, five:totable())
    assert.equal("moonpod.buffer float32 (3,)", tostring(three))
    three:close()
    assert.equal("moonpod.buffer (closed)", tostring(three))
  end)

  -- The length of a table is any index behind which there is nothing: with entries at powers of two, one of 2^62.
  it("refuses arrays that are longer than memory", function()
    local sparse = setmetatable({}, { __index = nil })
    for i = 0, 62 do
      rawset(sparse, 2 ^ i, { dtype = "float32", shape = {} })
    end
    local source = core.source(function() end)
    assert.has_error(function() core.dataset_from_source(context, source, sparse, -1) end)
    assert.has_error(function() core.dataset_zip(sparse) end)
    assert.has_error(function() core.buffer(context, sparse) end)
    assert.has_error(function() core.dataset_from_buffers(context, sparse) end)
  end)

  it("rounds to narrow floats", function()
    assert.equal(1.0078125, buffer({ 1.0071 }, "bfloat16"):item())
    assert.equal(65504, buffer({ 65504 }, "float16"):item())
  end)

  it("refuses ragged tables, telling where", function()
    assert.error_matches(function() buffer { { 1, 2 }, { 3 } } end,
      "on axis 1 there is a row of 1 where the first is a row of 2")
    assert.error_matches(function() buffer { { 1 }, 2 } end, "axis 1")
    assert.error_matches(function() buffer { "x" } end, "number or a boolean, not string")
  end)

  it("refuses dtypes and shapes that do not exist", function()
    assert.error_matches(function() buffer({ 1 }, "float33") end, "unknown dtype 'float33'.*float32")
    assert.error_matches(function() buffer(0, "float32", { 1, 1, 1, 1, 1, 1, 1, 1, 1 }) end, "at most 8")
    assert.error_matches(function() buffer(0, "float32", { 1.5 }) end, "integer, not 1.5")
    assert.error_matches(function() buffer(0, "float32", { -1 }) end, "%-1")
  end)

  it("shares memory with its views and copies on request", function()
    local b = buffer { 1, 2, 3, 4 }
    local view, copy = b:view(1, { 2 }), b:copy(context, "int32")
    b:set(1, 20)
    assert.same({ 20, 3 }, view:totable())
    assert.same({ 1, 2, 3, 4 }, copy:totable())
    assert.equal("int32", copy:dtype())
    assert.is_false(b:is_unique())
    assert.error_matches(function() b:view(3, { 2 }) end, "")
  end)

  it("writes another buffer's elements", function()
    local b = buffer { 1, 2, 3, 4 }
    b:write(buffer { 8, 9 }, 2)
    assert.same({ 1, 2, 8, 9 }, b:totable())
    assert.error(function() b:write(buffer { 8, 9 }, 3) end)
    assert.error(function() b:write(buffer({ 8 }, "int32")) end)
  end)

  it("compares bits", function()
    assert.is_true(buffer({ 1, 2 }):equal(buffer { 1, 2 }))
    assert.is_false(buffer({ 1, 2 }):equal(buffer { 1, 3 }))
    assert.is_false(buffer({ 1 }):equal(buffer({ 1 }, "int32")))
  end)

  it("closes twice, and is refused afterwards", function()
    local b = buffer { 1 }
    b:close()
    b:close()
    assert.error_matches(function() b:totable() end, "closed")
  end)

  it("tells the collector what it holds", function()
    collectgarbage()
    local before = context:memory().current_bytes
    local peak = 0
    for _ = 1, 300 do
      buffer(0, "float32", { 1000, 1000 })
      peak = math.max(peak, context:memory().current_bytes - before)
    end
    assert.is_true(peak < 100e6, "peak was " .. peak)
  end)
end)

describe("a graph", function()
  local function simple()
    local g = core.graph(context, "test")
    local x = g:parameter("float32", { 2, 3 }, "x")
    local w = g:parameter("float32", { 3, 2 }, "w")
    return g, x, w
  end

  it("numbers nodes and tells their types", function()
    local g, x, w = simple()
    local y, dtype, shape = g:matmul(x, w)
    assert.equal("float32", dtype)
    assert.same({ 2, 2 }, shape)
    assert.same({ "float32", { 2, 2 } }, { g:type(y) })
    local d = g:describe(y)
    assert.equal("dot", d.op)
    assert.same({ x, w }, d.inputs)
  end)

  it("remembers places and scopes", function()
    local g, x = simple()
    g:set_location("model.lua:12")
    g:set_scope("dense")
    local d = g:describe((g:unary("tanh", x)))
    assert.equal("model.lua:12", d.location)
    assert.equal("dense", d.scope)
  end)

  it("raises what cannot be built and goes on", function()
    local g, x, w = simple()
    assert.error_matches(function() g:binary("add", x, w) end, "broadcast")
    assert.error_matches(function() g:apply("nosuch", {}) end, "no primitive op 'nosuch'")
    assert.error_matches(function() g:apply("reshape", { x }, { shap = {} }) end, "unknown attribute 'shap'")
    assert.error_matches(function() g:unary("tanh", 999) end, "no node 999")
    assert.error_matches(function() g:compare("lo", x, x) end, "unknown comparison 'lo'.*lt")
    assert.is_number((g:unary("tanh", x)))
  end)

  it("takes regions that are other graphs, each once", function()
    local g = core.graph(context)
    local flag, x = g:parameter("bool", {}), g:parameter("float32", { 2 })
    g:output(x)
    assert.error_matches(function() g:apply("cond", { flag, x }, {}, { g, g }) end, "no region of its own")
    local r = core.graph(context)
    r:output((r:parameter("float32", { 2 })))
    assert.error_matches(function() g:apply("cond", { flag, x }, {}, { r, r }) end, "one region alone")
    assert.equal(1, r:counts())
  end)

  it("wants all elements of a constant, and axes that there are", function()
    local g = core.graph(context)
    assert.error_matches(function()
      g:apply("constant", {}, { dtype = "f32", shape = { 1000000 }, data = "abc" })
    end, "'data' has 3 bytes")
    local x = g:parameter("float32", { 4, 5 })
    assert.error_matches(function() g:apply("sort", { x }, { axis = 2 ^ 32 }) end, "no such axis")
    assert.error_matches(function() g:reduce("reduce_sum", x, { 2 ^ 32 }) end, "no such axis")
    assert.error_matches(function() g:result(x, -1) end, "index is %-1")
    assert.error_matches(function() g:alias(-1, 0) end, "output is %-1")
    assert.error_matches(function() core.context { threads = 2 ^ 32 + 1 } end, "threads' is 4294967297")
  end)

  it("differentiates", function()
    local g, x, w = simple()
    local y = g:reduce("reduce_sum", (g:matmul(x, w)))
    local other = g:parameter("float32", {})
    local gradients = g:gradient(y, nil, { x, w, other })
    assert.is_number(gradients[1])
    assert.is_number(gradients[2])
    assert.is_false(gradients[3])
  end)

  it("goes into another graph", function()
    local g, x, w = simple()
    g:output((g:matmul(x, w)))
    local outer = core.graph(context)
    local a, b = outer:parameter("float32", { 2, 3 }), outer:parameter("float32", { 3, 2 })
    local ids = outer:inline(g, { a, b })
    assert.same({ "float32", { 2, 2 } }, { outer:type(ids[1]) })
    assert.error_matches(function() outer:inline(g, { a }) end, "1 inputs given for a graph of 2")
    assert.error(function() g:inline(g, { x, w }) end)
  end)

  it("gives the part that some nodes need", function()
    local g, x, w = simple()
    local product = g:matmul(x, w)
    local y = g:unary("tanh", product)
    g:unary("exp", x)
    local part, ids = g:extract(context, { y }, { [product] = true })
    assert.same({ product }, ids)
    assert.same({ 2, 1, 1 }, { part:counts() })
  end)

  it("hashes by structure", function()
    local a, b, c = simple(), simple(), core.graph(context)
    assert.equal(a:hash(), b:hash())
    assert.not_equal(a:hash(), c:hash())
    assert.matches("^%x+$", a:hash())
  end)

  it("makes all replicas of one core", function()
    local g = core.graph(context)
    local x = g:parameter("float32", { 2, 3 })
    g:output((g:reduce("reduce_sum", x)))
    local all = g:replicate { replicas = 4, rows = 7, parameters = { "split" }, outputs = { "per_replica" } }
    assert.same({ "float32", { 4 } }, { all:type(all:outputs()[1]) })
    assert.error_matches(function()
      g:replicate { replicas = 4, rows = 7, parameters = { "spilt" }, outputs = { "mirrored" } }
    end, "unknown placement 'spilt'")
    assert.error_matches(function()
      g:replicate { replicas = 4, rows = 7, parameters = {}, outputs = { "mirrored" } }
    end, "parameters has 0 entries; the graph has 1")
  end)

  it("maps a function of one element over rows", function()
    local g = core.graph(context)
    local x = g:parameter("float32", { 3 })
    g:output((g:unary("tanh", x)))
    local mapped = g:map(5)
    assert.same({ "float32", { 5, 3 } }, { mapped:type(mapped:outputs()[1]) })
  end)

  it("prints and closes", function()
    local g = simple()
    assert.matches("parameter", g:print(context))
    g:verify()
    g:close()
    g:close()
    assert.error_matches(function() g:hash() end, "closed")
  end)
end)

describe("a program", function()
  local function doubling()
    local g = core.graph(context)
    local x = g:parameter("float32", { 2 })
    g:output((g:binary("add", x, x)))
    return core.compile(context, g)
  end

  it("runs on buffers", function()
    local results, report = doubling():run { buffer { 1, 2 } }
    assert.same({ 2, 4 }, results[1]:totable())
    assert.equal(1, report.steps)
    assert.error(function() doubling():run { buffer { 1, 2, 3 } } end)
    assert.error(function() doubling():run {} end)
  end)

  it("updates aliases in place, step by step, from an infeed", function()
    local g = core.graph(context)
    local x, v = g:parameter("float32", {}), g:parameter("float32", {})
    g:alias(g:output((g:binary("add", v, x))), 1)
    local program = core.compile(context, g)
    local state, n = buffer(0, "float32", {}), 0
    local results, report = program:run({ false, state }, {
      steps = 10, infeed_first = 0, infeed_count = 1,
      infeed = function()
        n = n + 1
        return n <= 4 and { buffer(n, "float32", {}) } or nil
      end,
    })
    assert.equal(10, state:item())
    assert.same({ steps = 4, interrupted = false, ended = true }, report)
    assert.is_false(results[1])
  end)

  it("raises what an infeed raises", function()
    local g = core.graph(context)
    g:output((g:unary("negate", (g:parameter("float32", {})))))
    local program = core.compile(context, g)
    assert.error_matches(function()
      program:run({ false }, { infeed_count = 1, infeed = function() error("no data", 0) end })
    end, "^no data$")
    assert.error_matches(function()
      program:run({ false }, { infeed_count = 1, infeed = function() return {} end })
    end, "array of buffers")
    assert.error_matches(function() program:run({ false }, { infeed = 7 }) end, "infeed or a function, not number")
  end)

  it("goes on when its infeed closes it, its arguments, its context", function()
    for _, closes in ipairs { "program", "argument", "context" } do
      local own = core.context { threads = 2 }
      local g = core.graph(own)
      local x, y = g:parameter("float32", { 1000 }), g:parameter("float32", { 1000 })
      g:output((g:binary("add", x, y)))
      local open = { program = core.compile(own, g), argument = core.buffer(own, 1, "float32", { 1000 }) }
      open.context = own
      local others = {}
      for i = 1, 3 do
        others[i] = core.buffer(own, i, "float32", { 1000 })
      end
      local results = open.program:run({ open.argument, false }, { steps = 3, infeed_first = 1, infeed_count = 1,
        infeed = function()
          open[closes]:close()
          collectgarbage()
          return { table.remove(others, 1) }
        end })
      assert.equal(4, results[1]:item(999), closes)
      assert.error_matches(function()
        return closes == "argument" and open.argument:item(0) or closes == "program" and open.program:stats()
          or open.context:threads()
      end, "is closed")
    end
  end)

  it("refuses to be run by its own infeed", function()
    local program, message = doubling(), nil
    program:run({ false }, { infeed_count = 1, infeed = function()
      local _
      _, message = pcall(program.run, program, { buffer { 1, 2 } })
      return { buffer { 1, 2 } }
    end })
    assert.matches("the program is running", message)
  end)

  it("hands out what print ops print", function()
    local g = core.graph(context)
    local x = g:parameter("float32", {})
    g:output((g:apply("print", { x }, { name = "seen" })))
    local _, _, prints = core.compile(context, g):run({ buffer(5, "float32", {}) }, { print = true })
    assert.equal(1, #prints)
    assert.equal("seen", prints[1][1])
    assert.equal(5, prints[1][2]:item())
  end)

  it("is not needed for the list of chips, which looks at no argument", function()
    assert.equal(#core.chips(), #core.chips(1e300, {}, "x"))
  end)

  it("tells its costs", function()
    local program = doubling()
    assert.equal(8, program:stats().argument_bytes)
    assert.is_string(program:print())
    program:close()
    program:close()
    assert.error_matches(function() program:stats() end, "closed")
  end)
end)
