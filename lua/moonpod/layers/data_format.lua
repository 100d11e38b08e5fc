-- The option data_format: "channels_last" (batch, spatial..., channels) or "channels_first" (batch, channels, spatial).
--
-- Layers compute with the channels last; with "channels_first" the axes are moved before and after.

local check = require "moonpod.layers.check"
local ops = require "moonpod.ops"
local tables = require "moonpod.base.tables"

local data_format = {}

local check_format = check.one_of("channels_last", "channels_first")

local function is_first(self)
  return self.config.data_format == "channels_first"
end

-- Gives a class the option; call once its build and call are written. With `flat` the output has no spatial axes
-- (unless the layer keeps them) and is left as it is.
function data_format.add(class, flat)
  class.allowed[#class.allowed + 1] = "data_format"
  class.spec.checks = tables.merge(class.spec.checks, { data_format = check_format })
  local build, call = class.build, class.call
  rawset(class, "build", nil)
  rawset(class, "call", nil)
  if build then
    function class:build(shape)
      if not is_first(self) or #shape < 3 then
        return build(self, shape)
      end
      build(self, tables.join({ shape[1] }, tables.slice(shape, 3), { shape[2] }))
      local spec = self.input_spec
      if spec and spec.axes and spec.axes[-1] then
        self.input_spec = { rank = spec.rank, axes = { [1] = spec.axes[-1] } }
      end
    end
  end
  function class:call(x, options)
    if not is_first(self) or #x.shape < 3 then
      return call(self, x, options)
    end
    local y = call(self, ops.moveaxis(x, 1, -1), options)
    if flat and #y.shape < #x.shape then
      return y
    end
    return ops.moveaxis(y, -1, 1)
  end
  return class
end

return data_format
