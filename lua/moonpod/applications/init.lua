--- Known models, without weights: builders with the sizes that were published, for training from the beginning and for
--- asking what they would take of a device. `pod.applications.NAME(options)` makes one.
---@param options.input_shape integer[] the shape of a picture, { height, width, channels }
---@param options.classes integer how many classes come out (default 1000)
---@param options.include_top boolean whether the layers that tell classes are there (default true)
---@param options.classifier_activation string what is applied at the end (default "softmax"; "linear": logits)
---@example pod.applications.unet { input_shape = { 16, 16, 1 }, filters = 2 }.outputs[1].shape --> (None, 16, 16, 1)

local declare = require "moonpod.base.arguments"
local convolutional = require "moonpod.applications.convolutional"
local transformers = require "moonpod.applications.transformers"

local applications = {}

for _, family in ipairs { convolutional, transformers } do
  for name, build in pairs(family) do
    applications[name] = build
  end
end

return declare.functions("applications", applications, {
  ["options?"] = "resnet18 resnet50 mobilenet_v2 unet vit_small gpt2_small bert_base",
})
