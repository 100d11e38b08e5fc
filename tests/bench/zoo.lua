-- Models of all kinds beside PyTorch, TensorFlow and JAX, which take turns:
--
--   ./dev bench zoo [check | predict] [--rows NAME,...] [--precision fp32|bf16] [--pairs N] [--seconds N]
--     [--peers torch,compiled,tensorflow,jax] [--batches 1,32,token]
--
-- In each of the rounds (--pairs, 5) ours and every peer train for so many seconds (3) in processes of their own on two
-- threads. What is written, behind each row: the table of this machine, docs/explanation/performance/MACHINE.md; rows
-- that are not measured stay as they were. `check` measures nothing: it compares how many numbers are trained, and the
-- losses of the first steps from weights that are drawn alike. `predict` measures predictions of one row and of 32,
-- and GPT-2's next token, beside PyTorch and ONNX Runtime; --batches: some of these.

local here, build = arg[1], arg[2]
package.path = here .. "/?.lua;" .. package.path
local json = require "moonpod.base.json"
local tools = require "tools"
local page = require "zoo_page"
local ROWS, fail = page.ROWS, tools.fail
local quote, median, number_in = tools.quote, tools.median, tools.number_in

local PEERS = { torch = { "torch", "eager" }, compiled = { "torch", "compiled" }, tensorflow = { "tensorflow" },
  jax = { "jax" } }
local PEER_ORDER = { "torch", "compiled", "tensorflow", "jax" }

local PREDICTED = { "w2", "resnet50", "mobilenet", "vit", "bert", "gpt2" }
local WRITES = "gpt2" -- its next token, too
local PREDICTING = { "torch", "onnxruntime" }

local rows, batches, peers, checks, predicts = {}, nil, PEER_ORDER, false, false
local options = { precision = { "fp32", "bf16" }, pairs = 5, seconds = 3 }

