-- screen - what output is seen on: standard output, or a page that somebody has put in its place, as a notebook's cell.
--
-- A page is { columns =, open = function() that returns show(text), which shows a text in place, over and over,
-- display = function(description) }.

local core = require "moonpod.core"

local screen = {}

-- The page, or nil.
screen.page = nil

-- Columns of a terminal that gets what is written by way of somebody else, as of a run in the background; or nil.
screen.width = nil

-- How many columns lines may have.
function screen.columns()
  return screen.page and screen.page.columns or screen.width or core.terminal_columns()
end

-- Whether what is written can be written over: a terminal. A page has panels for that.
function screen.is_terminal()
  return not screen.page and core.is_terminal(1)
end

-- A variable of the environment; nil where it is not set, or to nothing, or where the host has no environment for us.
function screen.variable(name)
  local value = os and os.getenv and os.getenv(name)
  return value ~= "" and value or nil
end

-- Whether there are letters beyond ASCII: what the locale says, of its variables the first that is set.
function screen.is_utf8()
  local value = screen.variable "LC_ALL" or screen.variable "LC_CTYPE" or screen.variable "LANG"
  return screen.page ~= nil or value ~= nil and value:lower():find "utf%-?8" ~= nil
end

-- ---- panels --------------------------------------------------------------------------------------------

-- Seconds between two looks of a panel.
local BETWEEN = 0.1

local Panel = {}
Panel.__index = Panel

-- A text on the page that grows and whose last line changes, or nil where there is no page. It is shown at most ten
-- times a second.
function screen.panel()
  if screen.page and screen.page.open then
    return setmetatable({ show = screen.page.open(), done = "", changing = "", shown = false }, Panel)
  end
end

local function show(self, is_last)
  local now, text = core.clock(), self.done .. self.changing
  if text ~= self.shown and (is_last or not self.at or now - self.at >= BETWEEN) then
    self.at, self.shown = now, text
    self.show((text:gsub("\n$", "")))
  end
end

-- Adds lines that stay, in the place of the one that changes.
function Panel:add(text)
  self.done, self.changing = self.done .. text, ""
  show(self, false)
end

-- Puts a line in the place of the one that changes.
function Panel:change(text)
  self.changing = text
  show(self, false)
end

-- Shows what there is in the end.
function Panel:close()
  show(self, true)
end

return screen
