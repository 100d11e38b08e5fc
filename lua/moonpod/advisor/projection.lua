-- projection - how long a step would take on a chip: an object that prints, with the time of each kernel.

local core = require "moonpod.core"
local decimal = require "moonpod.base.decimal"
local errors = require "moonpod.base.errors"
local tables = require "moonpod.base.tables"
local profile_tables = require "moonpod.profiler.tables"
local text_table = require "moonpod.base.text_table"
local xprof_folder = require "moonpod.summary.xprof_folder"

local projection = {}

local Projection = { __name = "moonpod.projection" }
Projection.__index = Projection

local TRANSPOSES = 0.05      -- of a step's time, from where on they are told
local LISTED, READ = 10, 100 -- kernels that are printed; that programs read

-- What a step depends on besides its program and the chip.
projection.OPTIONS = { "slice", "input_seconds", "steps_per_execution" }

local UNITS = { { 1, "s" }, { 1e-3, "ms" }, { 0, "us", 1e-6 } }

-- "41.2 ms"; `unit` (of UNITS) where another time has it already.
local function unit_of(seconds)
  for _, unit in ipairs(UNITS) do
    if seconds >= unit[1] then
      return unit
    end
  end
end

local function time_text(seconds, unit)
  local number = seconds / (unit[3] or unit[1])
  return decimal.format(number < 10 and "%.2f" or number < 1000 and "%.1f" or "%.0f", number)
end

local function with_unit(seconds)
  local unit = unit_of(seconds)
  return time_text(seconds, unit) .. " " .. unit[2]
end

-- "41.2 to 60.1 ms".
function projection.range_text(low, high)
  local unit = unit_of(high)
  return ("%s to %s %s"):format(time_text(low, unit), time_text(high, unit), unit[2])
end

local SCALES = { { 1e15, "P" }, { 1e12, "T" }, { 1e9, "G" }, { 1e6, "M" }, { 1e3, "k" } }

local function flops_text(flops)
  for _, scale in ipairs(SCALES) do
    if flops >= scale[1] then
      return decimal.format("%.2f %sFLOP", flops / scale[1], scale[2])
    end
  end
  return decimal.format("%.0f FLOP", flops)
end

local function percent(share)
  return decimal.format("%.1f%%", share * 100)
end

