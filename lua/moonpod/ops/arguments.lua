-- ops_arguments - what each operation takes; the operations themselves are in ops and ops_*. As functions of pod and as
-- methods of tensors they are the same.

local declare = require "moonpod.base.arguments"

local SIGNATURES = {
  ["x"] = [[square reciprocal relu softplus sinh cosh log2 log10 atan asin acos asinh acosh atanh trunc is_nan is_inf
    logical_not bitwise_not flatten stop_gradient barrier floating]],
  ["a b"] = [[floor_divide mod squared_difference divide_no_nan logical_and logical_or logical_xor bitwise_and
    bitwise_or bitwise_xor left_shift right_shift equal not_equal less less_equal greater greater_equal dot outer
    pair]],
  ["x dtype"] = "cast bitcast",
  ["a:dtype b:dtype"] = "promote",
  ["condition a:tensor? b:tensor?"] = "where",
  ["x low:tensor high:tensor"] = "clip",
  ["a b options?"] = "allclose matmul",
  ["a b axes?"] = "tensordot",
  ["equation:string"] = "einsum",

  ["shape? value:tensor dtype:dtype_or_options?"] = "full",
  ["x dtype?"] = "zeros_like ones_like",
  ["x value:tensor dtype?"] = "full_like",
  ["shape axis? dtype?"] = "iota",
  ["start:number stop:number count:count? options?"] = "linspace",
  ["rows:count columns:count_or_options? options?"] = "eye",
  ["indices depth:count options?"] = "one_hot",
  ["x k:integer?"] = "tril triu",
  ["x k:count?"] = "top_k",
  ["targets:tensor predictions:tensor k:count?"] = "in_top_k",

  ["x axis:axes? options:boolean_or_options?"] = [[sum prod max min any all mean var std moments norm logsumexp
    count_nonzero]],
  ["x axis? options?"] = "argmax argmin sort argsort cumsum",
  ["x axis?"] = "softmax log_softmax unstack dimension_size",

  ["x shape"] = "broadcast_to",
  ["x shape?"] = "reshape",
  ["x axes?"] = "transpose",
  ["x axis"] = "expand_dims",
  ["x axis:axes?"] = "squeeze flip",
  ["x a:integer b:integer"] = "swapaxes",
  ["x from:integer to:integer"] = "moveaxis",
  ["list:tensors axis?"] = "concat concatenate stack",
  ["x axis low:integer high:integer step:integer?"] = "slice_axis",
  ["x low:integers size:integers"] = "slice",
  ["x parts:shape axis?"] = "split",
  ["x repeats:shape"] = "tile",
  ["x count axis?"] = "repeat_",
  ["x shift:integer axis?"] = "roll",
  ["x paddings:pairs options?"] = "pad",

  ["x index:integer"] = "row",
  ["x indices:index"] = "index at",
  ["x indices:index value:tensor"] = "index_update",
  ["x indices axis:axes? options?"] = "gather take",
  ["x indices axis?"] = "take_along_axis",
  ["x indices updates:tensor axis? kind:string?"] = "scatter",
  ["x indices count"] = "segment_sum",
  ["x starts:tensors size:integers"] = "dynamic_slice",
  ["x update:tensor starts:tensors"] = "dynamic_update_slice",

  ["predicate:tensor on_true:function on_false:function?"] = "cond",
  ["condition:function body:function state:tensors options?"] = "while_loop",
  ["fn"] = "custom_gradient remat",
  ["x list:tensors"] = "after",
  ["t condition message:string?"] = "check",
}

for _, op in ipairs(require "moonpod.ops.from_table") do
  local signature = op.operands == 1 and "x" or "a b"
  SIGNATURES[signature] = SIGNATURES[signature] .. " " .. op.name
end

-- Puts the operations that test their arguments in the place of those in `ops` and its methods.
return function(ops)
  declare.functions("", ops, SIGNATURES)
  for name in pairs(ops.methods) do
    ops.methods[name] = ops[name] or ops.cast -- t:type() and t:astype() are casts
  end
end
