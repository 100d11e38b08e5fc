-- doc_blocks - the blocks of a page of docs/, what they should print, and the entries of sessions.

local files = dofile "tests/lua/support/files.lua"

local doc_blocks = {}

-- What a fence may be. `diff` is contributing_spec's. Python and JSON are read by their grammar. `plain` is a formula,
-- or the form of something. All else is run, or is what a block before it prints: text by its lines, a record, which is
-- another on each machine, by its first line. `text measured` and `session measured` have figures of one machine, which
-- are compared with a tolerance: see fits(); those of `session moving` are of what goes on while it is looked at, and
-- may be any. A line that is too wide ends in `\`, and goes on in the next. No block has an ellipsis.
doc_blocks.LANGUAGES = { lua = true, session = true, c = true, console = true, text = true, record = true,
  plain = true, python = true, json = true, diff = true }

-- The blocks of a page: { language =, measured =, text =, line = }; indented ones have the language "indented".
function doc_blocks.of(path)
  local list, inside, number, blank, item = {}, nil, 0, true, false
  for line in (assert(files.read(path)) .. "\n"):gmatch "([^\n]*)\n" do
    number = number + 1
    local mark = line:match "^```(.*)$"
    if inside then
      if mark == "" then
        inside.text = table.concat(inside.lines, "\n") .. "\n"
        list[#list + 1], inside = inside, nil
      else
        inside.lines[#inside.lines + 1] = line
      end
    elseif mark then
      inside = { language = mark:match "^%S*", measured = mark:match " (.*)$", line = number, lines = {} }
    elseif line:find "^    " and blank and not item then
      list[#list + 1] = { language = "indented", line = number, text = line, lines = { line } }
    end
    if line:find "^%s*[-*] " or line:find "^%d+[.)] " then
      item = true
    elseif line:find "^%S" then
      item = false
    end
    blank = line:find "^%s*$" ~= nil
  end
  return list
end

-- How far a figure that is measured may be from the one that is shown, of it: a decimal, and bytes, of which a process
-- has more or fewer with other threads. Times may be any.
local TOLERANCE, BYTES_TOLERANCE = 0.25, 0.5

local function as_pattern(text)
  text = text:gsub("[%^%$%(%)%%%.%[%]%*%+%-%?]", "%%%0"):gsub("%s+", "%%s+"):gsub("…", ".-")
  return (text:gsub("(page%%%.%a+:)%d+", "%1%%d+")) -- the number of a line of the page
end

-- Lines as they were printed, each { text =, line = its number }: what ends in `\` goes on in the next.
function doc_blocks.unfolded(block)
  local list, open = {}, false
  for i, line in ipairs(block.lines) do
    if open then
      list[#list].text = list[#list].text .. line:gsub("^%s+", "")
    else
      list[#list + 1] = { text = line, line = block.line + i }
    end
    open = block.language ~= "lua" and block.language ~= "console" and line:find " \\$" ~= nil
    list[#list].text = open and list[#list].text:sub(1, -2) or list[#list].text
  end
  return list
end

-- The pattern of a line that is measured. Numbers with a unit of time may be any, with any such unit; of the other ones
-- with a point it captures what stands there, and puts what is expected, and how near, into `numbers`. Where it moves,
-- all numbers are any.
local function measured_pattern(expected, numbers, is_moving)
  local parts, at = {}, 1
  for from, number, to in expected:gmatch "%f[%w]()(%d[%d.]*)()" do
    local unit = expected:match("^ ?[mun]?s%f[^%w]", to)
    if unit then
      parts[#parts + 1] = as_pattern(expected:sub(at, from - 1)) .. "[%d.]+ ?[mun]?s"
      at = to + #unit
    elseif is_moving then
      parts[#parts + 1] = as_pattern(expected:sub(at, from - 1)) .. "[%d.]+"
      at = to
    elseif number:find "%d%.%d" then
      local near = expected:find("^[KMG]%f[^%w]", to) and BYTES_TOLERANCE or TOLERANCE
      parts[#parts + 1] = as_pattern(expected:sub(at, from - 1)) .. "([%d.]+)"
      numbers[#numbers + 1], at = { tonumber(number), near }, to
    end
  end
  return table.concat(parts) .. as_pattern(expected:sub(at))
end

-- Whether a line is as expected: `…` stands for any text, spaces for any number of them. Of a line that is "measured"
-- times are any, and decimals near those that are shown; of one that is "moving" figures are any.
function doc_blocks.fits(line, expected, measured)
  local numbers = {}
  local pattern = measured and measured_pattern(expected, numbers, measured == "moving") or as_pattern(expected)
  local found = { line:find("^%s*" .. pattern:gsub("^%%s%+", "") .. "%s*$") }
  for i, number in ipairs(found[1] and numbers or {}) do
    local got = tonumber(found[2 + i])
    if not got or math.abs(got - number[1]) > number[2] * number[1] then
      return false
    end
  end
  return found[1] ~= nil
end

-- Whether a block is what another prints.
function doc_blocks.is_printed(block)
  return block.language == "text" or block.language == "record"
end

-- A line of a record: figures, with the unit of a time, are any.
local function any_figures(line)
  return (line:gsub("[%d.]*%d [mun]?s%f[%W]", "…"):gsub("[%d.]*%d", "…"))
end

-- What the blocks of a page in a language (lua or console) print: in Lua lines behind `-->`, and blocks of text right
-- behind one of the language.
function doc_blocks.expected(blocks, language)
  local list, behind = {}, false
  for _, block in ipairs(blocks) do
    for i, one in ipairs(doc_blocks.unfolded(block)) do
      local said = block.language == "lua" and language == "lua" and one.text:match "%-%->%s*(.-)%s*$"
        or block.language == "text" and behind and one.text:find "%S" and one.text
        or block.language == "record" and behind and i == 1 and any_figures(one.text)
      list[#list + 1] = said and { text = said, line = one.line, measured = block.measured } or nil
    end
    behind = block.language == language or behind and doc_blocks.is_printed(block)
  end
  return list
end

-- The first block of a page that is printed by none before it; nil where there is none.
function doc_blocks.unprinted(blocks)
  local printing = false
  for _, block in ipairs(blocks) do
    if doc_blocks.is_printed(block) and not printing then
      return block
    end
    printing = printing and doc_blocks.is_printed(block) or block.language == "lua" or block.language == "console"
  end
end

-- The first of the expected lines that does not follow in what was printed; nil where all do.
function doc_blocks.first_missing(expected, printed)
  local at = 1
  local lines = {}
  for line in (printed .. "\n"):gmatch "([^\n]*)\n" do
    lines[#lines + 1] = line
  end
  for _, one in ipairs(expected) do
    local found
    for i = at, #lines do
      if doc_blocks.fits(lines[i], one.text, one.measured) then
        found = i
        break
      end
    end
    if not found then
      return one
    end
    at = found + 1
  end
end

-- The entries of a page's sessions: { text =, expected = array of lines, line = }.
function doc_blocks.entries(blocks)
  local entries = {}
  for _, block in ipairs(blocks) do
    for _, one in ipairs(block.language == "session" and doc_blocks.unfolded(block) or {}) do
      local line, entry = one.text, entries[#entries]
      if line:find "^> " then
        entries[#entries + 1] = { text = line:sub(3), expected = {}, line = one.line, measured = block.measured }
      elseif line:find "^>> " and #entry.expected == 0 then
        entry.text = entry.text .. "\n" .. line:sub(4)
      else
        entry.expected[#entry.expected + 1] = line
      end
    end
  end
  return entries
end

-- Whether lines from i on are those expected from j on; a line of `…` alone stands for any lines.
function doc_blocks.match(lines, expected, i, j, measured)
  if expected[j] == "…" then
    for k = i, #lines + 1 do
      if doc_blocks.match(lines, expected, k, j + 1, measured) then
        return true
      end
    end
    return false
  elseif not expected[j] then
    return not lines[i]
  end
  return lines[i] ~= nil and doc_blocks.fits(lines[i], expected[j], measured)
    and doc_blocks.match(lines, expected, i + 1, j + 1, measured)
end

return doc_blocks
