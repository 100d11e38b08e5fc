-- Sentences and tables of the pages: tests/style/english.lua measures them.

local house = require "house"
local english = require "english"

local function sentences_are_short()
  for _, path in ipairs(english.pages(house.root)) do
    local counts = {}
    english.each(house.read(path), function(text, words, line)
      counts[#counts + 1] = words
      if words > english.WORDS_OF_A_SENTENCE then
        house.finding(path, line, "a sentence of %d words, more than %d: %s…", words, english.WORDS_OF_A_SENTENCE,
          text:sub(1, 60))
      end
    end, function(text, line)
      local width = utf8.len(text) or #text
      if width > english.CELL then
        house.finding(path, line, "a cell of %d letters, more than %d", width, english.CELL)
      end
    end)
    local median = english.median(counts)
    if median > english.MEDIAN then
      house.finding(path, 0, "half of the sentences have %d words or more; at most %d", median, english.MEDIAN)
    end
  end
end

-- A sentence has a subject and a verb in sight: few of core/tpu begin with what another clause is about.
local MOST_CLAUSES = 0.1

local function sentences_have_subjects()
  local all, clauses = 0, {}
  for path in pairs(house.source) do
    for comment in path:find "^core/tpu/" and house.read(path):gmatch "/%*(.-)%*/" or function() end do
      local text = comment:gsub("\n%s*%*?", " "):gsub("%s+", " ") .. ". "
      for sentence in text:gmatch "%s*(%u[^.:;]*[.:;])" do
        all = all + 1
        local word = sentence:match "^%a+"
        if word == "What" or word == "Where" or word == "Whether" then clauses[#clauses + 1] = { path, sentence } end
      end
    end
  end
  if #clauses > MOST_CLAUSES * all then
    for _, one in ipairs(clauses) do house.finding(one[1], 0, "begins with a clause: %s", one[2]) end
  end
end

return {
  { "sentences are short", sentences_are_short },
  { "sentences have subjects", sentences_have_subjects },
}
