-- A session on a terminal, as it is seen there.

local executable = dofile "tests/lua/support/executable.lua"
local terminal = dofile "tests/lua/support/terminal.lua"

local program, quote = executable.program, executable.quote

local describe_program = program and terminal.exists() and describe or pending

describe_program("a session on a terminal", function()
  local open

  -- Starts a session and waits for its prompt.
  local function start(arguments, options)
    local one = terminal.start(quote(program) .. " " .. (arguments or ""), options)
    open[#open + 1] = one
    one:wait_for_end ">"
    return one
  end

  before_each(function() open = {} end)

  after_each(function()
    for _, one in ipairs(open) do
      one:close()
    end
  end)

  it("edits wide and combining characters at 80 and 20 columns", function()
    for _, columns in ipairs { 80, 20 } do
      local one = start("", { columns = columns })
      one:type "x = 'he\204\129 日本語'"
      one:wait_for "日本語'"
      one:keys("Left", "Left")
      one:keys "BSpace" -- the middle one goes
      one:wait_for_end "> x = 'he\204\129 日語'"
      local x = one:cursor()
      assert.equal(12, x)
      one:keys("C-a", "C-f", "C-f", "C-f", "C-f", "C-f", "C-f", "C-f", "BSpace")
      one:wait_for_end "> x = 'h 日語'"
      one:keys("C-e", "Enter")
      one:type "#x, x"
      one:keys "Enter"
      one:wait_for '8       "h 日語"'
    end
  end)

  it("is stopped by one Ctrl-C, whatever catches it", function()
    local one = start()
    for _, loop in ipairs { "while true do pcall(function() for _ = 1, 1e6 do end end) end",
      "coroutine.wrap(function() while true do pcall(function() while true do end end) end end)()" } do
      one:enter_endless(loop)
      one:keys "C-c"
      one:wait_for "interrupted!"
      one:wait_for_end ">"
      one:type "1 + 2"
      one:keys "Enter"
      one:wait_for_end "> 1 + 2\n3\n>"
      one:keys "C-l"
    end
  end)

  it("edits an entry of several lines as one text, indented", function()
    local one = start()
    one:type "for i = 1, 2 do"
    one:keys "Enter"
    one:type "print(i * 10)"
    one:keys "Enter"
    one:wait_for_end "> for i = 1, 2 do\n>>   print(i * 10)\n>>"
    one:keys("Up", "C-e", "Left")
    one:type " + 1"
    one:keys("Down", "C-e")
    one:type "end"
    one:keys "Enter"
    one:wait_for_end "> for i = 1, 2 do\n>>   print(i * 10 + 1)\n>> end\n11\n21\n>"
    one:keys "Up"
    one:wait_for_end "21\n> for i = 1, 2 do\n>>   print(i * 10 + 1)\n>> end"
  end)

  it("wraps, and keeps its place where the terminal is resized in the middle of a line", function()
    local one = start("", { columns = 40, rows = 12 })
    one:type "alpha = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa bbbbbbbbbb cccccccccc'"
    one:wait_for_end "> alpha = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaa\na bbbbbbbbbb cccccccccc'"
    one:keys("C-a", "M-f", "M-f", "M-f")
    one:resize(20, 12)
    one:wait_for_end "> alpha = 'aaaaaaaaa\naaaaaaaaaaaaaaaaaaaa\na bbbbbbbbbb ccccccc\nccc'"
    one:type "X"
    one:wait_for_end "a bbbbbbbbbbX cccccc\ncccc'"
    one:resize(60, 12)
    one:wait_for_end "> alpha = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa bbbbbbbbbbX cccccc\ncccc'"
    assert.equal(1, select(2, one:screen():gsub("alpha", "")))
    one:type "Y"
    one:keys("C-e", "Enter")
    one:type "#alpha"
    one:keys "Enter"
    one:wait_for_end "54\n>"
  end)

  it("keeps the history of two sessions at the same time", function()
    local folder = start().folder
    local options = { environment = { MOONPOD_HISTORY = folder .. "/state/history" } }
    local one, two = start("", options), start("", options)
    for i = 1, 3 do
      one:type("one = " .. i)
      one:keys "Enter"
      two:type("two = {\n" .. i .. " }")
      two:keys "Enter"
    end
    one:type "one"
    one:keys "Enter"
    one:wait_for "\n3\n>"
    two:type "two"
    two:keys "Enter"
    two:wait_for "{ 3 }"
    local three = start("", options)
    local seen, last = {}, nil
    for i = 1, 8 do
      three:keys "Up"
      assert(three:wait_until(function(now)
        local entry = now:match "[^\n]*> [%a].*$"
        if entry and entry ~= last then
          last, seen[i] = entry, now .. "\n"
          return true
        end
      end), "there is nothing above " .. tostring(last))
    end
    local all = table.concat(seen, "\n")
    for i = 1, 3 do
      assert.truthy(all:find(("> one = %d\n"):format(i), 1, true), all)
      assert.truthy(all:find((">   %d }"):format(i), 1, true), all)
    end
    local pipe = io.popen("stat -c %a " .. quote(folder .. "/state/history"))
    assert.equal("600\n", pipe:read "*a")
    pipe:close()
  end)

  it("finds what was typed before by Ctrl-R", function()
    local one = start()
    for _, line in ipairs { "alpha = 1", "beta = 2", "alpha = 3" } do
      one:type(line)
      one:keys "Enter"
    end
    one:keys "C-r"
    one:type "alp"
    one:wait_for_end "(reverse-i-search)`alp': alpha = 3"
    one:keys "C-r"
    one:wait_for_end "(reverse-i-search)`alp': alpha = 1"
    one:keys("C-e", "BSpace")
    one:type "5"
    one:wait_for_end "> alpha = 5"
    one:keys "Enter"
    one:type "alpha"
    one:keys "Enter"
    one:wait_for_end "5\n>"
  end)

  it("completes names, methods, modules and files by Tab", function()
    local one = start()
    for _, case in ipairs {
      { "pod.layers.emb", "pod.layers.embedding" }, { "t = pod.ones{2}; t:totab", nil },
      { "x = string.forma", "x = string.format" }, { "('a'):rever", "('a'):reverse" },
      { 'require "moonpod.session.compl', 'require "moonpod.session.complete' },
      { 'io.open("' .. one.folder .. "/scri", 'io.open("' .. one.folder .. "/script" },
    } do
      one:type(case[1])
      one:keys "Tab"
      one:wait_for_end("> " .. (case[2] or case[1]))
      one:keys "C-c"
      one:wait_for_end ">"
    end
    one:type "pod.layers.conv"
    one:keys "Tab"
    one:wait_for "conv3d_transpose"
    one:keys "Tab"
    one:wait_for "> pod.layers.conv1d\n"
    one:keys "BTab"
    one:wait_for "> pod.layers.conv_lstm3d\n"
    one:type "("
    one:wait_for_end "> pod.layers.conv_lstm3d("
    one:keys "C-c"
    one:type "pod.layers."
    one:keys "Tab"
    one:wait_for "names; Tab goes through all"
  end)

  it("takes a paste as one entry, without our prompts, and runs nothing before Enter", function()
    local one = start()
    one:paste "    > a = 1\n    > b = {\n    >>   2 }\n    {}\n    > print(a, #b)\n"
    one:wait_for_end "> a = 1\n>> b = {\n>>   2 }\n>> print(a, #b)"
    one:keys "Enter"
    one:wait_for_end "1       1\n>"
  end)

  it("takes a paste of 1 MB in time that grows with it", function()
    local one = start("", { environment = { MOONPOD_HISTORY = "off" } })
    local lines = {}
    for i = 1, 20000 do
      lines[i] = ("x%d = { %d, 'some text to paste', { a = 1 } }"):format(i % 100, i)
    end
    local text = table.concat(lines, "\n")
    assert.truthy(#text > 900000)
    one:paste(text .. "\n")
    one:wait_for "20000, 'some text to paste'"
    one:keys "Enter"
    one:wait_for_end ">"
    one:type "x0[1]"
    one:keys "Enter"
    one:wait_for_end "20000\n>"
    one:type "os.clock() < 20" -- of the processor: the machine may be busy
    one:keys "Enter"
    one:wait_for_end "true\n>"
  end)

  it("survives any number of Ctrl-C and ends by Ctrl-D", function()
    local one = start()
    one:type "x = "
    one:keys("C-c", "C-c", "C-c")
    one:type "print 'still here'"
    one:keys "Enter"
    one:wait_for_end "still here\n>"
    one:enter_endless "while true do pcall(function() while true do end end) end"
    one:keys "C-c"
    os.execute "sleep 0.2"
    one:keys "C-c"
    one:keys "C-c"
    one:wait_for "interrupted!"
    one:keys "C-c"
    one:type "print 'here as well'"
    one:keys "Enter"
    one:wait_for "\nhere as well\n>"
    one:keys "C-d"
    one:wait_for "ended with 0"
  end)

  it("is alive after Ctrl-C at any moment", function()
    local one = start()
    one:type "function busy() local n = 0; for i = 1, 3e5 do n = n + i end; return n end"
    one:keys "Enter"
    for _ = 1, 20 do
      one:type "busy() local t = {} for i = 1, 1e4 do t[i] = {} end"
      one:keys("Enter", "C-c", "C-c")
      one:type "pcall(busy) coroutine.wrap(busy)()"
      one:keys("Enter", "C-c", "C-c", "C-c", "C-c")
    end
    one:keys "C-c"
    one:wait_for_end ">"
    one:type "print('ali' .. 've')"
    one:keys "Enter"
    one:wait_for_end "alive\n>"
  end)

  it("edits an entry in another program", function()
    local one = start("", { environment = { EDITOR = "sed -i s/one/three/" } })
    one:type "print 'one'"
    one:keys("C-x", "C-e")
    one:wait_for_end "> print 'three'"
    one:keys "Enter"
    one:wait_for_end "three\n>"
  end)

  it("has its commands on a terminal, too", function()
    local one = start("", { environment = { EDITOR = "sed -i s/one/three/" } })
    one:type "print 'one'"
    one:keys "Enter"
    one:type "%edi"
    one:keys("Tab", "Enter")
    one:wait_for_end "> print 'three'"
    one:keys "Enter"
    one:wait_for_end "three\n>"
    one:type "%timeit for i = 1, 2 do"
    one:keys "Enter"
    one:wait_for_end "> %timeit for i = 1, 2 do\n>>"
    one:type "end"
    one:keys "Enter"
    one:wait_for "a run: the best of 7 rounds"
    one:type "%history"
    one:keys "Enter"
    one:wait_for "3  print 'three'\n    4  %timeit for i = 1, 2 do\n       end\n    5  %history\n"
    one:type "%color off"
    one:keys "Enter"
    one:type "local x"
    one:wait_for_end "> local x"
    assert.falsy(one:screen "-e":match "[^\n]*local x":find "\27%[35m")
    one:keys "C-c"
    one:type "%quit"
    one:keys "Enter"
    one:wait_for "ended with 0"
  end)

  it("stops and goes on", function()
    local one = terminal.start("sh -i")
    open[#open + 1] = one
    one:wait_for "$"
    one:type(quote(program))
    one:keys "Enter"
    one:wait_for_end ">"
    one:type "x = 5"
    one:keys "C-z"
    one:wait_for "Stopped"
    one:type "fg"
    one:keys "Enter"
    one:wait_for_end "> x = 5"
    one:keys "Enter"
    one:type "x"
    one:keys "Enter"
    one:wait_for_end "5\n>"
    one:keys "C-d"
  end)

  it("begins its prompt in a line of its own", function()
    local one = start()
    one:type "io.write 'no newline';"
    one:keys "Enter"
    one:wait_for_end "no newline\n>"
  end)

  it("colours what is typed, unless NO_COLOR, TERM or --color say otherwise", function()
    local coloured = "\27%[35m"
    local cases = {
      { "", {}, true }, { "", { NO_COLOR = "1" }, false }, { "", { NO_COLOR = "" }, true },
      { "--color=never", {}, false }, { "--color=always", { NO_COLOR = "1" }, true },
    }
    for _, case in ipairs(cases) do
      local one = start(case[1], { environment = case[2] })
      one:type "local x"
      one:wait_for_end "> local x"
      assert.equal(case[3], one:screen "-e":find(coloured) ~= nil, case[1])
    end
  end)

  -- All that a process writes to a terminal.
  local function bytes_of(command, environment)
    local folder = start().folder
    local name = folder .. "/typescript"
    local one = terminal.start(("script -q -c %s %s"):format(quote(command), quote(name)),
      { environment = environment })
    open[#open + 1] = one
    one:wait_for_end ">"
    one:type "1 + 1"
    one:keys "Enter"
    one:wait_for_end "2\n>"
    one:keys "C-d"
    one:wait_for "ended with"
    local file = assert(io.open(name, "rb"))
    local text = file:read "*a"
    file:close()
    return text:gsub("^Script started[^\n]*\n", "")
  end

  it("writes no escape byte on a dumb terminal, or where plain lines are asked for", function()
    assert.falsy(bytes_of(program, { TERM = "dumb" }):find "\27")
    assert.falsy(bytes_of(program .. " --plain", {}):find "\27")
    assert.truthy(bytes_of(program, {}):find "\27")
  end)

  it("writes no escape byte into a pipe", function()
    for _, flags in ipairs { "-i", "-i --color=always" } do
      local text = executable.run(flags, "1 + 1\nlocal x\nerror 'x'\n")
      assert.falsy(text:find "\27", flags)
      assert.truthy(text:find("> 2\n", 1, true))
    end
  end)

  it("loads the library when it is used, not before the prompt", function()
    local text = executable.run("-i", "for name in pairs(package.loaded) do print(name) end\n")
    local names = {}
    for name in text:gmatch "moonpod%.[%w_.]+" do
      names[#names + 1] = name
    end
    table.sort(names)
    assert.same({ "moonpod.host", "moonpod.session.entry" }, names) -- the latter has read the line
  end)
end)
