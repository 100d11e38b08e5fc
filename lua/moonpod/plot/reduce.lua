-- reduce - of many points those that can be seen.

local reduce = {}

-- Of a line { x1, y1, x2, y2, ... } whose lengths are pixels: of points one after the other in one column of pixels
-- the first, the lowest, the highest and the last, in their order. A picture of it is the same.
function reduce.line(points)
  if #points <= 8 then
    return points
  end
  local out, count = {}, 0
  local first, low, high, last, column
  local function keep(i)
    if out[count - 1] ~= points[i] or out[count] ~= points[i + 1] then
      out[count + 1], out[count + 2] = points[i], points[i + 1]
      count = count + 2
    end
  end
  local function flush()
    keep(first)
    keep(math.min(low, high))
    keep(math.max(low, high))
    keep(last)
  end
  for i = 1, #points, 2 do
    local here = math.floor(points[i])
    if here ~= column then
      if column then
        flush()
      end
      first, low, high, column = i, i, i, here
    end
    low = points[i + 1] < points[low + 1] and i or low
    high = points[i + 1] > points[high + 1] and i or high
    last = i
  end
  flush()
  return out
end

-- Of points { x1, y1, ... } one for each square of `size` pixels.
function reduce.points(points, size)
  local out, seen = {}, {}
  for i = 1, #points, 2 do
    local key = math.floor(points[i] / size) * 65536 + math.floor(points[i + 1] / size)
    if not seen[key] then
      seen[key] = true
      out[#out + 1], out[#out + 2] = points[i], points[i + 1]
    end
  end
  return out
end

-- The part of a line from a to b that lies in a box: the shares of the way at which it begins and ends, or nil.
local function shares_inside(box, ax, ay, bx, by)
  local first, last = 0, 1
  for _, side in ipairs { { ax - bx, ax - box.x }, { bx - ax, box.x + box.width - ax }, { ay - by, ay - box.y },
    { by - ay, box.y + box.height - ay } } do
    local slope, room = side[1], side[2]
    if slope == 0 then
      if room < 0 then
        return nil
      end
    elseif slope < 0 then
      first = math.max(first, room / slope)
    else
      last = math.min(last, room / slope)
    end
  end
  if first > last then
    return nil
  end
  return first, last
end

-- The parts of a line that lie in a box { x =, y =, width =, height = }.
function reduce.clip(points, box)
  local parts, part = {}, nil
  if #points == 2 and shares_inside(box, points[1], points[2], points[1], points[2]) then
    return { points }
  end
  for i = 1, #points - 3, 2 do
    local ax, ay, bx, by = points[i], points[i + 1], points[i + 2], points[i + 3]
    local first, last = shares_inside(box, ax, ay, bx, by)
    if first then
      if not part or first > 0 then
        part = { ax + first * (bx - ax), ay + first * (by - ay) }
        parts[#parts + 1] = part
      end
      part[#part + 1], part[#part + 2] = ax + last * (bx - ax), ay + last * (by - ay)
    end
    part = first and last == 1 and part or nil
  end
  return parts
end

return reduce
