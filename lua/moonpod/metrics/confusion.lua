-- Counts of hits and misses at thresholds: true and false positives and negatives, precision, recall.

local errors = require "moonpod.base.errors"
local losses = require "moonpod.losses"
local ops = require "moonpod.ops"
local scope = require "moonpod.layers.scope"
local define = require "moonpod.metrics.metric".define
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"

local function read_thresholds(self, value, default)
  if value == nil then
    value = default
  end
  local list = type(value) == "table" and value or { value }
  for _, threshold in ipairs(list) do
    if type(threshold) ~= "number" or threshold > 1 or (threshold < 0 and threshold > -1e9) then
      errors.raise("metrics.%s: thresholds must be numbers from 0 to 1; got %s", self.name,
        errors.describe(threshold))
    end
  end
  return list
end

-- Keeps only the k largest predictions of each row; the others become very small.
local function keep_top_k(y_pred, k)
  local _, indices = ops.top_k(y_pred, k)
  local kept = ops.sum(ops.one_hot(indices, y_pred.shape[#y_pred.shape], { dtype = y_pred.dtype }),
    -2)
  return ops.where(ops.greater(kept, 0), y_pred, -1e10)
end

local CELLS = { "true_positives", "true_negatives", "false_positives", "false_negatives" }

-- Makes the counts of a metric, which are fields: those of `cells`, else all four. labels: how many labels are counted
-- each by itself.
local function make_cells(self, labels, cells)
  for _, cell in ipairs(cells or CELLS) do
    self[cell] = self:add_variable(cell, { #self.thresholds, labels })
  end
end

-- Counts the four cells for each threshold, summed over all elements: tensors [thresholds], which are added to those
-- that the metric has. `labels` = { separate =, weights = }: counts of each label by itself, [thresholds, labels], or
-- weights of the labels.
local function add(self, y_true, y_pred, sample_weight, labels)
  local top_k, class_id = self.config.top_k, self.config.class_id
  y_true, y_pred = losses.same_rank(ops.cast(y_true, self.dtype), ops.cast(y_pred, self.dtype))
  if top_k then
    y_pred = keep_top_k(y_pred, top_k)
  end
  if class_id then
    y_true = ops.take(y_true, class_id, -1)
    y_pred = ops.take(y_pred, class_id, -1)
  end
  local weight = ops.ones_like(y_pred)
  if sample_weight ~= nil then
    local given = ops.expand_dims(ops.cast(scope.to_tensor(sample_weight), self.dtype), -1)
    if #given.shape > #y_pred.shape then
      given = ops.squeeze(given, -1)
    end
    while #given.shape < #y_pred.shape do -- of rows, or of their elements
      given = ops.expand_dims(given, -1)
    end
    weight = ops.broadcast_to(given, y_pred.shape)
  end
  if labels and labels.weights then
    weight = weight * tensor.new(labels.weights, { dtype = self.dtype })
  end
  local truth = ops.expand_dims(ops.cast(y_true, "bool"), -1)
  local guess = ops.greater(ops.expand_dims(y_pred, -1), tensor.new(self.thresholds, { dtype = self.dtype }))
  weight = ops.expand_dims(weight, -1)
  local axes = tables.range(0, #y_pred.shape - 1)
  local function count(condition)
    local counted = ops.cast(condition, self.dtype) * weight
    if labels and labels.separate then
      return ops.transpose(ops.sum(counted, 0))
    end
    return ops.sum(counted, axes)
  end
  local not_truth, not_guess = ops.logical_not(truth), ops.logical_not(guess)
  local pairs_of = { true_positives = { truth, guess }, true_negatives = { not_truth, not_guess },
    false_positives = { not_truth, guess }, false_negatives = { truth, not_guess } }
  for _, cell in ipairs(CELLS) do
    if self[cell] then
      self[cell]:assign_add(count(ops.logical_and(pairs_of[cell][1], pairs_of[cell][2])))
    end
  end
end

local function first_or_all(self, value)
  if #self.thresholds == 1 then
    return ops.squeeze(value, 0)
  end
  return value
end

local function define_counts(spec)
  define {
    name = spec.name,
    optional = { "thresholds", "top_k", "class_id" },
    direction = spec.direction,
    setup = function(self, o)
      self.thresholds = read_thresholds(self, o.thresholds, o.top_k and -1e10 or 0.5)
      make_cells(self, nil, spec.cells)
    end,
    methods = {
      update_state = function(self, y_true, y_pred, sample_weight)
        add(self, y_true, y_pred, sample_weight)
      end,
      result = function(self)
        return first_or_all(self, spec.result(self))
      end,
    },
  }
end

---@name pod.metrics.true_positives pod.metrics.true_negatives pod.metrics.false_positives pod.metrics.false_negatives
--- How many predictions are truly or falsely on which side of the threshold, weighed.
---@return metric
---@example pod.metrics.true_positives()({ { 1 }, { 0 } }, { { 0.8 }, { 0.7 } }):item() --> 1
for name, cell in pairs { TruePositives = "true_positives", FalsePositives = "false_positives",
  TrueNegatives = "true_negatives", FalseNegatives = "false_negatives" } do
  define_counts {
    name = name,
    cells = { cell },
    result = function(self)
      return self[cell]:value()
    end,
  }
end

-- The share of the cells `part` among these and those of `rest`.
local function share(self, part, rest)
  local hits = self[part]:value()
  return ops.divide_no_nan(hits, hits + self[rest]:value())
end

---@name pod.metrics.precision
--- Of what was taken for true, the share that is: `tp / (tp + fp)`.
---@return metric
---@example pod.metrics.precision()({ { 1 }, { 0 } }, { { 0.8 }, { 0.7 } }):item() --> 0.5

---@name pod.metrics.recall
--- Of what is true, the share that was found: `tp / (tp + fn)`.
---@return metric
---@example pod.metrics.recall()({ { 1 }, { 1 } }, { { 0.8 }, { 0.2 } }):item() --> 0.5

for name, rest in pairs { Precision = "false_positives", Recall = "false_negatives" } do
  define_counts {
    name = name,
    cells = { "true_positives", rest },
    direction = "up",
    result = function(self)
      return share(self, "true_positives", rest)
    end,
  }
end

return { read_thresholds = read_thresholds, make_cells = make_cells, add = add, share = share }
