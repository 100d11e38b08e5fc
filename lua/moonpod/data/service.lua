--- The data service: its dispatcher and its workers in this process, and their keys. See docs/guides/data-service.md.
---@example type(pod.data.service.new_keys) --> "function"

-- service - the roles of the data service; moonpod.data.remote is the consumer's stage.

local dataset = require "moonpod.data.dataset"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"

local service = {}

--- A dispatcher of the data service in this process: it ends with `close()`, or when nothing refers to it any more. As
--- a program of its own it is `moonpod data-dispatcher`.
---@param options.address string where it listens (default "tcp://127.0.0.1:*": any port)
---@param options.state string the file that keeps which splits were given (default: none)
---@param options.keys string the folder that `new_keys` made
--- ```lua
--- local ok, dispatcher = pcall(pod.data.service.dispatcher)
--- if ok then -- not in a build without ZeroMQ
---   assert(dispatcher:listens_at():find "^tcp://127.0.0.1:")
---   dispatcher:close()
--- end
--- ```
function service.dispatcher(options)
  options = errors.check_options(options, { address = "string", state = "string", keys = "string" }, "dispatcher")
  return dataset.call(device.core.service_dispatcher, device.context(), options)
end

--- A worker of the data service in this process; otherwise `moonpod data-worker`.
---@param options.dispatcher string its address
---@param options.address string where consumers reach it
---@param options.keys string the folder that `new_keys` made
---@param options.files string the folder that files must lie in, for all of this process (default: any)
--- ```lua
--- local ok, dispatcher = pcall(pod.data.service.dispatcher)
--- if ok then
---   local worker = pod.data.service.worker { dispatcher = dispatcher:listens_at() }
---   local ds = pod.data.range(4):distribute { service = dispatcher:listens_at(), in_order = true }
---   assert(table.concat(ds:totable(), " ") == "0 1 2 3")
---   worker:close()
---   dispatcher:close()
--- end
--- ```
function service.worker(options)
  options = errors.check_options(options,
    { dispatcher = "string", address = "string", keys = "string", files = "string" }, "worker")
  return dataset.call(device.core.service_worker, device.context(), options)
end

--- Makes a pair of keys for each role (dispatcher, worker, consumer) in a folder that has none. Give each machine the
--- files `.public`, and `.secret` of its own role.
---@param folder string is made where there is none
--- ```lua
--- local folder = os.tmpname()
--- os.remove(folder)
--- pcall(pod.data.service.new_keys, folder)
--- ```
function service.new_keys(folder)
  errors.check_type(folder, "string", "new_keys", "the folder")
  dataset.call(device.core.service_keys, device.context(), folder)
end

return service
