-- The examples, with small arguments: each ends well, its loss falls, and the same seed prints the same.

local sample = require "tests.lua.support.sample"

local build = os.getenv "MOONPOD_BUILD"
local executable = build and build .. "/moonpod"
local asked = os.getenv "MOONPOD_SPECS_RUN_BY"
local runner = asked and asked ~= "lua5.4" and asked or executable and io.open(executable) and "'" .. executable .. "'"
  or "lua5.4"

local has_text = os.execute "bible -f gen1:1 </dev/null >/dev/null 2>&1" == true

-- Name, arguments, and what the output has besides.
local EXAMPLES = {
  { "autoencoder", "2 600 1", "the 16 numbers: " },
  { "cnn", "2 256 1", "taken for " },
  { "custom_loop", "2 1280 1", "the weights differ by 0 at most" },
  { "four_steps", "2 1024 1", "refused: boolean_mask.-applied: .-a rate of " },
  { "gpt", "2 docs/contributors/architecture.md 1", "bits a character" },
  { "larger_than_a_core", "", "eight cores: each needs" },
  { "many_hosts", "2 2 2048 1", "2 replicas; in training 0.0 MB sent" },
  { "resnet", "2 192 1", "Test loss: " },
  { "text", "2 16000 1", "And God said", needs = has_text },
  { "transformer", "2 640 1", "sorted: " },
  { "unet", "2 100 1", "One%-hot masks" },
  { "vit", "2 1280 1", "2560 images in " },
}

-- Runs an example; returns whether it ended well, and what it printed without the times.
local function run(name, arguments)
  local pipe = io.popen(string.format("%s examples/%s.lua %s 2>&1", runner, name, arguments))
  local output = pipe:read "a"
  return pipe:close(), (output:gsub("%d+[mu]?s%f[^%w][/%w]*", ""):gsub("%d+%.%d+ s", ""))
end