local function list_of(text)
  local list = {}
  for name in text:gmatch "[^,]+" do
    list[#list + 1] = name
  end
  return list
end

local at = 3
while arg[at] do
  local word, value = arg[at], arg[at + 1]
  at = at + 2
  if word == "check" then
    checks, at = true, at - 1
  elseif word == "predict" then
    predicts, at = true, at - 1
  elseif word == "--rows" and value then
    for _, name in ipairs(list_of(value)) do
      rows[name] = true
    end
  elseif word == "--batches" and value then
    batches = {}
    for _, count in ipairs(list_of(value)) do
      batches[count] = true
    end
  elseif word == "--peers" and value then
    peers = list_of(value)
  elseif word == "--precision" and (value == "fp32" or value == "bf16") then
    options.precision = { value }
  elseif word == "--pairs" or word == "--seconds" then
    options[word:sub(3)] = tools.whole_number(word, value)
  else
    fail("unknown argument '%s'; there are check, predict and the options --rows NAME,..., --peers NAME,..., "
      .. "--batches 1,32,token, --precision fp32 or bf16, --pairs N, --seconds N", word)
  end
end
for _, name in ipairs(peers) do
  if not PEERS[name] then
    fail("unknown peer '%s'; there are %s", name, tools.names_of(PEERS))
  end
end
local known = {}
for _, row in ipairs(ROWS) do
  known[row[1]] = true
end
for name in pairs(rows) do
  if not known[name] then
    fail("unknown row '%s'; there are %s", name, tools.names_of(known))
  end
end

local function ours(name, precision, how)
  return ("%s %s %s %s 1 %s"):format(quote(build .. "/moonpod"), quote(here .. "/workloads.lua"), name, precision, how)
end

local function theirs(peer, name, precision, how)
  local kind, way = table.unpack(PEERS[peer])
  return ("%s -W ignore %s %s %s %s %s 2>/dev/null"):format(quote(tools.find_python(build, kind)),
    quote(here .. "/peers/peer_" .. kind .. ".py"), name, precision, how, way or "")
end

-- The table that a process prints as its last line, or nil where it failed.
local function run(command)
  local pipe = io.popen(command)
  local line = pipe:read("a"):match "({[^\n]*})%s*$"
  pipe:close()
  return line and json.decode(line)
end

-- The nice value of the group of the scheduler that this is in; ./run has set it where it may.
local function group_nice()
  local file = io.open "/proc/self/autogroup"
  return file and file:read("l"):match "nice (%-?%d+)" or "none"
end

local function load()
  local file = io.open "/proc/loadavg"
  return file and file:read("l"):match "^%S+" or "unknown"
end

-- ---- check ------------------------------------------------------------------------------------------------------

local function check(row, precision)
  local name = row[1]
  local function show(who, one)
    local losses = {}
    for i, loss in ipairs(one and one.losses or {}) do
      losses[i] = ("%.4f"):format(loss)
    end
    print(("%-10s %s %-10s %9d parameters, losses %s"):format(name, precision, who, one and one.parameters or 0,
      table.concat(losses, " ")))
  end
  local own = run(ours(name, precision, "check"))
  show("ours", own)
  for _, peer in ipairs(peers) do
    local other = run(theirs(peer, name, precision, "check"))
    show(peer, other)
    if not other or other.parameters ~= own.parameters then
      fail("%s: %s does not train what ours does", name, peer)
    end
  end
  io.stdout:flush()
end

-- ---- measure ----------------------------------------------------------------------------------------------------

local versions, isa = {}, nil

-- What the rounds of a row gave: { step, first, peak, ratios } of each that ran, by name; that of ours is "ours".
-- run_peer(peer) is what a peer's process prints.
local function measure(command, peers_of_row, run_peer)
  local results = {}
  local function add(who, one, own)
    if one then
      local result = results[who] or { steps = {}, ratios = {}, firsts = {} }
      results[who] = result
      result.steps[#result.steps + 1], result.firsts[#result.firsts + 1] = one.step_ms, one.first_step_s
      result.ratios[#result.ratios + 1] = own and one.step_ms / own.step_ms
      result.peak = math.max(result.peak or 0, one.peak_rss_mib)
      versions[who] = one.peer
    end
  end
  for _ = 1, options.pairs do
    local own = run(command) or fail("ours failed: %s", command)
    isa = own.isa
    add("ours", own)
    for _, peer in ipairs(peers_of_row) do
      add(peer, run_peer(peer), own)
    end
  end
  for _, result in pairs(results) do
    result.step, result.first = median(result.steps), median(result.firsts)
    result.ratio = #result.ratios > 0 and median(result.ratios) or nil
  end
  return results
end

local function milliseconds(value)
  return (value < 10 and "%.2f" or value < 100 and "%.1f" or "%.0f"):format(value)
end

local function pair(own, other, format)
  return format:format(own) .. " / " .. (other and format:format(other) or "")
end

-- A row's cells, as zoo_page.HEAD names them, and PREDICTED where there is no first step.
local function cells(results, order, has_first, when)
  local own, best = results.ours, nil
  local list = { milliseconds(own.step) }
  for _, peer in ipairs(order) do
    local other = results[peer]
    list[#list + 1] = other and milliseconds(other.step) or ""
    best = other and (not best or other.step < best.step) and other or best
  end
  list[#list + 1] = best and ("%.2f (%.2f to %.2f)"):format(best.ratio, best.ratios[1], best.ratios[#best.ratios]) or ""
  local eager = results.torch or {}
  list[#list + 1] = has_first and pair(own.first, eager.first, "%.1f") or nil
  list[#list + 1] = pair(own.peak, eager.peak, "%.0f")
  list[#list + 1] = when
  return list
end

local machine = tools.machine(here, build, tools.SEED)
local facts = {}
for _, fact in ipairs(machine) do
  facts[fact[1]] = fact[2]
end
local load_before = load()

local function describe(peak)
  return {
    machine = ("%s CPUs, two threads each, %s"):format(facts.cores, isa),
    versions = versions,
    ending = ("Peaks: f32 %.0f and bf16 %.0f GFLOP/s, memory %.0f GB/s. Load %s before the last run, %s behind it, "
      .. "nice of its group of the scheduler %s."):format(number_in(peak, "f32_gflops"), number_in(peak, "bf16_gflops"),
      number_in(peak, "memory_gb_per_s"), load_before, load(), group_nice()),
  }
end

tools.print_machine(here, build, tools.SEED, false)
print(("%-9s %s, nice of the group %s"):format("load", load_before, group_nice()))
local peak = not checks and tools.capture(quote(build .. "/tests/bench_peak") .. " 2")
local commit = facts.commit:match "^%x+" or "unknown"
local function note(label, list)
  local line = page.row(label, list)
  print(line)
  io.stdout:flush()
  page.write(here, page.cpu(facts.cpu), describe(peak), line)
end

local when = ("%d, %s, %s"):format(options.pairs, os.date "!%Y-%m-%d", commit)

local function train(row, precision)
  local results = measure(ours(row[1], precision, options.seconds), peers, function(peer)
    return run(theirs(peer, row[1], precision, options.seconds))
  end)
  note(row[2] .. " " .. precision, cells(results, PEER_ORDER, true, when))
end

local function predict_some(row, count, python, folder)
  local results = measure(ours(row[1], "fp32", ("%d predict %s"):format(options.seconds, count)), PREDICTING,
    function(peer)
      return run(("%s -W ignore %s %s %s %d %s %s 2>/dev/null"):format(python,
        quote(here .. "/peers/peer_predict.py"), row[1], count, options.seconds, peer, quote(folder)))
    end)
  note(page.prediction(row[2], "fp32", count), cells(results, PREDICTING, false, when))
end

-- What is exported is kept in `folder` from round to round.
local function predict(row, folder)
  local python = quote(tools.find_python(build, "exported"))
  for _, count in ipairs(page.BATCHES) do
    if (count ~= "token" or row[1] == WRITES) and (not batches or batches[tostring(count)]) then
      predict_some(row, count, python, folder)
    end
  end
end

local function is_predicted(name)
  for _, one in ipairs(PREDICTED) do
    if one == name then
      return true
    end
  end
  return false
end

local measured = checks and check or train
local folder = predicts and tools.capture "mktemp -d":match "%S+"
for _, row in ipairs(ROWS) do
  local is_wanted = not next(rows) or rows[row[1]]
  if is_wanted and predicts and is_predicted(row[1]) then
    predict(row, folder)
  end
  for _, precision in ipairs(is_wanted and not predicts and options.precision or {}) do
    measured(row, precision)
  end
end
if folder then
  os.execute("rm -r " .. quote(folder))
end
