"""JupyterLab in headless Chromium with moonpod-kernel: a notebook is opened, run, interrupted, completed, restarted,
and pictures are taken. Needs the packages jupyterlab and websocket-client, and Debian's chromium.

    lab.py PROGRAM FOLDER     PROGRAM is moonpod, which installs its kernel; FOLDER gets the pictures
"""

import base64
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

import websocket

CELLS = [
    "local x, y = {}, {}\nfor i = 1, 200 do x[i] = i / 20 y[i] = math.sin(x[i]) * math.exp(-x[i] / 5) end\n"
    "pod.plot.line(y, { title = \"a damped wave\" })",
    "layers = pod.layers\nmodel = pod.models.sequential {\n  layers.input { shape = { 28, 28, 1 } },\n"
    "  layers.conv2d(16, 3, { activation = \"relu\" }), layers.max_pooling2d(2),\n  layers.flatten(), "
    "layers.dense(64, { activation = \"relu\" }), layers.dense(10) }\n"
    "model:compile { optimizer = \"adam\", metrics = { \"accuracy\" },\n"
    "  loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }\nmodel",
    "model:memory_report(\"v3\", { batch = 1024 })",
    "x, y = pod.random.uniform { 4096, 28, 28, 1 }, pod.zeros({ 4096 }, \"int32\")\n"
    "model:fit(x, y, { epochs = 1000, batch_size = 64 })",
]

PATIENCE = 90


