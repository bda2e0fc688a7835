"""Known identifiers of a person: names, dates, numbers and places of the person's own row, searched for in the notes.

Whole words match whatever their case and accents: each part of a name by itself, with the initials beside it
("R. M. Delgado"), all initials with dots ("R.M.D."), a long part glued to another word where small letters and capitals
meet ("MsDelgado"), a date in any common spelling ("03/05/1961", "5 March 1961", "Mar 5th"), a number with blanks or
dashes inside it or without. A name that is a word of English is found as a word too: for a patient called May the month
goes. The search is exact; the detector may ask for words one letter away as well.

>>> known = Known.of(names=["Rosa Delgado"], dates=["1961-03-05"], ids=["MRN-00412"])
>>> text = "R. Delgado, b. 5 March 1961, mrn 00412"
>>> [(kind, text[start:end]) for start, end, kind in known.search(text)]
[('NAME', 'R. Delgado'), ('DATE', '5 March 1961'), ('ID', 'mrn 00412')]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property
from itertools import pairwise

from sharewell.calendar_names import MONTHS, SHORT_MONTHS
from sharewell.errors import DataError
from sharewell.notes.engine.gazetteer import plain
from sharewell.notes.engine.spans import Text, Token
from sharewell.notes.engine.word_lists import listed

PARTICLES = listed(
    "de da do dos del der den di du la le van von bin ibn al el y the of and jr sr ii iii iv dr mr mrs ms md"
)
_MONTH = {name: number for number, stem in enumerate(SHORT_MONTHS, 1) for name in (stem, stem + "t")} | {
    name: number for number, name in enumerate(MONTHS, 1)
}
_ALPHANUMERIC = re.compile(r"[^\W_]+")
_ORDINAL = re.compile(r"(\d{1,2})(?:st|nd|rd|th)")
_SLIP = 5
"""Words shorter than that are not searched for with a slip or within others: too many words are one letter apart."""
_MEETING = re.compile(r"[A-Z](?:(?<=[a-z][A-Z])|(?=[A-Z][a-z]))")
_BETWEEN = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
"""Where small letters and capitals meet within a word, and what stands between such places."""


@dataclass(frozen=True)
class Known:
    """A person's own identifiers: (kind, value) pairs, kinds as of spans."""

    values: tuple[tuple[str, str], ...] = field(default=(), repr=False)

    @classmethod
    def of(
        cls,
        names: Iterable[str] = (),
        dates: Iterable[str | date] = (),
        ids: Iterable[str] = (),
        places: Iterable[str] = (),
        phones: Iterable[str] = (),
        emails: Iterable[str] = (),
        others: Iterable[str] = (),
    ) -> Known:
        """By sort; empty values are left out. A date is a date, or text of the form 1961-03-05 or 03/05/1961."""
        sorts: Mapping[str, Iterable[str | date]] = {
            "NAME": names, "DATE": dates, "ID": ids, "PLACE": places, "PHONE": phones, "EMAIL": emails, "OTHER": others,
        }  # fmt: skip
        pairs = ((kind, _written(kind, value)) for kind, values in sorts.items() for value in values if value)
        return cls(tuple(dict.fromkeys(pair for pair in pairs if pair[1].strip())))

    def search(self, text: str) -> list[tuple[int, int, str]]:
        """(start, end, kind) of every identifier in a text, in order; they may overlap."""
        text = Text.of(text)
        hits = [*self._names(text), *self._glued(text), *self._dates(text), *self._strings(text)]
        return sorted(set(hits))

    def near(self, text: str) -> list[tuple[int, int, str]]:
        """Words that are one slip away from a part of a name, and no part themselves."""
        text, parts = Text.of(text), self._parts
        if not parts:
            return []
        places = (
            index
            for word, places in text.positions.items()
            if len(word) >= _SLIP
            and (bare := plain(word)) not in parts
            and len(bare) >= _SLIP
            and _one_slip(bare, parts)
            for index in places
        )
        return [(*text.tokens[index][:2], "NAME") for index in sorted(places)]

    def __bool__(self) -> bool:
        return bool(self.values)

    @cached_property
    def _parts(self) -> dict[str, str]:
        """Parts of names in plain lower case → the initials of the whole name."""
        parts: dict[str, str] = {}
        for kind, value in self.values:
            if kind == "NAME":
                words = [part for part in _plain_words(value) if part not in PARTICLES]
                parts |= {
                    part: parts.get(part, "") + "".join(word[0] for word in words) for part in words if len(part) > 1
                }
        return parts

    @cached_property
    def _sequences(self) -> dict[str, list[tuple[str, ...]]]:
        """Spellings of the dates as tokens (months by name are m1 to m12), by their first token."""
        by_first_token: dict[str, list[tuple[str, ...]]] = {}
        for kind, value in self.values:
            if kind == "DATE":
                for spelling in sorted(_spellings(date.fromisoformat(value)), key=len, reverse=True):
                    by_first_token.setdefault(spelling[0], []).append(spelling)
        return by_first_token

    @cached_property
    def _joined(self) -> dict[int, str]:
        """Which value → the signs that it is searched by: a number or another string, or initials with dots."""
        signs_by_value: dict[int, str] = {}
        for number, (kind, value) in enumerate(self.values):
            if kind == "NAME":
                signs_by_value[number] = "".join(word[0] for word in _plain_words(value) if word not in PARTICLES)
            elif kind != "DATE":
                signs_by_value[number] = "".join(sign for sign in plain(value.lower()) if sign.isalnum())
        return {number: signs for number, signs in signs_by_value.items() if len(signs) > 1}

    @cached_property
    def _patterns(self) -> dict[tuple[int, ...], re.Pattern[str]]:
        return {}

    def _pattern(self, present: tuple[int, ...]) -> re.Pattern[str]:
        """Some of the values, with or without blanks and dashes between their characters; initials with dots."""
        known = self._patterns.get(present)
        if known is None:
            options = [rf"(?P<v{number}>{self._spelt(number)})" for number in present]
            known = re.compile(rf"(?<![^\W_])(?:{'|'.join(options)})(?![^\W_])")
            self._patterns[present] = known
        return known

    def _spelt(self, number: int) -> str:
        signs, kind = map(re.escape, self._joined[number]), self.values[number][0]
        if kind == "NAME":
            return r"\.[ ]?".join(signs) + r"\."
        joint = r"[\W_]{0,3}" if kind in ("ID", "PHONE", "EMAIL", "OTHER") else r"[\W_]*"
        return joint.join(signs)

    def _names(self, text: Text) -> Iterator[tuple[int, int, str]]:
        parts = self._parts
        if not parts:
            return
        for word, places in text.positions.items():
            bare = plain(word)
            if bare in parts:
                yield from (
                    _with_initials(text, index, parts[bare])
                    for index in places
                    if len(bare) > 2 or text[text.tokens[index].start].isupper()
                )

    def _glued(self, text: Text) -> Iterator[tuple[int, int, str]]:
        """Long parts within a word, between places where small letters and capitals meet."""
        long = [part for part in self._parts if len(part) >= _SLIP]
        if not long or not _MEETING.search(written := _same_places(text)):
            return
        for word, places in text.positions.items():
            if len(word) > _SLIP and (bare := plain(word)) not in self._parts and any(part in bare for part in long):
                for index in places:
                    runs = _BETWEEN.finditer(written, *text.tokens[index][:2])
                    yield from ((*run.span(), "NAME") for run in runs if run[0].lower() in long)

    def _dates(self, text: Text) -> Iterator[tuple[int, int, str]]:
        sequences = self._sequences
        if not sequences:
            return
        spelt = {word: _sign(word) for word in text.words if word[0].isdigit() or word in _MONTH}
        if sequences.keys().isdisjoint(spelt.values()):
            return
        signs = [(spelt.get(token[2], token[2]), token) for token in text.tokens if token[2] not in ("of", "the")]
        for index, (sign, token) in enumerate(signs):
            for spelling in sequences.get(sign, ()):
                ahead = signs[index : index + len(spelling)]
                if tuple(s for s, _ in ahead) == spelling and _near([t for _, t in ahead]):
                    yield token.start, ahead[-1][1].end, "DATE"
                    break

    def _strings(self, text: Text) -> Iterator[tuple[int, int, str]]:
        if not self._joined:
            return
        low = _same_places(text.folded)
        joined = "".join(_ALPHANUMERIC.findall(low))  # a value that is not in there is nowhere
        present = tuple(number for number, signs in self._joined.items() if signs in joined)
        if not present:
            return
        for match in self._pattern(present).finditer(low):
            number = int(str(match.lastgroup)[1:])
            yield *match.span(), self.values[number][0]


