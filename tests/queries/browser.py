"""A real browser for tests: Debian's Chromium, driven over the WebDriver protocol by its own chromedriver."""

from __future__ import annotations

import base64
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
_OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--disable-extensions",
)


class NoBrowser(Exception):
    """There is none on this machine."""


class Browser:
    """One window."""

    def __init__(self, client: httpx.Client, session: str) -> None:
        self._client, self._session = client, session

    def open(self, url: str) -> None:
        self._post("url", {"url": url})

    def size(self, width: int, height: int) -> None:
        self._post("window/rect", {"width": width, "height": height})

    def run(self, script: str, *values: Any) -> Any:
        """What a script returns in the page."""
        return self._post("execute/sync", {"script": script, "args": list(values)})

    def text(self, selector: str) -> str:
        return str(self.run("return document.querySelector(arguments[0])?.innerText ?? ''", selector))

    def click(self, selector: str) -> None:
        self._post(f"element/{self._find(selector)}/click", {})

    def type(self, selector: str, text: str, *, clear: bool = True) -> None:
        found = self._find(selector)
        if clear:
            self._post(f"element/{found}/clear", {})
        self._post(f"element/{found}/value", {"text": text})

    def choose(self, selector: str, value: str) -> None:
        """Choose an option of a select element by the value it stands for."""
        self.click(f"{selector} option[value='{value}']")

    def press(self, keys: str) -> None:
        """Press keys where the focus is."""
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self._post("actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def wait(self, script: str, *values: Any, seconds: float = 60) -> Any:
        """What a script returns as soon as it is true."""
        until = time.monotonic() + seconds
        while not (found := self.run(script, *values)):
            assert time.monotonic() < until, f"the page never came to: {script}; it shows {self.text('body')!r}"
            time.sleep(0.05)
        return found

    def dark(self, on: bool) -> None:
        features = [{"name": "prefers-color-scheme", "value": "dark" if on else "light"}]
        self._post("goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {"features": features}})

    def screenshot(self, path: Path) -> None:
        """The whole page, as long as it is."""
        told = {"cmd": "Page.captureScreenshot", "params": {"captureBeyondViewport": True}}
        path.write_bytes(base64.b64decode(self._post("goog/cdp/execute", told)["data"]))

    def errors(self) -> list[str]:
        """What the console of the browser complains about."""
        return [str(one["message"]) for one in self._post("se/log", {"type": "browser"})]

    def _find(self, selector: str) -> str:
        found = self._post("element", {"using": "css selector", "value": selector})
        return str(found[_ELEMENT])

    def _post(self, what: str, body: dict[str, Any]) -> Any:
        reply = self._client.post(f"/session/{self._session}/{what}", json=body).json()
        assert not (isinstance(reply["value"], dict) and "error" in reply["value"]), (what, reply["value"])
        return reply["value"]


@contextmanager
def browser() -> Iterator[Browser]:
    """A window of a new browser without any memory."""
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not chromium or not driver:
        raise NoBrowser("Chromium and its driver are not installed (Debian: chromium and chromium-driver)")
    with tempfile.TemporaryDirectory(prefix="sharewell-browser-", ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            assert process.stdout is not None
            port = next(
                found[1] for line in process.stdout if (found := re.search(r"successfully on port (\d+)", line))
            )
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
                options = {"binary": chromium, "args": [*_OPTIONS, f"--user-data-dir={profile}"]}
                wanted = {"alwaysMatch": {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}
                started = client.post("/session", json={"capabilities": wanted}).json()["value"]
                if "sessionId" not in started:
                    raise NoBrowser(f"Chromium does not start here: {started.get('message', '')[:200]}")
                try:
                    yield Browser(client, started["sessionId"])
                finally:
                    client.delete(f"/session/{started['sessionId']}")
        finally:
            process.terminate()
            process.wait(10)
            if process.stdout is not None:
                process.stdout.close()
