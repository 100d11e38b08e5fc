-- sentences - lua/moonpod/help/sentences.lua: the sentence of each name of `pod`, which completion shows without
-- loading all modules.

local exports = require "moonpod.help.exports"
local find = require "moonpod.help.find"

local sentences = {}

local HEAD = [[
-- sentences - what each name of `pod` is, in a sentence. Made by ./dev reference from the comments of lua/moonpod;
-- change those.

return {
]]

local WIDTH = 100

-- A text as one of Lua, in pieces that lines have room for.
local function quoted(text)
  local pieces, rest = {}, text
  while #rest > WIDTH do
    local piece = rest:sub(1, WIDTH):match "^(.* )" or rest:sub(1, WIDTH)
    pieces[#pieces + 1], rest = ("%q"):format(piece), rest:sub(#piece + 1)
  end
  pieces[#pieces + 1] = ("%q"):format(rest)
  return table.concat(pieces, "\n    .. ")
end

function sentences.text(pod)
  local lines = {}
  for _, entry in ipairs(exports.list(pod)) do
    local name = entry.name:match "^pod%.([%w_]+)$"
    local sentence = name and find.line(entry.value, entry.name)
    if sentence then
      local text = quoted(sentence)
      lines[#lines + 1] = ("  %s =%s%s,\n"):format(name, #name + #text > WIDTH and "\n    " or " ", text)
    end
  end
  return HEAD .. table.concat(lines) .. "}\n"
end

return sentences
