-- scopes - what counts for a function while it runs: its strategy, its device. One stack of entries a kind of scope:
--
--     local open = scopes.new()
--     open:run(open:entry { device = "/TPU:3" }, fn, ...)      within it open:innermost().device is that
--
-- A coroutine has its own: one that yielded has left its scopes for as long.

local around = require "moonpod.base.around"
local coroutines = require "moonpod.base.coroutines"

local scopes = {}

local Stack = {}
Stack.__index = Stack

-- The coroutines that opened entries; of the main one's there is none here.
local opened_in = setmetatable({}, { __mode = "kv" })

-- A stack: an array of what is open.
function scopes.new()
  return setmetatable({}, Stack)
end

-- Makes a table an entry of the coroutine that runs. Returns it.
function Stack.entry(_, fields)
  opened_in[fields] = coroutines.running()
  fields.in_coroutine = opened_in[fields] ~= nil
  return fields
end

-- The innermost scope of what runs now: this coroutine's own, else of those that wait for it; nil for none. One that
-- ended, or that nobody has any more, has left its scopes for good.
function Stack.innermost(self)
  local waiting
  for i = #self, 1, -1 do
    local entry = self[i]
    local thread = opened_in[entry]
    local status = thread and coroutines.status(thread)
    if status == "running" then
      return entry
    elseif not entry.in_coroutine or status == "normal" then
      waiting = waiting or entry
    elseif status ~= "suspended" then
      table.remove(self, i)
    end
  end
  return waiting
end

-- Ends a scope, and those that the same coroutine opened within it and left open. Calls nothing: see around.
local function leave(self, entry)
  local place, thread = #self, opened_in[entry]
  while place > 0 and self[place] ~= entry do
    place = place - 1
  end
  local kept = place - 1
  for i = place > 0 and place or 1, place > 0 and #self or 0 do
    local one = self[i]
    self[i] = nil
    if opened_in[one] ~= thread then
      kept = kept + 1
      self[kept] = one
    end
  end
end

-- Runs fn(...) with an entry open, and closes it whatever happens.
function Stack.run(self, entry, fn, ...)
  return around(function()
    self[#self + 1] = entry
  end, function()
    return leave(self, entry)
  end, fn, ...)
end

-- Opens an entry until it is closed.
function Stack.open(self, entry)
  self[#self + 1] = entry
end

-- Closes an entry that may be closed already.
function Stack.close(self, entry)
  for i = #self, 1, -1 do
    if self[i] == entry then
      table.remove(self, i)
      return
    end
  end
end

return scopes
