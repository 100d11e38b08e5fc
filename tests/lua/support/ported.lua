-- ported - ported scripts beside Python: what each prints, and the shortest script for which it is not the same.

local files = dofile "tests/lua/support/files.lua"
local port = require "moonpod.port"

local ported = {}

local STEPS = 5e6 -- of Lua's machine, for a script that does not end

-- Runs Lua text with arguments of a script; returns what it printed, words with a blank between, and why it failed.
function ported.run(text, ...)
  local out = {}
  local function write(...)
    local words = { ... }
    for i = 1, select("#", ...) do
      words[i] = tostring(words[i])
    end
    out[#out + 1] = table.concat(words, " ") .. "\n"
  end
  local chunk, why = (loadstring or load)("local print, arg = ... " .. text, "=ported") -- luacheck: ignore
  if not chunk then
    return "", why
  end
  local ok, failure = pcall(chunk, write, { ... })
  return table.concat(out), not ok and tostring(failure) or nil
end

local function limited(text)
  local thread = coroutine.create(ported.run)
  debug.sethook(thread, function() error("it does not end", 0) end, "", STEPS)
  local _, out, failure = coroutine.resume(thread, text)
  debug.sethook(thread) -- LuaJIT has one for all threads
  return out, failure
end

-- What Python prints of a script; nil where Python itself fails.
local function of_python(path)
  local pipe = assert(io.popen(("timeout 10 python3 -S -E %s 2>/dev/null; echo ended $?"):format(path)))
  local text = pipe:read "*a"
  pipe:close()
  return text:match "^(.*)ended 0\n$"
end

-- "equal", "refused" (with an error at a line that says why, and the same before it), "invalid" (Python does not run
-- it), or "different"; then the reason, what was printed by the port and by Python, and the port.
function ported.verdict(source)
  local path = files.with(source)
  local theirs = of_python(path)
  if not theirs then
    files.remove_given()
    return "invalid"
  end
  local text, refused = port(path)
  files.remove_given()
  assert(text, refused)
  local ours, failure = limited(text)
  if ours == theirs and not failure then
    return "equal"
  elseif refused[1] and failure and failure:find "is not ported" and theirs:sub(1, #ours) == ours then
    return "refused", refused[1].why
  end
  return "different", failure or "other output", ours, theirs, text
end

local function lines_of(source)
  local lines = {}
  for line in source:gmatch "([^\n]*)\n" do
    lines[#lines + 1] = line
  end
  return lines
end

-- A script without lines `from` to `to`, or with those behind the first moved out of its block.
local function without(lines, from, to, keeps_body)
  local rest = {}
  for i, line in ipairs(lines) do
    if i < from or i > to then
      rest[#rest + 1] = line
    elseif i > from and keeps_body then
      rest[#rest + 1] = line:sub(5)
    end
  end
  return table.concat(rest, "\n") .. "\n"
end

-- The script with as few statements as still print something else.
function ported.shrunk(source)
  local lines, at = lines_of(source), 1
  while at <= #lines do
    local to, indent = at, #lines[at]:match "^ *"
    while lines[to + 1] and #lines[to + 1]:match "^ *" > indent do
      to = to + 1
    end
    local shorter
    for _, keeps_body in ipairs { false, true } do
      local one = without(lines, at, to, keeps_body)
      if not shorter and (to > at or not keeps_body) and ported.verdict(one) == "different" then
        shorter = one
      end
    end
    lines = shorter and lines_of(shorter) or lines
    at = shorter and 1 or at + 1
  end
  return table.concat(lines, "\n") .. "\n"
end

-- Numbers that are the same on every machine.
function ported.numbers_from(seed)
  local state = seed * 7919 % 2147483647 + 1
  return function(low, high)
    state = state * 16807 % 2147483647
    if not high then
      low, high = 1, low
    end
    return low + math.floor(state / 2147483647 * (high - low + 1))
  end
end

-- Nil where a script is right, ported or refused, and its verdict; else what is wrong with the shortest of its kind.
function ported.fault(source)
  local verdict, why = ported.verdict(source)
  if verdict ~= "different" then
    return nil, verdict, why
  end
  local small = ported.shrunk(source)
  local _, reason, ours, theirs, text = ported.verdict(small)
  return ("%s\nscript:\n%sport:\n%sPython:\n%sport's:\n%s"):format(reason, small, text, theirs, ours), verdict
end

return ported
