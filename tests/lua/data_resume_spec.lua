local pod = require "moonpod"
local data = require "moonpod.data"

local unpack = table.unpack or unpack -- luacheck: ignore

local directory = os.tmpname()
os.remove(directory)

local function path(name)
  return directory .. "-" .. name
end

local written = {}
local function write(name, text)
  local file = assert(io.open(path(name), "wb"))
  file:write(text)
  file:close()
  written[name] = true
  return path(name)
end

-- A path that nothing has yet, of a file or a directory.
local fresh_count = 0
local function fresh(name)
  fresh_count = fresh_count + 1
  written[name .. fresh_count] = true
  return path(name .. fresh_count)
end

-- Elements as text: comparable, whatever they are.
local function plain(value)
  if type(value) == "table" and data.is_dataset(value) then
    value = value:totable()
  elseif pod.is_tensor(value) then
    value = #value.shape == 0 and value:item() or value:totable()
  end
  if type(value) ~= "table" then
    return tostring(value)
  end
  local parts, keys = {}, {}
  for key in pairs(value) do
    keys[#keys + 1] = key
  end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  for i, key in ipairs(keys) do
    parts[i] = tostring(key) .. "=" .. plain(value[key])
  end
  return "{" .. table.concat(parts, " ") .. "}"
end

-- The elements that an iterator still gives, `limit` at most.
local function rest(it, limit)
  local list = {}
  while not limit or #list < limit do
    local value = it:next_element()
    if value == nil then
      break
    end
    list[#list + 1] = plain(value)
  end
  return list
end

local function range()
  return data.range(11)
end

local function mixed()
  return range():shuffle(4, { seed = 3 })
end

local function double(x)
  return x * 2
end

local function random(x)
  return x + pod.random.uniform({}, { maxval = 100, dtype = "int32" }):cast "int64"
end

local function noisy(x)
  return x + math.random(1000)
end

local function records()
  local file = path "records"
  if not written.records then
    local writer = data.records.writer(file)
    for i = 1, 7 do
      writer:write(data.records.example { x = { i, i + 1 } })
    end
    writer:close()
    written.records = true
  end
  return file
end

-- Two grey pixels as PNG.
local PICTURE = "89504e470d0a1a0a0000000d4948445200000002000000010800000000d14920560000000b49444154789c63105000000043"
  .. "0031eaddb3cd0000000049454e44ae426082"

-- A pipeline a stage, by what the core calls the stage; made anew each time. Shuffled input makes passes differ.
local cases = {
  from_tensor_slices = function()
    return data.from_tensor_slices({ { 1, 2 }, { 3, 4 }, { 5, 6 } }):shuffle(2, { seed = 1 })
  end,
  from_tensors = function() return data.from_tensors({ 1, 2 }):repeat_(4) end,
  range = range,
  from_generator = function()
    return data.from_generator(function()
      local i = 0
      return function()
        i = i + 1
        return i <= 9 and i or nil
      end
    end, pod.spec({}, "int64")):shuffle(3, { seed = 2 })
  end,
  from_texts = function() return data.from_texts { "a", "bc", "", "d" } end,
  files = function() return data.tfrecord(records()):shuffle(3, { seed = 4 }) end,
  csv = function() return data.csv(write("table.csv", "a,b\n1,2\n3,4\n5,6\n")) end,
  parse_example = function()
    return data.tfrecord(records()):parse_example { x = pod.spec({ 2 }, "int64") }
  end,
  batch = function() return mixed():batch(3) end,
  padded_batch = function()
    return mixed():map(function(x) return { x, x } end, { interpret = true, seed = 1 }):padded_batch(3)
  end,
  unbatch = function() return mixed():batch(4):unbatch() end,
  shuffle = mixed,
  ["repeat"] = function() return mixed():repeat_(3) end,
  take = function() return mixed():take(7) end,
  skip = function() return mixed():skip(5) end,
  shard = function() return mixed():shard(3, 1) end,
  zip = function() return data.zip { mixed(), range():skip(2) } end,
  concatenate = function() return mixed():concatenate(range():take(3), mixed():take(2)) end,
  enumerate = function() return mixed():enumerate(5) end,
  cache = function() return mixed():map(random, { seed = 8 }):cache():shuffle(5, { seed = 5 }) end,
  cache_file = function() return mixed():map(random, { seed = 8 }):cache(fresh "cache"):shuffle(5, { seed = 5 }) end,
  snapshot = function() return mixed():snapshot(fresh "snapshot"):shuffle(5, { seed = 5 }) end,
  load = function()
    local file = fresh "saved"
    mixed():save(file)
    return data.load(file):shuffle(3, { seed = 2 })
  end,
  prefetch = function() return mixed():map(random, { seed = 8, defer = false }):prefetch(2):repeat_(2) end,
  map = function() return mixed():map(double, { defer = false }):map(random, { seed = 6 }) end,
  number = function() return range():map(random, { seed = 6, defer = false }):repeat_(2) end,
  parallel = function()
    return mixed():map(double, { num_parallel_calls = 2, defer = false }):map(random,
      { seed = 6, num_parallel_calls = 2, defer = false })
  end,
  transform = function()
    return mixed():map(noisy, { interpret = true, seed = 7, num_parallel_calls = 2 })
  end,
  filter = function() return mixed():filter(function(x) return pod.less(x % 3, 2) end) end,
  scan = function() return mixed():scan(0, function(s, x) return s + x:cast "float32", s end) end,
  window = function() return mixed():window(3, { shift = 2 }) end,
  interleave = function()
    return mixed():interleave(function(x)
      return data.from_tensors(x):repeat_(5):enumerate():shuffle(3, { seed = 9 })
    end, { cycle_length = 3, block_length = 2 })
  end,
  flat_map = function()
    return mixed():flat_map(function(x) return data.from_tensors(x):repeat_(2) end)
  end,
  sample_from_datasets = function() return data.sample_from_datasets({ mixed(), range() }, { seed = 5 }) end,
  choose_from_datasets = function()
    return data.choose_from_datasets({ mixed(), range() }, data.range(2):repeat_(4):shuffle(3, { seed = 1 }))
  end,
  hosts = function()
    return pod.distribute.mirrored(8, { num_hosts = 2 }):distribute_datasets_from_function(function(context)
      return mixed():shard(2, context.input_pipeline_id):batch(1)
    end).dataset:shuffle(2, { seed = 1 })
  end,
  shard_hint = function()
    local marked = mixed():shard(data.SHARD_HINT, data.SHARD_HINT):cache():shuffle(3, { seed = 2 }):batch(8)
    return pod.distribute.mirrored(8, { num_hosts = 2 }):distribute_dataset(
      marked:options { auto_shard = "HINT" }).dataset
  end,
  random = function() return data.random { seed = 5, rerandomize_each_iteration = true }:take(9) end,
  move_to_device = function() return mixed():move_to_device(random, { seed = 6 }) end,
  decode = function()
    local bytes = PICTURE:gsub("%x%x", function(code) return string.char(tonumber(code, 16)) end)
    return data.from_texts({ write("picture", bytes), path "picture" }):map(function(name)
      return pod.image.decode_png(data.read_file(name), { shape = { 1, 2, 1 } })
    end):repeat_(2):enumerate()
  end,
  group_by_window = function()
    return mixed():group_by_window {
      key = function(x) return x % 2 end,
      reduce = function(_, window) return window:batch(2) end,
      window_size = 3,
    }:repeat_(2)
  end,
  bucket_by_sequence_length = function()
    return mixed():map(function(x)
      local list = {}
      for i = 1, x % 4 + 1 do
        list[i] = x
      end
      return list
    end, { interpret = true, seed = 1 }):bucket_by_sequence_length {
      element_length_func = function(x) return x.shape[1] end,
      bucket_boundaries = { 3 },
      bucket_batch_sizes = { 2, 3 },
    }
  end,
}

-- Stages by the functions of pod.data and the methods of datasets that make them, where names differ.
local same_as = {
  image_folder = "decode", image_dataset_from_directory = "decode", tfrecord = "files", text_lines = "files",
  fixed_length_records = "files", list_files = "from_texts", text_folder = "from_texts",
  text_dataset_from_directory = "from_texts",
  repeat_ = "repeat", rep = "repeat", map_batched = "map", pin = "from_tensor_slices",
}

-- Methods and functions that make no stage.
local no_stages = {}
for name in ([[cardinality element_spec host_bytes stages raw decode iterator iter fold totable distribute reduce
  save bench lint stats options read_file synthetic is_dataset distribute_from_function records
  load_csv load_npy save_npy load_idx save_idx load_npz save_npz load_safetensors save_safetensors
  load_hdf5 save_hdf5]]):gmatch "%S+" do
  no_stages[name] = true
end

describe("an iterator", function()
  teardown(function()
    for name in pairs(written) do
      os.execute(("rm -rf '%s'"):format(path(name)))
    end
  end)

  for name, make in pairs(cases) do
    it("goes on where another stopped: " .. name, function()
      local whole = make():iterator { epoch = 2 }
      local second = rest(whole)
      whole:rewind()
      local third = rest(whole)
      whole:close()
      assert.is_true(#second > 0)
      for given = 0, #second, #second > 12 and 5 or 1 do
        local first = make():iterator { epoch = 2 }
        rest(first, given)
        local state = first:state()
        first:close()
        local other = make():iterator()
        rest(other, 2)
        other:restore(state)
        assert.same({ unpack(second, given + 1) }, rest(other))
        other:rewind()
        assert.same(third, rest(other))
        other:close()
      end
    end)
  end

  it("numbers its passes as iterators with an epoch do", function()
    for _, name in ipairs { "shuffle", "repeat", "map", "transform", "sample_from_datasets", "cache", "group_by_window",
      "interleave", "number" } do
      local ds = cases[name]()
      local plain_passes, numbered = {}, {}
      for epoch = 1, 3 do
        local it = ds:iterator()
        plain_passes[epoch] = rest(it)
        assert.equal(epoch, it:stats().epoch, name)
        it:close()
      end
      local rewound = cases[name]():iterator()
      for epoch = 1, 3 do
        local it = ds:iterator { epoch = epoch }
        numbered[epoch] = rest(it)
        it:close()
        assert.same(numbered[epoch], rest(rewound), name)
        rewound:rewind()
      end
      rewound:close()
      assert.same(plain_passes, numbered, name)
      assert.not_same(plain_passes[1], plain_passes[2], name)
    end
  end)

  it("counts passes by those that began, not by looks at the first element", function()
    local ds = data.range(50):shuffle(50, { seed = 1 })
    local first = ds:iterator { epoch = 1 }
    local expected = rest(first)
    first:close()
    ds:map(noisy, { interpret = true, seed = 1 })
    ds:flat_map(function(x) return data.from_tensors(x) end)
    local unused = ds:iterator()
    local it = ds:iterator()
    assert.same(expected, rest(it))
    assert.not_same(expected, rest(unused))
    it:close()
    unused:close()
  end)

  it("is saved to files, which are refused when they are damaged", function()
    local file = fresh "state"
    local it = mixed():iterator()
    local passed = rest(it, 5)
    it:save(file)
    local following = rest(it)
    local other = mixed():iterator()
    other:load(file)
    assert.equal(5, #passed)
    assert.same(following, rest(other))
    local bytes = it:state()
    assert.matches("^moonpod iterator 1\nepoch 1 0\nposition 11\nstage range from 0 by 1: 11 elements of int64 %(%)\n"
      .. "stage shuffle buffer size 4, seed 3: 11 elements of int64 %(%)\ncrc32c %x%x%x%x%x%x%x%x\n$", bytes)
    for i = 1, #bytes do
      assert.error_matches(function() other:restore(bytes:sub(1, i - 1)) end, "this is no state of an iterator")
      local flipped = bytes:sub(1, i - 1) .. string.char((bytes:byte(i) + 1) % 256) .. bytes:sub(i + 1)
      assert.error_matches(function() other:restore(flipped) end, "this is no state of an iterator")
    end
    write("broken", bytes:sub(1, -2))
    assert.error_matches(function() other:load(path "broken") end, path "broken", nil, true)
    assert.error_matches(function() other:load(path "missing") end, "missing")
    assert.error_matches(function() it:save(path "nowhere" .. "/x") end, "cannot create")
    it:close()
    other:close()
  end)

  it("does not go on in another dataset, or where threads decide", function()
    local it = mixed():iterator()
    it:next()
    local state = it:state()
    it:close()
    local function restore(ds)
      return function()
        local other = ds:iterator()
        other:restore(state)
      end
    end
    restore(mixed():prefetch(3))() -- how elements are prepared does not count
    assert.error_matches(restore(range():shuffle(4, { seed = 4 })),
      "there was 'stage shuffle buffer size 4, seed 3: .*' where now is 'stage shuffle buffer size 4, seed 4")
    assert.error_matches(restore(range()), "it had more stages than this one")
    assert.error_matches(restore(mixed():take(3)), "it had fewer stages than this one")
    assert.error_matches(restore(data.range(12):shuffle(4, { seed = 3 })), "range from 0 by 1: 12 elements")
    local unordered = mixed():map(double, { num_parallel_calls = 2, deterministic = false, defer = false }):iterator()
    assert.error_matches(function() unordered:state() end, "in which threads finish them")
    unordered:close()
  end)

  it("of fit goes on at its first epoch", function()
    local function make()
      local x, y = {}, {}
      for i = 1, 20 do
        x[i], y[i] = { i / 20, i * 3 % 7 / 7 }, { i % 2 }
      end
      local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
      model:compile { optimizer = pod.optimizers.sgd { learning_rate = 0.5 }, loss = "mse" }
      return model, data.from_tensor_slices({ pod.tensor(x), pod.tensor(y) }):shuffle(20, { seed = 4 }):batch(3)
    end
    for _, steps in ipairs { false, 5 } do -- whole passes, and parts of one
      pod.random.set_seed(1)
      local model, ds = make()
      ds = steps and ds:repeat_() or ds
      model:fit(ds, { epochs = 2, verbose = 0, steps_per_epoch = steps or nil })
      local weights = {}
      for i, w in ipairs(model:get_weights()) do
        weights[i] = pod.tensor(w:totable())
      end
      local resumed, again = make()
      resumed:set_weights(weights)
      again = steps and again:repeat_() or again
      resumed:fit(again, { epochs = 4, initial_epoch = 2, verbose = 0, steps_per_epoch = steps or nil })
      pod.random.set_seed(1)
      local straight, whole = make()
      whole = steps and whole:repeat_() or whole
      straight:fit(whole, { epochs = 4, verbose = 0, steps_per_epoch = steps or nil })
      for i, w in ipairs(straight:get_weights()) do
        assert.same(w:totable(), resumed:get_weights()[i]:totable())
      end
    end
  end)

  it("passes over elements without making them where stages can", function()
    local made = 0
    local ds = data.from_generator(function()
      return function()
        made = made + 1
        return made
      end
    end, pod.spec({}, "int64"))
    local it = data.range(2 ^ 50):batch(4):repeat_():skip(5):iterator { skip = 2 ^ 40 }
    assert.same({ 4 * (2 ^ 40 + 5), 4 * (2 ^ 40 + 5) + 3 }, (function()
      local list = it:next():totable()
      return { list[1], list[4] }
    end)())
    it:close()
    it = ds:map(function(x) return x end, { interpret = true, output_signature = pod.spec({}, "int64") })
      :iterator { skip = 10 }
    assert.equal(11, it:next():item())
    it:close()
  end)

  it("passes over no more of a dataset than those that it is zipped with have", function()
    local fails = data.range(9):map(function(n) return pod.check(n, pod.less(n, 3), "no luck") end, { defer = false })
    local ds = data.zip { fails:concatenate(), data.range(1) }:batch(6) -- which makes what it passes over
    local it, again = ds:iterator(), ds:iterator()
    it:next()
    again:restore(it:state())
    assert.is_nil(it:next())
    assert.is_nil(again:next())
    it:close()
    again:close()
  end)

  it("has a test like these for every stage", function()
    local stages = require "moonpod.data.dataset".methods
    local names = {}
    for method in pairs(stages) do
      names[#names + 1] = method
    end
    for name in pairs(data) do
      if type(data[name]) == "function" then
        names[#names + 1] = name
      end
    end
    local list = assert(io.popen "cat core/input/*.c lua/moonpod/data/init.lua")
    local source = list:read "*a"
    list:close()
    for name in source:gmatch '%.name = "([%w_]+)"' do
      -- the inside of parallel; what a worker of the data service makes again from its beginning
      local is_inside = name == "feeder" or name == "source_block"
      assert.truthy(cases[name] or is_inside, "no test of resuming: " .. name)
    end
    for name in source:match "local elsewhere = (%b{})":gmatch "([%w_]+) = " do
      names[#names + 1] = name
    end
    for name in source:match "__index = (.*)":gmatch 'name == "([%w_]+)"' do
      names[#names + 1] = name
    end
    assert.is_true(#names > 50)
    for _, name in ipairs(names) do
      assert.truthy(cases[name] or cases[same_as[name]] or no_stages[name], "no test of resuming: " .. name)
    end
    for name, make in pairs(cases) do -- the stage is really in its pipeline
      local it = make():iterator()
      local has_it = it:state():find("\nstage " .. name, 1, true)
      it:close()
      assert.truthy(has_it or not source:find('.name = "' .. name .. '"', 1, true) or name == "prefetch"
        or name == "parallel", name)
    end
  end)
end)
