-- The chapters of the book in their order: title, folder, and pages. Pages of the reference that are not named here
-- follow in the order of docs/reference/README.md.

return {
  { title = "Tutorials", folder = "tutorials", pages = { "first-network", "keras", "custom-loop", "tpu-memory", "game",
    "from-c", "tour", "examples" } },
  { title = "Guides", folder = "guides", pages = { "install", "data", "data-service", "images", "text", "training",
    "saving", "mixed-precision", "replicas", "accelerators", "scaling", "profiling", "debugging", "testing",
    "tensorboard", "plots", "notebooks", "jupyter", "advise", "embedding" } },
  { title = "Reference", folder = "reference", pages = { "README", "lua", "command-line", "environment", "formats",
    "messages", "differences" } },
  { title = "Explanation", folder = "explanation", pages = { "program", "replicas", "bits", "performance",
    "performance/amd-epyc-family-25-model-17", "performance/amd-epyc-family-26-model-2",
    "performance/amd-epyc-family-26-model-2-kernels", "padding", "memory" } },
  { title = "For contributors", folder = "contributors", pages = { "wings", "architecture", "decisions",
    "contributing", "adding", "debugging", "formats", "releasing", "tpu-rules" } },
}
