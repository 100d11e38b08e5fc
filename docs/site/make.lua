#!/usr/bin/env lua5.4
--[[
make.lua ROOT FOLDER PROGRAM [PAGE] - makes the site of docs/ in FOLDER: pandoc writes what is on a page, this adds what
is around it, links names of the library to the reference, and makes the index for the search. The landing page's script
is run by PROGRAM, the executable moonpod. With PAGE, the moonpod.js of a build for the web, blocks of Lua can be run.
No page asks another machine for anything. With "index" as PROGRAM the search's files alone are written.
]]

local root, out, program = arg[1] or ".", arg[2] or "build/site", arg[3] or "build/release/moonpod"
local live = arg[4]
if program ~= "index" then
  program = assert(io.popen(("realpath '%s'"):format(program))):read "l"
end
package.path = ("%s/docs/site/?.lua;%s/lua/?.lua;%s"):format(root, root, package.path)

local beside = require "beside"
local book = require "book"
local drawn = require "drawn"
local pages = require "pages"
local parts = require "parts"
local search_index = require "search_index"
local tables = require "tables"

local function quote(text)
  return "'" .. text:gsub("'", "'\\''") .. "'"
end

local function run(command)
  assert(os.execute(command), command)
end

local function write(path, text)
  local file = assert(io.open(path, "wb"))
  assert(file:write(text))
  assert(file:close())
end

local function escape(text)
  return (text:gsub("[&<>\"]", { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }))
end

local function url_of(path)
  return (path:gsub("README%.md", "index.md"):gsub("%.md", ".html"))
end

-- From a page (below docs/) to another place below it.
local function relative(from, to)
  return ("../"):rep(select(2, from:gsub("/", ""))) .. to
end

-- ---- what is known of all pages -----------------------------------------------------------------------

local paths = pages.list(root, book)
local texts, titles, names = {}, {}, {}
local items_of = {} -- of a page: the names that have pages of their own
local moved = {} -- "reference/layers.md#podlayersdense" -> where that is now

