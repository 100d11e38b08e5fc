-- format - tensors as text, the way NumPy prints arrays.

local decimal = require "moonpod.base.decimal"
local float_text = require "moonpod.base.float_text"
local shapes = require "moonpod.base.shapes"
local tables = require "moonpod.base.tables"

local format = {}

-- What NumPy's set_printoptions has: digits behind the point at most; from more elements than `threshold` only
-- `edge_items` at each end of an axis are shown; columns of a line; no exponents where suppress is true.
local DEFAULTS = { precision = 8, threshold = 1000, edge_items = 3, line_width = 75, suppress = false }
format.kinds = { precision = "count", threshold = "count", edge_items = "count", line_width = "count",
  suppress = "boolean" }

local current = {}

-- The options in use; `changes` are kept for what is written from now on.
function format.options(changes)
  for name, value in pairs(changes or {}) do
    current[name] = value
  end
  local all = {}
  for name, value in pairs(DEFAULTS) do
    if current[name] ~= nil then
      value = current[name]
    end
    all[name] = value
  end
  return all
end

-- Options of one text: those in use where it says nothing.
local function options_of(given)
  local all = format.options()
  for name, value in pairs(given or {}) do
    all[name] = value
  end
  return all
end

-- Writes a shape: "(2, 3)", "(3,)" for one axis.
function format.shape(dims)
  if #dims == 1 then
    return "(" .. tostring(dims[1]) .. ",)"
  end
  return "(" .. table.concat(tables.map(dims, tostring), ", ") .. ")"
end

local function padded(text, width)
  return (" "):rep(width - #text) .. text
end

-- Whether numbers are written with exponents.
local function has_exponents(values, of, options)
  local largest, smallest = 0, math.huge
  for _, x in ipairs(values) do
    if x ~= 0 and not float_text.special(x) then
      largest, smallest = math.max(largest, math.abs(x)), math.min(smallest, math.abs(x))
    end
  end
  return largest > 0 and (largest >= of.up or not options.suppress
    and (smallest < float_text.round(0.0001, of) or float_text.round(largest / smallest, of) > 1000))
end

-- Parts of all finite numbers, and the longest of each kind of part.
local function measure(values, write, of, precision)
  local longest = { 0, 0, 0 }
  for _, x in ipairs(values) do
    if not float_text.special(x) then
      local parts = { write(x, of, precision) }
      for i = 1, #parts do
        longest[i] = math.max(longest[i], #parts[i])
      end
    end
  end
  return longest[1], longest[2], longest[3]
end

-- Returns a function from a float to text, in one form for all of `values`.
local function float_writer(values, dtype, options)
  local of, precision = float_text.type(dtype), options.precision
  local with_exponents = has_exponents(values, of, options)
  local write = with_exponents and float_text.scientific or float_text.positional
  local left, right, exponent_width = measure(values, write, of, precision)
  local tail = with_exponents and exponent_width + 1 + right or right
  for _, x in ipairs(values) do
    local word = float_text.special(x)
    left = word and math.max(left, #word - tail - 1) or left
  end
  return function(x)
    local word = float_text.special(x)
    if word then
      return padded(word, left + tail + 1)
    end
    local whole, fraction, exponent = write(x, of, precision)
    if with_exponents then
      if #fraction < right then -- as many digits as the longest
        whole, fraction, exponent = float_text.fixed_digits(x, right)
      end
      exponent = exponent:sub(1, 1) .. ("0"):rep(exponent_width - #exponent) .. exponent:sub(2)
      return padded(whole, left) .. "." .. fraction .. "e" .. exponent
    end
    return padded(whole, left) .. "." .. fraction .. (" "):rep(right - #fraction)
  end
end

local function integer_text(x)
  return decimal.type(x) == "integer" and tostring(x) or ("%.0f"):format(x)
end

local function writer_for(dtype, values, options)
  if float_text.type(dtype) then
    return float_writer(values, dtype, options)
  end
  local write = dtype == "bool" and tostring or integer_text
  local width = dtype == "bool" and 5 or 0
  for _, x in ipairs(values) do
    width = math.max(width, #write(x))
  end
  return function(x)
    return padded(write(x), width)
  end
end

-- Writes one number as NumPy writes a scalar: "8.0", "0.25", "nan".
function format.scalar(value, dtype)
  if type(value) == "boolean" then
    return tostring(value)
  elseif not float_text.type(dtype) then
    return integer_text(value)
  end
  return float_text.alone(value, dtype)
end

-- The indices (from 0) of an axis that are shown; false stands for "...".
local function shown(size, edge)
  if edge and size > 2 * edge then
    return tables.join(tables.range(0, edge - 1), { false }, tables.range(size - edge, size - 1))
  end
  return tables.range(0, size - 1)
end

-- Calls visit(flat place) for every element that is shown.
local function walk(dims, axis, place, edge, visit)
  if axis > #dims then
    visit(place)
    return
  end
  for _, i in ipairs(shown(dims[axis], edge)) do
    if i then
      walk(dims, axis + 1, place * dims[axis] + i, edge, visit)
    end
  end
end

-- A row of texts within brackets: `indent` of them are open, as many close behind it.
local function write_row(texts, indent, line_width)
  local lines, line = {}, ""
  for i, text in ipairs(texts) do
    local begin = i == 1 and "" or line .. " "
    if begin ~= "" and indent + #begin + #text > line_width - indent then
      lines[#lines + 1] = line:gsub("%s+$", "")
      begin = ""
    end
    line = begin .. text
  end
  lines[#lines + 1] = line
  return table.concat(lines, "\n" .. (" "):rep(indent))
end

local function write(dims, axis, place, edge, text_at, line_width)
  local parts = {}
  for _, i in ipairs(shown(dims[axis], edge)) do
    if not i then
      parts[#parts + 1] = "..."
    elseif axis == #dims then
      parts[#parts + 1] = text_at(place * dims[axis] + i)
    else
      parts[#parts + 1] = write(dims, axis + 1, place * dims[axis] + i, edge, text_at, line_width)
    end
  end
  if axis == #dims then
    return "[" .. write_row(parts, axis, line_width) .. "]"
  end
  local gap = ("\n"):rep(#dims - axis) .. (" "):rep(axis)
  return "[" .. table.concat(parts, gap) .. "]"
end

-- Writes the elements of a buffer; a scalar is its number. Options: those of format.options().
function format.buffer(buffer, given)
  local dims, dtype, options = buffer:shape(), buffer:dtype(), options_of(given)
  if #dims == 0 then
    return format.scalar(buffer:item(), dtype)
  end
  local count = shapes.product(dims)
  if count == 0 then
    return "[]"
  end
  local edge = count > options.threshold and options.edge_items
  local values, texts = {}, {}
  walk(dims, 1, 0, edge, function(place)
    values[#values + 1] = buffer:item(place)
    texts[place] = #values
  end)
  local writer = writer_for(dtype, values, options)
  return write(dims, 1, 0, edge, function(place)
    return writer(values[texts[place]])
  end, options.line_width)
end

-- Writes elements, then type, shape and device on a line of their own (not for scalars).
function format.tensor(buffer, device, options)
  local text = format.buffer(buffer, options)
  local dims = buffer:shape()
  if #dims == 0 then
    return text
  end
  return text .. "\n" .. buffer:dtype() .. " " .. format.shape(dims) .. " on " .. device
end

return format
