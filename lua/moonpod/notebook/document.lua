-- document - notebooks as tables, and as files .ipynb (nbformat 4): members that nobody here knows stay as they are,
-- and what is written is what nbformat writes, so a notebook that is read and written again is the same file.
--
-- A document is { metadata =, cells = }. A cell is { cell_type = "code", "markdown" or "raw", id =, source = a text,
-- metadata =, outputs =, execution_count = } of which only code has the last two.

local errors = require "moonpod.base.errors"
local json = require "moonpod.base.json"
local schema = require "moonpod.base.schema"
local tables = require "moonpod.base.tables"

local document = {}


-- What makes front ends and converters take a notebook's cells for Lua.
local function default_metadata()
  return {
    kernelspec = { name = "moonpod", display_name = "Lua (Moonpod)", language = "lua" },
    language_info = { name = "lua", file_extension = ".lua", mimetype = "text/x-lua", codemirror_mode = "lua",
      pygments_lexer = "lua" },
  }
end

-- A notebook without cells.
function document.new()
  return { nbformat = 4, nbformat_minor = 5, metadata = default_metadata(), cells = json.array {} }
end

-- Adds a cell. fields: id, metadata.
function document.add(one, cell_type, source, fields)
  local cell = { cell_type = cell_type, source = source, id = fields and fields.id,
    metadata = fields and fields.metadata or {} }
  if cell_type == "code" then
    cell.outputs, cell.execution_count = json.array {}, json.null
  end
  table.insert(one.cells, cell)
  return cell
end

-- The id of the cell at a place where none was given.
function document.default_id(place)
  return "cell-" .. place
end

-- Gives an id to each cell that has none, or that of another one.
function document.set_ids(one)
  local seen = {}
  for _, cell in ipairs(one.cells) do
    if cell.id and seen[cell.id] then
      cell.id = nil
    end
    seen[cell.id or ""] = true
  end
  for place, cell in ipairs(one.cells) do
    local id, number = cell.id or document.default_id(place), 1
    while not cell.id and seen[id] do
      id, number = document.default_id(place) .. "-" .. number, number + 1
    end
    cell.id, seen[id] = id, true
  end
end

-- ---- reading -------------------------------------------------------------------------------------------

local function is_object(value)
  return type(value) == "table" and value ~= json.null and not json.is_array(value)
end

-- A text, which the file may have as an array of lines.
local function joined(value)
  return type(value) == "string" and value or table.concat(value)
end

local function refuse(where, format, ...)
  errors.raise("%s: " .. format, where, ...)
end

local LINES = schema.either(schema.text, schema.list_of(schema.text))
local ANY = schema.object {}
local OUTPUTS = {
  stream = schema.object { name = schema.text, text = LINES },
  error = schema.object { traceback = LINES },
}
local OUTPUT = { what = "an output", check = function(value)
  local kind = is_object(value) and OUTPUTS[value.output_type]
  return (kind or schema.object { output_type = schema.text, data = schema.optional(ANY) }).check(value)
end }
local CELLS = schema.list_of(schema.object {
  cell_type = schema.either(schema.constant "code", schema.constant "markdown", schema.constant "raw"),
  source = LINES, id = schema.optional(schema.text), metadata = schema.optional(ANY),
  attachments = schema.optional(schema.map_of(ANY)), outputs = schema.optional(schema.list_of(OUTPUT)),
})
local NOTEBOOK = schema.object { metadata = schema.optional(ANY), cells = CELLS }

-- Null is as good as nothing where a member may be missing.
local function given(value)
  return value ~= json.null and value or nil
end

-- A table of types and contents; where one is an array of lines it becomes a text.
local function join_data(data)
  for kind, value in pairs(data) do
    if kind ~= "application/json" and LINES.check(value) == nil then
      data[kind] = joined(value)
    end
  end
end

local function join_output(output)
  if output.output_type == "stream" then
    output.text = joined(output.text)
  elseif given(output.data) and output.output_type ~= "error" then
    join_data(output.data)
  end
end

