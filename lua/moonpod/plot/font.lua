-- font - letters of 10 x 20 dots for pictures: "misc-fixed" of the X Window System, which is in the public domain.
--
-- A letter is 20 rows from above, the base line below the 16th; a row is two digits to base 32, its left dot the
-- highest bit, and a capital behind it says how many more are like it ("A": one). There are the characters of
-- ISO 8859-1; others become "?".

local font = { width = 10, height = 20, ascent = 16 }

local ROWS = table.concat {
  "00B1gI001gA00F6cB2800P1mB7v3cBfu6oB00G1g7sdmdgB7s1mBdm7s1g00G76dmds7c0oA1gA3e3r6r6e00F3g6oB7g3070dgcrcecceu7j00F1g",
  "C1000N0c0o1gA30D1gA0o0c00F60301gA0oD1gA306000I6cA3ofu3o6cA00L1gBfu1gB00T1oA3g00Kfu00V1oB00G06A0cA0oA1gA30A60A00F1g",
  "3o6cAc6D6cA3o1g00F1g3g7gdg1gGfu00F3o6cc6A06A0c1o3060c0Afu00F3o6cc6A060c1o0c06c6A6c3o00F040c0s1s3c6cccAfu0cC00Ffuc0",
  "Cdoec06Bc66c3o00F3o6cc4c0Adoecc6C6c3o00Ffu06A0cA0oA1gA30A60A00F3o6cc6B6c3o6cc6B6c3o00F3o6cc6C6e3m06A466c3o00K1oA00",
  "C1oA00K1oA00C1oA3g00E040c0o1g3060c060301g0o0c0400Jfu00Cfu00I4060301g0o0c060c0o1g30604000F3o6cc6B0c0o1gB001gA00F3o6",
  "cc6cududmBdscoc0663s00F1g3o6cAc6Bfuc6D00FfgcoccBcofoccc6Bccfo00F3o6cc6c0Fc66c3o00Ffoccc6Hccfo00Ffuc0Dfoc0Dfu00Ffuc",
  "0Dfoc0E00F3o6cc6c0Bcuc6C6e3q00Fc6Efuc6E00Ffu1gJfu00F1v0cGccA6o3g00Fc6AccAcoAfgcoAccAc6A00Fc0Kfu00Fc6AeeAfudmCc6C00",
  "Fc6e6Af6AdmAcuAceAc6A00F3o6cc6H6c3o00Ffoccc6Cccfoc0D00F3o6cc6Fdmcu6c3s0600Efoccc6CccfococcAc6A00F3o6cc6c0A603o0c06",
  "Ac66c3o00Ffu1gK00Fc6J6c3o00Fc6C6cB3oB1gB00Fc6DdmCeeAc6A00Fc6A6cA3oA1g3oA6cAc6A00Fc6A6cA3oA1gF00Ffu06A0c0oA1g30A60c",
  "0Afu00F7s60J7s00G60A30A1gA0oA0cA06A00F7s0cJ7s00F1g3o6cc600Z00Afv00E301g0o00U3s66067uc6B7q00Fc0Ddoecc6Cecdo00K3s66c",
  "0C663s00F06D3m6ec6C6e3m00K3o6cc6fuc0A663s00F1s36A30Afo30F00K7qceccB7oc07sc6B7s00Bc0Ddoecc6E00H1gA007g1gEfu00H06A00",
  "0u06F66B3s00Bc0Dcccodgf0fgcoccc600F7g1gJfu00KbcfudmE00Kdoecc6E00K3o6cc6C6c3o00Kdoecc6Cecdoc0C00G3m6ec6C6e3m06C00Gd",
  "s7660E00K7sc6c07s06Ac67s00H30Bfo30D361s00Kc6E6e3m00Kc6A6cA3oA1gA00Kc6BdmBfu6c00Kc66c3o1gA3o6cc600Kc6E6e3m06c66c3o0",
  "0G7u060c0o1g30607u00F0u1gDf01gD0u00F1gL00Ff01gD0u1gDf000F76dmcs00P1gA001gI00G1gA3o6cc4c0Ac46c3o1gA00G1s36A30Afo30B",
  "fgaree00Ig2rmfsccBfsrmg200I82c66c3o7s1g7s1gC00F1gD00B1gD00F3o6ccc607gco6c361s0c666c3o00F6cA00S3o6cc6bqaaa2aabqc66c",
  "3o00F3s46067uc6A7q00fu00L0i1m3c6odgr0dg6o3c1m0i00KfuA06A00P7s00N3o6cc6bqaabqaiaqc66c3o00Efu00S1g3o6cA3o1g00Q1gAfu1",
  "gA00fu00H3g6o0o1g30607o00L3g6o0o1g0o6o3g00L0o1g3000VccDesfkc0B00C7ufufmB7m1mF00K1oB00X1g0o6o3g00B307030C7g00L3g6oc",
  "cB6o3g00fs00L90dg6o3c1m0r1m3c6odg9000F40c04244e80g142c4k9s04A00G40c04244e80g1c2i4284080u00Ge0106214e80g142c4k9u04A",
  "00G1gA001gB3060c6B6c3o00D60301g001g3o6cc6Bfuc6C00D0c0o1g001g3o6cc6Bfuc6C00D1g3o6c001g3o6cc6Bfuc6C00D347s4o001g3o6c",
  "c6Bfuc6C00D6cA001g3o6cAc6Bfuc6C00C3o6cA3o001g3o6cc6Bfuc6C00F1u3o6oAcoAfucoDcu00F3o6cc6c0Fc66c3o1g0o6o3g0060301g00f",
  "uc0Cfoc0Cfu00D0o1g3000fuc0Cfoc0Cfu00D1g3o6c00fuc0Cfoc0Cfu00D6cA00Afuc0Cfoc0Cfu00D301g0o007s1gH7s00D0o1g30007s1gH7s",
  "00D1g3o6c007s1gH7s00D6cA007s1gI7s00Ffoccc6Cv6c6Cccfo00D347s4o00c6e6f6AdmAcuAcec6A00D301g0o003o6cc6F6c3o00D0o1g3000",
  "3o6cc6F6c3o00D1g3o6c003o6cc6F6c3o00D347s4o003o6cc6F6c3o00D6cA003o6cc6G6c3o00K84cc6o3gA6occ8400E023s6cceAcmBd6Be66c",
  "7o8000C301g0o00c6H6c3o00D0o1g3000c6H6c3o00D1g3o6c00c6H6c3o00D6cA00c6I6c3o00D0o1g3000c6A6cA3oA1gD00F60B7s66D7s60B00",
  "F1o3c66A6ceo6o6c66B6c6o00G301g0o007sc6067uc6B7q00G0o1g30007sc6067uc6B7q00G1g3o6c007sc6067uc6B7q00G347s4o007sc6067u",
  "c6B7q00H6cA007sc6067uc6B7q00F3o6cA3o007sc6067uc6B7q00K7c9m1m1s7gdgdi6s00K3s66c0C663s1g0o6o3g00C60301g003o6cc6fuc0A",
  "663s00G0c0o1g003o6cc6fuc0A663s00G1g3o6c003o6cc6fuc0A663s00H6cA003o6cc6fuc0A663s00G60301g007g1gEfu00G0o1g30007g1gEf",
  "u00G1g3o6c007g1gEfu00H6cA007g1gEfu00F8gdg70Adg8o3s6ec6B6c3o00G347s4o00doecc6E00G60301g003o6cc6C6c3o00G0c0o1g003o6c",
  "c6C6c3o00G1g3o6c003o6cc6C6c3o00G347s4o003o6cc6C6c3o00H6cA003o6cc6C6c3o00H1gA00AfuA00A1gA00K023s6ccmAd6A6c7o8000F30",
  "1g0o00c6E6e3m00G0c0o1g00c6E6e3m00G1g3o6c00c6E6e3m00H6cA00c6E6e3m00G0o1g3000c6E6e3m06c66c3o00B60E7o6c66B6c7o60C00D6",
  "cA00c6E6e3m06c66c3o",
}:gsub("([%l%d][%l%d])(%u)", function(row, more)
  return row:rep(more:byte() - 63)
end)

