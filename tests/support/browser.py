"""A page in a real browser: headless Chromium, asked by a script that reports back over a local port."""

import atexit
import base64
import hashlib
import http.server
import json
import queue
import threading
from contextlib import ExitStack
from functools import cache
from typing import Any

from tests.support.devtools import Tab, open_tab

# What is asked is the body of an async function; what it returns, or the error in it, comes back as JSON.
ASK = """
addEventListener("load", async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  let said;
  try {
    await frame();
    said = { answer: await (async () => { %s })() };
  } catch (e) { said = { error: String(e) }; }
  fetch("/said", { method: "POST", body: JSON.stringify(said) });
});
"""


def asked(page: str, question: str, wait_s: float = 60) -> Any:
    """What a script finds in a page, in a copy whose policy allows that script beside the page's own.

    Args:
        page: HTML with a policy in a meta element.
        question: the body of an async function; `await frame()` in it waits until the next frame is painted.
        wait_s: how long to wait for the answer.
    """
    replies: queue.Queue[Any] = queue.Queue()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _handler(_with(page, ASK % question), replies))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        tab = shared_tab()
        tab.forget_screen()
        tab.go_to(f"http://127.0.0.1:{server.server_port}/")
        said = replies.get(timeout=wait_s)
    finally:
        server.shutdown()
        server.server_close()
    if "error" in said:
        raise AssertionError(said["error"])
    return said.get("answer")


@cache
def shared_tab() -> Tab:
    """The tab of this process: a browser takes longer to start than a page to answer."""
    closing = ExitStack()
    atexit.register(closing.close)
    return closing.enter_context(open_tab())


def _with(page: str, script: str) -> str:
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    allowed = f"script-src 'sha256-{digest}'"
    if "script-src" in page:
        page = page.replace("script-src", allowed, 1)
    else:
        page = page.replace("default-src 'none';", f"default-src 'none'; {allowed};", 1)
    page = page.replace("default-src 'none';", "default-src 'none'; connect-src 'self';", 1)
    return page.replace("</body>", f"<script>{script}</script></body>")


def _handler(page: str, replies: "queue.Queue[Any]") -> type[http.server.BaseHTTPRequestHandler]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._reply(page.encode() if self.path == "/" else b"")

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            self._reply(b"")
            replies.put(json.loads(body))

        def _reply(self, body: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
            pass

    return Handler
