-- The module of Python that a wheel has, with this build in the place of the wheel's executables.

local executable = dofile "tests/lua/support/executable.lua"

local build = os.getenv "MOONPOD_BUILD"

describe("the module of Python", function()
  it("asks the executable, and gives what it says", function()
    local folder = os.tmpname()
    os.remove(folder)
    local said, code = executable.shell(([[mkdir %s && cp -r python/moonpod %s/ && mkdir %s/moonpod/bin &&
      ln -s %s/moonpod %s/moonpod/bin/moonpod &&
      PYTHONPATH=%s python3 tests/tools/python_door.py tests/golden/stablehlo/mlp_adam.mlir]]):format(folder, folder,
      folder, build, folder, folder))
    os.execute("rm -rf " .. folder)
    assert.equal(0, code, said)
    assert.truthy(said:find("the door for Python is open", 1, true), said)
  end)
end)
