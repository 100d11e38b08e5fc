-- profile - what a recording tells, as plain tables: see docs/guides/profiling.md.

local advice = require "moonpod.profiler.advice"
local arrays = require "moonpod.base.tables"
local charts = require "moonpod.profiler.charts"
local comparison = require "moonpod.profiler.comparison"
local counters = require "moonpod.profiler.counters"
local declare = require "moonpod.base.arguments"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local html_report = require "moonpod.profiler.html_report"
local input_analysis = require "moonpod.profiler.input_analysis"
local memory = require "moonpod.profiler.memory"
local op_stats = require "moonpod.profiler.op_stats"
local overview = require "moonpod.profiler.overview"
local pod_view = require "moonpod.profiler.pod_view"
local roofline = require "moonpod.profiler.roofline"
local tables = require "moonpod.profiler.tables"
local trace_events = require "moonpod.profiler.trace_events"
local xprof_folder = require "moonpod.summary.xprof_folder"

local profile = {}

local Profile = {}

local function threads_of(recording)
  local rows = {}
  for i, lane in ipairs(recording.lanes) do
    local parts, known = lane.parts, 0
    for _, seconds in pairs(parts) do
      known = known + seconds
    end
    local waiting = parts.barrier + parts.input_wait
    local idle = i == recording.main_lane and 0 or parts.other
    local seconds = recording.seconds
    rows[i] = { thread = lane.number > 0 and lane.name .. " " .. lane.number or lane.name,
      busy = seconds > 0 and (known - waiting - idle) / seconds or 0,
      waiting = seconds > 0 and waiting / seconds or 0, compute = seconds > 0 and parts.compute / seconds or 0,
      events = lane.events, lost = lane.lost }
  end
  return tables.new(rows, { most = 64, "thread", "busy percent", "compute percent", "waiting percent", "events count",
    "lost count" })
end

local function steps_of(recording)
  local rows = {}
  for i, step in ipairs((overview.main_steps(recording))) do
    rows[i] = arrays.merge(step.parts, { step = i, began = step.began, seconds = step.seconds, rows = step.rows })
  end
  local columns = { "step count", "began seconds", "seconds seconds", "rows count" }
  for i, part in ipairs(overview.PARTS) do
    columns[i + 4] = part[1] .. " seconds"
  end
  return tables.new(rows, columns)
end

-- Makes a profile of a recording of the core. note: a line that goes before all others, or nil.
function profile.new(recorded, note)
  local recording = recorded:read()
  local _, main = overview.main_steps(recording)
  local self = { recording = recording, _recorded = recorded, program = recording.programs[main], note = note }
  self.ops = op_stats.new(self.program, "op")
  self.overview = overview.new(recording, self.ops, note)
  self.input = input_analysis.new(recording, self.overview)
  self.feed_ratio = self.input.feed_ratio
  self.threads = threads_of(recording)
  self.steps = steps_of(recording)
  self.counters = counters.new(recording, self.overview.steps)
  self.memory = memory.new(recording, self.program)
  self.pod = pod_view.new(self.input.feeds)
  self.replicas = pod_view.replicas(recording, self.pod, self.input)
  return setmetatable(self, Profile.meta)
end

--- Sums time on all threads, calls, FLOPs and bytes of all steps, the slowest first.
---@param by string "op" (as when not given), "layer", "line" (of the script) or "instruction"
---@param options.roof boolean also `share_of_roof` and `bound`, for which this machine is measured, once (false)
---@return table rows of the key that `by` names, `seconds`, `share`, `calls`, `flops`, `bytes`, `flops_per_second` and
--- `bytes_per_second` (of a thread) and `intensity` (FLOPs a byte); prints as a table, and has `:csv()`
--- ```lua
--- local p = pod.profiler.record(function() return (pod.ones { 64, 64 } * 2):data() end)
--- assert(p:op_stats "op"[1].calls > 0)
--- ```
function Profile:op_stats(by, options)
  by = by or "op"
  options = errors.check_options(options, { roof = "boolean" }, "profile:op_stats")
  if not op_stats.keys[by] then
    errors.raise("op_stats: '%s' is none of op, layer, line, instruction", by)
  end
  return op_stats.new(self.program, by, options.roof and self:roofline(by).points or nil)
end

