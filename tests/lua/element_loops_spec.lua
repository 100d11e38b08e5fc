-- Arithmetic on elements runs in compiled programs: Lua takes no more steps for many elements than for few.

local pod = require "moonpod"
local lua_steps = require "tests.lua.support.lua_steps"

local FEW, MANY = 16, 2048

-- Whether fn(data) takes more steps where the data has more rows. Both are called once before: that loads and traces.
local function loops(fn, data)
  local few, many = data(FEW), data(MANY)
  local function compute(given)
    local result = fn(given)
    if pod.is_tensor(result) then
      result:data()
    end
  end
  compute(few)
  compute(many)
  local steps = lua_steps(compute, few)
  return steps and lua_steps(compute, many) > 1.2 * steps + 2000
end

local function check(name, fn, data)
  assert(not loops(fn, data), name .. " goes through elements in Lua")
end

local function uniform(rows)
  local x = pod.random.uniform({ rows, 8 }, { seed = 1 })
  x:data()
  return x
end

local function whole(rows)
  return pod.cast(uniform(rows) * 7, "int32")
end

local function picture(rows)
  local x = pod.reshape(uniform(rows), { rows, 8, 1 })
  x:data()
  return x
end

describe("elements", function()
  it("are not gone through by initializers", function()
    local count = 0
    for name, make in pairs(pod.initializers) do
      local ok, initializer = pcall(make)
      if ok and pod.initializers.is_initializer(initializer) then
        count = count + 1
        check("initializers." .. name, initializer, function(rows)
          return { rows, 8 }
        end)
      end
    end
    assert.is_true(count > 10)
  end)

  it("are not gone through by metrics", function()
    local count = 0
    for name, make in pairs(pod.metrics) do
      local ok, metric = pcall(make)
      if ok and type(metric) == "table" and metric.update_state then
        count = count + 1
        check("metrics." .. name, function(given)
          metric:reset_state()
          metric:update_state(given.y, given.guess)
          return metric:result()
        end, function(rows)
          local guess = uniform(rows)
          return { y = name:find "^sparse" and pod.argmax(guess, -1) or guess, guess = guess }
        end)
      end
    end
    assert.is_true(count > 20)
  end)

  it("are not gone through by what prepares data", function()
    local layers = pod.layers
    local lookup = layers.integer_lookup { vocabulary = { 1, 2, 3 } }
    check("integer_lookup", lookup, whole)
    check("category_encoding", layers.category_encoding { num_tokens = 8 }, whole)
    check("hashing", layers.hashing(5), whole)
    check("rescaling", layers.rescaling(2), uniform)
    check("discretization", layers.discretization { bin_boundaries = { 0.2, 0.5 } }, uniform)
    check("resizing", layers.resizing(4, 4), picture)
    check("boolean_mask", function(x)
      return pod.boolean_mask(x, pod.greater(x, 0.5))
    end, uniform)
    check("to_categorical", pod.utils.to_categorical, whole)
    check("normalization:adapt", function(x)
      layers.normalization():adapt(x)
    end, uniform)
    check("discretization:adapt", function(x)
      layers.discretization({ num_bins = 4, epsilon = 0.1 }):adapt(x)
    end, uniform)
  end)

  it("are found where Lua goes through them", function()
    local found = loops(function(x)
      local sum = 0
      for _, row in ipairs(x:totable()) do
        sum = sum + row[1]
      end
    end, uniform)
    assert.is_true(found == nil or found)
  end)
end)
