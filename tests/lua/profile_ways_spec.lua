-- Ways into a profile besides pod.profiler: moonpod --profile, SIGUSR1, disks that are full, folders that nobody may
-- write into, and a kill in the middle.

local executable = require "tests.lua.support.executable"
local terminal = require "tests.lua.support.terminal"
local files = require "tests.lua.support.files"

local read, temporary = files.read, files.temporary

local TRAIN = [[
local x, y = pod.random.uniform { 256, 8 }, pod.random.uniform { 256, 1 }
local data = pod.data.from_tensor_slices { x, y }:batch(8)
local model = pod.models.sequential { pod.layers.dense(4), pod.layers.dense(1) }
model:compile { optimizer = "sgd", loss = "mse" }
]]

-- Runs a script with words of the shell before and behind the program; gives what it wrote, its exit code and the
-- folder to `check`, after which the folder is removed.
local function run(source, check, before, after)
  local folder = temporary()
  executable.with_script(source, function(path)
    local text, code = executable.shell(("%s %s --profile %s %s %s"):format(before or "",
      executable.quote(executable.program), folder, path, after or ""))
    local ok, failure = pcall(check, text, code, folder)
    executable.shell("rm -rf " .. folder .. "*")
    assert(ok, failure)
  end)
end

describe("moonpod --profile", function()
  it("writes a profile of the script", function()
    run(TRAIN .. "model:fit(data, { verbose = 0, epochs = 2 })", function(text, code, folder)
      assert.equal(0, code, text)
      assert.is_truthy(text:find "64 steps recorded", text)
      assert.is_true(#text < 500, text)
      assert.is_truthy(read(folder .. "/overview.txt"):find "64 steps in")
      assert.is_truthy(read(folder .. "/trace.json"):find "traceEvents")
    end)
  end)

  it("also of one that raises, or exits", function()
    run(TRAIN .. "model:fit(data, { verbose = 0 }) error 'on purpose'", function(text, code, folder)
      assert.equal(1, code, text)
      assert.is_truthy(text:find "on purpose")
      assert.is_truthy(read(folder .. "/overview.txt"):find "32 steps in")
    end)
    run(TRAIN .. "model:fit(data, { verbose = 0 }) os.exit(3)", function(text, code, folder)
      assert.equal(3, code, text)
      assert.is_truthy(read(folder .. "/overview.txt"):find "32 steps in")
    end)
  end)

  it("lets the script configure the device", function()
    run("pod.device.configure { threads = 1 }\n" .. TRAIN .. "model:fit(data, { verbose = 0 })", function(text, code)
      assert.equal(0, code, text)
    end)
  end)

  it("says when there was nothing to record", function()
    run("print 'no more'", function(text, code, folder)
      assert.equal(0, code, text)
      assert.is_truthy(text:find "there is no profile")
      assert.is_nil(read(folder .. "/overview.txt"))
    end)
    local text, code = executable.run "--profile"
    assert.equal(1, code)
    assert.is_truthy(text:find "needs a folder")
  end)

  it("leaves no part of a file where the disk is full", function()
    -- Files may have 8 blocks of 512 bytes: trace.json is larger.
    run(TRAIN .. "model:fit(data, { verbose = 0 })", function(text, code, folder)
      assert.equal(1, code, text)
      assert.is_truthy(text:find "trace.json", text)
      assert.equal("", (executable.shell("ls -A " .. folder)))
    end, "ulimit -f 8;")
  end)

  it("leaves no part of a page where the disk is full", function()
    local folder = temporary()
    executable.with_script(TRAIN .. ([[
local p = pod.profiler.record(function() model:fit(data, { verbose = 0 }) end)
print(pcall(p.save_html, p, %q, { measure = false }))
]]):format(folder .. ".html"), function(path)
      local text = executable.shell("ulimit -f 8; " .. executable.quote(executable.program) .. " "
        .. path)
      assert.is_truthy(text:find "^false.*cannot write", text)
      assert.equal("", (executable.shell("ls " .. folder .. "* 2>/dev/null")))
    end)
  end)

  it("says when the folder cannot be written", function()
    local blocked = temporary()
    local file = assert(io.open(blocked, "w"))
    file:close()
    executable.with_script(TRAIN .. "model:fit(data, { verbose = 0 })", function(path)
      local text, code = executable.shell(
        ("%s --profile %s/in %s"):format(executable.quote(executable.program), blocked, path))
      os.remove(blocked)
      assert.equal(1, code)
      assert.is_truthy(text:find(blocked, 1, true), text)
    end)
  end)

  -- Whether a file that is there under its own name is whole.
  local WHOLE = {
    ["trace.json"] = function(text)
      return text:find "%]}%s*$"
    end,
    ["report.html"] = function(text)
      return text:find "</html>%s*$"
    end,
    ["overview.txt"] = function(text)
      return text:find "^%d+ steps in"
    end,
    ["steps.csv"] = function(text)
      local first, last = text:match "^([^\n]*)\n", text:match "([^\n]*)\n$"
      return last and select(2, first:gsub(",", "")) == select(2, last:gsub(",", ""))
    end,
    ["profile.pb.gz"] = function(_, path)
      return select(2, executable.shell("gzip -t " .. path)) == 0
    end,
  }

  it("leaves whole files when it is killed in mid-write, and the next one takes away the rest", function()
    local tries, random, parts = os.getenv "MOONPOD_LONG" and 60 or 2, 7, 0
    local folder = temporary()
    -- writes the same profile again and again; the second form writes it once
    local source = TRAIN .. [[
local p = pod.profiler.record(function() model:fit(data, { verbose = 0, epochs = 2 }) end)
io.write "begins\n"
io.flush()
repeat p:save(arg[1], { measure = false }) until arg[2]
]]
    executable.with_script(source, function(path)
      local program = executable.quote(executable.program) .. " " .. path .. " " .. folder
      for i = 1, tries do
        random = random * 16807 % 2147483647
        executable.shell(("{ sh -c %s | { read -r pid; read -r line; sleep %.4f; kill -9 $pid; cat; }; } 2>/dev/null")
          :format(executable.quote("echo $$; exec " .. program), random / 2147483647 * 0.05))
        for name, whole in pairs(WHOLE) do
          local text = read(folder .. "/" .. name)
          assert.is_truthy(text == nil or whole(text, folder .. "/" .. name), name .. ", try " .. i)
        end
        parts = parts + select(2, executable.shell("ls " .. folder):gsub("%.part\n", ""))
      end
      local text, code = executable.shell(program .. " once")
      assert.equal(0, code, text)
      local left = executable.shell("ls -A " .. folder)
      executable.shell("rm -rf " .. folder)
      assert.is_nil(left:find "%.part" or left:find "%.tmp", left)
      assert.is_truthy(left:find "report.html")
    end)
    if os.getenv "MOONPOD_LONG" then
      io.stderr:write(("%d kills left %d files that were being written\n"):format(tries, parts))
      assert.is_true(parts > 0)
    end
  end)
end)

describe("SIGUSR1", function()
  local FOREVER = TRAIN .. [[
local file = io.open("/proc/self/stat")
local pid = file:read "*n"
file:close()
local stop = os.time() + 60
local function written()
  local got = io.open(%s)
  if got then got:close() end
  return got
end
os.execute("kill -USR1 " .. pid)
repeat
  model:fit(data, { verbose = 0 })
until written() or os.time() > stop
print(written() and "it is there" or "it is not there")
]]

  it("has what a recorded script did last written, and the script goes on", function()
    run(FOREVER:format "arg[-1] .. '-' .. pid .. '-1/steps.csv'", function(text, code, folder)
      assert.equal(0, code, text)
      assert.is_truthy(text:find "SIGUSR1: %d+ steps recorded", text)
      assert.is_truthy(text:find "it is there", text)
      assert.is_truthy(read(folder .. "/overview.txt"):find "steps in")
    end)
  end)

  it("takes nothing of what is typed in a session", function()
    if not terminal.exists() then
      return pending "there is no tmux"
    end
    local one = terminal.start(executable.quote(executable.program))
    local ok, failure = pcall(function()
      one:wait_for_end ">"
      one:type "os.execute '(sleep 0.5; kill -USR1 $PPID; sleep 0.2; touch $HOME/sent) &'"
      one:keys "Enter"
      one:type "'half of ' .."
      one:wait_for_end "> 'half of ' .."
      repeat
        executable.shell "sleep 0.1"
        local sent = io.open(one.folder .. "/sent")
      until sent and sent:close()
      one:type " 'a line'"
      one:keys "Enter"
      one:wait_for "half of a line"
    end)
    one:close()
    assert(ok, failure)
  end)

  it("begins to record where nothing was", function()
    if not os.getenv "MOONPOD_LONG" then
      return pending "takes three seconds: ./dev test --long"
    end
    executable.with_script(FOREVER:format "'moonpod-profile-' .. pid .. '-1/steps.csv'", function(path)
      local text, code = executable.shell(executable.quote(executable.program) .. " " .. path)
      executable.shell "rm -rf moonpod-profile-*-1"
      assert.equal(0, code, text)
      assert.is_truthy(text:find "it is there", text)
    end)
  end)
end)
