-- The library is compiled by gcc and by clang, for 64 and for 32 bits, none of its names is one of windows.h, and what
-- differs between systems stands in one room.

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
  local pipes = {} -- of all compilers at once
  for _, one in ipairs(COMPILERS) do
    pipes[one] = house.lines_of(one.probe .. " 2>/dev/null")[1]
      and assert(io.popen(("cd %s && %s -Wall -Wextra moonpod.c 2>&1"):format(folder, one[2])))
  end
  for one, pipe in pairs(pipes) do
    for line in pipe:lines() do
      local number, text = line:match "^moonpod%.c:(%d+):%d+: .*%f[%a](%a+: .*)"
      if number and not text:find "^note" then
        house.finding("moonpod.c", tonumber(number), "%s: %s", one[1], text)
      end
    end
    pipe:close()
  end
  os.execute(("rm -rf '%s'"):format(folder))
end

-- Each source as ./dev build compiles it, which takes gcc's warnings for errors, by clang: a process for some with the
-- same flags, two at once.
local function clang_warns_of_nothing()
  local path = house.build .. "/compile_commands.json"
  local file = io.open(path, "rb")
  local text = file and house.lines_of "command -v clang"[1] and file:read "a" or ""
  if file then file:close() end
  local root, seen, by_flags, order = house.lines_of("cd " .. house.quote(house.root) .. " && pwd -P")[1], {}, {}, {}
  for command, source in text:gmatch '"command": "(.-)",%s*"file": "(.-)"' do
    local name = source:sub(1, #root + 1) == root .. "/" and source:sub(#root + 2)
    local kind = name and name .. (command:match "%-DPOD_FAMILY_TABLE=[%w_]+" or "")
    if name and not seen[kind] and house.matches_any(name, { "^core/", "^lua/", "^repl/", "^notebooks/" }) then
      seen[kind] = true
      local flags = command:gsub("\\(.)", "%1"):match "^[^-]+%f[%s]%s(.*) %-o "
      if not by_flags[flags] then order[#order + 1] = flags end
      by_flags[flags] = by_flags[flags] or {}
      table.insert(by_flags[flags], house.quote(source))
    end
  end
  for _, flags in ipairs(order) do
    local command = ("cd %s && printf '%%s\\0' %s | xargs -0 -n 40 -P 2 clang -fsyntax-only %s -Wno-conversion "
      .. "-Wno-unknown-warning-option -Wno-unknown-pragmas 2>&1"):format(house.quote(house.build),
      table.concat(by_flags[flags], " "), flags)
    for _, line in ipairs(house.lines_of(command)) do
      local where, number, what = line:match "^(.-):(%d+):%d+: .*%f[%a](%a+: .*)"
      if where and not what:find "^note" then house.finding(where, tonumber(number), "clang: %s", what) end
    end
  end
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

-- What differs between systems stands in core/base/system. What does not stand there yet, a beginning of paths a line:
-- the list shrinks.
local SYSTEM = "core/base/system/"
local NOT_YET = { "core/backends/mpi/", "core/backends/pjrt/", "core/service/", "lua/bind/lua_compiled.c",
  "notebooks/kernel/", "repl/" }

local SYSTEMS = { "_WIN32", "_WIN64", "__MINGW32__", "_MSC_VER", "__CYGWIN__", "__linux__", "__APPLE__", "__ANDROID__",
  "__FreeBSD__", "__unix__", "__wasm__", "__EMSCRIPTEN__", "WIN32", "linux" }
local HEADERS = { "^sys/%l+%.h$", "^arpa/", "^linux/", "^net/", "^netinet/", "^asm/", "^mach" }
for name in ([[ dirent dlfcn execinfo fcntl fnmatch ftw glob grp io ifaddrs langinfo netdb poll pthread pwd sched
  semaphore shlwapi signal spawn strings syslog termios ucontext unistd utime windows ]]):gmatch "%w+" do
  HEADERS[#HEADERS + 1] = "^" .. name .. "%.h$"
end
local HARMLESS = { ["sys/stat.h"] = true, ["sys/types.h"] = true } -- Windows has them, too

local function of_system(line, code)
  local header = line:match "^%s*#%s*include%s*<([^>]+)>"
  if header and not HARMLESS[header] and house.matches_any(header, HEADERS) then return "<" .. header .. ">" end
  for _, name in ipairs(code:find "^%s*#" and SYSTEMS or {}) do
    if code:find("%f[%w_]" .. name .. "%f[^%w_]") then return name end
  end
end

local function systems_have_a_room()
  local met = {}
  for path, file in pairs(house.source) do
    local excused
    for _, prefix in ipairs(NOT_YET) do
      if path:sub(1, #prefix) == prefix then excused = prefix end
    end
    for number, line in ipairs(path:sub(1, #SYSTEM) ~= SYSTEM and file.lines or {}) do
      local found = of_system(line, file.code[number])
      if found and excused then
        met[excused] = true
      elseif found then
        house.finding(path, number, "%s is of some systems: what differs stands in %s", found, SYSTEM)
      end
    end
  end
  for _, prefix in ipairs(NOT_YET) do
    if not met[prefix] then
      house.finding("tests/style/rules/portable.lua", 0, "%s keeps to %s: take it off the list", prefix, SYSTEM)
    end
  end
end

return {
  { "gcc, clang and 32 bits compile the library", one_file_compiles },
  { "clang warns of nothing", clang_warns_of_nothing },
  { "names are none of windows.h", names_are_free },
  { "what differs between systems has a room", systems_have_a_room },
}
