-- entries - all public names with their help, by page: a page is a floor of lua/moonpod.

local declare = require "moonpod.base.arguments"
local exports = require "moonpod.help.exports"
local find = require "moonpod.help.find"
local reflect = require "moonpod.help.reflect"
local source = require "moonpod.help.source"

local entries = {}

-- Pages in the order of a reader: { folder, title, modules whose heads introduce it }.
entries.PAGES = {
  { "pod", "pod", {} },
  { "models", "Models", { "models" } },
  { "layers", "Layers, and what they are made with",
    { "layers", "layers.activations", "layers.initializers", "layers.regularizers", "layers.constraints",
      "layers.mixed_precision" } },
  { "losses", "Losses", { "losses" } },
  { "metrics", "Metrics", { "metrics" } },
  { "optimizers", "Optimizers and schedules", { "optimizers", "optimizers.schedules" } },
  { "callbacks", "Callbacks", { "callbacks" } },
  { "data", "Data", { "data", "data.records", "data.synthetic" } },
  { "datasets", "Known data", { "datasets" } },
  { "image", "Pictures", { "image" } },
  { "saving", "Saving", { "saving.train" } },
  { "summary", "Summaries for TensorBoard", { "summary" } },
  { "plot", "Plots", { "plot" } },
  { "profiler", "Profiles", { "profiler" } },
  { "tpu", "Chips, slices and clusters", { "tpu.cluster" } },
  { "advisor", "Advice", { "advisor" } },
  { "distribute", "Strategies", { "distribute" } },
  { "func", "Functions, variables, gradients, random numbers", { "func.random" } },
  { "tensor", "Tensors and devices", { "tensor.device", "tensor.debug", "tensor.cache" } },
  { "ops", "Operations", { "ops.nn" } },
  { "session", "Sessions", { "session" } },
  { "sandbox", "Scripts of others", { "sandbox" } },
}

local page_of = {}
for _, page in ipairs(entries.PAGES) do
  page_of[page[1]] = true
end

-- The floor in whose folder an entry is declared.
local function folder_of(entry)
  local path = entry.help and entry.help.path
  if not path then
    local fn = reflect.callee(entry.value)
    path = fn and source.place(reflect.origin(fn))
  end
  local folder = path and path:match "lua/moonpod/([%w_]+)/"
  local of_part = entry.part and page_of[entry.part:match "^pod%.([%w_]+)" or ""] and entry.part:match "^pod%.([%w_]+)"
  folder = of_part or folder
  return page_of[folder] and folder or folder == "help" and "pod" or "pod"
end

local function sort(list)
  table.sort(list, function(a, b)
    return a.name < b.name
  end)
end

-- Joins names of one thing: the first stays, with the others in `aliases`.
local function join_aliases(list)
  local by_help, kept = {}, {}
  for _, entry in ipairs(list) do
    local help = entry.help
    local key = help and help.path and ("%s:%d"):format(help.path, help.line)
    local first = key and by_help[key]
    if first and first.part == entry.part then
      first.aliases[#first.aliases + 1] = entry.name
    else
      by_help[key or entry.name] = entry
      kept[#kept + 1] = entry
    end
  end
  return kept
end

-- Texts name their main name first: it is before its aliases.
local function prefer_main(list)
  for i, entry in ipairs(list) do
    local main = entry.help and entry.help.names[1]
    entry.rank = main and main ~= entry.name and 1 or 0
    entry.place = i
  end
  table.sort(list, function(a, b)
    if a.rank ~= b.rank then
      return a.rank < b.rank
    end
    return a.place < b.place
  end)
end

-- folder -> array of entries of moonpod.help.find, each with kind, part and aliases; and the classes, owner -> help.
function entries.read(pod)
  local list = {}
  for i, one in ipairs(exports.list(pod)) do
    local value = one.value
    local is_thing = type(value) == "function" or type(value) == "table"
    local entry = is_thing and find.of_value(value, one.name) or { help = source.help_of_name(one.name) }
    entry.name, entry.kind, entry.part, entry.aliases, entry.value = one.name, one.kind, one.part, {}, value
    list[i] = entry
  end
  prefer_main(list)
  local pages = {}
  for _, entry in ipairs(join_aliases(list)) do
    if entry.kind ~= "part" then
      local folder = folder_of(entry)
      pages[folder] = pages[folder] or {}
      table.insert(pages[folder], entry)
    end
  end
  for _, page in pairs(pages) do
    sort(page)
  end
  local classes = {}
  for owner in pairs(declare.classes()) do
    local name = owner:gsub(" ", "_")
    classes[name] = source.help_of_name(name) or false
  end
  return pages, classes
end

return entries
