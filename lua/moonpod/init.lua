-- moonpod - trains neural networks on replicated TPU-style cores. See docs/lua.md.
--
-- The table has everything, but loads it when it is first asked for.

local pod = {}

pod._VERSION = "0.1.0"

-- Parts that are modules of their own: pod.layers is moonpod.layers.
local parts = {
  "activations", "advisor", "cache", "callbacks", "cluster", "constraints", "core", "data", "datasets", "debug",
  "device", "distribute", "image", "initializers", "layers", "losses", "metrics", "mixed_precision", "models", "nn",
  "optimizers", "random", "regularizers", "schedules",
}
local is_part = {}
for _, name in ipairs(parts) do
  is_part[name] = true
end

-- Names that are functions of other modules: { module, field }, or of a module that is one: { module }.
local functions = {
  tensor = { "tensor", "new" },
  convert_to_tensor = { "tensor", "convert" },
  is_tensor = { "tensor", "is" },
  variable = { "variable", "make" },
  is_variable = { "variable", "is_variable" },
  func = { "func", "new" },
  spec = { "func", "spec" },
  any_size = { "func", "any" },
  masked_loss = { "masked_loss" },
  set_float32_matmul_precision = { "mixed_precision", "set_float32_matmul_precision" },
  get_float32_matmul_precision = { "mixed_precision", "get_float32_matmul_precision" },
  boolean_mask = { "boolean_mask", "select" },
  explain = { "advisor.explain" },
  op_rules = { "advisor.compatibility", "rules" },
  compile_report = { "compile_report", "make" },
  tape = { "tape", "new" },
  gradcheck = { "tape", "gradcheck" },
  sync = { "trace", "sync" },
  auto_strategy = { "cluster", "auto_strategy" },
  devices = { "device", "list" },
  log_placement = { "device", "log_placement" },
  get_strategy = { "distribute", "get_strategy" },
  chips = { "chips", "list" },
  topology = { "topology", "new" },
  padding = { "padding", "measure" },
  advise = { "advisor.file", "advise" },
  memory_info = { "advisor.memory_info", "get" },
}

local function load(name)
  return require("moonpod." .. name)
end

-- What lower floors leave to higher ones.
local function late(module, name)
  return function(...)
    return load(module)[name](...)
  end
end

load "above".provide {
  function_memory_report = late("advisor.model_memory", "of_function"),
  trace_step = late("advisor.step", "trace"),
  report = late("advisor.report", "new"),
  remedies = late("advisor.remedies", "find"),
  apply_remedy = late("advisor.remedies", "apply"),
  model_memory_report = late("advisor.model_memory", "report"),
  find_batch = late("advisor.batch", "find"),
  check_model = late("advisor.compatibility", "check_model"),
  note_memory = late("advisor.memory_info", "note"),
}

-- Tensors are computed by operations, and what a strategy does stands above variables: who gets a tensor or a variable
-- from here has both.
local needs = { tensor = "ops", variable = "distribute" }

local function find(name)
  local entry = functions[name]
  if entry then
    if needs[entry[1]] then
      load(needs[entry[1]])
    end
    local module = load(entry[1])
    return entry[2] and module[entry[2]] or module
  end
  if is_part[name] then
    return load(name)
  end
  return load "ops"[name]
end

local hidden = { methods = true }

setmetatable(pod, {
  __name = "moonpod",
  __index = function(_, name)
    if type(name) ~= "string" or hidden[name] then
      return nil
    end
    local value = find(name)
    if value ~= nil then
      rawset(pod, name, value)
    end
    return value
  end,
  -- The names of all there is, for tools.
  names = function()
    local names = {}
    for _, from in ipairs { functions, is_part, load "ops", pod } do
      for name in pairs(from) do
        names[#names + 1] = not hidden[name] and name or nil
      end
    end
    return names
  end,
})

-- The version of the library that runs.
function pod.version()
  return load "core".version()
end

return pod
