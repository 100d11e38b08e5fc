-- A name is one thing: no two types of C and no two files of one name.

local house = require "house"

-- The vectors that finish_kernel.h is written in, which this header brings for families of their own.
local vectors_of_finish = { floats = true, words = true, row_halves = true }
local brings_vectors = { ["core/kernels/finish_avx512.h"] = true }

-- Text without the attributes that may stand between a type and its name.
local function plain(code)
  return (code:gsub("__attribute__%s*%b()", " "):gsub("%[[^%]]*%]", " "))
end

-- Names that a declaration behind `typedef` gives: those behind the body of a struct, or behind the type.
local function typedef_names(declaration)
  local names = {}
  local behind = declaration:match "^.*}(.*)$"
  if not behind then
    local of_function = declaration:match "%(%s*%*?%s*([%w_]+)%s*%)%s*%(" or
      declaration:match "([%w_]+)%s*%([^()]*%)%s*$"
    if of_function then return { of_function } end
    behind = declaration:match "^.-([%w_]+%s*,.*)$" or declaration:match "([%w_]+)%s*$"
  end
  for name in (behind or ""):gmatch "[%a_][%w_]*" do names[#names + 1] = name end
  return names
end

-- Calls found(name, line, how) for each type that a text defines; how: "body" of a struct, or "name" by a typedef.
local function each_type(lines, found)
  local text = plain(table.concat(lines, "\n"))
  local line, last = 1, 1
  local function line_at(place)
    line = line + select(2, text:sub(last, place - 1):gsub("\n", ""))
    last = place
    return line
  end
  for place, keyword, rest in text:gmatch "()%f[%w_](%a+)%f[^%w_]%s*()" do
    if keyword == "struct" or keyword == "enum" or keyword == "union" then
      local name = text:match("^([%a_][%w_]*)%s*{", rest)
      if name then found(name, line_at(place), "body") end
    elseif keyword == "typedef" then
      local stop, depth = rest, 0
      while true do
        local at, sign = text:match("()([{};])", stop)
        if not at or sign == ";" and depth == 0 then
          stop = at or #text
          break
        end
        depth = depth + (sign == "{" and 1 or sign == "}" and -1 or 0)
        stop = at + 1
      end
      for _, name in ipairs(typedef_names(text:sub(rest, stop - 1))) do found(name, line_at(place), "name") end
    end
  end
end

local function sorted_paths()
  local paths = {}
  for path in pairs(house.source) do paths[#paths + 1] = path end
  table.sort(paths)
  return paths
end

-- A type that a header leaves open and a source fills has a typedef and a body: one of each.
local function types_have_names_of_their_own()
  local owner = { body = {}, name = {} }
  for _, path in ipairs(sorted_paths()) do
    each_type(house.source[path].code, function(name, line, how)
      local other = owner[how][name]
      if other and other ~= path and not (brings_vectors[path] and vectors_of_finish[name]) then
        house.finding(path, line, "%s is the name of a type of %s", name, other)
      end
      if not brings_vectors[path] then owner[how][name] = other or path end
    end)
  end
end

local function files_have_names_of_their_own()
  local owner = {}
  for _, path in ipairs(sorted_paths()) do
    local name = path:match "[^/]+$"
    local other = owner[name]
    if other then
      house.finding(path, 0, "is named as %s is", other)
    end
    owner[name] = other or path
  end
end

-- What internal functions that headers of a floor declare begin with; docs/contributors/architecture.md has that table.
-- Functions of the ground floor, base, are named by their subject.
local prefixes = {
  trace = { "pod_trace_" }, tensor = { "pod_buffer_" }, chip = { "pod_chip_" },
  kernels = { "pod_kernel_" }, formats = { "pod_format_" },
  graph = { "pod_graph_", "pod_node_", "pod_op_", "pod_infer_" }, exchange = { "pod_exchange_" },
  grad = { "pod_gradient_" }, replicate = { "pod_replicate_" }, ir = { "pod_ir_" },
  program = { "pod_program_", "pod_instruction_", "pod_device_" }, verify = { "pod_verify_" },
  compile = { "pod_compile_", "pod_lower_" }, engine = { "pod_run_" }, exported = { "pod_exported_" },
  backends = { "pod_pjrt_", "pod_mpi_" },
  input = { "pod_input_", "pod_dataset_" }, service = { "pod_service_" },
  tpu = { "pod_tpu_" }, advisor = { "pod_advise_", "pod_memory_" },
}

-- Bodies of kernels are included into the files of families, each of which compiles them for itself.
local has_bodies = { kernels = true }

local function begins_with(name, list)
  for _, prefix in ipairs(list) do
    if name:sub(1, #prefix) == prefix then return prefix end
  end
end

-- Calls found(name, line, is_static) for each function that a header declares or, static, defines.
local function each_function(lines, found)
  local text = table.concat(lines, "\n"):gsub("\\\n", "\n\\")
  text = ("\n" .. text):gsub("\n%s*#[^\n]*", "\n"):gsub("\n\\[^\n]*", "\n")
  text = plain(text):gsub("%b{}", function(body) return body:gsub("[^\n]", "") .. ";" end)
  local line = 0
  for declaration in text:gmatch "[^;]+" do
    local head = declaration:match "^%s*([^=(]*)%("
    head = head and head:match "%S.*"
    local name = head and not head:find "^typedef%f[%W]" and head:match "[%s%*]([%a_][%w_]*)%s*$"
    local above = #(declaration:match "^%s*":gsub("[^\n]", ""))
    local static = head and (head:find "^static%f[%W]" or head:find "^[%u_]+_INLINE%f[%W]")
    if name then found(name, line + above, static ~= nil) end
    line = line + select(2, declaration:gsub("\n", ""))
  end
end

local function wrong_prefix(floor, name, is_static)
  if not name:find "^pod_" then
    return not (is_static and has_bodies[floor]) and "it must begin with pod_"
  elseif floor ~= "base" then
    return not begins_with(name, prefixes[floor] or {}) and
      ("functions of core/%s begin with %s"):format(floor, table.concat(prefixes[floor] or {}, " or "))
  end
  for other, list in pairs(prefixes) do
    local prefix = begins_with(name, list)
    if prefix then return ("%s is for functions of core/%s"):format(prefix, other) end
  end
end

local function functions_are_named_by_their_floor()
  for _, path in ipairs(sorted_paths()) do
    local floor = path:match "^core/([%w_]+)/.*%.h$"
    if floor and floor ~= "include" then
      each_function(house.source[path].code, function(name, line, is_static)
        local wrong = wrong_prefix(floor, name, is_static)
        if wrong then house.finding(path, line, "%s: %s", name, wrong) end
      end)
    end
  end
  local document = house.read "docs/contributors/architecture.md"
  for floor, list in pairs(prefixes) do
    local row = ("| `core/%s` | `%s` |"):format(floor, table.concat(list, "`, `"))
    if not document:find("\n" .. row .. "\n", 1, true) then
      house.finding("docs/contributors/architecture.md", 0, "lacks the line %s", row)
    end
  end
end

return {
  { "functions are named by their floor", functions_are_named_by_their_floor },
  { "types have names of their own", types_have_names_of_their_own },
  { "files have names of their own", files_have_names_of_their_own },
}
