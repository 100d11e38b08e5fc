-- lua5.4 tests/fuzz/models/run.lua FILE: runs the models of a file that run.py wrote and prints those whose numbers are
-- not Keras'.

package.path = "tests/golden/?.lua;" .. package.path

local random_models = require "random_models"

local differing = 0
for _, case in ipairs(dofile(arg[1])) do
  local ok, message = pcall(random_models.run, case)
  if not ok then
    differing = differing + 1
    print(("differs %s: %s"):format(case.name, (tostring(message):gsub("\n", " "))))
  end
end
os.exit(differing == 0 and 0 or 1)
