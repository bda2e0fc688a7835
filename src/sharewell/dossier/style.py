"""Style sheets of pages, and the head that allows them alone. Dark colours apply to screens: paper is always light.

Text meets WCAG AA against its ground in both schemes. Blue and orange stay apart for every common colour blindness, and
"before" is an outline while "after" is filled, so that they stay apart in grey as well. A style sheet holds no `<` and
no `&`: it stands in the page as it is.
"""

from __future__ import annotations

import base64
import hashlib

from sharewell.dossier.markup import Html, element
from sharewell.io.shipped import shipped_text

CSS = f"\n{shipped_text('dossier/style.css')}"
RECIPIENT_CSS = f"\n{shipped_text('dossier/recipient.css')}"
"""Of the page for recipients: small, because every release carries it."""


def head(title: str, style: str = CSS) -> Html:
    """The content policy forbids whatever this page does not need: scripts, pictures, fonts, forms, and any address."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    rules = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=rules),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="referrer", content="no-referrer"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", title),
        element("style", Html(style)),
    )
