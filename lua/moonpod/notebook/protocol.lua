-- protocol - answers messages of Jupyter: says that it is busy, asks who answers a message of that type, and says that
-- it is idle. Sockets, signatures and headers are the business of `wire`, whose functions are of C (notebooks/kernel):
--   reply(type, content)              to whoever has asked; contents are texts of JSON
--   publish(type, content [, parent]) to all front ends; parent: the header that it belongs to, that of the request
--                                     where none is given
--   log(text)                         a line for who looks after the kernel
--   leave(restart)                    the kernel ends when what runs has ended
--   interrupt()                       ends what a cell runs, as Ctrl-C does

local json = require "moonpod.base.json"
local schema = require "moonpod.base.schema"
local tables = require "moonpod.base.tables"
local texts = require "moonpod.base.texts"

local protocol = {}

local Protocol = {}
Protocol.__index = Protocol

-- Front ends that write "5.4" know all that is said here.
local VERSION = "5.4"

-- Makes what answers. handlers: type -> function(self, content, header), which replies. about: version, lua (versions),
-- banner.
function protocol.new(wire, handlers, about)
  return setmetatable({ wire = wire, handlers = tables.merge(protocol.handlers, handlers), about = about }, Protocol)
end

-- The function that answers for a thread that has handlers of the protocol alone.
function protocol.answerer(wire, about)
  local self = protocol.new(wire, {}, about)
  return function(...)
    self:answer(...)
  end
end

local function clean(value)
  if type(value) == "string" then
    return texts.clean(value)
  elseif type(value) ~= "table" or value == json.null then
    return value
  end
  local copy = json.is_array(value) and json.array() or {}
  for key, one in pairs(value) do
    copy[clean(key)] = clean(one)
  end
  return copy
end

-- A content as a text of JSON, whatever bytes its texts have.
function protocol.encode(content)
  local ok, text = pcall(json.encode, content)
  return ok and text or json.encode(clean(content))
end

function Protocol:reply(kind, content)
  self.wire.reply(kind, protocol.encode(content))
end

function Protocol:publish(kind, content, parent)
  self.wire.publish(kind, protocol.encode(content), parent)
end

local PART = schema.object {}
local HEADER = schema.object { msg_type = schema.text }

-- A part of a message as a table; nil and what is wrong.
function protocol.decode(text, kind)
  local ok, value = pcall(schema.read, text, kind, "JSON")
  return ok and value or nil, not ok and tostring(value) or nil
end

function Protocol:drop(what, ...)
  self.wire.log("a message is dropped: " .. what:format(...))
end

local function describe_failure(failure)
  return debug.traceback(tostring(failure), 2)
end

-- Answers a message whose parts are texts of JSON; one that is none of the protocol's is dropped.
function Protocol:answer(header_text, parent_text, metadata_text, content_text)
  local header, wrong = protocol.decode(header_text, HEADER)
  if not header then
    return self:drop("its header: %s", wrong)
  end
  local parts = {}
  for name, text in pairs { parent = parent_text, metadata = metadata_text, content = content_text } do
    parts[name], wrong = protocol.decode(text, PART)
    if not parts[name] then
      return self:drop("its %s: %s", name, wrong)
    end
  end
  local handler = self.handlers[header.msg_type]
  if not handler then
    return self:drop("nothing is known of %s", header.msg_type:sub(1, 60))
  end
  self.header = header_text
  self:publish("status", { execution_state = "busy" })
  local ok, failure = xpcall(function()
    handler(self, parts.content, header)
  end, describe_failure)
  if not ok then
    self.wire.log(("%s failed: %s"):format(header.msg_type, failure))
    local kind = header.msg_type:match "^(.*)_request$"
    if kind then
      self:reply(kind .. "_reply", { status = "error", ename = "Error", evalue = tostring(failure),
        traceback = json.array() })
    end
  end
  self:publish("status", { execution_state = "idle" })
end

-- A field of a request; what is of another type than the default counts as missing.
function protocol.field(content, name, default)
  local value = content[name]
  if type(value) ~= type(default) then
    return default
  end
  return value
end

-- ---- what both threads answer ------------------------------------------------------------------------------

protocol.handlers = {}

function protocol.handlers.kernel_info_request(self)
  self:reply("kernel_info_reply", { status = "ok", protocol_version = VERSION, implementation = "moonpod",
    implementation_version = self.about.version, banner = self.about.banner, debugger = false,
    supported_features = json.array(), help_links = json.array(), language_info = { name = "lua",
      version = self.about.lua, mimetype = "text/x-lua", file_extension = ".lua", pygments_lexer = "lua",
      codemirror_mode = "lua", nbconvert_exporter = "script" } })
end

function protocol.handlers.interrupt_request(self)
  self.wire.interrupt()
  self:reply("interrupt_reply", { status = "ok" })
end

function protocol.handlers.shutdown_request(self, content)
  local answer = { status = "ok", restart = protocol.field(content, "restart", false) }
  self:reply("shutdown_reply", answer)
  self:publish("shutdown_reply", answer)
  self.wire.leave()
end

-- ---- the connection file ------------------------------------------------------------------------------------

local PORTS = { "shell", "iopub", "stdin", "control", "hb" }

local CONNECTION = { ip = schema.optional(schema.text), key = schema.optional(schema.text),
  transport = schema.optional(schema.either(schema.constant "tcp", schema.constant "ipc")),
  signature_scheme = schema.optional(schema.constant "hmac-sha256") }
for _, name in ipairs(PORTS) do
  CONNECTION[name .. "_port"] = schema.integer(1, 65535)
end
CONNECTION = schema.object(CONNECTION)

-- Where the kernel listens: { key =, shell = endpoint, iopub =, stdin =, control =, hb = } of a connection file's text.
function protocol.connection(text)
  local file, wrong = protocol.decode(text, CONNECTION)
  if not file then
    error("the connection file: " .. wrong, 0)
  end
  local transport, ip = file.transport or "tcp", file.ip or "127.0.0.1"
  local found = { key = file.key or "" }
  for _, name in ipairs(PORTS) do
    local port = file[name .. "_port"]
    local host = transport == "tcp" and ip:find(":", 1, true) and not ip:find "^%[" and "[" .. ip .. "]" or ip
    found[name] = ("%s://%s%s%d"):format(transport, host, transport == "tcp" and ":" or "-", port)
  end
  return found
end

return protocol
