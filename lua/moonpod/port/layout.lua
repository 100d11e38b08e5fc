-- layout - Lua text from pieces, each table on one line where it fits there, else an entry a line.
--
-- A piece is a text, an array of pieces, a table { open =, items =, close = }, or blocks { head =, body = array of
-- lines, more = array of { head =, body = }, tail = }, whose lines stand two columns further in, or a sequence
-- { fill = array }, which goes on in the next line where the first is full. A line is a piece.

local layout = {}

local WIDTH = 100

-- What a piece is on one line; nil where it has a block, which never is.
local function flat(piece)
  if type(piece) == "string" then
    return piece
  elseif piece.body then
    return nil
  end
  local parts = {}
  for i, one in ipairs(piece.items or piece.fill or piece) do
    parts[i] = flat(one)
    if not parts[i] then
      return nil
    end
  end
  if piece.fill then
    return table.concat(parts, ", ")
  elseif not piece.items then
    return table.concat(parts)
  end
  return #parts == 0 and "{}" or piece.open .. " " .. table.concat(parts, ", ") .. " " .. piece.close
end

-- Columns of a text behind its last line's begin, after `column`.
local function column_after(text, column)
  local last = text:match "\n([^\n]*)$"
  return last and #last or column + #text
end

local render

-- Writes pieces behind each other; `rest` columns follow the last one.
local function render_all(pieces, column, indent, rest)
  local parts = {}
  for i, one in ipairs(pieces) do
    local behind = rest
    for j = i + 1, #pieces do
      local text = flat(pieces[j])
      behind = behind + (text and #text or 0)
    end
    parts[i] = render(one, column, indent, behind)
    column = column_after(parts[i], column)
  end
  return table.concat(parts)
end

-- Whether there is a place within a piece where it can go on in the next line.
local function can_break(piece)
  if type(piece) ~= "table" or piece.body or piece.items or piece.fill then
    return type(piece) == "table"
  end
  for _, one in ipairs(piece) do
    if can_break(one) then
      return true
    end
  end
  return false
end

local function render_fill(pieces, column, indent, rest)
  local parts = {}
  for i, one in ipairs(pieces) do
    local line = flat(one)
    local width = (line and #line or 0) + (i < #pieces and 1 or rest)
    local is_full = i > 1 and line and column + 1 + width > WIDTH and not can_break(one)
    local before = i == 1 and "" or is_full and ",\n" .. (" "):rep(indent + 2) or ", "
    column = column_after(before, column)
    local text = render(one, column, indent, i < #pieces and 1 or rest)
    parts[#parts + 1] = before .. text
    column = column_after(text, column)
  end
  return table.concat(parts)
end

local function render_blocks(piece, column, indent, rest)
  local margin = (" "):rep(indent)
  local parts = { render(piece.head, column, indent, 0), "\n" }
  local function body_of(one)
    if #one.body > 0 then
      parts[#parts + 1] = layout.lines(one.body, indent + 2) .. "\n"
    end
  end
  body_of(piece)
  for _, one in ipairs(piece.more or {}) do
    parts[#parts + 1] = margin .. render(one.head, indent, indent, 0) .. "\n"
    body_of(one)
  end
  parts[#parts + 1] = margin .. render(piece.tail, indent, indent, rest)
  return table.concat(parts)
end

function render(piece, column, indent, rest)
  local line = flat(piece)
  if line and (column + #line + rest <= WIDTH or type(piece) == "string") then
    return line
  elseif piece.body then
    return render_blocks(piece, column, indent, rest)
  elseif piece.fill then
    return render_fill(piece.fill, column, indent, rest)
  elseif not piece.items then
    return render_all(piece, column, indent, rest)
  end
  local parts = { piece.open, "\n" }
  for _, one in ipairs(piece.items) do
    parts[#parts + 1] = (" "):rep(indent + 2) .. render(one, indent + 2, indent + 2, 1) .. ",\n"
  end
  parts[#parts + 1] = (" "):rep(indent) .. piece.close
  return table.concat(parts)
end

-- The text of lines, each `indent` columns in.
function layout.lines(lines, indent)
  local parts = {}
  for i, line in ipairs(lines) do
    local text = render(line, indent, indent, 0)
    parts[i] = text == "" and "" or (" "):rep(indent) .. text
  end
  return table.concat(parts, "\n")
end

-- Adds lines to others.
function layout.add(lines, ...)
  for _, line in ipairs { ... } do
    lines[#lines + 1] = line
  end
end

-- A table of pieces.
function layout.table(items)
  return { open = "{", items = items, close = "}" }
end

-- Pieces with a comma between them.
function layout.list(pieces)
  return { fill = pieces }
end

-- Pieces with a text between them.
function layout.join(pieces, between)
  local parts = {}
  for i, piece in ipairs(pieces) do
    if i > 1 then
      parts[#parts + 1] = between
    end
    parts[#parts + 1] = piece
  end
  return parts
end

return layout
