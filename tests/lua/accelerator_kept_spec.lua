-- Compiled programs of devices on disk: they are loaded again, never where they are damaged or others may write them,
-- and there is an end to what the folder holds.

local pod = require "moonpod"
local plugin = require "tests.lua.support.plugin"
local plugins = require "moonpod.tpu.plugins"
local files = require "tests.lua.support.files"

local root = os.tmpname()
os.remove(root)
local folder = root .. "/programs"
local links = 0

-- Another client of the plugin: each name of its file has its own, as another process has.
local function new_strategy(count)
  links = links + 1
  local link = ("%s/%d.so"):format(root, links)
  assert(os.execute(("mkdir -p '%s' && ln -s \"$(realpath '%s')\" '%s'"):format(root, plugin.path, link)))
  local strategy = pod.distribute.tpu_strategy(pod.cluster.resolve { pjrt = link, num_cores = count })
  pod.device.set_resolver(nil)
  return strategy
end

-- Runs a program of its own for each size, and returns what it gives.
local function run(strategy, size)
  return strategy:scope(function()
    return pod.func(function(x) return (x * 3 + size):sum() end)(pod.ones { size }):item()
  end)
end

-- The files that are kept, name to inode: one that is written again has another.
local function kept()
  local inodes, count = {}, 0
  local pipe = io.popen(("ls -i '%s' 2> /dev/null"):format(folder))
  for inode, name in pipe:read("*a"):gmatch "(%d+) (%S+)" do
    inodes[name], count = inode, count + 1
  end
  pipe:close()
  return inodes, count
end

-- The path of the one file that is kept.
local function only_file()
  local inodes, count = kept()
  assert.equal(1, count)
  return folder .. "/" .. next(inodes)
end

describe("a program of a device", function()
  if not plugin.is_there() then
    return it("needs a plugin", function() pending(plugin.why) end)
  end

  local kept_folder = plugins.kept_folder
  before_each(function()
    plugins.kept_folder = function() return folder end
  end)
  after_each(function()
    plugins.kept_folder, plugins.kept_bytes = kept_folder, nil
    os.execute(("rm -rf '%s'"):format(root))
  end)

  it("is kept, and loaded by who needs the same", function()
    assert.equal(3 * 7 + 49, run(new_strategy(1), 7))
    local first, count = kept()
    assert.equal(1, count)
    assert.equal(3 * 7 + 49, run(new_strategy(1), 7))
    assert.same(first, kept())
    run(new_strategy(2), 7) -- is another one
    count = select(2, kept())
    assert.equal(2, count)
  end)

  it("is compiled anew where its file is damaged", function()
    run(new_strategy(1), 7)
    local path = only_file()
    local bytes = files.read(path)
    local middle = math.floor(#bytes / 2)
    local turned = string.char((bytes:byte(middle) + 1) % 256)
    local other = bytes:sub(1, middle - 1) .. turned .. bytes:sub(middle + 1)
    for _, damaged in ipairs { bytes:sub(1, middle), other, "" } do
      files.write(path, damaged)
      assert.equal(3 * 7 + 49, run(new_strategy(1), 7))
      assert.equal(#bytes, #files.read(path))
      assert.not_equal(damaged, files.read(path))
    end
  end)

  it("is neither read nor written where others may write", function()
    run(new_strategy(1), 7)
    local path, strategy = only_file(), new_strategy(1)
    assert(os.execute(("chmod 777 '%s'"):format(folder)))
    files.write(path, "damaged")
    assert.equal(3 * 7 + 49, run(strategy, 7))
    assert.equal("damaged", files.read(path))
  end)

  it("is deleted where the folder has too much, the oldest first", function()
    run(new_strategy(1), 7)
    local first = only_file()
    assert(os.execute(("touch -d '1 hour ago' '%s'"):format(first)))
    plugins.kept_bytes = math.floor(#files.read(first) * 2.5)
    local strategy = new_strategy(1)
    for size = 8, 10 do
      assert.equal(3 * size + size * size, run(strategy, size))
    end
    assert.equal(2, select(2, kept()))
    assert.equal(nil, files.read(first))
  end)

  it("is kept nowhere where nobody says so", function()
    plugins.kept_folder = function() end
    run(new_strategy(1), 7)
    assert.equal(0, select(2, kept()))
  end)
end)
