-- sources - datasets of files: names, records, lines, pieces of one length.

local dataset = require "moonpod.data.dataset"
local decimal = require "moonpod.base.decimal"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local ops = require "moonpod.ops"
local tables = require "moonpod.base.tables"

local sources = {}

local SINGLE = { leaf = 1 }
local NUMBER = { leaf = 2 } -- of elements that a stage "number" gave one

-- An array of strings of one string or an array; raises for anything else.
local function strings(value, where)
  if type(value) == "string" then
    return { value }
  end
  if type(value) ~= "table" or type(value[1]) ~= "string" then
    errors.raise("%s: a string or an array of strings is needed, not %s", where, errors.describe(value))
  end
  return value
end

--- Elements that are strings.
---@example pod.data.from_texts({ "a", "b" }):cardinality() --> 2
function sources.from_texts(texts)
  if type(texts) == "table" and texts[1] == nil then
    texts = {}
  else
    texts = strings(texts, "from_texts")
  end
  return dataset.new(dataset.call(device.core.dataset_from_texts, device.context(), texts), SINGLE)
end

--- The names of the files that patterns match (*, ?, [a-z], {a,b}). Options: shuffle (true), seed.
---@param options.shuffle boolean whether names come in another order in each pass (default true)
--- ```lua
--- local path = os.tmpname()
--- print(pod.data.list_files(path .. "*"))
--- --> <dataset 'shuffle' of text, 1 elements>
--- os.remove(path)
--- ```
function sources.list_files(patterns, options)
  options = errors.check_options(options, { shuffle = true, seed = true }, "list_files")
  local handle = dataset.call(device.core.dataset_list_files, device.context(), strings(patterns, "list_files"))
  local names = dataset.new(handle, SINGLE)
  local count = names:cardinality() -- not #names: Lua 5.1 and LuaJIT ask tables for no length
  if options.shuffle == false or count == 0 then
    return names
  end
  return names:shuffle(count, { seed = options.seed })
end

--- Integers of 0 to 2^32 - 1 (int64) without end, each a function of the seed and its place in the pass. Options: seed;
--- rerandomize_each_iteration: other ones in each pass (false).
---@param options.rerandomize_each_iteration boolean whether each pass gives other numbers (default false)
---@example pod.data.random({ seed = 1 }):take(3):cardinality() --> 3
function sources.random(options)
  options = errors.check_options(options, { seed = true, rerandomize_each_iteration = true }, "random")
  local seed = dataset.seed_of(options, "random")
  local each = options.rerandomize_each_iteration or false
  errors.check_type(each, "boolean", "random", "rerandomize_each_iteration")
  local places = dataset.call(device.core.dataset_range, device.context(), 0, 1, 1)
  places = dataset.call(places.repeat_, places, -1)
  places = dataset.call(places.number, places, seed) -- behind repeat_: it counts on
  return dataset.new(places, NUMBER):map(function(number)
    return require("moonpod.data.element_random").source(number, seed, not each)({}):cast "int64"
  end)
end

local function of_files(paths, options, kind, allowed, where)
  options = errors.check_options(options, allowed, where)
  local chosen = tables.merge(options, { kind = kind })
  chosen.num_parallel_reads, chosen.parallel_reads = nil, options.num_parallel_reads
  return dataset.new(
    dataset.call(device.core.dataset_files, device.context(), strings(paths, where), chosen), SINGLE)
end

--- The records of TFRecord files, as strings. Options: compression ("gzip", "zlib", "auto"), num_parallel_reads (files
--- that are read at once, each by a thread, and give a record each in turn; AUTOTUNE: 10).
--- ```lua
--- local path = os.tmpname()
--- local writer = pod.data.records.writer(path)
--- writer:write "a record"
--- writer:write "another"
--- writer:close()
--- print(table.concat(pod.data.tfrecord(path):totable(), ", "))
--- --> a record, another
--- os.remove(path)
--- ```
function sources.tfrecord(paths, options)
  return of_files(paths, options, "records", { compression = true, num_parallel_reads = true }, "tfrecord")
end

