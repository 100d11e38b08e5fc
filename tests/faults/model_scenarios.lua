-- model_scenarios - models and checkpoints in files: scenarios as in scenarios.lua, which has what they are added by.

local file = require "moonpod.saving.file"
local names = require "moonpod.base.names"
local pod = require "moonpod"

local function saved_model(seed)
  names.reset()
  pod.random.set_seed(seed)
  local model = pod.models.sequential { pod.layers.dense(3, { input_shape = { 4 } }), pod.layers.dropout(0.5),
    pod.layers.dense(2) }
  model:compile { optimizer = "adam", loss = "mse" }
  model.optimizer:build(model.trainable_weights)
  return model
end

local function values_of(model)
  local values = model:get_weights()
  for _, variable in ipairs(model.optimizer.variables) do
    values[#values + 1] = variable:value()
  end
  return table.unpack(values)
end

return function(add, bits, READING, WRITING)
  local function bits_of(model)
    return bits(values_of(model))
  end

  for _, background in ipairs { false, true } do
    add(background and "write a model behind the caller" or "write a model", WRITING, {
      before = function(folder) saved_model(1):save(folder .. "/a.safetensors") end,
      run = function(folder)
        local written = saved_model(2):save(folder .. "/a.safetensors", { background = background })
        return written and written:wait() or "written"
      end,
      after = function() -- an interrupt ends the waiting, not the writing; whoever reads waits, be it for nothing
        pcall(file.read, "")
      end,
    })
  end

  add("read a model", READING, {
    before = function(folder) saved_model(1):save(folder .. "/a.safetensors") end,
    run = function(folder)
      return bits_of(pod.models.load(folder .. "/a.safetensors"))
    end,
  })

  -- The variables of a run that goes on are all those of before, or all those of the file.
  local restored, before_restore, in_file
  local function restorable(model)
    return pod.train.checkpoint { model = model, optimizer = model.optimizer, step = pod.variable(3) }
  end

  add("restore a checkpoint", READING, {
    before = function(folder)
      local other = saved_model(2)
      in_file = bits_of(other)
      restorable(other):write(folder .. "/a.safetensors")
      restored = saved_model(1)
      before_restore = bits_of(restored)
    end,
    run = function(folder)
      restorable(restored):restore(folder .. "/a.safetensors")
      return bits_of(restored)
    end,
    check = function()
      local now = bits_of(restored)
      assert(now == before_restore or now == in_file, "half of a checkpoint is restored")
    end,
  })
end
