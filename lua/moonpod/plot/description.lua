-- description - what is to be shown, as plain data, and its readers: text, SVG, HTML, PNG. Nothing is drawn before
-- somebody reads it.
--
-- A description has `kind` and what that kind needs. description.define() says how a kind is read.

local declare = require "moonpod.base.arguments"
local errors = require "moonpod.base.errors"
local svg = require "moonpod.plot.svg"

local description = {}

local Description = { __name = "moonpod.description" }
Description.__index = Description

-- kind -> { text = function(description, options), scene = function(description, options) }, and where the others are
-- not made of these: svg, html, png
local readers = {}

-- Whether a value is a description.
function description.is(value)
  return type(value) == "table" and getmetatable(value) == Description
end

-- Declares how a kind is read.
function description.define(kind, reader)
  readers[kind] = reader
end

-- Makes a description of a table with a kind that is declared.
function description.new(fields)
  if not readers[fields.kind] then
    error("description: no kind '" .. tostring(fields.kind) .. "'", 2)
  end
  return setmetatable(fields, Description)
end

local TEXT = { width = "count", height = "count", ascii = "boolean" }
local DRAWN = { width = "count", height = "count", theme = "string" }

local function checked(options, allowed, where)
  options = errors.check_options(options, allowed, where)
  local theme = options.theme
  if theme ~= nil and theme ~= "auto" and theme ~= "light" and theme ~= "dark" then
    errors.raise('%s: theme is "auto", "light" or "dark", not %s', where, errors.describe(theme))
  end
  for _, name in ipairs { "width", "height" } do
    if options[name] and (options[name] > 10000 or options[name] < 1) then
      errors.raise("%s: %s is from 1 to 10000, not %d", where, name, options[name])
    end
  end
  return options
end

--- Draws a description as text: in Braille and half blocks, in ASCII where the locale is not UTF-8.
---@param options.width integer columns (those of the terminal)
---@param options.height integer rows of the field (15)
---@param options.ascii boolean no letters beyond ASCII (where the locale has none)
---@return string text lines, without a line break at the end
function Description:text(options)
  return readers[self.kind].text(self, checked(options, TEXT, "description:text"))
end

--- Draws a description as SVG: one text that needs nothing else, for light and for dark pages.
---@param options.width integer pixels (what the description says, or 640)
---@param options.height integer pixels
---@param options.theme string "auto" (as the reader's page), "light" or "dark"
---@return string svg
function Description:svg(options)
  options = checked(options, DRAWN, "description:svg")
  local reader = readers[self.kind]
  if reader.svg then
    return reader.svg(self, options)
  end
  return svg.write(reader.scene(self, options), options)
end

--- Draws a description as a part of a page of HTML.
---@param options.width integer pixels
---@param options.height integer pixels
---@param options.theme string "auto", "light" or "dark"
---@return string html
function Description:html(options)
  local reader = readers[self.kind]
  if reader.html then
    return reader.html(self, checked(options, DRAWN, "description:html"))
  end
  return '<figure class="pod-figure">' .. Description.svg(self, options) .. "</figure>\n"
end

function Description:__tostring()
  return Description.text(self)
end

declare.methods("description", Description, description.is, { ["options?"] = "text svg html" })
declare.metamethods("description", Description)

return description
