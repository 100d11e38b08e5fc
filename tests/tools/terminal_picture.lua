--[[
terminal_picture - draws what a terminal shows as SVG: `tmux capture-pane -e -p` on standard input, the picture on
standard output.

    tests/tools/terminal_picture.lua COLUMNS < capture > docs/pictures/session.svg

The pictures of docs/tutorials/tour.md are made by tests/tools/tour_pictures.lua.
]]

local CELL, LINE, MARGIN = 8.4, 18, 12 -- of letters of 14 points
local INK, PAPER = "#d4d4d4", "#1e1e1e"
local COLOURS = { [30] = "#000000", [31] = "#f14c4c", [32] = "#6fc27a", [33] = "#e5c07b", [34] = "#5aa5ff",
  [35] = "#d787d7", [36] = "#4ec9d0", [37] = "#d4d4d4", [90] = "#8a8a8a", [91] = "#ff7b72", [92] = "#89d185",
  [93] = "#f5d76e", [94] = "#79c0ff", [95] = "#e5a5e5", [96] = "#7fe0e8", [97] = "#ffffff" }

-- Browsers make one space of many, whatever xml:space says: these do not break.
local function escaped(text)
  return (text:gsub("[&<> ]", { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", [" "] = "\u{a0}" }))
end

-- The colour of 256 that terminals have.
local function indexed(number)
  if number < 16 then
    return COLOURS[number < 8 and 30 + number or 82 + number]
  elseif number >= 232 then
    local grey = 8 + 10 * (number - 232)
    return ("#%02x%02x%02x"):format(grey, grey, grey)
  end
  local function part(by)
    local step = math.floor((number - 16) / by) % 6
    return step == 0 and 0 or 55 + 40 * step
  end
  return ("#%02x%02x%02x"):format(part(36), part(6), part(1))
end

-- Changes a style as a sequence of numbers says.
local function apply(style, sequence)
  local codes = {}
  for code in (sequence == "" and "0" or sequence):gmatch "%d+" do
    codes[#codes + 1] = tonumber(code)
  end
  local i = 1
  while i <= #codes do
    local code = codes[i]
    if code == 0 then
      style.ink, style.paper, style.bold, style.under, style.reversed = nil, nil, nil, nil, nil
    elseif code == 1 then style.bold = true
    elseif code == 4 then style.under = true
    elseif code == 7 then style.reversed = true
    elseif code == 22 then style.bold = nil
    elseif code == 24 then style.under = nil
    elseif code == 27 then style.reversed = nil
    elseif code == 39 then style.ink = nil
    elseif code == 49 then style.paper = nil
    elseif (code == 38 or code == 48) and codes[i + 1] then
      local colour
      if codes[i + 1] == 5 and codes[i + 2] then
        colour, i = indexed(codes[i + 2]), i + 2
      elseif codes[i + 4] then
        colour, i = ("#%02x%02x%02x"):format(codes[i + 2], codes[i + 3], codes[i + 4]), i + 4
      end
      style[code == 38 and "ink" or "paper"] = colour
    elseif COLOURS[code] then style.ink = COLOURS[code]
    elseif COLOURS[code - 10] then style.paper = COLOURS[code - 10]
    end
    i = i + 1
  end
end

-- Columns of a text: letters of East Asia, from Hangul on, take two.
local function width_of(text)
  local columns = 0
  for _, code in utf8.codes(text) do
    local wide = code >= 0x1100 and code <= 0x115F or code >= 0x2E80 and code <= 0xA4CF
      or code >= 0xAC00 and code <= 0xD7A3 or code >= 0xF900 and code <= 0xFAFF
      or code >= 0xFE30 and code <= 0xFE6F or code >= 0xFF00 and code <= 0xFF60
      or code >= 0x1F300 and code <= 0x1FAFF
    local mark = code >= 0x300 and code <= 0x36F
    columns = columns + (wide and 2 or mark and 0 or 1)
  end
  return columns
end

local out = {}

-- Writes a piece of one style; returns the column behind it.
local function write(text, style, column, row)
  local width = width_of(text)
  local ink, paper = style.ink or INK, style.paper
  if style.reversed then
    ink, paper = paper or PAPER, style.ink or INK
  end
  local x, y = MARGIN + column * CELL, MARGIN + row * LINE
  if paper then
    out[#out + 1] = ('<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>'):format(x, y, width * CELL, LINE,
      paper)
  end
  if text:find "%S" then
    out[#out + 1] = ('<text x="%.1f" y="%d" textLength="%.1f" fill="%s"%s%s>%s</text>'):format(x, y + 14,
      width * CELL, ink, style.bold and ' font-weight="bold"' or "",
      style.under and ' text-decoration="underline"' or "", escaped(text))
  end
  return column + width
end

local columns = tonumber(arg[1]) or 80
local style, rows = {}, 0
for line in (io.read "a"):gsub("\n*$", "\n"):gmatch "([^\n]*)\n" do
  local column, at = 0, 1
  while at <= #line do
    local sequence, behind = line:match("^\27%[([%d;:]*)m()", at)
    if sequence then
      apply(style, (sequence:gsub(":", ";")))
      at = behind
    else
      local last = (line:find("\27", at + 1, true) or #line + 1) - 1
      column = write(line:sub(at, last):gsub("\27[^m]*m?", ""), style, column, rows)
      at = last + 1
    end
  end
  rows = rows + 1
end
local width, height = 2 * MARGIN + columns * CELL, 2 * MARGIN + rows * LINE
io.write(('<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" '):format(width,
  height, width, height), 'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14" ',
  'xml:space="preserve">\n',
  ('<rect width="100%%" height="100%%" rx="8" fill="%s"/>\n'):format(PAPER), table.concat(out, "\n"), "\n</svg>\n")
