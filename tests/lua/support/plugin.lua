-- plugin - XLA's plugin of PJRT for CPUs, which `./dev peers` installs: what programs on devices are tested with.

local plugin = { path = "build/plugins/lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so" }

-- Whether it is there; without it tests are pending, where CI=true they fail.
function plugin.is_there()
  local file = io.open(plugin.path, "rb")
  if file then
    file:close()
    return true
  end
  plugin.why = "build/plugins has no plugin of PJRT (run ./dev peers)"
  assert(os.getenv "CI" ~= "true", plugin.why)
  return false
end

return plugin
