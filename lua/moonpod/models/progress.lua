-- progress - draws the progress bar of fit, evaluate and predict.

local callback = require "moonpod.models.callback"
local log_names = require "moonpod.models.log_names"
local progress_bar = require "moonpod.models.progress_bar"
local screen = require "moonpod.base.screen"

local function set_params(self, params)
  self.params = params
end

-- How much is printed. What goes on in the background cannot write over the line where something else is.
local function verbose_of(self)
  local verbose = self.verbose or self.params.verbose
  return self.params.background and verbose == 1 and 2 or verbose
end

-- Where bars are shown when standard output is not what is looked at; else nil.
local function panel_of(self)
  if not self.panel and verbose_of(self) ~= 0 then
    self.panel = screen.panel()
  end
  return self.panel
end

-- How many steps an epoch has may be known only after the first.
local function new_bar(self)
  self.bar = progress_bar.new { target = self.params.steps or self.counted, verbose = verbose_of(self),
    panel = panel_of(self), head = self.head }
  self.head = nil
end

local function pairs_of(logs)
  local list = {}
  for _, name in ipairs(log_names.sorted(logs)) do
    list[#list + 1] = { name, log_names.mean_of(logs[name]) }
  end
  return list
end

local function finish(self, logs, seen)
  local bar = self.bar
  if not bar then
    return
  end
  self.bar = nil
  if not bar.target then
    self.counted = seen or bar.seen
    bar.target = self.counted
  end
  bar:update(bar.target, pairs_of(logs or {}), true)
end

local function on_epoch_begin(self, epoch)
  if self.params.epochs > 1 and verbose_of(self) ~= 0 then
    local text, panel = string.format("Epoch %d/%d", epoch + 1, self.params.epochs), panel_of(self)
    if panel then
      panel:add(text .. "\n")
    elseif self.params.background then -- others print meanwhile: an epoch is one line
      self.head = text .. ": "
    else
      io.write(text .. "\n")
    end
  end
  self.in_epoch = true
  new_bar(self)
end

local function batch_end(self, batch, logs)
  local bar = self.bar
  if verbose_of(self) == 1 and bar and bar:is_due(batch + 1) then
    bar:update(batch + 1, pairs_of(logs()), false)
  end
end

-- Validation within fit is silent.
local function test_batch_end(self, batch, logs)
  if not self.in_epoch then
    batch_end(self, batch, logs)
  end
end

local function on_epoch_end(self, _, logs, seen)
  self.in_epoch = false
  finish(self, logs, seen)
end

local function on_test_begin(self)
  if not self.in_epoch then
    new_bar(self)
  end
end

local function on_test_end(self, logs, seen)
  if not self.in_epoch then
    finish(self, logs, seen)
  end
end

local function close(self)
  local panel = self.panel
  self.bar, self.in_epoch, self.panel = nil, false, nil
  if panel then
    panel:close()
  end
end

---@name pod.callbacks.progress
--- Prints a line for each epoch, with a bar on a terminal. `fit` adds one unless `verbose` is 0.
---@param options.verbose integer 1: a bar; 2: a line an epoch
---@return callback
---@example pod.callbacks.progress(2).name --> "progress"
return callback.define { name = "progress", first = "verbose", defaults = {}, kinds = { verbose = "count" },
  is_progress = true, set_params = set_params, on_epoch_begin = on_epoch_begin, on_epoch_end = on_epoch_end,
  on_train_batch_end_lazy = batch_end, on_test_batch_end_lazy = test_batch_end,
  on_predict_batch_end_lazy = batch_end, on_test_begin = on_test_begin, on_test_end = on_test_end,
  on_predict_begin = on_test_begin, on_predict_end = on_test_end, close = close }
