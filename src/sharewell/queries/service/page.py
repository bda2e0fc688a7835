"""The page for analysts, as it ships: HTML, style and script from this service alone, so that it works offline."""

from __future__ import annotations

from sharewell.io.shipped import shipped_bytes

FILES = {
    "/": "text/html; charset=utf-8",
    "/page.css": "text/css; charset=utf-8",
    "/page.js": "text/javascript; charset=utf-8",
    "/chart.js": "text/javascript; charset=utf-8",
}
"""Address → kind of content."""


def page_file(path: str) -> bytes:
    return shipped_bytes(f"service/{'index.html' if path == '/' else path.lstrip('/')}")
