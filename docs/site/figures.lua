--[[
figures - pictures of what names of the reference do, which the site shows on their pages: `moonpod figures.lua
FOLDER` writes a NAME.svg for each, as layers/relu.svg. What is drawn was computed by the library then and there.
]]

local pod = require "moonpod"

local folder = arg[1]
local HEIGHT = 260

local function save(name, chart)
  chart:save(("%s/%s.svg"):format(folder, name))
end

-- n numbers from low to high.
local function between(low, high, n)
  local list = {}
  for i = 1, n do
    list[i] = low + (high - low) * (i - 1) / (n - 1)
  end
  return list
end

-- The values of f at the places x.
local function values(f, x)
  local y = {}
  for i, at in ipairs(x) do
    y[i] = f(at)
  end
  return y
end

-- What code of the library gives: made("layers.relu()").
local function made(code)
  return assert(load("local pod = ... return pod." .. code))(pod)
end

-- ---- activations: what goes in, and what comes out ------------------------------------------------------------

for _, code in ipairs { "elu()", "leaky_relu()", "prelu { alpha_initializer = pod.initializers.constant(0.25) }",
  "relu { max_value = 3, negative_slope = 0.1 }" } do
  local x = between(-4, 4, 161)
  local y = pod.reshape(made("layers." .. code)(pod.reshape(pod.tensor(x), { #x, 1 })), { #x }):totable()
  save("layers/" .. code:match "^[%w_]+", pod.plot.line({ x = x, y = y }, { height = HEIGHT, title = code,
    x_label = "what goes in", y_label = "what comes out" }))
end

do
  local x, rows = between(-4, 4, 81), {}
  for i, at in ipairs(x) do
    rows[i] = { at, 0, 1 }
  end
  local y = pod.layers.softmax()(pod.tensor(rows)):totable()
  local function column(k)
    return { name = ({ "x", "0", "1" })[k], x = x, y = values(function(i) return y[i][k] end, between(1, #x, #x)) }
  end
  save("layers/softmax", pod.plot.line({ column(1), column(2), column(3) }, { height = HEIGHT, x_label = "x",
    y_label = "share", title = "softmax of { x, 0, 1 }" }))
end

-- ---- layers that make pictures of pictures: before, and after ----------------------------------------------------

-- A house on a hill in the evening: (1, 48, 48, 3), from 0 to 1.
local function picture()
  local rows = {}
  for i = 1, 48 do
    rows[i] = {}
    for k = 1, 48 do
      local colour = { 0.35 + i / 90, 0.45 + i / 160, 0.8 - i / 120 } -- sky
      if (i - 11) ^ 2 + (k - 37) ^ 2 < 36 then
        colour = { 1, 0.85, 0.3 }
      elseif i > 36 + 4 * math.sin(k / 9) then
        colour = { 0.2, 0.5 - k / 300, 0.25 }
      elseif i > 26 and k > 8 and k < 27 then
        colour = (i > 30 and k > 12 and k < 17) and { 0.95, 0.9, 0.5 } or { 0.6, 0.25, 0.2 }
      elseif i > 16 and math.abs(k - 17.5) < (i - 16) * 1.2 then
        colour = { 0.3, 0.15, 0.15 }
      end
      rows[i][k] = colour
    end
  end
  return pod.tensor { rows }
end

local house = picture()

-- Layers, and how many times what they draw anew each time is drawn.
for code, count in pairs {
  ["random_flip()"] = 4, ["random_rotation(0.1)"] = 4, ["random_zoom(0.3)"] = 4, ["random_translation(0.2, 0.2)"] = 4,
  ["random_contrast(0.8)"] = 4, ["random_brightness(0.4, { value_range = { 0, 1 } })"] = 4,
  ["random_crop(32, 32)"] = 4, ["resizing(12, 12)"] = 1, ["center_crop(32, 32)"] = 1, ["max_pooling2d(4)"] = 1,
  ["average_pooling2d(4)"] = 1, ["up_sampling2d(2)"] = 1, ["zero_padding2d(8)"] = 1, ["cropping2d(8)"] = 1,
  ["gaussian_noise(0.15)"] = 1, ["gaussian_dropout(0.2)"] = 1, ["dropout(0.3)"] = 1, ["spatial_dropout2d(0.5)"] = 2,
} do
  pod.random.set_seed(7)
  local layer, pictures, labels = made("layers." .. code), { house[1] }, { "before" }
  for i = 1, count do
    local after = layer(house, { training = true })
    pictures[1 + i] = pod.minimum(pod.maximum(after, 0), 1)[1]
    labels[1 + i] = "after"
  end
  save("layers/" .. code:match "^[%w_]+", pod.plot.image_grid(pictures, { labels = labels, columns = count + 1,
    width = 110 * (count + 1), title = code }))
end

-- ---- losses: of one prediction, as it moves ----------------------------------------------------------------------

-- The loss of a name where `pair(x)` makes what is true and what was predicted of x.
local function loss_line(name, title, x, pair, options)
  local loss = pod.losses[name](options)
  return { name = title, x = x, y = values(function(at)
    local y_true, y_pred = pair(at)
    return loss(y_true, y_pred):item()
  end, x) }
end

local function loss_chart(name, lines, label)
  save("losses/" .. name, pod.plot.line(lines, { height = HEIGHT, title = name, x_label = label,
    y_label = "loss" }))
end

local function one(y_true)
  return function(x)
    return { { y_true } }, { { x } }
  end
end

for _, name in ipairs { "mean_absolute_error", "mean_squared_error", "mean_absolute_percentage_error", "log_cosh",
  "huber" } do
  loss_chart(name, { loss_line(name, "true: 1", between(-3, 5, 81), one(1)) }, "predicted")
end
loss_chart("mean_squared_logarithmic_error", { loss_line("mean_squared_logarithmic_error", "true: 1",
  between(0, 8, 81), one(1)) }, "predicted")
loss_chart("poisson", { loss_line("poisson", "true: 1", between(0.1, 6, 81), one(1)),
  loss_line("poisson", "true: 3", between(0.1, 6, 81), one(3)) }, "predicted")
for _, name in ipairs { "hinge", "squared_hinge" } do
  loss_chart(name, { loss_line(name, "true: 1", between(-2, 2, 81), one(1)),
    loss_line(name, "true: -1", between(-2, 2, 81), one(-1)) }, "predicted")
end
for _, name in ipairs { "binary_crossentropy", "binary_focal_crossentropy" } do
  loss_chart(name, { loss_line(name, "true: 1", between(0.01, 0.99, 99), one(1)),
    loss_line(name, "true: 0", between(0.01, 0.99, 99), one(0)) }, "predicted probability of 1")
end

-- Of two classes, whose second is true.
local function second(x)
  return { { 0, 1 } }, { { 1 - x, x } }
end

for _, name in ipairs { "categorical_crossentropy", "categorical_focal_crossentropy", "dice", "tversky",
  "categorical_hinge" } do
  loss_chart(name, { loss_line(name, "", between(0.01, 0.99, 99), second) }, "predicted probability of the true class")
end
for _, name in ipairs { "sparse_categorical_crossentropy", "categorical_generalized_cross_entropy" } do
  loss_chart(name, { loss_line(name, "", between(0.01, 0.99, 99), function(x) return { 1 }, { { 1 - x, x } } end) },
    "predicted probability of the true class")
end
loss_chart("kl_divergence", { loss_line("kl_divergence", "true: 0.3", between(0.01, 0.99, 99), function(x)
  return { { 0.7, 0.3 } }, { { 1 - x, x } }
end) }, "predicted probability")
loss_chart("cosine_similarity", { loss_line("cosine_similarity", "", between(0, 360, 91), function(x)
  return { { 1, 0 } }, { { math.cos(math.rad(x)), math.sin(math.rad(x)) } }
end) }, "degrees between what is true and what was predicted")

-- ---- schedules: the rate by step -----------------------------------------------------------------------------------

for _, code in ipairs { "cosine_decay(0, 1000, { warmup_steps = 200, warmup_target = 0.1 })",
  "cosine_decay_restarts(0.1, 200, { t_mul = 1.5, m_mul = 0.8 })", "exponential_decay(0.1, 300, 0.5)",
  "inverse_time_decay(0.1, 100, 0.5)", "piecewise_constant_decay({ 400, 800 }, { 0.1, 0.03, 0.01 })",
  "polynomial_decay(0.1, 800, { end_learning_rate = 0.01, power = 2 })" } do
  local schedule, x = made("schedules." .. code), between(0, 1200, 241)
  save("schedules/" .. code:match "^[%w_]+", pod.plot.line({ x = x, y = values(schedule, x) }, { height = HEIGHT,
    x_label = "step", y_label = "learning rate", title = code }))
end

-- ---- optimizers: the way down a valley ---------------------------------------------------------------------------

local START, STEPS = { -3, 2 }, 60

-- Where an optimizer goes in STEPS steps, as a line.
local function way(code)
  local place, optimizer, x, y = pod.variable { START }, made("optimizers." .. code), {}, {}
  for i = 1, STEPS do
    local at = place:value():totable()[1]
    x[i], y[i] = at[1], at[2]
    local tape, loss = pod.tape(function()
      return pod.sum(pod.square(place:value()) * pod.tensor { { 0.05, 1 } })
    end)
    optimizer:apply({ tape:gradient(loss, place) }, { place })
  end
  return { name = code, x = x, y = y }
end

local plain = way "sgd(0.1)"
for _, code in ipairs { "adadelta(10)", "adafactor(0.2)", "adagrad(0.5)", "adam(0.1)", "adamax(0.1)", "adamw(0.1)",
  "ftrl(0.5)", "lamb(0.05)", "lars(0.5)", "lion(0.1)", "muon(0.1)", "nadam(0.1)", "rmsprop(0.1)",
  "sgd(0.1, { momentum = 0.9 })" } do
  save("optimizers/" .. code:match "^[%w_]+", pod.plot.line({ plain, way(code) }, { height = HEIGHT, x_label = "x",
    y_label = "y", title = ("%d steps down x^2 / 20 + y^2"):format(STEPS) }))
end
