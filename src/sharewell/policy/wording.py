"""Types in words, for those who write policies and not Python.

>>> from typing import Literal
>>> in_words(int), in_words(Literal["person", "record"]), in_words(str | None)
('must be a whole number', 'must be one of person, record', 'must be text')
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from fractions import Fraction
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

_WORDS: dict[Any, str] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    Fraction: "a number or a fraction such as 1/11",
    str: "text",
}


def in_words(hint: Any, inside: bool = False) -> str:
    """What a value must be; `inside` for an entry of a list or mapping."""
    if inside:
        parts = [part for part in get_args(hint) if part is not Ellipsis]
        return f"must be {_noun(parts[-1])}" if parts and not _is_union(hint) else "is not of the right type"
    return f"must be {_noun(hint)}"


def _is_union(hint: Any) -> bool:
    return get_origin(hint) in (Union, UnionType)


def _noun(hint: Any) -> str:
    origin = get_origin(hint)
    if hint in _WORDS:
        return _WORDS[hint]
    if origin is Literal:
        return f"one of {', '.join(str(word) for word in get_args(hint) if word != '')}"
    if _is_union(hint):
        nouns = [_noun(part) for part in get_args(hint) if part is not NoneType]
        return " or ".join(dict.fromkeys(nouns))
    kind = origin or hint
    if isinstance(kind, type) and issubclass(kind, Enum):
        return f"one of {', '.join(str(member.value) for member in kind)}"
    if isinstance(kind, type) and issubclass(kind, Mapping):
        return "a mapping"
    if isinstance(kind, type) and issubclass(kind, Sequence | set | frozenset):
        return "a list"
    return "of another type"
