"""How the HIPAA criteria recognise a column that the steward did not name: by the words of the rule, and by its cells.

The rule lists eighteen kinds of identifiers, 45 CFR 164.514(b)(2)(i)(A) to (R). A name is cut where its characters
change, and each word is held against the beginnings of the words of that list, and of a few of their translations. A
cell tells a day or a month if its groups of digits, or the name of a month, say so. Mechanisms recognise columns by
phrases and by forms of dates; nothing of those is used here. Where the two differ, the release is refused until the
steward says what the column is.

>>> [of_name(name) for name in ("dateOfBirth", "zip5", "home_phone", "county", "sex", "visitID", "drug_name")]
['birth-date', 'zip', 'identifier', 'geography', None, 'identifier', None]
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import groupby

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sharewell.io.shipped import shipped_rows
from sharewell.roles import Role
from sharewell.tables.data import Table
from sharewell.tables.engine.columns import ArrowColumn, Column
from sharewell.tables.engine.hipaa_categories import PUBLISHED

CENSUS = 2020
_LEAST_PEOPLE = 20_000
"""More must live in an area of three digits."""
_ENOUGH = 6
"""One cell of so many that tells a day makes a column one of dates."""


def _listed(*words: str) -> frozenset[str]:
    return frozenset(" ".join(words).split())


_BIRTH = _listed("birthd birthy birthm dob yob born geburt gebdat naiss nacim geboor")  # (C)
_OF_BIRTH = _listed("date year month day dt time datetime")
_AGE = _listed("age ages alter edad leeftijd")
_POSTAL = _listed("zip zipc zipp postal postc postl plz")  # (B)
_PLACES = _listed(
    "city cities town county counties village municip parish precinct district borough neighbo subdivis region provinc",
    "ort wohnort stadt gemeinde kreis landkreis bezirk ville commune canton ciudad pueblo gemeente stad",
)
_DATES = _listed("date dates datum fecha datetime")
_PROSE = _listed("note notes comment comments remark remarks narrative freetext memo")
_DIRECT = _listed(
    "addr street stras straat rue domicil direcc latit longit geoc coordin gps apartmentn housen",  # within (B)
    "email mail courriel correo phone telep telef fax pager",  # (D), (E), (F)
    "ssn socials mrn medicalr chartn hospitaln beneficiar nhs kvnr bsn dni nie nir nationali",  # (G), (H)
    "insurancen insurancei policyn versichertenn medicaren medicarei medicaidn medicaidi",
    "account acct iban konto cuenta certificaten licen passp reisep",  # (I), (J), (K)
    "vehicl vin deviceid devices serialn imei url website homep ip ipv ipad mac",  # (L), (M), (N), (O)
    "biometr fingerpr voicepr retin photo picture portrait",  # (P), (Q)
    "surn foren firstn lastn fulln givenn familyn maidenn middlen nickn alias initials vorn nachn prenom apell voorn",
    "achtern usern login signat",  # (A)
    "identifi uuid guid pseudon barcode accession hash",  # (R)
)
_CODES = _listed("id ids uid pid key keys")
_NUMBERS = _listed("nr no number num nummer numero")
_PERSONS = _listed("patient subject person participant member client doctor physician provider nurse record case")
_NAMES = _listed("name names nom nombre naam")
_MONTHS = _listed("jan feb mar apr may jun jul aug sep oct nov dec")
_EXACT = 3
"""Shorter beginnings must be the whole word: `ip`, `fax`, `ort`."""


def recognised(table: Table, columns: Mapping[str, str], rest: str | None) -> dict[str, str | None]:
    """The category of every published column; None where nobody knows."""
    return {name: _recognised(table, name, columns, rest) for name in table.schema.having(*PUBLISHED)}


def _recognised(table: Table, name: str, columns: Mapping[str, str], rest: str | None) -> str | None:
    role = table.schema.roles[name]
    if role is Role.TEXT:
        return "text"
    if name in columns:
        return columns[name]
    if role is Role.SHIFT:
        return "date"
    told = of_name(name)
    if told is None and _holds_days(text for text, _ in counted_texts(table, name) if text):
        return "date"
    return told or rest


def of_name(name: str) -> str | None:
    """What the words of a name say, by the letters of the rule."""
    words = [word for word in _words(name) if not word.isdigit()]
    glued = [*words, *("".join(words[i : i + 2]) for i in range(len(words) - 1))]
    if _begins(glued, _BIRTH) or words == ["birth"] or ("birth" in words and _OF_BIRTH & set(words)):
        return "birth-date"
    if _AGE & set(words):
        return "age"
    if _begins(glued, _POSTAL):
        return "zip"
    if _begins(glued, _DIRECT) or _is_code(words):
        return "identifier"
    if _begins(words, _PLACES):
        return "geography"
    if _DATES & set(words):
        return "date"
    return "text" if _PROSE & set(words) else None


def _is_code(words: list[str]) -> bool:
    """A code of something, a number of a person or record, a person's name, or just a person."""
    if not words:
        return False
    last, others = words[-1], words[:-1]
    if last in _CODES or (not others and last in _PERSONS | _NAMES | _NUMBERS):
        return True
    return last in _NUMBERS | _NAMES and _begins(others, _PERSONS)


