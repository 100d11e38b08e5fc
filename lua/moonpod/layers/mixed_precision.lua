--- Which types layers compute in and keep their weights in: "mixed_bfloat16" computes in bfloat16 with float32 weights,
--- as TPUs do. `pod.mixed_precision.set_global_policy(name)` sets it for all layers made from then on.
---@example pod.mixed_precision.policy("mixed_bfloat16").compute_dtype --> "bfloat16"

-- mixed_precision - which types layers compute in and keep their variables in.

local above = require "moonpod.base.above"
local device = require "moonpod.tensor.device"
local declare = require "moonpod.base.arguments"
local errors = require "moonpod.base.errors"
local global_state = require "moonpod.base.global_state"
local trace = require "moonpod.tensor.trace"

local mixed_precision = {}

local Policy = { __name = "moonpod.dtype_policy" }
Policy.__index = Policy

-- name -> { compute type, variable type }
local known = {
  float32 = { "float32", "float32" },
  float64 = { "float64", "float64" },
  float16 = { "float16", "float16" },
  bfloat16 = { "bfloat16", "bfloat16" },
  mixed_float16 = { "float16", "float32" },
  mixed_bfloat16 = { "bfloat16", "float32" },
}

local policies = {}

function Policy:__tostring()
  return ('<DTypePolicy "%s">'):format(self.name)
end

---@name policy:get_config
--- Its name, as plain data.
---@example pod.mixed_precision.policy("mixed_bfloat16"):get_config().name --> "mixed_bfloat16"
Policy.get_config = above.doing "get_config"

---@name pod.mixed_precision.is_policy
--- Whether a value is a policy.
---@example pod.mixed_precision.is_policy("float32") --> false
mixed_precision.is_policy = declare.is(Policy)

--- Returns the policy of a name (a policy is returned as it is; nil gives the global one).
---@example pod.mixed_precision.get_policy("mixed_bfloat16").variable_dtype --> "float32"
function mixed_precision.policy(name)
  if name == nil then
    return mixed_precision.global_policy()
  end
  if mixed_precision.is_policy(name) then
    return name
  end
  local types = errors.find(known, name, "dtype policy")
  if not policies[name] then
    policies[name] = setmetatable({
      name = name,
      compute_dtype = types[1],
      variable_dtype = types[2],
    }, Policy)
  end
  return policies[name]
end
mixed_precision.get_policy = mixed_precision.policy

local global = global_state.new("dtype policy", nil)

--- The policy of layers that are given none.
---@example pod.mixed_precision.global_policy().compute_dtype --> "float32"
function mixed_precision.global_policy()
  return global.value or mixed_precision.policy "float32"
end

--- Sets the policy of layers made from now on. float16 on a TPU draws a warning: its units are for bfloat16.
--- ```lua
--- pod.mixed_precision.set_global_policy "mixed_bfloat16"
--- assert(pod.layers.dense(1):compute_dtype() == "bfloat16")
--- pod.mixed_precision.set_global_policy "float32"
--- ```
function mixed_precision.set_global_policy(name)
  local policy = mixed_precision.policy(name)
  global:become(policy.name ~= "float32" and policy or nil)
  if policy.compute_dtype == "float16" and #device.list "TPU" > 0 then
    mixed_precision.warn(("moonpod: warning: policy '%s' on a TPU: its units compute in bfloat16, which needs no "
      .. "loss scaling; use 'mixed_bfloat16'"):format(policy.name))
  end
  return policy
end

-- ---- products of float32 -------------------------------------------------------------------------------------------

local PRECISIONS = { highest = true, high = true, default = true }

--- Says how exactly matrix products and convolutions of float32 operands, and their gradients, are computed that
--- are called from now on. "highest" is float32, the default here. "high" is three passes of bfloat16 where a CPU is
--- faster so, of which about 16 bits of the mantissa count; else it is as "highest". "default" is one pass, 8 bits, as
--- a TPU does unless told otherwise.
--- ```lua
--- pod.set_float32_matmul_precision "high"
--- pod.set_float32_matmul_precision "highest"
--- ```
function mixed_precision.set_float32_matmul_precision(name)
  if not PRECISIONS[name] then
    errors.raise("set_float32_matmul_precision: there is no precision %s; it is \"highest\", \"high\" or \"default\"",
      errors.describe(name))
  end
  trace.set_matmul_precision(name)
end

--- What set_float32_matmul_precision() has set.
---@example pod.get_float32_matmul_precision() --> "highest"
function mixed_precision.get_float32_matmul_precision()
  return trace.matmul_precision()
end

--- Receives warnings: replaced by hosts.
--- ```lua
--- local said, before = nil, pod.mixed_precision.warn
--- pod.mixed_precision.warn = function(line) said = line end
--- pod.mixed_precision.warn "rounded"
--- pod.mixed_precision.warn = before
--- assert(said == "rounded")
--- ```
function mixed_precision.warn(line)
  io.stderr:write(line, "\n")
end

---@name pod.mixed_precision.compare
--- The losses of one model that is trained under several policies, with the same seed and batches. It prints.
---@param make function that makes and compiles the model, each time the same
---@param dataset dataset of batches; it begins anew when it ends
---@param options.steps integer (default 100)
---@param options.policies string[] the first is compared with (default: float32 and mixed_bfloat16)
---@param options.seed integer (default 0)
---@return table with `names`, `losses` of each step by policy, `max_divergence`, `max_relative`, `step` and `setting`
---@see pod.advisor.twins
--- ```lua
--- local ds = pod.data.from_tensor_slices({ pod.ones { 4, 3 }, pod.zeros { 4, 1 } }):batch(2)
--- local compared = pod.mixed_precision.compare(function()
---   local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 3 } }) }
---   model:compile { loss = "mse" }
---   return model
--- end, ds, { steps = 2 })
--- assert(#compared.losses.float32 == 2)
--- ```
mixed_precision.compare = above.doing "compare_policies"

declare.methods("policy", Policy, mixed_precision.is_policy)
declare.metamethods("policy", Policy)
declare.functions("mixed_precision", mixed_precision, { ["line:string"] = "warn" })

return mixed_precision
