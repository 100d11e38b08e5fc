-- scaling - how training scales over ranks: measured on 1, 2 and 4 ranks of this machine, and simulated to 1,024 hosts:
-- `./dev bench scaling [WORKLOAD] [--mpi openmpi|mpich] [--steps N] [--rows N]`.
--
-- Each rank has so many rows of a batch on one thread, so a step that scales takes as long on any number. Measured are
-- the step alone, what a rank copies and folds, and sums of several sizes by each algorithm, from which the cost of a
-- message and of its bytes is taken. A simulation sends the messages of the ranks' own schedules (bench_scaling.c). It
-- is held to the measured points first; then hosts like this one are joined by the networks that are published for
-- hosts of TPUs. Of these nobody has published what beginning a message takes: it is what it takes here.

package.path = arg[1] .. "/?.lua;" .. package.path
local tools = require "tools"
local core = require "moonpod.core"
local quote = tools.quote

local here, build = arg[1], arg[2]
local given = { mpi = "openmpi", steps = 20, rows = 512 }
local work, i = "w2", 3
while arg[i] do
  local option = arg[i]:match "^%-%-(%l+)$"
  if option and given[option] and arg[i + 1] then
    given[option] = type(given[option]) == "number" and tools.whole_number(arg[i], arg[i + 1]) or arg[i + 1]
    i = i + 2
  elseif require "models"[arg[i]] then
    work, i = arg[i], i + 1
  else
    tools.fail("bench scaling knows a workload and --mpi, --steps and --rows, not '%s'", arg[i])
  end
end

-- As root, and with more ranks than cores, an Open MPI wants to be told that it may.
local BEFORE = given.mpi == "openmpi" and "env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
  .. "OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none " or ""
local BENCH = quote(build .. "/tests/bench_scaling")

local function on_ranks(count, command)
  return tools.capture(("%smpirun.%s -n %d %s"):format(BEFORE, given.mpi, count, command))
end

local function step_on(count)
  local line = on_ranks(count, ("%s %s %s fp32 %d direct %d"):format(quote(build .. "/moonpod"),
    quote(here .. "/mpi_rank.lua"), work, given.steps, given.rows))
  return { step = tools.number_in(line, "step_ms") / 1e3, exchange = tools.number_in(line, "exchange"),
    bytes = tools.number_in(line, "bytes") }
end

-- Seconds of sums on so many ranks: [algorithm][bytes].
local function sums_on(count)
  local found = {}
  for line in on_ranks(count, ("%s meet %s"):format(BENCH, quote(build .. "/lua/moonpod/mpi_" .. given.mpi .. ".so")))
    :gmatch "[^\n]+" do
    local name = line:match '"algorithm": "([^"]+)"'
    found[name] = found[name] or {}
    found[name][tools.number_in(line, "bytes")] = tools.number_in(line, "microseconds") * 1e-6
  end
  return found
end

-- Seconds of a sum of so many bytes: [ranks][algorithm].
local function simulate(costs, bytes, most)
  local found = {}
  for line in tools.capture(("%s simulate %.0f %.12g %.12g %.12g %.12g %.12g %d"):format(BENCH, bytes, costs.message,
    costs.byte, costs.latency, costs.copy, costs.fold, most)):gmatch "[^\n]+" do
    local ranks = tools.number_in(line, "ranks")
    found[ranks] = found[ranks] or {}
    found[ranks][line:match '"algorithm": "([^"]+)"'] = tools.number_in(line, "seconds")
  end
  return found
end

tools.print_machine(here, build, tools.SEED)
local cores = tonumber(tools.capture "nproc")
local points, sums = {}, {}
for _, ranks in ipairs { 1, 2, 4 } do
  points[ranks] = step_on(ranks)
  sums[ranks] = ranks > 1 and sums_on(ranks) or nil
end

