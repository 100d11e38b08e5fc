-- What a program takes of a chip's memory: an object that prints, with numbers, buffers, pictures and remedies.

local above = require "moonpod.base.above"
local decimal = require "moonpod.base.decimal"
local declare = require "moonpod.base.arguments"
local core = require "moonpod.core"
local memory_page = require "moonpod.advisor.memory_page"
local projection = require "moonpod.advisor.projection"
local screen = require "moonpod.base.screen"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local tables = require "moonpod.base.tables"
local text_table = require "moonpod.base.text_table"

local report = {}

local Report = { __name = "moonpod.memory_report" }
local methods = {}

-- What is read from the plan when it is first asked for.
local lazy = {
  buffers = function(self)
    return self._plan:buffers()
  end,
  curve = function(self)
    local curve = self._plan:curve()
    curve.peak_step = self.peak_step
    return curve
  end,
  -- "fits: 5.88G to spare; ...", "cannot say: ..."
  verdict_text = function(self)
    return self._plan:verdict()
  end,
}

function Report.__index(self, key)
  if methods[key] then
    return methods[key]
  end
  if lazy[key] then
    local value = lazy[key](self)
    self[key] = value
    return value
  end
end

local function call(method, plan, ...)
  return errors.call_core(plan[method], plan, ...)
end

function Report.__tostring(self)
  return self:text "today"
end

local FORMS = { today = true, error = true }

