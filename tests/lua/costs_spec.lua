-- ./dev lint finds a cost that has no birthplace, and nothing else.

local folder

local function lint(path, text)
  assert(os.execute(("mkdir -p '%s/%s'"):format(folder, path:match "^(.*)/")))
  local file = assert(io.open(folder .. "/" .. path, "w"))
  file:write(text)
  file:close()
  local pipe = assert(io.popen(("lua5.4 tests/style/lint '%s' 'costs have a birthplace' 2>&1"):format(folder)))
  local report = pipe:read "a"
  pipe:close()
  os.remove(folder .. "/" .. path)
  return report
end

describe("costs", function()
  setup(function()
    folder = os.tmpname()
    os.remove(folder)
    assert(os.execute(("mkdir -p '%s/core/compile' '%s/lua/bind' '%s/repl'"):format(folder, folder, folder)))
  end)

  teardown(function()
    os.execute(("rm -rf '%s'"):format(folder))
  end)

  for text, literal in pairs {
    ["    made->row_cost = rows * 0.05;\n"] = "0.05",
    ["    made->row_cost +=\n        0.1 * (double)loop->columns;\n"] = "0.1",
    ["static double a_nanoseconds(void)\n{\n    double each = 25e-1;\n    return each;\n}\n"] = "25e-1",
    ["static table t = {\n    .nanoseconds = 2.0 / 1900,\n};\n"] = "2.0",
    ["#define TINY_NANOSECONDS 2000\n"] = "2000",
    ["    if (phase->cost > 1e4 + 16000.0)\n        return;\n"] = "16000.0",
  } do
    it(("are found: %s"):format(literal), function()
      local report = lint("core/compile/planted.c", text)
      assert.truthy(report:find(("planted%%.c:%%d: %s: a cost stands"):format(literal:gsub("%p", "%%%0")), 1), report)
      assert.truthy(report:find("1 failed\n$"), report)
    end)
  end

  for name, text in pairs {
    ["units of time"] = "    made->seconds = (double)took * 1e-9;\n",
    ["what is no cost"] = "    made->share = 0.05 * rows;\n",
    ["comments"] = "/* row_cost = 0.05; */\n",
    ["numbers of 0 and 1"] = "    made->row_cost = 0.0 + 1.0 * POD_COST_PACKED;\n",
    ["what stands beside one"] = "    made->row_cost = each;\n    made->share = 0.05;\n",
  } do
    it("are not " .. name, function()
      assert.truthy(lint("core/compile/planted.c", text):find "1 passed, 0 failed\n$")
    end)
  end

  it("have their header", function()
    assert.truthy(lint("core/compile/compile_costs.h", "#define POD_COST 0.05\n"):find "1 passed, 0 failed\n$")
  end)
end)
