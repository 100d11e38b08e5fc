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
    local old = page.text("", "A CPU", "Load 1.", page.row("W2 fp32", { "20.1", "old" }), rows)
    local new = page.text(old, "A CPU", "Load 2.", page.row("W1 bf16", { "1.1", "new" }), rows)
    assert.same("| W1 bf16 | 1.1 | new |\n| W2 fp32 | 20.1 | old |\n", new:match "%-%-%- |\n(.*)$")
    assert.truthy(new:find "Load%s2%.")
    assert.falsy(new:find "Load%s1%.")
    new = page.text(new, "A CPU", "Load 3.", page.row("W2 fp32", { "20.2", "newer" }), rows)
    assert.same("| W1 bf16 | 1.1 | new |\n| W2 fp32 | 20.2 | newer |\n", new:match "%-%-%- |\n(.*)$")
    new = page.text(new, "A CPU", "Load 4.", page.row(page.prediction("W2", "fp32", 32), { "0.3", "as well" }), rows)
    assert.same("| W2 fp32, 32 rows | 0.3 | as well |\n", new:match "## Predictions\n.*%-%-%- |\n(.*)$")
    assert.truthy(new:find("| W1 bf16 | 1.1 | new |\n| W2 fp32 | 20.2 | newer |\n\n## Predictions\n\n", 1, true))
  end)
end)
