// worker - the worker's end: messages of moonpod.js become calls of the engine, each answered by its id.
(function () {
  "use strict";
  let engine;
  const does = {
    async start({ wasm }) {
      engine = moonpodEngine(createMoonpod, wasm, told => postMessage({ told }), printed => postMessage({ printed }));
      await engine.open();
    },
    request({ request }) { return engine.request(request); },
    write({ path, bytes }) { engine.write(path, bytes); },
    read({ path }) { return engine.read(path); },
    memory() { return engine.memory(); },
    interrupt() { engine.interrupt(); },
  };
  self.onmessage = async function ({ data }) {
    try {
      postMessage({ id: data.id, value: await does[data.kind](data) });
    } catch (error) {
      postMessage({ id: data.id, failure: String(error && error.message || error) });
    }
  };
})();
