-- pod.session: what commands of a session do, as functions, and what is told of errors.

local pod = require "moonpod"
local executable = dofile "tests/lua/support/executable.lua"
local traceback = require "moonpod.session.traceback"

describe("pod.session", function()
  it("times what is called, and returns what that returned", function()
    local results = { pod.session.time(function(...) return select("#", ...), nil, "last" end, 1, nil, 3) }
    assert.equal(3, results[2])
    assert.equal("last", results[4])
    assert.truthy(tostring(results[1]):find "^[%d.e+-]+ %l+ %(processors: ")
    local calls = 0
    local found = pod.session.timeit(function() calls = calls + 1 end, { rounds = 3, seconds = 1e-4 })
    assert.equal(3, found.rounds)
    assert.is_true(found.best <= found.median and found.median <= found.worst and calls >= 3 * found.count)
    assert.has_error(function() pod.session.timeit(print, { round = 3 }) end)
    assert.has_error(function() pod.session.time(3) end)
  end)

  it("counts memory and lists globals", function()
    local before = pod.session.mem()
    local held = pod.variable(pod.zeros { 1000, 1000 })
    local after = pod.session.mem()
    assert.equal(before.variables + 4e6, after.variables)
    assert.is_true(after.peak >= after.current and held ~= nil)
    assert.truthy(tostring(after):find("variables: ", 1, true))
    rawset(_G, "mine", pod.ones { 2, 3 })
    local list = pod.session.who()
    rawset(_G, "mine", nil)
    local names = {}
    for _, one in ipairs(list) do
      names[one.name] = one.kind .. " " .. one.about
    end
    assert.equal("moonpod.tensor float32 (2, 3) 24 B", names.mine)
    assert.is_nil(names.print)
  end)

  it("tells what the engine does: traces, programs, bytes, padding, collectives", function()
    local fn = pod.func(function(x) return x * 2 end, { name = "twice" })
    local x = pod.ones { 3, 5 }
    local first, result = pod.session.why(fn, x)
    assert.equal(2, result:totable()[1][1])
    assert.same({ traces = 1, compiled = 1, runs = 1, steps = 1, collectives = 0, unpadded = 60,
      padded = pod.padding({ shape = { 3, 5 }, dtype = "float32", chip = "v3" }).padded_bytes },
      { traces = first.traces, compiled = first.compiled, runs = first.runs, steps = first.steps,
        collectives = first.collectives, unpadded = first.unpadded, padded = first.padded })
    assert.equal(120, first.moved) -- each of 15 floats is read and written
    local second = pod.session.why(fn, x)
    assert.same({ 0, 0, 1 }, { second.traces, second.compiled, second.runs })
    assert.truthy(tostring(first):find("traces       1: twice\n", 1, true))
    local strategy = pod.distribute.mirrored(3)
    local sums = pod.func(function(y)
      return strategy:run(function(part)
        return pod.distribute.replica_context():all_reduce("sum", part:sum())
      end, { y })
    end)
    assert.equal(1, pod.session.why(sums, x).collectives)
    assert.matches("collectives  1\n  1 of all_reduce f32%[%]: %S*session_functions_spec.lua:%d+$",
      tostring(pod.session.why(sums, pod.ones { 6, 5 })))
    local mesh = pod.distribute.mesh({ 1, 2 }, { "data", "model" })
    local map = pod.distribute.layout_map(mesh)
    map["down/kernel"] = { "model", nil }
    local divided = pod.distribute.model_parallel { layout_map = map }:scope(function()
      return pod.models.sequential { pod.layers.dense(3, { name = "down", input_shape = { 4 } }) }
    end)
    assert.matches("\n  1 of all_reduce f32%[8,3%] among 2: %S*/down ",
      tostring(pod.session.why(divided.predict, divided, pod.ones { 8, 4 }, { verbose = 0 })))
    assert.truthy(tostring(pod.session.why(function() end)):find("nothing to do", 1, true))
    local ok = pcall(pod.session.why, function() error "mine" end)
    assert.is_false(ok)
    assert.equal(0, pod.session.last_work().runs) -- nobody writes down what runs outside
  end)

  it("refuses globals that nobody has set, where lines are strict", function()
    local before = getmetatable(_G)
    rawset(_G, "known_name", 1)
    pod.session.strict(true)
    pod.session.strict(true)
    assert.equal(rawget(_G, "loadstring"), loadstring) -- luacheck: ignore
    local ok, message = pcall(function() return knwon_name end) -- luacheck: ignore
    local reads = known_name == 1 and _hidden == nil -- luacheck: ignore
    pod.session.strict(false)
    assert.is_nil(knwon_name) -- luacheck: ignore
    rawset(_G, "known_name", nil)
    setmetatable(_G, before)
    assert.is_false(ok)
    assert.truthy(message:find("there is no global 'knwon_name'; did you mean 'known_name'?", 1, true))
    assert.is_true(reads)
  end)
end)

