-- stored_rows - rows in memory that are stored otherwise than they are read: bytes of pictures that are floats.

local dataset = require "moonpod.data.dataset"
local tables = require "moonpod.base.tables"

local stored_rows = {}

-- A dataset of rows of tensors `x`, of which fn makes elements. It waits behind a cache, which would keep no less.
function stored_rows.dataset(x, fn)
  return dataset.waiting(dataset.of_rows(x), fn, "map", nil, { as_stored = true })
end

-- Whether a dataset's elements are rows as they are stored but for such functions: no map of its user waits.
function stored_rows.are_all(self)
  return tables.all(self._steps, function(step)
    return step.as_stored
  end)
end

return stored_rows
