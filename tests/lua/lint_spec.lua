-- ./dev lint sees what it is there for: each breach is planted into a copy of the sources, in which it finds nothing
-- (.ci/run lints them as they are).

local build = os.getenv "MOONPOD_BUILD" or "build/release"

local function output_of(command)
  local pipe = assert(io.popen(command .. " 2>&1"))
  local text = pipe:read "a"
  pipe:close()
  return text
end

local root

local function read(path)
  local file <close> = assert(io.open(root .. "/" .. path, "rb"))
  return file:read "a"
end

local function write(path, text)
  local file <close> = assert(io.open(root .. "/" .. path, "wb"))
  file:write(text)
end

local function lint(rule)
  return output_of(("MOONPOD_BUILD='%s' lua5.4 tests/style/lint '%s' '%s'"):format(build, root, rule))
end

-- What is planted: the rule that sees it, the file, what is put in front of its text or behind it, what is found.
local breaches = {
  { "requires of Lua go down", "lua/moonpod/base/errors.lua", behind = 'local _ = require "moonpod.models"\n',
    found = "a higher floor than base" },
  { "includes go down", "core/base/text.h", behind = '#include "engine/execute.h"\n',
    found = "a higher floor than core/base" },
  { "files and JSON come in by one door", "lua/moonpod/tpu/chips.lua",
    behind = 'local _ = require("moonpod.base.json").decode\nlocal value = json.decode(text)\n',
    found = "JSON is read by schema.read()" },
  { "files and JSON come in by one door", "lua/bind/chip.c",
    behind = "const char *planted = luaL_checkstring(L, 1);\n", found = "which refuses zero bytes" },
  { "files of C call each other in no circle", "core/compile/fusion.c",
    behind = "bool planted(pod_fusion *fusion);\nbool planted(pod_fusion *fusion)\n{\n"
      .. "    return pod_compile_find_recomputed(fusion);\n}\n",
    found = "in a circle: core/compile/fusion core/compile/recompute" },
  { "files of C call each other in no circle", "repl/editor/edit_text.c",
    behind = "void planted(line_editor *editor);\nvoid planted(line_editor *editor)\n{\n"
      .. "    line_enter(editor, 0);\n}\n",
    found = "in a circle: repl/editor/edit_text repl/editor/line_indent" },
  { "files of C call each other in no circle", "lua/bind/small.c",
    behind = "void planted(lua_State *L);\nvoid planted(lua_State *L)\n{\n"
      .. "    (void)pod_lua_check_buffer(L, 1);\n}\n",
    found = "lua/bind/lua_buffer lua/bind/lua_context lua/bind/small", elsewhere = true },
  { "types have names of their own", "core/grad/gradient.c",
    behind = "typedef struct pod_tile {\n    int rows;\n} pod_tile;\n", found = "pod_tile is the name of a type of" },
  { "files have names of their own", "core/grad/text.c", behind = "/* text */\n",
    found = "is named as core/base/text.c is" },
  { "numbers of Lua are checked", "lua/bind/small.c",
    behind = "\nint planted(lua_State *L);\nint planted(lua_State *L)\n{\n    return (int)lua_tointeger(L, 1);\n}\n",
    found = "calls lua_tointeger()" },
  { "numbers of Lua are checked", "lua/bind/small.c",
    behind = "\nvoid planted(lua_State *L, char *at);\nvoid planted(lua_State *L, char *at)\n{\n"
      .. '    int64_t first = pod_lua_check_any(L, 1, "x");\n    at[(size_t)first * 4] = 0;\n}\n',
    found = "counts with 'first'" },
  { "numbers of Lua are checked", "core/base/text.c",
    behind = "\n/* */\n#define planted(a) __builtin_mul_overflow(a, a, a)\n", found = "that of core/base/checked.h" },
  { "public functions of Lua have a text", "lua/moonpod/ops/shape.lua",
    replace = { "\nreturn ops", "\nfunction ops.planted(x)\n  return x\nend\n\nreturn ops" },
    found = "pod.planted, which scripts can call, has no text" },
  { "public functions are documented", "core/include/moonpod/tensor.h",
    behind = "\nPOD_API void pod_planted(void);\n", found = "a public function without a comment" },
  { "exported symbols", "core/include/moonpod/tensor.h", behind = "\n/* . */\nPOD_API void pod_planted(void);\n",
    found = "does not export pod_planted" },
  { "functions of the binding are called", "lua/bind/chip.c",
    behind = '\nstatic const pod_lua_function more[] = {{"planted", .plain = chips}, {0}};\n',
    found = "no spec is known to call planted" },
  { "functions of the binding have a use", "lua/bind/chip.c",
    behind = '\nstatic const pod_lua_function more[] = {{"planted", .plain = chips}, {0}};\n',
    found = "nothing in lua/moonpod calls planted" },
  { "public functions have a use", "core/include/moonpod/tensor.h",
    behind = "\n/* . */\nPOD_API void pod_planted(void);\n", found = "nothing that is not C calls pod_planted" },
  { "functions are named by their floor", "core/ir/rewrite.h", behind = "\nvoid pod_planted(void);\n",
    found = "functions of core/ir begin with pod_ir_" },
  { "functions are named by their floor", "core/base/text.h", behind = "\nvoid pod_graph_planted(void);\n",
    found = "pod_graph_ is for functions of core/graph" },
  { "lines are short", "core/base/text.c", behind = "/* " .. ("x"):rep(115) .. " */\n", found = "121 columns" },
  { "lines are short", "docs/reference/lua.md", behind = ("word "):rep(25) .. "\n", found = "columns, more than 120" },
  { "sections of the rules of core/tpu name files", "docs/contributors/tpu-rules.md",
    replace = { ", `spread.c`,", ", `spreads.c`," }, found = "R2 names spreads.c, which there is not" },
  { "sentences are short", "docs/guides/scaling.md",
    behind = "\n| " .. ("x"):rep(201) .. " |\n\nThis sentence goes on" .. (" and on"):rep(20) .. ".\n"
      .. ("These" .. (" words"):rep(18) .. ".\n"):rep(100),
    found = "half of the sentences have 19 words or more; at most 18",
    besides = { "a sentence of 44 words, more than 40", "a cell of 201 letters, more than 200" } },
  { "state of modules is registered", "lua/moonpod/ops/shape.lua",
    replace = { "\nreturn ops", "\nlocal planted\nops.gather = function(x)\n  planted = x\nend\n\nreturn ops" },
    found = "'planted' outlives the calls that change it" },
  { "state of modules is registered", "lua/moonpod/base/decimal.lua",
    replace = { "\nreturn decimal", "\nlocal planted = {}\nfunction decimal.plant(x)\n  table.insert(planted, x)\nend\n"
      .. "\nreturn decimal" }, found = "'planted' outlives the calls that change it" },
  { "ops have no order", "core/base/text.c", behind = "\nbool planted(int op);\nbool planted(int op)\n{\n"
      .. "    return op > POD_OP_EXP;\n}\n", found = "ops have no order" },
  { "costs have a birthplace", "core/base/text.c", behind = "\n#define PLANTED_NANOSECONDS 17.5\n",
    found = "17.5: a cost stands in the header" },
  { "whole numbers are told by one function", "lua/moonpod/base/shapes.lua",
    replace = { "\nreturn shapes", "\nfunction shapes.planted(x)\n  return x % 1 == 0\nend\n\nreturn shapes" },
    found = "use kinds.is_whole(value, least, most)" },
  { "numbers enter by one door", "core/base/text.c",
    behind = "\nvoid planted(void *to);\nvoid planted(void *to)\n{\n"
      .. "    pod_convert(POD_F64, to, POD_F32, to, 1);\n}\n",
    found = "a number is narrowed unchecked" },
  { "C is formatted", "core/base/text.c", behind = "\nint   planted( void );\n",
    found = "clang-format would lay this out otherwise" },
  { "names are none of windows.h", "core/base/text.c", behind = "\nint planted(int near);\n",
    found = "'near' is a macro of windows.h" },
  { "compile the library", "core/base/text.c", behind = "\nvoid planted(void)\n{\n    return 1 + ;\n}\n",
    found = "expected expression", elsewhere = true },
  { "rooms are as large as the ledger says", "core/base/text.c", behind = ("int planted;\n"):rep(400),
    found = "core/base has", elsewhere = true },
  { "rooms are as large as the ledger says", "core/kernels/planted.c", behind = "/* */\n",
    found = "files, and is allowed", besides = { "core/kernels has" }, elsewhere = true },
  { "files are small", "core/base/text.c", behind = ("/* . */\n"):rep(500), found = "lines, more than 500" },
  { "files are small", "core/include/moonpod/tensor.h", behind = ("/* . */\n"):rep(400),
    found = "lines, more than 400" },
  { "wings name tests", "tests/wings.txt", behind = "data: planted\n", found = "no test is named planted" },
  { "the changelog is short", "CHANGELOG.md", behind = ("- This is mended.\n"):rep(100), found = "lines, more than" },
  { "sentences have subjects", "core/tpu/walks.c", behind = ("/* What is planted. */\n"):rep(1000),
    found = "begins with a clause: What is planted" },
  { "notebooks are small", "examples/planted.ipynb", behind = ("x"):rep(150001), found = "150001 bytes" },
  { "functions are small", "core/base/text.c",
    behind = "\nstatic void planted(void)\n{\n" .. ("    ;\n"):rep(60) .. "}\n", found = "planted has 63 lines" },
}

