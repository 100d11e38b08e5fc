-- Writes the data that the programs of this folder read: a table of houses (CSV), a folder of pictures with a folder
-- for each class (PNG), and short reviews (CSV). The same seed writes the same bytes.
--
--   moonpod examples/from_keras/data.lua [folder=build/from_keras] [size=1] [seed=1]

pcall(dofile, ((arg and arg[0] or ""):match "^.*/" or "") .. "../find_moonpod.lua") -- in a checkout
local pod = require "moonpod"

local folder, size, seed = ...
folder, size, seed = folder or "build/from_keras", tonumber(size or 1), tonumber(seed or 1)

-- Park and Miller's generator: the same in every Lua.
local state = seed * 7919 % 2147483647
local function random()
  state = state * 16807 % 2147483647
  return state / 2147483647
end

local function normal()
  return math.sqrt(-2 * math.log(random())) * math.cos(2 * math.pi * random())
end

local function pick(list)
  return list[math.floor(random() * #list) + 1]
end

local function write(path, text)
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
end

os.execute(("mkdir -p '%s/pictures'"):format(folder))

-- ---- houses: the price follows area, rooms, age and place, with noise ----------------------------------------------

local lines = { "area,rooms,age,floor,distance,garden,year_sold,price" }
for _ = 1, math.floor(3000 * size) do
  local area, rooms, age = 40 + 160 * random(), 1 + math.floor(6 * random()), math.floor(90 * random())
  local floor, distance, garden = math.floor(8 * random()), 25 * random() ^ 2, random() < 0.4 and 1 or 0
  local year = 2000 + math.floor(24 * random())
  local price = 2.2 * area * (1 - age / 250) * (1.4 - distance / 30) + 9 * rooms + 25 * garden * area / 100
    + 3 * (year - 2000) - 2 * math.abs(floor - 3)
  lines[#lines + 1] = ("%.1f,%d,%d,%d,%.2f,%d,%d,%.2f"):format(area, rooms, age, floor, distance, garden, year,
    price * (1 + 0.05 * normal()))
end
write(folder .. "/houses.csv", table.concat(lines, "\n") .. "\n")

-- ---- pictures: discs, squares and crosses of 32x32, anywhere and in any colour -------------------------------------

local SIDE = 32
local INSIDE = {
  cross = function(x, y, r)
    return math.min(math.abs(x), math.abs(y)) < r / 3 and math.max(math.abs(x), math.abs(y)) < r
  end,
  disc = function(x, y, r)
    return x * x + y * y < r * r
  end,
  square = function(x, y, r)
    return math.max(math.abs(x), math.abs(y)) < r * 0.9
  end,
}

local function picture(is_inside)
  local middle_x, middle_y, r = 12 + 8 * random(), 12 + 8 * random(), 6 + 5 * random()
  local angle, ground, colour = (random() - 0.5) * 0.7, {}, {}
  for channel = 1, 3 do
    ground[channel], colour[channel] = 20 + 60 * random(), 120 + 120 * random()
  end
  local pixels = {}
  for y = 0, SIDE - 1 do
    for x = 0, SIDE - 1 do
      local right, down = x - middle_x, y - middle_y
      local of = is_inside(right * math.cos(angle) + down * math.sin(angle),
        down * math.cos(angle) - right * math.sin(angle), r) and colour or ground
      for channel = 1, 3 do
        pixels[#pixels + 1] = math.floor(math.max(0, math.min(255, of[channel] + 10 * normal())))
      end
    end
  end
  return pod.tensor(pixels, { dtype = "uint8" }):reshape { SIDE, SIDE, 3 }
end

for name, is_inside in pairs(INSIDE) do
  os.execute(("mkdir -p '%s/pictures/%s'"):format(folder, name))
  state = (#name * 100003 + name:byte() + seed * 7919) % 2147483647
  for i = 1, math.floor(400 * size) do
    write(("%s/pictures/%s/%04d.png"):format(folder, name, i), pod.image.encode_png(picture(is_inside)))
  end
end

-- ---- reviews: a word says what is meant, "not" before it the opposite ----------------------------------------------

local GOOD = { "good", "great", "lovely", "funny", "brilliant", "moving", "clever" }
local BAD = { "bad", "boring", "awful", "dull", "weak", "silly", "terrible" }
local THINGS = { "The film", "the plot", "The music", "its end", "the acting", "This story", "the hero" }
local FILLERS = { "I saw it on Monday.", "We went with friends!", "It lasts two hours...", "My seat was in row 7.",
  "There was popcorn,", "They say it's from 1999.", "(in a small cinema)" }

lines = { "text,label" }
state = (seed * 104729) % 2147483647
for _ = 1, math.floor(2000 * size) do
  local is_good = random() < 0.5
  local parts = {}
  for _ = 1, 1 + math.floor(3 * random()) do
    parts[#parts + 1] = pick(FILLERS)
  end
  local turned = random() < 0.4
  local word = pick(is_good ~= turned and GOOD or BAD)
  local says = ("%s was %s%s."):format(pick(THINGS), turned and "not " or "", word)
  table.insert(parts, 1 + math.floor(random() * (#parts + 1)), says)
  lines[#lines + 1] = ('"%s",%d'):format(table.concat(parts, " "), (is_good ~= (random() < 0.03)) and 1 or 0)
end
write(folder .. "/reviews.csv", table.concat(lines, "\n") .. "\n")
print("wrote houses.csv, pictures/ and reviews.csv in " .. folder)
