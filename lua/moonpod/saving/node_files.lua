-- node_files - what files mean on a TPU Node, whose host is another machine: they are written here all the same, and
-- the user is told what TensorFlow would say there.

local warnings = require "moonpod.base.warnings"

local node_files = {}

local told = setmetatable({}, { __mode = "k" })

-- Warns, once for a resolver, where a model of a TPU Node is written to a file.
function node_files.warn(model)
  local resolver = model._strategy and model._strategy.resolver
  if resolver and resolver.host == "node" and not told[resolver] then
    told[resolver] = true
    warnings.warn("the file is written on this machine. On a TPU Node TensorFlow has the TPU's host write it, which "
      .. "sees no local path and fails: \"UNIMPLEMENTED: File system scheme '[local]' not implemented\"; use a bucket "
      .. "(gs://...) there, or a TPU VM (host = \"vm\")")
  end
end

return node_files
