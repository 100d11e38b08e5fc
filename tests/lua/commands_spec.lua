-- Commands of a session: lines that begin with % or !, and the results that are kept.

local executable = dofile "tests/lua/support/executable.lua"
local commands = require "moonpod.session.commands"

local program, quote, shell = executable.program, executable.quote, executable.shell

local describe_program = program and describe or pending

-- What a session of plain lines says to these.
local function session(input, flags)
  return (executable.run("-i " .. (flags or ""), input))
end

local function has(text, part)
  if not text:find(part, 1, true) then
    error(("%q is not in\n%s"):format(part, text), 2)
  end
end

describe("commands of a session", function()
  it("have a help each, and %help lists all of them", function()
    local text = commands.run("%help", {})
    for name, command in pairs(commands.list) do
      assert.truthy(#command.help > 10, name)
      assert.equal("%" .. name, command.usage:match "^%S+")
      has(text, command.usage)
      has(text, command.help)
    end
    for _, name in ipairs { "time", "timeit", "who", "run", "reload", "history", "save", "edit", "color", "help",
      "quit" } do
      assert.truthy(commands.list[name], name)
    end
    local who = commands.list.who.usage .. "  " .. commands.list.who.help .. "\n      in scripts: pod.session.who"
    assert.equal(who, commands.run("%help who", {}))
    assert.equal(who, commands.run("%help %who", {}))
  end)

  it("are functions, too", function()
    for name, command in pairs(commands.list) do
      local value = { pod = require "moonpod" }
      for part in command.fn:gmatch "[%w_]+" do
        value = value[part]
      end
      assert.truthy(type(value) == "function" or getmetatable(value).__call, name)
    end
    local text = session("1 + 1\npod.session.history(1)[1].text\npod.session.keys()[1][1]\npod.session.color(true)\n"
      .. "pod.session.scope(pod.distribute.mirrored(2))\npod.session.scope(nil)\npod.session.forget()\n_\n"
      .. "pod.session.quit()\n3\n", "-E")
    has(text, '"pod.session.history(1)[1].text"\n> "Enter"\n> false\n> mirrored(2)> > > nil\n> ')
    assert.falsy(text:find("3\n", 1, true))
  end)

  it("refuse what is wrong and name what was meant", function()
    for line, part in pairs {
      ["%hlep"] = "did you mean %help? %help lists them",
      ["%"] = "there is no command", ["%help nothing"] = "there is no %nothing",
      ["%time"] = "%time f(x)", ["%time ]"] = "unexpected symbol", ["%run"] = "name the file",
      ["%run /no/such.lua"] = "/no/such.lua", ["%run 'open"] = "is not closed", ["%reload"] = "name the module",
      ["%reload no.such"] = "is not loaded", ["%save"] = "name the file", ["%color blue"] = "%color on",
      ["!"] = "!ls",
    } do
      local ok, failure = pcall(commands.run, line, { entries = {} })
      assert.is_false(ok, line)
      has(tostring(failure), part)
    end
  end)

  it("time what is typed", function()
    local clock = 0
    local host = { now = function()
      clock = clock + 0.25
      return clock
    end }
    local text, value, second = commands.run("%time 6 * 7, nil", host)
    has(text, "250 ms (processors: ")
    assert.equal(42, value)
    assert.is_nil(second)
    has(commands.run("%timeit 1 + 1", host), "250 ms a run: the best of 7 rounds of 1; the median 250 ms")
  end)
end)

describe_program("a session", function()
  it("measures with %time and %timeit, of expressions and statements", function()
    local text = session "%time 6 * 7\n%timeit 1 + 1\n%time local x = 1\n%time error 'mine'\n"
    assert.truthy(text:find "> [%d.]+ [num]?s %(processors: [%d.]+ [num]?s%)\n42\n", text)
    assert.truthy(text:find "> [%d.]+ [num]?s a run: the best of 7 rounds of %d+", text)
    has(text, "mine\nstack traceback")
  end)

  it("keeps its last nine results, and no more", function()
    local text = session "10\n20\n_ + _2\nnil\n_\n_1, _2, _3, _4\n%forget\n_\n_1"
    has(text, "> 30\n> nil\n> 30\n> 30\t30\t20\t10\n> > nil\n> nil\n")
    text = session(("1\n"):rep(15) .. "_9, _10, #_G")
    has(text, "> 1\tnil\t0\n")
    -- what falls out is freed
    text = session("setmetatable({}, { __gc = function() print 'freed' end, __tostring = function() return 't' end })\n"
      .. ("1\n"):rep(9) .. "collectgarbage()\n'end'\n")
    assert.truthy(text:find "freed.*\"end\"")
  end)

  it("keeps results under a strict _G", function()
    local text = session("setmetatable(_G, { __newindex = function(_, name) error('no ' .. name) end })\n"
      .. "1 + 1\n_ + 1\n")
    has(text, "> 2\n> 3\n")
  end)

  it("lists globals of the user's with %who", function()
    local text = session "%who\nname = 'abc'\nt = { 1, 2 }\nx = pod.ones { 2, 3 }\nf = print\n%who\n"
    has(text, "> there are none\n")
    has(text, "f     function\nname  string          3 B\nt     table           2 items\n"
      .. "x     moonpod.tensor  float32 (2, 3) 24 B\n")
  end)

  it("runs files with %run and takes their values", function()
    executable.with_script("y = (...) * 2\nreturn y, select('#', ...)", function(name)
      has(session(("%%run %s 21 'a b'\ny\n"):format(name)), "> 42\t2\n> 42\n")
    end)
  end)

  it("loads a module again with %reload, in the table that is held", function()
    local folder = shell "mktemp -d":match "%S+"
    local text = session(([[
package.path = "%s/?.lua;" .. package.path
function W(text)
  local file = io.open("%s/mine.lua", "w")
  file:write(text)
  file:close()
end
W "return { a = 1, b = 2 }"
mine = require "mine"
W "return { a = 10, c = 3 }"
%%reload mine
mine.a, mine.b, mine.c
W "error 'broken'"
%%reload mine
mine.a, mine == require "mine"
]]):format(folder, folder))
    shell("rm -r " .. quote(folder))
    has(text, "> 10\tnil\t3\n")
    has(text, "%reload: the old one stays: ")
    has(text, "> 10\ttrue\n")
  end)

  it("shows entries with %history and writes them with %save, never over a file", function()
    local folder = shell "mktemp -d":match "%S+"
    local text = session(("alpha = 1\nfor i = 1, 2 do\nbeta = i\nend\n%%history\n%%history alpha\n%%history 1\n"
      .. "%%save %s/s.lua\n%%save %s/s.lua\n"):format(folder, folder))
    has(text, "    1  alpha = 1\n    2  for i = 1, 2 do\n       beta = i\n       end\n>     1  alpha = 1\n>     2  for")
    has(text, "is there already; it is kept as it is")
    assert.equal("alpha = 1\nfor i = 1, 2 do\nbeta = i\nend\ns.lua\n",
      (shell(("cat %s/s.lua; ls %s; rm -r %s"):format(folder, folder, folder))))
  end)

  it("runs commands of the shell", function()
    local text = session "!echo one; echo two\n!exit 3\n!kill $$\n"
    has(text, "one\ntwo\n")
    has(text, "the command ended with code 3")
    has(text, "the command ended with signal 15")
  end)

  it("ends with %quit", function()
    local text = session "%quit\nprint 'not reached'\n"
    assert.falsy(text:find("not reached", 1, true))
  end)

  it("begins with the user's file, unless -E is given, and tells what is wrong in it", function()
    local folder = shell "mktemp -d":match "%S+"
    local function write(text)
      local file = assert(io.open(folder .. "/moonpod/init.lua", "w"))
      file:write(text)
      file:close()
    end
    local function begin(flags)
      return (shell(("echo 'started' | XDG_CONFIG_HOME=%s %s %s -i"):format(folder, quote(program), flags)))
    end
    shell("mkdir " .. folder .. "/moonpod")
    write "started = 'by init.lua'"
    has(begin "", 'by init.lua')
    has(begin "-E", "> nil\n")
    write "started = 1 error 'wrong'"
    local text = begin ""
    has(text, "init.lua:1: wrong")
    has(text, "> 1\n")
    assert.equal("nil\n", (shell(("XDG_CONFIG_HOME=%s %s -e 'print(started)'"):format(folder, quote(program)))))
    shell("rm -r " .. quote(folder))
  end)

  it("goes on where a prompt of the user's fails", function()
    local text = session("_PROMPT = function() error 'no' end\n1 + 1\n"
      .. "_PROMPT = setmetatable({}, { __tostring = error })\n2 + 2")
    has(text, "> 2\n")
    has(text, "> 4\n")
  end)
end)
