-- datasets_tables - the small tables that scikit-learn comes with: digits, iris, wine, breast cancer.

local data = require "moonpod.data"
local datasets_files = require "moonpod.datasets.files"
local decimal = require "moonpod.base.decimal"
local errors = require "moonpod.base.errors"
local shuffled_order = require "moonpod.data.shuffled_order"
local stored_rows = require "moonpod.data.stored_rows"
local tensor = require "moonpod.tensor"
local is_whole = require "moonpod.base.kinds".is_whole

local tables = {}

local PACKAGE = "python3-sklearn"
local FOLDER = "usr/lib/python3/dist-packages/sklearn/datasets/data"

local function numbers_of(line, count, path, number)
  local values = {}
  for field in line:gmatch "[^,]+" do
    values[#values + 1] = decimal.read(field)
  end
  if #values ~= count then
    errors.raise("%s, line %d: %d numbers are expected", path, number, count)
  end
  return values
end

-- Reads rows of numbers, the class last. A first line of number of rows, number of features and names of classes is
-- where the file has one.
local function read_rows(path, features, has_header)
  local rows, classes, names = {}, {}, nil
  for number, line in ipairs(data.text_lines(path, { compression = "auto" }):totable()) do
    if number == 1 and has_header then
      names = {}
      for name in line:gsub("^%d+,%d+,", ""):gmatch "[^,]+" do
        names[#names + 1] = name
      end
    else
      local values = numbers_of(line, features + 1, path, number)
      classes[#classes + 1] = table.remove(values)
      rows[#rows + 1] = values
    end
  end
  if #rows == 0 then
    errors.raise("%s has no rows", path)
  end
  return rows, classes, names
end

local function picked(list, order, first, last)
  local result = {}
  for i = first, last do
    result[#result + 1] = list[order[i]]
  end
  return result
end

-- Makes training and test data of rows; finish(set) adds what elements become.
local function split(rows, classes, options, where, finish)
  local share, seed = options.test_split or 0.2, options.seed or 113
  if type(share) ~= "number" or not (share >= 0 and share < 1) then
    errors.raise("%s: test_split must be from 0 to below 1, not %s", where, errors.describe(share))
  elseif not is_whole(seed, 0, 2 ^ 53 - 1) then
    errors.raise("%s: seed must be a whole number from 0, not %s", where, errors.describe(seed))
  end
  local order, kept = shuffled_order(#rows, seed), math.floor(#rows * (1 - share))
  local function part(first, last)
    if last < first then
      return nil
    end
    return finish(picked(rows, order, first, last), tensor.new(picked(classes, order, first, last), "uint8"))
  end
  return part(1, kept), part(kept + 1, #rows)
end

local function as_class(x, class)
  return x, class:cast "int32"
end

-- Defines a function that reads a table: `file` in scikit-learn's folder, of `features` numbers a row.
local function define(name, title, file, features)
  local where = "datasets." .. name
  tables[name] = function(options)
    options = errors.check_options(options, { directory = true, test_split = true, seed = true }, where)
    local path = datasets_files.find(where, file, FOLDER, PACKAGE, options.directory)
    local rows, classes, names = read_rows(path, features, true)
    return split(rows, classes, options, where, function(some, labels)
      local set = stored_rows.dataset({ tensor.new(some, "float32"), labels }, as_class)
      set.source = ("%s: %d rows of %d features in %d classes, from %s"):format(title, #some, features, #names, path)
      set.class_names = names
      return set
    end)
  end
end

---@name pod.datasets.iris pod.datasets.wine pod.datasets.breast_cancer
--- A small table for classification: features `x`, float32, and the class `y`, int32; the field `class_names` has their
--- names. `iris` has 150 rows of 4 features in 3 classes, `wine` 178 of 13 in 3, `breast_cancer` 569 of 30 in 2.
---@return dataset for training
---@return dataset for tests, nil without a split
---@error the package with the files is not there; the message says how to get it
--- ```lua
--- local ok, flowers = pcall(pod.datasets.iris) -- a package of Debian has it
--- assert(not ok or flowers:cardinality() == 150 and #flowers.class_names == 3)
--- ```
define("iris", "Iris", "iris.csv", 4)
define("wine", "Wine", "wine_data.csv", 13)
define("breast_cancer", "Breast cancer Wisconsin", "breast_cancer.csv", 30)

--- Handwritten digits, 8x8: x 64 pixels, float32 in [0, 1], y the digit, int32. Options: as above, and shape of an
--- image ({ 64 }; { 8, 8, 1 } for convolutions).
--- ```lua
--- local ok, train, test = pcall(pod.datasets.digits, { test_split = 0.25 }) -- a package of Debian has them
--- assert(not ok or train:cardinality() + test:cardinality() == 1797)
--- ```
function tables.digits(options)
  local where = "datasets.digits"
  options = errors.check_options(options, { directory = true, test_split = true, seed = true, shape = true }, where)
  local shape = options.shape or { 64 }
  datasets_files.sizes_of(where, shape, 64)
  local path = datasets_files.find(where, "digits.csv.gz", FOLDER, PACKAGE, options.directory)
  local rows, classes = read_rows(path, 64, false)
  return split(rows, classes, options, where, function(some, labels)
    local dims = datasets_files.sizes_of(where, shape, 64, #some)
    local set = stored_rows.dataset({ tensor.new(some, "uint8"):reshape(dims), labels }, function(x, class)
      return x:cast "float32" / 16, class:cast "int32"
    end)
    set.source = ("Digits: %d images of 8x8 pixels in 10 classes, from %s"):format(#some, path)
    set.class_names = { "0", "1", "2", "3", "4", "5", "6", "7", "8", "9" }
    return set
  end)
end

return tables
