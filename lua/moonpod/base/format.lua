-- format - tensors as text, the way NumPy prints arrays.

local format = {}

local THRESHOLD, EDGE, WIDTH = 1000, 3, 75

local huge = math.huge

-- Significant digits that tell values of a type apart on paper.
local digits_of = { float16 = 4, bfloat16 = 4, float32 = 7, float64 = 8 }

-- Writes a shape: "(2, 3)", "(3,)" for one axis.
function format.shape(dims)
  if #dims == 1 then
    return "(" .. tostring(dims[1]) .. ",)"
  end
  local parts = {}
  for i = 1, #dims do
    parts[i] = tostring(dims[i])
  end
  return "(" .. table.concat(parts, ", ") .. ")"
end

local function special(x)
  if x ~= x then
    return "nan"
  end
  return x > 0 and "inf" or "-inf"
end

local function finite(x)
  return x == x and x ~= huge and x ~= -huge
end

-- Digits after the point that x needs when it has `significant` digits: at most 8.
local function fraction_digits(x, significant)
  local text = ("%." .. (significant - 1) .. "e"):format(math.abs(x))
  local mantissa, exponent = text:match("^([%d.]+)e([-+]%d+)$")
  mantissa = mantissa:gsub("%.", ""):gsub("0+$", "")
  return math.max(0, math.min(8, #mantissa - 1 - tonumber(exponent)))
end

local function mantissa_digits(x, significant)
  local text = ("%." .. (significant - 1) .. "e"):format(math.abs(x))
  local mantissa = text:match("^%d%.?(%d*)e"):gsub("0+$", "")
  return #mantissa
end

-- Returns a function from a float to text, uniform for all of `values`.
local function float_writer(values, significant)
  local largest, smallest, digits, exponent_digits = 0, huge, 0, 0
  for _, x in ipairs(values) do
    if finite(x) and x ~= 0 then
      local magnitude = math.abs(x)
      largest = math.max(largest, magnitude)
      smallest = math.min(smallest, magnitude)
      digits = math.max(digits, fraction_digits(x, significant))
      exponent_digits = math.max(exponent_digits, mantissa_digits(x, significant))
    end
  end
  if largest >= 1e8 or smallest < 1e-4 or (smallest < huge and largest / smallest > 1e7) then
    local pattern = "%." .. exponent_digits .. "e"
    return function(x)
      if not finite(x) then
        return special(x)
      end
      return exponent_digits == 0 and (pattern:format(x):gsub("e", ".e")) or pattern:format(x)
    end
  end
  local pattern = "%." .. digits .. "f"
  return function(x)
    if not finite(x) then
      return special(x)
    end
    if digits == 0 then
      return pattern:format(x) .. "."
    end
    local text = pattern:format(x)
    local short = text:gsub("0+$", "")
    return short .. (" "):rep(#text - #short)
  end
end

local function integer_writer(x)
  return ("%d"):format(x)
end

local function writer_for(dtype, values)
  if dtype == "bool" then
    return tostring
  end
  local significant = digits_of[dtype]
  if significant then
    return float_writer(values, significant)
  end
  return integer_writer
end

-- Writes one number as a Lua user expects it: "8.0", "0.25", "nan".
function format.scalar(value, dtype)
  if type(value) == "boolean" then
    return tostring(value)
  end
  local significant = digits_of[dtype]
  if not significant then
    return integer_writer(value)
  end
  if not finite(value) then
    return special(value)
  end
  local text = ("%." .. significant .. "g"):format(value)
  return text:find("[.e]") and text or text .. ".0"
end

-- The indices (from 0) of an axis that are shown; false stands for "...".
local function shown(size, elide)
  local list = {}
  if elide and size > 2 * EDGE then
    for i = 0, EDGE - 1 do
      list[#list + 1] = i
    end
    list[#list + 1] = false
    for i = size - EDGE, size - 1 do
      list[#list + 1] = i
    end
  else
    for i = 0, size - 1 do
      list[#list + 1] = i
    end
  end
  return list
end

local function elements(dims)
  local count = 1
  for i = 1, #dims do
    count = count * dims[i]
  end
  return count
end

-- Calls visit(flat place) for every element that is shown.
local function walk(dims, axis, place, elide, visit)
  if axis > #dims then
    visit(place)
    return
  end
  for _, i in ipairs(shown(dims[axis], elide)) do
    if i then
      walk(dims, axis + 1, place * dims[axis] + i, elide, visit)
    end
  end
end

local function write_row(texts, width, indent)
  local lines, line = {}, ""
  for i, text in ipairs(texts) do
    local cell = text == "..." and text or (" "):rep(width - #text) .. text
    if i > 1 and indent + #line + 1 + #cell > WIDTH then
      lines[#lines + 1] = line
      line = cell
    else
      line = i == 1 and cell or line .. " " .. cell
    end
  end
  lines[#lines + 1] = line
  return table.concat(lines, "\n" .. (" "):rep(indent))
end

local function write(dims, axis, place, elide, text_at, width)
  local parts = {}
  for _, i in ipairs(shown(dims[axis], elide)) do
    if not i then
      parts[#parts + 1] = "..."
    elseif axis == #dims then
      parts[#parts + 1] = text_at(place * dims[axis] + i)
    else
      parts[#parts + 1] = write(dims, axis + 1, place * dims[axis] + i, elide, text_at, width)
    end
  end
  if axis == #dims then
    return "[" .. write_row(parts, width, axis) .. "]"
  end
  local gap = ("\n"):rep(#dims - axis) .. (" "):rep(axis)
  return "[" .. table.concat(parts, gap) .. "]"
end

-- Writes the elements of a buffer; a scalar is its number.
function format.buffer(buffer)
  local dims, dtype = buffer:shape(), buffer:dtype()
  if #dims == 0 then
    return format.scalar(buffer:item(), dtype)
  end
  local count = elements(dims)
  if count == 0 then
    return "[]"
  end
  local elide = count > THRESHOLD
  local values = {}
  walk(dims, 1, 0, elide, function(place)
    values[#values + 1] = buffer:item(place)
  end)
  local writer = writer_for(dtype, values)
  local width = 0
  for i = 1, #values do
    width = math.max(width, #writer(values[i]))
  end
  return write(dims, 1, 0, elide, function(place)
    return writer(buffer:item(place))
  end, width)
end

-- Writes elements, then type and shape on a line of their own (not for scalars).
function format.tensor(buffer)
  local text = format.buffer(buffer)
  local dims = buffer:shape()
  if #dims == 0 then
    return text
  end
  return text .. "\n" .. buffer:dtype() .. " " .. format.shape(dims)
end

return format
