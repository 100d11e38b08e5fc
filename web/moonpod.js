// moonpod.js - Moonpod in a page. A page has this file alone: the program stands within, and runs in a worker, which
// starts from a blob, so that pages opened as files have it as well. Nothing is asked of another machine.
//
//     const pod = await Moonpod.start();
//     await pod.write("points.csv", bytes);                        // a file for Lua, in memory
//     const reply = await pod.run("x = 6 * 7\nreturn x", output => ...);   // a cell: its outputs, as Jupyter has them
//     const loss = await pod.call("learn", points, 20);            // a global function of Lua
//     pod.interrupt();                                              // what runs ends with an error
//     const model = await pod.read("model.safetensors");           // the bytes of a file
//     pod.end();
//
// Pictures are SVG, which Moonpod.picture(svg) makes an <img> of: no script within one ever runs.
const Moonpod = (function () {
  "use strict";
  const WORKER = "@WORKER@", WASM = "@WASM@";

  function bytesOf(base64) {
    const text = atob(base64), bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    return bytes;
  }

  class Machine {
    #worker; #waiting = new Map(); #requests = new Map(); #last = 0; #ended;

    constructor(print) {
      const url = URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" }));
      this.#worker = new Worker(url);
      URL.revokeObjectURL(url);
      this.#worker.onmessage = ({ data }) => {
        if (data.told !== undefined) this.#hear(JSON.parse(data.told));
        else if (data.printed !== undefined) print(data.printed);
        else this.#answer(data);
      };
      this.#worker.onerror = event => this.#stop(event.message || "the worker failed");
    }

    #hear({ id, output, reply }) {
      const request = this.#requests.get(id);
      if (output && request.listen) request.listen(output);
      if (reply) request.reply = reply;
    }

    #answer({ id, value, failure }) {
      const { done, fail } = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (failure === undefined) done(value);
      else fail(new Error(failure));
    }

    #stop(why) {
      this.#ended = why;
      this.#worker.terminate();
      for (const { fail } of this.#waiting.values()) fail(new Error(why));
      this.#waiting.clear();
    }

    ask(kind, content, moved) {
      if (this.#ended) return Promise.reject(new Error(this.#ended));
      const id = ++this.#last;
      return new Promise((done, fail) => {
        this.#waiting.set(id, { done, fail });
        this.#worker.postMessage({ id, kind, ...content }, moved || []);
      });
    }

    async #request(content, listen) {
      const id = "r" + ++this.#last, request = { listen };
      this.#requests.set(id, request);
      try {
        await this.ask("request", { request: { id, ...content } });
      } finally {
        this.#requests.delete(id);
      }
      return request.reply;
    }

    /** Runs a cell of Lua. listen(output) hears what it prints and shows. Gives { status, ename, evalue, traceback }. */
    run(source, listen) {
      return this.#request({ source }, listen);
    }

    /** Calls a global function of Lua. Arguments and the first result are what JSON has. An error is thrown. */
    async call(name, ...values) {
      const reply = await this.#request({ call: name, arguments: values });
      if (reply.status !== "ok") throw new Error(reply.evalue);
      return reply.value;
    }

    /** Makes a file of bytes (Uint8Array), in memory; its folders as well. */
    write(path, bytes) {
      return this.ask("write", { path, bytes });
    }

    /** The bytes of a file. */
    read(path) {
      return this.ask("read", { path });
    }

    /** Bytes of memory that the machine has taken. */
    memory() {
      return this.ask("memory");
    }

    /** Ends what runs with an error, between two steps. */
    interrupt() {
      return this.ask("interrupt");
    }

    /** Ends the machine, whatever it does. */
    end() {
      this.#stop("the machine was ended");
    }
  }

  return {
    /** Starts a machine. print(line) gets what is no output of a cell. */
    async start({ print = console.log } = {}) {
      const machine = new Machine(print), wasm = bytesOf(WASM);
      await machine.ask("start", { wasm }, [wasm.buffer]);
      return machine;
    },

    /** A picture, as SVG, as a part of a page. */
    picture(svg, description = "") {
      const image = new Image();
      image.alt = description;
      image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svg);
      return image;
    },
  };
})();
