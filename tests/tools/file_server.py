"""Serves files to downloads that are tested, on this machine alone: file_server.py FOLDER prints its port.

/whole/NAME gives a file and knows ranges; /plain/NAME knows none; /cut/NAME ends after half of what is left, while that
is much; /broken/NAME ends in the middle and begins anew each time; /quit ends the server.
"""

import http.server
import os
import sys


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        mode, _, name = self.path.strip("/").partition("/")
        path = os.path.join(sys.argv[1], os.path.basename(name))
        if mode == "quit":
            self.server.is_over = True
        if mode == "quit" or not os.path.isfile(path):
            return self.send_error(404)
        with open(path, "rb") as file:
            data = file.read()
        asked = self.headers.get("Range")
        first = int(asked.partition("=")[2].partition("-")[0]) if asked and mode in ("whole", "cut") else 0
        rest = data[first:]
        self.send_response(206 if first else 200)
        if first:
            self.send_header("Content-Range", f"bytes {first}-{len(data) - 1}/{len(data)}")
        self.send_header("Content-Length", str(len(rest)))
        self.end_headers()
        half = mode == "broken" or mode == "cut" and len(rest) > 1000
        self.wfile.write(rest[:len(rest) // 2] if half else rest)

    def log_message(self, *_):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
server.is_over = False
server.timeout = 300
print(server.server_address[1], flush=True)
while not server.is_over:
    server.handle_request()
