-- prose - Markdown as HTML: headings, paragraphs, lists, quotes, tables, code, links, pictures, emphasis. HTML within
-- it is shown as text, and only pictures that lie within the page are drawn.

local highlight = require "moonpod.notebook.highlight"
local svg = require "moonpod.plot.svg"
local texts = require "moonpod.base.texts"

local prose = {}

-- ---- within a line -------------------------------------------------------------------------------------

-- Pieces that are done are kept aside, so that nothing within them is taken for a mark.
local OPEN, CLOSE = "\238\128\128", "\238\128\129" -- U+E000 and U+E001, which mean nothing

local function keep(kept, html)
  kept[#kept + 1] = html
  return OPEN .. #kept .. CLOSE
end

local function safe_address(address)
  local lower = address:lower()
  return lower:find "^https?://" or lower:find "^mailto:" or lower:find "^#" or not lower:find "^[%w+.-]*:"
end

local function link(kept, text, address, images)
  local title = svg.escape(text)
  if images then
    if address:find "^data:image/" or address:find "^attachment:" then
      local source = images[(address:gsub("^attachment:", ""))] or address
      return keep(kept, ('<img src="%s" alt="%s">'):format(svg.escape(source), title))
    end
    return title
  end
  return safe_address(address) and keep(kept, ('<a href="%s">'):format(svg.escape(address))) .. text
    .. keep(kept, "</a>") or text
end

-- In longer texts no marks are looked for, which takes time in the square of their length.
local MOST_BYTES = 10000

-- A text of Markdown without line breaks of its own. images: addresses by the names of attachments.
local function inline(text, images)
  if #text > MOST_BYTES then
    return svg.escape(text)
  end
  local kept = {}
  text = text:gsub("\238\128[\128\129]", "")
  text = text:gsub("(`+)(.-)%1", function(_, code)
    return keep(kept, "<code>" .. svg.escape(code:match "^ ?(.-) ?$") .. "</code>")
  end)
  text = text:gsub("\\([%p])", function(mark)
    return keep(kept, svg.escape(mark))
  end)
  text = text:gsub("!%[([^%]]*)%]%(([^%s)]+)[^)]*%)", function(alternative, address)
    return link(kept, alternative, address, images)
  end)
  text = text:gsub("%[([^%]]*)%]%(([^%s)]+)[^)]*%)", function(shown, address)
    return link(kept, shown, address)
  end)
  text = text:gsub("<(https?://[^%s>]+)>", function(address)
    return link(kept, address, address)
  end)
  text = svg.escape(text)
  text = text:gsub("%*%*(%S.-)%*%*", "<strong>%1</strong>"):gsub("__(%S.-)__", "<strong>%1</strong>")
  text = text:gsub("%*(%S[^*]-)%*", "<em>%1</em>"):gsub("%f[%w_]_(%S[^_]-)_%f[^%w_]", "<em>%1</em>")
  return (text:gsub(OPEN .. "(%d+)" .. CLOSE, function(number)
    return kept[tonumber(number)]
  end))
end

-- ---- blocks --------------------------------------------------------------------------------------------

local blocks

-- Quotes and lists deeper than this are text.
local MOST_LEVELS = 12

local function heading(lines, at, out, images)
  local marks, text = lines[at]:match "^(#+)%s+(.-)%s*#*%s*$"
  if marks and #marks <= 6 then
    local id = text:lower():gsub("[^%w%s_-]", ""):gsub("%s+", "-")
    out[#out + 1] = ('<h%d id="%s">%s</h%d>'):format(#marks, svg.escape(id), inline(text, images), #marks)
    return at + 1
  end
end

local function fence(lines, at, out)
  local mark, language = lines[at]:match "^(```+)%s*(%w*)"
  if not mark then
    return nil
  end
  local code, last = {}, at + 1
  while lines[last] and not lines[last]:find("^" .. mark) do
    code[#code + 1], last = lines[last], last + 1
  end
  local text = table.concat(code, "\n")
  out[#out + 1] = "<pre><code>" .. (language == "lua" and highlight.html(text) or svg.escape(text)) .. "</code></pre>"
  return last + 1
end

local function rule(lines, at, out)
  local bare = lines[at]:gsub("%s", "")
  if #bare >= 3 and (bare:find "^%-+$" or bare:find "^%*+$" or bare:find "^_+$") then
    out[#out + 1] = "<hr>"
    return at + 1
  end
end

local function quote(lines, at, out, images, level)
  if not lines[at]:find "^>" or level >= MOST_LEVELS then
    return nil
  end
  local within = {}
  while lines[at] and lines[at]:find "^>" do
    within[#within + 1], at = lines[at]:match "^> ?(.*)$", at + 1
  end
  out[#out + 1] = "<blockquote>" .. blocks(within, images, level + 1) .. "</blockquote>"
  return at
end

local function item_of(line)
  local indent, mark, text = line:match "^(%s*)([-*+])%s+(.*)$"
  if not mark then
    indent, mark, text = line:match "^(%s*)(%d+)[.)]%s+(.*)$"
  end
  if mark then
    return #indent, mark:find "%d" and "ol" or "ul", text, #line - #text
  end
end

-- An item's own lines: those that are indented as its text, and what goes on without a blank line.
local function take_item(lines, at, width)
  local within = {}
  while lines[at] do
    local line = lines[at]
    local is_blank, is_indented = not line:find "%S", #line:match "^%s*" >= math.min(width, 2)
    local next_line = lines[at + 1] or ""
    if is_blank and not (next_line:find "%S" and #next_line:match "^%s*" >= math.min(width, 2))
      or not is_blank and not is_indented and (item_of(line) or line:find "^[#>`]") then
      break
    end
    within[#within + 1], at = line:gsub("^" .. (" "):rep(math.min(width, #line:match "^%s*")), ""), at + 1
  end
  return within, at
end

local function list(lines, at, out, images, level)
  local indent, kind = item_of(lines[at])
  if not kind or indent > 3 or level >= MOST_LEVELS then
    return nil
  end
  local items = {}
  while lines[at] do
    local own_indent, own_kind, text, width = item_of(lines[at])
    if own_kind ~= kind or own_indent > 3 then
      break
    end
    local within, behind = take_item(lines, at + 1, width)
    table.insert(within, 1, text)
    local html = blocks(within, images, level + 1)
    items[#items + 1] = "<li>" .. (html:match "^<p>([^\n]*)</p>$" or html) .. "</li>"
    at = behind
    while lines[at] and not lines[at]:find "%S" and lines[at + 1] and item_of(lines[at + 1]) do
      at = at + 1
    end
  end
  out[#out + 1] = ("<%s>\n%s\n</%s>"):format(kind, table.concat(items, "\n"), kind)
  return at
end

local function cells_of(line)
  return texts.parts(line:gsub("^%s*|", ""):gsub("|%s*$", "") .. "|", "%s*(.-)%s*|")
end

local function grid(lines, at, out, images)
  local line, below = lines[at], lines[at + 1]
  if not line:find("|", 1, true) or not below or not below:find "^[%s|:-]+$" or not below:find "%-" then
    return nil
  end
  local rows, last = {}, at + 2
  local function add(cells, tag)
    local parts = {}
    for i, text in ipairs(cells) do
      parts[i] = ("<%s>%s</%s>"):format(tag, inline(text, images), tag)
    end
    rows[#rows + 1] = "<tr>" .. table.concat(parts) .. "</tr>"
  end
  add(cells_of(line), "th")
  while lines[last] and lines[last]:find("|", 1, true) do
    add(cells_of(lines[last]), "td")
    last = last + 1
  end
  out[#out + 1] = '<div class="wide"><table>\n' .. table.concat(rows, "\n") .. "\n</table></div>"
  return last
end

local BLOCKS = { heading, fence, rule, quote, list, grid }

local function begin_of_block(lines, at, out, images, level)
  for _, block in ipairs(BLOCKS) do
    local behind = block(lines, at, out, images, level)
    if behind then
      return behind
    end
  end
end

function blocks(lines, images, level)
  local out, at, open = {}, 1, {}
  local function close()
    if #open > 0 then
      out[#out + 1] = "<p>" .. inline(table.concat(open, "\n"), images) .. "</p>"
      open = {}
    end
  end
  while at <= #lines do
    if not lines[at]:find "%S" then
      close()
      at = at + 1
    else
      local made = {}
      local behind = begin_of_block(lines, at, made, images, level)
      if behind then
        close()
        out[#out + 1] = made[1]
        at = behind
      else
        open[#open + 1], at = lines[at]:match "^%s*(.*)$", at + 1
      end
    end
  end
  close()
  return table.concat(out, "\n")
end

-- A text of Markdown as HTML. images: data addresses by the names of attachments.
function prose.html(text, images)
  return blocks(texts.lines((text:gsub("\t", "    "))), images or {}, 0)
end

-- The first heading of a text, without marks; nil where there is none.
function prose.title(text)
  local found = ("\n" .. text):match "\n#+%s+([^\n]*)"
  return found and found:gsub("[`*_]", "") or nil
end

return prose
