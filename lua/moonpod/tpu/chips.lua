-- chips - the TPU generations, and chips of one's own: what is in them, as tables that print.

local decimal = require "moonpod.base.decimal"
local declare = require "moonpod.base.arguments"
local core = require "moonpod.core"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local schema = require "moonpod.base.schema"
local tables = require "moonpod.base.tables"
local text_table = require "moonpod.base.text_table"
local warnings = require "moonpod.base.warnings"

local chips = {}

local Chip = { __name = "moonpod.chip" }
Chip.__index = Chip
local List = { __name = "moonpod.chips" }
List.__index = List

local all -- the list, nil where it may lack some

local function scaled(value, unit, scale)
  if not value then
    return "-"
  end
  local number = value / scale
  return decimal.format(number == math.floor(number) and "%.0f%s" or "%.1f%s", number, unit)
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
  local lines = text_table.lines(rows, { { align = "left" }, { align = "right" } })
  for _, chip in ipairs(self) do
    if chip.based_on then
      lines[#lines + 1] = ("%s: %s; its numbers are as they were given"):format(chip.name, chip.product)
    end
  end
  return table.concat(lines, "\n")
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
    self.based_on and ("  its numbers are as they were given, and where none was as those of a %s"):format(
      self.based_on) or nil,
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
  return tables.column(chips.list(), "name")
end

local before = {} -- the list as it was

-- The list of what the core has, by place and by name. A chip that was in it before stays the same table.
local function listed()
  local list = setmetatable({}, List)
  for i, chip in ipairs(core.chips()) do
    chip = before[i] or setmetatable(chip, Chip)
    list[i], list[chip.name] = chip, chip
  end
  return list
end

--- pod.chips() lists the generations, oldest first, then chips that were added; also by name: pod.chips().v3.
--- pod.chips "v3" is one of them; a slice's name does as well.
---@example pod.chips("v3").name --> "v3"
function chips.list(name)
  if not all then
    all = listed()
    before = all
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

-- ---- chips of one's own -------------------------------------------------------------------------------------------

local FIELDS = {
  "name", "based_on", "product", "cores", "devices", "mxus_per_core", "mxu_size", "lanes", "sublanes", "clock_mhz",
  "bf16_flops", "int8_ops", "int4_ops", "fp8_flops", "hbm_bytes", "hbm_limit_bytes", "hbm_reserved_bytes",
  "hbm_bytes_per_second", "vmem_bytes", "smem_bytes", "cmem_bytes", "sparse_cores", "links", "link_bytes_per_second",
  "link_usable_per_second", "pod_shape", "pod_chips", "host_shape", "pcie_bytes_per_second",
  "network_bytes_per_second", "name_counts", "layout_rows", "packs_below_bytes",
}

local TEXTS = { name = true, based_on = true, product = true, name_counts = true }
local LONGEST_PRODUCT = 40

local function check(description, where)
  errors.check_options(description, FIELDS, where)
  for name in pairs(TEXTS) do
    if description[name] ~= nil then
      errors.check_type(description[name], "string", where, "'" .. name .. "'")
    end
  end
  if description.packs_below_bytes ~= nil then
    errors.check_type(description.packs_below_bytes, "boolean", where, "'packs_below_bytes'")
  end
  local product = description.product or ""
  if #product > LONGEST_PRODUCT or product:find "%c" then
    errors.raise("%s: 'product' is a line of up to %d bytes, not %s", where, LONGEST_PRODUCT, errors.describe(product))
  end
end

-- Adds all of the descriptions, or none. Returns the chips.
local function add(descriptions, where)
  all = nil
  local ok, message = pcall(core.add_chips, descriptions)
  if not ok then
    errors.raise_from_core(where .. ": " .. tostring(message))
  end
  local added = {}
  for i, description in ipairs(descriptions) do
    added[i] = chips.list(description.name)
  end
  return added
end

--- Adds a chip of one's own beside the generations: from then on its name stands wherever theirs may ("v9x", slices as
--- "v9x-8" and "v9x:2x4"). It is planned for by the rules of compiling of the generation that it is based on, and what
--- is not given is as there. Reports say that its numbers are its user's. A name stands for the same numbers as long
--- as the process runs.
---@param options.name string up to 12 letters and digits in lower case
---@param options.based_on string the generation that it is like, as "v5e"
---@param options.product string what reports call it (default its name)
---@param options.cores integer TensorCores of a chip
---@param options.devices integer what programs run on: 1, all cores as one, or as many as cores
---@param options.mxus_per_core integer matrix units of a core
---@param options.mxu_size integer rows and columns of one
---@param options.lanes integer of a vector register: 128
---@param options.sublanes integer of a vector register: 8
---@param options.clock_mhz integer MHz
---@param options.bf16_flops number a chip's peak a second; with it the other peaks are not taken from the base
---@param options.int8_ops number a chip's peak a second
---@param options.int4_ops number a chip's peak a second
---@param options.fp8_flops number a chip's peak a second
---@param options.hbm_bytes integer bytes of a chip, as built; hbm_limit_bytes goes with it
---@param options.hbm_limit_bytes integer bytes that a program on one device may use
---@param options.hbm_reserved_bytes integer bytes that the system keeps of a device's
---@param options.hbm_bytes_per_second number bytes a second of a chip
---@param options.vmem_bytes integer bytes of a core's vector memory
---@param options.smem_bytes integer bytes of a core's scalar memory
---@param options.cmem_bytes integer bytes of a chip's common memory; 0 for none
---@param options.sparse_cores integer SparseCores of a chip; 0 for none
---@param options.links integer links of a chip to others
---@param options.link_bytes_per_second number bytes a second of a link, one way
---@param options.link_usable_per_second number the same as measured (default as said)
---@param options.pod_shape integer[] chips of a full pod along each axis: { 16, 16 } or { 16, 16, 16 }
---@param options.pod_chips integer chips of the largest slice (default all of pod_shape)
---@param options.host_shape integer[] chips of a host along each axis
---@param options.pcie_bytes_per_second number bytes a second from host to chip
---@param options.network_bytes_per_second number bytes a second from host to host
---@param options.name_counts "cores"|"chips" what the number in a slice's name counts
---@param options.layout_rows integer fewest rows of a tile, in words of 32 bits: 2 up to v3, else 1
---@param options.packs_below_bytes boolean whether elements of 4 bits take half a byte
---@return chip
---@error a field that no chip could have, a name that is taken, or no base
---@example pod.add_chip({ name = "v5half", based_on = "v5e", hbm_bytes = 2^33, hbm_limit_bytes = 8e9 }).cores --> 1
function chips.add(options)
  check(options or {}, "add_chip")
  return add({ options or {} }, "add_chip")[1]
