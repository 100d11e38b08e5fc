-- Keras' data sets: what its own loaders read of the same files (tests/golden/keras_data.py), how files are found and
-- fetched, and what is left where that fails: nothing.

local pod = require "moonpod"
local core = require "moonpod.core"
local executable = require "tests.lua.support.executable"
local files = require "tests.lua.support.files"
local json = require "moonpod.base.json"

local GOLDEN = "tests/golden/keras_data/"
local NAMES = { mnist = "mnist.npz", boston_housing = "boston_housing.npz", imdb = "imdb.npz", reuters = "reuters.npz",
  cifar10 = "cifar-10-python.tar.gz", cifar100 = "cifar-100-python.tar.gz" }

local expected = json.decode(assert(files.read(GOLDEN .. "expected.json")))

-- Both parts of a data set of the golden file, as the loaders of Keras are called.
local function load(name, options)
  options = options or {}
  options.path = GOLDEN .. NAMES[name]
  return pod.datasets[name](options)
end

local function check_part(wanted, found, what)
  if not pod.is_tensor(found) then
    return assert.same(wanted, found, what)
  elseif not wanted.sha256 then
    return assert.same(wanted, found:totable(), what)
  end
  assert.same(wanted.shape, { found.shape[1], found.shape[2], found.shape[3], found.shape[4] }, what)
  assert.equal("uint8", found.dtype)
  assert.equal(wanted.sha256, core.sha256(found:data()), what)
end

local function check(wanted, train, test)
  for name, set in pairs { train = train, test = test } do
    check_part(wanted["x_" .. name], set.x, "x_" .. name)
    check_part(wanted["y_" .. name], set.y, "y_" .. name)
    assert.equal(set.y.shape[1], set:cardinality())
  end
end

local function copy(t)
  local out = {}
  for key, value in pairs(t) do
    out[key] = value
  end
  return out
end

