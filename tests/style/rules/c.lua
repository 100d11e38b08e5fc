-- What C in core/, lua/bind and repl keeps to.

local house = require "house"

-- Files that may look at single ops (`case POD_OP_`): each reader of the op table.
local op_readers = {
  "^core/graph/", "^core/exchange/", "^core/grad/", "^core/replicate/", "^core/ir/", "^core/compile/",
  "^core/kernels/reference/", "^core/tpu/", "^core/advisor/",
}

-- Words that core/ must not call, outside of those folders.
local forbidden = {
  { words = { "abort", "exit", "_exit", "printf", "fprintf", "vprintf", "perror", "puts", "putchar",
              "signal", "sigaction" }, except = {} },
  { words = { "malloc", "calloc", "realloc", "free", "strdup", "strndup", "aligned_alloc",
              "posix_memalign" }, except = { "^core/base/" } },
}

local function the_library_is_a_guest()
  for path, file in pairs(house.source) do
    if path:find "^core/" then
      for number, line in ipairs(file.code) do
        for _, rule in ipairs(forbidden) do
          for _, word in ipairs(rule.words) do
            local at = line:find("%f[%w_]" .. word .. "%s*%(")
            local before = at and line:sub(1, at - 1)
            -- A member or a parameter may have such a name.
            if at and not before:find "[.>]%s*$" and not house.matches_any(path, rule.except) then
              house.finding(path, number, "core/ must not call %s()", word)
            end
          end
        end
      end
    end
  end
end

-- Says whether a line belongs to a declaration that goes on or ends in it.
local function in_declaration(line)
  return line ~= nil and (line:find "^%s*POD_API" or line:find "^%s+[%w_]" or line:find "^%s*#%s*define X")
end

-- A declaration is documented by the comment right before it; it may share one with a run of declarations, or
-- stand right after the type that it gives.
local function public_functions_are_documented()
  for path, file in pairs(house.source) do
    if path:find "^core/include/" then
      for number, line in ipairs(file.lines) do
        if line:find "^%s*POD_API" then
          local last = number
          while not file.lines[last]:find ";" and file.lines[last + 1] do last = last + 1 end
          local above, below = file.lines[number - 1] or "", file.lines[last + 1] or ""
          local getter = file.lines[number - 2] and file.lines[number - 2]:find ";%s*$" and
            line:find "^POD_API [%w_ ]+%*?%s*pod_[%w_]+%(const pod_[%w_]+ %*[%w_]+%);$"
          if not above:find "%*/%s*$" and not in_declaration(above) and not in_declaration(below) and
             not getter then
            house.finding(path, number, "a public function without a comment")
          end
        end
      end
    end
  end
end

