"""A browser that stays open for many pages: headless Chromium, told over a pipe what to load and to run."""

import base64
import fcntl
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--window-size=1280,900",
)
PIPE = "--remote-debugging-pipe"  # the browser reads what to do from file 3, and answers on file 4
LOWEST = 10  # above the numbers that the browser asks for


class Tab:
    """One tab of the browser."""

    def __init__(self, asked: BinaryIO, answered: BinaryIO) -> None:
        self._asked, self._answered = asked, answered
        self._number, self._rest, self._session = 0, b"", {}
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        attached = self._ask("Target.attachToTarget", targetId=target, flatten=True)
        self._session = {"sessionId": attached["sessionId"]}
        self._ask("Page.enable")

    def show(self, page: Path, width: int, scheme: str) -> None:
        """Load a page at a width in pixels, in the scheme `light` or `dark`."""
        size = {"width": width, "height": 1_000, "deviceScaleFactor": 1, "mobile": False}
        self._ask("Emulation.setDeviceMetricsOverride", **size)
        preferred = [{"name": "prefers-color-scheme", "value": scheme}]
        self._ask("Emulation.setEmulatedMedia", media="", features=preferred)
        self.go_to(page.as_uri())
        self._wait_for("Page.loadEventFired")

    def forget_screen(self) -> None:
        """Have the browser's own width and colours again."""
        self._ask("Emulation.clearDeviceMetricsOverride")
        self._ask("Emulation.setEmulatedMedia", media="", features=[])

    def go_to(self, address: str) -> None:
        """Begin to load the page of an address."""
        self._ask("Page.navigate", url=address)

    def evaluate(self, script: str) -> Any:
        """What a script gives; the page's own policy does not hold for it."""
        answer = self._ask("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def show_as_printed(self) -> None:
        """Lay the page out as for paper."""
        self._ask("Emulation.setEmulatedMedia", media="print")

    def count_sheets(self) -> int:
        """On how many sheets of A4 the page is printed."""
        printed = self._ask("Page.printToPDF", paperWidth=8.27, paperHeight=11.69)["data"]
        return len(re.findall(rb"/Type /Page\b", base64.b64decode(printed)))

    def _ask(self, method: str, **values: Any) -> dict[str, Any]:
        self._number += 1
        message = {"id": self._number, "method": method, "params": values} | self._session
        self._asked.write(json.dumps(message).encode() + b"\0")
        self._asked.flush()
        while (answer := self._read()).get("id") != self._number:
            pass
        assert "error" not in answer, answer
        return dict(answer["result"])

    def _wait_for(self, event: str) -> None:
        while self._read().get("method") != event:
            pass

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            more = os.read(self._answered.fileno(), 1 << 16)
            assert more, "the browser has ended"
            self._rest += more
        message, _, self._rest = self._rest.partition(b"\0")
        return dict(json.loads(message))


@contextmanager
def open_tab() -> Iterator[Tab]:
    """A tab of a browser of its own, which is ended afterwards."""
    assert CHROMIUM
    (read, asked), (answered, write) = os.pipe(), os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = _start([CHROMIUM, *FLAGS, PIPE, f"--user-data-dir={profile}"], read, write)
        try:
            with os.fdopen(asked, "wb") as to_browser, os.fdopen(answered, "rb") as from_browser:
                yield Tab(to_browser, from_browser)
        finally:
            os.killpg(browser.pid, signal.SIGKILL)
            browser.wait()


def _start(command: list[str], read: int, write: int) -> "subprocess.Popen[bytes]":
    """Start the browser with `read` as its file 3 and `write` as its file 4; both are closed here."""
    ends = [fcntl.fcntl(end, fcntl.F_DUPFD, LOWEST) for end in (read, write)]
    try:
        return subprocess.Popen(
            ["/bin/bash", "-c", f'exec "$@" 3<&{ends[0]} 4>&{ends[1]}', "bash", *command],
            pass_fds=ends,
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    finally:
        for end in (read, write, *ends):
            os.close(end)
