-- What is decided while a function is traced, once, though its tensors have no values then: an inventory. Each row is
-- raised, or named with its line by a warning (moonpod.base.lint), or allowed, as the answer is the same in every run.

local pod = require "moonpod"
local lua_version = require "tests.lua.support.lua_version"

local load_text = loadstring or load -- luacheck: ignore

-- What an order of a tensor and a number says: some versions of Lua ask no metatable.
local COMPARED = lua_version.compares_kinds and "pod.less" or "attempt to compare"

-- { what, body of function(t, u, list): t of shape (3), u of shape (), a table; outcome, words }
local ROWS = {
  -- the truth of a tensor
  { "if", "if u:less(1) then return t end return t", "named", "'if' with 'u:less" },
  { "elseif", "local a if a then elseif pod.any(t) then end return t", "named", "'elseif'" },
  { "while", "while pod.any(t) do break end return t", "named", "'while'" },
  { "until", "repeat until pod.any(t) return t", "named", "'until'" },
  { "not", "local a = not pod.any(t) return t", "named", "'not'" },
  { "and", "local a = pod.any(t) and 1 return t", "named", "'and'" },
  { "or", "local a = pod.any(t) or 1 return t", "named", "'or'" },
  { "the truth of a local", "local big = pod.greater(u, 1)\nif big then end return t", "named", "'if' with 'big'" },
  { "assert", "assert(t:any()) return t", "named", "pod.check" },
  { "presence of an argument", "if t then return t end", "allowed" },
  { "a default for an argument", "list = list or {} return t", "allowed" },
  -- equality with what is no tensor
  { "t == number", "if t == 2 then end return t", "named", "'t == 2'" },
  { "t == number with an exponent", "if t == 1e-3 then end return t", "named", "'t == 1e-3'" },
  { "a reduction == number", "if t:sum() == 2 then end return t", "named", "== 2" },
  { "number == t", "if 2 == t then end return t", "named", "'2 == t'" },
  { "t ~= number", "local a = u ~= 0 return t", "named", "'u ~= 0'" },
  { "t == text", "if t == 'a' then end return t", "named", "'t == \"...\"'" },
  { "t == true", "if u == true then end return t", "named", "'u == true'" },
  { "an expression == number", "if (t - 1):sum() == 0 then end return t", "named", "== 0" },
  { "t == nil", "if t == nil then return nil end return t", "allowed" },
  -- comparisons that ask the tensor
  { "t == t of another place", "return t == pod.exp(t)", "raises", "pod.equal" },
  lua_version.compares_kinds and { "t == variable", "return t == v", "raises", "pod.equal" },
  { "t ~= t of another place", "return t ~= pod.exp(t)", "raises", "pod.equal" },
  { "t < number", "return t < 2", "raises", COMPARED },
  { "number < t", "return 2 < t", "raises", COMPARED },
  { "t <= t", "return t <= u", "raises", "pod.less_equal" },
  { "t > variable", "return u > w", "raises", "pod." },
  { "table.sort of tensors", "table.sort { u, u + 1 } return t", "raises", "pod.less" },
  { "the same object", "return t == t and t or nil", "allowed" },
  { "rawequal", "return rawequal(t, u) and u or t", "allowed" },
  -- values that are not known
  { "item", "return t * u:item()", "raises", "not known while tracing" },
  { "totable", "return t:totable()", "raises", "not known while tracing" },
  { "data", "return t:data()", "raises", "not known while tracing" },
  { "math", "local a = math.floor(u) return a", "raises", "number expected" },
  { "math.max", "local a = math.max(u, 1) return a", "raises",
    lua_version.compares_kinds and "pod.less" or "number expected" },
  { "the bound of a for", "for i = 1, u do end return t", "raises", "'for' limit" },
  { "the start of a for", "for i = u, 2 do end return t", "raises", "'for' initial" },
  { "string.format with %d", "local a = ('%d'):format(u) return a", "raises", "number expected" },
  { "string.rep", "local a = ('a'):rep(u) return a", "raises", "number expected" },
  { "table.concat", "local a = table.concat { u } return a", "raises", "invalid value" },
  { "a text in arithmetic", "return t + '1'", "raises", "must be a tensor or a number" },
  lua_version.has_table_length and { "pairs", "for k in pairs(t) do end return t", "raises", "ipairs" },
  { "tonumber", "local a = tonumber(u) return t", "named", "tonumber" },
  -- what comes from outside of Lua
  { "math.random", "return t * math.random()", "named", "pod.random" },
  { "os.time", "return t * os.time()", "named", "os.time" },
  { "os.clock", "return t * os.clock()", "named", "os.clock" },
  { "os.date", "local a = os.date('*t') return t", "named", "os.date" },
  { "os.getenv", "local a = os.getenv('HOME') return t", "named", "os.getenv" },
  { "io.read", "local a = io.read and io.type and 1 return t", "allowed" },
  { "io.lines", "for _ in io.lines('/dev/null') do end return t", "named", "io.lines" },
  -- what is the same in every run, or says so
  lua_version.has_table_length and { "#t", "return #t == 3 and t or nil", "allowed" },
  { "shapes", "if t.shape[1] > 2 and t.rank == 1 and t.dtype == 'float32' then return t end", "allowed" },
  { "ipairs", "local s = 0 for _, row in ipairs(t) do s = s + row end return t", "allowed" },
  { "type", "return type(t) == 'table' and t or nil", "allowed" },
  { "tostring", "return tostring(t):find 'traced tensor' and t or nil", "allowed" },
  { "string.format with %s", "return ('%s'):format(tostring(t)):find 'traced' and t or nil", "allowed" },
  { "..", "return ('a' .. t):find 'traced tensor' and t or nil", "allowed" },
  { "a key of a table", "local seen = { [t] = 1 } return seen[t] == 1 and seen[u] == nil and t or nil", "allowed" },
  { "numbers of the outside", "return t * factor", "allowed" },
}

