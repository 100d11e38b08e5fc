-- The callback json_logger: lines of JSON that others read.

local pod = require "moonpod"
local executable = require "tests.lua.support.executable"
local files = require "tests.lua.support.files"
local json = require "moonpod.base.json"
local warnings = require "moonpod.base.warnings"

local X, Y = pod.random.uniform { 24, 4 }, pod.random.uniform { 24, 2 }

local function train(logger, more)
  local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 4 } }) }
  model:compile { optimizer = "sgd", loss = "mse" }
  return pcall(model.fit, model, X, Y, { verbose = 0, epochs = 3, batch_size = 8, callbacks = { logger, more } })
end

-- The lines of a file, each read as JSON.
local function rows_of(path)
  local rows = {}
  for line in files.read(path):gmatch "([^\n]*)\n" do
    rows[#rows + 1] = json.decode(line)
    assert.is_truthy(rows[#rows].time:find "^%d%d%d%d%-%d%d%-%d%dT%d%d:%d%d:%d%dZ$")
  end
  return rows
end

local function events_of(rows)
  local names = {}
  for i, row in ipairs(rows) do
    names[i] = row.level .. " " .. (row.event or "-")
  end
  return table.concat(names, ", ")
end

describe("json_logger", function()
  local path

  before_each(function()
    path = files.temporary()
  end)

  after_each(function()
    os.remove(path)
  end)

  it("writes a line for each epoch, with its logs and what is to stand in all", function()
    assert(train(pod.callbacks.json_logger(path, { fields = { run = "a7" } })))
    local rows = rows_of(path)
    assert.equal("info train_begin, info epoch_end, info epoch_end, info epoch_end, info train_end", events_of(rows))
    for i = 1, 3 do
      assert.equal(i - 1, rows[i + 1].epoch)
      assert.is_true(rows[i + 1].logs.loss > 0)
    end
    assert.equal("a7", rows[5].run)
    assert.equal(3, rows[1].epochs)
  end)

  it("has batches for debug, and nothing below its level", function()
    assert(train(pod.callbacks.json_logger(path, { level = "debug" })))
    assert.equal(5 + 9, #rows_of(path))
    os.remove(path)
    assert(train(pod.callbacks.json_logger(path, { level = "warning" })))
    assert.equal("", files.read(path))
  end)

  it("has warnings, lines of the script, and why a training ended", function()
    local logger = pod.callbacks.json_logger(path)
    local written, stderr = {}, io.stderr
    io.stderr = { write = function(_, ...) written[#written + 1] = table.concat { ... } end } -- luacheck: ignore
    local ok, message = train(logger, { on_epoch_end = function(_, epoch)
      logger:write("info", "mine", { value = 0 / 0, list = { 1, 2 }, on = true })
      warnings.warn("batch %d is odd", epoch)
      error "on purpose"
    end })
    warnings.warn "nobody hears this one"
    io.stderr = stderr -- luacheck: ignore
    assert.is_false(ok)
    assert.is_truthy(message:find "on purpose")
    assert.equal(2, #written)
    local rows = rows_of(path)
    assert.equal("info train_begin, info epoch_end, info -, warning warning, error train_broken_off", events_of(rows))
    assert.same({ "nan", { 1, 2 }, true }, { rows[3].value, rows[3].list, rows[3].on })
    assert.equal("batch 0 is odd", rows[4].message)
  end)

  it("goes on behind what is there, also behind half a line", function()
    assert(train(pod.callbacks.json_logger(path)))
    local file = io.open(path, "ab")
    file:write '{"half": '
    file:close()
    pod.callbacks.json_logger(path):write("error", "first")
    local lines = {}
    for line in files.read(path):gmatch "([^\n]*)\n" do
      lines[#lines + 1] = line
    end
    assert.equal(7, #lines)
    assert.equal('{"half": ', lines[6])
    assert.equal("first", json.decode(lines[7]).message)
  end)

  it("is read by Python's json, strictly", function()
    if select(2, executable.shell "python3 --version") ~= 0 then
      return pending "there is no python3"
    end
    local logger = pod.callbacks.json_logger(path)
    assert(train(logger))
    logger:write("info", "quotes \" and \\ and\nlines", { odd = 1 / 0, text = "\1\127é" })
    local text, code = executable.shell(("python3 -c 'import json, sys; f = lambda x: 1 / 0; "
      .. "[json.loads(l, parse_constant=f) for l in open(sys.argv[1])]' %s"):format(path))
    assert.equal(0, code, text)
  end)

  it("refuses what is no level, and files that cannot be written", function()
    assert.error_matches(function() pod.callbacks.json_logger(path, { level = "loud" }) end, "must be 'debug'")
    assert.error_matches(function() pod.callbacks.json_logger(path):write("loud", "x") end, "must be 'debug'")
    assert.error_matches(function() pod.callbacks.json_logger() end, "'filename' is missing")
    assert.error_matches(function() pod.callbacks.json_logger("/dev/null/log"):write("info", "x") end, "/dev/null")
  end)
end)
