"""Extract age, sex, dates and places from a person's notes: one row for each person (Gardner and Xiong 2008, HIDE).

`mentions` finds every mention of these attributes. The row holds the most frequent age, sex, zip, city and state of the
patient (not of a relative), and the first and the last date; an attribute that no note mentions is an empty cell. Notes
are searched as a reader sees them, with plain blanks, hyphens and digits; mentions have their places in the note.

>>> texts = ["A 47-year-old woman from Dayton, OH 45402. Her mother died at 81.", "Seen 3/5/2016. She is 47 y/o."]
>>> row_of(texts, ("age", "sex", "last", "zip"))
{'age': '47', 'sex': 'F', 'last': '2016-03-05', 'zip': '45402'}
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from sharewell.io.shipped import ShippedPatterns
from sharewell.notes.annotation.gender import ages_beside_sex, is_measure, is_other_number, sex_words
from sharewell.notes.data import Notes
from sharewell.notes.detectors import Detectors
from sharewell.notes.engine.gazetteer import STATES, place_at, state_names
from sharewell.notes.engine.known_identifiers import Known
from sharewell.notes.engine.readable_text import OffsetMap, readable
from sharewell.notes.engine.spans import Span, Text, Token
from sharewell.notes.matcher.matching import RuleDetector
from sharewell.notes.policy import ATTRIBUTES
from sharewell.notes.replacers.date_spellings import read_dates
from sharewell.policy.extracted import PERSON

if TYPE_CHECKING:
    import pyarrow as pa

DATES = frozenset(("first", "last", "year"))
PLACES = frozenset(("zip", "city", "state"))
_ONES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEENS = ("eleven", "twelve", *(f"{stem}teen" for stem in ("thir", "four", "fif", "six", "seven", "eigh", "nine")))
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_WORTH = dict(zip((*_ONES, "ten", *_TEENS), range(1, 20), strict=True))
_WORTH |= {word: 10 * at for at, word in enumerate(_TENS, 2)} | {"fourty": 40, "hundred": 100}
_FORMS = ShippedPatterns(
    "notes/extraction.toml",
    ones="|".join(_ONES),
    teens="|".join(_TEENS),
    tens="|".join(_TENS),
    number_words="|".join(sorted(_WORTH, key=len, reverse=True)),
)
_INFANCY = 24
"""A thing may be so many months old at most, before it must be a person who is."""
_CODES = frozenset(code.lower() for code in STATES)
_NAMES = {name.lower(): code for code, name in STATES.items()}


class Mention(NamedTuple):
    """A span of a note that states an attribute of a person. `kin`: of somebody else, by the words before it."""

    start: int
    end: int
    sort: str
    """age, sex, date, birth (which tells an age), zip, city or state."""
    value: str
    """A number, M or F, a day or year in ISO form (empty if it is no whole day), digits, a place in lower case."""
    kin: bool = False
    tail: str = ""
    """What the mention says besides, and stays: after "492 months" in years, " years"."""


def mentions(
    text: Text, wanted: Sequence[str], known: Known | None = None, *, day_first: bool = False
) -> list[Mention]:
    """Every mention of the wanted attributes, in order; of overlapping ones the first and longest."""
    shown, places = readable(text)
    return _apart(_all_mentions(Text.of(_plain(shown)), frozenset(wanted), known, day_first), places)


def ages_and_sexes(text: str, wanted: Sequence[str]) -> list[Mention]:
    """Mentions of ages and sexes alone."""
    shown, places = readable(text)
    return _apart(_ages_and_sexes(Text.of(_plain(shown)), frozenset(wanted)), places)


def _apart(overlapping: Iterable[Mention], places: OffsetMap | None) -> list[Mention]:
    """Those that do not overlap, in order, at their places in the note."""
    kept: list[Mention] = []
    # of equal ones, birth comes before date, and what the row may say before what it may not
    for mention in sorted(overlapping, key=lambda m: (m.start, -m.end, m.sort, m.kin)):
        if not kept or mention.start >= kept[-1].end:
            kept.append(mention)
        elif mention.end > kept[-1].end:  # it goes on where the other ends: nothing of either may stay
            kept[-1] = kept[-1]._replace(end=mention.end, value="")
    return kept if places is None else list(_at_places(kept, places))


def _plain(shown: str) -> str:
    """With plain hyphens and digits, sign by sign."""
    if shown.isascii():
        return shown
    return "".join(str(unicodedata.decimal(s)) if s.isdecimal() else s for s in shown.translate(_HYPHENS))


_HYPHENS = dict.fromkeys((*range(0x2010, 0x2016), 0x2212, 0x2043, 0xFE58, 0xFE63), "-")


def _at_places(separate: Sequence[Mention], places: OffsetMap) -> Iterator[Mention]:
    """At their places in the note; two may share a sign of it, such as a ligature."""
    last_end = 0
    for mention in separate:
        start, end = places.original(mention.start, mention.end)
        if max(start, last_end) < end:
            yield mention._replace(start=max(start, last_end), end=end)
            last_end = end


def row_of(texts: Sequence[str], wanted: Sequence[str], known: Known | None = None) -> dict[str, str | None]:
    """A person's row."""
    return row_from([mention for text in texts for mention in mentions(Text.of(text), wanted, known)], wanted)


