-- Pages of docs/reference that are written by hand, held against the program: options and commands, variables of the
-- environment, versions of formats.

local pod = require "moonpod"
local executable = dofile "tests/lua/support/executable.lua"
local files = dofile "tests/lua/support/files.lua"

local build = os.getenv "MOONPOD_BUILD" or "build/release"
local describe_program = executable.program and describe or pending

-- The sections of a page of docs/reference by their titles.
local function sections_of(page)
  local sections, title = {}, nil
  for line in (assert(files.read("docs/reference/" .. page .. ".md")) .. "\n"):gmatch "([^\n]*)\n" do
    title = line:match "^## (.*)" or title
    if title then
      sections[title] = (sections[title] or "") .. line .. "\n"
    end
  end
  return sections
end

-- The pieces of code in the first cells of a text's tables.
local function first_cells(text)
  local cells = {}
  for cell in ("\n" .. text):gmatch "\n| ([^|]*) |" do
    for code in cell:gmatch "`([^`]+)`" do
      cells[#cells + 1] = code
    end
  end
  return cells
end

-- The set of options, -e and --color, that a text has at the beginning of a word.
local function options_in(text)
  local set = {}
  for option in (" " .. text):gmatch "%f[%w%-]%-%-?%a[%w-]*" do
    set[option] = true
  end
  return set
end

local function options_of_tables(text)
  return options_in(table.concat(first_cells(text), " "))
end

local function help(arguments)
  local text, code = executable.run(arguments)
  assert.equal(0, code, text)
  return text
end

describe("docs/reference", function()
  local function stale(root)
    return executable.shell(("LUA_PATH='%s/lua/?.lua;%s/lua/?/init.lua;;' LUA_CPATH='%s/lua/?.so;;' lua5.4 "
      .. "tests/tools/reference/make.lua %s --check"):format(root, root, build, root))
  end

  it("is what the comments say", function()
    assert.equal("", stale ".", "./dev reference writes it anew")
  end)

  it("is found where it is not", function()
    local root = files.temporary()
    assert(os.execute((("mkdir -p 'ROOT/tests' && cp -r lua core docs 'ROOT' && cp -r tests/tools 'ROOT/tests'"):gsub(
      "ROOT", root))))
    local path = root .. "/lua/moonpod/ops/shape.lua"
    files.write(path, (files.read(path):gsub("\n%-%-%- ", "\n--- Planted. ", 1)))
    assert.truthy(stale(root):find("docs/reference/", 1, true))
    os.execute(("rm -rf '%s'"):format(root))
  end)
end)

describe_program("docs/reference/command-line.md", function()
  local sections = sections_of "command-line"

  it("has the options of each program, and no others", function()
    for title, arguments in pairs { ["moonpod advise"] = "advise --help", ["moonpod doctor"] = "doctor --help",
      ["moonpod explain"] = "explain --help", ["moonpod notebook"] = "notebook --help",
      ["moonpod --install-kernel"] = "--install-kernel --help" } do
      local said = options_in(help(arguments):gsub("%-%-install%-kernel", ""))
      said["--help"] = nil
      assert.same(said, options_of_tables(sections[title]), title)
    end
    local said = {}
    for words in help "--help":gmatch "\n  (%-.-)%s%s" do
      for option in pairs(options_in(words)) do
        said[option] = true
      end
    end
    assert.is_true(said["-e"] and said["--color"] and said["--profile"])
    local page = options_of_tables(sections.moonpod:match "^(.-)\nA first word")
    assert.same(said, page)
  end)

  it("has the commands of the executable, and no others", function()
    local said, page = {}, {}
    for name in help "--help":gmatch "\n +moonpod ([%w-]+)" do
      said[name] = true
    end
    for _, code in ipairs(first_cells(sections.moonpod:match "\nA first word.*")) do
      page[code:match "^[%w-]+"] = true
    end
    assert.same(said, page)
    for form in help "notebook --help":gmatch "moonpod notebook (%a+)" do
      assert.is_truthy(sections.moonpod:find("`notebook " .. form .. "`", 1, true), form)
    end
  end)

  it("has the commands and options of ./dev, and no others", function()
    local text = executable.shell "./dev help"
    local said, page = {}, {}
    for name in text:gmatch "%./dev (%a+)" do
      said[name] = true
    end
    for _, code in ipairs(first_cells(sections["./dev"])) do
      local name = code:match "^%./dev (%a+)"
      page[name or 1] = name and true
    end
    assert.same(said, page)
    local listed = options_of_tables(sections["./dev"])
    assert.same(options_in(text), listed)
  end)
end)

-- ---- the environment ------------------------------------------------------------------------------------------

local function names_of_paths(command)
  local list = {}
  for path in assert(io.popen(command)):lines() do
    list[#list + 1] = path
  end
  assert(#list > 0, command)
  return list
end

-- Adds to a set the variables that a file reads by getenv, or by a function of its own that calls getenv with its
-- argument.
local function add_variables(set, path)
  local text = assert(files.read(path))
  local readers = { getenv = true, ["screen%.variable"] = true }
  for names in text:gmatch "local ([%w_, ]+) = [^\n]*screen%.variable\n" do
    readers[names:match "[%w_]+$"] = true
  end
  for _ = 1, 2 do -- of such a function another may be made
    for name, body in text:gmatch "local function ([%w_]+)%(name%)\n(.-)\n" do
      for reader in pairs(readers) do
        if body:find("%f[%w_]" .. reader .. "%(name%)") then
          readers[name] = true
          break
        end
      end
    end
  end
  for reader in pairs(readers) do
    for name in text:gmatch("%f[%w_]" .. reader .. '%s*%(?%s*"([%u%d_]+)"') do
      set[name] = path
    end
  end
  -- Names that are kept in variables first.
  for name in text:gmatch '"=?(MOONPOD_[%u_]+)"' do
    set[name] = path
  end
end

-- What is read by a name in a variable, or by Lua itself.
local KEPT_IN_VARIABLES = { OPENBLAS_CORETYPE = true, LUA_INIT = true, LUA_PATH = true, LUA_CPATH = true }

describe("docs/reference/environment.md", function()
  local sections = sections_of "environment"

  local function on_page(...)
    local set = {}
    for _, title in ipairs { ... } do
      for _, name in ipairs(first_cells(sections[title])) do
        set[name] = true
      end
    end
    return set
  end

  it("has what core, lua, repl and notebooks read, and nothing else", function()
    local read, page = {}, on_page("Of Moonpod", "Of others")
    for _, path in ipairs(names_of_paths "find core lua repl notebooks -name '*.c' -o -name '*.h' -o -name '*.lua'") do
      add_variables(read, path)
    end
    assert.is_truthy(read.MOONPOD_ISA and read.XDG_STATE_HOME and read.TPU_NAME and read.VIRTUAL_ENV)
    local wrong = {}
    for name, path in pairs(read) do
      wrong[#wrong + 1] = not page[name] and ("%s reads %s, which is not on the page"):format(path, name) or nil
    end
    for name in pairs(page) do
      if not read[name] and not KEPT_IN_VARIABLES[name] then
        wrong[#wrong + 1] = name .. " is on the page, but nothing reads it"
      end
    end
    assert.same({}, wrong)
  end)

  it("has what ./dev and tests read", function()
    local page = on_page "Of ./dev and of tests"
    local text = files.read "dev"
    for _, path in ipairs(names_of_paths "find tests -name '*.lua' -o -name '*.c' -o -name run") do
      text = text .. files.read(path)
    end
    for name in pairs(page) do
      assert.is_truthy(text:find("%f[%w_]" .. name .. "%f[^%w_]"), name)
    end
    for name in files.read "dev":gmatch "%${(MOONPOD_[%u_]+):" do
      assert.is_true(page[name], name)
    end
  end)
end)

-- ---- formats --------------------------------------------------------------------------------------------------

describe("docs/reference/formats.md", function()
  local own = sections_of "formats" ["Its own"]
  local path = files.temporary()

  after_each(function()
    os.remove(path)
  end)

  local function is_told(what)
    assert.is_truthy(own:find("`" .. what .. "`", 1, true), "the page has no `" .. what .. "`")
  end

  it("has the version of datasets", function()
    pod.data.range(2):save(path)
    is_told(assert(files.read(path):match "moonpod dataset %d+"))
  end)

  it("has the version of places of iterators", function()
    local iterator = pod.data.range(2):iterator()
    iterator:next()
    iterator:save(path)
    is_told(assert(files.read(path):match "^moonpod iterator %d+"))
  end)

  it("has the version and the kinds of models", function()
    local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
    local name = path .. ".safetensors"
    local function has_kind(kind, save)
      save()
      local text = files.read(name)
      os.remove(name)
      is_told(kind)
      assert.is_truthy(text:find('"kind":"' .. kind .. '"', 1, true), kind)
      is_told(assert(text:match '"version":"([%d.]+)"'))
    end
    has_kind("model", function() model:save(name) end)
    has_kind("weights", function() model:save_weights(name) end)
    has_kind("exported", function() model:export(name) end)
  end)

  it("names readers and writers of other formats that there are", function()
    local count = 0
    for name in sections_of "formats" ["Of others"]:gmatch "`pod%.([%w_.]+)`" do
      local value = pod
      for part in name:gmatch "[%w_]+" do
        value = value[part]
      end
      assert.is_truthy(value, name)
      count = count + 1
    end
    assert.is_true(count > 10, build)
  end)
end)
