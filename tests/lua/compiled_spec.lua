-- Modules of Lua as bytecode, which the build writes beside the module in C: they are what their texts are, and where
-- there is anything that is not as it was written, the texts serve.

local core = require "moonpod.core"
local executable = require "tests.lua.support.executable"
local files = require "tests.lua.support.files"

local quote, shell = executable.quote, executable.shell
local build = os.getenv "MOONPOD_BUILD"
local root = io.popen "pwd":read "*l"
local folder = root .. "/lua/moonpod/"
local compiled, interpreter = core.compiled_modules()

-- The module in C that this interpreter has, and what lies beside it.
local beside = assert(package.searchpath("moonpod.core", package.cpath)):match "^(.*)core%.so$"
local written = beside .. "modules.luac"

local function write(path, text)
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
end

local function module_of(path)
  return (path:match "^lua/(.*)%.lua$":gsub("/init$", ""):gsub("/", "."))
end

describe("compiled modules", function()
  it("are there for Lua 5.4 and LuaJIT, and for nobody else", function()
    local is_sanitized = not files.read(build .. "/CMakeCache.txt"):find "\nMOONPOD_SANITIZE:[^\n]*=\n"
    local has_them = _VERSION == "Lua 5.4" or rawget(_G, "jit") ~= nil
    assert.equal(has_them and not is_sanitized, compiled ~= nil)
    assert.is_string(interpreter)
  end)
end)

if not compiled then
  return
end

-- A chunk's bytecode. LuaJIT writes what tables hold in any order, so of its own it is how often each byte is there.
local function code_of(chunk)
  local code = string.dump(chunk)
  if not rawget(_G, "jit") then
    return code
  end
  local counts = {}
  for i = 1, #code do
    counts[code:byte(i)] = (counts[code:byte(i)] or 0) + 1
  end
  return counts
end

describe("a compiled module", function()
  it("is what its text is, lines and names of files included", function()
    local count = 0
    for path in io.popen "find lua/moonpod -name '*.lua'":lines() do
      local chunk = compiled:load(module_of(path), folder)
      assert.is_function(chunk, path)
      assert.same(code_of(loadfile(root .. "/" .. path)), code_of(chunk), path)
      count = count + 1
    end
    assert.is_true(count > 300)
  end)

  it("is loaded where it is required, under a path of any length", function()
    local errors = require "moonpod.base.errors"
    assert.equal("@" .. package.searchpath("moonpod.base.errors", package.path),
      debug.getinfo(errors.raise, "S").source)
    local long = root .. ("/."):rep(300) .. "/lua/moonpod/"
    local chunk = compiled:load("moonpod.base.errors", long)
    assert.equal("@" .. long .. "base/errors.lua", debug.getinfo(chunk, "S").source)
  end)

  it("gives way to a text that is another", function()
    local copy = files.temporary()
    assert.equal(0, select(2, shell(("mkdir -p %s/base"):format(copy))))
    finally(function() shell("rm -r " .. quote(copy)) end) -- luacheck: ignore
    local path, text = copy .. "/base/names.lua", files.read "lua/moonpod/base/names.lua"
    assert.is_nil(compiled:load("moonpod.base.names", copy .. "/")) -- there is none
    write(path, text)
    assert.is_nil(compiled:load("moonpod.base.names", copy .. "/")) -- newer
    shell(("touch -d '2001-01-01' %s"):format(path))
    assert.is_function(compiled:load("moonpod.base.names", copy .. "/"))
    write(path, text .. "\n")
    shell(("touch -d '2001-01-01' %s"):format(path))
    assert.is_nil(compiled:load("moonpod.base.names", copy .. "/")) -- longer
  end)

  it("has the name of a module", function()
    for _, name in ipairs { "", " ", "\n", "modules", "moonpod.nothing", "moonpod.base.names base/names.lua",
      "moonpod.base.names\n", ("x"):rep(10000) } do
      assert.is_nil(compiled:load(name, folder), name)
    end
    assert.has_error(function() compiled:load() end)
    local other = core.compiled_modules()
    other:close()
    assert.is_nil(other:load("moonpod.base.names", folder))
  end)
end)

describe("a file of compiled modules", function()
  local copy = files.temporary()

  -- What a script of this interpreter prints with a module in C beside which the file has this content.
  local function with_content(content, source)
    write(copy .. "/moonpod/modules.luac", content)
    local program = rawget(_G, "jit") and "luajit" or "lua5.4"
    return (shell(("env -u LUA_CPATH_5_4 LD_LIBRARY_PATH=%s LUA_CPATH=%s %s -e %s"):format(
      quote(os.getenv "MOONPOD_BUILD" or "build/release"), quote(copy .. "/?.so"), program,
      quote(source or [[
        local pod = require "moonpod"
        io.write(tostring((pod.core.compiled_modules()) ~= nil), " ", pod.tensor({ 1, 2 }):sum():item())]]))))
  end

  it("of another interpreter, cut off or longer is none, and texts serve", function()
    assert.equal(0, select(2, shell(("mkdir -p %s/moonpod && cp %s/core.so %s/moonpod"):format(copy, beside, copy))))
    finally(function() shell("rm -r " .. quote(copy)) end) -- luacheck: ignore
    local content = files.read(written)
    assert.matches("^true 3", with_content(content))
    local at, last = content:find(interpreter, 1, true)
    for _, damaged in ipairs { "", "\n", "moonpod modules", ("x"):rep(5000), content:sub(1, 40), content:sub(1, 20000),
      content:sub(1, -2), content .. "\n", content:sub(1, at - 1) .. "another" .. content:sub(last + 1) } do
      assert.matches("^false 3", with_content(damaged))
    end
    local head = string.dump(loadstring and loadstring "" or load ""):sub(1, 5) -- luacheck: ignore
    local others = content:gsub(head:gsub("%W", "%%%0"), (head:gsub(".$", "\1")))
    assert.are_not.equal(content, others)
    assert.matches("^true 3", with_content(others)) -- of an interpreter that was built in another way
    assert.matches("^function nil 3", with_content(content, ([[
      local pod = require "moonpod"
      local compiled = pod.core.compiled_modules()
      io.write(type(compiled:load("moonpod.base.names", %q)), " ")
      local file = io.open(%q, "ab")
      file:write "more"
      file:close()
      io.write(tostring((compiled:load("moonpod.base.names", %q))), " ", pod.tensor({ 1, 2 }):sum():item())]])
      :format(folder, copy .. "/moonpod/modules.luac", folder)))
  end)
end)
