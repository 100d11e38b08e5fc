--- Moonpod trains neural networks on replicated TPU-style cores: `require "moonpod"` gives this table. It has the
--- functions of tensors (`pod.exp`, `pod.matmul`, also methods: `x:exp()`), and parts: `pod.layers`, `pod.models`,
--- `pod.losses`, `pod.metrics`, `pod.optimizers`, `pod.callbacks`, `pod.data` and others. Each is loaded when it is
--- first named.
---@param options.dtype string the type of the result
---@param options.seed integer makes what is drawn the same each time
---@param options.keepdims boolean whether axes that are reduced stay with size 1
---@param options.axis integer the axis that it works along
---@param options.name string what messages call it
---@param options.custom_objects table classes and functions by name that are not Moonpod's own
---@param options.chip string|chip the chip that is meant, as "v5e"
---@param options.policy string|policy the dtype policy that is meant
---@param options.strategy strategy the strategy that it belongs to
---@param options.descending boolean whether the largest come first
---@example pod.tensor({ 1, 2 }) + 1 --> { 2, 3 }

-- moonpod - trains neural networks on replicated TPU-style cores. See docs/reference/lua.md.
--
-- The table has everything, but loads it when it is first asked for.

local pod = {}

pod._VERSION = "0.1.0"

-- LuaJIT before its rolling releases of 2025 leaves out what a loop has just stored (it fuses loads across stores that
-- add a key), so that sums and counts come out wrong. There our own functions are interpreted.
local function is_faulty(jit)
  local stamp = jit.version:match "^LuaJIT 2%.1%.(%d%d%d%d%d%d%d%d%d+)$"
  return not stamp or tonumber(stamp) < 1737090214
end

local is_interpreted = type(rawget(_G, "jit")) == "table" and is_faulty(jit)
local searchers, search = rawget(package, "searchers") or rawget(package, "loaders"), rawget(package, "searchpath")

-- The folder of this file, and of all modules.
local folder = debug and debug.getinfo(1, "S").source:match "^@(.*)init%.lua$"

-- A module's chunk as the build has compiled it, or nil.
local compiled
local function load_compiled(name)
  if compiled == nil then
    local core = require "moonpod.core"
    compiled = core.compiled_modules and core.compiled_modules() or false
  end
  return compiled and folder and compiled:load(name, folder)
end

-- On Windows Lua makes "\" of the points in a module's name; what a function's source is compared with has "/".
local has_other_slash = (rawget(package, "config") or "/"):sub(1, 1) ~= "/"

local function load_text(name)
  local path = search(name, package.path, ".", "/")
  if path then
    local chunk, message = loadfile(path)
    if not chunk then
      error(("error loading module '%s' from file '%s':\n\t%s"):format(name, path, message), 0)
    end
    return chunk
  end
end

if is_interpreted then
  jit.off(true, true)
end
if searchers and search then
  table.insert(searchers, 2, function(name)
    if name:find "^moonpod%." and name ~= "moonpod.core" then
      local chunk = load_compiled(name) or (is_interpreted or has_other_slash) and load_text(name) or nil
      if chunk and is_interpreted then
        jit.off(chunk, true)
      end
      return chunk
    end
  end)
end

-- Parts that are modules of their own: pod.cluster is moonpod.tpu.cluster.
local parts = {
  activations = "layers.activations", advisor = "advisor", applications = "applications",
  callbacks = "callbacks",
  cluster = "tpu.cluster", constraints = "layers.constraints", core = "core", data = "data",
  datasets = "datasets", debug = "tensor.debug", device = "tensor.device", distribute = "distribute",
  image = "image", initializers = "layers.initializers", layers = "layers", losses = "losses", metrics = "metrics",
  mixed_precision = "layers.mixed_precision", models = "models", nn = "ops.nn", optimizers = "optimizers",
  plot = "plot", profiler = "profiler", random = "func.random", regularizers = "layers.regularizers",
  sandbox = "sandbox", schedules = "optimizers.schedules", session = "session", summary = "summary",
  train = "saving.train", utils = "utils",
}

