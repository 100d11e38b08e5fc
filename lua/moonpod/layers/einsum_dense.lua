-- A dense layer over any axes, given by an einsum equation: "abc,cd->abd".

local activations = require "moonpod.layers.activations"
local check = require "moonpod.layers.check"
local errors = require "moonpod.base.errors"
local layer = require "moonpod.layers.layer"
local ops = require "moonpod.ops"
local parts = require "moonpod.layers.parts"

local function check_equation(value)
  if type(value) ~= "string" or not value:find "^[%a.]+,%a+%->[%a.]+$" then
    return 'must be an equation of input and kernel such as "abc,cd->abd"'
  end
end

local function check_output_shape(value)
  if type(value) == "number" then
    return check.positive_integer(value)
  elseif type(value) ~= "table" then
    return "must be a size or a list of sizes (-1: taken from the input)"
  end
  for _, size in ipairs(value) do
    if size ~= -1 and check.positive_integer(size) then
      return "must hold whole numbers from 1, or -1 for what the input says"
    end
  end
end

---@name pod.layers.einsum_dense
--- A dense layer whose product an equation says, as `pod.einsum` has it: `"abc,cd->abd"` is `dense` of inputs with
--- three axes, `"...x,xy->...y"` of any.
---@param options.equation string input and kernel before the arrow, the output behind it
---@param options.output_shape integer|integer[] the output's shape without the batch; -1 where the input has the size
---@param options.bias_axes string letters of the output's axes that a bias has; without them there is none
---@return layer
---@error the equation does not fit the shape of the input
---@example pod.layers.einsum_dense("abc,cd->abd", { -1, 2 })(pod.ones { 4, 5, 3 }).shape --> (4, 5, 2)
local einsum_dense = layer.define {
  name = "EinsumDense",
  float_inputs = true,
  arguments = { "equation", "output_shape" },
  weights = { kernel = "glorot_uniform", bias = "zeros" },
  optional = { "activation" },
  checks = { equation = check_equation, output_shape = check_output_shape, bias_axes = function(value)
    if type(value) ~= "string" or not value:find "^%a+$" then
      return "must be letters of the result's axes"
    end
  end },
  example = 'layers.einsum_dense("abc,cd->abd", { -1, 64 }, { bias_axes = "d" })',
}

function einsum_dense:setup(config)
  self._activation = activations.get(config.activation, "layers.einsum_dense")
end

local SPARE = "ZYXWVUTSRQPONMLKJIHGFEDCBA"

-- The letters of input, kernel and result; "..." becomes letters for the axes that it stands for.
local function letters_of(self, rank)
  local input, kernel, output = self.config.equation:match "^([%a.]+),(%a+)%->([%a.]+)$"
  local dots = rank - #input:gsub("%.", "")
  local free = SPARE:sub(1, math.max(dots, 0))
  input, output = input:gsub("%.%.%.", free), output:gsub("%.%.%.", free)
  if #input ~= rank or input:find("%.") or output:find("%.") then
    check.fail(self, ": the equation %s does not fit an input of %d axes", self.config.equation, rank)
  end
  return input, kernel, output
end

function einsum_dense:build(shape)
  local config = self.config
  local input, kernel, output = letters_of(self, #shape)
  local sizes, given = {}, config.output_shape
  given = type(given) == "table" and given or { given }
  for i = 1, #input do
    sizes[input:sub(i, i)] = shape[i]
  end
  -- The output shape leaves out the batch; what stands in both must agree.
  for i = 1, #given do
    local letter = output:sub(#output - #given + i, #output - #given + i)
    if letter == "" then
      check.fail(self, ": output_shape %s has more axes than the result '%s' without the batch", errors.describe(given),
        output)
    elseif given[i] ~= -1 then
      if sizes[letter] and sizes[letter] ~= -1 and sizes[letter] ~= given[i] then
        check.fail(self, ": axis '%s' has size %d in the input and %d in output_shape", letter, sizes[letter], given[i])
      end
      sizes[letter] = given[i]
    end
  end
  local function shape_of(letters, what)
    local out = {}
    for i = 1, #letters do
      local size = sizes[letters:sub(i, i)]
      if not size or size == -1 then
        check.fail(self, ": the size of axis '%s' of the %s is not known: it must be in the input or in output_shape",
          letters:sub(i, i), what)
      end
      out[i] = size
    end
    return out
  end
  -- Axes of the kernel that the result has are a unit's outputs.
  local kernel_shape, fans = shape_of(kernel, "kernel"), { 1, 1 }
  for i, size in ipairs(kernel_shape) do
    local place = output:find(kernel:sub(i, i), 1, true) and 2 or 1
    fans[place] = fans[place] * size
  end
  self.kernel = parts.weight(self, "kernel", kernel_shape, { fans = fans })
  if config.bias_axes then
    -- Axes of the result from the first one with a bias on; those without have size 1.
    local bias, begun = {}, false
    for i = 1, #output do
      local letter = output:sub(i, i)
      if config.bias_axes:find(letter, 1, true) then
        bias[#bias + 1], begun = shape_of(letter, "bias")[1], true
      elseif begun then
        bias[#bias + 1] = 1
      end
    end
    if not begun then
      check.fail(self, ": no axis of bias_axes '%s' is in the result '%s'", config.bias_axes, output)
    end
    self.bias = parts.weight(self, "bias", bias)
  end
end

function einsum_dense:call(x)
  local input, kernel, output = letters_of(self, #x.shape)
  local y = ops.einsum(input .. "," .. kernel .. "->" .. output, x, ops.cast(self.kernel:value(), x.dtype))
  if self.bias then
    y = y + ops.cast(self.bias:value(), x.dtype)
  end
  return self._activation(y)
end

return { einsum_dense = einsum_dense }
