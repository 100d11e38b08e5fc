-- page - what a page of a browser asks and is told (web/): requests and answers are texts of JSON. A request has an
-- `id`, which each answer to it has as well, and one of
--   source = "..."                   a cell is run (moonpod.notebook.cell)
--   call = "name", arguments = [..]  a global function is called
-- Answers have `output`, as Jupyter has outputs, and at last `reply`: { status = "ok" or "error", … }, with the first
-- result of a call as `value`.

local cell = require "moonpod.notebook.cell"
local errors = require "moonpod.base.errors"
local json = require "moonpod.base.json"
local schema = require "moonpod.base.schema"

local REQUEST = schema.object { id = schema.text, source = schema.optional(schema.text),
  call = schema.optional(schema.text), arguments = schema.optional(schema.list_of(schema.any)) }

-- Numbers that JSON has not are null there.
local function finite(value)
  if type(value) == "table" then
    local copy = json.is_array(value) and json.array {} or {}
    for key, one in pairs(value) do
      copy[key] = finite(one)
    end
    return copy
  elseif type(value) == "number" and (value ~= value or value == math.huge or value == -math.huge) then
    return json.null
  end
  return value
end

-- Calls within protect(). Returns whether that went well, and the first result, or the error as a text.
local function call(session, request, protect)
  return session:call(protect, function()
    local fn = _G[request.call]
    if type(fn) ~= "function" then
      errors.raise("there is no function '%s' to call: it is %s", request.call, errors.describe(fn))
    end
    return fn((table.unpack or unpack)(request.arguments or {})) -- luacheck: ignore
  end, tostring)
end

-- Makes the function that takes requests; tell(text) gets the answers. protect(fn, handler) is xpcall for what may be
-- interrupted.
return function(tell, protect)
  local session = cell.new { protect = protect }
  return function(text)
    local request = schema.read(text, REQUEST, "the request")
    local function answer(content)
      content.id = request.id
      tell(json.encode(content))
    end
    if request.source then
      answer { reply = session:execute(request.source, function(output)
        answer { output = output }
      end) }
      return
    end
    local ok, result = call(session, request, protect)
    answer { reply = { status = ok and "ok" or "error", value = ok and finite(result) or nil,
      evalue = not ok and result or nil } }
  end
end
