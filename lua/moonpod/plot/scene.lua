-- scene - a drawing as a list of shapes, which svg.lua and raster.lua read. Lengths are in pixels, y grows downwards.
--
-- A colour is a role of colors.lua ("ink", "1") or "#rrggbb". Each shape may have `title`, a text that is shown where a
-- mouse rests on it.

local tables = require "moonpod.base.tables"
local texts = require "moonpod.base.texts"

local scene = {}

local Scene = {}
Scene.__index = Scene

-- Makes an empty drawing. title and note say what is seen to those who do not see it.
function scene.new(width, height, title, note)
  return setmetatable({ width = width, height = height, title = title or "", note = note or "", shapes = {} }, Scene)
end

local function add(kind)
  return function(self, shape)
    shape.kind = kind
    self.shapes[#self.shapes + 1] = shape
    return shape
  end
end

Scene.rect = add "rect" -- { x =, y =, width =, height =, fill =, stroke =, radius =, opacity = }
Scene.path = add "path" -- { lines = { { x1, y1, x2, y2, ... } }, fill =, stroke =, thick =, dash =, closed =,
-- opacity = }
Scene.circle = add "circle" -- { x =, y =, radius =, fill = }
Scene.dots = add "dots" -- { points = { x1, y1, ... }, radius =, stroke = their colour, opacity = }
Scene.text = add "text" -- { x =, y = (of the base line), text =, anchor = "start", "middle" or "end", size =, fill =,
-- bold =, upright = }: upright texts run from below to above
Scene.cells = add "cells" -- { x =, y =, width =, height =, columns =, rows =, colors = "#rrggbb" of each, by rows }

-- A line between two points.
function Scene:line(x1, y1, x2, y2, stroke, thick)
  return self:path { lines = { { x1, y1, x2, y2 } }, stroke = stroke, thick = thick }
end

-- The title of a drawing, if it has one, above at the left.
function Scene:heading(title)
  if title ~= "" then
    self:text { x = 14, y = 25, text = scene.fit(title, 15, self.width - 28), size = 15, bold = true }
  end
end

local NARROW = tables.set_of(texts.parts("iljtfrI.,:;'|!()[] ", "."))
local WIDE = tables.set_of(texts.parts("mwMW@%", "."))

-- About how wide a text is, in pixels: enough room for what browsers take as sans-serif.
function scene.text_width(text, size)
  local width = 0
  for character in text:gmatch "[%z\1-\127\194-\244][\128-\191]*" do
    width = width + (#character > 2 and 1 or NARROW[character] and 0.33 or WIDE[character] and 0.88
      or character:find "[%u]" and 0.68 or 0.57)
  end
  return width * size
end

-- A text cut so that it is at most so wide.
function scene.fit(text, size, width)
  if scene.text_width(text, size) <= width then
    return text
  end
  local kept, room = {}, width - size
  for character in text:gmatch "[%z\1-\127\194-\244][\128-\191]*" do
    room = room - scene.text_width(character, size)
    if room < 0 then
      break
    end
    kept[#kept + 1] = character
  end
  return table.concat(kept) .. "…"
end

return scene
