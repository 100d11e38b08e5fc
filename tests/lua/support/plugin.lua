-- plugin - what `./dev peers` installs into build/plugins: XLA's plugin of PJRT for CPUs, which programs on devices are
-- tested with, and XProf, which reads profiles.

local pod = require "moonpod"

-- Tests leave nothing in the user's cache.
require("moonpod.tpu.plugins").kept_folder = function() end

local plugin = { path = "build/plugins/lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so" }

-- Whether it, or another file, is there; without it tests are pending, where CI=true they fail.
function plugin.is_there(path)
  local file = io.open(path or plugin.path, "rb")
  if file then
    file:close()
    return true
  end
  plugin.why = "build/plugins has not all of tests/tools/plugins.txt (run ./dev peers)"
  assert(os.getenv "CI" ~= "true", plugin.why)
  return false
end

-- The same behind a proxy that aborts a host which writes to what it has lent (tests/tools/pjrt_proxy.c).
plugin.watched = (os.getenv "MOONPOD_BUILD" or "build/release") .. "/tests/pjrt_proxy.so"

-- A strategy on so many devices of the plugin, or of that at `path`.
function plugin.strategy(count, path)
  local resolver = pod.cluster.resolve { pjrt = path or plugin.path, num_cores = count }
  local strategy = pod.distribute.tpu_strategy(resolver)
  pod.device.set_resolver(nil)
  return strategy
end

return plugin
