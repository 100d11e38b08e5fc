-- What the programs that measure share: processes, peers, medians.

local tools = {
  SEED = 1, -- of the order of training data
  -- What is installed of a peer.
  PEERS = { torch = "torch numpy", tensorflow = "tensorflow-cpu numpy", jax = "jax keras numpy",
    exported = "torch onnx onnxscript onnxruntime numpy", onnxruntime = "onnx onnxruntime ai-edge-litert numpy" },
}

function tools.fail(format, ...)
  io.stderr:write("bench: ", string.format(format, ...), "\n")
  os.exit(2)
end

function tools.names_of(set)
  local list = {}
  for name in pairs(set) do
    list[#list + 1] = name
  end
  table.sort(list)
  return table.concat(list, ", ")
end

function tools.whole_number(word, text)
  local number = math.tointeger(tonumber(text))
  return number and number > 0 and number or tools.fail("%s needs a whole number from 1, not '%s'", word, text)
end

-- Reads the words of the command behind the first two: options, whose readers get them and their values, `--json` where
-- `options` has a field json, and names that `known` has. Returns the names; none: all of `order`.
function tools.read_words(readers, known, options, order)
  local names, at = {}, 3
  while arg[at] do
    local word = arg[at]
    if readers[word] then
      at = at + 1
      readers[word](word, arg[at] or tools.fail("%s needs a value", word))
    elseif word == "--json" and options.json ~= nil then
      options.json = true
    elseif known[word] then
      names[#names + 1] = word
    else
      tools.fail("unknown argument '%s'; there are %s and the options %s%s", word, tools.names_of(known),
        tools.names_of(readers), options.json ~= nil and ", --json" or "")
    end
    at = at + 1
  end
  return #names > 0 and names or order
end

function tools.quote(text)
  return "'" .. tostring(text):gsub("'", "'\\''") .. "'"
end

-- What a command prints.
function tools.capture(command)
  local pipe = assert(io.popen(command))
  local text = pipe:read "a"
  local ok, _, code = pipe:close()
  if not ok then
    tools.fail("'%s' ended with %s", command, tostring(code))
  end
  return text
end

-- A number of a JSON line.
function tools.number_in(line, key)
  return tonumber(line:match('"' .. key .. '": ([%d.]+)')) or tools.fail("no %s in: %s", key, line)
end

function tools.median(list)
  table.sort(list)
  local n = #list
  return n % 2 == 1 and list[(n + 1) / 2] or (list[n / 2] + list[n / 2 + 1]) / 2
end

-- The first line of what a command prints, or nil.
local function first_line(command)
  local pipe = io.popen(command .. " 2>/dev/null")
  local line = pipe:read "*l"
  pipe:close()
  return line ~= "" and line or nil
end

-- What figures depend on besides the program: the processor, how many there are of it, who compiled, what multiplies
-- matrices, the commit, and the seed of what is drawn. A list of { name, text }.
function tools.machine(here, build, seed)
  local root = tools.quote(here .. "/../..")
  local compiler = first_line("sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' " .. tools.quote(build .. "/CMakeCache.txt"))
  local commit = first_line("git -C " .. root .. " rev-parse --short=12 HEAD")
  local changed = commit and first_line("git -C " .. root .. " status --porcelain")
  return {
    { "cpu", first_line "sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo" or first_line "uname -m" or "unknown" },
    { "cores", first_line "nproc" or "unknown" },
    { "compiler", compiler and first_line(tools.quote(compiler) .. " --version") or "unknown" },
    { "blas", require("moonpod.session.blas").text() },
    { "commit", commit and commit .. (changed and ", changed" or "") or "unknown" },
    { "seed", tostring(seed) },
  }
end

-- Prints it: a line each, or as one line of JSON.
function tools.print_machine(here, build, seed, json)
  local facts = tools.machine(here, build, seed)
  if json then
    local set = {}
    for _, fact in ipairs(facts) do
      set[fact[1]] = fact[2]
    end
    print(require("moonpod.base.json").encode { machine = set })
    return
  end
  for _, fact in ipairs(facts) do
    print(("%-9s %s"):format(fact[1], fact[2]))
  end
end

-- A python that has a peer: one in build/, made on first use.
function tools.find_python(build, peer)
  local quote = tools.quote
  local folder = build:match "^(.*)/[^/]*$" .. "/peer-" .. peer
  local python = folder .. "/bin/python"
  if not os.execute("test -x " .. quote(python)) then
    io.stderr:write("bench: installing the peer into ", folder, "\n")
    if not os.execute(("python3 -m venv %s && %s/bin/pip -q install %s"):format(quote(folder), quote(folder),
      tools.PEERS[peer])) then
      tools.fail "the peer could not be installed; give --python PATH of one that has it"
    end
  end
  return python
end

return tools
