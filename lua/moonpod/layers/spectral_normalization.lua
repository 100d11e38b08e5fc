-- Keeps the largest singular value of a layer's kernel at 1 while training, by power iteration.

local check = require "moonpod.layers.check"
local errors = require "moonpod.base.errors"
local initializers = require "moonpod.layers.initializers"
local layer = require "moonpod.layers.layer"
local ops = require "moonpod.ops"
local unit_vectors = require "moonpod.ops.unit_vectors"

---@name pod.layers.spectral_normalization
--- Divides the kernel of a layer by its largest singular value, which steps of training come nearer to.
---@param options.layer layer one with a kernel
---@param options.power_iterations integer how many rounds come nearer in each step
---@return layer
---@example pod.layers.spectral_normalization(pod.layers.dense(2))(pod.ones { 4, 3 }).shape --> (4, 2)
local spectral = layer.define {
  name = "SpectralNormalization",
  runs_once = true, -- its call assigns the kernel
  arguments = { "layer" },
  defaults = { power_iterations = 1 },
  checks = { power_iterations = check.positive_integer },
  example = "layers.spectral_normalization(layers.dense(8))",
}

function spectral:setup(config)
  if not layer.is_layer(config.layer) then
    errors.raise("layers.spectral_normalization: 'layer' must be a layer; got %s", errors.describe(config.layer))
  end
  self.layer = config.layer
end

function spectral:build(shape)
  self.layer:ensure_built(shape)
  local kernel = self.layer.kernel or self.layer.embeddings
  if not kernel then
    check.fail(self, ": layer '%s' has neither a kernel nor embeddings", self.layer.name)
  end
  self.kernel = kernel
  self.vector_u = self:add_weight { name = "vector_u", shape = { 1, kernel.shape[#kernel.shape] }, trainable = false,
    initializer = initializers.truncated_normal { stddev = 0.02 }, dtype = kernel.dtype,
    aggregation = "only_first_replica" }
end

local function unit(x)
  return unit_vectors(x, nil, 1e-7)
end

function spectral:call(x, options)
  if options.training then
    local kernel, u = self.kernel:value(), self.vector_u:value()
    local weights = ops.reshape(kernel, { -1, kernel.shape[#kernel.shape] })
    local zero, v = ops.all(ops.equal(kernel, 0)), nil
    local new = u
    for _ = 1, self.config.power_iterations do
      v = unit(ops.matmul(new, ops.transpose(weights)))
      new = unit(ops.matmul(v, weights))
    end
    local sigma = ops.sum(ops.matmul(ops.matmul(v, weights), ops.transpose(new)))
    self.vector_u:assign(ops.where(zero, u, new))
    self.kernel:assign(ops.where(zero, kernel, kernel / ops.where(zero, 1, sigma)))
  end
  return self.layer(x, { training = options.training })
end

return { spectral_normalization = spectral }
