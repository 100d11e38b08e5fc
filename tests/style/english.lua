#!/usr/bin/env lua5.4
--[[
english - sentences and cells of tables of the pages: how long they are. `lua5.4 tests/style/english.lua ROOT [N]`
prints for each page the median of its sentences and the longest, and the N longest of all (20).
]]

local english = {}

english.WORDS_OF_A_SENTENCE, english.MEDIAN, english.CELL = 40, 18, 200

local function words_of(sentence)
  local count = 0
  for word in sentence:gmatch "%S+" do
    if word:find "[%w\128-\255]" then count = count + 1 end
  end
  return count
end

-- A piece of code is a word, of a link its text counts; links to the page itself are a list of contents.
local function plain(text)
  text = text:gsub("``.-``", "code"):gsub("`[^`]*`", "code"):gsub("%[[^%]]*%]%(#[^)]*%),?", "")
  text = text:gsub("!?%[([^%]]*)%]%([^)]*%)", "%1"):gsub("<[^>]*>", ""):gsub("%*%*?", "")
  return text
end

-- Calls found(sentence, words) for each sentence of a paragraph: it ends at a full stop, a colon at its end, ? or !,
-- where a large letter, code or a bracket follows.
local function each_sentence(text, found)
  text = plain(text):gsub("%s+", " "):gsub("e%.g%.", "eg"):gsub("i%.e%.", "ie")
  local start, at = 1, 1
  while true do
    local first, last = text:find("[.!?]['\")%]]* ", at)
    if not first then break end
    at = last + 1
    if text:find("^[%u%d'\"(`]", at) or text:find("^code", at) then
      found(text:sub(start, last - 1), words_of(text:sub(start, last - 1)))
      start = at
    end
  end
  local rest = text:sub(start)
  if words_of(rest) > 0 then found(rest, words_of(rest)) end
end

local function each_cell(line, found)
  line = line:gsub("\\|", "/"):gsub("^%s*|", ""):gsub("|%s*$", "")
  for cell in (line .. "|"):gmatch "([^|]*)|" do
    found(cell:match "^%s*(.-)%s*$")
  end
end

local function kind_of(line)
  if line:find "^%s*$" then return "blank" end
  if line:find "^%s*|" then return "table" end
  if line:find "^#" or line:find "^<" or line:find "^%-%-%-+$" then return "other" end
  if line:find "^%s*[-*] " or line:find "^%s*%d+[.)] " then return "item" end
  if line:find "^>" then return "text" end
  if line:find "^    " or line:find "^\t" then return "code" end
  return "text"
end

-- Calls sentence(text, words, line) and cell(text, line) for all that a page says.
function english.each(text, sentence, cell)
  local fence, paragraph, began, number = nil, {}, 0, 0
  text = text:gsub("<!%-%-.-%-%->", function(comment) return (comment:gsub("[^\n]", "")) end)
  local function close()
    if #paragraph > 0 then
      each_sentence(table.concat(paragraph, " "), function(one, words) sentence(one, words, began) end)
    end
    paragraph = {}
  end
  for line in (text .. "\n"):gmatch "([^\n]*)\n" do
    number = number + 1
    local kind = kind_of(line)
    -- What is indented below an item is its text.
    if kind == "code" and #paragraph > 0 then kind = "text" end
    if line:find "^%s*```" then
      close()
      fence = not fence
    elseif not fence then
      if kind ~= "text" then close() end
      if kind == "table" then
        each_cell(line, function(one) cell(one, number) end)
      elseif kind == "item" or kind == "text" then
        if #paragraph == 0 then began = number end
        paragraph[#paragraph + 1] = line:gsub("^%s*[-*] ", ""):gsub("^%s*%d+[.)] ", ""):gsub("^> ?", "")
      end
    end
  end
  close()
end

function english.median(counts)
  table.sort(counts)
  return counts[(#counts + 1) // 2] or 0
end

-- The pages whose English is looked at.
function english.pages(root)
  local list = {}
  local pipe = assert(io.popen(("cd '%s' && find README.md docs examples/README.md"):format(root)))
  for path in pipe:lines() do
    if path:find "%.md$" then list[#list + 1] = path end
  end
  pipe:close()
  table.sort(list)
  return list
end

local function report(root, n)
  local all = {}
  for _, path in ipairs(english.pages(root)) do
    local file = assert(io.open(root .. "/" .. path, "rb"))
    local counts, over, cells = {}, 0, 0
    english.each(file:read "*a", function(text, words, line)
      counts[#counts + 1] = words
      if words > english.WORDS_OF_A_SENTENCE then over = over + 1 end
      all[#all + 1] = { words = words, text = text, place = ("%s:%d"):format(path, line) }
    end, function(text)
      if utf8.len(text) and utf8.len(text) > english.CELL then cells = cells + 1 end
    end)
    file:close()
    print(("%3d median  %3d most  %3d over %d  %3d cells  %s"):format(english.median(counts), counts[#counts] or 0,
      over, english.WORDS_OF_A_SENTENCE, cells, path))
  end
  table.sort(all, function(a, b) return a.words > b.words end)
  for i = 1, math.min(n, #all) do
    print(("%d words, %s: %s"):format(all[i].words, all[i].place, all[i].text))
  end
end

if arg and arg[0] and arg[0]:find "english%.lua$" then report(arg[1] or ".", tonumber(arg[2]) or 20) end

return english
