-- inside - what a sandbox's state begins with: functions that are dumped, and called there one after the other with a
-- table `b` of what they share. They use nothing else of this file.
--
-- All that could leave the sandbox, or run long without an instruction of Lua, is replaced where everybody finds it, by
-- Moonpod's own modules too; a script then gets a table of what is left.

local inside = {}

-- What is kept of the functions that are replaced. b: core, policy, spend, call_host, path.
inside[1] = function(b)
  local G = _G
  b.G, b.pcall, b.load, b.error = G, G.pcall, G.loadstring or G.load, G.error
  b.set_meta, b.get = G.setmetatable, G.rawget
  b.open, b.type = G.io.open, G.type
  b.getinfo, b.collect, b.tonumber, b.metatable = G.debug.getinfo, G.collectgarbage, G.tonumber, G.getmetatable
  b.setfenv, b.tostring, b.select, b.next = G.setfenv, G.tostring, G.select, G.next
  b.any_metatable = G.debug.getmetatable
  b.unpack = G.table.unpack or G.unpack
  b.concat, b.gmatch, b.gsub, b.find = G.table.concat, G.string.gmatch, G.string.gsub, G.string.find
end

-- Errors and finalisers: limits are not swallowed.
inside[2] = function(b)
  local G, spend, pcall, type, rawget, set, error = b.G, b.spend, b.pcall, b.type, b.get, b.set_meta, b.error
  local resume, collect = G.coroutine.resume, b.collect
  local CATCH = 1000 -- what catching an error counts for: it looks at the clock, too

  local function caught(...)
    spend(CATCH)
    return ...
  end

  function G.pcall(...)
    return caught(pcall(...))
  end

  -- The handler of Lua's own runs where no hook looks: this one runs once the error has left the function.
  local function handled(handler, ok, ...)
    spend(CATCH)
    if ok then
      return true, ...
    end
    return false, handler(...)
  end

  function G.xpcall(fn, handler, ...)
    return handled(handler, pcall(fn, ...))
  end

  function G.coroutine.resume(...)
    return caught(resume(...))
  end

  -- Finalisers run where no hook looks.
  function G.setmetatable(t, meta)
    if type(meta) == "table" and rawget(meta, "__gc") ~= nil then
      error("metatables in a sandbox have no __gc", 2)
    end
    return set(t, meta)
  end

  function G.collectgarbage(option, ...)
    if option == nil or option == "collect" or option == "step" then
      spend(collect "count" * 4)
    elseif option ~= "count" then
      error("collectgarbage in a sandbox knows 'collect', 'step' and 'count'", 2)
    end
    return collect(option, ...)
  end
end

