-- mpi - training on two processes of one thread each, beside PyTorch's DistributedDataParallel over gloo:
-- `./dev bench mpi [w1 w2 gpt2 ...] [--mpi openmpi|mpich] [--precision fp32|bf16] [--steps N] [--rounds N]
-- [--exchange direct|whole|ring|tree|2d] [--python PATH]`. GPT-2 is timed in a tenth of the steps.
-- Both have half of each batch on a process. They alternate, and medians of rounds are told, with the share of our time
-- in which ranks exchanged gradients or waited for each other. PATH is a Python with torch; else one is made in build/.

package.path = arg[1] .. "/?.lua;" .. package.path
local tools = require "tools"
local quote = tools.quote

local here, build = arg[1], arg[2]
local COUNT, PORT = 2, 29500
local given = { mpi = "openmpi", precision = "fp32", steps = 40, rounds = 5, exchange = "direct", python = "" }
local KNOWN = require "models"
local names, i = {}, 3
while arg[i] do
  local option = arg[i]:match "^%-%-(%l+)$"
  if option and given[option] and arg[i + 1] then
    given[option] = type(given[option]) == "number" and tools.whole_number(arg[i], arg[i + 1]) or arg[i + 1]
    i = i + 2
  elseif KNOWN[arg[i]] then
    names[#names + 1] = arg[i]
    i = i + 1
  else
    tools.fail("bench mpi knows workloads and --mpi, --precision, --steps, --rounds, --exchange and --python, not '%s'",
      arg[i])
  end
end
local python = given.python == "" and tools.find_python(build, "torch") or given.python
names = names[1] and names or { "w2", "w3", "gpt2" }

-- As root, and with more ranks than cores, an Open MPI wants to be told that it may.
local BEFORE = given.mpi == "openmpi" and "env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
  .. "OMPI_MCA_rmaps_base_oversubscribe=1 " or ""

local function steps_of(name)
  return name == "gpt2" and math.max(3, given.steps // 10) or given.steps
end

local function own(name)
  return ("%smpirun.%s -n %d %s %s %s %s %d %s"):format(BEFORE, given.mpi, COUNT, quote(build .. "/moonpod"),
    quote(here .. "/mpi_rank.lua"), name, given.precision, steps_of(name), quote(given.exchange))
end

local function peer(name)
  local parts = {}
  for rank = COUNT - 1, 0, -1 do
    parts[#parts + 1] = ("%s %s %s %s %d %d %d %d"):format(quote(python), quote(here .. "/peers/ddp_torch.py"),
      name, given.precision, steps_of(name), rank, COUNT, PORT)
  end
  return table.concat(parts, " & ") .. "; wait"
end

tools.print_machine(here, build, tools.SEED)
print(("%-10s %12s %12s %8s %10s   %s, %s, %d rounds of %d steps"):format("workload", "Moonpod ms", "DDP ms", "ratio",
  "exchange", given.mpi, given.precision, given.rounds, given.steps))
for _, name in ipairs(names) do
  local ours, theirs, shares = {}, {}, {}
  for round = 1, given.rounds do
    local line = tools.capture(own(name))
    ours[round], shares[round] = tools.number_in(line, "step_ms"), tools.number_in(line, "exchange")
    theirs[round] = tools.number_in(tools.capture(peer(name)), "step_ms")
  end
  local mine, other = tools.median(ours), tools.median(theirs)
  print(("%-10s %12.2f %12.2f %8.2f %9.0f%%"):format(name, mine, other, other / mine, tools.median(shares) * 100))
end