-- The names that public headers declare for export, as the preprocessor leaves them: lists of functions included.
local function declared_symbols()
  local declared = {}
  local headers = {}
  for path in pairs(house.source) do
    headers[#headers + 1] = path:match "^core/include/(.*%.h)$"
  end
  table.sort(headers)
  for i, header in ipairs(headers) do headers[i] = ('#include "%s"'):format(header) end
  local command = ("cd %s && printf '%%s\\n' %s | cc -E -P -x c -Icore/include - 2>/dev/null"):format(
    house.quote(house.root), house.quote(table.concat(headers, "\n")))
  local text = table.concat(house.lines_of(command), " ")
  for declaration in text:gmatch '__attribute__%(%(visibility%("default"%)%)%)([^;]*);' do
    declaration = declaration:gsub("__attribute__%s*%b()", "")
    local name = declaration:match "([%w_]+)%s*%(" or declaration:match "([%w_]+)%s*%[?%]?%s*$"
    if name then declared[name] = true end
  end
  return declared
end

-- The library exports what the public headers declare, and nothing else.
local function exported_symbols_are_declared()
  local library = house.build .. "/libmoonpod.so"
  local file = io.open(library, "rb")
  if not file then
    house.finding("libmoonpod.so", 0, "the library is not built")
    return
  end
  file:close()
  local declared = declared_symbols()
  for _, line in ipairs(house.lines_of("nm -D --defined-only " .. house.quote(library))) do
    local name = line:match "(%S+)%s*$"
    if name and not declared[name] then
      house.finding("libmoonpod.so", 0, "exports %s, which no public header declares", name)
    end
    declared[name] = nil
  end
  for name in pairs(declared) do
    house.finding("libmoonpod.so", 0, "does not export %s, which a public header declares", name)
  end
end

-- Compiles a header alone in each language it must be readable in.
local function compile_alone(path)
  for _, how in ipairs { "cc -x c -std=c99", "cc -x c -std=c11", "c++ -x c++ -std=c++17" } do
    local output = house.lines_of(([[cd %s && command -v %s >/dev/null && printf '#include "%s"\n' |
      %s -fsyntax-only -Wall -Wextra -pedantic -Icore/include - 2>&1]]):format(
      house.quote(house.root), how:match "%S+", path:match "^core/include/(.*)$", how))
    if output[1] then house.finding(path, 0, "%s: %s", how, output[1]) end
  end
end

local function public_headers_stand_alone()
  local standard = { ["stdbool.h"] = true, ["stddef.h"] = true, ["stdint.h"] = true }
  for path, file in pairs(house.source) do
    if path:find "^core/include/" then
      for number, line in ipairs(file.lines) do
        local system = line:match "^%s*#%s*include%s*<([^>]+)>"
        if system and not standard[system] then
          house.finding(path, number, "a public header includes <%s>", system)
        end
      end
      compile_alone(path)
    elseif path:find "^core/" then
      for number, line in ipairs(file.lines) do
        if line:find '^%s*#%s*include%s*[<"]l?[ua]*uxlib%.h' or
           line:find '^%s*#%s*include%s*[<"]lua' then
          house.finding(path, number, "core/ must not know Lua")
        end
      end
    end
  end
end

local function ops_are_read_where_they_may_be()
  for path, file in pairs(house.source) do
    if not house.matches_any(path, op_readers) then
      for number, line in ipairs(file.code) do
        if line:find "case%s+POD_OP_" then
          house.finding(path, number, "looks at single ops; the op table is the only list (see op_readers)")
        end
      end
    end
  end
end

local function unfinished_work_is_not_left()
  for path, file in pairs(house.source) do
    for number, line in ipairs(file.lines) do
      for _, word in ipairs { "TODO", "FIXME", "XXX" } do
        if line:find("%f[%w]" .. word .. "%f[%W]") and not line:find(word .. "%(#%d+%)") then
          house.finding(path, number, "%s without the number of an issue", word)
        end
      end
    end
  end
end

local function intrinsics_stand_in_files_named_by_family()
  for path, file in pairs(house.source) do
    if path:find "^core/" and not path:find "_avx2%.c$" and not path:find "_avx512%.c$" and
       not path:find "_avx512bf16%.c$" and not path:find "_amx%.c$" then
      for number, line in ipairs(file.code) do
        if line:find "#%s*include%s*<[%a]*intrin%.h>" then
          house.finding(path, number, "intrinsics belong in a file named by its CPU family")
        end
      end
    end
  end
end

-- Functions of the binding that no spec calls yet. The list only shrinks.
local not_called = { dataset_transform = true, isa = true, messages = true, prepare = true }

-- Names that tables of luaL_Reg give, with the place of each.
local function bound_functions()
  local bound = {}
  for path, file in pairs(house.source) do
    local inside = false
    for number, line in ipairs(path:find "^lua/bind/.*%.c$" and file.lines or {}) do
      inside = inside or line:find "^static const luaL_Reg [%w_]+%[%] ="
      for name in line:gmatch(inside and '{"([%w_]+)",' or "%z") do bound[name] = { path, number } end
      inside = inside and not line:find "};"
    end
  end
  return bound
end

-- binding_calls.txt says which spec calls each function, as record_calls.lua has noted.
local function bound_functions_are_called()
  local bound, called = bound_functions(), {}
  for number, line in ipairs(house.split(house.read "tests/style/binding_calls.txt")) do
    local name, spec = line:match "^(%S+) (%S+)$"
    local file = spec and io.open(house.root .. "/" .. spec)
    if file then file:close() end
    if name and not (bound[name] and file) then
      house.finding("tests/style/binding_calls.txt", number, "%s or %s is gone", name, spec)
    elseif name then
      called[name] = true
    end
  end
  for name, place in pairs(bound) do
    if not called[name] and not not_called[name] then
      house.finding(place[1], place[2], "no spec is known to call %s: see tests/style/record_calls.lua", name)
    end
  end
end

return {
  { "functions of the binding are called by specs", bound_functions_are_called },
  { "the library is a guest", the_library_is_a_guest },
  { "public functions are documented", public_functions_are_documented },
  { "exported symbols are those that headers declare", exported_symbols_are_declared },
  { "public headers stand alone", public_headers_stand_alone },
  { "ops are read only by the readers of the op table", ops_are_read_where_they_may_be },
  { "no unfinished work is left", unfinished_work_is_not_left },
  { "intrinsics stand in files named by family", intrinsics_stand_in_files_named_by_family },
}
