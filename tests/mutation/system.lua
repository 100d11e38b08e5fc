-- system - files and commands, as the scripts here need them.

local system = {}

function system.quote(text)
  return "'" .. text:gsub("'", "'\\''") .. "'"
end

function system.read(path)
  local file = io.open(path, "rb")
  if not file then return nil end
  local text = file:read "a"
  file:close()
  return text
end

-- Written beside and renamed: whoever reads it at the same time finds all or nothing.
function system.write(path, text)
  local beside = path .. ".new"
  local file = assert(io.open(beside, "wb"))
  assert(file:write(text))
  assert(file:close())
  assert(os.rename(beside, path))
end

function system.lines(text)
  local result = {}
  for line in text:gmatch "[^\n]+" do result[#result + 1] = line end
  return result
end

-- What a command prints, and whether it succeeded.
function system.ask(command)
  local pipe = assert(io.popen(command))
  local text = pipe:read "a"
  return text, pipe:close() == true
end

function system.run(command)
  local text, worked = system.ask(command .. " 2>&1")
  if not worked then error(text .. "\nThis failed: " .. command, 0) end
  return text
end

-- True for one of those who ask for a folder to be made: that one does what it stands for.
function system.claim(path)
  return (os.execute("mkdir " .. system.quote(path) .. " 2>/dev/null")) == true
end

return system
