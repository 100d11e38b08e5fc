-- datasets_keras_words - which word has which number in Keras' texts.

local core = require "moonpod.core"
local datasets_fetch = require "moonpod.datasets.fetch"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local schema = require "moonpod.base.schema"

local keras_words = {}

local STORAGE = "https://storage.googleapis.com/tensorflow/tf-keras-datasets/"

local WORDS = schema.map_of(schema.count)

-- Keras pins an MD5 of these files and no SHA-256: they are read where they lie, and fetched by nobody but their user.
local function read(name, options)
  local where, file = "datasets." .. name, name .. ".json"
  options = errors.check_options(options, { path = "string" }, where)
  local path = options.path or datasets_fetch.cached { name = file }
  if not path then
    errors.raise("%s: there is no %s in Keras' cache. It is not fetched, for Keras pins no SHA-256 of it:\n"
      .. "  curl -LO %s%s\nand the option path = FILE says where it lies", where, file, STORAGE, file)
  end
  return schema.read(errors.call_core(core.file_read, device.context(), path), WORDS, path)
end

--- Which number each word has in `pod.datasets.imdb`: numbers there are larger by `index_from` (3). Reads the file of
--- that name in Keras' cache, or `path`; it is not fetched, for Keras pins no SHA-256 of it.
---@param options.path string the file
---@return table
---@error the file is not there; the message says how to fetch it
--- ```lua
--- local ok, index = pcall(pod.datasets.imdb_word_index)
--- assert(not ok or index["the"] == 1)
--- ```
function keras_words.imdb_word_index(options)
  return read("imdb_word_index", options)
end

--- Which number each word has in `pod.datasets.reuters`, as `pod.datasets.imdb_word_index` says it.
---@param options.path string the file
---@return table
---@error the file is not there; the message says how to fetch it
--- ```lua
--- local ok, index = pcall(pod.datasets.reuters_word_index)
--- assert(not ok or index["the"] == 1)
--- ```
function keras_words.reuters_word_index(options)
  return read("reuters_word_index", options)
end

return keras_words
