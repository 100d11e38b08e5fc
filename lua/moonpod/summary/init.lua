--- Event files, which TensorBoard shows: `pod.summary.writer(directory)` opens one, and its methods write scalars,
--- histograms, pictures, texts and graphs. See docs/guides/tensorboard.md.

-- summary - event files, which TensorBoard shows.
--
--     local writer = pod.summary.writer "logs/run1"
--     writer:scalar("loss", loss, step)
--     writer:close()

local declare = require "moonpod.base.arguments"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local speaker = require "moonpod.base.speaker"
local layer = require "moonpod.layers.layer"
local model_graph = require "moonpod.summary.model_graph"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local is_whole = require "moonpod.base.kinds".is_whole

local summary = {}

local Writer = { __name = "moonpod.summary_writer" }
Writer.__index = Writer

-- Calls a method of the core's writer.
local function call(self, name, ...)
  local core_writer = self._core
  if not core_writer then
    errors.raise("summary.writer:%s: the writer is closed; a new one goes on in a new file", name)
  end
  errors.call_core(core_writer[name], core_writer, ...)
end

-- ---- arguments ----------------------------------------------------------------------------------------

-- A tensor whose value is known: within a function that is being compiled none is.
local function known(value, where)
  local t = tensor.convert(value)
  if not tensor.is_known(t) then
    errors.raise("%s: within a compiled function values are not known yet; return the tensor, and write it behind the "
      .. "call", where)
  end
  return t
end

local function number_of(value, where)
  if type(value) == "number" then
    return value
  end
  local t = known(value, where)
  if t:size() ~= 1 then
    errors.raise("%s: a scalar is one number, not a tensor of shape %s", where, tostring(t.shape))
  end
  local item = t:item()
  return item == true and 1 or item or 0
end

local function step_of(self, step, where)
  if step == nil then
    step = self.step
  elseif type(step) ~= "number" then
    step = number_of(step, where)
  end
  if step == nil then
    errors.raise("%s: there is no step; give it, or set writer.step", where)
  elseif not is_whole(step) then
    errors.raise("%s: a step is a whole number, not %s", where, errors.describe(step))
  end
  return step
end

-- ---- the writer ---------------------------------------------------------------------------------------

-- What takes all that a writer of the core does, and writes nothing.
local silent = setmetatable({}, { __index = function()
  return function() end
end })

local WRITER = { worker = "count", max_queue = "count", flush_millis = "count", filename_suffix = "string" }

--- Opens a new event file in a folder, which is made where it is not there.
---@param dir string the folder
---@param options.worker integer the folder is "worker_<i>" within, for TensorBoard follows one file a folder
---@param options.max_queue integer so many events wait before they are written (default 10)
---@param options.flush_millis integer or so long, till the next one comes (default 2000)
---@param options.filename_suffix string (default ".v2")
---@return summary_writer
---@error the folder cannot be made
--- ```lua
--- local folder = os.tmpname()
--- os.remove(folder)
--- local writer = pod.summary.writer(folder)
--- writer:scalar("loss", 0.5, 1)
--- writer:close()
--- os.remove(writer.path)
--- os.remove(folder)
--- ```
function summary.writer(dir, options)
  errors.check_type(dir, "string", "summary.writer", "the folder")
  options = errors.check_options(options, WRITER, "summary.writer")
  if options.worker then
    dir = ("%s/worker_%d"):format((dir:gsub("(.)/+$", "%1")), options.worker)
  end
  if not speaker.is_first then -- another process writes it
    return setmetatable({ dir = dir, path = dir, _core = silent }, Writer)
  end
  local made = errors.call_core(device.core.event_writer, device.context(), dir, options.max_queue,
    options.flush_millis, options.filename_suffix)
  return setmetatable({ dir = dir, path = made:path(), _core = made }, Writer)
end

