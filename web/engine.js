// engine - what the worker of a page does, and what tests do under node: makes the machine, gives requests to it one
// after the other, and lets messages come in between two slices of work. `create` is what emscripten made.
function moonpodEngine(create, wasm, tell, print) {
  "use strict";
  const SLICE = 25; // milliseconds
  const channel = new MessageChannel();
  let machine, resume, work = Promise.resolve();
  channel.port1.onmessage = () => resume();

  function pause() {
    return new Promise(done => {
      resume = done;
      channel.port2.postMessage(0);
    });
  }

  async function handle(request) {
    const bytes = new TextEncoder().encode(JSON.stringify(request));
    const place = machine._malloc(bytes.length);
    machine.HEAPU8.set(bytes, place);
    machine._page_begin(place, bytes.length);
    machine._free(place);
    let state = 1;
    while ((state = machine._page_go_on(SLICE)) > 0) await pause();
    if (state < 0) throw new Error("the request failed");
  }

  return {
    async open() {
      machine = await create({ wasmBinary: wasm, tell, print, printErr: print });
      if (machine._page_open() !== 0) throw new Error("Moonpod did not begin");
    },
    // A cell or a call; what comes of it is told.
    request(request) {
      return work = work.catch(() => {}).then(() => handle(request));
    },
    interrupt() {
      machine._page_interrupt();
    },
    write(path, bytes) {
      const folder = path.slice(0, path.lastIndexOf("/"));
      if (folder) machine.FS.mkdirTree(folder);
      machine.FS.writeFile(path, bytes);
    },
    read(path) {
      return machine.FS.readFile(path);
    },
    memory() {
      return machine.HEAPU8.length;
    },
    close() {
      channel.port1.close();
    },
  };
}
