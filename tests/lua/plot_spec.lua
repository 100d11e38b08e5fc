-- pod.plot: drawings in the terminal.

local pod = require "moonpod"

local folder = os.tmpname()
os.remove(folder)

teardown(function()
  os.execute("rm -rf " .. folder)
end)

local function drawn(dir, tag, options)
  return pod.plot.log(dir, tag):text(options) .. "\n"
end

local function write(run, values, first)
  local writer = pod.summary.writer(folder .. "/" .. run)
  for i, value in ipairs(values) do
    writer:scalar("loss", value, (first or 0) + i - 1)
  end
  writer:histogram("weights", pod.tensor { 1, 2 }, 1)
  writer:close()
end

describe("plot.log", function()
  setup(function()
    write("a/train", { 4, 2, 1, 0.5, 0.25 })
    write("a/validation", { 4, 3, 2, 2, 3 })
    write("odd[1]/x", { 1, 0 / 0, 1 / 0, 3, 3 })
  end)

  it("draws a line a run, in Braille", function()
    assert.equal([[
loss
4 ┤⠱⡢⡀
  │ ⠘⢌⠑⢄⡀         ⢀⡠ validation
  │  ⠈⢢ ⠈⠒⢄⡀    ⡠⠔⠁
2 ┤    ⠑⠢⣀ ⠈⠉⠉⠉⠉
  │       ⠑⠢⢄⣀
  │           ⠉⠒⠒⠤⠤⣀ train
  └┬───────┬───────┬
   0       2       4
]], drawn(folder .. "/a/", "loss", { width = 31, height = 6, ascii = false }))
  end)

  it("draws in ASCII, and a run alone", function()
    local text = drawn(folder .. "/a/train", "loss", { width = 24, height = 5, ascii = true })
    assert.equal([[
loss
4 +**
  |  **
2 +    ***
  |       ****
  |           ****** * .
  ++-------+-------+
   0       2       4
]], text)
  end)

  it("leaves gaps where values are not finite, in folders of any name", function()
    local text = drawn(folder .. "/odd[1]", "loss", { width = 24, height = 4, ascii = true })
    assert.equal([[
loss
3 +            ***** * x
2 +
  |
1 +*
  ++-------+-------+
   0       2       4
]], text)
  end)

  it("takes of several values of a step the last one", function()
    write("again", { 9, 9, 9 })
    os.execute "sleep 1.1" -- files are in the order of their seconds
    write("again", { 1 }, 1)
    local text = drawn(folder .. "/again", "loss", { width = 24, height = 3, ascii = true })
    assert.equal([[
loss
  |***           *** * .
5 +   ****   ****
  |       ***
  ++-------+-------+
   0       1       2
]], text)
  end)

  it("says which tags there are", function()
    assert.error_matches(function()
      pod.plot.log(folder .. "/a", "los")
    end, "plot.log: there is no scalar 'los' in .*; there is: loss")
    assert.error_matches(function()
      pod.plot.log(folder .. "/none", "loss")
    end, "there is no event file in")
    assert.error_matches(function()
      pod.plot.log(folder .. "/a", "loss", { widht = 3 })
    end, "unknown option 'widht'; did you mean 'width'")
  end)
end)

describe("a chart", function()
  local function draw(x, y)
    local lines = {}
    for line in pod.plot.line({ x = x, y = y }):text({ width = 40, height = 4, ascii = true }):gmatch "[^\n]+" do
      lines[#lines + 1] = line
    end
    return lines
  end

  it("has room for any range", function()
    for _, y in ipairs { { 1e308, -1e308 }, { 1e-300, 2e-300 }, { 5, 5 }, { 0, 0 }, {}, { 1 / 0 }, { 0 / 0 },
      { 1e15, 1e15 + 2 } } do
      local x = {}
      for i = 1, #y do
        x[i] = i * 1e12
      end
      local out = draw(x, y)
      assert.equal(6, #out)
      for _, line in ipairs(out) do
        assert.is_true(#line <= 60, line)
      end
    end
  end)

  it("is linear in what is drawn", function()
    local x, y = {}, {}
    for i = 1, 100000 do
      x[i], y[i] = i, math.sin(i / 1000)
    end
    assert.equal(6, #draw(x, y))
  end)
end)
