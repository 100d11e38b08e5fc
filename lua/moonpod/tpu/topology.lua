-- topology - which chips a slice has and how they are linked.

local decimal = require "moonpod.base.decimal"
local declare = require "moonpod.base.arguments"
local core = require "moonpod.core"
local errors = require "moonpod.base.errors"
local is_whole = require "moonpod.base.kinds".is_whole

local topology = {}

local unpack = table.unpack or unpack -- luacheck: ignore

local Topology = { __name = "moonpod.topology" }
Topology.__index = Topology

-- Rows and columns of a drawing beyond which its middle is left out.
local MOST = 16

local function call(name, ...)
  local ok, result = pcall(core[name], ...)
  if not ok then
    errors.raise_from_core("topology: " .. tostring(result))
  end
  return result
end

-- The name that options give, or version and topology in its place.
local function name_of(options)
  local version, shape = options.version, options.topology
  if version == nil and shape == nil then
    return options.name
  elseif options.name ~= nil then
    errors.raise("topology: name says the generation and the size; leave %s out", version and "version" or "topology")
  elseif version == nil or shape == nil then
    errors.raise("topology: version and topology go together, as in version = \"v3\", topology = \"4x4\"")
  end
  errors.check_type(version, "string", "topology", "option 'version'")
  errors.check_type(shape, "string", "topology", "option 'topology'")
  if version:find "[-:]" then
    errors.raise("topology: version is a generation, such as \"v3\", not \"%s\"", version)
  end
  return version .. ":" .. shape
end

--- How the chips of a slice are connected: `pod.topology "v3-32"`, `"v4:2x2x4"`, or by options.
---@param options.version string the generation, as "v3"
---@param options.topology string the shape, as "4x4"
---@param options.wrap boolean whether the ends of every axis are linked; by default the rule of the generation says
---@param options.name string the name of a slice, as "v3-32"
---@return topology which prints
---@example pod.topology("v4:2x2x4"):hops(0, 1) --> 1
function topology.new(name, options)
  if type(name) == "table" then
    options = errors.check_options(name, { "name", "version", "topology", "wrap" }, "topology")
    name = name_of(options)
  else
    options = errors.check_options(options, { "wrap" }, "topology")
  end
  if options.wrap ~= nil then
    errors.check_type(options.wrap, "boolean", "topology", "option 'wrap'")
  end
  if type(name) ~= "string" then
    errors.raise("topology needs the name of a slice, such as \"v3-32\", or version = \"v3\" and "
      .. "topology = \"4x4\"")
  end
  local self = call("slice", name, options.wrap)
  self.spec = ("%s:%s"):format(self.generation, self.topology)
  self.wrap = options.wrap
  local chip = require "moonpod.tpu.chips".list(self.generation)
  self.chips_per_host = math.min(chip.chips_per_host, self.num_chips)
  self.host_shape = chip.host_shape
  self.hbm_bytes = self.num_chips * chip.hbm_bytes
  self.bisection_bytes_per_second = self.bisection_links * chip.link_usable_per_second
  return setmetatable(self, Topology)
end

--- The chips that a chip is linked with. Chips count from 0, the first axis fastest.
---@example #pod.topology("v4:2x2x4"):neighbors(0) --> 3
function Topology:neighbours(chip)
  return call("slice_neighbours", self.spec, self.wrap, chip)
end
Topology.neighbors = Topology.neighbours

--- The fewest links between two chips.
---@example pod.topology("v4:2x2x4"):hops(0, 1) --> 1
function Topology:hops(from, to)
  return call("slice_hops", self.spec, self.wrap, from, to)
end

-- Whether a link between two chips was cut.
local function is_cut(self, from, to)
  local low, high = math.min(from, to), math.max(from, to)
  for _, link in ipairs(self.cuts or {}) do
    if link[1] == low and link[2] == high then
      return true
    end
  end
  return false
end

-- The axis along which two chips lie on one ring, beside each other.
local function axis_of_link(self, from, to)
  local a, b, axis = self:coordinates(from), self:coordinates(to), nil
  for i, size in ipairs(self.shape) do
    local apart = math.abs(a[i] - b[i])
    if apart > 0 and (axis or apart ~= 1 and apart ~= size - 1) then
      return nil
    end
    axis = apart > 0 and i or axis
  end
  return axis
