-- install - `moonpod --install-kernel`: tells Jupyter of the kernel that stands beside the executable.

local commands = require "moonpod.session.commands"
local device = require "moonpod.tensor.device"
local json = require "moonpod.base.json"
local programs = require "moonpod.tensor.programs"
local raster = require "moonpod.plot.raster"
local scene = require "moonpod.plot.scene"
local screen = require "moonpod.base.screen"
local svg = require "moonpod.plot.svg"
local texts = require "moonpod.base.texts"

local refuse, set = commands.refuse, screen.variable

-- The picture by which front ends show the kernel: a moon and four cores.
local PAPER, MOON, CORE = "#181e3a", "#f7dc78", "#78beff"

-- Circles of a picture of 64 x 64, later ones upon earlier ones: x, y, radius, colour.
local CIRCLES = { { 29, 32, 21, MOON }, { 38, 27, 18, PAPER }, { 38, 21, 4, CORE }, { 49, 21, 4, CORE },
  { 38, 32, 4, CORE }, { 49, 32, 4, CORE } }

local function draw_logo(size)
  local drawing, scale = scene.new(size, size, "Moonpod"), size / 64
  drawing:rect { x = 0, y = 0, width = size, height = size, fill = PAPER }
  for _, one in ipairs(CIRCLES) do
    drawing:circle { x = one[1] * scale, y = one[2] * scale, radius = one[3] * scale, fill = one[4] }
  end
  return drawing
end

local USAGE = [[
usage: moonpod --install-kernel [--user | --prefix FOLDER | --sys-prefix]
  --user           for you: $JUPYTER_DATA_DIR or ~/.local/share/jupyter (without another word)
  --prefix FOLDER  in FOLDER/share/jupyter
  --sys-prefix     in the virtual environment that is active ($VIRTUAL_ENV, $CONDA_PREFIX)
]]

-- The folder that has Jupyter's data.
local function data_folder(where, prefix)
  if where == "--prefix" then
    return (prefix or refuse "--install-kernel: --prefix needs a folder") .. "/share/jupyter"
  elseif where == "--sys-prefix" then
    local found = set "VIRTUAL_ENV" or set "CONDA_PREFIX"
    return (found or refuse "--install-kernel: no virtual environment is active: VIRTUAL_ENV is not set") ..
      "/share/jupyter"
  end
  return set "JUPYTER_DATA_DIR" or set "XDG_DATA_HOME" and set "XDG_DATA_HOME" .. "/jupyter" or
    (set "HOME" or refuse "--install-kernel: HOME is not set; write --prefix FOLDER") .. "/.local/share/jupyter"
end

local function call(name, ...)
  local ok, message = pcall(device.core[name], device.context(), ...)
  if not ok then
    refuse("--install-kernel: %s", tostring(message))
  end
end

-- What Jupyter reads of a kernel, which one word or two start.
local function spec(words)
  words[#words + 1] = "{connection_file}"
  return json.encode({ argv = words, display_name = "Moonpod (Lua)", language = "lua",
    interrupt_mode = "message", metadata = { debugger = false } }, { indent = 1 }) .. "\n"
end

local WHERE = { ["--user"] = 0, ["--sys-prefix"] = 0, ["--prefix"] = 1 }

-- The command: writes files, and returns the exit code.
return function(where, ...)
  local more = WHERE[where or "--user"]
  if not more or select("#", ...) ~= more then
    local is_help = where == "--help" or where == "-h"
    local to = is_help and io.stdout or io.stderr
    to:write(USAGE)
    return is_help and 0 or 1
  end
  local within = programs.host.kernel -- in the executable, where that is one file
  local kernel = within or tostring(programs.host.folder) .. "/moonpod-kernel"
  if not texts.exists(kernel) then
    refuse("--install-kernel: there is no %s: this Moonpod was built without libzmq (Debian: libzmq3-dev)", kernel)
  end
  local folder = data_folder(where, ...) .. "/kernels/moonpod"
  call("make_folder", folder)
  for _, size in ipairs { 32, 64 } do
    call("file_write", ("%s/logo-%dx%d.png"):format(folder, size, size),
      raster.png(draw_logo(size / 2))) -- of two pixels for each
  end
  call("file_write", folder .. "/logo-svg.svg", svg.write(draw_logo(64), { theme = "light" }))
  call("file_write", folder .. "/kernel.json", spec { kernel, within and "kernel" })
  io.write("installed in ", folder, "\n")
  return 0
end
