-- Notebooks in files: read, written and run by the executable, as pages, and damaged in every way.

local executable = require "tests.lua.support.executable"
local files = require "tests.lua.support.files"
local document = require "moonpod.notebook.document"
local html_page = require "moonpod.notebook.html_page"
local markdown_page = require "moonpod.notebook.markdown_page"
local peers = require "tests.lua.support.peers"
local percent = require "moonpod.notebook.percent"
local prose = require "moonpod.notebook.prose"

local quote, shell = executable.quote, executable.shell
local describe_program = executable.program and describe or pending

local LESSON = [[
-- %% [markdown]
-- # A *lesson*
--
-- with `code`, [a link](https://example.org) and <b>no</b> HTML

-- %% The answer id="answer" tags=["a", "b"]
x = 6 * 7
x

-- %%
-- %time x
io.stdout:write "written"

-- %%
print "again"
pod.random.set_seed(1)
pod.plot.line(pod.random.normal { 5 })
]]

local function write(path, text)
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
end

-- Calls fn(stem): files whose names begin with that are removed behind it.
local function with_files(fn)
  local stem = files.temporary()
  local ok, failure = pcall(fn, stem)
  shell("rm -f " .. quote(stem) .. "*")
  assert(ok, failure)
end

local function moonpod(words)
  return shell("" .. quote(executable.program) .. " " .. words .. " </dev/null")
end

local function has(text, part)
  if not text:find(part, 1, true) then
    error(("%q is not in\n%s"):format(part, text:sub(1, 3000)), 2)
  end
end

describe("a notebook's text", function()
  it("is plain Lua with cells, both ways", function()
    local one = percent.decode(LESSON, "lesson")
    assert.are.equal(4, #one.cells)
    assert.are.equal("# A *lesson*\n\nwith `code`, [a link](https://example.org) and <b>no</b> HTML",
      one.cells[1].source)
    assert.are.same({ title = "The answer", tags = { "a", "b" } }, one.cells[2].metadata)
    assert.are.equal("answer", one.cells[2].id)
    assert.are.equal('%time x\nio.stdout:write "written"', one.cells[3].source)
    assert.are.equal(LESSON, percent.encode(one))
    assert.are.equal(LESSON, percent.encode(document.decode(document.encode(one), "lesson")))
    assert.is_truthy((loadstring or load)(LESSON:gsub("\nx\n", "\n"))) -- luacheck: ignore
    local headed = percent.decode("-- ---\n-- jupyter:\n-- ---\n\nx = 1\r\n-- %%\n", "lesson")
    assert.are.equal("x = 1", headed.cells[1].source)
    assert.are.equal("", headed.cells[2].source)
    for text, part in pairs { ['-- %% id="a b"'] = "lesson:1: an id has letters", ["-- %% tags=[1"] = nil,
      ["x\n-- %% n=01"] = "lesson:2: what stands behind '='" } do
      local ok, failure = pcall(percent.decode, text, "lesson")
      assert.is_false(ok, text)
      has(failure, part)
    end
  end)

  it("keeps what it does not know, and is written as nbformat does", function()
    local text = [[
{
 "cells": [
  {
   "attachments": {
    "a.png": {
     "image/png": [
      "AAAA"
     ]
    }
   },
   "cell_type": "markdown",
   "id": "one",
   "metadata": {},
   "source": [
    "a\n",
    "b"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": null,
   "id": "two",
   "metadata": {
    "size": 1152921504606846976,
    "some": {
     "thing": 1.5
    }
   },
   "outputs": [
    {
     "name": "stdout",
     "output_type": "stream",
     "text": [
      "a ü\n",
      "\u001b[1mb"
     ]
    }
   ],
   "source": []
  }
 ],
 "metadata": {
  "kernelspec": {
   "display_name": "x",
   "language": "lua",
   "name": "x"
  },
  "unknown": []
 },
 "nbformat": 4,
 "nbformat_minor": 5
}
]]
    if not math.type then -- luacheck: ignore
      text = text:gsub("1152921504606846976", "12345") -- floats have no more digits
    end
    assert.are.equal(text, document.encode(document.decode(text, "x")))
  end)

  it("is refused with what is wrong, at whatever byte it ends", function()
    local whole = document.encode(percent.decode("-- %% [markdown]\n-- # A\n-- %%\n6 * 7\n", "lesson"))
    for size = 0, #whole - 2 do
      local ok, failure = pcall(document.decode, whole:sub(1, size), "cut")
      assert.is_false(ok, size)
      has(failure, "cut: ")
    end
    for text, part in pairs {
      [""] = "value is missing", ["[]"] = "it must be an object, not an array", ["{}"] = "is it a notebook?",
      ['{"nbformat":3,"nbformat_minor":0,"worksheets":[]}'] = "nbformat is 3",
      ['{"nbformat":4,"nbformat_minor":5,"cells":{"a":1}}'] = "'cells' must be an array, not an object",
      ['{"nbformat":4,"nbformat_minor":5,"cells":[1]}'] = "'cells.1' must be an object, not 1",
      ['{"nbformat":4,"nbformat_minor":5,"cells":[{"cell_type":"code","source":[1]}]}'] =
        "'cells.1.source.1' must be a text, not 1",
      ['{"nbformat":4,"nbformat_minor":5,"cells":[{"cell_type":"code","source":"","outputs":[{}]}]}'] = "output_type",
      ['{"nbformat":4,"nbformat_minor":5,"cells":[{"cell_type":"code","source":"","id":7}]}'] =
        "'cells.1.id' must be a text, not 7",
      [("["):rep(100000)] = "nested more than", ['{"nbformat":4,"a":"\255"}'] = "no UTF-8",
      ['{"nbformat":1152921504606846976}'] = "nbformat is",
    } do
      local ok, failure = pcall(document.decode, text, "bad")
      assert.is_false(ok, text:sub(1, 80))
      has(failure, part)
    end
    assert.are.equal(1, #document.decode('{"nbformat":4,"nbformat_minor":4,"cells":[{"cell_type":"raw","source":"a"}]}',
      "old").cells)
  end)
end)

describe("a page of a notebook", function()
  it("is HTML in which nothing runs and nothing is loaded", function()
    local one = percent.decode(LESSON, "lesson")
    table.insert(one.cells[2].outputs, { output_type = "stream", name = "stdout", text = "<script>\27[1mx" })
    table.insert(one.cells[2].outputs, { output_type = "display_data",
      data = { ["image/svg+xml"] = "<svg onload=1>" } })
    local page = html_page.write(one, "lesson")
    has(page, "<title>A lesson</title>")
    has(page, "&lt;script&gt;x")
    has(page, "&lt;b&gt;no&lt;/b&gt;")
    has(page, '<a href="https://example.org">a link</a>')
    has(page, "default-src 'none'")
    has(page, '<span class="n">6</span>')
    assert.falsy(page:find("<svg onload", 1, true))
  end)

  it("has the forms of Markdown", function()
    for text, html in pairs {
      ["# A `b`"] = '<h1 id="a-b">A <code>b</code></h1>', ["a\nb"] = "<p>a\nb</p>", ["---"] = "<hr>",
      ["- a\n- b"] = "<ul>\n<li>a</li>\n<li>b</li>\n</ul>", ["1. a\n2. b"] = "<ol>\n<li>a</li>\n<li>b</li>\n</ol>",
      ["- a\n  - b"] = "<ul>\n<li><p>a</p>\n<ul>\n<li>b</li>\n</ul></li>\n</ul>",
      ["> a"] = "<blockquote><p>a</p></blockquote>", ["**a** *b* _c_ d_e_f"] =
        "<p><strong>a</strong> <em>b</em> <em>c</em> d_e_f</p>", ["\\*a\\*"] = "<p>*a*</p>",
      ["|a|b|\n|-|-|\n|1|2|"] = '<div class="wide"><table>\n<tr><th>a</th><th>b</th></tr>\n'
        .. "<tr><td>1</td><td>2</td></tr>\n</table></div>",
      ["```lua\nif x then\n```"] = '<pre><code><span class="k">if</span> x <span class="k">then</span></code></pre>',
      ["[x](javascript:alert(1))"] = "<p>x)</p>", ["![x](http://a/b.png)"] = "<p>x</p>",
      ["<script>"] = "<p>&lt;script&gt;</p>",
    } do
      assert.are.equal(html, prose.html(text), text)
    end
    prose.html(("*"):rep(1e6))
    prose.html(("> "):rep(1e5))
    prose.html(("- "):rep(1e5))
  end)

  it("is Markdown with pictures beside", function()
    local one = percent.decode(LESSON, "lesson")
    table.insert(one.cells[2].outputs, { output_type = "display_data", data = { ["image/png"] = "UE5H" } })
    local text, pictures = markdown_page.write(one, "lesson")
    has(text, "![Output 1](<lesson-1.png>)")
    assert.are.same({ { name = "lesson-1.png", bytes = "PNG" } }, pictures)
  end)
end)

describe_program("moonpod notebook", function()
  it("runs a notebook, twice to the same bytes, and writes pages", function()
    with_files(function(stem)
      write(stem .. ".nb.lua", (LESSON:gsub("%-%- %%time x\n", "")))
      local run = ("notebook run %s.nb.lua"):format(stem)
      local text, code = moonpod(("%s -o %s.ipynb --html %s.html --markdown %s.md"):format(run, stem, stem, stem))
      assert.are.equal(0, code, text)
      has(text, "3 cells ran")
      local first = files.read(stem .. ".ipynb")
      local one = document.decode(first, "first")
      assert.are.equal("42", one.cells[2].outputs[1].data["text/plain"])
      assert.are.equal("written", one.cells[3].outputs[1].text)
      assert.truthy(one.cells[4].outputs[2].data["image/svg+xml"])
      text, code = moonpod(("notebook run %s.ipynb -o %s.2.ipynb"):format(stem, stem))
      assert.are.equal(0, code, text)
      assert.are.equal(first, files.read(stem .. ".2.ipynb"))
      has(files.read(stem .. ".html"), "<svg")
      has(files.read(stem .. ".md"), "-1.svg>)")
      has(files.read(stem .. "-1.svg"), "<svg")
      has(moonpod(stem .. ".ipynb"), "42")
      has(moonpod(run), "written")
      text, code = moonpod(("notebook convert %s.ipynb %s.3.nb.lua"):format(stem, stem))
      assert.are.equal(0, code, text)
      assert.are.equal(files.read(stem .. ".nb.lua"), files.read(stem .. ".3.nb.lua"))
    end)
  end)

  it("stops at an error with the cell and the line, and writes nothing", function()
    with_files(function(stem)
      write(stem .. ".nb.lua", "-- %%\nx = 1\n-- %%\nprint 'before'\nx.y.z = 3\n-- %%\nprint 'never'\n")
      local run = ("notebook run %s.nb.lua -o %s.ipynb"):format(stem, stem)
      local text, code = moonpod(run)
      assert.are.equal(1, code)
      has(text, "cell 2, which is [2], line 2, failed (cell-2)")
      has(text, "cell 2:2: attempt to index")
      assert.is_nil(files.read(stem .. ".ipynb"))
      assert.is_falsy(moonpod(("notebook run %s.nb.lua"):format(stem)):find "never")
      text, code = moonpod(run .. " --allow-errors")
      assert.are.equal(0, code, text)
      local one = document.decode(files.read(stem .. ".ipynb"), "x")
      assert.are.equal("error", one.cells[2].outputs[2].output_type)
      assert.are.equal("never\n", one.cells[3].outputs[1].text)
      write(stem .. ".nb.lua", '-- %% tags=[NaN, "raises-exception"]\nerror "no"\n-- %%\nprint "on"\n')
      assert.are.equal(0, select(2, moonpod(run)))
    end)
  end)

  it("says what it cannot do", function()
    with_files(function(stem)
      write(stem .. ".ipynb", "{")
      for words, part in pairs {
        ["notebook"] = "write run, convert or new", ["notebook rnu"] = "did you mean 'run'?",
        ["notebook run"] = "which notebook?", ["notebook run a.txt"] = "a.txt: a notebook is a file",
        ["notebook run /no/such.ipynb"] = "/no/such.ipynb: No such file",
        ["notebook run a.ipynb -o"] = "-o needs a value",
        ["notebook run a.ipynb --seed x"] = "--seed is a whole number",
        ["notebook run a.ipynb --fast"] = "there is no option --fast",
        ["notebook run " .. stem .. ".ipynb"] = ".ipynb: a name in quotes is missing",
        ["notebook convert a.ipynb"] = "write where from", ["notebook new"] = "name the notebook",
        ["notebook new " .. stem .. ".ipynb"] = "is there already",
      } do
        local text, code = moonpod(words)
        assert.are.equal(1, code, words)
        has(text, part)
        assert.falsy(text:find("command.lua", 1, true), text)
      end
      assert.are.equal("{", files.read(stem .. ".ipynb"))
      assert.are.equal(0, select(2, moonpod("notebook new " .. stem .. ".new.nb.lua")))
      assert.are.equal(0, select(2, moonpod("notebook run " .. stem .. ".new.nb.lua -o " .. stem .. ".new.ipynb")))
      local python = peers.python { "nbformat" }
      if python then
        local text, code = shell(("%s -c 'import nbformat, sys; nbformat.validate(nbformat.read(sys.argv[1], 4)); "
          .. "text = open(sys.argv[1]).read(); nb = nbformat.read(sys.argv[1], nbformat.NO_CONVERT); "
          .. "assert nbformat.writes(nb) + \"\\n\" == text' %s.new.ipynb"):format(quote(python), stem))
        assert.are.equal(0, code, text)
      end
    end)
  end)
end)
