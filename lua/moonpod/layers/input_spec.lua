-- input_spec - what inputs a layer takes: its field { rank =, min_rank =, axes = { [axis] = size } } with axes counted
-- from 0, negative from the end.

local check = require "moonpod.layers.check"
local nest = require "moonpod.tensor.nest"

local input_spec = {}

-- Refuses inputs of another rank than the spec says.
function input_spec.check_rank(self, inputs)
  local spec = self.input_spec
  if not spec or not nest.is_leaf(inputs) then
    return
  end
  local shape = inputs.shape
  if spec.rank and #shape ~= spec.rank then
    check.fail(self, " wants an input of %d axes; got %s of shape %s", spec.rank, inputs.dtype, tostring(shape))
  end
  if spec.min_rank and #shape < spec.min_rank then
    check.fail(self, " wants an input of at least %d axes; got shape %s", spec.min_rank, tostring(shape))
  end
end

-- Refuses inputs that are not as the whole spec says.
function input_spec.check(self, inputs)
  input_spec.check_rank(self, inputs)
  local spec = self.input_spec
  local shape = inputs.shape
  for axis, size in pairs(spec and nest.is_leaf(inputs) and spec.axes or {}) do
    local at = axis < 0 and #shape + axis + 1 or axis + 1
    if shape[at] ~= size then
      check.fail(self, " was built for inputs whose axis %d has size %d; got shape %s", axis, size, tostring(shape))
    end
  end
end

return input_spec
