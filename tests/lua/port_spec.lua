-- moonpod port: what a ported script prints is what Python prints of the original, what it trains is what the script
-- ported by hand trains, and what is not ported says so where it stands.

local executable = require "tests.lua.support.executable"
local files = dofile "tests/lua/support/files.lua"
local pod = require "moonpod"
local port = require "moonpod.port"
local ported = require "tests.lua.support.ported"
local random_python = require "tests.lua.support.random_python"

local function output_of(command)
  local pipe = assert(io.popen(command))
  local text = pipe:read "*a"
  pipe:close()
  return text
end

-- What Lua text prints that runs with arguments of a script.
local function run(...)
  local out, failure = ported.run(...)
  return failure and error(failure, 0) or out
end

-- The port of a file all of which is ported.
local function whole(path)
  local text, refused = port(path)
  assert(text, refused)
  assert.same({}, refused)
  return text
end

-- Python that is not ported, and why.
local REFUSED = {
  { "import keras\nkeras.layers.Dense(3, units_=4)", 2, "pod.layers.dense has no option units_" },
  { "import keras\nkeras.layers.Sparkle(3)", 2, "nothing here is known to stand for keras.layers.Sparkle" },
  { "import pandas as pd\nx = pd.read_csv('x.csv')", 2, "to stand for pandas.read_csv; see pod.data.load_csv" },
  { "from matplotlib import pyplot as plt\nplt.legend()", 2, "for matplotlib.pyplot.legend; see pod.plot.line" },
  { "import numpy as np\nx = np.linalg.svd([1.0])", 2, "nothing here is known to stand for numpy.linalg.svd" },
  { "x = [1, 2]\nif x == [1, 2]:\n    print(x)", 2, "it compares lists" },
  { "x = 0\ny = x or 5", 2, "values that are not true or false" },
  { "x = [1] + [2]", 1, "lists are joined or repeated" },
  { 'words = "a b".split()', 1, "texts have no method split in Lua" },
  { "def f(*args):\n    return args", 1, "it takes any number of arguments" },
  { "x = [1]\ny = [*x]", 2, "it unpacks a list" },
  { "class A(dict):\n    pass", 1, "of classes, those of keras.Model" },
  { "def f(x=3):\n    return x\nf(None)", 3, "None may come to x" },
  { "def f(x=3):\n    return x\ndef g(y=None):\n    return f(y)\ng()", 4, "None may come to x" },
  { "def f(x=3):\n    return x\nd = {'a': 1}\nf(d.get('b'))", 4, "None may come to x" },
  { "def f(x=3):\n    return x\ndef g(h):\n    return h(None)\ng(f)", 4, "None may come to a parameter" },
  { "for x in [None, 2]:\n    print(x)", 1, "None may come into a list" },
  { "import numpy as np\na = np.ones(3)\nb = a\nb += 1", 4, "another name may have the same array" },
  { "import numpy as np\na = np.ones(3)\nb, c = a, 1\nb += 1", 4, "another name may have the same array" },
  { "import numpy as np\na = np.ones(3)\nb = a[:2]\nb *= 2", 4, "another name may have the same array" },
  { "import numpy as np\ndef f(x):\n    x /= 2\n    return x\na = np.ones(3)\nb = f(a)", 3, "the same array" },
  { "def f(x):\n    return x.copy()\na = f([1])", 2, "lists and arrays are copied" },
  { "x = (None, 28)", 1, "None may come into a list" },
  { "d = {'a': 1}\nx = [d.get(k) for k in ['a', 'b']]", 2, "None may come into a list" },
  { "def f(x):\n    if x:\n        return 1\nx = []\nx.append(f(0))", 5, "None may come into a list" },
  { "d = {'a': None}", 1, "None may come into a list or a dictionary" },
  { "d = {'a': 1}\nd['b'] = None", 2, "None may come into a list or a dictionary" },
  { "d = {k: None if k else 1 for k in [0, 1]}", 1, "None may come into a list or a dictionary" },
  { "d = {'a': 1}\nd['b'] = 2\nfor k, v in d.items():\n    print(k)", 3, "tables of Lua have no order" },
  { "with open('x') as f:\n    pass", 1, "strategy.scope%(%) and tf.GradientTape%(%) are ported" },
  { "import keras\n(a, b) = keras.datasets.mnist.load_data()", 2, "write %(x_train, y_train%)" },
  { "import keras\na = keras.datasets.mnist.load_data()", 2, "write %(x_train, y_train%)" },
  { "import tensorflow as tf\nds = tf.data.Dataset.range(3)\nfor batch in ds:\n    print(batch)", 3,
    "several values here" },
  { "x = 1 < 2 < 3", 1, "of three values" },
  { "x = {1, 2}", 1, "Set is not ported" },
  { "try:\n    x = 1 < 2 < 3\nexcept:\n    x = 1", 2, "of three values" },
  { "import keras\nx = keras.ops.zeros((3,))\nx[0] = 1", 3, "are not changed in place" },
  { "print('%s' % (round(2.5),))", 1, "there is no round here" },
  { "for i in [2]:\n    if i > 0:\n        if i > 1:\n            continue\n        print(i)\n    print(i)", 4,
    "Lua 5.1 has no continue" },
  { "def f(x):\n    try:\n        return x\n    except:\n        return 0\nf(1)", 3, "return leaves a block" },
  { "for i in [1]:\n    try:\n        break\n    except:\n        pass", 3, "break leaves a block" },
  { "def f(d):\n    return d[1]\nprint(f({1: 2}))", 2, "or a dictionary with numbers as keys" },
  { "def f(x):\n    if x > 0:\n        return x, x\n    return x\ny = f(1)", 5, "one value or several" },
  { "import numpy as np\nx = np.cumsum(np.ones((2, 2)))", 2, "it names no axis" },
  { "f = len\nprint(f([1]))", 1, "there is no len here that could be a value" },
  { "try:\n    x = 1\nfinally:\n    x = 2", 1, "more than try and one except" },
}

