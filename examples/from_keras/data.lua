-- Writes the data that the programs of this folder read: a table of houses (CSV), a folder of pictures with a folder
-- for each class (PNG), short reviews (CSV), drawn scenes with masks and boxes, digits, a graph (NPZ), a story, dates
-- as they are written (CSV) and ratings (CSV). The same seed writes the same bytes.
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

-- ---- scenes: one to three discs and squares, darker or brighter than their ground, with masks and boxes ------------

-- Draws a shape into pixels and mask; tells whether it stays off the others.
local function place(shapes)
  local shape = { y = 7 + 18 * random(), x = 7 + 18 * random(), r = 4 + 3 * random() }
  shape.class = random() < 0.5 and 1 or 2
  for _, other in ipairs(shapes) do
    if math.max(math.abs(shape.y - other.y), math.abs(shape.x - other.x)) < shape.r + other.r + 1 then
      return
    end
  end
  shapes[#shapes + 1] = shape
end

state = (seed * 15485863) % 2147483647
local pixels, masks, boxes, classes = {}, {}, {}, {}
local scenes = math.floor(1000 * size)
for _ = 1, scenes do
  local shapes = {}
  for _ = 1, 1 + math.floor(3 * random()) do
    place(shapes)
  end
  local ground = 60 + 120 * random()
  for _, shape in ipairs(shapes) do
    shape.ink = ground + (random() < 0.5 and -1 or 1) * (40 + 40 * random())
  end
  for y = 0, SIDE - 1 do
    for x = 0, SIDE - 1 do
      local ink, class = ground, 0
      for _, shape in ipairs(shapes) do
        if INSIDE[shape.class == 1 and "disc" or "square"](x - shape.x, y - shape.y, shape.r) then
          ink, class = shape.ink, shape.class
        end
      end
      pixels[#pixels + 1] = math.floor(math.max(0, math.min(255, ink + 20 * (random() - 0.5))))
      masks[#masks + 1] = class
    end
  end
  for i = 1, 3 do -- middle and size, as shares of the side; class 0 stands for no shape
    local shape = shapes[i] or { y = 0, x = 0, r = 0, class = 0 }
    local side = 2 * shape.r * (shape.class == 2 and 0.9 or 1) / SIDE
    boxes[#boxes + 1] = { (shape.y + 0.5) / SIDE, (shape.x + 0.5) / SIDE, side, side }
    classes[#classes + 1] = shape.class
  end
end
pod.data.save_npz(folder .. "/scenes.npz", {
  pictures = pod.tensor(pixels, { dtype = "uint8" }):reshape { scenes, SIDE, SIDE, 1 },
  masks = pod.tensor(masks, { dtype = "uint8" }):reshape { scenes, SIDE, SIDE },
  boxes = pod.tensor(boxes):reshape { scenes, 3, 4 },
  classes = pod.tensor(classes, { dtype = "int32" }):reshape { scenes, 3 },
})

-- ---- digits: those of a display, turned, moved and noisy ------------------------------------------------------------

local count = math.floor(3000 * size)
for x, y in pod.data.synthetic.mnist({ n = count, seed = seed }):batch(count):iter() do
  pod.data.save_npz(folder .. "/digits.npz", { x = x, y = y })
end

-- ---- a story: sentences about animals, of few words -----------------------------------------------------------------

local ANIMALS = { "fox", "hen", "goat", "mouse", "wolf", "owl", "horse", "duck" }
local KINDS = { "old", "red", "little", "hungry", "clever", "sleepy" }
local DOINGS = { "saw", "called", "followed", "met", "forgot", "found" }
local PLACES = { "near the mill", "in the wood", "behind the barn", "by the river", "at night" }

lines = {}
state = (seed * 32452843) % 2147483647
for _ = 1, math.floor(1500 * size) do
  lines[#lines + 1] = ("the %s %s %s the %s %s%s."):format(pick(KINDS), pick(ANIMALS), pick(DOINGS), pick(KINDS),
    pick(ANIMALS), random() < 0.5 and " " .. pick(PLACES) or "")
end
write(folder .. "/story.txt", table.concat(lines, "\n") .. "\n")

-- ---- dates: as people write them, and as computers do ---------------------------------------------------------------

local MONTHS = { "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
  "November", "December" }

lines = { "text;iso" }
state = (seed * 49979687) % 2147483647
for _ = 1, math.max(2000, math.floor(4000 * size)) do
  local year, month = 1950 + math.floor(100 * random()), 1 + math.floor(12 * random())
  local day = 1 + math.floor(28 * random())
  local name, way = MONTHS[month], math.floor(4 * random())
  local text = way == 0 and ("%d %s %d"):format(day, name, year) or way == 1 and ("%s %d, %d"):format(name, day, year)
    or way == 2 and ("%d.%d.%02d"):format(day, month, year % 100) or ("%s %d %d"):format(name:sub(1, 3), day, year)
  lines[#lines + 1] = ("%s;%04d-%02d-%02d"):format(text, year, month, day)
end
write(folder .. "/dates.csv", table.concat(lines, "\n") .. "\n")

-- ---- a graph: four groups, whose members know each other more often than others -------------------------------------

state = (seed * 67867967) % 2147483647
local nodes, groups, features, sources, targets = math.max(80, math.floor(600 * size)), {}, {}, {}, {}
local middles = {}
for group = 0, 3 do
  middles[group] = {}
  for feature = 1, 16 do
    middles[group][feature] = 0.45 * normal()
  end
end
for node = 1, nodes do
  groups[node], features[node] = (node - 1) % 4, {}
  for feature = 1, 16 do
    features[node][feature] = middles[groups[node]][feature] + normal()
  end
end
for node = 0, nodes - 1 do
  for _ = 1, 3 do
    local other = math.floor(nodes * random())
    if random() < 0.75 then -- one of the same group
      other = other - other % 4 + node % 4
    end
    if other < nodes then -- known both ways
      sources[#sources + 1], targets[#targets + 1] = node, other
      sources[#sources + 1], targets[#targets + 1] = other, node
    end
  end
end
pod.data.save_npz(folder .. "/graph.npz", {
  features = pod.tensor(features), groups = pod.tensor(groups, { dtype = "int32" }),
  sources = pod.tensor(sources, { dtype = "int32" }), targets = pod.tensor(targets, { dtype = "int32" }),
})

-- ---- ratings: what users think of items that have something of what they like ---------------------------------------

lines = { "user,item,rating" }
state = (seed * 86028121) % 2147483647
local users, items = {}, {}
for i = 1, 200 do
  users[i] = { 0.4 * normal(), normal(), normal() }
end
for i = 1, 80 do
  items[i] = { 0.4 * normal(), 0.6 * normal(), 0.6 * normal() }
end
for _ = 1, math.max(4000, math.floor(8000 * size)) do
  local user, item = math.floor(#users * random()) + 1, math.floor(#items * random()) + 1
  local u, v = users[user], items[item]
  local rating = 3.2 + u[1] + v[1] + u[2] * v[2] + u[3] * v[3] + 0.4 * normal()
  lines[#lines + 1] = ("%d,%d,%.1f"):format(user - 1, item - 1, math.max(1, math.min(5, rating)))
end
write(folder .. "/ratings.csv", table.concat(lines, "\n") .. "\n")
print("wrote houses.csv, pictures/, reviews.csv and what the other programs read in " .. folder)
