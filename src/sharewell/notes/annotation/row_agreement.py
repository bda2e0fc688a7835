"""A mechanism around another one, after which a text column says no more than the published cells of its own row.

An age, date, zip code, place or diagnosis becomes the row's published cell where the cell covers it (63 becomes "60s"
beside [60-69]) and a mark (`[age]`) where not; words that tell a sex become neutral where the row does not publish it.
At the end the judge reads the text as anybody will: one that still says more is withheld.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from sharewell import cells
from sharewell.keys import Key
from sharewell.notes.annotation.extraction import Mention, mentions
from sharewell.notes.annotation.own_ages import ages_by_row, births_by_row, own_age_mentions, own_year_mentions
from sharewell.notes.annotation.row_wordings import neutral_relative, wordings
from sharewell.notes.annotation.written_back import MentionText, hide_span, with_readable_ages, write_back_note
from sharewell.notes.criteria.text_agrees_with_table import Row, TextAgreesWithTable
from sharewell.notes.data import Notes
from sharewell.notes.engine.known_identifiers import Known
from sharewell.notes.engine.language import english
from sharewell.notes.engine.protection.person_by_person import LANGUAGE, NoteMechanism, person_by_person
from sharewell.notes.engine.rewritten_text import Edit, NoteOwner, RewrittenNote, apply_edits
from sharewell.notes.engine.spans import Text
from sharewell.notes.mechanisms.replace import Replace, refuse_unread
from sharewell.notes.replacers.survivors import KNOWN, known_hits
from sharewell.protocols import Criterion, Protected

SAYS_MORE = "discloses more than its row"
"""Why a text is withheld."""
_PERIOD = re.compile(r"\d{4}(?:-\d\d)?")
_OLDEST = 150
"""What is more is a year of birth."""
_SHORT = 3
"""Values of fewer signs are not looked for as words."""


@dataclass(frozen=True)
class OwnColumns:
    """What the original rows of the texts had in columns that tell an age: ages, births, and dates of all sorts."""

    cells: Mapping[str, Sequence[str | None]] = field(repr=False)
    ages: tuple[str, ...]
    births: tuple[str, ...]

    def numbers(self, rows: int) -> list[frozenset[int]]:
        """The age and the year of birth of each row, and what may be either."""
        given = self.cells, self.ages, self.births, rows
        return [age | year for age, year in zip(ages_by_row(*given), births_by_row(*given), strict=True)]


@dataclass(frozen=True)
class RowAgreement:
    """Rewrites as another mechanism does, and then makes every text agree with its row."""

    inner: NoteMechanism
    judge: TextAgreesWithTable
    rows: Mapping[str, Sequence[Row]] = field(repr=False, compare=False)
    """Person → the published cells beside each of their texts, in the order of these texts."""
    values: Mapping[str, Sequence[str]] = field(repr=False, compare=False)
    """Column of places or diagnoses → every value and label that it has, before and after."""
    ages: Mapping[str, Sequence[frozenset[int]]] = field(default_factory=dict, repr=False, compare=False)
    """Person → the ages and years of birth that the original rows of these texts tell."""
    engine: ClassVar[str] = "check"
    refuses: ClassVar[tuple[str, ...]] = ()
    measured_by: ClassVar[str] = ""

    @classmethod
    def of(
        cls,
        inner: NoteMechanism,
        judge: TextAgreesWithTable,
        notes: Notes,
        rows: Sequence[Row],
        values: Mapping[str, Sequence[str]],
        own: OwnColumns | None = None,
    ) -> RowAgreement:
        """rows: the cells beside each note; own: what their rows had. A person's notes are rewritten in the order of
        their text."""
        refuse_unread(inner, notes, [judge.name])
        by_person: dict[str, list[tuple[str, Row, frozenset[int]]]] = {}
        assert notes.persons is not None
        ages = own.numbers(notes.rows) if own else [frozenset[int]()] * notes.rows
        for person, text, row, age in zip(notes.persons, notes.texts, rows, ages, strict=True):
            if text.strip():
                by_person.setdefault(str(person), []).append((text, row, age))
        ordered = {person: sorted(of, key=lambda one: one[0]) for person, of in by_person.items()}
        cells_of = {person: [row for _, row, _ in of] for person, of in ordered.items()}
        return cls(inner, judge, cells_of, values, {person: [age for *_, age in of] for person, of in ordered.items()})

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def falsifies(self) -> bool:
        return self.inner.falsifies

    def __repr__(self) -> str:
        """With a digest of the cells, so that work begun with others is not gone on with."""
        content = repr([(person, [sorted(row.items()) for row in rows]) for person, rows in sorted(self.rows.items())])
        return f"RowAgreement({self.inner!r}, {self.judge!r}, {hashlib.sha256(content.encode()).hexdigest()})"

    def protect(self, data: Notes, must: Sequence[Criterion[Notes]], key: Key | None = None) -> Protected[Notes]:
        refuse_unread(self.inner, data, [criterion.name for criterion in must])
        return person_by_person(self, data, must, key, beside_table=True)

    def rewrite(self, texts: Sequence[str], owner: NoteOwner) -> list[RewrittenNote]:
        return self.agreed(texts, self.inner.rewrite(texts, owner), owner)

    def agreed(self, texts: Sequence[str], inner: Sequence[RewrittenNote], owner: NoteOwner) -> list[RewrittenNote]:
        """What the inner mechanism made of these texts, with no more in it than their rows."""
        rows = self.rows.get(owner.person, ())
        if len(rows) != len(texts):
            return [RewrittenNote.withhold(SAYS_MORE) for _ in texts]
        ages = self.ages.get(owner.person) or [frozenset()] * len(texts)
        return [self._agreed(*one, owner) for one in zip(texts, inner, rows, ages, strict=True)]

    def _agreed(
        self, text: str, inner: RewrittenNote, row: Row, ages: frozenset[int], owner: NoteOwner
    ) -> RewrittenNote:
        if self._reads_anything and not english(text):
            return RewrittenNote.withhold(LANGUAGE)
        replacement = RowText.of(self.judge, row, owner.known)
        day_first = isinstance(self.inner, Replace) and self.inner.day_first is True
        results = mentions(Text.of(text), replacement.columns, owner.known, day_first=day_first)
        results = _with_more(results, wordings(text, replacement.columns))
        results = _with_more(results, self._words_of_columns(text, row))
        results = _with_more(results, self._postcodes(text, row))
        if "age" in replacement.columns:
            results = _with_more(results, own_age_mentions(text, ages))
            results = _with_more(results, own_year_mentions(text, [year for year in ages if year > _OLDEST]))
        if "diagnosis" in self.judge.hidden and owner.known:
            results = _with_more(results, _dropped_diagnoses(text, owner.known))
        note = write_back_note(text, inner, results, replacement, owner)
        if note.text is None:
            return note
        note = self._without_words(text, note, replacement, row)
        for cell in [] if self.judge.age_is_exact(row) else [row[name] for name in self.judge.ages]:
            note = with_readable_ages(text, note, cell)
        if owner.known and known_hits(note.text or "", owner.known):
            return RewrittenNote.withhold(KNOWN)
        known = {column: self._looks[column] for column in self.judge.words}
        return RewrittenNote.withhold(SAYS_MORE) if self.judge.beyond(note.text or "", row, known) else note

    @cached_property
    def _reads_anything(self) -> bool:
        """Does the inner mechanism take texts of any language for English? The judge knows English alone."""
        return isinstance(self.inner, Replace) and self.inner.language == "any"

    @cached_property
    def _looks(self) -> Mapping[str, frozenset[str]]:
        """What the judge may take for words of a column, at most."""
        from sharewell.notes.engine.checks.row_values import vocabulary

        return {column: vocabulary([cells.Exact(value).text for value in of]) for column, of in self.values.items()}

    @cached_property
    def _patterns(self) -> Mapping[str, re.Pattern[str]]:
        results, traits = {}, self.judge.traits
        for column, values in self.values.items():
            wanted = sorted(
                {value for value in values if len(value) >= _SHORT and _is_word(value, column in traits)}, key=len
            )
            spelt = "|".join(r"\W{1,3}".join(map(re.escape, re.findall(r"\w+", value))) for value in reversed(wanted))
            plural = rf"(?<!\w)(?P<value>{spelt}){_PLURAL}(?!\w)"
            results[column] = re.compile(plural if spelt else r"(?!)", re.IGNORECASE)
        return results

    @cached_property
    def _first_parts(self) -> Mapping[str, re.Pattern[str]]:
        """Of postcodes that have two parts, as British ones: the first, with or without the second."""
        results = {}
        for column in self.judge.zips:
            parts = {value.split()[0] for value in self.values.get(column, ()) if _TWO_PARTS.fullmatch(value)}
            spelt = "|".join(map(re.escape, sorted(parts, key=lambda part: (-len(part), part))))
            results[column] = re.compile(rf"\b(?:{spelt})(?:\s?\d[a-z]{{2}})?\b" if spelt else r"(?!)", re.IGNORECASE)
        return results

    def _postcodes(self, text: str, row: Row) -> Iterator[Mention]:
        """Postcodes of the column and their first parts, where they say more than the cell."""
        for column, pattern in self._first_parts.items():
            shown = row[column].replace(" ", "").casefold()
            for match in pattern.finditer(text):
                if not shown.startswith("".join(match[0].split()).casefold()):
                    yield Mention(*match.span(), "postcode", match[0])

    def _words_of_columns(self, text: str, row: Row) -> Iterator[Mention]:
        """Values of the row's columns, before the inner mechanism takes a part of one for a name."""
        for column in self.judge.words:
            sort = {**dict.fromkeys(self.judge.places, "city"), **dict.fromkeys(self.judge.traits, "trait")}.get(
                column, "diagnosis"
            )
            for start, end, value in self._words(column, text, row[column]):
                yield Mention(start, end, sort, value)

    def _without_words(self, text: str, note: RewrittenNote, replacement: RowText, row: Row) -> RewrittenNote:
        """Values of a column of places or diagnoses give way to its cell."""
        for column in dict.fromkeys((*self.judge.words, *self.judge.codes)):
            shown = note.text or ""
            edits = [Edit(c.start, c.end, c.kind, shown[c.published_start : c.published_end]) for c in note.changes]
            mark = "place" if column in self.judge.places else "trait" if column in self.judge.traits else "diagnosis"
            hits = list(self._words(column, shown, row[column]))
            for start, end, value in reversed(hits):
                new = replacement.cell_for([row[column]], value) or f"[{mark}]"
                edits = hide_span(edits, note.changes, start, end, Edit(start, end, "OTHER", new))
            note = apply_edits(text, edits) if hits else note
        return note

    def _words(self, column: str, text: str, cell: str) -> Iterator[tuple[int, int, str]]:
        """Words that say more than the cell, but for those inside a cell that is written out."""
        parsed = cells.parse(cell)
        open_to_all = column in self.judge.codes or column in self.judge.labelled
        if cell and isinstance(parsed, cells.Exact) and not open_to_all:
            return
        written = [match.span() for match in re.finditer(re.escape(cell), text)] if len(cell) > 1 else []
        patterns = [self._patterns[column], *([_CODE] if column in self.judge.codes else [])]
        every = (match for pattern in patterns for match in pattern.finditer(text))
        spans = sorted({(*match.span(), _value(match)) for match in every if _is_code(match)})
        last = 0
        for start, end, value in spans:
            if start >= last and not any(first <= start and end <= stop for first, stop in written):
                members = {member.casefold() for member in parsed.members} if isinstance(parsed, cells.Set) else None
                if members is None or open_to_all or _spelt(value) in map(_spelt, members):
                    last = end
                    yield start, end, value