--- The lines of text files, as strings. Options: those of tfrecord.
--- ```lua
--- local path = os.tmpname()
--- local file = io.open(path, "w")
--- file:write("one\ntwo\n")
--- file:close()
--- print(table.concat(pod.data.text_lines(path):totable(), ", "))
--- --> one, two
--- os.remove(path)
--- ```
function sources.text_lines(paths, options)
  return of_files(paths, options, "lines", { compression = true, num_parallel_reads = true }, "text_lines")
end

--- Pieces of one length of files: uint8 (record_bytes). Options: header_bytes, footer_bytes.
---@param options.header_bytes integer bytes at the begin of a file that are passed over
---@param options.footer_bytes integer bytes at its end
--- ```lua
--- local path = os.tmpname()
--- local file = io.open(path, "wb")
--- file:write("abcdef")
--- file:close()
--- local ds = pod.data.fixed_length_records(path, 2)
--- for record in ds:iter() do
---   print(record)
--- end
--- --> [97 98]
--- --> uint8 (2,) on CPU:0
--- --> [ 99 100]
--- --> uint8 (2,) on CPU:0
--- --> [101 102]
--- --> uint8 (2,) on CPU:0
--- os.remove(path)
--- ```
function sources.fixed_length_records(paths, record_bytes, options)
  options = errors.check_options(options, { header_bytes = true, footer_bytes = true }, "fixed_length_records")
  dataset.check_integer(record_bytes, 1, "fixed_length_records", "the number of bytes")
  return of_files(paths,
    { record_bytes = record_bytes, header_bytes = options.header_bytes, footer_bytes = options.footer_bytes },
    "pieces", { record_bytes = true, header_bytes = true, footer_bytes = true }, "fixed_length_records")
end

-- ---- CSV -----------------------------------------------------------------------------------------------

local function core_csv(paths, columns, options)
  return dataset.call(device.core.dataset_csv, device.context(), paths, columns, options)
end

-- The place of a column in the rows.
local function index_of(column, i, names, path)
  if column.index then
    return column.index
  end
  if not names or not column.name then
    return i - 1
  end
  for place, name in ipairs(names) do
    if name == column.name then
      return place - 1
    end
  end
  errors.raise("csv: %s has no column '%s'%s", path, column.name, errors.suggest(column.name, names))
end

-- Finds the types of all columns by the first row of data: int64, float32 or text.
local function infer_types(paths, names, options)
  local columns = {}
  for i = 1, #names do
    columns[i] = { index = i - 1, text = true }
  end
  local it = core_csv({ paths[1] }, columns, options):iterator()
  local fields = { dataset.call(it.next, it) }
  it:close()
  for i, field in ipairs(fields) do
    local text = field:data()
    local is_integer = text:match "^%s*[+-]?%d+%s*$"
    local dtype = is_integer and "int64" or decimal.read(text) and "float32" or "text"
    columns[i] = { name = names[i], dtype = dtype, index = i - 1, first = text }
  end
  if #fields == 0 then
    errors.raise("csv: %s has no row of data, so types of columns cannot be found out; give columns, each as "
      .. "{ name =, dtype = }", paths[1])
  end
  return columns
end

-- The columns that are asked for: names stand for those of the file with the types that its first row has.
local function chosen_columns(given, names, path, infer)
  local columns, inferred = {}, nil
  errors.check_type(given, "table", "csv", "columns")
  for i, column in ipairs(given) do
    if type(column) == "string" then
      inferred = inferred or infer()
      local place = index_of({ name = column }, i, names, path) + 1
      column = { name = column, dtype = inferred[place].dtype, index = place - 1 }
    end
    errors.check_options(errors.check_type(column, "table", "csv", "column " .. i),
      { name = true, dtype = true, default = true, index = true }, "csv: column " .. i)
    columns[i] = column
  end
  if #columns == 0 then
    errors.raise('csv: columns are an array of names or of { name =, dtype =, default =, index = }, such as '
      .. '{ "age", "name" }, and not empty')
  end
  return columns
end

