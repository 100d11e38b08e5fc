-- layer_hooks - what a layer takes and gives, and their gradients, for functions that look on.

local declare = require "moonpod.base.arguments"
local errors = require "moonpod.base.errors"
local scope = require "moonpod.layers.scope"
local tables = require "moonpod.base.tables"
local value_hooks = require "moonpod.func.value_hooks"

local layer_hooks = {}

local methods = {}

local Hook = { __name = "moonpod.hook", __index = methods }

local KINDS = { "output", "input", "gradient", "input_gradient", "weight_gradients" }
local IS_KIND = tables.set_of(KINDS)

function Hook.__tostring(self)
  return ("<hook of layer '%s': its %s%s>"):format(self._hook.owner.name, self._hook.what,
    self._removed and ", removed" or "")
end

--- Ends the hook: its function is not called any more, and steps are compiled without it again.
--- ```lua
--- local layer, count = pod.layers.dense(2), 0
--- local hook = layer:hook("output", function() count = count + 1 end)
--- layer(pod.ones { 4, 3 })
--- hook:remove()
--- layer(pod.ones { 4, 3 })
--- assert(count == 1)
--- ```
function methods:remove()
  if not self._removed then
    self._removed = true
    tables.remove(self._hook.owner._state.hooks, self._hook)
    value_hooks.remove(self._hook)
  end
end

--- Calls a function with what the layer gives or takes, or with gradients, each time that is computed. That is at once
--- where the layer is called by hand, and behind a run of compiled steps for each of them, and each of its
--- `micro_batches`. Values of all replicas come as one, rows behind rows. A step without hooks has nothing of them;
--- where one comes or goes it is compiled anew. Reports of memory and exported programs leave hooks out.
---@param what "output"|"input"|"gradient"|"input_gradient"|"weight_gradients" of the gradients: those of the loss by
---   the output, by the input, and a table of those by the weights that train, by name, as an optimizer gets them:
---   summed over replicas, before it clips
---@param fn function is called with the value and the layer; it returns nothing
---@param options.measure function what of the value is wanted, traced into the step: from it to a tensor or a table
---   of tensors. On several replicas it sees each one's rows, and what it gives comes one a replica
---@return hook which has `remove()`
--- ```lua
--- local hidden = pod.layers.dense(4, { activation = "relu" })
--- local model = pod.models.sequential { hidden, pod.layers.dense(1) }
--- model:compile { loss = "mse", optimizer = "sgd" }
--- local shares = {}
--- local hook = hidden:hook("output", function(share) shares[#shares + 1] = share:item() end, {
---   measure = function(y) return pod.mean(pod.cast(pod.greater(y, 0), "float32")) end })
--- model:fit(pod.ones { 8, 3 }, pod.ones { 8, 1 }, { batch_size = 4, verbose = 0 })
--- assert(#shares == 2) -- one a step
--- hook:remove()
--- ```
function layer_hooks.hook(self, what, fn, options)
  options = errors.check_options(options, { measure = "function" }, "layer:hook")
  if not IS_KIND[what] then
    errors.raise("layer '%s': a hook sees its %s; got %s%s", self.name, table.concat(KINDS, ", "),
      errors.describe(what), type(what) == "string" and errors.suggest(what, IS_KIND) or "")
  end
  local hook = value_hooks.new(self, what, fn, options.measure)
  local list = self._state.hooks or {}
  self._state.hooks = list
  list[#list + 1] = hook
  return setmetatable({ _hook = hook }, Hook)
end

local function each(self, what, gradients, value)
  for _, hook in ipairs(tables.slice(self._state.hooks)) do
    if hook.what == what then
      value = value_hooks.send(hook, value)
    elseif hook.what == gradients then
      value = value_hooks.send_gradients(hook, value)
    end
  end
  return value
end

-- Runs a layer, with its hooks around it.
function layer_hooks.around(self, inputs, options)
  if not self._state.hooks or not value_hooks.are_called() or scope.in_scratch() then
    return self:run(inputs, options)
  end
  return each(self, "output", "gradient", self:run(each(self, "input", "input_gradient", inputs), options))
end

-- Gives the gradients of weights, by the name of each weight, to hooks of layers that have them.
function layer_hooks.see_weight_gradients(weights, gradients)
  for _, hook in ipairs(value_hooks.are_called() and value_hooks.of "weight_gradients" or {}) do
    local own, found = tables.set_of(hook.owner:get_trainable_weights()), {}
    for i, weight in ipairs(weights) do
      if own[weight] then
        found[weight.name] = gradients[i]
      end
    end
    if next(found) then
      local sent = value_hooks.send(hook, found)
      for i, weight in ipairs(weights) do
        gradients[i] = sent[weight.name] or gradients[i]
      end
    end
  end
end

---@name hook
--- Calls a function with values of a layer, until `remove()`: what `layer:hook` returns.
declare.methods("hook", methods, declare.is(Hook), {})
declare.metamethods("hook", Hook)

return layer_hooks
