-- known_kinds - what is shown of Moonpod's own values.

local axis = require "moonpod.plot.axis"
local given = require "moonpod.plot.given"
local inspect = require "moonpod.base.inspect"
local layer = require "moonpod.layers.layer"
local model = require "moonpod.models.model"
local model_picture = require "moonpod.display.model_picture"
local optimizer = require "moonpod.optimizers.optimizer"
local plot = require "moonpod.plot"
local readable = require "moonpod.base.readable"
local tensor = require "moonpod.tensor"
local text_table = require "moonpod.base.text_table"
local topology_picture = require "moonpod.display.topology_picture"
local variable = require "moonpod.func.variable"

local known_kinds = {}

-- ---- tensors -----------------------------------------------------------------------------------------------

local CHANNELS = { true, false, true, true }
local MOST_PICTURES = 16

-- The picture that a tensor is, or nil: one, several beside each other, a matrix in colours, a line.
local function tensor_picture(t)
  local shape = t.shape
  if not tensor.is_known(t) or t:size() == 0 or t.dtype == "bool" and #shape ~= 2 then
    return nil
  elseif #shape == 4 and CHANNELS[shape[4]] then
    local list = {}
    for i = 1, math.min(shape[1], MOST_PICTURES) do
      list[i] = t[i]
    end
    return plot.image_grid(list)
  elseif #shape == 3 and CHANNELS[shape[3]] or #shape == 2 and t.dtype == "uint8" then
    return plot.image(t)
  elseif #shape == 2 then
    return plot.heat_map(t)
  elseif #shape == 1 then
    return plot.line(t)
  end
end

local function describe_tensor(t)
  local value = variable.is_variable(t) and t:value() or t
  return { text = function()
    return tostring(t)
  end, picture = function()
    return tensor_picture(value)
  end }
end

-- ---- cards -------------------------------------------------------------------------------------------------

-- Rows of names and values below a heading.
local function card(heading, rows)
  local lines = text_table.lines(rows, { { align = "left", gap = 2 }, { align = "left" } })
  table.insert(lines, 1, heading)
  return table.concat(lines, "\n")
end

-- One value of a configuration in a line: objects by their names.
local function config_text(value)
  if readable.is_plain(value) and type(value.class_name) == "string" then
    local name = type(value.config) == "table" and value.config.name
    value = type(name) == "string" and name or value.class_name
  end
  local text = inspect.text(value, { width = 1000, depth = 2, items = 8 }):gsub("%s*\n%s*", " ")
  return text_table.cut(text, 60, true)
end