--- Writes a number: a tensor or a variable of one element, or a number of Lua.
--- ```lua
--- local writer = pod.summary.writer(os.tmpname() .. "_events")
--- writer:scalar("loss", 0.5, 1)
--- writer:close()
--- ```
function Writer:scalar(tag, value, step)
  call(self, "scalar", step_of(self, step, "summary.writer:scalar"), tag, number_of(value, "summary.writer:scalar"))
end

--- Writes how the elements of a tensor are distributed. Options: buckets (30). NaN and infinities are left out.
---@param options.buckets integer how many parts (default 30)
--- ```lua
--- local writer = pod.summary.writer(os.tmpname() .. "_events")
--- writer:histogram("weights", pod.random.normal { 100 }, 1, { buckets = 10 })
--- writer:close()
--- ```
function Writer:histogram(tag, values, step, options)
  options = errors.check_options(options, { buckets = "count" }, "summary.writer:histogram")
  local t = known(values, "summary.writer:histogram")
  call(self, "histogram", step_of(self, step, "summary.writer:histogram"), tag, tensor.buffer(t),
    options.buckets or 30)
end

--- Writes pictures: (height, width, channels), or several of them (k, height, width, channels), as uint8 or as floats
--- from 0 to 1, with 1 to 4 channels. Options: max_outputs (3: how many of them).
---@param options.max_outputs integer how many pictures of several (default 3)
--- ```lua
--- local writer = pod.summary.writer(os.tmpname() .. "_events")
--- writer:image("first", pod.ones { 8, 8, 3 }, 1)
--- writer:close()
--- ```
function Writer:image(tag, images, step, options)
  options = errors.check_options(options, { max_outputs = "count" }, "summary.writer:image")
  local t = known(images, "summary.writer:image")
  if #t.shape == 3 then
    t = t:reshape { 1, t.shape[1], t.shape[2], t.shape[3] }
  end
  call(self, "image", step_of(self, step, "summary.writer:image"), tag, tensor.buffer(t),
    options.max_outputs or 3)
end

