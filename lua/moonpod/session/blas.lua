-- blas - what multiplies matrices of float32: for `moonpod --version` and `moonpod doctor`.

local device = require "moonpod.tensor.device"
local texts = require "moonpod.base.texts"

local blas = {}

local OPENBLAS = { "/usr/lib/x86_64-linux-gnu/openblas-serial/libopenblas.so.0",
  "/usr/lib/aarch64-linux-gnu/openblas-serial/libopenblas.so.0", "/usr/lib/openblas-serial/libopenblas.so.0",
  "/usr/lib64/openblas-serial/libopenblas.so.0" }

-- Where OpenBLAS is, or nil; whether it is of use: kernels of the family "portable" alone ask for it.
function blas.find()
  local host = package.loaded["moonpod.host"]
  if host and host.text then -- an executable that is one file opens no libraries
    return nil, false
  end
  local named = os.getenv "MOONPOD_OPENBLAS"
  local found
  for _, path in ipairs(named and { named } or OPENBLAS) do
    found = found or texts.exists(path) and path or nil
  end
  return found, device.context():isa() == "portable"
end

-- One line on it.
function blas.text()
  local found, wanted = blas.find()
  if found and wanted then
    return "OpenBLAS, " .. found
  end
  return ("own kernels, %s; OpenBLAS %s"):format(device.context():isa(),
    found and "is not needed, " .. found or wanted and "would be faster, but is not there" or "is not needed")
end

return blas
