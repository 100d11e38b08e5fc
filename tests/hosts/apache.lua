-- Apache's mod_lua: each thread has a state of Lua. A request gives its training some time, and tells how it stands.

local task = dofile(os.getenv "MOONPOD_TASK")
local model, run = task.begin()

function handle(r) -- luacheck: ignore
  r.content_type = "text/plain"
  if run.state == "going" then
    run:step { ms = 20 }
  end
  r:puts(task.tell(model, run), "\n")
  return apache2.OK -- luacheck: ignore
end
