-- pod.advise { exact = } and --exact: what an installed compiler of TPUs says. The plugin of tests stands for it
-- (tests/tools/pjrt_plugin.c); libtpu itself is asked by ./dev test --long exact where it is installed.

local pod = require "moonpod"

local build = os.getenv "MOONPOD_BUILD"
local plugin = build and build .. "/tests/pjrt_plugin.so"
local ADD = [[
module @jit_f {
  func.func public @main(%a: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
    %0 = stablehlo.add %a, %a : tensor<1024x1024xf32>
    return %0 : tensor<1024x1024xf32>
  }
}
]]

describe("advise { exact }", function()
  local path
  setup(function()
    path = os.tmpname()
    local handle = assert(io.open(path, "w"))
    handle:write(ADD)
    handle:close()
  end)
  teardown(function()
    os.remove(path)
  end)

  local function advise(options)
    options.exact = options.exact or plugin
    return pod.advise(path, options)
  end

  it("has the compiler's totals and verdict beside the plan's", function()
    local memory = advise({ chip = "v5e" }).memory
    assert.equal("fits", memory.verdict)
    assert.equal(#ADD, memory.argument_bytes)
    assert.equal(1, memory.alias_bytes)
    assert.equal("compiler of tests", memory.compiled.version)
    assert.equal("v5e:2x2", memory.compiled.topology)
    local text = tostring(memory)
    assert.truthy(text:find("so its compiler says (compiler of tests, PJRT 0.90); the plan needs", 1, true), text)
    assert.truthy(text:find("planned 4.00M", 1, true), text)
  end)

  it("has the compiler's estimate of times beside the model's", function()
    local advice = advise { chip = "v5e", times = true }
    local text = tostring(advice:projection())
    assert.truthy(text:find("its compiler estimates 3.50 us of kernels (the model: ", 1, true), text)
    assert.truthy(text:find("1 of 4 have no estimate", 1, true), text)
    assert.truthy(text:find("\n  2.00 us  fusion.2  9\n  1.00 us  fusion.1  4\n  0.50 us  copy.1    3", 1, true), text)
    assert.is_nil(advise({ chip = "v5e" }).memory.compiled.time)
    assert.is_nil(advise({ chip = "v5e" }):projection().compiled)
  end)

  it("names slices as the compiler does", function()
    for chip, topology in pairs { v3 = "v3:2x2", v4 = "v4:2x2x1", v5p = "v5:2x2x1", v6e = "v6e:2x2",
      v7x = "tpu7x:2x2x1", ["v5e-16"] = "v5e:4x4", ["v4:2x2x4"] = "v4:2x2x4" } do
      assert.equal(topology, advise({ chip = chip }).memory.compiled.topology)
    end
  end)

  it("says what is wrong with the compiler", function()
    assert.error_matches(function() advise { exact = "/nowhere/libtpu.so" } end,
      "the compiler gave no answer for v3:2x2: the plugin cannot be loaded")
    assert.error_matches(function() advise { exact = 7 } end, "exact")
  end)

  it("loads nothing for a script in a sandbox", function()
    local folder = path .. ".folder"
    assert(os.execute(("mkdir %s && cp %s %s && cp %s %s"):format(folder, path, folder, plugin, folder)))
    local box = pod.sandbox.new { files = folder }
    assert.error_matches(function()
      box:run(([[return pod.advise(%q, { exact = "pjrt_plugin.so" })]]):format(path:match "[^/]+$"))
    end, "a sandbox may load no compiler")
    os.execute("rm -r " .. folder)
  end)
end)

-- libtpu of PyPI beside the answers of tests/golden. Another version may have given those; what differs is told.
-- MOONPOD_EXACT_ROWS=FIRST:COUNT and MOONPOD_EXACT_CHIPS=v4,v5p ask for some of the rows alone; MOONPOD_EXACT_LOG gets
-- a line for each, where the answer is another all of it.
describe("libtpu beside the kept answers", function()
  local golden = "tests/golden/"
  local libtpu = os.getenv "MOONPOD_PJRT_PLUGIN"

  -- { program, chip, argument, output, alias, temp } or { program, chip, need = , fits = }
  local function kept_rows()
    local rows = {}
    for _, name in ipairs { "tpu_memory", "tpu_memory_later", "tpu_data_parallel" } do
      for line in io.lines(golden .. name .. ".def") do
        local program, chip, numbers = line:match '^MEMORY%("([^"]+)", "([^"]+)", (.+)%)'
        if program then
          local row = { program = program, chip = chip }
          row.argument_bytes, row.output_bytes, row.alias_bytes, row.temp_bytes =
            numbers:match "(%d+), (%d+), (%d+), (%d+)"
          rows[#rows + 1] = row
        end
      end
    end
    for line in io.lines(golden .. "tpu_pressure.def") do
      local program, chip, need, fits = line:match '^PRESSED%("([^"]+)", "([^"]+)", %d+, %d+, (%d+), (%d)%)'
      if program then
        rows[#rows + 1] = { program = program, chip = chip, need_bytes = need, fits = fits == "1" }
      end
    end
    return rows
  end

  -- Nil where the answer is the kept one, else what differs.
  local function difference(row)
    local path = os.tmpname()
    assert(os.execute(("gzip -dc '%stpu_programs/%s.mlir.gz' > %s"):format(golden, row.program, path)))
    local devices = row.program:match "%.n(%d+)$"
    local chip = devices and ("%s-%d"):format(row.chip, row.chip:match "^v[34]$" and 2 * devices or devices) or row.chip
    local ok, advice = pcall(pod.advise, path, { chip = chip, exact = libtpu })
    os.remove(path)
    if not ok then
      return tostring(advice)
    end
    local memory = advice.memory
    if row.fits ~= nil and row.fits ~= memory.compiled.fits then
      return "fits"
    end
    local kept, now = {}, {}
    for _, field in ipairs { "argument_bytes", "output_bytes", "alias_bytes", "temp_bytes", "need_bytes" } do
      if row[field] then
        kept[#kept + 1], now[#now + 1] = row[field], ("%d"):format(memory[field])
      end
    end
    kept, now = table.concat(kept, ", "), table.concat(now, ", ")
    return kept ~= now and ("kept %s, now %s"):format(kept, now) or nil
  end

  it("gives them again", function()
    if not os.getenv "MOONPOD_LONG" or not libtpu then
      pending "with --long, where MOONPOD_PJRT_PLUGIN names a libtpu"
      return
    end
    local rows = kept_rows()
    local chips = os.getenv "MOONPOD_EXACT_CHIPS"
    local first, count = (os.getenv "MOONPOD_EXACT_ROWS" or ("1:%d"):format(#rows)):match "(%d+):(%d+)"
    local log = io.open(os.getenv "MOONPOD_EXACT_LOG" or "/dev/null", "a")
    local asked, equal, answered, wrong = 0, 0, 0, {}
    for i = tonumber(first), math.min(#rows, tonumber(first) + tonumber(count) - 1) do
      local row = rows[i]
      if not chips or ("," .. chips .. ","):find("," .. row.chip .. ",", 1, true) then
        local differs = difference(row)
        asked, equal = asked + 1, equal + (differs and 0 or 1)
        answered = answered + ((not differs or differs:find "kept" or differs == "fits") and 1 or 0)
        if differs and row.chip ~= "v7x" then -- of which libtpu 0.0.51 and 0.0.52 differ
          wrong[#wrong + 1] = ("%s on %s: %s"):format(row.program, row.chip, differs)
        end
        log:write(("%s %s %s\n"):format(row.program, row.chip, differs or "equal"))
        log:flush()
      end
    end
    log:close()
    print(("# libtpu: %d of %d kept answers given again, %d answered"):format(equal, asked, answered))
    assert.equal(asked, answered)
    assert.same({}, wrong)
  end)
end)
