-- Runs workloads in processes of their own, alternating with a peer's where one is asked for, and prints step times
-- and their ratio. `loop` is a custom training loop beside fit, alternating in one process.

local here, build = arg[1], arg[2]

local WORKLOADS = { w1 = true, w2 = true, loop = true }
local ORDER = { "w1", "w2", "loop" }

local options = { precision = { "bf16", "fp32" }, replicas = { 1, 8 }, rounds = 5, names = {} }

local function fail(format, ...)
  io.stderr:write("bench: ", string.format(format, ...), "\n")
  os.exit(2)
end

local at = 3
local function value_of(flag)
  at = at + 1
  return arg[at] or fail("%s needs a value", flag)
end

while arg[at] do
  local word = arg[at]
  if word == "--precision" then
    options.precision = { value_of(word) }
  elseif word == "--replicas" then
    options.replicas = { math.tointeger(tonumber(value_of(word))) or fail "--replicas needs a number" }
  elseif word == "--rounds" then
    options.rounds = math.tointeger(tonumber(value_of(word))) or fail "--rounds needs a number"
  elseif word == "--peer" then
    options.peer = value_of(word)
  elseif word == "--python" then
    options.python = value_of(word)
  elseif word == "--json" then
    options.json = true
  elseif WORKLOADS[word] then
    options.names[#options.names + 1] = word
  else
    fail("unknown argument '%s'; workloads are %s", word, table.concat(ORDER, ", "))
  end
  at = at + 1
end
if #options.names == 0 then
  options.names = ORDER
end

local function quote(text)
  return "'" .. tostring(text):gsub("'", "'\\''") .. "'"
end

local function capture(command)
  local pipe = assert(io.popen(command))
  local text = pipe:read "a"
  local ok, _, code = pipe:close()
  if not ok then
    fail("'%s' ended with %s", command, tostring(code))
  end
  return text
end

local function run(command)
  local text = capture(command)
  return tonumber(text:match '"step_ms": ([%d.]+)') or fail("'%s' printed no step_ms: %s", command, text), text
end

-- The peer's python: as given, else one with the peer from PyPI in build/peers, made on first use.
local function find_python()
  if options.python then
    return options.python
  end
  local folder = build:match "^(.*)/[^/]*$" .. "/peers"
  local python = folder .. "/bin/python"
  if not os.execute("test -x " .. quote(python)) then
    io.stderr:write("bench: installing the peer into ", folder, "\n")
    if not os.execute(("python3 -m venv %s && %s/bin/pip -q install torch numpy"):format(quote(folder), quote(folder))) then
      fail "the peer could not be installed; give --python PATH of one that has it"
    end
  end
  return python
end

local function median(list)
  table.sort(list)
  local n = #list
  return n % 2 == 1 and list[(n + 1) / 2] or (list[n / 2] + list[n / 2 + 1]) / 2
end

local function measure_loop(precision, replicas)
  local line = capture(string.format("%s %s %s %d %d", quote(build .. "/moonpod"), quote(here .. "/loop.lua"), precision,
    replicas, options.rounds))
  if options.json then
    io.write(line)
  end
  local function number(key)
    return tonumber(line:match('"' .. key .. '": ([%d.]+)'))
  end
  print(string.format("loop %s, %d replicas: an epoch of fit %.3f s, of a custom loop %.3f s; ratio %.3f "
    .. "(%.3f to %.3f in %d pairs)", precision, replicas, number "fit_epoch_s", number "loop_epoch_s",
    number "loop_to_fit", number "lowest", number "highest", options.rounds))
end

local function measure(name, precision, replicas)
  if name == "loop" then
    return measure_loop(precision, replicas)
  end
  local ours = string.format("%s %s %s %s %d", quote(build .. "/moonpod"), quote(here .. "/workloads.lua"), name, precision,
    replicas)
  local theirs
  if options.peer then
    theirs = string.format("%s %s %s %s", quote(find_python()), quote(here .. "/peers/peer_" .. options.peer .. ".py"), name,
      precision)
  end
  local own, other, ratios, last = {}, {}, {}, nil
  for round = 1, options.rounds do
    own[round], last = run(ours)
    if theirs then
      other[round] = run(theirs)
      ratios[round] = other[round] / own[round]
    end
  end
  if options.json then
    io.write(last)
  end
  local line = string.format("%s %s, %d replicas: %.3f ms a step", name, precision, replicas, median(own))
  if theirs then
    line = line .. string.format("; %s %.3f ms; ratio %.2f (%.2f to %.2f in %d pairs)", options.peer, median(other),
      median(ratios), ratios[1], ratios[#ratios], #ratios)
  end
  print(line)
end

for _, name in ipairs(options.names) do
  for _, precision in ipairs(options.precision) do
    for _, replicas in ipairs(options.replicas) do
      measure(name, precision, replicas)
    end
  end
end
