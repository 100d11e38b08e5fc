-- strings - layers that take strings: by hand, and in functions of datasets.

local check = require "moonpod.layers.check"
local errors = require "moonpod.base.errors"
local image_decode = require "moonpod.image.decode"
local readable = require "moonpod.base.readable"
local symbolic = require "moonpod.layers.symbolic"
local tables = require "moonpod.base.tables"
local text_encoder = require "moonpod.layers.text_encoder"

local strings = {}

-- The strings of nested arrays in one list, and the shape of the whole.
local function flatten(value, self, list, shape, depth, level)
  if type(value) == "string" then
    if #shape >= depth then
      check.fail(self, ": strings and arrays of strings stand side by side")
    end
    list[#list + 1] = value
    return
  end
  if not readable.is_plain(value) then
    check.fail(self, " takes a string or an array of strings, not %s", errors.describe(value))
  end
  level = errors.level_below(level, "an array of strings")
  if shape[depth] ~= nil and shape[depth] ~= #value then
    check.fail(self, ": rows have different lengths (%d and %d)", shape[depth], #value)
  end
  shape[depth] = #value
  for _, one in ipairs(value) do
    flatten(one, self, list, shape, depth + 1, level)
  end
end

function strings.flatten(value, self)
  local list, shape = {}, {}
  flatten(value, self, list, shape, 1)
  return list, shape
end

-- A layer's description of its work with bytecode in the place of functions: what threads of a dataset can have.
local function for_threads(self, how)
  local plain = tables.merge(how)
  plain.functions = nil
  for name, fn in pairs(how.functions or {}) do
    local upvalue = debug.getupvalue(fn, 1)
    if upvalue and upvalue ~= "_ENV" or debug.getupvalue(fn, 2) then
      check.fail(self, ": in a mapped function '%s' runs on threads of its own, without what stands around it ('%s'): "
        .. "write what it needs within it", name, upvalue ~= "_ENV" and upvalue or (debug.getupvalue(fn, 2)))
    end
    plain[name] = string.dump(fn)
  end
  return plain
end

-- Makes a class one of strings. of_list(self, list, shape) computes by hand; how(self) describes what text_encoder does
-- for one string and of_one(self, numbers) what becomes of its numbers in the trace of a mapped function, whose type is
-- that of spec(self): dtype, shape (without it, one int64). run: the functions of text_encoder, each with what the one
-- before gave.
function strings.define(class, parts)
  class.__call = function(self, x, options)
    errors.check_options(options, { "training", "mask" }, self.function_name)
    if symbolic.contains(x) then
      check.fail(self, " takes strings, which no program of a model has: apply it to the dataset, "
        .. "ds:map(function(text, label) return layer(text), label end)")
    elseif image_decode.is_stand_in(x) then
      local dtype, shape = "int64", { 1 }
      if parts.spec then
        dtype, shape = parts.spec(self)
      end
      local numbers = x.encode(x, { how = for_threads(self, parts.how(self)), dtype = dtype, shape = shape,
        run = parts.run or { text_encoder.tokens, text_encoder.numbers } })
      return parts.of_one(self, numbers)
    end
    return parts.of_list(self, strings.flatten(x, self))
  end
end

return strings
