-- doc_blocks - the blocks of a page of docs/, what they should print, and the entries of sessions.

local files = dofile "tests/lua/support/files.lua"

local doc_blocks = {}

-- What a fence may be. `diff` is contributing_spec's. Python and JSON are read by their grammar. `plain` is a formula,
-- or the form of something. All else is run, or is what a block before it prints: text by its lines, a record, which is
-- another on each machine, by its first line.
doc_blocks.LANGUAGES = { lua = true, session = true, c = true, console = true, text = true, record = true,
  plain = true, python = true, json = true, diff = true }

-- The blocks of a page: { language =, text =, line = }; indented ones have the language "indented".
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
      inside = { language = mark, line = number, lines = {} }
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

-- Whether a line is as expected: `…` stands for any text, spaces for any number of them.
function doc_blocks.fits(line, expected)
  local pattern = expected:gsub("[%^%$%(%)%%%.%[%]%*%+%-%?]", "%%%0"):gsub("%s+", "%%s+"):gsub("…", ".-")
  return line:find("^%s*" .. pattern:gsub("^%%s%+", "") .. "%s*$") ~= nil
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
-- behind one of the language. Lines of `…` alone say nothing.
function doc_blocks.expected(blocks, language)
  local list, behind = {}, false
  for _, block in ipairs(blocks) do
    for i, line in ipairs(block.lines) do
      local said = block.language == "lua" and language == "lua" and line:match "%-%->%s*(.-)%s*$"
        or block.language == "text" and behind and line:find "%S" and line
        or block.language == "record" and behind and i == 1 and any_figures(line)
      if said and not said:find "^%s*…%s*$" then
        list[#list + 1] = { text = said, line = block.line + i }
      end
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
      if doc_blocks.fits(lines[i], one.text) then
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
    for i, line in ipairs(block.language == "session" and block.lines or {}) do
      local entry = entries[#entries]
      if line:find "^> " then
        entries[#entries + 1] = { text = line:sub(3), expected = {}, line = block.line + i }
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
function doc_blocks.match(lines, expected, i, j)
  if expected[j] == "…" then
    for k = i, #lines + 1 do
      if doc_blocks.match(lines, expected, k, j + 1) then
        return true
      end
    end
    return false
  elseif not expected[j] then
    return not lines[i]
  end
  return lines[i] ~= nil and doc_blocks.fits(lines[i], expected[j])
    and doc_blocks.match(lines, expected, i + 1, j + 1)
end

return doc_blocks
