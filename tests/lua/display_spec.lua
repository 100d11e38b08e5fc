-- pod.display, the cards of a session, pictures, and that no value's printing raises.

local inspect = require "moonpod.base.inspect"
local pod = require "moonpod"
local read = require("tests.lua.support.files").read

local folder = os.tmpname()
os.remove(folder)

setup(function()
  os.execute("mkdir '" .. folder .. "'")
end)

teardown(function()
  os.execute("rm -rf '" .. folder .. "'")
end)

local function small_model()
  local model = pod.models.sequential { pod.layers.dense(4, { input_shape = { 3 }, name = "first" }),
    pod.layers.dense(1, { name = "last" }) }
  model:compile { optimizer = "adam", loss = "mse" }
  return model
end

describe("tables of results", function()
  it("print what is in them, are plain tables for whoever takes them, and shown so in a session", function()
    local model, x, y = small_model(), pod.ones { 4, 3 }, pod.ones { 4, 1 }
    local history = model:fit(x, y, { epochs = 2, verbose = 0 }).history
    local named = model:evaluate(x, y, { verbose = 0, return_dict = true })
    local ds = pod.data.from_tensor_slices({ x, y }):batch(2)
    local texts = { history, history.loss, named, model:train_on_batch(x, y, { return_dict = true }),
      model:get_metrics_result(), ds:element_spec(), ds:stages(), ds:lint(), ds:iterator():stats(), model.layers,
      model:get_weights(), model:get_config(), pod.device.parse "/TPU:0", pod.random.get_state() }
    for i, value in ipairs(texts) do
      assert.is_nil(tostring(value):find("table: 0x", 1, true), i)
      assert.equal(inspect.text(value), tostring(value))
    end
    assert.equal("{ spec(float32 (2, 3)), spec(float32 (2, 1)) }", tostring(ds:element_spec()))
    assert.truthy(tostring(named):find "^{ loss = [%d.e-]+ }$")
    assert.equal("(2,)", tostring(pod.tensor(history.loss).shape))
    assert.truthy(require("moonpod.base.json").encode(named):find '^{"loss":')
    local there = pod.data.range(1):map(function() return named.loss end, { interpret = true }):iterator():next():item()
    assert.is_true(math.abs(named.loss - there) < 1e-6)
  end)
end)

