-- peers - the Python whose packages tests compare with: build/peers, which `./dev peers` makes, or $MOONPOD_PYTHON.
--
--   local python, why = peers.python { "tensorboard", "numpy" }
--   it("is read by TensorBoard", function()
--     if not python then
--       return pending(why)
--     end
--
-- What is missing is a failure where CI=true: there `./dev peers` has run.

local executable = require "tests.lua.support.executable"

local peers = {}

-- Not in tests/tools/peers.txt, for they are large: their tests are pending everywhere else.
local large = { tensorflow = true, torch = true }

-- Returns the Python that has all modules; nil and why where there is none.
function peers.python(modules)
  local python, must = os.getenv "MOONPOD_PYTHON" or "build/peers/bin/python", os.getenv "CI" == "true"
  local finds = {}
  for i, module in ipairs(modules) do
    finds[i] = ("u.find_spec(%q)"):format(module)
    must = must and not large[module]
  end
  local _, code = executable.shell(('%s -c \'import importlib.util as u, sys; sys.exit(not (%s))\''):format(
    executable.quote(python), table.concat(finds, " and ")))
  if code == 0 then
    return python
  end
  local why = ("%s has not all of: %s (run ./dev peers)"):format(python, table.concat(modules, ", "))
  if must then
    error(why, 0)
  end
  print("skipped: " .. why)
  return nil, why
end

-- Runs a script of tests/ with arguments, a list of words; returns what it wrote and its exit code.
function peers.run(python, script, arguments)
  local words = { executable.quote(python), script }
  for _, word in ipairs(arguments or {}) do
    words[#words + 1] = executable.quote(word)
  end
  return executable.shell(table.concat(words, " "))
end

return peers
