-- Hosts in C and C++: Lua states that a host sets up, the header of C++, the library as one file.

local executable = require "tests.lua.support.executable"

local quote, shell = executable.quote, executable.shell
local build = os.getenv "MOONPOD_BUILD"
local folder = os.tmpname() .. ".d"
local root = shell "pwd":match "^[^\n]+"

local function is_sanitized()
  return not shell("cat " .. quote(build .. "/CMakeCache.txt")):find "\nMOONPOD_SANITIZE:[^\n]*=\n"
end

-- Runs a command in the folder; its text has to end with "N passed, 0 failed", or with what is asked for.
local function check(format, ...)
  local command = format:format(...)
  local text, code = shell(("cd %s && %s"):format(quote(folder), command))
  assert.are.equal(0, code, command .. "\n" .. text)
  return text
end

-- Builds a host of Lua 5.4 and runs it with the modules of this build.
local function run_lua_host(name, arguments)
  check("cc -O1 -I %s/lua/host $(pkg-config --cflags lua5.4) %s/tests/hosts/%s.c -o %s $(pkg-config --libs lua5.4)",
    root, root, name, name)
  return check("LUA_PATH='%s/lua/?.lua;%s/lua/?/init.lua' LUA_CPATH='%s/lua/?.so' " ..
    "env -u LUA_PATH_5_4 -u LUA_CPATH_5_4 ./%s %s", root, root, build, name, arguments or "")
end

describe("a host", function()
  setup(function()
    assert.are.equal(0, select(2, shell("mkdir -p " .. quote(folder))))
  end)

  teardown(function()
    shell("rm -rf " .. quote(folder))
  end)

  -- A program without a sanitizer cannot use a library that has one.
  local function it_plain(name, test)
    it(name, function()
      if not is_sanitized() then
        test()
      end
    end)
  end

  it_plain("sets up two Lua states, which train side by side", function()
    assert.is_not_nil(run_lua_host "two_states":find "8 passed, 0 failed\n$")
  end)

  it_plain("loads and unloads the module over and over, and nothing stays behind", function()
    local cycles = os.getenv "MOONPOD_LONG" and 1000 or 50
    local text = run_lua_host("plugin_host", cycles)
    assert.is_not_nil(text:find(cycles .. " cycles: 0 more threads, 0 more files", 1, true), text)
    assert.is_not_nil(text:find "is unloaded\n$", text)
    if cycles > 50 then
      print(text)
    end
  end)

  it_plain("in C++ has moonpod.hpp, with exceptions and without", function()
    for _, mode in ipairs { { "", 16 }, { "-fno-exceptions -fno-rtti", 13 } } do
      local text = check("c++ -O0 -std=c++17 -Wall -Wextra -Werror %s -I %s/core/include %s/tests/hosts/cpp_host.cpp "
        .. "-L %s -lmoonpod -Wl,-rpath,%s -o cpp_host && ./cpp_host", mode[1], root, root, build, build)
      assert.are.equal(mode[2] .. " passed, 0 failed\n", text)
    end
  end)

  it_plain("has the library as one file, with libuv alone", function()
    check("lua5.4 %s/cmake/amalgamate.lua %s .", root, root)
    local text = check("cc %s moonpod.c -I . %s/tests/hosts/amalgamated.c -o amalgamated -luv -lm -lpthread "
      .. "&& ./amalgamated", os.getenv "MOONPOD_LONG" and "-O2" or "-O0", root)
    assert.is_not_nil(text:find "14 passed, 0 failed\n$", text)
    local libraries = check "ldd amalgamated"
    assert.is_nil(libraries:find "libz" or libraries:find "deflate" or libraries:find "jpeg")
    if os.getenv "MOONPOD_LONG" then
      check("cc -O1 -DPOD_WITH_ZLIB -DPOD_WITH_LIBDEFLATE -DPOD_WITH_TURBOJPEG moonpod.c -I . "
        .. "%s/examples/embed_c/train.c -o train -luv -lm -lpthread -lz -ldeflate -lturbojpeg && ./train", root)
    end
  end)

  -- What needs more than the packages of ./dev test, and minutes: run where it is installed.
  local function it_long(name, needs, test)
    it_plain(name, function()
      if os.getenv "MOONPOD_LONG" and select(2, shell(needs .. " >/dev/null")) == 0 then
        test()
      end
    end)
  end

  it_long("has an agent that learns in LÖVE", "command -v love && command -v xvfb-run", function()
    local text = check("LUA_PATH='%s/lua/?.lua;%s/lua/?/init.lua' LUA_CPATH='%s/lua5.1/?.so' LOVE_FRAMES=1200 "
      .. "xvfb-run -a love %s/examples/love_agent", root, root, build, root)
    local caught, fallen = text:match "caught %d+ of %d+ in the first half, (%d+) of (%d+)"
    assert.is_not_nil(caught, text)
    assert.is_true(tonumber(caught) * 2 > tonumber(fallen), text)
    print(text)
  end)

  it_long("compiles for Windows", "command -v x86_64-w64-mingw32-gcc", function()
    local text = check("%s/tests/tools/cross %s mingw ./mingw", root, root)
    assert.is_not_nil(text:find "%d+ passed, 0 failed\n$", text)
  end)

  it_long("trains on 64-bit ARM", "command -v aarch64-linux-gnu-gcc && command -v qemu-aarch64", function()
    local text = check("%s/tests/tools/cross %s aarch64 ./arm", root, root)
    assert.is_not_nil(text:find "14 passed, 0 failed\n$", text)
  end)
end)
