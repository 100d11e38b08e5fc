-- The bindings and the Lua layer are one source for Lua 5.1, LuaJIT and 5.4: builds the module against the others'
-- headers and runs a script there.

local script = [==[
local pod = require "moonpod"
local x = pod.tensor { { 1, 2, 3 }, { 4, 5, 6 } }
assert(tostring(x) == "[[1. 2. 3.]\n [4. 5. 6.]]\nfloat32 (2, 3)")
assert((x * 2 + 1):mean():item() == 8)
local v = pod.variable(2)
local f = pod.func(function(a)
  v:assign_add(a:sum())
  return v * a
end)
assert(f(x):sum():item() == 23 * 21)
local strategy = pod.distribute.mirrored(2)
local sums = strategy:run(function(a) return a:sum() end, { strategy:split(x) })
assert(strategy:reduce("sum", sums):item() == 21)
local tape, y = pod.tape(function() return v * v end)
assert(tape:gradient(y, v):item() == 46)
local ok, message = pcall(function()
  local z = pod.matmul(x, x)
  return z
end)
assert(not ok and message:find("(2, 3)", 1, true), message)
collectgarbage()
collectgarbage()
print "ok"
]==]

local function exists(path)
  local file = io.open(path)
  if file then
    file:close()
  end
  return file ~= nil
end

-- Runs a command; returns whether it succeeded and what it printed.
local function run(command)
  local pipe = io.popen(command .. " 2>&1")
  local text = pipe:read "a"
  return pipe:close() == true, text
end

describe("the module", function()
  local core = package.searchpath("moonpod.core", package.cpath)
  local build = core:gsub("lua/moonpod/core%.so$", "")
  local lua_path = "lua/?.lua;lua/?/init.lua;;"
  local sources = "lua/bind/*.c -Icore/include -Ilua/bind"

  for program, include in pairs { ["lua5.1"] = "lua5.1", luajit = "luajit-2.1" } do
    it("builds for and runs in " .. program, function()
      if not exists("/usr/include/" .. include .. "/lua.h") or not run("command -v " .. program) then
        pending("needs " .. program .. " and its headers")
        return
      end
      local folder = os.tmpname()
      os.remove(folder)
      assert(run(("mkdir -p %s/moonpod"):format(folder)))
      finally(function() run("rm -r " .. folder) end) -- luacheck: ignore
      local ok, text = run(("cc -std=gnu11 -O1 -Wall -shared -fPIC -fvisibility=hidden %s -I/usr/include/%s "
        .. "-o %s/moonpod/core.so -L%s -lmoonpod -Wl,-rpath,%s -lm -lpthread"):format(sources, include, folder, build,
        build))
      assert.is_true(ok, text)
      local file = assert(io.open(folder .. "/script.lua", "w"))
      file:write(script)
      file:close()
      ok, text = run(("LUA_PATH='%s' LUA_CPATH='%s/?.so' %s %s/script.lua"):format(lua_path, folder, program, folder))
      assert.equal("ok\n", text)
      assert.is_true(ok)
    end)
  end

  it("is not linked with a Lua", function()
    local ok, text = run("ldd " .. core)
    assert.is_true(ok)
    assert.is_nil(text:find("liblua", 1, true))
  end)
end)

describe("require", function()
  it("loads nothing but its table: the parts load when they are used", function()
    local ok, text = run([[lua5.4 -e '
      require "moonpod"
      for name in pairs(package.loaded) do
        if name:find "^moonpod" then print(name) end
      end']])
    assert.is_true(ok)
    assert.equal("moonpod\n", text)
  end)
end)
