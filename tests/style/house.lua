-- What the rules of the house read: the files of the checkout, and where they say what is wrong.

local house = { root = ".", build = "build/release", findings = 0 }

function house.lines_of(command)
  local pipe = assert(io.popen(command))
  local result = {}
  for line in pipe:lines() do result[#result + 1] = line end
  pipe:close()
  return result
end

function house.quote(text)
  return "'" .. text:gsub("'", "'\\''") .. "'"
end

-- Files below the given folders, relative to the root.
function house.files(folders, patterns)
  local names = {}
  for _, pattern in ipairs(patterns) do names[#names + 1] = "-name " .. house.quote(pattern) end
  local existing = {}
  for _, folder in ipairs(folders) do existing[#existing + 1] = house.quote(folder) end
  return house.lines_of(("cd %s && find %s -type f \\( %s \\) 2>/dev/null | sort"):format(
    house.quote(house.root), table.concat(existing, " "), table.concat(names, " -o ")))
end

function house.read(path)
  local file = assert(io.open(house.root .. "/" .. path, "rb"))
  local text = file:read "a"
  file:close()
  return text
end

function house.split(text)
  local result = {}
  for line in (text .. "\n"):gmatch "(.-)\n" do result[#result + 1] = line end
  return result
end

-- The text without comments, strings and characters; lines stay where they are.
function house.code_of(text)
  local out, i, n = {}, 1, #text
  local function blank(from, to)
    out[#out + 1] = (text:sub(from, to):gsub("[^\n]", " "))
  end
  while i <= n do
    local two, one = text:sub(i, i + 1), text:sub(i, i)
    local stop
    if two == "/*" then
      stop = select(2, text:find("*/", i + 2, true)) or n
      blank(i, stop)
    elseif two == "//" then
      stop = (text:find("\n", i, true) or n + 1) - 1
      blank(i, stop)
    elseif one == '"' or one == "'" then
      stop = i + 1
      while stop <= n and text:sub(stop, stop) ~= one and text:sub(stop, stop) ~= "\n" do
        stop = stop + (text:sub(stop, stop) == "\\" and 2 or 1)
      end
      out[#out + 1] = one
      blank(i + 1, stop - 1)
      out[#out + 1] = text:sub(stop, stop)
    else
      stop = (text:find("[/\"']", i + 1) or n + 1) - 1
      out[#out + 1] = text:sub(i, stop)
    end
    i = stop + 1
  end
  return table.concat(out)
end

function house.matches_any(path, patterns)
  for _, pattern in ipairs(patterns) do
    if path:find(pattern) then return true end
  end
  return false
end

function house.finding(path, line, format, ...)
  house.findings = house.findings + 1
  print(("%s:%d: %s"):format(path, line, format:format(...)))
end

-- Reads what most rules look at: house.source, path -> { lines =, code = }.
function house.open(root, build)
  house.root, house.build = root, build
  house.source = {}
  for _, path in ipairs(house.files({ "core", "lua/bind", "repl", "notebooks" }, { "*.c", "*.h", "*.def" })) do
    local text = house.read(path)
    house.source[path] = { lines = house.split(text), code = house.split(house.code_of(text)) }
  end
end

return house
