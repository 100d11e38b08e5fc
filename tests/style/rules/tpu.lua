-- What core/tpu and its documentation keep to.

local house = require "house"

-- What differs between chips and years of compilers stands in the target; the rules say which of them have each.
local tpu_target = { "^core/tpu/target%.c$", "^core/tpu/rules%.def$", "^core/tpu/margins%.def$" }

local function tpus_differ_by_their_target_alone()
  for path, file in pairs(house.source) do
    if path:find "^core/tpu/" and not house.matches_any(path, tpu_target) then
      for number, line in ipairs(file.lines) do
        local word = line:match "%f[%w_]v[2-7][exp]?%f[^%w_]" or line:match "mxu_size" or
          line:match "layout_rows" or line:match "[%w_]*_20%d%d%f[^%w_]" or line:match "%f[%w_]20[12]%d%f[^%w_]"
        if word then
          house.finding(path, number,
            "%s: what is true of some chips or years alone is a rule or a number of the target", word)
        end
      end
    end
  end
end

-- Each pass of core/tpu is a file of that name with that entry.
local function tpu_passes_are_files()
  for number, line in ipairs(house.split(house.code_of(house.read "core/tpu/passes.def"))) do
    local name = line:match "^PASS%(([%w_]+)%)$"
    local path = name and ("core/tpu/%s.c"):format(name)
    local code = house.source[path] and table.concat(house.source[path].code, "\n")
    if name and not (code and code:find("\nbool pod_tpu_pass_" .. name .. "%(")) then
      house.finding("core/tpu/passes.def", number, "%s does not define pod_tpu_pass_%s()", path, name)
    end
  end
end

-- What most passes ask of a value is little; what one pass finds lies in that pass's table.
local function tpu_values_are_small()
  local text = house.code_of(house.read "core/tpu/lowering.h")
  local body = text:match "typedef struct pod_tpu_value {(.-)} pod_tpu_value;"
  local fields = 0
  for declaration in body:gmatch "([^;]+);" do fields = fields + 1 + select(2, declaration:gsub(",", "")) end
  if fields > 20 then house.finding("core/tpu/lowering.h", 0, "a value has %d fields, more than 20", fields) end
end

-- The sections of the rules name the files that ask for their rules, and files that there are.
local function tpu_sections_name_files()
  local path = "docs/contributors/tpu-rules.md"
  local files = {} -- section -> its text's files
  for section, list in house.read(path):gmatch "\n### R(%d+):.-\nIn (`.-)%.\n" do
    files[section] = list
    for name in list:gmatch "`([%w_]+%.c)`" do
      if not house.source["core/tpu/" .. name] then
        house.finding(path, 0, "R%s names %s, which there is not", section, name)
      end
    end
  end
  for name, section in house.read "core/tpu/rules.def":gmatch "RULE%(([A-Z%d_]+), (%d+)," do
    for source, entry in pairs(house.source) do
      local file = source:match "^core/tpu/([%w_]+%.c)$"
      if file and table.concat(entry.code, "\n"):find("POD_TPU_" .. name .. "%f[^%w_]")
        and not (files[section] or ""):find("`" .. file .. "`", 1, true) then
        house.finding(path, 0, "R%s does not name %s, which asks for %s", section, file, name)
      end
    end
  end
end

-- Each rule of core/tpu is in docs/contributors/tpu-rules.md as in rules.def; tests/golden has what it was made from.
local function tpu_rules_are_documented()
  local where = { ALWAYS = "always", UNTIL_V5 = "until v5", UNTIL_V6 = "until v6e", FROM_V4 = "from v4",
    FROM_V5 = "from v5", V4_TO_V5 = "v4 to v5", ONLY_V6E = "v6e", FROM_V6E = "from v6e", NEAR = "v4, v5e, from v6e",
    LARGE = "v4, v5p, v7x", ONLY_V7X = "v7x" }
  local document, origins = house.read "docs/contributors/tpu-rules.md", house.read "tests/golden/tpu_rules.def"
  local rows, named = {}, 0
  local rule_of_table = 'RULE%(([A-Z%d_]+), (%d+), ([A-Z%d_]+),%s+"([^"]*)"%)'
  for name, section, scope, text in house.read "core/tpu/rules.def":gmatch(rule_of_table) do
    local row = ("| `%s` | R%s | %s | %s |"):format(name:lower(), section, where[scope], text)
    rows[#rows + 1] = row
    if not document:find("\n" .. row .. "\n", 1, true) then
      house.finding("docs/contributors/tpu-rules.md", 0, "lacks the line %s", row)
    end
    if not origins:find("MADE_FROM(" .. name .. ",", 1, true) then
      house.finding("tests/golden/tpu_rules.def", 0, "does not say what %s was made from", name)
    end
  end
  for _ in document:gmatch "\n| `[a-z_%d]+` | R%d+ |" do named = named + 1 end
  if named ~= #rows then
    house.finding("docs/contributors/tpu-rules.md", 0, "has %d rules, rules.def %d", named, #rows)
  end
end

return {
  { "TPUs differ by their target alone", tpus_differ_by_their_target_alone },
  { "passes of core/tpu are files", tpu_passes_are_files },
  { "rules of core/tpu are documented", tpu_rules_are_documented },
  { "sections of the rules of core/tpu name files", tpu_sections_name_files },
  { "values of core/tpu are small", tpu_values_are_small },
}
