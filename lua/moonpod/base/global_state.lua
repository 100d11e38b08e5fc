-- global_state - what scripts set for all that they compute from then on, and what counts for a function while it runs:
-- precision, policy, training flag, strategy, device. A piece is read when an op is called, and what is compiled is for
-- the values of all pieces: global_state.key(). A module that keeps such state in any other way is found by ./dev lint.
--
--     local precision = global_state.new("matmul precision", "highest")    a value: precision.value, :become(), :with()
--     local open = global_state.scopes("device", function(entry) ... end)   a stack of entries
--     open:run(open:entry { name = "/TPU:3" }, fn, ...)                     within it open:innermost().name is that
--
-- A coroutine has scopes of its own: one that yielded has left them for as long.

local around = require "moonpod.base.around"
local coroutines = require "moonpod.base.coroutines"

local global_state = {}

-- How often a piece has changed, variables have come to hold another tensor, or a run in slices has taken or left one:
-- what was found for a program (its trace, its buffers) is found anew when this has grown.
local changes = { count = 0 }
global_state.changes = changes

local pieces = {}

-- ---- values ---------------------------------------------------------------------------------------------------------

local Piece = {}
Piece.__index = Piece

local function add(piece, class)
  pieces[#pieces + 1] = setmetatable(piece, class)
  return piece
end

-- A piece of this name that has this value at first.
function global_state.new(name, value)
  return add({ name = name, value = value, initial = value }, Piece)
end

-- Names state that programs get as an argument of each run, which is no part of the key.
function global_state.argument(name)
  add({ name = name }, Piece)
end

function Piece.become(self, value)
  if self.value ~= value then
    self.value, changes.count = value, changes.count + 1
  end
end

-- Runs fn(...) with another value.
function Piece.with(self, value, fn, ...)
  local outer = self.value
  return around(function()
    self.value, changes.count = value, changes.count + 1
  end, function()
    self.value, changes.count = outer, changes.count + 1
  end, fn, ...)
end

function Piece.now(self)
  return self.value
end

-- ---- scopes ---------------------------------------------------------------------------------------------------------

local Stack = {}
Stack.__index = Stack

-- The coroutines that opened entries; of the main one's there is none here.
local opened_in = setmetatable({}, { __mode = "kv" })

-- A stack: an array of what is open. read(innermost entry or nil) gives the value.
function global_state.scopes(name, read)
  return add({ name = name, read = read, initial = read() }, Stack)
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

function Stack.now(self)
  return self.read(self[1] and self:innermost())
end

-- Ends a scope, and those that the same coroutine opened within it and left open. Calls nothing: see around.
local function leave(self, entry)
  local place, thread = #self, opened_in[entry]
  changes.count = changes.count + 1
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
    self:open(entry)
  end, function()
    return leave(self, entry)
  end, fn, ...)
end

-- Opens an entry until it is closed.
function Stack.open(self, entry)
  self[#self + 1] = entry
  changes.count = changes.count + 1
end

-- Closes an entry that may be closed already.
function Stack.close(self, entry)
  for i = #self, 1, -1 do
    if self[i] == entry then
      table.remove(self, i)
      changes.count = changes.count + 1
      return
    end
  end
end

-- ---- all of it ------------------------------------------------------------------------------------------------------

-- Tables that are values, by number.
local numbers, number_count = setmetatable({}, { __mode = "k" }), 0

local function text_of(value)
  if type(value) ~= "table" then
    return tostring(value)
  elseif not numbers[value] then
    number_count = number_count + 1
    numbers[value] = number_count
  end
  return "#" .. numbers[value]
end

local last, key, known_at = {}, "", nil

-- The values of all pieces as a text: equal texts, equal values. What no script has changed is not in it, so that a
-- module that is loaded later makes no other key.
function global_state.key()
  if known_at == changes.count then
    return key
  end
  local is_same = true
  known_at = changes.count
  for i = 1, #pieces do
    local piece = pieces[i]
    local value = piece:now()
    if value == piece.initial then
      value = nil
    end
    if last[i] ~= value then
      last[i], is_same = value, false
    end
    if piece[1] then -- a scope is open: what counts depends on the coroutine
      known_at = nil
    end
  end
  if not is_same then
    local texts = {}
    for i = 1, #pieces do
      if last[i] ~= nil then
        texts[#texts + 1] = pieces[i].name .. " " .. text_of(last[i])
      end
    end
    key = table.concat(texts, ", ")
  end
  return key
end

-- The values of all pieces, for differences().
function global_state.values()
  local values = { count = #pieces }
  for i = 1, #pieces do
    values[i] = pieces[i]:now()
  end
  return values
end

-- How values differ from earlier ones, as texts.
function global_state.differences(was, is)
  local texts = {}
  for i = 1, is.count do
    local before = was[i]
    if i > was.count then
      before = pieces[i].initial
    end
    if before ~= is[i] then
      texts[#texts + 1] = ("the %s was %s, now %s"):format(pieces[i].name, tostring(before), tostring(is[i]))
    end
  end
  return texts
end

-- What the pieces that are no scopes have now, for within().
function global_state.take()
  local taken = {}
  for _, piece in ipairs(pieces) do
    taken[piece] = piece.become and { piece.value } or nil
  end
  return taken
end

local function put(taken)
  changes.count = changes.count + 1
  for piece, kept in pairs(taken) do
    piece.value = kept[1]
  end
end

-- Runs fn(...) with what take() has returned.
function global_state.within(taken, fn, ...)
  local before = global_state.take()
  return around(function()
    put(taken)
  end, function()
    return put(before)
  end, fn, ...)
end

return global_state