--- The rows of CSV files: tables of scalars by name. Columns that are named have the types of the first row;
--- dtype "text" is a string, as dates are: `os.time` makes numbers of them.
---@param options.columns table names, or { name =, dtype =, default =, index = } for each column (default: all)
---@param options.header boolean whether the first row has the names (default true)
---@param options.separator string (default ",")
---@param options.label string a column: elements are then features and label
--- ```lua
--- local path = os.tmpname()
--- local file = io.open(path, "w")
--- file:write("day,city,degrees\n2024-02-28,Bonn,6.5\n2024-03-01,Kiel,4\n")
--- file:close()
--- local first
--- for row in pod.data.csv(path):iter() do
---   local year, month, day = row.day:match "(%d+)-(%d+)-(%d+)"
---   local time = os.time { year = year, month = month, day = day } / 86400
---   first = first or time
---   print(("%.0f"):format(time - first), row.city, row.degrees)
--- end
--- --> 0    Bonn    6.5
--- --> 2    Kiel    4.0
--- os.remove(path)
--- ```
function sources.csv(paths, options)
  options = errors.check_options(options,
    { columns = true, header = true, separator = true, compression = true, label = true }, "csv")
  paths = strings(paths, "csv")
  local core_options = { separator = options.separator, header = options.header ~= false,
    compression = options.compression }
  local names = dataset.call(device.core.csv_names, device.context(), paths[1], core_options)
  core_options.fields = #names
  local given = options.columns
  local has_names = options.header ~= false
  for i = 1, has_names and 0 or #names do
    local column = given and given[i]
    names[i] = type(column) == "string" and column or type(column) == "table" and column.name or "column_" .. i
  end
  local function infer()
    return infer_types(paths, names, core_options)
  end
  local columns, keys, parts, used = {}, {}, {}, {}
  for i, column in ipairs(given and chosen_columns(given, names, paths[1], infer) or infer()) do
    local is_text = column.dtype == "text"
    columns[i] = {
      index = index_of(column, i, has_names and names or nil, paths[1]),
      dtype = not is_text and (column.dtype or "float32") or nil,
      text = is_text,
      default = column.default,
    }
    keys[i], parts[i] = column.name or names[columns[i].index + 1], { leaf = i }
    if keys[i] == nil then
      errors.raise("csv: column %d has index %s, but rows have %d fields, which count from 0", i,
        errors.describe(column.index), #names)
    elseif used[keys[i]] then
      errors.raise("csv: two columns are named '%s'; give one of them another name, by index", keys[i])
    end
    used[keys[i]] = true
  end
  local rows = dataset.new(core_csv(paths, columns, core_options), { keys = keys, parts = parts })
  return options.label and sources.with_label(rows, options.label) or rows
end

-- Refuses columns whose first fields are dates or other texts where numbers are wanted.
local function refuse_texts(columns, path)
  local texts, numbers = {}, {}
  for i, column in ipairs(columns) do
    if column.dtype == "text" then
      texts[#texts + 1] = ("'%s' (row 2, field %d: '%s')"):format(column.name, i, column.first)
    else
      numbers[#numbers + 1] = ("'%s'"):format(column.name)
    end
  end
  if #texts > 0 then
    errors.raise("load_csv: %s of %s %s; columns = { %s } are numbers, and pod.data.csv reads texts, too",
      table.concat(texts, ", "), path, #texts == 1 and "is a text" or "are texts", table.concat(numbers, ", "))
  end
end

-- Rows of a file of numbers that are read at once.
local BLOCK = 4096

--- The numbers of a CSV file as one tensor `(rows, columns)`, as NumPy's `loadtxt` has them, and the names of its
--- columns. `pod.data.csv` reads rows one after the other, and texts too.
---@param path string|string[] the file, or files that have the same columns
---@param options.columns string[] which columns, and their order (default: all)
---@param options.header boolean whether the first row has the names (default true)
---@param options.separator string (default ",")
---@param options.dtype string what numbers become (default "float32")
---@return tensor and the names, as an array
---@error a field is no number; there is no such column; there are no rows
---@see pod.data.csv
--- ```lua
--- local path = os.tmpname()
--- local file = io.open(path, "w")
--- file:write("height,weight\n1.8,80\n1.6,55\n")
--- file:close()
--- local rows, names = pod.data.load_csv(path)
--- print(table.concat(names, ", "))
--- print(rows)
--- print(rows[{ ":", -1 }])
--- --> height, weight
--- --> [[ 1.8 80. ]
--- -->  [ 1.6 55. ]]
--- --> float32 (2, 2) on CPU:0
--- --> [80. 55.]
--- --> float32 (2,) on CPU:0
--- os.remove(path)
--- ```
function sources.load_csv(path, options)
  options = errors.check_options(options,
    { columns = "table", header = true, separator = true, compression = true, dtype = "string" }, "load_csv")
  local paths, dtype, names = strings(path, "load_csv"), options.dtype or "float32", options.columns
  local reading = { header = options.header, separator = options.separator, compression = options.compression }
  if not names then
    names = dataset.call(device.core.csv_names, device.context(), paths[1],
      { separator = options.separator, header = options.header ~= false, compression = options.compression })
    for i = 1, options.header == false and #names or 0 do
      names[i] = "column_" .. i
    end
    if options.header ~= false then
      refuse_texts(infer_types(paths, names, { separator = options.separator, header = true,
        compression = options.compression, fields = #names }), paths[1])
    end
  end
  reading.columns = {}
  for i, name in ipairs(names) do
    reading.columns[i] = { name = name, dtype = dtype, index = options.header == false and i - 1 or nil }
  end
  local blocks = {}
  local rows = sources.csv(paths, reading):map(function(row)
    return ops.stack(tables.map(names, function(name)
      return row[name]
    end))
  end):batch(BLOCK)
  for block in rows:iter() do
    blocks[#blocks + 1] = block
  end
  if #blocks == 0 then
    errors.raise("load_csv: %s has no row of data", paths[1])
  end
  return ops.concat(blocks, 0), names
end

-- Elements that are tables, as two values: the table without a field, and the field.
function sources.with_label(self, label)
  local features, target = { keys = {}, parts = {} }, nil
  for i, key in ipairs(self._skeleton.keys) do
    if key == label then
      target = self._skeleton.parts[i]
    else
      features.keys[#features.keys + 1] = key
      features.parts[#features.parts + 1] = self._skeleton.parts[i]
    end
  end
  if not target then
    errors.raise("csv: there is no column '%s'%s", label, errors.suggest(label, self._skeleton.keys))
  end
  return dataset.derive(self, self._handle, { _skeleton = { keys = { 1, 2 }, parts = { features, target } } })
end

-- ---- examples -------------------------------------------------------------------------------------------

local function read_default(name, spec, shape)
  if spec.default == nil then
    return nil
  end
  if spec.dtype == "text" then
    errors.check_type(spec.default, "string", "parse_example", "the default of '" .. name .. "'")
    return device.core.buffer(device.context(), spec.default, "uint8", { #spec.default })
  end
  local any_length = #shape == 1 and shape[1] < 0
  local ok, buffer = pcall(device.core.buffer, device.context(), spec.default, spec.dtype,
    not any_length and shape or nil)
  if not ok then
    errors.raise("parse_example: the default of feature '%s': %s", name, buffer)
  end
  return buffer
end

-- One feature: pod.spec(shape, dtype), or { shape =, dtype =, default = }, or { image =, ... } (moonpod.data.decoded).
local function read_feature(name, spec)
  errors.check_type(spec, "table", "parse_example", "feature '" .. tostring(name) .. "'")
  if spec.image then
    return require("moonpod.data.decoded").feature(name, spec)
  end
  local is_text = spec.dtype == "text"
  local shape = is_text and { -1 } or spec.shape or {}
  return {
    name = name,
    dtype = is_text and "uint8" or spec.dtype or "float32",
    shape = shape,
    text = is_text,
    default = read_default(name, spec, shape),
  }
end

-- See dataset:parse_example().
function sources.parse_example(self, features, options)
  options = errors.check_options(options, { num_parallel_calls = true, deterministic = true }, "parse_example")
  errors.check_type(features, "table", "parse_example", "the features")
  dataset.threads_of(options, "parse_example")
  self = dataset.settled(self, "parse_example")
  for name in pairs(features) do
    errors.check_type(name, "string", "parse_example", "the name of a feature")
  end
  local names, list, parts = tables.sorted_keys(features), {}, {}
  for i, name in ipairs(names) do
    list[i] = read_feature(name, features[name])
    parts[i] = { leaf = i }
  end
  local handle = dataset.call(self._handle.parse_examples, self._handle, list)
  dataset.labelled(handle, "parse_example", errors.location())
  local parsed = dataset.derive(self, handle, { _skeleton = { keys = names, parts = parts } })
  return dataset.in_parallel(parsed, options, "parse_example")
end

return sources
