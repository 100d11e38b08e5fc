-- html_page - a report as one page of HTML that needs nothing else: no network, no server, no other file. It has views
-- by tabs, tables that sort, charts that can be saved, and is light or dark.

local arrays = require "moonpod.base.tables"
local decimal = require "moonpod.base.decimal"
local script = require "moonpod.profiler.html_script"
local style = require "moonpod.profiler.html_style"
local svg = require "moonpod.plot.svg"
local tables = require "moonpod.profiler.tables"

local html_page = {}

local escape = svg.escape

-- The rows of a table that a report shows.
local MOST = 400

local function cell(row, column, largest)
  local value = row[column.key]
  if value == nil then
    return "<td></td>"
  elseif not column.show then
    local text = tostring(value)
    return ("<td%s title=\"%s\">%s</td>"):format(#text > 60 and ' class="wide"' or "", escape(text), escape(text))
  end
  local bar = column.key == "share" and largest > 0 and ('<span class="bar" style="width:%.0f%%"></span>'):format(
    math.max(0, math.min(100, value / largest * 100))) or ""
  return decimal.format('<td class="n" data-v="%.9g">%s%s</td>', value, escape(column.show(value)), bar)
end

-- A table of tables.lua, which a click on a column sorts: its first rows, at most so many.
function html_page.table(rows, most)
  most = most or MOST
  local spec = tables.spec(rows)
  if not spec or #rows == 0 then
    return '<p class="note">nothing was recorded of this</p>\n'
  end
  local out = { '<div class="scroll" tabindex="0"><table><thead><tr>' }
  for _, column in ipairs(spec.columns) do
    out[#out + 1] = ('<th scope="col"%s><button>%s</button></th>'):format(column.show and ' class="n"' or "",
      escape(column.title or column.key))
  end
  out[#out + 1] = "</tr></thead><tbody>\n"
  local shown = arrays.slice(rows, 1, math.min(#rows, most))
  local largest = arrays.most(shown, 0, function(row)
    return type(row.share) == "number" and row.share or 0
  end)
  for _, row in ipairs(shown) do
    out[#out + 1] = "<tr>" .. table.concat(arrays.map(spec.columns, function(column)
      return cell(row, column, largest)
    end)) .. "</tr>\n"
  end
  out[#out + 1] = "</tbody></table></div>\n"
  if #rows > most then
    out[#out + 1] = ('<p class="note">the first %d of %d; the CSV has all</p>\n'):format(most, #rows)
  end
  return table.concat(out)
end

-- Facts { text, name } beside each other.
function html_page.facts(list)
  local out = arrays.map(list, function(fact)
    return ('<div class="fact"><b>%s</b><span>%s</span></div>'):format(escape(fact[1]), escape(fact[2]))
  end)
  return '<div class="facts">' .. table.concat(out, "\n") .. "</div>\n"
end

-- Charts { name, SVG } side by side, each with buttons that save it.
function html_page.charts(list)
  local out = {}
  for i, one in ipairs(list) do
    out[i] = ('<figure data-name="%s">%s<div class="save"><button data-as="svg">SVG</button>'
      .. '<button data-as="png">PNG</button></div></figure>\n'):format(one[1], one[2])
  end
  return #out > 0 and '<div class="charts">' .. table.concat(out) .. "</div>\n" or ""
end

function html_page.paragraph(text, class)
  return ('<p%s>%s</p>\n'):format(class and ' class="' .. class .. '"' or "", escape(text))
end

local HEAD = [[
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src
'unsafe-inline'; img-src data: blob:">
<title>]]

-- A page, as text: its title, what it is about, views { id =, title =, body = HTML }. more: a script of its own.
function html_page.new(title, about, views, more)
  local links, bodies = {}, {}
  for i, one in ipairs(views) do
    links[i] = ('<a href="#%s">%s</a>'):format(one.id, one.title)
    bodies[i] = ('<section id="%s" aria-label="%s"><h2>%s</h2>\n%s</section>\n'):format(one.id, one.title, one.title,
      one.body)
  end
  return HEAD .. escape(title) .. "</title>\n<style>\n" .. style .. "</style></head><body>\n<header><h1>"
    .. escape(title) .. "<small>" .. escape(about) .. '</small></h1><nav aria-label="Views">'
    .. table.concat(links, "\n") .. "</nav></header>\n<main>\n" .. table.concat(bodies)
    .. html_page.paragraph("Keys 1 to 9, 0 and - choose a view, [ and ] the one beside it.", "note")
    .. "</main>\n<script>\n" .. (more and more .. "</script>\n<script>\n" or "") .. script.page
    .. "</script>\n</body></html>\n"
end

return html_page
