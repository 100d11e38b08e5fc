-- Patterns that Ctrl-C can end, beside Lua's own.

local core = require "moonpod.core"
local executable = dofile "tests/lua/support/executable.lua"
local terminal = dofile "tests/lua/support/terminal.lua"

local unpack = table.unpack or unpack -- luacheck: ignore

local asking = core.asking_patterns()

-- What a function gives or raises, with all matches of an iterator.
local function outcome(fn, iterates, ...)
  local got = { pcall(fn, ...) }
  if got[1] and iterates then
    local list, state, step = {}, {}, got[2]
    local ok, failure = pcall(function()
      for a, b, c in step, state do
        list[#list + 1] = { a, b, c }
        assert(#list < 1000)
      end
    end)
    return { list, ok, failure }
  end
  return got
end

local PIECES = { "a", "b", ".", "%a", "%d", "[ab]", "[^a]", "[a-c%d]", "%s", "()", "(a)", "(.-)", "(%a*)", "%1", "%b()",
  "%f[%a]", "^", "$", "*", "+", "-", "?", "%", "[", "(", ")", "%%", "%2" }
local LETTERS = { "a", "b", "c", "1", " ", "(", ")", "%", "-" }

local function text_of(pick, letters, most)
  local list = {}
  for i = 1, pick(most + 1) - 1 do
    list[i] = letters[pick(#letters)]
  end
  return table.concat(list)
end

local function is_like_lua(text, pattern, place, new, most)
  for name, arguments in pairs { find = { text, pattern, place }, match = { text, pattern, place },
    gmatch = { text, pattern, place }, gsub = { text, pattern, new, most } } do
    local of_lua = outcome(string[name], name == "gmatch", unpack(arguments, 1, 4))
    local ours = outcome(asking[name], name == "gmatch", unpack(arguments, 1, 4))
    if type(of_lua[2]) == "string" and of_lua[1] == false then -- the name that stands before is how it was called
      of_lua[2], ours[2] = of_lua[2]:gsub("^.-: ", ""), tostring(ours[2]):gsub("^.-: ", "")
    end
    assert.same(of_lua, ours, ("%s(%q, %q, %s, %s)"):format(name, text, pattern, tostring(place), tostring(new)))
  end
end

-- Older ones find empty matches elsewhere.
local describe_now = _VERSION == "Lua 5.4" and describe or pending

describe_now("patterns that ask", function()
  it("are Lua's, with its errors, whatever the text and the pattern", function()
    local state = 38
    local function pick(count)
      state = state * 48271 % 2147483647
      return math.floor(state / 8) % count + 1
    end
    local news = { "x", "%0", "<%1>", "%2", "%", "%%", { a = "A", [1] = "one" }, function(a, b) return b or a end,
      function() return false end }
    for _ = 1, 5000 do
      local place = pick(3) == 1 and pick(30) - 15 or nil
      is_like_lua(text_of(pick, LETTERS, 12), text_of(pick, PIECES, 6), place, news[pick(#news)],
        pick(4) == 1 and pick(5) - 2 or nil)
    end
  end)
end)

local describe_program = executable.program and terminal.exists() and describe or pending

describe_program("a match in a session", function()
  it("is ended by Ctrl-C, however long it would take", function()
    local one = terminal.start(executable.quote(executable.program) .. " -E")
    one:wait_for_end ">"
    one:type "a, q = ('a'):rep(40), ('a?'):rep(40)"
    one:keys "Enter"
    for _, call in ipairs { "a:find(q .. a)", "a:match(q .. a)", "for w in a:gmatch(q .. a) do print(w) end",
      "a:gsub(q .. a, '')", "coroutine.wrap(a.find)(a, q .. a)", "while true do pcall(a.find, a, q .. a) end" } do
      one:enter_endless(call)
      one:keys "C-c"
      one:wait_for "interrupted!"
      one:wait_for_end ">"
      one:keys "C-l"
    end
    one:type "('key = 1'):match '(%a+) = (%d)', #('x'):rep(4000):match '(.-)x$'"
    one:keys "Enter"
    one:wait_for '"key"   3999'
    one:close()
  end)
end)
