-- Ranks by MPI: what they train is what one process with as many replicas trains, and what goes wrong is told.

local executable = require "tests.lua.support.executable"

local quote, shell = executable.quote, executable.shell
local build = os.getenv "MOONPOD_BUILD"

-- As root, and with more ranks than cores, an Open MPI wants to be told that it may.
local OPENMPI = "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 "
  .. "OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_hwloc_base_binding_policy=none "

local KNOWN = {
  { name = "openmpi", before = OPENMPI, command = "mpirun.openmpi" },
  { name = "mpich", before = "", command = "mpirun.mpich" },
}

-- Why an MPI cannot be tested here, or nil.
local function missing(mpi)
  if select(2, shell("command -v " .. mpi.command)) ~= 0 then
    return "there is no " .. mpi.command .. ": Debian has it in " .. (mpi.name == "mpich" and "mpich" or "openmpi-bin")
  end
  local module = io.open(build .. "/lua/moonpod/mpi_" .. mpi.name .. ".so")
  if not module then
    return "this build has no module for " .. mpi.name
  end
  module:close()
end

local function variables(given)
  local list = {}
  for name, value in pairs(given) do
    list[#list + 1] = name .. "=" .. quote(tostring(value))
  end
  return table.concat(list, " ")
end

local SCRIPT = "tests/lua/mpi/train.lua"

-- Runs the script; returns what it printed, the exit code, and what each rank wrote: a list, from 0, of { weights =,
-- numbers = }.
local function run(command, ranks, given)
  given.TRAIN_OUT = os.tmpname()
  local text, code = shell(("%s %s %s"):format(variables(given), command, SCRIPT))
  local found = {}
  for rank = 0, ranks - 1 do
    local path = ("%s.%d"):format(given.TRAIN_OUT, rank)
    local file = io.open(path)
    if file then
      found[rank] = { weights = file:read "*l", numbers = file:read "*l" }
      file:close()
      os.remove(path)
    end
  end
  os.remove(given.TRAIN_OUT)
  return text, code, found
end

local function alone(given)
  return run(quote(executable.program), 1, given)
end

local function on_ranks(mpi, ranks, given)
  given.TRAIN_MPI = mpi.name
  return run(("env %s timeout 100 %s -n %d %s"):format(mpi.before, mpi.command, ranks, quote(executable.program)),
    ranks, given)
end

-- The largest difference of numbers of two lines.
local function difference(a, b)
  local other, largest = b:gmatch "%S+", 0
  for word in a:gmatch "%S+" do
    largest = math.max(largest, math.abs(tonumber(word) - tonumber(other())))
  end
  assert.is_nil(other())
  return largest
end

describe("ranks by MPI", function()
  local of_mpi = {}

  -- What one process gives that has all the replicas: after 54 steps, of which every sixth has a short batch.
  local function of_one_process(given)
    local text, code, found = alone(given)
    assert.equal(0, code, text)
    return found[0]
  end

  for _, mpi in ipairs(KNOWN) do
    local function with(name, fn)
      it(name .. " (" .. mpi.name .. ")", function()
        local why = missing(mpi)
        if why then
          return pending(why)
        end
        fn()
      end)
    end

    for _, ranks in ipairs { 2, 4 } do
      with(ranks .. " ranks train what one process trains", function()
        local expected = of_one_process { TRAIN_CORES = 4 }
        local text, code, found = on_ranks(mpi, ranks, { TRAIN_CORES = math.floor(4 / ranks) })
        assert.equal(0, code, text)
        for rank = 1, ranks - 1 do
          assert.same(found[0], found[rank])
        end
        assert.is_true(difference(expected.weights, found[0].weights) <= 1e-6)
        assert.is_true(difference(expected.numbers, found[0].numbers) <= 1e-3)
        of_mpi[ranks] = of_mpi[ranks] or found[0]
        assert.same(of_mpi[ranks], found[0]) -- the other MPI's: sums have our order
        assert.equal(9, select(2, text:gsub("Epoch ", ""))) -- one rank prints
      end)
    end

    with("normalisation within replicas is that of one process", function()
      local expected = of_one_process { TRAIN_CORES = 4, TRAIN_OWN_STATISTICS = 1, TRAIN_ROWS = 101 }
      local text, code, found = on_ranks(mpi, 2, { TRAIN_CORES = 2, TRAIN_OWN_STATISTICS = 1, TRAIN_ROWS = 101 })
      assert.equal(0, code, text)
      assert.is_true(difference(expected.weights, found[1].weights) <= 1e-6)
    end)

    with("what ranks saved trains on with another number of them", function()
      local folder = os.tmpname() .. ".d"
      shell("mkdir -p " .. quote(folder))
      local text, code = on_ranks(mpi, 2, { TRAIN_CORES = 2, TRAIN_FOLDER = folder, TRAIN_EPOCHS = 2 })
      assert.equal(0, code, text)
      local load = folder .. "/weights.safetensors"
      local expected = of_one_process { TRAIN_CORES = 4, TRAIN_LOAD = load, TRAIN_EPOCHS = 2 }
      local found
      text, code, found = on_ranks(mpi, 4, { TRAIN_CORES = 1, TRAIN_LOAD = load, TRAIN_EPOCHS = 2 })
      assert.equal(0, code, text)
      assert.is_true(difference(expected.weights, found[3].weights) <= 1e-6)
      shell("rm -r " .. quote(folder))
    end)

    with("a rank that would train otherwise is named before the first step", function()
      for variable, what in pairs { TRAIN_OWN_SEED = "its seed is 8, that of rank 0 7",
        TRAIN_OWN_ROWS = "its data is 7 batches, that of rank 0 6 batches" } do
        local text, code = on_ranks(mpi, 2, { TRAIN_CORES = 1, [variable] = 1 })
        assert.not_equal(0, code)
        assert.truthy(text:find("rank 1 would not train as rank 0 does: " .. what, 1, true), text)
        assert.falsy(text:find("Epoch", 1, true), text)
      end
    end)

    with("a script that fails on one rank ends all, and the others say which it was", function()
      local text, code = on_ranks(mpi, 2, { TRAIN_CORES = 1, TRAIN_FAILS = 1 })
      assert.not_equal(0, code)
      assert.truthy(text:find("rank 1 has had enough", 1, true), text)
    end)
  end

  it("are asked for in vain where no launcher has started any", function()
    local text, code = alone { TRAIN_MPI = "none" }
    assert.not_equal(0, code)
    assert.truthy(text:find([['mpi' is "none"; it is true, "openmpi" or "mpich"]], 1, true), text)
  end)
end)
