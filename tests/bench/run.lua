-- Runs workloads in processes of their own, alternating with a peer's where one is asked for, and prints step times
-- and their ratio. First stands what they depend on: processor, compiler, BLAS, commit, seed (of the data's order).
--
--   w1 w2 w3 w3s w4   training steps (workloads.lua; what they are stands in models.lua)
--   small odd norm    the same of other shapes, beside PyTorch alone (shapes.lua)
--   lstm resnet convae mobile row
--   loop              a custom training loop beside fit, alternating in one process
--   dot convolution   single products and convolutions, one thread, beside the machine's peak
--
-- `--plugin NAME` runs them on a device of a plugin of PJRT (of ./dev peers: cpu). There a step's time is the mean of
-- all that were timed, of a peer's as of ours: an execution of ours is several steps, and a median of such means is not
-- one of steps. What the plugin costs beside its programs stands before them (accelerator.lua).

local here, build = arg[1], arg[2]

-- GFLOP of the products of a training step.
local WORKLOADS = { w1 = 0.419, w2 = 9.83, w3 = 25.6, w3s = 3.2, w4 = 84.0 }
local SHAPES = { small = true, odd = true, norm = true, lstm = true, resnet = true, convae = true, mobile = true,
  row = true }
local ORDER = { "w1", "w2", "w3", "w3s", "w4" }
local OTHERS = { loop = true, dot = "bench_dot", convolution = "bench_convolution", attention = "bench_attention",
  finish = "bench_finish" }
local PEERS = { torch = true, tensorflow = true, jax = true }

local options = { precision = { "bf16", "fp32" }, replicas = { 1, 2, 8 }, rounds = 5, seconds = 3, json = false }

package.path = here .. "/?.lua;" .. package.path
local tools = require "tools"
local fail, names_of, whole_number = tools.fail, tools.names_of, tools.whole_number
local quote, capture, number_in, median = tools.quote, tools.capture, tools.number_in, tools.median

local readers = {
  ["--precision"] = function(word, text)
    if text ~= "bf16" and text ~= "fp32" then
      fail("%s is bf16 or fp32, not '%s'", word, text)
    end
    options.precision = { text }
  end,
  ["--replicas"] = function(word, text)
    options.replicas = { whole_number(word, text) }
  end,
  ["--rounds"] = function(word, text)
    options.rounds = whole_number(word, text)
  end,
  ["--seconds"] = function(word, text)
    options.seconds = whole_number(word, text)
  end,
  ["--peer"] = function(word, text)
    options.peer = PEERS[text] and text or fail("%s is one of %s, not '%s'", word, names_of(PEERS), text)
  end,
  ["--plugin"] = function(_, text)
    local tests_have = build .. "/../plugins/lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so"
    options.plugin = text == "cpu" and io.open(tests_have) and tests_have or text
  end,
  ["--python"] = function(_, text)
    options.python = text
  end,
}

local known = {}
for _, set in ipairs { WORKLOADS, SHAPES, OTHERS } do
  for name in pairs(set) do
    known[name] = true
  end
end
options.names = tools.read_words(readers, known, options, ORDER)

local function find_python()
  options.python = options.python or tools.find_python(build, options.peer)
  return options.python
end

local function measure_loop(precision, replicas)
  local line = capture(string.format("%s %s %s %d %d", quote(build .. "/moonpod"), quote(here .. "/loop.lua"),
    precision, replicas, options.rounds))
  if options.json then
    io.write(line)
    return
  end
  print(string.format("loop %s, %d replicas: an epoch of fit %.3f s, of a custom loop %.3f s; ratio %.3f "
    .. "(%.3f to %.3f in %d pairs)", precision, replicas, number_in(line, "fit_epoch_s"),
    number_in(line, "loop_epoch_s"),
    number_in(line, "loop_to_fit"), number_in(line, "lowest"), number_in(line, "highest"),
    options.rounds))
end

-- One workload: ours and the peer's in turn, the machine's peak measured between them.
local function measure(name, precision, replicas)
  local ours = string.format("%s%s %s %s %s %d %d",
    options.plugin and "MOONPOD_BENCH_PLUGIN=" .. quote(options.plugin) .. " " or "", quote(build .. "/moonpod"),
    quote(here .. "/workloads.lua"), name, precision, replicas, options.seconds)
  local theirs
  if options.peer and SHAPES[name] and options.peer ~= "torch" then
    fail("%s is there in PyTorch alone: --peer torch", name)
  elseif options.peer then
    theirs = string.format("%s %s %s %s %d", quote(find_python()),
      quote(here .. "/peers/peer_" .. options.peer .. ".py"), name, precision, options.seconds)
  end
  local own, other, ratios, peaks, last, their_last = {}, {}, {}, {}, nil, nil
  for round = 1, options.rounds do
    local peak = capture(quote(build .. "/tests/bench_peak") .. " 2")
    peaks[round] = number_in(peak, precision == "bf16" and "bf16_gflops" or "f32_gflops")
    last = capture(ours)
    own[round] = number_in(last, options.plugin and "mean_ms" or "step_ms")
    if theirs then
      their_last = capture(theirs)
      other[round] = number_in(their_last, options.plugin and "mean_ms" or "step_ms")
      ratios[round] = other[round] / own[round]
    end
  end
  local step = median(own)
  local share = WORKLOADS[name] and WORKLOADS[name] / step * 1e3 / median(peaks)
  if options.json then
    io.write((last:gsub('"step_ms": [%d.]+', string.format('"step_ms": %.4f, "step_ms_lowest": %.4f, '
      .. '"step_ms_highest": %.4f, "rounds": %d', step, own[1], own[#own], #own))
      :gsub("}%s*$", share and string.format(', "share_of_peak": %.3f', share) or "")))
    if theirs then
      io.write(string.format(', "peer": "%s", "peer_step_ms": %.4f, "peer_peak_rss_mib": %d, "ratio": %.3f, '
        .. '"lowest": %.3f, "highest": %.3f', options.peer, median(other), number_in(their_last, "peak_rss_mib"),
        median(ratios), ratios[1], ratios[#ratios]))
    end
    io.write "}\n"
    return
  end
  local line = string.format("%s %s, %d replicas: %.3f ms a step (%.3f to %.3f in %d rounds), %s%d MiB", name,
    precision, replicas, step, own[1], own[#own], #own,
    share and ("%d %% of the peak, "):format(math.floor(100 * share + 0.5)) or "", number_in(last, "peak_rss_mib"))
  if theirs then
    line = line .. string.format("; %s %.3f ms, %d MiB; ratio %.2f (%.2f to %.2f in %d pairs)", options.peer,
      median(other), number_in(their_last, "peak_rss_mib"), median(ratios), ratios[1], ratios[#ratios], #ratios)
  end
  print(line)
  io.stdout:flush()
end

-- What calls of a plugin cost, and what of a step this host does, beside the device's work or not.
local function measure_plugin()
  local line = capture(("%s %s %s %d"):format(quote(build .. "/moonpod"), quote(here .. "/accelerator.lua"),
    quote(options.plugin), options.seconds))
  local theirs = options.peer == "jax" and capture(("%s %s %d"):format(quote(find_python()),
    quote(here .. "/peers/call_jax.py"), options.seconds))
  if options.json then
    io.write((line:gsub("}%s*$", theirs and (', "jax_call_us": %g}\n'):format(number_in(theirs, "call_us")) or "}\n")))
    return
  end
  print(("a call of a program of one addition: %.1f us%s"):format(number_in(line, "call_us"),
    theirs and ("; jax %.1f us"):format(number_in(theirs, "call_us")) or ""))
  print(("infeed: a step of w1 is the device's %.3f ms and this host's %.3f ms, and %.3f ms where the next steps are "
    .. "read meanwhile"):format(number_in(line, "device_ms"), number_in(line, "infeed_ms"),
    number_in(line, "beside_ms")))
end

tools.print_machine(here, build, tools.SEED, options.json)
if options.plugin then
  measure_plugin()
end

for _, name in ipairs(options.names) do
  if type(OTHERS[name]) == "string" then
    io.write(capture(quote(build .. "/tests/" .. OTHERS[name])))
  else
    for _, precision in ipairs(options.precision) do
      for _, replicas in ipairs(options.replicas) do
        if name == "loop" then
          measure_loop(precision, replicas)
        else
          measure(name, precision, replicas)
        end
      end
    end
  end
end
