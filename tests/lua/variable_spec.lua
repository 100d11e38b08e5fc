local pod = require "moonpod"
local lua_version = require "tests.lua.support.lua_version"
local variable = require "moonpod.func.variable"

describe("a variable", function()
  it("takes values, tables, tensors and functions", function()
    assert.equal("float32", pod.variable(1).dtype)
    assert.equal("(2,)", tostring(pod.variable({ 1, 2 }).shape))
    assert.equal("int32", pod.variable(pod.arange(3)).dtype)
    assert.same({ 1, 1 }, pod.variable(pod.initializers.ones(), { shape = { 2 } }):value():totable())
    assert.same({ 7, 7 }, pod.variable(7, { shape = { 2 }, dtype = "int32" }):value():totable())
    assert.equal("bfloat16", variable.new({ initial = 1, dtype = "bfloat16" }).dtype)
  end)

  it("is a tensor in expressions", function()
    local v = pod.variable { 1, 2 }
    assert.same({ 3, 4 }, (v + 2):totable())
    assert.same({ 1, 0.5 }, (1 / v):totable())
    assert.equal(3, v:sum():item())
    assert.equal(2, v[2]:item())
    assert.same({ 1, 2 }, v:totable())
    if lua_version.has_table_length then
      assert.equal(2, #v)
    end
    assert.equal(1, v.rank)
    assert.is_true(pod.variable(1) < pod.variable(2))
  end)

  it("is assigned, converted to its type and broadcast from scalars", function()
    local v = pod.variable({ 1, 2 }, { dtype = "float32" })
    v:assign { 3, 4 }
    assert.same({ 3, 4 }, v:totable())
    v:assign_add { 1, 1 }
    v:assign_sub(pod.tensor({ 2, 2 }, { dtype = "int32" }))
    assert.same({ 2, 3 }, v:totable())
    v:assign(9)
    assert.same({ 9, 9 }, v:totable())
    assert.equal("float32", v:value().dtype)
    assert.error_matches(function() v:assign { 1, 2, 3 } end,
      "variable_spec.lua:%d+%) has shape %(2,%) and cannot.*%(3,%)")
  end)

  it("returns to its initial value", function()
    local v = pod.variable(5)
    v:assign(7)
    v:reset()
    assert.equal(5, v:value():item())
  end)

  it("prints name, type, shape and value", function()
    assert.equal("<variable 'w' float32 (2,)>\n[1. 2.]\nfloat32 (2,) on CPU:0",
      tostring(pod.variable({ 1, 2 }, { name = "w" })))
  end)

  it("refuses what it cannot be", function()
    assert.error_matches(function() local v = variable.new {} return v end, "no initial value")
    assert.error_matches(function() local v = pod.variable(1, { trainabel = true }) return v end,
      "did you mean 'trainable'")
    assert.error_matches(function() local v = pod.variable(1, { aggregation = "avg" }) return v end,
      "no aggregation 'avg'")
  end)

  it("is made once, also when a trace is open", function()
    local v
    local f = pod.func(function(x)
      v = v or pod.variable(pod.initializers.ones(), { shape = { 2 } })
      return v * x
    end)
    assert.same({ 3, 3 }, f(pod.tensor(3)):totable())
    assert.same({ 1, 1 }, v:totable())
  end)
end)

describe("variables of replicas", function()
  local strategy = pod.distribute.mirrored(3)

  it("are mirrored: one value, seen by each", function()
    local v = strategy:scope(function() return pod.variable { 1, 2 } end)
    local copies = v:per_replica()
    assert.equal(3, #copies)
    assert.same({ 1, 2 }, copies[3].value:totable())
    assert.equal("/job:localhost/replica:0/task:0/device:TPU:2", copies[3].device)
    assert.equal(1, #pod.variable(1):per_replica())
  end)

  it("with on_read synchronization have a value a replica", function()
    local function make(aggregation)
      return strategy:scope(function()
        return pod.variable(10, { synchronization = "on_read", aggregation = aggregation })
      end)
    end
    local sum, mean, first = make "sum", make "mean", make "only_first_replica"
    assert.equal(10, sum:value():item())
    assert.equal(10, mean:value():item())
    strategy:run(function(x)
      sum:assign_add(x:sum())
      mean:assign(x:sum())
      first:assign(x:sum())
    end, { strategy:split(pod.tensor { 1, 2, 4 }) })
    assert.equal(17, sum:value():item())
    assert.is_true(math.abs(mean:value():item() - 7 / 3) < 1e-6)
    assert.equal(1, first:value():item())
    assert.same({ 1, 2, 4 }, { mean:per_replica()[1].value:item(), mean:per_replica()[2].value:item(),
      mean:per_replica()[3].value:item() })
    sum:assign(5)
    assert.equal(5, sum:value():item())
  end)

  it("aggregate what the replicas assign", function()
    local function run(aggregation, body)
      local v = strategy:scope(function() return pod.variable(100, { aggregation = aggregation }) end)
      strategy:run(function(x) body(v, x:sum()) end, { strategy:split(pod.tensor { 1, 2, 6 }) })
      return v:value():item()
    end
    assert.equal(9, run("sum", function(v, x) v:assign(x) end))
    assert.equal(3, run("mean", function(v, x) v:assign(x) end))
    assert.equal(1, run("only_first_replica", function(v, x) v:assign(x) end))
    assert.equal(109, run("sum", function(v, x) v:assign_add(x) end))
    assert.equal(7, run("none", function(v) v:assign(7) end))
    local ok, message = pcall(run, "none", function(v, x) v:assign(x) end)
    assert.is_false(ok)
    assert.matches("variable_spec.lua:%d+.*all_reduce", message)
  end)
end)

describe("variables that a program updates", function()
  local BYTES = 32 * 2 ^ 20

  after_each(function()
    pod.device.configure { memory_limit = 0 }
  end)

  -- One step on a variable, where there is room for half another.
  local function step(v)
    local add = pod.func(function() v:assign_add(1) end)
    v:value():sum():item()
    collectgarbage()
    pod.device.configure { memory_limit = pod.device.memory().current_bytes + BYTES / 2 }
    add()
  end

  it("are not copied where nobody else has their value", function()
    local v = pod.variable(pod.initializers.ones(), { shape = { BYTES / 4 } })
    step(v)
    pod.device.configure { memory_limit = 0 }
    assert.equal(2, v:value():mean():item())
  end)

  it("are copied where somebody has it", function()
    local held = pod.ones { BYTES / 4 } * 3
    local v = pod.variable(held)
    local ok, message = pcall(step, v)
    assert.is_false(ok)
    assert.matches("no memory", tostring(message))
    pod.device.configure { memory_limit = 0 }
    pod.func(function() v:assign_add(1) end)()
    assert.equal(4, v:value():mean():item())
    assert.equal(3, held:mean():item())
    local shared = { pod.variable(pod.ones { BYTES / 4 }), pod.variable(pod.ones { BYTES / 4 }) }
    pod.func(function() shared[1]:assign_add(1) end)()
    assert.equal(2, shared[1]:value():mean():item())
    assert.equal(1, shared[2]:value():mean():item())
  end)
end)

describe("a variable without a static shape", function()
  it("is refused with what to give", function()
    assert.error_matches(function() pod.variable(0, { shape = { -1, 1 } }) end,
      "give a static shape, such as { batch, 1 }")
  end)
end)
