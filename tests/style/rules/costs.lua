-- Numbers have a birthplace: what work is reckoned to cost stands in one header of its floor, with where it is from.

local house = require "house"

-- Those that say where their numbers are from: the headers of costs, and tables of what chips are.
local birthplaces = { "^core/[%w_]+/[%w_]+_costs%.h$", "^core/chip/chips%.c$", "^core/tpu/target%.c$" }

-- Words of which a name is made that stands for time or for what is reckoned by it.
local COSTLY = { cost = true, costs = true, nanosecond = true, nanoseconds = true, microseconds = true,
  milliseconds = true, seconds = true }

-- Says whether a word of a name is one of those: row_cost, POD_TINY_NANOSECONDS.
local function is_costly(name)
  for word in name:lower():gmatch "[a-z]+" do
    if COSTLY[word] then return true end
  end
  return false
end

-- Returns the first float literal of some code that is not 0, 1 or a power of ten written as one (1e-9), by which units
-- are converted.
local function bare_literal(code)
  for at, digits in code:gmatch "()%f[%w_.](%d+%.?%d*)" do
    local exponent = code:match("^[eE][-+]?%d+", at + #digits) or ""
    local is_float = digits:find(".", 1, true) or exponent ~= ""
    local number = tonumber(digits)
    if is_float and number ~= 0 and number ~= 1 then return digits .. exponent end
  end
end

-- Calls visit(statement, line, function's name) for what ends in ';', '{', '}' or, of a directive, in its line.
local function each_statement(lines, visit)
  local statement, first, around = "", 1, ""
  for number, line in ipairs(lines) do
    if line:find "^[%a_]" and line:find "%(" then around = line:match "([%w_]+)%s*%(" or around end
    if line:find "^%s*#" then
      visit(line, number, "")
    else
      for part, stop in line:gmatch "([^;{}]*)([;{}]?)" do
        if statement:match "^%s*$" then first = number end
        statement = statement .. " " .. part
        if stop ~= "" then
          visit(statement, first, around)
          statement = ""
        end
      end
    end
    if line:find "^}" then around = "" end
  end
end

local function costs_have_a_birthplace()
  for path, file in pairs(house.source) do
    if path:find "^core/.*%.[ch]$" and not house.matches_any(path, birthplaces) then
      each_statement(file.code, function(statement, line, around)
        local defined, value = statement:match "^%s*#%s*define%s+([%w_]+)%s+(.+)"
        local costly = is_costly(around)
        for name in statement:gmatch "[%a_][%w_]*" do costly = costly or is_costly(name) end
        local literal = costly and bare_literal(statement) or defined and is_costly(defined) and value:match "%d[%w.]*"
        if literal then
          house.finding(path, line,
            "%s: a cost stands in the header of costs of its floor, with what it was taken from", literal)
        end
      end)
    end
  end
end

return {
  { "costs have a birthplace", costs_have_a_birthplace },
}
