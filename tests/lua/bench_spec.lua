-- What benchmarks print of the machine.

local tools = require "tests.bench.tools"

describe("benchmarks", function()
  it("say what their figures depend on", function()
    local facts, text = {}, {}
    for i, fact in ipairs(tools.machine("tests/bench", os.getenv "MOONPOD_BUILD" or "build/release", 7)) do
      facts[i], text[fact[1]] = fact[1], fact[2]
    end
    assert.same({ "cpu", "cores", "compiler", "blas", "commit", "seed" }, facts)
    assert.is_true(tonumber(text.cores) >= 1)
    assert.matches("%d+%.%d+", text.compiler)
    assert.matches("own kernels", text.blas:gsub("OpenBLAS, .*", "own kernels"))
    assert.equal("7", text.seed)
  end)

  it("keep the rows of a machine's page that are not measured again", function()
    local page = require "tests.bench.zoo_page"
    local rows = { { "w1", "W1" }, { "w2", "W2" } }
    local function facts(ending, versions)
      return { machine = "2 CPUs, two threads each, avx2", versions = versions or {}, ending = ending }
    end
    local old = page.text("", "A CPU", facts "Load 1.", page.row("W2 fp32", { "20.1", "old" }), rows)
    local new = page.text(old, "A CPU", facts "Load 2.", page.row("W1 bf16", { "1.1", "new" }), rows)
    assert.same("| W1 bf16 | 1.1 | new |\n| W2 fp32 | 20.1 | old |\n", new:match "%-%-%- |\n(.*)$")
    assert.truthy(new:find "Load%s2%.")
    assert.falsy(new:find "Load%s1%.")
    new = page.text(new, "A CPU", facts "Load 3.", page.row("W2 fp32", { "20.2", "newer" }), rows)
    assert.same("| W1 bf16 | 1.1 | new |\n| W2 fp32 | 20.2 | newer |\n", new:match "%-%-%- |\n(.*)$")
    new = page.text(new, "A CPU", facts "Load 4.", page.row(page.prediction("W2", "fp32", 32),
      { "0.3", "as well" }), rows)
    assert.same("| W2 fp32, 32 rows | 0.3 | as well |\n", new:match "## Predictions\n.*%-%-%- |\n(.*)$")
    assert.truthy(new:find("| W1 bf16 | 1.1 | new |\n| W2 fp32 | 20.2 | newer |\n\n## Predictions\n\n", 1, true))
  end)

  it("keep the versions of peers that are not measured again", function()
    local page = require "tests.bench.zoo_page"
    local rows = { { "w1", "W1" } }
    local function versions_after(old, versions)
      local facts = { machine = "2 CPUs, two threads each, avx2", versions = versions, ending = "Peaks: f32 1." }
      local text = page.text(old, "A CPU", facts, page.row("W1 fp32", { "1.1" }), rows)
      return text, text:gsub("\n", " "):match "avx2; (.-)%. Peaks"
    end
    local text, written = versions_after("", { torch = "torch 2.1.0+cu1", tensorflow = "tensorflow 2.21.0" })
    assert.equal("torch 2.1.0+cu1, tensorflow 2.21.0", written)
    text, written = versions_after(text, { torch = "torch 2.2", onnxruntime = "onnxruntime 1.3.2" })
    assert.equal("torch 2.2, tensorflow 2.21.0, onnxruntime 1.3.2", written)
    text, written = versions_after(text, { jax = "jax 0.4" })
    assert.equal("torch 2.2, tensorflow 2.21.0, jax 0.4, onnxruntime 1.3.2", written)
    assert.equal(written, select(2, versions_after(text, {})))
  end)
end)
