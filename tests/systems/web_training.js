// web_training.js BUILD - runs training.lua, which every system runs, by the engine of a page, under node: the files of
// the dataset are given to it as bytes. Prints its lines.
"use strict";
const fs = require("fs"), path = require("path");

(async function () {
  const page = await require("./node_engine.js").open(process.argv[2]);
  page.copy((process.env.MOONPOD_DATASETS || "/usr/share/datasets") + "/fashion-mnist");
  const script = fs.readFileSync(path.join(__dirname, "training.lua"), "utf8");
  const { reply, text } = await page.request({ source: script });
  console.log(text + (reply.traceback || []).join("\n"));
  process.exit(reply.status === "ok" ? 0 : 1);
})();
