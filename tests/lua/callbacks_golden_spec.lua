-- What Keras' callbacks did (tests/golden/keras_callbacks.lua, made by keras_callbacks.py) and what Moonpod's do, with
-- 1 and 7 steps an execution: weights, histories, learning rates, files, and each line that is printed or warned of.

package.path = "tests/golden/?.lua;" .. package.path

local pod = require "moonpod"
local runner = require "runner"
local warnings = require "moonpod.base.warnings"
local read = require("tests.lua.support.files").read

local make, compare = runner.make, runner.compare
local C = pod.callbacks
local unpack = table.unpack or unpack -- luacheck: ignore

local folder = os.tmpname()
os.remove(folder)

local function printer()
  local function line(name)
    return function(first)
      io.write(name, type(first) == "number" and " " .. first or "", "\n")
    end
  end
  local hooks = {}
  for _, name in ipairs { "on_train_begin", "on_train_end", "on_epoch_begin", "on_epoch_end", "on_train_batch_begin",
    "on_train_batch_end", "on_test_begin", "on_test_end", "on_test_batch_begin", "on_test_batch_end" } do
    hooks[name] = line(name)
  end
  return C.lambda(hooks)
end

-- The keys of Keras' logs are not to be seen in what is written here: callbacks by their names in Keras.
local makers = {
  inject = function(options)
    return { on_epoch_end = function(_, epoch, logs) logs.own = options.values[epoch + 1] end }
  end,
  stop = function(options)
    return { on_epoch_begin = function(_, epoch)
      if epoch == options.epoch then
        options.epoch = nil
        error "stopped by the test"
      end
    end }
  end,
  printer = printer,
  learning_rate_scheduler = function(options)
    local kind, value = options.schedule[1], options.schedule[2]
    options.schedule = kind == "decay" and function(_, rate) return rate * value end
      or function(epoch) return value[epoch + 1] end
    return C.learning_rate_scheduler(options)
  end,
}
for keras, ours in pairs { early_stopping = "early_stopping", reduce_lr_on_plateau = "reduce_lr_on_plateau",
  csv_logger = "csv_logger", terminate_on_na_n = "terminate_on_nan", swap_ema_weights = "swap_ema_weights",
  model_checkpoint = "model_checkpoint", backup_and_restore = "backup_and_restore" } do
  makers[keras] = function(options)
    for _, key in ipairs { "filename", "filepath", "backup_dir" } do
      options[key] = options[key] and folder .. "/" .. options[key]
    end
    return C[ours](options)
  end
end

local function copy(value)
  if type(value) ~= "table" or getmetatable(value) then
    return value
  end
  local out = {}
  for key, part in pairs(value) do
    out[key] = copy(part)
  end
  return out
end

