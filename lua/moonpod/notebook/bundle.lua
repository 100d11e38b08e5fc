-- bundle - a value as a front end takes it: the same thing in several types, of which text is always one.

local base64 = require "moonpod.base.base64"
local display = require "moonpod.display"
local inspect = require "moonpod.base.inspect"
local svg = require "moonpod.plot.svg"
local texts = require "moonpod.base.texts"

local bundle = {}

-- Text is shown in so many columns.
bundle.COLUMNS = 80

local function pre(text)
  return '<pre class="pod-text">' .. svg.escape(text) .. "</pre>\n"
end

-- The types of a description that was made of a text, a picture and others.
local function add_given(data, one, text)
  local made = one.made
  local html = made.html ~= nil and one:html()
  if html and html:find "^%s*<!" then -- a page of its own, of which a notebook has the picture
    data["text/html"] = pre(text) .. one:svg()
    return
  elseif html then
    data["text/html"] = html
  end
  if made.png ~= nil then
    data["image/png"] = base64.encode(one:png())
  end
  if made.svg ~= nil then
    data["image/svg+xml"] = one:svg()
  elseif made.picture ~= nil and not html then
    local drawn = one:html()
    if drawn:find("<svg", 1, true) and made.text ~= nil then
      data["text/html"] = pre(text) .. drawn
    elseif drawn:find("<svg", 1, true) then
      data["image/svg+xml"] = one:svg()
    end
  end
end

-- The types of a description.
function bundle.of_description(one)
  local text = one:text { width = bundle.COLUMNS, height = 15, ascii = false, color = false }
  local data = { ["text/plain"] = texts.clean(text) }
  if one.kind == "given" then
    add_given(data, one, text)
  else
    data["image/svg+xml"] = one:svg()
  end
  return data
end

-- The types of what a cell gives: the text that the prompt shows, and pictures of what is made to be looked at.
function bundle.of_value(value)
  local one = display.shown(value)
  if one then
    return bundle.of_description(one)
  end
  return { ["text/plain"] = texts.clean(inspect.text(value)) }
end

-- The types of several values beside each other.
function bundle.of_values(values)
  if values.n == 1 then
    return bundle.of_value(values[1])
  end
  local plain, pages, is_rich = {}, {}, false
  for i = 1, values.n do
    local data = bundle.of_value(values[i])
    plain[i] = data["text/plain"]
    pages[i] = data["text/html"] or data["image/svg+xml"] or pre(plain[i])
    is_rich = is_rich or data["text/html"] ~= nil or data["image/svg+xml"] ~= nil
  end
  return { ["text/plain"] = table.concat(plain, is_rich and "\n" or "\t"),
    ["text/html"] = is_rich and table.concat(pages, "\n") or nil }
end

return bundle
