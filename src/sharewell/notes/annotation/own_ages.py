"""Numbers in a text that are the row's own age or year of birth, whatever words stand around them: "64 winters".

Only who has the original row can look for them; a reader of the release cannot tell them from other numbers. Beside a
word or a unit of a measure ("HR 64", "64 mg") such a number stays.

>>> texts = ("Has seen 64 winters.", "HR 64, 64 mg", "sixty-four springs")
>>> [text for text in texts if list(own_age_mentions(text, {64}))]
['Has seen 64 winters.', 'sixty-four springs']
>>> texts = ("a child of 1960", "Jahrgang 1960", "in 1960-03", "1960 ml")
>>> [text for text in texts if list(own_year_mentions(text, {1960}))]
['a child of 1960', 'Jahrgang 1960']
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

from sharewell.notes.annotation.extraction import Mention
from sharewell.notes.engine.pattern_pieces import patterns

_LEAST, _MOST = 10, 119
"""Ages that are looked for: a number of one figure is too often something else."""
_TENS = dict(enumerate(("twenty", "thirty", "fou?rty", "fifty", "sixty", "seventy", "eighty", "ninety"), 2))
_ONES = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_PATTERNS = patterns("notes/own_ages.toml")
_BEFORE, _BEHIND = _PATTERNS["before"], _PATTERNS["behind"]


def own_age_mentions(text: str, ages: Collection[int]) -> Iterator[Mention]:
    """Every such number, in figures or words."""
    pattern = _pattern(tuple(sorted(ages)))
    for match in pattern.finditer(text) if pattern else ():
        start, end = match.span()
        if not _BEFORE.search(text, max(0, start - 24), start) and not _BEHIND.match(text, end):
            yield Mention(start, end, "age", match[0] if match[0].isdecimal() else "")


def own_year_mentions(text: str, years: Collection[int]) -> Iterator[Mention]:
    """Every year of birth that stands alone, not within a date or a measure."""
    wanted = "|".join(map(str, sorted(years)))
    for match in re.finditer(rf"(?<!\d)(?:{wanted})(?![\d/.,:-]*\d)", text) if wanted else ():
        start, end = match.span()
        if not _BEFORE.search(text, max(0, start - 24), start) and not _BEHIND.match(text, end):
            yield Mention(start, end, "birth", match[0])


@lru_cache(maxsize=4096)
def _pattern(ages: tuple[int, ...]) -> re.Pattern[str] | None:
    wanted = [age for age in ages if _LEAST <= age <= _MOST]
    forms = [form for age in wanted for form in (str(age), *_in_words(age))]
    return re.compile("|".join(forms), re.IGNORECASE) if forms else None


def _in_words(age: int) -> Iterator[str]:
    if age // 10 in _TENS:
        ones = _ONES[age % 10]
        yield rf"\b{_TENS[age // 10]}" + (
            rf"[\s-]?{ones}\b" if ones else r"\b(?![\s-]?(?:one|two|three|four|five|six|seven|eight|nine)\b)"
        )


def ages_by_row(
    own: Mapping[str, Sequence[str | None]], ages: Collection[str], births: Collection[str], rows: int
) -> list[frozenset[int]]:
    """The age of each row, from its columns of ages, or of births and all other dates.

    A year before and after the difference of years counts too: the birthday may be still to come, or near.

    >>> own = {"born": ["1960-05-01", None], "seen": ["2024-03-02", "2024-03-02"], "age": [None, "31"]}
    >>> [sorted(ages) for ages in ages_by_row(own, {"age"}, {"born"}, 2)]
    [[63, 64, 65], [31, 32]]
    """
    dates = [column for column in own if column not in ages and column not in births]
    results = []
    for row in range(rows):
        said = {int(match[1]) for column in ages if column in own and (match := _whole(own[column][row]))}
        born = _years(own[column][row] for column in births if column in own)
        seen = _years(own[column][row] for column in dates)
        apart = {year - first for year in seen for first in born}
        results.append(frozenset({*said, *(age + 1 for age in said), *(age + i for age in apart for i in (-1, 0, 1))}))
    return results


def births_by_row(
    own: Mapping[str, Sequence[str | None]], ages: Collection[str], births: Collection[str], rows: int
) -> list[frozenset[int]]:
    """The year of birth of each row: from its columns of births, or from those of ages and all other dates.

    In the first years of a life the year of birth is that of other events too, and is not looked for.

    >>> own = {"born": ["1960-05-01", "2023-05-01", None], "seen": ["2024-03-02"] * 3, "age": [None, "0", "31"]}
    >>> [sorted(years) for years in births_by_row(own, {"age"}, {"born"}, 3)]
    [[1960], [], [1992, 1993]]
    """
    dates = [column for column in own if column not in ages and column not in births]
    results = []
    for row in range(rows):
        born = _years(own[column][row] for column in births if column in own)
        seen = _years(own[column][row] for column in dates)
        said = {int(match[1]) for column in ages if column in own and (match := _whole(own[column][row]))}
        born |= {year - age - i for year in seen for age in said for i in (0, 1)}
        young = any(age < _LEAST for age in said) or any(year - first < _LEAST for year in seen for first in born)
        results.append(frozenset() if young else frozenset(born))
    return results


def _whole(cell: str | None) -> re.Match[str] | None:
    return re.fullmatch(r"\s*(\d{1,3})(?:\.0*)?\s*", cell or "")


def _years(dates: Iterator[str | None]) -> set[int]:
    return {int(year) for cell in dates for year in re.findall(r"(?<!\d)(?:18|19|20)\d\d(?!\d)", cell or "")}
