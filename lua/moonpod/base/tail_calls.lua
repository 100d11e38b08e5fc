-- tail_calls - finds the line of a script that ended with `return pod.f(...)`. Lua forgets a function whose last act is
-- a call, so that the stack has what called it in its place. Here the sources are read: from the line that is on the
-- stack, through functions that are named there and end with a call, to the one call of the name that an error tells.

local tail_calls = {}

local open = io and io.open -- of its own: what is traced has another, which refuses

local MOST_LOCALS, MOST_UPVALUES, MOST_FRAMES = 200, 60, 500

-- The text of a chunk by its source, as debug.getinfo tells that; nil where it cannot be had.
local function text_of(source)
  local kind = source:sub(1, 1)
  if kind ~= "@" then
    return kind ~= "=" and source or nil
  end
  local file = open and open(source:sub(2), "rb")
  local text = file and file:read "*a"
  if file then
    file:close()
  end
  return text
end

-- The lines of the chunk that a function is of; nil where they cannot be had.
function tail_calls.lines(info)
  local text, lines = text_of(info.source), {}
  for line in ((text or "") .. "\n"):gmatch "([^\n]*)\n" do
    lines[#lines + 1] = line
  end
  return text and lines
end

-- The calls that a function ends with, in lines that return one: array of { line =, text = what is behind `return` };
-- empty where its source cannot be had. info: of debug.getinfo(fn, "SL").
function tail_calls.returned(info)
  local lines, found = info.activelines and tail_calls.lines(info) or {}, {}
  for number = info.linedefined, info.lastlinedefined do
    local text = lines[number] and info.activelines[number]
      and lines[number]:match "%f[%w_]return%f[^%w_](.*[%(%[{\"'].*)"
    found[#found + 1] = text and { line = number, text = text }
  end
  return found
end

-- What a name such as `model.forward` is in a function, whose locals are known where it runs.
local function value_of(path, fn, locals)
  local first, rest = path:match "^([%w_]+)(.*)$"
  local value = locals[first]
  for i = 1, value == nil and MOST_UPVALUES or 0 do
    local name, held = debug.getupvalue(fn, i)
    value = name == first and held or value
  end
  if value == nil then
    value = rawget(_G, first)
  end
  for key in rest:gmatch "[%w_]+" do
    local meta = type(value) == "table" and getmetatable(value)
    local class = type(meta) == "table" and rawget(meta, "__index")
    local own = meta ~= false and rawget(value, key)
    value = own or type(class) == "table" and rawget(class, key) or nil
  end
  return value
end

local function is_called(line, name)
  return line:find("%f[%w_]" .. name .. "%s*[%({%[\"']") ~= nil
end

local visit

-- Goes on to the functions of the script that a line names.
local function follow(search, line, fn, locals)
  for path in line:gmatch "[%a_][%w_%.:]*" do
    local value = value_of(path, fn, locals)
    if type(value) == "function" and not search.seen[value] then
      search.seen[value] = true
      visit(search, value)
    end
  end
end

-- Finds calls of the name in the lines of a function that return a call.
function visit(search, fn)
  local info = debug.getinfo(fn, "SL")
  if info.what ~= "Lua" or search.is_own(info.source) then
    return
  end
  for _, returned in ipairs(tail_calls.returned(info)) do
    if is_called(returned.text, search.name) then
      search.found[#search.found + 1] = search.file_of(info) .. ":" .. returned.line
    else
      follow(search, returned.text, fn, {})
    end
  end
end

local function locals_of(level)
  local locals = {}
  for i = 1, MOST_LOCALS do
    local name, value = debug.getlocal(level + 1, i)
    if not name then
      break
    end
    locals[name] = value
  end
  return locals
end

-- Returns "file:line" of a call of `name` that took the place of its function on the stack, where there is one alone;
-- else nil. calling: a function that calls its first argument; is_own(source), file_of(info): of errors.lua.
function tail_calls.place(name, calling, is_own, file_of)
  local what = _VERSION == "Lua 5.1" and "Slf" or "Sltf" -- 5.1 has a frame without a function for each
  local search = { name = name, is_own = is_own, file_of = file_of, seen = {}, found = {} }
  local is_tail = jit ~= nil -- LuaJIT does not tell
  for level = 3, MOST_FRAMES do
    local info = debug.getinfo(level, what)
    if not info then
      return nil
    elseif info.func == calling then
      local _, fn = debug.getlocal(level, 1)
      if type(fn) == "function" then
        visit(search, fn)
        break
      end
    elseif info.currentline > 0 and not is_own(info.source) then
      local line = is_tail and (tail_calls.lines(info) or {})[info.currentline]
      if line and not is_called(line, name) then
        follow(search, line, info.func, locals_of(level))
      end
      break
    end
    is_tail = is_tail or info.istailcall or info.func == nil
  end
  return #search.found == 1 and search.found[1] or nil
end

return tail_calls
