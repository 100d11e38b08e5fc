-- pages - the pages of docs/ as text: their headings, anchors and links, and what is wrong with those.

local pages = {}

function pages.read(path)
  local file = io.open(path, "rb")
  if not file then
    return nil
  end
  local text = file:read "*a"
  file:close()
  return text
end

-- Paths below docs/ of the pages of a book, in order: README.md first. A page that no chapter names, and no list of
-- the reference, is an error.
function pages.list(root, book)
  local list, seen = {}, {}
  local function add(path)
    if not seen[path] then
      seen[path] = true
      list[#list + 1] = path
    end
  end
  add "README.md"
  for _, chapter in ipairs(book) do
    for _, name in ipairs(chapter.pages) do
      add(("%s/%s.md"):format(chapter.folder, name))
    end
    local index = pages.read(("%s/docs/%s/README.md"):format(root, chapter.folder))
    for name in (index or ""):gmatch "%]%(([%w_-]+%.md)%)" do
      add(chapter.folder .. "/" .. name)
    end
  end
  return list
end

-- The lines of a text outside of fences, with their numbers.
function pages.lines(text)
  local fence, number = nil, 0
  local rest = (text .. "\n"):gmatch "([^\n]*)\n"
  return function()
    for line in rest do
      number = number + 1
      local mark = line:match "^%s*(```+)"
      if fence then
        if mark and #mark >= #fence then
          fence = nil
        end
      elseif mark then
        fence = mark
      else
        return line, number
      end
    end
  end
end

-- A heading's anchor, as GitHub and pandoc make it.
function pages.anchor(title)
  title = title:gsub("%[([^%]]*)%]%([^)]*%)", "%1"):gsub("[`*]", "")
  return (title:lower():gsub("[^%w _\128-\255-]", ""):gsub(" ", "-"))
end

-- The headings of a page: { level =, title =, anchor =, line = }.
function pages.headings(text)
  local list, used = {}, {}
  for line, number in pages.lines(text) do
    local marks, title = line:match "^(#+) +(.-)%s*$"
    if marks then
      local anchor = pages.anchor(title)
      local times = used[anchor]
      used[anchor] = (times or 0) + 1
      list[#list + 1] = { level = #marks, title = title:gsub("`", ""), line = number,
        anchor = times and ("%s-%d"):format(anchor, times) or anchor }
    end
  end
  return list
end

-- The sections of a page, each a heading with the lines below it, outside of fences.
function pages.sections(text)
  local sections, headings = {}, pages.headings(text)
  for line, number in pages.lines(text) do
    local heading = headings[#sections + 1]
    if heading and heading.line == number then
      sections[#sections + 1] = { heading = heading, lines = {} }
    elseif #sections > 0 then
      table.insert(sections[#sections].lines, line)
    end
  end
  return sections
end

-- The names that a section says are the same: "The same: `pod.layers.conv2d`, `pod.layers.conv3d`."
function pages.same_names(section)
  local names = {}
  for sentence in table.concat(section.lines, " "):gmatch "The same: (.-)%.%f[%s%z]" do
    for name in sentence:gmatch "`([%w_.:]+)`" do
      names[#names + 1] = name
    end
  end
  return names
end

-- Joins a folder and a relative path.
function pages.join(folder, path)
  local parts = {}
  for part in (folder .. "/" .. path):gmatch "[^/]+" do
    if part == ".." and #parts > 0 then
      parts[#parts] = nil
    elseif part ~= "." then
      parts[#parts + 1] = part
    end
  end
  return table.concat(parts, "/")
end

-- Calls found(target, line) for each link and picture of a text.
function pages.each_link(text, found)
  for line, number in pages.lines(text) do
    for target in line:gsub("`[^`]*`", ""):gmatch "%]%(([^)%s]+)[^)]*%)" do
      found(target, number)
    end
  end
end

local function anchors_of(text)
  local set = {}
  for _, heading in ipairs(pages.headings(text)) do
    set[heading.anchor] = true
  end
  return set
end

-- Calls wrong(path, line, what) for each link of the pages at these paths (below root) that leads nowhere. Returns how
-- many links there are.
function pages.check_links(root, paths, wrong)
  local known, count = {}, 0
  local function anchors(path)
    if known[path] == nil then
      local text = pages.read(root .. "/" .. path)
      known[path] = text and (path:find "%.md$" and anchors_of(text) or {}) or false
    end
    return known[path]
  end
  for _, path in ipairs(paths) do
    local text = pages.read(root .. "/" .. path)
    if not text then
      wrong(path, 0, "there is no such page")
    end
    pages.each_link(text or "", function(target, number)
      count = count + 1
      if target:find "^%a+:" then
        return
      end
      local file, anchor = target:match "^([^#]*)#?(.*)$"
      local place = file == "" and path or pages.join(path:match "^(.*)/" or ".", file)
      local there = anchors(place)
      if not there then
        wrong(path, number, ("'%s' leads to no file"):format(target))
      elseif anchor ~= "" and not there[anchor] then
        wrong(path, number, ("'%s': there is no such heading"):format(target))
      end
    end)
  end
  return count
end

return pages
