-- docs/ and README.md: links lead somewhere, names of the library are names that there are, and what blocks show is
-- what comes of them. The pages of docs/reference that ./dev reference makes have their examples in help_spec and
-- header_examples_spec. tests/lua/support/doc_blocks.lua says what a block may be.

package.path = "docs/site/?.lua;" .. package.path

local pod = require "moonpod"
local book = require "book"
local doc_blocks = dofile "tests/lua/support/doc_blocks.lua"
local doc_commands = dofile "tests/lua/support/doc_commands.lua"
local executable = dofile "tests/lua/support/executable.lua"
local exports = require "moonpod.help.exports"
local files = dofile "tests/lua/support/files.lua"
local json = require "moonpod.base.json"
local pages = require "pages"

local root = assert(io.popen "pwd"):read "*l"
local build = (os.getenv "MOONPOD_BUILD" or "build/release"):gsub("^[^/]", root .. "/%0")
local describe_program = executable.program and describe or pending

local all, written = { "README.md", "examples/README.md" }, { "README.md", "examples/README.md" } -- written: by hand
for _, path in ipairs(pages.list(".", book)) do
  all[#all + 1] = "docs/" .. path
  if not files.read("docs/" .. path):find "^<!%-%- Made by " then
    written[#written + 1] = "docs/" .. path
  end
end

local counts = { links = 0, names = 0, lua = 0, session = 0, c = 0, console = 0, text = 0, plain = 0, read = 0 }
local not_run = {} -- why -> how many commands

-- Commands build by ./dev, which knows one folder.
local is_release = build:find "/release$" ~= nil

local blocks_of = {}
for _, path in ipairs(written) do
  blocks_of[path] = doc_blocks.of(path)
end
for _, path in ipairs(all) do
  for _, block in ipairs(blocks_of[path] and {} or doc_blocks.of(path)) do
    local name = "made_" .. block.language
    counts[name] = (counts[name] or 0) + 1
  end
end

-- The blocks of a page in a language.
local function of_language(path, language)
  local list = {}
  for _, block in ipairs(blocks_of[path]) do
    list[#list + 1] = block.language == language and block or nil
  end
  return list
end

local function write(path, text)
  local file = assert(io.open(path, "w"))
  assert(file:write(text))
  assert(file:close())
end

-- Names of methods that no list of exports has: those of tensors, of userdata and of tables that reports are.
local function methods_of_sources()
  local names = {}
  for name in pairs(require "moonpod.ops") do
    names[name] = true
  end
  for path in assert(io.popen "find lua -name '*.lua' -o -path '*/bind/*.c'"):lines() do
    local pattern = path:find "%.c$" and '{"([%a_]+)", [%a_.]' or "function [%w_.]+[.:]([%a_]+)%("
    for name in files.read(path):gmatch(pattern) do
      names[name] = true
    end
  end
  return names
end

describe("docs/", function()
  it("has every page in the book", function()
    local known = {}
    for _, path in ipairs(all) do
      known[path] = true
    end
    for path in assert(io.popen "find docs -name '*.md'"):lines() do
      assert(known[path], path .. " is in no chapter of docs/site/book.lua")
    end
  end)

  it("has links that lead somewhere", function()
    local wrong = {}
    counts.links = pages.check_links(".", all, function(path, line, what)
      wrong[#wrong + 1] = ("%s:%d: %s"):format(path, line, what)
    end)
    assert.same({}, wrong)
  end)

  it("finds a link that leads nowhere", function()
    local wrong = {}
    local name = files.temporary() .. ".md"
    local file = assert(io.open(name, "w"))
    file:write "# A page\n\n[a](#a-page) [b](#b) [c](nowhere.md) `[d](e)`\n"
    file:close()
    assert.equal(3, pages.check_links("/", { name:sub(2) }, function(_, _, what)
      wrong[#wrong + 1] = what
    end))
    os.remove(name)
    assert.same({ "'#b': there is no such heading", "'nowhere.md' leads to no file" }, wrong)
  end)

  it("names what there is", function()
    local known, methods = { pod = true, ["pod.x.y"] = true }, methods_of_sources()
    for _, entry in ipairs(exports.list(pod)) do
      known[entry.name] = true
      if entry.kind == "method" then
        methods[entry.name:match ":(.*)"] = true
      end
    end
    local function is_known(name)
      if known[name] or known[name:gsub(":", ".")] then
        return true
      end
      local value = pod
      for part in name:gmatch "[.:]([%w_]+)" do
        local ok, next_one = pcall(function() return value[part] end)
        value = ok and next_one or nil
      end
      if type(value) == "function" and not name:find ":" and not name:find "%.from_config$" then
        return false -- it is there, but help and the reference do not know it
      end
      return value ~= nil or name:find ":" and methods[name:match ":([%w_]+)$"]
    end
    local wrong = {}
    for _, path in ipairs(written) do
      for line, number in pages.lines(files.read(path)) do
        for code in line:gmatch "`([^`]+)`" do
          for name in code:gmatch "%f[%w_]pod[.:][%w_.:]*[%w_]" do
            counts.names = counts.names + 1
            if not is_known(name) then
              wrong[#wrong + 1] = ("%s:%d: %s"):format(path, number, name)
            end
          end
          local method = code:match "^[%a_]+:([%a_]+)%f[^%a_]" or code:match "^:([%a_]+)%f[^%a_]"
          if method and code ~= "file:line" and not code:find "^https?:" then
            counts.names = counts.names + 1
            if not methods[method] then
              wrong[#wrong + 1] = ("%s:%d: the method of %s"):format(path, number, code)
            end
          end
        end
      end
    end
    assert.same({}, wrong)
  end)

  it("has blocks of which is known what they are", function()
    local wrong = {}
    for _, path in ipairs(written) do
      for _, block in ipairs(blocks_of[path]) do
        if not doc_blocks.LANGUAGES[block.language] then
          wrong[#wrong + 1] = ("%s:%d: '%s'"):format(path, block.line, block.language)
        end
      end
    end
    assert.same({}, wrong)
  end)

  it("has blocks whose numbers are all there", function()
    local wrong = {}
    for _, path in ipairs(written) do
      for _, block in ipairs(blocks_of[path]) do
        for i, line in ipairs(block.lines) do
          local is_cut = line:find("…", 1, true) or line:find "^%s*%.%.%.$"
          wrong[#wrong + 1] = is_cut and ("%s:%d: %s"):format(path, block.line + i, line) or nil
        end
      end
    end
    assert.same({}, wrong)
  end)

  it("has blocks of text that another prints", function()
    for _, path in ipairs(written) do
      local block = doc_blocks.unprinted(blocks_of[path])
      assert(not block, block and ("%s:%d: no block of Lua or commands prints this"):format(path, block.line))
      counts.text = counts.text + #of_language(path, "text") + #of_language(path, "record")
      counts.plain = counts.plain + #of_language(path, "plain")
    end
  end)

  it("has drawings as they are drawn", function()
    local said, code = executable.shell "lua5.4 tests/tools/drawings.lua . --check"
    assert.equal(0, code, said)
    local house = files.read "docs/pictures/house.svg"
    for floor in files.read "tests/style/rules/floors.lua":match "local floors = (%b{})":gmatch '"([%w_/]+)"' do
      assert.is_truthy(house:find(">" .. floor:gsub("^core/", "") .. "<", 1, true), floor)
    end
  end)

  it("has JSON and Python that can be read", function()
    local name = files.temporary()
    for _, path in ipairs(written) do
      for _, block in ipairs(of_language(path, "json")) do
        assert(pcall(json.decode, block.text), ("%s:%d"):format(path, block.line))
        counts.read = counts.read + 1
      end
      for _, block in ipairs(of_language(path, "python")) do
        write(name, block.text)
        local said, code = executable.shell(("python3 -c 'import ast; ast.parse(open(\"%s\").read())'"):format(name))
        assert(code == 0, ("%s:%d: %s"):format(path, block.line, said))
        counts.read = counts.read + 1
      end
    end
    os.remove(name)
  end)
end)

-- What a page's blocks of Lua need in their folder.
local BEFORE = {
  ["docs/tutorials/keras.md"] = ("moonpod %s/examples/from_keras/data.lua data 0.05 >/dev/null;"):format(root),
}

-- The blocks of a page in one language as one text, on the lines where they stand.
local function joined(path, language)
  local parts, at = {}, 1
  for _, block in ipairs(of_language(path, language)) do
    parts[#parts + 1] = ("\n"):rep(block.line + 1 - at) .. block.text
    at = block.line + 1 + #block.lines
  end
  return table.concat(parts)
end

describe_program("blocks of docs/", function()
  local folder, running, commands_run = files.temporary(), {}, nil

  -- Begins a command in a folder of its own; all run at once, their output is read later.
  local function begin(path, name, source, command)
    local place = ("%s/page%d"):format(folder, #running + 1)
    assert(os.execute("mkdir -p " .. place))
    write(place .. "/" .. name, source)
    local pipe = assert(io.popen(("cd %s && { %s\n} 2>&1 </dev/null; echo \"exit $?\""):format(place, command)))
    running[#running + 1] = { path = path, pipe = pipe }
  end

  -- The commands of a page that are run.
  local function commands_of(path)
    local list = {}
    for _, block in ipairs(of_language(path, "console")) do
      for _, command in ipairs(doc_commands.of(block)) do
        list[#list + 1] = not doc_commands.why_not(command.text) and command or nil
      end
    end
    return list
  end

  -- Begins the commands of all pages, one page after the other, in a copy of the checkout with this build.
  local function begin_commands()
    local parts = { doc_commands.setting(root, build, folder) }
    for i, path in ipairs(is_release and written or {}) do
      local list = commands_of(path)
      if #list > 0 then
        for name, source in pairs(doc_commands.FILES[path] or {}) do
          local text = source.language and joined(path, source.language) or assert(files.read(source))
          parts[#parts + 1] = ("mkdir -p \"$(dirname %s)\""):format(name)
          write(("%s/file-%d-%s"):format(folder, i, name:match "[^/]*$"), text)
          parts[#parts + 1] = ("cp %s/file-%d-%s %s"):format(folder, i, name:match "[^/]*$", name)
        end
        write(("%s/%d.sh"):format(folder, i), (doc_commands.BEFORE[path] or ":") .. "\n" .. doc_commands.script(list))
        parts[#parts + 1] = ("sh %s/%d.sh >%s/%d.said 2>&1 </dev/null; echo \"exit $?\" >>%s/%d.said"):format(folder, i,
          folder, i, folder, i)
      end
    end
    write(folder .. "/commands.sh", table.concat(parts, "\n") .. "\n")
    commands_run = io.popen(("sh %s/commands.sh 2>&1 </dev/null"):format(folder))
  end

  setup(function()
    local environment = ("export PATH=%s:$PATH;"):format(executable.quote(build))
    for _, path in ipairs(written) do
      -- Those of these pages need what their changes add: contributing_spec.
      if #of_language(path, "lua") > 0 and path ~= "docs/contributors/contributing.md"
        and path ~= "docs/contributors/adding.md" then
        begin(path, "page.lua", joined(path, "lua"), environment .. (BEFORE[path] or "") .. " moonpod page.lua")
        running[#running].expected = doc_blocks.expected(blocks_of[path], "lua")
      end
      counts.lua, counts.c = counts.lua + #of_language(path, "lua"), counts.c + #of_language(path, "c")
      if #of_language(path, "c") > 0 then
        begin(path, "page.c", joined(path, "c"), ("%s cc -I %s/core/include page.c -o page -L %s -lmoonpod -lm "
          .. "-Wl,-rpath,%s && ./page"):format(environment, root, build, build))
      end
    end
    begin_commands()
  end)

  teardown(function()
    os.execute("rm -rf " .. folder)
  end)

  it("run, and print what is shown", function()
    local wrong = {}
    for _, one in ipairs(running) do
      local text = one.pipe:read "*a"
      one.pipe:close()
      local missing = one.expected and doc_blocks.first_missing(one.expected, text)
      if not text:find "exit 0\n$" then
        wrong[#wrong + 1] = ("%s failed:\n%s"):format(one.path, text:sub(-800))
      elseif missing then
        wrong[#wrong + 1] = ("%s:%d: %s\nis not in\n%s"):format(one.path, missing.line, missing.text, text:sub(-4000))
      end
    end
    assert(#wrong == 0, table.concat(wrong, "\n"))
  end)

  it("are commands that run, and say what is shown", function()
    local said_first = commands_run:read "*a"
    commands_run:close()
    assert.equal("", said_first)
    for i, path in ipairs(is_release and written or {}) do
      local list, text = commands_of(path), files.read(("%s/%d.said"):format(folder, i))
      if #list > 0 then
        local said, last = doc_commands.said(text)
        assert(text:find "exit 0\n$", ("%s:%s:\n%s"):format(path, last, (said[last] or text):sub(-2000)))
        local missing = doc_blocks.first_missing(doc_blocks.expected(blocks_of[path], "console"), text)
        assert(not missing, missing and ("%s:%d: %s\nis not in\n%s"):format(path, missing.line, missing.text, text))
        counts.console = counts.console + #list
      end
    end
  end)

  it("are commands of which is known why they are not run", function()
    local standing = {}
    for _, path in ipairs(written) do
      for _, block in ipairs(of_language(path, "console")) do
        for _, command in ipairs(doc_commands.of(block)) do
          local why = doc_commands.why_not(command.text)
          standing[command.text] = true
          not_run[why or 1] = (not_run[why or 1] or 0) + 1
        end
      end
    end
    not_run[1] = nil
    for why, list in pairs(doc_commands.NOT_RUN) do
      for _, text in ipairs(list) do
        assert(standing[text], ("'%s', which %s, stands on no page"):format(text, why))
      end
    end
  end)

  -- What a session says to each entry: between two, a command of the shell writes a mark.
  local function answers(entries)
    local input = {}
    for i, entry in ipairs(entries) do
      input[i] = entry.text .. "\n!printf '\\001\\n'\n"
    end
    local said, found = (executable.run("-E -i", table.concat(input)):gsub("^Moonpod [^\n]*\n", "")), {}
    for part in (said .. "\1\n"):gmatch "(.-)\1\n" do
      part = part:gsub("^[%w_()]*> ", "", 1)
      while part:find "^>> " do
        part = part:sub(4)
      end
      found[#found + 1] = part:gsub("[%w_()]*> $", "")
    end
    return found
  end

  it("are what a session says", function()
    for _, path in ipairs(written) do
      local entries = doc_blocks.entries(blocks_of[path])
      counts.session = counts.session + #entries
      local found = #entries > 0 and answers(entries)
      for i, entry in ipairs(entries) do
        local lines = {}
        for line in (found[i] or "(nothing)"):gmatch "([^\n]*)\n" do
          lines[#lines + 1] = line
        end
        if not doc_blocks.match(lines, entry.expected, 1, 1, entry.measured) then
          error(("%s:%d: %s\nsays\n%s\nnot\n%s"):format(path, entry.line, entry.text, found[i] or "nothing",
            table.concat(entry.expected, "\n")))
        end
      end
    end
  end)

  -- Somebody who reads a tutorial at the prompt types its blocks one entry after the other.
  it("of tutorials can be typed at the prompt", function()
    for _, name in ipairs { "first-network", "custom-loop", "game" } do
      local path, input = "docs/tutorials/" .. name .. ".md", folder .. "/typed"
      write(input, joined(path, "lua"))
      local said = executable.shell(("cd %s && %s -E -i <typed"):format(folder,
        executable.quote(build .. "/moonpod")))
      assert(not said:find "moonpod: ", said)
      assert.is_nil(doc_blocks.first_missing(doc_blocks.expected(blocks_of[path]), (said:gsub("[^\n]-> ", ""))))
    end
  end)

  it("that show scripts of Keras and their ports are pieces of examples/from_keras", function()
    local whole, count = { python = "", lua = "" }, 0
    for _, name in ipairs { "tabular", "pictures", "reviews" } do
      whole.python = whole.python .. files.read("examples/from_keras/" .. name .. ".py")
      whole.lua = whole.lua .. files.read("examples/from_keras/" .. name .. ".lua")
    end
    for _, block in ipairs(blocks_of["docs/tutorials/keras.md"]) do
      local is_own = block.text:find("folder, seed = ", 1, true) or block.text:find("load_weights", 1, true)
      if whole[block.language] and not is_own then
        count = count + 1
        assert(whole[block.language]:find(block.text, 1, true),
          ("docs/tutorials/keras.md:%d is in no program:\n%s"):format(block.line, block.text))
      end
    end
    assert.is_true(count > 20)
  end)

  it("are many", function()
    local reasons = {}
    for why, count in pairs(not_run) do
      reasons[#reasons + 1] = ("%d %s"):format(count, why)
    end
    table.sort(reasons)
    print(("docs: %d pages, %d links, %d names; ran %d blocks of Lua, %d of C, %d entries of sessions, %d commands; "
      .. "compared %d blocks of text; read %d of Python and JSON; not run: %d forms and formulas; commands: %s")
      :format(#all, counts.links, counts.names, counts.lua, counts.c, counts.session, counts.console, counts.text,
        counts.read, counts.plain, table.concat(reasons, ", ")))
    print(("docs: %d blocks of Lua and %d of C on pages that ./dev reference makes, which help_spec and "
      .. "header_examples_spec run"):format(counts.made_lua, counts.made_c))
    assert.is_true(counts.links > 100 and counts.lua > 20 and counts.session > 30)
    assert.is_true(counts.console > 10 or not is_release)
  end)

  it("differ where another answer stands", function()
    local match = doc_blocks.match
    assert.is_true(match({ "a 1 b", "x", "y", "end" }, { "a … b", "…", "end" }, 1, 1))
    assert.is_false(match({ "a 1 c", "end" }, { "a … b", "end" }, 1, 1))
    assert.is_false(match({ "a", "b" }, { "a" }, 1, 1))
    local fits = doc_blocks.fits
    assert.is_true(fits("60/60 - 1s - 17ms/step - loss: 0.61", "60/60 - 0s - 521us/step - loss: 0.5563", true))
    assert.is_false(fits("60/60 - 0s - 521us/step - loss: 0.71", "60/60 - 0s - 521us/step - loss: 0.5563", true))
    assert.is_false(fits("59/60 - 0s", "60/60 - 0s", true))
    assert.is_true(fits("   1. 7.2G  f32[256,64]{0,3}", "1. 8.00G  f32[256,64]{0,3}", true))
    assert.is_false(fits("1. 8.00G  f32[255,64]{0,3}", "1. 8.00G  f32[256,64]{0,3}", true))
    assert.is_true(fits("step 7/60, 3 ms, paused", "step 15/60, 12 us, paused", "moving"))
    assert.is_false(fits("step 7/60, 3 ms, done", "step 15/60, 12 us, paused", "moving"))
    assert.same({ { text = "a 1 b", line = 2 }, { text = "c", line = 4 } },
      doc_blocks.unfolded { language = "text", line = 1, lines = { "a 1 \\", "  b", "c" } })
    assert.is_false(match({ "a" }, { "a", "b" }, 1, 1))
    assert.is_nil(doc_blocks.first_missing({ { text = "a …" }, { text = "b" } }, "x\na 1\ny\nb\n"))
    assert.equal("b", doc_blocks.first_missing({ { text = "a" }, { text = "b" } }, "b\na\n").text)
  end)
end)
