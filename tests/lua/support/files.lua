-- files - what specs do with files.

local files = {}

-- The content of a file; nil and why where it does not open.
function files.read(path)
  local file, message = io.open(path, "rb")
  if not file then
    return nil, message
  end
  local bytes = file:read "*a"
  file:close()
  return bytes
end

-- Puts bytes into a file.
function files.write(path, bytes)
  local file = assert(io.open(path, "wb"))
  assert(file:write(bytes))
  file:close()
end

-- A path where nothing is.
function files.temporary()
  local path = os.tmpname()
  os.remove(path)
  return path
end

-- The blocks of Lua in a page.
function files.blocks(path)
  local blocks = {}
  for block in assert(files.read(path)):gmatch "```lua\n(.-)```" do
    blocks[#blocks + 1] = block
  end
  return blocks
end

return files
