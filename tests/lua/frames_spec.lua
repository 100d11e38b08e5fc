-- A training within the frames of a game: the same weights in examples/embed_frames/frames.c, at the prompt, in a
-- notebook and in files, however the frames cut its steps.

local executable = require "tests.lua.support.executable"
local files = require "tests.lua.support.files"

local quote, shell = executable.quote, executable.shell
local build = os.getenv "MOONPOD_BUILD"
local script = "examples/embed_frames/policy.lua"
local is_long = os.getenv "MOONPOD_LONG"
local epochs = is_long and 2000 or 4

local function has(command)
  return select(2, shell(command .. " >/dev/null")) == 0
end

-- Only a plain build: other programs cannot use a library that has a sanitizer.
local function is_plain()
  return build and shell("cat " .. quote(build .. "/CMakeCache.txt")):find "\nMOONPOD_SANITIZE:[^\n]*=\n"
end

-- Runs a command, which trains; returns the hash of its weights, its slices and what it said.
local function train(command, slice)
  local text, code = shell(("EPOCHS=%d SLICE=%g %s"):format(epochs, slice, command))
  assert.are.equal(0, code, command .. "\n" .. text)
  local steps, hash = text:match "(%d+) steps in [%da].-\nweights (%x+)\n"
  assert.are.equal(epochs * 16, tonumber(steps), text)
  return hash, tonumber(text:match "in (%d+) slices"), text
end

-- An interpreter with the modules of this build.
local function interpreter(name, modules)
  return ("LUA_PATH=%s LUA_CPATH=%s env -u LUA_PATH_5_4 -u LUA_CPATH_5_4 %s "):format(
    quote "lua/?.lua;lua/?/init.lua", quote(build .. modules .. "/?.so"), name)
end

describe("a training within frames", function()
  it("ends with the same weights in a game, at the prompt and in files", function()
    if not is_plain() then
      return pending "needs a plain build"
    end
    local program = quote(executable.program)
    local expected, slices = train(program .. " " .. script, 1e9)
    assert.are.equal(1, slices)
    local ways = {
      { "a file", program .. " " .. script, 0.01 },
      { "the prompt", program .. " -i < " .. script, 0.05 },
      { "lua5.4", interpreter("lua5.4", "/lua") .. script, 4 },
    }
    if build:find "/build/release$" then -- where scripts of the checkout look for their modules
      ways[#ways + 1] = { "lua5.4 elsewhere", ("sh -c 'at=$PWD && unset LUA_PATH LUA_CPATH LUA_PATH_5_4 LUA_CPATH_5_4 "
        .. "&& cd / && lua5.4 \"$at\"/%s'"):format(script), 0.5 }
    end
    local notebook = files.temporary() .. ".nb.lua"
    local cells = assert(io.open(notebook, "w"))
    cells:write("-- %%\n", files.read(script))
    cells:close()
    ways[#ways + 1] = { "a notebook", ("%s notebook run %s"):format(program, notebook), 0.05 }
    for _, name in ipairs { "luajit", "lua5.1" } do
      if has("command -v " .. name) and has("ls " .. quote(build .. "/lua5.1/moonpod")) then
        ways[#ways + 1] = { name, interpreter(name, "/lua5.1") .. script, 0.5 }
      end
    end
    for _, way in ipairs(ways) do
      local hash, cut = train(way[2], way[3])
      assert.are.equal(expected, hash, way[1])
      assert.is_true(way[3] > 0.1 or cut > 1, way[1])
    end
    os.remove(notebook)
    if has "pkg-config --exists sdl2" then
      local game = os.tmpname()
      local compile = "cc -O1 -I core/include examples/embed_frames/frames.c $(pkg-config --cflags --libs sdl2) "
        .. "-L %s -lmoonpod -Wl,-rpath,%s -lm -o %s"
      local text, code = shell(compile:format(quote(build), quote(build), game))
      assert.are.equal(0, code, text)
      for _, slice in ipairs { 0.05, 4 } do
        local frames = is_long and slice == 4 and 3600 or 30
        local hash, _, said = train(("SDL_VIDEODRIVER=dummy %s %d %d %g"):format(game, frames, epochs, slice), slice)
        assert.are.equal(expected, hash, said)
        print(said)
      end
      os.remove(game)
    end
  end)
end)
