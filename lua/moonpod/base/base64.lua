-- base64 - bytes as letters, and back.

local base64 = {}

local DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

function base64.encode(bytes)
  local parts = {}
  for i = 1, #bytes, 3 do
    local a, b, c = bytes:byte(i, i + 2)
    local number = a * 65536 + (b or 0) * 256 + (c or 0)
    local four = ""
    for _ = 1, 4 do
      local digit = number % 64
      four = DIGITS:sub(digit + 1, digit + 1) .. four
      number = (number - digit) / 64
    end
    parts[#parts + 1] = four:sub(1, c and 4 or b and 3 or 2) .. ("="):rep(c and 0 or b and 1 or 2)
  end
  return table.concat(parts)
end

-- The bytes of a text; other letters are passed over.
function base64.decode(text)
  local parts, bits, count = {}, 0, 0
  for c in text:gmatch "[%w+/]" do
    bits, count = bits * 64 + DIGITS:find(c, 1, true) - 1, count + 6
    if count >= 8 then
      count = count - 8
      local byte = math.floor(bits / 2 ^ count)
      parts[#parts + 1], bits = string.char(byte), bits - byte * 2 ^ count
    end
  end
  return table.concat(parts)
end

return base64
