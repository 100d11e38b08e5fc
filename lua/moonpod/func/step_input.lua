-- step_input - where run_steps takes the arguments of steps from.

local errors = require "moonpod.base.errors"
local structure = require "moonpod.base.structure"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"

local step_input = {}

-- An input over a Lua function. It runs ahead of the execution that consumes its elements, never inside it: elements
-- wait in a queue with their values known.
local Puller = {}
Puller.__index = Puller

local pullers = setmetatable({}, { __mode = "k" })

-- Makes sure that `count` elements wait, as far as there are so many.
function Puller:pull(count)
  while #self.queue < count and not self.ended do
    local element = structure.pack(self.fn())
    if element.n == 0 or element[1] == nil then
      self.ended = true
      return
    end
    local leaves = {}
    structure.flatten({ structure.unpack(element) }, tensor.is, leaves)
    tables.map(leaves, tensor.buffer) -- which computes them
    table.insert(self.queue, leaves)
  end
end

function Puller:peek_spec()
  self:pull(1)
  local leaves = self.queue[1]
  if not leaves then
    -- asked again after the end, the function may begin anew
    self.ended = false
  end
  return leaves
end

local function same_types(a, b)
  for i = 1, #a do
    if a[i].dtype ~= b[i].dtype or a[i].shape ~= b[i].shape then
      return false
    end
  end
  return #a == #b
end

-- The function that the program asks: the waiting elements as long as their types are `wanted`.
function Puller:infeed(count, wanted)
  self:pull(count)
  return function()
    local leaves = self.queue[1]
    if not leaves or not same_types(leaves, wanted) then
      return nil
    end
    table.remove(self.queue, 1)
    return tables.map(leaves, tensor.buffer)
  end
end

-- What steps take their arguments from: `input` itself, or a function that gives them one step after the other.
function step_input.of(input)
  if type(input) ~= "function" then
    if (type(input) == "table" or type(input) == "userdata") and input.infeed and input.peek_spec then
      return input
    end
    errors.raise("run_steps: the input must be a function, or have infeed() and peek_spec()")
  end
  local puller = pullers[input]
  if not puller then
    puller = setmetatable({ fn = input, queue = {}, ended = false }, Puller)
    pullers[input] = puller
  end
  return puller
end

-- Whether there is nothing more for a step, behind a run that was short of elements. Raises what the input raises.
function step_input.has_ended(source)
  if getmetatable(source) == Puller then -- to ask it again would begin anew
    return source.ended and #source.queue == 0
  end
  return source:peek_spec() == nil
end

return step_input
