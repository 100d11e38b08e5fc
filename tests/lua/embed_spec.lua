-- Host programs in C: examples/embed_c, from the build and from an installed tree.

local executable = require "tests.lua.support.executable"
local pod = require "moonpod"

local quote, shell = executable.quote, executable.shell
local build = os.getenv "MOONPOD_BUILD"
local folder = os.tmpname() .. ".d"

local function is_sanitized()
  return not shell("cat " .. quote(build .. "/CMakeCache.txt")):find "\nMOONPOD_SANITIZE:[^\n]*=\n"
end

-- Prints name, type and first element of each weight of a file.
local WEIGHTS = [[
#include <moonpod.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    pod_context *context;
    pod_buffer_list list;
    pod_error error;
    if (argc != 2 || pod_context_new(NULL, &context, &error) != POD_OK)
        return 2;
    if (pod_weights_read(context, argv[1], &list, &error) != POD_OK) {
        puts(error.message);
        return 1;
    }
    for (size_t i = 0; i < list.count; i++) {
        const pod_buffer *weight = pod_weights_find(&list, list.entries[i].name);
        printf("%s %s %.9g\n", list.entries[i].name, pod_dtype_name(pod_buffer_dtype(weight)),
               (double)*(const float *)pod_buffer_data(weight));
    }
    pod_buffer_list_clear(&list);
    pod_context_release(context);
    return 0;
}
]]

-- Saves a model and rows, predicts by a host program and compares with what the model predicts, to the bit.
local function check_predictions(program)
  pod.random.set_seed(5)
  local model = pod.models.sequential { pod.layers.conv2d(3, 3, { activation = "relu", input_shape = { 8, 8, 1 } }),
    pod.layers.batch_normalization(), pod.layers.flatten(), pod.layers.dense(4, { activation = "softmax" }) }
  local x = pod.random.normal { 64, 8, 8, 1 }
  local net, from, to = folder .. "/net.safetensors", folder .. "/x.npy", folder .. "/y.npy"
  model:export(net)
  pod.data.save_npy(from, x)
  local text, code = shell(("%s %s %s %s"):format(quote(program), quote(net), quote(from), quote(to)))
  assert.are.equal(0, code, text)
  assert.is_not_nil(text:find("rows at once: 1 32\n", 1, true), text)
  assert.is_not_nil(text:find("float32 (8, 8, 1)\n", 1, true), text)
  local found = pod.data.load_npy(to)
  assert.are.same({ 64, 4 }, { found.shape[1], found.shape[2] })
  assert.is_true(model:predict(x):data() == found:data(), "the bits differ")
  return net
end

describe("a host program in C", function()
  setup(function()
    assert.are.equal(0, select(2, shell("mkdir -p " .. quote(folder))))
  end)

  teardown(function()
    shell("rm -rf " .. quote(folder))
  end)

  it("predicts the bits that Lua predicts, without Lua", function()
    local program = build .. "/embed_predict"
    local net = check_predictions(program)
    local text, code = shell(("%s %s"):format(quote(program), quote(net)))
    assert.are.equal(0, code, text)
    assert.is_not_nil(text:find "weight [%w_]+/kernel: float32 %(3, 3, 1, 3%)", text)
    text = shell("ldd " .. quote(program))
    assert.is_nil(text:find "lua", text)
  end)

  it("reads the weights of a model that Lua saved, without its optimizer", function()
    if is_sanitized() then
      return pending "a program without a sanitizer cannot use a library that has one"
    end
    local source, program, path = folder .. "/weights.c", folder .. "/weights", folder .. "/model.safetensors"
    local file = assert(io.open(source, "w"))
    file:write(WEIGHTS)
    file:close()
    local text, code = shell(("cc -I core/include %s -L %s -lmoonpod -Wl,-rpath,%s -o %s"):format(quote(source),
      quote(build), quote(build), quote(program)))
    assert.are.equal(0, code, text)
    local model = pod.models.sequential { pod.layers.dense(3, { input_shape = { 2 }, name = "first" }),
      pod.layers.dense(1, { name = "last" }) }
    model:compile { optimizer = "adam", loss = "mse" }
    model:fit(pod.ones { 8, 2 }, pod.ones { 8, 1 }, { verbose = 0 })
    model:save(path)
    local expected = {}
    for _, name in ipairs { "first/bias", "first/kernel", "last/bias", "last/kernel" } do
      local value = model:get_layer(name:match "^[^/]+")[name:match "[^/]+$"]:value()
      expected[#expected + 1] = ("%s %s %.9g\n"):format(name, value.dtype, value:reshape { -1 }[1]:item())
    end
    text, code = shell(("%s %s"):format(quote(program), quote(path)))
    assert.are.equal(0, code, text)
    assert.are.equal(table.concat(expected), text)
  end)

  it("says what is wrong with a file", function()
    local path = folder .. "/damaged.safetensors"
    local file = assert(io.open(path, "wb"))
    file:write(("x"):rep(100))
    file:close()
    local text, code = shell(("%s %s"):format(quote(build .. "/embed_predict"), quote(path)))
    assert.are.equal(1, code)
    assert.is_not_nil(text:find("POD_ERROR_FORMAT", 1, true), text)
  end)

  it("is built from an installed tree by pkg-config", function()
    if is_sanitized() then
      return pending "a program without a sanitizer cannot use a library that has one"
    end
    local tree = folder .. "/tree"
    local text, code = shell(("cmake --install %s --prefix %s"):format(quote(build), quote(tree)))
    assert.are.equal(0, code, text)
    local found
    text = shell("find " .. quote(tree) .. " -name moonpod.pc")
    found = text:match "^(.*)/moonpod%.pc\n"
    assert.is_not_nil(found, text)
    local told = shell("env -u LUA_PATH -u LUA_CPATH " .. quote(tree) .. "/bin/moonpod doctor")
    assert.truthy(told:find("for editors +" .. tree .. "/share/moonpod/library\n"), told)
    if shell("ls " .. quote(build)):find "moonpod%-kernel" then
      local spec = shell("cat " .. quote(tree .. "/share/jupyter/kernels/moonpod/kernel.json"))
      assert.truthy(spec:find('"' .. tree .. '/bin/moonpod-kernel"', 1, true), spec)
    end
    text, code = shell(("PKG_CONFIG_PATH=%s; export PKG_CONFIG_PATH; cd %s && cc %s/examples/embed_c/predict.c "
      .. "$(pkg-config --cflags --libs moonpod) -Wl,-rpath,%s/.. -o predict"):format(quote(found), quote(folder),
      quote(shell "pwd":match "^[^\n]+"), quote(found)))
    assert.are.equal(0, code, text)
    check_predictions(folder .. "/predict")
  end)
end)
