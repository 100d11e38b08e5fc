-- docs/contributors/contributing.md and adding.md, as a newcomer would: the changes of each of their sections apply to
-- a copy of the tree, touch few files of code, and are all that lint and the compiler ask for. What needs few files of
-- C is linked and run. With MOONPOD_LONG the copy is built and tested, too.

local files = require "tests.lua.support.files"

local PAGES = { "docs/contributors/contributing.md", "docs/contributors/adding.md" }

local build = os.getenv "MOONPOD_BUILD" or "build/release"
local long = os.getenv "MOONPOD_LONG"

-- Where the copy is, and each section's diffs and blocks of Lua, by the first words of its title.
local scratch
local sections = {}

local read, write = files.read, files.write

-- Runs a command in the copy; returns whether it ended well, and what it printed.
local function run(format, ...)
  local pipe = io.popen(("cd '%s' && { %s; } 2>&1"):format(scratch, format:format(...)))
  local output = pipe:read "a"
  return pipe:close() == true, output
end

local function must_run(...)
  local ended, output = run(...)
  assert(ended, output)
  return output
end

local function read_sections(page)
  local title, kind, block
  for line in io.lines(page) do
    if block and line == "```" then
      local list = sections[title] and sections[title][kind]
      if list then
        list[#list + 1] = table.concat(block, "\n") .. "\n"
      end
      block = nil
    elseif block then
      block[#block + 1] = line
    elseif line:find "^## " then
      title = line:sub(4)
      sections[title] = { diff = {}, lua = {} }
    elseif line:find "^```" then
      kind, block = line:sub(4), {}
    end
  end
end

-- The files that a section changes; those of code are neither tests nor text. Prints how many.
local function files_of(title)
  local section = assert(sections[title], title)
  local all, code = {}, {}
  for _, diff in ipairs(section.diff) do
    for path in diff:gmatch "\n?%+%+%+ b/(%S+)" do
      all[#all + 1] = path
      if not path:find "^tests/" and not path:find "^docs/" then
        code[#code + 1] = path
      end
    end
  end
  print(("%s: %d files, %d of code"):format(title, #all, #code))
  return all, code
end

local function apply(section)
  for number, diff in ipairs(section.diff) do
    write(scratch .. "/" .. number .. ".diff", diff)
    must_run("git apply --whitespace=error %d.diff", number)
  end
end

-- Compiles without making anything: a second a file, not minutes.
local function check_c(paths)
  for _, path in ipairs(paths) do
    must_run("cc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -fsyntax-only -Icore/include -Icore -Icore/kernels %s",
      path)
  end
end

local function lint(filter)
  return run("lua5.4 tests/style/lint . '%s'", filter)
end

-- Puts a text in the place of another in a file of the copy while a function runs.
local function with(path, from, to, fn)
  local before = read(scratch .. "/" .. path)
  local first, last = before:find(from, 1, true)
  assert(first, path .. " has no " .. from)
  write(scratch .. "/" .. path, before:sub(1, first - 1) .. to .. before:sub(last + 1))
  fn()
  write(scratch .. "/" .. path, before)
end

-- Runs a block of Lua with the modules of the copy and a build of the core.
local function run_lua(block, built)
  write(scratch .. "/block.lua", block)
  must_run("LD_LIBRARY_PATH='%s' LUA_PATH='lua/?.lua;lua/?/init.lua' LUA_CPATH='%s/lua/?.so' lua5.4 block.lua", built,
    built)
end

local absolute = build:find "^/" and build or assert(io.popen "pwd"):read "l" .. "/" .. build

-- Compiles files of C, links the library and the module of Lua anew, with all else as it was built; runs the blocks.
local function build_and_run(section, paths)
  if not build:find "release$" then
    pending "what is linked with a sanitizer's build needs the sanitizer"
  end
  -- The build folder may hold objects of files long gone, so the sources say which objects are linked.
  must_run("mkdir -p built/core built/bind built/lua/moonpod && cp '%s/libmoonpod.a' built/ && cd lua/bind && "
    .. "for file in *.c; do cp '%s'/CMakeFiles/moonpod_core.dir/lua/bind/$file.o ../../built/bind/ || exit; done && "
    .. "cp '%s'/CMakeFiles/moonpod_host.dir/core/base/system/host/*.o ../../built/bind/", absolute, absolute, absolute)
  for _, path in ipairs(paths) do
    if path:find "%.c$" then
      must_run("cc -std=gnu11 -O1 -fPIC -fvisibility=hidden -DNDEBUG -Wall -Wextra -Werror -Icore/include -Icore "
        .. "-Ilua/bind $(pkg-config --cflags lua5.4 libuv libdeflate libturbojpeg) -c %s -o built/%s/%s.o", path,
        path:match "^core/" and "core" or "bind", path:match "[^/]+$")
    end
  end
  must_run("{ ! ls built/core/*.o || ar r built/libmoonpod.a built/core/*.o; } && cc -shared -o built/libmoonpod.so.0 "
    .. "-Wl,-soname,libmoonpod.so.0 -Wl,-Bsymbolic-functions -Wl,--version-script=cmake/libmoonpod.map "
    .. "-Wl,--whole-archive built/libmoonpod.a -Wl,--no-whole-archive "
    .. "$(pkg-config --libs libuv libdeflate libturbojpeg) -lz -lm -lpthread -ldl && "
    .. "cc -shared -o built/lua/moonpod/core.so built/bind/*.o built/libmoonpod.so.0 -lm -lpthread")
  for _, block in ipairs(section.lua) do
    run_lua(block, scratch .. "/built")
  end
end

describe("docs/contributors/contributing.md and adding.md", function()
  setup(function()
    for _, page in ipairs(PAGES) do
      read_sections(page)
    end
    scratch = os.tmpname()
    os.remove(scratch)
    local command = "mkdir '%s' && cp -r CMakeLists.txt LICENSE README.md CHANGELOG.md cmake dev .luacheckrc core docs "
      .. "examples lua notebooks repl tests '%s'"
    assert(os.execute(command:format(scratch, scratch)))
  end)

  teardown(function()
    os.execute(("rm -rf '%s'"):format(scratch))
  end)

  it("adds an op in three files of code, in the middle of the table", function()
    local _, code = files_of "An op"
    assert.equal(3, #code)
    apply(sections["An op"])
    -- All that the row makes, and what the tests of ops are made of.
    check_c { "core/graph/ops.c", "core/graph/infer.c", "core/kernels/reference/elementwise.c", "core/grad/rules.c",
      "core/grad/grad_elementwise.c", "core/exchange/op_readers.c", "core/exchange/write_op.c",
      "core/replicate/batching.c", "core/compile/elements.c" }
    check_c { "tests/core/test_ops_shape.c", "tests/core/test_grad.c", "tests/core/test_ops_forward.c" }
    assert(lint "op")
  end)

  it("makes its kernel fast in four files of code", function()
    local _, code = files_of "A kernel"
    assert.equal(4, #code)
    apply(sections["A kernel"])
    check_c { "core/kernels/multi/blocks.c -DPOD_FAMILY_TABLE=pod_blocks_portable -DPOD_FAMILY_portable=1",
      "core/compile/elements.c", "core/graph/ops.c" }
    check_c { "tests/core/test_kernels_blocks.c", "tests/core/test_kernels_blocks_math.c" }
    assert(lint "op")
  end)

  it("adds a layer in three files of code", function()
    local _, code = files_of "A layer"
    assert.equal(3, #code)
    apply(sections["A layer"])
    for _, block in ipairs(sections["A layer"].lua) do
      run_lua(block, absolute)
    end
    must_run("MOONPOD_BUILD='%s' LUA_PATH='lua/?.lua;lua/?/init.lua;;' LUA_CPATH='%s/lua/?.so;;' lua5.4 "
      .. "$(command -v busted) --filter 'each public name is listed' tests/lua/sandbox_spec.lua", absolute, absolute)
    assert(lint "requires of Lua")
  end)

  it("adds a rule of the TPU model in two files of code", function()
    local _, code = files_of "A rule of the TPU model"
    assert.equal(2, #code)
    apply(sections["A rule of the TPU model"])
    check_c { "core/tpu/target.c", "core/tpu/results.c" }
    assert(lint "core/tpu")
  end)

  it("says what an op does in two files of code", function()
    local _, code = files_of "The help of an op"
    assert.equal(2, #code)
    apply(sections["The help of an op"])
    assert(lint "public functions")
  end)

  for title, most in pairs { ["A chip"] = 2, ["A dataset stage"] = 4, ["A message of pod.explain"] = 1 } do
    it(("adds %s in %d files of code"):format(title:lower(), most), function()
      local _, code = files_of(title)
      assert.equal(most, #code)
      apply(sections[title])
      build_and_run(sections[title], code)
      assert(lint "public functions")
    end)
  end

  it("is right that lint finds what an op lacks, and code that relies on their order", function()
    local function finds(text)
      return function()
        local holds, output = lint "op"
        assert.is_false(holds)
        assert(output:find(text, 1, true), output)
      end
    end
    with("core/kernels/reference/elementwise.def", "KERNEL(exp2, exp2(a), a, a)\n", "",
      finds "core/kernels/reference/elementwise.def:0: has no row for EXP2")
    with("core/replicate/batching.c", "    [POD_OP_REVERSE] =", "    [POD_OP_NEGATE] =",
      finds "core/replicate/batching.c:0: has no row for REVERSE")
    with("core/exchange/write_op.c", "    [POD_OP_SORT] =", "    [POD_OP_NEGATE] =",
      finds "core/exchange/write_op.c:0: has no row for SORT")
    with("core/graph/ops.def", 'DIFF(exp2), TRANS, OK, "custom_call"', 'DIFF(exp2), TRANS, SLOW, "custom_call"',
      finds "core/advisor/compatibility.def:0: has no row for EXP2")
    for _, code in ipairs { "op >= POD_OP_ADD", "POD_OP_XOR > op", "rows[op - POD_OP_ADD]", "POD_OP_ADD ... 99" } do
      with("core/grad/rules.c", "return rules[op];", "return " .. code .. ";", finds "ops have no order")
    end
    assert(lint "op")
  end)

  if long then
    it("leads to a tree that builds and passes its tests", function()
      must_run "unset MOONPOD_LONG MOONPOD_BUILD LUA_PATH LUA_CPATH; ./dev build"
      for _, filter in ipairs { "test_ops", "test_kernels_blocks", "test_grad", "exchange", "replicate",
        "bounds_of_ops", "layers_spec" } do
        must_run("unset MOONPOD_LONG MOONPOD_BUILD LUA_PATH LUA_CPATH; ./dev test %s", filter)
      end
      -- With one op more each number is another program: what these find need not be that op's fault.
      must_run "unset MOONPOD_LONG MOONPOD_BUILD LUA_PATH LUA_CPATH; ./dev fuzz --count 2000 programs"
      for _, section in pairs(sections) do
        for _, block in ipairs(section.lua) do
          run_lua(block, scratch .. "/build/release")
        end
      end
    end)
  end
end)