describe("plain tables print", function()
  it("with sorted keys, quoted strings, marked cycles, in few lines", function()
    local t = { 1, 2.5, "a\n", true, x = { y = {} }, ["a b"] = 0 / 0, [false] = 1 / 0 }
    t.self = t
    assert.equal('{ 1, 2.5, "a\\n", true, ["a b"] = nan, self = <cycle>, x = { y = {} }, [false] = inf }',
      inspect.text(t, { width = 200 }))
    assert.equal("{ { { { { { ... } } } } } }", inspect.text { { { { { { 1 } } } } } })
  end)

  it("cut where they are long", function()
    local long, wide = {}, {}
    for i = 1, 1000 do
      long[i] = i
      wide[i] = {}
      for j = 1, 1000 do
        wide[i][j] = j
      end
    end
    assert.is_truthy(inspect.text(long):find("... (900 more)", 1, true))
    assert.is_true(#inspect.text(wide) < 60000)
    assert.is_true(#inspect.text(("x"):rep(1e6)) < 11000)
  end)

  it("bytes that are no text as numbers", function()
    assert.equal('"caf\195\169 \\255\\0"', inspect.text "caf\195\169 \255\0")
  end)

  it("whatever a metatable does", function()
    local function fails()
      error(setmetatable({}, { __tostring = function() error "twice" end }))
    end
    local hostile = setmetatable({ 1, 2 }, { __tostring = fails, __len = fails, __index = fails, __pairs = fails,
      __eq = fails, __lt = fails, __name = 3 })
    local mute = setmetatable({ a = 1 }, { __len = fails, __index = fails, __pairs = fails, __ipairs = fails,
      __metatable = false })
    local named = setmetatable({ x = 1, _hidden = 2 }, { __name = "point", __index = fails, __len = fails })
    local no_text = setmetatable({}, { __tostring = function() return 3 end })
    local bad_display = setmetatable({}, { __display = fails })
    for _, value in ipairs { { hostile, [hostile] = hostile }, { mute }, { no_text }, { bad_display },
      { [print] = hostile, [hostile] = 1 } } do
      assert.is_string(inspect.text(value))
      assert.is_string(inspect.card(value))
    end
    assert.is_string(inspect.card(bad_display))
    assert.equal("point { x = 1 }", inspect.text(named))
  end)
end)

describe("no value's printing raises", function()
  local function fails()
    error "no"
  end
  local leaves = {
    function() return math.random() < 0.5 and 0 / 0 or -1 / 0 end, function() return math.random(-5, 1e6) end,
    function() return string.char(math.random(0, 255), math.random(0, 255), math.random(0, 255)) end,
    function() return math.random() < 0.5 end, function() return print end,
    function() return coroutine.create(fails) end, function() return io.stdout end,
    function() return pod.zeros { math.random(0, 3), 2 } end, function() return pod.layers.dense(2) end,
    function() return pod.spec { 2 } end,
    function() return setmetatable({}, { __tostring = fails, __len = fails, __index = fails }) end,
    function() return setmetatable({}, { __display = fails }) end,
    function() return setmetatable({}, { __display = function() return 3 end }) end,
    function() return pod.plot.line { 1, 0 / 0, 3 } end, function() return pod.optimizers.sgd() end,
  }
  local function random_value(level, above)
    if level > 4 or math.random() < 0.4 then
      return math.random() < 0.1 and above or leaves[math.random(#leaves)]()
    end
    local t = {}
    for i = 1, math.random(0, 4) do
      local key = math.random() < 0.6 and i or leaves[math.random(#leaves)]()
      if key == key then
        t[key] = random_value(level + 1, t)
      end
    end
    return t
  end

  it("of 300 random ones", function()
    math.randomseed(18)
    for _ = 1, 300 do
      local value = random_value(0, {})
      assert.is_string(inspect.text(value))
      assert.is_string(inspect.card(value))
    end
  end)
end)

describe("pod.display", function()
  it("shows tensors as numbers and pictures", function()
    local shown = pod.display(pod.tensor { { 1, 2 }, { 3, 4 } })
    assert.equal("[[1. 2.]\n [3. 4.]]\nfloat32 (2, 2) on CPU:0", shown:text())
    assert.is_truthy(shown:svg():find "heat map of 2 rows")
    assert.equal("\137PNG", shown:png():sub(1, 4))
    assert.is_truthy(pod.display(pod.zeros({ 4, 4, 3 }, "uint8")):svg():find "1 picture")
    assert.is_truthy(pod.display(pod.zeros { 5, 4, 4, 1 }):svg():find "5 pictures")
    assert.is_truthy(pod.display(pod.tensor { 1, 2, 3 }):svg():find "A chart of 3 values")
    assert.is_truthy(pod.display(pod.tensor(3)):svg():find ">3.0</text>")
    assert.is_truthy(pod.display(pod.zeros { 0 }):html():find "<pre")
    assert.is_truthy(pod.display(pod.variable { { 1, 2 } }):text():find "variable")
  end)

  it("shows models, layers, optimizers, histories, datasets", function()
    local model = small_model()
    local shown = pod.display(model)
    assert.is_truthy(shown:text():find "first %(Dense%)")
    local svg = shown:svg()
    assert.is_truthy(svg:find ">Dense</text>" and svg:find ">first</text>")
    assert.is_truthy(inspect.card(model:get_layer(1)):find "^Dense 'first', 16 parameters\n  kernel +float32 %(3, 4%)")
    assert.is_truthy(inspect.card(model.optimizer):find "learning_rate")
    local history = model:fit(pod.zeros { 4, 3 }, pod.zeros { 4, 1 }, { epochs = 2, verbose = 0 })
    assert.equal("epoch  loss\n    1     0\n    2     0", inspect.card(history))
    assert.is_truthy(pod.display(history):svg():find ">epoch</text>")
    local data = pod.data.from_tensor_slices(pod.zeros { 4, 3 })
    assert.is_truthy(inspect.card(data):find "elements +spec%(float32 %(3,%)%)")
    assert.is_truthy(pod.display(pod.padding { shape = { 3, 100 }, dtype = "float32" }):svg():find "in memory")
    assert.is_truthy(pod.display { 1, 2 }:html():find "{ 1, 2 }")
  end)

  it("shows slices of TPUs as chips and links, profiles as charts", function()
    local function chips_of(name)
      local svg = pod.display(pod.topology(name)):svg()
      return select(2, svg:gsub("<title>chip %d+ at [%d,]+: cores? [%d, ]+</title>", "")), svg
    end
    local count, svg = chips_of "v3-8"
    assert.equal(4, count)
    assert.is_truthy(svg:find("<title>chip 3 at 1,1: cores 6, 7</title>", 1, true))
    assert.is_falsy(svg:find "dash")
    count, svg = chips_of "v4:2x2x4"
    assert.equal(16, count)
    assert.is_truthy(svg:find("plane 3 of 4", 1, true))
    count, svg = chips_of "v4:4x4x8" -- the first plane and the last
    assert.equal(32, count)
    assert.is_truthy(svg:find "dasharray")
    count = chips_of "v5p:4x20x76"
    assert.equal(2 * 4 * 14, count)
    local profile = pod.profiler.record(function() return (pod.ones { 64, 64 } * 2):data() end)
    assert.is_truthy(pod.display(profile):svg():find "<svg")
    assert.equal(tostring(profile), pod.display(profile):text())
  end)

  it("asks __display, for what was asked for alone", function()
    local calls = 0
    local value = setmetatable({}, { __display = function(self)
      return { text = "it", svg = function()
        calls = calls + 1
        return "<svg/>"
      end, self = self }
    end })
    local shown = pod.display(value)
    assert.equal("it", shown:text())
    assert.equal("it", inspect.card(value))
    assert.equal(0, calls)
    assert.equal("<svg/>", shown:svg())
    assert.is_truthy(shown:html():find "<svg/>")
    assert.equal(2, calls)
    for _, made in ipairs { 3, {}, { text = 3 }, { svg = function() return 4 end, text = "x" } } do
      local bad = setmetatable({}, { __display = function() return made end })
      assert.is_false((pcall(function()
        return pod.display(bad):text() .. pod.display(bad):svg()
      end)))
    end
    local chart = pod.plot.line { 1, 2 }
    assert.equal(chart, pod.display(chart))
    assert.equal(chart, pod.display(setmetatable({}, { __display = function() return chart end })))
  end)
end)

describe("utils.plot_model", function()
  it("writes the graph as SVG and PNG", function()
    local a, b = pod.layers.input { shape = { 4 } }, pod.layers.input { shape = { 4 } }
    local x = pod.layers.dense(8, { name = "shared" })(a)
    local y = pod.layers.concatenate()({ x, b })
    local model = pod.models.functional { inputs = { a, b },
      outputs = pod.layers.add()({ pod.layers.dense(12)(y), y }) }
    pod.utils.plot_model(model, folder .. "/model.svg")
    local svg = read(folder .. "/model.svg")
    assert.is_truthy(svg:find(">(None, 12)</text>", 1, true))
    assert.is_truthy(svg:find ">Concatenate</text>")
    pod.utils.plot_model(model, folder .. "/model.png", { show_shapes = false, show_layer_names = false })
    local picture = pod.image.decode_png(read(folder .. "/model.png"))
    assert.equal(3, picture.shape[3])
    assert.is_true(picture.shape[1] > 300)
    assert.is_truthy(pod.utils.plot_model(model):text():find "Dense +shared, %(None, 8%) +from input")
    local told = pod.utils.plot_model(pod.models.sequential { pod.layers.dense(2, { activation = "relu",
      input_shape = { 3 }, trainable = false }) }, { to_file = folder .. "/told.txt", show_dtype = true,
      show_layer_activations = true, show_trainable = true, show_layer_names = false })
    assert.is_truthy(told:text():find "Dense +%(None, 2%), activation relu, float32, not trainable +from input")
    assert.equal(told:text() .. "\n", assert(io.open(folder .. "/told.txt")):read "*a")
    assert.equal(svg, pod.utils.plot_model(model, folder .. "/model.svg", { rankdir = "TB", expand_nested = true,
      dpi = 192 }) and read(folder .. "/model.svg"))
    for name, value in pairs { rankdir = "LR", expand_nested = false, dpi = 96, layer_range = { "a", "b" } } do
      assert.error_matches(function()
        pod.utils.plot_model(model, { [name] = value })
      end, ("utils.plot_model: '%s' can be "):format(name))
    end
    assert.error_matches(function()
      pod.utils.plot_model(model, folder .. "/model.gif")
    end, "must end in .svg, .png, .html or .txt")
  end)
end)

describe("pictures", function()
  it("in shades and half blocks", function()
    local ramp = pod.tensor { { 0, 0.25, 0.5, 0.75, 1 }, { 1, 0.75, 0.5, 0.25, 0 } }
    assert.equal("  ░░▒▒▓▓██\n██▓▓▒▒░░  ", pod.plot.image(ramp):text { width = 40, ascii = false })
    assert.equal("  ::++**@@\n@@**++::  ", (pod.plot.image(ramp):text { width = 40, ascii = true }:gsub("[-=]", "+")
      :gsub("[#%%]", "*")))
    assert.equal("\27[38;2;0;0;0m\27[48;2;255;255;255m▀\27[38;2;255;255;255m\27[48;2;0;0;0m▀\27[0m",
      pod.plot.image(pod.tensor { { 0, 1 }, { 1, 0 } }):text { width = 40, color = true, ascii = false })
  end)

  it("by the protocols of kitty and sixel", function()
    local image = pod.plot.image(pod.zeros({ 3, 3 }, "uint8"))
    local kitty = image:text { graphics = "kitty" }
    assert.equal("\27_Ga=T,f=100,m=", kitty:sub(1, 15))
    assert.equal("\27\\", kitty:sub(-2))
    local sixel = image:text { graphics = "sixel", width = 40 }
    assert.is_truthy(sixel:find '^\27Pq"1;1;%d+;%d+#' and sixel:find "\27\\$")
    assert.error_matches(function()
      image:text { graphics = "regis" }
    end, '"kitty" or "sixel"')
  end)

  it("keep their pixels in PNG", function()
    local chart = pod.plot.heat_map({ { 0, 1 } }, { map = "grey" })
    local pixels = pod.image.decode_png(chart:png())
    local black, white = 0, 0
    for _, row in ipairs(pixels:totable()) do
      for _, pixel in ipairs(row) do
        black = black + (pixel[1] == 0 and pixel[2] == 0 and 1 or 0)
        white = white + (pixel[1] == 255 and 1 or 0)
      end
    end
    assert.is_true(black > 4000 and white > 4000)
    assert.error_matches(function()
      chart:png { width = 10000, height = 10000 }
    end, "too large for PNG")
  end)

  it("refuse what is none", function()
    assert.error_matches(function()
      pod.plot.image(pod.zeros { 2, 2, 5 })
    end, "1 to 4 channels, not %(2, 2, 5%)")
    assert.error_matches(function()
      pod.plot.image { { 1 } }
    end, "a picture is a tensor")
    assert.error_matches(function()
      pod.plot.image_grid({ pod.zeros { 2, 2 } }, { labels = { "a", "b" } })
    end, "2 labels for 1 entries")
  end)

  it("of confusion by classes", function()
    local chart = pod.plot.confusion_matrix({ { 3, 1 }, { 0, 4 } }, { labels = { "a", "b" }, normalize = true })
    assert.same({ { 0.75, 0.25 }, { 0, 1 } }, chart.values)
    assert.is_truthy(chart:svg():find ">predicted</text>")
  end)
end)

describe("docs/guides/plots.md", function()
  it("has blocks that run", function()
    local blocks = {}
    for block in read "docs/guides/plots.md":gmatch "```lua\n(.-)```" do
      blocks[#blocks + 1] = block
    end
    assert.is_true(#blocks >= 5)
    local printed = {}
    local source = table.concat(blocks, "\n"):gsub('"([%w_]+%.[sp][vn]g)"', '"' .. folder .. '/%1"')
    local chunk = "=docs/guides/plots.md"
    local run = assert((loadstring or load)("local print = ...\n" .. source, chunk)) -- luacheck: ignore
    run(function(value)
      printed[#printed + 1] = tostring(value)
    end)
    local text = read "docs/guides/plots.md"
    for i = 1, 3 do
      local shown = printed[i]:gsub(" +\n", "\n")
      assert.is_truthy(text:find(shown, 1, true), shown)
    end
    for _, name in ipairs { "curves", "bars", "histogram", "confusion", "model" } do
      assert.matches("^<svg .*</svg>%s*$", read(folder .. "/" .. name .. ".svg"))
    end
  end)
end)

describe("a session", function()
  local command = (os.getenv "MOONPOD_BUILD" or "build/release") .. "/moonpod"

  it("shows charts, models and tables as they are, without an escape where nobody sees colours", function()
    local file = os.tmpname()
    local script = assert(io.open(file, "w"))
    script:write('pod.layers.dense(2, { name = "d" })\npod.plot.image(pod.tensor { { 0, 1 } })\n{ 0 / 0, a = { 1 } }\n'
      .. "pod.plot.bar { a = 1, b = 2 }\n")
    script:close()
    local pipe = assert(io.popen(("COLUMNS=20 LC_ALL=C.UTF-8 COLORTERM=truecolor '%s' -i <'%s' 2>&1"):format(command,
      file)))
    local text = pipe:read "*a"
    pipe:close()
    os.remove(file)
    assert.is_truthy(text:find("> Dense 'd', not built yet\n", 1, true), text)
    assert.is_truthy(text:find('dtype +"float32"\n'), text)
    assert.is_truthy(text:find(">   ██\n", 1, true), text)
    assert.is_truthy(text:find("> { nan, a = { 1 } }\n", 1, true), text)
    assert.is_truthy(text:find("> a ████████ 1\nb ████████████████ 2\n", 1, true), text)
    assert.is_nil(text:find "\27")
  end)
end)
