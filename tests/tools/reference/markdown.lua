-- markdown - pages of the reference from entries.

local narrow = require "narrow"
local render = require "moonpod.help.render"
local source = require "moonpod.help.source"

local markdown = {}

local WIDTH = 120

local HEAD = "<!-- Made by ./dev reference from the comments of lua/moonpod; change those. -->\n"

local function anchor(title)
  return (title:lower():gsub("[^%w _-]", ""):gsub(" ", "-"))
end

-- name -> "page.md#anchor", of all entries.
local function places_of(pages)
  local places = {}
  for folder, page in pairs(pages) do
    for _, entry in ipairs(page) do
      local place = ("%s.md#%s"):format(folder, anchor(entry.name))
      places[entry.name] = place
      for _, alias in ipairs(entry.aliases) do
        places[alias] = place
      end
    end
  end
  return places
end

local function cell(text)
  return (text:gsub("|", "\\|"):gsub("\n", " "))
end

local function add_table(lines, title, list)
  if #list == 0 then
    return
  end
  lines[#lines + 1] = ("| %s | type | |"):format(title)
  lines[#lines + 1] = "| --- | --- | --- |"
  for _, one in ipairs(list) do
    lines[#lines + 1] = ("| `%s` | %s | %s |"):format(one.name, cell(render.type_text(one)), cell(one.text or ""))
  end
  lines[#lines + 1] = ""
end

local function add_wrapped(lines, text)
  render.wrap(text, "", nil, lines, WIDTH)
  lines[#lines + 1] = ""
end

-- Options in two lists: with words of this text, and those whose words stand at the head of the page.
local function split(entry)
  local own, shared = {}, {}
  local said = {}
  for _, one in ipairs(entry.help and entry.help.options or {}) do
    said[one.name] = true
  end
  for _, one in ipairs(entry.options or {}) do
    if not one.place then
      local list = (said[one.name] or not one.text) and own or shared
      if not (one.common and not said[one.name]) then
        list[#list + 1] = one
      end
    end
  end
  return own, shared
end

local function add_shared(lines, shared)
  if #shared == 0 then
    return
  end
  local words = {}
  for _, one in ipairs(shared) do
    words[#words + 1] = ("`%s%s`"):format(one.name, one.default and " = " .. one.default or "")
  end
  add_wrapped(lines, "Options told of above: " .. table.concat(words, ", ") .. ".")
end

local function add_results(lines, help)
  local returned = {}
  for _, one in ipairs(help.returns) do
    returned[#returned + 1] = (one.type or "") .. (one.text ~= "" and ", " .. one.text or "")
  end
  if #returned > 0 then
    add_wrapped(lines, "Returns " .. table.concat(returned, "; then ") .. ".")
  end
  for _, one in ipairs(help.errors) do
    add_wrapped(lines, "Error: " .. one.text .. ".")
  end
  for _, example in ipairs(help.examples) do
    lines[#lines + 1] = "```lua"
    lines[#lines + 1] = narrow.lua((example.code:gsub("\n+$", "")))
    lines[#lines + 1] = example.result and "--> " .. example.result or nil
    lines[#lines + 1] = "```"
    lines[#lines + 1] = ""
  end
end

local function add_entry(lines, entry, places)
  local help = entry.help
  lines[#lines + 1] = "### " .. entry.name
  lines[#lines + 1] = ""
  if entry.signature then
    lines[#lines + 1] = ("`%s`"):format(entry.signature)
    lines[#lines + 1] = ""
  end
  if help and help.text ~= "" then
    lines[#lines + 1] = help.text
    lines[#lines + 1] = ""
  end
  if #entry.aliases > 0 then
    add_wrapped(lines, "The same: `" .. table.concat(entry.aliases, "`, `") .. "`.")
  end
  local arguments = {}
  for _, one in ipairs(entry.arguments or {}) do
    if one.text and one.text ~= "" or one.type or one.kind then
      arguments[#arguments + 1] = one
    end
  end
  local own, shared = split(entry)
  add_table(lines, "argument", arguments)
  add_table(lines, "option", own)
  add_shared(lines, shared)
  if help then
    add_results(lines, help)
    local links = {}
    for _, name in ipairs(help.see) do
      links[#links + 1] = places[name] and ("[%s](%s)"):format(name, places[name]) or name
    end
    if #links > 0 then
      add_wrapped(lines, "See also: " .. table.concat(links, ", ") .. ".")
    end
  end
end

-- The head of a module as an introduction.
local function add_head(lines, module)
  local help = source.help_of_module("moonpod." .. module)
  if not help then
    return
  end
  lines[#lines + 1] = help.text
  lines[#lines + 1] = ""
  local options = {}
  for _, one in ipairs(help.options) do
    options[#options + 1] = one
  end
  add_table(lines, "option", options)
  add_results(lines, help)
end

-- Entries by what they are in: parts first, then classes with their methods.
local function groups_of(page)
  local groups, by_name = {}, {}
  for _, entry in ipairs(page) do
    local name = entry.part
    if not by_name[name] then
      by_name[name] = { name = name, is_class = entry.kind == "method" }
      groups[#groups + 1] = by_name[name]
    end
    table.insert(by_name[name], entry)
  end
  table.sort(groups, function(a, b)
    if a.is_class ~= b.is_class then
      return not a.is_class
    end
    return a.name < b.name
  end)
  return groups
end

local function add_contents(lines, groups)
  for _, group in ipairs(groups) do
    local words = {}
    for _, entry in ipairs(group) do
      words[#words + 1] = ("[%s](#%s)"):format(entry.name:match "[^.:]+$", anchor(entry.name))
    end
    add_wrapped(lines, ("%s: %s"):format(group.name, table.concat(words, ", ")))
  end
end

-- The text of a page.
function markdown.page(row, page, classes, places)
  local lines = { HEAD, "# " .. row[2], "" }
  for _, module in ipairs(row[3]) do
    add_head(lines, module)
  end
  local groups = groups_of(page)
  add_contents(lines, groups)
  for _, group in ipairs(groups) do
    lines[#lines + 1] = "## " .. group.name
    lines[#lines + 1] = ""
    local class = classes[group.name]
    if class then
      lines[#lines + 1] = class.text
      lines[#lines + 1] = ""
      add_results(lines, class)
    end
    for _, entry in ipairs(group) do
      add_entry(lines, entry, places)
    end
  end
  return (table.concat(lines, "\n"):gsub("\n\n\n+", "\n\n"):gsub("%s+$", "") .. "\n")
end

-- All pages: name of a file -> text.
function markdown.pages(rows, pages, classes)
  local places, files = places_of(pages), {}
  local index = { HEAD, "# Reference", "",
    "All that scripts can call, from the comments where it is declared. In a session `?name` shows the same.", "" }
  for _, row in ipairs(rows) do
    if pages[row[1]] then
      files[row[1] .. ".md"] = markdown.page(row, pages[row[1]], classes, places)
      index[#index + 1] = ("- [%s](%s.md): %d names"):format(row[2], row[1], #pages[row[1]])
    end
  end
  index[#index + 1] = "- [The C library](c.md)"
  files["README.md"] = table.concat(index, "\n") .. "\n"
  return files
end

return markdown
