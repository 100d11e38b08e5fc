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
end)
