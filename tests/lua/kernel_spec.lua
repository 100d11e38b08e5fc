-- The kernel for Jupyter, moonpod-kernel: what front ends see of it.

local executable = dofile "tests/lua/support/executable.lua"
local files = require "tests.lua.support.files"
local peers = require "tests.lua.support.peers"

local quote, shell = executable.quote, executable.shell

-- Debian's: another Python that comes first in PATH does not see its packages.
local PYTHON = "/usr/bin/python3"

local build = os.getenv "MOONPOD_BUILD"
local program = build and build .. "/moonpod-kernel"

local function is_there(path)
  local file = path and io.open(path, "rb")
  return file and file:close() and true
end

local can_run = is_there(program) and select(2, shell(PYTHON .. " -c 'import jupyter_kernel_test, nbconvert'")) == 0
local sanitizer = can_run and files.read(build .. "/CMakeCache.txt"):match "\nMOONPOD_SANITIZE:[^\n]*=(%w*)\n"
local describe_kernel = can_run and describe or pending
local describe_plain = sanitizer == "" and describe or pending

-- Calls fn(folder) with a folder that is gone afterwards, into which the kernel was installed.
local function with_folder(fn)
  local folder = os.tmpname()
  os.remove(folder)
  local told, failed = shell(quote(executable.program) .. " --install-kernel --prefix " .. quote(folder))
  assert.equal(0, failed, told)
  local ok, failure = pcall(fn, folder)
  shell("rm -rf " .. quote(folder))
  assert(ok, failure)
end

local function write(path, text)
  local file = assert(io.open(path, "w"))
  file:write(text)
  file:close()
end

-- Runs a command of the shell where Jupyter finds the kernel, and nothing else of this machine.
local function run(folder, command)
  return shell(("export JUPYTER_PATH=%s HOME=%s; unset LUA_INIT LUA_INIT_5_4; %s"):format(
    quote(folder .. "/share/jupyter"), quote(folder), command))
end

describe_kernel("moonpod-kernel", function()
  it("does what the protocol says, and drops what is none of it", function()
    with_folder(function(folder)
      local cells = os.getenv "MOONPOD_LONG" and 10000 or sanitizer ~= "" and 20 or 200
      local command = ("%s tests/notebooks/protocol.py %s --cells %d"):format(PYTHON, quote(program), cells)
      if sanitizer == "thread" then -- it does not see how threads of libzmq hand messages to each other
        write(folder .. "/suppressed", "called_from_lib:libzmq.so\n")
        command = ("TSAN_OPTIONS='suppressions=%s/suppressed' %s --late-signals"):format(folder, command)
      end
      local text, code = run(folder, command)
      print(text)
      assert.equal(0, code, text)
      assert.truthy(text:find "\npassed", text)
    end)
  end)
end)

describe_plain("moonpod-kernel for Jupyter", function()

  it("is installed where Jupyter looks for it, with pictures", function()
    with_folder(function(folder)
      local text, code = run(folder, PYTHON .. " -m jupyter_client.kernelspecapp list --json")
      assert.equal(0, code, text)
      assert.truthy(text:find('"display_name": "Moonpod (Lua)"', 1, true), text)
      local pictures = folder .. "/share/jupyter/kernels/moonpod/logo-"
      for _, size in ipairs { 32, 64 } do
        local file = assert(io.open(("%s%dx%d.png"):format(pictures, size, size), "rb"))
        local head = file:read(24)
        file:close()
        assert.equal("\137PNG\r\n\26\n", head:sub(1, 8))
        assert.equal(("\0\0\0%s"):format(string.char(size)):rep(2), head:sub(17, 24))
      end
      assert.truthy(is_there(pictures .. "svg.svg"))
    end)
  end)

  it("says what an option of its installation must be", function()
    local text, code = shell(quote(executable.program) .. " --install-kernel --there")
    assert.equal(1, code)
    assert.truthy(text:find "%-%-sys%-prefix", text)
  end)

  it("passes jupyter_kernel_test with nothing skipped", function()
    with_folder(function(folder)
      local text, code = run(folder, PYTHON .. " tests/notebooks/kernel_suite.py")
      assert.equal(0, code, text)
      assert.truthy(text:find "12 tests, 0 skipped", text)
    end)
  end)

  it("passes PyPI's jupyter_kernel_test, too", function()
    local python, why = peers.python { "jupyter_kernel_test" }
    if not python then
      return pending(why)
    end
    with_folder(function(folder)
      local text, code = run(folder, quote(python) .. " tests/notebooks/kernel_suite.py")
      assert.equal(0, code, text)
      assert.truthy(text:find "test 0%.7.*: 1%d tests, 0 skipped", text)
    end)
  end)

  it("runs a notebook for nbconvert", function()
    with_folder(function(folder)
      local path = folder .. "/in.ipynb"
      write(path, [[{"cells": [{"cell_type": "code", "id": "a", "execution_count": null, "metadata": {}, "outputs": [],
        "source": ["x = 6\n", "print(x)\n", "x * 7"]}], "metadata": {"kernelspec": {"name": "moonpod",
        "display_name": "Moonpod", "language": "lua"}}, "nbformat": 4, "nbformat_minor": 5}]])
      local text, code = run(folder, PYTHON .. " -m nbconvert --to notebook --execute --output out.ipynb "
        .. quote(path))
      assert.equal(0, code, text)
      local file = assert(io.open(folder .. "/out.ipynb"))
      local made = file:read "*a"
      file:close()
      assert.truthy(made:find('"42"', 1, true), made)
      assert.truthy(made:find('"6\\n"', 1, true), made)
      assert.truthy(made:find('"pygments_lexer": "lua"', 1, true), made)
    end)
  end)
end)
