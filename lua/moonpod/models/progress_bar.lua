-- The progress bar of `fit`, `evaluate` and `predict`: Keras' format (width, colours, times, values).

local core = require "moonpod.core"
local decimal = require "moonpod.base.decimal"
local screen = require "moonpod.base.screen"

local progress_bar = {}
progress_bar.__index = progress_bar

local BOLD, GREEN, WHITE, RESET = "\27[1m", "\27[32m", "\27[37m", "\27[0m"
local DONE = "\226\148\129" -- U+2501, one column wide

-- Makes a bar. Options: target (number of steps, nil when unknown), verbose (1: a bar that is drawn again
-- and again, 2: one line at the end, 0: nothing), width (20 columns), interval (seconds between two
-- drawings, 0.05), unit ("step"), stateless (set of the names whose values are averaged over the steps), write
-- (function of a string, default io.write), terminal (whether the output can go back in its line;
-- default: what standard output is), clock (function giving seconds), panel (moonpod.base.screen's, shown in the place
-- of both: lines that are done have no times there, so that what is kept is the same from run to run), head (what the
-- one line at the end begins with).
function progress_bar.new(options)
  local self = setmetatable({}, progress_bar)
  self.target = options.target
  self.verbose = options.verbose or 1
  self.width = options.width or 20
  self.interval = options.interval or 0.05
  self.unit = options.unit or "step"
  self.stateless = options.stateless or {}
  self.clock = options.clock or core.clock
  self.write = options.write or function(text)
    io.write(text)
    io.flush()
  end
  self.panel, self.head = options.panel, options.head or ""
  self.terminal = options.terminal
  if self.terminal == nil then
    self.terminal = screen.is_terminal()
  end
  self.seen = 0
  self.values, self.order = {}, {}
  self.start = self.clock()
  self.last_update = 0
  self.previous_width = 0
  return self
end

-- The estimated seconds of one step; the first step, which compiles, is left out of the average.
local function step_duration(self, current, now)
  if current and current > 0 then
    local duration
    if self.after_first and current > 1 then
      duration = (now - self.after_first) / (current - 1)
    else
      duration = (now - self.start) / current
    end
    if current == 1 then
      self.after_first = now
    end
    return duration
  end
  return 0
end

-- An execution may do many steps, so the first update may be for more than one.
local function mark_first(self, current, now)
  if not self.after_first and current > 1 then
    self.after_first, self.first_steps = now, current
  end
end

-- A number without its fraction, halves to the even one: LuaJIT's "%.0f" rounds them up.
local function rounded(value)
  local low = math.floor(value)
  local rest = value - low
  return string.format("%d", (rest > 0.5 or rest == 0.5 and low % 2 == 1) and low + 1 or low)
end

local function format_step_time(seconds, unit)
  if seconds >= 1 or seconds == 0 then
    return string.format(" %ss/%s", rounded(seconds), unit)
  elseif seconds >= 1e-3 then
    return string.format(" %sms/%s", rounded(seconds * 1e3), unit)
  end
  return string.format(" %sus/%s", rounded(seconds * 1e6), unit)
end

local function format_eta(seconds)
  if seconds > 3600 then
    return string.format("%d:%02d:%02d", math.floor(seconds / 3600), math.floor(seconds % 3600 / 60),
      math.floor(seconds % 60))
  elseif seconds > 60 then
    return string.format("%d:%02d", math.floor(seconds / 60), math.floor(seconds % 60))
  end
  return string.format("%ds", math.floor(seconds))
end

