-- datasets_text - texts of the system's packages.

local data = require "moonpod.data"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local datasets_files = require "moonpod.datasets.files"
local texts = require "moonpod.base.texts"

local text = {}

local PACKAGE = "bible-kjv"
local VERSES = 31102

-- The program that prints the text: its file is compressed in a form of its own.
local function run(directory)
  local program, options = "bible", ""
  device.locate "/usr/bin/bible" -- a host that keeps to one folder runs no programs
  if directory and datasets_files.is_there(directory .. "/usr/bin/bible") then
    program = texts.shell_word(directory .. "/usr/bin/bible")
    options = " -p " .. texts.shell_word(directory .. "/usr/lib")
  end
  local ok, pipe = pcall(io.popen, program .. options .. " -f gen1:1-rev22:21 </dev/null 2>/dev/null", "r")
  local content = ok and pipe and pipe:read "*a" or ""
  if ok and pipe then
    pipe:close()
  end
  return content, program
end

--- The King James Bible, a verse a line: a string of 4.2 million bytes, and a dataset of the lines, whose field
--- `source` says what was read. Options: references (false: "Ge1:1 " is left out at the beginning of lines), directory
--- (where Debian's packages bible-kjv and bible-kjv-text were unpacked; MOONPOD_DATASETS).
--- ```lua
--- local ok, text, verses = pcall(pod.datasets.kjv_text) -- Debian's packages bible-kjv and bible-kjv-text have it
--- assert(not ok or #text > 4e6 and verses:cardinality() == 31102)
--- ```
function text.kjv_text(options)
  options = errors.check_options(options, { references = true, directory = true }, "datasets.kjv_text")
  local content, program = run(options.directory or os.getenv "MOONPOD_DATASETS")
  local lines = {}
  for line in content:gmatch "[^\n]+" do
    lines[#lines + 1] = options.references and line or line:gsub("^%S+ ", "", 1)
  end
  if #lines ~= VERSES then
    errors.raise("datasets.kjv_text: %s prints %d verses instead of %d. It is part of Debian's package %s:\n"
      .. "  apt-get install %s %s-text", program, #lines, VERSES, PACKAGE, PACKAGE, PACKAGE)
  end
  local set = data.from_texts(lines)
  set.source = ("King James Bible: %d verses, printed by %s (package %s)"):format(#lines, program, PACKAGE)
  return table.concat(lines, "\n") .. "\n", set
end

return text
