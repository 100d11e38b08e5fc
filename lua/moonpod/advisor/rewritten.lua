-- rewritten - the text of a StableHLO module for another batch or for more devices: its own ops, with other sizes.

local tables = require "moonpod.base.tables"

local rewritten = {}

-- Numbers of lists that stand between brackets.
local function each_number(list, change)
  return (list:gsub("%d+", function(digits)
    return tostring(change(tonumber(digits)))
  end))
end

--- The text for `size` rows in the place of `batch`: multiples of it in shapes, slices and lists of sizes.
function rewritten.batch(text, batch, size)
  local function change(number)
    return number > 0 and number % batch == 0 and math.floor(number / batch) * size or number
  end
  local function shape(head, sizes)
    return head .. each_number(sizes, change)
  end
  text = text:gsub("(tensor<)([%dx?]+x)", shape)
  text = text:gsub("(array<i64: )([%d, ]+)", shape)
  text = text:gsub("(stablehlo%.slice [^%[\n]*%[)([%d:, ]+)", shape)
  return (text:gsub('(xla_shape = "%w+%[)([%d,]+)', shape))
end

-- Whether multiples of a size stand in a shape, and whether the first axis is of that size and no other one such.
local function multiples_in(shape, size)
  local any, first = false, shape[1] == size
  for i, length in ipairs(shape) do
    if length % size == 0 then
      any, first = true, first and i == 1
    end
  end
  return any, first
end

-- Whether a size can be no other number of the program: what it updates has no multiple of it, and what it only reads
-- has it as its first axis alone.
local function is_apart(parameters, size)
  local updates = false
  for _, parameter in ipairs(parameters) do
    local any, first = multiples_in(parameter.shape, size)
    local updated = parameter.alias or parameter.donated
    updates = updates or updated
    if any and (updated or not first) then
      return false
    end
  end
  return updates
end

--- The size of the batch of a step, where it is told from all others by its number alone: of those that most of the
--- arguments' entries have. `said`: the only one that may be; nil where there is none.
function rewritten.find_batch(parameters, said)
  local entries = {}
  for _, parameter in ipairs(parameters) do
    local size = parameter.shape[1]
    if size and size > 1 and not (parameter.alias or parameter.donated) and (not said or size == said) then
      local count = 1
      for _, length in ipairs(parameter.shape) do
        count = count * length
      end
      entries[size] = (entries[size] or 0) + count
    end
  end
  local best
  for _, size in ipairs(tables.sorted_keys(entries)) do
    if is_apart(parameters, size) and (not best or entries[size] > entries[best]) then
      best = size
    end
  end
  return best
end

--- The text with `times` as many devices along an axis of its mesh, which has `size` now.
function rewritten.devices(text, devices, axis, size, times)
  local name = axis:gsub("%W", "%%%0")
  local sizes, all = math.floor(size * times), math.floor(devices * times)
  text = text:gsub(('("%s"=)%d([%%],])'):format(name, size), ("%%1%d%%2"):format(sizes))
  text = text:gsub(('(name = "%s", size = )%d '):format(name, size), ("%%1%d "):format(sizes))
  return (text:gsub(("(mhlo%%.num_partitions = )%d "):format(devices), ("%%1%d "):format(all)))
end

--- The text whose argument number `place` (from 1) has class numbers in the place of one-hot rows, which it makes of
--- them; nil where that is no matrix.
function rewritten.class_numbers(text, place)
  local before, after = text:match "^(.-func%.func public @main)(%(.*)$"
  local from, to, name = before, 0, nil
  for _ = 1, place do
    if from then
      from, to, name = after:find("(%%[%w_]+): tensor<", to + 1)
    end
  end
  if not from then
    return nil
  end
  local rows, classes, dtype, behind = after:match("^(%d+)x(%d+)x(b?f%d+)>()", to + 1)
  local body = rows and after:find("\n", behind, true)
  if not body then
    return nil
  end
  local function type_of(element, ...)
    return ("tensor<%sx%s>"):format(table.concat({ ... }, "x"), element)
  end
  local numbers, wide, truths = type_of("i32", rows), type_of("i32", rows, classes), type_of("i1", rows, classes)
  return before .. after:sub(1, from - 1) .. "%class_numbers: " .. numbers .. after:sub(behind, body)
    .. "%class_iota = stablehlo.iota dim = 1 : " .. wide .. "\n"
    .. "%class_rows = stablehlo.broadcast_in_dim %class_numbers, dims = [0] : (" .. numbers .. ") -> " .. wide .. "\n"
    .. "%class_equal = stablehlo.compare EQ, %class_iota, %class_rows, SIGNED : (" .. wide .. ", " .. wide .. ") -> "
    .. truths .. "\n"
    .. name .. " = stablehlo.convert %class_equal : (" .. truths .. ") -> " .. type_of(dtype, rows, classes) .. "\n"
    .. after:sub(body + 1)
end

--- The text with bfloat16 in the place of float32; nil where nothing is float32. Bits that are written as such are cut.
function rewritten.in_bfloat16(text)
  local made, count = text:gsub("(tensor<[%dx?]*)f32>", "%1bf16>")
  made = made:gsub("(dense<0x%x%x%x%x)%x%x%x%x(> : tensor<[%dx]*bf16>)", "%1%2")
  return count > 0 and made or nil
end

--- The text without the transposes of some lines (a set of numbers), which keep the sizes of what they turn; nil where
--- one of the lines has no such transpose.
function rewritten.unturned(text, lines)
  local number, kept = 0, true
  local made = text:gsub("[^\n]*\n?", function(line)
    number = number + 1
    local head, from, to = line:match "^(.-%f[%w]stablehlo%.transpose %%[%w_#]+), .-: %((.-)%) %-> (%S+)"
    if lines[number] then
      kept = kept and from ~= nil and from == to
      return kept and ("%s : (%s) -> %s\n"):format((head:gsub("transpose", "reshape", 1)), from, to) or nil
    end
  end)
  return kept and made or nil
end

return rewritten
