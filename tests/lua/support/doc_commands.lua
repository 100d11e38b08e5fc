-- doc_commands - the commands in the console blocks of pages, run in a copy of the checkout, and those that are not.

local doc_commands = {}

-- Why a command is not run -> the commands, as they stand on pages. A command that stands nowhere is an error.
doc_commands.NOT_RUN = {
  ["needs root"] = { "apt install ./build/packages/*.deb", "tests/tools/try_packages build/release-0.1.0",
    "apt install python3-venv && python3 -m venv env && . env/bin/activate",
    "apt install gcc cmake ninja-build pkg-config liblua5.4-dev libuv1-dev "
      .. "zlib1g-dev libdeflate-dev libturbojpeg0-dev" },
  ["needs a network"] = { "git clone https://example.org/moonpod.git", "git push origin v0.1.0", "./dev peers",
    "pip install jax" },
  ["tags a commit"] = { "./dev release --twice --tag" },
  ["is what runs this"] = { "./dev test" },
  ["has no end of its own"] = { "jupyter lab", "tensorboard --logdir logs" },
  ["needs a second host"] = { "mpirun -n 16 --host a:8,b:8 moonpod examples/many_hosts.lua 1" },
  ["takes long"] = {
    "./dev abi compare libmoonpod-0.1.0.abi",
    "./dev package",
    "./dev release --twice",
    "./dev test --sanitize reentrancy",
    "build/address/moonpod small.lua",
    "./dev test faults",
    "./dev fuzz 60 idx",
    "cmake -B build/release -G Ninja -DMOONPOD_TESTS=OFF && ninja -C build/release && "
      .. "cmake --install build/release --prefix /opt/moonpod",
    "luarocks make",
    "cc -O2 moonpod.c app.c -luv -lm -lpthread",
    "./dev bench performance",
    "./dev bench w1 w2 w3 w4 --peer torch",
    "./dev bench dot convolution attention finish",
    "./dev bench zoo",
    "./dev bench accuracy --peer torch",
    "./dev bench costs",
    "./dev bench costs memory",
    "./dev bench tiles w1 w2",
    "./dev bench checkpoint",
    "./dev bench checkpoint training --saves 5",
    "./dev run examples/from_keras/compare.lua 5",
    "./dev run examples/from_keras/compare.lua 10 build/from_keras pictures",
  },
  ["is run by ./dev test --long"] = {
    "./dev build --for linux-arm64",
    "./dev build --for linux-musl",
    "./dev build --for macos-arm64",
    "./dev build --for web",
    "./dev build --for windows",
    "./dev test everywhere",
    "./dev test --for linux-arm64",
    "./dev test --for linux-arm64 save",
  },
  ["is run by service_hosts_spec"] = {
    "moonpod data-keys new keys",
    "moonpod data-dispatcher --address tcp://10.0.0.1:5050 --state jobs.db --keys keys",
    "moonpod data-worker --dispatcher tcp://10.0.0.1:5050 --address tcp://10.0.0.2:5051 --files /data --keys keys",
  },
  ["is run by hosts_spec"] = { "./dev amalgamate" },
  ["is run by tests/tools/try_packages"] = { "pip install moonpod-0.1.0-py3-none-manylinux_2_35_x86_64.whl" },
  ["is run by examples_spec"] = { "moonpod examples/cnn.lua", "moonpod examples/cnn.lua 5 60000 7",
    "./dev run examples/from_keras/data.lua data" },
  ["needs gdb"] = {
    "cmake -B build/debug -G Ninja -DCMAKE_BUILD_TYPE=Debug && ninja -C build/debug",
    "gdb --args build/debug/moonpod small.lua",
    "gdb build/debug/moonpod core",
  },
}

