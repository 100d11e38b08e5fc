-- Whatever writes a file: it keeps the permissions of the one before, takes away what dead processes left of it, and
-- has no path with a zero byte.

local pod = require "moonpod"
local files = require "tests.lua.support.files"

local folder

local function output_of(command)
  local pipe = assert(io.popen(command))
  local text = pipe:read "*a"
  pipe:close()
  return text
end

local function model()
  return pod.models.sequential { pod.layers.input { shape = { 2 } }, pod.layers.embedding(3, 2), pod.layers.flatten(),
    pod.layers.dense(1) }
end

-- What writes a file of a path with each ending.
local writers = {
  ["save"] = { ".safetensors", function(path) model():save(path) end },
  ["save behind training"] = { ".safetensors", function(path) model():save(path, { background = true }):wait() end },
  ["save_weights"] = { ".safetensors", function(path) model():save_weights(path) end },
  ["save_weights of Keras"] = { ".weights.h5", function(path) model():save_weights(path) end },
  ["export"] = { ".safetensors", function(path) model():export(path, { batch_sizes = { 1 } }) end },
  ["a checkpoint"] = { ".safetensors", function(path) pod.train.checkpoint { step = pod.variable(1) }:write(path) end },
  ["save_npz"] = { ".npz", function(path) pod.data.save_npz(path, { a = pod.ones { 3 } }) end },
  ["save_npy"] = { ".npy", function(path) pod.data.save_npy(path, pod.ones { 3 }) end },
  ["save_idx"] = { ".idx", function(path) pod.data.save_idx(path, pod.ones({ 3 }, "uint8")) end },
  ["save_hdf5"] = { ".h5", function(path) pod.data.save_hdf5(path, { a = pod.ones { 3 } }) end },
  ["save_safetensors"] = { ".safetensors", function(path) pod.data.save_safetensors(path, { a = pod.ones { 3 } }) end },
  ["records"] = { ".tfrecord", function(path)
    local writer = pod.data.records.writer(path)
    writer:write "text"
    writer:close()
  end },
  ["an iterator"] = { ".state", function(path) pod.data.range(3):iterator():save(path) end },
  ["bytes"] = { ".svg", function(path) pod.core.file_write(pod.device.context(), path, "text") end },
}

describe("a file that is written by", function()
  before_each(function()
    folder = files.temporary()
    os.execute("mkdir " .. folder)
  end)
  after_each(function()
    os.execute("rm -rf " .. folder)
  end)

  for name, entry in pairs(writers) do
    it(name .. " keeps its permissions, leaves nothing of others, and ends at no zero byte", function()
      local ending, write = entry[1], entry[2]
      local path = folder .. "/file" .. ending
      write(path)
      local given = output_of("stat -c %a " .. path)
      assert.equal(output_of(("umask 0; printf '%%o\n' $((0666 & ~0%s))"):format(output_of "umask")), given)
      for _, mode in ipairs { "600\n", "640\n", "444\n", "664\n" } do
        os.execute(("chmod %s %s"):format(mode:sub(1, -2), path))
        files.write(path .. ".0.part", "of a process that was killed")
        files.write(path .. ".3.part", "of another")
        write(path)
        assert.equal(mode, output_of("stat -c %a " .. path))
        assert.equal("file" .. ending .. "\n", output_of("ls -A " .. folder))
      end
      local ok, message = pcall(write, folder .. "/victim.sh\0" .. ending)
      assert.is_false(ok)
      assert.truthy(message:find("zero byte", 1, true), message)
      assert.equal("file" .. ending .. "\n", output_of("ls -A " .. folder))
    end)
  end

  it("a process that is at it stays while others write", function()
    local path = folder .. "/file"
    local first, second = pod.data.records.writer(path), pod.data.records.writer(path)
    pod.core.file_write(pod.device.context(), path, "third")
    assert.equal("file\nfile.0.part\nfile.1.part\n", output_of("ls -A " .. folder))
    second:abandon()
    first:close()
    assert.equal("file\n", output_of("ls -A " .. folder))
    local many = {}
    for i = 1, 20 do
      many[i] = pod.data.records.writer(path)
    end
    for _, writer in ipairs(many) do
      writer:close()
    end
    assert.equal("file\n", output_of("ls -A " .. folder))
  end)

  it("nobody: other ways to name a file have no zero byte either", function()
    local path = folder .. "/victim\0.safetensors"
    for name, fn in pairs {
      load = function() pod.models.load(path) end,
      csv_logger = function() pod.callbacks.csv_logger(path):on_train_begin() end,
      json_logger = function() pod.callbacks.json_logger(path):write("info", "text") end,
      text_lines = function() pod.data.text_lines(path) end,
      list_files = function() pod.data.list_files(path) end,
      event_writer = function() pod.summary.writer(path) end,
      open = function() pod.device.open(path, "wb") end,
      rename = function() pod.device.rename(path, folder .. "/b") end,
      remove = function() pod.device.remove(path) end,
      export = function() pod.func(function(x) return x end):export(path, { pod.spec { 3 } }) end,
      chips = function() pod.add_chips(path) end,
    } do
      local ok, message = pcall(fn)
      assert.is_false(ok, name)
      assert.truthy(message:find("zero byte", 1, true), name .. ": " .. message)
    end
    assert.equal("", output_of("ls -A " .. folder))
  end)
end)
