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

  -- What hosts do, with the modules of a version: a command that tests/hosts/task.lua answers, and the line it gives.
  local function environment(version)
    return ("MOONPOD_TASK='%s/tests/hosts/task.lua' LUA_PATH='%s/lua/?.lua;%s/lua/?/init.lua' LUA_CPATH='%s/%s/?.so'")
      :format(root, root, root, build, version)
  end

  local line
  local function expected()
    line = line or check("env -u LUA_PATH_5_4 -u LUA_CPATH_5_4 %s lua5.4 -e 'print(dofile(os.getenv "
      .. "\"MOONPOD_TASK\").whole())'", environment "lua"):match "^[^\n]+"
    local value = tonumber(line:match "^done predicts (%S+)$")
    assert.is_true(value ~= nil and math.abs(value - 0.75) < 0.05, line)
    return line
  end

  local function check_host(format, ...)
    local text = check(format, ...)
    assert.is_not_nil(("\n" .. text):find("\n" .. expected() .. "\n", 1, true), text)
  end

  -- A server with a configuration of tests/hosts, on a port of this machine alone that nobody has.
  local function check_server(configuration, variables, command)
    local socket = require("luv").new_tcp()
    assert(socket:bind("127.0.0.1", 0))
    local values = { ROOT = root, BUILD = build, FOLDER = folder, HOSTS = root .. "/build/hosts",
      PORT = socket:getsockname().port }
    socket:close()
    require("luv").run() -- else luv crashes where the state closes
    local file = assert(io.open(("%s/tests/hosts/%s"):format(root, configuration)))
    local text = file:read "*a":gsub("@(%u+)@", values)
    file:close()
    local made = assert(io.open(("%s/%s"):format(folder, configuration), "w"))
    made:write(text)
    made:close()
    local told = check("env -u LUA_PATH_5_4 -u LUA_CPATH_5_4 %s %s %s/tests/hosts/serve %d %s %s", environment "none",
      variables, root, values.PORT, quote(expected()), command:format(quote(folder), configuration))
    assert.is_nil(told:find "signal 11" or told:find "exited on signal", told)
    assert.is_not_nil(told:find("answered 20 times: " .. expected(), 1, true), told)
  end

  it_plain("has threads with states of 3 MB", function()
    if not os.getenv "MOONPOD_LONG" then
      return
    end
    check("cc -O1 -Wall -Wextra -I %s/lua/host $(pkg-config --cflags lua5.4) %s/tests/hosts/small_states.c "
      .. "-o small_states $(pkg-config --libs lua5.4) -lpthread", root, root)
    local command = "env -u LUA_PATH_5_4 -u LUA_CPATH_5_4 %s ./small_states %s"
    local text = check(command, environment "lua", quote(expected()))
    assert.is_not_nil(text:find("24 of 24 states: " .. expected(), 1, true), text)
    assert.is_not_nil(text:find "\n%d%d+ states without memory said so\n0 bytes left\n$", text)
  end)

  it_long("trains between the frames of LÖVE", "command -v love", function()
    check_host("%s timeout 120 love %s/tests/hosts/love", environment "lua5.1", root)
  end)

  it_long("trains by a timer of Neovim", "command -v nvim", function()
    check_host("%s timeout 120 nvim --headless -u NONE -i NONE -n -c 'luafile %s/tests/hosts/neovim.lua'",
      environment "lua5.1", root)
  end)

  -- Hosts with Lua 5.2, as somebody who is not root, which two of them refuse.
  local function check_player(format, ...)
    local user = shell "id -u" == "0\n" and "setpriv --reuid=65534 --regid=65534 --clear-groups" or ""
    check("cp -r %s/lua %s/lua5.2 %s/libmoonpod.so* %s/tests/hosts . && mkdir -p home/.local/share/vlc/lua/intf "
      .. "&& cp hosts/vlc.lua home/.local/share/vlc/lua/intf/task.lua && chmod -R a+rwX .", root, build, build, root)
    check_host("HOME=$PWD/home MOONPOD_TASK=$PWD/hosts/task.lua LUA_PATH=\"$PWD/lua/?.lua;$PWD/lua/?/init.lua\" "
      .. "LUA_CPATH=\"$PWD/lua5.2/?.so\" env -u LUA_PATH_5_2 -u LUA_CPATH_5_2 %s timeout 120 " .. format, user, ...)
  end

  it_long("trains by a timer of mpv", "command -v mpv", function()
    check_player("mpv --no-config --idle --vo=null --ao=null --script=hosts/mpv.lua </dev/null")
  end)

  it_long("trains by the packets that tshark reads", "command -v tshark", function()
    local file = assert(io.open(folder .. "/packets.pcap", "wb"))
    file:write(string.pack("<I4I2I2i4I4I4I4", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1))
    for second = 1, 100 do
      file:write(string.pack("<I4I4I4I4", second, 0, 60, 60), ("\0"):rep(60))
    end
    file:close()
    check_player "tshark -q -X lua_script:hosts/tshark.lua -r packets.pcap"
  end)

  -- VLC keeps the names of its Lua from modules in C, unless that is loaded before it.
  it_long("trains by an interface of VLC", "command -v vlc", function()
    check_player "env LD_PRELOAD=liblua5.2.so.0 vlc -I luaintf --lua-intf task --no-audio --no-video </dev/null"
  end)

  it_long("trains in a filter of Pandoc", "command -v pandoc", function()
    check_host("echo text | env -u LUA_PATH_5_3 -u LUA_CPATH_5_3 %s timeout 120 pandoc -L %s/tests/hosts/pandoc.lua "
      .. "-t plain", environment "lua5.3", root)
  end)

  it_long("trains in a task of HAProxy, while it serves", "test -x /usr/sbin/haproxy", function()
    check_server("haproxy.cfg", "", "/usr/sbin/haproxy -f %s/%s")
  end)

  it_long("trains in requests of Apache", "test -x /usr/sbin/apache2", function()
    check_server("apache.conf", "", "/usr/sbin/apache2 -D FOREGROUND -f %s/%s")
  end)

  it_long("trains by timers of nginx that begin each other", "test -x build/hosts/usr/sbin/nginx", function()
    check_server("nginx.conf", ("LD_LIBRARY_PATH=%s/build/hosts/usr/lib/x86_64-linux-gnu"):format(root),
      root .. "/build/hosts/usr/sbin/nginx -e stderr -p . -c %s/%s")
  end)

  it_long("has an agent that learns in LÖVE", "command -v love && command -v xvfb-run", function()
    local text = check("LUA_PATH='%s/lua/?.lua;%s/lua/?/init.lua' LUA_CPATH='%s/lua5.1/?.so' LOVE_FRAMES=1200 "
      .. "xvfb-run -a love %s/examples/love_agent", root, root, build, root)
    local caught, fallen = text:match "caught %d+ of %d+ in the first half, (%d+) of (%d+)"
    assert.is_not_nil(caught, text)
    assert.is_true(tonumber(caught) * 2 > tonumber(fallen), text)
    print(text)
  end)

  it_long("trains on 64-bit ARM", "command -v aarch64-linux-gnu-gcc && command -v qemu-aarch64", function()
    local text = check("%s/tests/tools/cross %s ./arm", root, root)
    assert.is_not_nil(text:find "14 passed, 0 failed\n$", text)
  end)
end)