--- The report as text: "today" (as it prints) or "error" (what a TPU's compiler says where a program does not fit).
--- Options: largest (buffers that are listed, 10).
---@param options.largest integer how many buffers are listed (default 10)
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- model:compile { loss = "mse" }
--- assert(model:memory_report("v5e", { batch = 4 }):text("error"):find "Memory Space: hbm")
--- ```
function methods.text(self, form, options)
  form = tostring(form or "today")
  if not FORMS[form] then
    errors.raise("memory report: there is no form '%s'%s", form, errors.suggest(form, FORMS))
  end
  options = errors.check_options(options, { largest = "count" }, "memory report")
  local text = call("report", self._plan, form, options)
  if form == "today" and self.notes then
    text = text .. table.concat(self.notes, "\n") .. "\n"
  end
  return (text:gsub("\n+$", ""))
end

--- The memory viewer as text: HBM in use over the program's order, and what lives at the peak. Options: width (the
--- terminal's), height (16 lines).
---@param options.width integer columns (default: the terminal's)
---@param options.height integer lines (default 16)
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- model:compile { loss = "mse" }
--- assert(model:memory_report("v5e", { batch = 4 }):viewer({ width = 60, height = 4 }):find "peak")
--- ```
function methods.viewer(self, options)
  options = errors.check_options(options, { width = "count", height = "count" }, "viewer")
  return call("viewer", self._plan, { width = options.width or screen.columns(), height = options.height })
end

-- A picture as text, or as the file of a path that is given.
local function picture(self, method, path)
  if path == nil then
    return memory_page[method](self)
  end
  errors.check_type(path, "string", method, "the path")
  errors.call_core(core.file_write, device.context(), path, memory_page[method](self))
end

--- Writes the viewer's chart as SVG; returns it as text where no path is given.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- model:compile { loss = "mse" }
--- assert(model:memory_report("v5e", { batch = 4 }):svg():find "^<svg")
--- ```
function methods.svg(self, path)
  return picture(self, "svg", path)
end

--- Writes the viewer as one HTML page; returns it as text where no path is given.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- model:compile { loss = "mse" }
--- assert(model:memory_report("v5e", { batch = 4 }):html():find "^<!DOCTYPE html>")
--- ```
function methods.html(self, path)
  return picture(self, "html", path)
end

local Layers = { __name = "moonpod.memory_layers" }

local layer_columns = { { align = "right", width = 8, gap = 2 }, { align = "right", width = 8 },
  { align = "right", width = 6, gap = 1 }, { align = "left" } }

function Layers.__tostring(self)
  local rows = { { "size", "unpadded", "ratio", "layer" } }
  for _, row in ipairs(self) do
    rows[#rows + 1] = { core.bytes_text(row.padded_bytes), core.bytes_text(row.unpadded_bytes),
      decimal.format("%.1fx", row.expansion), row.layer }
  end
  return table.concat(text_table.lines(rows, layer_columns), "\n")
end

--- The temporaries in HBM summed up by layer, the largest first: an array that prints, of { layer =, padded_bytes =,
--- unpadded_bytes =, expansion = }.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- model:compile { loss = "mse" }
--- assert(#model:memory_report("v5e", { batch = 4 }):layers() > 0)
--- ```
function methods.layers(self)
  local by_name, list = {}, {}
  for _, buffer in ipairs(self.buffers) do
    if buffer.use == "temporary" and not buffer.on_chip then
      local name = buffer.scope or "outside of layers"
      local row = by_name[name]
      if not row then
        row = { layer = name, padded_bytes = 0, unpadded_bytes = 0 }
        by_name[name], list[#list + 1] = row, row
      end
      row.padded_bytes = row.padded_bytes + buffer.padded_bytes
      row.unpadded_bytes = row.unpadded_bytes + buffer.unpadded_bytes
    end
  end
  for _, row in ipairs(list) do
    row.expansion = row.unpadded_bytes > 0 and row.padded_bytes / row.unpadded_bytes or 1
  end
  table.sort(list, function(a, b)
    if a.padded_bytes ~= b.padded_bytes then
      return a.padded_bytes > b.padded_bytes
    end
    return a.layer < b.layer
  end)
  return setmetatable(list, Layers)
end

--- How long a run of the program would take on the chip, as `model:projection` gives it.
---@param options.slice string|integer where devices exchange values, by name or by its devices (default: that of as
---   many devices as the program is for)
---@param options.input_seconds number that the host takes for the data of a step (default 0)
---@param options.steps_per_execution integer that the host starts at once (default 1)
---@return projection
---@error the plan leaves out what takes time, which the message names
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- model:compile { loss = "mse" }
--- local report = model:memory_report("v5e", { batch = 4 })
--- assert(report:projection().low_seconds > 0)
--- assert(report:projection({ input_seconds = 1 }).bound == "input")
--- ```
function methods.projection(self, options)
  options = errors.check_options(options, projection.OPTIONS, "projection")
  return projection.new(self._plan, tables.merge({ slice = self.slice, infeed_bytes = self.infeed_bytes }, options))
end

--- Gives the plan's memory back; the numbers stay.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- model:compile { loss = "mse" }
--- local report = model:memory_report("v5e", { batch = 4 })
--- report:close()
--- assert(report.verdict == "fits")
--- ```
function methods.close(self)
  self._plan:close()
end

--- What would need less, the most first: an array that prints, of { title =, call =, need_bytes =, saves_bytes =,
--- verdict = }. Each is computed: the changed program is lowered.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- model:compile { loss = "mse" }
--- assert(#model:memory_report("v5e", { batch = 4 }):remedies() == 0) -- nothing would need less
--- ```
function methods.remedies(self)
  if not self._model then
    errors.raise("remedies are for reports of models: model:memory_report(chip)")
  end
  local list = self._remedies or above.call("remedies", self)
  self._remedies = list
  return list
end

--- Applies a remedy (by its place in the list, 1 if not said) to the model, and returns the report of what it is then.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(300, { input_shape = { 300 } }), pod.layers.dense(300) }
--- model:compile { loss = "mse", optimizer = "adam" }
--- local report = model:memory_report("v3", { batch = 2048 })
--- local remedy = report:remedies()[1]
--- assert(report:apply().need_bytes == remedy.need_bytes)
--- ```
function methods.apply(self, number)
  local list = self:remedies()
  local remedy = list[number or 1]
  if not remedy then
    errors.raise("apply: there is no remedy %s; there are %d", tostring(number or 1), #list)
  end
  return above.call("apply_remedy", self, remedy)
end

-- Lowers a graph and makes the report. Fields: chip, name, notes, donated, partitions (devices among which the
-- compiler divides arrays), undivided (why that is not done here), devices (the graph is what one of them runs), and
-- what the caller keeps.
function report.new(graph, fields)
  local plan = errors.call_core(core.tpu_lower, device.context(), graph, fields.chip,
    { name = fields.name, donated = fields.donated, partitions = fields.partitions,
      undivided = fields.undivided, devices = fields.devices, compiled = fields.compiled })
  local self = tables.merge({ _plan = plan, _graph = graph }, plan:memory(), fields)
  self.donated = nil
  -- of what is free at the peak, the share that is not in one piece
  local largest = math.max(0, self.limit_bytes - self.need_bytes)
  local free = largest + self.fragmentation_bytes
  self.fragmentation = free > 0 and 1 - largest / free or 0
  self.fits = self.verdict == "fits"
  return setmetatable(self, Report)
end

-- Of how many devices a slice is; nil for a generation's name.
function report.devices(name)
  return type(name) == "string" and name:find "[-:]" and core.slice(name).num_devices or nil
end

function report.is(value)
  return type(value) == "table" and getmetatable(value) == Report
end

-- The generation of a chip's or slice's name; raises for none.
function report.chip(name, where)
  errors.check_type(name, "string", where, "the chip")
  return require("moonpod.tpu.chips").list(name).name
end

declare.methods("memory_report", methods, function(value)
  return getmetatable(value) == Report
end, {
  ["form:any options?"] = "text",
  ["options?"] = "viewer projection",
  ["path?"] = "svg html",
  ["number:integer?"] = "apply",
})

return report
