-- How programs and libraries are linked: what makes faults hard to use, and that nothing comes from where one stands.

local elf = require "tests.lua.support.elf"
local executable = require "tests.lua.support.executable"
local files = require "tests.lua.support.files"

local quote, shell = executable.quote, executable.shell
local build = os.getenv "MOONPOD_BUILD"

local PROGRAMS = { "moonpod", "moonpod-kernel" }
local LIBRARIES = { "libmoonpod.so.0", "lua/moonpod/core.so", "lua5.3/moonpod/core.so", "lua5.2/moonpod/core.so",
  "lua5.1/moonpod/core.so" }

local function is_there(name)
  return select(2, shell("test -e " .. quote(build .. "/" .. name))) == 0
end

-- Sanitizers stand in the place of some of it.
local function it_plain(name, test)
  it(name, function()
    if files.read(build .. "/CMakeCache.txt"):find "\nMOONPOD_SANITIZE:[^\n]*=\n" then
      test()
    end
  end)
end

describe("what is built", function()
  it_plain("is hardened", function()
    local count = 0
    for _, list in ipairs { PROGRAMS, LIBRARIES } do
      for _, name in ipairs(list) do
        if is_there(name) then
          count = count + 1
          assert.are.same({}, elf.weaknesses(build .. "/" .. name), name)
        end
      end
    end
    assert.is_true(count >= 3)
  end)

  it_plain("loads no library from the current folder", function()
    local folder = os.tmpname() .. ".d"
    shell("mkdir -p " .. quote(folder))
    local source = assert(io.open(folder .. "/hijack.c", "w"))
    source:write [[
      #include <stdio.h>
      __attribute__((constructor)) static void f(void) { puts("hijacked"); }
    ]]
    source:close()
    assert.are.equal("", (shell(("cd %s && cc -shared -fPIC hijack.c -o hijack"):format(quote(folder)))))
    for _, name in ipairs(PROGRAMS) do
      if is_there(name) then
        local program = quote(build .. "/" .. name)
        local text = shell(([[cd %s && for one in $(readelf -d %s | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p'); do
          cp hijack "$one"; done; ls; %s --version]]):format(quote(folder), program, program))
        assert.is_not_nil(text:find("libuv.so.1", 1, true), text)
        assert.is_nil(text:find("hijacked", 1, true), text)
      end
    end
    shell("rm -rf " .. quote(folder))
  end)
end)