-- What a page's commands find beside the checkout: a file of it, or the page's blocks of a language as one file.
doc_commands.FILES = {
  ["docs/contributors/debugging.md"] = { ["small.lua"] = { language = "lua" } },
  ["docs/guides/advise.md"] = { ["step.mlir"] = "tests/golden/stablehlo/mlp_adam.mlir" },
  ["docs/guides/install.md"] = { ["app.c"] = "examples/embed_c/train.c" },
  ["docs/guides/testing.md"] = { ["tests/model.lua"] = { language = "lua" } },
  ["docs/tutorials/from-c.md"] = { ["line.c"] = { language = "c" } },
}

-- What comes before a page's commands.
doc_commands.BEFORE = {
  -- The compiler of tests stands for libtpu.
  ["docs/guides/advise.md"] = 'export MOONPOD_PJRT_PLUGIN="$(dirname "$(command -v moonpod)")/tests/pjrt_plugin.so"',
  -- As root, and with more ranks than cores, an Open MPI wants to be told that it may.
  ["docs/guides/scaling.md"] = "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
    .. "OMPI_MCA_rmaps_base_oversubscribe=1",
  ["docs/tutorials/first-network.md"] = "ln -s . moonpod", -- for the clone that is not made
}

-- The commands of a block: { text =, line = }. A comment behind a command does not belong to it; a backslash at the end
-- of a line joins the next one.
function doc_commands.of(block)
  local list, open = {}, nil
  for i, line in ipairs(block.lines) do
    local text = line:gsub("^#.*", ""):gsub("%s+#%s.*", ""):gsub("%s+$", "")
    if open then
      open.text = open.text:gsub("%s*\\$", " ") .. text:gsub("^%s+", "")
    elseif text ~= "" then
      open = { text = text, line = block.line + i }
      list[#list + 1] = open
    end
    open = open and open.text:find "\\$" and open or nil
  end
  return list
end

-- What comes before the commands of all pages: a copy of the checkout with its build, what an installation has, and a
-- home and an environment of Python that nobody else uses.
function doc_commands.setting(root, build, folder)
  return (([[
set -e
mkdir -p FOLDER/checkout/build FOLDER/home FOLDER/environment
cd ROOT
find . -mindepth 1 -maxdepth 1 ! -name build ! -name '.*' -exec cp -r -t FOLDER/checkout {} +
ln -s BUILD FOLDER/checkout/build/release
[ ! -e build/peers ] || ln -s "$(cd build/peers && pwd -P)" FOLDER/checkout/build/peers
cmake --install BUILD --prefix FOLDER/installed >FOLDER/installed.log
PKG_CONFIG_PATH=$(dirname "$(find FOLDER/installed -name moonpod.pc)")
export PKG_CONFIG_PATH LD_LIBRARY_PATH=BUILD PATH=BUILD:$PATH HOME=FOLDER/home
export VIRTUAL_ENV=FOLDER/environment
unset LUA_PATH LUA_CPATH XDG_DATA_HOME JUPYTER_DATA_DIR
cd FOLDER/checkout
set +e]]):gsub("%u+", { ROOT = root, BUILD = build, FOLDER = folder }))
end

-- Why a command is not run; nil where it is.
function doc_commands.why_not(text)
  for why, list in pairs(doc_commands.NOT_RUN) do
    for _, one in ipairs(list) do
      if one == text then
        return why
      end
    end
  end
end

-- Behind this byte and the number of a command's line stands what the command said.
local MARK = "\1"

-- A script of the shell that runs commands one after the other, and ends at the first that fails.
function doc_commands.script(list)
  local parts = { "set -e" }
  for _, command in ipairs(list) do
    parts[#parts + 1] = ("printf '\\001%d\\n'\n%s"):format(command.line, command.text)
  end
  return table.concat(parts, "\n") .. "\n"
end

-- What commands said, by their lines, of what their script wrote; the number of the last line that was reached.
function doc_commands.said(text)
  local by_line, last = {}, nil
  for line, said in text:gmatch(MARK .. "(%d+)\n([^" .. MARK .. "]*)") do
    last = tonumber(line)
    by_line[last] = said
  end
  return by_line, last
end

return doc_commands
