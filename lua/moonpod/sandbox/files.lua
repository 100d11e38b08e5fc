-- files - what Moonpod's modules use of the system's files in a sandbox: a function that is dumped as those of
-- inside.lua are, and called behind the first of them. Files are found by the core, which keeps to the folder.
--
-- It stands here and not there because the core knows by the file who calls it: these may, whoever has called them.
-- Scripts have none of them.

return function(b)
  local pcall, policy, io_open = b.pcall, b.policy, b.open
  local open_file, remove_file, rename_file = b.core.open_file, b.core.remove_file, b.core.rename_file
  local MOST_OPEN, next, kind, collect = 64, b.next, b.G.io.type, b.collect
  local handles = b.set_meta({}, { __mode = "k" })
  b.files = {}

  -- What a process can have open is its host's, too.
  local function has_too_many()
    local count = 0
    for file in next, handles do
      count = count + (kind(file) == "file" and 1 or 0)
    end
    return count >= MOST_OPEN
  end

  local function outcome(ok, ...)
    if ok then
      return ...
    end
    return nil, (...)
  end

  function b.files.open(name, mode)
    if has_too_many() then
      collect()
      if has_too_many() then
        return nil, "a sandbox has " .. MOST_OPEN .. " files open at most"
      end
    end
    local opened, message, code = outcome(pcall(open_file, policy, name, mode or "r"))
    if not opened then
      return nil, message, code
    end
    local file, failure = io_open(opened:path(), mode)
    opened:close()
    if file then
      handles[file] = true
      b.any_metatable(file).__metatable = "file"
    end
    return file, failure
  end

  function b.files.remove(name)
    return outcome(pcall(remove_file, policy, name))
  end

  function b.files.rename(from, to)
    local ok, message = pcall(rename_file, policy, from, to)
    return ok or nil, not ok and message or nil
  end
end
