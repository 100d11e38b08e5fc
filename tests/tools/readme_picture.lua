--[[
readme_picture - draws docs/pictures/memory.svg: `lua5.4 tests/tools/readme_picture.lua` in the root of the checkout,
after ./dev build. It runs the blocks of docs/tutorials/tpu-memory.md, has terminal_picture.lua draw what a terminal
shows of that, and puts the memory viewer's chart beside it.
]]

local PAGE, OUT, COLUMNS, LINES = "docs/tutorials/tpu-memory.md", "docs/pictures/memory.svg", 74, 23
local files = dofile "tests/lua/support/files.lua"
local program = (os.getenv "MOONPOD_BUILD" or "build/release") .. "/moonpod"

local function write(path, text)
  local file = assert(io.open(path, "w"))
  file:write(text)
  file:close()
end

local function run(command)
  local pipe = assert(io.popen(command))
  local text = pipe:read "*a"
  assert(pipe:close(), command)
  return text
end

local folder = os.tmpname()
os.remove(folder)
assert(os.execute("mkdir " .. folder))
write(folder .. "/unet.lua", table.concat(files.blocks(PAGE), "\n"))
local here = run "pwd":gsub("\n", "")
local said = run(("cd %s && %s/%s unet.lua"):format(folder, here, program))

-- A terminal's lines: at most so many, each of at most so many columns; what is red says that it does not fit.
local lines = { "\27[1m$ moonpod unet.lua\27[0m" }
for line in said:gmatch "[^\n]+" do
  if not line:find "layout:" then
    local most = utf8.offset(line, COLUMNS + 1)
    line = most and line:sub(1, utf8.offset(line, COLUMNS) - 1) .. "…" or line
    lines[#lines + 1] = line:gsub("^does_not_fit$", "\27[31m%0\27[0m"):gsub("does not fit", "\27[31m%0\27[0m")
      :gsub("%(fits%)", "(\27[32mfits\27[0m)")
  end
end
local head, tail = {}, {}
for i, line in ipairs(lines) do
  if i <= 16 then
    head[#head + 1] = line
  elseif line:find "what would need" or #tail > 0 then
    tail[#tail + 1] = line
  end
end
head[#head + 1] = "…"
for i = 1, LINES - #head do
  head[#head + 1] = tail[i]
end
write(folder .. "/capture", table.concat(head, "\n") .. "\n")

local terminal = run(("lua5.4 tests/tools/terminal_picture.lua %d < %s/capture"):format(COLUMNS, folder))
local chart = files.read(folder .. "/memory.svg")
local width, height = terminal:match 'width="(%d+)" height="(%d+)"'
local wide = 860
local tall = math.floor(wide * 380 / 960)
chart = chart:gsub('width="960" height="380"', ('x="%d" y="%d" width="%d" height="%d"'):format(width + 16,
  (height - tall) // 2, wide, tall), 1)
write(OUT, ('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d">\n'):format(
  width + 16 + wide, height, width + 16 + wide, height) .. terminal .. chart .. "\n</svg>\n")
os.execute("rm -r " .. folder)
print(OUT)
