-- What values look like: tensors as NumPy prints them.

local pod = require "moonpod"

describe("tensors print as NumPy's arrays:", function()
  local cases = dofile "tests/golden/numpy_print.lua"

  local function text_of(case)
    local dtype, shape, values, _, options = case[1], case[2], case[3], case[4], case[5]
    local count = 1
    for i, value in ipairs(values) do
      values[i] = value == "-0" and -tonumber "0.0" or value
    end
    for _, size in ipairs(shape) do
      count = count * size
    end
    local t
    if #shape == 0 then
      t = pod.tensor(values[1], { dtype = dtype })
    elseif count == 0 then
      t = pod.zeros(shape, dtype)
    else
      t = pod.tensor(values, { dtype = dtype }):reshape(shape)
    end
    local text = t:format(options)
    return #shape == 0 and text or text:match "^(.*)\n", text
  end

  for _, dtype in ipairs { "float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16",
    "uint32", "bool" } do
    it(dtype, function()
      local count = 0
      for _, case in ipairs(cases) do
        if case[1] == dtype then
          count = count + 1
          local wanted = dtype == "bool" and case[4]:lower() or case[4] -- Lua's words
          assert.equal(wanted, (text_of(case)))
        end
      end
      assert.is_true(count >= 12)
    end)
  end

  it("bfloat16 in its fewest digits", function()
    assert.equal("[  1.1    2.25 300.      nan]\nbfloat16 (4,) on CPU:0",
      tostring(pod.tensor({ 1.1, 2.25, 300, 0 / 0 }, { dtype = "bfloat16" })))
    assert.equal("3.39e+38", tostring(pod.tensor(3.3895e38, { dtype = "bfloat16" })))
  end)

  it("type, shape and device below", function()
    assert.equal("[[0. 0. 0.]\n [0. 0. 0.]]\nfloat32 (2, 3) on CPU:0", tostring(pod.zeros { 2, 3 }))
    assert.equal("[]\nint32 (0, 2) on CPU:0", tostring(pod.zeros({ 0, 2 }, "int32")))
  end)

  it("options for one text and for all", function()
    local t = pod.tensor { 1 / 3, 2 / 3 }
    assert.equal("[0.333 0.667]\nfloat32 (2,) on CPU:0", t:format { precision = 3 })
    assert.equal(3, pod.print_options({ precision = 3 }).precision)
    assert.equal("[0.333 0.667]\nfloat32 (2,) on CPU:0", tostring(t))
    assert.equal(8, pod.print_options({ precision = 8 }).precision)
    assert.equal("[0.33333334 0.6666667 ]\nfloat32 (2,) on CPU:0", tostring(t))
    assert.error_matches(function()
      t:format { precison = 3 }
    end, "unknown option 'precison'; did you mean 'precision'")
  end)
end)
