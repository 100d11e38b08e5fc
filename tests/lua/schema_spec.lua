-- Schemas of JSON: what a reader takes, and what is said of the rest.

local json = require "moonpod.base.json"
local schema = require "moonpod.base.schema"

local S = schema

local function refuses(kind, text, message)
  local ok, said = pcall(schema.read, text, kind, "file")
  assert.is_false(ok, text)
  assert.truthy(said:find("file: " .. message, 1, true), said)
end

describe("a schema", function()
  it("takes values of its kind, and keeps members that it does not name", function()
    local kind = S.object { n = S.count, of = S.list_of(S.text), by = S.optional(S.map_of(S.numbers)) }
    local value = schema.read('{"n": 3, "of": ["a"], "by": {"x": [1, [2.5]], "y": 1}, "more": [1], "none": null}', kind,
      "file")
    assert.same({ n = 3, of = { "a" }, by = { x = { 1, { 2.5 } }, y = 1 }, more = { 1 } }, value)
    assert.same({ n = 0, of = {} }, schema.read('{"n": 0, "of": []}', kind, "file"))
    assert.same({ n = 0, of = {} }, schema.read('{"n": 0, "of": {}, "by": null}', kind, "file"))
    assert.equal(json.null, schema.read('{"a": null}', S.object {}, "file", { keep_null = true }).a)
  end)

  it("says where what is wrong stands, what it must be, and what it is", function()
    refuses(S.object { n = S.count }, "[1]", "it must be an object, not an array")
    refuses(S.object { n = S.count }, "{}", "'n' must be a whole number from 0 to 9007199254740992, not missing")
    refuses(S.object { n = S.count }, '{"n": 0.5}', "'n' must be a whole number from 0 to 9007199254740992, not 0.5")
    refuses(S.object { n = S.count }, '{"n": NaN}', "'n' must be a whole number")
    refuses(S.object { n = S.integer(1, 3) }, '{"n": 4}', "'n' must be a whole number from 1 to 3, not 4")
    refuses(S.map_of(S.list_of(S.text)), '{"a": ["b", 7]}', "'a.2' must be a text, not 7")
    refuses(S.map_of(S.text), '{"a": []}', "'a' must be a text, not an array")
    refuses(S.list_of(S.boolean), '{"a": 1}', "it must be an array, not an object")
    refuses(S.either(S.text, S.list_of(S.text)), '[1]', "'1' must be a text, not 1")
    refuses(S.either(S.constant "a", S.constant "b"), '"c"', 'it must be "a" or "b", not "c"')
    refuses(S.also(S.number, "no NaN", function(x) return x == x end), "NaN", "it must be no NaN, not ")
    refuses(S.text, "[1", "',' or ']' is missing")
  end)

  it("of itself is as deep as the text", function()
    local tree = S.recursive(function(self)
      return S.object { value = S.number, parts = S.optional(S.list_of(self)) }
    end)
    assert.same(1, schema.read('{"value": 0, "parts": [{"value": 1}]}', tree, "file").parts[1].value)
    refuses(tree, '{"value": 0, "parts": [{"value": 1, "parts": [{"value": "x"}]}]}', "'parts.1.parts.1.value' must be")
  end)
end)
