--- What a program would take of a TPU, said before there is one: memory, what a chip refuses, what would need less. See
--- docs/guides/advise.md.

-- advisor - what a program would take of a TPU, said before there is one.

local advisor = { memory_info = require("moonpod.tpu.memory_info").get }

-- Names that are functions of the parts, loaded when they are first used.
local elsewhere = {
  batch_rules = { "batch", "rules" },
  find = { "find", "find" },
  lr_find = { "lr_find", "run" },
  sensitivity = { "sensitivity", "table" },
  twins = { "twins", "run" },
  verify_equivalence = { "equivalence", "compare" },
  scaling = { "scaling", "table" },
  whatif = { "whatif", "table" },
  advise = { "file", "advise" },
}

return setmetatable(advisor, {
  __index = function(_, name)
    local entry = elsewhere[name]
    if entry then
      local value = require("moonpod.advisor." .. entry[1])[entry[2]]
      advisor[name] = value
      return value
    end
  end,
})
