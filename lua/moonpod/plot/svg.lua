-- svg - a scene as SVG: one self-contained text, legible on light and on dark paper, with texts that stay texts.

local colors = require "moonpod.plot.colors"
local decimal = require "moonpod.base.decimal"
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

svg.number = number

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

local function painted(shape)
  local classes, attributes = {}, {}
  paint(classes, attributes, "f", shape.fill)
  paint(classes, attributes, "s", shape.stroke)
  if #classes > 0 then
    table.insert(attributes, 1, ('class="%s"'):format(table.concat(classes, " ")))
  end
  if shape.thick then
    attributes[#attributes + 1] = ('stroke-width="%s"'):format(number(shape.thick))
  end
  if shape.dash then
    attributes[#attributes + 1] = ('stroke-dasharray="%s"'):format(number(shape.dash))
  end
  if shape.opacity then
    attributes[#attributes + 1] = ('opacity="%s"'):format(number(shape.opacity))
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

-- Cells of one colour are one path.
function writers.cells(shape)
  local by_color, order = {}, {}
  local x_at, y_at = shape.width / shape.columns, shape.height / shape.rows
  for row = 0, shape.rows - 1 do
    local column = 0
    while column < shape.columns do
      local color, first = shape.colors[row * shape.columns + column + 1], column
      repeat
        column = column + 1
      until column >= shape.columns or shape.colors[row * shape.columns + column + 1] ~= color
      if color then
        if not by_color[color] then
          by_color[color] = {}
          order[#order + 1] = color
        end
        local width = number((column - first) * x_at)
        table.insert(by_color[color], ("M%s %sh%sv%sh-%sz"):format(number(shape.x + first * x_at),
          number(shape.y + row * y_at), width, number(y_at), width))
      end
    end
  end
  table.sort(order)
  local parts = {}
  for i, color in ipairs(order) do
    parts[i] = ('<path fill="%s" d="%s"/>'):format(color, table.concat(by_color[color]))
  end
  return ('<g shape-rendering="crispEdges">%s</g>'):format(table.concat(parts))
end

local function rules(palette, indent)
  local names, lines = {}, {}
  for name in pairs(palette) do
    names[#names + 1] = name
  end
  table.sort(names)
  for i, name in ipairs(names) do
    lines[i] = ("%s.pod-plot .f-%s{fill:%s}.pod-plot .s-%s{stroke:%s}"):format(indent, name, palette[name], name,
      palette[name])
  end
  return table.concat(lines, "\n")
end

local FONT = ".pod-plot{max-width:100%;height:auto;font-family:system-ui,-apple-system,'Segoe UI',Roboto,"
  .. "'DejaVu Sans',sans-serif}.pod-plot text{white-space:pre}"

-- The rules of colours. theme: "light", "dark", or "auto", which follows the reader's.
local function style(theme)
  local text = FONT .. "\n" .. rules(theme == "dark" and colors.dark or colors.light, "")
  if theme == "auto" then
    text = text .. "\n@media (prefers-color-scheme:dark){\n" .. rules(colors.dark, " ") .. "\n}"
  end
  return text
end

-- The text of a scene. Options: theme ("auto", "light", "dark").
function svg.write(drawing, options)
  local size = ('viewBox="0 0 %s %s" width="%s" height="%s"'):format(number(drawing.width), number(drawing.height),
    number(drawing.width), number(drawing.height))
  local title = drawing.title ~= "" and drawing.title or drawing.note
  local out = {
    ('<svg xmlns="http://www.w3.org/2000/svg" class="pod-plot" %s role="img" aria-label="%s">'):format(size,
      svg.escape(title)),
    "<title>" .. svg.escape(title) .. "</title>", "<desc>" .. svg.escape(drawing.note) .. "</desc>",
    "<style>" .. style(options and options.theme or "auto") .. "</style>",
    ('<rect class="f-paper" width="%s" height="%s"/>'):format(number(drawing.width), number(drawing.height)),
  }
  for _, shape in ipairs(drawing.shapes) do
    out[#out + 1] = writers[shape.kind](shape)
  end
  out[#out + 1] = "</svg>\n"
  return table.concat(out, "\n")
end

return svg
