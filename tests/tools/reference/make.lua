#!/usr/bin/env lua5.4
--[[
make.lua ROOT [--check | FILE] - writes docs/reference/ from the comments of lua/moonpod and of the public headers;
with --check it writes nothing and prints which files are not what would be written; with a name of a file, as the build
calls it, it writes what editors read. With the paths of ./dev run.
]]

local root, check, library = arg[1] or ".", arg[2] == "--check", arg[2] ~= "--check" and arg[2]
package.path = root .. "/tests/tools/reference/?.lua;" .. package.path

local pod = require "moonpod"
local entries = require "entries"
local headers = require "headers"
local luacats = require "luacats"
local markdown = require "markdown"
local messages_page = require "messages_page"

local function read(path)
  local file = io.open(path, "rb")
  local text = file and file:read "*a"
  if file then
    file:close()
  end
  return text
end

local HEADERS = { "status.h", "tensor.h", "graph.h", "builders.h", "program.h", "exported.h", "replicate.h", "data.h",
  "dataset.h", "stages.h", "iterator.h", "image.h", "formats.h", "events.h", "exchange.h", "profile.h", "chip.h",
  "tpu.h", "advise.h", "compatibility.h" }

local function write(path, text)
  local file = assert(io.open(path, "wb"))
  assert(file:write(text))
  assert(file:close())
end

local pages, classes = entries.read(pod)
if library then
  write(library, luacats.text(entries.PAGES, pages, classes))
  os.exit(true)
end
local files = markdown.pages(entries.PAGES, pages, classes)
files["c.md"] = headers.page(HEADERS, function(name)
  return assert(read(root .. "/core/include/moonpod/" .. name), name)
end)

files["messages.md"] = messages_page.text(require "moonpod.advisor.messages")

local texts = {}
for name, text in pairs(files) do
  texts["docs/reference/" .. name] = text
end

local failed = false
for path, text in pairs(texts) do
  if read(root .. "/" .. path) ~= text then
    if check then
      print(path)
      failed = true
    else
      write(root .. "/" .. path, text)
    end
  end
end
os.exit(not failed)