describe("a traceback", function()
  local function of(fn, options)
    local _, text = xpcall(fn, function(message)
      return traceback.of(message, 2, options)
    end)
    return text
  end

  it("names what was meant by a method and a global that are not there", function()
    local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
    local thing = setmetatable({}, { __name = "my.class", __index = { method = print } })
    for expected, fn in pairs {
      ["it is a model; did you mean 'fit'?"] = function() model:fitt(1, 2, model) end,
      ["it is a table; did you mean 'method'?"] = function() thing:methd() end,
      ["it is a layer; did you mean 'add_weight'?"] = function() model.layers[1]:add_wieght(1) end,
      ["it is a strategy; did you mean 'run'?"] = function() pod.distribute.mirrored(2):rnu(print) end,
      ["it is an optimizer; did you mean 'apply'?"] = function() pod.optimizers.adam():aply(1) end,
      ["it is a tensor of shape (); did you mean 'assign'?"] = function() pod.variable(1):asign(2) end,
    } do
      local text = of(fn)
      if debug.getlocal and _VERSION ~= "Lua 5.1" then
        assert.truthy(text:find(expected, 1, true), text)
      end
      assert.truthy(text:find "attempt to call", text)
    end
    for expected, fn in pairs {
      ["tensors have no 'recshape'; did you mean 'reshape'?"] = function() pod.ones({ 2 }):recshape(1) end,
      ["datasets have no 'shufle'; did you mean 'shuffle'?"] = function() pod.data.range(3):shufle(3) end,
    } do
      local text = of(fn)
      assert.truthy(text:find(expected, 1, true), text)
    end
    if _VERSION ~= "Lua 5.1" then
      assert.truthy(of(function() pritn(3) end):find("did you mean 'print'?", 1, true)) -- luacheck: ignore
    end
  end)

  it("shows the user's line and frames, and hides Moonpod's own and C's", function()
    local function mine()
      pod.layers.dense { unit = 3 }
    end
    local text = of(function() mine() end)
    assert.truthy(text:find("unknown option 'unit'", 1, true))
    assert.truthy(text:find("| *      ?pod.layers.dense { unit = 3 }"), text)
    assert.falsy(text:find("lua/moonpod/layers", 1, true), text)
    assert.truthy(text:find "%%tb shows %d+ more")
    assert.truthy(traceback.text(traceback.last, { all = true }):find("layer.lua", 1, true))
    assert.truthy(of(mine, { colours = true }):find("\27[31m", 1, true))
    assert.falsy(text:find "\27")
  end)

  it("shows the line that is wrong in a function which Moonpod called", function()
    local input = pod.layers.input { shape = { 3 } }
    local made = {
      pod.layers.subclass { name = "Wrong", call = function(_, x)
        local there = pod.arange(x, 4, "a mistake")
        return there
      end },
      pod.layers.subclass { name = "Tail", call = function(_, x)
        if x.shape[2] == 3 then
          return pod.reshape(x, { 5, 7, "a mistake" })
        end
        local other = x + 1
        return other
      end },
    }
    for _, class in ipairs(made) do
      local text = of(function()
        local _ = class()(input)
      end)
      assert.truthy(text:find "| *[^\n]*a mistake[^\n]*\nstack traceback", text)
      assert.truthy(text:find "in a function that Moonpod called\n.-class%(%)%(input%)", text)
    end
  end)

  it("tells errors that are no texts by what they are", function()
    assert.truthy(of(function() error { code = 3 } end):find("an error that is no text: { code = 3 }", 1, true))
    assert.truthy(of(function() error(nil) end):find "^an error that is no text: nil")
    assert.truthy(of(function()
      error(setmetatable({}, { __tostring = function() return "said so" end }))
    end):find "^said so")
    assert.truthy(of(function()
      error(setmetatable({}, { __tostring = function() error "twice" end }))
    end):find("an error that is no text", 1, true))
  end)
end)

