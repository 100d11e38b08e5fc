-- Training: compile, fit, evaluate, predict and the steps they run.
--
-- A step is traced once for one core and compiled with all replicas; `steps_per_execution` steps run in C. Everything
-- goes through pod.func, pod.tape and strategy:run, as a loop of your own would.

local trainer = {}

-- The methods that models have of a file.
local function take(part, names)
  for name in names:gmatch "%S+" do
    trainer[name] = part[name]
  end
end

take(require "moonpod.models.compile", "compile")
take(require "moonpod.models.step", "compute_loss track_loss train_step test_step predict_step")
take(require "moonpod.models.step_functions", "_global_step")
take(require "moonpod.models.metric_logs", "reset_metrics get_metrics_result")
take(require "moonpod.models.fit", "fit")
take(require "moonpod.models.evaluate", "_evaluate_source evaluate predict")
take(require "moonpod.models.on_batch", "train_on_batch test_on_batch predict_on_batch")

return trainer
