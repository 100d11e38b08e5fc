-- Multi-head attention, and grouped-query attention, in which several query heads share keys and values.

local check = require "moonpod.layers.check"
local errors = require "moonpod.base.errors"
local layer = require "moonpod.layers.layer"
local masks = require "moonpod.layers.attention_masks"
local nest = require "moonpod.tensor.nest"
local ops = require "moonpod.ops"
local parts = require "moonpod.layers.parts"
local random = require "moonpod.func.random"
local random_state = require "moonpod.func.random_state"
local regularizers = require "moonpod.layers.regularizers"
local product = require("moonpod.base.shapes").product
local tables = require "moonpod.base.tables"
local trace = require "moonpod.tensor.trace"

local seed_of = random_state.seed_of_call

local heads = {}

-- Defines a layer of heads; spec: what differs.
local function define(spec)
  return layer.define(tables.merge(spec, {
    several_inputs = true,
    supports_masking = true,
    float_inputs = true,
    defaults = { dropout = 0.0, use_bias = true, use_gate = false },
    weights = { kernel = "glorot_uniform", bias = "zeros" },
    optional = { "seed" },
    checks = tables.merge({ dropout = check.rate, use_bias = check.boolean, use_gate = check.boolean,
      flash_attention = check.boolean }, spec.checks),
  }))
end

-- ---- projections ---------------------------------------------------------------------------------------------------

-- Weights that bring features to heads (shape = { features, heads, size }) or back (bound = 2).
local function projection(self, name, shape, bound)
  bound = bound or 1
  local made = { kernel = parts.weight(self, name .. "/kernel", shape, { prefix = "kernel",
    fans = { product(shape, 1, bound), product(shape, bound + 1) } }) }
  if self.config.use_bias then
    made.bias = parts.weight(self, name .. "/bias", tables.slice(shape, bound + 1), { prefix = "bias" })
  end
  return made
end

