-- %% [markdown]
-- # Will it fit a TPU?
--
-- A TPU has a fixed memory, and a program that needs more does not start. Moonpod knows what a step would take before
-- there is a TPU: nothing of this notebook allocates the gigabytes that it speaks of.

-- %%
pod.chips()

-- %% [markdown]
-- ## Padding
--
-- Memory comes in tiles of 8 by 128 numbers. An array that does not fill its tiles takes more than its numbers.

-- %%
pod.padding { shape = { 1000, 10 }, dtype = "f32", chip = "v3" }

-- %% [markdown]
-- How much is lost depends on both sizes. Yellow cells take many times their numbers.

-- %%
sizes = { 1, 2, 4, 8, 16, 32, 64, 100, 128, 200, 256 }
factors, names = {}, {}
for i, rows in ipairs(sizes) do
  factors[i], names[i] = {}, tostring(rows)
  for j, columns in ipairs(sizes) do
    factors[i][j] = math.log(pod.padding({ shape = { rows, columns }, dtype = "f32", chip = "v3" }).expansion) /
      math.log(2)
  end
end
pod.plot.heat_map(factors, { rows = names, columns = names, title = "Expansion, as a power of two", width = 560 })

-- %% [markdown]
-- A famous case: one-hot labels of a segmentation model. In 2021 the ten classes lay in 128 lanes, and 13 times the
-- memory was gone. Today's compiler lays the pixels there.

-- %%
for _, layout in ipairs { "{1,0:T(8,128)}", "{0,1:T(8,128)}" } do
  local one = pod.padding("s32[29360128,10]" .. layout)
  print(("%-15s %s for %s of numbers: %s"):format(layout, one.padded, one.unpadded, one.expansion_text))
end

-- %% [markdown]
-- ## A model that does not fit
--
-- A small U-Net finds the class of each pixel of large pictures.

-- %%
layers = pod.layers
HEIGHT, WIDTH, CLASSES = 384, 768, 10
function two(x, filters)
  for _ = 1, 2 do
    x = layers.conv2d(filters, 3, { padding = "same", activation = "relu" })(x)
  end
  return x
end
input = layers.input { HEIGHT, WIDTH, 3 }
first = two(input, 16)
second = two(layers.max_pooling2d(2)(first), 32)
deep = two(layers.max_pooling2d(2)(second), 64)
up = layers.conv2d_transpose(32, 2, { strides = 2, activation = "relu" })(deep)
up = two(layers.concatenate() { up, second }, 32)
up = layers.conv2d_transpose(16, 2, { strides = 2, activation = "relu" })(up)
up = two(layers.concatenate() { up, first }, 16)
model = pod.models.functional { inputs = input, outputs = layers.conv2d(CLASSES, 1)(up), name = "unet" }
model:compile { optimizer = "adam", loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
pod.utils.plot_model(model, nil, { show_layer_names = false, title = "U-Net" })

-- %% [markdown]
-- A core of a v3 has 16 GiB. Do 64 pictures a step fit?

-- %%
step = { batch = 64, x = pod.spec { -1, HEIGHT, WIDTH, 3 }, y = pod.spec({ -1, HEIGHT, WIDTH }, "int32") }
report = model:memory_report("v3", step)
print(report.verdict_text)
print(("needs %.1f GiB of %.1f GiB"):format(report.need_bytes / 2 ^ 30, report.limit_bytes / 2 ^ 30))

-- %% [markdown]
-- The memory viewer shows what lives when, over the program's order. The peak is at the turn from forward to backward:
-- all that the gradient needs is kept until then.

-- %%
report

-- %% [markdown]
-- ## What would help
--
-- Each remedy is tried: the changed step is lowered and measured. Those that save most come first.

-- %%
remedies = report:remedies()
print(remedies)

-- %%
needs, labels = { report.need_bytes / 2 ^ 30 }, { "as it is" }
for i = 1, math.min(#remedies, 5) do
  needs[i + 1], labels[i + 1] = remedies[i].need_bytes / 2 ^ 30, remedies[i].title
end
pod.plot.bar(needs, { labels = labels, horizontal = true, title = "GiB a core; a v3 has 15.5" })

-- %% [markdown]
-- Gradients stay the same with smaller parts of a batch, one after the other, and with rematerialisation, which
-- computes again in place of keeping. Both cost time, not quality.

-- %%
model:set_memory_options { micro_batches = 8 }
after = model:memory_report("v3", step)
print("eight parts: " .. after.verdict_text)
print(("needs %.1f GiB"):format(after.need_bytes / 2 ^ 30))
model:set_memory_options { micro_batches = false };

-- %% [markdown]
-- ## How large may the batch be?

-- %%
counts, bytes = {}, {}
for i, batch in ipairs { 8, 16, 24, 32, 48, 64 } do
  step.batch = batch
  counts[i], bytes[i] = batch, model:memory_report("v3", step).need_bytes / 2 ^ 30
end
pod.plot.line({ { x = counts, y = bytes, name = "needs" }, { x = { 8, 64 }, y = { 15.48, 15.48 }, name = "has" } },
  { title = "GiB by pictures a step", x_label = "pictures", y_label = "GiB" })

-- %%
rows = model:find_batch { chip = "v3", x = step.x, y = step.y }
print("the most pictures that fit: " .. rows)

-- %% [markdown]
-- ## Exercises
--
-- 1. Which shape of 1,000,000 numbers of `f32` takes the least memory, which the most?
-- 2. Does the model fit a v5e or a v4?
-- 3. How much is saved by `mixed_bfloat16`?
--
-- The answers are below.

-- %% [markdown]
-- ## Answers
--
-- **1.** What fills whole tiles takes no padding. Of these, one long row or column is the worst, and takes twice its
-- numbers.

-- %%
for _, shape in ipairs { { 1000, 1000 }, { 1000000, 1 }, { 100, 100, 100 }, { 500000, 2 }, { 1, 1000000 } } do
  local one = pod.padding { shape = shape, dtype = "f32", chip = "v3" }
  print(one.text, one.padded, one.expansion_text)
end

-- %% [markdown]
-- **2.** Chips differ in the memory that a program may use. Plans are estimates: each verdict says how far such plans
-- were off when they were compared with the compiler's own. Where the need is nearer to the limit than twice that, or
-- too few were compared, it is left open.

-- %%
step.batch = 64
for _, chip in ipairs { "v2", "v3", "v4", "v5e", "v5p" } do
  local one = model:memory_report(chip, step)
  print(("%-4s needs %.1f GiB of %.1f"):format(chip, one.need_bytes / 2 ^ 30, one.limit_bytes / 2 ^ 30))
  print("     " .. one.verdict_text)
end

-- %% [markdown]
-- **3.** Activations take half; weights and their sums stay as they are.

-- %%
model:set_dtype_policy "mixed_bfloat16"
half = model:memory_report("v3", step)
print(("%.1f GiB in place of %.1f"):format(half.need_bytes / 2 ^ 30, report.need_bytes / 2 ^ 30))
