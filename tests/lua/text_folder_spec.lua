-- Texts in folders, a folder a class.

local pod = require "moonpod"

local root

local function write(path, content)
  local file = assert(io.open(root .. "/" .. path, "wb"))
  file:write(content)
  file:close()
end

describe("text_folder", function()
  before_each(function()
    root = os.tmpname()
    os.remove(root)
    os.execute(("mkdir -p %s/bad/old %s/good"):format(root, root))
    write("bad/1.txt", "a dull film")
    write("bad/old/2.TXT", "weak, and long\n")
    write("good/1.txt", "")
    write("good/2.txt", "lovely")
    write("good/picture.png", "no text")
  end)

  after_each(function()
    os.execute("rm -r " .. root)
  end)

  local function elements(options)
    local texts, labels = {}, {}
    local set = pod.data.text_folder(root, options)
    for i, element in ipairs(set:totable()) do
      texts[i], labels[i] = element[1], element[2]
    end
    return texts, labels, set
  end

  it("labels texts by their folders, in the order of names", function()
    local texts, labels, set = elements { shuffle = false }
    assert.same({ "a dull film", "weak, and long\n", "", "lovely" }, texts)
    assert.same({ 0, 0, 1, 1 }, labels)
    assert.same({ "bad", "good" }, set.class_names)
    assert.equal("4 texts in 2 classes, from " .. root, set.source)
    assert.equal(root .. "/bad/old/2.TXT", set.file_paths[2])
  end)

  it("has the options of Keras' text_dataset_from_directory", function()
    assert.equal(pod.data.text_folder, pod.data.text_dataset_from_directory)
    assert.same({ "a du", "weak", "", "love" }, (elements { shuffle = false, max_length = 4 }))
    local set = pod.data.text_folder(root, { label_mode = "binary", shuffle = false, class_names = { "good", "bad" } })
    local _, label = set:iterator():next()
    assert.same({ 0 }, label:totable())
    assert.same({ "good", "bad" }, set.class_names)
    local training, validation = pod.data.text_folder(root, { validation_split = 0.5, subset = "both", seed = 3 })
    assert.equal(2, training:cardinality())
    assert.equal(2, validation:cardinality())
    local seen = {}
    for _, path in ipairs { training.file_paths[1], training.file_paths[2], validation.file_paths[1],
      validation.file_paths[2] } do
      seen[path] = true
    end
    assert.is_true(seen[root .. "/good/1.txt"] and seen[root .. "/good/2.txt"] and seen[root .. "/bad/1.txt"])
  end)

  it("says what is wrong", function()
    assert.error_matches(function() pod.data.text_folder(root .. "/good/nothing") end, "there are no texts %(%.txt%)")
    assert.error_matches(function() pod.data.text_folder(root, { class_names = { "god" } }) end,
      "class 'god' has no folder in .*did you mean 'good'")
    assert.error_matches(function() pod.data.text_folder(root, { batch_size = 32 }) end,
      "batch the numbers that text_vectorization makes")
    assert.error_matches(function() pod.data.text_folder(root, { max_lenght = 3 }) end, "did you mean 'max_length'")
  end)
end)
