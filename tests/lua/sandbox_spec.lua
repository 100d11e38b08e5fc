-- sandbox - scripts that nobody trusts: what they can do, and 60 known ways out, each of which ends at a limit.

local pod = require "moonpod"

local MIB = 2 ^ 20

local function folder()
  local name = os.tmpname()
  os.remove(name)
  assert(os.execute("mkdir -p '" .. name .. "/root' '" .. name .. "/outside'"))
  local file = assert(io.open(name .. "/outside/secret", "wb"))
  file:write "secret"
  file:close()
  return name
end

describe("a sandbox", function()
  it("runs scripts on copies of values, and gives copies back", function()
    local box = pod.sandbox.new()
    assert.equal(3, box:run("return ... + 1", 2))
    local a, b, c, d = box:run("local t, s = ... ; t.x = 1; return t, s .. '!', nil, true", { 1, { 2 } }, "text")
    assert.same({ 1, { 2 }, x = 1 }, a)
    assert.same({ "text!", true }, { b, d })
    assert.is_nil(c)
    local weights, logs = box:run([[
      local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
      model:compile { loss = "mse" }
      model:set_weights(...)
      return model:get_weights(), model:evaluate(pod.ones { 4, 2 }, pod.ones { 4, 1 }, { return_dict = true })]],
      pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }:get_weights())
    assert.equal("number", type(logs.loss))
    assert.same({ 2, 1 }, { weights[1].shape[1], weights[1].shape[2] })
    assert.matches("loss: ", box:output()) -- the bar of evaluate
    box:run "kept = 5"
    assert.equal(5, box:run "return kept")
    box:run "print('a', 1, nil) print(true)"
    assert.equal("a\t1\tnil\ntrue\n", box:output())
    assert.equal("", box:output())
    assert.error_matches(function() box:run "error 'of its own'" end, "of its own")
    assert.error_matches(function() box:run "x = = 1" end, "script:1")
    assert.error_matches(function() box:run("return 1", print) end, "cannot be copied")
    assert.error_matches(function() box:run "return print" end, "cannot be copied")
    assert.error_matches(function() box:run "return setmetatable({}, {})" end, "cannot be copied")
    assert.error_matches(function() box:run "error {}" end, "raised a table")
    box:close()
    assert.error_matches(function() box:run "return 1" end, "closed")
  end)

  it("has what a script needs", function()
    local box = pod.sandbox.new()
    assert.same({ 3, "c", "b", "2", "x,y" }, { box:run [[
      local t = { 3, 1, 2 }
      table.sort(t)
      table.insert(t, 1, 9)
      assert(table.remove(t, 1) == 9 and table.concat(t, ",") == "1,2,3")
      local co = coroutine.wrap(function(a) local b = coroutine.yield(a + 1) return b * 2 end)
      assert(co(1) == 2 and co(4) == 8)
      local ok, message = pcall(error, "caught")
      assert(not ok and message == "caught")
      local handled = select(2, xpcall(function() error("e", 0) end, function(m) return m .. "h" end))
      assert(handled == "eh", handled)
      assert((load or loadstring)("return 1 + 1")() == 2)
      assert(require "moonpod" == pod)
      return t[3], ("abc"):match "c", ("a-b"):gsub("a%-", ""):sub(1, 1), tostring(2), ("x y"):gsub(" ", ",") .. ""
    ]] })
    box:close()
  end)

  it("has patterns as Lua's", function()
    local cases = { { "hello world", "o w" }, { "hello", "l+" }, { "  trim ", "^%s*(.-)%s*$" },
      { "key = value", "(%w+)%s*=%s*(%w+)" }, { "f(a(b)c)d", "%b()" }, { "THE (quick) fox", "%f[%a]%a+%f[%A]" },
      { "abcabc", "(abc)%1" }, { "a.b", ".", 1, true },
      { "x", "()" }, { "[]]", "[]]+" }, { "a-z", "[a%-z]+" }, { "0x1F", "^0[xX](%x+)$" }, { "", ".-" }, { "aXb", "%u" },
      { "\0a\0", "%z*a" }, { "abc", "b", -2 }, { "abc", "c", 10 }, { "aaa", "a-b" }, { "aab", "a-b" },
      { "^x", "^^x" }, { "a$", "a$$" }, { "tab\t", "%c" }, { "ends%", "%%$" }, { "abc", "[^b]+" }, { "a\nb", "%s" } }
    local box = pod.sandbox.new()
    for _, case in ipairs(cases) do
      local unpack = table.unpack or unpack -- luacheck: ignore
      local function all(text, pattern, ...)
        local list = {}
        for a, b in text:gmatch(pattern) do
          list[#list + 1] = { a, b }
        end
        return { { text:find(pattern, ...) }, { text:match(pattern) }, { text:gsub(pattern, "<%0>") },
          { text:gsub(pattern, { a = "A" }) }, { text:gsub(pattern, function(x) return x .. "!" end, 1) }, list }
      end
      local text = [[
        local text, pattern, a, b = ...
        local list = {}
        for x, y in text:gmatch(pattern) do
          list[#list + 1] = { x, y }
        end
        return { { text:find(pattern, a, b) }, { text:match(pattern) }, { text:gsub(pattern, "<%0>") },
          { text:gsub(pattern, { a = "A" }) }, { text:gsub(pattern, function(x) return x .. "!" end, 1) }, list }
      ]]
      assert.same(all(unpack(case)), (box:run(text, unpack(case))), case[2])
    end
    for _, bad in ipairs { "%", "[a", "(a", "a)", "%b", "%f", "%1", "[%", "(()" } do
      local ok = pcall(string.find, "aaa", bad)
      assert.equal(ok, (pcall(box.run, box, "return (('aaa'):find(...))", bad)), bad)
    end
    box:close()
  end)

  it("says what a script in it cannot do", function()
    local box = pod.sandbox.new()
    for _, name in ipairs { "core", "device.core", "sandbox", "session", "device.context" } do
      assert.error_matches(function() box:run("return pod." .. name) end, "a script in a sandbox has no pod." .. name)
    end
    assert.error_matches(function() box:run "local t = pod.tensor { 1 } t:data() return t._buffer:item(0)" end,
      "calls nothing of the core")
    box:close()
  end)

  it("has of pod what is listed, and each public name is listed or refused", function()
    local names = require "moonpod.sandbox.names"
    local function listed(list, part, name)
      return ((" %s "):format(list[part] or "")):find((" %s "):format(name), 1, true) ~= nil
    end
    local known, parts, unlisted = {}, {}, {}
    for _, entry in ipairs(require "moonpod.help.exports".list(pod)) do
      local name = entry.name:match "[^.]+$"
      if entry.kind ~= "method" and (entry.part == "pod" or names.allowed[entry.part]) then
        local allowed, refused = listed(names.allowed, entry.part, name), listed(names.refused, entry.part, name)
        unlisted[#unlisted + 1] = allowed == refused and entry.name or nil
        known[entry.name], parts[entry.part] = true, true
        if entry.kind == "part" and allowed then -- or scripts would have the module itself
          assert.is_string(names.allowed[entry.name], entry.name)
        end
        assert.is_false(allowed and entry.kind == "value" and type(entry.value) == "table", entry.name)
      end
    end
    assert.same({}, unlisted)
    for part, list in pairs(names.allowed) do
      for name in list:gmatch(parts[part] and "%S+" or "%z") do
        assert.is_true(known[part .. "." .. name], part .. "." .. name .. " is gone")
      end
    end
    -- and what is there is there
    local box = pod.sandbox.new { seconds = 60, instructions = 1e9, memory = 256 * MIB }
    assert.is_true(box:run [[
      local seen = 0
      local function walk(part, level)
        for name, value in pairs(part) do
          seen = seen + 1
          assert(name ~= "core" and name ~= "context" and type(value) ~= "userdata", name)
          if getmetatable(value) == "sandbox" and level < 3 then
            walk(value, level + 1)
          end
        end
      end
      if _VERSION ~= "Lua 5.1" then
        walk(pod, 0)
      end
      return seen > 500 or _VERSION == "Lua 5.1"
    ]])
    box:close()
  end)

  it("trains and predicts, and takes and gives tensors", function()
    local box = pod.sandbox.new { memory = 256 * MIB, instructions = 1e9, seconds = 60 }
    local y, loss = box:run([[
      local x = ...
      local model = pod.models.sequential {
        pod.layers.dense(4, { activation = "relu", input_shape = { 3 } }), pod.layers.dense(1) }
      model:compile { optimizer = "sgd", loss = "mse" }
      local history = model:fit(x, pod.ones { 4, 1 }, { epochs = 2, verbose = 0 })
      return model:predict(x), history.history.loss[2]
    ]], pod.ones { 4, 3 })
    assert.equal("4 1", table.concat(y.shape, " "))
    assert.is_number(loss)
    assert.is_number((y:sum():item()))
    local held, peak = box:memory()
    assert.is_true(held > 0 and peak >= held and peak <= 256 * MIB)
    box:close()
  end)

  it("has what its host lends: data, and functions on copies", function()
    local kept, calls, box
    box = pod.sandbox.new { env = { level = 3, x = pod.tensor { 1, 2 }, twice = function(t) return t * 2 end,
      game = { name = "go", move = function(...)
        calls, kept = select("#", ...), (...)
        return calls, nil, { "moved" }, nil
      end } } }
    assert.same({ 3, "go", 9 }, { box:run "local was = level level = 9 return was, game.name, level" })
    assert.same({ 4, 2, "moved" }, { box:run [[
      local t = { 1, { "a" } }
      local count, none, list, last = game.move(t, nil)
      t[1] = 7
      assert(none == nil and last == nil)
      return select("#", game.move(t, nil)), count, list[1]
    ]] })
    assert.equal(2, calls)
    assert.same({ 7, { "a" } }, kept)
    kept[1] = 8
    assert.equal(0, box:run "return select('#', game.move()) - 4 + (select(1, game.move()))")
    assert.equal(6, box:run("return pod.sum(twice(x))"):item())
    assert.equal(10, box:run("return pod.sum(twice(pod.tensor { 2, 3 }))"):item())
    box:close()
    for _, bad in ipairs { "x", { 1 }, { ["a b"] = 1 }, { f = coroutine.create(function() end) },
      { m = setmetatable({}, {}) } } do
      assert.has_error(function() pod.sandbox.new { env = bad } end)
    end
    local circle = {}
    circle.circle = circle
    assert.error_matches(function() pod.sandbox.new { env = circle } end, "nested more than")
  end)

  it("keeps its limits and its host's state when functions of the host fail", function()
    local box, other
    local calls = 0
    box = pod.sandbox.new { memory = 32 * MIB, instructions = 5e6, seconds = 600, env = {
      count = function() calls = calls + 1 end,
      echo = function(...) return ... end,
      text = function() error("a text", 0) end,
      table = function() error {} end,
      none = function() error() end,
      large = function() return ("x"):rep(40 * MIB) end,
      tensor = function() return pod.ones { 1024, 1024 } end,
      gives_function = function() return print end,
      gives_object = function() return setmetatable({}, { __index = function() while true do end end }) end,
      yields = function() return coroutine.yield(1) end,
      again = function() return box:run "return 1" end,
      closes = function() box:close() end,
      deep = function(n) return other:run("return inner(...)", n) end } }
    other = pod.sandbox.new { env = { inner = function(n)
      return n
    end } }
    assert.equal(5, box:run "return deep(5)")
    for name, message in pairs { text = "^a text$", table = "raised a table", none = "raised a nil",
      large = "memory", gives_function = "cannot be copied", gives_object = "cannot be copied",
      yields = "yield", again = "is running", closes = "is running" } do
      local ok, found = box:run(("local ok, e = pcall(%s) return ok, tostring(e)"):format(name))
      assert.is_false(ok)
      assert.error_matches(function() error(found, 0) end, message)
      assert.equal(2, (box:run "return echo(1 + 1)"))
    end
    -- what a script gives is a copy of plain data, or nothing
    for _, bad in ipairs { "print", "echo", "pod", "coroutine.create(print)", "setmetatable({}, {})",
      "(function() local t = {} t[1] = t return t end)()" } do
      assert.is_false((box:run(("return pcall(echo, %s)"):format(bad))), bad)
    end
    for _, endless in ipairs { "while true do pcall(echo, { {}, {} }) end", "while true do pcall(text) end",
      "while true do pcall(echo, print) end", "local t = {} while true do t[#t + 1] = echo(('x'):rep(1e5) .. #t) end",
      "local t = {} while true do t[#t + 1] = tensor() end", "while true do pcall(yields) end",
      "local a = {} for i = 1, 60 do a = { a, a } end while true do pcall(echo, a) end",
      "local s = ('x'):rep(1e6) while true do echo(s, s) end",
      "while true do coroutine.wrap(function() echo(coroutine.running()) end)() end",
      "setmetatable({}, { __index = function(t) return t[echo(1)] end }).a()" } do
      assert.has_error(function() box:run(endless) end)
      local held, peak = box:memory()
      assert.is_true(held <= 32 * MIB and peak <= 32 * MIB, endless)
      assert.equal(2, (box:run "collectgarbage() return echo(1 + 1)"), endless)
    end
    box:run "count()"
    assert.equal(1, calls)
    box:close()
    other:close()
    assert.equal(2, (pod.ones { 2 } + pod.ones { 2 }):totable()[1])
  end)

  it("runs in a coroutine of its host, too", function()
    local box = pod.sandbox.new { env = { echo = function(...) return ... end } }
    local run = coroutine.wrap(function()
      coroutine.yield((box:run "return echo(1)"))
      coroutine.yield((box:run "return coroutine.wrap(function() return echo(2) end)()"))
    end)
    assert.equal(1, run())
    assert.equal(2, run())
    box:close()
  end)

  it("keeps to its folder, within the host's", function()
    local base = folder()
    local box = pod.sandbox.new { files = base .. "/root", memory = 256 * MIB, instructions = 1e9, seconds = 60 }
    box:run [[
      local m = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
      m:save_weights "w.safetensors"
      m:load_weights "w.safetensors"
    ]]
    assert.truthy(io.open(base .. "/root/w.safetensors"))
    os.execute(("ln -s ../outside/secret '%s/root/link'"):format(base))
    assert.same({ "one two", 2, true }, { box:run [[
      for _, part in ipairs { { "w", "one" }, { "ab", " two" } } do
        local file = assert(pod.device.open("n.txt", part[1]))
        file:write(part[2])
        assert(file:close())
      end
      assert(pod.device.rename("n.txt", "m.txt"))
      local file = pod.device.open "m.txt"
      local text = file:read "*a"
      file:close()
      assert(pod.device.remove "m.txt")
      for _, path in ipairs { "link", "../outside/secret", "/etc/passwd" } do
        assert(not pod.device.open(path) and not pod.device.remove(path) and not pod.device.rename(path, "x"))
      end
      return text, select(3, pod.device.open "m.txt"), pod.device.remove "m.txt" == nil
    ]] })
    for _, path in ipairs { "../outside/secret", "link", "/etc/passwd", base .. "/outside/secret" } do
      assert.error_matches(function()
        box:run("return pod.data.load_npy(...)", path)
      end, "is outside of")
      assert.error_matches(function()
        box:run("pod.device.configure { files = ... }", "/")
      end, "is not within it")
    end
    box:close()
    local none = pod.sandbox.new()
    assert.error_matches(function()
      none:run("return pod.data.load_npy(...)", base .. "/root/link")
    end, "files are switched off")
    none:close()
    os.execute("rm -rf '" .. base .. "'")
  end)

  it("says that a script's time is up, also where no memory is given for that", function()
    for i = 1, 60 do
      local box = pod.sandbox.new { instructions = 1e12, seconds = 0.002 + 1e-4 * i }
      assert.error_matches(function()
        box:run "local x = pod.ones { 64, 64 } while true do x = pod.matmul(x, x) x:data() end"
      end, "no seconds left")
      box:close()
    end
  end)

  it("refuses options that are none", function()
    for _, options in ipairs { { memory = 0 }, { memory = "much" }, { seconds = -1 }, { instructions = 0 / 0 },
      { files = true }, { files = "" }, { files = "/nowhere/at/all" }, { threads = 0 }, { other = 1 },
      { memory = 100 } } do
      assert.has_error(function() pod.sandbox.new(options) end)
    end
  end)
end)

-- Each must end: by an error that the script's pcall may see, or by a limit; `gone` must not come back as true.
local ESCAPES = {
  -- without end
  "while true do end",
  "repeat until false",
  "while true do pcall(function() while true do end end) end",
  "while true do pcall(error) end",
  "local function f() return f() end f()",
  "local function f() return pcall(f) end while true do f() end",
  "xpcall(function() while true do end end, function() while true do end end)",
  "while true do xpcall(function() while true do end end, function() while true do end end) end",
  "coroutine.wrap(function() while true do end end)()",
  "while true do coroutine.resume(coroutine.create(function() while true do end end)) end",
  "local function f() coroutine.wrap(f)() end while true do pcall(f) end",
  "setmetatable({}, { __index = function(t, k) return t[k .. 'x'] end }).a()",
  "local t = setmetatable({}, { __index = function(_, k) return k end }) for i = 1, 1e15 do local _ = t[i] end",
  "for _ in function() return 1 end do end",
  "local t = setmetatable({}, { __lt = function() while true do end end }) return t < t",
  "string.gsub(('a'):rep(1000), '.', function() while true do end end)",
  "table.sort({ 3, 2, 1 }, function() while true do end end)",
  "load(function() while true do end end)",
  "load(function() return 'x' end)",
  "goto_ = 1 repeat goto_ = goto_ + 1 until goto_ < 0",
  -- in C
  "(''):rep(1e15)",
  "(''):rep(1e15, '')",
  "('x'):rep(1e15)",
  "('x'):rep(1e9):rep(1e9)",
  "('a'):rep(40):find(('a?'):rep(40) .. ('a'):rep(40))",
  "('a'):rep(3e4):find('.-.-.-.-.-.-.-.-b')",
  "('a'):rep(1e5):match('(.*)(.*)(.*)(.*)b')",
  "for _ in ('a'):rep(1e5):gmatch('.-.-.-.-b') do end",
  "('a'):rep(1e5):gsub('.-.-.-.-b', '')",
  "('('):rep(1e6):find(('%b()'):rep(30))",
  "local s = ('x'):rep(1e6) while true do local _ = s .. s end",
  "local s = ('x'):rep(1e6) while true do local _ = s:upper() end",
  "local s = ('x'):rep(1e6) while true do local _ = s:find('y', 1, true) end",
  "table.move({}, 1, 1e15, 2)",
  "table.concat(setmetatable({}, { __index = function() return '' end }), '', 1, 1e15)",
  "table.unpack({}, 1, 1e15)",
  "table.insert(setmetatable({}, { __len = function() return 2 ^ 53 end }), 1, 1)",
  "table.remove(setmetatable({}, { __len = function() return 2 ^ 53 end }), 1)",
  "local t = {} for i = 1, 2e5 do t[i] = i % 7 end while true do table.sort(t) end",
  "while true do collectgarbage() end",
  "while true do tonumber((' '):rep(1e6)) end",
  -- memory
  "local t = {} while true do t[#t + 1] = ('x'):rep(1e5) .. #t end",
  "local t = {} while true do pcall(function() while true do t[#t + 1] = {} end end) end",
  "local s = 'x' while true do s = s .. s end",
  "local t = {} for i = 1, 1e9 do t[i] = i end",
  "local t = {} while true do t = { t } end",
  "while true do local t = {} while pcall(function() for i = 1, 1e6 do t[i] = ('x'):rep(9) .. i end end) do end end",
  "return load(('('):rep(1e6) .. '1' .. (')'):rep(1e6))",
  "local a = {} for i = 1, 60 do a = { a, a } end return a",
  "local t = {} t[1] = t return t",
  -- what is not there
  "gone = io or debug or package or dofile or loadfile or os.execute or os.exit or os.remove or os.getenv",
  "gone = string.dump or getfenv or setfenv or newproxy or jit or module",
  "gone = (load or loadstring)('\\27Lua') or load and load('x', 'x', 'b')",
  "gone = pcall(setmetatable, {}, { __gc = function() while true do end end })",
  "gone = type(getmetatable('')) == 'table' or pcall(setmetatable, _G, {})",
  "gone = pcall(require, 'os') or pcall(require, 'moonpod.core') or pcall(require, '../../etc/passwd')",
  "gone = pcall(function() return pod.sandbox.new { memory = 1e12 } end)",
  "gone = pcall(function() return pod.core.context { memory_limit = 0, threads = 64 }:limit { seconds = 0 } end)",
  "gone = pcall(function() pod.device.configure { threads = 64 } pod.device.context():set_threads(64) end)",
  -- programs
  "local x = pod.ones { 1000, 1000, 1000 } gone = x:item()",
  "local x = pod.ones { 512, 512 } while true do x = pod.matmul(x, x) x:data() end",
  "pod.func(function(x) return pod.while_loop(function() return true end, function(y) return y end, { x }) end)(1)",
  "for _ in pod.data.range(10):repeat_():filter(function() return false end):iterator() do end",
  "pod.data.range(2 ^ 50):skip(2 ^ 50 - 1):iterator():next_element()",
  "pod.data.from_tensors(pod.zeros { 2 ^ 40, 0 }):unbatch():skip(2 ^ 39):iterator():next_element()",
  "pod.device.log_placement(function() while true do end end) local x = pod.ones { 2 } + 1 x:data()",
  "for _, f in pairs(pod.core) do if type(f) == 'function' then pcall(f) pcall(f, 1e300, {}, 'x') end end",
  "local f = coroutine.wrap(function() table.sort({ 3, 2 }, coroutine.yield) end) while true do f() end",
  "local s = ('a'):rep(2 ^ 20) return s:gsub('(.*)', ('%1'):rep(2 ^ 16))",
  "return pod.zeros { 2 ^ 32, 2 ^ 32 }:data()",
  "local d = pod.data.range(2 ^ 60) for i = 1, 40 do d = pod.data.zip { d, d } end",
  "for _, n in ipairs { '\\0', 'a\\0b', '/dev/zero' } do local ok, f = pcall(pod.device.open, n) gone = ok and f end",
  "for _, o in ipairs { 'stop', 'generational', 'setpause' } do gone = gone or pcall(collectgarbage, o, 0) end",
  "local m = {} setmetatable({}, m) m.__gc = function() gone = true end collectgarbage()",
  "load('local function f(n) local x <close> = setmetatable({}, { __close = function() while true do end end }) '"
    .. " .. 'if n > 0 then f(n - 1) end while true do end end f(99)')()",
  "if utf8 then local s = ('\\240\\144\\128\\128'):rep(2 ^ 18) while true do utf8.len(s) utf8.offset(s, -1) end end",
}

describe("ways out of a sandbox", function()
  it("are known in some number", function()
    assert.is_true(#ESCAPES >= 60)
  end)

  for number, text in ipairs(ESCAPES) do
    it(("%d: %s"):format(number, text), function()
      local box = pod.sandbox.new { memory = 32 * MIB, instructions = 5e6, seconds = 0.5 }
      local before = pod.device.memory().current_bytes
      local started = require("moonpod.core").clock()
      pcall(box.run, box, text)
      assert.is_true(require("moonpod.core").clock() - started < 30)
      local held, peak = box:memory()
      assert.is_true(held <= 32 * MIB and peak <= 32 * MIB)
      assert.is_true(pod.device.memory().current_bytes - before < MIB)
      -- the sandbox is usable, and its host is alive
      assert.is_not_true((box:run "local was = gone gone = nil return was and true"))
      box:close()
      assert.equal(2, (pod.ones { 2 } + pod.ones { 2 }):totable()[1])
    end)
  end
end)
