-- formats - Python's texts with values in them ("%.2f" % x, f"{x:.2f}", "{:.2f}".format(x)) as string.format.

local layout = require "moonpod.port.layout"

local formats = {}

local function quote(text)
  local escaped = text:gsub('[%c"\\]', function(character)
    local known = { ["\n"] = "\\n", ["\t"] = "\\t", ["\r"] = "\\r", ['"'] = '\\"', ["\\"] = "\\\\" }
    return known[character] or ("\\%03d"):format(character:byte())
  end)
  return '"' .. escaped .. '"'
end

formats.quote = quote

local KNOWN = { text = true, number = true }

-- A value for %s, %d or %f: a number of one element where it may be a tensor.
local function shown(port, node, conversion)
  local piece, kind = port:typed(node)
  if conversion == "s" then
    return KNOWN[kind] and piece or { "tostring(", piece, ")" }
  elseif kind == "number" then
    return piece
  elseif kind == "scalar" or kind == "tensor" then
    return { port:value(node, 9), ":item()" }
  end
  port.needs.number = true
  return { "number(", piece, ")" }
end

local function call(format, pieces)
  if #pieces == 0 then
    return (format:gsub("%%%%", "%%"))
  end
  return { "(", format, "):format(", layout.list(pieces), ")" }
end

-- The format of string.format for a specification such as "<8.3f", and the kind of value it takes.
local function conversion_of(port, node, specification, kind)
  local align, flags, width, precision, letter = specification:match "^([<>]?)([+ 0]*)(%d*)(%.?%d*)([dfeEgGsx%%]?)$"
  if not align then
    port:refuse(node, ("string.format has no '%s'"):format(specification))
  end
  local is_text = letter == "" and kind ~= "number" and precision == ""
  letter = letter == "" and (is_text and "s" or precision ~= "" and "g" or "s") or letter
  align = align == "<" and "-" or letter == "s" and align == "" and width ~= "" and kind ~= "number" and "-" or ""
  return ("%%%s%s%s%s%s"):format(align, flags, width, precision, letter == "%" and "f%%" or letter), letter
end

-- A value and its format.
local function part(port, node, specification)
  local _, kind = port:typed(node)
  local format, letter = conversion_of(port, node, specification, kind)
  if letter == "%" then
    return format, { "100 * ", { "(", shown(port, node, "f"), ")" } }
  end
  return format, shown(port, node, letter)
end

-- f"...".
function formats.joined(port, node)
  local text, pieces = {}, {}
  for _, one in ipairs(node.values) do
    if one.is == "Constant" then
      text[#text + 1] = one.value:gsub("%%", "%%%%")
    else
      local specification = ""
      for _, inner in ipairs(one.format_spec and one.format_spec.values or {}) do
        if inner.is ~= "Constant" then
          port:refuse(node, "a width in its text is computed")
        end
        specification = specification .. inner.value
      end
      text[#text + 1], pieces[#pieces + 1] = part(port, one.value, specification)
    end
  end
  return call(quote(table.concat(text)), pieces)
end

-- "..." % (a, b).
function formats.percent(port, node)
  local values = node.right.is == "Tuple" and node.right.elts or { node.right }
  local text, pieces, at = node.left.value, {}, 0
  for specification in text:gsub("%%%%", ""):gmatch "%%([^%a]*%a)" do
    at = at + 1
    if not values[at] or not specification:find "^[-+ 0]*%d*%.?%d*[dfeEgGsxi]$" then
      port:refuse(node, ("string.format has no '%%%s', or there is no value for it"):format(specification))
    end
    pieces[at] = shown(port, values[at], specification:sub(-1))
  end
  return call(quote((text:gsub("(%%[^%a%%]*)i", "%1d"))), pieces)
end

-- "...".format(a, b).
function formats.braces(port, node)
  local text, pieces, at = node.func.value.value, {}, 0
  local rest = text:gsub("%%", "%%%%"):gsub("{{", "\1"):gsub("}}", "\2"):gsub("{([^{}]*)}", function(field)
    local name, specification = field:match "^([^:]*):?(.*)$"
    local value
    if name == "" or name:find "^%d+$" then
      at = name == "" and at + 1 or tonumber(name) + 1
      value = node.args[at]
    end
    for _, one in ipairs(node.keywords) do
      value = one.arg == name and one.value or value
    end
    if not value then
      port:refuse(node, ("its text has {%s}, for which there is no value"):format(field))
    end
    local format
    format, pieces[#pieces + 1] = part(port, value, specification)
    return format
  end)
  return call(quote((rest:gsub("\1", "{"):gsub("\2", "}"))), pieces)
end

return formats
