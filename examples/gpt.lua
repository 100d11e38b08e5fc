-- A small GPT: a decoder of four layers (width 256, 4 heads, 128 places) that learns a text character by character.
-- Shows a model in bfloat16 on eight replicated cores, a layer class of one's own, AdamW, a rate that warms up and
-- falls, and sampling from the trained model in the terminal, a character at a time.
-- Prints a line every sixth of the steps, fifty at most, the test figures and a text that the model wrote.
--
--   moonpod examples/gpt.lua [steps=200] [text file] [seed=1] [precision=mixed_bfloat16]
--
-- Without a text file it is the King James Bible of Debian's package bible-kjv: apt-get install bible-kjv

pcall(dofile, ((arg and arg[0] or ""):match "^.*/" or "") .. "find_moonpod.lua") -- in a checkout
local pod = require "moonpod"
local layers = pod.layers

local steps, path, seed, precision = ...
steps, seed = tonumber(steps or 200), tonumber(seed or 1)
pod.random.set_seed(seed)
pod.mixed_precision.set_global_policy(precision or "mixed_bfloat16")

local LAYERS, WIDTH, HEADS, LENGTH, BATCH = 4, 256, 4, 128, 32
local PRINTED = math.max(1, math.min(50, math.floor(steps / 6))) -- steps of an epoch, that is of a printed line

-- ---- the text: printable ASCII and the end of a line, 96 characters ---------------------------------------------

local VOCABULARY, NEWLINE = 96, 95

local function read_text()
  if path and path ~= "" then
    local file = assert(io.open(path, "rb"))
    local text = file:read "*a"
    file:close()
    return text
  end
  return pod.datasets.kjv_text()
end

local function encode(text)
  local numbers = {}
  for i = 1, #text do
    local byte = text:byte(i)
    numbers[i] = byte == 10 and NEWLINE or byte >= 32 and byte < 127 and byte - 32 or 0
  end
  return numbers
end

local function decode(number)
  return number == NEWLINE and "\n" or string.char(number + 32)
end

-- Windows of LENGTH characters; the target of each character is the next one.
local function windows(text)
  local count = math.floor(#text / (LENGTH + 1))
  local rows = pod.tensor(encode(text:sub(1, count * (LENGTH + 1))), { dtype = "int32" }):reshape { count, LENGTH + 1 }
  return pod.data.from_tensor_slices { pod.slice_axis(rows, 1, 0, LENGTH), pod.slice_axis(rows, 1, 1, LENGTH + 1) },
    count
end

local text = read_text()
local cut = #text - math.min(math.floor(#text / 10), 20 * BATCH * (LENGTH + 1))
local train, count = windows(text:sub(1, cut))
train = train:shuffle(count, { seed = seed }):take(PRINTED * BATCH):batch(BATCH, { drop_remainder = true }):prefetch()
local test = windows(text:sub(cut + 1)):batch(BATCH)

-- ---- the model --------------------------------------------------------------------------------------------------

-- What a character is, plus where it is.
local token_and_place = layers.subclass {
  name = "TokenAndPlace",
  setup = function(self)
    self.tokens = layers.embedding(VOCABULARY, WIDTH)
    self.places = layers.embedding(LENGTH, WIDTH)
  end,
  call = function(self, x)
    return self.tokens(x) + self.places(pod.arange(0, LENGTH))
  end,
}

local function block(x)
  local y = layers.layer_normalization { epsilon = 1e-5 } (x)
  y = layers.multi_head_attention(HEADS, math.floor(WIDTH / HEADS))(y, y, { use_causal_mask = true })
  x = layers.add() { x, y }
  y = layers.layer_normalization { epsilon = 1e-5 } (x)
  y = layers.dense(4 * WIDTH, { activation = "gelu" })(y)
  return layers.add() { x, layers.dense(WIDTH)(y) }
end

local strategy = pod.distribute.tpu_strategy(pod.cluster.resolve { accelerator = "v3-8" })
-- An epoch is PRINTED steps on windows drawn from all of the text.
local model = strategy:scope(function()
  local input = layers.input { LENGTH, dtype = "int32" }
  local x = token_and_place()(input)
  for _ = 1, LAYERS do
    x = block(x)
  end
  local logits = layers.dense(VOCABULARY)(layers.layer_normalization { epsilon = 1e-5 } (x))
  local model = pod.models.functional { inputs = input, outputs = logits, name = "gpt" }
  model:compile {
    optimizer = pod.optimizers.adamw {
      learning_rate = pod.schedules.cosine_decay(1e-4, steps, { warmup_target = 1e-3, warmup_steps = 30 }),
      weight_decay = 0.01,
    },
    loss = pod.losses.sparse_categorical_crossentropy { from_logits = true },
    steps_per_execution = 5,
  }
  return model
end)
print(string.format("%d characters, %d parameters", #text, model:count_params()))
model:fit(train, { epochs = math.floor(steps / PRINTED), verbose = 2 })

local result = model:evaluate(test, { return_dict = true, verbose = 0 })
print(string.format("Test loss: %.5f (%.3f bits a character)", result.loss, result.loss / math.log(2)))

-- ---- writing ----------------------------------------------------------------------------------------------------

-- Draws the character after a window; a low temperature keeps to what is likely.
local draw = pod.func(function(window, temperature)
  local last = pod.slice_axis(model(window), 1, LENGTH - 1, LENGTH):cast "float32"
  return pod.random.categorical(last:reshape { 1, VOCABULARY } / temperature, 1)
end)

local window = encode(text:sub(cut + 1, cut + LENGTH))
io.write(text:sub(cut + 1, cut + LENGTH), "|")
for _ = 1, math.min(300, steps) do
  local number = draw(pod.tensor({ window }, { dtype = "int32" }), 0.6):item()
  io.write(decode(number))
  io.stdout:flush()
  table.remove(window, 1)
  window[LENGTH] = number
end
print()
