-- balanced - whether a text of elements, SVG or a page of HTML, is what all readers read alike.

local assert = require "luassert"

-- Fails unless each element is closed where it should be, attributes are quoted and texts escaped. Elements of HTML
-- that have no end are left out. Returns how often each element occurs.
return function(text)
  local open, counts = {}, {}
  text = text:gsub("<style>.-</style>", function(rules)
    assert.is_nil(rules:find "[&]")
    return ""
  end):gsub("<script>.-</script>", ""):gsub("^<!DOCTYPE html>", ""):gsub("<meta [^>]*>", "")
  for before, closing, name, attributes, single in text:gmatch "([^<]*)<(/?)([%w:]+)([^>]-)(/?)>" do
    assert.is_nil(before:gsub("&[%a]+;", ""):find "[&<>]", before)
    local rest = attributes:gsub('%s[%w:-]+="[^"<>]*"', "")
    assert.equal("", rest:gsub("%s", ""))
    if closing == "/" then
      assert.equal(table.remove(open), name)
    else
      counts[name] = (counts[name] or 0) + 1
      open[#open + 1] = single ~= "/" and name or nil
    end
  end
  assert.equal(0, #open)
  return counts
end
