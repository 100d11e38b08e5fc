-- A callback that sends the logs of each epoch to a server, as Keras' RemoteMonitor does: HTTP over libuv (Debian's
-- package lua-luv). Shows pod.callbacks.subclass: a class with setup and hooks, instances with fields of their own.
-- Without a server's address it sends to one of its own on the loopback, and prints a line a message that came in.
--
--   moonpod examples/remote_monitor.lua [epochs=3] [rows=2000] [seed=1] [http://127.0.0.1:9000]

pcall(dofile, ((arg and arg[0] or ""):match "^.*/" or "") .. "find_moonpod.lua") -- in a checkout
local pod = require "moonpod"

local has_luv, uv = pcall(require, "luv")
if not has_luv then
  error("this example needs libuv for Lua: apt-get install lua-luv", 0)
end

local epochs, rows, seed, root = ...
epochs, rows, seed = tonumber(epochs or 3), tonumber(rows or 2000), tonumber(seed or 1)

-- ---- the callback ---------------------------------------------------------------------------------------------------

-- { epoch = 0, loss = 0.5 } as JSON, with sorted keys.
local function to_json(values)
  local keys, parts = {}, {}
  for key in pairs(values) do
    keys[#keys + 1] = key
  end
  table.sort(keys)
  for i, key in ipairs(keys) do
    parts[i] = ('"%s": %.17g'):format(key, values[key])
  end
  return "{" .. table.concat(parts, ", ") .. "}"
end

local function url_encoded(text)
  return (text:gsub("[^%w%-._~]", function(byte)
    return ("%%%02X"):format(byte:byte())
  end))
end

-- Sends bytes and waits for the first of an answer, or for `seconds`. Returns the answer, or nil.
local function ask(host, port, bytes, seconds)
  local socket, timer, answer, done = uv.new_tcp(), uv.new_timer(), nil, false
  local function stop()
    done = true
  end
  timer:start(seconds * 1000, 0, stop)
  socket:connect(host, port, function(failure)
    if failure then
      return stop()
    end
    socket:write(bytes)
    socket:read_start(function(_, chunk)
      answer = chunk
      stop()
    end)
  end)
  while not done do
    uv.run "once"
  end
  socket:close()
  timer:close()
  uv.run "nowait"
  return answer
end

-- Options as Keras': root, path, field, headers (a table), send_as_json.
local RemoteMonitor = pod.callbacks.subclass {
  name = "remote_monitor",
  setup = function(self, options)
    options = options or {}
    self.root, self.path = options.root or "http://127.0.0.1:9000", options.path or "/publish/epoch/end/"
    self.field, self.headers = options.field or "data", options.headers or {}
    self.send_as_json = options.send_as_json
    self.host, self.port = self.root:match "^http://([%d.]+):(%d+)$"
    assert(self.host, "root must be such as http://127.0.0.1:9000")
  end,
  on_epoch_end = function(self, epoch, logs)
    local values = { epoch = epoch }
    for name, value in pairs(logs) do
      values[name] = value
    end
    local body, kind = to_json(values), "application/json"
    if not self.send_as_json then
      body, kind = self.field .. "=" .. url_encoded(body), "application/x-www-form-urlencoded"
    end
    local lines = { "POST " .. self.path .. " HTTP/1.1", "Host: " .. self.host, "Content-Type: " .. kind,
      "Content-Length: " .. #body, "Connection: close" }
    for name, value in pairs(self.headers) do
      lines[#lines + 1] = name .. ": " .. value
    end
    if not ask(self.host, tonumber(self.port), table.concat(lines, "\r\n") .. "\r\n\r\n" .. body, 5) then
      io.stderr:write("Could not reach RemoteMonitor root server at ", self.root, "\n")
    end
  end,
}

-- ---- a server on the loopback ---------------------------------------------------------------------------------

local server
if not root then
  server = uv.new_tcp()
  server:bind("127.0.0.1", 0)
  server:listen(8, function()
    local client, text = uv.new_tcp(), ""
    server:accept(client)
    client:read_start(function(_, chunk)
      text = text .. (chunk or "")
      local head, body = text:match "^(.-)\r\n\r\n(.*)$"
      if head and #body == tonumber(head:match "Content%-Length: (%d+)") then
        print(head:match "^[^\r]*" .. " " .. body:gsub("%%(%x%x)", function(hex)
          return string.char(tonumber(hex, 16))
        end))
        client:write "HTTP/1.1 204 No Content\r\n\r\n"
        client:shutdown(function() client:close() end)
      elseif not chunk then
        client:close()
      end
    end)
  end)
  root = "http://127.0.0.1:" .. server:getsockname().port
end

-- ---- training -------------------------------------------------------------------------------------------------

pod.random.set_seed(seed)
local x = pod.random.normal { rows, 8 }
local y = pod.tanh(x:at ":, 0:1" * 2 - x:at ":, 3:4")
local model = pod.models.sequential {
  pod.layers.dense(16, { activation = "relu", input_shape = { 8 } }),
  pod.layers.dense(1),
}
model:compile { optimizer = "adam", loss = "mse" }
model:fit(x, y, { epochs = epochs, verbose = 0, validation_split = 0.2, callbacks = {
  RemoteMonitor { root = root }, RemoteMonitor { root = root, send_as_json = true, path = "/json/" } } })

if server then
  server:close()
  uv.run "nowait"
end
