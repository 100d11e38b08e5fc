-- kill -9 and Ctrl-C at random moments of a run that keeps its state (tests/faults/backup_run.lua): what it leaves is
-- whole, and the run that goes on ends with the bits of one that was never ended, and leaves its files alone. With
-- $MOONPOD_LONG 300 runs are killed.

local executable = require "tests.lua.support.executable"
local file = require "moonpod.saving.file"

local quote = executable.quote

local is_long = os.getenv "MOONPOD_LONG"
local SEED = tonumber(os.getenv "MOONPOD_SEED" or 17)

local folder = os.tmpname()
os.remove(folder)

local function files()
  local pipe = assert(io.popen(("cd %s && find . -type f | sort"):format(quote(folder))))
  local list = {}
  for name in pipe:lines() do
    list[#list + 1] = name
  end
  pipe:close()
  return list
end

local function digest()
  local text = executable.shell(("cd %s && find . -type f | sort | xargs md5sum"):format(quote(folder)))
  return text
end

-- Starts the run; with `delay` it gets a signal so many seconds behind the beginning of training. Returns what it said,
-- and the number that it ends with, or nil.
local function run(is_double, delay, signal, program)
  local command = ("exec %s tests/faults/backup_run.lua %s %s 2>&1"):format(program or "lua5.4", quote(folder),
    tostring(is_double))
  local pipe = assert(io.popen(("{ sh -c %s | { read -r pid; read -r line; echo \"$line\"; %s cat; }; } 2>/dev/null")
    :format(quote("echo $$; " .. command),
      delay and ("sleep %.4f; kill -%s $pid;"):format(delay, signal) or ""), "r"))
  local text = pipe:read "*a"
  pipe:close()
  return text, text:match "done (%d+)"
end

local function fresh()
  os.execute(("rm -rf %s; mkdir %s"):format(quote(folder), quote(folder)))
end

-- Whether the files of tensors that are there can be read: how many backups there are, and how many files that were
-- being written.
local function look()
  local kept, parts = 0, 0
  for _, name in ipairs(files()) do
    if name:find "%.safetensors$" then
      kept = kept + (name:find "backup" and 1 or 0)
      assert.truthy(file.read(folder .. "/" .. name))
    elseif name:find "%.part$" then
      parts = parts + 1
    end
  end
  return kept, parts
end

describe("a run that ends at a random moment", function()
  local random, expected, left, bytes, seconds = SEED, nil, nil, nil, nil

  local function draw()
    random = random * 16807 % 2147483647
    return random / 2147483647
  end

  setup(function()
    local clock = require("moonpod.core").clock
    local text
    fresh()
    text, expected = run(false)
    assert(expected, text)
    left, bytes = files(), digest()
    assert.same({ "./kept/05.safetensors", "./kept/06.safetensors", "./log.csv" }, left)
    fresh()
    local started = clock()
    run(false, 0, "KILL")
    local startup = clock() - started
    fresh()
    started = clock()
    assert.equal(expected, select(2, run(true)))
    seconds = math.max(clock() - started - startup, 0.05)
  end)

  teardown(function()
    os.execute("rm -rf " .. quote(folder))
  end)

  -- Ends runs by a signal, and lets each go on; more of them where too few ended in the middle. How long a run takes
  -- changes with what else the machine does: moments come sooner behind one that was over, and later behind one that
  -- had not kept anything yet.
  local function try(count, signal, program)
    local ended, backups, unfinished, i = 0, 0, 0, 0
    while i < count or (ended <= count / 4 or backups == 0) and i < 8 * count do
      i = i + 1
      fresh()
      local _, done = run(i % 2 == 0, draw() * seconds, signal, program)
      local kept, parts = look()
      ended, backups, unfinished = ended + (done and 0 or 1), backups + kept, unfinished + parts
      seconds = seconds * (done and 0.8 or kept == 0 and 1.25 or 1)
      local said, again = run(i % 2 == 0)
      assert.is_true(again == expected, ("signal %s %d of seed %d: %s"):format(signal, i, SEED, said))
      assert.same(left, files())
      assert.equal(bytes, digest())
    end
    if is_long then
      io.stderr:write(("%s: %d of %d runs ended before their time, %d backups were there, %d files were being "
        .. "written\n"):format(signal, ended, i, backups, unfinished))
    end
    assert.is_true(ended > count / 4 and backups > 0)
    return unfinished
  end

  it("by kill -9 goes on to the same bits and leaves nothing behind", function()
    try(is_long and 300 or 15, "KILL")
  end)

  it("by Ctrl-C does so, too, and itself leaves no half of a file", function()
    assert.equal(0, try(is_long and 60 or 6, "INT", executable.program))
  end)
end)
