-- The module of Python that a wheel has, with this build in the place of the wheel's executables.

local doc_blocks = dofile "tests/lua/support/doc_blocks.lua"
local executable = dofile "tests/lua/support/executable.lua"
local peers = dofile "tests/lua/support/peers.lua"

local build = os.getenv "MOONPOD_BUILD"

describe("the module of Python", function()
  local folder = os.tmpname()

  setup(function()
    os.remove(folder)
    assert(os.execute(([[mkdir %s && cp -r python/moonpod %s/ && mkdir %s/moonpod/bin %s/libtpu &&
      ln -s %s/moonpod %s/moonpod/bin/moonpod && echo "def get_library_path(): return None" >%s/libtpu/__init__.py &&
      ln -s %s/tests/pjrt_plugin.so %s/libtpu/libtpu.so]]):format(folder, folder, folder, folder, build, folder, folder,
      build, folder)))
  end)

  teardown(function()
    os.execute("rm -rf " .. folder)
  end)

  local function run(python, words)
    return executable.shell(("JAX_PLATFORMS=cpu PYTHONPATH=%s %s %s"):format(folder, python, words))
  end

  it("asks the executable, and gives what it says", function()
    local said, code = run("python3", "tests/tools/python_door.py tests/golden/stablehlo/mlp_adam.mlir")
    assert.equal(0, code, said)
    assert.truthy(said:find("the door for Python is open", 1, true), said)
  end)

  -- Lines behind `#>` are what a block prints. The tests' compiler stands for libtpu.
  it("does what docs/guides/advise.md shows of JAX", function()
    local python, why = peers.python { "jax" }
    if not python then
      return pending(why)
    end
    local parts, expected, path = {}, {}, folder .. "/page.py"
    for _, block in ipairs(doc_blocks.of "docs/guides/advise.md") do
      if block.language == "python" and not block.text:find("PyTorch", 1, true) then
        parts[#parts + 1] = block.text
        local printed = { language = "text", line = block.line, lines = {} } -- on the lines where it stands
        for i, line in ipairs(block.lines) do
          printed.lines[i] = line:match "^#> (.*)" or ""
        end
        for _, one in ipairs(doc_blocks.unfolded(printed)) do
          one.measured = "measured"
          expected[#expected + 1] = one.text ~= "" and one or nil
        end
      end
    end
    local file = assert(io.open(path, "w"))
    file:write(table.concat(parts, "\n"), "\ntest_step_fits()\n")
    file:close()
    local said, code = run(python, path)
    assert.equal(0, code, said)
    assert.is_true(#parts >= 7 and #expected >= 8)
    local missing = doc_blocks.first_missing(expected, said)
    assert(not missing, missing and ("docs/guides/advise.md:%d: %s\nis not in\n%s"):format(missing.line, missing.text,
      said))
  end)
end)