def row_from(found_mentions: Sequence[Mention], wanted: Sequence[str]) -> dict[str, str | None]:
    """The row that all mentions of a person give."""
    by_sort: dict[str, list[str]] = {}
    for mention in found_mentions:
        if mention.value and not mention.kin:
            by_sort.setdefault(mention.sort, []).append(mention.value)
    days = sorted(value for value in by_sort.get("date", []) if len(value) == 10)
    row: dict[str, str | None] = {
        "age": _most(by_sort.get("age", []), key=int),
        "sex": _most(by_sort.get("sex", []), unique=True),
        "first": days[0] if days else None,
        "last": days[-1] if days else None,
        "year": max((value[:4] for value in by_sort.get("date", [])), default=None),
        **{sort: _most(by_sort.get(sort, [])) for sort in ("zip", "city", "state")},
    }
    return {name: row[name] for name in wanted}


def extract_table(notes: Notes, wanted: Sequence[str]) -> pa.Table:
    """The table: a row for each person, in order of their names, with the wanted attributes."""
    import pyarrow as pa

    seen: dict[str, list[Mention]] = {}
    assert notes.persons is not None
    known: tuple[str, Known | None] = ("", None)
    for person, text in zip(map(str, notes.persons), notes.texts, strict=True):  # of a note its mentions are kept alone
        if notes.people is not None and known[0] != person:
            known = person, notes.people.known(person)
        seen.setdefault(person, []).extend(mentions(Text.of(text), wanted, known[1]))
    rows = [{PERSON: person, **row_from(seen[person], wanted)} for person in sorted(seen)]
    return pa.table({name: pa.array([row[name] for row in rows], pa.string()) for name in (PERSON, *wanted)})


def _most(values: Sequence[str], key: Callable[[str], str | int] = str, unique: bool = False) -> str | None:
    """The most frequent value; of several the greatest, or none where it must stand alone."""
    counts = Counter(values).most_common()
    first = sorted((value for value, times in counts if times == counts[0][1]), key=key)
    return None if not first or (unique and len(first) > 1) else first[-1]


def _all_mentions(text: Text, wanted: frozenset[str], known: Known | None, day_first: bool) -> Iterator[Mention]:
    yield from _ages_and_sexes(text, wanted)
    if "age" in wanted:
        yield from _births(text, known)
    if wanted & DATES:
        yield from _dates(text, known, day_first)
    if wanted & PLACES:
        yield from _places(text, wanted)


def _ages_and_sexes(text: Text, wanted: AbstractSet[str]) -> Iterator[Mention]:
    if "age" in wanted:
        yield from _ages(text)
    if "sex" in wanted:
        yield from (
            Mention(start, end, "sex", sex, kin=not of_patient) for start, end, sex, of_patient in sex_words(text)
        )


