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

local given = {} -- paths of files.with()

-- A file with some bytes; its path.
function files.with(bytes)
  local path = os.tmpname()
  given[#given + 1] = path
  files.write(path, bytes)
  return path
end

-- Removes the files that files.with() made.
function files.remove_given()
  for i, path in ipairs(given) do
    os.remove(path)
    given[i] = nil
  end
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
