-- The notebooks in notebooks/: each .nb.lua runs, and what comes of it is the .ipynb beside it, to the byte.
--
-- Kernels of different families differ in the last bits of sums, so the committed outputs are those of avx2. To write
-- them anew: MOONPOD_ISA=avx2 moonpod notebook run notebooks/NAME.nb.lua -o notebooks/NAME.ipynb

local executable = require "tests.lua.support.executable"
local files = require "tests.lua.support.files"
local peers = require "tests.lua.support.peers"

local quote, shell = executable.quote, executable.shell
local names = { "data_parallel", "first_steps", "fit_a_tpu", "from_keras", "input_pipeline", "mixed_precision" }
local describe_program = executable.program and describe or pending

local function has_avx2()
  return (files.read "/proc/cpuinfo" or ""):find " avx2 " ~= nil
end

local function moonpod(words)
  return shell("MOONPOD_ISA=avx2 " .. quote(executable.program) .. " " .. words .. " </dev/null")
end

-- The first line in which two texts differ.
local function difference(a, b)
  local number, of_b = 0, b:gmatch "[^\n]*"
  for line in a:gmatch "[^\n]*" do
    number = number + 1
    local other = of_b()
    if line ~= other then
      return ("line %d is\n%s\nand not\n%s"):format(number, line:sub(1, 500), tostring(other):sub(1, 500))
    end
  end
  return "the second one has more lines"
end

describe_program("the notebooks", function()
  it("are all there, each as Lua and with outputs", function()
    local found = shell "cd notebooks && ls *.ipynb *.nb.lua | sed 's/[.].*//' | sort | uniq -c"
    assert.are.equal(#names, select(2, found:gsub("%f[%d]2 ", "")), found)
  end)

  for _, name in ipairs(names) do
    it("give what they gave: " .. name, function()
      if not has_avx2() then
        return pending "the outputs are those of kernels for avx2, which this processor has not"
      end
      local path, committed = files.temporary() .. ".ipynb", files.read("notebooks/" .. name .. ".ipynb")
      local text, code = moonpod(("notebook run notebooks/%s.nb.lua -o %s"):format(name, path))
      local made = files.read(path)
      os.remove(path)
      assert.are.equal(0, code, text)
      if made ~= committed then
        error(("notebooks/%s.ipynb is not what its cells give: %s"):format(name, difference(made, committed)), 0)
      end
    end)
  end

  it("are valid, and written as nbformat writes them", function()
    local python, why = peers.python { "nbformat" }
    if not python then
      return pending(why)
    end
    local paths = {}
    for i, name in ipairs(names) do
      paths[i] = "notebooks/" .. name .. ".ipynb"
    end
    local text, code = peers.run(python, "tests/notebooks/valid.py", paths)
    assert.are.equal(0, code, text)
    assert.are.equal(("%d notebooks are valid\n"):format(#names), text)
  end)

  it("give the same by nbconvert and the kernel", function()
    local python, why = peers.python { "nbconvert", "nbclient" }
    local kernel = os.getenv "MOONPOD_BUILD" and os.getenv "MOONPOD_BUILD" .. "/moonpod-kernel"
    if not python or not files.read(kernel or "") then
      return pending(why or "there is no kernel, which needs libzmq")
    elseif not has_avx2() then
      return pending "the outputs are those of kernels for avx2, which this processor has not"
    end
    local given = { "--kernel", kernel }
    for _, name in ipairs(os.getenv "MOONPOD_LONG" and names or { "from_keras" }) do
      given[#given + 1] = "notebooks/" .. name .. ".ipynb"
    end
    local text, code = peers.run(python, "tests/notebooks/converted.py", given)
    assert.are.equal(0, code, text)
    assert.are.equal(("%d notebooks give the same\n"):format(#given - 2), text:match "[^\n]*\n$")
  end)
end)
