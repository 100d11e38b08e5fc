-- The page of a browser beside Linux: `./dev bench web [ROUNDS]`, behind ./dev build --for web. What every system
-- trains, for twenty epochs, by the web's build under node and by the portable kernels here with one thread, in turn.

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

local NATIVE = "MOONPOD_ISA=portable MOONPOD_OPENBLAS= MOONPOD_THREADS=1 %s/moonpod %s"
local WEB = "NODE_PATH=/usr/share/nodejs node --no-experimental-fetch %s/web_script.js %s/../web %s"

-- Seconds of the processor that the training took.
local function seconds(command)
  local told = tools.capture(command)
  local taken = told:match "# ([%d.]+) s of the processor" or told:match "in ([%d.]+) s of CPU"
  return assert(tonumber(taken), told), told:match "accuracy ([%d.]+)"
end

local shares = {}
for i = 1, rounds do
  local native, accuracy = seconds(NATIVE:format(tools.quote(build), script))
  local web, same = seconds(WEB:format(tools.quote(systems), tools.quote(build), script))
  shares[i] = native / web
  print(("Linux, portable kernels, one thread: %.2f s, accuracy %s; the page's build: %.2f s, %s; speed %.2f"):format(
    native, accuracy, web, same, shares[i]))
end
os.execute("rm -r " .. tools.quote(folder))
table.sort(shares)
print(("median speed %.2f"):format(shares[(rounds + 1) // 2]))
