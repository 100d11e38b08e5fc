-- What the op table promises: a row may stand anywhere, and every op has what it needs.

local house = require "house"

-- What compares enumerators of ops, or counts from one to another, means something else once a row is put between them.
local ORDERED = {
  "[<>]=?%s*POD_OP_", "[+%-%%]%s*POD_OP_", "POD_OP_[A-Z%d_]+%s*[<>+%-]", "POD_OP_[A-Z%d_]+%s*%.%.%.",
  "[<>]=?%s*POD_BLOCK_OP_", "POD_BLOCK_OP_[A-Z%d_]+%s*[<>+%-]",
}

-- Code that asks whether a number is one of the table's.
local function without_bounds(line)
  return (line:gsub("[<>]=?%s*POD_OP_COUNT", ""):gsub("[<>]=?%s*POD_BLOCK_OP_COUNT", "")
    :gsub("POD_BLOCK_OP_COUNT %* POD_CLASS_COUNT", ""))
end

local function ops_have_no_order()
  local tests = {}
  for _, path in ipairs(house.files({ "tests" }, { "*.c", "*.h" })) do
    tests[path] = { code = house.split(house.code_of(house.read(path))) }
  end
  for _, set in ipairs { house.source, tests } do
    for path, file in pairs(set) do
      for number, line in ipairs(file.code) do
        local code = without_bounds(line)
        for _, pattern in ipairs(ORDERED) do
          if code:find(pattern) then
            house.finding(path, number, "ops have no order; ask their rows what they have in common")
            break
          end
        end
      end
    end
  end
end

-- Rows of ops.def by their names, each with the columns that are asked for here.
local function rows_of_ops()
  local rows = {}
  local text = house.read "core/graph/ops.def":gsub("/%*.-%*/", "")
  for row in text:gmatch "\nPOD_OP_ROW(%b())" do
    local columns = {}
    for column in (row:sub(2, -2):gsub("%b()", function(inside) return (inside:gsub(",", ";")) end) .. ","):gmatch
      "%s*(.-),%f[%s\0]" do
      columns[#columns + 1] = column
    end
    rows[columns[1]] = { name = columns[2]:sub(2, -2), each = columns[6], flops = columns[9], tpu = columns[10],
      count = #columns }
  end
  return rows
end

local function every_op_has_what_it_needs()
  local function names_in(path, pattern)
    local names = {}
    for name in house.read(path):gmatch(pattern) do names[name] = true end
    return names
  end
  local kernels = names_in("core/kernels/reference/elementwise.def", "KERNEL%(([%l%d_]+)[,)]")
  for name in pairs(names_in("core/kernels/reference/elementwise.c", '{"([%w_]+)", NULL')) do kernels[name] = true end
  local batching = names_in("core/replicate/batching.c", "%[POD_OP_([A-Z%d_]+)%]")
  local writing = names_in("core/exchange/write_op.c", "%[POD_OP_([A-Z%d_]+)%]")
  local reasons = names_in("core/advisor/compatibility.def", "POD_RULE_ROW%(([A-Z%d_]+),")
  local count = 0
  for op, row in pairs(rows_of_ops()) do
    count = count + 1
    local function needs(there, path)
      if not there then house.finding(path, 0, "has no row for %s", op) end
    end
    if row.count ~= 12 then house.finding("core/graph/ops.def", 0, "%s has %d columns", op, row.count) end
    if row.each == "WHOLE" then
      needs(batching[op], "core/replicate/batching.c")
      needs(writing[op], "core/exchange/write_op.c")
    elseif row.flops ~= "FREE" then -- others are views
      needs(kernels[row.name], "core/kernels/reference/elementwise.def")
    end
    if row.tpu ~= "OK" then needs(reasons[op], "core/advisor/compatibility.def") end
    if row.tpu == "OK" and reasons[op] then
      house.finding("core/advisor/compatibility.def", 0, "says why %s is slow, which the op table says is not", op)
    end
  end
  local _, all = house.read "core/graph/ops.def":gsub("\nPOD_OP_ROW%(", "")
  if count ~= all then house.finding("core/graph/ops.def", 0, "%d rows, of which %d can be read", all, count) end
end

return {
  { "ops have no order", ops_have_no_order },
  { "every op has what it needs", every_op_has_what_it_needs },
}
