-- Training: compile, fit, evaluate, predict and the steps they run.
--
-- A step is traced once for one core and compiled with all replicas; `steps_per_execution` steps run in C. Everything
-- goes through pod.func, pod.tape and strategy:run, as a loop of your own would.

local late = require "moonpod.base.late"
local forward = require "moonpod.models.forward"
local on_batch = require "moonpod.models.on_batch"
local step_functions = require "moonpod.models.step_functions"

local trainer = {
  predict_on_batch = on_batch.predict_on_batch, predict_step = forward.predict_step,
  _global_step = step_functions._global_step,
}

-- The methods that models have of a file, which is loaded when one of them is called.
local function take(load, names)
  for name in names:gmatch "%S+" do
    trainer[name] = late(load, name)
  end
end

take(function() return require "moonpod.models.compile" end, "compile _compiled_loss")
take(function() return require "moonpod.models.step" end, "compute_loss track_loss train_step test_step")
take(function() return require "moonpod.models.metric_logs" end, "reset_metrics get_metrics_result _list_metrics")
take(function() return require "moonpod.models.fit" end, "fit current_run")
take(function() return require "moonpod.models.evaluate" end, "_evaluate_source evaluate predict")
take(function() return require "moonpod.models.train_on_batch" end, "train_on_batch test_on_batch")

return trainer
