-- What LuaJIT compiles of ours: nothing where its compiler is known to be at fault.

local pod = require "moonpod"

local jit = rawget(_G, "jit")
if not jit then
  return
end

local util = require "jit.util"

local function ours(fn)
  return util.funcinfo(fn).source:find("/moonpod/", 1, true) ~= nil
end

-- Traces that begin in our functions, and functions of ours that others would have drawn in, while a model is trained
-- and its profile is read.
local function compiled()
  local found = 0
  local function seen(what, _, fn)
    found = found + (what == "start" and ours(fn) and 1 or 0)
  end
  jit.attach(seen, "trace")
  local x, y = pod.random.uniform { 96, 4 }, pod.random.uniform { 96, 1 }
  local model = pod.models.sequential { pod.layers.input { 4 }, pod.layers.dense(1) }
  model:compile { optimizer = "sgd", loss = "mse" }
  for _ = 1, 20 do
    model:fit(x, y, { batch_size = 8, verbose = 0, profile_batch = { 2, 10 } })
  end
  jit.attach(seen)
  return found
end

describe("LuaJIT", function()
  it("compiles our functions only where they come out right", function()
    local stamp = tonumber(jit.version:match "^LuaJIT 2%.1%.(%d+)$")
    if stamp and stamp >= 1737090214 then
      assert.is_true(compiled() > 0)
    else
      assert.equal(0, compiled())
    end
  end)

  it("says which file of ours is broken", function()
    local name, path = os.tmpname(), package.path
    local file = assert(io.open(name, "w"))
    file:write "local = 1"
    file:close()
    package.path = name
    local works, message = pcall(require, "moonpod.not_there")
    package.path = path
    os.remove(name)
    assert.is_false(works)
    assert.is_truthy(message:find(name .. ":1:", 1, true), message)
  end)
end)
