-- Ranks by MPI: what they train is what one process with as many replicas trains, and what goes wrong is told.

local executable = require "tests.lua.support.executable"

local quote, shell = executable.quote, executable.shell
local build = os.getenv "MOONPOD_BUILD"

-- As root, and with more ranks than cores, an Open MPI wants to be told that it may.
-- It ends the others some seconds after one has died; what is written meanwhile it prints.
local OPENMPI = "OMPI_MCA_odls_base_sigkill_timeout=3 "
  .. "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 "
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

-- The processes that have a text in their environment, once those that are about to end have had time for it.
local function processes_with(text)
  for _ = 1, 100 do
    local found = shell("grep -l " .. text .. " /proc/[0-9]*/environ 2>/dev/null")
    if found == "" then
      return found
    end
    shell "sleep 0.1"
  end
  return shell("grep -l " .. text .. " /proc/[0-9]*/environ 2>/dev/null")
end

local SCRIPT, READER = "tests/lua/mpi/train.lua", "tests/lua/mpi/read.lua"

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

local function on_ranks(mpi, ranks, given, options)
  given.TRAIN_MPI = mpi.name
  return run(("env %s timeout 100 %s -n %d %s %s"):format(mpi.before, mpi.command, ranks, options or "",
    quote(executable.program)), ranks, given)
end

