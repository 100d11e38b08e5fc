-- How C is laid out: .clang-format says.

local house = require "house"

local function c_is_formatted()
  if not house.lines_of "command -v clang-format"[1] then return end
  local report = house.lines_of(("cd %s && find core lua/bind repl notebooks tests examples -name '*.[ch]' -print0 | "
    .. "xargs -0 -n 40 -P 2 clang-format --dry-run -Werror 2>&1"):format(house.quote(house.root)))
  for _, line in ipairs(report) do
    local path, number = line:match "^([^:]+):(%d+):%d+: error: "
    if path then house.finding(path, tonumber(number), "clang-format would lay this out otherwise") end
  end
end

return {
  { "C is formatted", c_is_formatted },
}
