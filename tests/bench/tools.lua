-- What the programs that measure share: processes, peers, medians.

local tools = {}

function tools.fail(format, ...)
  io.stderr:write("bench: ", string.format(format, ...), "\n")
  os.exit(2)
end

function tools.names_of(set)
  local list = {}
  for name in pairs(set) do
    list[#list + 1] = name
  end
  table.sort(list)
  return table.concat(list, ", ")
end

function tools.whole_number(word, text)
  local number = math.tointeger(tonumber(text))
  return number and number > 0 and number or tools.fail("%s needs a whole number from 1, not '%s'", word, text)
end

function tools.quote(text)
  return "'" .. tostring(text):gsub("'", "'\\''") .. "'"
end

-- What a command prints.
function tools.capture(command)
  local pipe = assert(io.popen(command))
  local text = pipe:read "a"
  local ok, _, code = pipe:close()
  if not ok then
    tools.fail("'%s' ended with %s", command, tostring(code))
  end
  return text
end

-- A number of a JSON line.
function tools.number_in(line, key)
  return tonumber(line:match('"' .. key .. '": ([%d.]+)')) or tools.fail("no %s in: %s", key, line)
end

function tools.median(list)
  table.sort(list)
  local n = #list
  return n % 2 == 1 and list[(n + 1) / 2] or (list[n / 2] + list[n / 2 + 1]) / 2
end

-- A python with these packages: one in build/, made on first use.
function tools.find_python(build, peer, packages)
  local quote = tools.quote
  local folder = build:match "^(.*)/[^/]*$" .. "/peer-" .. peer
  local python = folder .. "/bin/python"
  if not os.execute("test -x " .. quote(python)) then
    io.stderr:write("bench: installing the peer into ", folder, "\n")
    if not os.execute(("python3 -m venv %s && %s/bin/pip -q install %s"):format(quote(folder), quote(folder),
      packages)) then
      tools.fail "the peer could not be installed; give --python PATH of one that has it"
    end
  end
  return python
end

return tools
