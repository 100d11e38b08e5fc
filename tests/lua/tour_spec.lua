-- docs/tutorials/tour.md: its entries are typed into one session, and what comes back is what stands there. `…` in a line
-- stands for any text, a line of `…` alone for any lines.

local executable = dofile "tests/lua/support/executable.lua"

local describe_program = executable.program and describe or pending

local PROMPT = "^[%w_()]*> "

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read "*a"
  file:close()
  return text
end

-- The entries of all blocks: { text =, expected = array of lines, line = in the file }.
local function entries_of(text)
  local entries, inside, number = {}, false, 0
  for line in (text .. "\n"):gmatch "([^\n]*)\n" do
    number = number + 1
    local entry = entries[#entries]
    if line:find "^```" then
      inside = line == "```session"
    elseif inside and line:find "^> " then
      entries[#entries + 1] = { text = line:sub(3), expected = {}, line = number }
    elseif inside and line:find "^>> " and #entry.expected == 0 then
      entry.text = entry.text .. "\n" .. line:sub(4)
    elseif inside then
      entry.expected[#entry.expected + 1] = line
    end
  end
  return entries
end

-- What a session says to each entry: between two, a command of the shell writes a mark.
local function answers(entries)
  local input = {}
  for i, entry in ipairs(entries) do
    input[i] = entry.text .. "\n!printf '\\001\\n'\n"
  end
  local said, found = (executable.run("-E -i", table.concat(input)):gsub("^Moonpod [^\n]*\n", "")), {}
  for part in (said .. "\1\n"):gmatch "(.-)\1\n" do
    part = part:gsub(PROMPT, "", 1)
    while part:find "^>> " do
      part = part:sub(4)
    end
    found[#found + 1] = part:gsub("[%w_()]*> $", "")
  end
  return found
end

local function fits(line, expected)
  local pattern = expected:gsub("[%^%$%(%)%%%.%[%]%*%+%-%?]", "%%%0"):gsub("…", ".-")
  return line:find("^" .. pattern .. "$") ~= nil
end

-- Whether lines from i on are those expected from j on.
local function match(lines, expected, i, j)
  if expected[j] == "…" then
    for k = i, #lines + 1 do
      if match(lines, expected, k, j + 1) then
        return true
      end
    end
    return false
  elseif not expected[j] then
    return not lines[i]
  end
  return lines[i] ~= nil and fits(lines[i], expected[j]) and match(lines, expected, i + 1, j + 1)
end

describe_program("the tour", function()
  it("is what a session says", function()
    local entries = entries_of(read "docs/tutorials/tour.md")
    assert.is_true(#entries > 30)
    local found = answers(entries)
    for i, entry in ipairs(entries) do
      local lines = {}
      for line in (found[i] or "(nothing)"):gmatch "([^\n]*)\n" do
        lines[#lines + 1] = line
      end
      if not match(lines, entry.expected, 1, 1) then
        error(("docs/tutorials/tour.md:%d: %s\nsays\n%s\nnot\n%s"):format(entry.line, entry.text, found[i] or "nothing",
          table.concat(entry.expected, "\n")))
      end
    end
  end)

  it("knows an answer from another", function()
    assert.is_true(match({ "a 1 b", "x", "y", "end" }, { "a … b", "…", "end" }, 1, 1))
    assert.is_false(match({ "a 1 c", "end" }, { "a … b", "end" }, 1, 1))
    assert.is_false(match({ "a", "b" }, { "a" }, 1, 1))
    assert.is_false(match({ "a" }, { "a", "b" }, 1, 1))
  end)
end)