def _is_word(value: str, trait: bool) -> bool:
    """No number; of a trait something with a letter in it."""
    return any(map(str.isalpha, value)) if trait else not value.isdigit()


def _dropped_diagnoses(text: str, known: Known) -> Iterator[Mention]:
    """What a dropped column says of the person's own diagnosis, in the plural too."""
    seen: set[int] = set()
    for singular in (text, _ENDS_IN_S.sub(" ", text), _ENDS_IN_ES.sub("  ", text)):  # places stay where they are
        for start, end, kind in known.search(Text.of(singular)):
            if kind == "OTHER" and start not in seen and not re.search(r"[@/]|\w\.[a-z]", text[start:end]):
                seen.add(start)
                plural = re.compile(rf"{_PLURAL}(?!\w)").match(text, end)
                yield Mention(start, plural.end() if plural else end, "diagnosis", "")


def _with_more(results: Sequence[Mention], more: Iterable[Mention]) -> list[Mention]:
    """Mentions in order, with more of them where nothing was found yet; of those that overlap the first, unless a later
    one of its sort is the whole of which it is a part."""
    kept = list(results)
    for one in more:
        rest = [other for other in kept if not _is_part(other, one)]
        if not any(other.start < one.end and one.start < other.end for other in rest):
            kept = [*rest, one]
    return sorted(kept)


