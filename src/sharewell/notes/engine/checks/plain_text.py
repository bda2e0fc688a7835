"""A text without accents and invisible signs, as judges of notes compare it."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from sharewell.spelling import is_invisible

_LETTERS = {"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ß": "ss", "æ": "ae", "Æ": "AE", "ı": "i"}
_OTHERS = str.maketrans(_LETTERS | {"œ": "oe", "Œ": "OE"} | dict.fromkeys("\u115f\u1160\u2800", " "))
_BEYOND_ASCII, _SHORT_RUN = re.compile(r"[^\x00-\x7f]+"), 5
"""Runs of signs beyond ASCII; those with fewer signs are remembered."""


def plain(text: str) -> str:
    """Without accents and invisible signs; capitals stay.

    >>> plain("Jos\u00e9 Mu\u0301nch, Del\u00adgado")
    'Jose Munch, Delgado'
    """
    return text if text.isascii() else _BEYOND_ASCII.sub(_plain_signs, text)


def _plain_signs(run: re.Match[str]) -> str:
    """Signs beyond ASCII that follow each other; what is around does not change them. Short runs are remembered."""
    return _plain_run(run[0]) if len(run[0]) < _SHORT_RUN else _plain_run.__wrapped__(run[0])


@lru_cache(maxsize=4096)
def _plain_run(run: str) -> str:
    apart = unicodedata.normalize("NFKD", run).translate(_OTHERS)
    kept = (s for s in apart if unicodedata.category(s) != "Mn" and (s < "\xa0" or not is_invisible(s)))
    return "".join(str(unicodedata.decimal(s)) if s.isdecimal() else s for s in kept)
