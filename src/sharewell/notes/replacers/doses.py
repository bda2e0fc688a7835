"""Doses → rounded to one significant digit: coarse enough to lose the odd dose that tells one patient from another.

Numbers inside words (q12h) stay. A number written as several words has no rounding here, and nothing comes back.

>>> [round_dose(written) for written in ("37.5 mg every 8 hours", "5,250 units", "0.125 mg q12h", "twenty-five mg")]
['40 mg every 8 hours', '5,000 units', '0.1 mg q12h', None]
"""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal

_NUMBER = re.compile(r"(?<![^\W_])\d[\d,]*(?:\.\d+)?|(?<![\w.])\.\d+")
_TENS = re.compile(
    r"\b(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand)[ -]+(?:and |)"
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)\b"
    r"|\b(?:eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen)\b"
)


def round_dose(written: str) -> str | None:
    """A dose with its numbers rounded, half up; None where a number is in several words."""
    if _TENS.search(written.lower()):
        return None
    return _NUMBER.sub(lambda match: _one_digit(match[0]), written)


def _one_digit(number: str) -> str:
    try:
        value = Decimal(number.replace(",", ""))
    except ArithmeticError:
        return number
    if not value:
        return number
    grain = Decimal(1).scaleb(value.adjusted())
    near = (value / grain).quantize(Decimal(1), ROUND_HALF_UP) * grain
    return f"{near:,f}" if "," in number else f"{near:f}"
