-- Measures the data service beside tf.data service, over loopback, in turn:
--
--   ./dev bench service [CASE ...] [--python PATH] [--rounds N] [--seconds N] [--workers N]
--
--   memory   rows of 784 floats, made of bytes in memory by a function, in batches of 128: each worker makes all
--   divided  the same, each batch made once
--   jpeg     JPEG pictures of 224 x 224 out of a TFRecord file, decoded, in batches of 32
--   records  records of a TFRecord file, of 1 kB each, one at a time
--
-- Elements a second, and bytes of each on the wire. All processes of a run have a network of their own, where root runs
-- this (`unshare -n`), so that nobody else's bytes are counted; otherwise bytes are not told. 1 and 2 workers each.
-- All but `memory` are divided among the workers, on both sides.

local here, build = arg[1], arg[2]
package.path = here .. "/?.lua;" .. package.path
local tools = require "tools"
local quote = tools.quote

local ORDER = { "memory", "divided", "jpeg", "records" }
local FOLDER = build .. "/bench/service"
local options = { rounds = 3, seconds = 3, workers = { 1, 2 } }
local readers = {
  ["--rounds"] = function(word, text)
    options.rounds = tools.whole_number(word, text)
  end,
  ["--seconds"] = function(word, text)
    options.seconds = tools.whole_number(word, text)
  end,
  ["--workers"] = function(word, text)
    options.workers = { tools.whole_number(word, text) }
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
options.python = options.python or tools.find_python(build, "tensorflow")

local script = here .. "/peers/service_tensorflow.py"
if not os.execute("test -e " .. quote(FOLDER .. "/records.tfrecord")) then
  io.stderr:write("bench: making ", FOLDER, "\n")
  tools.capture(("mkdir -p %s && %s %s make %s"):format(quote(FOLDER), quote(options.python), quote(script),
    quote(FOLDER)))
end

local alone = os.execute "unshare -n true 2>/dev/null"

-- Runs a case once; returns elements a second, and bytes of each on the wire or nil.
local function run(program, what, name, workers)
  local command = ("%s %s %s %d %d %s"):format(quote(program), quote(what), name, workers, options.seconds,
    quote(FOLDER))
  if alone then
    command = "unshare -n sh -c " .. quote("ip link set lo up && " .. command)
  end
  local line = tools.capture(command)
  local rate = tools.number_in(line, "elements_per_s")
  return rate, alone and tools.number_in(line, "bytes_per_element")
end

local function bytes_text(bytes)
  return bytes and (", %.0f bytes each"):format(bytes) or ""
end

for _, name in ipairs(options.names) do
  for _, workers in ipairs(options.workers) do
    local own, other, ratios, own_bytes, other_bytes = {}, {}, {}, nil, nil
    for round = 1, options.rounds do
      own[round], own_bytes = run(build .. "/moonpod", here .. "/service_cases.lua", name, workers)
      other[round], other_bytes = run(options.python, script, name, workers)
      ratios[round] = own[round] / other[round]
    end
    print(("%s, %d worker%s: %.0f elements/s%s; tf.data service %.0f%s; ratio %.2f (%.2f to %.2f in %d pairs)"):format(
      name, workers, workers > 1 and "s" or "", tools.median(own), bytes_text(own_bytes), tools.median(other),
      bytes_text(other_bytes), tools.median(ratios), ratios[1], ratios[#ratios], #ratios))
  end
end
