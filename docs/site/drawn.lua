--[[
drawn - pictures that blocks of a page save: `curves:save "loss.svg"`. The page's blocks of Lua are run as one script,
and the site shows each picture below the block that saves it. A comment `<!-- curves NAME 3 2.5 2.25 OTHER 1 0.5 -->`
is a chart of those numbers, one an epoch or, after `curves each 10 steps`, one each ten steps from 0 on;
`<!-- curves of EXAMPLE -->` is one of those that the page of examples has of one.
]]

local drawn = {}

local SAVED = '"([%w_-]+%.svg)"'

-- Code without what its comments say.
local function without_comments(code)
  return (code:gsub("%-%-[^\n]*", ""))
end

-- The blocks of Lua of a page as one script, on their lines; nil where they save no picture.
local function script_of(text)
  local lines, fence, saves = {}, nil, false
  for line in (text .. "\n"):gmatch "([^\n]*)\n" do
    local mark = line:match "^```(.*)$"
    if mark then
      fence = not fence and mark or nil
    end
    local is_code = fence == "lua" and not mark
    lines[#lines + 1] = is_code and line or ""
    saves = saves or is_code and without_comments(line):find(SAVED) ~= nil
  end
  return saves and table.concat(lines, "\n") or nil
end

-- What draws the charts of a page's comments, in the folder where it is run. gallery: the page of examples.
local function chart_script(text, gallery)
  local lines, count = {}, 0
  for numbers in text:gmatch "<!%-%- curves (.-) %-%->" do
    local series, least, most = {}, math.huge, 0
    local example = numbers:match "^of (%S+)$"
    local at = example and assert(gallery:find("\n## " .. example .. "\n", 1, true), example)
    numbers = at and gallery:match("<!%-%- curves (.-) %-%->", at) or numbers
    local each, unit = numbers:match "^each (%d+) (%a+)"
    for name, values in numbers:gsub("^each %d+ %a+", ""):gmatch "([%a_]+)%s+([%d%s.e+-]+)" do
      local x, y = {}, {}
      for value in values:gmatch "%S+" do
        x[#x + 1], y[#y + 1] = each and #x * each or #x + 1, value
        least, most = math.min(least, tonumber(value)), math.max(most, tonumber(value))
      end
      series[#series + 1] = ("{ name = %q, x = { %s }, y = { %s } }"):format(name, table.concat(x, ", "),
        table.concat(y, ", "))
    end
    count = count + 1
    lines[count] = ('require("moonpod").plot.line({ %s }, { x_label = %q, height = 240, y_log = %s })'
      .. ':save "curves%d.svg"'):format(table.concat(series, ", "), unit or "epoch", least > 0 and most > 100 * least,
      count)
  end
  return count > 0 and table.concat(lines, "\n") .. "\n" or nil
end

-- The command that draws a page's pictures, in `folder`; nil where there are none. write(path, text), quote(text).
function drawn.command(text, gallery, folder, program, write, quote)
  local script, charts = script_of(text), chart_script(text, gallery)
  if not script and not charts then
    return nil
  end
  os.execute("mkdir -p " .. quote(folder))
  write(folder .. "/page.lua", (script or "") .. "\n" .. (charts or ""))
  return ("cd %s && { %s page.lua >page.log 2>&1 || { cat page.log >&2; exit 255; }; }"):format(quote(folder),
    quote(program))
end

-- Whether a block's pictures are shown. A release has the same bytes each time, so no picture of how long things took.
local function is_shown(code)
  return not (os.getenv "SOURCE_DATE_EPOCH" and code:find "profiler%.record")
end

-- A picture as it stands on a page. So that who does not see it reads what it shows, it has the words of its title and
-- its description.
function drawn.figure(place, svg)
  local title, words = svg:match "<title>(.-)</title>", svg:match "<desc>(.-)</desc>" or "a picture"
  words = title and not words:find(title, 1, true) and title .. ": " .. words or words
  return ('<figure class="drawn"><img src="%s" alt="%s"></figure>'):format(place, (words:gsub('"', "&quot;")))
end

-- A page of HTML with its pictures, which lie in `folder` below it; read(name) gives the text of one.
function drawn.insert(html, folder, read)
  local function figure(name)
    return drawn.figure(folder .. "/" .. name, assert(read(name), name))
  end
  html = html:gsub('(<div class="sourceCode"[^>]*>%s*<pre%s+class="sourceCode lua">.-</pre>%s*</div>)', function(block)
    local code, figures = block:gsub("<[^>]*>", ""):gsub("&quot;", '"'), {}
    for name in (is_shown(code) and without_comments(code) or ""):gmatch(SAVED) do
      figures[#figures + 1] = figure(name)
    end
    return block .. table.concat(figures)
  end)
  local count = 0
  return (html:gsub("<!%-%- curves .- %-%->", function()
    count = count + 1
    return figure(("curves%d.svg"):format(count))
  end))
end

return drawn
