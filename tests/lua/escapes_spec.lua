-- escapes - scripts that were made to leave a sandbox with its source at hand. Each file of tests/lua/escapes has
-- several, a line "--- what is tried" before each. A script sets `escaped` where it has got out; whatever it does, the
-- host's files, settings, modules, threads and memory are what they were.

local files = require "tests.lua.support.files"
local pod = require "moonpod"

local read, write = files.read, files.write

local MIB = 2 ^ 20
local FILES = { "files", "lua", "programs", "state", "strings", "values", "work" }

-- Entries of a folder, one a line.
local function listed(folder)
  local pipe = assert(io.popen(("ls -A '%s' 2>/dev/null"):format(folder)))
  local text = pipe:read "*a"
  pipe:close()
  return text
end

local function scripts_of(name)
  local list = {}
  for line in read(("tests/lua/escapes/%s.script"):format(name)):gmatch "([^\n]*)\n" do
    local title = line:match "^%-%-%- (.*)$"
    if title then
      list[#list + 1] = { title = title }
    else
      table.insert(list[#list], line)
    end
  end
  return list
end

local folder -- of the scripts: within it lies what they are given, "root", and what they are not, "outside"

local function make_folder()
  folder = os.tmpname()
  os.remove(folder)
  assert(os.execute(("mkdir -p '%s/root' '%s/outside'"):format(folder, folder)))
  write(folder .. "/outside/secret", "the secret")
  assert(os.execute(("cd '%s/root' && ln -s ../outside/secret link && ln -s ../outside linked"):format(folder)))
end

local function threads()
  local _, count = listed "/proc/self/task":gsub("\n", "")
  return count
end

local function size_of(t)
  local count = 0
  for _ in pairs(t) do
    count = count + 1
  end
  return count
end

-- What of the host a script might change.
local function host()
  return { precision = pod.get_float32_matmul_precision(), policy = tostring(pod.mixed_precision.global_policy()),
    placed = size_of(pod.device._placed), strategy = pod.distribute.has_strategy(), chips = #pod.chips(),
    rep = string.rep, format = string.format, index = getmetatable("").__index, layers = size_of(pod.layers),
    dense = pod.layers.dense, losses = size_of(pod.losses), add = getmetatable(pod.ones { 1 }).__add,
    files = listed(folder .. "/outside"), secret = read(folder .. "/outside/secret"),
    drawn = pod.random.get_state(), open = io.open, pcall = pcall, globals = size_of(_G),
    loaded = size_of(package.loaded) }
end

-- What none of them may tell.
local SHOWN = { "the secret", "/lua/moonpod/", os.getenv "PATH" or "the secret",
  read "/proc/sys/kernel/hostname":match "%S+" }

-- What came out of a sandbox, as text.
local function told(box, results)
  local list = { box:output() }
  for i = 1, results.n do
    local value = results[i]
    list[#list + 1] = type(value) == "string" and value or tostring(value)
  end
  return table.concat(list, "\n")
end

local function try(script, options)
  local most
  options.env = { lent = { echo = function(...) return ... end, fail = function() error {} end,
    threads = function() most = math.max(most or 0, threads()) end } }
  local box = pod.sandbox.new(options)
  local before, began, held = host(), threads(), pod.device.memory().current_bytes
  local results = table.pack(pcall(box.run, box, table.concat(script, "\n"), folder .. "/outside/secret"))
  local after = host()
  local _, peak = box:memory()
  assert.same(before, after)
  assert.is_true(peak <= options.memory)
  assert.is_true(pod.device.memory().current_bytes - held < options.memory * 3)
  assert.is_true((most or 0) < began + (options.threads or 1))
  local text = told(box, results)
  for _, pattern in ipairs(SHOWN) do
    assert.is_nil(text:find(pattern, 1, true), pattern)
  end
  -- malformed scripts try nothing
  assert.is_nil(text:find "script:%d+: [^\n]* near ")
  local ok, escaped = pcall(box.run, box, "return escaped and true")
  assert.is_true(not ok or not escaped)
  box:close()
  -- another sandbox, and the host, know nothing of it
  box = pod.sandbox.new { files = folder .. "/root" }
  assert.same({ false, 2 }, { box:run [[
    local left = mark or rawget(pod.layers, "left") or string.left
    return (left or pod.get_float32_matmul_precision() == "default") ~= false, pod.ones({ 2 }):sum():item()
  ]] })
  box:close()
  assert.equal(2, (pod.ones { 2 } + pod.ones { 2 }):totable()[1])
end

describe("a script that is made to escape by", function()
  setup(function()
    make_folder()
    host() -- modules that it looks at are there
  end)
  teardown(function() os.execute(("rm -rf '%s'"):format(folder)) end)

  local count = 0
  for _, file in ipairs(FILES) do
    for _, script in ipairs(scripts_of(file)) do
      count = count + 1
      it(script.title, function()
        try(script, { memory = 48 * MIB, instructions = 3e7, seconds = 4, threads = file == "work" and 3 or 1,
          files = file == "files" and folder .. "/root" or false })
      end)
    end
  end

  it("is one of fifty at least", function() assert.is_true(count >= 50) end)
end)
