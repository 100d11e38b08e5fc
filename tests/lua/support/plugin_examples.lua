-- plugin_examples - the examples that run on devices of a plugin of PJRT, with arguments that are soon done, and what
-- their first steps come to. Not among them are those that train nothing (segmentation_memory, embed_*, love_agent,
-- web), larger_than_a_core, whose mesh is of this host's cores, and four_steps, which asserts that its loss falls: in
-- eight steps it does not.

local examples = {
  -- Those that are run each day; the others' programs take XLA long, or are of kinds that are among these.
  daily = { "autoencoder 1 800 1", "cnn 1 1024 1", "custom_loop 1 2048 1", "fashion_mnist", "minimal 1",
    "many_hosts 2 1 4096 1", "remote_monitor 2 300 1", "transformer 1 640 1", "vit 1 1280 1",
    "gpt 8 docs/contributors/architecture.md 1 float32", "resnet 1 512 1", "unet 1 100 1" },
  long = { "text 2 16000 1", "image_folder DATA/pictures 2 1", "from_keras/tabular DATA 1 2",
    "from_keras/pictures DATA 1", "from_keras/reviews DATA 1", "from_keras/segmentation DATA 1 2",
    "from_keras/siamese DATA 1 2", "from_keras/vae DATA 1 2", "from_keras/gan DATA 1 2", "from_keras/gpt DATA 1 2",
    "from_keras/recommender DATA 1 2", "from_keras/graph DATA 1 8", "from_keras/translation DATA 1 2",
    "from_keras/detection DATA 1 2", "from_keras/cart_pole - 1 8" },
}

local executable = (os.getenv "MOONPOD_BUILD" or "build/release") .. "/moonpod"

local data

-- The first steps of an example here, on devices of a plugin, or here on data that is moved a little: names of numbers,
-- and the numbers. `variables` go into its environment.
function examples.steps(example, where, variables)
  if example:find "DATA" and not data then
    data = os.tmpname()
    os.remove(data)
    assert(os.execute(("'%s' examples/from_keras/data.lua '%s' 0.1 1 > /dev/null"):format(executable, data)))
  end
  local name, arguments = example:gsub("DATA", data or ""):match "^(%S+)(.*)$"
  local pipe = io.popen(("%s '%s' tests/lua/support/losses_of.lua %s examples/%s.lua %s 2>&1"):format(variables or "",
    executable, where, name, arguments))
  local output = pipe:read "a"
  assert(pipe:close(), output)
  local kinds, values = {}, {}
  for kind, value in output:gmatch "@(%l+) (%S+)" do
    kinds[#kinds + 1], values[#values + 1] = kind, tonumber(value)
  end
  return kinds, values
end

-- Removes the data that examples were given.
function examples.clean()
  if data then
    os.execute(("rm -r '%s'"):format(data))
  end
  data = nil
end

return examples