local function read_pages()
  local wrong, in_docs = 0, {}
  for _, path in ipairs(paths) do
    in_docs[#in_docs + 1] = "docs/" .. path
  end
  in_docs[#in_docs + 1] = "README.md"
  local links = pages.check_links(root, in_docs, function(path, line, what)
    io.stderr:write(("%s:%d: %s\n"):format(path, line, what))
    wrong = wrong + 1
  end)
  if wrong > 0 then
    os.exit(1)
  end
  for _, path in ipairs(paths) do
    local text = pages.read(root .. "/docs/" .. path)
    texts[path] = text
    local places
    items_of[path], places = parts.of(path, text)
    for anchor, url in pairs(places) do
      moved[path .. "#" .. anchor] = url
    end
    for _, section in ipairs(pages.sections(text)) do
      local heading = section.heading
      local place = places[heading.anchor] or url_of(path) .. "#" .. heading.anchor
      titles[path] = titles[path] or heading.title
      if path:find "^reference/" and heading.title:find "^[%a_]+[.:][%w_.:]+$" then
        names[heading.title] = place
        for _, name in ipairs(pages.same_names(section)) do
          names[name] = names[name] or place
        end
      end
    end
    for _, item in ipairs(items_of[path]) do
      names[item.title] = item.url
    end
  end
  return links
end

-- ---- one page -----------------------------------------------------------------------------------------

-- Name of the library -> its place in the reference; of `pod.x.y { ... }` that of pod.x.y.
local function place_of(code)
  local name = code:match "^pod[%.:][%w_.:]*[%w_]"
  return name and names[name]
end

-- Files of the checkout that pages lead to are copied as text, or have a page.
local copied, compared = {}, {}

local function source_of(place)
  local url = beside.url(place, function(path) return pages.read(root .. "/" .. path) ~= nil end)
  if url then
    compared[url] = true
    return url
  end
  local name = place:find "%.%w+$" and place .. ".txt" or place
  copied[place] = name
  return "source/" .. name
end

-- A link of the page `from` as it is on the page at the url `at`, which may be a part of it.
local function fix_link(from, target, at)
  if target:find "^%a+:" then
    return target
  end
  local file, anchor = target:match "^([^#]*)(.*)$"
  local folder = from:match "^(.*)/" or "."
  local place = file == "" and from or pages.join(folder, file)
  local below = pages.join("docs/" .. folder, file)
  local to
  if texts[place] then
    to = moved[place .. anchor] or url_of(place) .. anchor
  else
    to = below:find "^docs/" and place or source_of(below)
  end
  return to:match "^[^#]*" == at and anchor ~= "" and anchor or relative(at, to)
end

-- Links names of the library and paths of pages; what is within links, headings and blocks stays.
local function link_texts(at, html)
  local kept = {}
  local function keep(text)
    kept[#kept + 1] = text
    return ("\1%d\1"):format(#kept)
  end
  html = html:gsub("<a .-</a>", keep):gsub("<h%d.-</h%d>", keep):gsub("<pre.-</pre>", keep)
  html = html:gsub("<code>([^<]*)</code>", function(code)
    local page = code:match "^docs/([%w/_-]+%.md)$"
    local place = place_of(code) or page and texts[page] and url_of(page)
    if place and place:match "^[^#]*" ~= at then
      return ('<a class="name" href="%s"><code>%s</code></a>'):format(relative(at, place), code)
    end
  end)
  html = html:gsub("([%s(])docs/([%w/_-]+%.md)", function(before, page)
    return texts[page] and ('%s<a href="%s">%s</a>'):format(before, relative(at, url_of(page)), titles[page])
  end)
  local function back(i)
    return (kept[tonumber(i)]:gsub("\1(%d+)\1", function(j) return kept[tonumber(j)] end))
  end
  return (html:gsub("\1(%d+)\1", back))
end

-- Blocks whose lines are wider than code of the book is written say how wide: their letters are as small as that wants
-- (style.css). Where that would be too small, and in all blocks on a phone, a line goes on below itself, further in.
local WIDTH = 78

local function fitting(html)
  return (html:gsub('<pre([^>]*)><code([^>]*)>(.-)</code></pre>', function(class, of_code, body)
    local columns = 0
    for line in body:gsub("<[^>]*>", ""):gsub("&%w+;", "&"):gmatch "[^\n]+" do
      columns = math.max(columns, utf8.len(line) or #line)
    end
    -- Of what it knows the words of pandoc has made a place of each line.
    body = body:find("<span id=", 1, true) and body or body:gsub("[^\n]+", "<span>%0</span>")
    class = columns > WIDTH and ('%s style="--columns: %d"'):format(class, columns) or class
    return ('<pre%s><code%s>%s</code></pre>'):format(class, of_code, body)
  end))
end

-- A name that is too long for its line is cut between its words.
local function breakable(name)
  return (name:gsub("[._:/]%f[%w]", "%0<wbr>"))
end

-- What pandoc made of the page `path`, or of a part of it, as the page at the url `at` has it.
local function finished(path, html, at)
  html = html:gsub('<a href="#cb[%d-]+"[^>]*></a>', "") -- each line of a block is no place
  html = html:gsub('(<a [^>]*href=")([^"]*)', function(head, target)
    return head .. fix_link(path, target, at)
  end)
  html = html:gsub('(<img [^>]*src=")([^"]*)', function(head, target)
    return head .. fix_link(path, target, at)
  end)
  html = fitting(html)
  html = html:gsub("(<h%d[^>]*>)([%w_.:/]+)</h", function(tag, name)
    return tag .. breakable(name) .. "</h"
  end)
  html = html:gsub("<colgroup>.-</colgroup>%s*", ""):gsub('<table style="[^"]*"', "<table")
  html = html:gsub("<table.-</table>", tables.with_heads)
  html = html:gsub("<table", '<div class="table"><table'):gsub("</table>", "</table></div>")
  html = html:gsub("<img ", '<img loading="lazy" ')
  return link_texts(at, html)
end

-- Markdown that is no page.
local function to_html(markdown)
  write(out .. "/.bodies/block.md", markdown)
  run(("cd %s && pandoc -f gfm -t html5 -o block block.md"):format(quote(out .. "/.bodies")))
  return (pages.read(out .. "/.bodies/block"):gsub('<a href="#cb[%d-]+"[^>]*></a>', ""))
end

-- What the first page shows before the book: a script, what it printed when it was run now, and pictures.
local function landing()
  local script, picture = root .. "/docs/site/landing.lua", out .. "/landing.svg"
  local after = ("dofile(%q) require('moonpod').plot.line(history, { width = 480, height = 300 }):save(%q)")
    :format(script, picture)
  local pipe = assert(io.popen(("%s -e %s 2>&1"):format(quote(program), quote(after))))
  local output = pipe:read "*a"
  assert(pipe:close(), output)
  output = output:gsub(" %- [%d.]+s %- [%d.]+%a+/step", "") -- a release has the same bytes each time
  local fields = { snippet = to_html("```lua\n" .. pages.read(script) .. "```\n"), output = escape(output) }
  return (assert(pages.read(root .. "/docs/site/landing.html")):gsub("%$([a-z]+)%$", fields))
end

local function drawn_folder(path)
  return out .. "/.drawn/" .. path
end

-- The names of a page that is divided, each a link.
local function item_links(path, at)
  local links = {}
  for i, item in ipairs(items_of[path]) do
    links[i] = ('<li><a href="%s"%s>%s</a></li>'):format(relative(at, item.url),
      item.url == at and ' aria-current="page"' or "", breakable(escape(item.url:match "([^/]*)%.html$")))
  end
  return #links > 0 and "<ul>" .. table.concat(links) .. "</ul>" or ""
end

-- The chapters; the one of the page is open, and a page that is divided, of which it is or is a part.
local function navigation(path, at)
  local chapters = {}
  for _, chapter in ipairs(book) do
    local open = path:find(chapter.folder .. "/", 1, true) == 1
    chapters[#chapters + 1] = ('<details%s><summary>%s</summary><ul>'):format(open and " open" or "", chapter.title)
    for _, other in ipairs(paths) do
      if other:find(chapter.folder .. "/", 1, true) == 1 then
        local here = url_of(other) == at and ' aria-current="page"' or ""
        chapters[#chapters + 1] = ('<li><a href="%s"%s>%s</a>%s</li>'):format(relative(at, url_of(other)), here,
          escape(titles[other]), other == path and item_links(path, at) or "")
      end
    end
    chapters[#chapters + 1] = "</ul></details>"
  end
  return table.concat(chapters, "\n")
end

local function contents(path)
  local rows, count = {}, 0
  for _, heading in ipairs(pages.headings(texts[path])) do
    if heading.level == 2 and not moved[path .. "#" .. heading.anchor] then
      count = count + 1
      rows[#rows + 1] = ('<li><a href="#%s">%s</a></li>'):format(heading.anchor, breakable(escape(heading.title)))
    end
  end
  return count > 1 and "<h2>On this page</h2><ul>" .. table.concat(rows) .. "</ul>" or ""
end

-- Links to the page before and the one behind: { url =, title =, or last = }, or nil.
local function around(at, before, behind)
  local function link(to, rel, text)
    local title = to and text:format(escape(to.last or to.title))
    return to and ('<a rel="%s" href="%s">%s</a>'):format(rel, relative(at, to.url), title) or ""
  end
  return link(before, "prev", "← %s") .. link(behind, "next", "%s →")
end

local template = assert(pages.read(root .. "/docs/site/page.html"))

local function write_page(at, fields)
  fields.root, fields.kind, fields.title = relative(at, ""), fields.kind or "", escape(fields.title)
  fields.live = live and ('<script src="%slive/live.js" data-root="%s"></script>'):format(fields.root, fields.root)
    or ""
  run("mkdir -p " .. quote(out .. "/" .. (at:match "^(.*)/" or ".")))
  write(out .. "/" .. at, (template:gsub("%$([a-z]+)%$", fields)))
end

-- What names of one thing have in common: "max_pool1d", "max_pooling2d".
local function stem(name)
  return (name:gsub("%dd$", ""):gsub("ing$", ""):gsub("average", "avg"):gsub("_", ""))
end

-- The body of a name's page with the picture that figures.lua drew of it, below its first words.
local function with_figure(item, body)
  local names, place, svg = { item.title, item.section.heading.title }, nil, nil
  for _, name in ipairs(pages.same_names(item.section)) do
    names[#names + 1] = stem(name) == stem(item.title) and name or nil
  end
  for _, name in ipairs(names) do
    place = svg and place or ("figures/%s.svg"):format(name:gsub("^pod%.", ""):gsub("%.", "/"))
    svg = svg or pages.read(out .. "/reference/" .. place)
  end
  if not svg then
    return body
  end
  local at = math.min(body:find "<table" or #body + 1, body:find '<div class="sourceCode' or #body + 1)
  return body:sub(1, at - 1) .. drawn.figure(place, svg) .. body:sub(at)
end

-- Writes a page for each name of a page; returns what of it stays.
local function write_items(path, html)
  local items = items_of[path]
  if #items == 0 then
    return html
  end
  local function link(item)
    return relative(path, item.url)
  end
  local index, bodies = parts.divide(path, html, items, link, escape)
  local up = '<p class="up"><a href="%s">%s</a></p>'
  for i, item in ipairs(items) do
    write_page(item.url, { title = item.title, navigation = navigation(path, item.url), contents = "",
      body = up:format(relative(item.url, url_of(path)), escape(titles[path]))
        .. finished(path, with_figure(item, bodies[item.url]), item.url),
      around = around(item.url, items[i - 1], items[i + 1]) })
  end
  return index
end

local function page_at(i)
  return paths[i] and { url = url_of(paths[i]), title = titles[paths[i]] }
end

local function write_path(path, i)
  local html = assert(pages.read(("%s/.bodies/%s"):format(out, path)), path)
  local at = url_of(path)
  local drawn_in = drawn_folder(path)
  html = drawn.insert(html, path:match "([^/]*)%.md$", function(name)
    local svg = pages.read(drawn_in .. "/" .. name)
    run("mkdir -p " .. quote(out .. "/" .. path:gsub("%.md$", "")))
    write(("%s/%s/%s"):format(out, path:gsub("%.md$", ""), name), svg)
    return svg
  end)
  local body = finished(path, write_items(path, html), at)
  if i == 1 then -- the book's own title is below that of the first page
    body = landing() .. body:gsub("(</?)h1", "%1h2")
  end
  write_page(at, { title = titles[path], body = body, navigation = navigation(path, at),
    contents = i == 1 and "" or contents(path), kind = i == 1 and "first" or "",
    around = around(at, page_at(i - 1), page_at(i + 1)) })
end

-- ---- all -------------------------------------------------------------------------------------------------

local function convert_bodies()
  local commands = {}
  for _, path in ipairs(paths) do
    commands[#commands + 1] = drawn.command(texts[path], texts["tutorials/examples.md"], drawn_folder(path), program,
      write, quote)
  end
  for _, path in ipairs(paths) do
    commands[#commands + 1] = ("mkdir -p %s && pandoc -f gfm -t html5 --wrap=preserve -o %s %s"):format(
      quote(out .. "/.bodies/" .. (path:match "^(.*)/" or ".")), quote(out .. "/.bodies/" .. path),
      quote(root .. "/docs/" .. path))
  end
  local figures = out .. "/reference/figures"
  run(("mkdir -p %s && cd %s && mkdir layers losses schedules optimizers"):format(quote(figures), quote(figures)))
  commands[#commands + 1] = ("%s %s/docs/site/figures.lua %s"):format(quote(program), quote(root), quote(figures))
  write(out .. "/.commands", table.concat(commands, "\0") .. "\0")
  run(("xargs -0 -n 1 -P \"$(nproc)\" sh -c <%s"):format(quote(out .. "/.commands")))
end

run(("rm -rf %s && mkdir -p %s"):format(quote(out), quote(out)))
out = assert(io.popen(("cd %s && pwd"):format(quote(out)))):read "l"
local links = read_pages()
local function copy(name)
  write(out .. "/" .. name, assert(pages.read(root .. "/docs/site/" .. name)))
end
write(out .. "/index.js", search_index.text { paths = paths, texts = texts, titles = titles, names = names,
  place_of = function(path, section, at)
    local place = at > 1 and "#" .. section.heading.anchor or ""
    return moved[path .. place] or url_of(path) .. place
  end })
copy "search.js"
if program == "index" then
  os.exit(0)
end
convert_bodies()
local count = #paths
for i, path in ipairs(paths) do
  write_path(path, i)
  count = count + #items_of[path]
end
for at, body in pairs(beside.bodies(compared, function(path) return pages.read(root .. "/" .. path) end, to_html)) do
  write_page(at, { title = at:match "([^/]*)%.html$", body = body, kind = "beside", contents = "", around = "",
    navigation = navigation("tutorials/examples.md", at) })
  count = count + 1
end
copy "style.css"
copy "site.js"
run(("cd %s && find . \\( -name '*.svg' -o -name '*.png' \\) -exec cp --parents {} %s \\;"):format(
  quote(root .. "/docs"), quote(out)))
for from, to in pairs(copied) do
  local text = pages.read(root .. "/" .. from)
  if text then
    run("mkdir -p " .. quote(out .. "/source/" .. (to:match "^(.*)/" or ".")))
    write(out .. "/source/" .. to, text)
  end
end
-- What blocks that are run want beside the pages: scripts, which a page that was opened as a file reads as well.
if live then
  local folder = (os.getenv "MOONPOD_DATASETS" or "/usr/share/datasets") .. "/fashion-mnist"
  local sets = {}
  for name in assert(io.popen("ls " .. quote(folder))):lines() do
    local pipe = assert(io.popen("base64 -w 0 " .. quote(folder .. "/" .. name)))
    sets[#sets + 1] = ('"/usr/share/datasets/fashion-mnist/%s": "%s"'):format(name, pipe:read "a")
    assert(pipe:close(), name)
  end
  run(("cd %s && mkdir -p live && cp %s %s/docs/site/live.js live"):format(quote(out), quote(live), quote(root)))
  write(out .. "/live/datasets.js", "const moonpodDatasets = {\n" .. table.concat(sets, ",\n") .. "};\n")
end
run(("cd %s && rm -rf .bodies .commands .drawn"):format(quote(out)))
print(("%d pages, %d links: %s/index.html"):format(count, links, out))
