-- LÖVE: two milliseconds of training a frame.

local task = dofile(os.getenv "MOONPOD_TASK")

local model, run, frames

function love.load()
  model, run = task.begin()
  frames = 0
end

function love.update()
  frames = frames + 1
  if not run:step { ms = 2 } then
    print(task.tell(model, run))
    print(("%d frames"):format(frames))
    love.event.quit(frames > 1 and 0 or 1)
  end
end
