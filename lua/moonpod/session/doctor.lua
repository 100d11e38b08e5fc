-- doctor - what this machine has that Moonpod uses, and what is missing: the command `moonpod doctor`. Its exit code is
-- 0 where all that Moonpod needs is there, 1 where something is missing.

local blas = require "moonpod.session.blas"
local book = require "moonpod.base.book"
local core = require "moonpod.core"
local device = require "moonpod.tensor.device"
local text_table = require "moonpod.base.text_table"
local texts = require "moonpod.base.texts"

local USAGE = [[
usage: moonpod doctor
  Says what this machine has that Moonpod uses: processor, kernels, threads, memory, libraries, caches, data.
exit code: 0 all that is needed is there, 1 something is missing
]]

local function read(path)
  return texts.read(path) or ""
end

-- ---- the machine ---------------------------------------------------------------------------------------

-- Instructions of a processor that make kernels faster: their flags in /proc/cpuinfo.
local INSTRUCTIONS = { "avx2", "fma", "avx512f", "avx512_bf16", "amx_tile", "amx_bf16", "asimd", "sve" }

local function add_processor(add)
  local info = read "/proc/cpuinfo"
  local _, count = info:gsub("\nprocessor%s*:", "")
  local flags = " " .. (info:match "\nflags%s*:([^\n]*)" or info:match "\nFeatures%s*:([^\n]*)" or "") .. " "
  local found = {}
  for _, name in ipairs(INSTRUCTIONS) do
    found[#found + 1] = flags:find(" " .. name .. " ", 1, true) and name or nil
  end
  add("processor", ("%s, %d seen"):format(info:match "model name%s*:%s*([^\n]*)" or "not known", count + 1))
  add("instructions", #found > 0 and table.concat(found, " ") or "none that kernels are made for")
  local total = tonumber(read "/proc/meminfo":match "MemTotal:%s*(%d+)")
  local free = tonumber(read "/proc/meminfo":match "MemAvailable:%s*(%d+)")
  if total and free then
    add("memory", ("%s, of which %s are free"):format(core.bytes_text(total * 1024), core.bytes_text(free * 1024)))
  end
end

local function add_engine(add)
  local context = device.context()
  local named = os.getenv "MOONPOD_ISA"
  add("kernels", context:isa() .. (named and " (as MOONPOD_ISA says)" or ""))
  add("threads", tostring(context:threads()))
end

-- ---- libraries -----------------------------------------------------------------------------------------

local function add_openblas(add, missing)
  local found, wanted = blas.find()
  add("BLAS", blas.text())
  if not found and wanted then
    missing("OpenBLAS, which makes products of float32 faster here: apt-get install libopenblas0-serial, or set "
      .. "MOONPOD_OPENBLAS to the library's path")
  end
end

local SHOWN = { moonpod = true, lua = true, uv = true, z = true, deflate = true, turbojpeg = true, c = true }

-- The libraries that this process has loaded, by the names of their files, which have the versions.
local function add_libraries(add)
  local seen, list = {}, {}
  for path in read "/proc/self/maps":gmatch "(/[^\n]*%.so[%w.]*)\n" do
    local name = path:match "([^/]*)$"
    local short = name:match "^lib(%a+)"
    if not seen[path] and SHOWN[short] then
      seen[path], list[#list + 1] = true, name
    end
  end
  table.sort(list)
  add("libraries", table.concat(list, " "))
end

-- ---- folders -------------------------------------------------------------------------------------------

-- The folder of the file for editors: in a build, or where it is installed.
local function library_of(modules)
  local share = modules:match "^(.*)/lua/[%d.]+/moonpod/$"
  local build = read "/proc/self/maps":match "(/[^\n]*)/lua/moonpod/core%.so\n"
  local folder = share and share .. "/moonpod/library" or build and build .. "/library"
  return folder and texts.exists(folder .. "/moonpod.lua") and folder
end

local function add_folders(add, missing)
  local modules = debug.getinfo(1, "S").source:match "^@(.*)session/"
  add("modules", modules or "not known")
  add("for editors", modules and library_of(modules) or "moonpod.lua, which tells editors of the module, is not there")
  add("book", book.folder() or "not installed; Debian's package moonpod-doc has it")
  local state = os.getenv "XDG_STATE_HOME" or (os.getenv "HOME" or "") .. "/.local/state"
  add("history", os.getenv "MOONPOD_HISTORY" or state .. "/moonpod/history")
  local data = (os.getenv "MOONPOD_DATASETS" or "/usr/share/datasets") .. "/fashion-mnist"
  local images = data .. "/train-images-idx3-ubyte"
  local has_data = texts.exists(images .. ".gz") or texts.exists(images)
  add("Fashion-MNIST", has_data and data or "not in " .. data)
  if not has_data then
    missing("Fashion-MNIST, of which pod.datasets.fashion_mnist() reads: apt-get install dataset-fashion-mnist, or set "
      .. "MOONPOD_DATASETS")
  end
end

-- What the host has not that other systems have.
local function add_limits(add)
  local host = package.loaded["moonpod.host"]
  if host and host.limits then
    add("not here", host.limits)
  end
end

local function add_terminal(add)
  local term, no_colour = os.getenv "TERM" or "not set", os.getenv "NO_COLOR"
  add("terminal", ("TERM is %s%s; lines are %s"):format(term, no_colour and no_colour ~= "" and ", NO_COLOR is set"
    or "", core.is_terminal(1) and term ~= "dumb" and term ~= "not set" and "edited in colours" or "plain here"))
end

-- What there is, as an array of { name, text }, and an array of what is missing and how to get it.
local function examine()
  local rows, lacking = {}, {}
  local function add(name, text)
    rows[#rows + 1] = { name, text }
  end
  local function missing(text)
    lacking[#lacking + 1] = text
  end
  add("Moonpod", core.version() .. ", " .. _VERSION)
  add_processor(add)
  add_engine(add)
  add_openblas(add, missing)
  add_libraries(add)
  add_folders(add, missing)
  add_limits(add)
  add_terminal(add)
  return rows, lacking
end

-- The command: prints, and returns the exit code.
return function(...)
  if select("#", ...) > 0 then
    local is_help = ... == "--help" or ... == "-h"
    local to = is_help and io.stdout or io.stderr
    to:write(USAGE)
    return is_help and 0 or 1
  end
  local rows, lacking = examine()
  io.write(table.concat(text_table.lines(rows, { { align = "left" } }), "\n"), "\n")
  if #lacking == 0 then
    io.write("\nNothing is missing.\n")
    return 0
  end
  io.write("\nMissing:\n  ", table.concat(lacking, "\n  "), "\n")
  return 1
end
