--[[
sample - the choice of mutants: drawn with a seed, written down, found again.

Folders get their share by lines. In a folder lines are drawn without putting back, and of each the site; one that
does not compile is drawn again. A sample is written down by the text of its lines, so that it is found again where
lines have moved.
]]

local sites = require "sites"
local system = require "system"

local sample = {}

local folders = {
  "core/ir", "core/program", "core/verify", "core/compile", "core/engine", "core/grad", "core/replicate",
}

-- Files that only print what others made.
local for_people = { ["core/program/print_program.c"] = true }

-- ---- files -------------------------------------------------------------------------------------------------

local function files_of(root, folder)
  local names = system.lines(system.run(("cd %s && ls %s/*.c"):format(system.quote(root), folder)))
  local files = {}
  for _, name in ipairs(names) do
    if not for_people[name] then
      local text = system.read(root .. "/" .. name)
      local found, tokens = sites.find(text)
      files[#files + 1] = { name = name, text = text, sites = found, tokens = tokens }
    end
  end
  return files
end

local function lines_of(text)
  local lines = {}
  for line in (text .. "\n"):gmatch "(.-)\n" do lines[#lines + 1] = line:match "^%s*(.-)%s*$" end
  return lines
end

-- ---- drawing -----------------------------------------------------------------------------------------------

-- Numbers 1 .. n, the same for a seed with every Lua: the high bits of Knuth's generator.
local function dice(seed)
  local state = seed
  return function(n)
    state = state * 6364136223846793005 + 1442695040888963407
    return (state >> 33) % n + 1
  end
end

-- How many of `count` each folder gets: by lines, the largest remainders rounded up.
local function shares(counts, count)
  local total, result, rests, given = 0, {}, {}, 0
  for _, lines in ipairs(counts) do total = total + lines end
  for i, lines in ipairs(counts) do
    result[i] = count * lines // total
    rests[i] = { index = i, rest = count * lines % total }
    given = given + result[i]
  end
  table.sort(rests, function(a, b) return a.rest > b.rest end)
  for i = 1, count - given do result[rests[i].index] = result[rests[i].index] + 1 end
  return result
end

local function compiles(root, file, site)
  local text = "extern _Bool POD_MUTANT(int);\n" .. sites.rewrite(file.text, file.tokens, { site })
  local path = os.tmpname() .. ".c"
  system.write(path, text)
  local include = system.quote(root) .. "/core"
  local worked = os.execute(("cc -std=c11 -c -o /dev/null -w -Werror=int-conversion "
    .. "-Werror=incompatible-pointer-types -DNDEBUG -I%s/include -I%s -I%s/kernels -I%s %s >/dev/null 2>&1"):format(
      include, include, include, system.quote(root .. "/" .. file.name:match "^(.*)/"), path))
  os.remove(path)
  os.remove((path:gsub("%.c$", "")))
  return worked == true
end

local function lines_with_sites(files)
  local lines = {}
  for _, file in ipairs(files) do
    local current
    for _, site in ipairs(file.sites) do
      if not current or current.line ~= site.line then
        current = { file = file, line = site.line, sites = {} }
        lines[#lines + 1] = current
      end
      current.sites[#current.sites + 1] = site
    end
  end
  return lines
end

-- Draws `count` sites of the tree below `root`.
function sample.draw(root, seed, count)
  local of_folder, counts = {}, {}
  for i, folder in ipairs(folders) do
    of_folder[i], counts[i] = files_of(root, folder), 0
    for _, file in ipairs(of_folder[i]) do counts[i] = counts[i] + select(2, file.text:gsub("\n", "")) end
  end
  local roll, drawn = dice(seed), {}
  for i, share in ipairs(shares(counts, count)) do
    local lines = lines_with_sites(of_folder[i])
    while share > 0 do
      local line = table.remove(lines, roll(#lines))
      local site = line.sites[roll(#line.sites)]
      site.number = #drawn + 1
      if compiles(root, line.file, site) then
        drawn[#drawn + 1] = { file = line.file, site = site }
        share = share - 1
      end
    end
  end
  return drawn
end

local function index_of_folder(name)
  for i, folder in ipairs(folders) do
    if name:find(folder .. "/", 1, true) == 1 then return i end
  end
end

-- Draws another site of the same folder for each of a sample that sample.read() found none for.
function sample.redraw(root, drawn, seed)
  local of_folder, met = {}, {}
  for _, one in ipairs(drawn) do
    if one.site then met[one.name .. ":" .. one.site.line] = true end
  end
  for _, one in ipairs(drawn) do
    local folder = index_of_folder(one.name)
    of_folder[folder] = of_folder[folder] or lines_with_sites(files_of(root, folders[folder]))
    local lines, roll = of_folder[folder], dice(seed * 1000 + one.number)
    while not one.site do
      local line = table.remove(lines, roll(#lines))
      local site = line.sites[roll(#line.sites)]
      site.number = one.number
      if not met[line.file.name .. ":" .. line.line] and compiles(root, line.file, site) then
        one.file, one.name, one.site = line.file, line.file.name, site
      end
    end
  end
end

-- ---- writing down -------------------------------------------------------------------------------------------

-- How many sites of the line come up to this one, and how many equal lines up to this one.
local function place_of(file, site)
  local lines, nth_line, nth_site = lines_of(file.text), 0, 0
  for i = 1, site.line do
    if lines[i] == lines[site.line] then nth_line = nth_line + 1 end
  end
  for _, other in ipairs(file.sites) do
    if other.line == site.line then nth_site = nth_site + 1 end
    if other == site then break end
  end
  return nth_site, nth_line, lines[site.line]
end

-- A line a mutant: number, file, line, operator, which site of the line, which of the equal lines, the line.
function sample.write(drawn)
  local result = {}
  for i, one in ipairs(drawn) do
    local nth_site, nth_line, text = place_of(one.file, one.site)
    result[i] = table.concat({ one.number or i, one.file.name, one.site.line, one.site.operator, nth_site, nth_line,
                               text }, "\t")
  end
  return table.concat(result, "\n") .. "\n"
end

-- The sites of a written sample in the tree below `root`; those whose line is no more have no site.
function sample.read(root, text)
  local files, drawn = {}, {}
  for _, folder in ipairs(folders) do
    for _, file in ipairs(files_of(root, folder)) do
      local where, lines = {}, lines_of(file.text)
      for _, site in ipairs(file.sites) do
        local nth_site, nth_line = place_of(file, site)
        where[table.concat({ nth_site, nth_line, lines[site.line] }, "\t")] = site
      end
      files[file.name] = { file = file, where = where }
    end
  end
  for _, line in ipairs(system.lines(text)) do
    local number, name, at, operator, place = line:match "^(%d+)\t(%S+)\t(%d+)\t(%S+)\t(%d+\t%d+\t.*)$"
    if number then
      local found = files[name]
      local site = found and found.where[place]
      if site and site.operator ~= operator then site = nil end
      if site then site.number = tonumber(number) end
      drawn[#drawn + 1] = { number = tonumber(number), name = name, line = tonumber(at), operator = operator,
                            text = line, file = found and found.file, site = site }
    end
  end
  return drawn
end

-- ---- the tree -----------------------------------------------------------------------------------------------

local switch = [[
/* mutants - which mutant is on, and which have been reached. */

#include <stdio.h>
#include <stdlib.h>

int pod_mutant;
unsigned char pod_mutant_reached[%d];

__attribute__((constructor)) static void choose(void)
{
    const char *number = getenv("POD_MUTANT");
    pod_mutant = number ? atoi(number) : 0;
}

__attribute__((destructor)) static void tell(void)
{
    const char *path = getenv("POD_MUTANTS_REACHED");
    FILE *file = path ? fopen(path, "a") : NULL;
    for (int i = 0; file && i < %d; i++)
        if (pod_mutant_reached[i])
            fprintf(file, "%%d\n", i);
    if (file)
        fclose(file);
}
]]

local declared = [[
extern int pod_mutant; extern unsigned char pod_mutant_reached[];
#define POD_MUTANT(k) (pod_mutant_reached[k] = 1, pod_mutant == (k))
#line 1
]]

-- Writes the mutated files over those of the copy below `tree`.
function sample.apply(tree, drawn)
  local by_file, most = {}, 0
  for _, one in ipairs(drawn) do
    if one.site then
      by_file[one.file] = by_file[one.file] or {}
      table.insert(by_file[one.file], one.site)
      most = math.max(most, one.site.number)
    end
  end
  for file, chosen in pairs(by_file) do
    system.write(tree .. "/" .. file.name, declared .. sites.rewrite(file.text, file.tokens, chosen))
  end
  system.write(tree .. "/core/base/mutants.c", switch:format(most + 1, most + 1))
end

return sample
