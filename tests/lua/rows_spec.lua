-- Padding of short shards is never data: not in gradients, not in what leaves a replica.

local pod = require "moonpod"

local strategy = pod.distribute.mirrored(4)

describe("gradients", function()
  it("count true rows wherever these have gone", function()
    local b = strategy:scope(function() return pod.variable { 0.0, 0.0 } end)
    for _, rows in ipairs { 8, 7, 5, 1 } do
      local parts = strategy:run(function(x)
        local tape, loss = pod.tape(function() return pod.sum(pod.sum(pod.transpose(x + b), 1)) end)
        return tape:gradient(loss, b)
      end, { strategy:split(pod.ones { rows, 2 }) })
      assert.same({ rows, rows }, strategy:reduce("sum", parts):totable())
    end
  end)
end)

describe("what leaves a replica", function()
  local x = strategy:split(pod.ones { 7, 2 })
  local turned = strategy:run(function(part) return pod.transpose(part) + 1 end, { x })

  it("is gathered and folded along the rows, wherever these are", function()
    local all = strategy:gather(turned, 1)
    assert.equal("(2, 7)", tostring(all.shape))
    assert.same({ 2, 2, 2, 2, 2, 2, 2 }, all:totable()[1])
    assert.same({ 2, 2 }, strategy:reduce("mean", turned, 1):totable())
    assert.equal("(2, 1)", tostring(turned:values()[4].shape))
    assert.truthy(tostring(turned):find("(2, 2) to (2, 1)", 1, true))
  end)

  it("is refused where its shapes differ", function()
    assert.error_matches(function() strategy:reduce("mean", turned) end, "different shapes, %(2, 2%) on the first and "
      .. "%(2, 1%) on the last.*value, 1%)")
    assert.error_matches(function() strategy:gather(turned, 0) end, "cannot be joined along axis 0")
  end)

  it("has its rows in another run", function()
    local sums = strategy:run(function(t) return pod.sum(t, 1) end, { turned })
    assert.same({ 14, 14 }, strategy:reduce("sum", sums):totable())
  end)
end)

describe("what a train_step returns", function()
  local x = pod.reshape(pod.cast(pod.arange(12), "float32"), { 12, 1 })
  local WAYS = {
    compute_average_loss = function(_, _, y, p)
      return pod.losses.compute_average_loss(pod.sum(pod.square(y - p), 1)) * 1
    end,
    compute_loss = function(self, data, y, p) return self:compute_loss(data, y, p) end,
  }
  for name, loss_of in pairs(WAYS) do
    it("is that of one replica with all rows: " .. name, function()
      for _, replicas in ipairs { 1, 2, 3, 5, 8 } do
        local history = pod.distribute.mirrored(replicas):scope(function()
          local model = pod.models.subclass { name = "RowsOfStep",
            setup = function(self) self.dense = pod.layers.dense(1, { kernel_initializer = "zeros" }) end,
            call = function(self, rows) return self.dense(rows) end,
            train_step = function(self, data)
              local tape, loss = pod.tape(function() return loss_of(self, data[1], data[2], self(data[1])) end)
              self.optimizer:apply(tape:gradient(loss, self.trainable_variables), self.trainable_variables)
              return { loss = loss, rows = data[1]:sum(), mean = pod.mean(data[1]), most = pod.max(data[1]),
                half = pod.mean(pod.cast(data[1], "bfloat16")) }
            end } ()
          model:compile { optimizer = pod.optimizers.sgd(0.0), loss = "mse" }
          return model:fit(x, x * 0 + 2, { batch_size = 12, verbose = 0, shuffle = false }).history
        end)
        assert.same({ 4, 66, 11, 5.5 }, { history.loss[1], history.rows[1], history.most[1], history.half[1] })
        assert.near(5.5, history.mean[1], 1e-5)
      end
    end)
  end
end)

describe("what a layer adds to the loss", function()
  local x = pod.reshape(pod.cast(pod.arange(12), "float32"), { 12, 1 })
  local LOSSES = {
    sum = function(t) return pod.sum(pod.square(t)) end,
    ["part of a sum"] = function(t) return pod.sum(pod.sum(t, 1) * 2) / 10 end,
    mean = function(t) return pod.mean(pod.square(t)) end,
    constant = function() return pod.full({}, 3.0) end,
  }
  -- The loss and the weight after a step.
  local function step(replicas, rows, loss)
    return pod.distribute.mirrored(replicas):scope(function()
      local Adds = pod.layers.subclass { name = "AddsToLoss", call = function(self, t)
        self:add_loss(loss(t))
        return t
      end }
      local model = pod.models.sequential {
        pod.layers.dense(1, { kernel_initializer = "ones", input_shape = { 1 } }), Adds(),
      }
      model:compile { optimizer = pod.optimizers.sgd(0.001), loss = "mse" }
      local part = pod.slice_axis(x, 0, 0, rows)
      local history = model:fit(part, part, { batch_size = rows, verbose = 0, shuffle = false }).history
      return { history.loss[1], model.weights[1]:value():item() }
    end)
  end
  for name, loss in pairs(LOSSES) do
    it("is that of one replica with all rows: " .. name, function()
      for _, rows in ipairs { 12, 7, 1 } do
        local one = step(1, rows, loss)
        for _, replicas in ipairs { 2, 3, 5, 8 } do
          local many = step(replicas, rows, loss)
          assert.near(one[1], many[1], 1e-4)
          assert.near(one[2], many[2], 1e-6)
        end
      end
    end)
  end
end)