--- Compares what ops achieve with what this machine could, which is measured once, for some tenths of a second.
---@param by string "op" (as when not given), "layer", "line" or "instruction"
---@return table roofline points (rows), step and roofs
--- ```lua
--- local p = pod.profiler.record(function() return (pod.ones { 64, 64 } * 2):data() end)
--- assert(p:roofline "op".roofs)
--- ```
function Profile:roofline(by)
  by = by or "op"
  self._rooflines = self._rooflines or {}
  self._rooflines[by] = self._rooflines[by]
    or roofline.new(self.overview, self.program, by, self:op_stats(by))
  overview.set_facts(self.overview, self._rooflines[by].step.share_of_roof)
  return self._rooflines[by]
end

--- Lists what threads did and when, in the order in which it began: what the trace shows, each thread's newest events.
---@return table rows of `thread`, `kind` ("span", "stage", "instruction", "barrier", "feed", "run" or "step"), `part`,
--- `name`, and `began` and `seconds` in seconds of the recording; prints as a table, and has `:csv()`
--- ```lua
--- local p = pod.profiler.record(function() return (pod.ones { 64, 64 } * 2):data() end)
--- assert(p:events()[1].began >= 0)
--- ```
function Profile:events()
  return trace_events.rows(self._recorded, self.recording)
end

--- Draws a chart of a profile.
---@param name string "parts", "steps", "ops", "layers", "stages", "roofline", "memory_in_step", "memory_over_steps",
--- "memory_by_layer", "threads", "counters" or "feeds"
---@return description chart with the readers text and svg; nil where there is nothing to draw
--- ```lua
--- local p = pod.profiler.record(function() return (pod.ones { 64, 64 } * 2):data() end)
--- assert(p:chart "ops":svg():find "<svg")
--- ```
function Profile:chart(name)
  return charts.new(self, name)
end

--- Lists the cores of all ranks of an MPI, with what a step takes on each: its own time, and that in exchange, where
--- ranks wait for each other. A rank that the others wait for is `slow`. All ranks call it, at the same place.
---@return table rows of `core`, `rank`, `host`, `verdict`, `steps`, and of a step in seconds `step`, `own` and
--- `exchange`; none where there are no ranks; prints as a table, and has `:csv()`
--- ```lua
--- local p = pod.profiler.record(function() return (pod.ones { 64, 64 } * 2):data() end)
--- assert(#p:ranks() == 0) -- one process, which no launcher of MPI has started
--- ```
function Profile:ranks()
  return pod_view.ranks(self.ops, self.overview.steps_kept, self.overview.step_seconds.mean)
end

--- Finds the slowest stage of the input: of those that work, the one whose busiest thread works most.
---@return table stage { name =, stage =, share = (of the recording), fix = (what helps) }; nil where none was recorded
--- ```lua
--- local p = pod.profiler.record(function() return pod.data.range(1000):batch(10):totable() end)
--- local stage = p:bottleneck()
--- assert(stage == nil or stage.share > 0)
--- ```
function Profile:bottleneck()
  return self.input.bottleneck
end

