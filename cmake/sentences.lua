-- sentences.lua OUTPUT - writes a line for each name of `pod`: the name and the sentence of its help, which completion
-- shows without loading all modules (lua/moonpod/session/complete.lua).

local exports = require "moonpod.help.exports"
local find = require "moonpod.help.find"

local file = assert(io.open(arg[1] .. ".part", "wb"))
for _, entry in ipairs(exports.list(require "moonpod")) do
  local name = entry.name:match "^pod%.([%w_]+)$"
  local sentence = name and find.line(entry.value, entry.name)
  if sentence then
    assert(file:write(name, " ", sentence, "\n"))
  end
end
assert(file:close())
assert(os.rename(arg[1] .. ".part", arg[1]))
