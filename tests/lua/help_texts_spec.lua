-- Every public name has a text where it is declared, and an example that runs; each text is of what is there, and every
-- option of a callable has its words.

local pod = require "moonpod"
local declare = require "moonpod.base.arguments"
local exports = require "moonpod.help.exports"
local find = require "moonpod.help.find"
local reflect = require "moonpod.help.reflect"
local source = require "moonpod.help.source"

-- What is told of each name: found once.
local entries

local function all()
  if not entries then
    entries = {}
    for i, one in ipairs(exports.list(pod)) do
      local value = one.value
      local is_thing = type(value) == "function" or type(value) == "table"
      local entry = is_thing and find.of_value(value, one.name)
        or { help = source.help_of_name(one.name) }
      entry.name, entry.public_kind = one.name, one.kind
      entry.help_names = entry.help and entry.help.names or {}
      entries[i] = entry
    end
  end
  return entries
end

-- Fails with the names that lack something.
local function none(what, lacking)
  table.sort(lacking)
  assert(#lacking == 0, ("%d lack %s:\n%s"):format(#lacking, what, table.concat(lacking, "\n", 1,
    math.min(#lacking, 40))))
end

-- A value as examples show it: numbers to four digits, tensors as nested lists.
local function shown(value)
  if type(value) == "number" then
    return value == math.floor(value) and ("%.0f"):format(value) or ("%.4g"):format(value)
  elseif type(value) == "string" then
    return ("%q"):format(value)
  elseif pod.is_tensor(value) then
    return shown(value:totable())
  elseif type(value) == "table" and getmetatable(value) == nil then
    local parts = {}
    for i, one in ipairs(value) do
      parts[i] = shown(one)
    end
    local keys = {}
    for key in pairs(value) do
      keys[#keys + 1] = type(key) == "string" and key or nil
    end
    table.sort(keys)
    for _, key in ipairs(keys) do
      parts[#parts + 1] = key .. " = " .. shown(value[key])
    end
    return #parts == 0 and "{}" or "{ " .. table.concat(parts, ", ") .. " }"
  end
  return tostring(value)
end

local function load_in(text, name, globals)
  if setfenv then -- luacheck: ignore
    local chunk, failure = loadstring(text, name) -- luacheck: ignore
    return chunk and setfenv(chunk, globals), failure -- luacheck: ignore
  end
  return load(text, name, "t", globals)
end

-- The lines behind `-->` of a block: what it prints.
local function told(code)
  local lines = {}
  for line in code:gmatch "%-%->%s?([^\n]*)" do
    lines[#lines + 1] = line
  end
  return table.concat(lines, "\n")
end

-- What is wrong with an example, or nil.
local function fault_of(example, name)
  local printed = {}
  local function print_kept(...)
    local texts = { n = select("#", ...), ... }
    for i = 1, texts.n do
      texts[i] = tostring(texts[i])
    end
    printed[#printed + 1] = table.concat(texts, "    ")
  end
  local globals = setmetatable({ pod = pod, print = print_kept }, { __index = _G })
  local chunk, failure = load_in("return " .. example.code, "=" .. name, globals)
  if not chunk then
    chunk, failure = load_in(example.code, "=" .. name, globals)
  end
  if not chunk then
    return failure
  end
  local results = { pcall(chunk) }
  if not results[1] then
    return tostring(results[2])
  elseif example.result then
    local texts = {}
    for i = 2, #results do
      texts[i - 1] = shown(results[i])
    end
    local text = table.concat(texts, ", ")
    return text ~= example.result and ("gives %s, not %s"):format(text, example.result) or nil
  end
  local said, wanted = table.concat(printed, "\n"), told(example.code)
  return wanted ~= "" and wanted ~= said and ("prints\n%s\nnot\n%s"):format(said, wanted) or nil
end

describe("texts of help", function()
  local warnings = require "moonpod.base.warnings"
  local warn, write, tmpname = warnings.warn, io.write, os.tmpname
  local folder = tmpname()
  setup(function() -- what examples write goes into one folder
    os.remove(folder)
    assert(os.execute("mkdir " .. folder))
    local count = 0
    rawset(os, "tmpname", function()
      count = count + 1
      local path = ("%s/%d"):format(folder, count)
      assert(io.open(path, "wb")):close()
      return path
    end)
    warnings.warn = function() end
    rawset(io, "write", function() end)
  end)
  teardown(function()
    os.execute("rm -r " .. folder)
    rawset(os, "tmpname", tmpname)
    warnings.warn = warn
    rawset(io, "write", write)
  end)

  it("are there for every public name", function()
    local lacking, count = {}, 0
    for _, entry in ipairs(all()) do
      if entry.help and entry.help.summary ~= "" then
        count = count + 1
      else
        lacking[#lacking + 1] = entry.name
      end
    end
    io.stdout:write(("%d public names, %d with a text\n"):format(#all(), count))
    none("a text", lacking)
  end)

  it("are of what is there", function()
    local there, faults = { ["pod"] = true }, {}
    for owner in pairs(declare.classes()) do
      there[owner:gsub(" ", "_")] = true
    end
    for _, entry in ipairs(all()) do
      there[entry.name] = true
    end
    for name, place in pairs(source.all_named()) do
      if not there[name] then
        faults[#faults + 1] = ("%s:%d: %s is not there"):format(place[1], place[2], name)
      end
    end
    assert(#faults == 0, table.concat(faults, "\n"))
  end)

  it("tell of every option", function()
    local lacking, count = {}, 0
    for _, entry in ipairs(all()) do
      local is_own = entry.options and (not entry.help or not entry.help.names[1]
        or entry.help.names[1] == entry.name)
      for _, one in ipairs(is_own and entry.options or {}) do
        count = count + 1
        if not one.text then
          lacking[#lacking + 1] = entry.name .. "/" .. one.name
        end
      end
    end
    io.stdout:write(("%d options, %d with a text\n"):format(count, count - #lacking))
    none("words for an option", lacking)
  end)

  it("name no argument and no option that a function has not", function()
    local faults = {}
    for _, entry in ipairs(all()) do
      local known = {}
      for _, one in ipairs(entry.options or {}) do
        known[one.name] = true
      end
      for _, one in ipairs(entry.options and #entry.help_names < 2 and entry.help and entry.help.options or {}) do
        if not known[one.name] then
          faults[#faults + 1] = ("%s: there is no option '%s'"):format(entry.name, one.name)
        end
      end
      local fn = reflect.callee(entry.value)
      local written = fn and entry.help and #entry.help.names == 0 and source.parameters(reflect.origin(fn))
      local names = {}
      for _, name in ipairs(written or {}) do
        names[name] = true
      end
      for _, one in ipairs(written and not names["..."] and entry.help.params or {}) do
        if not names[one.name] then
          faults[#faults + 1] = ("%s: there is no argument '%s'"):format(entry.name, one.name)
        end
      end
    end
    assert(#faults == 0, table.concat(faults, "\n"))
  end)

  it("have examples that run", function()
    local lacking, faults, count, done = {}, {}, 0, {}
    for _, entry in ipairs(all()) do
      local examples = entry.help and entry.help.examples or {}
      local key = entry.help and entry.help.path and entry.help.path .. entry.help.line or entry.name
      if #examples == 0 and (entry.public_kind ~= "value" and entry.public_kind ~= "part") then
        lacking[#lacking + 1] = not done[key] and entry.name or nil
      end
      for _, example in ipairs(not done[key] and examples or {}) do
        local fault = fault_of(example, entry.name)
        count = count + 1
        faults[#faults + 1] = fault and entry.name .. ": " .. fault or nil
      end
      done[key] = true
    end
    io.stdout:write(("%d examples ran\n"):format(count))
    assert(#faults == 0, ("%d faults:\n%s"):format(#faults, table.concat(faults, "\n")))
    none("an example", lacking)
  end)

  it("show what comes of examples, of what has a page of its own", function()
    local has_page = { ["pod.layers"] = true, ["pod.losses"] = true, ["pod.metrics"] = true, ["pod.callbacks"] = true,
      ["pod.optimizers"] = true, ["pod.schedules"] = true, ["pod.data"] = true, dataset = true }
    local lacking, count = {}, 0
    for _, entry in ipairs(all()) do
      local owner = entry.name:match "^(.*)[.:][^.:]*$"
      local shows = not has_page[owner or 1] or entry.public_kind == "part"
      for _, example in ipairs(not shows and entry.help and entry.help.examples or {}) do
        shows = shows or example.result or example.code:find("-->", 1, true)
      end
      count = count + (has_page[owner or 1] and 1 or 0)
      lacking[#lacking + 1] = not shows and entry.name or nil
    end
    assert.is_true(count > 300, count)
    none("an example that shows what comes of it", lacking)
  end)
end)