-- Functions of C that may run long count what they do.
inside[3] = function(b)
  local G, spend, type, select = b.G, b.spend, b.type, b.select
  local tonumber, rep = b.tonumber, G.string.rep
  local sort, insert, remove, concat, move = G.table.sort, G.table.insert, G.table.remove, b.concat, G.table.move

  local function span(first, last)
    spend(last - first > 0 and last - first or 1)
  end

  function G.tonumber(value, ...)
    if type(value) == "string" then
      spend(#value / 32)
    end
    return tonumber(value, ...)
  end

  function G.string.rep(text, count, separator)
    local each = #text + (separator and #separator or 0)
    if each == 0 then
      return ""
    end
    if type(count) == "number" and count > 0 then
      spend(count * each / 64)
    end
    return rep(text, count, separator)
  end

  function G.table.sort(t, less)
    return sort(t, less or function(x, y)
      return x < y
    end)
  end

  function G.table.insert(t, ...)
    spend(select("#", ...) > 1 and #t / 4 or 1)
    return insert(t, ...)
  end

  function G.table.remove(t, ...)
    spend(select("#", ...) > 0 and #t / 4 or 1)
    return remove(t, ...)
  end

  function G.table.concat(t, separator, first, last)
    span(first or 1, last or #t)
    return concat(t, separator, first, last)
  end

  G.table.move = move and function(t, first, last, ...)
    span(first, last)
    return move(t, first, last, ...)
  end
end

inside[4] = function(b)
  local G, spend, type, unpack = b.G, b.spend, b.type, b.unpack
  local function counted_unpack(t, first, last)
    local count = (last or #t) - (first or 1)
    spend(count > 0 and count or 1)
    return unpack(t, first, last)
  end
  G.table.unpack = G.table.unpack and counted_unpack
  G.unpack = G.unpack and counted_unpack
  G.string.dump = nil
  for name, fn in b.next, G.utf8 or {} do
    if type(fn) == "function" and name ~= "char" then
      G.utf8[name] = function(text, ...)
        spend(type(text) == "string" and #text / 16 or 1)
        return fn(text, ...)
      end
    end
  end
end

-- Text of Lua, and no bytecode.
inside[5] = function(b)
  local G, spend, type, error, setfenv, load = b.G, b.spend, b.type, b.error, b.setfenv, b.load
  local concat, gsub, byte = b.concat, b.gsub, G.string.byte

  local function pieces(fn)
    local list = {}
    for i = 1, 1e6 do
      local piece = fn()
      if piece == nil or piece == "" then
        break
      end
      list[i] = piece
    end
    return concat(list)
  end

  function b.load_text(text, name, within)
    if type(text) == "function" then
      text = pieces(text)
    end
    if type(text) ~= "string" then
      error("a chunk is a text or a function of texts", 2)
    elseif byte(text, 1) == 27 then
      return nil, "a sandbox loads no bytecode"
    end
    spend(#text / 8)
    if not setfenv then
      return load(text, name, "t", within)
    end
    local fn, message = load(text, name)
    if fn then
      setfenv(fn, within)
    end
    return fn, message
  end

  -- By their names, which begin with "@", the core knows Moonpod's modules: those of scripts begin with "=".
  b.env = {}
  function G.load(text, name, mode, within)
    if mode ~= nil and mode ~= "t" and mode ~= "bt" then
      return nil, "a sandbox loads no bytecode"
    end
    name = type(name) == "string" and gsub(name, "^[@=]", "") or "load"
    return b.load_text(text, "=" .. name, within == nil and b.env or within)
  end
  G.loadstring = setfenv and G.load
  for name in b.gmatch("loadfile dofile setfenv getfenv module newproxy jit gcinfo", "%S+") do
    G[name] = nil
  end
end

-- What was printed, and what Moonpod's modules use of the system.
inside[6] = function(b)
  local G, select, tostring, os = b.G, b.select, b.tostring, b.G.os
  local MOST_PRINTED = 65536
  b.printed, b.printed_bytes = {}, 0

  local function note(...)
    for i = 1, select("#", ...) do
      local text = tostring((select(i, ...)))
      if b.printed_bytes + #text <= MOST_PRINTED then
        b.printed[#b.printed + 1] = text
        b.printed_bytes = b.printed_bytes + #text
      end
    end
  end

  local sink = { flush = function() end, setvbuf = function() end }
  function sink.write(self, ...)
    note(...)
    return self
  end
  G.io = { open = b.files.open, stdout = sink, stderr = sink, flush = sink.flush, write = function(...)
    return sink:write(...)
  end }
  G.os = { time = os.time, clock = os.clock, date = os.date, difftime = os.difftime, getenv = function() end,
    remove = b.files.remove, rename = b.files.rename }
  function G.print(...)
    for i = 1, select("#", ...) do
      note(i > 1 and "\t" or "", (select(i, ...)))
    end
    note "\n"
  end
end

-- Modules: Moonpod's own, from where the host finds them.
inside[7] = function(b)
  local G, type, error, getinfo, gmatch, gsub, find = b.G, b.type, b.error, b.getinfo, b.gmatch, b.gsub, b.find
  local open, path, load_text = b.open, b.path, b.load_text
  b.loaded = { _G = G, ["moonpod.core"] = b.core }
  G.package = { loaded = b.loaded, preload = {}, path = "", cpath = "", config = "/\n;\n?\n!\n-\n" }
  G.debug = { getlocal = function() end, getupvalue = function() end, getinfo = function(at, what)
    return getinfo(type(at) == "number" and at + 1 or at, what)
  end, traceback = function(message)
    return message
  end }

  local function read_module(name)
    local embedded = b.module_text and b.module_text(name) -- of an executable that is one file
    if embedded then
      return embedded
    end
    for template in gmatch(path, "[^;]+") do
      local file_name = gsub(template, "%?", (gsub(name, "%.", "/")))
      local file = open(file_name, "rb")
      if file then
        local text = file:read "*a"
        file:close()
        return text
      end
    end
    error("sandbox: there is no module '" .. name .. "'", 0)
  end

  function b.find_module(name)
    if b.loaded[name] == nil then
      if type(name) ~= "string" or not find(name, "^moonpod[%w_.]*$") or find(name, "..", 1, true) then
        error("sandbox: there is no such module", 0)
      end
      local fn, message = load_text(read_module(name), "@" .. gsub(name, "%.", "/") .. ".lua", G)
      if not fn then
        error(message, 0)
      end
      local result = fn(name)
      b.loaded[name] = result == nil and true or result
    end
    return b.loaded[name]
  end
  G["require"] = b.find_module
end

-- What a script has of `pod`: the names of moonpod.sandbox.names, and no others.
inside[8] = function(b)
  local error, gmatch, find, type, set_meta, get, next = b.error, b.gmatch, b.find, b.type, b.set_meta, b.get, b.next
  local view, allowed

  local function field(whole, part, names, name)
    if type(name) ~= "string" or find(name, "^_") then
      return nil
    elseif not names[name] then
      error("a script in a sandbox has no " .. whole .. "." .. name, 3)
    end
    local value, path = part[name], whole .. "." .. name
    return allowed[path] and view(path, value) or value
  end

  function view(whole, part)
    local made, names, meta = {}, {}, b.metatable(part)
    for name in gmatch(allowed[whole], "%S+") do
      names[name] = true
    end
    return set_meta(made, {
      __index = function(_, name)
        local value = field(whole, part, names, name)
        made[name] = value
        return value
      end,
      __call = type(meta) == "table" and get(meta, "__call") and function(_, ...)
        return part(...)
      end or nil,
      __tostring = function()
        return b.tostring(part)
      end,
      __pairs = function()
        for name in next, names do
          made[name] = field(whole, part, names, name)
        end
        return next, made, nil
      end,
      __metatable = "sandbox",
    })
  end

  function b.pod()
    if not b.viewed then
      allowed = b.find_module "moonpod.sandbox.names".allowed
      b.viewed = view("pod", b.find_module "moonpod")
    end
    return b.viewed
  end
end

-- What a script has.
inside[9] = function(b)
  local G, env, error, type, get_info = b.G, b.env, b.error, b.type, b.getinfo

  -- Functions of this file are called through one of a script's own, so that the core sees who called.
  local fence = b.load([[
    local function results(...)
      return ...
    end
    return function(fn)
      return function(...)
        return results(fn(...))
      end
    end]], "=fence")()

  local function given(value)
    return type(value) == "function" and get_info(value, "S").what ~= "C" and fence(value) or value
  end

  local function copy(names, from, to)
    for name in b.gmatch(names, "%S+") do
      to[name] = given(from[name])
    end
    return to
  end

  local function whole(t)
    local made = {}
    for key, value in b.next, t do
      made[key] = given(value)
    end
    return made
  end

  copy("assert error getmetatable ipairs load loadstring next pairs pcall print rawequal rawget rawlen rawset select "
    .. "setmetatable tonumber tostring type unpack xpcall collectgarbage _VERSION", G, env)
  env.string, env.table, env.math, env.coroutine = whole(G.string), whole(G.table), whole(G.math), whole(G.coroutine)
  env.utf8 = G.utf8 and whole(G.utf8) or nil
  env.os = copy("time clock date difftime", G.os, {})
  env._G = env
  env["require"] = function(name)
    if name ~= "moonpod" then
      error("sandbox: scripts require 'moonpod' alone", 2)
    end
    return b.pod()
  end
  b.set_meta(env, { __index = function(_, name)
    if name == "pod" then
      return b.pod()
    end
  end, __metatable = "sandbox" })
  b.metatable("").__metatable = "string"
end

-- Values as they cross: tensors as their buffers, functions of the host as their numbers.
inside[10] = function(b)
  local type, error, next, unpack, select = b.type, b.error, b.next, b.unpack, b.select
  local call_host = b.call_host
  local MARK, FUNCTION = "moonpod.buffer", "moonpod.function"
  local lent

  local function unwrapped(value, lends)
    if type(value) ~= "table" then
      return value
    elseif value[MARK] then
      return b.find_module "moonpod.tensor".from_buffer(value[MARK])
    elseif lends and value[FUNCTION] then
      return lent(value[FUNCTION])
    end
    local made = {}
    for key, one in next, value do
      made[key] = unwrapped(one, lends)
    end
    return made
  end

  local function wrapped(value, level)
    local tensor, readable = b.loaded["moonpod.tensor"], b.loaded["moonpod.base.readable"]
    if type(value) ~= "table" then
      return value
    elseif tensor and tensor.is(value) then
      return { [MARK] = tensor.buffer(value) }
    elseif level > 100 then
      error("tables that are nested deeper than 100 cannot be copied", 0)
    elseif not readable and b.metatable(value) ~= nil or readable and not readable.is_plain(value) then
      error("tables with metatables cannot be copied; give plain tables, numbers, strings and tensors", 0)
    end
    local made = {}
    for key, one in next, value do
      made[key] = wrapped(one, level + 1)
    end
    return made
  end

  local function pack(...)
    local list = { n = select("#", ...), ... }
    for i = 1, list.n do
      list[i] = wrapped(list[i], 0)
    end
    return list
  end

  function lent(number)
    return function(...)
      local arguments = pack(...)
      local results = call_host(number, unpack(arguments, 1, arguments.n))
      for i = 1, results.n do
        results[i] = unwrapped(results[i])
      end
      return unpack(results, 1, results.n)
    end
  end

  b.pack, b.unwrapped = pack, unwrapped
end

-- Runs: returns what the host calls.
inside[11] = function(b)
  local error, next, unpack, concat, pack, unwrapped = b.error, b.next, b.unpack, b.concat, b.pack, b.unwrapped

  return function(what, text, name, arguments)
    if what == "output" then
      local all = concat(b.printed)
      b.printed, b.printed_bytes = {}, 0
      return all
    elseif what == "env" then
      for key, value in next, unwrapped(text, true) do
        b.env[key] = value
      end
      return
    end
    local fn, message = b.load_text(text, name, b.env)
    if not fn then
      error(message, 0)
    end
    arguments = unwrapped(arguments)
    return pack(fn(unpack(arguments, 1, arguments.n)))
  end
end

return inside
