// Run buttons for the blocks of Lua of a page (./dev docs --live). A page has one machine, moonpod.js, which starts with
// the first block that is run; blocks above it that have not run go first. Nothing here asks another machine: scripts
// are read from beside the page, also where it was opened as a file.
(function () {
  "use strict";
  const root = document.currentScript.dataset.root;
  // Draws what each fit has reached, below its block, after each epoch.
  const CHART = "as it trains", PRELUDE = `
    local pod, list = require "moonpod", require "moonpod.models.callback_list"
    local new = list.new
    list.new = function(given, options)
      local self, seen = new(given, options), {}
      if options.history and (options.epochs or 1) > 1 then
        self:add(pod.callbacks.lambda { on_epoch_end = function(_, logs)
          for name, value in pairs(logs) do
            seen[name] = seen[name] or {}
            table.insert(seen[name], tonumber(value))
          end
          local page = require "moonpod.base.screen".page
          page.display(pod.plot.line(seen, { title = "${CHART}", x_label = "epoch", width = 480, height = 240 }))
        end })
      end
      return self
    end`;
  let starting, going = Promise.resolve();

  function load(name) {
    return new Promise((done, fail) => {
      const script = document.createElement("script");
      script.src = root + "live/" + name;
      script.onload = done;
      script.onerror = () => fail(new Error(name + " does not lie beside the book"));
      document.head.append(script);
    });
  }

  async function start() {
    await load("moonpod.js");
    const pod = await Moonpod.start();
    if (document.getElementById("main").textContent.includes("pod.datasets.")) {
      await load("datasets.js");
      for (const [path, bytes] of Object.entries(moonpodDatasets))
        await pod.write(path, Uint8Array.from(atob(bytes), c => c.charCodeAt(0)));
    }
    await pod.run(PRELUDE);
    return pod;
  }

  // What a cell tells: text, or a picture in the place of the one before of the same run.
  function show(into, { text, data, output_type: kind, evalue, transient }) {
    const svg = data && data["image/svg+xml"];
    if (svg) {
      const picture = Moonpod.picture(svg, "a plot of the block above");
      const before = into.querySelector("img[data-chart]");
      if (svg.includes(CHART)) picture.dataset.chart = "";
      if (before && svg.includes(CHART)) before.replaceWith(picture);
      else into.append(picture);
      return;
    }
    const told = kind === "error" ? evalue : text || data && data["text/plain"];
    if (!told) return;
    const id = transient && transient.display_id || "", known = id && into.querySelector(`pre[data-id="${id}"]`);
    if (known) {
      known.textContent = told;
      return;
    }
    let last = into.lastElementChild;
    if (!last || last.tagName !== "PRE" || last.dataset.id || id) into.append(last = document.createElement("pre"));
    if (id) last.dataset.id = id;
    last.textContent += kind === "stream" ? told : told + "\n";
  }

  async function run(pod, block) {
    block.told.replaceChildren();
    block.told.hidden = false;
    block.button.textContent = "Stop";
    block.button.onclick = () => pod.interrupt();
    const source = block.code.textContent;
    const reply = await pod.run(source, output => show(block.told, output));
    const shown = block.told.querySelector("img:not([data-chart])");
    for (const [, file] of source.matchAll(/:save "([^"]*\.svg)"/g))
      if (reply.status === "ok" && !shown)
        show(block.told, { data: { "image/svg+xml": new TextDecoder().decode(await pod.read(file)) } });
    block.done = reply.status === "ok";
    return block.done;
  }

  async function upTo(blocks, wanted) {
    try {
      starting = starting || start();
      const pod = await starting;
      for (const block of blocks) {
        const goes_on = block !== wanted && block.done || await run(pod, block);
        ready(blocks, block);
        if (!goes_on || block === wanted) return;
      }
    } catch (error) {
      starting = undefined;
      show(wanted.told, { text: error.message });
      wanted.told.hidden = false;
      ready(blocks, wanted);
    }
  }

  function ready(blocks, block) {
    block.button.textContent = block.done ? "Run again" : "Run";
    block.button.onclick = () => {
      block.button.textContent = "Starting …";
      going = going.then(() => upTo(blocks, block));
    };
  }

  document.addEventListener("DOMContentLoaded", () => {
    const blocks = Array.from(document.querySelectorAll("#main pre.lua code"), code => {
      const button = document.createElement("button"), told = document.createElement("div");
      button.className = "run";
      told.className = "told";
      told.setAttribute("role", "status");
      told.hidden = true;
      code.closest("pre").after(button, told);
      return { code, button, told };
    });
    blocks.forEach(block => ready(blocks, block));
  });
})();
