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

local function add_signs(lines, entry)
  add(lines, ("Said by %s. Known by:"):format(entry.from))
  for _, sign in ipairs(entry.signs) do
    render.wrap("- " .. sign_text(sign), "  ", "", lines, WIDTH)
  end
  lines[#lines + 1] = ""
end

-- An array of entries as moonpod.advisor.messages has them -> the page.
function messages_page.text(messages)
  local lines = { "<!-- Made by ./dev reference from lua/moonpod/advisor/messages.lua; change that. -->\n",
    "# Messages", "" }
  add(lines, "What TensorFlow, XLA, JAX and PyTorch/XLA say when a program does not run on a TPU, what it means, and "
    .. "what to do. `pod.explain(text)` finds these messages in a text, with the figures that stand in it. What "
    .. "Moonpod itself says has its cause and its cure in the message.")
  for _, entry in ipairs(messages) do
    lines[#lines + 1] = "## " .. entry.name
    lines[#lines + 1] = ""
    add_signs(lines, entry)
    add(lines, "**Cause.** " .. entry.cause)
    add(lines, "**Cure.** " .. entry.cure)
  end
  return table.concat(lines, "\n"):gsub("%s+$", "") .. "\n"
end

return messages_page