def _is_part(one: Mention, whole: Mention) -> bool:
    longer = whole.end - whole.start > one.end - one.start
    return longer and whole.start <= one.start and one.end <= whole.end and one.sort == whole.sort


_PLURAL = r"(?i:e?s)?"
_ENDS_IN_S = re.compile(r"(?<=\w\w\w)s(?!\w)", re.IGNORECASE)
_ENDS_IN_ES = re.compile(r"(?<=\w\w\w)es(?!\w)", re.IGNORECASE)
_TWO_PARTS = re.compile(r"[A-Za-z]\w{1,3} \w{3}")
_CODE = re.compile(r"\b[A-Z]\d[\dAB](?P<dotted>\.\w{1,4})?\b")
_SAID = re.compile(r"(?:icd|dx|diagn|code)\S{0,8}\W{1,3}$", re.IGNORECASE)


def _value(match: re.Match[str]) -> str:
    """What a mention says, without the end of a plural."""
    return match[0] if match.re is _CODE else match["value"]


def _is_code(match: re.Match[str]) -> bool:
    """With a dot, or after a word that says so: B12 is a vitamin, T12 a bone."""
    if match.re is not _CODE or match["dotted"]:
        return True
    return _SAID.search(match.string, max(0, match.start() - 16), match.start()) is not None


