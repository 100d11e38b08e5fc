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
  if not failure then -- what a failure leaves is not promised
    local ways, clear = ways_of(chain, count)
    for _, way in ipairs(ways) do
      local fine, found = pcall(way[2])
      if not (fine and found == text_of(list)) and (fine or not random_chain.is_refusal(found)) then
        difference = ("%s:\n    %s\n  instead of\n    %s"):format(way[1], tostring(found), text_of(list))
        break
      end
    end
    clear()
  end
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

-- Elements that are passed over are not made here, so they cannot fail; tf.data makes and drops them.
local function passes_over_failure(chain, rest, theirs)
  return theirs:find "error$" and not rest:find "error$" and (uses(chain, "skip") or uses(chain, "shard"))
end

-- A failure comes behind all elements before it, here also behind those in the buffer of a shuffle.
local function fails_later(chain, rest, theirs)
  local before = theirs:match "^(.-) ?error$"
  return before and rest:find "error$" and rest:sub(1, #before) == before and uses(chain, "shuffle_one")
end

-- Compares a chain's answer with tf.data's (text, tab, message of a failure); returns a text about the difference.
function compare.peer(chain, text, line, failure)
  local theirs, message = line:match "^(.-)\t(.*)$"
  for _, fault in ipairs(PEER_FAULTS) do
    if message:find(fault, 1, true) then
      return nil
    end
  end
  if text == "refused" and (theirs == "refused" or theirs:find("error", 1, true)) then
    return nil
  end
  local spec, count, rest = text:match "^(.-) #(%-?%d+): (.*)$"
  local their_spec, their_count, their_rest = theirs:match "^(.-) #(%-?%d+): (.*)$"
  if rest and their_rest and (passes_over_failure(chain, rest, their_rest)
    or fails_later(chain, rest, their_rest)) then
    return nil
  end
  local told = uses(chain, "interpret") -- its results have the sizes that the script tells
  if not their_spec or not spec or rest ~= their_rest or (count ~= their_count and their_count ~= "-2" and not told)
    or not (is_as_exact(spec, their_spec) or told) then
    return ("tf.data: %s\n    %s\n  instead of\n    %s\n  %s"):format(message, theirs, text, tostring(failure or ""))
  end
end

return compare
