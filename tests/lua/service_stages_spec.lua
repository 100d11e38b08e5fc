-- Which stages go to workers, by the table of docs/guides/data-service.md: what may gives there what it gives here, and
-- what may not is refused by its name, with what to do.

local files = require "tests.lua.support.files"
local pod = require "moonpod"
local service = require "tests.lua.support.service_processes"

local data = pod.data
local test = service.is_there and it or pending

local function numbers()
  return data.range(40)
end

-- What comes, as tables: a window is a dataset itself.
local function elements(ds)
  local list = {}
  for element in ds:iter() do
    list[#list + 1] = type(element) == "string" and element or (element.totable and element or element.a):totable()
  end
  return list
end

local function even(x)
  return x % 2 == 0
end

-- By what the table calls them; each makes a dataset of the files in a folder.
local at_workers = {
  ["rows"] = function() return data.from_tensors(pod.arange(15):reshape { 5, 3 }) end,
  ["texts"] = function() return data.from_texts { "a", "longer", "" } end,
  ["range"] = numbers,
  ["text_lines"] = function(folder) return data.text_lines(folder .. "/lines") end,
  ["fixed_length_records"] = function(folder) return data.fixed_length_records(folder .. "/lines", 4) end,
  ["csv"] = function(folder) return data.csv(folder .. "/table") end,
  ["load"] = function(folder)
    numbers():save(folder .. "/saved")
    return data.load(folder .. "/saved")
  end,
  ["batch"] = function() return numbers():batch(7) end,
  ["padded_batch"] = function() return data.from_texts { "a", "longer", "to" }:padded_batch(2) end,
  ["bucket_by_sequence_length"] = function()
    return data.from_texts { "a", "longer", "to", "b" }:bucket_by_sequence_length {
      element_length_func = function(text) return #text end,
      bucket_boundaries = { 3 }, bucket_batch_sizes = { 2, 1 },
    }
  end,
  ["filter"] = function() return numbers():filter(even) end,
  ["scan"] = function()
    return numbers():scan(pod.tensor(0, { dtype = "int64" }), function(sum, x) return sum + x, sum + x end)
  end,
  ["window"] = function() return numbers():window(3, { shift = 2 }) end,
  ["unbatch"] = function() return numbers():batch(4):unbatch() end,
  ["shuffle"] = function() return numbers():shuffle(9, { seed = 4 }) end,
  ["rep"] = function() return numbers():rep(2) end,
  ["take"] = function() return numbers():take(3) end,
  ["skip"] = function() return numbers():skip(30) end,
  ["shard"] = function() return numbers():shard(3, 1) end,
  ["zip"] = function() return data.zip(numbers(), numbers():skip(1)):map(function(x, y) return x * y end) end,
  ["concatenate"] = function() return numbers():concatenate(numbers()) end,
  ["sample_from_datasets"] = function() return data.sample_from_datasets({ numbers(), numbers() }, { seed = 2 }) end,
  ["choose_from_datasets"] = function()
    local choices = data.range(20):map(function(x) return x % 2 end)
    return data.choose_from_datasets({ numbers(), numbers():skip(20) }, choices)
  end,
  ["map"] = function() return numbers():map(function(x) return x * x end, { num_parallel_calls = 2 }):prefetch(2) end,
  ["cache"] = function() return numbers():cache():batch(3) end,
}

-- The same, with what the refusal says.
local refused = {
  ["from_generator"] = { function()
    return data.from_generator(function() return 1 end, pod.spec({}, "float32"))
  end, "stage 'from_generator.*read files or rows in the place of a generator" },
  ["map with interpret"] = { function()
    return numbers():map(function(x) return x end, { interpret = true })
  end, "stage 'map.*write it with operations that are traced" },
  ["map of batches whose last is shorter"] = { function()
    return numbers():batch(7):map(function(x) return x:sum() end)
  end, "gets batches of which the last is shorter.*call it before batch" },
  ["interleave"] = { function()
    return numbers():interleave(function() return numbers() end)
  end, "stage 'interleave.*give all files to one reader" },
  ["flat_map"] = { function()
    return numbers():flat_map(function() return numbers() end)
  end, "stage 'flat_map.*give all files to one reader" },
  ["num_parallel_reads"] = { function(folder)
    return data.text_lines({ folder .. "/lines", folder .. "/lines" }, { num_parallel_reads = 2 })
  end, "give all files to one reader, without num_parallel_reads" },
  ["shard(SHARD_HINT, SHARD_HINT)"] = { function()
    return numbers():shard(data.SHARD_HINT, data.SHARD_HINT)
  end, "stage 'shard.*call distribute before it" },
  ["cache(path)"] = { function(folder)
    return numbers():cache(folder .. "/cache")
  end, "stage 'cache.*every worker would write the file" },
  ["group_by_window"] = { function()
    return numbers():group_by_window { key = function(x) return x % 2 end,
      reduce = function(_, window) return window:batch(2) end, window_size = 2 }
  end, "stage 'group_by_window.*have bucket_by_sequence_length in that of group_by_window" },
}

local function in_folder(fn)
  return service.in_folder(function(folder)
    files.write(folder .. "/table", "a,b\n1,2\n3,4\n5,6\n")
    files.write(folder .. "/lines", "one\ntwo\nthree\nfour\n12345")
    fn(folder)
  end)
end

describe("a stage", function()
  for name, make in pairs(at_workers) do
    test(name .. " gives at workers what it gives here", in_folder(function(folder)
      service.with_threads(2, function(at)
        local remote = make(folder):distribute { service = at, in_order = true, split_size = 3 }
        assert.same(elements(make(folder)), elements(remote))
      end)
    end))
  end

  for name, row in pairs(refused) do
    test(name .. " is refused by name", in_folder(function(folder)
      assert.error_matches(function()
        row[1](folder):distribute { service = "local" }
      end, row[2])
    end))
  end
end)