-- The bytes of a letter's rows begin so far in ROWS, by its code point.
local function place_of(code)
  if code > 32 and code < 127 then
    return (code - 33) * 40
  elseif code > 160 and code < 256 then
    return (code - 67) * 40
  end
  return code ~= 32 and code ~= 160 and (63 - 33) * 40 or nil
end

-- What is written otherwise in so few letters.
local PLAIN = { ["\226\128\166"] = "...", ["\226\128\147"] = "-", ["\226\128\148"] = "-", ["\226\136\146"] = "-",
  ["\226\134\146"] = "->" }

local function code_of(character)
  local first, second = character:byte(1, 2)
  return not second and first or #character == 2 and first < 0xC4 and (first - 0xC0) * 64 + second - 0x80 or 63
end

-- Calls dot(x, y) for the dots of a text in one line: x from the left, y from its top. Returns its width in dots.
function font.draw(text, dot)
  local x = 0
  text = text:gsub("\226[\128-\191][\128-\191]", PLAIN)
  for character in text:gmatch "[%z\1-\127\194-\244][\128-\191]*" do
    local place = place_of(code_of(character))
    for y = 0, place and 19 or -1 do
      local row = tonumber(ROWS:sub(place + 2 * y + 1, place + 2 * y + 2), 32)
      for i = 9, 0, -1 do
        if row % 2 == 1 then
          dot(x + i, y)
        end
        row = (row - row % 2) / 2
      end
    end
    x = x + font.width
  end
  return x
end

return font