local function format_values(self)
  local parts = {}
  for _, name in ipairs(self.order) do
    local value = self.values[name]
    local average = value.sum / math.max(1, value.count)
    local form = math.abs(average) > 1e-3 and " - %s: %.4f" or " - %s: %.4e"
    parts[#parts + 1] = decimal.format(form, name, average)
  end
  return table.concat(parts)
end

local function remember(self, current, values, finalize)
  for _, pair in ipairs(values or {}) do
    local name, value = pair[1], pair[2]
    if not self.values[name] then
      self.order[#self.order + 1] = name
    end
    if not self.stateless[name] or finalize then
      self.values[name] = { sum = value, count = 1 }
    else
      local steps = math.max(current - self.seen, 1)
      local old = self.values[name] or { sum = 0, count = 0 }
      self.values[name] = { sum = old.sum + value * steps, count = old.count + steps }
    end
  end
  self.seen = current
end

local function counter(self, current)
  local digits = #tostring(self.target)
  return string.format("%" .. digits .. "d/%d", current, self.target)
end

-- The bar and how many columns it takes (escape codes and the bytes of U+2501 take none of their own).
local function draw_bar(self, current)
  if not (self.target and self.target > 0) then
    local text = string.format("%7d/Unknown", current)
    return text, #text
  end
  local count = counter(self, current)
  local done = math.floor(self.width * math.min(current / self.target, 1))
  local bar = BOLD .. count .. RESET .. " "
  if done > 0 then
    bar = bar .. GREEN .. DONE:rep(done) .. RESET
  end
  bar = bar .. WHITE .. DONE:rep(self.width - done) .. RESET
  return bar, #count + 1 + self.width
end

local function plain_bar(self, current)
  if not (self.target and self.target > 0) then
    return string.format("%d/Unknown", current)
  end
  local done = math.floor(self.width * math.min(current / self.target, 1))
  return counter(self, current) .. " " .. DONE:rep(done) .. ("\194\183"):rep(self.width - done)
end

local function draw_in_panel(self, current, duration, finalize)
  if finalize then
    self.panel:add(plain_bar(self, current) .. format_values(self) .. "\n")
  else
    local left = self.target and duration * (self.target - current) or 0
    self.panel:change(("%s %s%s%s"):format(plain_bar(self, current), format_eta(left),
      format_step_time(duration, self.unit), format_values(self)))
  end
end

local function draw(self, current, now, duration, finalize)
  local message = "\n"
  if self.terminal then
    message = ("\b"):rep(self.previous_width) .. "\r"
  end
  local bar, width = draw_bar(self, current)
  local time
  if self.target and self.target > 0 and not finalize then
    time = format_eta(duration * (self.target - current))
  else
    time = rounded(now - self.start) .. "s"
  end
  local rest = format_step_time(duration, self.unit) .. format_values(self)
  width = width + 1 + #time + #rest
  message = message .. bar .. " " .. BOLD .. time .. RESET .. rest
  if self.previous_width > width then
    message = message .. (" "):rep(self.previous_width - width)
  end
  if finalize then
    message = message .. "\n"
  end
  self.write(message)
  self.previous_width = width
end

-- True when an update would be drawn; where not, the step is only counted, so that nobody has to read values for it.
function progress_bar:is_due(current)
  local now = self.clock()
  if now - self.last_update >= self.interval or next(self.stateless) ~= nil then
    return true
  end
  step_duration(self, current, now)
  mark_first(self, current, now)
  self.seen = current
  return false
end

-- Says that `current` steps are done and gives the newest values, a list of { name, number }. `finalize`
-- draws for the last time; its default is whether the target is reached.
function progress_bar:update(current, values, finalize)
  if finalize == nil then
    finalize = self.target ~= nil and current >= self.target
  end
  remember(self, current, values, finalize)
  local now = self.clock()
  local duration = step_duration(self, current, now)
  if self.first_steps and current > self.first_steps then
    duration = (now - self.after_first) / (current - self.first_steps)
  end
  mark_first(self, current, now)
  if self.verbose == 1 then
    if now - self.last_update < self.interval and not finalize then
      return
    end
    if self.panel then
      draw_in_panel(self, current, duration, finalize)
    else
      draw(self, current, now, duration, finalize)
    end
  elseif self.verbose == 2 and finalize and self.panel then
    self.panel:add((self.target and counter(self, current) or tostring(current)) .. format_values(self) .. "\n")
  elseif self.verbose == 2 and finalize and self.target and self.target > 0 then
    self.write(string.format("%s%s - %ss -%s%s\n", self.head, counter(self, current), rounded(now - self.start),
      format_step_time(duration, self.unit), format_values(self)))
  end
  self.last_update = now
end

return progress_bar
