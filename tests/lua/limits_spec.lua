-- The executable where the system gives little: memory, files, bytes of a file, folders, streams; and Ctrl-C.

local pod = require "moonpod"
local executable = dofile "tests/lua/support/executable.lua"

local quote, shell = executable.quote, executable.shell
local program = executable.program and quote(executable.program)
local describe_program = program and describe or pending

local TRAIN = [[
  local pod = require "moonpod"
  local model = pod.models.sequential { pod.layers.dense(8, { activation = "relu", input_shape = { 6 } }),
    pod.layers.dense(3) }
  model:compile { optimizer = "adam", loss = "mse" }
  local rows = pod.data.from_tensor_slices { pod.ones { 64, 6 }, pod.ones { 64, 3 } }
  model:fit(rows:shuffle(64, { seed = 1 }):batch(16):prefetch(2), { epochs = 2, verbose = 0 })
  pod.data.save_npy(arg[1], pod.ones { 100, 100 })
  print "trained"
]]

-- Whether a process ended as it may: with its work done, or with an error that says something. No signal, and no file
-- but a whole one.
local function check_end(text, code, path, where)
  if code == 0 then
    assert.equal("trained\n", text, where)
    assert.same({ 100, 100 }, { (table.unpack or unpack)(pod.data.load_npy(path).shape) }) -- luacheck: ignore
  else
    assert.equal(1, code, where .. ": " .. text)
    assert.is_true(#text > 20, where .. ": " .. text)
    assert.is_nil(io.open(path), where)
  end
  assert.equal("", (shell(("ls %s.*.part 2>/dev/null"):format(path))), where)
  os.remove(path)
end

describe_program("the executable", function()
  local path = os.tmpname()
  os.remove(path)

  -- Runs TRAIN below a limit of the shell; returns whether it was done.
  local function below(limit)
    local done
    executable.with_script(TRAIN, function(script)
      local text, code = shell(("ulimit %s && %s %s %s"):format(limit, program, script, path))
      check_end(text, code, path, limit)
      done = code == 0
    end)
    return done
  end

  it("trains in the memory that it gets, or says what it has none for", function()
    local done = 0
    for kilobytes = 12000, 52000, 5000 do
      done = done + (below("-v " .. kilobytes) and 1 or 0)
    end
    assert.is_true(done > 0 and done < 9, done .. " runs of 9 had memory enough")
  end)

  it("trains with the files that it may open, or says what it cannot open", function()
    for files = 4, 8, 2 do
      below("-n " .. files)
    end
  end)

  it("does not end at the largest file that is allowed: writing fails, what was there stays", function()
    assert.is_false(below "-f 8")
    pod.data.save_npy(path, pod.tensor { 1, 2, 3 })
    executable.with_script(TRAIN, function(script)
      local text, code = shell(("ulimit -f 8; %s %s %s"):format(program, script, path))
      assert.equal(1, code)
      assert.matches("file too large", text)
      assert.same({ 1, 2, 3 }, pod.data.load_npy(path):totable())
      assert.equal("", (shell(("ls %s.*.part 2>/dev/null"):format(path))))
    end)
    os.remove(path)
  end)

  it("needs no home and no /tmp", function()
    executable.with_script(TRAIN, function(script)
      for _, environment in ipairs { "-u HOME", "HOME=/proc/none", "TMPDIR=/proc/none", "HOME=relative" } do
        local text, code = shell(("env %s %s %s %s"):format(environment, program, script, path))
        assert.equal(0, code, environment .. ": " .. text)
        check_end(text, code, path, environment)
        assert.is_nil(io.open "relative", environment)
      end
    end)
  end)

  it("says where it cannot write", function()
    for _, name in ipairs { "/proc/x", "/dev/null/x", "/proc/none/x", "/" } do
      executable.with_script(TRAIN, function(script)
        local text, code = shell(("%s %s %s"):format(program, script, name))
        assert.equal(1, code)
        assert.matches(name .. ": cannot", text, 1, true)
      end)
    end
  end)

  it("gives what is printed to no file where its streams are closed", function()
    local source = [[
      local writer = require("moonpod").data.records.writer(arg[1])
      local plain = assert(io.open(arg[1] .. ".txt", "w"))
      print "printed"
      io.stdout:flush()
      io.stderr:write "complained"
      writer:write "a record"
      plain:write "a line"
      plain:close()
      writer:close()
    ]]
    executable.with_script(source, function(script)
      for _, closed in ipairs { ">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-" } do
        shell(("%s %s %s %s"):format(program, script, path, closed))
        local all = {}
        for bytes in pod.data.records.read(path) do
          all[#all + 1] = bytes
        end
        assert.same({ "a record" }, all, closed)
        local file = io.open(path .. ".txt")
        assert.equal("a line", file:read "*a", closed)
        file:close()
      end
    end)
    os.remove(path)
    os.remove(path .. ".txt")
  end)

  it("is no need for that: what the library writes has a number above those of the streams in any host", function()
    local source = [[
      local writer = require("moonpod").data.records.writer(arg[1])
      print "printed"
      io.stdout:flush()
      writer:write "a record"
      writer:close()
    ]]
    executable.with_script(source, function(script)
      shell(("lua5.4 %s %s <&- >&- 2>&-"):format(script, path))
      assert.equal("a record", pod.data.records.read(path)())
    end)
    os.remove(path)
  end)

  it("ends where nobody reads its output", function()
    local printing = quote "for i = 1, 100000 do print(i) end"
    local text = shell(("{ %s -e %s; echo ended with $? >&2; } | head -n 1"):format(program, printing))
    assert.matches("1\n", text)
    assert.matches("ended with 141", text)
    text = shell(("trap '' PIPE; { %s -e %s; echo ended with $? >&2; } | head -n 1"):format(program, printing))
    assert.matches("ended with 1\n", text)
  end)

  it("is whole after Ctrl-C at any call", function()
    for i, name in ipairs { "weights after a fault in fit", "save and load a dataset", "interpreted map", "reports" } do
      for share = i / 100, 1, 0.3 do
        local build = quote((os.getenv "MOONPOD_BUILD"))
        local text, code = shell(("tests/faults/run %s ctrl_c %g %s"):format(build, share, quote(name)))
        assert.equal(0, code, name .. ": " .. text)
        assert.matches("^whole, call", text)
      end
    end
  end)
end)
