"""How days and months are written, for judging published cells: read from runs of digits and from names of months.

A run of four digits that can be a year, beside runs that can be a month and a day, tells a day wherever it stands in a
cell, with a time and zone behind it or not. Some forms are also those of other things: `1/2/25` and `03.2025` may be
numbers, `2010-11` a year and the next, `Jan-25` a name. These tell a day only where enough cells of the column do
(`tells_days`).

>>> [tells_day(text) for text in ("2025-03", "31.1.2025", "1/2/25 10:00", "5 March 2025", "31JAN2025", "20250131T10Z")]
[True, True, True, True, True, True]
>>> [tells_day(text) for text in ("2025", "[2020-2029]", "120/80", "1-0-1", "2028-9", "Augmentin 875", "0002-1433-80")]
[False, False, False, False, False, False, False]
>>> without_days("seen 2025-01-31T10:00:00+01:00, 7 days")
'seen ;, 7 days'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from sharewell.tables.engine.checks.cell_spelling import Piece, normalised, pieces, without_accents, word_set
from sharewell.tables.engine.checks.code_formats import code_format

Reading = Literal["sure", "perhaps"]
_ENOUGH = 6
"""One cell of this many that tells a day makes a column one of dates."""
_JOINTS = frozenset(("-", "/", ".", " ", ", ", "", " - "))
_MARKS = ("-", "/", ".")
_FILL = frozenset(("st", "nd", "rd", "th", "of", "de", "the", "er"))
_ZONES = word_set("z utc gmt am pm cet cest est edt cst cdt mst mdt pst pdt")
_MONTHS = word_set(
    "jan january januar janvier janv enero ene gennaio januari feb february februar fevrier fev febrero",
    "febbraio februari mar march marz maerz mars marzo maart mrz apr april avril avr abril abr aprile may mai",
    "mayo maggio mei jun june juni juin junio giugno jul july juli juillet juil julio luglio aug august aout",
    "agosto augustus ago sep sept september septembre septiembre settembre oct october oktober okt octobre",
    "octubre ottobre nov november novembre noviembre dec december dezember dez decembre diciembre dicembre dic",
)
_ALSO_WORDS = word_set("may mar mars mai ene mei ago dic dec march august")
_BEGINNINGS = "|".join(sorted({month[:3] for month in _MONTHS}))
_MAY_TELL = re.compile(
    rf"(?:1[89]|2[01])[0-9]{{2}}|[0-9][-./][0-9]{{1,2}}[-./][0-9]|{_BEGINNINGS}|f\wv|m\wr|ao\w|d\wc", re.IGNORECASE
)
"""A year, three groups of digits, or the beginning of a month, perhaps with an accent: what has none tells no day."""


def tells_day(text: str) -> bool:
    """Whether a cell tells more of a date than its year, or is written as if it did."""
    return reading(normalised(text)) is not None


def reading(text: str) -> Reading | None:
    """How surely a normalised text tells a day or a month."""
    if not _MAY_TELL.search(text):
        return None
    result = pieces(text)
    if not any(piece.is_number for piece in result):
        return None
    sure = bool(_spans(result))
    if not (sure or _perhaps(result)) or code_format(text):  # `7dec-11d0` within a random identifier is no day
        return None
    return "sure" if sure else "perhaps"


def without_days(text: str) -> str:
    """A normalised text without the days that it surely tells, nor their times."""
    spans = _spans(pieces(text)) if _MAY_TELL.search(text) else []
    for start, end in reversed(spans if spans and not code_format(text) else []):
        text = f"{text[:start]};{text[end:]}"
    return text


def tells_days(readings: Sequence[Reading | None]) -> bool:
    """Do enough of the different cells of a column tell a day?"""
    days = sum(one is not None for one in readings)
    return bool(days) and days * _ENOUGH >= len(readings)


def are_months(texts: Sequence[str]) -> bool:
    """Are most of the different cells, normalised, the name of a month and nothing else?

    >>> are_months(["March", "Dec.", "unknown"]), are_months(["yes", "no", "may"]), are_months(["may"])
    (True, False, False)
    """
    named = sum(text[:1].isalpha() and is_month(without_accents(text).strip(" .")) for text in texts)
    return named > 1 and 2 * named > len(texts)


def is_month(word: str) -> bool:
    """Is a word, in small letters without accents, the name of a month?"""
    return word in _MONTHS


def all_compact(texts: Iterable[str]) -> bool:
    """Are all texts with digits dates of eight of them, with a time of four or six behind or none, or marks of absence?

    >>> all_compact(["20250131", "unknown", "99999999"]), all_compact(["20250131", "20259931"]), all_compact([])
    (True, False, False)
    """
    listed = [text.strip() for text in texts]
    numbered = [text for text in listed if any(map(str.isdecimal, text)) and set(text) not in ({"0"}, {"9"})]
    return bool(numbered) and all(map(is_compact, numbered))


def is_compact(digits: str) -> bool:
    """Eight, twelve or fourteen digits that can be a day, with a time."""
    if len(digits) not in (8, 12, 14) or not (digits.isascii() and digits.isdecimal()):
        return False
    if len(digits) > 8 and (int(digits[8:10]) > 23 or int(digits[10:12]) > 59):
        return False
    orders = ((digits[:4], digits[4:6], digits[6:8]), (digits[4:8], digits[2:4], digits[:2]))
    return any(_is_year(year) and _are_day_and_month(one, other) for year, one, other in orders)


def _is_year(text: str) -> bool:
    return len(text) == 4 and text.isdecimal() and 1800 <= int(text) < 2200


def _is_month(text: str) -> bool:
    return len(text) <= 2 and text.isdecimal() and 1 <= int(text) <= 12


def _is_day(text: str) -> bool:
    return len(text) <= 2 and text.isdecimal() and 1 <= int(text) <= 31


def _are_day_and_month(one: str, other: str) -> bool:
    return (_is_month(one) and _is_day(other)) or (_is_day(one) and _is_month(other))


def _spans(results: Sequence[Piece]) -> list[tuple[int, int]]:
    """Where days are surely told, each with the time behind it."""
    spans: list[tuple[int, int]] = []
    place = 0
    while place < len(results):
        length = _length(results, place)
        if length:
            last = _time_after(results, place + length)
            spans.append((results[place].start, results[last - 1].end))
            place = last
        else:
            place += 1
    return spans


def _length(results: Sequence[Piece], at: int) -> int:
    """How many pieces, from a place on, tell a day or a month; 0 if they do not."""
    three = results[at : at + 3]
    if not _begins_here(results, at):
        return 0
    if len(three) == 3 and _is_full(three) and _ends_here(results, at + 3):
        spaced = three[1].gap == " "
        return 3 if not spaced or _stands_alone(results, at, at + 3) else 0
    named = _named_month(results, at)
    if named:
        return named
    two = three[:2]
    if len(two) == 2 and _is_year_and_month(two) and _ends_here(results, at + 2):
        return 2
    if len(three) == 3 and _is_year(three[0].text) and three[1].text in "wW" and three[2].gap == "":
        return 3 if _is_day(three[2].text) and len(three[2].text) == 2 else 0
    timed = len(two) == 2 and two[1].text in "Tt" and two[1].gap == ""
    return 1 if timed and len(three) == 3 and is_compact(two[0].text) and len(two[0].text) == 8 else 0


def _begins_here(results: Sequence[Piece], at: int) -> bool:
    """No digits are joined to the piece from before."""
    return at == 0 or not results[at - 1].is_number or results[at].gap not in (*_MARKS, "")


def _ends_here(results: Sequence[Piece], at: int) -> bool:
    """No digits are joined to the piece before this place."""
    return at >= len(results) or not results[at].is_number or results[at].gap not in _MARKS


def _stands_alone(results: Sequence[Piece], at: int, end: int) -> bool:
    """No digits before or behind blanks, but for a time: several numbers in a row are no date."""
    if not all(len(piece.text) in (2, 4) for piece in results[at:end]) or (at > 0 and results[at - 1].is_number):
        return False
    return end >= len(results) or not results[end].is_number or _time_after(results, end) > end


def _is_full(three: Sequence[Piece]) -> bool:
    """Year, month and day in any order, with the same mark between them."""
    one, two, last = (piece.text for piece in three)
    marks = {three[1].gap.strip() or three[1].gap, three[2].gap.strip() or three[2].gap}
    if not (marks <= {*_MARKS, " "} and len(marks) == 1):
        return False
    return (_is_year(one) and _are_day_and_month(two, last)) or (_is_year(last) and _are_day_and_month(one, two))


def _is_year_and_month(two: Sequence[Piece]) -> bool:
    """`2025-03`, `2025/3`, `03/2025`; `2025-3` is a code of laboratory tests, `2010-11` may be a year and the next."""
    one, last, gap = two[0].text, two[1].text, two[1].gap.strip()
    if _is_year(one) and _is_month(last):
        following = int(last) == (int(one) + 1) % 100
        return not following and (gap == "/" or (gap == "-" and len(last) == 2))
    return _is_month(one) and _is_year(last) and gap == "/" and len(one) == 2


def _named_month(results: Sequence[Piece], at: int) -> int:
    """`5 March 2025`, `March 5th, 2025`, `31JAN2025`, `31-JAN-25`, `Mar 2025`, `March 5`: how many pieces."""
    words = [without_accents(piece.text) for piece in results[at : at + 6]]
    kept = [i for i, word in enumerate(words) if word not in _FILL]
    texts = [words[i] for i in kept]
    months = [i for i, word in enumerate(texts[:2]) if word in _MONTHS]
    if not months or kept[0] != 0 or not all(piece.gap in _JOINTS for piece in results[at + 1 : at + 3]):
        return 0
    month = months[0]
    others = texts[:month] + texts[month + 1 : 3]
    if len(others) > 1 and all(map(_is_day_or_year, others[:2])) and sum(map(_is_day, others[:2])):
        return kept[2] + 1
    if month == 0 and others and _is_year(others[0]):
        return kept[1] + 1
    if others and _is_day(others[0]) and texts[month] not in _ALSO_WORDS and len(texts[month]) > 3:
        return kept[1] + 1
    return 0


def _is_day_or_year(text: str) -> bool:
    return _is_day(text) or _is_year(text) or (len(text) == 2 and text.isdecimal())


def _time_after(results: Sequence[Piece], at: int) -> int:
    """The place after a time of day, with its fraction and zone, that stands here."""
    here = at
    if here < len(results) and results[here].text in ("T", "t", "h", "um", "at"):
        here += 1
    if here >= len(results) or not results[here].is_number or results[here].gap not in ("", " ", ", ", "  "):
        return at
    minutes = here + 1 < len(results) and results[here + 1].is_number and results[here + 1].gap == ":"
    if not minutes and not (here > at and len(results[here].text) in (2, 4, 6)):
        return at
    here += 1
    while here < len(results) and results[here].is_number and results[here].gap in (":", ".", "+", "-", ",", " +"):
        here += 1
    if here < len(results) and results[here].text.lower() in _ZONES:
        here += 1
    return here


def _perhaps(results: Sequence[Piece]) -> bool:
    """`31.1.25`, `3/2025`, `03.2025`, `2010-11`, `Jan-25`, `5 may`: forms that other things have too."""
    for at in range(len(results) - 1):
        three, two = results[at : at + 3], results[at : at + 2]
        if not _begins_here(results, at):
            continue
        if len(three) == 3 and _is_short(three) and _ends_here(results, at + 3):
            return True
        one, last = two[0].text, two[1].text
        joined = two[1].gap.strip() in (*_MARKS, "")
        if _ends_here(results, at + 2) and two[0].is_number and two[1].is_number and two[1].gap:
            dotted = two[1].gap in (".", "-") and len(one) == 2 and _is_month(one) and _is_year(last)
            monthly = two[1].gap in ("/", " ") and _is_month(one) and _is_year(last)
            following = two[1].gap == "-" and _is_year(one) and len(last) == 2 and _is_month(last)
            if dotted or monthly or following:
                return True
        words = without_accents(one), without_accents(last)
        if joined and any(a in _MONTHS and _is_day_or_year(b) for a, b in (words, words[::-1])):
            return True
    return False


def _is_short(three: Sequence[Piece]) -> bool:
    """Three runs of at most two digits: a day, a month, and a year of two digits first or last."""
    texts = [piece.text for piece in three]
    marks = {piece.gap for piece in three[1:]}
    if not (len(marks) == 1 and marks <= set(_MARKS)) or not all(t.isdecimal() and len(t) <= 2 for t in texts):
        return False
    one, two, last = texts
    return len(last) == 2 and (
        _are_day_and_month(one, two) or (len(one) == len(two) == 2 and _is_month(two) and _is_day(last))
    )
