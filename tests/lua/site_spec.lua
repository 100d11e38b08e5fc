-- The site of the book: its search finds what is meant, also by the names of other frameworks; its first page shows
-- what a script does; nothing is cut on a phone, a tablet or a small screen.

package.path = "docs/site/?.lua;" .. package.path

local executable = require "tests.lua.support.executable"
local files = require "tests.lua.support.files"
local pages = require "pages"
local peers = require "tests.lua.support.peers"

-- What is typed, and the heading of the reference that is meant.
local QUERIES = [[
EarlyStopping                     pod.callbacks.early_stopping
ModelCheckpoint                   pod.callbacks.model_checkpoint
ReduceLROnPlateau                 pod.callbacks.reduce_lr_on_plateau
keras.callbacks.TensorBoard       pod.callbacks.tensorboard
LearningRateScheduler             pod.callbacks.learning_rate_scheduler
tf.GradientTape                   pod.tape
tf.function                       pod.func
tf.Variable                       pod.variable
tf.TensorSpec                     pod.spec
layers.Dense                      pod.layers.dense
Conv2D                            pod.layers.conv2d
MaxPool2D                         pod.layers.max_pooling2d
BatchNormalization                pod.layers.batch_normalization
MultiHeadAttention                pod.layers.multi_head_attention
TextVectorization                 pod.layers.text_vectorization
StringLookup                      pod.layers.string_lookup
keras.Sequential                  pod.models.sequential
keras.Model                       pod.models.functional
model.fit                         model:fit
load_model                        pod.models.load
SparseCategoricalCrossentropy     pod.losses.sparse_categorical_crossentropy
keras.losses.Huber                pod.losses.huber
metrics.F1Score                   pod.metrics.f1_score
tf.keras.metrics.AUC              pod.metrics.auc
ExponentialDecay                  pod.schedules.exponential_decay
pad_sequences                     pod.utils.pad_sequences
to_categorical                    pod.utils.to_categorical
plot_model                        pod.utils.plot_model
tf.data.Dataset.prefetch          dataset:prefetch
Dataset.padded_batch              dataset:padded_batch
tf.data.Dataset.interleave        dataset:interleave
from_tensor_slices                pod.data.from_tensor_slices
TFRecordDataset                   pod.data.tfrecord
TextLineDataset                   pod.data.text_lines
image_dataset_from_directory      pod.data.image_dataset_from_directory
tf.distribute.TPUStrategy         pod.distribute.tpu_strategy
MirroredStrategy                  pod.distribute.mirrored
torch.utils.data.DataLoader       pod.data.from_tensor_slices
TensorDataset                     pod.data.from_tensor_slices
random_split                      dataset:take
nn.Module                         pod.models.subclass
nn.Linear                         pod.layers.dense
nn.BatchNorm2d                    pod.layers.batch_normalization
nn.CrossEntropyLoss               pod.losses.sparse_categorical_crossentropy
BCEWithLogitsLoss                 pod.losses.binary_crossentropy
torch.optim.AdamW                 pod.optimizers.adamw
CosineAnnealingLR                 pod.schedules.cosine_decay
torch.manual_seed                 pod.random.set_seed
torch.no_grad                     pod.stop_gradient
state_dict                        model:save_weights
DistributedDataParallel           pod.distribute.tpu_strategy
torch.cuda.amp.autocast           pod.mixed_precision.set_global_policy
torch.cat                         pod.concat
jax.jit                           pod.func
jax.vmap                          pod.func
jax.grad                          pod.tape
value_and_grad                    pod.tape
lax.cond                          pod.cond
jnp.einsum                        pod.einsum
jax.random.PRNGKey                pod.random.generator
]]

-- The same, of those that nobody had thought of at first.
local MORE = [[
tf.reduce_mean                    pod.mean
jax.checkpoint                    pod.remat
jax.lax.scan                      pod.while_loop
jax.random.split                  pod.random.generator
torch.save                        model:save
torch.compile                     pod.func
OneCycleLR                        pod.schedules.cosine_decay
ImageDataGenerator                pod.data.image_dataset_from_directory
class_weight                      model:fit
early stop                        pod.callbacks.early_stopping
gradient clipping                 pod.optimizers.adam
out of memory                     model:memory_report
how to save a model               model:save
mnist                             pod.datasets.mnist
torch.zeros                       pod.zeros
freeze layers                     layer:set_trainable
]]

