-- Width of lines, in code and in documents, and sizes of functions and of files.

local house = require "house"

local WIDTH = 120

-- Recorded data, which nobody reads line by line. Rows of tables (.def) are as long as they are, too.
local recorded = {
  "^tests/golden/keras_[a-z_]+%.lua$", "^tests/golden/images%.lua$", "^tests/golden/numpy_print%.lua$",
  "^tests/golden/stablehlo/", "^tests/mutation/samples/",
}

local LINES_OF_A_FILE, LINES_OF_A_TEST, LINES_OF_A_FUNCTION = 500, 800, 60
local LINES_OF_A_PUBLIC_HEADER = 400

local function texts()
  local kinds = { "*.c", "*.h", "*.lua", "*.py", "*.md", "*.cmake", "*.sh", "CMakeLists.txt", "dev", "run", "api",
    "lint" }
  local paths = {}
  for _, path in ipairs(house.files({ "." }, kinds)) do
    path = path:gsub("^%./", "")
    if not path:find "^build/" and not path:find "^tests/fuzz/corpus/" and not house.matches_any(path, recorded) then
      paths[#paths + 1] = path
    end
  end
  return paths
end

-- Rows of tables, rows of macros in diffs and lines without a place to break them at are as long as they are.
local function may_be_long(path, line)
  return path:find "%.md$" and (line:find "^%s*|" or line:find "^[ +-].*%s\\$" or not line:find("%S%s+%S", 20))
end

local function lines_are_short()
  for _, path in ipairs(texts()) do
    for number, line in ipairs(house.split(house.read(path))) do
      local width = #line > WIDTH and utf8.len(line) or 0
      if width > WIDTH and not may_be_long(path, line) then
        house.finding(path, number, "%d columns, more than %d", width, WIDTH)
      end
    end
  end
end

-- Code of the book fits the box that the site gives it, also on a tablet. What programs print is as wide as it is.
local WIDTH_OF_BLOCKS = 78
local CODE = { lua = true, c = true, python = true, json = true, console = true }

local function blocks_of_pages_are_narrow()
  for _, path in ipairs(house.files({ "docs", "examples" }, { "*.md" })) do
    local fence
    for number, line in ipairs(house.split(house.read(path))) do
      local mark = line:match "^```(%a*)"
      local is_typed = CODE[fence] and not line:find "^#>" or fence == "session" and line:find "^>"
      local is_code = is_typed and not mark
      if is_code and #line > WIDTH_OF_BLOCKS and utf8.len(line) > WIDTH_OF_BLOCKS then
        house.finding(path, number, "%d columns of code, more than %d", utf8.len(line), WIDTH_OF_BLOCKS)
      end
      fence = mark and (not fence and mark or false) or not mark and fence
    end
  end
end

local function hold(path, number, what, lines, limit)
  if lines > limit then house.finding(path, number, "%s has %d lines, more than %d", what, lines, limit) end
end

local function is_counted(path)
  return path:find "%.[ch]$" or path:find "%.lua$"
end

local function files_are_small()
  for _, path in ipairs(texts()) do
    if is_counted(path) and not path:find "^tests/golden/" then
      local limit = path:find "^tests/" and LINES_OF_A_TEST or path:find "^core/include/" and LINES_OF_A_PUBLIC_HEADER
        or LINES_OF_A_FILE
      hold(path, 0, "the file", #house.split(house.read(path)) - 1, limit)
    end
  end
end

-- Calls found(name, line, lines) for each function of a text of C: a body begins and ends at the left margin.
local function each_function_of_c(lines, found)
  local head
  for number, line in ipairs(lines) do
    if line == "{" then
      head = number - 1
      while head > 1 and not lines[head]:find "^[%a_]" do head = head - 1 end
    elseif head and line:find "^}" then
      local name = table.concat(lines, " ", head, number):match "([%w_]+)%("
      found(name or "a function", head, number - head + 1)
      head = nil
    end
  end
end

-- ... and of Lua, where a function ends with an "end" under its beginning.
local function each_function_of_lua(lines, found)
  local open = {}
  for number, line in ipairs(lines) do
    local indent, text = line:match "^(%s*)(.*)$"
    if open[#indent] and text:find "^end%f[%W]" then
      found(open[#indent].name, open[#indent].number, number - open[#indent].number + 1)
      open[#indent] = nil
    end
    if text:find "%f[%w_]function%f[^%w_].*%)$" and not text:find "^%-%-" and not text:find '"[^"]*function[^"]*"' then
      open[#indent] = { name = text:match "function%s+([%w_.:]+)" or text, number = number }
    end
  end
end

local function functions_are_small()
  local function check(path, each, lines)
    each(lines, function(name, number, count)
      hold(path, number, name, count, LINES_OF_A_FUNCTION)
    end)
  end
  for path, file in pairs(house.source) do
    if path:find "%.[ch]$" then check(path, each_function_of_c, file.lines) end
  end
  for _, path in ipairs(house.files({ "lua/moonpod", "tests/style" }, { "*.lua" })) do
    check(path, each_function_of_lua, house.split(house.read(path)))
  end
end

local BYTES_OF_A_NOTEBOOK = 150000

local function notebooks_are_small()
  for _, path in ipairs(house.files({ "notebooks", "docs", "examples" }, { "*.ipynb" })) do
    local bytes = #house.read(path)
    if bytes > BYTES_OF_A_NOTEBOOK then
      house.finding(path, 0, "%d bytes, more than %d: draw less, or smaller", bytes, BYTES_OF_A_NOTEBOOK)
    end
  end
end

local LINES_OF_A_VERSION = 100

-- A version says what is new for its users. What was mended before a first one nobody had.
local function the_changelog_is_short()
  local version, count = nil, 0
  local function ended(number)
    if version and count > LINES_OF_A_VERSION then
      house.finding("CHANGELOG.md", number, "%s has %d lines, more than %d", version, count, LINES_OF_A_VERSION)
    end
  end
  local lines = house.split(house.read "CHANGELOG.md")
  for number, line in ipairs(lines) do
    if line:find "^## " then
      ended(number)
      version, count = line:sub(4), 0
    end
    count = count + 1
  end
  ended(#lines)
end

-- What stands at the top, so that nothing that a test or a tool left there is committed with a change.
local TOP = {}
for name in ([[.ci .clang-format .editorconfig .gitattributes .gitignore .luacheckrc CHANGELOG.md CITATION.cff
  CMakeLists.txt CONTRIBUTING.md LICENSE README.md SECURITY.md cmake core dev docs examples lua moonpod-scm-1.rockspec
  notebooks python repl web
  tests]]):gmatch "%S+" do
  TOP[name] = true
end

local function top_is_tidy()
  for _, path in ipairs(house.lines_of(("git -C %s ls-files"):format(house.quote(house.root)))) do
    if not TOP[path:match "^[^/]+"] then
      house.finding(path, 0, "nothing of this name belongs to the top of the project")
    end
  end
end

return {
  { "the top of the project is tidy", top_is_tidy },
  { "lines are short", lines_are_short },
  { "blocks of pages are narrow", blocks_of_pages_are_narrow },
  { "files are small", files_are_small },
  { "notebooks are small", notebooks_are_small },
  { "the changelog is short", the_changelog_is_short },
  { "functions are small", functions_are_small },
}
