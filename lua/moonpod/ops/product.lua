-- ops_product - products over axes: matmul, tensordot, einsum.

local errors = require "moonpod.base.errors"
local ops = require "moonpod.ops.elementwise"
local shapes = require "moonpod.base.shapes"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.tensor.trace"

local convert, call, apply = tensor.convert, trace.call, trace.apply

-- The letters of one operand of an equation, with the axis (from 0) that each is.
local function letters_of(term)
  local list, axis_of = {}, {}
  for letter in term:gmatch("%a") do
    if axis_of[letter] then
      errors.raise("einsum: '%s' stands twice in '%s'; diagonals are not supported", letter, term)
    end
    list[#list + 1] = letter
    axis_of[letter] = #list - 1
  end
  return list, axis_of
end

local function read_equation(equation, count)
  local inputs, output = equation:gsub("%s", ""):match("^([%a,]*)%->(%a*)$")
  if not inputs then
    errors.raise("einsum: '%s' is no equation like 'ij,jk->ik' (letters only, with ->)", equation)
  end
  local terms = {}
  for term in (inputs .. ","):gmatch("(%a*),") do
    terms[#terms + 1] = term
  end
  if #terms ~= count then
    errors.raise("einsum: '%s' has %d operands, %d are given", equation, #terms, count)
  end
  return terms, output
end

--- Multiplies matrices as NumPy's matmul.
---@param options.transpose_a boolean whether the last two axes of a are exchanged
---@param options.transpose_b boolean whether those of b are
---@example pod.matmul({ { 1, 2 } }, { { 3 }, { 4 } }) --> { { 11 } }
function ops.matmul(a, b, options)
  options = errors.check_options(options, { transpose_a = true, transpose_b = true }, "matmul")
  a, b = ops.pair(a, b)
  if options.transpose_a then
    a = ops.swapaxes(a, -1, -2)
  end
  if options.transpose_b then
    b = ops.swapaxes(b, -1, -2)
  end
  return call("matmul", a, b)
end
--- NumPy's dot: the last axis of a with the last but one of b.
---@example pod.dot({ 1, 2 }, { 3, 4 }):item() --> 11
function ops.dot(a, b)
  a, b = ops.pair(a, b)
  if #a.shape == 0 or #b.shape == 0 then
    return a * b
  end
  if #b.shape <= 2 then
    return call("matmul", a, b)
  end
  return ops.tensordot(a, b, { { -1 }, { -2 } })
end

--- Each element of a times each of b: a matrix.
---@example pod.outer({ 1, 2 }, { 3, 4 }) --> { { 3, 4 }, { 6, 8 } }
function ops.outer(a, b)
  return ops.expand_dims(ops.flatten(a), 1) * ops.expand_dims(ops.flatten(b), 0)
end

--- Sums products over axes: a number (the last of a with the first of b) or { axes of a, axes of b }.
---@example pod.tensordot({ { 1, 2 } }, { { 3 }, { 4 } }, 1) --> { { 11 } }
function ops.tensordot(a, b, axes)
  a, b = ops.pair(a, b)
  local left, right = {}, {}
  if type(axes or 2) == "number" then
    for i = 1, axes or 2 do
      left[i], right[i] = #a.shape - (axes or 2) + i - 1, i - 1
    end
  else
    local first = type(axes[1]) == "number" and { axes[1] } or axes[1]
    local second = type(axes[2]) == "number" and { axes[2] } or axes[2]
    if type(first) ~= "table" or type(second) ~= "table" or #first ~= #second then
      errors.raise("tensordot: axes are a number or { axes of a, axes of b }, as many of each, not %s",
        errors.describe(axes))
    end
    for i = 1, #first do
      left[i] = shapes.place(first[i], #a.shape, "tensordot") - 1
      right[i] = shapes.place(second[i], #b.shape, "tensordot") - 1
    end
  end
  return apply("dot", { a, b },
    { lhs_batch = {}, rhs_batch = {}, lhs_contract = left, rhs_contract = right })
end

-- Sums away the letters of x that are not in `keep`.
local function drop_letters(x, term, keep)
  local list = letters_of(term)
  local axes, rest = {}, {}
  for i, letter in ipairs(list) do
    if keep:find(letter, 1, true) then
      rest[#rest + 1] = letter
    else
      axes[#axes + 1] = i - 1
    end
  end
  return #axes > 0 and ops.sum(x, axes) or x, table.concat(rest)
end

-- One product of two terms; `keep` are the letters still needed. Returns tensor and term.
local function contract(a, a_term, b, b_term, keep)
  a, a_term = drop_letters(a, a_term, keep .. b_term)
  b, b_term = drop_letters(b, b_term, keep .. a_term)
  local a_letters, a_axis = letters_of(a_term)
  local b_letters, b_axis = letters_of(b_term)
  local attributes = { lhs_batch = {}, rhs_batch = {}, lhs_contract = {}, rhs_contract = {} }
  local batch, free = {}, {}
  for _, letter in ipairs(a_letters) do
    if not b_axis[letter] then
      free[#free + 1] = letter
    else
      local kind = keep:find(letter, 1, true) and "batch" or "contract"
      table.insert(attributes["lhs_" .. kind], a_axis[letter])
      table.insert(attributes["rhs_" .. kind], b_axis[letter])
      if kind == "batch" then
        batch[#batch + 1] = letter
      end
    end
  end
  for _, letter in ipairs(b_letters) do
    if not a_axis[letter] then
      free[#free + 1] = letter
    end
  end
  return apply("dot", { a, b }, attributes), table.concat(batch) .. table.concat(free)
end

--- einsum("bij,bjk->bik", a, b): any number of operands, from the left.
---@example pod.einsum("ij,j->i", { { 1, 2 }, { 3, 4 } }, { 1, 1 }) --> { 3, 7 }
function ops.einsum(equation, ...)
  local operands = { ... }
  local terms, output = read_equation(equation, #operands)
  local dtype
  for i = 1, #operands do
    operands[i] = convert(operands[i])
    if #operands[i].shape ~= #terms[i] then
      errors.raise("einsum: '%s' names %d axes, but the operand has shape %s", terms[i], #terms[i],
        tostring(operands[i].shape))
    end
    dtype = dtype and ops.promote(dtype, operands[i].dtype) or operands[i].dtype
  end
  local result, term = ops.cast(operands[1], dtype), terms[1]
  for i = 2, #operands do
    local keep = output .. table.concat(terms, "", i + 1)
    result, term = contract(result, term, ops.cast(operands[i], dtype), terms[i], keep)
  end
  result, term = drop_letters(result, term, output)
  local _, axis_of = letters_of(term)
  local axes, moved = {}, false
  for letter in output:gmatch("%a") do
    if not axis_of[letter] then
      errors.raise("einsum: '%s' of the result is in no operand of '%s'", letter, equation)
    end
    axes[#axes + 1] = axis_of[letter]
    moved = moved or axis_of[letter] ~= #axes - 1
  end
  return moved and ops.transpose(result, axes) or result
end

return ops