def notebook():
    cells = [dict(cell_type="code", id=f"cell{i}", execution_count=None, metadata={}, outputs=[], source=text)
             for i, text in enumerate(CELLS)]
    kernel = dict(name="moonpod", display_name="Moonpod (Lua)", language="lua")
    return dict(cells=cells, metadata=dict(kernelspec=kernel), nbformat=4, nbformat_minor=5)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Browser:
    """A page of Chromium, over the DevTools protocol."""

    def __init__(self, folder):
        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0",
             "--remote-allow-origins=*", "--window-size=1200,1000", "--hide-scrollbars",
             f"--user-data-dir={folder}/chromium", "about:blank"], stderr=subprocess.DEVNULL)
        path = os.path.join(folder, "chromium", "DevToolsActivePort")
        wait(lambda: os.path.exists(path) and open(path).read().count("\n") > 0, "Chromium to begin")
        port = open(path).read().split()[0]
        pages = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/json"))
        page = next(one for one in pages if one["type"] == "page")
        self.socket = websocket.create_connection(page["webSocketDebuggerUrl"], timeout=PATIENCE)
        self.count = 0

    def call(self, method, **parameters):
        self.count += 1
        self.socket.send(json.dumps(dict(id=self.count, method=method, params=parameters)))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("id") == self.count:
                assert "error" not in answer, answer
                return answer["result"]

    def ask(self, code):
        found = self.call("Runtime.evaluate", expression=code, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def picture(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as out:
            out.write(base64.b64decode(data))

    def key(self, key, **more):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, **more)


def wait(is_so, what):
    end = time.time() + PATIENCE
    while not is_so():
        assert time.time() < end, f"waited for {what}"
        time.sleep(0.1)


APP = "window.jupyterapp"
PANEL = f"[...({APP}?.shell?.widgets('main') ?? [])].find(one => one.content?.widgets)"
STATUS = f"({PANEL})?.sessionContext?.session?.kernel?.status"


def run(browser, command):
    browser.ask(f"void {APP}.commands.execute({json.dumps(command)})")


def output(browser, number):
    return browser.ask(f"({PANEL}).content.widgets[{number}].outputArea?.node.innerText ?? ''")


def select(browser, number):
    browser.ask(f"({PANEL}).content.activeCellIndex = {number}; "
                f"({PANEL}).content.scrollToItem({number}, 'start').then(() => true, () => true)")
    time.sleep(1)


def check(browser, url, pictures):
    browser.call("Page.enable")
    browser.call("Page.navigate", url=url)
    wait(lambda: browser.ask(f"{STATUS} ?? ''") == "idle" and
         browser.ask(f"({PANEL})?.content?.widgets?.length ?? 0") == len(CELLS), "the notebook to open")
    browser.ask(f"{APP}.commands.execute('application:toggle-left-area').then(() => true)")
    browser.ask("document.head.insertAdjacentHTML('beforeend', '<style>.Toastify { display: none }</style>')")
    print("opened")
    for number in range(3):
        select(browser, number)
        run(browser, "notebook:run-cell")
        wait(lambda: output(browser, number) != "" and browser.ask(STATUS) == "idle", f"cell {number}")
        time.sleep(1)
        browser.ask(f"void ({PANEL}).content.widgets[{number}].node"
                    ".querySelector('.jp-OutputArea-output img, .jp-OutputArea-output svg')?.scrollIntoView()")
        time.sleep(1)
        browser.picture(f"{pictures}/{('plot', 'model', 'memory')[number]}.png")
    print("run")
    select(browser, 3)
    run(browser, "notebook:run-cell")
    wait(lambda: "Epoch 3" in output(browser, 3) and output(browser, 3).count("64/64") == 2 and
         "/64" in output(browser, 3).split("Epoch 3")[1], "the bar")
    browser.picture(f"{pictures}/progress.png")
    first = output(browser, 3)
    wait(lambda: output(browser, 3) != first, "the bar to go on")
    began = time.time()
    browser.ask(f"void (({PANEL}).sessionContext.session.kernel.interrupt())")
    wait(lambda: "interrupted" in output(browser, 3), "the interrupt")
    print(f"interrupted in {time.time() - began:.2f} s")
    run(browser, "notebook:insert-cell-below")
    wait(lambda: browser.ask(f"({PANEL}).content.activeCellIndex") == len(CELLS), "the new cell")
    browser.ask(f"{APP}.commands.execute('notebook:enter-edit-mode').then(() => true)")
    browser.call("Input.insertText", text="pod.layers.d")
    browser.key("Tab", code="Tab", windowsVirtualKeyCode=9)
    wait(lambda: "dropout" in browser.ask("document.querySelector('.jp-Completer')?.innerText ?? ''"), "the completion")
    time.sleep(0.5)
    browser.picture(f"{pictures}/completion.png")
    print("completed")
    browser.ask(f"{APP}.commands.execute('notebook:enter-command-mode').then(() => true)")
    run(browser, "kernelmenu:restart")
    wait(lambda: browser.ask("!!document.querySelector('.jp-Dialog .jp-mod-accept')"), "the question")
    browser.ask("document.querySelector('.jp-Dialog .jp-mod-accept').click()")
    time.sleep(3)
    wait(lambda: browser.ask(STATUS) == "idle", "the restart")
    browser.ask(f"({PANEL}).content.activeCell.model.sharedModel.source = `rawget(_G, [[model]]) == nil`")
    run(browser, "notebook:run-cell")
    wait(lambda: "true" in output(browser, len(CELLS)), "the cell behind the restart")
    print("restarted")


def main():
    program, pictures = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "--install-kernel", "--prefix", folder], check=True)
        with open(os.path.join(folder, "first.ipynb"), "w") as out:
            json.dump(notebook(), out)
        port, own = free_port(), dict(os.environ, JUPYTER_PATH=f"{folder}/share/jupyter", HOME=folder)
        log = open(os.path.join(folder, "lab.log"), "w")
        server = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", "--no-browser", f"--port={port}", "--allow-root",
             "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate", "--LabApp.expose_app_in_browser=True",
             "--IdentityProvider.token=t", f"--ServerApp.root_dir={folder}"], env=own, stdout=log, stderr=log)
        browser = None
        try:
            wait(lambda: socket.socket().connect_ex(("127.0.0.1", port)) == 0, "the server")
            browser = Browser(folder)
            check(browser, f"http://127.0.0.1:{port}/lab/tree/first.ipynb?token=t", pictures)
        except BaseException:
            if browser:
                print("the kernel is", browser.ask(f"{STATUS} ?? 'none'"))
                browser.picture(f"{pictures}/failed.png")
            print(open(log.name).read()[-3000:])
            raise
        finally:
            server.terminate()
            if browser:
                browser.process.terminate()
                browser.process.wait()
            server.wait()


if __name__ == "__main__":
    main()
