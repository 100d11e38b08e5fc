-- What is changed for the time of a call is put back wherever the call ends.

local pod = require "moonpod"
local around = require "moonpod.base.around"
local errors = require "moonpod.base.errors"
local trace = require "moonpod.tensor.trace"
local stopping = dofile "tests/lua/support/stopping.lua"

-- Calls fn again and again; an error is raised at its first instruction, its fourth, ... until it gets through. Returns
-- the instructions.
local function stopped_everywhere(fn, check)
  fn() -- Lua 5.1 does not load a module again whose loading was stopped
  for n = 1, 100000, 3 do
    local stopped, ok, message = stopping.pcall(n, fn)
    check()
    if not stopped then
      return n - 1
    end
    assert(ok or message:find "interrupted!", message)
  end
end

describe("around", function()
  it("calls leave whether enter or the function fails, and passes on what they give", function()
    local calls = {}
    local function note(name)
      return function(ok)
        calls[#calls + 1] = name .. tostring(ok)
      end
    end
    local function same(...)
      return ...
    end
    assert.same({ 1, nil, 3, n = 3 }, table.pack(around(note "enter", note "leave", same, 1, nil, 3)))
    assert.error_matches(function()
      around(nil, note "leave", error, "it fails", 0)
    end, "^it fails$")
    assert.error_matches(function()
      around(function() error("no way in", 0) end, note "leave", note "never")
    end, "^no way in$")
    assert.same({ "enternil", "leavetrue", "leavefalse", "leavefalse" }, calls)
  end)

  it("leaves no scope, trace, tape or replaced function behind, wherever work is stopped", function()
    local open, random = io.open, math.random
    local strategy = pod.distribute.mirrored(2)
    local w = pod.variable(pod.ones { 2 })
    local failures = stopped_everywhere(function()
      strategy:scope(function()
        pod.tape(function() return (w * w):sum() end)
      end)
      pod.data.range(3):map(function(x) return x + 1 end)
      strategy:run(function() return w:value() end, {})
    end, function()
      assert(io.open == open and math.random == random)
      assert.is_nil(trace.current())
      assert.equal(0, #trace.tapes)
      assert.is_false(pod.distribute.has_strategy())
    end)
    assert.is_true(failures > 1000, tostring(failures))
  end)

  it("keeps the numbers of random operations when what is computed again fails", function()
    pod.random.set_seed(3)
    local root = trace.top()
    local before = root.random_count
    pcall(trace.with_random_place, 0, function()
      pod.random.uniform { 2 }
      error "no"
    end)
    assert.is_true(root.random_count >= before)
  end)
end)

describe("a failure that tells nothing of what was tried", function()
  it("is not taken for an answer", function()
    for _, message in ipairs { "not enough memory", "x needs 4 bytes, and there is no memory", "a.lua:3: interrupted",
      "a.lua:3: interrupted!" } do
      assert.is_true(errors.is_passing(message))
      local raised, what = pcall(errors.attempt, error, message, 0)
      assert.is_false(raised)
      assert.equal(message, what)
    end
    for _, message in ipairs { "the shape (2) does not fit", "uninterrupted", {}, 3 } do
      assert.is_false(errors.is_passing(message))
      local ok, failure = errors.attempt(error, message, 0)
      assert.is_false(ok)
      assert.equal(message, failure)
    end
    assert.same({ true, 1, 2 }, { errors.attempt(function() return 1, 2 end) })
  end)

  it("ends a search for remedies", function()
    local model = pod.models.sequential { pod.layers.dense(8, { input_shape = { 6 } }), pod.layers.dense(3) }
    model:compile { optimizer = "adam", loss = "mse" }
    local report = model:memory_report("v3", { batch = 128 })
    local model_memory = require "moonpod.advisor.model_memory"
    local on_chip = model_memory.on_chip
    model_memory.on_chip = function() errors.raise("interrupted") end
    local ok, message = pcall(report.remedies, report)
    model_memory.on_chip = on_chip
    assert.is_false(ok)
    assert.matches("interrupted$", message)
    report:close()
  end)
end)
