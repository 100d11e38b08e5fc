-- planned_memory - what programs that are trained under a chip's strategy need of its memory.

local tensor = require "moonpod.tensor"

local planned_memory = {}

local peaks = {} -- generation -> most bytes ever seen
local programs = {} -- generation -> the last program that was planned: { need =, fragmentation = }

-- Forgets what was counted: a system that is initialised again begins with empty memory.
function planned_memory.forget()
  peaks, programs = {}, {}
  tensor.counted = tensor.counted and setmetatable({}, { __mode = "k" })
end

-- Remembers what a program needs, by its report.
function planned_memory.note(report)
  peaks[report.chip] = math.max(peaks[report.chip] or 0, report.need_bytes)
  programs[report.chip] = { need = report.need_bytes, fragmentation = report.fragmentation_bytes }
end

-- The most bytes of a chip that were ever in use, `current` of them now, and the last program that was planned.
function planned_memory.of(chip, current)
  peaks[chip] = math.max(peaks[chip] or 0, current)
  return peaks[chip], programs[chip] or { need = current, fragmentation = 0 }
end

return planned_memory