describe("Keras' data sets", function()
  it("of pictures and of tables are read as its loaders read them", function()
    check(expected.mnist, load "mnist")
    check(expected.cifar10, load "cifar10")
    check(expected.cifar100_fine, load "cifar100")
    check(expected.cifar100_coarse, load("cifar100", { label_mode = "coarse" }))
    local train = load "cifar10"
    assert.same({ "airplane", "truck" }, { train.class_names[1], train.class_names[10] })
    local x, y = train:batch(2):iterator():next()
    assert.equal("(2, 32, 32, 3)", tostring(x.shape))
    assert.equal("(2, 1)", tostring(y.shape))
    for _, case in ipairs(expected.boston_housing) do
      local options, wanted = copy(case[1]), case[2]
      if options.test_split > 0 then
        check(wanted, load("boston_housing", options))
      else
        local all, none = load("boston_housing", options)
        check_part(wanted.x_train, all.x, "all")
        assert.equal(0, #none)
      end
    end
  end)

  it("of texts are read as its loaders read them, with its options", function()
    for _, case in ipairs(expected.texts) do
      check(case[2], load("imdb", copy(case[1])))
      check(case[3], load("reuters", copy(case[1])))
    end
    local train = load("imdb", { num_words = 20 })
    local x, y = train:padded_batch(4):iterator():next()
    assert.equal(4, x.shape[1])
    assert.equal("int32", x.dtype)
    assert.equal("(4)", (tostring(y.shape):gsub(",", "")))
    assert.same(pod.utils.pad_sequences({ train.x[1] }, { maxlen = x.shape[2], padding = "post" })[1]:totable(),
      x[1]:totable())
    assert.equal("cocoa", load("reuters").class_names[1])
  end)

  it("of texts have their words from Keras' cache, or a file", function()
    local path = files.with '{"the":1,"film":19}'
    assert.equal(19, pod.datasets.imdb_word_index({ path = path }).film)
    assert.equal(1, pod.datasets.reuters_word_index({ path = path }).the)
    files.write(path, '{"the":"x"}')
    assert.error_matches(function() pod.datasets.imdb_word_index { path = path } end, "'the' must be a whole number")
    files.remove_given()
  end)

  it("say what is wrong with their options and files", function()
    local function fails(pattern, name, options)
      assert.error_matches(function() pod.datasets[name](options) end, pattern)
    end
    fails("datasets.mnist: /nowhere/mnist.npz is not there", "mnist", { path = "/nowhere/mnist.npz" })
    fails("no array 'x_train'; it is another file", "mnist", { path = GOLDEN .. "reuters.npz" })
    fails("uint8 of shape %(0, 28, 28%) are expected", "mnist", { path = GOLDEN .. "imdb.npz" })
    fails("has no member 'cifar%-100%-python/train'", "cifar100", { path = GOLDEN .. NAMES.cifar10 })
    fails('label_mode must be "fine" or "coarse", not "rough"', "cifar100",
      { path = GOLDEN .. NAMES.cifar100, label_mode = "rough" })
    fails("no sequence has fewer than maxlen = 1 words; raise it", "imdb", { path = GOLDEN .. "imdb.npz", maxlen = 1 })
    fails("test_split must be from 0 to below 1, not 1", "reuters", { path = GOLDEN .. "reuters.npz", test_split = 1 })
    fails("'skip_top' must be a whole number from 0, not false", "imdb",
      { path = GOLDEN .. "imdb.npz", skip_top = false })
    fails("seed must be a whole number from 0 to 2%^32 %- 1, not 0.5", "boston_housing",
      { path = GOLDEN .. "boston_housing.npz", seed = 0.5 })
    fails("unknown option 'pth'", "mnist", { pth = "x" })
  end)
end)

describe("a download", function()
  local folder, cache, server, port
  local sum = core.sha256(assert(files.read(GOLDEN .. "imdb.npz")))

  setup(function()
    folder, cache = files.temporary(), files.temporary()
    os.execute(("mkdir %s %s && cp %s* %s"):format(folder, cache, GOLDEN, folder))
    server = assert(io.popen(("python3 tests/tools/file_server.py %s"):format(folder)))
    port = assert(server:read "*l", "the server gives no port")
  end)

  before_each(function()
    os.execute(("rm -rf %s && mkdir %s"):format(cache, cache))
  end)

  teardown(function()
    executable.shell(("curl -s http://127.0.0.1:%s/quit"):format(port))
    server:close()
    os.execute(("rm -r %s %s"):format(folder, cache))
  end)

  local function fetch(way, options)
    options = options or {}
    options.cache, options.sha256 = cache, options.sha256 or sum
    options.url = ("http://127.0.0.1:%s/%s"):format(options.port or port, way)
    options.port = nil
    return pod.datasets.imdb(options)
  end

  local function content()
    return (executable.shell("ls -A " .. cache))
  end

  it("is kept under its name, gone on with where it was cut, and not repeated", function()
    for _, way in ipairs { "whole/imdb.npz", "plain/imdb.npz", "cut/imdb.npz" } do
      os.execute(("rm -f %s/*"):format(cache))
      check(expected.texts[1][2], fetch(way))
      assert.equal("imdb.npz\n", content())
      assert.equal(files.read(GOLDEN .. "imdb.npz"), files.read(cache .. "/imdb.npz"))
      check(expected.texts[1][2], fetch "gone") -- the cache has it
    end
    files.write(cache .. "/imdb.npz", "damaged")
    check(expected.texts[1][2], fetch "whole/imdb.npz") -- what is damaged is fetched anew
  end)

  it("that fails leaves nothing, and says why and what to do", function()
    local function fails(pattern, way, options)
      assert.error_matches(function() fetch(way, options) end, pattern)
      assert.equal("", content())
    end
    fails("there is no imdb.npz, and it was not fetched from http://127.0.0.1:%d+/gone: curl ended with 22: .*404"
      .. ".*\nWhere there is a network, this fetches it: curl %-LO http.*\nThe option path = FILE says where", "gone")
    fails("what came has the SHA%-256 %x+ instead of 0000, and was not kept", "whole/imdb.npz", { sha256 = "0000" })
    fails("the connection was cut 5 times", "broken/imdb.npz")
    fails("curl ended with 7: .*connect", "whole/imdb.npz", { port = 1 })
    fails("there is no imdb.npz\nWhere", "whole/imdb.npz", { fetch = false })
    files.write(cache .. "/imdb.npz", "damaged")
    assert.error_matches(function() fetch "gone" end, "imdb.npz is there, but has the SHA%-256 %x+ instead of %x+\n")
    os.remove(cache .. "/imdb.npz")
  end)

  it("that does not fit on the disk leaves nothing", function()
    local script = ("local ok, failure = pcall(require 'moonpod'.datasets.imdb, { cache = %q, sha256 = %q, "
      .. "url = 'http://127.0.0.1:%s/whole/imdb.npz' }) print(ok, failure)"):format(cache, sum, port)
    executable.with_script(script, function(name)
      local text = executable.shell(("trap '' XFSZ; ulimit -f 1; %s %s"):format(
        executable.quote(executable.program), name))
      assert.matches("^false.*imdb.npz.*[Ff]ile too large", text)
      assert.equal("", content())
    end)
  end)

  -- Archives of CIFAR-10's name: pickles that would run a command, and members that lie above their folder.
  local HOSTILE = [=[
import io, sys, tarfile
folder, evil = sys.argv[1:]
def write(name, members):
    with tarfile.open(folder + "/" + name, "w:gz") as archive:
        for path, data in members:
            member = tarfile.TarInfo(path)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
batches = ["cifar-10-batches-py/" + name for name in ["data_batch_%d" % i for i in range(1, 6)] + ["test_batch"]]
write("run.tar.gz", [(name, b"cos\nsystem\n(S'touch %s'\ntR." % evil.encode()) for name in batches])
write("above.tar.gz", [(path + name, b"N.") for name in batches for path in ("../", evil + "/", "x/../../")])
]=]

  it("of hostile content runs and writes nothing", function()
    local evil = folder .. "-evil"
    local script = files.with(HOSTILE)
    assert.equal("", (executable.shell(("python3 %s %s %s"):format(script, folder, evil))))
    for name, why in pairs { ["run.tar.gz"] = "os", ["above.tar.gz"] = "has no member 'cifar%-10%-batches%-py/" } do
      local from = folder .. "/" .. name
      assert.error_matches(function() pod.datasets.cifar10 { path = from } end, why)
      assert.error_matches(function()
        pod.datasets.cifar10 { cache = cache, sha256 = core.sha256(assert(files.read(from))),
          url = ("http://127.0.0.1:%s/whole/%s"):format(port, name) }
      end, why)
      assert.equal("cifar-10-python.tar.gz\n", content()) -- with the SHA-256 that was asked for, and nothing else
      assert.is_nil(files.read(evil))
    end
    files.remove_given()
  end)

  it("is not begun without curl, nor by a host that keeps to one folder", function()
    local script = ("print(pcall(require 'moonpod'.datasets.imdb, { cache = %q }))"):format(cache)
    executable.with_script(script, function(name)
      local text = executable.shell(("PATH=/nowhere %s %s"):format(executable.quote(executable.program), name))
      assert.matches("there is no program curl: apt%-get install curl", text)
    end)
    script = ("local pod = require 'moonpod' pod.device.configure { files = %q } "
      .. "print(pcall(pod.datasets.imdb, { cache = '.' }))"):format(cache)
    executable.with_script(script, function(name)
      local text = executable.run(name)
      assert.matches("^false.*outside", text)
    end)
    assert.equal("", content())
  end)

  it("is found in Keras' cache and in the user's own", function()
    local home = cache .. "/home"
    os.execute(("mkdir -p %s/.keras/datasets && cp %simdb.npz %s/.keras/datasets"):format(home, GOLDEN, home))
    local script = ("local train = require 'moonpod'.datasets.imdb { sha256 = %q, "
      .. "url = 'http://127.0.0.1:%s/' .. arg[1] } print(train.source)"):format(sum, port)
    executable.with_script(script, function(name)
      local function run(way)
        return (executable.shell(("env -u KERAS_HOME -u XDG_CACHE_HOME -u MOONPOD_DATASETS HOME=%s %s %s %s"):format(
          home, executable.quote(executable.program), name, way)))
      end
      assert.equal(("IMDB: 40 sequences of words, from %s/.keras/datasets/imdb.npz\n"):format(home), run "gone")
      os.remove(home .. "/.keras/datasets/imdb.npz")
      local line = ("IMDB: 40 sequences of words, from %s/.cache/moonpod/datasets/imdb.npz\n"):format(home)
      assert.equal(line, run "whole/imdb.npz")
      assert.equal(line, run "gone")
    end)
    executable.with_script("print(pcall(require 'moonpod'.datasets.imdb_word_index))", function(name)
      local text = executable.shell(("env -u KERAS_HOME HOME=%s %s %s"):format(home,
        executable.quote(executable.program), name))
      assert.matches("no imdb_word_index.json in Keras' cache. It is not fetched, for Keras pins no SHA%-256 of it:\n"
        .. "  curl %-LO https", text)
    end)
  end)
end)