-- Runs fn with what is written and warned of kept. Returns both.
local function listening(fn)
  local old_write, old_warn, written, warned = io.write, warnings.warn, {}, {}
  io.write = function(...) -- luacheck: ignore
    for i = 1, select("#", ...) do
      written[#written + 1] = tostring((select(i, ...)))
    end
    return io.stdout
  end
  warnings.warn = function(format, ...)
    warned[#warned + 1] = format:format(...)
  end
  local ok, message = pcall(fn)
  io.write, warnings.warn = old_write, old_warn -- luacheck: ignore
  assert(ok, message)
  return table.concat(written), warned
end

-- Texts are the same but for their numbers, which differ by no more than rounding.
local NUMBER = "%-?%d+%.?%d*e?[-+]?%d*"

local function same_text(what, expected, actual)
  expected = expected:gsub("%d+[mu]?s/step", "T/step"):gsub(" %d+s ", " Ts ")
  actual = actual:gsub("%d+[mu]?s/step", "T/step"):gsub(" %d+s ", " Ts "):gsub(folder:gsub("%W", "%%%0") .. "/", "")
  assert.equal((expected:gsub(NUMBER, "N")), (actual:gsub(NUMBER, "N")), what)
  local numbers = {}
  for number in actual:gmatch(NUMBER) do
    numbers[#numbers + 1] = tonumber(number) or number
  end
  local i = 0
  for number in expected:gmatch(NUMBER) do
    i = i + 1
    local want, got = tonumber(number) or number, numbers[i]
    local near = want == got or type(want) == "number" and type(got) == "number"
      and math.abs(want - got) <= 1e-5 * math.abs(want) + 1e-5
    assert.is_true(near, ("%s: number %d is %s, not %s:\n%s"):format(what, i, tostring(got), tostring(want), actual))
  end
end

local function files_of(path)
  local pipe = assert(io.popen("cd '" .. path .. "' && find . -type f ! -path './backup/*' | sed 's#^./##' "
    .. "| LC_ALL=C sort"))
  local list = {}
  for name in pipe:lines() do
    list[#list + 1] = name
  end
  pipe:close()
  return list
end

-- Keras' texts as they are here: the number of a last batch is right where an execution is short, too (the validation
-- data have two batches), and names of logs are sorted.
local function in_our_words(text, steps)
  return (text:gsub("on_test_batch_end 6", steps == 7 and "on_test_batch_end 1" or "%0")
    :gsub("metrics are: ([%w_,]+)", function(names)
      local list = {}
      for name in names:gmatch "[^,]+" do
        list[#list + 1] = name
      end
      table.sort(list)
      return "metrics are: " .. table.concat(list, ",")
    end))
end

local function new_model(case, steps)
  local model = pod.models.sequential { pod.layers.input { 3 }, pod.layers.dense(4, { activation = "tanh" }),
    pod.layers.dense(2) }
  model:set_weights(make(case.weights))
  model:compile { optimizer = make(case.optimizer), metrics = case.metrics, steps_per_execution = steps,
    loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
  return model
end

local function check_history(expected, epochs, actual)
  compare("epochs", epochs[#epochs], actual.epoch)
  for name, values in pairs(expected) do
    assert.truthy(actual.history[name], "history has no " .. name)
    compare("history of " .. name, values, actual.history[name])
  end
  for name in pairs(actual.history) do
    assert.truthy(expected[name], "history has " .. name .. "; Keras' has not")
  end
end

local function check(case, steps)
  local expected = case["steps_" .. steps]
  local model, options, callbacks = new_model(case, steps), copy(case.fit), {}
  local runs, x, y, failure = options.runs or 1, make(case.x), make(case.y), nil
  for i, one in ipairs(case.callbacks) do
    callbacks[i] = makers[one.class](copy(one.options))
  end
  if options.validation ~= false then
    options.validation_data = { x:at ":10", y:at ":10" }
  end
  options.runs, options.validation = nil, nil
  options.shuffle, options.verbose, options.callbacks = false, options.verbose or 0, callbacks
  options.batch_size, options.validation_batch_size = 2, 5
  local histories = {}
  local written, warned = listening(function()
    for i = 1, runs do
      local ok, history = pcall(model.fit, model, x, y, options)
      if ok then
        histories[i] = { epoch = history.epoch, history = copy(history.history) }
      else
        failure = history
      end
    end
  end)
  if expected.error or case.name:find "^backup: goes on" then
    assert.truthy(failure and failure:find(expected.error or "stopped by the test", 1, true), tostring(failure))
  else
    assert.is_nil(failure)
  end
  same_text("printed", in_our_words(expected.printed, steps), written)
  assert.equal(#expected.warned, #warned, table.concat(warned, "\n"))
  for i, text in ipairs(expected.warned) do
    same_text("warning", in_our_words(text, steps), warned[i])
  end
  local files = files_of(folder)
  assert.same(expected.files, files)
  if expected.csv then
    same_text("log.csv", expected.csv, read(folder .. "/log.csv"))
  end
  local keeps_backup = read(folder .. "/backup/backup-1.safetensors") ~= nil
  assert.equal(expected.keeps_backup, keeps_backup)
  compare("trained weights", expected.final, model:get_weights())
  compare("the learning rate", expected.rate, model.optimizer.learning_rate:value():item())
  return expected, model, histories, files
end

describe("Keras' callbacks", function()
  before_each(function() os.execute("mkdir -p '" .. folder .. "'") end)
  after_each(function() os.execute("rm -rf '" .. folder .. "'") end)

  for _, case in ipairs(dofile "tests/golden/keras_callbacks.lua") do
    for _, steps in ipairs { 1, 7 } do
      it(case.name .. ", steps_per_execution = " .. steps, function()
        local expected, model, histories, files = check(case, steps)
        local last = histories[#histories]
        if last and not case.name:find "^backup: goes on" then
          check_history(expected.history, expected.epochs, last)
        elseif last then
          -- Keras' history begins anew where a run goes on; here it is that of the whole run.
          local count = #expected.epochs[#expected.epochs]
          assert.equal(case.fit.epochs, #last.epoch)
          for name, values in pairs(expected.history) do
            local list = last.history[name]
            compare("history of " .. name, values, { unpack(list, #list - count + 1) })
          end
        end
        if expected.saved then
          local name
          for _, file in ipairs(files) do
            name = file:find "%.safetensors$" and file or name
          end
          model:load_weights(folder .. "/" .. name)
          compare("weights of " .. name, expected.saved, model:get_weights())
        end
      end)
    end
  end
end)
