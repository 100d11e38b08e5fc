-- display - what is shown of a value: a description, whose text, SVG, HTML and PNG are made when they are asked for.
--
--     pod.display(model):save "model.svg"
--
-- Types of one's own have `__display` in their metatable: a function of the value that returns a description of
-- pod.plot, or a table { text =, svg =, html =, png = } of strings or functions.

local declare = require "moonpod.base.arguments"
local description = require "moonpod.plot.description"
local errors = require "moonpod.base.errors"
local given = require "moonpod.plot.given"
local inspect = require "moonpod.base.inspect"
local screen = require "moonpod.base.screen"
local known_kinds = require "moonpod.display.known_kinds"
local terminal = require "moonpod.plot.terminal"

local display = {}

local function metatable_of(value)
  local ok, meta = pcall(getmetatable, value)
  return ok and type(meta) == "table" and meta or nil
end

-- What the metatable of a value says of it, or nil.
local function own_description(value, meta)
  local describe = meta and rawget(meta, "__display")
  if type(describe) ~= "function" then
    return nil
  end
  local made = describe(value)
  if description.is(made) then
    return made
  elseif type(made) ~= "table" then
    errors.raise("display: __display returns a description or a table { text =, svg =, html =, png = }, not %s",
      errors.describe(made))
  end
  return given.new(made, "display: __display")
end

local function describe(value)
  if description.is(value) then
    return value
  end
  local meta = metatable_of(value)
  return own_description(value, meta) or known_kinds.describe(value, meta) or given.new({ text = function()
    return inspect.text(value)
  end }, "display")
end

--- Describes a value: what is shown of it as text, SVG, HTML and PNG.
--- Tensors are numbers and pictures, models their summary and their graph, histories a table and curves. In a notebook
--- it is shown at once.
---@param value any anything; what has `__display` in its metatable says itself what is shown
---@return description description with the methods `text`, `svg`, `html`, `png` and `save`; it prints as its text
---
---```lua
---local shown = pod.display(pod.tensor { { 1, 2 }, { 3, 4 } })
---assert(shown:text():find "float32" and shown:svg():find "<svg")
---```
function display.display(value)
  local made = describe(value)
  if screen.page and screen.page.display then
    screen.page.display(made)
  end
  return made
end

local function has_card(value, meta)
  local kind = known_kinds.of(value, meta)
  return description.is(value) or meta and rawget(meta, "__display") or kind and kind.has_card, kind
end

-- What a session shows of a value, or nil where its text says all: charts, and what has a card.
function display.card(value)
  if has_card(value, metatable_of(value)) then
    return describe(value):text(terminal.screen())
  end
end

-- The description of what a page shows of a value that a cell gives, or nil where its text says all: what has a card,
-- and reports that have a picture.
function display.shown(value)
  local meta = metatable_of(value)
  local shows, kind = has_card(value, meta)
  return (shows or kind and kind.has_picture) and describe(value) or nil
end

return declare.functions("", display, { ["value:any"] = "display" })
