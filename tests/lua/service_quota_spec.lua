-- A step that waits for its input no longer does when two workers make it: the trainer and each worker are held to half
-- a processor by a quota of the kernel's control groups, of version 1 or 2. Only in long runs.

local executable = require "tests.lua.support.executable"
local service = require "tests.lua.support.service_processes"

local PERIOD, QUOTA = 20000, 10000 -- microseconds

-- Each process has a group of its own below `folder`; `limit`: what the shell does to such a group; `prepare`: to what
-- is above it.
local VERSIONS = {
  { folder = "/sys/fs/cgroup/cpu/moonpod-test", file = "cpu.cfs_quota_us", prepare = "true",
    limit = ("echo %d >$group/cpu.cfs_period_us; echo %d >$group/cpu.cfs_quota_us"):format(PERIOD, QUOTA) },
  { folder = "/sys/fs/cgroup/moonpod-test", file = "cpu.max",
    prepare = "echo +cpu >/sys/fs/cgroup/cgroup.subtree_control; echo +cpu >$folder/cgroup.subtree_control",
    limit = ("echo %d %d >$group/cpu.max"):format(QUOTA, PERIOD) },
}

-- A version may be used where its file is in a group of a group that is made here.
local PROBE = [[
folder=%s
test -e ${folder%%/*}/cgroup.procs && mkdir -p $folder 2>/dev/null || exit 1
{ %s; } 2>/dev/null
mkdir -p $folder/try && test -w $folder/try/%s
found=$?
rmdir $folder/try $folder 2>/dev/null
exit $found
]]

-- The version that there is here; nil: none may be used.
local function find_version()
  for _, version in ipairs(VERSIONS) do
    if os.execute(PROBE:format(version.folder, version.prepare, version.file)) then
      return version
    end
  end
end

local version

-- Why it cannot be run here; nil: it can.
local function obstacle()
  if not os.getenv "MOONPOD_LONG" then
    return "it is long"
  elseif not service.is_there then
    return "there is no data service"
  end
  version = find_version()
  return not version and "there are no quotas of control groups, or this is not root" or nil
end

-- What the shell does before a process of a name begins: it is held to its quota from then on.
local function held(name)
  return ("folder=%s; group=$folder/%s; mkdir -p $folder; { %s; } 2>/dev/null; mkdir -p $group; %s; echo $$ " ..
    ">$group/cgroup.procs;"):format(version.folder, name, version.prepare, version.limit)
end

-- Decodes pictures; trains, on one thread; prints the share of a step that waits for input, and the verdict.
local TRAINER = [[
local pod = require "moonpod"
local pictures, service = arg[1], arg[2]
pod.device.context():set_threads(1)
local ds = pod.data.tfrecord(pictures):parse_example {
  image = { image = "png", size = { 80, 80 }, channels = 1, dtype = "uint8" }, label = pod.spec({}, "int64"),
}:map(function(row)
  return pod.mean(row.image:cast "float32", { 1, 2 }) / 255, row.label:cast "int32"
end):batch(64, { drop_remainder = true }):rep(2)
if service then
  ds = ds:distribute { service = service, split_size = 50 }:prefetch(64)
end
local model = pod.models.sequential { pod.layers.dense(1024, { activation = "relu", input_shape = { 80 } }),
  pod.layers.dense(1024, { activation = "relu" }), pod.layers.dense(10) }
model:compile { optimizer = "sgd", loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
model:fit(ds:take(5), { verbose = 0 }) -- compiles
pod.profiler.start()
model:fit(ds, { verbose = 0 })
local overview = pod.profiler.stop().overview
print(overview.input_bound, overview.class, overview.verdict)
]]

local function train(name, folder, words)
  service.start(name, ("%s/trainer.lua %s/pictures %s"):format(folder, folder, words), held(name))
  local text = service.join(name)
  assert.not_equal("", text, service.text(name .. ".err"))
  print(("# service_quota_spec: %s: %s"):format(name, text))
  return tonumber((text:match "^%S+")), text:match "^%S+%s+(%S+)"
end

local why = obstacle()

describe("a step that waits for its input" .. (why and " (skipped: " .. why .. ")" or ""), function()
  (why and pending or it)("is bound by its own work when two workers make it", service.in_folder(function(folder)
    finally(function() -- luacheck: ignore
      os.execute(("rmdir %s/*/ %s"):format(version.folder, version.folder))
    end)
    local _, code = executable.shell(("%s/tests/make_pictures %s/pictures 25600"):format(os.getenv "MOONPOD_BUILD",
      folder))
    assert.equal(0, code)
    local file = assert(io.open(folder .. "/trainer.lua", "w"))
    file:write(TRAINER)
    file:close()
    local before, class = train("alone", folder, "")
    assert.equal("host", class) -- HIGHLY input-bound
    service.start_dispatcher()
    for i = 1, 2 do
      service.start_worker("w" .. i, held("w" .. i))
    end
    local after, class_after = train("fed", folder, service.address())
    assert.equal("device", class_after) -- not, or POTENTIALLY, input-bound
    assert.is_true(after < before / 2)
  end))
end)
