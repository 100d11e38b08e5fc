-- The commands of the data service: moonpod data-dispatcher, data-worker, data-keys. Their exit code is 0 where all was
-- done, 1 where something could not be, which is said.

local device = require "moonpod.tensor.device"
local service = require "moonpod.data.service"

local commands = {}

commands["data-dispatcher"] = {
  usage = [[
usage: moonpod data-dispatcher [--address ADDRESS] [--state FILE] [--keys FOLDER]
  --address ADDRESS  where it listens: tcp://HOST:PORT or ipc://PATH (default tcp://127.0.0.1:5050)
  --state FILE       keeps which splits were given, so that jobs go on when it is started again
  --keys FOLDER      what `moonpod data-keys new FOLDER` made; without keys only addresses of this machine
  --until-input-ends ends when the standard input does
]],
  options = { address = "text", state = "text", keys = "text", ["until-input-ends"] = "flag" },
  run = function(given)
    return service.dispatcher { address = given.address or "tcp://127.0.0.1:5050", state = given.state,
      keys = given.keys }
  end,
}

commands["data-worker"] = {
  usage = [[
usage: moonpod data-worker --dispatcher ADDRESS [--address ADDRESS] [--files FOLDER] [--keys FOLDER]
  --dispatcher ADDRESS  of the dispatcher: tcp://HOST:PORT or ipc://PATH
  --address ADDRESS     where consumers reach this worker (default: any port of this machine)
  --files FOLDER        files that pipelines read must lie in it (default: any)
  --keys FOLDER         what `moonpod data-keys new FOLDER` made
  --until-input-ends    ends when the standard input does
]],
  options = { dispatcher = "text", address = "text", files = "text", keys = "text", ["until-input-ends"] = "flag" },
  run = function(given)
    return service.worker { dispatcher = given.dispatcher, address = given.address, files = given.files,
      keys = given.keys }
  end,
}

commands["data-keys"] = {
  usage = [[
usage: moonpod data-keys new FOLDER
  Makes dispatcher, worker and consumer keys in a folder. Each machine gets the files .public, and .secret of its role.
]],
}

-- Reads words into a table of options; nil and why where they are none.
local function read(command, words)
  local given, i = {}, 1
  while i <= #words do
    local name = words[i]:match "^%-%-(.+)$"
    local kind = name and command.options[name]
    if not kind then
      return nil, "there is no option " .. words[i]
    elseif kind == "flag" then
      given[name], i = true, i + 1
    elseif words[i + 1] == nil then
      return nil, words[i] .. " needs a value"
    else
      given[name], i = words[i + 1], i + 2
    end
  end
  return given
end

local function fail(name, message)
  io.stderr:write("moonpod ", name, ": ", tostring(message), "\n")
  return 1
end

local function make_keys(name, command, words)
  if words[1] ~= "new" or #words ~= 2 then
    io.stderr:write(command.usage)
    return 1
  end
  local ok, problem = pcall(service.new_keys, words[2])
  return ok and 0 or fail(name, problem)
end

-- Starts what a command is, says where, and waits for its end.
local function serve(name, command, words)
  local given, problem = read(command, words)
  if not given then
    io.stderr:write(command.usage)
    return fail(name, problem)
  end
  local ok, running = pcall(command.run, given)
  if not ok then
    return fail(name, running)
  end
  if not given["until-input-ends"] then
    print(running:listens_at())
    io.stdout:flush()
  end
  device.core.service_wait(given["until-input-ends"] or false)
  running:close()
  return 0
end

-- Runs a command of the words behind it; returns its exit code.
return function(name, ...)
  local command, words = commands[name], { ... }
  if words[1] == "-h" or words[1] == "--help" then
    io.write(command.usage)
    return 0
  end
  return (command.options and serve or make_keys)(name, command, words)
end
