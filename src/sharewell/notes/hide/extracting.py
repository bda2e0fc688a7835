"""What a person's notes say of age, sex, dates and places: one row for each person (Gardner and Xiong 2008, HIDE).

`mentions` finds every place where one of these stands. The row holds what the notes say most often of the person: an
age that is not a relative's, the sex that words about the patient tell, the first and the last date, the zip, city and
state that are named most. Notes that say nothing of it leave the cell empty.

>>> texts = ["A 47-year-old woman from Dayton, OH 45402. Her mother died at 81.", "Seen 3/5/2016. She is 47 y/o."]
>>> row_of(texts, ("age", "sex", "last", "zip"))
{'age': '47', 'sex': 'F', 'last': '2016-03-05', 'zip': '45402'}
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from sharewell.notes.dataset import Notes
from sharewell.notes.detectors import Detectors
from sharewell.notes.detectors.ages import Ages
from sharewell.notes.gazetteer import STATES, places, state_names
from sharewell.notes.hide.gender import words_of
from sharewell.notes.known import Known
from sharewell.notes.replacers.date_spellings import pieces
from sharewell.notes.spans import Span, Text, Token
from sharewell.policy.extracted import ATTRIBUTES, PERSON

DATES = frozenset(("first", "last", "year"))
PLACES = frozenset(("zip", "city", "state"))
_KIN = re.compile(
    r"\b(?:mother|father|mom|dad|mum|parents?|brothers?|sisters?|siblings?|sons?|daughters?|wife|husband|spouse|partner"
    r"|aunts?|uncles?|cousins?|grand\w+|nephews?|nieces?|children|child|kids?|friends?|family|ages)\b[^.;\n]{0,40}$"
)
_BIRTH = re.compile(r"\b(?:dob|d\.o\.b\.?|born|birth ?day|birth ?date|date of birth|birth|b\.)\W*(?:on |in |is )?$")
_AGE = re.compile(
    r"(?<![\d.,:/-])(?:(?P<before>\d{1,3})"
    r"(?=[ -]{0,2}(?i:y/?o\b|y\.o\b|yo[mf]?\b|(?:years?|yrs?|yr)[ -]{1,2}(?:old|of age)))"
    r"|(?P<beside>(?!9[5-9]F)\d\d)(?=[MF]\b(?!\.\d)))"
    r"|\b(?i:aged?|age is|age was|age of|age/sex)[ :=]{1,3}(?P<after>\d{1,3})(?!\d|[./]\d|-\d)"
)
"""Ages by their commonest forms, whatever stands around them: what must be hidden is found rather twice."""
_ZIP = re.compile(r"(?<!\d)\d{5}(?:-\d{4})?(?!\d)")
_YEAR = re.compile(r"(?<![\d./-])(?:19|20)\d\d(?![\d./-]\d|\d|(?: ?(?:mg|ml|mcg|units?|hrs?|h)\b))")
_CODES = frozenset(code.lower() for code in STATES)
_NAMES = {name.lower(): code for code, name in STATES.items()}


class Mention(NamedTuple):
    """A piece of a note that tells something of a person. `kin`: of somebody else, by the words before it."""

    start: int
    end: int
    sort: str
    """age, sex, date, birth (which tells an age), zip, city or state."""
    value: str
    """A number, M or F, a day or year in ISO form (empty if it is no whole day), digits, a place in lower case."""
    kin: bool = False


def mentions(text: Text, wanted: Sequence[str], known: Known | None = None) -> list[Mention]:
    """Every mention of what is wanted, in order; of overlapping ones the first and longest."""
    found = list(_found(text, frozenset(wanted), known))
    kept: list[Mention] = []
    for one in sorted(found, key=lambda m: (m.start, -m.end, m.sort)):  # of equal ones, birth comes before date
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept


def row_of(texts: Sequence[str], wanted: Sequence[str], known: Known | None = None) -> dict[str, str | None]:
    """A person's row."""
    return row_from([one for text in texts for one in mentions(Text.of(text), wanted, known)], wanted)


def row_from(seen: Sequence[Mention], wanted: Sequence[str]) -> dict[str, str | None]:
    """The row that all mentions of a person give."""
    by_sort: dict[str, list[str]] = {}
    for one in seen:
        if one.value and not one.kin:
            by_sort.setdefault(one.sort, []).append(one.value)
    days = sorted(value for value in by_sort.get("date", []) if len(value) == 10)
    row: dict[str, str | None] = {
        "age": _most(by_sort.get("age", []), key=int),
        "sex": _most(by_sort.get("sex", []), alone=True),
        "first": days[0] if days else None,
        "last": days[-1] if days else None,
        "year": max((value[:4] for value in by_sort.get("date", [])), default=None),
        **{sort: _most(by_sort.get(sort, [])) for sort in ("zip", "city", "state")},
    }
    return {name: row[name] for name in wanted}


def extracted(notes: Notes, wanted: Sequence[str]) -> Any:
    """The table: whose row it is, and what was wanted, persons in order of their names."""
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