-- The shape of a text, a list of texts or a table of rows, and all texts.
local function flatten_texts(value)
  if type(value) ~= "table" then
    return {}, { value }
  elseif type(value[1]) ~= "table" then
    return { #value }, value
  end
  local list, columns = {}, #value[1]
  for _, row in ipairs(value) do
    if type(row) ~= "table" or #row ~= columns then
      errors.raise("summary.writer:text: all rows of a table have as many texts as the first, %d", columns)
    end
    for _, text in ipairs(row) do
      list[#list + 1] = text
    end
  end
  return { #value, columns }, list
end

--- Writes a text in Markdown, a list of texts or a table of them (a list of rows).
--- ```lua
--- local writer = pod.summary.writer(os.tmpname() .. "_events")
--- writer:text("notes", { { "rate", "0.1" }, { "rows", "32" } }, 1)
--- writer:close()
--- ```
function Writer:text(tag, value, step)
  local shape, list = flatten_texts(value)
  for _, text in ipairs(list) do
    errors.check_type(text, "string", "summary.writer:text", "a text")
  end
  call(self, "text", step_of(self, step, "summary.writer:text"), tag, shape, list)
end

--- Writes the graph that TensorBoard shows for this file: that of a model's layers, or a list of nodes { name =, op =,
--- inputs = { names }, shape = sizes or nil }.
---@param options.name string of a node
---@param options.op string what it does
---@param options.inputs string[] names of nodes
---@param options.shape integer[] sizes
--- ```lua
--- local writer = pod.summary.writer(os.tmpname() .. "_events")
--- writer:graph(pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) })
--- writer:close()
--- ```
function Writer:graph(value)
  local nodes = layer.is_layer(value) and model_graph.nodes(value) or value
  if type(nodes) ~= "table" then
    errors.raise("summary.writer:graph wants a model or a list of nodes, not %s", errors.describe(value))
  end
  local list = {}
  for i, node in ipairs(nodes) do
    errors.check_options(node, { name = "string", op = "string", inputs = "list", shape = "shape" },
      "summary.writer:graph: node " .. i)
    local shape = type(node.shape) == "number" and { node.shape } or node.shape
    list[i] = { errors.check_type(node.name, "string", "summary.writer:graph", "the name of a node"), node.op or "",
      node.inputs or {}, shape }
  end
  call(self, "graph", list)
end

--- Writes a model in Keras' JSON, as Keras' callback does.
--- ```lua
--- local writer = pod.summary.writer(os.tmpname() .. "_events")
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- writer:keras_model("keras", model:to_json(), 0)
--- writer:close()
--- ```
function Writer:keras_model(tag, json, step)
  call(self, "keras_model", step_of(self, step, "summary.writer:keras_model"), tag, json)
end

--- Writes with what hyperparameters the run begins: numbers, texts and booleans by name. Options: metrics (tags of
--- scalars by which runs are compared), group (runs of one name are one trial). close() writes that it has ended.
---@param options.metrics string[] tags of scalars by which runs are compared
---@param options.group string runs of one name are one trial
--- ```lua
--- local writer = pod.summary.writer(os.tmpname() .. "_events")
--- writer:hparams({ rate = 0.1, optimizer = "adam" }, { metrics = { "loss" } })
--- writer:close()
--- ```
function Writer:hparams(values, options)
  options = errors.check_options(options, { metrics = "list", group = "string" }, "summary.writer:hparams")
  local list = {}
  for name, value in pairs(values) do
    local kind = type(value)
    errors.check_type(name, "string", "summary.writer:hparams", "the name of a hyperparameter")
    if kind ~= "number" and kind ~= "string" and kind ~= "boolean" then
      errors.raise("summary.writer:hparams: '%s' must be a number, a text or a boolean, not %s", name,
        errors.describe(value))
    end
    list[#list + 1] = { name, value }
  end
  call(self, "hparams", tables.sort_by(list, 1), options.metrics or {}, options.group)
  self._has_hparams = true
end

--- Writes what waits, for whoever reads the file now.
--- ```lua
--- local writer = pod.summary.writer(os.tmpname() .. "_events")
--- writer:scalar("loss", 0.5, 1)
--- writer:flush()
--- assert(#pod.data.tfrecord(writer.path):totable() > 1)
--- writer:close()
--- ```
function Writer:flush()
  call(self, "flush")
end

--- Writes what waits and closes the file. succeeded: how the run of hparams() has ended (true). What is never closed is
--- closed by the collector.
--- ```lua
--- local writer = pod.summary.writer(os.tmpname() .. "_events")
--- writer:close()
--- assert(not pcall(writer.scalar, writer, "loss", 0.5, 1))
--- ```
function Writer:close(succeeded)
  local core_writer = self._core
  if not core_writer then
    return
  end
  local ended, failure = pcall(function()
    if self._has_hparams then
      core_writer:hparams_end(succeeded ~= false)
    end
  end)
  self._core = nil
  local ok, message = pcall(core_writer.close, core_writer)
  if not ended or not ok then
    errors.raise_from_core(not ended and failure or message)
  end
end

Writer.__close = function(self, failure)
  self:close(failure == nil)
end

function Writer:__tostring()
  return ("<summary writer %s%s>"):format(self.path, self._core and "" or " (closed)")
end

declare.methods("summary_writer", Writer, Writer, {
  ["tag:string value:tensor step:value?"] = "scalar",
  ["tag:string values:tensor step:value? options?"] = "histogram",
  ["tag:string images:tensor step:value? options?"] = "image",
  ["tag:string value:value step:value?"] = "text",
  ["model:value"] = "graph",
  ["tag:string json:string step:value?"] = "keras_model",
  ["values:list options?"] = "hparams",
})
declare.metamethods("summary_writer", Writer)

return summary
