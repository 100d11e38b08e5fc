-- options - the keys of a function's table of options, read from where the function itself has them: the spec of its
-- class, the tables it is made with, or the call of errors.check_options in its text. Nothing is called for it.

local above = require "moonpod.base.above"
local inspect = require "moonpod.base.inspect"
local reflect = require "moonpod.help.reflect"
local source = require "moonpod.help.source"
local texts = require "moonpod.base.texts"

local options = {}

local MOST_STEPS = 6 -- from a function to the one that does its work

-- ---- values by name ----------------------------------------------------------------------------------------

local function activations() return require "moonpod.layers.activations" end
local function initializers() return require "moonpod.layers.initializers" end
local function losses() return require "moonpod.losses" end
local function optimizers() return require "moonpod.optimizers" end
local function metrics() return require "moonpod.metrics" end

-- Options whose values are names of things: what gives the table that has them, or the names.
local NAMED = {
  activation = { activations }, initializer = { initializers }, loss = { losses }, optimizer = { optimizers },
  metrics = { metrics }, weighted_metrics = { metrics },
  regularizer = { values = { "l1", "l2", "l1_l2", "orthogonal" } },
  constraint = { values = { "max_norm", "non_neg", "unit_norm", "min_max_norm" } },
}

-- Fields of these modules that are no such things.
local NO_NAMES = { get = true, from_function = true, compute_average_loss = true, apply_mask = true, reduce = true,
  compare_kernels = true }

local DTYPES = { "bfloat16", "bool", "float16", "float32", "float64", "int16", "int32", "int64", "int8", "uint16",
  "uint32", "uint64", "uint8" }

