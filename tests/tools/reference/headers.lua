-- headers - the page of the C library: what the public headers declare, with the comments above.

local narrow = require "narrow"

local headers = {}

local HEAD = "<!-- Made by ./dev reference from core/include/moonpod; change those. -->\n\n# The C library\n"

-- The text of a comment without its stars.
local function text_of(comment)
  local lines = {}
  for line in (comment:gsub("^/%*+", ""):gsub("%*+/$", "") .. "\n"):gmatch "(.-)\n" do
    lines[#lines + 1] = (line:gsub("^%s*%*? ?", "", 1):gsub("%s+$", ""))
  end
  return (table.concat(lines, "\n"):gsub("^%s+", ""):gsub("%s+$", ""))
end

-- Where a declaration ends: behind the ; at no depth.
local function end_of(text, at)
  local depth = 0
  while at <= #text do
    local c = text:sub(at, at)
    if text:find("^/%*", at) then
      at = select(2, text:find("%*/", at + 2)) or #text
    elseif c == "{" or c == "(" then
      depth = depth + 1
    elseif c == "}" or c == ")" then
      depth = depth - 1
    elseif c == ";" and depth == 0 then
      return at + (text:match("^ *()/%*[^\n]*%*/", at + 1) and #text:match("^ */%*[^\n]*%*/", at + 1) or 0)
    end
    at = at + 1
  end
  return #text
end

local function is_declared(text)
  return text:find "^typedef" or text:find "^POD_API" or text:find "^enum" or text:find "^struct" or text:find "^static"
end

-- An array of { text of the comment or "", code }, and the comment at the head.
local function read(text)
  local list, at, above, head = {}, 1, nil, nil
  while at <= #text do
    local start = text:match("^%s*()", at)
    if text:find("^/%*", start) then
      local stop = select(2, text:find("%*/", start + 2)) or #text
      above = text:sub(start, stop)
      head = head or text_of(above)
      at = stop + 1
      above = text:find("^\n[^\n]", at) and above or nil
    elseif text:find("^#", start) then
      local stop = start
      repeat
        stop = text:find("\n", stop + 1, true) or #text
      until text:sub(stop - 1, stop - 1) ~= "\\" or stop == #text
      at, above = stop + 1, nil
    elseif text:find("^POD_BEGIN_C", start) or text:find("^POD_END_C", start) then
      at, above = (text:find("\n", start, true) or #text) + 1, nil
    elseif start > #text then
      break
    else
      local stop = end_of(text, start)
      local code = text:sub(start, stop)
      if is_declared(code) then
        list[#list + 1] = { above and text_of(above) or "", code }
      end
      at, above = stop + 1, nil
    end
  end
  return list, head
end

local function name_of(code)
  if code:find "^typedef" then
    return code:match "%(%*([%w_]+)%)" or code:gsub("/%*.-%*/", ""):match "([%w_]+)%s*;%s*$"
  end
  return code:match "([%w_]+)%s*%(" or code:match "^enum%s+([%w_]+)" or code:match "([%w_]+)%s*[;={]"
end

-- Text of a comment as Markdown: what is indented by four or more is code already.
local function as_markdown(text)
  return (text:gsub("<([%a_][%w_]*)>", "\\<%1>"))
end

-- The text of the page. read_file(name) gives a header's text; names: of the headers, in their order.
function headers.page(names, read_file)
  local lines = { HEAD }
  for _, name in ipairs(names) do
    lines[#lines + 1] = ("- [moonpod/%s](#moonpod%s)"):format(name, (name:gsub("[^%w_]", "")))
  end
  lines[#lines + 1] = ""
  for _, name in ipairs(names) do
    local list, head = read(read_file(name))
    lines[#lines + 1] = "## moonpod/" .. name
    lines[#lines + 1] = ""
    lines[#lines + 1] = as_markdown(head or "")
    lines[#lines + 1] = ""
    for _, one in ipairs(list) do
      lines[#lines + 1] = ("### %s"):format(name_of(one[2]) or "declaration")
      lines[#lines + 1] = ""
      lines[#lines + 1] = one[1] ~= "" and as_markdown(one[1]) .. "\n" or nil
      lines[#lines + 1] = "```c\n" .. narrow.c(one[2]) .. "\n```\n"
    end
  end
  return (table.concat(lines, "\n"):gsub("\n\n\n+", "\n\n"):gsub("%s+$", "") .. "\n")
end

return headers