describe("port", function()
  after_each(files.remove_given)

  it("prints of the language what Python prints", function()
    local path = "tests/golden/port/language.py"
    assert.equal(output_of("python3 " .. path), run(whole(path)))
  end)

  it("prints of arrays what NumPy prints", function()
    local text = run(whole(files.with [[
import numpy as np
x = np.reshape(np.array([float(i) for i in range(24)]), (2, 3, 4))
k = 1
print(int(np.sum(x[:, 1])), int(np.sum(x[:, k, 2:])), int(np.sum(x[0])), int(np.sum(x[..., -1])))
print("%.2f" % float(np.sum(np.round(x / 7, 2))), max([3, 1, 2]), min([3, 1, 2]))
rng = np.random.default_rng(3)
y = rng.normal(100.0, 0.001, size=(50, 2)) + rng.random((50, 2)) * 0.001
print(int(float(np.mean(y)) + 0.5), y.shape[0], int(np.max(rng.integers(4, 6, size=(99,)))))
a, b = np.array([1., 2., 4., 8.]), np.array([1., 0., 4., 0.])
def right(p, y):
    return int(100 * float(np.mean(p == y)))
def wrong(p, y):
    return int(100 * float(np.mean(p != y)))
def pick(x, i):
    return x[i]
print(right(a, b), wrong(a, a), int(pick(a, -1)), int(np.sum(pick(a, np.array([3, 0])))), a[None].shape[0])
print(["no", "yes"][np.argmax(b)] if k > 1 else ["x", "y", "z"][np.argmax(b)])
]]))
    assert.equal("92 50 66 78\n39.43 3 1\n100 50 5\n50 0 8 9 1\nz\n", text)
  end)

  it("goes through the rows of arrays, draws single numbers, knows Python's types", function()
    local text = run(whole(files.with [[
import numpy as np
import tensorflow as tf
rng = np.random.default_rng(3)
labels = np.array([0, 2, 1])
print([int(v) * 2 for v in labels])
for row, name in zip(np.ones((2, 3)), ["x", "y"]):
    print(name, int(np.sum(row)))
drawn = [int(rng.integers(2, 5)) + 10 * np.random.randint(2, 5) for i in range(99)]
print(min(drawn), max(drawn), rng.random() < 1, rng.normal(9.0, 0.1) > 8, np.random.uniform(3, 4) >= 3)
print(np.zeros((1, 2), dtype=int), np.ones(2, dtype=bool).dtype)
print(labels[1] + 1, np.array([-1, 2]).dtype, np.array([1, 2.5]).dtype, tf.constant((1, 2)).dtype)
]]))
    assert.equal("0, 4, 2\nx 3\ny 3\n22 44 true true true\n[[0 0]]\nint64 (1, 2) on CPU:0 bool\n"
      .. "3 int64 float32 int32\n", text)
  end)

  it("takes the axis that TensorFlow takes where a script names none", function()
    local text = whole(files.with "import tensorflow as tf\nx = tf.argmax(tf.constant([[1, 5], [2, 3]]))\nprint(x)\n")
    assert.truthy(text:find("axis = 0", 1, true) or text:find(", 0)", 1, true), text)
  end)

  it("gives what a block with a strategy returns", function()
    local text = run(whole(files.with [[
import tensorflow as tf
strategy = tf.distribute.get_strategy()
def make():
    with strategy.scope():
        x = 3
        return x + 1
print(make())
]]))
    assert.equal("4\n", text)
  end)

  it("gives arguments without a name to those that Keras' come to", function()
    local text = whole(files.with("import keras\na = keras.optimizers.AdamW(1e-3, 0.01)\nb = keras.layers.ReLU(6.0)\n"
      .. "c = keras.losses.BinaryCrossentropy(True)\nd = keras.metrics.AUC(50)\n"))
    for _, wanted in ipairs { "adamw { learning_rate = 1e-3, weight_decay = 0.01 }", "re_lu { max_value = 6.0 }",
      "binary_crossentropy { from_logits = true }", "auc { num_thresholds = 50 }" } do
      assert.truthy(text:find(wanted, 1, true), text)
    end
  end)

  local case = executable.program and it or pending
  case("says what it needs where there is no Python", function()
    local text = executable.shell(("PATH=/nowhere %s port %s"):format(executable.quote(executable.program),
      files.with "x = 1"))
    assert.matches("Python 3 .* is not there: apt%-get install python3", text)
  end)

  it("prints of random scripts what Python prints, or says what it does not port", function()
    local counts = { equal = 0, refused = 0, invalid = 0 }
    for seed = 1, os.getenv "MOONPOD_LONG" and 1000 or _VERSION == "Lua 5.4" and 12 or 3 do
      local fault, verdict = ported.fault(random_python.program(ported.numbers_from(seed)))
      assert(not fault, ("seed %d: %s"):format(seed, fault or ""))
      counts[verdict] = counts[verdict] + 1
    end
    assert(counts.equal > counts.refused + counts.invalid, "most are ported as a whole")
  end)

  it("trains as the scripts that were ported by hand", function()
    local folder = files.temporary()
    local data = assert((loadstring or load)("local print, arg = ... " .. files.read "examples/from_keras/data.lua"
      :gsub("\n[^\n]*find_moonpod[^\n]*", "\n"):gsub("= %.%.%.\n", "= arg[1], 0.05, 1\n"))) -- luacheck: ignore
    data(function() end, { folder })
    for _, name in ipairs { "tabular", "pictures" } do
      local by_hand = files.read("examples/from_keras/" .. name .. ".lua"):gsub("\n[^\n]*find_moonpod[^\n]*", "\n")
        :gsub("seed = %.%.%.", "seed = arg[1], arg[2]")
      local function last(text)
        text = text:gsub("verbose = 2", "verbose = 0"):gsub("model:summary%(%)\n", "")
        return run(text, folder, "3"):match "test [^\n]*\n$"
      end
      local theirs = last(by_hand)
      assert(theirs and theirs:find "%d", theirs)
      assert.equal(theirs, last(whole("examples/from_keras/" .. name .. ".py")))
    end
    os.execute("rm -r '" .. folder .. "'")
  end)

  it("trains on a TPU's cores, with classes and a step of one's own", function()
    local text = run((whole "tests/golden/port/tpu.py":gsub("EPOCHS = 3", "EPOCHS = 1")
      :gsub("validation_data = test_ds", "verbose = 0")))
    assert(text:find "^Number of replicas: 8\n", text)
    assert(tonumber(text:match "Test accuracy: ([%d.]+)") > 0.7, text)
    text = run(whole "tests/golden/port/own_step.py")
    assert(text:find "^20 %-4 8\n$", text)
  end)

  for _, one in ipairs(REFUSED) do
    it("says that it does not port: " .. one[1]:gsub("\n%s*", "; "), function()
      local path = files.with("a = 1\n" .. one[1] .. "\n")
      local text, refused = port(path)
      assert(text, refused)
      assert.equal(1, #refused)
      assert.equal(one[2] + 1, refused[1].line)
      assert(refused[1].why:find(one[3]), refused[1].why)
      local ok, failure = pcall(run, text)
      assert.is_false(ok)
      assert(tostring(failure):find(("%s:%d is not ported: "):format(path, one[2] + 1), 1, true), failure)
    end)
  end

  it("joins inputs by functions of layers", function()
    local text = whole(files.with [[
import keras
from keras.layers import concatenate
a = keras.Input(shape=(4,))
b = keras.layers.add([a, a], name="sum")
c = concatenate([a, b], axis=1)
d = keras.layers.dot(inputs=[a, b], axes=1, normalize=True)
model = keras.Model(a, keras.layers.maximum([concatenate([c, c], 1), d]))
y = model.predict(keras.ops.ones((2, 4)), verbose=0)
print(y.shape[1], model.layers[1].name)
]])
    assert.equal("16 sum\n", run(text))
  end)

  it("takes one of the two sets, and models that are never called", function()
    local text = whole(files.with [[
import keras
import tensorflow as tf
class Halver(keras.Model):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.inner(x) - y))
        gradients = tape.gradient(loss, self.trainable_weights)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_weights))
        return {"loss": loss}
(x, y), _ = keras.datasets.fashion_mnist.load_data()
_, (a, b) = keras.datasets.fashion_mnist.load_data()
model = Halver(keras.Sequential([keras.layers.Dense(1)]))
model.compile(optimizer="sgd")
model.fit(x[:8, 0] / 255.0, y[:8] / 255.0, verbose=0)
print(x.shape[0], a.shape[0])
]])
    assert.equal("60000 10000\n", run(text))
    local model = pod.models.subclass { train_step = function() end } ()
    assert.error_matches(function() model(pod.ones { 1 }) end, "Model is not called: its class has no function 'call'")
  end)

  it("keeps comments, blank lines and the words at the begin", function()
    local path = files.with('"""What it is."""\n\n# one\nx = 1  # two\n\n\n# three\ny = 2\n')
    assert.equal('-- What it is.\n\nlocal pod = require "moonpod"\n\n-- one\n-- two\nlocal x = 1\n\n-- three\n'
      .. "local y = 2\n", (whole(path)))
  end)

  it("names files that it writes itself as ours are", function()
    local path = files.with [[
import keras
model = keras.models.load_model("theirs.keras")
best = keras.callbacks.ModelCheckpoint("best.keras", save_best_only=True)
model.save("all.keras")
again = keras.models.load_model("all.keras")
]]
    local text = whole(path)
    for _, line in ipairs { 'local model = pod.models.load "theirs.keras"', 'model:save "all.safetensors"',
      'local best = pod.callbacks.model_checkpoint("best.safetensors", { save_best_only = true })',
      'local again = pod.models.load "all.safetensors"' } do
      assert(text:find(line, 1, true), text)
    end
  end)

  it("says what is no Python", function()
    local text, failure = port(files.with "x = (\n")
    assert.is_nil(text)
    assert(failure:find "^it is no Python 3: ", failure)
    text, failure = port(files.temporary())
    assert.is_nil(text)
    assert(failure:find "No such file", failure)
  end)
end)

describe("the command moonpod port", function()
  after_each(files.remove_given)

  local function command(words)
    return executable.shell(("'%s' port %s"):format(executable.program, words))
  end

  it("prints the script and what is not ported, and ends with 0, 2 or 1", function()
    local text, status = command(files.with "print('yes')\n")
    assert.equal(0, status)
    assert(text:find('print "yes"', 1, true), text)
    text, status = command(files.with "print('yes')\nx = {1}\n")
    assert.equal(2, status)
    assert(text:find(":2 is not ported: Set is not ported\n    x = {1}\n", 1, true), text)
    text, status = command "/nowhere/there.py"
    assert.equal(1, status)
    assert(text:find("^moonpod port: /nowhere/there.py: "), text)
    text, status = command ""
    assert.equal(1, status)
    assert(text:find "^usage: moonpod port FILE.py", text)
  end)
end)
