-- Builds for other systems that run here, beside this one: `./dev bench systems [ROUNDS]`, behind ./dev build --for web
-- and --for linux-musl. What every system trains, for twenty epochs on one thread, in turn: by the web's build under
-- node and the portable kernels here; by the executable that is one static file and the one here, as they come.

local here, build, rounds = arg[1], arg[2], tonumber(arg[3] or 3)
package.path = here .. "/?.lua;" .. here .. "/../../?.lua;" .. package.path

local files = require "tests.lua.support.files"
local tools = require "tools"

local systems = here .. "/../systems/"
local source, count = files.read(systems .. "training.lua"):gsub("epochs = 2", "epochs = 20")
assert(count == 1, "training.lua has other epochs")
local folder = tools.capture("mktemp -d"):match "%S+" -- the page gets what is beside the script
local script = folder .. "/training.lua"
files.write(script, source)

local ALONE = "MOONPOD_THREADS=1 %s%s/moonpod %s"
local PORTABLE = "MOONPOD_ISA=portable MOONPOD_OPENBLAS= "
local WEB = "NODE_PATH=/usr/share/nodejs node --no-experimental-fetch %s/web_script.js %s/../web %s"

-- Seconds of the processor that the training took.
local function seconds(command)
  local told = tools.capture(command)
  local taken = told:match "# ([%d.]+) s of the processor" or told:match "in ([%d.]+) s of CPU"
  return assert(tonumber(taken), told), told:match "accuracy ([%d.]+)"
end

local quoted = tools.quote(build)
local races = {
  { "Linux, portable kernels", ALONE:format(PORTABLE, quoted, script), "the page's build",
    WEB:format(tools.quote(systems), quoted, script) },
  { "Linux", ALONE:format("", quoted, script), "one static file",
    ALONE:format("", quoted .. "/../linux-musl", script) },
}
for _, race in ipairs(races) do
  local name, command, other, its_command = table.unpack(race)
  local shares = {}
  for i = 1, rounds do
    local native, accuracy = seconds(command)
    local its, same = seconds(its_command)
    shares[i] = native / its
    print(("%s: %.2f s, accuracy %s; %s: %.2f s, %s; speed %.2f"):format(name, native, accuracy, other, its, same,
      shares[i]))
  end
  table.sort(shares)
  print(("%s, median speed %.2f"):format(other, shares[(rounds + 1) // 2]))
end
os.execute("rm -r " .. tools.quote(folder))
