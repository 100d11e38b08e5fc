--- What loops of one's own need besides the loop: checkpoints of models, optimizers, variables, metrics and iterators,
--- and a manager that keeps the last so many.

-- train - pod.train: what loops of one's own need besides the loop.

local late = require "moonpod.base.late"

local train = {}

---@name pod.train.checkpoint
--- A checkpoint of models, optimizers, variables, metrics and iterators by name: see moonpod.saving.checkpoint.
--- ```lua
--- local v = pod.variable(1)
--- local path = pod.train.checkpoint({ v = v }):save(os.tmpname() .. ".safetensors")
--- v:assign(2)
--- pod.train.checkpoint({ v = v }):restore(path)
--- assert(v:value():item() == 1)
--- os.remove(path)
--- ```
train.checkpoint = late(function() return require "moonpod.saving.checkpoint" end, "new")

---@name pod.train.checkpoint_manager
--- Numbered checkpoints in a folder, of which the last ones stay.
---@param options.checkpoint checkpoint what is kept: `pod.train.checkpoint { ... }`
---@param options.directory string the folder
---@param options.max_to_keep integer how many stay
---@param options.keep_checkpoint_every_n_hours number one of so many hours stays for good
---@param options.checkpoint_name string what names of files begin with (default "ckpt")
---@param options.step_counter variable counts the steps
---@param options.checkpoint_interval integer saves only so many steps after the last one
---@param options.init_fn function `restore_or_initialize()` calls it where there is nothing to restore
---@return checkpoint_manager
--- ```lua
--- local manager = pod.train.checkpoint_manager { checkpoint = pod.train.checkpoint { v = pod.variable(1) },
---   directory = os.tmpname() .. "_kept", max_to_keep = 2 }
--- for _ = 1, 3 do manager:save() end
--- assert(#manager.checkpoints == 2)
--- ```
train.checkpoint_manager = late(function() return require "moonpod.saving.checkpoint_manager" end, "new")

return train
