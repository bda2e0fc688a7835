"""What the values of a column look like, whatever its name: shapes of identifiers, ICD codes, free text.

Shapes are counted over a sample of distinct values. Only counts leave this module.

>>> import pyarrow as pa
>>> shape(pa.array(["ann@example.org", "bo@example.org"])).what
'e-mail addresses'
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow.compute as pc

from sharewell.hierarchy.gaps import gaps
from sharewell.hierarchy.specs import named
from sharewell.io.shipped import shipped_text

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class Shape:
    """One way to write an identifier. A `strong` shape is hardly ever anything else, so few such values are enough."""

    what: str
    pattern: str
    strong: bool = False
    check: Callable[[str], bool] | None = None

    @property
    def least_share(self) -> float:
        return 0.2 if self.strong else 0.8


_NUMBERS_OF_PERSONS = ("social security numbers", "birth numbers (of Czechs, Slovaks or Nordic people)")


@dataclass(frozen=True)
class Likeness:
    """How many of the distinct values looked at have a shape."""

    what: str
    strong: bool
    hits: int
    of: int
    enough: bool

    @property
    def numbers_persons(self) -> bool:
        """Does each such value belong to one person?"""
        return self.what in _NUMBERS_OF_PERSONS


def is_iban(text: str) -> bool:
    """The check digits of ISO 13616.

    >>> is_iban("DE89 3704 0044 0532 0130 00"), is_iban("DE88 3704 0044 0532 0130 00")
    (True, False)
    """
    plain = re.sub(r"\s", "", text).upper()
    return int("".join(str(int(c, 36)) for c in plain[4:] + plain[:4])) % 97 == 1


_CHECKS: dict[str, Callable[[str], bool]] = {"iban": is_iban}
SHAPES = tuple(
    Shape(row["what"], row["pattern"], row.get("strong", False), _CHECKS.get(row.get("check", "")))
    for row in tomllib.loads(shipped_text("value_shapes.toml"))["shapes"]
)
_CONTACT = r"[\w.+-]+@[\w-]+\.\w|\+\d[\d ()./-]{7,}\d|\(\d{3}\) ?\d{3}-\d{4}|(^|\D)\d{3}[ .-]\d{3}[ .-]\d{4}($|\D)"
_LEAST_CONTACTS = 0.2
_NESTED = r"""^\s*(\{\s*".*\}|\[\s*[{"\[].*\])\s*$"""
_LONG_NUMBER = r"^\s*\d{9,}\s*$"
_LEAST_KNOWN = 0.95
_LEAST_CODES = 3
_ICD10 = r"^\s*[A-TV-Za-tv-z]\d[0-9A-Za-z](\.?[0-9A-Za-z]{1,4})?\s*$"
_ICD9 = r"^\s*(\d{3}(\.?\d{1,2})?|[Vv]\d{2}(\.?\d{1,2})?|[Ee]\d{3}(\.?\d)?)\s*$"


def _hits(sample: pa.Array, pattern: str) -> pa.Array:
    return sample.filter(pc.match_substring_regex(sample, pattern))


def shape(sample: pa.Array) -> Likeness | None:
    """The shape of identifiers that most values have, or else a strong one that some have."""
    some = None
    for form in SHAPES:
        matches = _hits(sample, form.pattern)
        hits = len(matches) if form.check is None else sum(map(form.check, matches.to_pylist()))
        if hits and hits >= form.least_share * len(sample):
            return Likeness(form.what, form.strong, hits, len(sample), True)
        if hits and form.strong and some is None:
            some = Likeness(form.what, True, hits, len(sample), False)
    return some


def long_numbers(sample: pa.Array) -> bool:
    """Whether values are numbers of nine digits or more, as identifiers are."""
    return len(sample) > 1 and len(_hits(sample, _LONG_NUMBER)) >= 0.9 * len(sample)


def contacts(sample: pa.Array) -> int:
    """How many values hold a telephone number or an e-mail address beside other text; 0 if they are few.

    >>> import pyarrow as pa
    >>> contacts(pa.array(["home: 617-555-0142", "none"])), contacts(pa.array(["2019-03-04", "02139-1234"]))
    (1, 0)
    """
    hits = len(_hits(sample, _CONTACT))
    return hits if hits >= _LEAST_CONTACTS * len(sample) else 0


def is_nested(sample: pa.Array) -> bool:
    """Whether cells are objects or lists in JSON, as a record of a health system holds them."""
    return len(sample) > 0 and len(_hits(sample, f"(?s){_NESTED}")) >= 0.8 * len(sample)


def is_free_text(sample: pa.Array, distinctness: float, least_words: int = 6) -> bool:
    """Long strings of many words that seldom repeat, or very long ones."""
    if not len(sample):
        return False
    if pc.mean(pc.utf8_length(sample)).as_py() > 120:
        return True
    wordy = len(_hits(sample, rf"^\s*(\S+\s+){{{least_words - 1},}}\S"))
    return distinctness >= 0.3 and wordy >= 0.5 * len(sample)


def like_icd10(sample: pa.Array) -> bool:
    """Whether nearly all values are written like codes of ICD-10, listed or not: of a national edition, say.

    >>> import pyarrow as pa
    >>> like_icd10(pa.array(["E11.90", "I10.90", "J44.19"])), like_icd10(pa.array(["asthma", "I10", "J45"]))
    (True, False)
    """
    return len(sample) >= _LEAST_CODES and len(_hits(sample, _ICD10)) >= _LEAST_KNOWN * len(sample)


def icd(sample: pa.Array, *, named_so: bool) -> str | None:
    """The classification that lists 95 % of the values. ICD-9 needs the name's word: its codes look like numbers."""
    for name, pattern in (("icd10cm", _ICD10), ("icd9cm", _ICD9)):
        if (name == "icd9cm" and not named_so) or (len(sample) < _LEAST_CODES and not named_so) or not len(sample):
            continue
        # Blanks around a code would not be found again among the codes of the tree.
        if len(_hits(sample, pattern)) < _LEAST_KNOWN * len(sample) or len(_hits(sample, r"^\s|\s$")):
            continue
        counts = gaps(named(name), sample.to_pylist())
        if counts.total and counts.listed >= _LEAST_KNOWN * counts.total:
            return name
    return None
