--[[
ledger - how large the house is: lines of code a room (neither comments nor blank lines), and files a folder. What a
room may have stands in tests/style/ledger.txt, rounded up. A commit that raises a number there says why, in a line
"ledger: ROOM: why". `./dev lint --ledger` prints the table, with other commits or folders beside it;
`./dev lint --ledger --write` writes ledger.txt anew.
]]

local house = require "house"

local ledger = { PATH = "tests/style/ledger.txt", FILES = 40 }

-- Rooms that are folders of these; of any other folder at the top the whole is a room.
local HOUSES = { "core", "lua/moonpod", "tests", "docs", "repl" }

-- What machines write has no lines of code.
local WRITTEN = { "^tests/golden/", "^tests/mutation/samples/", "^tests/fuzz/corpus/", "^docs/reference/" }

-- A number of ledger.txt is rounded up by a step, and one more. It may stand until it is LOOSE steps too high.
local STEP, LOOSE = 50, 4
local STEP_OF_TESTS, LARGE = 1000, 5000 -- of tests and docs, and from how many lines on

function ledger.is_product(room)
  return room:find "^core/" ~= nil or room:find "^lua/" ~= nil or room:find "^repl" ~= nil or room == "notebooks/kernel"
end

function ledger.room_of(path)
  for _, above in ipairs(HOUSES) do
    local below = path:sub(1, #above + 1) == above .. "/" and path:sub(#above + 2)
    if below then
      local folder = below:match "^([^/]+)/"
      return folder and above .. "/" .. folder or above
    end
  end
  return path:match "^lua/bind/" and "lua/bind" or path:match "^notebooks/kernel/" and "notebooks/kernel"
    or path:match "^([^/]+)/" or "the top"
end

-- Lua without what comments and long strings have in them. Lines stay where they are.
local function code_of_lua(text)
  local out, i = {}, 1
  while true do
    local at = text:find("[-\"'%[]", i)
    out[#out + 1] = text:sub(i, (at or #text + 1) - 1)
    if not at then return table.concat(out) end
    local comment = text:match("^%-%-", at)
    local level = text:match("^%[(=*)%[", comment and at + 2 or at)
    local quote = text:match("^[\"']", at)
    local stop = at
    if level then
      stop = select(2, text:find("]" .. level .. "]", at, true)) or #text
    elseif comment then
      stop = (text:find("\n", at, true) or #text + 1) - 1
    elseif quote then
      stop = at + 1
      while text:find("^[^\n]", stop) and text:sub(stop, stop) ~= quote do
        stop = stop + (text:sub(stop, stop) == "\\" and 2 or 1)
      end
    end
    local kept = text:sub(at, stop)
    out[#out + 1] = comment and kept:gsub("[^\n]", "") or level and kept:gsub("[^\n]+", "x") or kept
    i = stop + 1
  end
end

-- What a file has without comments, by the end of its name.
local READERS = {
  c = house.code_of, h = house.code_of, def = house.code_of, hpp = house.code_of, js = house.code_of,
  css = house.code_of, lua = code_of_lua, md = function(text) return text end,
}

local function without_hashes(text)
  return ("\n" .. text):gsub("\n[ \t]*#[^\n]*", "\n")
end

for _, kind in ipairs { "py", "cmake", "sh", "conf" } do READERS[kind] = without_hashes end

local function reader_of(path, text)
  if house.matches_any(path, WRITTEN) then return nil end
  local name = path:match "[^/]+$"
  if name == "CMakeLists.txt" or text:find "^#!.*sh\n" or text:find "^#!.*python" then return without_hashes end
  return text:find "^#!.*lua" and code_of_lua or READERS[name:match "%.(%w+)$"]
end

local function count_lines(text)
  local count = 0
  for _ in text:gmatch "%S[^\n]*" do count = count + 1 end
  return count
end

local function raise(numbers, name, by)
  numbers[name] = (numbers[name] or 0) + by
end

-- Counts the files of a folder that git does not ignore, or without git all: { code =, lines =, files = } by room and
-- { folders = }, files by folder of the product.
function ledger.count(root)
  local list = ("cd %s && { [ -e .git ] && git ls-files -co --exclude-standard || find . -type f -not -path './.git/*' "
    .. "-not -path './build/*'; }"):format(house.quote(root))
  local counts = { code = {}, lines = {}, files = {}, folders = {} }
  for _, path in ipairs(house.lines_of(list)) do
    path = path:gsub("^%./", "")
    local file = io.open(root .. "/" .. path, "rb")
    local text = file and file:read "a"
    if text then
      file:close()
      local room, reader = ledger.room_of(path), reader_of(path, text)
      raise(counts.files, room, 1)
      raise(counts.lines, room, text:find("\0", 1, true) and 0 or select(2, text:gsub("\n", "")))
      raise(counts.code, room, reader and count_lines((reader(text))) or 0)
      if ledger.is_product(room) then raise(counts.folders, path:match "^(.*)/", 1) end
    end
  end
  return counts
end

-- What ledger.txt says: numbers by room, and by folder. Merged from two branches it may have a room twice: the larger
-- number holds.
function ledger.read(text)
  local rooms, folders = {}, {}
  for line in text:gmatch "[^\n]+" do
    local what, name, number = line:match "^(%a+) ([^#]-) +(%d+)$"
    local into = what == "lines" and rooms or what == "files" and folders
    if into then into[name] = math.max(into[name] or 0, tonumber(number)) end
  end
  return rooms, folders
end

local function bound_of(room, lines, steps)
  local step = not ledger.is_product(room) and lines >= LARGE and STEP_OF_TESTS or STEP
  return (lines // step + 1 + steps) * step
end

local HEAD = [[
# What a room has of lines of code, at most, and a folder of files where it has more than 40. Written by
# ./dev lint --ledger --write. A commit that raises a number says why: "ledger: ROOM: why".
]]

local function sorted_names(numbers)
  local names = {}
  for name in pairs(numbers) do names[#names + 1] = name end
  table.sort(names)
  return names
end

-- The text of ledger.txt for what there is. A number that holds stays.
function ledger.text(counts, old)
  local rooms = ledger.read(old)
  local out = { HEAD }
  for _, room in ipairs(sorted_names(counts.code)) do
    local code, had = counts.code[room], rooms[room]
    local holds = had and had >= code and had <= bound_of(room, code, LOOSE)
    if code > 0 then out[#out + 1] = ("lines %s %d\n"):format(room, holds and had or bound_of(room, code, 1)) end
  end
  for _, folder in ipairs(sorted_names(counts.folders)) do
    local files = counts.folders[folder]
    if files > ledger.FILES then out[#out + 1] = ("files %s %d\n"):format(folder, files) end
  end
  return table.concat(out)
end

local function hold(what, name, count, bound, least, found)
  if bound and count < least then
    found("%s has %d %s, and is allowed %d: ./dev lint --ledger --write lowers that", name, count, what, bound)
  elseif count > (bound or 0) then
    found("%s has %d %s, and is allowed %d: take something away, or raise that by ./dev lint --ledger --write, with a "
      .. "line \"ledger: %s: why\" in the commit", name, count, what, bound or 0, name)
  end
end

-- Calls found(format, ...) for each number that does not hold.
function ledger.check(counts, text, found)
  local rooms, folders = ledger.read(text)
  for _, room in ipairs(sorted_names(counts.code)) do
    local bound, code = rooms[room], counts.code[room]
    local loose = bound and bound > bound_of(room, code, LOOSE)
    if code > 0 then hold("lines of code", room, code, bound, loose and code + 1 or 0, found) end
  end
  for _, folder in ipairs(sorted_names(counts.folders)) do
    local bound, files = folders[folder], counts.folders[folder]
    if bound or files > ledger.FILES then hold("files", folder, files, bound or ledger.FILES, bound or 0, found) end
  end
end

-- What the change of a commit, as `git log -p` has it, raises: rooms and folders.
function ledger.raised(lines)
  local before, after = {}, {}
  for _, line in ipairs(lines) do
    local sign, what, name, number = line:match "^([-+])(%a+) ([^#]-) +(%d+)$"
    if sign then (sign == "-" and before or after)[what .. " " .. name] = tonumber(number) end
  end
  local raised = {}
  for _, key in ipairs(sorted_names(after)) do
    if before[key] and after[key] > before[key] then raised[#raised + 1] = key:match " (.*)" end
  end
  return raised
end

-- ---- the table ------------------------------------------------------------------------------------------

-- The counts of a folder, or of a commit.
local function counts_of(tree)
  if house.lines_of(("[ -d %s ] && echo yes"):format(house.quote(tree)))[1] then return ledger.count(tree) end
  local folder = os.tmpname()
  os.remove(folder)
  local unpacked = os.execute(("mkdir %s && git -C %s archive %s | tar x -C %s"):format(folder,
    house.quote(house.root), house.quote(tree), folder))
  local counts = ledger.count(folder)
  os.execute("rm -rf " .. folder)
  if not unpacked or not next(counts.files) then
    io.stderr:write(("lint: '%s' is no folder and no commit that git has here\n"):format(tree))
    os.exit(1)
  end
  return counts
end

local COLUMNS = { "code", "lines", "files" }

local function print_table(tables)
  local rooms = {}
  for _, counts in ipairs(tables) do
    for room in pairs(counts.files) do rooms[room] = true end
  end
  local function line(name, of)
    local cells = {}
    for _, counts in ipairs(tables) do
      for _, column in ipairs(COLUMNS) do cells[#cells + 1] = ("%8s"):format(of(counts, column)) end
    end
    print(("%-24s"):format(name) .. table.concat(cells))
  end
  line("room", function(_, column) return column end)
  local function sum(name, is_of)
    line(name, function(counts, column)
      local total = 0
      for room, number in pairs(counts[column]) do total = total + (is_of(room) and number or 0) end
      return total
    end)
  end
  for _, room in ipairs(sorted_names(rooms)) do
    line(room, function(counts, column) return counts[column][room] or 0 end)
  end
  sum("product", ledger.is_product)
  sum("all", function() return true end)
end

-- ./dev lint --ledger [--write | TREE...]
function ledger.command(arguments)
  local counts = ledger.count(house.root)
  if arguments[1] == "--write" then
    local path = house.root .. "/" .. ledger.PATH
    local file = io.open(path, "rb")
    local old = file and file:read "a" or ""
    if file then file:close() end
    file = assert(io.open(path, "wb"))
    file:write(ledger.text(counts, old))
    file:close()
    return
  end
  local tables = { counts }
  for _, tree in ipairs(arguments) do tables[#tables + 1] = counts_of(tree) end
  print_table(tables)
end

return ledger
