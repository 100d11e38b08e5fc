-- sample - which of many alike cases run under the Lua that runs the specs: all in long tests, every n-th under other
-- interpreters than 5.4, where only what differs between these is asked, and every m-th under 5.4 (default all).

local is_long = os.getenv "MOONPOD_LONG" ~= nil

-- A function that says of case after case whether it runs.
return function(n, m)
  local step = is_long and 1 or _VERSION == "Lua 5.4" and (m or 1) or n
  local count = -1
  return function()
    count = count + 1
    return count % step == 0
  end
end
