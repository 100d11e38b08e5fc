-- luacats - build/release/library/moonpod.lua: all public names as annotations that editors read (LuaCATS).

local luacats = {}

local HEAD = [[
---@meta moonpod
-- Made by ./dev reference from the comments of lua/moonpod; change those. For editors (lua-language-server): put this
-- folder into Lua.workspace.library.

]]

local KEYWORDS = {}
for word in ([[and break do else elseif end false for function goto if in local nil not or repeat return then true
  until while]]):gmatch "%a+" do
  KEYWORDS[word] = true
end

-- Types that are words of the library, and those of the declarations of arguments.
local TYPES = {
  ["a tensor or a number"] = "tensor|number", ["a tensor"] = "tensor", ["a number"] = "number",
  ["a whole number"] = "integer", ["a whole number from 0"] = "integer", ["a string"] = "string",
  ["a boolean"] = "boolean", ["a function"] = "function", ["a table"] = "table", ["a table of options"] = "table",
  ["a list of sizes"] = "integer[]", ["a model"] = "model", ["a dataset"] = "dataset", ["count"] = "integer",
  ["a strategy"] = "strategy", options = "table", list = "table", shape = "integer[]", dtype = "string", any = "any",
  ["a value"] = "any", ["a whole number or a list of them"] = "integer|integer[]", kind = "string",
}

local function type_of(one)
  local text = one.type or one.kind
  if not text or text == "" then
    return "any"
  end
  text = TYPES[text] or text
  return text:find "^[%w_.|%[%]<>,\"(): %-?]+$" and not text:find "^an? " and text or "any"
end

local function add_text(lines, text)
  for line in (text .. "\n"):gmatch "(.-)\n" do
    lines[#lines + 1] = ("--- " .. line):gsub("%s+$", "")
  end
end

local function add_options(lines, entry, name)
  if not entry.options or #entry.options == 0 then
    return nil
  end
  local class = name:gsub("[:]", ".") .. ".options"
  lines[#lines + 1] = "---@class " .. class
  for _, one in ipairs(entry.options) do
    local text = (one.default and "(" .. one.default .. ") " or "") .. (one.text or "")
    lines[#lines + 1] = ("---@field %s? %s %s"):format(one.name, type_of(one), (text:gsub("\n", " "))):gsub("%s+$", "")
  end
  return class
end

local function add_function(lines, entry, name, target)
  local options = add_options(lines, entry, name)
  local help, names = entry.help, {}
  if options then
    lines[#lines + 1] = ""
  end
  add_text(lines, help and help.text or "")
  for _, example in ipairs(help and help.examples or {}) do
    add_text(lines, "```lua\n" .. example.code .. (example.result and "--> " .. example.result .. "\n" or "") .. "```")
  end
  for _, one in ipairs(entry.arguments or {}) do
    local written = one.name == "..." and "..." or one.name:gsub("[^%w_]", "")
    written = KEYWORDS[written] and written .. "_" or written
    names[#names + 1] = written
    local is_options = one.name == "options" and options
    lines[#lines + 1] = ("---@param %s%s %s %s"):format(written, (one.optional or is_options) and "?" or "",
      is_options and options or type_of(one), (one.text or ""):gsub("\n", " ")):gsub("%s+$", "")
  end
  for _, one in ipairs(help and help.returns or {}) do
    lines[#lines + 1] = ("---@return %s # %s"):format(type_of(one), one.text):gsub("[ #]+$", "")
  end
  lines[#lines + 1] = ("function %s(%s) end"):format(target, table.concat(names, ", "))
  lines[#lines + 1] = ""
end

-- A name as Lua can write it as the target of a function, or nil: pod.a.b, or Class:method.
local function target_of(name)
  for word in name:gmatch "[%w_]+" do
    if KEYWORDS[word] then
      return nil
    end
  end
  return name
end

local function add_classes(lines, classes)
  local names = {}
  for name in pairs(classes) do
    names[#names + 1] = name
  end
  table.sort(names)
  for _, name in ipairs(names) do
    if classes[name] then
      add_text(lines, classes[name].text)
    end
    lines[#lines + 1] = "---@class " .. name
    lines[#lines + 1] = ("local %s = {}"):format(name)
    lines[#lines + 1] = ""
  end
end

-- A table stands before what is in it.
local function parts_of(list)
  local seen, parts = {}, {}
  for _, entry in ipairs(list) do
    local part = entry.part
    while part and part:find "^pod%." and not seen[part] do
      seen[part] = true
      parts[#parts + 1] = part
      part = part:match "^(.*)%.[^.]*$"
    end
  end
  table.sort(parts)
  return parts
end

-- The text of the file.
function luacats.text(rows, pages, classes)
  local lines, all = {}, {}
  for _, row in ipairs(rows) do
    for _, entry in ipairs(pages[row[1]] or {}) do
      all[#all + 1] = entry
    end
  end
  lines[1] = "---@class pod"
  lines[2] = "local pod = {}\n"
  for _, part in ipairs(parts_of(all)) do
    if not part:find ":" then
      lines[#lines + 1] = ("%s = {}"):format(part)
    end
  end
  lines[#lines + 1] = ""
  add_classes(lines, classes)
  for _, entry in ipairs(all) do
    local name = entry.name
    local is_call = entry.kind == "function" or entry.kind == "class" or entry.kind == "method"
    if is_call and not name:find "^pod%..*:" and target_of(name) then
      add_function(lines, entry, name, name)
      for _, alias in ipairs(entry.aliases) do
        lines[#lines + 1] = target_of(alias) and ("%s = %s\n"):format((alias:gsub(":", ".")), (name:gsub(":", ".")))
          or nil
      end
    elseif entry.kind == "value" and target_of(name) then
      add_text(lines, entry.help and entry.help.text or "")
      lines[#lines + 1] = ("---@type %s\n%s = nil\n"):format(type(entry.value), name)
    end
  end
  lines[#lines + 1] = "return pod"
  return HEAD .. table.concat(lines, "\n") .. "\n"
end

return luacats
