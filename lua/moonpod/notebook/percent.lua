-- percent - notebooks as plain Lua, name.nb.lua: what Jupytext calls the percent format, and editors show as cells.
--
--     -- %% [markdown]
--     -- # A heading
--
--     -- %%
--     print(6 * 7)
--
-- Behind the marker may stand a title, the type in brackets, and members of the cell's metadata: key="value". Commands
-- of the session are comments there, so that the file is Lua: `-- %time f()`.

local commands = require "moonpod.session.commands"
local document = require "moonpod.notebook.document"
local errors = require "moonpod.base.errors"
local json = require "moonpod.base.json"
local schema = require "moonpod.base.schema"
local tables = require "moonpod.base.tables"
local texts = require "moonpod.base.texts"

local percent = {}

local TYPES = { markdown = "markdown", md = "markdown", raw = "raw" }

-- ---- reading -------------------------------------------------------------------------------------------

local function value_of(text, where)
  local ok, value = pcall(schema.read, text, schema.any, "value", { keep_null = true })
  if not ok then
    errors.raise("%s: what stands behind '=' is JSON, such as \"text\" or [\"tag\"]; got %s", where,
      errors.describe(text))
  end
  return value
end

local VALUES = { '("[^"]*")', "(%b[])", "([%w%.-]+)" }

-- The members behind a marker, key="value": what is left, and a table of them.
local function take_members(rest, where)
  local members = {}
  while true do
    local before, key, value
    for _, pattern in ipairs(VALUES) do
      if not key then
        before, key, value = rest:match("^(.-)%s*([%w_-]+)=" .. pattern .. "%s*$")
      end
    end
    if not key then
      return rest, members
    end
    members[key], rest = value_of(value, where), before
  end
end

-- What a marker says: the type of its cell, its id, its metadata.
local function read_marker(rest, where)
  local left, metadata = take_members(rest, where)
  local kind = left:match "%[(%a+)%]%s*$"
  left = left:gsub("%s*%[%a+%]%s*$", ""):match "^%s*(.-)%s*$"
  if left ~= "" then
    metadata.title = left
  end
  local id = metadata.id
  metadata.id = nil
  if id ~= nil and (type(id) ~= "string" or #id > 64 or not id:find "^[%w_-]+$") then
    errors.raise("%s: an id has letters, digits, '-' and '_', 64 at most, not %s", where, errors.describe(id))
  end
  return TYPES[kind] or "code", id, metadata
end

-- Lines of a comment without their dashes; a line that has none stays.
local function uncommented(lines)
  return tables.map(lines, function(line)
    return line:match "^%-%-$" and "" or line:match "^%-%- ?(.*)$" or line
  end)
end

local function without_blank_ends(lines)
  local first, last = 1, #lines
  while first <= last and not lines[first]:find "%S" do
    first = first + 1
  end
  while last >= first and not lines[last]:find "%S" do
    last = last - 1
  end
  return { (table.unpack or unpack)(lines, first, last) } -- luacheck: ignore
end

local function with_commands(lines)
  for i, line in ipairs(lines) do
    local name = line:match "^%-%- %%%%?(%a+)"
    lines[i] = name and commands.list[name] and line:sub(4) or line
  end
  return lines
end

local function close_cell(one, open)
  local lines = without_blank_ends(open.lines)
  if open.kind == "code" then
    lines = with_commands(lines)
  else
    lines = uncommented(lines)
  end
  if open.is_marked or #lines > 0 then
    document.add(one, open.kind, table.concat(lines, "\n"), { id = open.id, metadata = open.metadata })
  end
end

-- The first line behind the head that Jupytext writes, with things of its own.
local function behind_head(lines)
  if lines[1] and lines[1]:find "^%-%- %-%-%-%s*$" then
    for i = 2, #lines do
      if lines[i]:find "^%-%- %-%-%-%s*$" then
        return i + 1
      elseif not lines[i]:find "^%-%-" then
        break
      end
    end
  end
  return 1
end

-- Reads the text of a file. where: what messages begin with.
function percent.decode(text, where)
  local one, lines = document.new(), texts.lines((text:gsub("^\239\187\191", "")))
  local open = { kind = "code", lines = {} }
  for i = behind_head(lines), #lines do
    local rest = lines[i]:match "^%-%- %%%%%f[%s%z](.*)$"
    if rest then
      close_cell(one, open)
      open = { lines = {}, is_marked = true }
      open.kind, open.id, open.metadata = read_marker(rest, ("%s:%d"):format(where, i))
    else
      table.insert(open.lines, lines[i])
    end
  end
  close_cell(one, open)
  document.set_ids(one)
  return one
end

-- ---- writing -------------------------------------------------------------------------------------------

-- A value as JSON in a line; lists have a space behind each comma, as Jupytext writes them.
local function value_text(value)
  if not json.is_array(value) then
    return json.encode(value)
  end
  return "[" .. table.concat(tables.map(value, json.encode), ", ") .. "]"
end

local function marker(cell, place)
  local parts = { "-- %%" }
  if type(cell.metadata.title) == "string" then
    parts[#parts + 1] = cell.metadata.title
  end
  if cell.cell_type ~= "code" then
    parts[#parts + 1] = "[" .. cell.cell_type .. "]"
  end
  if cell.id and cell.id ~= document.default_id(place) then
    parts[#parts + 1] = 'id="' .. cell.id .. '"'
  end
  local names = {}
  for name, value in pairs(cell.metadata) do
    local is_plain = type(value) ~= "table" or json.is_array(value)
    names[#names + 1] = name ~= "title" and is_plain and name:find "^[%w_-]+$" and name or nil
  end
  table.sort(names)
  for _, name in ipairs(names) do
    parts[#parts + 1] = name .. "=" .. value_text(cell.metadata[name])
  end
  return table.concat(parts, " ")
end

local function written_line(cell, line)
  if cell.cell_type ~= "code" then
    return line == "" and "--" or "-- " .. line
  end
  local name = line:match "^%%%%?(%a+)"
  return name and commands.list[name] and "-- " .. line or line
end

-- The text of a file. Outputs have no place in it.
function percent.encode(one)
  local out = {}
  for place, cell in ipairs(one.cells) do
    out[#out + 1] = (place > 1 and "\n" or "") .. marker(cell, place)
    for _, line in ipairs(texts.lines(cell.source)) do
      out[#out + 1] = written_line(cell, line)
    end
  end
  return (table.concat(out, "\n"):gsub("\n+$", "")) .. "\n"
end

return percent