end

--- The slice without the link between two chips, which prints. Exchanges go along the axis of the link in lines from
--- then on, in the place of rings, as all rings of it keep the pace of the one that is open. How many hops there are
--- between chips is counted in that way, too.
---@return topology
---@error there is no such link, or its axis does not wrap: what is behind it could not be reached along the axis
--- ```lua
--- local torus = pod.topology "v5e-256"
--- local cut = torus:cut(0, 1)
--- assert(cut:exchange_seconds("all_reduce", 1e9) > torus:exchange_seconds("all_reduce", 1e9))
--- ```
function Topology:cut(from, to)
  local axis = axis_of_link(self, from, to)
  if not axis or is_cut(self, from, to) then
    errors.raise("topology:cut: no link goes from chip %d to chip %d of %s", from, to, self.name)
  elseif not self.wraps[axis] then
    errors.raise("topology:cut: axis %d of %s is a line, by which nothing could pass where it is cut; "
      .. "cut a link of a ring, one for each axis", axis, self.name)
  end
  local wrap = { unpack(self.wraps) }
  wrap[axis] = false
  local made = setmetatable(call("slice", self.spec, wrap), Topology)
  for key, value in pairs(self) do
    made[key] = made[key] == nil and value or made[key]
  end
  made.name, made.wrap, made.rings = self.name, wrap, self.rings or self.wraps
  made.cuts = { { math.min(from, to), math.max(from, to) }, unpack(self.cuts or {}) }
  made.bisection_bytes_per_second = self.bisection_bytes_per_second * made.bisection_links / self.bisection_links
  return made
end

--- Seconds that an exchange takes, as the links let it: "all_reduce", "all_gather" or "reduce_scatter" of an array of
--- so many bytes, "all_to_all" or "collective_permute" of which each device sends so many. As many as `devices` do so
--- together; all do where it is nil.
---@return number
---@example pod.topology("v3-8"):exchange_seconds("all_reduce", 1e9, 2) == 0 --> true
function Topology:exchange_seconds(exchange, bytes, devices)
  return call("slice_exchange_seconds", self.spec, self.wrap, exchange, bytes, devices)
end

--- The place of a chip along each axis, from 0.
---@example pod.topology("v4:2x2x4"):coordinates(3) --> { 1, 1, 0 }
function Topology:coordinates(chip)
  return call("slice_place", self.spec, self.wrap, chip)
end

--- The chip at a place.
---@example pod.topology("v4:2x2x4"):chip_at({ 1, 1, 0 }) --> 3
function Topology:chip_at(place)
  errors.check_type(place, "table", "topology:chip_at", "place")
  for axis, size in ipairs(self.shape) do
    local at = place[axis]
    if not is_whole(at, 0) or at >= size then
      errors.raise("topology:chip_at: place %d must be an integer from 0 to %d, not %s", axis,
        size - 1, errors.describe(at))
    end
  end
  return call("slice_chip", self.spec, self.wrap, place)
end

