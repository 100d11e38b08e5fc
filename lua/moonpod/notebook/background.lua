-- background - trainings that go on between two cells: the output of the cell that began one says where it is, ten
-- times a second at most, and what became of it.

local core = require "moonpod.core"
local run = require "moonpod.models.run"
local tables = require "moonpod.base.tables"

local background = {}

local Background = {}
Background.__index = Background

-- Seconds between two updates of an output.
local BETWEEN = 0.1

-- send(kind, content, header) publishes a message.
function background.new(send)
  return setmetatable({ watched = {}, count = 0, send = send }, Background)
end

local function text_of(one)
  if one.state == "failed" then
    return ("model '%s': the run has failed: %s"):format(one.model.name, tostring(one.error))
  end
  return ("model '%s': %s%s"):format(one.model.name, tostring(run.progress_of(one)),
    one.error and "\n" .. one.error or "")
end

local function show(self, kind, one, about)
  local text = text_of(one)
  about.at = core.clock()
  if text ~= about.text then
    about.text = text
    self.send(kind, { data = { ["text/plain"] = text }, metadata = {}, transient = { display_id = about.id } },
      about.header)
  end
end

-- Gives each run that is new an output of the cell with this header.
function Background:watch(header)
  for _, one in ipairs(run.list()) do
    if not self.watched[one] then
      self.count = self.count + 1
      self.watched[one] = { header = header, id = "moonpod-run-" .. self.count }
      show(self, "display_data", one, self.watched[one])
    end
  end
end

local function tell(self)
  local going = tables.set_of(run.list())
  for one, about in pairs(self.watched) do
    if not going[one] then
      show(self, "update_display_data", one, about)
      self.watched[one] = nil
    elseif core.clock() - about.at >= BETWEEN then
      show(self, "update_display_data", one, about)
    end
  end
end

-- Gives the runs so many seconds. Returns whether any goes on.
function Background:work(seconds)
  local goes_on = run.pump(seconds)
  tell(self)
  return goes_on
end

-- Ends all that go on, as Ctrl-C at the prompt does.
function Background:interrupt()
  for _, one in ipairs(run.list()) do
    run.interrupt(one)
  end
  tell(self)
end

return background
