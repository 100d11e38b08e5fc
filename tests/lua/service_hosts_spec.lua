-- The data service on three machines, as docs/guides/data-service.md has it: its commands, each in a network namespace
-- that stands for a machine, over a network between them, fast and slow.

local doc_blocks = require "tests.lua.support.doc_blocks"
local doc_commands = require "tests.lua.support.doc_commands"
local executable = require "tests.lua.support.executable"
local service = require "tests.lua.support.service_processes"

local PAGE = "docs/guides/data-service.md"
local PREFIX = "pod" .. io.popen("echo $PPID"):read "*l" .. "m"
local MACHINES = { "dispatcher", "worker", "trainer" } -- 10.0.0.1, 10.0.0.2, 10.0.0.3

local function run(command, ...)
  local text, code = executable.shell(command:format(...))
  assert.equal(0, code, text)
  return text
end

local function machine(name)
  return PREFIX .. name:sub(1, 1)
end

-- Why it cannot be run here; nil: it can.
local function obstacle()
  if not service.is_there then
    return "there is no data service"
  elseif not os.execute(("ip netns add %s 2>/dev/null && ip netns del %s"):format(PREFIX, PREFIX)) then
    return "there are no network namespaces, or this is not root"
  end
end

-- The machines hang on a bridge in a namespace of its own.
local function connect()
  run("ip netns add %s && ip -n %s link add name br0 type bridge && ip -n %s link set br0 up", PREFIX, PREFIX, PREFIX)
  for i, name in ipairs(MACHINES) do
    local at = machine(name)
    run("ip netns add %s && ip -n %s link add e0 type veth peer name v%d netns %s", at, at, i, PREFIX)
    run("ip -n %s link set v%d master br0 up", PREFIX, i)
    run("ip -n %s addr add 10.0.0.%d/24 dev e0 && ip -n %s link set e0 up && ip -n %s link set lo up", at, i, at, at)
  end
end

local function disconnect()
  for _, name in ipairs(MACHINES) do
    executable.shell("ip netns del " .. machine(name))
  end
  executable.shell("ip netns del " .. PREFIX)
end

-- The page's command that begins so, and that the test may run: in the folder, ending with the test.
local function command_of(folder, words)
  for _, block in ipairs(doc_blocks.of(PAGE)) do
    for _, command in ipairs(block.language == "console" and doc_commands.of(block) or {}) do
      local text = command.text
      if text:find(words, 1, true) == 1 then
        text = text:gsub("^moonpod ", ""):gsub("/data ", folder .. " "):gsub("keys$", folder .. "/keys")
        return (text:gsub("jobs.db", folder .. "/jobs.db"))
      end
    end
  end
  error(words .. " stands nowhere in " .. PAGE)
end

local TRAINER = [[
local pod = require "moonpod"
local ds = pod.data.range(400):map(function(x) return pod.broadcast_to(x, { 2000 }) end):batch(4)
for rows in ds:distribute { service = "tcp://10.0.0.1:5050", keys = "%s/keys", in_order = true,
  compression = "%s" }:iter() do
  print(("%%d"):format(rows[1][1]:item()))
end
]]

-- Trains on the third machine; its elements come once and in order.
local function train(folder, compression)
  local file = assert(io.open(folder .. "/trainer.lua", "w"))
  file:write(TRAINER:format(folder, compression))
  file:close()
  local expected = {}
  for i = 1, 100 do
    expected[i] = 4 * (i - 1)
  end
  assert.equal(table.concat(expected, "\n") .. "\n", run("ip netns exec %s %s %s/trainer.lua", machine "trainer",
    executable.program, folder))
end

local why = obstacle()

describe("three machines" .. (why and " (skipped: " .. why .. ")" or ""), function()
  (why and pending or it)("do what the guide says", service.in_folder(function(folder)
    local ok, failure = pcall(function()
      connect()
      run("%s %s", executable.program, command_of(folder, "moonpod data-keys"))
      for i = 1, 2 do
        local name = MACHINES[i]
        service.start(name, command_of(folder, "moonpod data-" .. name) .. " --until-input-ends", nil,
          "ip netns exec " .. machine(name))
      end
      train(folder, "auto")
      -- Over a link of 40 Mbit/s, where the kernel has such: 6.4 MB take more than a second.
      if os.execute(("ip netns exec %s tc qdisc add dev e0 root tbf rate 40mbit burst 64kb latency 400ms 2>/dev/null")
            :format(machine "worker")) then
        train(folder, "none")
      else
        print "# service_hosts_spec: no slow link: the kernel or this machine has no tc with tbf"
      end
    end)
    service.kill_all()
    disconnect()
    assert(ok, failure)
  end))
end)
