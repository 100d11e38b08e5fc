-- What plans of large programs take: `./dev bench plans` prints the seconds of the processor for a program and for one
-- twice as large, and their ratio: 2 where time grows with the ops, 4 where it grows with the square of them. So it did
-- for slices of one value, for products whose masks are packed and for rows that are written into rows. The second
-- program of masked products has 100,800 ops. MB are the most that the process has had until then.

local pod = require "moonpod"

-- The seconds that a plan takes of a function of x and w, two of 256 x 256, whose lines write(add) adds; the last
-- of them makes %y.
local function seconds_of(write)
  local X = "tensor<256x256xf32>"
  local lines = { "module @m {", ("func.func public @main(%%x: %s, %%w: %s) -> %s {"):format(X, X, X) }
  write(function(line, ...)
    local text = select("#", ...) > 0 and line:format(...) or line
    lines[#lines + 1] = text:gsub("@X", X):gsub("@R", "tensor<256xf32>"):gsub("@F", "tensor<f32>")
      :gsub("@B", "tensor<256x256xi1>"):gsub("@T", "tensor<4x64x256xf32>")
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
  assert(advice.verdict == "fits", advice.verdict_text)
  return seconds
end

local function slices(count)
  return seconds_of(function(add)
    add("%%many = stablehlo.iota dim = 0 : tensor<%dxf32>", 2 * count)
    add "%s0 = stablehlo.constant dense<0.0> : tensor<1xf32>"
    for i = 1, count do
      add("%%p%d = stablehlo.slice %%many [%d:%d] : (tensor<%dxf32>) -> tensor<1xf32>", i, i, i + 1, 2 * count)
      add("%%s%d = stablehlo.add %%s%d, %%p%d : tensor<1xf32>", i, i - 1, i)
    end
    add("%%b = stablehlo.broadcast_in_dim %%s%d, dims = [0] : (tensor<1xf32>) -> @X", count)
    add "%y = stablehlo.add %x, %b : @X"
  end)
end

local function masked_products(count)
  return seconds_of(function(add)
    add "%zero = stablehlo.constant dense<0.0> : @F"
    add "%zeros = stablehlo.constant dense<0.0> : @X"
    add "%v0 = stablehlo.add %x, %w : @X"
    for i = 1, count do
      add("%%p%d = stablehlo.dot_general %%v%d, %%w, contracting_dims = [1] x [0] : (@X, @X) -> @X", i, i - 1)
      add("%%m%d = stablehlo.compare GT, %%p%d, %%zeros : (@X, @X) -> @B", i, i)
      add("%%x%d = stablehlo.select %%m%d, %%p%d, %%zeros : @B, @X", i, i, i)
      add("%%r%d = stablehlo.reduce(%%x%d init: %%zero) applies stablehlo.add across dimensions = [1] "
        .. ": (@X, @F) -> @R", i, i)
      add("%%b%d = stablehlo.broadcast_in_dim %%r%d, dims = [0] : (@R) -> @X", i, i)
      add("%%v%d = stablehlo.subtract %%x%d, %%b%d : @X", i, i, i)
    end
    add("%%g%d = stablehlo.add %%v%d, %%w : @X", count + 1, count)
    for i = count, 1, -1 do
      add("%%g%d = stablehlo.select %%m%d, %%g%d, %%zeros : @B, @X", i, i, i + 1)
    end
    add "%y = stablehlo.add %g1, %x : @X"
  end)
end

local function written_rows(count)
  return seconds_of(function(add)
    add "%n = stablehlo.constant dense<0> : tensor<i32>"
    add "%c = stablehlo.reshape %w : (@X) -> @T"
    add "%l:2 = stablehlo.while(%i = %n, %a = %c) : tensor<i32>, @T cond {"
    add "%m = stablehlo.constant dense<8> : tensor<i32>"
    add "%t = stablehlo.compare LT, %i, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>\nstablehlo.return %t : tensor<i1>"
    add "} do {\n%k = stablehlo.tanh %a : @T\n%u0 = stablehlo.negate %a : @T"
    for i = 1, count do
      add("%%u%d = stablehlo.dynamic_update_slice %%k, %%u%d, %%i, %%i, %%i : "
        .. "(@T, @T, tensor<i32>, tensor<i32>, tensor<i32>) -> @T", i, i - 1)
    end
    add("stablehlo.return %%i, %%u%d : tensor<i32>, @T\n}", count)
    add "%y = stablehlo.reshape %l#1 : (@T) -> @X"
  end)
end

for _, case in ipairs { { "slices of one value", slices, 12500 }, { "masked products", masked_products, 7200 },
  { "rows in turns", written_rows, 10000 } } do
  local name, plan, count = table.unpack(case)
  local one, two = plan(count), plan(2 * count)
  local status = assert(io.open "/proc/self/status"):read "a"
  print(("%-20s %6d: %.2f s, %6d: %.2f s, ratio %.1f, %.0f MB"):format(name, count, one, 2 * count, two, two / one,
    tonumber(status:match "VmHWM:%s*(%d+)") / 1024))
end
