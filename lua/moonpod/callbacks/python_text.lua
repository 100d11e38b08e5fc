-- python_text - numbers and file names as Python writes them, so that logs, messages and templates are Keras'.

local decimal = require "moonpod.base.decimal"
local errors = require "moonpod.base.errors"
local tables = require "moonpod.base.tables"

local python_text = {}

local function special(value)
  if value ~= value then
    return "nan"
  elseif value == math.huge then
    return "inf"
  elseif value == -math.huge then
    return "-inf"
  end
end

-- repr() of a float: the fewest digits that give the same float again.
function python_text.float(value)
  local text = special(value)
  if text then
    return text
  end
  local digits = 1
  while digits < 17 and decimal.read(decimal.format("%." .. digits - 1 .. "e", value)) ~= value do
    digits = digits + 1
  end
  text = decimal.format("%." .. digits - 1 .. "e", value)
  local exponent = tonumber(text:match "e(.*)$")
  if exponent < -4 or exponent >= 16 then
    return text
  end
  return decimal.format("%." .. math.max(digits - 1 - exponent, 1) .. "f", value)
end

-- str() of what logs hold: a number, or a list of them.
function python_text.value(value)
  if type(value) == "number" then
    return python_text.float(value)
  elseif type(value) == "table" then
    return "[" .. table.concat(tables.map(value, python_text.value), ", ") .. "]"
  end
  return tostring(value)
end

local SPEC = "^([+ ]?)(0?%d*)(%.?%d*)([dfFeEgG%%]?)$"

-- A value by a format of Python's: [sign][0][width][.precision][type].
local function formatted(value, spec, is_integer)
  local sign, width, precision, kind = spec:match(SPEC)
  if not sign or precision == "." then
    return nil, ("'%s' is no format such as '02d' or '.2f'"):format(spec)
  elseif type(value) ~= "number" then
    return nil, ("%s is no number, and cannot be written as '%s'"):format(errors.describe(value), spec)
  elseif kind == "d" and not is_integer then
    return nil, ("'%s' is for whole numbers"):format(spec)
  end
  local text = special(value)
  if text then
    return ("%" .. width:gsub("^0", "") .. "s"):format(text)
  elseif kind == "%" then
    return decimal.format("%" .. sign .. width .. (precision == "" and ".6" or precision) .. "f", value * 100) .. "%"
  elseif kind == "" and precision == "" then
    kind = is_integer and "d" or "s"
    return kind == "s" and ("%" .. width:gsub("^0", "") .. "s"):format(python_text.float(value))
      or ("%" .. sign .. width .. "d"):format(value)
  elseif kind == "" then
    kind = "g"
  end
  return decimal.format("%" .. sign .. width .. precision .. kind:gsub("F", "f"), value)
end

-- Fills in a template: "{epoch:02d}-{val_loss:.2f}". values: by name; integers: the names of those that are whole
-- numbers. Returns the text, or nil and what is wrong.
function python_text.fill(template, values, integers)
  local failure
  local text = template:gsub("{{", "\1"):gsub("}}", "\2"):gsub("{([^{}]*)}", function(field)
    local name, spec = field:match "^([^:]*):?(.*)$"
    local value = values[name]
    if value == nil then
      failure = failure or ("'%s'"):format(name)
      return ""
    end
    local out, why
    if spec == "" then
      out = integers[name] and ("%d"):format(value) or python_text.value(value)
    else
      out, why = formatted(value, spec, integers[name])
    end
    failure = failure or why
    return out or ""
  end)
  if not failure and text:find "[{}]" then
    failure = "a single '{' or '}'; two stand for one"
  end
  if failure then
    return nil, failure
  end
  return (text:gsub("\1", "{"):gsub("\2", "}"))
end

return python_text
