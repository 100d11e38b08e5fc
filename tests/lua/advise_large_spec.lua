-- Programs of many ops are planned in a time that grows with their ops, not with the square of them: so it was for
-- slices of one value and for products whose masks are packed.

local pod = require "moonpod"

local MOST_SECONDS = 5 -- of the processor; each takes one, and took more than nine

-- The seconds that a plan takes of a function of x and w, two of 256 x 256, whose lines write(add) adds; the last
-- of them makes %y.
local function seconds_of(write)
  local X = "tensor<256x256xf32>"
  local lines = { "module @m {", ("func.func public @main(%%x: %s, %%w: %s) -> %s {"):format(X, X, X) }
  write(function(line, ...)
    local text = select("#", ...) > 0 and line:format(...) or line
    lines[#lines + 1] = text:gsub("@X", X):gsub("@R", "tensor<256xf32>"):gsub("@F", "tensor<f32>")
      :gsub("@B", "tensor<256x256xi1>")
  end)
  lines[#lines + 1] = ("return %%y : %s\n}\n}"):format(X)
  local path = os.tmpname()
  local handle = assert(io.open(path, "w"))
  handle:write(table.concat(lines, "\n"))
  handle:close()
  local start = os.clock()
  local advice = pod.advise(path, { chip = "v5e" })
  local seconds = os.clock() - start
  os.remove(path)
  assert.equal("fits", advice.verdict)
  return seconds
end

describe("a large program is planned in seconds", function()
  it("of slices of one value", function()
    local COUNT = 50000
    local seconds = seconds_of(function(add)
      add("%%many = stablehlo.iota dim = 0 : tensor<%dxf32>", COUNT)
      add "%s0 = stablehlo.constant dense<0.0> : tensor<1xf32>"
      for i = 1, COUNT / 2 do
        add("%%p%d = stablehlo.slice %%many [%d:%d] : (tensor<%dxf32>) -> tensor<1xf32>", i, i, i + 1, COUNT)
        add("%%s%d = stablehlo.add %%s%d, %%p%d : tensor<1xf32>", i, i - 1, i)
      end
      add("%%b = stablehlo.broadcast_in_dim %%s%d, dims = [0] : (tensor<1xf32>) -> @X", COUNT / 2)
      add "%y = stablehlo.add %x, %b : @X"
    end)
    assert.is_true(seconds < MOST_SECONDS, seconds)
  end)

  it("of masked products and sums", function()
    local COUNT = 14000
    local seconds = seconds_of(function(add)
      add "%zero = stablehlo.constant dense<0.0> : @F"
      add "%zeros = stablehlo.constant dense<0.0> : @X"
      add "%v0 = stablehlo.add %x, %w : @X"
      for i = 1, COUNT do
        add("%%p%d = stablehlo.dot_general %%v%d, %%w, contracting_dims = [1] x [0] : (@X, @X) -> @X", i, i - 1)
        add("%%m%d = stablehlo.compare GT, %%p%d, %%zeros : (@X, @X) -> @B", i, i)
        add("%%x%d = stablehlo.select %%m%d, %%p%d, %%zeros : @B, @X", i, i, i)
        add("%%r%d = stablehlo.reduce(%%x%d init: %%zero) applies stablehlo.add across dimensions = [1] "
          .. ": (@X, @F) -> @R", i, i)
        add("%%b%d = stablehlo.broadcast_in_dim %%r%d, dims = [0] : (@R) -> @X", i, i)
        add("%%v%d = stablehlo.subtract %%x%d, %%b%d : @X", i, i, i)
      end
      add("%%g%d = stablehlo.add %%v%d, %%w : @X", COUNT + 1, COUNT)
      for i = COUNT, 1, -1 do
        add("%%g%d = stablehlo.select %%m%d, %%g%d, %%zeros : @B, @X", i, i, i + 1)
      end
      add "%y = stablehlo.add %g1, %x : @X"
    end)
    assert.is_true(seconds < MOST_SECONDS, seconds)
  end)
end)
