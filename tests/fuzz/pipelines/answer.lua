-- answer - what a dataset gives, as a text: type, length and elements. peer.py makes the same of tf.data's.

local functions = require "pipelines.functions"

local answer = {}

-- Elements of a pass that are looked at.
local MOST = 200

local function number_text(dtype, value)
  if type(value) == "boolean" then
    return value and "1" or "0"
  elseif value ~= value then
    return "nan"
  end
  return (dtype == "float64" and "%.17g" or dtype:find "float" and "%.9g" or "%d"):format(value)
end

local function flat_values(t)
  if t.shape[1] == nil then
    return { t:item() }
  end
  return t:reshape({ -1 }):totable()
end

local function tensor_text(t)
  local values = flat_values(t.dtype == "uint64" and t:cast "int64" or t) -- Lua has no larger integers
  for i, value in ipairs(values) do
    values[i] = number_text(t.dtype, value)
  end
  return ("%s[%s|%s]"):format(t.dtype, table.concat(t.shape, ","), table.concat(values, " "))
end

local function structure_text(value, leaf_text)
  if functions.is_leaf(value) then
    return leaf_text(value)
  end
  local parts = {}
  for i, key in ipairs(functions.keys_of(value)) do
    parts[i] = (type(key) == "string" and key .. "=" or "") .. structure_text(value[key], leaf_text)
  end
  return "{" .. table.concat(parts, " ") .. "}"
end

function answer.element(value)
  return structure_text(value, tensor_text)
end

function answer.spec(ds)
  return structure_text(ds:element_spec(), function(leaf)
    local sizes = {}
    for i, size in ipairs(leaf.shape) do
      sizes[i] = size < 0 and "any" or ("%d"):format(size)
    end
    return leaf.dtype .. "(" .. table.concat(sizes, ",") .. ")"
  end)
end

-- The texts of the elements that an iterator still gives; "error" stands for a failure, which is returned as well, and
-- is the answer again.
function answer.rest(it, most)
  local list = {}
  local function attempt() -- messages of both calls name one line
    local ok, value = pcall(it.next_element, it)
    return ok, value
  end
  while #list < (most or MOST) do
    local ok, value = attempt()
    if not ok then
      list[#list + 1] = "error"
      local again, other = attempt()
      if again or tostring(other) ~= tostring(value) then -- it stays where it is
        list[#list + 1] = "then " .. tostring(other)
      end
      return list, value
    elseif value == nil then
      break
    end
    list[#list + 1] = answer.element(value)
  end
  return list
end

-- The whole answer, and the message where there is a failure.
function answer.of(ds)
  local it = ds:iterator { epoch = 1 }
  local list, failure = answer.rest(it)
  it:close()
  return ("%s #%d: %s"):format(answer.spec(ds), ds:cardinality(), table.concat(list, " ")), failure
end

-- A short form of a text, to keep.
function answer.hash(text)
  local hash = #text
  for i = 1, #text do
    hash = (hash * 131 + text:byte(i)) % 2147483647
  end
  return ("%08x"):format(hash)
end

return answer
