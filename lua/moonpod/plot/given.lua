-- given - descriptions that somebody made: a text, and pictures or pages beside it. Each may be a function, which is
-- called when it is asked for.

local description = require "moonpod.plot.description"
local errors = require "moonpod.base.errors"
local inspect = require "moonpod.base.inspect"
local scene = require "moonpod.plot.scene"
local svg = require "moonpod.plot.svg"
local raster = require "moonpod.plot.raster"
local tables = require "moonpod.base.tables"
local texts = require "moonpod.base.texts"

local given = {}

local FIELDS = { "text", "svg", "html", "png", "picture" }

local function value_of(one, name)
  local value = one.made[name]
  if type(value) == "function" then
    value = value()
  end
  if name == "picture" then
    return description.is(value) and value or nil
  elseif value ~= nil and type(value) ~= "string" then
    errors.raise("display: '%s' must be a string, not %s", name, errors.describe(value))
  end
  return value
end

local function text_of(one)
  local picture = value_of(one, "text") == nil and value_of(one, "picture")
  return picture and picture:text() or value_of(one, "text") or inspect.text(one.made)
end

-- Text as a drawing, its letters all of one width.
local function text_scene(one)
  local lines = texts.lines(text_of(one))
  local width = tables.most(lines, 10, string.len)
  local drawing = scene.new(math.min(width * 8 + 28, 4000), #lines * 18 + 24, "", table.concat(lines, "\n"))
  for i, line in ipairs(lines) do
    drawing:text { x = 14, y = 10 + i * 18, text = line, size = 13, mono = true }
  end
  return drawing
end

-- No scene: in a terminal that draws pixels its text is still a text.
local reader = { text = text_of }

function reader.svg(one, options)
  local picture = value_of(one, "picture")
  return value_of(one, "svg") or picture and picture:svg(options) or svg.write(text_scene(one), options)
end

function reader.html(one, options)
  local html = value_of(one, "html")
  if html then
    return html
  elseif one.made.svg == nil and value_of(one, "picture") == nil then
    return '<pre class="pod-text">' .. svg.escape(text_of(one)) .. "</pre>\n"
  end
  return '<figure class="pod-figure">' .. reader.svg(one, options) .. "</figure>\n"
end

function reader.png(one, options)
  local picture = value_of(one, "picture")
  return value_of(one, "png") or picture and picture:png(options) or raster.png(text_scene(one), options)
end

description.define("given", reader)

-- Makes a description of a table { text =, svg =, html =, png =, picture = another description }.
function given.new(made, where)
  if next(tables.pick(made, FIELDS)) == nil then
    errors.raise("%s: a description is a table with text, svg, html or png, or what pod.plot makes; not %s", where,
      errors.describe(made))
  end
  return description.new { kind = "given", made = made }
end

return given
