-- explain - says in words what a message of TensorFlow, XLA, JAX or PyTorch/XLA means and what to do.

local book = require "moonpod.base.book"
local errors = require "moonpod.base.errors"
local messages = require "moonpod.advisor.messages"
local tables = require "moonpod.base.tables"

-- As a message is compared: one blank between words, small letters. A terminal breaks lines anywhere.
local function plain(text)
  return (text:gsub("%s+", " "):lower())
end

-- A sign is in a text: its pieces, one behind the other.
local function has(text, pieces)
  local at = 1
  for _, piece in ipairs(pieces) do
    local _, last = text:find(piece, at, true)
    if not last then
      return false
    end
    at = last + 1
  end
  return true
end

-- The signs of each entry, each as an array of pieces as a message is compared.
local signs_of = {}
for _, entry in ipairs(messages) do
  signs_of[entry] = tables.map(entry.signs, function(sign)
    return tables.map(type(sign) == "table" and sign or { sign }, plain)
  end)
end

local function is_known_by(text, entry)
  for _, sign in ipairs(signs_of[entry]) do
    if has(text, sign) then
      return true
    end
  end
  return false
end

local function wrap(text, indent)
  local lines, line = {}, indent
  for word in text:gmatch "%S+" do
    if #line + #word + 1 > 96 and line ~= indent then
      lines[#lines + 1] = line
      line = indent
    end
    line = line == indent and indent .. word or line .. " " .. word
  end
  lines[#lines + 1] = line
  return table.concat(lines, "\n")
end

local PAGE = "reference/messages.md"

-- The place of an entry on the page of messages: its heading's anchor.
local function place_of(entry)
  return "docs/" .. PAGE .. "#" .. entry.name:lower():gsub("[^%w _-]", ""):gsub(" ", "-")
end

local Explanation = { __name = "moonpod.explanation" }

function Explanation.__tostring(self)
  if #self == 0 then
    return "This message is not known here; " .. book.place(PAGE) .. " lists those that are. If it has a shape in it, "
      .. "pod.padding tells what that takes; if it came with a program, pod.advise reads its StableHLO."
  end
  local parts = {}
  for _, found in ipairs(self) do
    local cause = found.facts and found.facts .. " " .. found.cause or found.cause
    parts[#parts + 1] = ("%s (%s)\n  cause:\n%s\n  cure:\n%s\n  more: %s"):format(found.name, found.from,
      wrap(cause, "    "), wrap(found.cure, "    "), book.place(found.page:match "^docs/(.*)"))
  end
  return table.concat(parts, "\n")
end

--- pod.explain(text): what the messages in a text mean, of TensorFlow, XLA, JAX and PyTorch/XLA. A list of { name,
--- from, cause, cure, facts, page }, which prints readably. It is empty where no message is known. What Moonpod itself
--- says has its cause and its cure in the message.
---@example pod.explain("Loss is NaN")[1].page --> "docs/reference/messages.md#nan-losses"
local function explain(text)
  errors.check_type(text, "string", "explain", "the text")
  local given, found = plain(text), {}
  for _, entry in ipairs(messages) do
    if is_known_by(given, entry) then
      found[#found + 1] = { name = entry.name, from = entry.from, cause = entry.cause, cure = entry.cure,
        page = place_of(entry), facts = entry.read and entry.read((text:gsub("%s+", " "))) or nil }
    end
  end
  return setmetatable(found, Explanation)
end

return explain
