-- shuffled_order - a random order that depends on a seed alone, whatever Lua it is and whatever was drawn before.

-- The numbers 1 to n mixed: by Lehmer's generator, whose products doubles hold exactly.
return function(n, seed)
  local order, state = {}, seed % 2147483646 + 1
  for i = 1, n do
    order[i] = i
  end
  for i = n, 2, -1 do
    state = state * 16807 % 2147483647
    local j = state % i + 1
    order[i], order[j] = order[j], order[i]
  end
  return order
end
