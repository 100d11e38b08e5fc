-- block - one text of help: the comment above a declaration, taken apart.
--
-- Lines begin with --- and are sentences, Markdown and tags, as editors know them (LuaCATS):
--   ---@name pod.layers.conv1d pod.layers.conv2d   what it is of, where no function stands below it
--   ---@param units integer what                   an argument; `units?` may be left out
--   ---@param options.padding "valid"|"same" what  a key of the table of options
--   ---@return tensor what
--   ---@error when what is wrong                   what is refused
--   ---@see pod.layers.dense
--   ---@example pod.ones({ 2 }):totable() --> { 1, 1 }   what it gives is tested
-- Text behind param, return and error goes on in the lines below. Longer examples are blocks of Markdown:
-- ```lua ... ```.

local tables = require "moonpod.base.tables"
local texts = require "moonpod.base.texts"

local block = {}

-- A type, which has spaces within brackets and quotes only, and what stands behind it.
local function split_type(text)
  local depth, quoted, at = 0, false, 1
  while at <= #text do
    local c = text:sub(at, at)
    if c == '"' then
      quoted = not quoted
    elseif not quoted and c:find "[%(<{%[]" then
      depth = depth + 1
    elseif not quoted and c:find "[%)>}%]]" then
      depth = depth - 1
    elseif c == " " and depth <= 0 and not quoted then
      break
    end
    at = at + 1
  end
  return text:sub(1, at - 1), (text:sub(at):gsub("^%s+", ""))
end

local readers = {}

function readers.name(found, text)
  tables.extend(found.names, texts.parts(text, "%S+"))
end

function readers.param(found, text)
  local name, optional, rest = text:match "^([%w_.]+)(%??)%s*(.*)$"
  if not name then
    return nil
  end
  local kind, about = split_type(rest)
  local option = name:match "^[%w_]+%.([%w_.]+)$"
  local list = option and found.options or found.params
  list[#list + 1] = { name = option or name, of = option and name:match "^[%w_]+", type = kind, text = about,
    optional = optional == "?" or nil }
  return list[#list]
end

readers["return"] = function(found, text)
  local kind, about = split_type(text)
  found.returns[#found.returns + 1] = { type = kind, text = about }
  return found.returns[#found.returns]
end

function readers.error(found, text)
  found.errors[#found.errors + 1] = { text = text }
  return found.errors[#found.errors]
end

function readers.see(found, text)
  tables.extend(found.see, texts.parts(text, "[%w_.:]+"))
end

function readers.example(found, text)
  local code, result = text:match "^(.-)%s+%-%->%s(.*)$"
  found.examples[#found.examples + 1] = { code = (code or text) .. "\n", result = result }
end

-- Puts the sentences before the first tag together: { summary =, text = }. The summary is the first sentence.
local function finish(found, lines)
  local text = table.concat(lines, "\n"):gsub("^%s+", ""):gsub("%s+$", "")
  found.text = text
  local first = (text:match "^(.-)\n%s*\n" or text):gsub("\n```.*$", ""):gsub("%s*\n%s*", " ")
  found.summary = first:match "^(.-[.:?!])%s+%u" or first:match "^(.-[^.][.:])%s" or first
  found.summary = found.summary:match "^(.-[^.]%.)%s+`" or found.summary
  if found.summary:sub(-1) == ":" then
    found.summary = found.summary:sub(1, -2) .. "."
  end
  return found
end

-- Takes a block apart. lines: its lines without the dashes. Returns { names, summary, text, params, options, returns,
-- errors, see, examples }: of arguments and options { name, type, text, optional }; of
-- examples { code, result (what the expression gives, as text, or nil) }.
function block.parse(lines)
  local found = { names = {}, params = {}, options = {}, returns = {}, errors = {}, see = {}, examples = {} }
  local kept, example, open = {}, nil, nil
  for _, line in ipairs(lines) do
    local tag, rest = line:match "^%s*@(%a+)%s*(.*)$"
    if example and line:find "^%s*```" then
      found.examples[#found.examples + 1] = { code = table.concat(example, "\n") .. "\n" }
      example = nil
    elseif example then
      example[#example + 1] = line:gsub("^ ", "", 1)
    elseif line:find "^%s*```lua" then
      example, open = {}, nil
    elseif tag then
      open = readers[tag] and readers[tag](found, rest)
    elseif line:find "^%s*$" then
      open = nil
      kept[#kept + 1] = ""
    elseif open then
      open.text = (open.text .. " " .. line:gsub("^%s+", "")):gsub("^%s+", "")
    else
      kept[#kept + 1] = line:gsub("^ ", "", 1)
    end
  end
  return finish(found, kept)
end

return block
