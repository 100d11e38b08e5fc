-- sample - which of many alike cases run under the Lua that runs the specs: all under 5.4 and in long tests, every n-th
-- under the others, where only what differs between interpreters is asked.

local is_whole = _VERSION == "Lua 5.4" or os.getenv "MOONPOD_LONG" ~= nil

-- A function that says of case after case whether it runs.
return function(n)
  local count = 0
  return function()
    count = count + 1
    return is_whole or count % n == 1
  end
end