def _most(values: Sequence[str], key: Any = str, alone: bool = False) -> str | None:
    """The most frequent value; of several the greatest, or none where it must stand alone."""
    counts = Counter(values).most_common()
    first = sorted((value for value, many in counts if many == counts[0][1]), key=key)
    return None if not first or (alone and len(first) > 1) else first[-1]


def _found(text: Text, wanted: frozenset[str], known: Known | None) -> Iterator[Mention]:
    if "age" in wanted:
        found = {(span.start, span.end) for span in Ages(least=0).find(text)}
        found |= {match.span(str(match.lastgroup)) for match in _AGE.finditer(text)}
        for start, end in sorted(found):
            said = text[start:end]
            kin = _KIN.search(text.folded, max(0, start - 60), start) is not None
            yield Mention(start, end, "age", said if said.isdigit() else "", kin)
        yield from _births(text, known)
    if "sex" in wanted:
        yield from (
            Mention(start, end, "sex", sex, kin=not of_patient) for start, end, sex, of_patient in words_of(text)
        )
    if wanted & DATES:
        yield from _dates(text, known)
    if wanted & PLACES:
        yield from _places(text, wanted)


def _births(text: Text, known: Known | None) -> Iterator[Mention]:
    """Dates of the person's own row, and dates and years after a word for birth: they tell the age, even if shifted."""
    own = [(start, end) for start, end, kind in known.search(text) if kind == "DATE"] if known else []
    dates = [(span.start, span.end) for span in _usual("dates").find(text)]
    dates += [match.span() for match in _YEAR.finditer(text)]
    for start, end in dates:
        mine = any(start < theirs and ours < end for ours, theirs in own)
        if mine or _BIRTH.search(text.folded, max(0, start - 30), start):
            yield Mention(start, end, "birth", "", kin=True)
    yield from (Mention(start, end, "birth", "", kin=True) for start, end in own)


def _dates(text: Text, known: Known | None) -> Iterator[Mention]:
    """Dates of care; a birthday is none."""
    yield from _births(text, known)
    for span in _usual("dates").find(text):
        read = pieces(text.folded[span.start : span.end]) or []
        days = [piece.date.isoformat() if piece.date else str(piece.year or "") for piece in read]
        yield Mention(span.start, span.end, "date", next((day for day in days if day), ""))
    for match in _YEAR.finditer(text):
        yield Mention(*match.span(), "date", match[0], kin=True)  # a year alone may be any year: hidden, not a visit's


def _places(text: Text, wanted: frozenset[str]) -> Iterator[Mention]:
    """Within what the detectors call a place or an address."""
    for span in _usual("places", "addresses", "organisations", "names", "safe-phrases").find(text):
        if span.kind not in ("PLACE", "ADDRESS"):
            continue
        if "zip" in wanted:
            for match in _ZIP.finditer(text, span.start, span.end):
                yield Mention(*match.span(), "zip", match[0][:5])
        if wanted & {"city", "state"}:
            yield from _named(text, span, wanted)


def _named(text: Text, span: Span, wanted: frozenset[str]) -> Iterator[Mention]:
    """States, and towns: a name in an address is a town if a state or zip follows, and the street's otherwise."""
    tokens = [token for token in text.tokens if span.start <= token.start and token.end <= span.end]
    at = 0
    while at < len(tokens):
        words = [token.lower for token in tokens[at : at + 5]]
        many = _state(text, tokens, at)
        count, mark = places().at(words)
        if many:
            name, end = " ".join(words[:many]), tokens[at + many - 1].end
            if "state" in wanted:
                yield Mention(tokens[at].start, end, "state", _NAMES.get(name) or name.upper())
            at += many
        elif count and mark and (span.kind == "PLACE" or _goes_on(text, tokens, at + count)):
            if "city" in wanted:
                yield Mention(tokens[at].start, tokens[at + count - 1].end, "city", " ".join(words[:count]))
            at += count
        else:
            at += 1


def _state(text: Text, tokens: Sequence[Token], at: int) -> int:
    """Of how many words a state is that begins here: its name, or two capitals after a comma or before a zip."""
    words = [token.lower for token in tokens[at : at + 3]]
    named = next((n for n in (3, 2, 1) if n <= len(words) and " ".join(words[:n]) in state_names()), 0)
    token = tokens[at]
    if named or token.lower not in _CODES or not text[token.start : token.end].isupper():
        return named
    after_comma = text[: token.start].rstrip().endswith(",")
    return int(after_comma or (at + 1 < len(tokens) and _ZIP.match(text, tokens[at + 1].start) is not None))


def _goes_on(text: Text, tokens: Sequence[Token], at: int) -> bool:
    return at < len(tokens) and (bool(_state(text, tokens, at)) or _ZIP.match(text, tokens[at].start) is not None)


@lru_cache(maxsize=4)
def _usual(*names: str) -> Detectors:
    return Detectors.of(*names)


assert set(ATTRIBUTES) == {"age", "sex"} | DATES | PLACES