def covers_word(cell: str, value: str) -> bool:
    """Does a published cell cover a value of the column, as far as it tells itself?"""
    match cells.parse(cell):
        case cells.Set(members):
            return _spelt(value) in map(_spelt, members)
        case cells.Prefix(start):
            return value.startswith(start)
    return False


def _spelt(value: str) -> str:
    return " ".join(re.findall(r"\w+", value.casefold()))


@dataclass(frozen=True)
class RowText(MentionText):
    """What stands for a mention beside a row: a cell that covers it, or a mark."""

    places: Sequence[str] = ()
    """The cells of places."""
    diagnoses: Sequence[str] = ()
    """The cells of diagnoses."""
    traits: Sequence[str] = ()
    """The cells of traits."""
    known: Known | None = field(default=None, repr=False)
    """What may stand nowhere in the person's texts, not even as a member of a cell."""

    @classmethod
    def of(cls, judge: TextAgreesWithTable, row: Row, known: Known | None = None) -> RowText:
        """Only what the row does not publish as it is, is looked for."""
        wanted: dict[str, str | None] = {}
        if not judge.age_is_exact(row):
            wanted["age"] = next((row[name] for name in judge.ages), None)
        if not judge.sex_is_exact(row):
            wanted["sex"] = None
        if judge.dates:
            wanted["last"] = next((row[name] for name in judge.dates), None)
        if judge.zips:
            wanted["zip"] = next((row[name] for name in judge.zips), None)
        places = [row[name] for name in judge.places]
        wanted |= dict.fromkeys(("city", "state")) if places else {}
        diagnoses, traits = ([row[name] for name in columns] for columns in (judge.diagnoses, judge.traits))
        return cls(tuple(wanted), wanted, {}, places, diagnoses, traits, known)

    def cell_for(self, cells_shown: Sequence[str], value: str) -> str | None:
        """The cell that stands for a value: one that covers it and shows nothing that is known of the person."""
        covering = (cell for cell in cells_shown if covers_word(cell, value))
        return next((cell for cell in covering if not (self.known and known_hits(cell, self.known))), None)

    def text_for(self, mention: Mention, text: str) -> str | None:
        if mention.sort == "postcode":
            return "[place]"
        if mention.sort in ("city", "state"):
            return self.cell_for(self.places, mention.value) or "[place]"
        if mention.sort == "diagnosis":
            return self.cell_for(self.diagnoses, mention.value) or "[diagnosis]"
        if mention.sort == "trait":
            return self.cell_for(self.traits, mention.value) or "[trait]"
        if mention.sort == "sex" and (relative := neutral_relative(text[mention.start : mention.end])):
            return relative
        cell = self.row.get("last" if mention.sort == "date" else mention.sort) or ""
        if mention.sort == "date" and _PERIOD.fullmatch(cell) and mention.value.startswith(cell):
            return cell + mention.tail
        return super().text_for(mention, text)
