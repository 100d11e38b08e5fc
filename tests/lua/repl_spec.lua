-- The executable `moonpod`: lua(1)'s flags and behaviour, and a session.

local executable = dofile "tests/lua/support/executable.lua"

local program, quote, run, with_script = executable.program, executable.quote, executable.run, executable.with_script

local describe_program = program and describe or pending

describe_program("moonpod", function()
  it("executes -e strings in order and shares globals between them", function()
    assert.equal("3\n", (run "-e 'x = 1' -e 'print(x + 2)'"))
  end)

  it("requires modules with -l, also into another global", function()
    assert.equal("table\ttable\n", (run "-l string -l s=string -e 'print(type(string), type(s))'"))
  end)

  it("has pod in -e and in scripts, and loads it when it is first named", function()
    assert.equal("nil\tmoonpod\n",
      (run "-e 'local before = package.loaded.moonpod print(before, getmetatable(pod).__name)'"))
    with_script("print(pod.version() ~= nil, rawget(_G, 'pod') ~= nil)", function(name)
      assert.equal("true\ttrue\n", (run(name)))
    end)
  end)

  it("reads for a first fit only what that uses", function()
    with_script([[
      local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
      model:compile { loss = "mse" }
      model:fit(pod.ones { 4, 2 }, pod.ones { 4, 1 }, { verbose = 0 })
      for name in ("base.json data data.distributed data.stages data.traced models.progress models.run"):gmatch "%S+" do
        print(package.loaded["moonpod." .. name] and name)
      end]], function(name)
      assert.equal(("nil\n"):rep(7), (run(name)))
    end)
  end)

  it("finds the modules of its checkout from a build elsewhere", function()
    local build = os.getenv "MOONPOD_BUILD" or "build/release"
    local folder = executable.shell("mktemp -d"):match "%S+"
    local text = executable.shell(([[mkdir -p FOLDER/lua/moonpod && cp PROGRAM FOLDER/moonpod &&
      printf %s "$PWD" >FOLDER/lua/checkout &&
      ln -s "$(realpath BUILD/lua/moonpod/core.so)" FOLDER/lua/moonpod/core.so && cd / &&
      env -u LUA_PATH -u LUA_CPATH LD_LIBRARY_PATH=BUILD FOLDER/moonpod -e
      'print(require "moonpod".ones({ 2 }):sum():item())']]):gsub("\n%s*", " "):gsub("%u%u%u+", {
        FOLDER = folder, PROGRAM = quote(program), BUILD = build }))
    executable.shell("rm -rf " .. folder)
    assert.equal("2.0\n", text)
  end)

  it("finds the modules of its checkout from any folder", function()
    local text = executable.shell("cd / && env -u LUA_PATH -u LUA_CPATH -u LUA_PATH_5_4 -u LUA_CPATH_5_4 "
      .. quote(program) .. " -e " .. quote "print(pod.ones({ 2 }):sum():item(), getmetatable(pod).__name)")
    assert.equal("2.0\tmoonpod\n", text)
  end)

  it("lists in its help what else can be done with it", function()
    local help = run "--help"
    for _, word in ipairs { "moonpod advise", "moonpod doctor",
      "--color", "--plain", "-e stat", "-l mod", "--version" } do
      assert.truthy(help:find(word, 1, true), word)
    end
  end)

  it("says what the machine has, and what is missing and how to get it", function()
    local text, code = run "doctor"
    for _, name in ipairs { "Moonpod", "processor", "instructions", "memory", "kernels", "threads", "BLAS",
      "libraries", "modules", "for editors", "history", "Fashion-MNIST", "terminal" } do
      assert.truthy(("\n" .. text):find("\n" .. name .. " ", 1, true), name)
    end
    assert.truthy(text:find("Nothing is missing", 1, true) and code == 0 or text:find("apt-get install", 1, true))
    text, code = executable.shell("MOONPOD_DATASETS=/no/such MOONPOD_ISA=portable MOONPOD_OPENBLAS=/no/such "
      .. quote(program) .. " doctor")
    assert.equal(1, code)
    assert.truthy(text:find("\nMissing:\n  OpenBLAS, .-: apt%-get install libopenblas0%-serial.-\n  Fashion%-MNIST, "))
    assert.truthy(run "doctor --help":find("usage: moonpod doctor", 1, true))
    assert.equal(1, select(2, run "doctor now"))
  end)

  it("tells a script that it made a picture and showed it to nobody, once", function()
    local text = run "-e 'pod.plot.line { 1, 2 } pod.plot.bar { a = 1 }' 2>&1"
    local count = select(2, text:gsub("warning: a picture was made at .- and not shown: a script prints it", ""))
    assert.equal(1, count, text)
    assert.is_nil((run "-e 'assert(pod.plot.line({ 1, 2 }):svg())' 2>&1"):find "picture")
  end)

  it("explains messages of a file and of a pipe", function()
    local path = os.tmpname()
    local handle = assert(io.open(path, "w"))
    handle:write "step 3\nE1000: CompileTimeHbmOom: Ran out of memory on HBM, the total memory required for HLO "
    handle:write "temporaries (17.91G) exceeds available HBM (15.75G). HLO module: big.\n"
    handle:close()
    local text, code = run("explain " .. path)
    assert.equal(0, code)
    assert.truthy(text:find("It needs 17.91G of 15.75G", 1, true), text)
    assert.same({ text, 0 }, { executable.shell(("%s explain < %s"):format(quote(program), path)) })
    assert.equal(2, select(2, executable.shell(("echo all is well | %s explain -"):format(quote(program)))))
    assert.equal(1, select(2, run "explain /no/such"))
    assert.equal(1, select(2, run "explain --all"))
    assert.equal(1, select(2, run "explain a b"))
    os.remove(path)
  end)

  it("refuses a wrong --color", function()
    local text, code = run "--color=blue -e 'print(1)'"
    assert.equal(1, code)
    assert.truthy(text:find("write --color=auto, --color=always or --color=never", 1, true))
  end)

  it("passes arguments to a script as ... and arg", function()
    with_script("print(arg[0] ~= nil, arg[1], arg[2], arg[-1] ~= nil, ...)", function(name)
      assert.equal("true\ta\tb\ttrue\ta\tb\n", (run(name .. " a b")))
    end)
  end)

  it("exits with 1 where its output cannot be written", function()
    for _, arguments in ipairs { "-e 'print(1)'", "-e 'io.write(string.rep(\"x\", 100000))'", "-v", "--version",
      "-e 'print(1) os.exit(true)'" } do
      local pipe = io.popen(("{ %s %s >/dev/full; } 2>&1"):format(quote(program), arguments))
      local text = pipe:read "a"
      local _, _, code = pipe:close()
      assert.equal(1, code, arguments)
      assert.truthy(text:find("the output could not be written", 1, true), arguments .. ": " .. text)
    end
    local _, code = run "-e 'x = 1' >/dev/full"
    assert.equal(0, code)
  end)

  it("skips a first line that starts with #", function()
    with_script("#!/usr/bin/env moonpod\nprint 'ran'", function(name)
      assert.equal("ran\n", (run(name)))
    end)
  end)

  it("exits with 1 and a traceback with the script's line after an error", function()
    with_script("local function f()\n  error 'broken'\nend\nf()", function(name)
      local text, code = run(name)
      assert.equal(1, code)
      assert.truthy(text:find(":2: broken", 1, true))
      assert.truthy(text:find("stack traceback", 1, true))
    end)
  end)

  it("says what was meant by a method that is not there to whoever catches the error", function()
    with_script([[
      local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
      model:compile { optimizer = "sgd", loss = "mse" }
      local metric, x = pod.metrics.mean(), pod.ones { 4, 3 }
      local own = pod.metrics.subclass { name = "Own", update_state = function(self) self:add_varible "a" end,
        result = function() end } ()
      local cases = {
        { "updaet", "update_state", function() metric:updaet(x) end },
        { "reslut", "result", function() return metric:reslut() end },
        { "add_varible", "add_variable", function() own:update_state(x, x) end },
        { "get_wieghts", "get_weights", function() model.layers[1]:get_wieghts() end },
        { "apply_gradiens", "apply_gradients", function() model.optimizer:apply_gradiens {} end },
        { "bacth", "batch", function() pod.data.from_tensor_slices(x):bacth(2) end },
        { "summry", "summary", function() model:summry() end },
        { "sumn", "sum", function() x:sumn() end },
        { "pritn", "print", function() pritn(x) end },
      }
      for _, case in ipairs(cases) do
        local function caught(fn)
          local ok, failure = pcall(fn, x)
          assert(not ok and failure:find("'" .. case[1] .. "'", 1, true)
            and failure:find("did you mean '" .. case[2] .. "'?", 1, true), failure)
          local line = debug.getinfo(case[3], "S").linedefined
          assert(failure:find((":%d[:)]"):format(line)) or case[1] == "add_varible", failure)
        end
        caught(case[3])
        caught(coroutine.wrap(function() case[3]() end))
        caught(pod.func(function(a) case[3]() return a end))
        caught(pod.func(function(a) caught(case[3]) error(select(2, pcall(case[3])), 0) end))
      end
      local plain = { "attempt to call a nil value", "attempt to call a nil value (field 'a')",
        "attempt to call a nil value (method 'a')", "attempt to call a nil value (upvalue 'none')" }
      local t, none = {}, nil
      for i, fn in ipairs { false, function() t.a() end, function() t:a() end, function() none() end } do
        local _, failure = pcall(fn or nil)
        assert(failure:gsub("^.-:%d+: ", "") == plain[i], failure)
      end
      print "all are told"
    ]], function(name)
      assert.equal("all are told\n", (run(name)))
    end)
  end)

  it("exits with 1 for a syntax error, a missing file and an unknown flag", function()
    assert.equal(1, select(2, run "-e 'x ='"))
    assert.equal(1, select(2, run "/no/such/file.lua"))
    local text, code = run "-q"
    assert.equal(1, code)
    assert.truthy(text:find("unrecognized option '-q'", 1, true))
  end)

  it("keeps os.exit's code", function()
    assert.equal(7, select(2, run "-e 'os.exit(7)'"))
  end)

  it("runs standard input as a script where it is no terminal", function()
    assert.equal("5\n", (run("", "print(2 + 3)\n")))
    assert.equal("5\t1\n", (run("- 1", "print(2 + 3, ...)\n")))
  end)

  it("honours LUA_INIT, and -E ignores it", function()
    local pipe = io.popen("LUA_INIT='print(1)' " .. quote(program) .. " -e 'print(2)'")
    assert.equal("1\n2\n", pipe:read "a")
    pipe:close()
    pipe = io.popen("LUA_INIT='print(1)' " .. quote(program) .. " -E -e 'print(2)'")
    assert.equal("2\n", pipe:read "a")
    pipe:close()
  end)

  it("shows versions and help", function()
    assert.truthy(run("-v"):find("Lua 5.4", 1, true))
    assert.truthy(run("--version"):find "^moonpod %d+%.%d+%.%d+\nlua 5%.4[^\n]*\nlibuv [^\n]*\nblas %w[^\n]*\n$")
    assert.truthy(run("--help"):find("usage:", 1, true))
  end)

  it("prints values of expressions without return, and statements' lines stay silent", function()
    local text = run("-i", "1 + 1\nx = 4\nx\n=x * 2\nnil, 'a'\n")
    assert.truthy(text:find("> 2\n> > 4\n> 8\n> nil\t\"a\"\n", 1, true))
  end)

  it("mutes a value that ends in a semicolon", function()
    assert.truthy(run("-i", "5;\n6\n"):find("> > 6\n", 1, true))
  end)

  it("tells at once what is wrong in a line that ends in a semicolon", function()
    local text = run("-i", "x = = 1;\n6\n")
    assert.truthy(text:find("stdin:1: unexpected symbol near '='", 1, true), text)
    assert.truthy(text:find("> 6\n", 1, true), text)
    assert.is_nil(text:find(">>", 1, true), text)
  end)

  it("reads on while a chunk is incomplete", function()
    assert.truthy(run("-i", "for i = 1, 2 do\nprint(i)\nend\n"):find(">> >> 1\n2\n", 1, true))
  end)

  it("survives an error and tells its traceback", function()
    local text = run("-i", "error 'oh'\nprint 'still here'\n")
    assert.truthy(text:find("stdin:1: oh", 1, true))
    assert.truthy(text:find("still here", 1, true))
  end)

  it("shows tables and tensors in a readable form", function()
    local text = run("-i", "{ 1, { a = 'x' } }\npod.tensor{ 1, 2 } * 2\n")
    assert.truthy(text:find('{ 1, { a = "x" } }', 1, true))
    assert.truthy(text:find("[2. 4.]\nfloat32 (2,)", 1, true))
  end)

  it("keeps the last value in _", function()
    assert.truthy(run("-i", "6 * 7\n_ + 1\n"):find("> 42\n> 43\n", 1, true))
  end)

  it("stops a loop in a coroutine at an interrupt, and a second one ends the process", function()
    local text = run([[-e '
      keep = io.popen("read line; kill -INT " .. io.open("/proc/self/stat"):read "a":match "^%d+", "w")
      local ok, message = pcall(coroutine.wrap(function()
        keep:write "\n"
        keep:flush()
        while true do end
      end))
      print(ok, (message:gsub(".*: ", "")))']])
    assert.equal("false\tinterrupted!\n", text)
  end)

  it("names the script's line where it stops a wait for a file", function()
    with_script([[
      local pod = require "moonpod"
      local path = os.tmpname()
      os.remove(path)
      assert(os.execute("mkfifo " .. path))
      local function interrupt_soon() -- when the process waits
        local pid = io.open("/proc/self/stat"):read "a":match "^%d+"
        keep = io.popen(("sleep 1; until grep -q 'State:.S' /proc/%s/status; do sleep 0.1; done; kill -INT %s")
          :format(pid, pid))
      end
      interrupt_soon()
      print(pcall(function()
        local rows = pod.data.csv(path)
        print("not reached", rows)
      end))
      interrupt_soon()
      print(pcall(function()
        for line in pod.data.text_lines(path):iter() do
          print("not reached", line)
        end
      end))
      os.remove(path)
    ]], function(name)
      local lines = {}
      for file, line in run(name):gmatch "([^\t]*):(%d+): interrupted" do
        assert.equal(name, file)
        lines[#lines + 1] = line
      end
      assert.same({ "12", "17" }, lines)
    end)
  end)

  it("stops a while_loop that never ends, and leaves variables and memory as they were", function()
    with_script([[
      local pod = require "moonpod"
      io.stdout:setvbuf "no"
      local function interrupt_soon() -- when the processor has worked for a second
        local pid = io.open("/proc/self/stat"):read "a":match "^%d+"
        local used = ("$(cut -d ' ' -f 14 /proc/%s/stat)"):format(pid)
        keep = io.popen(("end=$((%s + 100)); until [ %s -ge $end ]; do sleep 0.05; done; kill -INT %s")
          :format(used, used, pid))
      end
      local function resident()
        return tonumber(io.open("/proc/self/status"):read "a":match "VmRSS:%s+(%d+)")
      end
      local v = pod.variable(7)
      local function endless(x)
        v:assign_add(1)
        return pod.while_loop(function(i) return pod.greater_equal(i, 0) end, function(i) return i * 0 + 1 end, { x })
      end
      local compiled = pod.func(endless)
      for i = 1, 2 do
        local before = resident()
        interrupt_soon()
        local ok, message = pcall(function()
          local y = i == 1 and endless(pod.tensor(0)) or compiled(pod.tensor(0))
          print("not reached", y:item())
        end)
        print(ok, message:match "[^:]*: %a+$", resident() - before < 16384, v:value():item())
      end
      print(pod.tensor { 1, 2 }:sum():item())
    ]], function(name)
      assert.equal("false\t23: interrupted\ttrue\t8.0\nfalse\t22: interrupted\ttrue\t8.0\n3.0\n", (run(name)))
    end)
  end)

  it("stops fit after the step and keeps weights and history", function()
    with_script([[
      local pod = require "moonpod"
      local function interrupt_soon()
        keep = keep or io.popen("sleep 0.2; kill -INT " .. io.open("/proc/self/stat"):read "a":match "^%d+")
      end
      local model = pod.models.sequential { pod.layers.dense(8, { input_shape = { 4 } }) }
      model:compile { optimizer = "sgd", loss = "mse", steps_per_execution = 1000 }
      local data = pod.data.from_tensor_slices({ pod.ones { 64, 4 }, pod.ones { 64, 8 } }):batch(32):repeat_()
      local before = model:get_weights()[1]:totable()[1][1]
      local ok, message = pcall(model.fit, model, data, { steps_per_epoch = 2^40, epochs = 3, verbose = 0,
        callbacks = { pod.callbacks.lambda { on_train_batch_end = interrupt_soon } } })
      print(ok, message:find("interrupted after", 1, true) ~= nil, model.history ~= nil,
        model:get_weights()[1]:totable()[1][1] ~= before)
      print(model:predict(pod.ones { 1, 4 }).shape)
    ]], function(name)
      assert.equal("false\ttrue\ttrue\ttrue\n(1, 8)\n", (run(name)))
    end)
  end)
end)
