-- The table of `model:summary()`, drawn as Keras draws it.

local decimal = require "moonpod.base.decimal"
local screen = require "moonpod.base.screen"
local text_table = require "moonpod.base.text_table"

local summary = {}

local width_of = text_table.width_of

-- The first columns of a text that is too wide, with an ellipsis for the rest.
local function shorten(text, width)
  local at, count = 1, 0
  while count < width - 1 do
    at, count = at + 1, count + 1
    while at <= #text and text:byte(at) >= 0x80 and text:byte(at) < 0xC0 do
      at = at + 1
    end
  end
  return text:sub(1, at - 1) .. "…"
end

-- Cuts a text between words into lines of at most `width` columns; a word that is too wide is shortened.
local function wrap(text, width)
  local lines, line, indent = {}, "", text:match "^ *"
  for word in text:gmatch "%S+" do
    word, indent = indent .. word, ""
    local longer = line == "" and word or line .. " " .. word
    if width_of(longer) <= width then
      line = longer
    else
      if line ~= "" then
        lines[#lines + 1] = line
      end
      line = width_of(word) > width and shorten(word, width) or word
    end
  end
  lines[#lines + 1] = line
  return lines
end

-- Rounds half to even, as Python does.
local function round(x)
  local low = math.floor(x)
  if x - low > 0.5 or (x - low == 0.5 and low % 2 == 1) then
    low = low + 1
  end
  return low
end

-- Widths of the cells with their padding, so that the table takes line_length columns.
local function cell_widths(positions, line_length)
  local widths, current, total = {}, 0, 0
  for i, position in ipairs(positions) do
    local width = math.floor(position * line_length + 1e-9) - current
    if width < 4 then
      error("summary: a line of " .. line_length .. " columns is too short for the table", 0)
    end
    widths[i] = width + 2
    current, total = current + width, total + width + 2
  end
  local excess, left = total - (line_length - #widths - 1), #widths
  for i = 1, #widths do
    if excess > 0 then
      local cut = math.min(widths[i], round(excess / left))
      widths[i] = widths[i] - cut
      excess, left = excess - cut, left - 1
    end
  end
  return widths
end

local function rule(widths, left, fill, middle, right)
  local parts = {}
  for i, width in ipairs(widths) do
    parts[i] = fill:rep(width)
  end
  return left .. table.concat(parts, middle) .. right
end

local function table_row(cells, widths, alignment, bar, out)
  local wrapped, height = {}, 1
  for i = 1, #widths do
    wrapped[i] = wrap(cells[i] or "", widths[i] - 2)
    height = math.max(height, #wrapped[i])
  end
  for line = 1, height do
    local parts = {}
    for i, width in ipairs(widths) do
      parts[i] = " " .. text_table.pad(wrapped[i][line] or "", width - 2, alignment[i]) .. " "
    end
    out[#out + 1] = bar .. table.concat(parts, bar) .. bar
  end
end

-- 1234567 as "1,234,567".
function summary.thousands(count)
  local text = string.format("%.0f", count)
  local rest = #text % 3
  local head = text:sub(1, rest)
  local tail = text:sub(rest + 1):gsub("(%d%d%d)", ",%1")
  return ((head .. tail):gsub("^,", ""))
end

-- Bytes as "397.54 KB".
function summary.bytes(count)
  local units = { "B", "KB", "MB", "GB", "TB", "PB" }
  for _, unit in ipairs(units) do
    if count / 1024 < 1 or unit == "PB" then
      return decimal.format("%.2f %s", count, unit)
    end
    count = count / 1024
  end
end

-- Renders. `model` has: name, sequential (boolean), rows (list of { name, class, shape, parameters,
-- connected, trainable }), totals (list of { label, count, bytes }). Options: line_length, positions,
-- show_trainable. Returns the text.
function summary.render(model, options)
  options = options or {}
  local length = model.sequential and 88 or 108
  local header = { "Layer (type)", "Output Shape", "Param #" }
  local positions, alignment = { 0.45, 0.80, 1.0 }, { "left", "left", "right" }
  if not model.sequential then
    positions, alignment = { 0.3, 0.56, 0.74, 1.0 }, { "left", "left", "right", "left" }
    header[4] = "Connected to"
  end
  positions = options.positions or positions
  if options.show_trainable then
    length = length + 12
    for i, position in ipairs(positions) do
      positions[i] = position * 0.9
    end
    positions[#positions + 1] = 1.0
    header[#header + 1], alignment[#alignment + 1] = "Trainable", "center"
  end
  length = options.line_length or math.min(length, screen.columns() - 4)
  local widths = cell_widths(positions, length)

  local out = { 'Model: "' .. model.name .. '"' }
  out[#out + 1] = rule(widths, "┏", "━", "┳", "┓")
  table_row(header, widths, alignment, "┃", out)
  out[#out + 1] = rule(widths, "┡", "━", "╇", "┩")
  for i, row in ipairs(model.rows) do
    local cells = { row.name .. " (" .. row.class .. ")", row.shape, row.parameters }
    if not model.sequential then
      cells[#cells + 1] = row.connected
    end
    if options.show_trainable then
      cells[#cells + 1] = row.trainable
    end
    if i > 1 then
      out[#out + 1] = rule(widths, "├", "─", "┼", "┤")
    end
    table_row(cells, widths, alignment, "│", out)
  end
  out[#out + 1] = rule(widths, "└", "─", "┴", "┘")
  for _, total in ipairs(model.totals) do
    out[#out + 1] = string.format(" %s: %s (%s)", total.label, summary.thousands(total.count),
      summary.bytes(total.bytes))
  end
  return table.concat(out, "\n") .. "\n"
end

return summary
