-- terminal - a process on a terminal of its own, and what is seen there: a server of tmux for it alone. tmux is what
-- decides what a terminal shows; nothing of ours does.

local executable = dofile "tests/lua/support/executable.lua"

local terminal = {}
terminal.__index = terminal

local quote = executable.quote
local count = 0

local function read(command)
  local pipe = assert(io.popen(command .. " 2>&1"))
  local text = pipe:read "*a"
  pipe:close()
  return text
end

function terminal.exists()
  return read "command -v tmux" ~= ""
end

function terminal:tmux(arguments)
  return read(("tmux -S %s -f /dev/null %s"):format(quote(self.folder .. "/socket"), arguments))
end

-- Starts a command of the shell. `options`: columns, rows, environment = { NAME = value }. Its HOME is empty.
function terminal.start(command, options)
  options = options or {}
  count = count + 1
  local folder = read("mktemp -d"):match "%S+"
  local self = setmetatable({ folder = folder }, terminal)
  local words = { "HOME=" .. quote(folder), "LC_ALL=C.UTF-8", "PS1='$ '" }
  for name, value in pairs(options.environment or {}) do
    words[#words + 1] = name .. "=" .. quote(value)
  end
  table.sort(words)
  local script = assert(io.open(folder .. "/script", "w"))
  script:write("export ", table.concat(words, " "), "\ntrap : INT\n", command, "\n")
  script:close()
  self:tmux(("new-session -d -x %d -y %d %s"):format(options.columns or 80, options.rows or 24,
    quote("trap : INT; sh " .. folder .. "/script; echo ended with $?; sleep 1000")))
  return self
end

-- The rows that are seen, without spaces at their ends and empty rows at the end.
function terminal:screen(flags)
  local text = self:tmux("capture-pane -p " .. (flags or "")):gsub("[ \t]+\n", "\n")
  return (text:gsub("\n*$", ""))
end

function terminal:cursor()
  local x, y = self:tmux("display-message -p '#{cursor_x} #{cursor_y}'"):match "(%d+) (%d+)"
  return tonumber(x), tonumber(y)
end

local PATIENCE = 60 -- seconds: a busy machine is waited for, and only what never comes takes so long

-- Waits until `is_there`, called with what is seen, gives something true, which is returned; nil, and what is seen,
-- where that never comes.
function terminal:wait_until(is_there)
  local before = os.time()
  while true do
    local seen = self:screen()
    local got = is_there(seen)
    if got or os.time() - before > PATIENCE then
      return got, seen
    end
    os.execute "sleep 0.02"
  end
end

-- Waits until what is seen contains a text; returns it. An error with what was seen where that never comes.
function terminal:wait_for(text)
  local got, seen = self:wait_until(function(now) return now:find(text, 1, true) end)
  return got and seen or error(("%q was not seen, but\n%s"):format(text, seen), 2)
end

-- Waits until the screen's last rows are these.
function terminal:wait_for_end(text)
  local got, seen = self:wait_until(function(now) return ("\n" .. now):sub(-#text - 1) == "\n" .. text end)
  return got and seen or error(("the screen does not end in\n%s\nbut is\n%s"):format(text, seen), 2)
end

-- Enters a loop that does not end, and waits until it runs.
function terminal:enter_endless(loop)
  self.begun = (self.begun or 0) + 1
  self:type(("print('begun' .. %d) "):format(self.begun) .. loop)
  self:keys "Enter"
  self:wait_for("\nbegun" .. self.begun)
end

-- Types a text.
function terminal:type(text)
  self:tmux("send-keys -l -- " .. quote((text:gsub(";$", "\\;")))) -- tmux would take it for its own
end

-- Presses keys by tmux' names: "Enter", "C-a", "Up".
function terminal:keys(...)
  self:tmux("send-keys " .. table.concat({ ... }, " "))
end

-- Pastes a text as a terminal does, marked where the program asked for it.
function terminal:paste(text)
  local name = self.folder .. "/paste"
  local file = assert(io.open(name, "wb"))
  file:write(text)
  file:close()
  self:tmux("load-buffer " .. quote(name))
  self:tmux "paste-buffer -p -r"
end

function terminal:resize(columns, rows)
  self:tmux(("resize-window -x %d -y %d"):format(columns, rows))
end

function terminal:close()
  self:tmux "kill-server"
  os.execute("rm -r " .. quote(self.folder))
end

return terminal
