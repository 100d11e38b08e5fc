-- beside - pages that show a program of Keras and its port beside each other.

local beside = {}

-- The page of a file of examples/from_keras, where that has both; nil for other files. exists(path) says what is there.
function beside.url(path, exists)
  local name = path:match "^(examples/from_keras/[%w_]+)%.%a+$"
  return name and exists(name .. ".py") and exists(name .. ".lua") and "source/" .. name .. ".html" or nil
end

local function column(path, text, html)
  return ('<section><h2>%s</h2><p>%d lines</p>%s</section>'):format(path:match "[^/]+$",
    select(2, text:gsub("\n", "")), html)
end

-- By url, the bodies of pages. read(path) gives a file's text, convert(markdown) HTML.
function beside.bodies(urls, read, convert)
  local names, code = {}, {}
  for url in pairs(urls) do
    names[#names + 1] = url:match "^source/(.*)%.html$"
  end
  table.sort(names)
  for _, name in ipairs(names) do
    code[#code + 1] = ("```python\n%s```\n\n```lua\n%s```\n"):format(read(name .. ".py"), read(name .. ".lua"))
  end
  local bodies, blocks = {}, convert(table.concat(code, "\n")):gmatch '<div class="sourceCode".-</pre>%s*</div>'
  for _, name in ipairs(names) do
    local python, lua = name .. ".py", name .. ".lua"
    bodies[("source/%s.html"):format(name)] = ("<h1>%s</h1>%s%s"):format(name:match "[^/]+$",
      column(python, read(python), blocks()), column(lua, read(lua), blocks()))
  end
  return bodies
end

return beside
