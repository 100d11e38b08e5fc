-- The chapters of the book in their order: title, folder, the words below it, and its pages. Pages of the reference
-- that are not named here follow in the order of docs/reference/README.md.

return {
  { title = "Tutorials", folder = "tutorials", pages = { "tour" } },
  { title = "Guides", folder = "guides", pages = { "install", "data", "training", "saving", "tensorboard", "plots",
    "profiling", "advise", "embedding" } },
  { title = "Reference", folder = "reference", pages = { "README", "lua", "differences" } },
  { title = "Explanation", folder = "explanation", pages = { "performance", "padding", "memory" } },
  { title = "For contributors", folder = "contributors", pages = { "architecture", "contributing" } },
}
