"""Replace the spans in all notes of one person.

First all notes are read, so that the names, years and real values of the person are known; then each span is replaced
by itself. The order of the notes does not matter.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from sharewell.notes.engine.gazetteer import plain
from sharewell.notes.engine.protection.drugs_and_doses import generalise_drug
from sharewell.notes.engine.rewritten_text import Edit, NoteOwner
from sharewell.notes.engine.spans import Span, Text, resolve_overlaps
from sharewell.notes.replacers import identifiers
from sharewell.notes.replacers.ages import before_year, birth_years, cap_age, is_birth
from sharewell.notes.replacers.dates import (
    COMMON_YEAR,
    DateRewriter,
    date_conventions,
    days_in_row,
    draw_shift,
    nearest_year,
)
from sharewell.notes.replacers.doses import round_dose
from sharewell.notes.replacers.foreign_dates import in_language, years_of_months
from sharewell.notes.replacers.keyed_draws import Draws
from sharewell.notes.replacers.name_parts import NameParts
from sharewell.notes.replacers.name_words import WrittenName, names_in_row, plain_word, rejoin_broken, row_name_words
from sharewell.notes.replacers.names import NameSurrogates, letter_codes, name_surrogates
from sharewell.notes.replacers.places import PlaceSurrogates, zip3
from sharewell.notes.replacers.tags import omitted_span, suppression_mark, tag

if TYPE_CHECKING:
    from sharewell.notes.matcher.language_packs import LanguagePack
    from sharewell.notes.mechanisms.replace import Replace

PARAMETER_OF_KIND = {
    **{sort.upper(): f"{sort}s" for sort in ("name", "date", "age", "place", "organisation", "drug", "dose")},
    **dict.fromkeys(("ADDRESS", "PHONE", "EMAIL", "URL", "IP"), "contacts"),
    **dict.fromkeys(("SSN", "ID", "OTHER"), "ids"),
}
"""Kind of a span → the parameter that says what becomes of it."""
_WORDS_BEFORE = 24
_SIGN = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class PersonReplacer:
    """The replacements in the notes of one person, by the parameters of a mechanism."""

    mechanism: Replace
    texts: Sequence[Text] = field(repr=False)
    spans: Sequence[Sequence[Span]] = field(repr=False)
    owner: NoteOwner = field(repr=False)
    packs: Sequence[LanguagePack | None] = ()
    """The language pack of each note; none for English."""

    def within(self, scope: str) -> PersonReplacer:
        """The same person with other surrogates, which tie the notes of this scope alone.

        Dates move by other days too, unless they move with another column: the day of an operation that every note of
        the person mentions would otherwise be the same in all scopes.
        """
        return replace(self, owner=replace(self.owner, key=self.owner.key.scoped("class", scope))) if scope else self

    def edits(self, index: int) -> list[Edit]:
        """The edits of a note."""
        text, spans, pack = self.texts[index], self.spans[index], self._pack_of(index)
        if self.mechanism.ages != "keep":
            born = birth_years(text.folded, self._dates.latest)
            spans = resolve_overlaps([*spans, *born]) if born else spans
        return list(self._edits(text, spans, pack))

    def _pack_of(self, index: int) -> LanguagePack | None:
        return self.packs[index] if self.packs else None

    @cached_property
    def _pack(self) -> LanguagePack | None:
        """That of most notes of the person: names and places are drawn from its lists."""
        counts = Counter("" if pack is None else pack.name for pack in self.packs)
        most = min(counts, key=lambda name: (-counts[name], name), default="")
        return next((pack for pack in self.packs if pack is not None and pack.name == most), None)

    def _edits(self, text: Text, spans: Sequence[Span], pack: LanguagePack | None) -> Iterator[Edit]:
        dates = self._dates_in(pack)
        years = self._years(text, spans, dates)
        last_end = 0
        for number, span in enumerate(spans):
            limit = spans[number + 1].start if number + 1 < len(spans) else len(text)
            start, end = max(span.start, last_end), span.end  # of two that overlap, the second has what is left
            if start >= end:
                continue
            before = _before(text, start)
            near = nearest_year(years, start) if span.kind == "DATE" else 0
            new, more = self._new(span.kind, text[start:end], before, text[end:limit], near, dates)
            if not new:
                start, end = omitted_span(text, start, end, last_end, limit)
            last_end = end + more
            if new != text[start:last_end]:
                yield Edit(start, last_end, span.kind, new)

    def _years(self, text: Text, spans: Sequence[Span], dates: DateRewriter) -> list[tuple[int, int]]:
        """Places of years in a note; only needed where days without a year move."""
        if self.mechanism.dates not in ("shift", "tag"):
            return []
        return [(span.start, year) for span in spans if span.kind == "DATE"
                for year in dates.years_in(text.folded[span.start : span.end])]  # fmt: skip

    def _new(self, kind: str, written: str, before: str, after: str, near: int, dates: DateRewriter) -> tuple[str, int]:
        """The replacement of a span, and how many characters after it are replaced too."""
        choice = self.mechanism.choice(kind)
        written = rejoin_broken(written, self._row_words) if kind == "NAME" else written
        if kind == "AGE":
            return cap_age(written, after) if choice == "cap" else (tag("AGE"), 0)
        if kind == "DATE":
            return self._date(self.mechanism.dates, written, before, near, dates), 0
        zips = self.mechanism.zips == "zip3" and self._pack is None
        if zips and kind in ("ADDRESS", "PLACE") and (short := zip3(written)) is not None:
            return short, 0
        if choice == "suppress":
            return suppression_mark(kind, self.mechanism.mark), 0
        if kind == "DRUG":
            assert isinstance(self.mechanism.drugs, dict)  # those that are kept were left out before
            return generalise_drug(written, self.mechanism.drugs["generalise"], self.mechanism.drug_tree), 0
        if kind == "DOSE":
            return round_dose(written) or suppression_mark(kind, self.mechanism.mark), 0
        if choice == "tag":
            return tag(kind, self._codes.replace(written, before) if kind == "NAME" else ""), 0
        if kind == "NAME":
            return self._names.replace(written, before), 0
        return self._surrogates.get(kind, self._identifier)(written), 0

    def _date(self, choice: str, written: str, before: str, near: int, dates: DateRewriter) -> str:
        birth = self.mechanism.ages != "keep" and is_birth(before)
        if choice == "suppress":
            return suppression_mark("DATE", self.mechanism.mark)
        if birth and written.isdigit() and len(written) == 4:  # a year alone is no date of the detectors
            return before_year(self._dates.latest)
        if choice == "year":
            return dates.years(written, birth) or suppression_mark("DATE", self.mechanism.mark)
        moved = dates.shifted(written, near, birth)
        if choice == "tag":
            return tag("DATE", moved or "")
        return moved if moved is not None else suppression_mark("DATE", self.mechanism.mark)

    @cached_property
    def _surrogates(self) -> Mapping[str, Callable[[str], str]]:
        draws, places = self._draws, PlaceSurrogates(self._draws, self.mechanism.zips, self._pack)
        return {
            "PLACE": places.place,
            "ADDRESS": places.address,
            "ORGANISATION": places.organisation,
            "OTHER": lambda written: self._names.replace(written) if self._named(written) else places.other(written),
            "PHONE": lambda written: identifiers.phone(draws, written),
            "SSN": lambda written: identifiers.social_number(draws, written),
            "IP": lambda written: identifiers.internet_address(draws, written),
            "EMAIL": lambda written: identifiers.mail(draws, self._named, written),
            "URL": lambda written: identifiers.web(draws, self._named, written),
        }

    def _identifier(self, written: str) -> str:
        return identifiers.identifier(self._draws, written)

    def _named(self, word: str) -> str | None:
        """The surrogate of a word that is part of a name in the notes."""
        part = plain_word(word)
        if part not in self._name_parts.canonical:
            return None
        return (self._names if self.mechanism.names == "surrogate" else self._codes).part(part)

    @cached_property
    def _draws(self) -> Draws:
        return Draws(self.owner.key, self._real)

    @cached_property
    def _real(self) -> frozenset[str]:
        """Every word of the notes and of the row, and every span without its punctuation: none may be drawn."""
        real: set[str] = set()
        for text, spans in zip(self.texts, self.spans, strict=True):
            real.update(text.words)
            if not text.isascii():
                real.update(map(plain, text.words))
            real.update("".join(_SIGN.findall(plain(text.folded[span.start : span.end]))) for span in spans)
        for _, value in self.owner.known.values if self.owner.known else ():
            runs = _SIGN.findall(plain(value.lower()))
            real.update((*runs, "".join(runs)))
        return frozenset(real)

    @cached_property
    def _name_parts(self) -> NameParts:
        names = (
            WrittenName.of(
                rejoin_broken(text[span.start : span.end], self._row_words), before=_before(text, span.start)
            )
            for text, span in self._spans_of("NAME")
        )
        return NameParts.of(names, self._row_names)

    @cached_property
    def _row_names(self) -> list[WrittenName]:
        return names_in_row(self.owner.known)

    @cached_property
    def _row_words(self) -> frozenset[str]:
        return row_name_words(self._row_names)

    @cached_property
    def _names(self) -> NameSurrogates:
        return name_surrogates(self._draws, self._name_parts, self._pack)

    @cached_property
    def _codes(self) -> NameSurrogates:
        return letter_codes(self._draws, self._name_parts)

    @cached_property
    def _dates(self) -> DateRewriter:
        dates = [text.folded[span.start : span.end] for text, span in self._spans_of("DATE")]
        usual, latest = date_conventions(dates)
        if self._pack is not None:
            pack_years = [year for date in dates for year in years_of_months(date, self._pack)]
            usual, latest = self._pack.day_first, max((*pack_years, *([latest] if latest else [])), default=None)
        day_first = usual if self.mechanism.day_first is None else self.mechanism.day_first
        shift = self.owner.shift or draw_shift(self.owner.key, self.mechanism.days, self.mechanism.weekdays)
        latest = self.mechanism.year or latest or COMMON_YEAR
        return DateRewriter(shift, days_in_row(self.owner.known), day_first, latest)

    def _dates_in(self, pack: LanguagePack | None) -> DateRewriter:
        return self._dates if pack is None else in_language(self._dates, pack)

    def _spans_of(self, kind: str) -> Iterator[tuple[Text, Span]]:
        """Every span of a kind in all notes, with its note."""
        for text, spans in zip(self.texts, self.spans, strict=True):
            yield from ((text, span) for span in spans if span.kind == kind)


def _before(text: str, start: int) -> str:
    """The words before a place."""
    return text[max(0, start - _WORDS_BEFORE) : start]
