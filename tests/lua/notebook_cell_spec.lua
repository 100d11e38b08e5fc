-- Cells of notebooks: run as entries of the session, with outputs as Jupyter's.

local cell = require "moonpod.notebook.cell"
local json = require "moonpod.base.json"
local pod = require "moonpod"
local programs = require "moonpod.tensor.programs"
local screen = require "moonpod.base.screen"

-- Runs cells in a session; returns the last one's outputs and reply.
local function run(...)
  local session, outputs, reply = cell.new {}, nil, nil
  for _, source in ipairs { ... } do
    outputs = {}
    reply = session:execute(source, function(output)
      outputs[#outputs + 1] = output
    end)
  end
  return outputs, reply, session
end

local function texts(outputs)
  local list = {}
  for i, one in ipairs(outputs) do
    list[i] = one.output_type .. ":" .. (one.text or one.data and one.data["text/plain"] or one.evalue)
  end
  return table.concat(list, "|")
end

describe("a cell", function()
  before_each(function()
    rawset(_G, "pod", pod)
  end)
  after_each(function()
    for _, name in ipairs { "pod", "x", "f", "n", "_", "_1", "_2", "_3", "_4", "_5", "_6", "_7", "_8", "_9", "Out" } do
      rawset(_G, name, nil)
    end
  end)

  it("has what the engine does for it written down anew", function()
    local before = {}
    programs.host.account = before
    run "x = 1"
    local account = programs.host.account
    programs.host.account = nil
    assert.is_table(account)
    assert.is_false(rawequal(before, account))
  end)

  it("gives the value of its last expression, as an entry does", function()
    for source, expected in pairs {
      ["6 * 7"] = "42", ["x = 6 * 7\nx"] = "42", ["=6 * 7"] = "42", ["local a = 2\n\na, 'b'"] = "2\t\"b\"",
      ["local a = {\n  1,\n}\n#a -- how many"] = "1", ["function f(a)\n  return a + 1\nend\nf(1)"] = "2",
      ["x = 3\n-- the end\nx\n-- behind it"] = "3", ["nothing_here"] = "nil", ["(1 + 2)"] = "3",
      ["x = {\n  [1] = function()\n    return 5\n  end,\n}\nx[1]()"] = "5", ["x = 1\n%time x\nx + 1"] = "2",
    } do
      local outputs = run(source)
      assert.are.equal("execute_result:" .. expected, texts { outputs[#outputs] }, source)
    end
  end)

  it("leaves its locals to the cells that follow, as an entry does", function()
    assert.are.equal("execute_result:3\t1", texts(run("local x, n = 1, 2\nlocal function f() return n end -- two",
      "f() + x, x")))
    assert.are.equal("execute_result:6", texts(run("local x = 5;\nx", "x + 1")))
    assert.are.equal("execute_result:6", texts(run("local x = 1\ndo return x end", "x + 1")))
    if (loadstring or load) "local x <const> = 5" then -- luacheck: ignore
      assert.are.equal("execute_result:5", texts(run("local x <const> = 5", "x")))
      assert.are.equal("execute_result:6", texts(run("local x <const> = 6\n'other'", "x")))
    end
    assert.are.equal("execute_result:function", (texts(run("local print, f = 1, 2", "type(print)")):gsub('"', "")))
  end)

  it("shows nothing of statements, of what is muted, and of blocks", function()
    for _, source in ipairs { "x = 3", "6 * 7;", "for i = 1, 3 do\n  f = i\nend", "", "-- only this\n",
      "local t = {\n  1,\n}", "x = [[\n%time\n]]", "if true then\n  x = 3\nend", "io.write ''", "x = 7\n  % 2" } do
      local outputs, reply = run(source)
      assert.are.equal("", texts(outputs), source)
      assert.are.equal("ok", reply.status, source)
    end
  end)

  it("takes what Lua takes for one statement as one", function()
    run "function f(a) n = a[1] return f end"
    assert.are.equal("", texts(run "local y = f\n{ 3 }"))
    assert.are.equal(3, rawget(_G, "n"))
    assert.are.equal("execute_result:1", texts(run "x = 3\n- 2\nx"))
  end)

  it("sends what is printed to the streams", function()
    local outputs = run "print('a', 1)\nio.write('b', 2)\nio.stdout:write 'c'\nio.stderr:write('\\255')\nx = 1"
    assert.are.equal("stream:a\t1\n|stream:b2|stream:c|stream:\239\191\189", texts(outputs))
    assert.are.equal("stdout stdout stdout stderr", table.concat({ outputs[1].name, outputs[2].name, outputs[3].name,
      outputs[4].name }, " "))
    assert.is_nil(screen.page)
  end)

  it("leaves what it took in the place of Lua's functions", function()
    local before = { print, io.write, os.exit, getmetatable(io.stdout).__index.write }
    run("error 'x'", "print 'x'", "os.exit(0)")
    assert.are.same(before, { print, io.write, os.exit, getmetatable(io.stdout).__index.write })
    local session = cell.new {}
    pcall(session.execute, session, "print 'x'", function()
      error "the receiver fails"
    end)
    assert.are.same(before, { print, io.write, os.exit, getmetatable(io.stdout).__index.write })
  end)

  it("has input, unless there is a value of that name", function()
    local asked = {}
    local session, result = cell.new { read_line = function(prompt, is_secret)
      asked[#asked + 1] = prompt .. tostring(is_secret)
      return prompt ~= "end" and "7" or nil
    end }, nil
    local function execute(source)
      local reply = session:execute(source, function(output)
        result = output.data and output.data["text/plain"] or output.evalue
      end)
      return reply.status == "ok" and result or reply.evalue
    end
    assert.are.equal('"7"', execute "input 'how many? '")
    assert.are.equal('"7"', execute "input()")
    assert.are.equal("7", execute "tonumber(input('key: ', { password = true }))")
    assert.are.equal("how many? false|false|key: true", table.concat(asked, "|"))
    assert.truthy(execute "input 'end'":find "nothing to read")
    assert.truthy(execute "input {}":find "prompt must be a string")
    assert.truthy(execute "input('', { pasword = true })":find "did you mean 'password'")
    assert.is_nil(rawget(_G, "input"))
    assert.are.equal("3", execute "input = 3\ninput")
    assert.are.equal("3", execute "input")
    execute "input = nil"
    assert.is_nil(rawget(_G, "input"))
    assert.are.equal('"7"', execute "input()")
  end)

  it("tells errors with the cell, its line and its text", function()
    local outputs, reply = run("function f(a)\n  return a.b.c\nend", "x = 1\nf({})")
    assert.are.equal("error", reply.status)
    assert.are.equal(2, reply.execution_count)
    assert.are.equal(2, reply.line)
    assert.truthy(reply.evalue:find "^cell 1:2: attempt to index .*field 'b'", reply.evalue)
    local text = table.concat(outputs[1].traceback, "\n")
    assert.truthy(text:find("   2 |   return a.b.c", 1, true), text)
    if _VERSION == "Lua 5.4" then -- others forget the cell that ends with a call
      assert.truthy(text:find("cell 2:2: in main chunk", 1, true), text)
      assert.falsy(text:find("notebook", 1, true), text)
    end
    outputs, reply = run "pod.losses.mes()"
    assert.truthy(reply.evalue:find("did you mean 'mse'", 1, true), reply.evalue)
    assert.are.equal("Error", outputs[1].ename)
    reply = select(2, run "x = 3\nx = = 3")
    assert.are.equal("SyntaxError", reply.ename)
    assert.are.equal(2, reply.line)
    reply = select(2, run "%nothing")
    assert.truthy(reply.evalue:find("there is no command %nothing", 1, true))
    reply = select(2, run "os.exit(3)")
    assert.truthy(reply.evalue:find("os.exit", 1, true))
    reply = select(2, run "error { code = 3 }")
    assert.truthy(reply.evalue:find("code = 3", 1, true))
  end)

  it("has commands, help and the last results", function()
    assert.truthy(texts(run "?pod.losses.mse"):find "^stream:pod.losses.mse")
    assert.truthy(texts(run "pod.losses.mse?"):find "^stream:pod.losses.mse")
    assert.truthy(texts(run "%%time\nx = 0\nfor i = 1, 10 do\n  x = x + i\nend\nx"):find "error" == nil)
    assert.truthy(texts(run "%time (function()\n  return 5\nend)()"):find "execute_result:5$")
    assert.are.equal("execute_result:3", texts(run("1 + 2", "_")))
    assert.are.equal("execute_result:1\t2", texts(run("1", "2", "_2, _1")))
  end)

  it("shows pictures, with text beside", function()
    for source, kind in pairs { ["pod.plot.line { 1, 2, 3 }"] = "image/svg+xml",
      ["pod.padding { shape = { 3, 5 }, dtype = 'f32' }"] = "text/html", ["pod.topology 'v4:2x2x4'"] = "image/svg+xml",
      ["pod.profiler.record(function() return (pod.ones { 64, 64 } * 2):data() end)"] = "text/html",
      ["setmetatable({}, { __display = function() return { text = 'a', html = '<b>a</b>' } end })"] = "text/html",
      ["setmetatable({}, { __display = function() return { text = 'a', png = 'PNG' } end })"] = "image/png" } do
      local outputs = run(source)
      assert.are.equal(1, #outputs, source)
      assert.are.equal("execute_result", outputs[1].output_type)
      assert.truthy(outputs[1].data[kind], source)
      assert.truthy(outputs[1].data["text/plain"], source)
      json.encode(outputs[1].data)
    end
    local outputs = run "pod.display(pod.plot.line { 1, 2, 3 })"
    assert.are.equal(1, #outputs)
    assert.are.equal("display_data", outputs[1].output_type)
    assert.are.equal("UE5H", (function()
      return run "setmetatable({}, { __display = function() return { png = 'PNG' } end })"[1].data["image/png"]
    end)())
  end)

  it("shows fit as one output, whose last state has no times", function()
    local outputs = run [[
      local m = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
      m:compile { optimizer = "sgd", loss = "mse" }
      m:fit(pod.ones { 64, 2 }, pod.zeros { 64, 1 }, { epochs = 2, batch_size = 8 });]]
    local id = outputs[1].transient.display_id
    assert.are.equal("display_data", outputs[1].output_type)
    for i = 2, #outputs do
      assert.are.equal("update_display_data", outputs[i].output_type)
      assert.are.equal(id, outputs[i].transient.display_id)
    end
    local text = outputs[#outputs].data["text/plain"]
    assert.truthy(text:find "^Epoch 1/2\n8/8 [^\n]- %- loss: [%d.e-]+\nEpoch 2/2\n8/8 [^\n]- %- loss: [%d.e-]+$", text)
  end)

  it("is silent where it is to be, and is counted where it is to be", function()
    local session, said = cell.new {}, false
    local function out()
      said = true
    end
    assert.are.equal(0, session:execute("print 'x' return 3", out, { silent = true }).execution_count)
    assert.is_false(said)
    assert.are.equal(0, session:execute("print 'x'", out, { store_history = false }).execution_count)
    assert.is_true(said)
    assert.are.equal(1, session:execute("x = 1", out).execution_count)
  end)

  it("knows whether it is complete", function()
    assert.are.equal("complete", cell.completeness "x = 3\n%time x\nx")
    assert.are.same({ "incomplete" }, { cell.completeness "for i = 1, 3 do" })
    assert.are.same({ "incomplete" }, { cell.completeness "x = 3\nx =" })
    assert.are.equal("invalid", cell.completeness "x = )")
  end)
end)
