-- State of modules that functions change: it is part of what is computed, and a piece of moonpod.base.global_state, or
-- module_state.txt says why it is not.

local house = require "house"

local LIST = "tests/style/module_state.txt"

-- The functions of a listing of luac5.4, outermost first: { from =, to =, parent =, upvalues =, code = }.
local function functions_of(listing)
  local functions, open, section = {}, {}, nil
  for _, line in ipairs(listing) do
    local kind, from, to = line:match "^(%l+) <[^>]*:(%d+),(%d+)> %("
    if kind == "main" or kind == "function" then
      from, to = tonumber(from), kind == "main" and math.huge or tonumber(to)
      while open[2] and (open[#open].from > from or open[#open].to < to) do
        open[#open] = nil
      end
      local one = { from = from, to = to, parent = open[#open], upvalues = {}, code = {} }
      open[#open + 1], functions[#functions + 1], section = one, one, "code"
    elseif line:find "^%l" then
      section = line:match "^%l+"
    elseif section == "code" then
      table.insert(open[#open].code, line)
    elseif section == "upvalues" then
      local i, name, in_stack, index = line:match "^%s+(%d+)%s+(%S+)%s+(%d)%s+(%d+)"
      local up = { in_stack = in_stack == "1", index = tonumber(index) }
      if name then
        open[#open].upvalues[tonumber(i)], open[#open].upvalues[name] = up, up
      end
    end
  end
  return functions
end

-- Whether an upvalue of a function is a local variable of the module.
local function is_of_module(one, name)
  local up = one.upvalues[name]
  while up and one.parent do
    if up.in_stack then
      return not one.parent.parent
    end
    one = one.parent
    up = one.upvalues[up.index]
  end
  return false
end

-- Calls found(name, line) for each local variable of a module that a function sets, or puts something into.
local function each_changed(listing, found)
  for _, one in ipairs(functions_of(listing)) do
    local held, is_first_argument = {}, {} -- by register
    for _, line in ipairs(one.parent and one.code or {}) do
      local number, op, register, about = line:match "^%s+%d+%s+%[(%d+)%]%s+(%u+)%s+(%-?%d+)[^;]*;?%s*(.*)$"
      local name = about and about:match "^(%S+)"
      local changed
      if op == "SETUPVAL" or op == "SETTABUP" then
        changed = name
      elseif op == "SETFIELD" or op == "SETTABLE" or op == "SETI" then
        changed = held[register]
      elseif op == "GETUPVAL" then
        changed, held[register] = is_first_argument[register] and name, name
        is_first_argument[tostring(tonumber(register) + 1)] = name == "rawset"
      elseif op then
        held[register] = nil
        local inserts = about:find '"insert"' or about:find '"remove"' or about:find '"rawset"'
        is_first_argument[tostring(tonumber(register) + 1)] = op:find "^GET" and inserts
      end
      if changed and is_of_module(one, changed) then
        found(changed, tonumber(number))
      end
    end
  end
end

local function state_is_registered()
  local listed, used = {}, {} -- "file name" -> where
  for number, line in ipairs(house.split(house.read(LIST))) do
    local path, names = line:match "^  (%S+) (.+)$"
    for name in (names or ""):gmatch "%S+" do
      listed["lua/moonpod/" .. path .. " " .. name] = number
    end
  end
  for _, path in ipairs(house.files({ "lua/moonpod" }, { "*.lua" })) do
    local told = {}
    each_changed(house.lines_of(("luac5.4 -l -l -p %s/%s"):format(house.quote(house.root), house.quote(path))),
      function(name, line)
        local key = path .. " " .. name
        used[key] = true
        if not listed[key] and not told[key] then
          told[key] = true
          house.finding(path, line, "'%s' outlives the calls that change it: make it a global_state.new(), or say in "
            .. "%s why it changes nothing that is computed", name, LIST)
        end
      end)
  end
  for key, number in pairs(listed) do
    if not used[key] then
      house.finding(LIST, number, "no function changes %s any more", key)
    end
  end
end

return {
  { "state of modules is registered", state_is_registered },
}
