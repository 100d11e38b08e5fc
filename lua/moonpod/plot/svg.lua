-- svg - a scene as SVG: one self-contained text, legible on light and on dark paper, with texts that stay texts.

local base64 = require "moonpod.base.base64"
local colors = require "moonpod.plot.colors"
local decimal = require "moonpod.base.decimal"
local image_encode = require "moonpod.image.encode"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local utf8_text = require "moonpod.base.utf8_text"

local svg = {}

local ESCAPES = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }

local function legal(bytes, is_character)
  local none = bytes == "\239\191\190" or bytes == "\239\191\191" -- U+FFFE and U+FFFF are no characters of XML
  return is_character and not none and bytes or "?"
end

-- Any bytes as text of XML: what is no UTF-8 or no character of XML becomes "?".
function svg.escape(text)
  text = tostring(text):gsub("[%z\1-\8\11\12\14-\31\127]", "?"):gsub('[&<>"]', ESCAPES)
  return utf8_text.map(text, legal)
end

-- A length with at most two digits behind the point, the same in every locale.
local function number(value)
  local text = decimal.format("%.2f", value):gsub("0+$", ""):gsub("%.$", "")
  return text == "-0" and "0" or text
end

-- The attribute of a colour: roles are classes, so that dark paper can change them.
local function paint(classes, attributes, letter, color)
  if not color then
    if letter == "f" then
      attributes[#attributes + 1] = 'fill="none"'
    end
  elseif color:sub(1, 1) == "#" then
    attributes[#attributes + 1] = ('%s="%s"'):format(letter == "f" and "fill" or "stroke", color)
  else
    classes[#classes + 1] = letter .. "-" .. color
  end
end

-- Attributes that are numbers, and the fields that say them.
local NUMBERS = { { "stroke-width", "thick" }, { "stroke-dasharray", "dash" }, { "opacity", "opacity" } }

local function painted(shape)
  local classes, attributes = {}, {}
  paint(classes, attributes, "f", shape.fill)
  paint(classes, attributes, "s", shape.stroke)
  if #classes > 0 then
    table.insert(attributes, 1, ('class="%s"'):format(table.concat(classes, " ")))
  end
  for _, one in ipairs(NUMBERS) do
    local value = shape[one[2]]
    attributes[#attributes + 1] = value and ('%s="%s"'):format(one[1], number(value)) or nil
  end
  return table.concat(attributes, " ")
end

local function element(name, attributes, shape, content)
  if shape.title then
    content = "<title>" .. svg.escape(shape.title) .. "</title>" .. (content or "")
  end
  if content then
    return ("<%s %s>%s</%s>"):format(name, attributes, content, name)
  end
  return ("<%s %s/>"):format(name, attributes)
end

local writers = {}

function writers.rect(shape)
  local radius = shape.radius and (' rx="%s"'):format(number(shape.radius)) or ""
  return element("rect", ('x="%s" y="%s" width="%s" height="%s"%s %s'):format(number(shape.x), number(shape.y),
    number(math.max(shape.width, 0)), number(math.max(shape.height, 0)), radius, painted(shape)), shape)
end

function writers.circle(shape)
  return element("circle", ('cx="%s" cy="%s" r="%s" %s'):format(number(shape.x), number(shape.y),
    number(shape.radius), painted(shape)), shape)
end

function writers.path(shape)
  local parts = {}
  for _, line in ipairs(shape.lines) do
    for i = 1, #line, 2 do
      parts[#parts + 1] = (i == 1 and "M" or "L") .. number(line[i]) .. " " .. number(line[i + 1])
    end
    parts[#parts + 1] = shape.closed and "Z" or nil
  end
  return element("path", ('d="%s" %s%s'):format(table.concat(parts), painted(shape),
    shape.closed and "" or ' stroke-linejoin="round"'), shape)
end

-- Lines of no length with round ends: one path for all dots.
function writers.dots(shape)
  local parts = {}
  for i = 1, #shape.points, 2 do
    parts[#parts + 1] = "M" .. number(shape.points[i]) .. " " .. number(shape.points[i + 1]) .. "h0"
  end
  return element("path", ('d="%s" stroke-linecap="round" %s'):format(table.concat(parts),
    painted { stroke = shape.stroke, thick = 2 * shape.radius, opacity = shape.opacity }), shape)
end

function writers.text(shape)
  local place = ('x="%s" y="%s"'):format(number(shape.x), number(shape.y))
  local more = shape.upright and (' transform="rotate(-90 %s %s)"'):format(number(shape.x), number(shape.y)) or ""
  if (shape.anchor or "start") ~= "start" then
    more = more .. (' text-anchor="%s"'):format(shape.anchor)
  end
  if shape.mono then
    more = more .. ' font-family="ui-monospace,DejaVu Sans Mono,Consolas,monospace"'
  end
  if shape.bold then
    more = more .. ' font-weight="600"'
  end
  return element("text", ('%s font-size="%s"%s %s'):format(place, number(shape.size or 12), more,
    painted { fill = shape.fill or "ink" }), shape, svg.escape(shape.text))
end

-- Cells as a picture of one pixel each, which is a tenth of as many outlines. Those without a colour are clear.
function writers.cells(shape)
  local bytes = {}
  for i = 1, shape.columns * shape.rows do
    local red, green, blue = (shape.colors[i] or ""):match "#(%x%x)(%x%x)(%x%x)"
    bytes[i] = red and string.char(tonumber(red, 16), tonumber(green, 16), tonumber(blue, 16), 255) or "\0\0\0\0"
  end
  local pixels = tensor.new(table.concat(bytes), { dtype = "uint8", shape = { shape.rows, shape.columns, 4 } })
  return ('<image x="%s" y="%s" width="%s" height="%s" preserveAspectRatio="none" style="image-rendering:pixelated" '
    .. 'href="data:image/png;base64,%s"/>'):format(number(shape.x), number(shape.y), number(shape.width),
    number(shape.height), base64.encode(image_encode.encode_png(pixels)))
end

-- The rules of a palette for the classes that shapes have.
local function rules(palette, classes, indent)
  return table.concat(tables.map(classes, function(class)
    return ("%s.pod-plot .%s{%s:%s}"):format(indent, class, class:find "^f" and "fill" or "stroke",
      palette[class:sub(3)])
  end), "\n")
end

-- The classes of a text of shapes, sorted.
local function classes_of(text)
  local seen = {}
  for classes in text:gmatch ' class="([^"]*)"' do
    for class in classes:gmatch "%S+" do
      seen[class] = true
    end
  end
  return tables.sorted_keys(seen)
end

local FONT = ".pod-plot{max-width:100%;height:auto;font-family:system-ui,-apple-system,'Segoe UI',Roboto,"
  .. "'DejaVu Sans',sans-serif}.pod-plot text{white-space:pre}"

-- The rules of colours. theme: "light", "dark", or "auto", which follows the reader's.
local function style(theme, classes)
  local text = FONT .. "\n" .. rules(theme == "dark" and colors.dark or colors.light, classes, "")
  if theme == "auto" then
    text = text .. "\n@media (prefers-color-scheme:dark){\n" .. rules(colors.dark, classes, " ") .. "\n}"
  end
  return text
end

-- The text of a scene. Options: theme ("auto", "light", "dark").
function svg.write(drawing, options)
  local size = ('viewBox="0 0 %s %s" width="%s" height="%s"'):format(number(drawing.width), number(drawing.height),
    number(drawing.width), number(drawing.height))
  local title = drawing.title ~= "" and drawing.title or drawing.note
  local shapes = { ('<rect class="f-paper" width="%s" height="%s"/>'):format(number(drawing.width),
    number(drawing.height)) }
  for i, shape in ipairs(drawing.shapes) do
    shapes[i + 1] = writers[shape.kind](shape)
  end
  local body = table.concat(shapes, "\n")
  return table.concat({
    ('<svg xmlns="http://www.w3.org/2000/svg" class="pod-plot" %s role="img" aria-label="%s">'):format(size,
      svg.escape(title)),
    "<title>" .. svg.escape(title) .. "</title>", "<desc>" .. svg.escape(drawing.note) .. "</desc>",
    "<style>" .. style(options and options.theme or "auto", classes_of(body)) .. "</style>", body, "</svg>\n",
  }, "\n")
end

return svg
