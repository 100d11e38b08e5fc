-- hash - a number for a string of bytes, in whole numbers that every Lua has: two sums, each modulo a prime below 2^26.

local FIRST, SECOND = 67108859, 67108837

return function(bytes)
  local a, b = 1, 2
  for i = 1, #bytes do
    local byte = bytes:byte(i)
    a, b = (a * 131 + byte) % FIRST, (b * 8191 + byte) % SECOND
  end
  return ("%07x%07x"):format(a, b)
end