-- The entries of a configuration, one a row.
local function add_config(rows, config)
  local names = {}
  for name in pairs(config) do
    names[#names + 1] = tostring(name)
  end
  table.sort(names)
  for _, name in ipairs(names) do
    if name ~= "name" and config[name] ~= nil then
      rows[#rows + 1] = { name, config_text(config[name]) }
    end
  end
  return rows
end

-- What get_config() says, as far as it can be asked.
local function config_of(value)
  local ok, config = pcall(function()
    return value:get_config()
  end)
  return ok and type(config) == "table" and config or {}
end

local function describe_layer(one)
  return { text = function()
    local heading = ("%s '%s', %s"):format(one.class_name, one.name,
      one.built and one:count_params() .. " parameters" or "not built yet")
    local rows = {}
    for _, weight in ipairs(one.built and one:get_weight_variables() or {}) do
      rows[#rows + 1] = { weight.name:match "[^/]+$", ("%s %s%s"):format(weight.dtype, tostring(weight.shape),
        weight.trainable and "" or ", not trained") }
    end
    return card(heading, add_config(rows, config_of(one)))
  end }
end

local function describe_optimizer(one)
  return { text = function()
    local known, steps = pcall(one.iterations.item, one.iterations)
    return card(tostring(one), add_config({ { "steps", known and ("%d"):format(steps) or "not known here" } },
      config_of(one)))
  end }
end

local function summary_of(one)
  local text
  one:summary { print_fn = function(whole)
    text = whole
  end }
  return (text:gsub("\n+$", ""))
end

local function describe_model(one)
  return { text = function()
    local ok, text = pcall(summary_of, one)
    return ok and type(text) == "string" and text or tostring(one)
  end, picture = function()
    return model_picture.describe(one)
  end }
end

-- ---- histories ---------------------------------------------------------------------------------------------

local MOST_EPOCHS = 20

local function names_of(one)
  local names = {}
  for name in pairs(one.history) do
    names[#names + 1] = name
  end
  table.sort(names)
  return names
end

local function history_text(one)
  local names = names_of(one)
  local rows, count = { { "epoch" } }, 0
  for i, name in ipairs(names) do
    rows[1][i + 1] = name
    count = math.max(count, #one.history[name])
  end
  local first = math.max(1, count - MOST_EPOCHS + 1)
  if first > 1 then
    rows[2] = { "..." }
  end
  for epoch = first, count do
    local row = { tostring(epoch) }
    for i, name in ipairs(names) do
      local value = one.history[name][epoch]
      row[i + 1] = type(value) == "number" and axis.text(value, 5) or value ~= nil and inspect.text(value) or "-"
    end
    rows[#rows + 1] = row
  end
  return count == 0 and tostring(one) .. " without epochs"
    or table.concat(text_table.lines(rows, { { align = "right" } }), "\n")
end

local function describe_history(one)
  return { text = function()
    return history_text(one)
  end, picture = function()
    local numbers = {}
    for _, name in ipairs(names_of(one)) do
      local is_number = true
      for _, value in ipairs(one.history[name]) do
        is_number = is_number and type(value) == "number"
      end
      numbers[name] = is_number and one.history[name] or nil
    end
    return plot.line(numbers, { x_label = "epoch" })
  end }
end

-- ---- datasets, memory --------------------------------------------------------------------------------------

local function describe_dataset(one)
  return { text = function()
    local ok, spec = pcall(one.element_spec, one)
    return tostring(one) .. (ok and "\n  elements  " .. inspect.text(spec):gsub("\n", "\n  ") or "")
  end }
end

local function describe_report(one)
  return { text = function()
    return tostring(one)
  end, svg = function()
    return one:svg()
  end, html = function()
    return one:html()
  end }
end

local function describe_padding(one)
  return { text = function()
    return tostring(one)
  end, picture = function()
    return plot.bar({ one.unpadded_bytes, one.padded_bytes }, { labels = { "its elements", "in memory" },
      horizontal = true, title = one.text .. " on " .. one.chip, x_label = "bytes", height = 180 })
  end }
end

-- Its text draws it, too: the picture stands alone.
local function describe_topology(one)
  local picture = topology_picture.describe(one)
  return { text = function()
    return tostring(one)
  end, svg = function()
    return picture:svg()
  end, picture = picture }
end

-- Charts of a profile, the first of which there is something to draw for.
local PROFILE_CHARTS = { "parts", "ops", "steps", "stages" }

local function describe_profile(one)
  return { text = function()
    return tostring(one)
  end, picture = function()
    for _, name in ipairs(PROFILE_CHARTS) do
      local chart = one:chart(name)
      if chart then
        return chart
      end
    end
  end }
end

-- By the names of metatables: how a value is described; those of `cards` say more than their text.
local DESCRIBE = { ["moonpod.tensor"] = describe_tensor, ["moonpod.variable"] = describe_tensor,
  ["moonpod.dataset"] = describe_dataset, ["moonpod.memory_report"] = describe_report,
  ["moonpod.padding"] = describe_padding, ["moonpod.topology"] = describe_topology,
  ["moonpod.profile"] = describe_profile }
local CARDS = { ["moonpod.dataset"] = true }
local PICTURES = { ["moonpod.memory_report"] = true, ["moonpod.padding"] = true, ["moonpod.topology"] = true,
  ["moonpod.profile"] = true }

local function kind_of(value, meta)
  if rawget(value, "is_history") == true then
    return describe_history, true
  elseif model.is_model(value) then
    return describe_model, true
  elseif layer.is_layer(value) then
    return describe_layer, true
  elseif optimizer.is_optimizer(value) then
    return describe_optimizer, true
  end
  local name = meta and rawget(meta, "__name")
  return DESCRIBE[name], CARDS[name]
end

-- The description of a value, or nil.
function known_kinds.describe(value, meta)
  local describe = type(value) == "table" and kind_of(value, meta)
  return describe and given.new(describe(value), "display") or nil
end

-- Whether what is shown of a value is more than its text.
function known_kinds.has_card(value, meta)
  if type(value) ~= "table" then
    return false
  end
  local _, has_card = kind_of(value, meta)
  return has_card
end

-- Whether a value whose text says all is better looked at.
function known_kinds.has_picture(value, meta)
  return type(value) == "table" and meta ~= nil and PICTURES[rawget(meta, "__name")] == true
end

return known_kinds
