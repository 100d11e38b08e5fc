// site_search.js FOLDER: reads queries, one a line, and writes for each the headings that the book's search finds, the
// best first, on a line, a tab behind each.
"use strict";
const fs = require("fs");
const vm = require("vm");
const read = (name) => vm.runInThisContext(fs.readFileSync(process.argv[2] + "/" + name, "utf8"));
read("index.js");
read("search.js");
for (const line of fs.readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const found = vm.runInThisContext("moonpodSearch.find(moonpodIndex, " + JSON.stringify(line) + ")");
  console.log(found.slice(0, 12).map((entry) => entry.heading + "\t").join(""));
}
