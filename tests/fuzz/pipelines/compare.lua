-- compare - holds a chain against tf.data's answer and against itself: several threads, none, files, a second pass, and
-- an iterator that goes on where another stopped.

local answer = require "pipelines.answer"
local build = require "pipelines.build"
local random_chain = require "pipelines.random_chain"

local compare = {}

-- Places of a pass at which iterators are left and others go on.
local MOST_PLACES = 8

-- A chain as Lua: to print, and to send (as JSON it differs in brackets only).
local function written(value, json)
  if type(value) ~= "table" then
    return type(value) == "string" and ("%q"):format(value) or tostring(value)
  end
  local parts = {}
  if value[1] ~= nil or next(value) == nil then
    for i, part in ipairs(value) do
      parts[i] = written(part, json)
    end
    return (json and "[" or "{ ") .. table.concat(parts, ", ") .. (json and "]" or " }")
  end
  local keys = {}
  for key in pairs(value) do
    keys[#keys + 1] = key
  end
  table.sort(keys)
  for i, key in ipairs(keys) do
    parts[i] = (json and '"' .. key .. '": ' or key .. " = ") .. written(value[key], json)
  end
  return "{ " .. table.concat(parts, ", ") .. " }"
end

function compare.json(chain)
  return written(chain, true)
end

function compare.source(chain)
  local lines = {}
  for i, call in ipairs(chain) do
    lines[i] = "  " .. written(call, false) .. ","
  end
  return "{\n" .. table.concat(lines, "\n") .. "\n}"
end

local function text_of(list)
  return table.concat(list, " ")
end

-- Names of files that are removed behind a comparison.
local function file_names()
  local names = {}
  local function fresh()
    local name = os.tmpname()
    os.remove(name)
    names[#names + 1] = name
    return name
  end
  return fresh, function()
    for _, name in ipairs(names) do
      os.remove(name)
    end
  end
end

-- What is wrong with elements that do not have the type that the dataset tells; nil where all do.
local function misfit(ds, list)
  local pattern = answer.spec(ds):gsub("[{}.=]", "%%%0"):gsub("%(", "%%["):gsub("%)", "|[^%%]]*%%]"):gsub("any", "%%d+")
  for i, text in ipairs(list) do
    if text ~= "error" and not text:find("^" .. pattern .. "$") then
      return ("element %d does not have the type that is told, %s:\n    %s"):format(i, answer.spec(ds), text)
    end
  end
end

local function elements_of(chain, how, options)
  local it = build.chain(chain, how):iterator(options or { epoch = 1 })
  local list = answer.rest(it)
  it:close()
  return text_of(list)
end

-- The answer of a chain that makes what its stages leave out, as tf.data does, and the message where it fails.
local function made_answer(chain)
  local ok, ds = pcall(build.chain, chain, { made = true })
  if not ok then
    return "refused", ds
  end
  return answer.of(ds)
end

-- Two passes of one iterator.
local function second_pass(chain)
  local it = build.chain(chain, {}):iterator { epoch = 1 }
  answer.rest(it)
  it:rewind()
  local list = answer.rest(it)
  it:close()
  return text_of(list)
end

-- Goes on behind `place` elements, in a dataset that is made anew.
local function resumed(chain, place, how)
  local it = build.chain(chain, how):iterator { epoch = 1 }
  local list = answer.rest(it, place)
  local state = it:state()
  it:close()
  it = build.chain(chain, {}):iterator()
  it:restore(state)
  for _, text in ipairs((answer.rest(it, 200 - #list))) do
    list[#list + 1] = text
  end
  it:close()
  return text_of(list)
end

-- The ways in which a chain must give the same elements, as pairs of a name and a function.
local function ways_of(chain, count)
  local fresh, clear = file_names()
  local ways = {
    { "two threads", function() return elements_of(chain, { threads = 2, prefetch = true }) end },
    { "AUTOTUNE", function() return elements_of(chain, { threads = -1 }) end },
    { "no threads", function() return elements_of(chain, { threads = 2 }, { epoch = 1, no_threads = true }) end },
    { "files", function() return elements_of(chain, { path = fresh }) end },
    { "second pass", function() return second_pass(chain) end },
  }
  local step = math.max(1, math.ceil(count / MOST_PLACES))
  for place = 0, count, step do
    ways[#ways + 1] = { "resumed behind element " .. place, function()
      return resumed(chain, place, place % 2 == 0 and {} or { threads = 2, prefetch = true })
    end }
  end
  return ways, clear
end

-- Whether some part of a chain is repeated for ever.
function compare.is_endless(chain)
  for _, call in ipairs(chain) do
    if call.op == "repeat_" and call.count < 0 then
      return true
    end
    for _, other in ipairs(call.others or {}) do
      if compare.is_endless(other) then
        return true
      end
    end
  end
  return false
end

-- Compares a chain with itself. Returns its answer and a text about the first difference, or nil.
function compare.itself(chain)
  local ok, ds = pcall(build.chain, chain, {})
  if not ok then -- the peer tells whether it should be
    return "refused", nil, ds
  end
  local text, failure = answer.of(ds)
  local it = ds:iterator { epoch = 1 }
  local list = answer.rest(it)
  it:close()
  local wrong = misfit(ds, list)
  if wrong then
    return text, wrong, failure
  end
  local count, known = failure and #list - 1 or #list, ds:cardinality()
  -- what may be empty is not looked at before it is told to go on for ever
  if known >= 0 and not failure and count < 200 and known ~= count and not compare.is_endless(chain) then
    return text, ("it announces %d elements and gives %d"):format(known, count), failure
  end
  local difference
  local ways, clear = ways_of(chain, count)
  for _, way in ipairs(ways) do
    local fine, found = pcall(way[2])
    if not (fine and found == text_of(list)) and (fine or not random_chain.is_refusal(found)) then
      difference = ("%s:\n    %s\n  instead of\n    %s"):format(way[1], tostring(found), text_of(list))
      break
    end
  end
  clear()
  return text, difference, failure
end

-- Failures of tf.data's own: what it says of elements that do not come has no bearing.
local PEER_FAULTS = { "Incompatible shapes at component" }

local function uses(chain, op)
  for _, call in ipairs(chain) do
    if call.op == op then
      return true
    end
    for _, other in ipairs(call.others or {}) do
      if uses(other, op) then
        return true
      end
    end
  end
  return false
end

-- Whether types are equal, but for sizes that are known here and not there.
local function is_as_exact(spec, theirs)
  local pattern = theirs:gsub("%W", "%%%0"):gsub("any", "%%w+")
  return spec:find("^" .. pattern .. "$") ~= nil
end

-- What stages leave out is not made here, so it cannot fail, while tf.data makes and drops it. Where something fails,
-- tf.data is held against the chain that makes it as well, which gives the same elements up to its failure.
local function with_all_made(chain, text, failure)
  local made, made_failure = made_answer(chain)
  local before = made:match "^.- #%-?%d+: (.-) ?error$" or made:match "^.- #%-?%d+: (.*)$"
  local rest = text:match "^.- #%-?%d+: (.*)$"
  if before and rest and rest:sub(1, #before) ~= before then
    return text, failure, ("made and not made:\n    %s\n  instead of\n    %s"):format(text, made)
  end
  return made, made_failure
end

-- tf.data tells of an element that failed with the windows that have it, so it may fail unnoticed between windows or in
-- one that is left out; here it is told where it is asked for.
local function fails_in_window(chain, text, theirs, failure)
  if not (uses(chain, "window") and tostring(failure):find "no luck") then
    return false
  end
  local before = text:match "^.- #%-?%d+: (.-) ?error$"
  local rest = theirs:match "^.- #%-?%d+: (.*)$"
  return text == "refused" or before and rest and rest:sub(1, #before) == before
end

-- What could never be an element is refused when its stage is made. tf.data finds out when one comes, if one does.
local function is_refused_early(text, theirs)
  return text == "refused" and (theirs == "refused" or theirs:find " #%-?%d+: $" or theirs:find ": error$")
end

-- What the function of interleave makes is found out from the first element: a later dataset whose elements have
-- another size is an error (docs/reference/differences.md).
local function is_of_another_size(text, theirs, failure)
  local before = text:match "^.- #%-?%d+: (.-) ?error$"
  local rest = theirs:match "^.- #%-?%d+: (.*)$"
  local here, announced = tostring(failure):match "is (%b()), but (%b()) was announced"
  return here ~= announced and before and rest and rest:sub(1, #before) == before
end

-- Compares a chain's answer with tf.data's (text, tab, message of a failure); returns a text about the difference.
function compare.peer(chain, text, line, failure)
  local theirs, message = line:match "^(.-)\t(.*)$"
  for _, fault in ipairs(PEER_FAULTS) do
    if message:find(fault, 1, true) then
      return nil
    end
  end
  if is_refused_early(text, theirs) then
    return nil
  end
  if theirs:find "error$" or text:find "error$" then
    local difference
    text, failure, difference = with_all_made(chain, text, failure)
    if difference then
      return difference
    elseif is_refused_early(text, theirs) or is_of_another_size(text, theirs, failure) then
      return nil
    end
  end
  if fails_in_window(chain, text, theirs, failure) then
    return nil
  end
  local spec, count, rest = text:match "^(.-) #(%-?%d+): (.*)$"
  local their_spec, their_count, their_rest = theirs:match "^(.-) #(%-?%d+): (.*)$"
  local told = uses(chain, "interpret") -- its results have the sizes that the script tells
  -- what is known to be empty here may not be there, so that repeating it would not end
  their_count = (their_count == "-2" or count == "0" and rest == "") and count or their_count
  if not their_spec or not spec or rest ~= their_rest or (count ~= their_count and not told)
    or not (is_as_exact(spec, their_spec) or told) then
    return ("tf.data: %s\n    %s\n  instead of\n    %s\n  %s"):format(message, theirs, text, tostring(failure or ""))
  end
end

return compare
