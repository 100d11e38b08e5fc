-- mpv: a timer gives the training time while the player waits.

local task = dofile(os.getenv "MOONPOD_TASK")
local model, run = task.begin()
local timer

timer = mp.add_periodic_timer(0.001, function() -- luacheck: ignore
  if not run:step { ms = 2 } then
    timer:kill()
    io.stdout:write(task.tell(model, run), "\n")
    mp.command "quit" -- luacheck: ignore
  end
end)
