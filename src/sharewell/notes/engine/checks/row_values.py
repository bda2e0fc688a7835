"""What a text says beyond the published cells of its own row: dates, zip codes, words of a column, diagnosis codes.

These searches are the judge's own: nothing here comes from the detectors, the replacers, or what writes cells into a
text. Ages, dates of birth and sexes are searched for by `extracted-values`.

>>> dates_beyond("Seen on 5 March 2016.", ["2016-03"]), dates_beyond("Seen in March 2016.", ["2016-03"])
(True, False)
>>> zips_beyond("From 02139 by bus.", ["021*"]), zips_beyond("Order 55123.", ["021*"])
(True, False)
>>> words_beyond("Asthma, mild.", "{asthma,flu}", frozenset({"asthma", "flu"}))
True
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from sharewell import cells
from sharewell.notes.engine.checks.month_words import ENGLISH_NAMED, SHORT
from sharewell.notes.engine.checks.plain_text import plain
from sharewell.notes.engine.checks.unit_words import DOSE_UNIT

_YEAR = r"(?P<year>(?:18|19|20)\d\d)"
_WHOLE = re.compile(
    rf"(?<![\d.])(?:{_YEAR}[-/.]\d?\d[-/.]\d?\d|\d?\d([-/.])\d?\d\2\d{{2,4}}|(?:18|19|20)\d\d[01]\d[0-3]\d)(?![\d%])"
)
_NAMED_DAY = re.compile(
    rf"\b(?:(?P<before>[0-3]?\d)(?:st|nd|rd|th)?[\s.-]{{0,2}}(?:of\s)?(?:{ENGLISH_NAMED})\b|(?:{ENGLISH_NAMED})\b[\s.-]{{0,2}}[0-3]?\d"
    rf"(?:st|nd|rd|th)?(?![\d:]|\s?(?:{DOSE_UNIT}|tab|cap|puff|x|%)))",
    re.IGNORECASE,
)
_NAMED_MONTH = re.compile(rf"\b(?P<month>{ENGLISH_NAMED})\b[\s.,'’-]{{0,3}}(?:of\s)?{_YEAR}\b", re.IGNORECASE)
_FIGURED_MONTH = re.compile(
    rf"(?<![\d/.-])(?:(?P<month>[01]?\d)[/-]{_YEAR}|{_YEAR.replace('year', 'first')}-(?P<after>[01]\d))(?![\d/.-])"
)
_ALONE = re.compile(rf"(?<![\d.,/$#-]){_YEAR}(?![\d,/-]|\.\d|\s?(?:{DOSE_UNIT}|g|kcal|cal|cc|iu|steps|m|%)\b)")
_FIVE = re.compile(r"(?<![\d.,$#-])(\d{5})(?:-\d{4})?(?![\d.]*\d)")
_DOTTED = re.compile(r"(?<![\w.])[A-TV-Z]\d[0-9AB]\.[0-9A-Z]{1,4}(?!\w)")
_AFTER_A_WORD = re.compile(
    r"\b(?:icd(?:[- ]?10)?(?:[- ]?cm)?|dx|diagnos[ei]s|codes?)\W{1,3}([A-TV-Z]\d[0-9AB])(?![\w.])", re.IGNORECASE
)
_TOKEN = re.compile(r"[^\W_]+(?:[.'’-][^\W_]+)*")
_BROKEN = re.compile(r"(?<=[^\W\d_])[-\u2010\u2011]?[ \t]{0,3}\r?\n[ \t]{0,3}(?=[^\W\d_])")
_SPACED_OUT = re.compile(r"(?<!\w)(?:[^\W\d_] ){2,}[^\W\d_](?!\w)")
_LEAST_OF_TWO = 5
SHORTEST = 3
"""Letters and figures of a value that is searched for as a word: shorter ones are too often something else."""


_NUMERALS = (
    r"(?:twenty|thirty|fou?rty|fifty|sixty|seventy|eighty|ninety)"
    r"(?:[\s-]?(?:one|two|three|four|five|six|seven|eight|nine))?"
)
_SOMEBODY_IS = re.compile(
    rf"\b[A-Z][\w'’-]*\s(?:is|was|turn(?:s|ed)|just turned)\s(?:now\s|only\s)?(?P<age>[1-9]\d|1[01]\d|(?i:{_NUMERALS}))"
    r"(?=\s*(?:[.;)!?](?!\d)|,(?!\d)|$|and\b|but\b|with\b|years?\b(?!\s(?:ago|post|out|after))))"
)

_BRITISH = re.compile(r"(?<!\w)[A-Z]{1,2}\d[A-Z\d]?\s?\d[ABD-HJLNP-UW-Z]{2}(?!\w)")
_LIVES = re.compile(
    r"(?<!\w)(?:liv(?:es?|ed|ing)|resid(?:es?|ed|ing|ent)|mov(?:ed|ing)|home|house|flat|postcode|post code)"
    r"(?:\s+(?:in|near|at|around|to|of|is|the|area|district))*:?\s+(?P<district>[a-z]{1,2}\d[a-z\d]?)(?!\w)",
    re.IGNORECASE,
)


def said_of_somebody(text: str) -> list[str]:
    """Numbers that may be the age of somebody named.

    >>> said_of_somebody("Mr. Lowe is sixty-three. Rate was 88 bpm.")
    ['sixty-three']
    """
    return [match["age"] for match in _SOMEBODY_IS.finditer(plain(text))]


def dates_beyond(text: str, row: Sequence[str]) -> bool:
    """Does it name a day, month or year that says more than every one of these cells?"""
    text = without(plain(text), row)
    if _WHOLE.search(text) or any(_is_day(match) for match in _NAMED_DAY.finditer(text)):
        return True
    dates = [
        f"{match['year']}-{1 + SHORT.index(match['month'][:3].lower()):02d}" for match in _NAMED_MONTH.finditer(text)
    ]
    for match in _FIGURED_MONTH.finditer(text):
        dates.append(
            f"{match['year']}-{int(match['month']):02d}" if match["year"] else f"{match['first']}-{match['after']}"
        )
    dates += [match["year"] for match in _ALONE.finditer(text)]
    return any(not _within(period, row) for period in dates)


def _is_day(match: re.Match[str]) -> bool:
    """`may` in small letters is a verb far more often than a month."""
    return "may" not in match[0] or match["before"] is not None


def _within(period: str, row: Sequence[str]) -> bool:
    """Is a month or year what some cell says, or less?

    >>> _within("2016", ["2016-03"]), _within("2016-03", ["2016"]), _within("2015", ["[2015-02-01..2015-11-30]"])
    (True, False, True)
    """
    for text in row:
        cell = cells.parse(text)
        ends = (cell.low, cell.high) if isinstance(cell, cells.Interval) else (text, text)
        if all(end.startswith(period) for end in ends):
            return True
    return False


def zips_beyond(text: str, row: Sequence[str]) -> bool:
    """Is there a number of five figures that begins like a cell and is none?"""
    text = without(plain(text), row)
    begins = [result[0] for cell in row if (result := re.match(r"\d{2,5}", cell))]
    numbers = {match[1] for match in _FIVE.finditer(text)} - set(row)
    return any(number.startswith(start) for number in numbers for start in begins)


def districts_beyond(text: str, row: Sequence[str]) -> bool:
    """Is there a British postcode, or the district of one after a word for living there, that no cell begins with?

    >>> [districts_beyond("Lives near BD1.", [cell]) for cell in ("BD*", "BD1 *", "BD1 1HX", "*")]
    [True, False, False, True]
    >>> districts_beyond("Lives with pain from L5 to S1, takes B12.", ["*"])
    False
    """
    said = {re.sub(r"\s+", "", match[0].upper()) for match in _BRITISH.finditer(text)}
    said |= {match["district"].upper() for match in _LIVES.finditer(text)}
    shown = [cell.replace(" ", "").upper() for cell in row]
    return any(not any(cell.startswith(one) for cell in shown) for one in said)


def codes_beyond(text: str, cell: str) -> bool:
    """Is there a diagnosis code of ICD-10 other than the cell?"""
    text = plain(text)
    result = {match[0] for match in _DOTTED.finditer(text)} | {
        match[1].upper() for match in _AFTER_A_WORD.finditer(text)
    }
    return bool(result - {cell})


def vocabulary(column: Sequence[str | None]) -> frozenset[str]:
    """The words that a published column itself shows: its values, and the members of its sets."""
    results: set[str] = set()
    for text in {cell for cell in column if cell}:
        cell = cells.parse(text)
        match cell:
            case cells.Exact(value):
                results.add(value)
            case cells.Set(members):
                results.update(members)
    return frozenset(look for value in results if len(look := _look(value)) >= SHORTEST and not look.isdigit())


def words_beyond(text: str, cell: str, known: frozenset[str], labelled: bool = False) -> bool:
    """Does it name one value where the cell shows several, or none?

    known: the vocabulary of the column; labelled: the cell may be a label above the value.
    """
    parsed = cells.parse(cell)
    if isinstance(parsed, cells.Exact) and cell:
        others = known - {_look(cell)} if labelled else frozenset()
    elif isinstance(parsed, cells.Set):
        others = known & {_look(member) for member in parsed.members}
    else:
        others = known
    if not others:
        return False
    longest = max(one.count(" ") for one in others) + 1
    others = frozenset(one + end for one in others for end in ("", "s", "es"))
    text = without(plain(text), [cell])
    whole = any(not others.isdisjoint(_runs(one, longest)) for one in dict.fromkeys((text, unbroken(text))))
    return whole or not others.isdisjoint(_put_together(text))


def unbroken(text: str) -> str:
    """With words in one piece that a line end breaks or blanks space out.

    >>> unbroken("Mild asth-\\nma, a s t h m a since 1 2 years")
    'Mild asthma, asthma since 1 2 years'
    """
    return _SPACED_OUT.sub(lambda match: match[0].replace(" ", ""), _BROKEN.sub("", text))


def _put_together(text: str) -> Iterator[str]:
    """Every two pieces side by side as one word, unless it is so short that others make it too: "asth- ma".

    >>> list(_put_together("Mild as thma"))
    ['mildas', 'asthma']
    """
    pieces = re.findall(r"[^\W\d_]+", text.casefold())
    return (first + second for first, second in pairwise(pieces) if len(first + second) >= _LEAST_OF_TWO)


def without(text: str, row: Sequence[str]) -> str:
    """A text without the cells of its row, as they are written; 2016-03 is no part of 2016-03-05.

    >>> without("In 2016-03, on 2016-03-05", ["2016-03"]).count("2016-03")
    1
    """
    for cell in sorted({cell for cell in row if cell and not cell.isalnum() and cell != "*"}, key=len, reverse=True):
        text = re.sub(rf"(?<![\w.-]){re.escape(cell)}(?!\w|[-./]\d)", " \0 ", text)
    return text


def _runs(text: str, longest: int) -> Iterator[str]:
    """Every run of so many words, as they look."""
    tokens = [match[0].casefold() for match in _TOKEN.finditer(text)]
    parts = [part for token in tokens for part in re.split(r"[’'-]", token)]
    for words in (tokens, parts):
        for length in range(1, longest + 1):
            for start in range(len(words) - length + 1):
                yield " ".join(words[start : start + length])


def _look(value: str) -> str:
    """Words of a value as a text has them, whatever stands between."""
    return " ".join(match[0].casefold() for match in _TOKEN.finditer(plain(value)))
