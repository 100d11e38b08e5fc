--[[
web_page.lua OUTPUT PAGE WASM SCRIPT... - writes moonpod.js: PAGE with the scripts of the worker, one after the other,
in the place of @WORKER@, and with the bytes of WASM in that of @WASM@.
]]

local output, page, wasm = arg[1], arg[2], arg[3]

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read "a"
  file:close()
  return text
end

local ESCAPES = { ["\n"] = "\\n", ["\r"] = "\\r", ['"'] = '\\"', ["\\"] = "\\\\" }

-- A text within quotes, also within a page: no "</script>" ends what it stands in.
local function quoted(text)
  return (text:gsub('[\n\r"\\]', ESCAPES):gsub("</", "<\\/"))
end

package.path = arg[0]:gsub("cmake/web_page%.lua$", "lua/?.lua;") .. package.path
local base64 = require "moonpod.base.base64"

local worker = {}
for i = 4, #arg do
  worker[#worker + 1] = read(arg[i])
end
local parts = { WORKER = quoted(table.concat(worker, "\n")), WASM = base64.encode(read(wasm)) }
local file = assert(io.open(output, "wb"))
assert(file:write((read(page):gsub("@(%u+)@", parts))))
assert(file:close())
