-- Pandoc: a filter in which the text of a document is what a model predicts.

local task = dofile(os.getenv "MOONPOD_TASK")
local model, run = task.begin()

function Para() -- luacheck: ignore
  while run:step { ms = 2 } do end
  return pandoc.Para { pandoc.Str(task.tell(model, run)) } -- luacheck: ignore
end
