"""HTML that is escaped by construction.

Names of columns, datasets and files may hold anything. Text becomes markup in `element` alone: a child that is plain
`str` is escaped there, only an `Html` passes, so no section can forget to escape. The result is well-formed XML too.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence

VOID = frozenset({"line", "meta", "rect"})
_UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
_REPLACEMENT = "\ufffd"


SHORT = 14
"""Rows of a table that is not broken over two pages."""
NOTHING = "—"
"""A number that is not known."""
ON_SCREEN = "on-screen"
"""Class of what is left out on paper, where nobody can unfold it."""


class Html(str):
    """Text that is markup already."""

    __slots__ = ()


def escape(value: str) -> Html:
    """Escaped for text and for attributes; characters that would hide or reorder what is read are made visible.

    >>> escape('<b a="1">')
    '&lt;b a=&quot;1&quot;&gt;'
    """
    return value if isinstance(value, Html) else Html(html.escape(_UNSEEN.sub(_REPLACEMENT, value)))


def element(tag: str, *children: str | None, **attributes: str | None) -> Html:
    """One element. `class_` and `aria_label` become `class` and `aria-label`; None leaves a child or attribute out.

    >>> element("p", "a < b", element("b", "!"), class_="note")
    '<p class="note">a &lt; b<b>!</b></p>'
    """
    written_attributes = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    if tag in VOID:
        return Html(f"<{tag}{written_attributes} />")
    return Html(f"<{tag}{written_attributes}>{joined(children)}</{tag}>")


def joined(children: Iterable[str | None], between: str = "") -> Html:
    """Children one after the other."""
    return Html(escape(between).join(escape(child) for child in children if child is not None))


def name(value: str) -> Html:
    """A name as the data gave it: set apart, and kept from turning the direction of the sentence around it."""
    return element("bdi", value or "(no name)", class_="name")


def names(values: Sequence[str]) -> Html:
    return joined([name(value) for value in values], ", ")


def items(entries: Iterable[str], class_: str | None = None) -> Html:
    return element("ul", *(element("li", entry) for entry in entries), class_=class_)


def facts(pairs: Iterable[tuple[str, str]], class_: str = "facts") -> Html:
    """Terms and what is known of them."""
    rows = (element("div", element("dt", term), element("dd", known)) for term, known in pairs)
    return element("dl", *rows, class_=class_)


def table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]], *, words: Sequence[int] = ()) -> Html:
    """A table whose first column names the row; columns are numbers unless listed in `words`.

    It lies in a region of its own that can be scrolled by keyboard, because a narrow screen cannot hold every table.
    """
    kinds = [None if i == 0 or i in words else "number" for i in range(len(heads))]
    head = element("tr", *(element("th", h, scope="col", class_=k) for h, k in zip(heads, kinds, strict=True)))
    rows = list(rows)
    body = [
        element("tr", element("th", row[0], scope="row"), *(element("td", c, class_=k) for c, k in _rest(row, kinds)))
        for row in rows
    ]
    inner = element("table", element("caption", caption), element("thead", head), element("tbody", *body))
    label = html.unescape(re.sub("<[^>]*>", "", escape(caption)))
    classes = " ".join(["scroll", *(["few"] if len(heads) <= 3 else []), *(["short"] if len(rows) <= SHORT else [])])
    return element("div", inner, class_=classes, role="region", tabindex="0", aria_label=label)


def filled_table(
    caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]], *, words: Sequence[int] = ()
) -> Html | None:
    """A table without the rows and columns in which nothing is known; None if nothing is left of it."""
    rows = [row for row in rows if any(_known(cell) for cell in row[1:])]
    shown = [i for i in range(len(heads)) if i == 0 or any(_known(row[i]) for row in rows)]
    if not rows or len(shown) < 2:
        return None
    left = [[row[i] for i in shown] for row in rows]
    return table(caption, [heads[i] for i in shown], left, words=[shown.index(i) for i in words if i in shown])


def _known(cell: str) -> bool:
    return cell not in ("", NOTHING)


def folded(summary: str, *content: str | None, paper: bool = False) -> Html | None:
    """Content behind a line that unfolds it; None where there is no content. On paper it is open, or left out."""
    held = [one for one in content if one]
    if not held:
        return None
    return element("details", element("summary", summary), *held, class_="on-paper" if paper else ON_SCREEN)


def gallery(drawings: Sequence[Html]) -> Html | None:
    """Figures beside each other where there is room."""
    return element("div", *drawings, class_="gallery") if drawings else None


def _rest(row: Sequence[str], kinds: Sequence[str | None]) -> Iterable[tuple[str, str | None]]:
    return zip(row[1:], kinds[1:], strict=True)


def titled_svg(
    key: str, title: str, description: str, shapes: Iterable[str], *, class_: str = "chart", **size: str
) -> Html:
    """A drawing, with a title and a description for whoever does not see it."""
    return element(
        "svg",
        element("title", title, id=f"{key}-title"),
        element("desc", description, id=f"{key}-desc"),
        *shapes,
        class_=class_,
        role="img",
        aria_labelledby=f"{key}-title {key}-desc",
        **size,
    )


def line(tone: str, x: float, y: float, x2: float, y2: float) -> Html:
    """A straight line of a chart."""
    return element("line", class_=tone, x1=f"{x:g}", y1=f"{y:g}", x2=f"{x2:g}", y2=f"{y2:g}")