-- "MXU 71.2%, HBM 27.9%": those of a thousandth or more, the largest first.
local function bounds_text(self)
  local names = tables.sorted_keys(self.bounds)
  table.sort(names, function(a, b)
    return self.bounds[a] > self.bounds[b] or self.bounds[a] == self.bounds[b] and a < b
  end)
  local parts = {}
  for _, name in ipairs(names) do
    if self.device_seconds > 0 and self.bounds[name] >= self.device_seconds / 1000 then
      parts[#parts + 1] = name .. " " .. percent(self.bounds[name] / self.device_seconds)
    end
  end
  return table.concat(parts, ", ")
end

local function place_of(kernel)
  local parts = {}
  parts[#parts + 1] = kernel.scope and "layer " .. kernel.scope or nil
  parts[#parts + 1] = kernel.location
  return table.concat(parts, ", ")
end

-- "+1.2%": by how much the model's number is above the compiler's.
local function difference(ours, theirs)
  return theirs > 0 and decimal.format("%+.1f%%", (ours / theirs - 1) * 100) or "none"
end

-- Of what libtpu 0.0.51 estimates nothing besides exchanges and sorts.
local NOT_ESTIMATED = tables.set_of { "gather", "scatter" }

-- Sums over the kernels of which the compiler has estimates: seconds, with one turn of each loop, too; FLOPs and bytes
-- of all kernels with one turn.
local function estimated(self)
  local sums = { seconds = 0, turn_seconds = 0, turn_flops = 0, turn_bytes = self.counted_copies }
  for _, kernel in ipairs(self.kernels) do
    if not kernel.exchange then
      local share = NOT_ESTIMATED[kernel.op] and 0 or 1
      sums.seconds = sums.seconds + share * kernel.estimated_seconds
      sums.turn_seconds = sums.turn_seconds + share * kernel.estimated_seconds / kernel.times
      sums.turn_flops = sums.turn_flops + kernel.product_flops + kernel.other_flops
      sums.turn_bytes = sums.turn_bytes + kernel.counted_bytes
    end
  end
  return sums
end

-- What the compiler estimates, as lines.
local function compiled_lines(self, compiled)
  local ours = estimated(self)
  local seconds = compiled.loops > 0 and ours.turn_seconds or ours.seconds
  local lines = {
    ("its compiler estimates %s of kernels%s (the model: %s); %d of %d have no estimate"):format(
      with_unit(compiled.cycles / self.cycles_per_second), compiled.loops > 0 and ", with one turn of each loop" or "",
      difference(seconds, compiled.cycles / self.cycles_per_second), compiled.without,
      compiled.kernels + compiled.without),
    ("  %s (the model: %s), %s that kernels and copies touch (the model: %s)"):format(flops_text(compiled.flops),
      difference(ours.turn_flops, compiled.flops), core.bytes_text(math.floor(compiled.bytes)),
      difference(ours.turn_bytes, compiled.bytes)),
  }
  local rows = { { "time", "kernel", "line" } }
  for i, kernel in ipairs(compiled.longest) do
    rows[i + 1] = { with_unit(kernel.cycles / self.cycles_per_second), kernel.name,
      kernel.line > 0 and ("%d"):format(kernel.line) or "" }
  end
  for _, line in ipairs(text_table.lines(rows, { { align = "right" }, { align = "left" } })) do
    lines[#lines + 1] = "  " .. line
  end
  return lines
end

local columns = { { align = "right" }, { align = "right" }, { align = "left" }, { align = "right" }, { align = "left" },
  { align = "left" } }

function Projection.__tostring(self)
  local lines = {
    ("step time on %s: %s; MFU %s to %s"):format(self.chip,
      projection.range_text(self.low_seconds, self.high_seconds), percent(self.mfu_low), percent(self.mfu_high)),
    ("  device %s%s, host %s where it waits for each execution"):format(with_unit(self.device_seconds),
      self.exchange_seconds > 0 and (", %s of them exchanges with other devices"):format(
        with_unit(self.exchange_seconds)) or "", with_unit(self.host_seconds)),
    ("  %s in dots and convolutions, %s in all else; %s through HBM"):format(flops_text(self.product_flops),
      flops_text(self.other_flops + self.transcendentals), core.bytes_text(math.floor(self.hbm_bytes))),
  }
  if self.input_seconds > 0 then
    lines[#lines + 1] = ("  input %s meanwhile%s"):format(with_unit(self.input_seconds),
      self.bound == "input" and ": the device waits for it" or "")
  end
  if #self.kernels > 0 then
    lines[#lines + 1] = "  bound by " .. bounds_text(self)
    local rows = { { "time", "share", "bound by", "times", "kernel", "where" } }
    for i = 1, math.min(LISTED, #self.kernels) do
      local kernel = self.kernels[i]
      rows[i + 1] = { with_unit(kernel.seconds), percent(kernel.seconds / self.device_seconds), kernel.bound,
        decimal.format("%.0f", kernel.times), kernel.name, place_of(kernel) }
    end
    lines[#lines + 1] = ("the %d longest of %d kernels"):format(#rows - 1, #self.kernels)
    for _, line in ipairs(text_table.lines(rows, columns)) do
      lines[#lines + 1] = "  " .. line
    end
  end
  for _, line in ipairs(self.compiled and compiled_lines(self, self.compiled) or {}) do
    lines[#lines + 1] = line
  end
  return table.concat(lines, "\n")
end

-- Sums of a number over all kernels.
local function sum_of(self, name)
  local sum = 0
  for _, kernel in ipairs(self.kernels) do
    sum = sum + kernel[name]
  end
  return sum
end

--- How much of a step each unit of the device works: "MXU" (its `useful` part is what padding and loads of weights
--- leave of it: model FLOPs over the peak), "vector unit", "HBM", "on-chip memory", "links", "infeed" and "host". Rows
--- of `unit`, `busy` and `useful` (shares of the step), `seconds`, `rate` and `of` (what the rate counts); prints as a
--- table, and has `:csv()`.
---@param options.input_seconds number that the host takes for the data of a step (default: the projection's)
---@return table rows; step_seconds: of what they are shares
function Projection:utilization(options)
  options = errors.check_options(options, { input_seconds = "number" }, "projection:utilization")
  local input = math.max(self.input_seconds, options.input_seconds or 0)
  local step = math.max(self.device_seconds, input) + self.host_seconds
  local copies = self.hbm_bytes > 0 and sum_of(self, "hbm_seconds") * self.copied_bytes / self.hbm_bytes or 0
  local rows = {
    { unit = "MXU", seconds = sum_of(self, "mxu_seconds"), rate = self.product_flops / step, of = "FLOP/s",
      useful = self.product_flops / self.peak_flops / step },
    { unit = "vector unit", seconds = sum_of(self, "vector_seconds"), of = "FLOP/s",
      rate = (self.other_flops + self.transcendentals) / step },
    { unit = "HBM", seconds = sum_of(self, "hbm_seconds") + copies, of = "B/s",
      rate = (self.hbm_bytes + self.copied_bytes) / step },
    { unit = "on-chip memory", seconds = sum_of(self, "on_chip_seconds"), of = "B/s",
      rate = (self.bytes - self.hbm_bytes) / step },
    { unit = "links", seconds = sum_of(self, "links_seconds") },
    { unit = "infeed", seconds = input },
    { unit = "host", seconds = self.host_seconds },
  }
  for _, row in ipairs(rows) do
    row.busy = math.min(row.seconds / step, 1)
  end
  rows.step_seconds = step
  return profile_tables.new(rows, { "unit", "busy percent", "useful percent", "seconds seconds", "rate scaled",
    "of" })
end

--- Writes the step as XProf's trace, into a folder of logs that XProf or TensorBoard's profile page opens: the
--- device's kernels, its host, the program and its buffers.
---@param directory string the folder of logs
---@param options.run string the name under which the page lists it (the time)
---@return string path of the file: directory/plugins/profile/RUN/localhost.xplane.pb
function Projection:save_xplane(directory, options)
  options = errors.check_options(options, { run = "string" }, "projection:save_xplane")
  local path = xprof_folder(directory, options.run)
  errors.call_core(self._plan.write_xplane, self._plan, self._options or {}, path)
  return path
end

local FIGURES = { "low_seconds", "high_seconds", "device_seconds", "exchange_seconds", "input_seconds",
  "host_seconds", "mfu_low", "mfu_high", "bound",
  "bounds", "product_flops", "other_flops", "transcendentals", "bytes", "hbm_bytes", "copied_bytes",
  "peak_flops", "cycles_per_second" }

-- What programs read of a projection: its figures and its longest kernels.
function projection.figures(self)
  return tables.merge(tables.pick(self, FIGURES), {
    estimated = estimated(self), kernel_count = #self.kernels,
    kernels = tables.slice(self.kernels, 1, math.min(READ, #self.kernels)) })
end

-- "1.2 ms", of the device, of a projection of what is known alone.
function projection.device_text(self)
  return with_unit(self.device_seconds)
end

-- The projection of a lowered plan; nil and why not where the plan leaves out what takes time. Options: slice,
-- infeed_bytes, input_seconds, steps_per_execution, known_alone (then what is left out counts for nothing, and a loop
-- of which the turns are not known for one turn).
function projection.try(plan, options)
  local made, why = errors.call_core(plan.projection, plan, options)
  if not made then
    return nil, why
  end
  made._plan, made._options = plan, options
  return setmetatable(made, Projection)
end

-- The same; raises.
function projection.new(plan, options)
  local made, why = projection.try(plan, options)
  if not made then
    errors.raise("projection: %s", why)
  end
  return made
end

--- What moving arrays into another order takes, loops as often as they turn: { seconds =, share =, of the device's
--- time, is_much =, places =, title =, where =, as text }.
function projection.transposes(time)
  local found, seen = { seconds = 0, places = {} }, {}
  for _, kernel in ipairs(time and time.kernels or {}) do
    if kernel.op == "transpose" then
      local place = kernel.location or kernel.scope or "the program"
      found.seconds = found.seconds + kernel.seconds
      found.places[#found.places + 1], seen[place] = not seen[place] and place or nil, true
    end
  end
  found.share = found.seconds > 0 and found.seconds / time.device_seconds or 0
  found.is_much = found.share >= TRANSPOSES
  found.title = decimal.format("%.0f%% of the step moves arrays into another order", found.share * 100)
  found.where = table.concat(found.places, "; ", 1, math.min(3, #found.places))
  return found
end

return projection
