-- above - what a floor leaves to higher ones, which it must not require: whoever stands above all of them says who does
-- it (moonpod). That is what methods of functions and models ask of the advisor, which looks at both, and what a report
-- asks of remedies, which make reports.

local above = {}

local known = {}

-- Says who does things: name -> function.
function above.provide(functions)
  for name, fn in pairs(functions) do
    known[name] = fn
  end
end

-- Has a thing done, and returns what comes of it.
function above.call(name, ...)
  local fn = known[name]
  if not fn then
    error("above: nobody does '" .. name .. "' before a script asks moonpod for a name", 0)
  end
  return fn(...)
end

-- A function that has a thing done with what it is called with.
function above.doing(name)
  return function(...)
    return above.call(name, ...)
  end
end

return above
