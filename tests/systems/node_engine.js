// node_engine - the engine of a page under node, for tests: open(BUILD) gives it, and run(source) what a cell printed.
"use strict";
const fs = require("fs"), path = require("path"), vm = require("vm");

exports.open = async function (build) {
  const create = require(path.resolve(build, "engine.js"));
  const source = fs.readFileSync(path.join(__dirname, "../../web/engine.js"), "utf8");
  const moonpodEngine = vm.runInThisContext(`(${source.slice(source.indexOf("function"))})`);
  const heard = [];
  const engine = moonpodEngine(create, fs.readFileSync(path.join(build, "engine.wasm")),
    text => heard.push(JSON.parse(text)), text => console.error(text));
  await engine.open();
  return {
    engine,
    // What Lua told of a request: { reply, outputs, text }, text being what was printed.
    async request(content) {
      await engine.request({ id: "test", ...content });
      const told = heard.splice(0), outputs = told.filter(one => one.output).map(one => one.output);
      const text = outputs.map(one => one.text || (one.data || {})["text/plain"] || "").join("");
      return { reply: told.find(one => one.reply).reply, outputs, text };
    },
    // Gives it the files of a folder, under the same path.
    copy(folder) {
      for (const name of fs.readdirSync(folder)) {
        const file = path.join(folder, name);
        if (fs.statSync(file).isFile()) engine.write(file, fs.readFileSync(file));
      }
    },
  };
};
