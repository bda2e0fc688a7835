"""YAML of a draft, line by line: scalars that any reader gives back, and comments beside them."""

from __future__ import annotations

import re

COMMENT_COLUMN = 44
LONGEST_KEY = 200
"""YAML allows 1024 characters in a key of the short form; longer ones are written with a question mark."""
_PLAIN = re.compile(r"[^\W\d_][\w]*(?:[ ./-]\w+)*|_\w*[^\W\d_]\w*")
_WORDS = {"true", "false", "yes", "no", "on", "off", "y", "n", "null", "nan", "inf"}
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def scalar(text: str) -> str:
    """The text as one YAML scalar on one line, in quotes if it needs them: any YAML reader gives the same text back.

    >>> print(scalar("age"), scalar("no"), scalar("a: b"), scalar("1e3"), scalar("line\\nbreak"))
    age "no" "a: b" "1e3" "line\\nbreak"
    """
    if _PLAIN.fullmatch(text) and text.isprintable() and text.lower() not in _WORDS:
        return text
    return '"' + "".join(_escaped(c) for c in text) + '"'


def _escaped(char: str) -> str:
    if char in _SHORT:
        return _SHORT[char]
    if char.isprintable():
        return char
    number = ord(char)
    return f"\\x{number:02X}" if number < 0x100 else f"\\u{number:04X}" if number < 0x10000 else f"\\U{number:08X}"


def entry(key: str, value: str, indent: str) -> list[str]:
    """`key: value`; a very long key gets lines of its own."""
    written = scalar(key)
    if len(written) <= LONGEST_KEY:
        return [f"{indent}{written}: {value}"]
    return [f"{indent}? {written}", f"{indent}: {value}"]


def commented(lines: list[str], comment: str) -> list[str]:
    """The lines, with a comment beside the last one."""
    return [*lines[:-1], f"{lines[-1]:<{COMMENT_COLUMN}}  # {comment}"] if comment else lines


def mapping(fields: dict[str, str]) -> str:
    """
    >>> mapping({"csv": "a.csv", "separator": '";"'})
    '{csv: a.csv, separator: ";"}'
    """
    return "{" + ", ".join(f"{key}: {value}" for key, value in fields.items()) + "}"


def sequence(texts: list[str] | tuple[str, ...]) -> str:
    """
    >>> print(sequence(["a", "N/A", "-"]))
    [a, N/A, "-"]
    """
    return "[" + ", ".join(map(scalar, texts)) + "]"