-- Makes the projections for shapes of inputs. sizes: how many heads queries have, and keys and values (`shared`), and
-- the sizes of a head, of its values and of what comes out.
local function add_projections(self, query, key, value, sizes)
  self._query = projection(self, "query", { query[#query], sizes.heads, sizes.head })
  self._key = projection(self, "key", { key[#key], sizes.shared, sizes.head })
  if self.config.use_gate then
    self._gate = projection(self, "gate", { query[#query], sizes.heads, sizes.value })
  end
  self._value = projection(self, "value", { value[#value], sizes.shared, sizes.value })
  self._output = projection(self, "attention_output", { sizes.heads, sizes.value, sizes.output }, 2)
end

-- The product of the last `bound` axes of x with a projection's weights.
local function project(self, x, weights, bound)
  local kernel = ops.cast(weights.kernel:value(), x.dtype)
  local inner, outer = product(kernel.shape, 1, bound), product(kernel.shape, bound + 1)
  local shape = tables.slice(x.shape, 1, #x.shape - bound)
  local y = ops.matmul(bound == 1 and x or ops.reshape(x, tables.join(shape, { inner })),
    ops.reshape(kernel, { inner, outer }))
  if weights.bias then
    y = y + ops.reshape(ops.cast(weights.bias:value(), x.dtype), { outer })
  end
  y = ops.reshape(y, tables.extend(shape, tables.slice(kernel.shape, bound + 1)))
  if self._projection_regularizer then
    self:add_activity_loss(self._projection_regularizer, y)
  end
  return y
end

-- query, value and key from a tensor, { query, value } or { query, value, key }; also of their shapes.
local function read_inputs(inputs, is_one)
  if is_one then
    return inputs, inputs, inputs
  end
  return inputs[1], inputs[2] or inputs[1], inputs[3] or inputs[2] or inputs[1]
end

local function inputs_of(inputs)
  return read_inputs(inputs, nest.is_leaf(inputs))
end

local function setup(self, config)
  -- As in Keras it is for what each projection gives, not for the output of the layer.
  self._projection_regularizer = regularizers.get(config.activity_regularizer, "activity_regularizer")
  self.regularizes_itself = true
  self.runs_once = self._projection_regularizer ~= nil
end

-- ---- attention -----------------------------------------------------------------------------------------------------

-- The same as attend(), with shares that are values of their own: q, k and v are [batch, heads, places, size].
local function attend_openly(q, k, v, options)
  local scores = ops.matmul(q * options.scale, ops.transpose(k, { 0, 1, 3, 2 }))
  if scores.dtype ~= "float64" then
    scores = ops.cast(scores, "float32")
  end
  local mask = options.mask
  if options.causal then
    mask = masks.both(mask, ops.expand_dims(masks.causal(q.shape[3], k.shape[3]), 1))
  end
  if mask ~= nil then
    scores = ops.where(mask, scores, -1e9)
  end
  local shares = ops.softmax(scores, -1)
  if mask ~= nil and options.zero_masked then
    shares = ops.where(mask, shares, 0)
  end
  shares = ops.cast(shares, q.dtype)
  local used = shares
  if options.dropout > 0 then
    used = random.dropout(shares, options.dropout, { seed = seed_of(options) })
  end
  return ops.matmul(used, v), shares
end

local function swap(x)
  return ops.transpose(x, { 0, 2, 1, 3 })
end

-- What a query [batch, queries, heads, size] gets of the values, in that form, and, where options.shares asks for them,
-- the shares [batch, heads, queries, keys]. Keys and values may have fewer heads, each for as many queries. Options:
-- mask (true where a query may look, of shape that broadcasts to the shares'), causal, scale, zero_masked (a query that
-- may look nowhere gets 0 instead of the mean), dropout (a rate), seed, shares.
local function attend(q, k, v, options)
  local inputs, place = { q, k, v, options.mask }, nil
  if options.dropout > 0 and not options.shares then
    inputs[#inputs + 1], place = random.draw(seed_of(options))
  end
  if not options.shares and (options.dropout == 0 or place) then
    return trace.composite("attention", inputs, { axis = 2, values = { options.scale, options.dropout }, seed = place,
      flag = options.causal or nil, count = options.zero_masked and 1 or nil })
  end
  local times = q.shape[3] / k.shape[3]
  if times > 1 then
    k, v = ops.repeat_(k, times, 2), ops.repeat_(v, times, 2)
  end
  local y, shares = attend_openly(swap(q), swap(k), swap(v), options)
  return swap(y), shares
end

-- What queries get of the values, by the options of a layer and of its call. `more`: the mask, the size that scores are
-- scaled by, and whether a query that may look nowhere gets 0.
local function attend_by(self, q, k, v, options, more)
  local config = self.config
  return attend(q, k, v, {
    mask = more.mask,
    causal = options.use_causal_mask,
    scale = 1 / math.sqrt(more.size),
    zero_masked = config.dropout > 0 or options.return_attention_scores or more.zero_masked,
    dropout = options.training and config.dropout or 0,
    seed = config.seed,
    shares = options.return_attention_scores,
  })
end

-- What comes out of a layer's heads, through its gate, if it has one, and the last projection.
local function project_out(self, y, gate)
  return project(self, gate and y * gate or y, self._output, 2)
end

-- ---- multi-head attention ------------------------------------------------------------------------------------------

---@name pod.layers.multi_head_attention
--- Attention of several heads (Vaswani et al. 2017): query, value and key are projected for each head, attended, joined
--- and projected back. Called with query and value, and key if it is another: `(batch, steps, size)` each. Options of
--- the call: `attention_mask`, `use_causal_mask`, `return_attention_scores`.
---@param options.num_heads integer how many heads
---@param options.key_dim integer the size of a head's queries and keys
---@param options.value_dim integer the size of a head's values (default: `key_dim`)
---@param options.output_shape integer|integer[] the size of what comes out (default: the query's)
---@param options.attention_axes integer|integer[] the axes that are attended over (default: all but the first and last)
---@param options.sliding_window integer how many steps around it a query sees (default: all)
---@return layer
---@example pod.layers.multi_head_attention(2, 4)(pod.ones { 1, 5, 8 }, pod.ones { 1, 3, 8 }).shape --> (1, 5, 8)
heads.multi_head_attention = define {
  name = "MultiHeadAttention",
  arguments = { "num_heads", "key_dim" },
  checks = { num_heads = check.positive_integer, key_dim = check.positive_integer,
    value_dim = check.positive_integer, output_shape = check.positive_integer, attention_axes = check.axes,
    sliding_window = check.positive_integer },
  example = "layers.multi_head_attention(8, 64)",
}

local many = heads.multi_head_attention
many.setup = setup

-- The axes of an input of so many axes over which attention goes, sorted: those given, or all between batch and
-- features.
local function attention_axes(self, rank)
  local given, axes = self.config.attention_axes, {}
  if given == nil then
    return tables.range(1, rank - 2)
  end
  for i, axis in ipairs(type(given) == "table" and given or { given }) do
    axes[i] = axis < 0 and axis + rank or axis
    if axes[i] < 1 or axes[i] > rank - 2 then
      check.fail(self, ": attention_axes has %d; for an input of %d axes they are from 1 to %d", axis, rank, rank - 2)
    end
  end
  table.sort(axes)
  return axes
end

function many:build(shapes)
  local query, value, key = read_inputs(shapes, type(shapes[1]) ~= "table")
  for _, shape in ipairs { query, value, key } do
    if #shape < 3 or #shape ~= #query then
      check.fail(self, " wants (batch, time, features), with as many axes in query, value and key; got %d axes", #shape)
    end
    check.known_size(self, shape[#shape], -1)
  end
  attention_axes(self, #query)
  local config = self.config
  add_projections(self, query, key, value, { heads = config.num_heads, shared = config.num_heads, head = config.key_dim,
    value = config.value_dim or config.key_dim, output = config.output_shape or query[#query] })
end

-- How [batch, axes..., heads, size] becomes [batch, attention axes, other axes * heads, size]: the order of axes, and
-- the sizes of the others and of those of attention.
local function head_order(shape, axes)
  local is_attention, order, others, own = {}, { 0 }, {}, {}
  for _, axis in ipairs(axes) do
    is_attention[axis] = true
    order[#order + 1] = axis
    own[#own + 1] = shape[axis + 1]
  end
  for axis = 1, #shape - 3 do
    if not is_attention[axis] then
      order[#order + 1] = axis
      others[#others + 1] = shape[axis + 1]
    end
  end
  return tables.extend(order, { #shape - 2, #shape - 1 }), others, own
end

-- Returns x in that form, and what from_heads needs to undo it.
local function to_heads(x, axes)
  local order, others, own = head_order(x.shape, axes)
  local count, size = x.shape[#x.shape - 1], x.shape[#x.shape]
  if #others > 0 then
    x = ops.transpose(x, order)
  end
  local y = ops.reshape(x, { x.shape[1], product(own), product(others) * count, size })
  return y, { order = order, others = others, own = own, batch = x.shape[1], count = count }
end

local function from_heads(y, form)
  y = ops.reshape(y, tables.join({ form.batch }, form.own, form.others, { form.count, y.shape[4] }))
  if #form.others == 0 then
    return y
  end
  local back = {}
  for i, axis in ipairs(form.order) do
    back[axis + 1] = i - 1
  end
  return ops.transpose(y, back)
end

-- The mask of all that keeps a query from a key, but for its place when causal, as [batch or 1, 1, queries, keys]; nil
-- for none.
local function whole_mask(self, query, value, key, options, forms)
  local mask = masks.of_padding(options, query, value, key)
  if mask ~= nil and #query.shape ~= 3 then
    check.fail(self, ": masks of inputs with %d axes are not possible; give attention_mask", #query.shape)
  end
  if self.config.sliding_window then
    mask = masks.both(mask, masks.sliding(query.shape[2], value.shape[2], self.config.sliding_window))
  end
  local given = options.attention_mask
  if given ~= nil then
    given = ops.cast(given, "bool")
    local own, others = forms.query.own, forms.query.others
    local wanted = 1 + #own + #forms.key.own
    if #given.shape == wanted and #others == 0 then
      given = ops.reshape(given, { given.shape[1], product(own), product(forms.key.own) })
    elseif #given.shape ~= 4 or #query.shape ~= 3 then
      check.fail(self, ": attention_mask has shape %s; it must be (batch, queries, keys)", tostring(given.shape))
    end
    if #given.shape == 4 and mask ~= nil then
      mask = ops.expand_dims(mask, 1)
    end
    mask = masks.both(mask, given)
  end
  return mask ~= nil and #mask.shape == 3 and ops.expand_dims(mask, 1) or mask
end

-- How many heads keys and values have, and the sizes of both, for who keeps them.
function many:_kept_heads()
  local config = self.config
  return config.num_heads, config.key_dim, config.value_dim or config.key_dim
end

-- What places get of all places until then: `places` keeps keys and values (moonpod.models.generator).
local function attend_to_kept(self, q, k, v, places, size)
  return attend_by(self, q, places:keep("keys", k), places:keep("values", v), {},
    { size = size, mask = places:mask(q.shape[2]) })
end

-- Call options: attention_mask [batch, queries, keys] (true where a query may look), use_causal_mask,
-- return_attention_scores, places.
function many:call(inputs, options)
  local query, value, key = inputs_of(inputs)
  local axes = attention_axes(self, #query.shape)
  local q, query_form = to_heads(project(self, query, self._query, 1), axes)
  local k, key_form = to_heads(project(self, key, self._key, 1), axes)
  local gate = self._gate and ops.sigmoid(project(self, query, self._gate, 1))
  local v = to_heads(project(self, value, self._value, 1), axes)
  if options.places then
    return project_out(self, attend_to_kept(self, q, k, v, options.places, self.config.key_dim), gate)
  end
  local y, shares = attend_by(self, q, k, v, options, { size = self.config.key_dim, zero_masked = #query.shape ~= 3,
    mask = whole_mask(self, query, value, key, options, { query = query_form, key = key_form }) })
  y = project_out(self, from_heads(y, query_form), gate)
  if options.return_attention_scores then
    return { y, ops.reshape(shares, tables.join({ query_form.batch }, query_form.others, { query_form.count },
      query_form.own, key_form.own)) }
  end
  return y
end

local function compute_mask(_, inputs)
  return nest.mask_of((inputs_of(inputs)))
end

many.compute_mask = compute_mask

-- ---- grouped-query attention ---------------------------------------------------------------------------------------

---@name pod.layers.group_query_attention
--- Attention whose heads share keys and values in groups (Ainslie et al. 2023). Called as `multi_head_attention` is.
---@param options.head_dim integer the size of a head
---@param options.num_query_heads integer a multiple of `num_key_value_heads`
---@param options.num_key_value_heads integer how many heads keys and values have
---@return layer
---@example pod.layers.group_query_attention(4, 4, 2)(pod.ones { 1, 5, 8 }, pod.ones { 1, 5, 8 }).shape --> (1, 5, 8)
heads.group_query_attention = define {
  name = "GroupQueryAttention",
  arguments = { "head_dim", "num_query_heads", "num_key_value_heads" },
  checks = { head_dim = check.positive_integer, num_query_heads = check.positive_integer,
    num_key_value_heads = check.positive_integer },
  example = "layers.group_query_attention(64, 8, 2)",
}

local grouped = heads.group_query_attention

function grouped:setup(config)
  setup(self, config)
  if config.num_query_heads % config.num_key_value_heads ~= 0 then
    errors.raise("layers.group_query_attention: 'num_query_heads' must be a multiple of num_key_value_heads (%d); got "
      .. "%d", config.num_key_value_heads, config.num_query_heads)
  end
end

function grouped:build(shapes)
  local query, value, key = read_inputs(shapes, type(shapes[1]) ~= "table")
  for _, shape in ipairs { query, value, key } do
    if #shape ~= 3 then
      check.fail(self, " wants (batch, time, features); got %d axes", #shape)
    end
    check.known_size(self, shape[3], -1)
  end
  local config = self.config
  add_projections(self, query, key, value, { heads = config.num_query_heads, shared = config.num_key_value_heads,
    head = config.head_dim, value = config.head_dim, output = query[3] })
end

function grouped:_kept_heads()
  return self.config.num_key_value_heads, self.config.head_dim, self.config.head_dim
end

-- Call options: attention_mask, use_causal_mask, return_attention_scores, places.
function grouped:call(inputs, options)
  local query, value, key = inputs_of(inputs)
  local q, k = project(self, query, self._query, 1), project(self, key, self._key, 1)
  local gate = self._gate and ops.sigmoid(project(self, query, self._gate, 1))
  local v = project(self, value, self._value, 1)
  if options.places then
    return project_out(self, attend_to_kept(self, q, k, v, options.places, self.config.head_dim), gate)
  end
  local mask = masks.of_padding(options, query, value, key)
  if options.attention_mask ~= nil then
    mask = masks.both(mask, ops.cast(options.attention_mask, "bool"))
  end
  local y, shares = attend_by(self, q, k, v, options, { size = self.config.head_dim,
    mask = mask ~= nil and #mask.shape == 3 and ops.expand_dims(mask, 1) or mask })
  y = project_out(self, y, gate)
  if options.return_attention_scores then
    return { y, shares }
  end
  return y
end

grouped.compute_mask = compute_mask

return heads