describe("lint", function()
  setup(function()
    root = os.tmpname()
    os.remove(root)
    assert(os.execute((("mkdir -p 'ROOT/tests' && cp -r core lua repl docs examples cmake *.md CMakeLists.txt dev "
      .. ".clang-format 'ROOT' && "
      .. "cp -r tests/wings.txt tests/style tests/lua tests/core tests/repl tests/tools 'ROOT/tests'"):gsub("ROOT",
      root))))
  end)

  teardown(function()
    os.execute(("rm -rf '%s'"):format(root))
  end)

  for _, breach in ipairs(breaches) do
    it(("finds what breaks '%s' in %s"):format(breach[1], breach[2]), function()
      local path = breach[2]
      local known, before = pcall(read, path)
      before = known and before or ""
      local text = before .. (breach.behind or "")
      if breach.replace then
        local at, last = before:find(breach.replace[1], 1, true)
        text = before:sub(1, at - 1) .. breach.replace[2] .. before:sub(last + 1)
      end
      write(path, text)
      local report = lint(breach[1])
      if known then
        write(path, before)
      else
        os.remove(root .. "/" .. path)
      end
      assert.truthy(report:find(breach.found, 1, true), report)
      for _, found in ipairs(breach.besides or {}) do
        assert.truthy(report:find(found, 1, true), report)
      end
      assert.truthy(breach.elsewhere or report:find(path:match "[^/]+$", 1, true)
        or report:find("libmoonpod", 1, true), report)
      assert.truthy(report:find("[1-9]%d* failed\n$"), report)
    end)
  end

  it("has a breach for each file of rules", function()
    for path in assert(io.popen "ls tests/style/rules/*.lua"):lines() do
      local text, found = assert(io.open(path)):read "a", path:find "commits%.lua$" -- below
      for _, breach in ipairs(breaches) do
        found = found or text:find(breach[1], 1, true)
      end
      assert.truthy(found, path)
    end
  end)

  it("finds what was left at the top", function()
    local folder = os.tmpname()
    os.remove(folder)
    assert(os.execute((("mkdir -p 'ROOT/left' && cd 'ROOT' && touch left/x README.md && git init -q && git add .")
      :gsub("ROOT", folder))))
    local report = output_of(("lua5.4 tests/style/lint '%s' 'the top'"):format(folder))
    assert.truthy(report:find("left/x:0: nothing of this name belongs to the top", 1, true), report)
    assert.falsy(report:find("README", 1, true))
    os.execute(("rm -rf '%s'"):format(folder))
  end)

  it("asks why a number of the ledger grows", function()
    local folder = os.tmpname()
    os.remove(folder)
    local git = "git -C '" .. folder .. "' -c user.name=x -c user.email=x "
    assert(os.execute(("mkdir -p '%s/tests/style' && git -C '%s' init -q"):format(folder, folder)))
    local function report(number, message)
      local file <close> = assert(io.open(folder .. "/tests/style/ledger.txt", "w"))
      file:write("lines core/base ", number, "\nlines core/graph 100\n")
      file:close()
      assert(os.execute(("%s add . && %s commit -q -m '%s'"):format(git, git, message)))
      return output_of(("lua5.4 tests/style/lint '%s' 'ledger raises'"):format(folder))
    end
    assert.truthy(report(100, "base: first"):find "1 passed, 0 failed\n$")
    assert.truthy(report(50, "base: less"):find "1 passed, 0 failed\n$")
    assert.truthy(report(150, "base: more\n\nledger: core/base: a reason."):find "1 passed, 0 failed\n$")
    local text = report(200, "base: more\n\nledger: core/graph: another room.")
    assert.truthy(text:find('raises the number of core/base without a line "ledger: core/base: why"', 1, true), text)
    os.execute(("rm -rf '%s'"):format(folder))
  end)

  it("reads what commits say", function()
    local folder = os.tmpname()
    os.remove(folder)
    local commit = "git -C '" .. folder .. "' -c user.name=x -c user.email=x commit -q --allow-empty "
    assert(os.execute(("mkdir -p '%s' && git -C '%s' init -q"):format(folder, folder)))
    local function report(message)
      assert(os.execute(commit .. "-m '" .. message .. "'"))
      return output_of(("LINT_COMMITS=all lua5.4 tests/style/lint '%s' 'commits say'"):format(folder))
    end
    assert.truthy(report("base: texts grow\n\nThe reason."):find "1 passed, 0 failed\n$")
    assert.truthy(report("Texts grow"):find('the subject is not "area: what"', 1, true))
    assert.truthy(report("base: " .. ("x"):rep(55)):find("a subject of more than 60 columns", 1, true))
    os.execute(("rm -rf '%s'"):format(folder))
  end)
end)
