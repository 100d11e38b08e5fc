--[[
compile_modules.lua OUTPUT FOLDER FILE... - writes the modules of Lua as bytecode of the interpreter that runs this:
files below FOLDER ("models/fit.lua"), which are moonpod's modules. lua/bind/lua_compiled.c reads OUTPUT and says how
it is made up.
]]

local core = require "moonpod.core"

local _, interpreter = core.compiled_modules()

local output, folder = arg[1], arg[2]
local loadstring = loadstring or load -- luacheck: ignore

local NAME = "@[text]" -- stands for the name of a text until the text is found

-- The name that a file is required by.
local function module_of(file)
  return (("moonpod/" .. file):gsub("%.lua$", ""):gsub("/init$", ""):gsub("/", "."))
end

-- The bytecode of a text, without the name and the byte with its length in front of it, and where these belong.
local function compile(text, path)
  local chunk, message = loadstring(text, NAME)
  if not chunk then
    error(path .. ": " .. message, 0)
  end
  local code = string.dump(chunk)
  local first, last = code:find(NAME, 1, true)
  assert(first and not code:find(NAME, last + 1, true), "string.dump() has the name of a text where it is not expected")
  return code:sub(1, first - 2) .. code:sub(last + 1), first - 2
end

local modules = {}
for i = 3, #arg do
  local path = folder .. "/" .. arg[i]
  local file = assert(io.open(path, "rb"))
  local text = file:read "*a"
  file:close()
  local code, source = compile(text, path)
  modules[#modules + 1] = { name = module_of(arg[i]), file = arg[i], size = #text, code = code, source = source }
end

-- In the order of names, in which they are searched for.
table.sort(modules, function(a, b)
  return a.name < b.name
end)

-- The head says its own size: numbers have a fixed width.
local function head_of(head, all)
  local lines = { ("moonpod modules %08d %08d %s"):format(head, all, interpreter) }
  local offset = head
  for _, one in ipairs(modules) do
    lines[#lines + 1] = ("%s %s %08d %08d %08d %08d"):format(one.name, one.file, one.size, offset, #one.code,
      one.source)
    offset = offset + #one.code
  end
  return table.concat(lines, "\n") .. "\n", offset
end

local head, all = head_of(0, 0)
head = head_of(#head, #head + all)
local file = assert(io.open(output .. ".part", "wb"))
assert(file:write(head))
for _, one in ipairs(modules) do
  assert(file:write(one.code))
end
assert(file:close())
assert(os.rename(output .. ".part", output))
