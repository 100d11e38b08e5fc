-- markdown_page - a notebook as Markdown, with its pictures as files beside it.

local base64 = require "moonpod.base.base64"
local texts = require "moonpod.base.texts"

local markdown_page = {}

-- The marks of a fence that a text does not have.
local function fence_of(text)
  local longest = 2
  for marks in text:gmatch "`+" do
    longest = math.max(longest, #marks)
  end
  return ("`"):rep(longest + 1)
end

local function fenced(text, language)
  local fence = fence_of(text)
  return ("%s%s\n%s\n%s\n"):format(fence, language or "text", (text:gsub("\n+$", "")), fence)
end

local function add_picture(self, bytes, ending)
  self.count = self.count + 1
  local name = ("%s-%d.%s"):format(self.stem, self.count, ending)
  self.files[#self.files + 1] = { name = name, bytes = bytes }
  return ("![Output %d](<%s>)\n"):format(self.count, name)
end

local ENDINGS = { ["image/png"] = "png", ["image/jpeg"] = "jpg", ["image/gif"] = "gif" }

local function data_text(self, data)
  local parts = {}
  local function text_of(kind)
    return type(data[kind]) == "string" and data[kind] or nil
  end
  local html, drawing, text = text_of "text/html", text_of "image/svg+xml", text_of "text/plain"
  if text_of "text/markdown" then
    return data["text/markdown"] .. "\n"
  elseif html then
    drawing = drawing or html:match "<svg.-</svg>"
    parts[#parts + 1] = text and fenced(texts.plain(text)) or nil
  end
  if drawing then
    parts[#parts + 1] = add_picture(self, drawing, "svg")
  else
    for kind, ending in pairs(ENDINGS) do
      parts[#parts + 1] = text_of(kind) and add_picture(self, base64.decode(data[kind]), ending) or nil
    end
  end
  if #parts == 0 then
    parts[1] = fenced(texts.plain(text or "(an output of types that are not shown here)"))
  end
  return table.concat(parts, "\n")
end

local function output_text(self, output)
  if output.output_type == "stream" then
    return fenced(texts.plain(output.text))
  elseif output.output_type == "error" then
    return fenced(texts.plain(table.concat(output.traceback, "\n")))
  end
  return data_text(self, output.data or {})
end

-- Returns the text of the page, and files that go beside it, { name =, bytes = }. stem: what their names begin with.
function markdown_page.write(one, stem)
  local self = { stem = stem, count = 0, files = {} }
  local out = {}
  for _, cell in ipairs(one.cells) do
    if cell.cell_type == "markdown" then
      out[#out + 1] = cell.source:gsub("\n+$", "") .. "\n"
    elseif cell.cell_type == "raw" then
      out[#out + 1] = fenced(cell.source)
    elseif cell.source:find "%S" then
      out[#out + 1] = fenced(cell.source, "lua")
      for _, output in ipairs(cell.outputs) do
        out[#out + 1] = output_text(self, output)
      end
    end
  end
  return table.concat(out, "\n"), self.files
end

return markdown_page
