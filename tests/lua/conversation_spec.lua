-- What sessions of other languages have, and ours must: a row of the table after the other, as a transcript. What rows
-- are about that other specs hold in full is seen here once: keys and painting (session_spec, tests/repl), commands
-- (commands_spec), errors (session_functions_spec), help (help_spec).

local executable = dofile "tests/lua/support/executable.lua"
local terminal = dofile "tests/lua/support/terminal.lua"

local program, quote, shell = executable.program, executable.quote, executable.shell

local describe_program = program and describe or pending
local describe_terminal = program and terminal.exists() and describe or pending

-- What a session of plain lines says to these, from its first prompt on.
local function session(input, flags)
  return (executable.run("-i " .. (flags or ""), input):gsub("^Moonpod [^\n]*\n", ""))
end

local function says(input, expected)
  assert.equal(expected, session(input))
end

local function has(text, part)
  if not text:find(part, 1, true) then
    error(("%q is not in\n%s"):format(part, text), 2)
  end
end

describe_program("in a session of plain lines", function()
  it("a value is printed without return or =", function()
    says("6 * 7\n=6 * 7\n'a', nil\nx = 1\n", '> 42\n> 42\n> "a"\tnil\n> > \n')
  end)

  it("a semicolon at the end mutes it", function()
    says("6 * 7;\n'two';  \n1\n", "> > > 1\n> \n")
  end)

  it("the last results are in _ and _1 to _9, and no more are kept", function()
    says("10\n20\n_ + _2\n%forget\n_\n", "> 10\n> 20\n> 30\n> > nil\n> \n")
    says("10\n20\nOut[1] + Out[-1]\nOut\n%forget\n5\nOut[1]\n", "> 10\n> 20\n> 30\n> { 10, 20, 30 }\n> > 5\n> 5\n> \n")
    has(session "Out[1]\n", "Out[1] is not kept: there is no result yet")
    has(session "1\n%forget\nOut[-1]\n", "Out[-1] is not kept: there is no result yet")
    has(session(("1\n"):rep(12) .. "Out[3]\n"), "Out[3] is not kept: the last 9 results are (4, 5, 6, 7, 8, 9, 10")
    says("Out = 3\n4\nOut\n", "> > 4\n> 3\n> \n")
  end)

  it("what an entry declares local stays for those that follow, but for names of Lua's own", function()
    says("local x, y = 1, 2\ny = y + x; local z = y -- three\nx, y, z\n", "> > > 1\t3\t3\n> \n")
    says("local function f(n)\nreturn n <= 1 and 1 or n * f(n - 1)\nend\nf(5)\n", "> >> >> > 120\n> \n")
    says("local table, _ = 3, 4\ntable.concat { 'a', 'b' }\n_\n", '> > "ab"\n> "ab"\n> \n')
    says("do local inner = 1 end\ninner\nlocal w = 1; return w + 1\nw\n", "> > nil\n> 2\n> nil\n> \n")
    says("local c <close> = setmetatable({}, { __close = function() print 'closed' end })\nc\n",
      "> closed\n> nil\n> \n")
    says("do local q <const> = 8 end local a <const> = 5; local b <const>, d = 'x', {}\na, b, d[1], q\n",
      '> > 5\t"x"\tnil\tnil\n> \n')
  end)

  it("an entry goes on while it is incomplete", function()
    says("for i = 1, 2 do\nprint(i)\nend\n", "> >> >> 1\n2\n> \n")
  end)

  it("tables are shown to a depth, with their keys sorted, texts in quotes, and circles marked", function()
    local text = session "t = { b = 1, a = 'x', 10, { { { { { 1 } } } } } }\nt\nt.a = t\nt.a\n"
    assert.truthy(text:find('{ 10, { { { {', 1, true), text)
    assert.truthy(text:find('a = "x", b = 1', 1, true), text)
    assert.truthy(text:find("...", 1, true) and text:find("cycle", 1, true), text)
  end)

  it("tensors are shown with their type and shape, long ones by their ends", function()
    local text = session "pod.ones { 2, 2 }\npod.ones { 2000 }\n"
    has(text, "float32")
    has(text, "(2, 2)")
    has(text, "...")
    assert.truthy(#text < 400)
  end)

  it("code is timed, once and often", function()
    local text = session "%time 1 + 1\n%timeit 1 + 1\n%mem\n"
    assert.truthy(text:find "> [%d.]+ %l+ %(processors: [%d.]+ %l+%)\n2\n> [%d.]+ %l+ a run: the best of 7 rounds of ")
    has(text, "tensors and programs: ")
  end)

  it("?name tells what a thing does, ??name its text, ?*part* finds names", function()
    local text = session "?pod.layers.dense\n??pod.layers.dense\n?*dropout*\n"
    has(text, "units")
    has(text, "function dense:call(x)")
    has(text, "spatial_dropout2d")
  end)

  it("what is no value of data is shown by what it is for", function()
    local text = session "pod\npod.plot\npod.layers.dense\npod.losses.mse\npod.optimizers.adam()\n"
    has(text, "> Moonpod ")
    has(text, "\n> pod.plot: bar, confusion_matrix, heat_map,")
    has(text, "\n> class pod.layers.dense(units, options?)\n  Computes ")
    has(text, "\n> function pod.losses.mean_squared_error(options?)\n  The mean of ")
    has(text, "  steps          0\n")
    assert.falsy(text:find "0x", text)
  end)

  it("words that end other sessions end this one, unless they are names of the user's", function()
    for _, word in ipairs { "exit", "quit()", "%quit", "%exit" } do
      says(word .. "\n'on'\n", "> ")
    end
    has(session "help\n", "?*part*")
    says("quit = 3\nquit\nexit\n", "> > 3\n> ")
  end)

  it("mistakes of people who come from elsewhere are told what is meant", function()
    for line, part in pairs {
      ["pod.ones{2,3}:T()"] = "did you mean 'transpose'?", ["pod.optimizers.adam { lr = 1 }"] = "'learning_rate'?",
      ["pod.random.seed(1)"] = "did you mean 'set_seed'?", ["pod.plot({ 1, 2 })"] = "?pod.plot tells what each is",
      ["for x in pod.data.range(3) do end"] = "for x in ds:iter() do", ["pod.ones { 3 } < 2"] = "pod.less(a, b)",
      ["pod.data.range(3)[1]"] = "ds:skip(1):take(1)", ["pod.datasets.minst()"] = "did you mean 'mnist'?",
      ["pod.losses.mse(pod.ones { 2 }, pod.ones { 2 })"] = "pod.losses.mean_squared_error()(y_true, y_pred)",
      ["?tf.data.Dataset.prefetch"] = "here it is dataset:prefetch", ["?Model.summary"] = "here it is model:summary",
      ["?keras.datasets.mnist.load_data"] = "here it is pod.datasets.mnist",
      ["%lsi"] = "there is no command %lsi: %help lists them", ["%tiem 1"] = "did you mean %time?",
    } do
      has(session(line .. "\n"), part)
    end
  end)

  it("Python is told as Lua", function()
    local cases = {
      "len({ 1 })", "Lua writes #x", "np.zeros(3)", "NumPy's functions are in pod",
      "layers.dense(3)", "write pod.layers",
      "import moonpod as pod", 'Lua writes: local pod = require "moonpod"', "x = [1, 2]", "a list is { 1, 2 }",
      "pod.sum(1, axis=0)", "options stand in a table: f(x, { name = value })", "x != 2", "Lua writes ~=",
      "x += 1", "Lua writes x = x + 1", "x = { pod.ones{1} pod.ones{1} }", "is a comma missing before it?",
      "größe = 3", "'größe' is none", "x[0:2]", 'x[{ "0:3" }] picks', "# a remark", "comments begin with --",
    }
    local lines = {}
    for i = 1, #cases, 2 do
      lines[#lines + 1] = cases[i]
    end
    local text, from = session(table.concat(lines, "\n") .. "\n"), 1
    for i = 2, #cases, 2 do -- in their order
      local _, last = text:find(cases[i], from, true)
      assert(last, ("%s: %q is not in\n%s"):format(cases[i - 1], cases[i], text:sub(from)))
      from = last + 1
    end
    local folder = shell "mktemp -d":match "%S+"
    for name, head in pairs { own = "", ours = 'local pod = require "moonpod"\n' } do
      local file = assert(io.open(folder .. "/" .. name .. ".lua", "w"))
      file:write(head .. "print(f(x, epochs=3))\n")
      file:close()
    end
    has(executable.run(folder .. "/ours.lua"), "options stand in a table")
    assert.falsy(executable.run(folder .. "/own.lua"):find("options stand", 1, true)) -- lua(1)'s words alone
    shell("rm -r " .. folder)
  end)

  it("! runs a command of the shell", function()
    local text = session "!echo one two\n!exit 3\n"
    has(text, "one two\n")
    has(text, "the command ended with code 3")
  end)

  it("files are run, modules loaded again, entries saved, and a startup file is read but with -E", function()
    local folder = shell "mktemp -d":match "%S+"
    local function write(name, text)
      local file = assert(io.open(folder .. "/" .. name, "w"))
      file:write(text)
      file:close()
    end
    shell("mkdir " .. folder .. "/moonpod")
    write("moonpod/init.lua", "begun = 'yes'")
    write("double.lua", "return (...) * 2")
    write("mine.lua", "return { value = 1 }")
    local input = ("begun\npackage.path = '%s/?.lua;' .. package.path\n%%run %s/double.lua 21\nrequire('mine').value\n"
      .. "!echo 'return { value = 2 }' > %s/mine.lua\n%%reload mine\nrequire('mine').value\n%%save %s/saved.lua\n")
      :format(folder, folder, folder, folder)
    write("input", input)
    local text = shell(("XDG_CONFIG_HOME=%s %s -i < %s/input"):format(folder, quote(program), folder))
    has(text, '> "yes"\n> > 42\n> 1\n> > > 2\n> 4 entries in ')
    text = shell(("XDG_CONFIG_HOME=%s %s -E -i < %s/input"):format(folder, quote(program), folder))
    has(text, "> nil\n")
    shell("rm -r " .. quote(folder))
  end)

  it("an error shows what, where, the line, the near name, and %tb all frames", function()
    local text = session "pod.layers.dense { unit = 3 }\n%tb\n"
    has(text, "stdin:1: layers.dense: unknown option 'unit'; did you mean 'units'?\n"
      .. "     1 | pod.layers.dense { unit = 3 }")
    has(text, "check_options")
  end)

  it("%who lists globals with their bytes, and %strict refuses names that nobody has set", function()
    local text = session "x = pod.ones { 2, 3 }\n%who\n%strict on\nxx\nx = nil\npod ~= nil, _\n%strict off\nxx\n"
    has(text, "x  moonpod.tensor  float32 (2, 3) 24 B\n")
    has(text, "stdin:1: there is no global 'xx'; did you mean 'x'?")
    has(text, "> true\tnil\n> > nil\n")
  end)

  it("a training goes on while a line is waited for", function()
    local mark = os.tmpname()
    os.remove(mark)
    local lines = ([[m = pod.models.sequential { pod.layers.dense(1, { input_shape = { 3 } }) }
m:compile { loss = "mse", optimizer = "sgd" }
run = m:fit(pod.ones { 8, 3 }, pod.ones { 8, 1 }, { epochs = 1e6, verbose = 0, background = true })
run:on("epoch", function() io.open("%s", "w"):close() end);
]]):format(mark)
    local wait = ("for i in $(seq 6000); do [ -e %s ] && break; sleep 0.01; done"):format(mark)
    local text = shell(("(printf %%s %s; %s; echo 'run:progress().epoch >= 1') | %s -E -i 2>&1"):format(quote(lines),
      wait, quote(program)))
    os.remove(mark)
    has(text, "> true\n> moonpod: 1 run goes on in the background, which ends with the session")
  end)

  it("no escape byte ever reaches what is no terminal, or a dumb one, whatever the colours are to be", function()
    local input = "1 + 1\npod.ones { 2 }\nlocal x\nerror 'x'\nprnt(1)\n%tb\n%keys\n%help\n%who\n%mem\n%why\n%scope\n"
      .. "%history\n?pod.layers.dense\n?*dense*\n{ 1, { 2 } }\n%color on\n%edit\n"
    for _, flags in ipairs { "", "--color=always", "--color=never", "--plain", "--plain --color=always" } do
      for _, variables in ipairs { "", "NO_COLOR=1", "NO_COLOR=", "TERM=dumb", "TERM=", "CLICOLOR_FORCE=1",
        "FORCE_COLOR=1" } do
        if flags == "" or variables == "" then
          local name = os.tmpname()
          local file = assert(io.open(name, "w"))
          file:write(input)
          file:close()
          local text = shell(("env %s %s -i %s < %s"):format(variables, quote(program), flags, name))
          os.remove(name)
          assert.falsy(text:find "\27", flags .. variables)
          has(text, "> 2\n")
        end
      end
    end
  end)
end)

describe_terminal("in a session on a terminal", function()
  local one

  local function start(options)
    one = terminal.start(quote(program) .. " -E", options)
    one:wait_for_end ">"
    return one
  end

  local function enter(text)
    one:type(text)
    one:keys "Enter"
  end

  local function drop()
    one:keys "C-c"
    one:wait_for_end ">"
  end

  after_each(function() one:close() end)

  it("what is typed has colours, hints, matching brackets, candidates with help, and is found again", function()
    start()
    enter "alpha = { 1, 2 }"
    one:type "local x = 'a'"
    one:wait_for_end "> local x = 'a'"
    local shown = one:screen "-e"
    assert.truthy(shown:find "\27%[35m[\27%[%d;m]*local" and shown:find "\27%[32m[\27%[%d;m]*'a'", shown)
    drop()
    one:type "al"
    one:wait_for_end "> alpha = { 1, 2 }" -- the hint: an entry before
    assert.truthy(one:screen "-e":find "al\27%[90m[\27%[%d;m]*pha")
    one:keys "Right"
    one:keys "Enter"
    one:type "f(a)"
    one:wait_for_end "> f(a)"
    assert.truthy(one:screen "-e":find "f\27%[1;?\27?%[?m?4m[\27%[%d;m]*%(")
    drop()
    one:type "pod.layers.spatial_dropout"
    one:keys("Tab", "Tab")
    one:wait_for "spatial_dropout2d"
    drop()
    one:type "model = pod.models.sequential { pod.layers.dense(2, { acti"
    one:keys "Tab"
    one:wait_for "activation ="
    drop()
    one:keys "C-r"
    one:type "alp"
    one:wait_for "(reverse-i-search)`alp': alpha = { 1, 2 }"
    one:keys "Enter"
    one:wait_for_end ">"
  end)

  it("an entry of several lines is one text, a paste runs nothing early, and Ctrl-C stops what runs", function()
    start()
    one:paste "> for i = 1, 2 do\n>>   print(i * 10)\n>> end\n"
    one:wait_for_end "> for i = 1, 2 do\n>>   print(i * 10)\n>> end"
    one:keys "Enter"
    one:wait_for_end "10\n20\n>"
    one:keys "Up"
    one:wait_for_end "> for i = 1, 2 do\n>>   print(i * 10)\n>> end"
    drop()
    one:enter_endless "while true do pcall(function() while true do end end) end"
    one:keys "C-c"
    os.execute "sleep 0.1"
    one:keys "C-c"
    one:wait_for "interrupted!"
    enter "'alive'"
    one:wait_for_end '"alive"\n>'
  end)

  it("a training goes on while keys are waited for: what it prints comes above, a line tells how far it is", function()
    start()
    enter 'm = pod.models.sequential { pod.layers.dense(1, { input_shape = { 3 } }) }'
    enter 'm:compile { loss = "mse", optimizer = "sgd" }'
    enter 'run = m:fit(pod.ones { 8, 3 }, pod.ones { 8, 1 }, { epochs = 1e6, verbose = 0, background = true })'
    one:wait_for "sequential: epoch"
    enter 'run:on("epoch", function() if not told then told = true print("a" .. "bove") end end);'
    one:wait_for "above"
    one:type "typed = 41 + 1"
    one:wait_for "> typed = 41 + 1\nsequential: epoch"
    one:keys "Enter"
    enter "typed"
    one:wait_for "\n42\n>"
    one:keys "C-c"
    one:wait_for "interrupted"
    enter "run.state"
    one:wait_for "\n\"stopped\"\n>"
  end)

  it("resizing in the middle of a line of wide and combining characters keeps the cursor's place", function()
    start { columns = 80 }
    one:type "x = '日本語 e\204\129 日本語 日本語 日本語'"
    one:wait_for "日本語'"
    one:keys("Left", "Left", "Left")
    one:resize(20, 24)
    os.execute "sleep 0.3"
    one:keys "BSpace"
    one:resize(80, 24)
    os.execute "sleep 0.3"
    one:keys("C-e", "Enter")
    enter "#x"
    one:wait_for_end "40\n>"
  end)

  it("errors are in colours, and plain where colours are off", function()
    start()
    enter "prnt(1)"
    one:wait_for "did you mean"
    assert.truthy(one:screen "-e":find "\27%[31mstdin:1: attempt")
    one:close()
    start { environment = { NO_COLOR = "1" } }
    enter "prnt(1)"
    one:wait_for "did you mean"
    assert.falsy(one:screen "-e":find "\27%[31m")
  end)
end)
