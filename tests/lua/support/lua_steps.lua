-- How many steps (instructions) the interpreter of Lua takes in fn(...), to about a hundred; nil under LuaJIT, whose
-- compiled code counts none.
return function(fn, ...)
  if rawget(_G, "jit") then
    return nil
  end
  local count = 0
  debug.sethook(function()
    count = count + 100
  end, "", 100)
  local ok, failure = pcall(fn, ...)
  debug.sethook()
  assert(ok, failure)
  return count
end
