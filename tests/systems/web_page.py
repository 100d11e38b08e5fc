"""Opens web_page.html in Chromium, without a window, as a file and from a server of its own, and prints what it tells:
lines of TAP, and how many tests passed. The page reloads once.

web_page.py FOLDER   the folder has moonpod.js; 77 where there is no Chromium
"""

import glob
import http.server
import json
import os
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import threading

PATIENCE = 100  # seconds of a page


def serve(folder, told):
    """Serves a folder, and puts what pages tell into a queue. A picture "/held" comes when a page has told its counts:
    until then that page has not loaded, and no picture of it is taken."""
    ended = threading.Event()

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments):
            super().__init__(*arguments, directory=folder)

        def log_message(self, *_):
            pass

        def do_GET(self):
            if self.path != "/held":
                super().do_GET()
            elif ended.wait(PATIENCE):
                self.send_error(404)

        def do_POST(self):
            line = self.rfile.read(int(self.headers["content-length"])).decode()
            told.put(line)
            if line.endswith(" failed"):
                ended.set()
            self.send_response(204)
            self.end_headers()

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


def look(address, told, home, times=2, patience=PATIENCE):
    """Returns how many passed and failed, of the page and of it again behind its reload."""
    counts = []
    browser = subprocess.Popen(["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={home}",
                                "--remote-debugging-port=0", address], env={**os.environ, "HOME": home},
                               stderr=subprocess.DEVNULL)
    try:
        while len(counts) < times and not any(failed for _, failed in counts):
            line = told.get(timeout=patience)
            count = re.match(r"(\d+) passed, (\d+) failed$", line)
            if count:
                counts.append((int(count[1]), int(count[2])))
            else:
                print(line, flush=True)
    except queue.Empty:
        print("not ok 0 - the page ended: it told nothing for a while", flush=True)
        counts.append((0, 1))
    finally:
        browser.terminate()
        browser.wait()
    return sum(passed for passed, _ in counts), sum(failed for _, failed in counts)


def sandbox():
    """Returns sandbox.lua and what it reads, by their names in the page."""
    tests = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    files = {}
    for path in [f"{tests}/systems/sandbox.lua", *glob.glob(f"{tests}/lua/escapes/*.script")]:
        with open(path, encoding="latin-1") as file:
            files["/tests/" + os.path.relpath(path, tests)] = file.read()
    return files


def main():
    if not shutil.which("chromium"):
        sys.exit(77)
    all_passed = all_failed = 0
    for kind in "file", "http":
        with tempfile.TemporaryDirectory() as home:
            folder = os.path.join(home, "page")
            os.mkdir(folder)
            shutil.copy(os.path.join(os.path.dirname(__file__), "web_page.html"), folder)
            shutil.copy(os.path.join(sys.argv[1], "moonpod.js"), folder)
            with open(os.path.join(folder, "sandbox.js"), "w", encoding="utf-8") as file:
                file.write(f"const SANDBOX = {json.dumps(sandbox())};")
            told = queue.Queue()
            port = serve(folder, told)
            base = f"file://{folder}" if kind == "file" else f"http://127.0.0.1:{port}"
            print(f"# {kind}:")
            passed, failed = look(f"{base}/web_page.html?{port}", told, home)
        all_passed, all_failed = all_passed + passed, all_failed + failed
    print(f"{all_passed} passed, {all_failed} failed")
    sys.exit(all_failed > 0)


if __name__ == "__main__":
    main()