def _begins(words: Iterable[str], stems: frozenset[str]) -> bool:
    long = tuple(stem for stem in stems if len(stem) > _EXACT)
    return any(word in stems or word.startswith(long) for word in words)


def _words(name: str) -> list[str]:
    """Runs of letters, or of digits, in small letters without accents; a capital after a small letter begins a word."""
    plain = [c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c)]
    parts: list[str] = []
    before = ""
    for character in plain:
        kind = "d" if character.isdigit() else "U" if character.isupper() else "l" if character.isalpha() else ""
        joins = kind == before or (before == "U" and kind == "l")
        if kind and joins:
            parts[-1] += character
        elif kind:
            parts.append(character)
        before = kind
    return [part.casefold() for part in parts]


def _holds_days(texts: Iterable[str]) -> bool:
    """Do enough cells tell a day or a month? Eight digits alone may be anything: then every cell must be a date."""
    listed = list(texts)
    days = sum(tells_day(text) for text in listed)
    return bool(listed) and (days * _ENOUGH >= len(listed) or all(_eight_digits(text) for text in listed))


def tells_day(text: str) -> bool:
    """Whether a cell tells more of a date than its year.

    >>> [tells_day(text) for text in ("2025-03", "31.1.2025", "1/2/25 10:00", "5 March 2025", "2025", "[2020-2029]")]
    [True, True, True, True, False, False]
    """
    pieces = ["".join(part) for _, part in groupby(text.casefold(), str.isalnum)]
    words = [piece for piece in pieces if piece.isalnum()]
    numbers = [int(word) for word in words if word.isdecimal() and word.isascii() and len(word) <= 4]
    if any(word[:3] in _MONTHS and word.isalpha() for word in words) and any(number > 31 for number in numbers):
        return True
    lengths = [len(word) for word in words[:3] if word.isdecimal()]
    marks = {piece for piece in pieces[1:5:2] if len(piece) == 1} if not pieces[0].isspace() else set()
    if len(lengths) < 2 or not numbers:
        return False
    first = numbers[: len(lengths)]
    years = [number for number, length in zip(first, lengths, strict=False) if length == 4 and 1800 <= number < 2200]
    small = [number for number, length in zip(first, lengths, strict=False) if length <= 2]
    if years:
        return any(1 <= number <= 12 for number in small) and all(1 <= number <= 31 for number in small)
    short = len(lengths) == 3 and max(lengths) <= 2 and marks <= set("./-") and len(marks) == 1
    return short and sum(1 <= number <= 31 for number in small) >= 2 and any(1 <= number <= 12 for number in small)


def _eight_digits(text: str) -> bool:
    digits = text.strip()
    if len(digits) != 8 or not (digits.isascii() and digits.isdecimal()):
        return False
    return any(
        1800 <= int(year) < 2200 and 1 <= int(month) <= 12 and 1 <= int(day) <= 31
        for year, month, day in ((digits[:4], digits[4:6], digits[6:]), (digits[4:], digits[2:4], digits[:2]))
    )


@cache
def populated_areas() -> frozenset[str]:
    """The first three digits of ZIP codes behind which more than 20,000 people live."""
    rows = shipped_rows("zip3_population_2020.csv")
    return frozenset(row["zip3"] for row in rows if int(row["population_2020"]) > _LEAST_PEOPLE)


def counted_texts(table: Table, name: str) -> list[tuple[str, int]]:
    """(text, rows) of every value or cell of a published column, as it is written; a missing one is empty."""
    column = _told_by_codes(table, name)
    if column is not None:
        counts = np.bincount(column.codes, minlength=column.size)
        return [(column.texts[code], int(counts[code])) for code in np.flatnonzero(counts).tolist()]
    found = pc.value_counts(_as_texts(table.carried[name]))
    pairs = zip(found.field("values").to_pylist(), found.field("counts").to_pylist(), strict=True)
    return sorted(((text or "").strip(), count) for text, count in pairs)


def _told_by_codes(table: Table, name: str) -> Column | None:
    """A column whose codes tell every text; None where some that look alike share one, and stand in the file alone."""
    column = table.columns.get(name)
    return None if column is not None and column.alike and name in table.carried.column_names else column


def _as_texts(array: ArrowColumn) -> pa.Array:
    try:
        array = array.cast(pa.string())
    except (pa.ArrowException, NotImplementedError):
        array = pa.array([None if value is None else repr(value) for value in array.to_pylist()], pa.string())
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def persons_of_texts(table: Table, name: str) -> dict[str, NDArray[np.int32]]:
    """The persons, as codes, of the records that show each text; empty where the table does not know persons.

    Records without a person count as one. O(n log n)
    """
    if table.subject is None:
        return {}
    column = _told_by_codes(table, name)
    if column is not None:
        texts, codes = list(column.texts), column.codes
    else:
        coded = pc.utf8_trim_whitespace(pc.fill_null(_as_texts(table.carried[name]), "")).dictionary_encode()
        texts, codes = coded.dictionary.to_pylist(), coded.indices.to_numpy(zero_copy_only=False)
    order = np.argsort(codes, kind="stable")
    persons = np.split(table.subject.codes[order], np.searchsorted(codes[order], np.arange(1, len(texts))))
    return dict(zip(texts, persons, strict=False))
