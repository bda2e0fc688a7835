"""Labels: what stands for a code in a release. A code stands for itself, `(401.2,401.4)` for any of its members.

>>> write(("401.4", "401.2")), read("(401.2,401.4)"), read("401.3")
('(401.2,401.4)', ('401.2', '401.4'), ('401.3',))
>>> read(write(("a,b", "(c"))), read(write(("(d",)))
(('(c', 'a,b'), ('(d',))
>>> read("()"), read("(a,)")
(('()',), ('(a,)',))
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_SPECIAL = re.compile(r"[\\(),]")
_PART = re.compile(r"(?:[^\\,()]|\\.)+")


def write(codes: Iterable[str]) -> str:
    """The label of a group of codes; one code is its own label. What could be mistaken for syntax is escaped."""
    escaped = [_SPECIAL.sub(lambda found: "\\" + found[0], code) for code in sorted(codes)]
    return escaped[0] if len(escaped) == 1 else f"({','.join(escaped)})"


def read(label: str) -> tuple[str, ...]:
    """The codes of a label. A text that no `write` made means itself."""
    inside = label[1:-1] if label.startswith("(") and label.endswith(")") else label
    parts = inside.split(",") if "\\" not in inside else _PART.findall(inside)
    if (inside is label and len(parts) != 1) or not all(parts) or not parts:
        return (label,)
    return tuple(re.sub(r"\\(.)", r"\1", part) for part in parts)
