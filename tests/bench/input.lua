-- Measures input pipelines, each in a process of its own, in turn with a peer's where one is asked for:
--
--   ./dev bench input [CASE ...] [--peer tensorflow|torch] [--python PATH] [--rounds N] [--seconds N] [--json]
--
--   memory     Fashion-MNIST in memory: shuffle 60000, batch 1024, cast, scale, prefetch
--   map_first  the same with cast and scale mapped before the batch
--   pictures   a TFRecord file of 300,000 PNG pictures: read, check, parse, decode, batch
--   function   an interpreted function of each element
--   threads    pictures decoded by one thread and by two: the ratio of these
--   feed       W1 fed by a pipeline (of bytes, which the step makes floats of) and by one batch of floats that stays in
--              memory: the ratio of the times of a step; --json tells also that of a batch of bytes
--
-- Elements a second, delivered as float32 batches of 1024.

local here, build = arg[1], arg[2]
package.path = here .. "/?.lua;" .. package.path
local tools = require "tools"
local fail, quote, number_in = tools.fail, tools.quote, tools.number_in

local ORDER = { "memory", "map_first", "pictures", "function", "threads", "feed" }
local PEERS = { tensorflow = true, torch = true }
local HAS = { -- what a peer's script measures
  tensorflow = { memory = true, map_first = true, pictures = true, ["function"] = true },
  torch = { memory = true, map_first = true },
}
local OWN = { threads = true, feed = true } -- cases that compare two of our own pipelines
local PICTURES, RECORDS = build .. "/bench/pictures.tfrecord", 300000

local options = { rounds = 5, seconds = 2, json = false }
local readers = {
  ["--rounds"] = function(word, text)
    options.rounds = tools.whole_number(word, text)
  end,
  ["--seconds"] = function(word, text)
    options.seconds = tools.whole_number(word, text)
  end,
  ["--peer"] = function(word, text)
    options.peer = PEERS[text] and text or fail("%s is one of %s, not '%s'", word, tools.names_of(PEERS), text)
  end,
  ["--python"] = function(_, text)
    options.python = text
  end,
}
local known = {}
for _, name in ipairs(ORDER) do
  known[name] = true
end

options.names = tools.read_words(readers, known, options, ORDER)

local function make_pictures()
  if not os.execute("test -e " .. quote(PICTURES)) then
    io.stderr:write("bench: making ", PICTURES, "\n")
    tools.capture(("mkdir -p %s && %s %s %d"):format(quote(build .. "/bench"), quote(build .. "/tests/make_pictures"),
      quote(PICTURES), RECORDS))
  end
end

local function run(program, script, name)
  local line = tools.capture(("%s %s %s %d %s"):format(quote(program), quote(script), name, options.seconds,
    quote(PICTURES)))
  if options.json then
    io.write(line)
  end
  return line
end

local function measure_own(name)
  local ratios = {}
  for round = 1, options.rounds do
    ratios[round] = number_in(run(build .. "/moonpod", here .. "/input_cases.lua", name), "ratio")
  end
  print(("%s: ratio %.3f (%.3f to %.3f in %d runs)"):format(name, tools.median(ratios), ratios[1], ratios[#ratios],
    #ratios))
end

local function measure(name)
  local peer = options.peer and HAS[options.peer][name] and options.peer
  local own, other, ratios = {}, {}, {}
  if peer then
    options.python = options.python or tools.find_python(build, peer)
  end
  for round = 1, options.rounds do
    own[round] = number_in(run(build .. "/moonpod", here .. "/input_cases.lua", name), "elements_per_s")
    if peer then
      other[round] = number_in(run(options.python, here .. "/peers/input_" .. peer .. ".py", name), "elements_per_s")
      ratios[round] = own[round] / other[round]
    end
  end
  local line = ("%s: %.0f elements/s"):format(name, tools.median(own))
  if peer then
    line = line .. ("; %s %.0f; ratio %.1f (%.1f to %.1f in %d pairs)"):format(peer, tools.median(other),
      tools.median(ratios), ratios[1], ratios[#ratios], #ratios)
  end
  print(line)
end

for _, name in ipairs(options.names) do
  if name == "pictures" or name == "threads" then
    make_pictures()
  end
  if OWN[name] then
    measure_own(name)
  else
    measure(name)
  end
end
