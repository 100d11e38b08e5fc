-- The floors of lua/moonpod: each module stands on what it requires alone, and the rule that ./dev lint keeps sees
-- what breaks it.

package.path = "tests/style/?.lua;" .. package.path

local lua_floors = require "lua_floors"

local function module_files()
  local files = {}
  local pipe = assert(io.popen "find lua/moonpod -name '*.lua' | sort")
  for path in pipe:lines() do
    files[#files + 1] = path
  end
  pipe:close()
  return files
end

describe("a module of moonpod", function()
  it("can be the first that is required", function()
    local files = module_files()
    assert.is_true(#files > 150)
    for _, path in ipairs(files) do
      local before = {}
      for name, module in pairs(package.loaded) do
        if name:find "^moonpod%f[^%w]" and name ~= "moonpod.core" then
          before[name], package.loaded[name] = module, nil
        end
      end
      local name = path:match "^lua/(.*)%.lua$":gsub("/", "."):gsub("%.init$", "")
      local ok, failure = pcall(require, name)
      for loaded in pairs(package.loaded) do
        if loaded:find "^moonpod%f[^%w]" and loaded ~= "moonpod.core" then
          package.loaded[loaded] = nil
        end
      end
      for loaded, module in pairs(before) do
        package.loaded[loaded] = module
      end
      assert.is_true(ok, path .. ": " .. tostring(failure))
    end
  end)
end)

describe("what pod lists", function()
  it("leads somewhere", function()
    local pod = require "moonpod"
    local names = getmetatable(pod).names()
    assert.is_true(#names > 200)
    for _, name in ipairs(names) do
      assert.is_not_nil(pod[name], name)
    end
  end)
end)

describe("the rule of the floors", function()
  -- What it says of modules: path -> text.
  local function findings(texts)
    local found = {}
    lua_floors.check(texts, function(path, line, text)
      found[#found + 1] = ("%s:%d: %s"):format(path, line, text)
    end)
    table.sort(found)
    return found
  end

  it("lets modules require what is below, and each other on one floor", function()
    assert.same({}, findings {
      ["lua/moonpod/base/errors.lua"] = '-- require "moonpod.ops" in a comment\nlocal required = "require it"',
      ["lua/moonpod/ops/init.lua"] = 'local errors = require "moonpod.base.errors"',
      ["lua/moonpod/ops/nn.lua"] = 'local ops = require "moonpod.ops"\nlocal core = require "moonpod.core"',
      ["lua/moonpod/init.lua"] = 'return require("moonpod." .. name)',
    })
  end)

  it("sees a require upwards, in a function, too", function()
    assert.same({ "lua/moonpod/base/errors.lua:3: moonpod.ops is on ops, a higher floor than base" }, findings {
      ["lua/moonpod/base/errors.lua"] = 'local errors = {}\nfunction errors.f()\n  require("moonpod.ops").f()\nend',
      ["lua/moonpod/ops/init.lua"] = "",
    })
  end)

  it("sees one of the facade", function()
    assert.same({ "lua/moonpod/advisor/command.lua:1: moonpod is on facade, a higher floor than advisor" }, findings {
      ["lua/moonpod/advisor/command.lua"] = 'local pod = require "moonpod"',
      ["lua/moonpod/init.lua"] = "",
    })
  end)

  it("sees circles, by computed names, too", function()
    assert.same({ "lua/moonpod/ops/init.lua:1: requires go in a circle: moonpod.ops, moonpod.ops.nn" }, findings {
      ["lua/moonpod/ops/init.lua"] = 'return require("moonpod.ops." .. name)',
      ["lua/moonpod/ops/nn.lua"] = 'local function ops()\n  return require "moonpod.ops"\nend',
    })
  end)

  it("sees what it cannot read, what is not there, and folders that are no floor", function()
    assert.same({
      'lua/moonpod/base/a.lua:1: a require whose name cannot be read from the text',
      'lua/moonpod/base/b.lua:2: there is no module "moonpod.base.c"',
      "lua/moonpod/cellar/d.lua:1: lua/moonpod/cellar is no floor",
    }, findings {
      ["lua/moonpod/base/a.lua"] = 'local module = "a", require(name)',
      ["lua/moonpod/base/b.lua"] = '\nlocal c = require "moonpod.base.c"',
      ["lua/moonpod/cellar/d.lua"] = "",
    })
  end)
end)
