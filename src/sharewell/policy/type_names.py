"""Types in words, for those who write policies and not Python.

>>> from typing import Literal
>>> in_words(int), in_words(Literal["person", "record"]), in_words(str | None)
('must be a whole number', 'must be one of person, record', 'must be text')
"""

from __future__ import annotations

from types import UnionType
from typing import Union, get_args

from sharewell.parameters import noun
from sharewell.plain_data import Hint, origin_of


def in_words(hint: Hint, inside: bool = False) -> str:
    """What a value must be; `inside` for an entry of a list or mapping."""
    if inside:
        parts = [part for part in get_args(hint) if part is not Ellipsis]
        union = origin_of(hint) in (Union, UnionType)
        return f"must be {noun(parts[-1])}" if parts and not union else "is not of the right type"
    return f"must be {noun(hint)}"
