-- What a system does with scripts that nobody trusts (./dev test --for): those of tests/lua/escapes, which were
-- made to leave a sandbox, and some that never end. Prints its counts as tests of C do.

local pod = require "moonpod"

local MIB = 2 ^ 20
local FILES = { "files", "lua", "programs", "state", "strings", "values", "work" }
local ENDLESS = { -- each with the limit that ends it
  { "while true do pcall(function() while true do end end) end", "instructions" },
  { "coroutine.wrap(function() while true do end end)()", "instructions" },
  { "local f = ('a'):rep(3e4) while true do f:find('.-.-.-.-.-.-.-.-b') end", "instructions" },
  { "local t = {} while true do t[#t + 1] = ('x'):rep(1e5) .. #t end", "memory" },
  { "local t = {} while true do t[#t + 1] = pod.ones { 512, 512 } t[#t]:data() end", "memory" },
  { "local x = pod.ones { 64, 64 } while true do x = pod.matmul(x, x) x:data() end", "seconds" },
}

local folder = (arg and arg[0] or ""):match "^.*[/\\]" or "tests/systems/"
local passed, failed = 0, 0

local function check(what, holds, seen)
  passed, failed = passed + (holds and 1 or 0), failed + (holds and 0 or 1)
  if not holds then print(("not ok %d - %s: %s"):format(passed + failed, what, tostring(seen))) end
end

local function scripts_of(name)
  local file = assert(io.open(("%s../lua/escapes/%s.script"):format(folder, name), "rb"))
  local list = {}
  for line in file:read("*a"):gsub("\r", ""):gmatch "([^\n]*)\n" do
    local title = line:match "^%-%-%- (.*)$"
    if title then
      list[#list + 1] = { title = title, text = "" }
    else
      list[#list].text = list[#list].text .. line .. "\n"
    end
  end
  file:close()
  return list
end

local function size_of(t)
  local count = 0
  for _ in pairs(t) do
    count = count + 1
  end
  return count
end

-- What of the host a script might change, as one text.
local function host()
  return table.concat({ pod.get_float32_matmul_precision(), tostring(pod.mixed_precision.global_policy()),
    tostring(string.rep), tostring(string.format), tostring(getmetatable("").__index), size_of(pod.layers),
    size_of(pod.losses), tostring(pod.layers.dense), tostring(getmetatable(pod.ones { 1 }).__add), tostring(io.open),
    tostring(pcall), size_of(_G), size_of(package.loaded) }, " ")
end

local function try(title, text)
  local box = pod.sandbox.new { memory = 48 * MIB, instructions = 3e7, seconds = 4, env = {
    lent = { echo = function(...) return ... end, fail = function() error {} end, threads = function() end } } }
  local before = host()
  local _, message = pcall(box.run, box, text, "tests/systems/kept.lua")
  local _, peak = box:memory()
  local ok, escaped = pcall(box.run, box, "return escaped and true")
  local after, told = host(), box:output() .. tostring(message)
  check(title .. ": the host is as it was", before == after, after)
  check(title .. ": nobody got out", not (ok and escaped), told)
  check(title .. ": memory is what was allowed", peak <= 48 * MIB, peak)
  check(title .. ": it is a script", not told:find "script:%d+: [^\n]* near ", told)
  box:close()
end

host() -- modules that it looks at are there
for _, name in ipairs(FILES) do
  for _, script in ipairs(scripts_of(name)) do
    try(script.title, script.text)
  end
end
for _, endless in ipairs(ENDLESS) do
  local text, limit = endless[1], endless[2]
  local box = pod.sandbox.new { memory = 48 * MIB, instructions = limit == "seconds" and 1e12 or 3e7,
    seconds = limit == "seconds" and 1 or 60 }
  local ok, message = pcall(box.run, box, text)
  check(text, not ok and tostring(message):find(limit), message)
  box:close()
end

local box = pod.sandbox.new { memory = 256 * MIB, instructions = 1e9, seconds = 60 }
check("files are switched off", not pcall(box.run, box, "return pod.data.load_safetensors(...)", folder .. "kept.lua"))
check("nothing of the system is there", box:run "return not (io or debug or package or os.execute or os.getenv)")
local loss = box:run([=[
  local model = pod.models.sequential { pod.layers.dense(4, { input_shape = { 3 } }), pod.layers.dense(1) }
  model:compile { optimizer = "sgd", loss = "mse" }
  local history = model:fit(..., pod.ones { 4, 1 }, { epochs = 5, verbose = 0 }).history.loss
  return history[5] / history[1]]=], pod.ones { 4, 3 })
check("a script trains", loss < 1, loss)
box:close()
print(("%d passed, %d failed"):format(passed, failed))
if failed > 0 then error "a sandbox does not hold" end