-- Positions to draw of an axis: all, or the first and the last with false between.
function topology.positions(size)
  local list = {}
  for i = 0, size - 1 do
    if size <= MOST or i < MOST - 4 or i >= size - 2 then
      list[#list + 1] = i
    elseif i == MOST - 4 then
      list[#list + 1] = false
    end
  end
  return list
end

-- Planes to draw of a slice of three axes, in the same way.
function topology.planes(self)
  local planes = topology.positions(self.shape[3])
  return #planes > 4 and { 0, false, self.shape[3] - 1 } or planes
end

-- A line of links between two rows: `mark` under each chip that is drawn, but for links that were cut: row y's to `to`.
local function line_of_links(self, columns, width, mark, z, y, to)
  local cells = {}
  for i, x in ipairs(columns) do
    local gone = x and to and is_cut(self, self:chip_at { x, y, z }, self:chip_at { x, to, z })
    cells[i] = x and (gone and " " or mark) .. (" "):rep(width + 1) or "   "
  end
  return ("   " .. table.concat(cells)):gsub("%s+$", "")
end

local function line_of_chips(self, columns, width, y, z)
  local cells = {}
  for i, x in ipairs(columns) do
    if x then
      local number = tostring(self:chip_at { x, y, z })
      local last = i == #columns
      local gone = columns[i + 1] and is_cut(self, self:chip_at { x, y, z }, self:chip_at { x + 1, y, z })
      cells[i] = number .. ((last or gone) and " " or "─"):rep(width - #number + (last and 0 or 2))
    else
      cells[i] = "…──"
    end
  end
  local ends = is_cut(self, self:chip_at { 0, y, z }, self:chip_at { self.shape[1] - 1, y, z })
  local edge = (self.rings or self.wraps)[1] and not ends and "╌" or " "
  return ("  " .. edge .. table.concat(cells) .. edge):gsub("%s+$", "")
end

-- One plane of chips: a line for each row and one of links between.
local function draw_plane(self, z, lines)
  local columns, rows = topology.positions(self.shape[1]), topology.positions(self.shape[2])
  local width = #tostring(self.num_chips - 1)
  local function add(line)
    lines[#lines + 1] = line
  end
  local function add_links(mark, y, to)
    add((line_of_links(self, columns, width, mark, z, y, to)))
  end
  local wraps = (self.rings or self.wraps)[2]
  if wraps then
    add_links("╎", 0, self.shape[2] - 1)
  end
  for i, y in ipairs(rows) do
    if y then
      add((line_of_chips(self, columns, width, y, z)))
      if rows[i + 1] then
        add_links("│", y, y + 1)
      end
    else
      add_links "…"
    end
  end
  if wraps then
    add_links("╎", 0, self.shape[2] - 1)
  end
end

--- The slice as text: chips by their numbers, links between them, dashed ends where an axis wraps.
---@example type(pod.topology("v4:2x2x1"):draw()) --> "string"
function Topology:draw()
  local lines = {}
  for _, z in ipairs(self.shape[3] and topology.planes(self) or { 0 }) do
    if not z then
      lines[#lines + 1] = "  …"
    else
      if self.shape[3] then
        lines[#lines + 1] = ("  plane %d of %d"):format(z, self.shape[3])
      end
      draw_plane(self, z, lines)
    end
  end
  return table.concat(lines, "\n")
end

local function wrapping(self)
  local names, axes = { "x", "y", "z" }, {}
  for axis, wraps in ipairs(self.wraps) do
    if wraps then
      axes[#axes + 1] = names[axis]
    end
  end
  if #axes == 0 then
    return "a mesh: no axis wraps around"
  elseif #axes == #self.shape then
    return "a torus: every axis wraps around"
  end
  return table.concat(axes, " and ") .. " wraps around"
end

local function count(number, noun)
  return ("%d %s%s"):format(number, noun, number == 1 and "" or "s")
end

function Topology:__tostring()
  local lines = {
    ("%s: %s chips, %s, %s, %s of %s"):format(self.name, self.topology,
      count(self.num_cores, "core"), count(self.num_devices, "device"),
      count(self.num_hosts, "host"), count(self.chips_per_host, "chip")),
    decimal.format("%s%s; bisection %s (%.1f GB/s one way), diameter %s; HBM %s", wrapping(self),
      self.can_twist and " (and can be twisted)" or "", count(self.bisection_links, "link"),
      self.bisection_bytes_per_second / 1e9, count(self.diameter, "hop"),
      core.bytes_text(self.hbm_bytes)),
    self:draw(),
  }
  return table.concat(lines, "\n")
end

declare.methods("topology", Topology, function(value)
  return getmetatable(value) == Topology
end, {
  ["chip:any"] = "neighbors neighbours coordinates",
  ["from:any to:any"] = "hops",
  ["from:integer to:integer"] = "cut",
  ["exchange:string bytes:number devices:integer?"] = "exchange_seconds",
  ["place:integers"] = "chip_at",
})
declare.metamethods("topology", Topology)

return topology