for i = #ROWS, 1, -1 do
  if not ROWS[i] then
    table.remove(ROWS, i) -- what this Lua asks nobody
  end
end

local warnings

-- The function of a row, with what it may name.
local function function_of(row)
  local text = ("local pod, v, w, factor = ...\nreturn function(t, u, list)\n%s\nend"):format(row[2])
  return assert(load_text(text, "@" .. row[1]))(pod, pod.variable { 1, 2, 3 }, pod.variable(1), 2)
end

-- lint reads sources from files: here from the rows.
local lint = require "moonpod.base.lint"
local source_of = lint.source_of

describe("what Lua decides while tracing", function()
  local scope = require "moonpod.base.warnings"
  local warn = scope.warn
  local texts = {}
  setup(function()
    scope.warn = function(format, ...)
      warnings[#warnings + 1] = format:format(...)
    end
    for _, row in ipairs(ROWS) do
      texts["@" .. row[1]] = "function(t, u, list)\n" .. row[2]
    end
    lint.source_of = function(fn)
      local source = debug.getinfo(fn, "S").source
      if texts[source] then
        return texts[source], 2, source:sub(2)
      end
      return source_of(fn)
    end
  end)
  teardown(function()
    scope.warn, lint.source_of = warn, source_of
  end)

  local function check(row, run)
    warnings = {}
    local ok, result = pcall(run, function_of(row))
    local outcome, words = row[3], row[4]
    if outcome == "raises" then
      assert(not ok, "nothing was raised")
      assert(tostring(result):find(words, 1, true), tostring(result))
      assert(tostring(result):find(row[1] .. ":3:", 1, true), "no line in: " .. tostring(result))
      return
    end
    assert(ok, tostring(result))
    if outcome == "named" then
      assert.equal(1, #warnings)
      assert(warnings[1]:find(words, 1, true), warnings[1])
      assert(warnings[1]:find("^" .. row[1]:gsub("%p", "%%%0") .. ":[34]: "), warnings[1])
    else
      assert.same({}, warnings)
      assert(result, "the function decided otherwise")
    end
  end

  local function t_and_u()
    return pod.tensor { 1, 2, 3 }, pod.tensor(2)
  end

  for _, row in ipairs(ROWS) do
    it(row[1] .. " is " .. row[3] .. " in pod.func", function()
      check(row, function(fn)
        return pod.func(fn)(t_and_u())
      end)
    end)
  end

  -- one of each outcome, and what brought the inventory about, where else users' functions are traced
  local SOME = { ["if"] = true, ["a reduction == number"] = true, ["t < number"] = true, item = true,
    ["t == t of another place"] = true, ["math.random"] = true, ["#t"] = true }
  local strategy = pod.distribute.mirrored(3)
  local layers, models = pod.layers, pod.models

  local function model_with(fields)
    fields.setup = function(self) self.dense = layers.dense(1) end
    local model = models.subclass(fields)()
    model:compile { optimizer = "sgd", loss = "mse" }
    return model
  end

  local WHERE = {
    ["strategy:run"] = function(fn)
      return strategy:run(fn, { t_and_u() })
    end,
    ["a dataset's map"] = function(fn)
      local t, u = t_and_u()
      return pod.data.from_tensors { t, u }:map(fn):totable()
    end,
    ["a layer's call"] = function(fn)
      local t, u = t_and_u()
      local layer = layers.subclass { call = function(_, x) return fn(x, u) end }()
      return pod.func(function(x) return layer(x) end)(t)
    end,
    ["a model's train_step"] = function(fn)
      return model_with { call = function(self, x) return self.dense(x) end, train_step = function(_, data)
        return { loss = fn(data[1]:reshape { 3 }, data[2]:reshape {}):sum() }
      end }:train_on_batch(pod.ones { 1, 3 }, pod.ones { 1, 1 })
    end,
  }
  for where, run in pairs(WHERE) do
    for _, row in ipairs(ROWS) do
      -- of layers and models their own functions are looked at, not what these call; maps refuse math.random
      local other = (where:find "layer" or where:find "train_step") and row[3] == "named"
        or where:find "layer" and row[1] == "item" or where:find "map" and row[1] == "math.random"
      if SOME[row[1]] and not other then
        it(row[1] .. " is " .. row[3] .. " in " .. where, function()
          check(row, run)
        end)
      end
    end
  end

  it("is named in a layer's call and a model's steps", function()
    warnings = {}
    local model = model_with {
      call = function(self, x)
        if x:sum() == 5 then
          return x
        end
        return self.dense(x)
      end,
      train_step = function(_, data)
        if (data[1] * 2):sum() == 6 then
          return nil
        end
        return { loss = data[1]:sum() }
      end,
    }
    model:train_on_batch(pod.ones { 2, 3 }, pod.ones { 2, 1 })
    model:train_on_batch(pod.ones { 4, 3 }, pod.ones { 4, 1 })
    model:predict_on_batch(pod.ones { 2, 3 })
    assert.equal(2, #warnings)
    assert.matches("traced_decisions_spec.lua:%d+: '...:sum%(%) == 6' is decided once, while train_step", warnings[1])
    assert.matches("traced_decisions_spec.lua:%d+: 'x:sum%(...%) == 5' is decided once, while layer", warnings[2])
  end)

  it("is looked for in the function alone, not in what else stands on its lines", function()
    warnings = {}
    local data = pod.data.range(8):map(function(x) return x * 2 end):take(math.random(3))
    local _ = data:map(function(x) return x + 1 end, { deterministic = math.random(2) > 0 }):take(2)
    pod.func(function(x) return x * 2 end)(pod.tensor(math.random(2)))
    assert.same({}, warnings)
    pod.func(function(x) return x * os.time() end)(pod.tensor(math.random(2)))
    assert.equal(1, #warnings)
  end)
end)
