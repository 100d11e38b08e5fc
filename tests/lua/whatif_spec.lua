-- What if: variants of a model side by side, scaling over slices, and the questions the other way round.

local json = require "moonpod.base.json"
local pod = require "moonpod"
local tables = require "moonpod.base.tables"

local function mlp(sizes, name)
  local layers = { pod.layers.dense(sizes[1], { activation = "relu", input_shape = { 96 } }) }
  for i = 2, #sizes do
    layers[i] = pod.layers.dense(sizes[i], { activation = "relu", name = i == 2 and name or nil })
  end
  layers[#layers + 1] = pod.layers.dense(10)
  local model = pod.models.sequential(layers)
  model:compile { optimizer = "adam", loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
  return model
end

-- A chip on which little fits, so that questions have answers of all kinds.
pod.add_chip { name = "vsmall", based_on = "v5e", hbm_bytes = 2 ^ 26, hbm_limit_bytes = 2 ^ 25, vmem_bytes = 2 ^ 20 }

local SAME = { "need_bytes", "temp_bytes", "verdict", "fits", "batch" }
local TIMES = { "low_seconds", "high_seconds", "device_seconds", "exchange_seconds", "bound", "mfu_low", "mfu_high" }

describe("what if", function()
  it("has the rows that reports and projections of each variant have", function()
    local model = mlp({ 256, 128 }, "narrow")
    local rows = pod.advisor.whatif(model, { chip = { "v5e", "v3-8", "v3-32", "vsmall-8" }, batch = { 24, 128 },
      dtype = { "float32", "mixed_bfloat16" }, accumulation = { 1, 4 }, remat = { false, 2 },
      price = { v3 = 2, v5e = 1.2 }, examples = 60000 })
    assert.equal(4 * 2 * 2 * 2 * 2, #rows)
    local at = 0
    for _, chip in ipairs { "v5e", "v3-8", "v3-32", "vsmall-8" } do
      for _, dtype in ipairs { "float32", "mixed_bfloat16" } do
        for _, remat in ipairs { false, 2 } do
          for _, parts in ipairs { 1, 4 } do
            for _, batch in ipairs { 24, 128 } do
              at = at + 1
              local row, copy = rows[at], mlp({ 256, 128 }, "narrow")
              copy:set_dtype_policy(dtype)
              copy:set_memory_options { rematerialize = remat, micro_batches = parts > 1 and parts }
              local report = copy:memory_report(chip, { batch = batch,
                replicas = chip:find "%-" and pod.topology(chip).num_devices or 1 })
              local time = copy:projection(chip, { batch = batch })
              for _, field in ipairs(SAME) do
                assert.equal(report[field], row[field])
              end
              for _, field in ipairs(TIMES) do
                assert.equal(time[field], row[field])
              end
              assert.equal(batch * report.replicas, row.global_batch)
              local price = ({ v5e = 1.2, ["v3-8"] = 4 * 2, ["v3-32"] = 16 * 2 })[chip]
              assert.equal(price, row.price_per_hour)
              if price then
                local hours = 60000 / row.global_batch * (time.low_seconds + time.high_seconds) / 2 / 3600
                assert.is_true(math.abs(row.cost_per_epoch / (price * hours) - 1) < 1e-9)
              end
            end
          end
        end
      end
    end
    -- the model is as it was
    assert.equal(rows[1].need_bytes, model:memory_report("v5e", { batch = 24 }).need_bytes)
    assert.truthy(tostring(rows):find
      "chip +dtype +remat +parts +batch +global +need .* step +links +examples/s .*verdict")
  end)

  -- Models whose steps are made of another batch's, where that gives the same plan.
  local KINDS = {
    pictures = function()
      return pod.models.sequential { pod.layers.conv2d(8, 3, { input_shape = { 12, 12, 3 } }),
        pod.layers.batch_normalization(), pod.layers.max_pooling2d(), pod.layers.flatten(), pod.layers.dropout(0.3),
        pod.layers.dense(10) }
    end,
    sequences = function()
      return pod.models.sequential { pod.layers.embedding(50, 16, { input_shape = { 7 } }), pod.layers.lstm(12),
        pod.layers.dense(10) }
    end,
    attention = function()
      local inputs = pod.layers.input { shape = { 10, 16 } }
      local x = pod.layers.multi_head_attention { num_heads = 2, key_dim = 8 } (inputs, inputs)
      return pod.models.functional { inputs = inputs, outputs = pod.layers.dense(10)(pod.layers.flatten()(x)) }
    end,
  }

  for name, make in pairs(KINDS) do
    it("has the same rows of batches that were not traced: " .. name, function()
      local function compiled()
        local model = make()
        model:compile { optimizer = "adam", loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
        return model
      end
      local batches = { 40, 8, 17, 136, 128, 300 }
      for _, chip in ipairs { "v5e", "v3-8" } do
        local rows = pod.advisor.whatif(compiled(), { chip = chip, batch = batches })
        for i, batch in ipairs(batches) do
          local model = compiled()
          local report = model:memory_report(chip, { batch = batch,
            replicas = chip == "v3-8" and 8 or 1 })
          local time = model:projection(chip, { batch = batch })
          assert.same(tables.pick(report, SAME), tables.pick(rows[i], SAME))
          assert.same(tables.pick(time, TIMES), tables.pick(rows[i], TIMES))
          assert.equal(report.infeed_bytes, rows[i].infeed_bytes)
        end
      end
    end)
  end

  it("traces the least and the largest batch alone", function()
    local calls = 0
    local model = mlp { 32 }
    model:compile { optimizer = "sgd", loss = function(y, logits)
      calls = calls + 1
      return pod.mean(pod.square(y - logits))
    end }
    local function count(batches)
      calls = 0
      local rows = pod.advisor.whatif(model, { chip = { "v5e", "v6e" }, batch = batches })
      assert.equal("fits", rows[#rows].verdict)
      return calls
    end
    count { 8 } -- what it makes once and for all
    assert.equal(2 * count { 8 }, count { 8, 16, 24, 48, 264, 500 })
  end)

  it("traces each batch where a model is another one for some", function()
    local model = pod.models.sequential { pod.layers.dense(16, { input_shape = { 8 } }), pod.layers.lambda(function(x)
      return x.shape[1] > 20 and pod.matmul(x, pod.ones { 16, 512 }) or x
    end) }
    model:compile { optimizer = "sgd", loss = function(_, logits) return pod.mean(logits) end }
    local rows = pod.advisor.whatif(model, { chip = "v5e", batch = { 8, 16, 24, 32 }, x = pod.spec { 8, 8 },
      y = pod.spec { 8, 1 } })
    local products = {}
    for i, batch in ipairs { 8, 16, 24, 32 } do
      local report = model:memory_report("v5e", { batch = batch, x = pod.spec { 8, 8 }, y = pod.spec { 8, 1 } })
      products[i] = report:projection().product_flops
      assert.equal(report:projection().device_seconds, rows[i].device_seconds)
    end
    assert.is_true(products[3] > 2 * products[2])
  end)

  it("takes other sizes of layers, and divides a global batch", function()
    local model = mlp({ 256, 128 }, "narrow")
    local rows = pod.advisor.whatif(model, { chip = "v5e-4", global_batch = { 64, 66 },
      features = { { narrow = 128 }, { narrow = 512 } } })
    assert.equal(16, rows[1].batch)
    assert.equal("cannot_be_made", rows[2].verdict)
    assert.truthy(rows[2].problem:find("66 rows are not to be divided among 4 replicas", 1, true))
    assert.is_true(rows[3].need_bytes > rows[1].need_bytes)
    assert.truthy(tostring(rows):find("narrow=512 .* 16 +64 .*"))
    assert.truthy(tostring(rows):find("cannot be made: 66 rows are", 1, true))
  end)

  it("refuses what means nothing", function()
    local model = mlp({ 32 })
    for _, options in ipairs { { batch = 4, global_batch = 8 }, { batch = {} }, { batch = 1.5 }, { dtype = "int7" },
      { chip = "v9" }, { chip = "v5e-7" }, { features = { dense = 4 }, batch = 0 }, { bacth = 4 }, { chip = 5 },
      { remat = true } } do
      options.batch = options.batch or not options.global_batch and 8 or nil
      local ok, result = pcall(pod.advisor.whatif, model, options)
      assert.is_true(not ok or result[1].verdict == "cannot_be_made")
    end
  end)
end)

describe("scaling", function()
  it("is weak with a core's batch and strong with that of all", function()
    local model = mlp { 512, 512 }
    local weak = pod.advisor.scaling(model, { chip = "v5e", batch = 64 })
    local strong = pod.advisor.scaling(model, { chip = { "v5e", "v6e-8" }, global_batch = 64 })
    assert.same({ "v5e-1", "v5e-4", "v5e-8" }, { weak[1].slice, weak[2].slice, weak[3].slice })
    for i, row in ipairs(weak) do
      assert.equal(64, row.batch)
      assert.is_true(row.efficiency <= 1 and (i == 1) == (row.exchange_seconds == 0))
      assert.equal(model:projection(row.slice, { batch = 64 }).device_seconds, row.device_seconds)
    end
    for _, row in ipairs(strong) do
      assert.equal(64, row.batch * row.replicas)
      assert.is_true(row.efficiency <= 1)
    end
    assert.same({ "v5e-64", "v6e-8" }, { strong[#strong - 1].slice, strong[#strong].slice }) -- not 128
    assert.truthy(tostring(strong):find "strong scaling\nchip .* efficiency +verdict")
    local data = json.decode(weak:html():match '<script type="application/json" id="variants">(.-)</script>')
    assert.same({ "v5e-1", "v5e-4" }, { data.axes[1].values[1], data.axes[1].values[2] })
    assert.equal(#weak, #data.rows)
    local said = data.rows[2].said
    assert.same({ "efficiency", ("%.0f%%"):format(weak[2].efficiency * 100) }, said[#said])
  end)
end)

describe("find", function()
  local PRICES = { v3 = 2.2, v5e = 1.2, v6e = 2.7, vsmall = 0.4 }
  local SLICES = { "v3-8", "v3-32", "v5e-1", "v5e-4", "v5e-16", "v6e-8", "vsmall-1", "vsmall-4", "vsmall-64" }

  -- What each slice and batch gives, from reports and projections of its own.
  local function try_all(model, slices, batches, global)
    local rows, reports = {}, {}
    for order, slice in ipairs(slices) do
      local topology = pod.topology(slice)
      for _, batch in ipairs(batches) do
        local rows_a_core = global and batch / topology.num_devices or batch
        if rows_a_core % 1 == 0 and rows_a_core >= 1 then
          rows_a_core = math.floor(rows_a_core)
          local generation = slice:match "^%w+"
          local alone = topology.num_devices == 1
          local key = ("%s %d %s"):format(generation, rows_a_core, tostring(alone))
          local report = reports[key]
            or model:memory_report(generation, { batch = rows_a_core, replicas = alone and 1 or 8 })
          reports[key] = report
          local fits, time = report.fits, report:projection { slice = slice }
          local seconds, all = (time.low_seconds + time.high_seconds) / 2, rows_a_core * topology.num_devices
          local hour = PRICES[generation] * topology.num_chips
          rows[#rows + 1] = { slice = slice, batch = rows_a_core, fits = fits, order = order, largest_batch = -all,
            smallest_slice = topology.num_chips, cheapest_chip = hour * seconds / all, cheapest_slice = hour,
            fastest_step = seconds, fastest_epoch = seconds / all, hour = hour, chips = topology.num_chips }
        end
      end
    end
    return rows
  end

  local function best_of(rows, by, below)
    local best
    for _, row in ipairs(rows) do
      local less = best and row[by] - best[by] or -1
      if row.fits and (not below or row.hour <= below)
        and (less < -1e-12 * math.abs(row[by]) or (math.abs(less) <= 1e-12 * math.abs(row[by])
          and row.chips < best.chips)) then
        best = row
      end
    end
    return best
  end

  it("finds what trying all finds, on 50 random questions", function()
    local state = 7
    local function random(n)
      state = (state * 1103515245 + 12345) % 2 ^ 31
      return math.floor(state / 65536) % n + 1
    end
    local QUESTIONS = { { "largest", "batch" }, { "smallest", "slice" }, { "cheapest", "chip" },
      { "cheapest", "slice" }, { "fastest", "step" }, { "fastest", "epoch" } }
    local answered = 0
    for number = 1, 50 do
      local model = mlp { 2 ^ (5 + random(5)), 2 ^ (4 + random(4)) }
      local question = QUESTIONS[random(#QUESTIONS)]
      local word, of = question[1], question[2]
      local slices, batches = {}, {}
      for i = 1, 3 do
        slices[i] = SLICES[(random(9) + 2 * i) % 9 + 1]
        batches[i] = 2 ^ (5 + random(13))
      end
      local global = random(2) == 1
      local below = random(3) == 1 and random(30) / 2 or nil
      local row = pod.advisor.find(model, { [word] = of, fits = slices, price = PRICES, below = below,
        [global and "global_batch" or "batch"] = batches })
      local best = best_of(try_all(model, slices, batches, global), word .. "_" .. of, below)
      assert.equal(best and best.slice .. " " .. best.batch, row and row.slice .. " " .. row.batch,
        "question " .. number)
      answered = answered + (row and 1 or 0)
    end
    assert.is_true(answered > 30 and answered < 50, answered .. " have an answer")
  end)

  it("finds the largest multiple of a step that fits", function()
    local model = mlp { 512, 256 }
    local row = pod.advisor.find(model, { largest = "batch", fits = "vsmall-4", step = 64 })
    local best
    for batch = 64, 2 * row.batch, 64 do
      best = model:memory_report("vsmall", { batch = batch, replicas = 4 }).fits and batch or best
    end
    assert.equal(best, row.batch)
    assert.equal(row.batch * 4, row.global_batch)
  end)

  it("says why there is none, and what it needs to know", function()
    local model = mlp { 2048, 8192, 8192 }
    local row, why = pod.advisor.find(model, { smallest = "slice", fits = "vsmall-*", batch = 8 })
    assert.is_nil(row)
    assert.truthy(why:find "^none of them fits: ")
    for _, options in ipairs { {}, { largest = "slice" }, { largest = "batch", smallest = "slice" },
      { cheapest = "chip" }, { fastest = "step", below = 3 }, { largest = "batch", fits = "v5e-1", step = 0 } } do
      options.batch = options.step == nil and 8 or nil
      assert.has_error(function() pod.advisor.find(model, options) end)
    end
  end)

  it("is a page whose sliders find each row by its values", function()
    local options = { chip = { "v5e", "v3-8" }, batch = { 24, 128, 256 }, dtype = { "float32", "mixed_bfloat16" },
      price = { v3 = 2 }, examples = 1000 }
    local rows = pod.advisor.whatif(mlp({ 64, 32 }), options)
    local page = rows:html()
    local data = json.decode(page:match '<script type="application/json" id="variants">(.-)</script>')
    assert.same({ "chip", "dtype", "batch" }, tables.column(data.axes, "name"))
    local at = 0
    for _, chip in ipairs(options.chip) do
      for _, dtype in ipairs(options.dtype) do
        for _, batch in ipairs(options.batch) do
          at = at + 1
          local row, shown = rows[at], data.rows[at]
          assert.same({ chip, dtype, batch }, { row.slice or row.chip, row.dtype, row.batch })
          assert.same({ row.verdict_text, row.need_bytes, row.limit_bytes }, { shown.verdict, shown.need, shown.limit })
          local said = {}
          for _, pair in ipairs(shown.said) do
            said[pair[1]] = pair[2]
          end
          assert.equal(("%d"):format(row.global_batch), said["rows of all cores"])
          assert.equal(chip == "v3-8", said["cost of an epoch"] ~= nil)
        end
      end
    end
    assert.equal(#data.rows, at)
    local _, sliders = page:gsub('type="range"', "")
    assert.equal(3, sliders)
    assert(page:find "default%-src 'none'")
  end)

  it("is a page in a notebook", function()
    local rows = pod.advisor.whatif(mlp({ 64 }), { chip = "v5e", batch = { 24, 128 } })
    local shown = require "moonpod.notebook.bundle".of_value(rows)
    assert(shown["text/html"]:find '^<iframe srcdoc="&lt;!DOCTYPE html&gt;', shown["text/html"]:sub(1, 200))
    assert(shown["text/plain"]:find "verdict", shown["text/plain"])
  end)

end)
