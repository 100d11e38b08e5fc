-- run - random pipelines: lua run.lua [--count N] [--seed S] [--seconds T] [--keep FILE]. Chains of stages are compared
-- with themselves (threads, files, passes, resumption) and, where MOONPOD_PEER names a Python with TensorFlow, with
-- tf.data. What differs is made as short as it can be and printed. Ends with 1 where something differed. FILE receives
-- hashes of the answers, as they are kept in tests/golden/pipelines.lua.

local answer = require "pipelines.answer"
local compare = require "pipelines.compare"
local random_chain = require "pipelines.random_chain"
local shrink = require "pipelines.shrink"

require("moonpod.base.warnings").warn = function() end -- random chains deserve many

local given = {}
for i = 1, #arg, 2 do
  given[assert(arg[i]:match "^%-%-(%l+)$", arg[i])] = arg[i + 1]
end
local first, seconds = tonumber(given.seed or 1), tonumber(given.seconds)
local most = tonumber(given.count) or seconds and math.huge or 1000
local python = os.getenv "MOONPOD_PEER"

-- A process that answers chains by tf.data: a function of a chain that gives a text, nil where TensorFlow died of it.
local function open_peer(command)
  local requests, answers
  local function start()
    local path = os.tmpname()
    os.remove(path)
    assert(os.execute("mkfifo " .. path))
    requests = assert(io.popen(command .. " tests/fuzz/pipelines/peer.py > " .. path, "w"))
    answers = assert(io.open(path))
    os.remove(path)
  end
  return function(chain)
    if not requests then
      start()
    end
    requests:write(compare.json(chain), "\n")
    requests:flush()
    local text = answers:read "*l"
    if not text then
      pcall(requests.close, requests)
      answers:close()
      requests = nil
    end
    return text and not text:find "^died\t" and text or nil
  end
end

local ask = python and open_peer(python)

-- The first difference of a chain, as a text, or nil; whether there is no answer; the chain's own answer.
local function difference_of(chain)
  local text, difference, failure = compare.itself(chain)
  if difference then
    return difference
  end
  if not ask then
    return nil, false, text
  end
  local line = ask(chain)
  return line and compare.peer(chain, text, line, failure), not line, text
end

local differing, elements, unanswered, hashes = 0, 0, 0, {}
local started, seed = os.time(), first
while seed < first + most and not (seconds and os.time() - started >= seconds) do
  local chain = random_chain.make(seed)
  local difference, died, text = difference_of(chain)
  elements = elements + #chain
  if #hashes % 250 == 249 then
    io.stderr:write(("%d pipelines, %d differ\n"):format(#hashes + 1, differing))
  end
  hashes[#hashes + 1] = ('  "%s",'):format(died and "died" or answer.hash(text or ""))
  if died then
    unanswered = unanswered + 1
    print(("seed %d: TensorFlow died of %s"):format(seed, compare.source(chain)))
  end
  if difference then
    differing = differing + 1
    local shorter, found = shrink.smallest(chain, difference_of, difference)
    print(("seed %d: %s\n  %s"):format(seed, compare.source(shorter), found))
    io.stdout:flush()
  end
  seed = seed + 1
end
print(("%d pipelines of %d stages from seed %d, %s: %d differ, %d without an answer"):format(seed - first, elements,
  first, ask and "against tf.data and themselves" or "against themselves", differing, unanswered))
if given.keep then
  local file = assert(io.open(given.keep, "w"))
  file:write("-- Answers of random pipelines that tf.data gave as well, by seed. "
    .. "Made by tests/fuzz/pipelines/run.lua.\n",
    "return {\n", table.concat(hashes, "\n"), "\n}\n")
  file:close()
end
os.exit(differing == 0 and 0 or 1, true)