-- Two ranks, of which the first is a command of its own.
local function beside(mpi, first, given)
  given.TRAIN_MPI, given.TRAIN_CORES = mpi.name, 1
  return run(("env %s timeout 100 %s -n 1 %s : -n 1 %s"):format(mpi.before, mpi.command, first,
    quote(executable.program)), 2, given)
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

  for i, mpi in ipairs(KNOWN) do
    -- `each`: it is asked of each MPI, all else of the others where tests may take long.
    local function with(name, fn, each)
      if i > 1 and not each and not os.getenv "MOONPOD_LONG" then
        return
      end
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
        -- One may have more threads than another: by one MPI it has, and weights are the other's.
        local text, code, found = on_ranks(mpi, ranks, { TRAIN_CORES = math.floor(4 / ranks),
          TRAIN_OWN_THREADS = (i + ranks / 2) % 2 == 0 and 1 or nil })
        assert.equal(0, code, text)
        for rank = 1, ranks - 1 do
          assert.same(found[0], found[rank])
        end
        assert.is_true(difference(expected.weights, found[0].weights) <= 1e-6)
        assert.is_true(difference(expected.numbers, found[0].numbers) <= 1e-3)
        of_mpi[ranks] = of_mpi[ranks] or found[0]
        assert.same(of_mpi[ranks], found[0]) -- the other MPI's: sums have our order
        assert.equal(9, select(2, text:gsub("Epoch ", ""))) -- one rank prints
        local host = shell("uname -n"):match "^[^\n]*"
        for core = 0, 3 do -- all cores are listed, with whose they are
          assert.truthy(text:find(("TPU:%d .* %d +%s\n"):format(core, math.floor(core * ranks / 4), host:gsub("%p",
            "%%%0"))), text)
        end
        assert.falsy(text:find("has died", 1, true), text)
      end, true)
    end

    with("a slice's name gives all its cores, whoever has them", function()
      local expected = of_one_process { TRAIN_ACCELERATOR = "v3-8" }
      local text, code, found = on_ranks(mpi, 2, { TRAIN_ACCELERATOR = "v3-8" })
      assert.equal(0, code, text)
      assert.is_true(difference(expected.weights, found[1].weights) <= 1e-6)
      text, code = on_ranks(mpi, 3, { TRAIN_ACCELERATOR = "v3-8" })
      assert.not_equal(0, code)
      assert.truthy(text:find("8 replicas cannot be divided among 3 ranks", 1, true), text)
    end)

    with("gradients cross as bfloat16 where that is asked for", function()
      local function train(ranks, wire)
        local text, code, found = on_ranks(mpi, ranks, { TRAIN_CORES = math.floor(4 / ranks), TRAIN_UNITS = 400,
          TRAIN_WIRE = wire })
        assert.equal(0, code, text)
        for rank = 1, ranks - 1 do
          assert.same(found[0], found[rank])
        end
        return found[0], tonumber(text:match "exchanged ([1-9]%d*)")
      end
      for _, ranks in ipairs { 2, 4 } do
        local whole, bytes = train(ranks)
        local narrow, fewer = train(ranks, "bfloat16")
        local far = difference(whole.weights, narrow.weights)
        assert.is_true(far > 1e-6 and far < 0.05, far)
        assert.is_true(fewer < 0.85 * bytes, fewer / bytes)
      end
    end)

    with("sums go round in each way that can be asked for", function()
      local wide = { TRAIN_CORES = 4, TRAIN_UNITS = 1500, TRAIN_EPOCHS = 1, TRAIN_RATE = 1e-4 }
      local expected, sent = of_one_process(wide), {}
      wide.TRAIN_CORES = 1
      for _, exchange in ipairs(os.getenv "MOONPOD_LONG" and { "direct", "whole", "ring", "tree", "2d", "hierarchical" }
        or { "direct", "whole", "ring" }) do -- test_ranks has all of them
        wide.TRAIN_EXCHANGE = exchange
        local text, code, found = on_ranks(mpi, 4, wide)
        assert.equal(0, code, text)
        for rank = 1, 3 do
          assert.same(found[0], found[rank])
        end
        assert.is_true(difference(expected.weights, found[0].weights) <= 1e-6)
        sent[exchange] = tonumber(text:match "exchanged ([1-9]%d*)")
      end
      assert.is_true(sent.whole > 1.2 * sent.ring and sent.ring < 1.1 * sent.direct)
    end)

    with("normalisation within replicas is that of one process", function()
      local expected = of_one_process { TRAIN_CORES = 4, TRAIN_OWN_STATISTICS = 1, TRAIN_ROWS = 101 }
      local text, code, found = on_ranks(mpi, 2, { TRAIN_CORES = 2, TRAIN_OWN_STATISTICS = 1, TRAIN_ROWS = 101 })
      assert.equal(0, code, text)
      assert.is_true(difference(expected.weights, found[1].weights) <= 1e-6)
    end)

    with("a mesh may have cores of several ranks", function()
      local expected = of_one_process { TRAIN_CORES = 1 }
      for _, given in ipairs { { 2, "2 2" }, { 2, "2 1", "optimizer" }, { 4, "2 4", "weights" }, { 2, "1 4" },
        { 4, "4 1", "weights" } } do
        local text, code, found = on_ranks(mpi, given[1], { TRAIN_MESH = given[2], TRAIN_SHARDS = given[3],
          TRAIN_CORES = math.floor(given[2]:match "^%d+" * given[2]:match "%d+$" / given[1]) })
        assert.equal(0, code, text)
        for rank = 1, given[1] - 1 do
          assert.same(found[0], found[rank])
        end
        assert.is_true(difference(expected.weights, found[0].weights) <= 1e-6, given[2])
        assert.is_true(difference(expected.numbers, found[0].numbers) <= 1e-3, given[2])
      end
    end)

    with("each rank reads files of its own, and all rows are seen once", function()
      local function lines_of(path)
        local file, lines = assert(io.open(path)), {}
        for line in file:lines() do
          lines[#lines + 1] = line
        end
        file:close()
        return table.remove(lines, 1), lines
      end
      local all = { "FILE", "DATA", "HINT", "OFF", "FUNCTION" }
      for _, policy in ipairs(os.getenv "MOONPOD_LONG" and all or { "FILE" }) do
        for _, ranks in ipairs { 2, 4 } do
          local folder = os.tmpname() .. ".d"
          shell("mkdir -p " .. quote(folder))
          local given = { READ_POLICY = policy, READ_HOSTS = ranks, READ_FOLDER = folder .. "/one" }
          local text, code = shell(("%s %s %s"):format(variables(given), quote(executable.program), READER))
          assert.equal(0, code, text)
          local weights, expected = lines_of(folder .. "/one.out.0")
          given = { READ_POLICY = policy, READ_MPI = mpi.name, READ_CORES = math.floor(4 / ranks),
            READ_FOLDER = folder .. "/own" }
          text, code = shell(("%s env %s timeout 100 %s -n %d %s %s"):format(variables(given), mpi.before, mpi.command,
            ranks, quote(executable.program), READER))
          assert.equal(0, code, text)
          for rank = 0, ranks - 1 do
            local found, rows = lines_of(("%s/own.out.%d"):format(folder, rank))
            assert.same(expected, rows)
            assert.is_true(difference(weights, found) <= 1e-6)
          end
          local seen = {}
          for number in table.concat(expected, " "):gmatch "%d+" do
            seen[tonumber(number)] = (seen[tonumber(number)] or 0) + 1
          end
          for number = 0, 36 do
            assert.equal(policy == "OFF" and ranks or 1, seen[number])
          end
          shell("rm -r " .. quote(folder))
        end
      end
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

    -- What each is told of, by one MPI or the other; by both where tests may take long.
    with("a rank that would train otherwise is named before the first step", function()
      local copy, program = os.tmpname(), quote(executable.program)
      shell(("cp %s %s; echo 'local _ = 1' >> %s"):format(SCRIPT, copy, copy))
      local cases = {
        { { TRAIN_OWN_SEED = 1 }, "its seed is 8, that of rank 0 7" },
        { { TRAIN_OWN_ROWS = 1 }, "its data is 7 batches, that of rank 0 6 batches" },
        { {}, "its script is %d+ bytes, hash %x+, that of rank 0 %d+ bytes, hash %x+%.", program .. " " .. copy },
        { {}, "its build is [%d.]+, kernels for %S+, library %x+, that of rank 0 [%d.]+, kernels for portable, library",
          ("env MOONPOD_ISA=portable %s %s"):format(program, SCRIPT) },
        { { LD_LIBRARY_PATH = build }, "its build is .-, library %x+, that of rank 0 .-, library %x+%.",
          ("env LD_LIBRARY_PATH=%s %s %s"):format(quote(build .. "/asserting"), program, SCRIPT) },
      }
      for k, case in ipairs(cases) do
        if os.getenv "MOONPOD_LONG" or (k + i) % 2 == 0 then
          local given, told, first = case[1], case[2], case[3]
          given.TRAIN_CORES = 1
          local text, code = (first and beside or on_ranks)(mpi, first or 2, given)
          assert.not_equal(0, code)
          assert.truthy(text:find("rank 1 would not train as rank 0 does: " .. told), text)
          assert.falsy(text:find("Epoch", 1, true), text)
        end
      end
      os.remove(copy)
    end, true)

    if os.getenv "MOONPOD_LONG" then
      with("a rank that never joins is told of", function()
        local text, code = beside(mpi, "sh -c 'sleep 7; exit 3'", {})
        assert.not_equal(0, code)
        assert.truthy(text:find("waited 5 s for other ranks, which do not join: each must come to", 1, true), text)
      end)
    end

    with("a rank that the others wait for is named by the profiler", function()
      local text, code = on_ranks(mpi, 2, { TRAIN_CORES = 2, TRAIN_EPOCHS = 1, TRAIN_SLOW = "1 0.15" })
      assert.equal(0, code, text)
      for core = 0, 3 do
        local rank, verdict = text:match(("TPU:%d%%s+(%%d)%%s+%%S+%%s+(%%u*%%l*)"):format(core))
        assert.same({ core < 2 and "0" or "1", core < 2 and "ok" or "SLOW" }, { rank, verdict }, text)
      end
    end)

    -- Kills a rank of `ranks` behind a batch; returns the folder of the backup, of which `named` is what is told.
    local function kill(ranks, at, named)
      local folder = os.tmpname() .. ".d"
      local text, code = on_ranks(mpi, ranks, { TRAIN_CORES = math.floor(4 / ranks), TRAIN_BACKUP = folder,
        TRAIN_DIES = at })
      assert.not_equal(0, code)
      local rank, host = at:match "^%d+", shell("uname -n"):match "^[^\n]*"
      local said = {}
      for line in text:gmatch "[^\n]*has died[^\n]*" do
        said[#said + 1] = line
      end
      assert.same({ ("moonpod: rank %s on %s has died, and so the run ends. %s"):format(rank, host,
        named:gsub("FOLDER", folder)) }, said, text)
      assert.equal("", processes_with(folder))
      return folder
    end

    local NONE = "There is no checkpoint: pod.callbacks.backup_and_restore keeps one"
    local NEWEST = "The newest checkpoint is FOLDER/backup-1.safetensors"

    with("a rank that dies is told, and training goes on from the checkpoint", function()
      shell("rm -r " .. kill(2, "1 0 2 0", NONE))
      local whole = select(3, on_ranks(mpi, 2, { TRAIN_CORES = 2 }))[0]
      local folder = kill(2, "0 3 2 0", NEWEST)
      local text, code, found = on_ranks(mpi, 2, { TRAIN_CORES = 2, TRAIN_BACKUP = folder })
      assert.equal(0, code, text)
      assert.equal(whole.weights, found[1].weights) -- to the bit, on as many
      assert.falsy(text:find("Epoch 2/", 1, true), text) -- the state of the epoch before may not be written yet
      folder = kill(4, "2 4 1 0", NEWEST)
      text, code = on_ranks(mpi, 2, { TRAIN_CORES = 2, TRAIN_BACKUP = folder, TRAIN_OWN_FOLDER = 1 })
      assert.not_equal(0, code)
      local told = "rank 1 finds state 0 in '%s/own', and rank 0 state %d: all hosts"
      assert.truthy(text:find(told:format(folder, 4), 1, true) or text:find(told:format(folder, 3), 1, true), text)
      text, code, found = on_ranks(mpi, 2, { TRAIN_CORES = 2, TRAIN_BACKUP = folder })
      assert.equal(0, code, text)
      assert.falsy(text:find("Epoch 3/", 1, true), text)
      assert.is_true(difference(whole.weights, found[0].weights) <= 1e-6) -- on fewer
    end, true)

    with("a rank that dies at any moment leaves a checkpoint", function()
      local whole = select(3, on_ranks(mpi, 2, { TRAIN_CORES = 2 }))[0]
      local draw = 35
      local function below(count)
        draw = (draw * 1103515245 + 12345) % 2147483648
        return math.floor(draw / 65536) % count
      end
      for _ = 1, os.getenv "MOONPOD_LONG" and 50 or 1 do
        local before, after = 2 + 2 * below(2), 1 + below(2)
        local at = ("%d %d %d 0.0%02d"):format(below(before), 2 + below(6), below(6), below(60))
        local folder = kill(before, at, NEWEST)
        local text, code, found = on_ranks(mpi, after, { TRAIN_CORES = math.floor(4 / after), TRAIN_BACKUP = folder })
        assert.equal(0, code, at .. "\n" .. text)
        assert.is_true(difference(whole.weights, found[0].weights) <= 1e-6, at)
      end
    end)

    with("a rank that stops for a while is waited for, which is told", function()
      local whole = select(3, on_ranks(mpi, 3, { TRAIN_CORES = 1, TRAIN_EPOCHS = 2 }))[0]
      local text, code, found = on_ranks(mpi, 3, { TRAIN_CORES = 1, TRAIN_EPOCHS = 2,
        TRAIN_STOPS = "1 0 2 " .. (os.getenv "MOONPOD_LONG" and 30 or 7) })
      assert.equal(0, code, text)
      assert.equal(1, select(2, text:gsub("rank 0 has waited %d+ s for rank 1 on %S+, which does not come here: "
          .. "it came last to tests/lua/mpi/train.lua:%d+; waiting, too: 2 here\n", "")), text)
      assert.equal(whole.weights, found[1].weights)
    end)

    with("data that ends earlier on one rank is told", function()
      local text, code = on_ranks(mpi, 2, { TRAIN_CORES = 1, TRAIN_GENERATED = 7, TRAIN_EPOCHS = 1 })
      assert.not_equal(0, code)
      assert.truthy(text:find "rank 1 on %S+ exchanges other values here than rank 0: all ranks must run", text)
    end)

    -- Files of rank 1 may have 2,048 bytes, as on a disk that is full then.
    with("a disk that is full on one rank ends all, and it says so", function()
      local folder = os.tmpname() .. ".d"
      shell("mkdir -p " .. quote(folder))
      local text, code = on_ranks(mpi, 2, { TRAIN_CORES = 1, TRAIN_CACHE = folder .. "/rows.", TRAIN_FULL = "1 0 0" })
      assert.not_equal(0, code)
      assert.truthy(text:find("rows.1", 1, true) and text:find("too large", 1, true), text)
      assert.truthy(text:find "rank 1 on %S+ has ended its run", text)
      shell("rm -r " .. quote(folder))
    end)

    with("a script that fails on one rank ends all, and the others say which it was", function()
      local text, code = on_ranks(mpi, 2, { TRAIN_CORES = 1, TRAIN_FAILS = "1 0 3" })
      assert.not_equal(0, code)
      assert.truthy(text:find("rank 1 has had enough", 1, true), text)
      assert.truthy(text:find "rank 1 on %S+ has ended its run, for which rank 0 waits here", text)
      assert.falsy(text:find("has died", 1, true), text)
    end)
  end

  it("end by themselves where a launcher ends none of them for another", function()
    local why = missing(KNOWN[1])
    if why then
      return pending(why)
    end
    local text = on_ranks(KNOWN[1], 3, { TRAIN_CORES = 1, TRAIN_DIES = "1 0 2 0" }, "-enable-recovery")
    assert.equal(1, select(2, text:gsub("moonpod: rank 1 on %S+ has died", "")), text)
    assert.equal(2, select(2, text:gsub("a rank has died, and nothing has ended the others", "")), text)
  end)

  it("are asked for in vain where no launcher has started any", function()
    local text, code = alone { TRAIN_MPI = "none" }
    assert.not_equal(0, code)
    assert.truthy(text:find([['mpi' is "none"; it is true, "auto", "openmpi" or "mpich"]], 1, true), text)
  end)

  it("are refused by an executable that is one file for what it is", function()
    local script = [[local pod = require "moonpod"
      package.cpath, package.loaded["moonpod.host"].limits = "", "MPI: this executable is one file"
      print(pcall(pod.cluster.resolve, { mpi = true }))]]
    local text = shell(("OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=0 %s -l moonpod.func.ranks -e %s"):format(
      quote(executable.program), quote(script)))
    assert.truthy(text:find("no module for openmpi: not here: MPI: this executable is one file", 1, true), text)
  end)
end)
