-- The instructions of a step and their time, as workloads.lua prints them with `times`, read and joined for tables.

local tools = require "tools"
local number_in = tools.number_in

local instructions = {}

local WORDS = { loop = "elementwise loops", pack = "packing of operands", wait = "waiting for the other thread",
  combine = "sums of partial sums", copy = "copies", cross_entropy = "softmax cross-entropy with its gradient" }

function instructions.text_in(line, key)
  return line:match('"' .. key .. '": "([^"]*)"') or tools.fail("no %s in: %s", key, line)
end

-- What a row is called in a table.
local function label(row)
  if row.products > 0 then
    local count = row.products > 1 and ("%d x "):format(row.products) or ""
    return ("%s%s[%d, %d] x [%d, %d]"):format(row.kind == "product" and "" or row.kind .. " ", count, row.rows,
      row.depth, row.depth, row.columns)
  end
  return WORDS[row.kind] or (row.name ~= "" and row.name or row.kind)
end

-- A row for each instruction and the nanoseconds of all on all threads.
function instructions.read(text)
  local rows, sum = {}, 0
  for line in text:gmatch "[^\n]+" do
    if line:find('"kind"', 1, true) then
      local row = { kind = instructions.text_in(line, "kind"), name = instructions.text_in(line, "name") }
      for _, key in ipairs { "nanoseconds", "operations", "products", "rows", "columns", "depth", "bytes" } do
        row[key] = number_in(line, key)
      end
      row.label = label(row)
      rows[#rows + 1] = row
      sum = sum + row.nanoseconds
    end
  end
  return rows, sum
end

-- Joins rows of one label, and products of less than `smallest` nanoseconds each; the longest first.
function instructions.join(rows, smallest)
  local by_label, list = {}, {}
  for _, row in ipairs(rows) do
    local name = row.label
    if row.products > 0 and row.nanoseconds < smallest then
      name = "smaller products"
    end
    local joined = by_label[name]
    if not joined then
      joined = { label = name, count = 0, nanoseconds = 0, operations = 0, bytes = 0 }
      by_label[name] = joined
      list[#list + 1] = joined
    end
    joined.count = joined.count + 1
    for _, key in ipairs { "nanoseconds", "operations", "bytes" } do
      joined[key] = joined[key] + row[key]
    end
  end
  table.sort(list, function(a, b)
    return a.nanoseconds > b.nanoseconds
  end)
  return list
end

return instructions
