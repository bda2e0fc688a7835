"""Names from files on a terminal: signs that a terminal obeys, or that hide what stands there, are shown as escapes.

A name of a file, column or dataset may hold sequences that move the cursor, clear the screen, turn the direction of
writing, or pretend to be another line of output.

>>> legible("a\\x1b[2Jb"), legible("x\\nverified"), legible("x\\nverified", lines=True)
('a\\\\u001b[2Jb', 'x\\\\u000averified', 'x\\nverified')
"""

from __future__ import annotations

import re

_INVISIBLE = r"\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
_IN_LINES = re.compile(f"[{_INVISIBLE}]")
_IN_ONE = re.compile(f"[{_INVISIBLE}\t\n]")


def legible(text: str, *, lines: bool = False) -> str:
    """The text with such signs as `\\uXXXX`, which JSON takes for the same; with `lines`, line ends and tabs stay."""
    return (_IN_LINES if lines else _IN_ONE).sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)