def _ages(text: Text) -> Iterator[Mention]:
    """Mentions of an age, other than dates of birth."""
    sure = {(span.start, span.end) for span in _any_age().find(text) if not _is_no_age(text, span)}
    begins = [match.start() for match in _FORMS["begins"].finditer(text)]
    sure |= {match.span("age") for match in _tried(_FORMS.several("then_old"), text, begins)}
    sure |= {match.span("age") for pattern in _FORMS.several("ages") for match in pattern.finditer(text)}
    pairs = list(ages_beside_sex(text))
    sure |= {(pair.start, pair.end) for pair in pairs if pair.sure}
    for match in chain.from_iterable(pattern.finditer(text) for pattern in _FORMS.several("beside_word")):
        apart = text[match.end("age") : match.end("age") + 1] in (" ", ",")
        if not is_other_number(text, match.start(), int(_years(match["age"])) if apart else None):
            sure.add(match.span("age"))
    for start, end in sorted(sure):
        yield Mention(start, end, "age", _years(text[start:end]), _of_kin(text, start))
    yield from (Mention(pair.start, pair.end, "age", text[pair.start : pair.end], kin=True) for pair in pairs)
    for match in _FORMS["after_name"].finditer(text):
        yield Mention(*match.span("age"), "age", match["age"], kin=True)
    for match in _FORMS["rough"].finditer(text):
        yield Mention(*match.span(str(match.lastgroup)), "age", "", kin=True)
    for match in _tried((_FORMS["months_old"],), text, begins):
        months = int(_years(match["age"]) or 0)
        kin = (months < _INFANCY and not match["who"]) or _of_kin(text, match.start())
        yield Mention(match.start(), match.end("unit"), "age", str(months // 12), kin, tail=" years")
    for match in _tried((_FORMS["days_old"],), text, begins):
        yield Mention(*match.span("age"), "age", "0", _of_kin(text, match.start()), tail=" years")


def _tried(patterns: Sequence[re.Pattern[str]], text: str, places: Sequence[int]) -> Iterator[re.Match[str]]:
    every = (pattern.match(text, place) for pattern in patterns for place in places)
    return (match for match in every if match)


def _is_no_age(text: Text, span: Span) -> bool:
    """Is it a time ("for 20 years"), or a number before an M or F that is no age: a bed's, a temperature, money?"""
    if _FORMS["so_many"].match(text, span.end) and _FORMS["for"].search(
        text.folded, max(0, span.start - 10), span.start
    ):
        return True
    letter = _FORMS["letter"].match(text, span.end)
    if letter is None:
        return False
    money = text[span.start - 1 : span.start] in ("$", "€", "£") and span.start > 0
    return money or is_other_number(text, span.start, None) or is_measure(text, span.start, letter.end())


def _of_kin(text: Text, start: int) -> bool:
    return _FORMS["kin"].search(text.folded, max(0, start - 60), start) is not None


def _years(written: str) -> str:
    """A number in figures or words; nothing if it is a range, or none.

    >>> [_years(said) for said in ("041", "forty-one", "a hundred and two", "2.5", "40-41")]
    ['41', '41', '102', '2', '']
    """
    if figure := re.fullmatch(r"0*(\d{1,4})(?:\.\d+|\s\d/\d)?", written):
        return figure[1]
    worth = re.findall(_FORMS.pieces["number_words"], written.lower())
    counted = worth[1:] if worth[:2] == ["one", "hundred"] else worth
    return str(sum(_WORTH[word] for word in counted)) if worth else ""


def _births(text: Text, known: Known | None) -> Iterator[Mention]:
    """Dates of the person's own row, and dates and years after a word for birth: they tell the age, even if shifted."""
    row_dates = [(start, end) for start, end, kind in known.search(text) if kind == "DATE"] if known else []
    dates = []
    if row_dates or _FORMS["birth_words"].search(text.folded):  # else none of them is one of birth
        dates += [(span.start, span.end) for span in _usual("dates", "short-dates").find(text)]
        dates += [match.span() for match in _FORMS["year"].finditer(text)]
    for start, end in dates:
        in_row = any(start < row_end and row_start < end for row_start, row_end in row_dates)
        if in_row or _FORMS["birth"].search(text.folded, max(0, start - 30), start):
            yield Mention(start, end, "birth", "", kin=True)
    yield from (Mention(start, end, "birth", "", kin=True) for start, end in row_dates)
    yield from (Mention(*match.span("day"), "birth", "", kin=True) for match in _FORMS["born_on"].finditer(text))


def _dates(text: Text, known: Known | None, day_first: bool) -> Iterator[Mention]:
    """Dates of care; a birthday is none."""
    yield from _births(text, known)
    for span in _usual("dates", "short-dates").find(text):
        read = read_dates(text.folded[span.start : span.end], day_first) or []
        days = [piece.date.isoformat() if piece.date else str(piece.year or "") for piece in read]
        yield Mention(span.start, span.end, "date", next((day for day in days if day), ""))
    for match in _FORMS["year"].finditer(text):
        yield Mention(*match.span(), "date", match[0], kin=True)  # a year alone may be any year: hidden, not a visit's


def _places(text: Text, wanted: frozenset[str]) -> Iterator[Mention]:
    """Within what the detectors call a place or an address."""
    for span in _usual("places", "addresses", "organisations", "names", "clinical-terms", "safe-phrases").find(text):
        if span.kind not in ("PLACE", "ADDRESS"):
            continue
        if "zip" in wanted:
            for match in _FORMS["zip"].finditer(text, span.start, span.end):
                yield Mention(*match.span(), "zip", match[0][:5])
        if wanted & {"city", "state"}:
            yield from _named(text, span, wanted)


def _named(text: Text, span: Span, wanted: frozenset[str]) -> Iterator[Mention]:
    """States, and towns: a name in an address is a town if a state or zip follows, and the street's otherwise."""
    tokens = [token for token in text.tokens if span.start <= token.start and token.end <= span.end]
    index = 0
    while index < len(tokens):
        words = [token.lower for token in tokens[index : index + 5]]
        state_words = _state(text, tokens, index)
        place_words, mark = place_at(words)
        if state_words:
            name, end = " ".join(words[:state_words]), tokens[index + state_words - 1].end
            if "state" in wanted:
                yield Mention(tokens[index].start, end, "state", _NAMES.get(name) or name.upper())
            index += state_words
        elif place_words and mark and (span.kind == "PLACE" or _goes_on(text, tokens, index + place_words)):
            if "city" in wanted:
                yield Mention(
                    tokens[index].start, tokens[index + place_words - 1].end, "city", " ".join(words[:place_words])
                )
            index += place_words
        else:
            index += 1


def _state(text: Text, tokens: Sequence[Token], index: int) -> int:
    """Of how many words a state is that begins here: its name, or two capitals after a comma or before a zip."""
    words = [token.lower for token in tokens[index : index + 3]]
    named = next((n for n in (3, 2, 1) if n <= len(words) and " ".join(words[:n]) in state_names()), 0)
    token = tokens[index]
    if named or token.lower not in _CODES or not text[token.start : token.end].isupper():
        return named
    after_comma = text[: token.start].rstrip().endswith(",")
    return int(
        after_comma or (index + 1 < len(tokens) and _FORMS["zip"].match(text, tokens[index + 1].start) is not None)
    )


def _goes_on(text: Text, tokens: Sequence[Token], index: int) -> bool:
    return index < len(tokens) and (
        bool(_state(text, tokens, index)) or _FORMS["zip"].match(text, tokens[index].start) is not None
    )


@lru_cache(maxsize=1)
def _any_age() -> RuleDetector:
    """One detector for all notes: its cues are prepared once."""
    return RuleDetector.shipped("any-age")


@lru_cache(maxsize=4)
def _usual(*names: str) -> Detectors:
    return Detectors.of(*names)


assert set(ATTRIBUTES) == {"age", "sex"} | DATES | PLACES
