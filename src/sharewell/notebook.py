"""HTML by which results show themselves in a notebook: small tables, escaped, without script and without style sheet.

What is shown stays in the notebook's file, and notebooks are passed on. So originals show roles and counts and never a
cell; only protected tables show rows.

>>> table(("column", "role"), [("<age>", "quasi")], "1 row")
'<table><caption>1 row</caption><thead><tr><th>column</th><th>role</th></tr></thead><tbody><tr><td>&lt;age&gt;</td><td>quasi</td></tr></tbody></table>'
"""  # noqa: E501

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import Protocol, runtime_checkable

from sharewell.terminal_text import legible


@runtime_checkable
class ShowsItself(Protocol):
    """What a notebook shows as HTML."""

    def _repr_html_(self) -> str: ...


def text(value: object) -> str:
    """Any value, escaped; None is nothing."""
    return "" if value is None else html.escape(legible(str(value)))


def table(header: Sequence[str], rows: Iterable[Sequence[object]], caption: str = "") -> str:
    """A table; one without rows is left out."""
    body = "".join(f"<tr>{''.join(f'<td>{text(cell)}</td>' for cell in row)}</tr>" for row in rows)
    title = f"<caption>{text(caption)}</caption>" if caption else ""
    if not body:
        return ""
    head = "".join(f"<th>{text(name)}</th>" for name in header)
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def paragraph(*lines: object) -> str:
    """Lines of text, one below the other."""
    lines_of_text = "<br>".join(text(line) for line in lines if line not in (None, ""))
    return f"<p>{lines_of_text}</p>" if lines_of_text else ""


def whole(*parts: str) -> str:
    return f"<div>{''.join(parts)}</div>"


def of(value: object) -> str:
    """What a value shows of itself; nothing if it shows nothing."""
    return value._repr_html_() if isinstance(value, ShowsItself) else ""
