#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Serves a folder on 127.0.0.1, with the headers that let pages share memory between threads, and says where.

usage: serve.py FOLDER [PORT]
"""
import functools
import http.server
import sys

FIRST_PORT, LAST_PORT = 8420, 8439


class Handler(http.server.SimpleHTTPRequestHandler):
    def end_headers(self):
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, *_):
        pass


Handler.extensions_map = {**Handler.extensions_map, ".js": "text/javascript", ".wasm": "application/wasm"}


def listen(folder, ports):
    for port in ports:
        try:
            return http.server.ThreadingHTTPServer(("127.0.0.1", port), functools.partial(Handler, directory=folder))
        except OSError as error:
            problem = error
    sys.exit(f"no port: {problem}")


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    ports = [int(sys.argv[2])] if len(sys.argv) == 3 else range(FIRST_PORT, LAST_PORT + 1)
    server = listen(sys.argv[1], ports)
    print(f"The playground is at http://127.0.0.1:{server.server_port}/ (Ctrl+C ends it)", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


main()
