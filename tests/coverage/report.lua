-- report - reads what gcovr found (its SonarQube form: a line each) and prints how much of core/ and lua/bind was run,
-- by folder; writes the lines that were not to build/coverage/untested.txt, and those that make errors to
-- untested-errors.txt.
--
--     lua5.4 tests/coverage/report.lua ROOT BUILD
--
-- Kernels of instructions that the CPU lacks cannot run here and do not count; their files are named.

local root, build = ...

-- What a family's files end with, and the CPU's flag for it.
local FAMILIES = { { "avx2", "avx2" }, { "avx512", "avx512f" }, { "avx512bf16", "avx512_bf16" }, { "amx", "amx_tile" } }

local function read(path)
  local file = assert(io.open(path))
  local text = file:read "a"
  file:close()
  return text
end

local function missing_families()
  local ok, info = pcall(read, "/proc/cpuinfo")
  local flags = ok and info:match "flags%s*:([^\n]*)" or ""
  local list = {}
  for _, family in ipairs(FAMILIES) do
    if not (flags .. " "):find(" " .. family[2] .. " ", 1, true) then
      list[#list + 1] = family[1]
    end
  end
  return list
end

local missing = missing_families()

-- Why a file does not count, or nil.
local function exclusion(path)
  for _, family in ipairs(missing) do
    if path:find("_" .. family .. "%.[ch]$") then
      return family
    end
  end
end

-- ---- what was found --------------------------------------------------------------------------------------------

local function new_count()
  return { lines = 0, run = 0, branches = 0, taken = 0 }
end

-- Files of gcovr's report: { path =, lines = { { number, covered, branches, taken } ... } }, sorted by path.
local function parse(xml)
  local files = {}
  for path, body in xml:gmatch '<file path="([^"]+)">(.-)</file>' do
    local file = { path = path }
    for attributes in body:gmatch "<lineToCover ([^>]*)/>" do
      local function number(name)
        return tonumber(attributes:match(name .. '="(%d+)"')) or 0
      end
      file[#file + 1] = { number = number "lineNumber", covered = attributes:find 'covered="true"' ~= nil,
        branches = number "branchesToCover", taken = number "coveredBranches" }
    end
    table.sort(file, function(a, b) return a.number < b.number end)
    files[#files + 1] = file
  end
  table.sort(files, function(a, b) return a.path < b.path end)
  return files
end

local function add(count, line)
  count.lines = count.lines + 1
  count.run = count.run + (line.covered and 1 or 0)
  count.branches = count.branches + line.branches
  count.taken = count.taken + line.taken
end

local function share(part, whole)
  return whole > 0 and ("%6.1f %%"):format(100 * part / whole) or "       –"
end

local function row(name, count)
  return ("%-24s %8d %s %9d %s"):format(name, count.lines, share(count.run, count.lines), count.branches,
    share(count.taken, count.branches))
end

-- ---- lines that make errors -----------------------------------------------------------------------------------------

local function source_of(path)
  local lines = {}
  for line in (read(root .. "/" .. path) .. "\n"):gmatch "([^\n]*)\n" do
    lines[#lines + 1] = line
  end
  return lines
end

local ERRORS = { "pod_error_", "POD_ERROR_", "luaL_error", "luaL_argerror", "no_memory", "lua_error", "goto fail" }

local function makes_error(text)
  for _, sign in ipairs(ERRORS) do
    if text:find(sign, 1, true) then
      return true
    end
  end
  return false
end

-- ---- the report -----------------------------------------------------------------------------------------------------

local folders, names, excluded = {}, {}, {}
local totals = { core = new_count(), ["lua/bind"] = new_count() }
local untested = assert(io.open(build .. "/untested.txt", "w"))
local untested_errors = assert(io.open(build .. "/untested-errors.txt", "w"))
local error_lines = 0

local function count_file(file)
  local folder = file.path:match "^(.*)/" or "."
  local total = totals[file.path:find "^lua/bind" and "lua/bind" or "core"]
  local source = source_of(file.path)
  if not folders[folder] then
    folders[folder], names[#names + 1] = new_count(), folder
  end
  for _, line in ipairs(file) do
    add(folders[folder], line)
    add(total, line)
    if not line.covered then
      local text = ("%s:%d: %s\n"):format(file.path, line.number, (source[line.number] or ""):match "^%s*(.-)%s*$")
      untested:write(text)
      if makes_error(text) then
        error_lines = error_lines + 1
        untested_errors:write(text)
      end
    end
  end
end

for _, file in ipairs(parse(read(build .. "/coverage.xml"))) do
  local family = exclusion(file.path)
  if family then
    excluded[#excluded + 1] = ("%s (no %s)"):format(file.path:match "[^/]+$", family)
  else
    count_file(file)
  end
end
untested:close()
untested_errors:close()

print(("%-24s %8s %8s %9s %8s"):format("folder", "lines", "run", "branches", "taken"))
table.sort(names)
for _, name in ipairs(names) do
  print(row(name, folders[name]))
end
print(row("core in all", totals.core))
print(row("lua/bind in all", totals["lua/bind"]))
if #excluded > 0 then
  print("not counted, as this CPU has no instructions for them: " .. table.concat(excluded, ", "))
end
print(("%d lines that make errors were not run: %s/untested-errors.txt"):format(error_lines,
  build:sub(1, #root) == root and build:sub(#root + 2) or build))
