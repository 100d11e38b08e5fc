-- The window of the game; LOVE_FRAMES ends it after so many frames, as tests do.
function love.conf(t)
  t.identity = "moonpod_agent"
  t.window.title = "An agent that learns in play"
  t.window.width, t.window.height = 320, 240
  t.window.vsync = 0
  t.modules.audio, t.modules.sound, t.modules.joystick = false, false, false
end