-- Names that are functions of other modules: { module, field }, or of a module that is one: { module }.
local functions = {
  tensor = { "tensor", "new" },
  convert_to_tensor = { "tensor", "convert" },
  is_tensor = { "tensor", "is" },
  print_options = { "tensor", "print_options" },
  display = { "display", "display" },
  variable = { "func.variable", "make" },
  is_variable = { "func.variable", "is_variable" },
  func = { "func", "new" },
  spec = { "func", "spec" },
  any_size = { "func", "any" },
  masked_loss = { "losses.masked" },
  set_float32_matmul_precision = { "layers.mixed_precision", "set_float32_matmul_precision" },
  get_float32_matmul_precision = { "layers.mixed_precision", "get_float32_matmul_precision" },
  boolean_mask = { "ops.boolean_mask", "select" },
  explain = { "advisor.explain" },
  op_rules = { "advisor.compatibility", "rules" },
  compile_report = { "func.compile_report", "make" },
  tape = { "func.tape", "new" },
  gradcheck = { "func.tape", "gradcheck" },
  sync = { "tensor.trace", "sync" },
  auto_strategy = { "tpu.cluster", "auto_strategy" },
  devices = { "tensor.device", "list" },
  log_placement = { "tensor.device", "log_placement" },
  get_strategy = { "distribute", "get_strategy" },
  chips = { "tpu.chips", "list" },
  add_chip = { "tpu.chips", "add" },
  add_chips = { "tpu.chips", "add_file" },
  topology = { "tpu.topology", "new" },
  padding = { "tpu.padding", "measure" },
  advise = { "advisor.file", "advise" },
  memory_info = { "tpu.memory_info", "get" },
  suitability = { "advisor.suitability", "judge" },
  register = { "saving.registry", "register" },
  register_layer = { "saving.registry", "register_layer" },
  serialize = { "saving.objects", "serialize" },
  deserialize = { "saving.objects", "deserialize" },
  load_exported = { "saving.exported", "load" },
  help = { "help", "show" },
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

local late_functions = {
  module = load,
  export_function = late("saving.export", "of_function"),
  export_model = late("saving.export", "of_model"),
  function_memory_report = late("advisor.model_memory", "of_function"),
  report = late("advisor.report", "new"),
  remedies = late("advisor.remedies", "find"),
  apply_remedy = late("advisor.remedies", "apply"),
  model_memory_report = late("advisor.model_memory", "report"),
  model_projection = late("advisor.model_memory", "projection"),
  model_advice = late("advisor.advice", "find"),
  compare_policies = late("advisor.twins", "of_policies"),
  function_projection = late("advisor.model_memory", "function_projection"),
  find_batch = late("advisor.batch", "find"),
  save_model = late("saving.model_file", "save"),
  load_model = late("saving.model_file", "load"),
  model_to_string = late("saving.model_file", "to_string"),
  model_from_string = late("saving.model_file", "from_string"),
  weights_to_string = late("saving.weights", "to_string"),
  weights_from_string = late("saving.weights", "from_string"),
  save_weights = late("saving.weights", "save"),
  load_weights = late("saving.weights", "load"),
  check_model = late("advisor.compatibility", "check_model"),
  profile_batches = late("profiler", "batches"),
  memory_info = late("tpu.memory_info", "get"),
  card = late("display", "card"),
  function_card = late("help", "card"),
  elsewhere = function(name)
    return load "help.elsewhere".find(name, pod)
  end,
  clone_model = late("saving.clone", "model"),
  get_config = late("saving.objects", "config_of"),
  from_config = late("saving.objects", "from_config"),
  deserialize = late("saving.objects", "deserialize"),
  model_to_json = late("saving.architecture", "to_json"),
  model_from_json = late("saving.architecture", "from_json"),
  model_from_config = late("saving.architecture", "from_config"),
}

-- Tensors are computed by operations, and what a strategy does stands above variables: who gets a tensor or a variable
-- from here has both.
local needs = { tensor = "ops", ["func.variable"] = "distribute" }

local hidden = { methods = true }

-- Names that are nobody's to miss: those with an underscore in front, as tools that look into any table ask for.
local function is_private(name)
  return type(name) ~= "string" or name:sub(1, 1) == "_"
end

-- The public names of a table.
local function names_in(module)
  local names = {}
  for name in pairs(module) do
    names[#names + 1] = not is_private(name) and name or nil
  end
  return names
end

-- How a part prints: by what is in it.
local function text_of_part(part, names)
  local lines, line = {}, part .. ":"
  table.sort(names)
  for i, name in ipairs(names) do
    local word = " " .. name .. (i < #names and "," or "")
    if #line + #word > 80 then
      lines[#lines + 1], line = line, " "
    end
    line = line .. word
  end
  lines[#lines + 1] = line
  lines[#lines + 1] = ("?%s tells what each is"):format(part)
  return table.concat(lines, "\n")
end

local function print_as_part(part, module)
  local meta = getmetatable(module)
  if type(meta) == "table" and rawget(meta, "__tostring") == nil then
    meta.__tostring = function()
      local names, list = load("help.reflect").names(module), {}
      for name in pairs(names) do
        list[#list + 1] = not is_private(name) and name or nil
      end
      return text_of_part("pod." .. part, list)
    end
  end
  return module
end

-- Lets a part say what is in it where it is called.
local function refuse_call(module)
  local meta = getmetatable(module)
  if type(meta) == "table" and rawget(meta, "__call") == nil then
    meta.__name = rawget(meta, "__name") or "moonpod.part"
    meta.__call = function()
      load "base.errors".raise("this is a part, and no function:\n%s", tostring(module))
    end
  end
  return module
end

-- Lets a part refuse names that it has not. Those that load their names when they are asked for do so themselves.
local function refuse_unknown(part, module)
  local meta = type(module) == "table" and (getmetatable(module) or {})
  if type(meta) == "table" and rawget(meta, "__index") == nil then
    meta.__index = function(_, name)
      if not is_private(name) then
        local errors = load "base.errors"
        errors.raise("there is no pod.%s.%s%s", part, name, errors.suggest_name(name, names_in(module)))
      end
    end
    setmetatable(module, meta)
  end
  return module
end

local function find(name)
  if late_functions then -- require "moonpod" loads nothing else
    load "base.above".provide(late_functions)
    late_functions = nil
  end
  local entry = functions[name]
  if entry then
    if needs[entry[1]] then
      load(needs[entry[1]])
    end
    local module = load(entry[1])
    return entry[2] and module[entry[2]] or module
  end
  if parts[name] then
    if name == "optimizers" then
      find "schedules" -- which are a field of it, too
    end
    local part = load(parts[name])
    return name == "core" and part or refuse_call(print_as_part(name, refuse_unknown(name, part)))
  end
  return load "ops"[name]
end

-- The public names of all there is.
local function names_of_all()
  local names = {}
  for _, from in ipairs { functions, parts, load "ops", pod } do
    for _, name in ipairs(names_in(from)) do
      names[#names + 1] = not hidden[name] and name or nil
    end
  end
  return names
end

setmetatable(pod, {
  __name = "moonpod",
  __index = function(_, name)
    if is_private(name) then
      return nil
    end
    local value = not hidden[name] and find(name)
    if not value then
      local errors = load "base.errors"
      errors.raise("there is no pod.%s%s", name, errors.suggest_name(name, names_of_all()))
    end
    pod[name] = value
    return value
  end,
  __tostring = function()
    local names = {}
    for name in pairs(parts) do
      names[#names + 1] = name
    end
    return ("Moonpod %s, and functions of tensors\n%s"):format(pod.version(), text_of_part("pod", names))
  end,
  names = names_of_all, -- for tools
})

--- The version of the library that runs.
---@example type(pod.version()) --> "string"
function pod.version()
  return load "core".version()
end

return pod
