-- What is said and what pod.explain says of it (lua/moonpod/advisor/own_messages.lua): each message has an entry, each
-- entry a message.

local house = require "house"
local messages = require "messages"

local function load_entries()
  package.path = ("%s/lua/?.lua;%s/lua/?/init.lua;%s"):format(house.root, house.root, package.path)
  return require "moonpod.advisor.explain", require "moonpod.advisor.own_messages"
end

local all

-- The messages of the sources, each text once.
local function read()
  if all then return all end
  all = {}
  local seen = {}
  for _, one in ipairs(messages.all(house.root, messages.paths(house.root))) do
    if not seen[one.text] then
      seen[one.text] = true
      all[#all + 1] = one
    end
  end
  return all
end

local function messages_are_explained()
  local explain = load_entries()
  for _, one in ipairs(read()) do
    if #explain(one.text) == 0 then
      house.finding(one.path, one.line, "pod.explain knows nothing of '%s': add a sign of it to an entry of "
        .. "lua/moonpod/advisor/own_*.lua, then ./dev reference",
        (one.text:gsub("%s+", " "):gsub("\1", "%%")))
    end
  end
end

-- The file that has an entry.
local function file_of(entry)
  for _, path in ipairs(house.files({ "lua/moonpod/advisor" }, { "own_*.lua" })) do
    if house.read(path):find(('name = "%s"'):format(entry.name), 1, true) then return path end
  end
end

local function signs_are_said()
  local _, own = load_entries()
  local texts = {}
  for i, one in ipairs(read()) do texts[i] = one.text:gsub("%s+", " "):lower() end
  local function is_said(pieces)
    for _, text in ipairs(texts) do
      local at = 1
      for _, piece in ipairs(pieces) do
        local _, last = text:find(piece:lower(), at, true)
        at = last and last + 1
        if not at then break end
      end
      if at then return true end
    end
  end
  for _, entry in ipairs(own) do
    for _, sign in ipairs(entry.signs) do
      if not is_said(type(sign) == "table" and sign or { sign }) then
        house.finding(file_of(entry), 0, "'%s': no message has '%s'", entry.name,
          type(sign) == "table" and table.concat(sign, "' … '") or sign)
      end
    end
  end
end

return {
  { "messages are explained", messages_are_explained },
  { "signs of messages are said", signs_are_said },
}
