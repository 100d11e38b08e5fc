-- text_table - rows of cells as lines of text, one under the other.

local text_table = {}

-- Columns that a UTF-8 string takes: its code points, as none of ours is wide.
function text_table.width_of(text)
  local count = 0
  for i = 1, #text do
    local byte = text:byte(i)
    if byte < 0x80 or byte >= 0xC0 then
      count = count + 1
    end
  end
  return count
end

-- A text cut to at most so many columns, with an ellipsis for the rest: three points in ASCII.
function text_table.cut(text, width, ascii)
  if text_table.width_of(text) <= width then
    return text
  end
  local mark = ascii and ("..."):sub(1, width) or width > 0 and "…" or ""
  local kept, room = {}, width - text_table.width_of(mark)
  for character in text:gmatch "[%z\1-\127\192-\255][\128-\191]*" do
    if #kept >= room then
      break
    end
    kept[#kept + 1] = character
  end
  return table.concat(kept) .. mark
end

-- Fills a text up with spaces; align: "left", "right" or "center".
function text_table.pad(text, width, align)
  local space = math.max(width - text_table.width_of(text), 0)
  if align == "right" then
    return (" "):rep(space) .. text
  elseif align == "center" then
    local before = math.floor(space / 2)
    return (" "):rep(before) .. text .. (" "):rep(space - before)
  end
  return text .. (" "):rep(space)
end

-- The width of the widest cell of a column.
local function widest(rows, column)
  local width = 0
  for _, row in ipairs(rows) do
    width = math.max(width, text_table.width_of(row[column] or ""))
  end
  return width
end

-- The lines of rows, each an array of texts. Columns: { align = "left" or "right", width = (that of the widest cell
-- where none is given), gap = (spaces before it: 2 unless given, none before the first) }; the last one stands for all
-- that follow. No line ends in what fills up a cell on the left.
function text_table.lines(rows, columns)
  local widths, lines = {}, {}
  for i, row in ipairs(rows) do
    local parts = {}
    for j, cell in ipairs(row) do
      local column = columns[math.min(j, #columns)]
      widths[j] = widths[j] or column.width or widest(rows, j)
      local ends = j == #row and column.align == "left"
      parts[#parts + 1] = (" "):rep(column.gap or j > 1 and 2 or 0)
      parts[#parts + 1] = ends and cell or text_table.pad(cell, widths[j], column.align)
    end
    lines[i] = table.concat(parts)
  end
  return lines
end

return text_table
