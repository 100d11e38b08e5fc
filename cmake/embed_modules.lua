--[[
embed_modules.lua OUTPUT FOLDER FILE... - writes the modules of Lua below FOLDER as tables of C, which lua/bind/one_file
reads: names ("moonpod.layers.dense") with the texts, in the order of names.
]]

local output, folder = arg[1], arg[2]

local modules = {}
for i = 3, #arg do
  local file = assert(io.open(folder .. "/" .. arg[i], "rb"))
  local name = ("moonpod/" .. arg[i]):gsub("%.lua$", ""):gsub("/init$", ""):gsub("/", ".")
  modules[#modules + 1] = { name = name, path = "moonpod/" .. arg[i], text = file:read "a" }
  file:close()
end
table.sort(modules, function(a, b)
  return a.name < b.name
end)

local ESCAPES = { ["\n"] = "\\n", ['"'] = '\\"', ["\\"] = "\\\\", ["?"] = "\\?" }

local file = assert(io.open(output, "wb"))
assert(file:write '#include "one_file/embedded.h"\n\nconst embedded_module embedded_modules[] = {\n')
for _, one in ipairs(modules) do
  assert(file:write(('{"%s", "%s", %d,\n'):format(one.name, one.path, #one.text)))
  for line in one.text:gmatch "[^\n]*\n?" do
    local escaped = line:gsub('[\n"\\?]', ESCAPES):gsub("[^\32-\126]", function(byte)
      return ("\\%03o"):format(byte:byte())
    end)
    assert(file:write('"', escaped, '"\n'))
  end
  assert(file:write "},\n")
end
assert(file:write(("};\n\nconst size_t embedded_count = %d;\n"):format(#modules)))
assert(file:close())
