-- How numbers come in and go out: by one door each, which refuses what does not fit and knows no locale.

local house = require "house"

-- Who may convert to a type that is no wider by pod_convert(), which refuses nothing, and why.
local converts = {
  ["^core/tensor/"] = "the doors themselves",
  ["^core/include/"] = "its declaration",
  ["^core/engine/run_loads%.c"] = "the op `convert`, as a load",
  ["^core/graph/build_shape%.c"] = "pod_graph_scalar() casts, as its comment says",
  ["^core/graph/composites_random%.c"] = "rounds a bound to see which way",
  ["^core/compile/"] = "constants of the compiler's own: integers saturate",
  ["^core/kernels/reference/"] = "the ops themselves, which saturate or round as the op table says",
  ["^core/exchange/write_parts%.c"] = "constants of the writer's own: integers saturate",
  ["^core/exchange/dense%.c"] = "floats of StableHLO round to what XLA makes of them",
  ["^core/formats/image%.c"] = "pixels of 8 and 16 bits as floats",
  ["^core/formats/event_summary%.c"] = "pictures are cut off",
  ["^lua/bind/lua_buffer%.c"] = "buffer:copy() casts where a type is named",
}

local function numbers_enter_by_one_door()
  local used = {}
  for path, file in pairs(house.source) do
    if path:find "^core/" or path:find "^lua/bind/" then
      for number, line in ipairs(file.code) do
        local call = line:match "%f[%w_]pod_convert%((.*)$"
        if call and not call:find "^[^,]+,.+, POD_[FS]64," then -- into which all numbers fit
          local allowed
          for pattern in pairs(converts) do
            if path:find(pattern) then allowed, used[pattern] = true, true end
          end
          if not allowed then
            house.finding(path, number, "a number is narrowed unchecked: store it by pod_element_from_real() or "
              .. "pod_element_from_integer()")
          end
        end
      end
    end
  end
  for pattern in pairs(converts) do
    if not used[pattern] then house.finding("tests/style/rules/numbers.lua", 0, "'%s' converts no more", pattern) end
  end
end

local FLOAT = "%%[-+ #0]*[%d*]*%.?[%d*]*[eEfFgGaA]"

-- What printf writes of floats has the locale's point, and strtod reads that alone.
local function floats_are_text_with_a_point()
  for path, file in pairs(house.source) do
    -- layout_text.c takes the digits alone
    local of_core = path:find "^core/" and not path:find "/decimal%.c$" and not path:find "/layout_text%.c$"
    for number, line in ipairs(file.code) do
      if of_core and (line:find "%f[%w_]strto[df]%s*%(" or line:find "%f[%w_]atof%s*%("
        or line:find "%f[%w_]localeconv%s*%(") then
        house.finding(path, number, "text is read by the locale: use pod_number_read()")
      end
      local text = file.lines[number] or ""
      if of_core and line:find '"' and not path:find "^core/exchange/write_" then
        for literal in text:gmatch '"([^"]*)"' do
          local plain = literal:gsub("%%%%", "")
          if plain:find(FLOAT) and not plain:find "%%[%d%.]*[eEfFgGaA]%w" then
            house.finding(path, number, "a float is written by the locale: use pod_number_text()")
          end
        end
      end
    end
  end
end

-- The same of Lua. A format that has no float in it may be Lua's own.
local function lua_writes_floats_with_a_point()
  local whole = "%%[-+ #0]*%d*%.0f"
  for _, path in ipairs(house.files({ "lua/moonpod" }, { "*.lua" })) do
    if not path:find "base/decimal%.lua$" then
      local lines = house.split(house.read(path))
      for number, line in ipairs(lines) do
        local code = line:match "^%s*%-%-" and "" or line
        for literal in code:gmatch '"([^"]*)"' do
          local plain = literal:gsub("%%%%", ""):gsub(whole, "")
          local before, after = code:sub(1, (code:find(literal, 1, true)) - 2), code:sub((select(2,
            code:find(literal, 1, true))) + 2)
          if plain:find(FLOAT) and (after:find "^%)%s*:format%(" or before:find "string%.format%($") then
            house.finding(path, number, "a float is written by the locale: use decimal.format()")
          end
        end
      end
    end
  end
end

-- A float beyond integers, an infinity and NaN are no whole numbers, which tests by hand forget. inspect.lua, below
-- kinds.lua, has counted what it looks for.
local function whole_numbers_are_told_by_one_function()
  for _, path in ipairs(house.files({ "lua/moonpod" }, { "*.lua" })) do
    local may = path:find "base/kinds%.lua$" or path:find "base/inspect%.lua$"
    for number, line in ipairs(may and {} or house.split(house.read(path))) do
      if line:find "%% 1 [~=]= 0" or line:find "~= math%.floor%(" or line:find '"number" and [^()]*== math%.floor' then
        house.finding(path, number, "a whole number is told by hand: use kinds.is_whole(value, least, most)")
      end
    end
  end
end

return {
  { "whole numbers are told by one function", whole_numbers_are_told_by_one_function },
  { "numbers enter by one door", numbers_enter_by_one_door },
  { "floats are text with a point", floats_are_text_with_a_point },
  { "Lua writes floats with a point", lua_writes_floats_with_a_point },
}