def _written(kind: str, value: str | date) -> str:
    """A value as text; dates as 1961-03-05."""
    if isinstance(value, datetime):
        return value.date().isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if kind != "DATE":
        return value
    for form in ("%Y-%m-%d", "%m/%d/%Y", "%Y/%m/%d", "%Y%m%d"):
        try:
            return datetime.strptime(value.strip()[:10], form).date().isoformat()
        except ValueError:
            continue
    raise DataError("a date among a person's identifiers is not of the form 1961-03-05 or 03/05/1961")


def _same_places(text: str) -> str:
    """Without accents where that leaves as many signs."""
    return text if text.isascii() else "".join(bare if len(bare := plain(sign)) == 1 else sign for sign in text)


def _plain_words(value: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", plain(value.lower()))


def _with_initials(text: Text, index: int, initials: str) -> tuple[int, int, str]:
    """A part of a name, and the initials of the same name beside it."""
    tokens = text.tokens
    first, last = index, index
    while first > 0 and len(tokens[first - 1].lower) == 1 and tokens[first - 1].lower in initials:
        if text[tokens[first - 1].end : tokens[first].start] not in (". ", " ", "."):
            break
        first -= 1
    while last + 1 < len(tokens) and len(tokens[last + 1].lower) == 1 and tokens[last + 1].lower in initials:
        if (
            text[tokens[last].end : tokens[last + 1].start] not in (", ", " ", ". ")
            or not text[tokens[last + 1].start].isupper()
        ):
            break
        last += 1
    return tokens[first].start, tokens[last].end, "NAME"


def _sign(word: str) -> str:
    """A token of a date: numbers without zeros in front and without "th", months as m1 to m12."""
    if word in _MONTH:
        return f"m{_MONTH[word]}"
    if match := _ORDINAL.fullmatch(word):
        word = match[1]
    return word.lstrip("0") or "0" if word.isascii() and word.isdigit() and len(word) < 5 else word


def _spellings(day: date) -> set[tuple[str, ...]]:
    d, m, y, short = str(day.day), str(day.month), f"{day.year:04d}", str(day.year % 100)
    named = f"m{day.month}"
    full = {(m, d, y), (d, m, y), (y, m, d), (m, d, short), (d, m, short), (named, d, y), (d, named, y), (y, named, d)}
    joined = {(day.strftime("%Y%m%d"),), (day.strftime("%m%d%Y"),), (day.strftime("%d%m%Y"),)}
    stem = SHORT_MONTHS[day.month - 1]
    glued = {(f"{day.day:02d}{stem}{y}",), (f"{day.day}{stem}{y}",), (f"{day.day:02d}{stem}{day.year % 100:02d}",)}
    return full | joined | glued | {(named, d, short), (d, named, short), (named, d), (d, named)}


def _near(tokens: list[Token]) -> bool:
    """At most a comma and a few blanks between neighbours, or "of the"."""
    return all(after.start - before.end <= 8 for before, after in pairwise(tokens))


def _one_slip(word: str, parts: Iterable[str]) -> bool:
    """One letter wrong, missing, too many, or two swapped, in a word that is no word of English."""
    from sharewell.notes.engine.lexicons import words

    return (
        any(one_letter_off(word, part) for part in parts if len(part) >= _SLIP and part[0] == word[0])
        and word not in words()
    )


def one_letter_off(word: str, part: str) -> bool:
    if abs(len(word) - len(part)) > 1 or word == part:
        return False
    first_difference = next(
        (i for i, (a, b) in enumerate(zip(word, part, strict=False)) if a != b), min(len(word), len(part))
    )
    if len(word) == len(part):
        swapped = (
            word[first_difference + 2 :] == part[first_difference + 2 :]
            and word[first_difference : first_difference + 2] == part[first_difference : first_difference + 2][::-1]
        )
        return swapped or word[first_difference + 1 :] == part[first_difference + 1 :]
    longer, shorter = (word, part) if len(word) > len(part) else (part, word)
    return longer[first_difference + 1 :] == shorter[first_difference:]
