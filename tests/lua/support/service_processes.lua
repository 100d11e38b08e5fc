-- service_processes - the roles of the data service as processes of a test, in a folder of its own. Their standard
-- input is a pipe of this process: they end with it.

local pod = require "moonpod"
local executable = require "tests.lua.support.executable"

local service = {}

local has_service, problem = pcall(pod.data.service.dispatcher)
if has_service then
  problem:close()
elseif not tostring(problem):find "has no data service" and not tostring(problem):find "the data service needs" then
  error(problem)
end

-- Whether this build has a service, and a program to start.
service.is_there = has_service and executable.program ~= nil

-- Of the test that runs.
local running

local function path(name)
  return service.folder .. "/" .. name
end

-- Starts a process by its name here. `before`: what the shell does before it; `through`: the command that runs it. The
-- number is that of the shell which becomes the process: $$ is another's where popen() runs the command in a subshell.
function service.start(name, words, before, through)
  running[name] = io.popen(("sh -c 'echo $PPID' > %s; %s exec %s %s %s >%s 2>%s"):format(path(name .. ".pid"),
    before or "", through or "", executable.program, words, path(name .. ".out"), path(name .. ".err")), "w")
end

-- The number of a process, once it is there.
function service.pid(name)
  while true do
    local file = io.open(path(name .. ".pid"))
    local pid = file and tonumber(file:read "*a")
    if file then
      file:close()
    end
    if pid then
      return pid
    end
    os.execute "sleep 0.01"
  end
end

-- Sends a signal; returns whether the process was there.
function service.signal(name, signal)
  local there = os.execute(("kill -%s %d 2>/dev/null"):format(signal, service.pid(name)))
  return there == true or there == 0
end

-- Waits until a process has ended of itself; returns what it wrote on standard output.
function service.join(name)
  running[name]:close()
  running[name] = nil
  return service.text(name .. ".out")
end

local function end_process(name)
  local there = service.signal(name, "9")
  os.remove(path(name .. ".pid"))
  running[name]:close()
  running[name] = nil
  return there
end

-- Ends a process by kill -9; one that has ended of itself is an error.
function service.kill(name)
  assert(end_process(name), name .. " had ended: " .. service.text(name .. ".err"))
end

-- What is in a file of the folder; nothing where it is not there yet.
function service.text(name)
  local file = io.open(path(name))
  local text = file and file:read "*a" or ""
  if file then
    file:close()
  end
  return text
end

-- Bytes that a process has in memory.
function service.resident(name)
  local file = assert(io.open(("/proc/%d/statm"):format(service.pid(name))))
  local pages = file:read("*a"):match "^%d+ (%d+)"
  file:close()
  return tonumber(pages) * 4096
end

function service.address()
  return "ipc://" .. path "d"
end

function service.start_dispatcher(before)
  service.start("dispatcher", ("data-dispatcher --until-input-ends --address %s --state %s"):format(service.address(),
    path "state"), before)
end

function service.start_worker(name, before)
  service.start(name, "data-worker --until-input-ends --dispatcher " .. service.address(), before)
end

-- Starts a script that distributes `ds`, an expression, by `options`, and prints what `take(element)` returns of each,
-- in a line. `address`: of another dispatcher than the test's.
function service.start_consumer(name, ds, options, take, address)
  local file = assert(io.open(path(name .. ".lua"), "w"))
  file:write(([[
local pod = require "moonpod"
io.stdout:setvbuf "line"
local ds = %s
local take = %s
for element in ds:distribute { service = "%s", %s }:iter() do
  local said = take(element)
  if said then
    print(said)
  end
end
]]):format(ds, take, address or service.address(), options))
  file:close()
  service.start(name, path(name .. ".lua"))
end

function service.kill_all()
  for name in pairs(running) do
    end_process(name)
  end
end

-- Returns a test that has a folder, and whose processes end with it.
function service.in_folder(fn)
  return function()
    service.folder, running = os.tmpname(), {}
    os.remove(service.folder)
    os.execute("mkdir -m 700 " .. service.folder)
    local ok, failure = pcall(fn, service.folder)
    service.kill_all()
    os.execute("rm -rf " .. service.folder)
    if not ok then
      error(failure, 0)
    end
  end
end

-- Calls fn(address) with a dispatcher and workers of this process.
function service.with_threads(count, fn)
  local dispatcher, workers = pod.data.service.dispatcher(), {}
  for i = 1, count do
    workers[i] = pod.data.service.worker { dispatcher = dispatcher:listens_at() }
  end
  local ok, failure = pcall(fn, dispatcher:listens_at())
  for _, worker in ipairs(workers) do
    worker:close()
  end
  dispatcher:close()
  if not ok then
    error(failure, 0)
  end
end

return service
