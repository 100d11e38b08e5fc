-- kinds - how charts are read.

local bars = require "moonpod.plot.bars"
local chart_scene = require "moonpod.plot.chart_scene"
local description = require "moonpod.plot.description"
local graph = require "moonpod.plot.graph"
local heat_scene = require "moonpod.plot.heat_scene"
local heat_text = require "moonpod.plot.heat_text"
local lines = require "moonpod.plot.lines"
local picture = require "moonpod.plot.picture"
local terminal = require "moonpod.plot.terminal"

local function as_text(draw)
  return function(one, options)
    return table.concat(draw(one, terminal.options(options)), "\n")
  end
end

description.define("chart", { scene = chart_scene.draw, text = as_text(function(one, options)
  return (one.x.labels and bars or lines).draw(one, options)
end) })

description.define("heat_map", { scene = heat_scene.draw, text = as_text(heat_text.draw) })

description.define("pictures", { scene = picture.scene, text = as_text(picture.text) })

description.define("graph", { scene = graph.scene, text = as_text(graph.text) })
