"""A published record as text: labels with a blank between them, visits with ` > ` between them.

>>> write_record(["(401.2,401.4)", "401.3"]), read_record("(401.2,401.4) 401.3")
('(401.2,401.4) 401.3', ['(401.2,401.4)', '401.3'])
>>> write_record([]), read_record("()")
('()', [])
>>> write_sequence([["401.1", "250.00"], ["428.0"]]), read_sequence("401.1 250.00 > 428.0")
('401.1 250.00 > 428.0', [['401.1', '250.00'], ['428.0']])

Blanks inside a label are written as in web addresses, and so is a label that would be mistaken for a mark.

>>> write_record(["heart disease", ">"]), read_record("heart%20disease %3E")
('heart%20disease %3E', ['heart disease', '>'])
"""

from __future__ import annotations

import re
from collections.abc import Iterable

NOTHING = "()"
"""An empty record is not an empty text, which a file could lose."""
THEN = ">"
_UNCLEAR = re.compile(r"[%\s]")
_ESCAPED = re.compile(r"(?:%[0-9A-F]{2})+")


def write_record(labels: Iterable[str]) -> str:
    return " ".join(map(_write, labels)) or NOTHING


def read_record(text: str) -> list[str]:
    return [] if text == NOTHING else [_ESCAPED.sub(_plain, part) for part in text.split()]


def write_sequence(visits: Iterable[Iterable[str]]) -> str:
    return f" {THEN} ".join(map(write_record, visits)) or NOTHING


def read_sequence(text: str) -> list[list[str]]:
    return (
        [] if text == NOTHING else [read_record(visit.strip()) for visit in re.split(r"(?:^|(?<=\s))>(?:\s|$)", text)]
    )


def _write(label: str) -> str:
    return _quoted(label) if label in (NOTHING, THEN) else _UNCLEAR.sub(lambda found: _quoted(found[0]), label)


def _quoted(text: str) -> str:
    return "".join(f"%{byte:02X}" for byte in text.encode())


def _plain(found: re.Match[str]) -> str:
    return bytes.fromhex(found[0].replace("%", "")).decode("utf-8", "replace")
