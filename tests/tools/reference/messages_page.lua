-- messages_page - the page of the messages that pod.explain knows.

local render = require "moonpod.help.render"

local messages_page = {}

local WIDTH = 120

local function add(lines, text)
  render.wrap(text, "", nil, lines, WIDTH)
  lines[#lines + 1] = ""
end

-- A piece of a message as code; blanks at its ends would not be seen, and a backtick would end it.
local function code(piece)
  piece = piece:match "^%s*(.-)%s*$"
  return piece:find("`", 1, true) and "`` " .. piece .. " ``" or "`" .. piece .. "`"
end

local function sign_text(sign)
  if type(sign) == "string" then
    return code(sign)
  end
  local parts = {}
  for i, piece in ipairs(sign) do
    parts[i] = code(piece)
  end
  return table.concat(parts, " … ")
end

-- Families have many signs: so many stand in one item of their list.
local SIGNS_OF_AN_ITEM = 6

local function add_signs(lines, entry)
  add(lines, entry.family and "Known by:" or ("Said by %s. Known by:"):format(entry.from))
  local step = entry.family and SIGNS_OF_AN_ITEM or 1
  for i = 1, #entry.signs, step do
    local signs = {}
    for j = i, math.min(i + step - 1, #entry.signs) do
      signs[#signs + 1] = sign_text(entry.signs[j])
    end
    render.wrap("- " .. table.concat(signs, "; "), "  ", "", lines, WIDTH)
  end
  lines[#lines + 1] = ""
end

-- An array of entries as moonpod.advisor.messages has them -> the page.
function messages_page.text(messages)
  local lines = { "<!-- Made by ./dev reference from messages.lua and own_*.lua of lua/moonpod/advisor; change those. "
    .. "-->\n", "# Messages", "" }
  add(lines, "What a message means, and what to do: first those of TensorFlow, XLA, JAX and PyTorch/XLA when a program "
    .. "does not run on a TPU, then all of Moonpod's. `pod.explain(text)` finds them in a text, with the figures that "
    .. "stand in it.")
  add(lines, "A message of Moonpod begins with the place in your script and the function that refused, and says what "
    .. "to do. Most belong to a family, which says why that happens and where to look next.")
  for _, entry in ipairs(messages) do
    lines[#lines + 1] = "## " .. entry.name
    lines[#lines + 1] = ""
    if not entry.family then
      add_signs(lines, entry)
    end
    add(lines, "**Cause.** " .. entry.cause)
    add(lines, "**Cure.** " .. entry.cure)
    if entry.family then
      add_signs(lines, entry)
    end
  end
  return table.concat(lines, "\n"):gsub("%s+$", "") .. "\n"
end

return messages_page