-- Two ranks take one message each for little. Of much, a block at a time, each sends half, folds that of both, and
-- sends and takes half again: what is no message, copy or fold is the wire's.
local LITTLE, LARGE, BLOCK = 1024, 1 << 25, 1 << 20
local alone = tools.capture(BENCH .. " costs")
local costs = { copy = tools.number_in(alone, "copy") * 1e-9, fold = tools.number_in(alone, "fold") * 1e-9 }
costs.latency, costs.message = 0, sums[2].whole[LITTLE]
costs.byte = sums[2].direct[LARGE] / LARGE - 2 * costs.message / BLOCK - 1.5 * costs.copy - costs.fold
print(("\na message %.1f us, its bytes %.2f GB/s, a copy %.2f GB/s, a fold %.2f GB/s"):format(costs.message * 1e6,
  1e-9 / costs.byte, 1e-9 / costs.copy, 1e-9 / costs.fold))

-- Ranks that share a core take turns: their sums and steps take as many times as long.
local function turns(ranks)
  return math.max(1, ranks / cores)
end

print(("\nsums, ms: measured (simulated)\n%-14s %22s %22s %22s %22s"):format("", "2 ranks, 1 MB", "2 ranks, 32 MB",
  "4 ranks, 1 MB", "4 ranks, 32 MB"))
for _, name in ipairs { "direct", "whole", "ring", "tree", "2d" } do
  local words = {}
  for _, ranks in ipairs { 2, 4 } do
    for _, bytes in ipairs { 1 << 20, LARGE } do
      words[#words + 1] = ("%22s"):format(("%.2f (%.2f)"):format(sums[ranks][name][bytes] * 1e3,
        simulate(costs, bytes, 4)[ranks][name] * turns(ranks) * 1e3))
    end
  end
  print(("%-14s %s"):format(name, table.concat(words, " ")))
end

local bytes = points[2].bytes -- two ranks send what they have once
local simulated = simulate(costs, bytes, 4)
print(("\nsteps of %s, %d rows a rank, %.1f MB of gradients, ms\n%-6s %10s %10s %10s"):format(work, given.rows,
  bytes / 1e6, "ranks", "measured", "exchange", "simulated"))
for _, ranks in ipairs { 1, 2, 4 } do
  local sum = ranks > 1 and simulated[ranks].direct or 0
  print(("%-6d %10.2f %9.0f%% %10.2f"):format(ranks, points[ranks].step * 1e3, points[ranks].exchange * 100,
    (points[1].step + sum) * turns(ranks) * 1e3))
end

-- ---- hosts like this one, each with one rank, by published links -------------------------------------------------

local seen = {}
print(("\nsimulated: hosts as this one, step alone %.2f ms; share of a step that is no exchange, by the fastest way\n"
  .. "%-22s %-10s"):format(points[1].step * 1e3, "link", "GB/s")
  .. " " .. ("%-14s"):rep(5):format(4, 16, 64, 256, 1024))
for _, chip in ipairs(core.chips()) do
  for _, link in ipairs { { "network", chip.network_bytes_per_second }, { "torus", chip.link_usable_per_second } } do
    local rate = link[2]
    if rate and rate > 0 and not seen[link[1] .. rate] then
      seen[link[1] .. rate] = true
      local found = simulate({ message = costs.message, byte = 1 / rate, latency = 0, copy = costs.copy,
        fold = costs.fold }, bytes, 1024)
      local words = {}
      for _, hosts in ipairs { 4, 16, 64, 256, 1024 } do
        local best, name = math.huge, nil
        for algorithm, seconds in pairs(found[hosts]) do
          if seconds < best then
            best, name = seconds, algorithm
          end
        end
        words[#words + 1] = ("%-14s"):format(("%.1f%% %s"):format(100 * points[1].step / (points[1].step + best), name))
      end
      print(("%-22s %-10.1f %s"):format(chip.name .. " " .. link[1], rate / 1e9, table.concat(words)))
    end
  end
end
