-- description - what is to be shown, as plain data, and its readers: text, SVG, HTML, PNG. Nothing is drawn before
-- somebody reads it.
--
-- A description has `kind` and what that kind needs. description.define() says how a kind is read.

local declare = require "moonpod.base.arguments"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local graphics = require "moonpod.plot.graphics"
local raster = require "moonpod.plot.raster"
local svg = require "moonpod.plot.svg"
local warnings = require "moonpod.base.warnings"

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

-- Declares how a kind is read: functions `text`, and `scene` or those of `svg`, `html` and `png` that need none.
function description.define(kind, reader)
  local function of_scene(write)
    return function(one, options)
      return write(reader.scene(one, options), options)
    end
  end
  reader.svg, reader.png = reader.svg or of_scene(svg.write), reader.png or of_scene(raster.png)
  reader.html = reader.html or function(one, options)
    return '<figure class="pod-figure">' .. reader.svg(one, options) .. "</figure>\n"
  end
  readers[kind] = reader
end

-- Where a script that `moonpod` runs made pictures that nobody has read yet: description -> place in it.
local unread = setmetatable({}, { __mode = "k" })
local warned = false

-- Makes a description of a table with a kind that is declared.
function description.new(fields)
  if not readers[fields.kind] then
    error("description: no kind '" .. tostring(fields.kind) .. "'", 2)
  end
  local host = package.loaded["moonpod.host"]
  if host and not host.session and not package.loaded["moonpod.notebook.capture"] and not warned then
    unread[fields] = errors.location()
  end
  return setmetatable(fields, Description)
end

-- A script shows nothing by itself: it is told so, once, by the first picture that goes as nobody has read it.
function Description:__gc()
  local place = unread[self]
  if place and not warned then
    warned = true
    warnings.warn("a picture was made at %s and not shown: a script prints it, print(picture), or writes it, "
      .. 'picture:save "picture.svg"', place)
  end
end

-- Raises where a width or height cannot be drawn; returns the options.
function description.check_size(options, where)
  for _, name in ipairs { "width", "height" } do
    if options[name] and (options[name] > 10000 or options[name] < 1) then
      errors.raise("%s: %s is from 1 to 10000, not %d", where, name, options[name])
    end
  end
  return options
end

local TEXT = { width = "count", height = "count", ascii = "boolean", color = "boolean", graphics = "string" }
local DRAWN = { width = "count", height = "count", theme = "string" }

local function checked(options, allowed, where)
  options = errors.check_options(options, allowed, where)
  local theme = options.theme
  if theme ~= nil and theme ~= "auto" and theme ~= "light" and theme ~= "dark" then
    errors.raise('%s: theme is "auto", "light" or "dark", not %s', where, errors.describe(theme))
  end
  return description.check_size(options, where)
end

local function drawn(self, name, options)
  unread[self] = nil
  return readers[self.kind][name](self, checked(options, DRAWN, "description:" .. name))
end

--- Draws a description as text: in Braille and half blocks, in ASCII where the locale is not UTF-8.
---@param options.width integer columns (those of the terminal)
---@param options.height integer rows of the field (15)
---@param options.ascii boolean no letters beyond ASCII (where the locale has none)
---@param options.color boolean pictures in half blocks of 24-bit colours, not in shades (false)
---@param options.graphics string "kitty" or "sixel": drawn in pixels, for terminals that know that protocol
---@return string text lines, without a line break at the end
---
---```lua
---print(pod.plot.line({ 3, 1, 2 }):text { width = 40, height = 5 })
---```
function Description:text(options)
  unread[self] = nil
  options = checked(options, TEXT, "description:text")
  local reader, protocol = readers[self.kind], options.graphics
  if protocol == nil or not reader.scene then
    return reader.text(self, options)
  elseif protocol == "kitty" then
    return graphics.kitty(Description.png(self))
  elseif protocol == "sixel" then
    return graphics.sixel(raster.draw(reader.scene(self, {}), {}))
  end
  errors.raise('description:text: graphics is "kitty" or "sixel", not %s', errors.describe(protocol))
end

--- Draws a description as SVG: one text that needs nothing else, for light and for dark pages.
---@param options.width integer pixels (what the description says, or 640)
---@param options.height integer pixels
---@param options.theme string "auto" (as the reader's page), "light" or "dark"
---@return string svg
---
---```lua
---assert(pod.plot.line({ 3, 1, 2 }):svg { width = 300, theme = "dark" })
---```
function Description:svg(options)
  return drawn(self, "svg", options)
end

--- Draws a description as a part of a page of HTML.
---@param options.width integer pixels
---@param options.height integer pixels
---@param options.theme string "auto", "light" or "dark"
---@return string html
---
---```lua
---assert(pod.plot.line({ 3, 1, 2 }):html():find "<svg")
---```
function Description:html(options)
  return drawn(self, "html", options)
end

--- Draws a description as PNG, of two pixels for each one that is asked for.
---@param options.width integer pixels
---@param options.height integer pixels
---@param options.theme string "light" (also for "auto") or "dark"
---@return string bytes of a file
---
---```lua
---assert(pod.plot.line({ 3, 1, 2 }):png { width = 200, height = 100 })
---```
function Description:png(options)
  return drawn(self, "png", options)
end

local ENDINGS = { svg = "svg", png = "png", html = "html" }

--- Writes a description to a file, whole or not at all: as its ending says, .svg, .png, .html or .txt.
---@param path string the file
---@param options table of `svg`, `png` or `html`
---@return description self
---
---```lua
---local path = os.tmpname()
---pod.plot.line({ 3, 1, 2 }):save(path .. ".svg")
---os.remove(path)
---os.remove(path .. ".svg")
---```
function Description:save(path, options)
  local ending = path:match "%.(%w+)$"
  local bytes
  if ending == "txt" then
    bytes = Description.text(self, options) .. "\n"
  elseif ENDINGS[ending] then
    bytes = drawn(self, ending, options)
  else
    errors.raise("description:save: %s must end in .svg, .png, .html or .txt", errors.describe(path))
  end
  errors.call_core(device.core.file_write, device.context(), path, bytes)
  return self
end

function Description:__tostring()
  return Description.text(self)
end

declare.methods("description", Description, description.is, { ["options?"] = "text svg html png",
  ["path options?"] = "save" })
declare.metamethods("description", Description)

return description
