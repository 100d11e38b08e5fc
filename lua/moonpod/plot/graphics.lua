-- graphics - pictures for terminals that draw pixels: the protocols of kitty and sixel.

local base64 = require "moonpod.base.base64"
local tables = require "moonpod.base.tables"

local graphics = {}

-- A PNG by kitty's protocol, in pieces of 4096 bytes.
function graphics.kitty(png)
  local text, out = base64.encode(png), {}
  for i = 1, #text, 4096 do
    out[#out + 1] = ("\27_G%sm=%d;%s\27\\"):format(i == 1 and "a=T,f=100," or "", i + 4096 <= #text and 1 or 0,
      text:sub(i, i + 4095))
  end
  return table.concat(out)
end

-- The colours of pixels in 6 x 6 x 6 steps, as sixel's registers; which of them occur.
local function registers_of(pixels, count)
  local list, used = {}, {}
  for i = 0, count - 1 do
    local red, green, blue = pixels:byte(3 * i + 1, 3 * i + 3)
    local register = math.floor(red / 255 * 5 + 0.5) * 36 + math.floor(green / 255 * 5 + 0.5) * 6
      + math.floor(blue / 255 * 5 + 0.5)
    list[i], used[register] = register, true
  end
  return list, used
end

-- Runs of one letter as "!12~".
local function packed(letters)
  local out, i = {}, 1
  while i <= #letters do
    local j = i
    while letters[j + 1] == letters[i] do
      j = j + 1
    end
    out[#out + 1] = j - i >= 3 and ("!%d%s"):format(j - i + 1, letters[i]) or letters[i]:rep(j - i + 1)
    i = j + 1
  end
  return table.concat(out)
end

-- One colour of six rows of pixels.
local function band(list, register, top, width, height)
  local letters, any = {}, false
  for x = 0, width - 1 do
    local bits = 0
    for row = 0, math.min(6, height - top) - 1 do
      if list[(top + row) * width + x] == register then
        bits, any = bits + 2 ^ row, true
      end
    end
    letters[x + 1] = string.char(63 + bits)
  end
  return any and packed(letters)
end

-- Bytes of pixels, red, green and blue of each, by sixel's protocol.
function graphics.sixel(pixels, height, width)
  local list, used = registers_of(pixels, height * width)
  local out = { ('\27Pq"1;1;%d;%d'):format(width, height) }
  local order = tables.sorted_keys(used)
  for _, register in ipairs(order) do
    out[#out + 1] = ("#%d;2;%d;%d;%d"):format(register, math.floor(register / 36) * 20,
      math.floor(register / 6) % 6 * 20, register % 6 * 20)
  end
  for top = 0, height - 1, 6 do
    local parts = tables.map(order, function(register)
      local letters = band(list, register, top, width, height)
      return letters and ("#%d%s"):format(register, letters) or nil
    end)
    out[#out + 1] = table.concat(parts, "$") .. "-"
  end
  return table.concat(out) .. "\27\\"
end

return graphics
