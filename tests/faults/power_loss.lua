-- power_loss - ends a process that saves (power_writer.lua) at a random call that changes files, and takes away all
-- that was not synced by then, as a loss of power does: power_loss.lua COUNT FOLDER [SEED], COUNT times. Each file must
-- be what it was, or what it was to become: what the process said it had saved is there. What is saved then leaves no
-- file behind that is only half written. tests/tools/fault_injector.c keeps what is on the disk for good.

local pod = require "moonpod"

local count, root, seed = tonumber(arg[1]), arg[2], tonumber(arg[3] or 1)
local folder, disk, log = root .. "/files", root .. "/disk", root .. "/log"
local writer = ("MOONPOD_CACHE=off POD_POWER_LOSS='%s' %%s LD_PRELOAD='%s' '%s' tests/faults/power_writer.lua '%s' %%d "
  .. "> '%s' 2>&1"):format(disk, os.getenv "POD_POWER_INJECTOR", os.getenv "POD_POWER_PROGRAM", folder, log)

local state = seed
local function draw(n)
  state = state * 48271 % 2147483647
  return state % n + 1
end

local function read(path)
  local file = io.open(path, "rb")
  local text = file and file:read "*a"
  if file then
    file:close()
  end
  return text
end

local function write(path, text)
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
end

local function lines_of(command)
  local list, pipe = {}, assert(io.popen(command))
  for line in pipe:lines() do
    list[#list + 1] = line
  end
  pipe:close()
  return list
end

local kill = 0
local function fail(format, ...)
  print(("power_loss: kill %d of seed %d: "):format(kill, seed) .. format:format(...))
  print(read(log))
  os.exit(1)
end

-- Makes the folder what is on the disk.
local function lose()
  local number = lines_of(("stat -c %%i '%s'"):format(folder))[1]
  local names = read(disk .. "/d" .. number) or ""
  os.execute(("find '%s' -mindepth 1 -delete"):format(folder))
  for inode, name in names:gmatch "(%d+) ([^\n]+)" do
    write(folder .. "/" .. name, read(disk .. "/i" .. inode) or "")
  end
  os.execute(("find '%s' -mindepth 1 -delete"):format(disk))
  local list = {}
  for _, line in ipairs(lines_of(("ls -iA '%s'"):format(folder))) do
    local inode, name = line:match "^%s*(%d+) (.*)$"
    list[#list + 1] = inode .. " " .. name .. "\n"
    write(disk .. "/i" .. inode, read(folder .. "/" .. name))
  end
  write(disk .. "/d" .. number, table.concat(list))
end

local function same(values)
  for _, value in ipairs(values) do
    if value ~= values[1] then
      error "values of two states"
    end
  end
  return values[1]
end

local function records_of(path)
  local list = {}
  for text in pod.data.tfrecord(path):iter() do
    list[#list + 1] = text
  end
  return list
end

-- The number of the state that a file has.
local readers = {
  model = { "model.safetensors", function(path)
    return same(pod.models.load(path):get_weights()[1]:reshape({ 6 }):totable())
  end },
  weights = { "weights.safetensors", function(path)
    local arrays, n = pod.data.load_safetensors(path), nil
    for _, one in pairs(arrays) do
      n = same { n or same(one:reshape({ -1 }):totable()), same(one:reshape({ -1 }):totable()) }
    end
    return n
  end },
  arrays = { "arrays.npz", function(path) return same(pod.data.load_npz(path).a:totable()) end },
  records = { "data.tfrecord", function(path)
    local list = records_of(path)
    return #list == 2 and same { tonumber(tostring(list[1])), tonumber(tostring(list[2])) } or error "not two records"
  end },
}
readers.behind = { "behind.safetensors", readers.model[2] }

local saved = {} -- kind -> the last state that was said to be saved

local function read_log()
  for line in (read(log) or ""):gmatch "[^\n]+" do
    local kind, n = line:match "^(%l+) (%d+)$"
    if not kind then
      fail("the writer failed: %s", line)
    end
    saved[kind] = tonumber(n)
  end
end

local function check(kind, name, reader)
  local path = folder .. "/" .. name
  local ok, n = true, nil
  if read(path) then
    ok, n = pcall(reader, path)
  end
  if not ok then
    fail("%s is neither old nor new: %s", name, tostring(n))
  elseif (n or 0) < (saved[kind] or 0) then
    fail("%s has state %s; %s was saved", name, tostring(n), tostring(saved[kind]))
  end
end

local function check_all()
  for kind, entry in pairs(readers) do
    check(kind, entry[1], entry[2])
  end
  local newest, events = 0, 0
  for _, name in ipairs(lines_of(("ls -A '%s'"):format(folder))) do
    local number = tonumber(name:match "^ckpt%-(%d+)%.safetensors$")
    if number then
      check("checkpoint", name, function(path)
        return same(pod.data.load_safetensors(path)["dense/kernel"]:reshape({ 6 }):totable())
      end)
      newest = math.max(newest, number)
    elseif name:find "tfevents" then
      events = math.max(events, tonumber(name:match "%.(%d+)$"))
      check("event file", name, function(path)
        return #records_of(path) == 2 and 1 or error "not two events"
      end)
    end
  end
  if newest < (saved.manager or 0) or events < (saved.events or 0) then
    fail("checkpoint %d and event file %d are there; %s and %s were saved", newest, events, tostring(saved.manager),
      tostring(saved.events))
  end
end

os.execute(("rm -rf '%s'; mkdir -p '%s' '%s'"):format(root, folder, disk))
while kill < count do
  kill = kill + 1
  local first = 0
  for _, n in pairs(saved) do
    first = math.max(first, n)
  end
  local stop = kill % 10 == 0 and 0 or draw(150)
  os.execute(writer:format("POD_POWER_STOP=" .. stop, first + 1))
  read_log()
  if stop == 0 then
    local left = lines_of(("ls -A '%s' | grep '[.]part$'"):format(folder))
    if #left > 0 then
      fail("files that are half written stay: %s", table.concat(left, " "))
    end
  end
  lose()
  check_all()
end
os.execute(("rm -rf '%s'"):format(root))
print(("power_loss: %d kills, nothing lost, seed %d"):format(count - math.floor(count / 10), seed))
