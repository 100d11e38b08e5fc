-- Completion: names of what there is, found without running anything of the user's.

local pod = require "moonpod"
local complete = require "moonpod.session.complete"
local executable = dofile "tests/lua/support/executable.lua"

-- The candidates for a text whose end the cursor is at.
local function texts(text, where)
  where = where or {}
  where.late = { pod = function() return pod end }
  local start, found = complete.candidates(text, where)
  local list = {}
  for i, candidate in ipairs(found) do
    list[i] = text:sub(1, start - 1) .. candidate.text
  end
  return list
end

local function offers(text, expected, where)
  local list = texts(text, where)
  for _, one in ipairs(list) do
    if one == expected then
      return true
    end
  end
  return false
end

local function set(name, value)
  rawset(_G, name, value)
end

-- What would fail the test if it were called.
local function forbidden()
  error "completion has called the user's code"
end

describe("completion", function()
  after_each(function()
    set("thing", nil)
  end)

  it("reads no file of the folder where the module in C is nowhere", function()
    local files, asked = require "moonpod.base.texts", {}
    package.loaded["moonpod.session.complete"] = nil
    local fresh, read, cpath = require "moonpod.session.complete", files.read, package.cpath
    package.loaded["moonpod.session.complete"], package.cpath = complete, ""
    files.read = function(path)
      asked[#asked + 1] = path
      return read(path)
    end
    local ok, _, found = pcall(fresh.candidates, "pod.matm", { late = { pod = function() return pod end } })
    files.read, package.cpath = read, cpath
    assert.is_true(ok)
    assert.equal("matmul", found[1].text)
    for _, path in ipairs(asked) do
      assert.truthy(path:find "/", path)
    end
  end)

  it("offers globals, keywords, and names of the entry", function()
    assert.same({ "x = tostring" }, texts "x = tost")
    assert.same({ "while" }, texts "whil")
    assert.is_true(offers("local something = 1; print(someth", "local something = 1; print(something"))
    assert.is_true(offers("p", "pod"))
  end)

  it("offers fields through tables, keys in brackets and metatables", function()
    set("thing", setmetatable({ alpha = { beta = 1 }, { gamma = 2 }, ["not a name"] = 3, _hidden = 4 },
      { __index = setmetatable({ inherited = 1 }, { __index = { far = forbidden } }) }))
    assert.same({ "thing.alpha" }, texts "thing.al")
    assert.same({ "f(thing.alpha.beta" }, texts "f(thing.alpha.")
    assert.same({ "thing[1].gamma" }, texts "thing[1].")
    assert.same({ "thing['alpha'].beta" }, texts "thing['alpha'].")
    assert.same({ 'thing["alpha"].beta' }, texts 'thing["alpha"].')
    assert.same({ "thing.alpha", "thing.far", "thing.inherited" }, texts "thing.")
    assert.same({ "thing:far" }, texts "thing:")
    assert.same({ "thing._hidden" }, texts "thing._")
    assert.same({}, texts "thing.alpha.beta.")
    assert.same({}, texts "nothing.at.all")
    assert.same({}, texts "1 ..")
    assert.same({}, texts "f().")
    assert.is_true(offers("('x'):up", "('x'):upper"))
  end)

  it("offers what modules of ours have before it is loaded", function()
    assert.is_true(offers("pod.lay", "pod.layers"))
    assert.same({ "pod.layers.dense" }, texts "pod.layers.den")
    assert.is_true(offers("m = pod.callbacks.early", "m = pod.callbacks.early_stopping"))
    assert.is_true(offers("pod.optimizers.ad", "pod.optimizers.adam"))
    assert.is_true(offers("pod.datasets.fash", "pod.datasets.fashion_mnist"))
    assert.is_true(offers("pod.models.seq", "pod.models.sequential"))
    assert.is_true(offers("pod.data.from_", "pod.data.from_tensor_slices"))
  end)

  it("offers methods of tensors, variables, datasets, layers, models and optimizers", function()
    local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
    for _, case in ipairs {
      { pod.ones { 2 }, "tota", "totable" }, { pod.ones { 2 }, "matm", "matmul" },
      { pod.variable(pod.ones { 2 }), "assi", "assign" }, { pod.data.range(3), "shuf", "shuffle" },
      { pod.layers.dense(2), "get_conf", "get_config" }, { model, "evalu", "evaluate" },
      { pod.optimizers.sgd(), "apply_grad", "apply_gradients" },
    } do
      set("thing", case[1])
      assert.is_true(offers("thing:" .. case[2], "thing:" .. case[3]), case[3])
    end
    set("thing", model)
    assert.is_true(offers("thing.na", "thing.name"))
  end)

  it("never calls the user's code and never raises", function()
    local meta = { __index = forbidden, __pairs = forbidden, __len = forbidden, __tostring = forbidden,
      __eq = forbidden, __call = forbidden, __metatable = "closed", names = forbidden }
    set("thing", setmetatable({ field = 1 }, meta))
    assert.same({ "thing.field" }, texts "thing.")
    assert.same({}, texts "thing.other.")
    local circle = {}
    setmetatable(circle, { __index = circle })
    circle.self = circle
    set("thing", circle)
    assert.same({ "thing.self.self" }, texts "thing.self.")
    for _, text in ipairs { "", ".", ":", "..", "::", "a.", "a..b.", "[", "].", "x[.", "%", "!", "?", "'", "\0", "a.\0",
      "x['a].", "goto ::", "f(", "\255\254.", ("a."):rep(1000), ("x[1]"):rep(500) .. "." } do
      assert.equal("table", type(select(2, complete.candidates(text, {}))), text)
    end
  end)

  it("offers modules where one is required, and files in other strings", function()
    local function list(folder)
      return ({ ["."] = { "file.csv", "folder/", ".hidden", "it's" }, ["folder/"] = { "inner.lua" },
        ["./"] = { "mine.lua", "tree/" } })[folder] or {}
    end
    local where = function(text)
      return { string = text:find "[^\"']*$", list = list }
    end
    assert.is_true(offers('require "moonpod.session.comp', 'require "moonpod.session.complete',
      where 'require "moonpod.session.comp'))
    assert.is_true(offers("require('stri", "require('string", where "require('stri"))
    assert.same({ 'open("file.csv', 'open("folder/' }, texts('open("f', where 'open("f'))
    assert.same({ 'open("folder/inner.lua' }, texts('open("folder/', where 'open("folder/'))
    assert.same({ 'open(".hidden' }, texts('open(".', where 'open(".'))
    local path = package.path
    package.path = "./?.lua;./?/init.lua"
    local found = { offers('require "mi', 'require "mine', where 'require "mi'),
      offers('require "tr', 'require "tree', where 'require "tr') }
    package.path = path
    assert.same({ true, true }, found)
  end)

  -- What is offered within a text whose quote is open.
  local function in_text(text, list)
    local q = text:match "^.*()[\"']"
    return texts(text, { string = q + 1, list = function() return list or { "file" } end })
  end

  it("offers the options of what is called, but those that are given", function()
    local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
    set("thing", model)
    assert.same({ "thing:compile { optimizer = " }, texts "thing:compile { opt")
    assert.same({ "thing:compile({ loss = 'mse', optimizer = " }, texts "thing:compile({ loss = 'mse', opt")
    local given = "thing:compile { optimizer = 'sgd', opti"
    assert.is_false(offers(given, given .. "mizer = "))
    assert.is_true(offers("thing:fit(x, y, { ep", "thing:fit(x, y, { epochs = "))
    assert.is_true(offers("pod.layers.dense(3, {\n  act", "pod.layers.dense(3, {\n  activation = "))
    assert.is_true(offers("pod.callbacks.early_stopping { ", "pod.callbacks.early_stopping { monitor = "))
    assert.is_true(offers("pod.models.sequential { pod.layers.dens", "pod.models.sequential { pod.layers.dense"))
    assert.same({ "x = { tostring" }, texts "x = { tost") -- a table that nobody is called with
    assert.same({ "thing:compile { tostring" }, texts "thing:compile { tost")
    assert.same({ "f { tostring" }, texts "f { tost")
    local _, found = complete.candidates("pod.layers.dense { uni", { late = { pod = function() return pod end } })
    assert.equal("units = ", found[1].text)
  end)

  it("offers once what has several names, and any of them where it is the only one", function()
    assert.same({ "pod.layers.conv2d", "pod.layers.conv2d_transpose" }, texts "pod.layers.conv2")
    assert.is_false(offers("pod.layers.con", "pod.layers.convolution2d"))
    assert.is_true(offers("pod.layers.convolution2", "pod.layers.convolution2d"))
    assert.is_false(offers("pod.layers.max_pool", "pod.layers.max_pool2d"))
    assert.same({ "pod.losses.mse" }, texts "pod.losses.mse")
    set("thing", { one = texts, other = texts })
    assert.same({ "thing.one", "thing.other" }, texts "thing.o")
  end)

  it("offers what an option, an argument and a key may be", function()
    local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 }, name = "first" }),
      pod.layers.dense(2, { name = "second" }) }
    set("thing", model)
    assert.same({ "pod.layers.dense(3, { activation = 'relu", "pod.layers.dense(3, { activation = 'relu6" },
      in_text "pod.layers.dense(3, { activation = 'rel")
    assert.same({ 'thing:compile { optimizer = "sgd' }, in_text 'thing:compile { optimizer = "sg')
    assert.same({ "thing:compile { metrics = { 'accuracy" }, in_text "thing:compile { metrics = { 'accur")
    assert.same({ "pod.layers.conv2d { padding = 'same", "pod.layers.conv2d { padding = 'valid" },
      (function(list) table.sort(list) return list end)(in_text "pod.layers.conv2d { padding = '"))
    assert.same({ "pod.layers.activation('selu" }, in_text "pod.layers.activation('sel")
    assert.same({ "thing:get_layer 'first", "thing:get_layer 'second" }, in_text "thing:get_layer '")
    assert.same({ 'thing:get_layer("second' }, in_text 'thing:get_layer("se')
    set("thing", setmetatable({ ["two words"] = 1, word = 2, ["line\n"] = 3 }, { __index = forbidden }))
    assert.same({ "thing['two words" }, in_text "thing['two")
    assert.same({ "thing['two words", "thing['word" }, in_text "thing['")
    assert.same({ "io.open('file" }, in_text "io.open('f")
  end)

  it("knows calls from other brackets, strings and comments", function()
    for _, text in ipairs { "-- ( {\npod.layers.dense { uni", "s = '({' pod.layers.dense { uni",
      "s = [[ ( ]] pod.layers.dense { uni", "t = { [1] = f(3, { 4 }) } pod.layers.dense { uni",
      "pod.layers.dense { name = 'a { b', uni", "pod.layers.dense { -- {\n uni", 'x = "\\"(" pod.layers.dense { uni',
      "print(pod.layers.dense { uni" } do
      assert.same({ text .. "ts = " }, texts(text), text)
    end
    for _, text in ipairs { "return { uni", "x = y and { uni", "pod.layers.dense ({{ uni",
      "pod.layers.dense [[ { uni" } do
      assert.same({}, texts(text), text)
    end
  end)

  it("offers nothing in a comment, and commands after a percent sign", function()
    assert.same({}, texts("-- pri", { comment = true }))
    assert.same({ "%time", "%timeit" }, texts "%tim")
    assert.equal("string", type(select(2, complete.candidates("%who", {}))[1].help))
    assert.same({ "%run file.lua" }, texts("%run fi", { list = function() return { "file.lua" } end }))
  end)

  it("says what each name of pod is without loading what they need", function()
    local program = executable.program
    if not program then
      return
    end
    local script = os.tmpname()
    local file = assert(io.open(script, "w"))
    file:write [[
local complete = require "moonpod.session.complete"
local executable = dofile "tests/lua/support/executable.lua"
local late = { pod = function() return require "moonpod" end }
local _, found = complete.candidates("pod.", { late = late })
local told, loaded = 0, 0
for _, one in ipairs(found) do
  told = told + (one.help and #one.help > 5 and 1 or 0)
end
for name in pairs(package.loaded) do
  loaded = loaded + (name:find "^moonpod%." and 1 or 0)
end
print(#found > 150, told == #found or told .. " of " .. #found, loaded < 80 or loaded)
]]
    file:close()
    assert.equal("true\ttrue\ttrue\n", (executable.run(script)))
    os.remove(script)
  end)
end)
