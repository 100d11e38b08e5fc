--[[
amalgamate.lua ROOT FOLDER - writes the library as two files, FOLDER/moonpod.c and FOLDER/moonpod.h: all sources of
core/ behind one another, with the portable kernels alone.

Names that two sources have for themselves (static functions and tables, types, enumerators) get the name of their file
in each of them: `refuse` of png.c becomes `refuse_in_png`. Macros that a source defines end with it. What neither can
give up is said: rename one in its source.
]]

local root, folder = arg[1], arg[2]
package.path = root .. "/tests/style/?.lua;" .. package.path
local house = require "house"
house.root = root

local INSTRUCTIONS = { "_avx2%.c$", "_avx512%.c$", "_avx512bf16%.c$", "_amx%.c$", "_neon%.c$", "_neonbf16%.c$" }

-- The data service is not in it: what stands in its place, by its name.
local SERVICE, ABSENT = "^core/service/", "core/service/absent.c"

-- Nor are these where a system has neither their libraries nor processes: core/backends/without_backends.c.
local BACKENDS = "^core/backends/%l+/"

-- Names of the C library, and of the system, that a source of ours may have for itself where it does not include them.
local TAKEN = {}
for name in ([[
  abs accept access bind brk clone close connect div dup exp fail free gamma index isascii j0 j1 jn link listen log
  logb lseek mount nice pause pipe pow read remainder remove rename round scale send signal sin sleep sqrt stat sync
  tan time truncate umount unlink wait write y0 y1 yn yield zlib_allocate zlib_free round_up erf reduce
  tell ELEMENT_TYPE SIZE
]]):gmatch "%w[%w_]*" do TAKEN[name] = true end

local function fail(format, ...)
  io.stderr:write("amalgamate: ", format:format(...), "\n")
  os.exit(1)
end

local text_of = {}
local function read(path)
  if text_of[path] == nil then
    local file = io.open(root .. "/" .. path, "rb")
    text_of[path] = file and file:read "a" or false
    if file then file:close() end
  end
  return text_of[path]
end

