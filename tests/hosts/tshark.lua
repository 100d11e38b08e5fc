-- tshark: each packet that is looked at gives the training time; what is left of it comes behind the last one.

local task = dofile(os.getenv "MOONPOD_TASK")
local model, run = task.begin()
local tap = Listener.new() -- luacheck: ignore
local packets = 0

function tap.packet()
  packets = packets + 1
  run:step { ms = 2 }
end

function tap.draw()
  while run:step { ms = 2 } do end
  io.stdout:write(task.tell(model, run), "\n", packets, " packets\n")
end
