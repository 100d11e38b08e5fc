-- The bindings and the Lua layer are one source for Lua 5.1 to 5.4 and LuaJIT, with a module for each: each runs a
-- script.

local script = [==[
local pod = require "moonpod"
local x = pod.tensor { { 1, 2, 3 }, { 4, 5, 6 } }
assert(tostring(x) == "[[1. 2. 3.]\n [4. 5. 6.]]\nfloat32 (2, 3) on CPU:0")
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
  local build = os.getenv "MOONPOD_BUILD"

  for program, folder in pairs { ["lua5.4"] = "lua", ["lua5.3"] = "lua5.3", ["lua5.2"] = "lua5.2",
    ["lua5.1"] = "lua5.1", luajit = "lua5.1" } do
    local core = ("%s/%s/moonpod/core.so"):format(build, folder)

    it("runs in " .. program, function()
      if not exists(core) or not run("command -v " .. program) then
        pending("needs " .. program .. " and headers for it")
        return
      end
      local path = os.tmpname()
      local file = assert(io.open(path, "w"))
      file:write(script)
      file:close()
      finally(function() os.remove(path) end) -- luacheck: ignore
      local ok, text = run(("env -u LUA_CPATH_5_4 -u LUA_CPATH_5_3 -u LUA_CPATH_5_2 "
        .. "LUA_PATH='lua/?.lua;lua/?/init.lua' LUA_CPATH='%s/%s/?.so' %s %s"):format(build, folder, program, path))
      assert.equal("ok\n", text)
      assert.is_true(ok)
      ok, text = run("ldd " .. core)
      assert.is_true(ok)
      assert.is_nil(text:find("liblua", 1, true)) -- it takes its host's
      assert.is_nil(text:find("luajit", 1, true))
    end)
  end
end)

describe("each file of the Lua layer", function()
  it("is Lua 5.1, too", function()
    local ok, text = run([[lua5.1 -e '
      for path in io.popen("find lua -name \"*.lua\""):lines() do
        assert(loadfile(path))
      end
      print "ok"']])
    assert.equal("ok\n", text)
    assert.is_true(ok)
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

describe("a prediction", function()
  it("loads what it needs: nothing of losses, metrics, optimizers and fit, and no more texts than these", function()
    local ok, text = run([[lua5.4 -e '
      local pod = require "moonpod"
      local model = pod.models.sequential {
        pod.layers.dense(8, { activation = "relu", input_shape = { 4 } }), pod.layers.dense(2) }
      model:predict_on_batch(pod.ones { 1, 4 })
      for name in pairs(package.loaded) do
        local path = name:find "^moonpod" and package.searchpath(name, package.path)
        if path then
          print(name, #io.open(path):read "a")
        end
      end']])
    assert.is_true(ok)
    local modules, bytes = 0, 0
    for name, size in text:gmatch "moonpod%.?([%w_.]*)\t(%d+)" do
      assert.is_nil((name:match "^losses" or name:match "^metrics" or name:match "^optimizers" or name:match "fit$"),
        name)
      modules, bytes = modules + 1, bytes + tonumber(size)
    end
    assert.is_true(modules > 10 and modules <= 90, modules)
    assert.is_true(bytes <= 605000, bytes)
  end)
end)

describe("an example", function()
  it("finds the module of its checkout from any folder, under any Lua", function()
    local root = io.popen "pwd":read "*l"
    if (os.getenv "MOONPOD_BUILD" or "") ~= root .. "/build/release" then
      return -- another build is asked for
    end
    for _, program in ipairs { "lua5.4", "lua5.3", "lua5.2", "lua5.1", "luajit" } do
      local ok, text = run(("cd /tmp && env -u LUA_PATH -u LUA_CPATH -u LUA_CPATH_5_4 %s '%s/examples/minimal.lua'")
        :format(program, root))
      assert.is_true(ok, program .. ": " .. text)
      assert.matches("loss: %d", text)
    end
  end)
end)
