-- chips - the TPU generations: what is in them, as tables that print.

local declare = require "moonpod.base.arguments"
local core = require "moonpod.core"
local errors = require "moonpod.base.errors"
local text_table = require "moonpod.base.text_table"

local chips = {}

local Chip = { __name = "moonpod.chip" }
Chip.__index = Chip
local List = { __name = "moonpod.chips" }
List.__index = List

local all

local function scaled(value, unit, scale)
  if not value then
    return "-"
  end
  local number = value / scale
  return (number == math.floor(number) and "%.0f%s" or "%.1f%s"):format(number, unit)
end

local function memory(bytes)
  return (core.bytes_text(bytes):gsub("%.0+(%a)$", "%1"))
end

local function shape(sizes)
  return table.concat(sizes, "x")
end

-- Columns of the list: title and text of a chip.
local columns = {
  { "chip", function(c) return c.name end },
  { "cores", function(c) return tostring(c.cores) end },
  { "devices", function(c) return tostring(c.devices) end },
  { "MXUs", function(c)
    return ("%dx%d^2"):format(c.cores * c.mxus_per_core, c.mxu_size)
  end },
  { "bf16", function(c) return scaled(c.bf16_flops, "T", 1e12) end },
  { "HBM", function(c) return memory(c.hbm_bytes) end },
  { "usable", function(c) return memory(c.hbm_limit_bytes) end },
  { "HBM/s", function(c) return scaled(c.hbm_bytes_per_second, "G", 1e9) end },
  { "VMEM/core", function(c) return memory(c.vmem_bytes) end },
  { "links", function(c) return ("%dx%s"):format(c.links, scaled(c.link_bytes_per_second, "G", 1e9)) end },
  { "pod", function(c) return shape(c.pod_shape) end },
  { "host", function(c) return shape(c.host_shape) end },
}

function List:__tostring()
  local rows = { {} }
  for i, column in ipairs(columns) do
    rows[1][i] = column[1]
    for j, chip in ipairs(self) do
      rows[j + 1] = rows[j + 1] or {}
      rows[j + 1][i] = column[2](chip)
    end
  end
  return table.concat(text_table.lines(rows, { { align = "left" }, { align = "right" } }), "\n")
end

function Chip:__tostring()
  local lines = {
    ("%s (%s)"):format(self.product, self.name),
    ("  %d core%s, %d device%s a chip; %d MXU%s of %dx%d a core"):format(self.cores,
      self.cores == 1 and "" or "s", self.devices, self.devices == 1 and "" or "s",
      self.mxus_per_core, self.mxus_per_core == 1 and "" or "s", self.mxu_size, self.mxu_size),
    ("  peak: %s bf16, %s int8, %s fp8 operations a second"):format(scaled(self.bf16_flops, "T", 1e12),
      scaled(self.int8_ops, "T", 1e12), scaled(self.fp8_flops, "T", 1e12)),
    ("  HBM: %s, %sB/s; a program may use %s a device"):format(memory(self.hbm_bytes),
      scaled(self.hbm_bytes_per_second, "G", 1e9), memory(self.hbm_limit_bytes)),
    ("  VMEM: %s a core"):format(memory(self.vmem_bytes)),
    ("  %d links of %sB/s one way; pod %s, %d chips at most for one program"):format(self.links,
      scaled(self.link_bytes_per_second, "G", 1e9), shape(self.pod_shape), self.pod_chips),
    ("  host: %s chips"):format(shape(self.host_shape)),
    ("  slices: %s"):format(table.concat(self:slice_names(12), ", ")),
  }
  return table.concat(lines, "\n")
end

--- Names of slices, smallest first; past `most` the middle is left out.
---@example #pod.chips("v3"):slice_names() > 0 --> true
function Chip:slice_names(most)
  local names = {}
  local slices = core.slices(self.name)
  for i, slice in ipairs(slices) do
    if not most or #slices <= most or i < most or i == #slices then
      names[#names + 1] = slice.name
    elseif i == most then
      names[#names + 1] = "..."
    end
  end
  return names
end

--- The slices that have names, smallest first.
---@example #pod.chips("v3"):slices() > 0 --> true
function Chip:slices()
  return core.slices(self.name)
end

-- The names of the generations, oldest first.
function chips.names()
  local names = {}
  for i, chip in ipairs(chips.list()) do
    names[i] = chip.name
  end
  return names
end

--- pod.chips() lists the generations, oldest first, also by name: pod.chips().v3. pod.chips "v3" is one of
--- them; a slice's name does as well.
---@example pod.chips("v3").name --> "v3"
function chips.list(name)
  if not all then
    all = setmetatable(core.chips(), List)
    for _, chip in ipairs(all) do
      all[chip.name] = setmetatable(chip, Chip)
    end
  end
  if name == nil then
    return all
  end
  errors.check_type(name, "string", "chips", "the name of a generation")
  local found = core.chip_name(name)
  if not found then
    errors.raise("there is no TPU generation '%s'%s", name, errors.suggest(name, chips.names()))
  end
  if name:find "[-:]" then
    local ok, message = pcall(core.slice, name)
    if not ok then
      errors.raise_from_core(message)
    end
  end
  return all[found]
end

declare.methods("chip", Chip, function(value)
  return getmetatable(value) == Chip
end, { ["most:count?"] = "slice_names" })

return chips