end

local LARGEST_FILE = 2 ^ 20 -- bytes
local MAJOR = 1

-- What fields a chip has is checked as that of add() is.
local FILE = schema.object { chips = schema.list_of(schema.map_of(schema.any)) }

local function read(path)
  local file, message = device.open(path, "rb")
  if not file then
    errors.raise("add_chips: %s cannot be read: %s", path, tostring(message))
  end
  local text, failure = file:read(LARGEST_FILE + 1)
  file:close()
  if failure then
    errors.raise("add_chips: %s cannot be read: %s", path, failure)
  end
  text = text or "" -- of an empty file
  if #text > LARGEST_FILE then
    errors.raise("%s: a file of chips has at most %d bytes", path, LARGEST_FILE)
  end
  return schema.read(text, schema.object {}, path)
end

-- Checks format, kind and version; returns whether the file is of a newer minor version.
local function check_head(content, path)
  if content.format ~= "moonpod" or content.kind ~= "chips" or type(content.version) ~= "string" then
    errors.raise('%s: this is no file of chips: that has "format": "moonpod", "kind": "chips", "version": "1.0"', path)
  end
  local major, minor = content.version:match "^(%d+)%.(%d+)$"
  if not major then
    errors.raise("%s: the file has no version such as 1.0, but %q", path, content.version:sub(1, 40))
  elseif tonumber(major) ~= MAJOR then
    errors.raise("%s: the file is of version %s; this Moonpod reads versions %d.x", path, content.version, MAJOR)
  end
  return tonumber(minor) > 0
end

-- What of a description this version knows; of a newer file's other fields a warning tells.
local function known(description, path)
  local found, fields = {}, tables.set_of(FIELDS)
  for name, value in pairs(description) do
    if fields[name] then
      found[name] = value
    else
      warnings.warn("%s: the file is of a newer version; '%s' of a chip is not known here and left out", path,
        tostring(name):sub(1, 40))
    end
  end
  return found
end

--- Adds the chips of a file (JSON): docs/reference/formats.md says what is in it. All of them, or none where one is
--- refused.
---@param path string the file
---@return chip[]
---@error the file is none, or a chip is refused as add_chip() refuses it
--- ```lua
--- local path = os.tmpname()
--- local file = io.open(path, "w")
--- file:write [[{ "format": "moonpod", "kind": "chips", "version": "1.0",
---   "chips": [{ "name": "v5double", "based_on": "v5e", "hbm_bytes": 34359738368, "hbm_limit_bytes": 33554432000 }] }]]
--- file:close()
--- assert(pod.add_chips(path)[1].name == "v5double")
--- os.remove(path)
--- ```
function chips.add_file(path)
  local content = read(path)
  local is_newer = check_head(content, path)
  schema.check(content, FILE, path)
  local descriptions = {}
  for i, description in ipairs(content.chips) do
    local where = ("%s: chip %d"):format(path, i)
    descriptions[i] = is_newer and known(description, path) or description
    check(descriptions[i], where)
  end
  return add(descriptions, path)
end

declare.functions("chips", chips, { ["options"] = "add", ["path"] = "add_file" })

declare.methods("chip", Chip, function(value)
  return getmetatable(value) == Chip
end, { ["most:count?"] = "slice_names" })

return chips
