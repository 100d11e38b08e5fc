-- graph - a graph in layers, as a scene and as text: each node below all that it reads.

local scene = require "moonpod.plot.scene"
local tables = require "moonpod.base.tables"
local text_table = require "moonpod.base.text_table"

local graph = {}

local SIZE, BIG, GAP_X, GAP_Y, LINE = 11, 13, 28, 34, 16

-- Puts nodes { name =, inputs = { names }, lines = { texts } } into rows, each a list of boxes { node = }. Edges that
-- pass a row have a place in it, too.
local function rows_of(nodes)
  local by_name, rows = {}, {}
  local function add(box, depth)
    rows[depth] = rows[depth] or {}
    table.insert(rows[depth], box)
    box.depth = depth
  end
  for _, node in ipairs(nodes) do -- what a node reads stands before it
    local depth = 1
    for _, name in ipairs(node.inputs) do
      depth = math.max(depth, by_name[name] and by_name[name].depth + 1 or 1)
    end
    local box = { node = node, from = {} }
    by_name[node.name] = box
    add(box, depth)
    for _, name in ipairs(node.inputs) do
      local source = by_name[name]
      for between = source and source.depth + 1 or depth, depth - 1 do
        local knee = { from = { source } }
        add(knee, between)
        source = knee
      end
      box.from[#box.from + 1] = source
    end
  end
  return rows
end

local function measure(box)
  box.width, box.height = 6, LINE
  if box.node then
    for i, text in ipairs(box.node.lines) do
      box.width = math.max(box.width, scene.text_width(text, i == 1 and BIG * 1.1 or SIZE) + 22)
    end
    box.height = #box.node.lines * LINE + 12
  end
end

-- Boxes of a row in the order of what they read, so that few edges cross.
local function sort_row(row)
  for i, box in ipairs(row) do
    local sum = 0
    for _, source in ipairs(box.from) do
      sum = sum + source.x
    end
    box.key, box.place = #box.from > 0 and sum / #box.from or i * 50, i
  end
  table.sort(row, function(a, b)
    if a.key ~= b.key then
      return a.key < b.key
    end
    return a.place < b.place
  end)
end

-- Gives each box its middle x and its top y. Returns width and height of all.
local function place(rows)
  local total, top = 0, 14
  for _, row in ipairs(rows) do
    local width = -GAP_X
    for _, box in ipairs(row) do
      measure(box)
      width = width + box.width + GAP_X
    end
    row.width = width
    total = math.max(total, width)
  end
  for _, row in ipairs(rows) do
    local x, height = (total - row.width) / 2 + 14, 0
    for _, box in ipairs(row) do
      box.x = x
    end
    sort_row(row)
    for _, box in ipairs(row) do
      box.x, box.y, x = x + box.width / 2, top, x + box.width + GAP_X
      height = math.max(height, box.height)
    end
    for _, box in ipairs(row) do
      box.height = box.node and box.height or height -- what passes a row goes straight down beside its boxes
    end
    top = top + height + GAP_Y
  end
  return total + 28, top - GAP_Y + 14
end

local function draw_edges(drawing, box)
  for _, source in ipairs(box.from) do
    local y = source.node and source.y + source.height or source.y
    drawing:line(source.x, y, box.x, box.y, "muted", 1.4)
  end
  if box.node and #box.from > 0 then
    drawing:path { lines = { { box.x - 4, box.y - 7, box.x + 4, box.y - 7, box.x, box.y } }, fill = "muted",
      closed = true }
  elseif not box.node then
    drawing:line(box.x, box.y, box.x, box.y + box.height, "muted", 1.4)
    box.y = box.y + box.height
  end
end

-- Draws a graph { title =, nodes = }.
function graph.scene(one)
  local rows = rows_of(one.nodes)
  local width, height = place(rows)
  local top = one.title ~= "" and 30 or 0
  local least = one.title ~= "" and scene.text_width(one.title, 16.5) + 34 or 0
  local drawing = scene.new(math.max(width, least), height + top, one.title, ("A graph of %d nodes"):format(#one.nodes))
  local shift = (drawing.width - width) / 2
  drawing:heading(one.title)
  local boxes = {}
  for _, row in ipairs(rows) do
    tables.extend(boxes, row)
  end
  for _, box in ipairs(boxes) do
    box.x, box.y = box.x + shift, box.y + top
  end
  for _, box in ipairs(boxes) do
    draw_edges(drawing, box)
  end
  for _, box in ipairs(boxes) do
    if box.node then
      drawing:rect { x = box.x - box.width / 2, y = box.y, width = box.width, height = box.height, fill = "panel",
        stroke = "1", thick = 1.2, radius = 5 }
      for i, text in ipairs(box.node.lines) do
        drawing:text { x = box.x, y = box.y + i * LINE + 2, text = text, anchor = "middle",
          size = i == 1 and BIG or SIZE, bold = i == 1, fill = i == 1 and "ink" or "muted" }
      end
    end
  end
  return drawing
end

-- The nodes as lines: name, what is said of it, and what it reads.
function graph.text(one)
  local rows = tables.map(one.nodes, function(node)
    return { node.lines[1], table.concat(node.lines, ", ", 2), #node.inputs > 0
      and "from " .. table.concat(node.inputs, ", ") or "" }
  end)
  local out = text_table.lines(rows, { { align = "left" } })
  for i, line in ipairs(out) do
    out[i] = line:gsub("%s+$", "")
  end
  if one.title ~= "" then
    table.insert(out, 1, one.title)
  end
  return out
end

return graph
