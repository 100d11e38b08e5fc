-- render - help as text for people: on a terminal, or wherever it is printed.

local screen = require "moonpod.base.screen"
local tables = require "moonpod.base.tables"
local pad = require("moonpod.base.text_table").pad

local render = {}

local WIDTH = 90

-- How wide a text may be: what the terminal has, if that is less.
local function width_here()
  return math.max(20, math.min(WIDTH, screen.columns()))
end

-- Words in lines of a width, each after `indent`, but for the first.
local function wrap(text, indent, first, lines, width)
  local line, is_empty = first or indent, true
  for word in text:gmatch "%S+" do
    if not is_empty and #line + 1 + #word > width then
      lines[#lines + 1] = line
      line, is_empty = indent, true
    end
    line = line .. (is_empty and "" or " ") .. word
    is_empty = false
  end
  lines[#lines + 1] = line
end
render.wrap = wrap

-- Paragraphs; lines that are indented or begin a list stay as they are.
local function add_paragraphs(text, lines, width)
  for paragraph in (text .. "\n\n"):gmatch "(.-)\n\n+" do
    if paragraph:find "^%s" or paragraph:find "\n%s" or paragraph:find "^[-*|]" then
      lines[#lines + 1] = paragraph
    elseif paragraph:find "%S" then
      wrap(paragraph, "", nil, lines, width)
    end
    lines[#lines + 1] = ""
  end
end

-- "integer = 10", "string, required".
local function type_text(one)
  local text = one.type or one.kind or ""
  if one.default then
    text = text .. (text ~= "" and " " or "") .. "= " .. one.default
  elseif one.required then
    text = text .. (text ~= "" and ", " or "") .. "required"
  end
  return text
end
render.type_text = type_text

local function add_table(title, list, lines, width)
  if #list == 0 then
    return
  end
  local widest = tables.most(tables.column(list, "name"), 0, string.len)
  local widest_type = math.min(tables.most(tables.map(list, type_text), 0, string.len), 24)
  lines[#lines + 1] = title
  for _, one in ipairs(list) do
    local first = "  " .. pad(one.name, widest) .. "  " .. pad(type_text(one), widest_type)
    local about = one.text or ""
    if about == "" then
      lines[#lines + 1] = (first:gsub("%s+$", ""))
    else
      wrap(about, (" "):rep(widest + widest_type + 6), first .. "  ", lines, width)
    end
  end
  lines[#lines + 1] = ""
end

local function of_own(list)
  local own, common = {}, {}
  for _, one in ipairs(list or {}) do
    if not one.place then
      if one.common then
        common[#common + 1] = one.name
      else
        own[#own + 1] = one
      end
    end
  end
  return own, common
end
render.own_options = of_own

local function described(list)
  return tables.map(list or {}, function(one)
    return (one.text and one.text ~= "" or one.type or one.kind) and one or nil
  end)
end

-- What is in a part, or what methods an object has: names with their sentences. rows: array of { name, sentence }.
function render.list(rows, width)
  local widest = math.min(tables.most(tables.column(rows, 1), 0, string.len), 32)
  width = width or width_here()
  return table.concat(tables.map(rows, function(row)
    local line = "  " .. pad(row[1], widest) .. "  " .. (row[2] or "")
    line = #line > width and line:sub(1, width - 3) .. "..." or line
    return (line:gsub("%s+$", ""))
  end), "\n")
end

-- The text of an entry of help/find.lua. width: of a line.
function render.text(entry, width)
  width = width or width_here()
  local help, lines = entry.help, {}
  lines[1] = entry.signature or entry.name or "a value"
  lines[2] = ""
  if help then
    add_paragraphs(help.text, lines, width)
  elseif entry.kind == "function" or entry.kind == "class" then
    lines[3] = entry.is_c and "A function of C without a text." or "It has no text: write one above it, in lines "
      .. "that begin with ---."
    lines[4] = ""
  end
  local own, common = of_own(entry.options)
  add_table("arguments", described(entry.arguments), lines, width)
  add_table("options", own, lines, width)
  if #common > 0 then
    wrap(table.concat(common, ", "), "  ", "common options: ", lines, width)
    lines[#lines + 1] = ""
  end
  for _, list in ipairs { { "returns", help and help.returns }, { "errors", help and help.errors } } do
    for i, one in ipairs(list[2] or {}) do
      local text = one.type and one.type .. (one.text ~= "" and ", " or "") .. one.text or one.text
      wrap(text, (" "):rep(#list[1] + 2), i == 1 and list[1] .. "  " or (" "):rep(#list[1] + 2), lines, width)
    end
    lines[#lines + 1] = list[2] and #list[2] > 0 and "" or nil
  end
  for _, example in ipairs(help and help.examples or {}) do
    lines[#lines + 1] = "example"
    for line in example.code:gmatch "(.-)\n" do
      lines[#lines + 1] = "  " .. line
    end
    lines[#lines + 1] = example.result and "  --> " .. example.result or nil
    lines[#lines + 1] = ""
  end
  if help and #help.see > 0 then
    wrap(table.concat(help.see, ", "), "  ", "see also: ", lines, width)
  end
  return (table.concat(lines, "\n"):gsub("%s+$", "") .. "\n")
end

return render
