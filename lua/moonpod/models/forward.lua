-- forward - the outputs of a model, and one step of prediction, as it is traced for one core.

local forward = {}

-- Calls a model with the training flag; losses of an earlier call are forgotten.
function forward.run(self, x, training)
  self:reset_losses()
  return self(x, { training = training })
end

--- One step of prediction; returns the outputs.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 3 } }) }
--- model.predict_step = function(self, data) return self(data[1]) * 0 end
--- assert(model:predict(pod.ones { 4, 3 }, { verbose = 0 }):sum():item() == 0)
--- ```
function forward:predict_step(data)
  return forward.run(self, data[1], false)
end

return forward
