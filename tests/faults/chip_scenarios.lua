-- chip_scenarios - chips of one's own: scenarios as in scenarios.lua, which has what they are added by.

local chips = require "moonpod.tpu.chips"
local core = require "moonpod.core"

local FILE = [[{ "format": "moonpod", "kind": "chips", "version": "1.0", "chips": [
  { "name": "v9a", "based_on": "v5e", "hbm_bytes": 34359738368, "hbm_limit_bytes": 33554432000, "pod_shape": [16, 16] },
  { "name": "v9b", "based_on": "v4", "product": "a chip", "bf16_flops": 6e14 }] }]]

-- All is as in a state that was told of no chips.
local function forget()
  debug.getregistry()["moonpod.added_chips"] = nil
  local i, name = 1, nil
  repeat
    name = debug.getupvalue(chips.list, i)
    if name == "all" or name == "before" then
      debug.setupvalue(chips.list, i, name == "before" and {} or nil)
    end
    i = i + 1
  until name == nil
end

-- What is known of chips is the same everywhere; returns how many there are.
local function count()
  local list, known = chips.list(), core.chips()
  assert(#list == #known, "chips are known that are not listed")
  for i, chip in ipairs(list) do
    assert(chip.name == known[i].name and list[chip.name] == chip and chips.list(chip.name) == chip,
      "a chip is listed by its place alone")
  end
  return #list
end

return function(add, READING)
  local at_first

  local function before()
    forget()
    at_first = #core.chips()
  end

  -- All of them are there or none is, and they can be added again.
  local function check_of(more, again)
    return function(folder)
      local now = count()
      assert(now == at_first or now == at_first + more, "some of the chips were added")
      again(folder)
      assert(count() == at_first + more, "the chips cannot be added again")
    end
  end

  local function add_one()
    local chip = chips.add { name = "v9a", based_on = "v5e", bf16_flops = 6e14, pod_shape = { 8, 8 } }
    return ("%s of %s, %d"):format(chip.name, chip.based_on, chip.pod_chips)
  end

  add("add a chip", { "allocation", "signal", "stop" }, {
    before = before,
    run = function()
      count()
      return add_one()
    end,
    check = check_of(1, add_one),
  })

  local function add_file(folder)
    local added = chips.add_file(folder .. "/chips.json")
    return ("%s %s %s"):format(added[1].name, added[2].name, added[2].product)
  end

  add("add chips of a file", READING, {
    before = function(folder)
      local file = assert(io.open(folder .. "/chips.json", "wb"))
      file:write(FILE)
      file:close()
      before()
    end,
    run = add_file,
    check = check_of(2, add_file),
  })
end