-- Makes texts of arrays of lines, and puts in what may be missing.
local function complete_cell(cell)
  cell.source = joined(cell.source)
  cell.id, cell.metadata, cell.attachments = given(cell.id), given(cell.metadata) or {}, given(cell.attachments)
  for _, data in pairs(cell.attachments or {}) do
    join_data(data)
  end
  if cell.cell_type == "code" then
    cell.outputs = given(cell.outputs) or json.array {}
    for _, output in ipairs(cell.outputs) do
      join_output(output)
    end
  end
end

local function check_version(one, where)
  local major, minor = one.nbformat, one.nbformat_minor
  if type(major) ~= "number" then
    refuse(where, "there is no 'nbformat': is it a notebook?")
  elseif major ~= 4 then
    refuse(where, "nbformat is %s, and 4 is what can be read; jupyter nbconvert --to notebook --nbformat 4 converts it",
      errors.describe(major))
  elseif type(minor) ~= "number" then
    refuse(where, "'nbformat_minor' is a number, not %s", errors.describe(minor))
  end
end

-- Reads the text of a file .ipynb. where: what messages begin with.
function document.decode(text, where)
  local one = schema.read(text, ANY, where, { keep_null = true })
  check_version(one, where)
  schema.check(one, NOTEBOOK, where)
  one.metadata = given(one.metadata) or {}
  for _, cell in ipairs(one.cells) do
    complete_cell(cell)
  end
  if one.nbformat_minor >= 5 then
    document.set_ids(one)
  end
  return one
end

-- ---- writing -------------------------------------------------------------------------------------------

-- What ends a line beside \n and \r, as Python's splitlines has it: of ASCII, and U+0085, U+2028, U+2029.
local ENDS = { "\r\n", "\n", "\r", "\11", "\12", "\28", "\29", "\30", "\194\133", "\226\128\168", "\226\128\169" }

-- The place behind the line that begins at a place; nil where no line ends there.
local function end_of_line(text, from)
  local at = text:find("[\10-\13\28-\30\194\226]", from)
  while at do
    for _, ending in ipairs(ENDS) do
      if text:sub(at, at + #ending - 1) == ending then
        return at + #ending
      end
    end
    at = text:find("[\10-\13\28-\30\194\226]", at + 1)
  end
end

-- A text as an array of its lines, each with its end.
local function lines_of(text)
  local lines, from = json.array {}, 1
  while from <= #text do
    local behind = end_of_line(text, from) or #text + 1
    lines[#lines + 1], from = text:sub(from, behind - 1), behind
  end
  return lines
end

-- A copy, of whose values each is what `change` makes of it where that is given.
local function copy(table_, change)
  local made = {}
  for key, value in pairs(table_) do
    made[key] = change and change(value, key) or value
  end
  return made
end

local function split_data(data)
  return copy(data, function(value, kind)
    return type(value) == "string" and kind ~= "application/json" and lines_of(value)
  end)
end

local function split_output(output)
  local made = copy(output)
  made.transient = nil
  if output.output_type == "stream" then
    made.text = lines_of(output.text)
  elseif output.data then
    made.data = split_data(output.data)
  end
  return made
end

local function split_cell(cell)
  local made = copy(cell)
  made.source = lines_of(cell.source)
  if cell.metadata.trusted ~= nil then
    made.metadata = copy(cell.metadata)
    made.metadata.trusted = nil
  end
  made.attachments = cell.attachments and copy(cell.attachments, split_data)
  if cell.cell_type == "code" then
    made.outputs = json.array(tables.map(cell.outputs, split_output))
    made.execution_count = cell.execution_count or json.null
  end
  return made
end

-- The text of a file .ipynb.
function document.encode(one)
  if one.nbformat_minor >= 5 then
    document.set_ids(one)
  end
  local made = copy(one)
  made.metadata = copy(one.metadata)
  made.metadata.signature, made.metadata.orig_nbformat, made.metadata.orig_nbformat_minor = nil, nil, nil
  made.cells = json.array(tables.map(one.cells, split_cell))
  return json.encode(made, { indent = 1, where = "notebook" }) .. "\n"
end

-- Whether a cell has a tag.
function document.has_tag(cell, tag)
  for _, one in ipairs(json.is_array(cell.metadata.tags) and cell.metadata.tags or {}) do
    if one == tag then -- others may be NaN, which is no key of a set
      return true
    end
  end
  return false
end

return document
