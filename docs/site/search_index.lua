-- search_index - what the search of the book looks through: a place for each heading, and where names of others lead.

local others = require "moonpod.help.others"
local pages = require "pages"

local search_index = {}

local function json(text)
  return '"' .. text:gsub('[%c"\\]', function(byte)
    return ("\\u%04x"):format(byte:byte())
  end) .. '"'
end

local function plain(lines)
  local text = table.concat(lines, " ")
  text = text:gsub("<!%-%-.-%-%->", ""):gsub("!?%[([^%]]*)%]%([^)]*%)", "%1"):gsub("[`*|]", " ")
  return (text:gsub("%-%-%-+", " "):gsub("%s+", " "):gsub("^ ", ""))
end

-- One entry a heading: url, page, heading, text, other keys. book: paths, texts and titles by path, names,
-- place_of(path, section, number).
local function entries_of(book)
  local entries = {}
  for _, path in ipairs(book.paths) do
    for at, section in ipairs(pages.sections(book.texts[path])) do
      local url, keys, text = book.place_of(path, section, at), {}, json(plain(section.lines):sub(1, 600))
      local function add(place, title)
        entries[#entries + 1] = ("[%s,%s,%s,%s,[%s]]"):format(json(place), json(book.titles[path]), json(title), text,
          table.concat(keys, ","))
      end
      for _, name in ipairs(pages.same_names(section)) do
        local own = book.names[name]
        if own and own ~= url and not own:find "#" then -- it has a page
          add(own, name)
        else
          keys[#keys + 1] = json(others.bare(name:match "[%w_]+$"))
        end
      end
      add(url, section.heading.title)
    end
  end
  return entries
end

-- Where a name of others leads: to the first name of ours in its text that has a place.
local function alias_of(text, names)
  for name in text:gmatch "%a[%w_]*[.:][%w_.:]*[%w_]" do
    if names[name] then
      return names[name]
    end
  end
end

local function aliases_of(names)
  local rows, keys = {}, {}
  for key in pairs(others.names) do
    keys[#keys + 1] = key
  end
  table.sort(keys)
  for _, key in ipairs(keys) do
    local url = alias_of(others.names[key], names)
    if url then
      rows[#rows + 1] = ("%s:%s"):format(json(key), json(url))
    end
  end
  return rows
end

-- The rules for short names as regular expressions of JavaScript.
local function short_rules()
  local rows = {}
  for i, one in ipairs(others.short) do
    rows[i] = ("[%s,%s]"):format(json((one[1]:gsub("%%d", "[0-9]"):gsub("%%l", "[a-z]"))),
      json((one[2]:gsub("%%(%d)", "$%1"))))
  end
  return rows
end

-- The file of the index.
function search_index.text(book)
  return ("var moonpodIndex={short:[%s],\naliases:{%s},\nentries:[\n%s]};\n"):format(table.concat(short_rules(), ","),
    table.concat(aliases_of(book.names), ","), table.concat(entries_of(book), ",\n"))
end

return search_index
