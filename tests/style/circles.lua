-- Circles in a graph of names.

local circles = {}

function circles.sorted_names(set)
  local names = {}
  for name in pairs(set) do
    names[#names + 1] = name
  end
  table.sort(names)
  return names
end

-- Names that reach each other, or themselves: an array of sorted arrays. graph: for each name a table by the names that
-- it leads to, each of which graph has.
function circles.find(graph)
  local index, low, on_stack, stack, count, found = {}, {}, {}, {}, 0, {}
  local function visit(name)
    count = count + 1
    index[name], low[name], on_stack[name] = count, count, true
    stack[#stack + 1] = name
    for _, other in ipairs(circles.sorted_names(graph[name])) do
      if not index[other] then
        visit(other)
        low[name] = math.min(low[name], low[other])
      elseif on_stack[other] then
        low[name] = math.min(low[name], index[other])
      end
    end
    if low[name] == index[name] then
      local circle = {}
      repeat
        local last = table.remove(stack)
        on_stack[last] = nil
        circle[#circle + 1] = last
      until last == name
      if #circle > 1 or graph[name][name] then
        table.sort(circle)
        found[#found + 1] = circle
      end
    end
  end
  for _, name in ipairs(circles.sorted_names(graph)) do
    if not index[name] then
      visit(name)
    end
  end
  return found
end

return circles
