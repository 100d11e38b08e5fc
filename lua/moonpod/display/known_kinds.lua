-- known_kinds - what is shown of Moonpod's own values.

local axis = require "moonpod.plot.axis"
local given = require "moonpod.plot.given"
local inspect = require "moonpod.base.inspect"
local layer = require "moonpod.layers.layer"
local model = require "moonpod.models.model"
local model_picture = require "moonpod.display.model_picture"
local names = require "moonpod.base.names"
local optimizer = require "moonpod.optimizers.optimizer"
local plot = require "moonpod.plot"
local readable = require "moonpod.base.readable"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local text_table = require "moonpod.base.text_table"
local svg = require "moonpod.plot.svg"
local topology_picture = require "moonpod.display.topology_picture"
local variable = require "moonpod.func.variable"

local known_kinds = {}

-- ---- tensors -----------------------------------------------------------------------------------------------

local CHANNELS = { true, false, true, true }
local MOST_PICTURES = 16

-- The picture that a tensor is, or nil: one, several beside each other, a matrix in colours, a line.
local function tensor_picture(one)
  local t = variable.is_variable(one) and one:value() or one
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
  for _, name in ipairs(names.sorted(config)) do
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

local function layer_text(one)
  local heading = ("%s '%s', %s"):format(one.class_name, one.name,
    one.built and one:count_params() .. " parameters" or "not built yet")
  local rows = {}
  for _, weight in ipairs(one.built and one:get_weight_variables() or {}) do
    rows[#rows + 1] = { weight.name:match "[^/]+$", ("%s %s%s"):format(weight.dtype, tostring(weight.shape),
      weight.trainable and "" or ", not trained") }
  end
  return card(heading, add_config(rows, config_of(one)))
end

local function optimizer_text(one)
  local known, steps = pcall(one.iterations.item, one.iterations)
  return card(tostring(one), add_config({ { "steps", known and ("%d"):format(steps) or "not known here" } },
    config_of(one)))
end

local function summary_of(one)
  local text
  one:summary { print_fn = function(whole)
    text = whole
  end }
  return (text:gsub("\n+$", ""))
end

local function model_text(one)
  local ok, text = pcall(summary_of, one)
  return ok and type(text) == "string" and text or tostring(one)
end

-- ---- histories ---------------------------------------------------------------------------------------------

local MOST_EPOCHS = 20

local function history_text(one)
  local metrics, rows, count = names.sorted(one.history), { { "epoch" } }, 0
  for i, name in ipairs(metrics) do
    rows[1][i + 1] = name
    count = math.max(count, #one.history[name])
  end
  local first = math.max(1, count - MOST_EPOCHS + 1)
  if first > 1 then
    rows[2] = { "..." }
  end
  for epoch = first, count do
    local row = { tostring(epoch) }
    for i, name in ipairs(metrics) do
      local value = one.history[name][epoch]
      row[i + 1] = type(value) == "number" and axis.text(value, 5) or value ~= nil and inspect.text(value) or "-"
    end
    rows[#rows + 1] = row
  end
  return count == 0 and tostring(one) .. " without epochs"
    or table.concat(text_table.lines(rows, { { align = "right" } }), "\n")
end

local function is_number(value)
  return type(value) == "number"
end

local function history_picture(one)
  local numbers = {}
  for name, values in pairs(one.history) do
    numbers[name] = tables.all(values, is_number) and values or nil
  end
  return plot.line(numbers, { x_label = "epoch" })
end

-- ---- datasets, memory --------------------------------------------------------------------------------------

local function dataset_text(one)
  local ok, spec = pcall(one.element_spec, one)
  return tostring(one) .. (ok and "\n  elements  " .. inspect.text(spec):gsub("\n", "\n  ") or "")
end

local function padding_picture(one)
  return plot.bar({ one.unpadded_bytes, one.padded_bytes }, { labels = { "its elements", "in memory" },
    horizontal = true, title = one.text .. " on " .. one.chip, x_label = "bytes", height = 180 })
end

-- The first chart of a profile that there is something to draw for.
local function profile_picture(one)
  for _, name in ipairs { "parts", "ops", "steps", "stages" } do
    local chart = one:chart(name)
    if chart then
      return chart
    end
  end
end

-- The page of a table of variants, within that of a notebook.
local function whatif_frame(one)
  return ('<iframe srcdoc="%s" title="%s" sandbox="allow-scripts" style="width:100%%;height:44rem;border:0"></iframe>')
    :format(svg.escape(one:html()), svg.escape("What if: " .. one.name))
end

-- ---- kinds -------------------------------------------------------------------------------------------------

-- What is shown of a kind: functions of the value, which is its own text where there is none. has_card: it is more than
-- the value's text; has_picture: the text says all, and is better looked at.
local HISTORY = { has_card = true, text = history_text, picture = history_picture }
local MODEL = { has_card = true, text = model_text, picture = model_picture.describe }
local LAYER = { has_card = true, text = layer_text }
local OPTIMIZER = { has_card = true, text = optimizer_text }

-- By the names of metatables.
local NAMED = {
  ["moonpod.tensor"] = { picture = tensor_picture },
  ["moonpod.variable"] = { picture = tensor_picture },
  ["moonpod.dataset"] = { has_card = true, text = dataset_text },
  ["moonpod.memory_report"] = { has_picture = true, svg = function(one) return one:svg() end,
    html = function(one) return one:html() end },
  ["moonpod.padding"] = { has_picture = true, picture = padding_picture },
  ["moonpod.topology"] = { has_picture = true, picture = topology_picture.describe,
    svg = function(one) return topology_picture.describe(one):svg() end }, -- its text draws it, too
  ["moonpod.whatif"] = { has_picture = true, html = whatif_frame },
  ["moonpod.profile"] = { has_picture = true, picture = profile_picture },
}

-- The kind of a value, or nil.
function known_kinds.of(value, meta)
  if type(value) ~= "table" then
    return nil
  elseif rawget(value, "is_history") == true then
    return HISTORY
  elseif model.is_model(value) then
    return MODEL
  elseif layer.is_layer(value) then
    return LAYER
  elseif optimizer.is_optimizer(value) then
    return OPTIMIZER
  end
  return meta and NAMED[rawget(meta, "__name")]
end

-- The description of a value, or nil.
function known_kinds.describe(value, meta)
  local kind, made = known_kinds.of(value, meta), {}
  if not kind then
    return nil
  end
  for _, name in ipairs { "text", "svg", "html", "picture" } do
    local show = kind[name] or name == "text" and tostring
    made[name] = show and function()
      return show(value)
    end or nil
  end
  return given.new(made, "display")
end

return known_kinds
