// web_script.js BUILD SCRIPT - runs a script that every system runs by the engine of a page, under node: the files of
// the dataset and those beside the script are given to it as bytes. Prints what the script prints.
"use strict";
const fs = require("fs"), path = require("path");

(async function () {
  const [build, script] = process.argv.slice(2);
  const began = performance.now();
  const page = await require("./node_engine.js").open(build);
  await page.request({ source: "" });
  console.log(`# starts in ${Math.round(performance.now() - began)} ms`);
  page.copy((process.env.MOONPOD_DATASETS || "/usr/share/datasets") + "/fashion-mnist");
  page.copy(path.dirname(script));
  page.copy(path.join(__dirname, "../lua/escapes")); // of sandbox.lua
  await page.request({ source: `arg = { [0] = ${JSON.stringify(script)} }` });
  const before = process.cpuUsage();
  const { reply, text } = await page.request({ source: fs.readFileSync(script, "utf8") });
  const used = process.cpuUsage(before);
  console.log(`# ${((used.user + used.system) / 1e6).toFixed(2)} s of the processor`);
  console.log(text + (reply.traceback || []).join("\n"));
  process.exit(reply.status === "ok" ? 0 : 1);
})();
