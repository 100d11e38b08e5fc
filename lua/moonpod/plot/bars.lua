-- bars - bars of categories in the terminal: a line each, of blocks of an eighth of a column.

local axis = require "moonpod.plot.axis"
local chart_axes = require "moonpod.plot.chart_axes"
local text_table = require "moonpod.base.text_table"

local bars = {}

local EIGHTHS = { "▏", "▎", "▍", "▌", "▋", "▊", "▉" }
local FILLS = { "#", "=", "+", "*", "o", "x" }

-- A bar from the column of 0 to the place of a value, both in columns with fractions.
local function bar(from, to, ascii, fill)
  if to < from then -- eighths fill up from the left alone
    local first = math.floor(to + 0.5)
    return (" "):rep(first) .. (ascii and fill or "█"):rep(math.floor(from + 0.5) - first)
  end
  local before = (" "):rep(math.floor(from + 0.5))
  if ascii then
    return before .. fill:rep(math.max(math.floor(to - from + 0.5), 0))
  end
  local eighths = math.floor((to - from) * 8 + 0.5)
  return before .. ("█"):rep(math.floor(eighths / 8)) .. (EIGHTHS[eighths % 8] or "")
end

-- The label of a bar: that of its category, with the name of the series where there are several.
local function label_of(one, series, i)
  local label = one.x.labels[series.x[i]] or axis.text(series.x[i])
  if #one.series == 1 or series.name == "" then
    return label
  end
  return label == "" and series.name or label .. ", " .. series.name
end

-- The lines of bars. Options: width (of all), ascii.
function bars.draw(one, options)
  local rows, label_width, value_width = {}, 0, 0
  local _, scale = chart_axes.scales(one, 0)
  for i = 1, #one.x.labels do
    for s, series in ipairs(one.series) do
      local value = series.y[i]
      if value then
        local row = { label = label_of(one, series, i), value = value, text = axis.text(value), series = s }
        label_width = math.max(label_width, text_table.width_of(row.label))
        value_width = math.max(value_width, #row.text)
        rows[#rows + 1] = row
      end
    end
  end
  label_width = math.min(label_width, math.floor(options.width / 2))
  local columns = math.max(options.width - label_width - value_width - 2, 8)
  local ground = axis.share(scale, 0) or 0
  ground = math.min(math.max(ground, 0), 1) * columns
  local out = { one.title ~= "" and one.title or nil }
  for _, row in ipairs(rows) do
    local share = axis.share(scale, row.value)
    local drawn = share and bar(ground, math.min(math.max(share, 0), 1) * columns, options.ascii,
      FILLS[(row.series - 1) % #FILLS + 1]) or ""
    out[#out + 1] = text_table.pad(text_table.cut(row.label, label_width, options.ascii), label_width) .. " " .. drawn
      .. " " .. row.text
  end
  return out
end

return bars