local function sources()
  local paths = house.files({ "core" }, { "*.c" })
  local kept = {}
  for _, path in ipairs(paths) do
    local is_left_out = path:find(SERVICE) and path ~= ABSENT or path:find "/module/" or path:find "/system/host/"
    if not is_left_out and not house.matches_any(path, INSTRUCTIONS) then kept[#kept + 1] = path end
  end
  return kept
end

-- ---- names that a source has for itself ----

local function find_include(path, name)
  for _, place in ipairs { path:match "^(.*)/", "core/include", "core", "core/kernels" } do
    local found = place .. "/" .. name
    repeat
      local count
      found, count = found:gsub("[^/]+/%.%./", "", 1)
    until count == 0
    if read(found) then return found end
  end
  fail('%s includes "%s", which is not there', path, name)
end

local function stem(path)
  return path:match "([^/]+)%.c$"
end

-- The text without comments, strings, directives and bodies: what stands at the left margin, so to say.
local function outside(code)
  code = ("\n" .. code):gsub("\\\n", " "):gsub("\n[ \t]*#[^\n]*", "\n")
  code = code:gsub("__attribute__%s*%b()", " "):gsub("_Alignas%s*%b()", " "):gsub("_Atomic%s*%b()", " ")
  return (code:gsub("%b{}", "{}"))
end

local function each_macro(code)
  return ("\n" .. code):gmatch "\n[ \t]*#[ \t]*define[ \t]+([%a_][%w_]*)"
end

-- Calls found(name, is_macro) for each name that a source defines at its left margin for itself.
local function each_own_name(code, found)
  local plain = outside(code):gsub("%)%s*{}", ");"):gsub("{}", " ")
  for statement in plain:gmatch "[^;]+" do
    local declaration = statement:match "^%s*(static.*)$" or statement:match "^%s*([A-Z_]+INLINE%s.*)$"
    if declaration then
      local head = declaration:match "^[^=]*"
      -- A table of functions, or a function.
      local name = head:match "%(%s*%*[%s%w]*%f[%w_]([%a_][%w_]*)[%[%]%w_%s]*%)" or head:match "([%a_][%w_]*)%s*%("
      if name then
        found(name)
      else
        head = head:gsub("%b[]", "")
        for one in (head .. ","):gmatch "([%a_][%w_]*)%s*," do found(one) end
      end
    elseif statement:find "^%s*typedef" then
      local name = statement:match "%(%s*%*?%s*([%a_][%w_]*)%s*%)%s*%(" or statement:match "([%a_][%w_]*)%s*$"
      if name then found(name) end
    else -- KERNEL(run_not, ...) defines what it names
      local macro, name = statement:match "^%s*([A-Z][A-Z_0-9]+)%(([%a_][%w_]*)"
      if name and not macro:find "^POD_" then found(name) end
    end
  end
  for name in each_macro(code) do found(name, true) end
  for body in code:gmatch "enum%s*[%w_]*%s*(%b{})" do
    for name in body:gsub("%b()", ""):gmatch "[{,]%s*([%a_][%w_]*)" do found(name) end
  end
end

local function header_words()
  local words = {}
  for _, path in ipairs(house.files({ "core" }, { "*.h", "*.def" })) do
    for word in house.code_of(read(path)):gmatch "[%a_][%w_]*" do words[word] = true end
  end
  return words
end

-- Words of what a source includes, whose text stays as it is: tables of rows (.def), and headers of kernels that are
-- bodies of functions and use names of the source.
local function included_words(path, words, seen)
  for name in read(path):gmatch '#%s*include%s*"([^"]+)"' do
    local found = find_include(path, name)
    if not seen[found] and not found:find "^core/include/" then
      seen[found] = true
      if found:find "%.def$" or found:find "^core/kernels/" then
        for word in house.code_of(read(found)):gmatch "[%a_][%w_]*" do
          if word:find "^[%u%d_]+$" then words[word] = true end
        end
      end
      included_words(found, words, seen)
    end
  end
  return words
end

-- Returns path -> { old name -> new name }.
local function find_renames(paths, codes)
  local owners, own = {}, {}
  for _, path in ipairs(paths) do
    own[path] = {}
    each_own_name(codes[path], function(name, is_macro)
      if not own[path][name] then
        own[path][name] = is_macro and "macro" or "name"
        owners[name] = (owners[name] or 0) + (is_macro and 0 or 1)
      end
    end)
  end
  local words, renames, kept, count = header_words(), {}, {}, 0
  for _, path in ipairs(paths) do
    renames[path] = {}
    local included = included_words(path, {}, {})
    for name, kind in pairs(own[path]) do
      local collides = TAKEN[name] or words[name] or owners[name] > (kind == "name" and 1 or 0)
      if included[name] and kind == "name" and owners[name] > 1 then
        if kept[name] then
          fail("%s and %s have %s for themselves, and neither can give it up; rename one", kept[name], path, name)
        end
        kept[name] = path
      end
      if not included[name] and collides and not name:find "^[Pp][Oo][Dd]_" and name ~= "_GNU_SOURCE" then
        renames[path][name] = name .. "_in_" .. stem(path)
        count = count + 1
      end
    end
  end
  return renames, count
end

-- Calls each(word, before, at, after) for each word of code, and puts what it returns in its place; comments, strings
-- and the names of included files stay.
local function replace_words(text, each)
  local code, out, last = house.code_of(text), {}, 1
  for at, word, after in code:gmatch "()([%a_][%w_]*)()" do
    local before = code:sub(at > 3 and at - 3 or 1, at - 1)
    local new = each(word, before, at, code:sub(after, after + 40))
    if new then
      out[#out + 1] = text:sub(last, at - 1)
      out[#out + 1] = new
      last = after
    end
  end
  out[#out + 1] = text:sub(last)
  return table.concat(out)
end

-- Where the bodies of structs stand in code.
local function find_structs(code)
  local inside = {}
  for _, keyword in ipairs { "struct", "union" } do
    for from, to in code:gmatch("%f[%w_]" .. keyword .. "%s*[%w_]*%s*()%b{}()") do
      for at = from, to do inside[at] = true end
    end
  end
  for from, to in code:gmatch "()%b[]()" do
    for at = from, to do inside[at] = nil end
  end
  return inside
end

-- Members keep their names, which no other file can mistake: words behind a dot, and in the body of a struct those that
-- are no type, which a star or a name follows.
local function rename(text, renames)
  local inside = find_structs(house.code_of(text))
  return replace_words(text, function(word, before, at, after)
    local new = renames[word]
    local member = before:find "%->$" or before:find "%.$" and not before:find "%.%.$" or
      inside[at] and not after:find "^%s*%**%s*[%a_]"
    return new and not member and new or nil
  end)
end

-- ---- putting files behind one another ----

local emitted, out, defined_by_headers = {}, {}, {}

local function put(text)
  out[#out + 1] = text
end

local put_file

-- Puts the lines of a file with what they include in their place. A header with a guard is needed once, unless it
-- stands within a condition, which may not hold.
local function put_lines(path, text, conditional)
  local depth = text:find "^#ifndef POD_[%w_]+_H\n" and -1 or 0
  for line in text:gmatch "([^\n]*)\n" do
    local name = line:match '^%s*#%s*include%s*"([^"]+)"'
    if name then
      put_file(find_include(path, name), conditional or depth > 0)
    else
      local directive = line:match "^%s*#%s*(%a+)"
      if directive and directive:find "^if" then depth = depth + 1 end
      if directive == "endif" then depth = depth - 1 end
      put(line .. "\n")
    end
  end
end

function put_file(path, conditional)
  local text = read(path)
  local guarded = text:find "#ifndef [A-Z_0-9]+_H\n" ~= nil
  if path:find "^core/include/" or emitted[path] then return end
  if guarded and not conditional then emitted[path] = true end
  put(("/* ---- %s ---- */\n"):format(path:match "^core/(.*)$"))
  put_lines(path, text, conditional)
end

-- Macros of a source end with it; those that a header has, too, are the header's again.
local function macros_of(text)
  local seen, names = { _GNU_SOURCE = true }, {}
  for name in each_macro(text) do
    if not seen[name] then names[#names + 1] = name end
    seen[name] = true
  end
  return names
end

local function put_source(path, text, condition)
  local macros = macros_of(text)
  if condition then put(("#ifndef %s\n"):format(condition)) end
  for _, name in ipairs(macros) do
    if defined_by_headers[name] then put(('#pragma push_macro("%s")\n#undef %s\n'):format(name, name)) end
  end
  put_lines(path, text, condition ~= nil)
  for _, name in ipairs(macros) do
    put(defined_by_headers[name] and ('#pragma pop_macro("%s")\n'):format(name) or ("#undef %s\n"):format(name))
  end
  if condition then put "#endif\n" end
end

local function write(name, text)
  local file = assert(io.open(folder .. "/" .. name, "wb"))
  assert(file:write(text))
  assert(file:close())
end

local function header()
  local seen, lines = {}, {}
  local function add(path)
    if seen[path] then return end
    seen[path] = true
    for line in read(path):gmatch "([^\n]*)\n" do
      local name = line:match '^%s*#%s*include%s*"([^"]+)"'
      if name then add("core/include/" .. name) else lines[#lines + 1] = line end
    end
  end
  add "core/include/moonpod.h"
  return table.concat(lines, "\n") .. "\n"
end

local PROLOGUE = [[
/*
 * Moonpod VERSION in one file, with moonpod.h. Written by ./dev amalgamate; LICENSE of the sources holds.
 *
 *     cc -O2 moonpod.c app.c -luv -lm -lpthread
 *
 * It needs libuv alone, and has the portable kernels. Formats that need more libraries are off, and say so when they
 * are asked for, unless these macros are defined: POD_WITH_ZLIB (-lz: gzip, npz that is compressed, PNG written),
 * POD_WITH_LIBDEFLATE (-ldeflate: PNG), POD_WITH_TURBOJPEG (-lturbojpeg: JPEG).
 */
#define _GNU_SOURCE
#define POD_PORTABLE_KERNELS 1
#define POD_FAMILY_portable 1
#ifndef POD_WITH_ZLIB
#define POD_WITHOUT_ZLIB 1
#endif
#ifndef POD_WITH_LIBDEFLATE
#define POD_WITHOUT_LIBDEFLATE 1
#endif
#ifndef POD_WITH_TURBOJPEG
#define POD_WITHOUT_TURBOJPEG 1
#endif
#if !defined(__linux__) && !defined(POD_WITHOUT_BACKENDS)
#define POD_WITHOUT_BACKENDS 1
#endif
/* Sums are rounded as they are written: the same bits wherever it is compiled. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#pragma clang diagnostic ignored "-Wunknown-pragmas"
#elif defined(__GNUC__)
#pragma GCC optimize("-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math")
#pragma GCC diagnostic ignored "-Wpsabi"
#endif
#ifndef NDEBUG
#define NDEBUG 1
#endif
#include "moonpod.h"
]]

local paths, codes = sources(), {}
for _, path in ipairs(paths) do codes[path] = house.code_of(read(path)) end
local renames, count = find_renames(paths, codes)

for _, path in ipairs(house.files({ "core" }, { "*.h" })) do
  for name in each_macro(read(path)) do defined_by_headers[name] = true end
end
local public = header()
put((PROLOGUE:gsub("VERSION", public:match "VERSION_MAJOR (%d+)" .. "." .. public:match "VERSION_MINOR (%d+)" .. "." ..
  public:match "VERSION_PATCH (%d+)")))
for _, path in ipairs(paths) do
  local text = rename(read(path), renames[path])
  local name = path:match "^core/kernels/multi/(.*)%.c$"
  put(("\n/* ==== %s ==== */\n"):format(path:match "^core/(.*)$"))
  if name then put(("#define POD_FAMILY_TABLE pod_%s_portable\n"):format(name)) end
  put_source(path, text, path:find(BACKENDS) and "POD_WITHOUT_BACKENDS")
  if name then put "#undef POD_FAMILY_TABLE\n" end
end

write("moonpod.h", public)
write("moonpod.c", table.concat(out))
print(("moonpod.c: %d sources, %d names with the name of their file"):format(#paths, count))
