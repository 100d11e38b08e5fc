-- signatures - what differs between the signatures a function was traced for, and in whose words to say it.

local decimal = require "moonpod.base.decimal"
local global_state = require "moonpod.base.global_state"
local tables = require "moonpod.base.tables"

local signatures = {}

local function quoted(value)
  local kind = type(value)
  if kind == "string" then
    return ("%q"):format(value)
  elseif kind == "number" then
    return decimal.format("%.14g", value)
  elseif kind == "table" then
    return "a table"
  end
  return tostring(value)
end

local function join(path, key)
  if path == nil then
    return "argument " .. tostring(key)
  end
  return type(key) == "number" and ("%s[%d]"):format(path, key) or ("%s.%s"):format(path, tostring(key))
end

-- Calls visit(path, skeleton) on all ends of a skeleton, in order.
local function walk(skeleton, visit, path)
  if not skeleton.keys then
    visit(path, skeleton)
    return
  end
  for i, key in ipairs(skeleton.keys) do
    walk(skeleton.parts[i], visit, join(path, key))
  end
end

-- What the arguments are made of: an array of { path =, dtype =, shape =, text =, value = }, also by path.
function signatures.parts(skeleton, leaves, describe, tensor_of)
  local parts = {}
  walk(skeleton, function(path, at)
    local part = { path = path or "arguments" }
    if at.leaf then
      local t = tensor_of(leaves[at.leaf])
      part.dtype, part.shape, part.text = t.dtype, t.shape, describe(leaves[at.leaf])
    else
      part.value, part.text = at.value, quoted(at.value)
    end
    parts[#parts + 1] = part
    parts[part.path] = part
  end)
  return parts
end

-- The arguments that are tensors in a trace, by number.
function signatures.tensors_among(skeleton, leaves, tensor_of)
  local arguments = {}
  for i, key in ipairs(skeleton.keys) do
    local part = skeleton.parts[i]
    arguments[key] = part.leaf and tensor_of(leaves[part.leaf]) or nil
  end
  return arguments
end

-- Says how one part differs from what it was: an array of texts.
local function difference(was, is)
  if was.dtype and is.dtype and #was.shape == #is.shape then
    local texts = {}
    if was.dtype ~= is.dtype then
      texts[1] = ("dtype of %s was %s, now %s"):format(is.path, was.dtype, is.dtype)
    end
    for i = 1, #is.shape do
      if was.shape[i] ~= is.shape[i] then
        texts[#texts + 1] = ("dimension %d of %s was %d, now %d"):format(i - 1, is.path, was.shape[i], is.shape[i])
      end
    end
    if #texts > 0 then
      return texts
    end
  end
  if was.dtype and is.dtype and #was.shape ~= #is.shape then
    return { ("rank of %s was %d (%s), now %d (%s)"):format(is.path, #was.shape, was.text, #is.shape, is.text) }
  elseif was.text ~= is.text then
    return { ("%s was %s, now %s"):format(is.path, was.text, is.text) }
  elseif not is.dtype and not rawequal(was.value, is.value) then
    return { ("%s is another %s"):format(is.path, type(is.value)) }
  end
  return {}
end

-- All differences between the parts of two signatures.
local function differences(was, is)
  local texts = {}
  for _, part in ipairs(is) do
    local before = was[part.path]
    if not before then
      texts[#texts + 1] = ("%s is new (%s)"):format(part.path, part.text)
    else
      tables.extend(texts, difference(before, part))
    end
  end
  for _, part in ipairs(was) do
    if not is[part.path] then
      texts[#texts + 1] = ("%s is gone (was %s)"):format(part.path, part.text)
    end
  end
  return texts
end

-- Why a function was traced again: compared with the earlier trace that is nearest, of equals the last.
-- `traces` is an array of { parts =, state = }; state: global_state.values().
function signatures.cause(traces, parts, state)
  if #traces == 0 then
    return "first call"
  end
  local best
  for i = #traces, 1, -1 do
    local texts = differences(traces[i].parts, parts)
    tables.extend(texts, global_state.differences(traces[i].state, state))
    if not best or #texts < #best then
      best = texts
    end
  end
  return table.concat(best, "; ")
end

-- ---- numbers ------------------------------------------------------------------------------------------------

-- The ends of a skeleton that are numbers other than in the parts of the trace before, or known to be general.
-- general: path -> true or false. Returns an array of them and the set of their paths.
function signatures.changed_numbers(skeleton, before, general)
  local changed, paths = {}, {}
  walk(skeleton, function(path, at)
    local was = before and before[path]
    local is_other = was and (was.dtype or type(was.value) == "number" and was.value ~= at.value)
    if type(at.value) == "number" and general[path] ~= false and (general[path] or is_other) then
      changed[#changed + 1] = at
      paths[path] = true
    end
  end)
  return changed, paths
end

-- A copy of a skeleton in which the ends `changed` are leaves; number_of(value) gives the number of each.
function signatures.with_leaves(skeleton, changed, number_of)
  local is_changed = tables.set_of(changed)
  local function copy(at)
    if is_changed[at] then
      return { leaf = number_of(at.value) }
    elseif not at.keys then
      return at
    end
    return { keys = at.keys, parts = tables.map(at.parts, copy) }
  end
  return copy(skeleton)
end

return signatures
