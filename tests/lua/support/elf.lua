-- elf - what binutils say of a program or a library: what it is hardened by.

local executable = require "tests.lua.support.executable"

local elf = {}

-- What a file lacks, as an array of words; empty where it has all.
function elf.weaknesses(path)
  local text, code = executable.shell("readelf -Wldr --dyn-syms " .. executable.quote(path))
  assert(code == 0, text)
  local found = {}
  local function want(what, holds)
    if not holds then
      found[#found + 1] = what
    end
  end
  want("RELRO", text:find "GNU_RELRO")
  want("BIND_NOW", text:find "%(FLAGS_1%)[^\n]*NOW" or text:find "BIND_NOW")
  want("a stack that is no code", text:find "GNU_STACK[^\n]* RW " and not text:find "GNU_STACK[^\n]* RWE")
  want("no code that is written to", not text:find "LOAD[^\n]* RWE" and not text:find "%(TEXTREL%)")
  want("position independence", text:find "%(FLAGS_1%)[^\n]*PIE" or path:find "%.so")
  want("stack protector", text:find "__stack_chk_fail")
  want("FORTIFY", text:find " __%w+_chk[@%s]" and text:gsub("__stack_chk", ""):find "_chk[@%s]")
  for kind, list in text:gmatch "Library (r[un]*path): %[([^%]]*)%]" do
    for folder in (list .. ":"):gmatch "([^:]*):" do
      want(("no folder '%s' in its %s"):format(folder, kind), folder:find "^/" or folder:find "^%$ORIGIN")
    end
  end
  return found
end

return elf
