-- execute - runs the cells of a notebook, and puts what comes of them into it.

local cell = require "moonpod.notebook.cell"
local document = require "moonpod.notebook.document"
local json = require "moonpod.base.json"

local execute = {}

-- Adds an output to those of a cell. shown: id of a display -> outputs that have it.
local function add(outputs, output, shown)
  local last, id = outputs[#outputs], output.transient and output.transient.display_id
  if output.output_type == "stream" and last and last.output_type == "stream" and last.name == output.name then
    last.text = last.text .. output.text
    return
  elseif output.output_type == "update_display_data" then
    for _, one in ipairs(shown[id] or {}) do
      one.data, one.metadata = output.data, output.metadata
    end
    return
  end
  local kept = {}
  for name, value in pairs(output) do
    kept[name] = name ~= "transient" and value or nil
  end
  if kept.traceback then
    json.array(kept.traceback)
  end
  outputs[#outputs + 1] = kept
  if id then
    shown[id] = shown[id] or {}
    table.insert(shown[id], kept)
  end
end

local function clear(one)
  for _, each in ipairs(one.cells) do
    if each.cell_type == "code" then
      each.outputs, each.execution_count = json.array {}, json.null
    end
  end
end

-- Runs all cells of code; their outputs and numbers are new. options: allow_errors (goes on behind an error, as it does
-- behind one of a cell with the tag "raises-exception"), watch(cell) before each cell, and watch(cell, output). Returns
-- how many cells ran, and where it stopped: { place =, number = execution_count, line =, reply = }, else nil.
function execute.run(one, options)
  options = options or {}
  local session, shown, count = cell.new {}, {}, 0
  clear(one)
  for place, each in ipairs(one.cells) do
    if options.watch then
      options.watch(each)
    end
    if each.cell_type == "code" and each.source:find "%S" then
      count = count + 1
      local reply = session:execute(each.source, function(output)
        add(each.outputs, output, shown)
        if options.watch then
          options.watch(each, output)
        end
      end)
      each.execution_count = reply.execution_count
      local may_fail = options.allow_errors or document.has_tag(each, "raises-exception")
      if reply.status == "error" and (not may_fail or reply.ename == "Interrupted") then
        return count, { place = place, number = reply.execution_count, line = reply.line, reply = reply }
      end
    end
  end
  return count
end

return execute
