--[[
tour_pictures - draws the pictures of docs/tutorials/tour.md: `lua5.4 tests/tools/tour_pictures.lua` in the root of the
checkout, after ./dev build. It types into a session within tmux and has terminal_picture.lua draw what is seen.
]]

package.path = "lua/?.lua;tests/lua/support/?.lua;" .. package.path
local terminal = dofile "tests/lua/support/terminal.lua"

local ROWS = 16
local program = (os.getenv "MOONPOD_BUILD" or "build/release") .. "/moonpod"

local function draw(name, columns, act)
  local one = terminal.start(program .. " -E", { columns = columns, rows = ROWS })
  one:wait_for_end ">"
  act(one)
  local capture = one.folder .. "/capture"
  local file = assert(io.open(capture, "w"))
  file:write(one:screen "-e", "\n")
  file:close()
  assert(os.execute(("lua5.4 tests/tools/terminal_picture.lua %d < %s > docs/pictures/%s.svg"):format(columns, capture,
    name)))
  one:close()
end

assert(os.execute "mkdir -p docs/pictures")

-- Few columns: the first page of the book has it small.
draw("completion", 70, function(one)
  one:type "dense = pod.layers.dense"
  one:keys "Enter"
  one:wait_for_end ">"
  one:type "layer = dense(64, { kernel"
  one:keys("Tab", "Tab")
  one:wait_for "kernel_regularizer"
  os.execute "sleep 0.3"
end)

draw("error", 84, function(one)
  one:type "t = pod.tensor { { 1, 2, 3 }, { 4, 5, 6 } }"
  one:keys "Enter"
  one:type "t"
  one:keys "Enter"
  one:wait_for "float32 (2, 3)"
  one:type "function mean_of(x) return x:mena() end"
  one:keys "Enter"
  one:type "mean_of(t)"
  one:keys "Enter"
  one:wait_for "stack traceback"
  one:type "mean_of(t:ma"
  one:keys("Tab", "Tab")
  os.execute "sleep 0.5"
end)
