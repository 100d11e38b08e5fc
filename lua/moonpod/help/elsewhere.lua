-- elsewhere - where a name is that was looked for in another place, or under the name that Keras, TensorFlow or NumPy
-- have for it.

local exports = require "moonpod.help.exports"
local others = require "moonpod.help.others"

local elsewhere = {}

-- Where in `pod`, if anywhere: "pod.data.text_lines", or several of them, or what is written in its place; else nil.
function elsewhere.find(name, pod)
  if type(name) ~= "string" then
    return nil
  end
  local wanted, found = others.bare(name), {}
  if others.names[wanted] then
    return others.names[wanted]
  end
  for _, entry in ipairs(exports.list(pod)) do
    local last = entry.name:match "^pod%..*%f[%w_]([%w_]+)$"
    if last and not entry.name:find(":", 1, true) and others.bare(last) == wanted then
      found[#found + 1] = entry.name
    end
  end
  return #found > 0 and #found <= 4 and table.concat(found, ", or ") or nil
end

return elsewhere
