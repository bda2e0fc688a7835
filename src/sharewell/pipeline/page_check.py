"""Pages in public/ say what the certificate and the files say, and are inert: read as text, and never trusted."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path

from sharewell.errors import DataError
from sharewell.io.writing import read_bytes
from sharewell.pipeline.certificate import CERTIFICATE, DAMAGED, README, versions
from sharewell.plain_data import Json

_PAGE = re.compile(r"(?P<before>[^<]*(?:<(?!style>)[^<]*)*)<style>(?P<style>[^<]*)</style>(?P<after>.*)", re.DOTALL)
_STYLE_HASH = re.compile(r"(?<=sha256-)[A-Za-z0-9+/]{43}=")
_RULES = "default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'"
_INERT = frozenset(
    (
        *("html", "head", "meta", "title", "style", "body", "header", "main", "section", "footer", "h1", "h2", "h3"),
        *("p", "ul", "li", "dl", "dt", "dd", "div", "span", "bdi", "code", "strong", "table", "caption", "thead"),
        *("tbody", "tr", "th", "td"),
    )
)
"""Elements that show text and do nothing else."""
_ATTRIBUTES = frozenset(
    ("lang", "charset", "http-equiv", "content", "name", "class", "scope", "role", "tabindex", "aria-label")
)


def but_for_style(page: str) -> tuple[str, str] | None:
    """What stands before and after the one style sheet of a page; None if it is no such page.

    The style sheet holds no tag and its hash is that which the page allows, so that nothing can be shown under its
    name.
    """
    match = _PAGE.fullmatch(page)
    if match is None:
        return None
    allowed = _STYLE_HASH.findall(match["before"])
    if allowed != [base64.b64encode(hashlib.sha256(match["style"].encode()).digest()).decode()]:
        return None
    return _STYLE_HASH.sub("", match["before"]), match["after"]


def readme_problems(public: Path, certificate: Mapping[str, Json]) -> list[str]:
    """What is wrong with the page for recipients. Releases of earlier versions have none, and need none.

    A page of this version must be the one that the certificate gives; the words of another version cannot be compared,
    but it must be of the same, inert form.
    """
    files = certificate.get("files")
    if not isinstance(files, Mapping) or README not in files or not (public / README).is_file():
        return []  # what is listed and missing is said of every file
    try:
        page = read_bytes(public / README).decode("utf-8")
        if not _is_inert(page):
            return [f"{README} — edited: it holds more than text, or not the content policy of such a page"]
        if _made_here(certificate) and but_for_style(page) != but_for_style(_expected(certificate)):
            return [f"{README} — does not say what {CERTIFICATE} says: it was edited"]
    except (UnicodeDecodeError, DataError):
        return [f"{README} — cannot be read as text"]
    except DAMAGED:  # what is wrong with the certificate is said where it is judged
        return []
    return []


def _made_here(certificate: Mapping[str, Json]) -> bool:
    versions_used = certificate.get("versions")
    return isinstance(versions_used, Mapping) and versions_used.get("sharewell") == versions()["sharewell"]


def _expected(certificate: Mapping[str, Json]) -> str:
    from sharewell.dossier.recipient_page import recipient_page

    return recipient_page(certificate)


def _is_inert(page: str) -> bool:
    """Only elements and attributes that show text, under a content policy that forbids the rest."""
    parts, seen = but_for_style(page), _Seen()
    seen.feed(page)
    seen.close()
    rules = [content for content in seen.rules if _STYLE_HASH.sub("{hash}", content) == _RULES]
    return parts is not None and not seen.odd and len(rules) == len(seen.rules) == 1


class _Seen(HTMLParser):
    """What a browser's parser makes of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.odd = False
        self.rules: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        self.odd |= tag not in _INERT or not _ATTRIBUTES.issuperset(named)
        if "http-equiv" in named:
            self.rules.append(named.get("content") or "")
            self.odd |= named["http-equiv"] != "Content-Security-Policy"

    def handle_comment(self, data: str) -> None:
        self.odd = True

    def handle_pi(self, data: str) -> None:
        self.odd = True

    def unknown_decl(self, data: str) -> None:
        self.odd = True
