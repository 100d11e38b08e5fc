-- html_page - a notebook as one page of HTML, which needs nothing else: no network, no other file. Nothing in it runs.

local highlight = require "moonpod.notebook.highlight"
local prose = require "moonpod.notebook.prose"
local svg = require "moonpod.plot.svg"
local texts = require "moonpod.base.texts"

local html_page = {}

local STYLE = [[
:root{color-scheme:light dark;--paper:#fff;--ink:#1c1e21;--dim:#646a73;--line:#dfe2e7;--code:#f5f6f8;--link:#0b5cad;
--k:#8b1a8b;--s:#1a7034;--n:#9a4a00;--c:#6a737d;--bad:#fdecec;--bad-ink:#8a1414}
@media (prefers-color-scheme:dark){:root{--paper:#16181c;--ink:#e4e6ea;--dim:#9aa1ab;--line:#343840;--code:#20242a;
--link:#7db7ff;--k:#d68ad6;--s:#7fcf95;--n:#e0a060;--c:#8b949e;--bad:#3a1d1f;--bad-ink:#ffb4b4}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,
'DejaVu Sans',sans-serif}
main{max-width:820px;margin:0 auto;padding:24px 16px 64px}
a{color:var(--link)}h1,h2,h3{line-height:1.25}h1{font-size:1.8em}h2{margin-top:1.8em}
pre,code{font-family:ui-monospace,'DejaVu Sans Mono',Consolas,monospace;font-size:13px}
:not(pre)>code{background:var(--code);padding:1px 4px;border-radius:3px;overflow-wrap:anywhere}
pre{margin:0;padding:10px 12px;overflow-x:auto;line-height:1.45}
.in,.prose pre{background:var(--code);border:1px solid var(--line);border-radius:6px}
.cell{margin:14px 0}.out{margin-top:6px;overflow-x:auto}.out pre{padding:6px 12px}
.number{color:var(--dim);font-size:11px;padding:4px 12px 0;user-select:none}
.stderr{border-left:3px solid var(--n)}.error{background:var(--bad);color:var(--bad-ink);border-radius:6px}
.k{color:var(--k)}.s{color:var(--s)}.n{color:var(--n)}.c{color:var(--c)}
table{border-collapse:collapse}th,td{border:1px solid var(--line);padding:4px 10px;text-align:left}
.wide{overflow-x:auto}
blockquote{margin:0;padding-left:14px;border-left:3px solid var(--line);color:var(--dim)}
figure{margin:8px 0}img,svg{max-width:100%;height:auto}hr{border:0;border-top:1px solid var(--line)}
]]

-- What may be loaded: nothing but what is in the page, and no scripts.
local POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

local function pre(text, class)
  return ('<pre class="%s">%s</pre>'):format(class or "text", svg.escape(texts.plain(text)))
end

local function image(kind, base64)
  return ('<img alt="" src="data:%s;base64,%s">'):format(kind, (base64:gsub("[^%w+/=]", "")))
end

-- SVG that stands alone as a picture: nothing of it reaches the page.
local function is_own_drawing(text)
  return text:find '^<svg [^>]*class="pod%-plot"' ~= nil
end

local function percent_encoded(text)
  return (text:gsub("[^%w%-_.~]", function(c)
    return ("%%%02X"):format(c:byte())
  end))
end

-- An output's data: of its types the one that shows most.
local function data_html(data)
  local function text_of(kind)
    return type(data[kind]) == "string" and data[kind] or nil
  end
  local html, drawing, markdown = text_of "text/html", text_of "image/svg+xml", text_of "text/markdown"
  if html then
    return html
  elseif drawing then
    return is_own_drawing(drawing) and "<figure>" .. drawing .. "</figure>"
      or ('<img alt="" src="data:image/svg+xml,%s">'):format(percent_encoded(drawing))
  elseif markdown then
    return prose.html(markdown)
  end
  for _, kind in ipairs { "image/png", "image/jpeg", "image/gif" } do
    if text_of(kind) then
      return image(kind, data[kind])
    end
  end
  return pre(text_of "text/plain" or "(an output of types that are not shown here)")
end

local function output_html(output)
  if output.output_type == "stream" then
    return pre(output.text, output.name == "stderr" and "stderr" or "stdout")
  elseif output.output_type == "error" then
    return pre(table.concat(output.traceback, "\n"), "error")
  end
  return data_html(output.data or {})
end

-- Data addresses of the pictures that are attached to a cell, by their names.
local function images_of(cell)
  local images = {}
  for name, data in pairs(cell.attachments or {}) do
    for kind, value in pairs(data) do
      if kind:find "^image/[%a]+$" and type(value) == "string" then
        images[name] = ("data:%s;base64,%s"):format(kind, (value:gsub("[^%w+/=]", "")))
      end
    end
  end
  return images
end

local function code_html(cell)
  local parts = { '<section class="cell"><div class="in">' }
  if type(cell.execution_count) == "number" then
    parts[#parts + 1] = ('<div class="number">[%d]</div>'):format(cell.execution_count)
  end
  parts[#parts + 1] = "<pre><code>" .. highlight.html(cell.source) .. "</code></pre></div>"
  for _, output in ipairs(cell.outputs) do
    parts[#parts + 1] = '<div class="out">' .. output_html(output) .. "</div>"
  end
  parts[#parts + 1] = "</section>"
  return table.concat(parts, "\n")
end

-- The title of a notebook: its first heading, else the name.
local function title_of(one, name)
  for _, cell in ipairs(one.cells) do
    local title = cell.cell_type == "markdown" and prose.title(cell.source)
    if title then
      return title
    end
  end
  return name
end

-- The page. name: what it is called where it has no heading.
function html_page.write(one, name)
  local out = { "<!doctype html>", '<html lang="en"><head><meta charset="utf-8">',
    '<meta http-equiv="Content-Security-Policy" content="' .. POLICY .. '">',
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    "<title>" .. svg.escape(title_of(one, name)) .. "</title>", "<style>", STYLE .. "</style></head><body><main>" }
  for _, cell in ipairs(one.cells) do
    if cell.cell_type == "code" then
      out[#out + 1] = code_html(cell)
    elseif cell.cell_type == "markdown" then
      out[#out + 1] = '<section class="cell prose">\n' .. prose.html(cell.source, images_of(cell)) .. "\n</section>"
    else
      out[#out + 1] = '<section class="cell">' .. pre(cell.source) .. "</section>"
    end
  end
  out[#out + 1] = "</main></body></html>\n"
  return table.concat(out, "\n")
end

return html_page
