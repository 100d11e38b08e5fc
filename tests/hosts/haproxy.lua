-- HAProxy: each thread has a state of Lua, a task that trains, and a service that answers meanwhile.

local task = dofile(os.getenv "MOONPOD_TASK")
local model, run = task.begin()

core.register_task(function()
  while run:step { ms = 2 } do
    core.msleep(1)
  end
end)

core.register_service("predict", "http", function(applet)
  local text = task.tell(model, run) .. "\n"
  applet:set_status(200)
  applet:add_header("content-length", #text)
  applet:start_response()
  applet:send(text)
end)
