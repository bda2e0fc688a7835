"""Labels and records as published text.

A code is its own label; `(401.2,401.4)` stands for any of its members.

>>> write_label(("401.4", "401.2")), read_label("(401.2,401.4)"), read_label("401.3")
('(401.2,401.4)', ('401.2', '401.4'), ('401.3',))
>>> read_label(write_label(("a,b", "(c"))), read_label(write_label(("(d",)))
(('(c', 'a,b'), ('(d',))
>>> read_label("()"), read_label("(a,)")
(('()',), ('(a,)',))

A record has a blank between its labels, and ` > ` between its visits.

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

EMPTY = "()"
"""An empty record is not an empty text, which a file could lose."""
THEN = ">"
_SPECIAL = re.compile(r"[\\(),]")
_MEMBER = re.compile(r"(?:[^\\,()]|\\.)+")
_UNCLEAR = re.compile(r"[%\s]")
_ESCAPED = re.compile(r"(?:%[0-9A-F]{2})+")


def write_label(codes: Iterable[str]) -> str:
    """The label of a group of codes; one code is its own label. What could be mistaken for syntax is escaped."""
    escaped = [_SPECIAL.sub(lambda match: "\\" + match[0], code) for code in sorted(codes)]
    return escaped[0] if len(escaped) == 1 else f"({','.join(escaped)})"


def read_label(label: str) -> tuple[str, ...]:
    """The codes of a label. A text that `write_label` did not write means itself."""
    content = label[1:-1] if label.startswith("(") and label.endswith(")") else label
    members = content.split(",") if "\\" not in content else _MEMBER.findall(content)
    if (content is label and len(members) != 1) or not all(members) or not members:
        return (label,)
    return tuple(re.sub(r"\\(.)", r"\1", member) for member in members)


def write_record(labels: Iterable[str]) -> str:
    return " ".join(map(_escaped, labels)) or EMPTY


def read_record(text: str) -> list[str]:
    return [] if text == EMPTY else [_ESCAPED.sub(_unquoted, part) for part in text.split()]


def write_sequence(visits: Iterable[Iterable[str]]) -> str:
    return f" {THEN} ".join(map(write_record, visits)) or EMPTY


def read_sequence(text: str) -> list[list[str]]:
    visits = [] if text == EMPTY else re.split(r"(?:^|(?<=\s))>(?:\s|$)", text)
    return [read_record(visit.strip()) for visit in visits]


def _escaped(label: str) -> str:
    return _quoted(label) if label in (EMPTY, THEN) else _UNCLEAR.sub(lambda match: _quoted(match[0]), label)


def _quoted(text: str) -> str:
    return "".join(f"%{byte:02X}" for byte in text.encode())


def _unquoted(match: re.Match[str]) -> str:
    return bytes.fromhex(match[0].replace("%", "")).decode("utf-8", "replace")