local function names_of_module(row)
  if row.values then
    return row.values
  end
  local ok, module = pcall(row[1])
  local list = {}
  for name, value in next, ok and module or {} do
    if type(name) == "string" and type(value) == "function" and name:find "^%l" and not name:find "^is_"
        and not NO_NAMES[name] then
      list[#list + 1] = name
    end
  end
  table.sort(list)
  return list
end

-- The texts that an option of this name may be, or nil.
local function values_of_name(name)
  if name == "dtype" or name:find "_dtype$" then
    return DTYPES
  end
  for ending, row in pairs(NAMED) do
    if name == ending or name:sub(-#ending - 1) == "_" .. ending then
      return names_of_module(row)
    end
  end
end

-- The texts in a type such as "valid"|"same", or nil.
local function values_of_type(text)
  local list = texts.parts(text or "", '"([^"]*)"')
  return #list > 0 and list or nil
end

-- ---- where options are declared ----------------------------------------------------------------------------

-- Adds an option, or what is new about it.
local function add(found, name, more)
  if type(name) ~= "string" then
    return
  end
  local one = found.by_name[name]
  if not one then
    one = { name = name }
    found.by_name[name] = one
    found[#found + 1] = one
  end
  for key, value in pairs(more or {}) do
    if one[key] == nil then
      one[key] = value
    end
  end
end

-- From an array of names, or a table from names to kinds.
local function add_allowed(found, allowed)
  for key, value in pairs(type(allowed) == "table" and allowed or {}) do
    if type(key) == "number" then
      add(found, value)
    else
      add(found, key, { type = type(value) == "string" and value or nil })
    end
  end
end

local function add_defaults(found, defaults)
  for name, value in pairs(type(defaults) == "table" and defaults or {}) do
    add(found, name, { default = inspect.text(value), type = type(value) ~= "table" and type(value) or nil })
  end
end

local function values_of_check(check)
  local allowed = type(check) == "function" and reflect.upvalue(check, "allowed")
  return type(allowed) == "table" and type(allowed[1]) == "string" and allowed or nil
end

-- From the table that a class is made of. `arguments` may stand before the table of options, in their order.
local function add_spec(found, spec)
  add_defaults(found, spec.defaults)
  for _, list in ipairs { "optional", "required", "arguments", "kinds" } do
    add_allowed(found, spec[list])
  end
  for place, name in ipairs(type(spec.arguments) == "table" and spec.arguments or {}) do
    add(found, name, { place = place })
  end
  for _, name in ipairs(type(spec.required) == "table" and spec.required or {}) do
    add(found, name, { required = true })
  end
  for name, check in pairs(type(spec.checks) == "table" and spec.checks or {}) do
    add(found, name, { values = values_of_check(check) })
  end
  local first = spec.positional or spec.first
  if type(first) == "string" then
    add(found, first, { place = 1 })
  end
end

-- The value of a name within a function's text: an upvalue, or a table that is written there.
local function declared_table(fn, text)
  if text:find "^{" then
    local made = {}
    for name in text:gmatch '"([%w_]+)"%s*[,}]' do
      if not text:find("=%s*\"" .. name .. '"') then
        made[name] = true
      end
    end
    for name, kind in text:gmatch "([%a_][%w_]*)%s*=%s*([^,}]+)" do
      made[name] = kind:match '^"(.-)"' or true
    end
    return made
  end
  return reflect.upvalue(fn, text)
end

-- From a function's own text: what it gives errors.check_options, and what stands behind `options.NAME or`.
local function add_text(found, fn)
  local text = source.text(fn)
  if not text then
    return
  end
  local list = text:match "check_options%(%s*[%w_]+[^,{]*,%s*(%b{})"
    or text:match "check_options%(%s*[%w_]+[^,{]*,%s*([%a_][%w_]*)%s*,"
    or text:match "arguments%.read%(\"[%w_]+\",%s*([%a_][%w_]*)%s*,"
  if not list then
    return
  end
  add_allowed(found, declared_table(fn, list))
  for name, default in text:gmatch "options%.([%w_]+) or ([%w_.\"%-]+)" do
    local is_plain = tonumber(default) or default:find '^".*"$' or default == "true"
    if found.by_name[name] and is_plain then
      add(found, name, { default = default })
    end
  end
  for name in text:gmatch "options%.([%w_]+) ~= false" do
    if found.by_name[name] then
      add(found, name, { default = "true" })
    end
  end
end

-- The function that another one leaves its work to, as its text says, or nil.
local function deputy(fn)
  local text = source.text(fn) or ""
  local module, name = text:match 'requir[e]%s*%(?%s*"(moonpod[%w_.]*)"%s*%)?%.([%w_]+)%('
  if module then
    local ok, loaded = pcall(above.call, "module", (module:gsub("^moonpod%.", "")))
    return ok and type(loaded) == "table" and rawget(loaded, name) or nil
  end
  name = text:match 'enclose%([^,]+,[^,]+, ([%w_]+),' or text:match "^.-\n%s*return ([%w_]+)%([%w_, .]*%)\n"
  local found = name and reflect.upvalue(fn, name)
  return type(found) == "function" and found or nil
end

local function add_function(found, fn, steps)
  steps = (steps or 0) + 1
  if not reflect.is_ours(fn) then
    return add_text(found, fn)
  end
  for _, name in ipairs { "spec", "defaults", "allowed", "reading", "optional", "arguments" } do
    local value = reflect.upvalue(fn, name)
    if type(value) == "table" then
      if name == "spec" then
        add_spec(found, value)
      elseif name == "reading" then
        add_allowed(found, value.allowed)
      elseif name == "defaults" then
        add_defaults(found, value)
      elseif name == "arguments" then
        value = type(value[1]) == "string" and value or {}
        add_spec(found, { arguments = value, required = value })
      else
        add_allowed(found, value)
      end
    end
  end
  add_text(found, fn)
  local inner = #found == 0 and steps < MOST_STEPS and (reflect.behind(fn) or deputy(fn))
  if inner and reflect.is_ours(inner) then
    add_function(found, inner, steps)
  end
end

-- Those that every layer, and every loss, metric or optimizer takes.
local COMMON = { name = true, dtype = true, trainable = true, input_shape = true, batch_input_shape = true,
  activity_regularizer = true, learning_rate = true, weight_decay = true, clipnorm = true, clipvalue = true,
  global_clipnorm = true, use_ema = true, ema_momentum = true, ema_overwrite_frequency = true,
  loss_scale_factor = true, gradient_accumulation_steps = true, reduction = true, seed = true }

-- Adds what texts say of options: of those that are there already, unless `may_add`.
local function add_texts(found, list, may_add)
  for _, one in ipairs(list or {}) do
    if may_add then
      add(found, one.name)
    end
    local known = found.by_name[one.name]
    if known and not known.text and one.text ~= "" then
      known.text = one.text
      known.type = one.type ~= "" and one.type or known.type
      known.values = known.values or values_of_type(one.type)
    end
  end
end

-- The options that a callable takes, those that may be given by place first, in their order, then by name; all have
-- name, and where it is known: type (a kind of moonpod.base.kinds, or a type of Lua), default (as Lua text), values
-- (array of texts it may be), required, place (the argument it may be given as), common (of all of its family), text
-- (what it is). help and family: the texts, taken apart, of the callable and of the part that it is in, or nil.
function options.of(value, help, family)
  local found = { by_name = {} }
  if type(value) == "table" and type(rawget(value, "spec")) == "table" then
    add_spec(found, rawget(value, "spec"))
    add_allowed(found, rawget(value, "allowed"))
  else
    local fn = reflect.callee(value)
    if fn then
      add_function(found, fn)
    end
  end
  add_texts(found, help and help.options, #found == 0)
  add_texts(found, help and help.params)
  add_texts(found, family and family.options)
  for _, one in ipairs(found) do
    one.values = one.values or values_of_name(one.name)
    one.common = COMMON[one.name]
  end
  found.by_name = nil
  table.sort(found, function(a, b)
    if (a.place or 99) ~= (b.place or 99) then
      return (a.place or 99) < (b.place or 99)
    elseif (a.common or false) ~= (b.common or false) then
      return not a.common
    end
    return a.name < b.name
  end)
  return found
end

return options