--- How much of a step the units of a chip would work if its input came as fast as it did here, or could have come.
---@param projection projection of the same step on the chip: `model:projection("v5e")`
---@return table rows as `projection:utilization()` has them
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(64, { input_shape = { 64 } }) }
--- model:compile { loss = "mse" }
--- local data = pod.data.from_tensor_slices { pod.ones { 64, 64 }, pod.ones { 64, 64 } }:batch(16)
--- local p = pod.profiler.record(function() model:fit(data, { verbose = 0 }) end)
--- assert(p:utilization(model:projection("v5e", { batch = 16 }))[1].unit == "MXU")
--- ```
function Profile:utilization(projection)
  if type(projection) ~= "table" or not projection.utilization then
    errors.raise("profile:utilization: a projection of the step is needed, such as model:projection(\"v5e\"), not %s",
      errors.describe(projection))
  end
  local ratio = self.feed_ratio
  local input = ratio and ratio > 0 and ratio < math.huge and self.overview.step_seconds.mean / ratio or nil
  return projection:utilization { input_seconds = input }
end

-- All that a profile tells; `quiet`: without what has this machine measured.
local function to_text(self, quiet)
  if not quiet then
    self:roofline()
  end
  local text = tostring(self.overview) .. "\n\n" .. tostring(self.input) .. "\n\n" .. tostring(self.threads)
  text = text .. "\n" .. tostring(self.counters) .. "\n\n" .. tostring(self.memory)
  for _, rows in ipairs { self.pod, self.replicas } do
    text = #rows > 0 and text .. "\n\n" .. tostring(rows) or text
  end
  return quiet and text or text .. "\n\n" .. tostring(self:roofline()) .. "\n\n" .. tostring(self.advice)
end

-- Writes a file whole or not at all.
local function write(path, text)
  errors.call_core(device.core.file_write, device.context(), path, text)
  return path
end

local function is_profile(value)
  return type(value) == "table" and getmetatable(value) == Profile.meta
end

local function compare(before, after, where)
  for _, one in ipairs { before, after } do
    if not is_profile(one) then
      errors.raise("%s: a profile is compared with a profile, not %s", where, errors.describe(one))
    elseif one.overview.steps == 0 then
      errors.raise("%s: both profiles must have a step: record for longer", where)
    end
  end
  return comparison.new(before, after)
end

--- Writes one page of HTML with all views, which needs no network and no other file.
---@param path string the file, written whole or not at all
---@param options.measure boolean false: without the roofline and advice, for which this machine is measured (true)
---@param options.before moonpod.profile an earlier profile: a view more shows what changed
---@return string path
--- ```lua
--- local path = os.tmpname()
--- local p = pod.profiler.record(function() return (pod.ones { 64, 64 } * 2):data() end)
--- assert(p:save_html(path, { measure = false }) == path)
--- os.remove(path)
--- ```
function Profile:save_html(path, options)
  options = errors.check_options(options, { measure = "boolean", before = "table" }, "profile:save_html")
  local change = options.before and compare(options.before, self, "profile:save_html")
  return write(path, html_report.new(self, options.measure ~= false, change))
end

local function write_recorded(self, method, path)
  errors.call_core(self._recorded[method], self._recorded, path)
  return path
end

--- Writes the events as JSON of Chrome's trace format, which Perfetto and chrome://tracing open.
---@param path string the file, written whole or not at all
---@return string path
--- ```lua
--- local path = os.tmpname()
--- local p = pod.profiler.record(function() return (pod.ones { 64, 64 } * 2):data() end)
--- assert(p:save_trace(path) == path)
--- os.remove(path)
--- ```
function Profile:save_trace(path)
  return write_recorded(self, "write_chrome", path)
end

--- Writes the events as Perfetto's TrackEvents (protocol buffers), a quarter of the JSON's size.
---@param path string the file, written whole or not at all
---@return string path
--- ```lua
--- local path = os.tmpname()
--- local p = pod.profiler.record(function() return (pod.ones { 64, 64 } * 2):data() end)
--- assert(p:save_perfetto(path) == path)
--- os.remove(path)
--- ```
function Profile:save_perfetto(path)
  return write_recorded(self, "write_perfetto", path)
end

--- Writes sums by op, layer and line of source as pprof's profile.proto, compressed: for `go tool pprof`.
---@param path string the file, written whole or not at all
---@return string path
--- ```lua
--- local path = os.tmpname()
--- local p = pod.profiler.record(function() return (pod.ones { 64, 64 } * 2):data() end)
--- assert(p:save_pprof(path) == path)
--- os.remove(path)
--- ```
function Profile:save_pprof(path)
  return write_recorded(self, "write_pprof", path)
end

--- Writes the trace as XProf has those of TPUs, into a folder of logs that XProf or TensorBoard's profile page
--- opens: this machine is its device, with steps, instructions, FLOPs and bytes; threads are the host's.
---@param directory string the folder of logs
---@param options.run string the name under which the page lists it (the time)
---@param options.measure boolean false: without the roofs, for which this machine is measured (true)
---@return string path of the file: directory/plugins/profile/RUN/localhost.xplane.pb
--- ```lua
--- local p = pod.profiler.record(function() return (pod.ones { 64, 64 } * 2):data() end)
--- local path = p:save_xplane(os.tmpname() .. "_logs", { run = "first", measure = false })
--- assert(path:find "/plugins/profile/first/localhost.xplane.pb$")
--- ```
function Profile:save_xplane(directory, options)
  options = errors.check_options(options, { run = "string", measure = "boolean" }, "profile:save_xplane")
  local roofs = options.measure == false and { float32 = 0, bytes = 0 } or roofline.roofs()
  local path = xprof_folder(directory, options.run)
  errors.call_core(self._recorded.write_xplane, self._recorded, path, roofs.float32, roofs.bytes)
  return path
end

-- All tables, by the names of their files.
local function tables_of(self, measure)
  local input, memory_of, roof = self.input, self.memory, { roof = measure }
  local list = { parts = self.overview.parts, input = input.facts, categories = input.categories, stages = input.stages,
    pod = self.pod, replicas = self.replicas, ops = self:op_stats("op", roof), layers = self:op_stats("layer", roof),
    lines = self:op_stats("line", roof), instructions = self:op_stats("instruction", roof), threads = self.threads,
    counters = self.counters, steps = self.steps, memory = memory_of.peak, memory_layers = memory_of.by_layer,
    memory_timeline = memory_of.timeline, memory_steps = memory_of.steps, trace = self:events() }
  if measure then
    list.roofline, list.advice = self:roofline().points, self.advice
  end
  list.overview = self.overview.facts
  return list
end

--- Writes all there is into a folder, which is made with those above it: trace.json, trace.perfetto, profile.pb.gz (of
--- pprof), report.html, overview.txt, and each table as CSV. These are overview, parts, input, categories, stages, pod,
--- replicas, ops, layers, lines, instructions, roofline, threads, counters, steps, memory, memory_layers,
--- memory_timeline, memory_steps, trace, advice and changes.
---@param directory string the folder
---@param options.measure boolean false: without roofline and advice, for which this machine is measured (true)
---@param options.before moonpod.profile an earlier profile: what changed is written, too
---@return table paths of the files by their names
--- ```lua
--- local p = pod.profiler.record(function() return (pod.ones { 64, 64 } * 2):data() end)
--- local paths = p:save(os.tmpname() .. "_profile", { measure = false })
--- assert(io.open(paths["overview.txt"]))
--- ```
function Profile:save(directory, options)
  options = errors.check_options(options, { measure = "boolean", before = "table" }, "profile:save")
  local paths, measure = {}, options.measure ~= false
  local change = options.before and compare(options.before, self, "profile:save")
  errors.call_core(device.core.make_folder, device.context(), directory)
  local function path(name)
    paths[name] = directory .. "/" .. name
    return paths[name]
  end
  self:save_trace(path "trace.json")
  self:save_perfetto(path "trace.perfetto")
  self:save_pprof(path "profile.pb.gz")
  write(path "overview.txt", to_text(self, not measure) .. "\n")
  self:save_html(path "report.html", { measure = measure, before = options.before })
  for name, rows in pairs(tables_of(self, measure)) do
    write(path(name .. ".csv"), rows:csv())
  end
  if change then
    write(path "changes.csv", change:csv())
  end
  return paths
end

--- What changed from this profile to a later one, by part of a step, op, layer and line.
---@param other moonpod.profile the later profile; both have a step
---@return table comparison before, after (seconds a step), ratio, row_ratio, and parts, ops, layers, lines: tables of
--- before, after, change and ratio; `:chart "parts"` and so on draws one, `:csv()` has all
--- ```lua
--- local function work() return (pod.ones { 64, 64 } * 2):data() end
--- local before, after = pod.profiler.record(work), pod.profiler.record(work)
--- assert(before:compare(after).ratio > 0)
--- ```
function Profile:compare(other)
  return compare(self, other, "compare")
end

declare.methods("profile", Profile, is_profile, { ["other:value"] = "compare",
  ["projection:value"] = "utilization", ["by:string?"] = "roofline",
  ["by:string? options?"] = "op_stats", ["name"] = "chart", ["path options?"] = "save_html",
  ["path"] = "save_trace save_perfetto save_pprof", ["directory:string options?"] = "save save_xplane" })

-- Advice is made when it is first asked for: rules may run something for some milliseconds.
local function index(self, key)
  if key == "advice" then
    self.advice = advice.new(self)
    return self.advice
  end
  return Profile[key]
end

Profile.meta = { __index = index, __tostring = function(self) return to_text(self) end, __name = "moonpod.profile" }

return profile
