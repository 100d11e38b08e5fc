-- The library is compiled by gcc and by clang, for 64 and for 32 bits, and none of its names is one of windows.h.

local house = require "house"

-- Each with what it asks for first; without that a machine cannot tell.
local COMPILERS = {
  { "gcc", "gcc -fsyntax-only", probe = "command -v gcc" },
  { "clang", "clang -fsyntax-only", probe = "command -v clang" },
  { "gcc -m32", "gcc -m32 -fsyntax-only",
    probe = "echo '#include <stdio.h>' | gcc -m32 -x c -fsyntax-only - && echo yes" },
}

local function one_file_compiles()
  local folder = os.tmpname()
  os.remove(folder)
  os.execute("mkdir " .. folder)
  for _, line in ipairs(house.lines_of(("lua5.4 %s/cmake/amalgamate.lua %s %s 2>&1"):format(house.quote(house.root),
    house.quote(house.root), folder))) do
    if not line:find "^moonpod%.c: %d+ sources" then house.finding("cmake/amalgamate.lua", 0, "%s", line) end
  end
  for _, one in ipairs(COMPILERS) do
    if house.lines_of(one.probe .. " 2>/dev/null")[1] then
      for _, line in ipairs(house.lines_of(("cd %s && %s -w moonpod.c 2>&1"):format(folder, one[2]))) do
        local number, text = line:match "^moonpod%.c:(%d+):%d+: .*error: (.*)"
        if number then house.finding("moonpod.c", tonumber(number), "%s: %s", one[1], text) end
      end
    end
  end
  os.execute(("rm -rf '%s'"):format(folder))
end

local TAKEN = { "near", "far", "interface", "hyper", "pascal", "cdecl" } -- macros of windows.h

local function names_are_free()
  for _, path in ipairs(house.files({ "core", "lua/bind", "repl", "notebooks" }, { "*.c", "*.h" })) do
    local text = house.code_of(house.read(path)):gsub("\n%s*#%s*include[^\n]*", "\n")
    local number = 0
    for line in (text .. "\n"):gmatch "([^\n]*)\n" do
      number = number + 1
      for _, name in ipairs(TAKEN) do
        if line:find("%f[%w_]" .. name .. "%f[^%w_]") then
          house.finding(path, number, "'%s' is a macro of windows.h", name)
        end
      end
    end
  end
end

return {
  { "gcc, clang and 32 bits compile the library", one_file_compiles },
  { "names are none of windows.h", names_are_free },
}