-- What is typed by who mistypes.
local TYPOS = [[
EarlyStoping                      pod.callbacks.early_stopping
gradienttpae                      pod.tape
Conv2d_transpos                   pod.layers.conv2d_transpose
dropuot                           pod.layers.dropout
SparseCategoricalCrosentropy      pod.losses.sparse_categorical_crossentropy
shufle                            dataset:shuffle
]]

-- Tests are pending where a program that they need is not there, but in CI, where it has to be.
local function needs(...)
  for _, program in ipairs { ... } do
    local _, code = executable.shell(program .. " --version")
    if code ~= 0 and os.getenv "CI" ~= "true" then
      return pending
    end
  end
  return it
end

describe("the search of the book", function()
  local folder = files.temporary()

  setup(function()
    executable.shell("mkdir " .. folder)
    local text, code = executable.shell(("lua5.4 docs/site/make.lua . %s index"):format(folder))
    assert.equal(0, code, text)
  end)

  teardown(function()
    executable.shell("rm -r " .. folder)
  end)

  -- Returns how many queries have what is meant first, those that have not, with what they have, and those that have it
  -- not at all.
  local function count(queries)
    local meant, typed = {}, {}
    for query, heading in queries:gmatch "([^\n]-)  +(%S+)\n" do
      typed[#typed + 1], meant[#meant + 1] = "'" .. query .. "'", heading
    end
    local output = executable.shell(("printf '%%s\n' %s | node tests/tools/site_search.js %s"):format(
      table.concat(typed, " "), folder))
    local i, first, others, missing = 0, 0, {}, {}
    for line in output:gmatch "([^\n]*)\n" do
      i = i + 1
      if line:find(meant[i] .. "\t", 1, true) == 1 then
        first = first + 1
      else
        others[#others + 1] = ("%s: %s"):format(typed[i], line:gsub("\t", ", "))
      end
      missing[#missing + 1] = not line:find(meant[i] .. "\t", 1, true) and typed[i] or nil
    end
    assert.equal(#meant, i, output)
    return first, table.concat(others, "\n"), missing
  end

  needs "node"("finds names of Keras, tf.data, PyTorch and JAX, what is meant first", function()
    local first, others, missing = count(QUERIES)
    assert.same({}, missing, others)
    assert.is_true(first >= 55, others)
    first, others = count(MORE)
    assert.equal(16, first, others)
  end)

  it("leads from each name of others to a place", function()
    local index = assert(files.read(folder .. "/index.js"))
    for name in pairs(require "moonpod.help.others".names) do
      assert.truthy(index:find(('"%s":"'):format(name), 1, true), name .. " leads nowhere")
    end
  end)

  needs "node"("finds what was mistyped", function()
    local first, others, missing = count(TYPOS)
    assert.same({}, missing, others)
    assert.is_true(first >= 5, others)
  end)
end)

local describe_program = executable.program and describe or pending

describe_program("the site of the book", function()
  local folder = files.temporary()
  local told, code

  setup(function()
    told, code = executable.shell(("lua5.4 docs/site/make.lua . %s %s"):format(folder, executable.program))
  end)

  teardown(function()
    executable.shell("rm -r " .. folder)
  end)

  needs "pandoc"("shows first a script and what it printed, pictures, and doors", function()
    assert.equal(0, code, told)
    local page = assert(files.read(folder .. "/index.html"))
    assert.matches("<h1>[^<]+</h1>.*<span.->local</span> pod.*79/79 %- .- %- accuracy: 0.9%d+ %- loss: 0%.%d+", page)
    local _, headings = page:gsub("<h1", "")
    assert.equal(1, headings)
    for picture in page:match '<section class="pictures">(.-)</section>':gmatch 'src="([^"]+)"' do
      assert.truthy(files.read(folder .. "/" .. picture), picture)
    end
    for door in page:match '<ul class="doors">(.-)</ul>':gmatch 'href="([^"]+)"' do
      assert.truthy(files.read(folder .. "/" .. door), door)
    end
    assert.is_nil(page:find("https?://[^\"<]*%.js"))
  end)

  needs "pandoc"("has a page for each layer, loss, metric, optimizer, callback and stage, and a list of all", function()
    assert.equal(0, code, told)
    local pod, missing = require "moonpod", {}
    local page_of = { layers = "layers", losses = "losses", metrics = "metrics", optimizers = "optimizers",
      schedules = "optimizers", callbacks = "callbacks", data = "data" }
    for _, entry in ipairs(require "moonpod.help.exports".list(pod)) do
      local part, name = entry.name:match "^pod%.(%w+)%.([%w_]+)$"
      if entry.part == "pod." .. tostring(part) and page_of[part] and type(entry.value) ~= "table" then
        local page = files.read(("%s/reference/%s/%s.html"):format(folder, page_of[part], name))
        local list = files.read(("%s/reference/%s.html"):format(folder, page_of[part]))
        local is_there = page and page:gsub("<wbr>", ""):find("<h1>pod." .. part .. "." .. name .. "</h1>", 1, true)
          and list:find(("/%s.html"):format(name), 1, true)
        missing[#missing + 1] = not is_there and entry.name or nil
      end
    end
    assert.same({}, missing)
    assert.truthy(files.read(folder .. "/reference/data/dataset.padded_batch.html"))
  end)

  needs "pandoc"("shows each example with how it learns, and ports beside their programs of Keras", function()
    assert.equal(0, code, told)
    local page, missing = assert(files.read(folder .. "/tutorials/examples.html")), {}
    local function asked(path)
      local name = path:match "^examples/from_keras/([%w_]+)%.lua$"
      local is_port = name and files.read(("examples/from_keras/%s.py"):format(name))
      local both = is_port and files.read(("%s/source/examples/from_keras/%s.html"):format(folder, name)) or ""
      local shown = not is_port or both:find("<h2>" .. name .. ".py</h2>", 1, true)
        and both:find("<h2>" .. name .. ".lua</h2>", 1, true)
      local link = is_port and ("from_keras/%s.html"):format(name) or path:match "^examples/(.*)"
      missing[#missing + 1] = (not shown or not page:find(link, 1, true)) and path or nil
    end
    for path in assert(io.popen "ls examples/*.lua examples/from_keras/*.lua examples/embed_*/*.[cl]*"):lines() do
      if not path:find "find_moonpod" and not path:find "/compare%.lua" and not path:find "/data%.lua" then
        asked(path)
      end
    end
    assert.same({}, missing)
    local _, curves = page:gsub('src="[^"]*examples/curves%d+%.svg" alt="A chart of %d+ values', "%0")
    assert.is_true(curves > 25, curves)
  end)

  needs "pandoc"("draws what blocks of tutorials save, and says what is on it", function()
    assert.equal(0, code, told)
    for page, pictures in pairs { ["first-network"] = { "samples", "learning", "confused" },
      ["custom-loop"] = { "loss", "operations" }, ["tpu-memory"] = { "memory" }, game = { "learning" },
      ["from-c"] = { "curves1" }, keras = { "curves1", "curves2", "curves3" } } do
      local text = assert(files.read(("%s/tutorials/%s.html"):format(folder, page)))
      for _, name in ipairs(pictures) do
        local alt = text:match(('src="[^"]*%s/%s%%.svg" alt="([^"]+)"'):format(page:gsub("%-", "%%-"), name))
        assert.is_true(alt ~= nil and #alt > 10, page .. " " .. name)
        assert.truthy(files.read(("%s/tutorials/%s/%s.svg"):format(folder, page, name)))
      end
    end
  end)

  needs "pandoc"("draws what losses, schedules, optimizers and layers of pictures do, on their pages", function()
    assert.equal(0, code, told)
    local seen, missing, count = {}, {}, 0
    for path in assert(io.popen(("find %s/reference -mindepth 2 -name '*.html'"):format(folder))):lines() do
      local picture, alt = assert(files.read(path)):match 'src="[^"]*(figures/[%w_/]+%.svg)" alt="([^"]*)"'
      if picture then
        assert.is_true(#alt > 20, path)
        seen[picture] = true
      end
    end
    for path in assert(io.popen(("cd %s/reference && find figures -name '*.svg'"):format(folder))):lines() do
      count, missing[#missing + 1] = count + 1, not seen[path] and path or nil
    end
    assert.same({}, missing)
    assert.is_true(count > 60, count)
  end)

  needs "pandoc"("has links that lead somewhere", function()
    assert.equal(0, code, told)
    local wrong, contents, count = {}, {}, 0
    local function read(path)
      if contents[path] == nil then
        contents[path] = files.read(path) or false
      end
      return contents[path]
    end
    for path in assert(io.popen(("find %s -name '*.html'"):format(folder))):lines() do
      for target in assert(read(path)):gmatch ' [hs]r[ec]f?="([^"]*)"' do
        local file, anchor = target:match "^([^#?]*)#?(.*)$"
        local place = file == "" and path or "/" .. pages.join(path:match "^(.*)/", file)
        count = count + 1
        if not target:find "^%a+:" and not (read(place)
          and (anchor == "" or read(place):find(('id="%s"'):format(anchor), 1, true))) then
          wrong[#wrong + 1] = path:sub(#folder + 2) .. ": " .. target
        end
      end
    end
    assert.is_true(count > 10000)
    assert.same({}, wrong)
  end)

  needs("pandoc", "chromium")("cuts nothing at 390, 820 and 1280 pixels", function()
    assert.equal(0, code, told)
    local text = executable.shell(("python3 tests/tools/site_pages.py widths %s 390 820 1280"):format(folder))
    assert.matches("^%d%d+ pages looked at\n$", text)
  end)

  -- A folder with some pages of the site, or with all where tests take long.
  local function some_pages()
    if os.getenv "MOONPOD_LONG" then
      return folder
    end
    local some = files.temporary()
    for _, page in ipairs { "index.html", "tutorials/keras.html", "guides/advise.html", "reference/layers.html",
      "reference/layers/dense.html", "reference/command-line.html", "explanation/memory.html" } do
      executable.shell(("cd %s && mkdir -p %s/%s && cp *.js *.css *.svg %s && cp %s %s/%s"):format(folder, some,
        page:match "^(.*)/" or ".", some, page, some, page))
    end
    return some
  end

  needs("pandoc", "chromium")("breaks no rule of axe-core for screen readers, keyboards and contrast", function()
    local python, why = peers.python { "axe_core_python" }
    if not python then
      return pending(why)
    end
    assert.equal(0, code, told)
    local widths = os.getenv "MOONPOD_LONG" and { "390", "1280" } or { "1280" }
    local text = peers.run(python, "tests/tools/site_pages.py", { "access", some_pages(), table.unpack(widths) })
    assert.matches("^%d+ pages looked at\n$", text)
  end)

  needs("pandoc", "chromium")("is gone through, and searched, by keys alone", function()
    assert.equal(0, code, told)
    local text = executable.shell(("python3 tests/tools/site_pages.py keys %s 390 1280 %s"):format(folder,
      "index.html reference/layers/dense.html tutorials/keras.html"))
    assert.equal("3 pages looked at\n", text)
  end)

  needs("pandoc", "chromium")("is looked at: what is wrong is found", function()
    local bare = files.temporary()
    executable.shell("mkdir " .. bare)
    files.write(bare .. "/a.html", '<main><pre style="overflow-x: auto">' .. ("wide "):rep(200) .. "</pre>"
      .. '<p style="width: 900px; color: #aaa; background: #fff">wide</p><img src="a.png"></main>')
    local text = executable.shell(("python3 tests/tools/site_pages.py widths %s 390 1280"):format(bare))
    assert.matches("390 light: the page is %d+ wide\na.html 390 light: pre is cut: .*1280 light: pre is cut: "
      .. ".*printed: pre is cut: ", text)
    local python = peers.python { "axe_core_python" }
    if python then
      text = peers.run(python, "tests/tools/site_pages.py", { "access", bare, "1280" })
      assert.matches("1280 light: color%-contrast: .*1280 light: image%-alt: .*1280 dark: color%-contrast: ", text)
    end
    local search = '<input id="search"><ol id="found" hidden></ol>'
    files.write(bare .. "/b.html", search .. '<button style="outline: none">a</button>'
      .. '<button style="position: fixed; top: -9em">b</button><a href="#c" tabindex="1">c</a>'
      .. '<button onkeydown="return false">d</button><button>e</button>')
    text = executable.shell(("python3 tests/tools/site_pages.py keys %s 390 b.html"):format(bare))
    for _, what in ipairs { "not marked: <button style=\"outline", "out of sight or covered: <button style=\"position",
      "not reached: <button>e", "not reached: <a href=\"#c\"", "the search finds %[%]" } do
      assert.matches("b.html 390: " .. what, text)
    end
    files.write(bare .. "/c.html", search .. '<a href="#c" tabindex="1">c</a>')
    text = executable.shell(("python3 tests/tools/site_pages.py keys %s 390 c.html"):format(bare))
    assert.matches("c.html 390: not in order: %[1, 0%]", text)
    executable.shell("rm -r " .. bare)
  end)
end)