local describe_program = executable.program and describe or pending

describe_program("errors in a session", function()
  local function session(input, flags)
    return (executable.run("-i " .. (flags or ""), input))
  end

  it("come with the line that was typed and without frames of ours, which %tb shows", function()
    local text = session("x = 1\npod.layers.dense { unit = 3 }\n%tb\nlocal function f() error 'deep' end f()\n"
      .. "%tb nothing\n")
    assert.truthy(text:find("> moonpod: stdin:1: layers.dense: unknown option 'unit'; did you mean 'units'?\n"
      .. "     1 | pod.layers.dense { unit = 3 }\nstack traceback:\n\tstdin:1: in main chunk\n\t(%tb shows", 1, true),
      text)
    assert.truthy(text:find "> stdin:1: layers.dense: unknown.-moonpod/layers/layer.lua:%d+: in ")
    assert.truthy(text:find("stdin:1: deep\n     1 | local function f() error 'deep' end f()", 1, true)
      or text:find("stdin:1: deep\nstack traceback:\n\tstdin:1: in ", 1, true), text)
    assert.truthy(session "%tb\n":find("there was no error yet", 1, true))
  end)

  it("keep a script's own form, and hide ours where it uses the module", function()
    local script = "local pod = require 'moonpod'\nlocal function make()\n  pod.layers.dense { unit = 3 }\nend\n"
      .. "make()\n"
    executable.with_script(script, function(name)
      local text = executable.run(name)
      assert.truthy(text:find("     3 |   pod.layers.dense { unit = 3 }", 1, true), text)
      assert.truthy(text:find("MOONPOD_TRACEBACK=all shows", 1, true))
      assert.falsy(text:find("layer.lua", 1, true))
      text = executable.shell(("MOONPOD_TRACEBACK=all %s %s"):format(executable.quote(executable.program), name))
      assert.truthy(text:find("layer.lua", 1, true))
    end)
    local text = (executable.run "-e \"error 'plain'\"")
    assert.equal("moonpod: (command line):1: plain\nstack traceback:\n\t[C]: in function 'error'\n\t(command line):1: "
      .. "in main chunk\n\t[C]: in ?\n", text)
  end)

  it("are told after a stack that overflowed and where memory is short", function()
    local text = session "function f() return 1 + f() end f()\n'alive'\n"
    assert.truthy(text:find("stack overflow", 1, true), text)
    assert.truthy(text:find('"alive"', 1, true))
    text = session "string.rep('x', 2 ^ 46)\n'alive'\n"
    assert.truthy(text:find('"alive"', 1, true), text)
  end)

  it("work with %scope, %why, %mem and %precision", function()
    local text = session("%scope pod.distribute.mirrored(3)\n%scope\nv = pod.variable(1)\n%scope off\n%scope\n"
      .. "%scope 3\n%mem\n(pod.ones { 3, 5 } * 2):sum():item()\n%why\n"
      .. "%why pod.func(function(x) return x + 1 end)(pod.ones { 2 }):sum():item()\n%why 1\n%precision wide\n")
    local function has(part, is_pattern)
      assert.truthy(text:find(part, 1, not is_pattern), text)
    end
    has "> mirrored(3)> <mirrored strategy, 3 replicas>\nmirrored(3)> mirrored(3)> > "
    has "%scope: 3 is no strategy: write %scope pod.distribute.mirrored(8)"
    has "> tensors and programs: "
    has("> 30%.0\n> traces       none\nprograms     %d compiled in [^\n]+\n", true)
    has("> traces       1: [^\n]*\n", true)
    has "the engine had nothing to do"
    has "%precision: write how many digits"
  end)
end)
