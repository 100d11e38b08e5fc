-- data_scenarios - text, pictures and the stages of a pipeline: scenarios as in scenarios.lua, which has what they are
-- added by.

local injector = require "fault_injector"
local pod = require "moonpod"

local data = pod.data

return function(add, shared)
  local READING, bits, text_of, write_file = shared.READING, shared.bits, shared.text_of, shared.write_file

  local function write_lines(path, first, last)
    local lines = {}
    for i = first, last do
      lines[#lines + 1] = ("%d,%g,name %d"):format(i, i / 4, i)
    end
    write_file(path, table.concat(lines, "\n") .. "\n")
  end

  add("csv", READING, {
    before = function(folder) write_lines(folder .. "/a.csv", 1, 500) end,
    run = function(folder)
      local ds = data.csv(folder .. "/a.csv", { header = false, columns = { { name = "i", dtype = "int32" },
        { name = "x" }, { name = "name", dtype = "text" } } })
      local texts = {}
      for row in ds:iter() do
        texts[#texts + 1] = tostring(row.x:item()) .. row.name
      end
      return table.concat(texts, "\n")
    end,
  })

  add("lines of several files", READING, {
    before = function(folder)
      write_lines(folder .. "/1.txt", 1, 200)
      write_lines(folder .. "/2.txt", 201, 400)
      write_lines(folder .. "/3.txt", 401, 600)
    end,
    run = function(folder)
      return text_of(data.text_lines({ folder .. "/1.txt", folder .. "/2.txt", folder .. "/3.txt" },
        { num_parallel_reads = 2 }):prefetch(2))
    end,
  })

  add("list of files", READING, {
    before = function(folder)
      for _, name in ipairs { "a", "b", "c" } do
        write_file(folder .. "/" .. name .. ".bin", name:rep(300))
      end
    end,
    run = function(folder)
      local names = data.list_files(folder .. "/*.bin", { shuffle = false })
      return text_of(names)
    end,
  })

  add("fixed length records", READING, {
    before = function(folder) write_file(folder .. "/a.bin", ("0123456789"):rep(2000)) end,
    run = function(folder)
      local ds = data.fixed_length_records(folder .. "/a.bin", 100):map(function(x)
        return x:cast "float32" / 255
      end, { defer = false, num_parallel_calls = 2 }):batch(9)
      return text_of(ds:map(function(x) return x:sum() end))
    end,
  })

  local golden = dofile "tests/golden/images.lua"

  local function picture(name)
    for _, case in ipairs(golden.pictures) do
      if case.name == name then
        return (case.bytes:gsub("..", function(pair) return string.char(tonumber(pair, 16)) end))
      end
    end
  end

  add("folder of pictures", READING, {
    before = function(folder)
      assert(injector.make_folder(folder .. "/cats") and injector.make_folder(folder .. "/dogs"))
      write_file(folder .. "/cats/a.png", picture "png colour 2 depth 8")
      write_file(folder .. "/cats/b.png", picture "png colour 6 depth 8")
      write_file(folder .. "/dogs/c.jpg", picture "jpeg of 3")
    end,
    run = function(folder)
      local texts = {}
      for x, y in data.image_folder(folder, { image_size = { 6, 6 }, batch_size = 2, shuffle = false }):iter() do
        texts[#texts + 1] = bits(x, y)
      end
      return table.concat(texts, "\n")
    end,
  })

  add("pictures in records", READING, {
    before = function(folder)
      local writer = data.records.writer(folder .. "/p.rec")
      for i = 1, 4 do
        writer:write(data.records.example { image = picture "png colour 2 depth 8", label = i })
      end
      writer:close()
    end,
    run = function(folder)
      local texts = {}
      for element in data.tfrecord(folder .. "/p.rec"):parse_example({ image = { image = "png", shape = { 5, 9, 3 } },
        label = pod.spec({}, "int64") }, { num_parallel_calls = 2 }):iter() do
        texts[#texts + 1] = bits(element.image, element.label)
      end
      return table.concat(texts, "\n")
    end,
  })

  local PIPELINE = { "allocation", "thread", "lock", "signal", "stop" }

  add("stages", PIPELINE, {
    run = function()
      local ds = data.range(60):map(function(i) return i * 3 end, { num_parallel_calls = 2, defer = false })
        :filter(function(i) return pod.not_equal(i % 2, 0) end):enumerate():map(function(i, x) return i + x end)
        :shuffle(10, { seed = 4 }):window(4):flat_map(function(w) return w:batch(4) end):unbatch():cache()
        :padded_batch(5):prefetch(2)
      return text_of(ds:unbatch())
    end,
  })

  add("buckets", PIPELINE, {
    run = function()
      local ds = data.from_texts { "a", "four", "three", "no", "text", "", "b", "length" }
      return text_of(ds:bucket_by_sequence_length { element_length_func = function(text) return #text end,
        bucket_boundaries = { 2, 5 }, bucket_batch_sizes = { 2, 1, 2 }, in_step = 2 }:unbatch())
    end,
  })

  add("interleave and a generator", PIPELINE, {
    run = function()
      local made = data.from_generator(function()
        local i = 0
        return function()
          i = i + 1
          if i <= 6 then
            return pod.tensor(i, { dtype = "int64" })
          end
        end
      end, pod.spec({}, "int64"))
      return text_of(made:interleave(function(i) return data.range(3):map(function(j) return j + i end) end,
        { cycle_length = 2, num_parallel_calls = 2 }))
    end,
  })

  add("interpreted map", PIPELINE, {
    run = function()
      return text_of(data.range(30):map(function(i)
        return { i, i * i }
      end, { interpret = true, num_parallel_calls = 2,
        output_signature = pod.spec({ 2 }, "int64") }):prefetch(2):unbatch())
    end,
  })

  add("distributed dataset", PIPELINE, {
    run = function()
      local strategy = pod.distribute.mirrored(4)
      local ds = data.distribute(data.range(20):batch(8), strategy)
      local total = {}
      for x in ds:iter() do
        local sums = strategy:run(function(part) return part:sum() end, { x })
        total[#total + 1] = tostring(strategy:reduce("sum", sums):item())
      end
      return table.concat(total, "\n")
    end,
  })
end
