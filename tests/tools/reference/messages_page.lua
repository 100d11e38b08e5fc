-- messages_page - the page of the messages that pod.explain knows.

local render = require "moonpod.help.render"

local messages_page = {}

local WIDTH = 120

local function add(lines, text)
  render.wrap(text, "", nil, lines, WIDTH)
  lines[#lines + 1] = ""
end

local function sign_text(sign)
  return "`" .. (type(sign) == "table" and table.concat(sign, "` … `") or sign) .. "`"
end

-- An array of entries as moonpod.advisor.messages has them -> the page.
function messages_page.text(messages)
  local lines = { "<!-- Made by ./dev reference from messages.lua and own_messages.lua of lua/moonpod/advisor; change "
    .. "those. -->\n", "# Messages", "" }
  add(lines, "What TensorFlow, XLA, JAX and PyTorch/XLA say when a program does not run on a TPU, and what Moonpod "
    .. "says most often: what it means, and what to do. `pod.explain(text)` finds them in a text, with the figures "
    .. "that stand in it.")
  for _, entry in ipairs(messages) do
    lines[#lines + 1] = "## " .. entry.name
    lines[#lines + 1] = ""
    local signs = {}
    for i, sign in ipairs(entry.signs) do
      signs[i] = "- " .. sign_text(sign)
    end
    add(lines, ("Said by %s. Known by:"):format(entry.from))
    lines[#lines + 1] = table.concat(signs, "\n")
    lines[#lines + 1] = ""
    add(lines, "**Cause.** " .. entry.cause)
    add(lines, "**Cure.** " .. entry.cure)
  end
  return table.concat(lines, "\n"):gsub("%s+$", "") .. "\n"
end

return messages_page
