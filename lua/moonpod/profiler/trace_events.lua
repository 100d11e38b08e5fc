-- trace_events - the events of a recording for the trace viewer of a report, as numbers in text, names once; and as a
-- table.

local arrays = require "moonpod.base.tables"
local decimal = require "moonpod.base.decimal"
local tables = require "moonpod.profiler.tables"

local trace_events = {}

local KINDS = { "span", "stage", "instruction", "barrier", "feed", "run", "step" }
local STEP, INSTRUCTION = 7, 3
local VALUES = 8 -- of each event: see profile:events() of the binding

-- The most events that a report has; of more, each thread's newest.
trace_events.MOST = 200000

-- A JSON string within a script of HTML: "<" would end it.
function trace_events.quote(text)
  return '"' .. text:gsub('[%c"\\<>&\127-\255]', function(character)
    return ("\\u%04x"):format(character:byte())
  end) .. '"'
end

-- Numbers of names, given as they are asked for.
local function name_book(recording)
  local book, texts, by_number = {}, {}, {}
  for _, name in ipairs(recording.names) do
    by_number[name.number] = name.text
  end
  return function(kind, name, program, index)
    local one = kind == INSTRUCTION and recording.programs[program] and recording.programs[program][index]
    local key = one and program .. ":" .. index or name > 0 and "n" .. name or "k" .. kind
    if not book[key] then
      local text = one and (one.layer and one.layer .. ": " or "") .. one.kind .. (one.name ~= "" and " " .. one.name
        or "") or by_number[name] or KINDS[kind]
      texts[#texts + 1] = text .. (one and one.location and " (" .. one.location .. ")" or "")
      book[key] = #texts - 1
    end
    return book[key]
  end, texts
end

-- The events of a lane from its newest `most`, as a list of { began, ended, name, part, kind, order } in nanoseconds.
local function read_lane(recorded, lane, count, most, name_of)
  local events, first = {}, math.max(count - most, 0)
  while true do
    local block = recorded:events(lane, first)
    if #block == 0 then
      return events
    end
    for i = 1, #block, VALUES do
      local kind, began = block[i], math.floor(block[i + 6] * 1e9 + 0.5)
      events[#events + 1] = { began, began + math.floor(block[i + 7] * 1e9 + 0.5), kind == STEP and block[i + 4] or
        name_of(kind, block[i + 2], block[i + 3], block[i + 4]), block[i + 1] - 1, kind, #events }
    end
    first = first + #block / VALUES
  end
end

-- What began first; of those that began together what lasts longest, and of those what was recorded last.
local function before(a, b)
  if a[1] ~= b[1] then
    return a[1] < b[1]
  elseif a[2] ~= b[2] then
    return a[2] > b[2]
  end
  return a[6] > b[6]
end

-- "began since the one before, lasted, name, part, depth" of each, and how many there are.
local function packed(events, steps)
  table.sort(events, before)
  local out, open, last = {}, {}, 0
  for _, one in ipairs(events) do
    if (one[5] == STEP) == steps then
      while #open > 0 and open[#open] <= one[1] do
        open[#open] = nil
      end
      out[#out + 1] = ("%.0f,%.0f,%.0f,%.0f,%.0f"):format(one[1] - last, one[2] - one[1], one[3], one[4], #open)
      last, open[#open + 1] = one[1], one[2]
    end
  end
  return table.concat(out, ","), #out
end

local function lane_name(recording, i)
  local lane = recording.lanes[i]
  return lane.name .. ((lane.number > 0 or i ~= recording.main_lane) and " " .. lane.number or "")
end

-- Rows { thread =, kind =, name =, part =, began =, seconds = } of each thread's newest events, in the order in which
-- they began.
function trace_events.rows(recorded, recording)
  local name_of, texts = name_book(recording)
  local each, list, rows = math.floor(trace_events.MOST / math.max(#recording.lanes, 1)), {}, {}
  for i, lane in ipairs(recording.lanes) do
    for _, one in ipairs(read_lane(recorded, i, lane.events, each, name_of)) do
      one.lane, list[#list + 1] = i, one
    end
  end
  table.sort(list, function(a, b)
    if a[1] == b[1] and a.lane ~= b.lane then
      return a.lane < b.lane
    end
    return before(a, b)
  end)
  for i, one in ipairs(list) do
    rows[i] = { thread = lane_name(recording, one.lane), kind = KINDS[one[5]], part = recording.parts[one[4] + 1],
      name = one[5] == STEP and ("step %.0f"):format(one[3]) or texts[one[3] + 1], began = one[1] * 1e-9,
      seconds = (one[2] - one[1]) * 1e-9 }
  end
  return tables.new(rows, { "thread", "kind", "part", "began seconds", "seconds seconds", "name" })
end

-- JSON of all events, and how many of how many there are.
function trace_events.write(recorded, recording, parts)
  local name_of, texts = name_book(recording)
  local lanes, shown, all = {}, 0, 0
  local each = math.floor(trace_events.MOST / math.max(#recording.lanes, 1))
  local function add(name, is_steps, text, count)
    if count > 0 then
      lanes[#lanes + 1] = ('{"name":%s,"steps":%s,"events":[%s]}'):format(trace_events.quote(name), tostring(is_steps),
        text)
      shown = shown + count
    end
  end
  for i, lane in ipairs(recording.lanes) do
    local events = read_lane(recorded, i, lane.events, each, name_of)
    local name = lane_name(recording, i)
    add(i == recording.main_lane and "steps" or "steps of " .. name, true, packed(events, true))
    add(name, false, packed(events, false))
    all = all + lane.events + lane.lost
  end
  local function quoted(list)
    return table.concat(arrays.map(list, trace_events.quote), ",")
  end
  return decimal.format('{"seconds":%.9f,"names":[%s],"parts":[%s],"lanes":[%s]}', recording.seconds, quoted(texts),
    quoted(parts), table.concat(lanes, ",")), shown, all
end

return trace_events
