-- Neovim: a timer gives the training time while the editor is used.

local task = dofile(os.getenv "MOONPOD_TASK")
local model, run = task.begin()
local timer = vim.loop.new_timer()
local ticks = 0

timer:start(0, 1, vim.schedule_wrap(function()
  if timer:is_closing() then
    return
  end
  ticks = ticks + 1
  local ok, more = pcall(run.step, run, { ms = 2 })
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { tostring(run:progress()) })
  if not ok or not more then
    timer:close()
    io.stdout:write(ok and task.tell(model, run) or tostring(more), "\n", ticks, " ticks\n")
    vim.cmd(ok and "qall!" or "cquit")
  end
end))
