-- colors - the colours of drawings, by what they are for, on light and on dark paper; colours of numbers.

local colors = {}

-- Series "1" to "8": told apart by colour-blind readers, and legible as thin lines.
colors.light = {
  paper = "#ffffff", panel = "#f3f4f6", ink = "#1f2328", muted = "#59636e", grid = "#d8dee4",
  ["1"] = "#2a6fbb", ["2"] = "#d1495b", ["3"] = "#2e8540", ["4"] = "#8e44ad", ["5"] = "#b8720a", ["6"] = "#0b8a9c",
  ["7"] = "#6b7280", ["8"] = "#a0522d",
}

colors.dark = {
  paper = "#0d1117", panel = "#1b222c", ink = "#e6edf3", muted = "#9aa4af", grid = "#30363d",
  ["1"] = "#6cb0f5", ["2"] = "#f4848f", ["3"] = "#63c174", ["4"] = "#c792ea", ["5"] = "#f0b357", ["6"] = "#56d0de",
  ["7"] = "#a9b1bb", ["8"] = "#dd9a6b",
}

-- The role of the i-th series.
function colors.series(i)
  return tostring(math.floor((i - 1) % 8) + 1)
end

-- Points of colour maps, from low to high: viridis; blue over white to red.
colors.maps = {
  viridis = { { 68, 1, 84 }, { 72, 40, 120 }, { 62, 74, 137 }, { 49, 104, 142 }, { 38, 130, 142 }, { 31, 158, 137 },
    { 53, 183, 121 }, { 110, 206, 88 }, { 181, 222, 43 }, { 253, 231, 37 } },
  diverging = { { 33, 102, 172 }, { 103, 169, 207 }, { 209, 229, 240 }, { 247, 247, 247 }, { 253, 219, 199 },
    { 239, 138, 98 }, { 178, 24, 43 } },
  blues = { { 247, 251, 255 }, { 222, 235, 247 }, { 198, 219, 239 }, { 158, 202, 225 }, { 107, 174, 214 },
    { 66, 146, 198 }, { 33, 113, 181 }, { 8, 81, 156 }, { 8, 48, 107 } },
  grey = { { 0, 0, 0 }, { 255, 255, 255 } },
}

-- The red, green and blue (0 to 255) of a share from 0 to 1 on a map.
function colors.of(map, share)
  local points = colors.maps[map]
  local place = math.min(math.max(share, 0), 1) * (#points - 1)
  local i = math.min(math.floor(place), #points - 2)
  local a, b, rest = points[i + 1], points[i + 2], place - i
  local out = {}
  for c = 1, 3 do
    out[c] = math.floor(a[c] + (b[c] - a[c]) * rest + 0.5)
  end
  return out[1], out[2], out[3]
end

function colors.hex(red, green, blue)
  return ("#%02x%02x%02x"):format(red, green, blue)
end

-- Signs that stand for a share from 0 to 1 in the terminal, from dark to light.
colors.shades = {
  [true] = { " ", ".", ":", "-", "=", "+", "*", "#", "%", "@" }, -- of ASCII
  [false] = { " ", "░", "▒", "▓", "█" },
}

function colors.shade(share, ascii)
  local shades = colors.shades[ascii]
  return shades[math.min(math.floor(share * #shades) + 1, #shades)]
end

-- Black or white: what is legible on a colour.
function colors.on(red, green, blue)
  return red * 0.299 + green * 0.587 + blue * 0.114 > 140 and "#1f2328" or "#ffffff"
end

return colors
