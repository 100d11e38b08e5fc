-- What saving costs:
--
--   ./dev bench checkpoint [training] [files] [--precision bf16|fp32] [--pairs N] [--saves N] [--rounds N]
--                          [--python PATH]
--
--   training   W4 with its optimizer, saved every 20 steps while it trains on (model:save with background = true, seen
--              onto the disk): blocks of 20 steps with and without saving take turns in one process, N pairs. Each
--              block that saves is compared with the mean of those around it, by the clock and by the CPU time of all
--              threads, which others on the machine disturb less. A block waits for its file. With --saves up to 5
--              such blocks save so often, and what is printed is the share of one: for machines that are not quiet.
--   files      time and bytes of saving and loading W4 with its optimizer, in turn with what of PyTorch, the
--              safetensors package and Keras the Python at PATH (build/peers) has; ours reaches the disk, and so do
--              theirs: the time of fsync is in both.
--
-- Files lie in BUILD/bench.

local here, build = arg[1], arg[2]
package.path = here .. "/?.lua;" .. package.path
local tools = require "tools"
local fail, quote, number_in, median = tools.fail, tools.quote, tools.number_in, tools.median

local options = { pairs = 20, rounds = 5, saves = 1, precision = "bf16", names = {},
  python = build:match "^(.*)/[^/]*$" .. "/peers/bin/python" }
local readers = {
  ["--pairs"] = function(word, text)
    options.pairs = tools.whole_number(word, text)
  end,
  ["--saves"] = function(word, text)
    options.saves = tools.whole_number(word, text)
    if options.saves > 5 then
      fail("%s is 1 to 5", word)
    end
  end,
  ["--rounds"] = function(word, text)
    options.rounds = tools.whole_number(word, text)
  end,
  ["--precision"] = function(word, text)
    options.precision = (text == "bf16" or text == "fp32") and text or fail("%s is bf16 or fp32, not '%s'", word, text)
  end,
  ["--python"] = function(_, text)
    options.python = text
  end,
}

for _, name in ipairs(tools.read_words(readers, { training = true, files = true }, options, { "training", "files" })) do
  options.names[name] = true
end

local function load_text()
  local file = io.open "/proc/loadavg"
  local text = file and file:read "l":match "^%S+" or "?"
  if file then
    file:close()
  end
  return text
end

-- Median, and the quarters around it.
local function spread(list)
  local middle = median(list) -- sorts
  local function at_share(share)
    return list[math.max(1, math.min(#list, math.floor(share * #list + 0.5)))]
  end
  return middle, at_share(0.25), at_share(0.75)
end

local function lines_of(text)
  local list = {}
  for line in text:gmatch "{[^\n]*}" do
    list[#list + 1] = line
  end
  return list
end

local function ours(words)
  return lines_of(tools.capture(("%s %s %s"):format(quote(build .. "/moonpod"), quote(here .. "/checkpoint_cases.lua"),
    words)))
end

tools.capture("mkdir -p " .. quote(build .. "/bench"))

-- ---- while it trains -----------------------------------------------------------------------------------------------

-- What a key of a saving block is more than the mean of those around it, in percent, for one save.
local function more_of(blocks, key)
  local list = {}
  for i = 2, #blocks - 1 do
    local saves = number_in(blocks[i], "saves")
    if saves > 0 then
      local around = (number_in(blocks[i - 1], key) + number_in(blocks[i + 1], key)) / 2
      list[#list + 1] = (number_in(blocks[i], key) / around - 1) * 100 / saves
    end
  end
  return list
end

local function values_of(blocks, key, saves)
  local list = {}
  for _, line in ipairs(blocks) do
    if number_in(line, "saves") == saves then
      list[#list + 1] = number_in(line, key)
    end
  end
  return list
end

local function measure_training()
  local load = load_text()
  local saves = options.saves
  local blocks = ours(("training %s %d %d %s"):format(options.precision, 2 * options.pairs + 1, saves,
    quote(build .. "/bench/training.safetensors")))
  print(("training, W4 %s, 20 steps with %d saves or none, %d pairs; load of the machine %s to %s:"):format(
    options.precision, saves, options.pairs, load, load_text()))
  print(("  20 steps %.0f ms without saving, %.0f ms with it"):format(median(values_of(blocks, "block_ms", 0)),
    median(values_of(blocks, "block_ms", saves))))
  print(("  the call of save takes %.1f ms, the wait for the file behind the block %.1f ms"):format(
    median(values_of(blocks, "save_ms", saves)), median(values_of(blocks, "wait_ms", saves))))
  print("  a save more in 20 steps:")
  print(("  by the clock %+.2f %% (quarters %+.2f to %+.2f)"):format(spread(more_of(blocks, "block_ms"))))
  print(("  CPU time     %+.2f %% (quarters %+.2f to %+.2f)"):format(spread(more_of(blocks, "cpu_ms"))))
end

-- ---- alone ---------------------------------------------------------------------------------------------------------

local REPEATS = 3

local function measure_files()
  local load = load_text()
  local results, order = {}, {}
  local function note(name, key, value)
    if not results[name] then
      results[name] = {}
      order[#order + 1] = name
    end
    results[name][key] = results[name][key] or {}
    table.insert(results[name][key], value)
  end
  local has_peers = os.execute("test -x " .. quote(options.python))
  for _ = 1, options.rounds do
    for _, line in ipairs(ours(("files %d %s"):format(REPEATS, quote(build .. "/bench/files.safetensors")))) do
      note("Moonpod", "save_ms", number_in(line, "save_ms"))
      note("Moonpod", "load_ms", number_in(line, "load_ms"))
      note("Moonpod", "bytes", number_in(line, "bytes"))
      note("Moonpod, load_weights", "load_ms", number_in(line, "weights_ms"))
    end
    for _, line in ipairs(has_peers and lines_of(tools.capture(("%s %s %s %d"):format(quote(options.python),
      quote(here .. "/peers/checkpoint.py"), quote(build .. "/bench"), REPEATS))) or {}) do
      local name = line:match '"peer": "([^"]*)"'
      for _, key in ipairs { "save_ms", "load_ms", "bytes" } do
        note(name, key, number_in(line, key))
      end
    end
  end
  print(("files, W4 fp32 with AdamW, %d rounds of %d; load of the machine %s to %s; median (quarters):"):format(
    options.rounds, REPEATS, load, load_text()))
  for _, name in ipairs(order) do
    local one = results[name]
    local parts = {}
    if one.save_ms then
      parts[1] = ("%.2f MB, save %.0f ms (%.0f to %.0f)"):format(median(one.bytes) / 1e6, spread(one.save_ms))
    end
    parts[#parts + 1] = ("load %.0f ms (%.0f to %.0f)"):format(spread(one.load_ms))
    print(("  %s: %s"):format(name, table.concat(parts, ", ")))
  end
end

if options.names.training then
  measure_training()
end
if options.names.files then
  measure_files()
end
