"""Dates with names of months in the language of a pack → the same spelling of another day.

"Montag, 3. März 2024" and "el 3 de marzo de 2024" move like dates in English; a month with its year becomes the year, a
month alone is marked. All other spellings are numbers, and move as they do everywhere, the day first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import date, timedelta
from functools import cache
from typing import TYPE_CHECKING

from sharewell.notes.engine.spans import Text
from sharewell.notes.replacers.date_spellings import CENTURY, date_or_none
from sharewell.notes.replacers.dates import COMMON_YEAR, DateRewriter
from sharewell.notes.replacers.keyed_draws import cased

if TYPE_CHECKING:
    from sharewell.notes.matcher.language_packs import LanguagePack


@dataclass(frozen=True)
class _Spelling:
    """How a pack writes dates: a pattern over lower case, and what its words mean."""

    pattern: re.Pattern[str]
    months: dict[str, int]
    weekdays: dict[str, int]

    @classmethod
    def of(cls, pack: LanguagePack) -> _Spelling:
        months = {word: number for number, words in enumerate(pack.months, 1) for word in words}
        weekdays = {word: number for number, words in enumerate(pack.weekdays) for word in words}
        month, weekday = _either(months), _either(weekdays)
        link = rf"(?:{_either(pack.of)} )?"
        return cls(
            re.compile(
                rf"(?:(?P<weekday>{weekday})(?P<after_weekday>\.?,? {link}))?"
                rf"(?:(?P<day>\d{{1,2}})(?P<between>\.? ?{link}|[-/])"
                rf"(?:(?P<month>{month})(?P<dot>\.?)|(?P<number>\d{{1,2}})(?P<last_dot>\.)))?"
                rf"(?P<alone>{month})?(?:(?P<before_year>,? ?{link}(?:año )?|[-/])(?P<year>\d{{4}}|[’\']?\d\d))?"
            ),
            months,
            weekdays,
        )


def _either(words: Sequence[str] | dict[str, int] | frozenset[str]) -> str:
    return "(?:" + "|".join(sorted(words, key=lambda word: (-len(word), word))) + ")"


@cache
def _spelling(pack: LanguagePack) -> _Spelling:
    return _Spelling.of(pack)


def years_of_months(folded: str, pack: LanguagePack) -> list[int]:
    """The year of a date with a month by name, in lower case."""
    match = _spelling(pack).pattern.fullmatch(folded.strip())
    return [year] if match and (year := _year(match["year"])) is not None else []


@dataclass(frozen=True)
class ForeignDates(DateRewriter):
    """How the dates of one person are published in notes of a language pack."""

    pack: LanguagePack | None = None

    def shifted(self, written: str, near: int = COMMON_YEAR, birth: bool = False) -> str | None:
        match = self._match(written)
        if match is None:
            return super().shifted(written, near, birth)
        year = _year(match["year"])
        if match["day"] is None:
            return None if year is None else self.shown_year(year, birth)
        day = date_or_none(year or near, self._month(match), int(match["day"]))
        try:
            new = None if day is None else day + timedelta(self.shift)
        except OverflowError:
            return None
        if new is None:
            return None
        if year is not None and (shown := self.shown_year(new.year, birth)) != str(new.year):
            return shown
        if {(new.month, new.day), (new.day, new.month)} & self.row_days:
            return None if year is None else str(new.year)
        return self._spelt(match, new, written)

    def years(self, written: str, birth: bool = False) -> str | None:
        match = self._match(written)
        if match is None:
            return super().years(written, birth)
        year = _year(match["year"])
        return None if year is None else self.shown_year(year, birth)

    def years_in(self, folded: str) -> list[int]:
        return (years_of_months(folded, self.pack) if self.pack else []) or super().years_in(folded)

    def _match(self, written: str) -> re.Match[str] | None:
        """A date with a word for its month, or with dots and no year: numbers with years are read elsewhere."""
        assert self.pack is not None
        match = _spelling(self.pack).pattern.fullmatch(Text.of(written).folded)
        named = match is not None and (match["month"] or match["alone"] or match["last_dot"] or match["weekday"])
        return match if named and not (match["day"] and match["alone"]) else None  # type: ignore[index]

    def _month(self, match: re.Match[str]) -> int:
        assert self.pack is not None
        return int(match["number"]) if match["number"] else _spelling(self.pack).months[match["month"]]

    def _spelt(self, match: re.Match[str], new: date, written: str) -> str:
        """In the form of what was written: its words in their case, its numbers as wide."""
        assert self.pack is not None
        spelling, parts = _spelling(self.pack), []
        if match["weekday"]:
            index = spelling.weekdays[match["weekday"]]
            named = self.pack.weekdays[(index + self.shift) % 7]
            parts += [_like(named, self.pack.weekdays[index], match, "weekday", written), match["after_weekday"]]
        parts += [f"{new.day:0{2 if match['day'].startswith('0') else 1}d}", match["between"]]
        if match["number"]:
            parts += [f"{new.month:0{len(match['number'])}d}", match["last_dot"]]
        else:
            was = self.pack.months[self._month(match) - 1]
            parts += [_like(self.pack.months[new.month - 1], was, match, "month", written), match["dot"]]
        if match["year"]:
            short = f"{new.year % 100:02d}"
            parts += [match["before_year"], str(new.year) if len(match["year"]) == 4 else match["year"][:-2] + short]
        return "".join(parts)


def _like(new: Sequence[str], was: Sequence[str], match: re.Match[str], group: str, written: str) -> str:
    """The whole word for a whole one, the short for a short one, in its case."""
    word = match[group]
    short = word in was[1:2] and word != was[0]
    was_written = written[match.start(group) : match.end(group)]
    drawn = new[1] if short else new[0]
    return cased(drawn.capitalize() if was_written[0].isupper() else drawn, was_written)


def _year(written: str | None) -> int | None:
    if not written:
        return None
    number = int(written.strip("’'"))
    return number if number > 99 else number + (2000 if number < CENTURY else 1900)


def in_language(dates: DateRewriter, pack: LanguagePack) -> ForeignDates:
    """The same shift, in notes of a language pack."""
    given = {one.name: getattr(dates, one.name) for one in fields(DateRewriter)}
    return ForeignDates(**given, pack=pack)