-- The training losses of the epochs.
local function losses(output)
  local list = {}
  for loss in output:gmatch "[- ]loss: ([%d.e+-]+)" do
    list[#list + 1] = tonumber(loss)
  end
  return list
end

describe("the example", function()
  local is_asked = sample(4)
  for _, example in ipairs(EXAMPLES) do
    local name, arguments, expected = example[1], example[2], example[3]
    local test = example.needs == false and pending or it
    local is_repeated = test == it and is_asked()

    local function check(ended, output)
      assert(ended, output)
      assert.truthy(output:find(expected), output)
      local values = losses(output)
      assert(#values >= 2, output)
      assert(values[2] < values[1], output)
      assert.truthy(output:find "Test loss: %d+%.%d+", output)
    end

    test(name .. " ends well and its loss falls", function()
      if not is_repeated then
        return check(run(name, arguments))
      end
      -- With the same bits in every variable, on whatever threads.
      local first
      for threads = 1, 3 do
        local ended, output = run("../tests/lua/support/weights_of", threads .. " examples/" .. name .. ".lua "
          .. arguments)
        check(ended, output)
        local lines = {}
        for line in output:gmatch "variable\t[^\n]*" do
          lines[#lines + 1] = line
        end
        assert(#lines >= 2, output)
        first = first or lines
        assert.same(first, lines)
      end
    end)
  end

  describe("programs ported from Keras", function()
    local folder = os.tmpname()
    os.remove(folder)

    setup(function()
      local ended, output = run("from_keras/data", "'" .. folder .. "' 0.1 1")
      assert(ended and output:find "wrote houses.csv", output)
    end)

    teardown(function()
      os.execute("rm -r '" .. folder .. "'")
    end)

    -- The epochs; what the program prints in the end; and what that number is at least, or at most, where so little
    -- data and time teach something: guesses are worse.
    for name, row in pairs {
      tabular = { "", "within 10 %%: ([%d.]+)", 0.2, 1 },
      pictures = { "", "accuracy: ([%d.]+)%s*$", 0.45, 1 },
      reviews = { "", "test accuracy: ([%d.]+)", 0, 1 },
      segmentation = { "6", "overlap: ([%d.]+)%s*$", 0.35, 1 },
      siamese = { "6", "accuracy: ([%d.]+)%s*$", 0.7, 1 },
      vae = { "6", "test loss: ([%d.]+)", 0, 400 },
      gan = { "10", "off: ([%d.]+)", 0, 0.3 },
      gpt = { "9", "bits a character: ([%d.]+)", 0, 3.5 },
      recommender = { "15", "off: ([%d.]+)", 0, 0.9 },
      graph = { "60", "accuracy: ([%d.]+)", 0.55, 1 },
      translation = { "12", "whole dates: ([%d.]+)", 0.3, 1 },
      detection = { "20", "found: ([%d.]+)", 0.12, 1 },
      cart_pole = { "15", "in the end: ([%d.]+)", 100, 200 },
    } do
      it(name .. (name == "reviews" and " runs" or " learns"), function() -- its data is too little here
        local ended, output = run("from_keras/" .. name, ("'%s' 1 %s"):format(folder, row[1]))
        assert(ended, output)
        local number = tonumber(output:match(row[2]))
        assert(number >= row[3] and number <= row[4], output)
      end)
    end
  end)

  it("minimal has ten lines at most and trains", function()
    local lines = 0
    for _ in io.lines "examples/minimal.lua" do
      lines = lines + 1
    end
    assert.truthy(lines <= 10)
    local ended, output = run("minimal", "2")
    assert(ended, output)
    local values = losses(output)
    assert(#values == 2 and values[2] < values[1], output)
  end)

  it("custom_loop prints the same with the same seed, and another thing with another", function()
    local _, first = run("custom_loop", "1 1280 5")
    local _, second = run("custom_loop", "1 1280 5")
    local _, other = run("custom_loop", "1 1280 6")
    assert.equal(first, second)
    assert.are_not.equal(first, other)
  end)

  it("text says which package it needs", function()
    local command = "PATH=/nowhere " .. runner:gsub("^lua[%w.]+$", "/usr/bin/%0") .. " examples/text.lua 1 2000 2>&1"
    local pipe = io.popen(command)
    local output = pipe:read "a"
    assert.falsy(pipe:close())
    assert.truthy(output:find("apt-get install bible-kjv", 1, true), output)
  end)

  it("remote_monitor sends the logs of each epoch as a form and as JSON, and trains on where nobody listens", function()
    local ended, output = run("remote_monitor", "3 300 1")
    assert(ended, output)
    local forms, texts = {}, {}
    for body in output:gmatch "POST /publish/epoch/end/ HTTP/1.1 data=(%b{})" do
      forms[#forms + 1] = body
    end
    for body in output:gmatch "POST /json/ HTTP/1.1 (%b{})" do
      texts[#texts + 1] = body
    end
    assert.equal(3, #forms, output)
    assert.same(forms, texts)
    local last
    for epoch, body in ipairs(forms) do
      local number, loss = body:match '^{"epoch": (%d), "loss": ([%d.]+), "val_loss": [%d.]+}$'
      assert.equal(tostring(epoch - 1), number)
      assert.is_true(not last or tonumber(loss) < last)
      last = tonumber(loss)
    end
    ended, output = run("remote_monitor", "1 300 1 http://127.0.0.1:9")
    assert(ended, output)
    assert.truthy(output:find("Could not reach RemoteMonitor root server at http://127.0.0.1:9", 1, true), output)
  end)

  it("segmentation_memory prints the published numbers, and what helps", function()
    local ended, output = run("segmentation_memory", "128")
    assert(ended, output)
    for _, line in ipairs {
      "s32%[29360128,10%]{1,0:T%(8,128%)} on v3\n  Size: 14%.00G\n  Unpadded size: 1%.09G\n"
        .. "  Extra memory due to padding: 12%.91G %(12%.8x expansion%)\n",
      "s32%[29360128,10%]{0,1:T%(8,128%)} on v3\n  Size: 1%.75G\n",
      "on a core of TPU v3\n.-fits: ",
      "\nit needs %d+%.%d%dG of 15%.48G: fits\n$",
    } do
      assert(output:find(line), line .. "\n" .. output)
    end
  end)
end)
