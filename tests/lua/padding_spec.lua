local pod = require "moonpod"
local padding = require "moonpod.tpu.padding"

describe("padding", function()
  it("measures an array in XLA's notation", function()
    local p = pod.padding "s32[29360128,10]{1,0:T(8,128)}"
    assert.same({ 1174405120, 15032385536, "1.09G", "14.00G", "12.91G", "12.8x" },
      { p.unpadded_bytes, p.padded_bytes, p.unpadded, p.padded, p.extra, p.expansion_text })
    assert.is_true(math.abs(p.expansion - 12.8) < 1e-9)
    assert.same({ "int32", "s32", "{1,0:T(8,128)}", "forced" }, { p.dtype, p.xla_dtype, p.layout, p.policy })
    assert.same({ 29360128, 10 }, p.shape)
    assert.equal("s32[29360128,10]{1,0:T(8,128)}", p.text)
    assert.same({ 1, 0 }, p.minor_to_major)
  end)

  it("measures an array in StableHLO's notation, and sizes that have a bound", function()
    for text, expected in pairs {
      ["tensor<1024x10xf32>"] = "f32[1024,10]", ["tensor<f32>"] = "f32[]",
      ["tensor<8x128xi1>"] = "pred[8,128]", ["tensor<3x7xui8>"] = "u8[3,7]",
      ["tensor<16x16xf8E4M3FN>"] = "f8e4m3fn[16,16]", ["f32[<=10,4]"] = "f32[10,4]",
      ["tensor<7x9xcomplex<f32>>"] = "c64[7,9]", ["tensor<2x3xi64>"] = "s64[2,3]",
    } do
      assert.equal(pod.padding(expected).text, pod.padding(text).text)
    end
    for _, text in ipairs { "tensor<?x4xf32>", "tensor<>", "tensor<3x4>", "tensor<3x4xf32", "tensor<3x-4xf32>" } do
      assert.is_false((pcall(pod.padding, text)), text)
    end
  end)

  it("chooses a layout as the compiler does", function()
    local p = pod.padding { shape = { 1024, 10 }, dtype = "f32", chip = "v3" }
    assert.same({ "{0,1:T(8,128)}", 65536, "compact" }, { p.layout, p.padded_bytes, p.policy })
    assert.equal("{0,1:T(8,128)(2,1)}", pod.padding { shape = { 1024, 10 }, dtype = "bfloat16", chip = "v5e" }.layout)
    assert.equal("{1,0:T(8,128)(8,1)E(4)}", pod.padding { shape = { 1, 128 }, dtype = "int4", chip = "v6e" }.layout)
    assert.equal("{:T(256)}", pod.padding { shape = {}, dtype = "f32" }.layout)
    assert.equal("v3", pod.padding("f32[8]").chip)
    assert.equal("{0:T(128)}", pod.padding("f32[8]", { chip = "v5p-8" }).layout)
  end)

  it("reproduces what a published report measured", function()
    local p = pod.padding("s32[29360128,10]{1,0:T(8,128)}", { chip = "v3" })
    assert.same({ "1.09G", "14.00G", "12.91G", "12.8x" }, { p.unpadded, p.padded, p.extra, p.expansion_text })
    p = pod.padding("f32[128,256,896,18]{0,3,2,1:T(8,128)}", { chip = "v3" })
    assert.same({ "1.97G", "2.62G", "672.00M", "1.3x" }, { p.unpadded, p.padded, p.extra, p.expansion_text })
    p = pod.padding { shape = { 29360128, 10 }, dtype = "s32", chip = "v3" }
    assert.same({ "{0,1:T(8,128)}", "1.75G" }, { p.layout, p.padded })
  end)

  it("takes any layout, and tiles what is not tiled", function()
    assert.equal(557056, pod.padding("f32[129,1024]{1,0}").padded_bytes)
    assert.equal(1048576, pod.padding("f32[129,1024]{0,1}").padded_bytes)
    assert.equal("{0,1:T(8,128)}", pod.padding { shape = { 129, 1024 }, dtype = "f32", layout = { 0, 1 } }.layout)
    assert.equal("{0,1:T(4,64)}",
      pod.padding { shape = { 129, 1024 }, dtype = "f32", layout = "{0,1:T(4,64)}" }.layout)
    assert.equal("{1,0:T(2,128)}", pod.padding { shape = { 2, 8 }, dtype = "f32", tile = { 2, 128 } }.layout)
    assert.equal("64.0K", pod.padding("f32[128,3]{1,0:S(1)}").padded)
    assert.equal("{1,0:T(8,128)S(1)}", pod.padding("f32[128,3]{1,0:S(1)}").layout)
  end)

  it("gives a reason and prints", function()
    local p = pod.padding { shape = { 1024, 10 }, dtype = "f32", chip = "v3" }
    assert.equal("the fewest bytes, row-major on ties; axis 0 (1024) in lanes, exact; axis 1 (10) in "
      .. "sublanes, padded to 16; row-major takes 512.0K", p.reason)
    assert.equal(table.concat({
      "f32[1024,10]{0,1:T(8,128)} on v3",
      "  Size: 64.0K",
      "  Unpadded size: 40.0K",
      "  Extra memory due to padding: 24.0K (1.6x expansion)",
      "  Layout: compact; " .. p.reason,
    }, "\n"), tostring(p))
    assert.is_nil(tostring(pod.padding "f32[8,128]"):find "Extra")
  end)

  it("reads a text's parts", function()
    local t = padding.parse "bf16[2, 3] {1,0 : T(8,128)(2,1)}"
    assert.same({ "bfloat16", "bf16", { 2, 3 }, "{1,0:T(8,128)(2,1)}", "bf16[2,3]{1,0:T(8,128)(2,1)}" },
      { t.dtype, t.xla_dtype, t.shape, t.layout, t.text })
    assert.is_nil(padding.parse("f32[]").layout)
    assert.equal("f32[1,1,1,1,1,1,1,1]", padding.parse("f32[1,1,1,1,1,1,1,1]").text)
  end)

  it("takes sizes of zero", function()
    local p = pod.padding "f32[0,128]"
    assert.same({ 0, 0, 1, "1.0x" }, { p.unpadded_bytes, p.padded_bytes, p.expansion, p.expansion_text })
  end)

  it("refuses what is no array, with the place and the repair", function()
    local function refuses(pattern, ...)
      local arguments, count = { ... }, select("#", ...)
      assert.error_matches(function() pod.padding((unpack or table.unpack)(arguments, 1, count)) end, pattern)
    end
    refuses("'f32%[2', character 6: expected ',' or ']'", "f32[2")
    refuses("element type such as f32", "")
    refuses("at most 8 axes", "f32[1,1,1,1,1,1,1,1,1]")
    refuses("at most 8", { shape = { 1, 1, 1, 1, 1, 1, 1, 1, 1 }, dtype = "f32" })
    refuses("more than 2%^63 %- 1 bytes", { shape = { 2 ^ 50, 2 ^ 50 }, dtype = "f32" })
    refuses("size 2 of the shape is negative", { shape = { 2, -1 }, dtype = "f32" })
    refuses("must be an integer, not 1.5", { shape = { 1.5 }, dtype = "f32" })
    refuses("unknown dtype 'f3'; dtypes are pred", { shape = { 1 }, dtype = "f3" })
    refuses("no TPU generation 'v9'", { shape = { 1 }, dtype = "f32", chip = "v9" })
    refuses("no v3%-9", { shape = { 1 }, dtype = "f32", chip = "v3-9" })
    refuses("no v3%-9.*nearest are v3%-8", "f32[8]", { chip = "v3-9" })
    refuses("the chip must be a string, not a number", "f32[8]", { chip = 3 })
    refuses("each axis once", { shape = { 1, 2 }, dtype = "f32", layout = { 0, 0 } })
    refuses("orders 1 axes and the shape has 2", { shape = { 1, 2 }, dtype = "f32", layout = "{0}" })
    refuses("leave the option tile out", { shape = { 1 }, dtype = "f32", layout = "{0}", tile = { 128 } })
    refuses("leave shape out", { text = "f32[1]", shape = { 1 } })
    refuses("needs an array", {})
    refuses("options go into a table", 3)
  end)
end)
