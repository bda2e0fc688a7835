"""How a judge looks for what is known of a person: whole words, whatever their case and accents, in common spellings.

Written apart from the search that detectors use, so that the one finds what the other has overlooked.

names: every part of two letters or more, and hyphenated or apostrophed parts written as one ("ONeil"). Particles count
only in a name that has nothing else. A part of two letters counts where it is capitalised: "do" is not Mr. Do. Longer
parts count beside digits too ("Delgado61"), two of them as one word ("rosadelgado", "rdelgado"), glued to another word
where small letters and capitals meet ("MsDelgado"), broken at the end of a line ("Del-" and "gado"), and letter by
letter ("D.e.l.g.a.d.o").
dates: day, month and year in any usual order, with names or numbers of months, two or four digits of the year, glued or
apart; the day with the month's name alone, unless another year stands beside it.
all else: the same letters and digits in the same order, with or without separators. A run of five digits or more within
such a value counts by itself, without zeros in front too, and so does a telephone number without its country or area
code. The parts of a place between commas count by themselves, and a street without its number or with its short form.

Where entities of HTML or escapes of RTF stand for signs, a text is searched as it is written and as a screen shows it.

>>> search = Search.of([("NAME", "Rosa Delgado"), ("DATE", "1961-03-05"), ("ID", "MRN-00412")])
>>> [sorted(search.kinds(text)) for text in ("born 5th of March '61", "Ms DELGADO, mrn00412", "rosacea since 3/5")]
[['DATE'], ['ID', 'NAME'], []]
"""

from __future__ import annotations

import html
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise, permutations
from operator import attrgetter
from typing import NamedTuple

from sharewell.notes.engine.checks.month_words import MONTH, NAMED
from sharewell.notes.engine.checks.plain_text import plain
from sharewell.notes.engine.word_lists import listed

PARTICLES = listed(
    "de da do dos del der den di du la le van von bin ibn al el y the of and jr sr ii iii iv dr mr mrs ms md"
)
_WORD, _RUN = re.compile(r"[^\W_]+"), re.compile(r"[^\W\d_]+")
_PIECE = re.compile(rf"\d+|(?=[adefjmnos\u017f])(?<![^\W\d_])(?:{NAMED})(?![^\W\d_])", re.IGNORECASE)
_BETWEEN = re.compile(r"(?:[\W_]|st|nd|rd|th|of|the|del?|den)*", re.IGNORECASE)
_CORE = 5
"""So many digits in a run are telling by themselves."""
_NEAR, _NEXT = 8, 3
"""At most so many signs between the words of a place or the parts of a date, and within a number."""
_FIRST_YEAR, _LAST_YEAR = 1850, 2150
_PART, _LONG, _PARTS = 3, 5, 12
"""Letters of a part that counts within a longer word, of one that counts beside an initial; parts that are combined."""
_BROKEN = re.compile(r"[-=\u2010][ \t]*\r?\n[ \t]*")
_HUMP = re.compile(r"[A-Z](?:(?<=[a-z][A-Z])|(?=[A-Z][a-z]))")
_HUMPS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
"""Where small letters and capitals meet within a word, and its pieces between such places."""
_ENTITY = r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});|[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f%s]"
_ENTITY %= "\u115f\u1160\u2800\u3164\uffa0"  # fillers are nothing within a word, and a blank between two
_CODE = r"\\'[0-9a-fA-F]{2}"
_CONTROL = r"\\[a-z]{1,20}(?:-?\d{1,6})? ?|\\[*~_{}\\-]|[{}]"
_MARKED = re.compile(_ENTITY)
_RICH = re.compile(rf"{_ENTITY}|{_CODE}|\\u-?\d{{1,5}} ?(?:{_CODE}|[^\\{{}}\r\n])?|{_CONTROL}")
_RICH_ALONE = re.compile(rf"{_ENTITY}|{_CODE}|\\u-?\d{{1,5}} ?|{_CONTROL}")
"""Entities, control characters and escapes; in RTF one more sign stands for an escaped one, unless uc0 says no."""
_BEGIN = attrgetter("start")
_APART = ("\\par", "\\line", "\\row", "\\tab", "\\cell", "\\~")
_SPELT_OUT = re.compile(r"(?<![^\W_])[^\W\d_](?:[ .\-_]{1,2}[^\W\d_](?![^\W_])){3,}")
_STREETS = {"street": "st", "avenue": "ave", "road": "rd", "drive": "dr", "lane": "ln", "court": "ct", "place": "pl"}
_STREETS |= {"boulevard": "blvd", "terrace": "ter", "circle": "cir", "highway": "hwy", "square": "sq"}


class Word(NamedTuple):
    """A run of letters and digits: its case-folded form, where it stands, and whether it begins with a capital."""

    text: str
    start: int
    end: int
    capital: bool


def words(bare: str) -> list[Word]:
    """The words of a plain text."""
    return [Word(m[0].casefold(), m.start(), m.end(), m[0][0].isupper()) for m in _WORD.finditer(bare)]


@dataclass(frozen=True)
class Search:
    """What is looked for in the notes of one person."""

    names: frozenset[str] = field(default_factory=frozenset, repr=False)
    dates: tuple[date, ...] = field(default=(), repr=False)
    strings: tuple[tuple[str, str, int], ...] = field(default=(), repr=False)
    """Kind, letters and digits alone, and how far its parts may be apart."""

    @classmethod
    def of(cls, values: Iterable[tuple[str, str]]) -> Search:
        """From (kind, value) pairs; dates are of the form 1961-03-05."""
        names: set[str] = set()
        dates: list[date] = []
        strings: set[tuple[str, str, int]] = set()
        for kind, value in values:
            if kind == "NAME":
                names |= {*name_parts(value), *_surnames(value)}
            elif kind == "DATE":
                dates.append(date.fromisoformat(value))
            else:
                near = _NEAR if kind in ("PLACE", "ADDRESS") else _NEXT
                strings |= {(kind, signs, near) for signs in spellings(kind, value)}
        names |= set(combined_parts(sorted(names)))
        return cls(frozenset(names), tuple(dict.fromkeys(dates)), tuple(sorted(strings)))

    def __bool__(self) -> bool:
        return bool(self.names or self.dates or self.strings)

    def kinds(self, text: str) -> set[str]:
        """The kinds of identifiers that a text holds."""
        views = (as_displayed(text, signs) for signs in _views(text))
        return {kind for view in views for kind, _, _ in self._hits(plain(view))}

    def hits(self, text: str) -> Iterator[tuple[str, int, int]]:
        """Kind and place of every identifier."""
        for signs in _views(text):
            hits = list(self._hits(plain(as_displayed(text, signs))))
            piece_starts, piece_ends = _places(text, signs) if hits else ((), ())
            yield from ((kind, piece_starts[start], piece_ends[end - 1]) for kind, start, end in hits)

    def _hits(self, bare: str) -> Iterator[tuple[str, int, int]]:
        """Kind and place of every identifier in a plain text."""
        if self.names or self.strings:
            spoken = words(bare)
            for word in spoken:
                if word.text in self.names and (len(word.text) > 2 or word.capital):
                    yield "NAME", word.start, word.end
            if self.names:
                yield from names_within(bare, spoken, self.names)
                yield from glued_names(bare, spoken, self.names)
            yield from joined_values(spoken, self.strings)
        if self.dates:
            yield from find_dates(bare, self.dates)


class Sign(NamedTuple):
    """A piece of a text that stands for another sign, or for none."""

    start: int
    end: int
    meaning: str


def _views(text: str) -> list[list[Sign]]:
    """What is taken for other signs: nothing at first, then everything that a screen shows otherwise."""
    signs = list(_signs(text))
    return [[], signs] if signs else [[]]


def _signs(text: str) -> Iterator[Sign]:
    pattern = _MARKED if "\\" not in text else _RICH_ALONE if "\\uc0" in text else _RICH
    for match in pattern.finditer(text):
        meant = _meant(match[0])
        if meant is not None:
            yield Sign(*match.span(), meant)


def _meant(written: str) -> str | None:
    """The sign that an entity or escape stands for; None of what only looks like an entity."""
    if written[0] == "&":
        meant = html.unescape(written)
        return meant if len(meant) < 3 else None
    if written.startswith("\\'"):
        return bytes.fromhex(written[2:]).decode("cp1252", "replace")
    if number := re.match(r"\\u(-?\d+)", written):
        return chr(int(number[1]) % 65536)
    return " " if written.startswith(_APART) else "-" if written == "\\_" else ""


def as_displayed(text: str, signs: Iterable[Sign]) -> str:
    """A text as a screen shows it.

    >>> as_displayed("Delgad&#237;llo, Del&shy;gado", _views("Delgad&#237;llo, Del&shy;gado")[1]).replace("\u00ad", "")
    'Delgad\u00edllo, Delgado'
    """
    pieces: list[str] = []
    offset = 0
    for start, end, meant in signs:
        pieces += (text[offset:start], meant)
        offset = end
    return "".join((*pieces, text[offset:])) if pieces else text


def _places(text: str, signs: Iterable[Sign]) -> tuple[Sequence[int], Sequence[int]]:
    """Where each sign of the plain text begins and ends in the text."""
    if text.isascii() and not signs:
        return range(len(text)), range(1, len(text) + 1)
    piece_starts, piece_ends, offset = [], [], 0
    for start, end, meant in (*signs, Sign(len(text), len(text), "")):
        unchanged = ((place, place + 1, text[place]) for place in range(offset, start))
        for first, last, sign in (*unchanged, (start, end, meant)):
            bare = plain(sign)
            piece_starts += [first] * len(bare)
            piece_ends += [last] * len(bare)
            if not bare and sign and piece_ends and piece_ends[-1] == first and unicodedata.combining(sign[0]):
                piece_ends[-1] = last  # an accent goes with its letter
        offset = end
    return piece_starts, piece_ends


def name_parts(value: str) -> Iterator[str]:
    """The parts of a name that are looked for."""
    written = plain(value)
    parts = [part.casefold() for part in _RUN.findall(written)]
    hyphenated = ["".join(runs).casefold() for word in written.split() if len(runs := _RUN.findall(word)) > 1]
    telling = [part for part in parts if part not in PARTICLES] or parts
    yield from (part for part in (*telling, *hyphenated) if len(part) > 1 and not part.isdigit())


def _surnames(value: str) -> Iterator[str]:
    """A name as one word, from its beginning or from one of its particles on.

    >>> list(_surnames("Jan van der Berg"))
    ['janvanderberg', 'vanderberg', 'derberg']
    """
    parts = [part.casefold() for part in _RUN.findall(plain(value))]
    for i in range(len(parts) - 1):
        if not i or parts[i] in PARTICLES:
            yield "".join(parts[i:])


def combined_parts(parts: Sequence[str]) -> Iterator[str]:
    """Two parts as one word, and a long part with the initial of another.

    >>> sorted(combined_parts(["delgado", "rosa"]))
    ['delgador', 'delgadorosa', 'rdelgado', 'rosadelgado']
    """
    for first, second in permutations([part for part in parts if len(part) >= _PART][:_PARTS], 2):
        yield first + second
        if len(first) >= _LONG:
            yield from (first + second[0], second[0] + first)


def names_within(bare: str, spoken: Sequence[Word], names: Collection[str]) -> Iterator[tuple[str, int, int]]:
    """Parts of names beside digits, broken at the end of a line, or letter by letter."""
    for word in spoken:
        if not (word.text.isalpha() or word.text.isdecimal()):
            for run in _RUN.finditer(bare, word.start, word.end):
                if len(run[0]) >= _PART and run[0].casefold() in names:
                    yield "NAME", *run.span()
    if "\n" in bare and _BROKEN.search(bare):
        for word_before, word_after in pairwise(spoken):
            joined = word_before.text + word_after.text
            if joined in names and len(joined) >= _PART and _BROKEN.fullmatch(bare, word_before.end, word_after.start):
                yield "NAME", word_before.start, word_after.end
    single = [index for index, word in enumerate(spoken) if word.end - word.start == 1]
    rows = any(last - first == 3 for first, last in zip(single, single[3:], strict=False))
    for match in _SPELT_OUT.finditer(bare) if rows else ():
        signs = [(sign, index) for index, sign in enumerate(match[0].casefold()) if sign.isalpha()]
        spelt = "".join(sign for sign, _ in signs)
        for name in names:
            index = spelt.find(name) if len(name) > _PART else -1
            while index >= 0:
                yield "NAME", match.start() + signs[index][1], match.start() + signs[index + len(name) - 1][1] + 1
                index = spelt.find(name, index + len(name))


def glued_names(bare: str, spoken: Sequence[Word], names: Collection[str]) -> Iterator[tuple[str, int, int]]:
    """Long parts of names within a word, between places where small letters and capitals meet."""
    last_end = 0
    for hump in _HUMP.finditer(bare):
        if hump.start() >= last_end:
            word = spoken[bisect_right(spoken, hump.start(), key=_BEGIN) - 1]
            last_end = word.end
            for run in _HUMPS.finditer(bare, word.start, word.end):
                if len(run[0]) >= _LONG and run[0].casefold() in names:
                    yield "NAME", *run.span()


def spellings(kind: str, value: str) -> set[str]:
    """The ways to write a value that is not a name or a date, as letters and digits alone."""
    bare = plain(value).casefold()
    joined = "".join(_WORD.findall(bare))
    runs = re.findall(r"\d+", bare)
    ways = {joined} | {run for each in runs for run in (each, each.lstrip("0")) if len(run) >= _CORE}
    if kind in ("PLACE", "ADDRESS"):
        ways |= set(_place_parts(bare))
    if kind == "PHONE":
        digits = "".join(re.findall(r"\d", bare))
        national = digits[1:] if len(digits) == 11 and digits[0] == "1" else digits
        ways |= {digits, national}
        if len(national) == 10:
            ways |= {"1" + national, national[3:]}
    return {signs for signs in ways if len(signs) > 1}


def _place_parts(bare: str) -> Iterator[str]:
    """Of a place in several parts each one that has a name; a street also without its number, and with its short form.

    >>> sorted({*_place_parts("12 elm street, cambridge, ma 02139")})
    ['12elmst', '12elmstreet', 'cambridge', 'elmst', 'elmstreet']
    """
    for part in re.split(r"[,;\n]", bare):
        known = _WORD.findall(part)
        if sum(sign.isalpha() for sign in part) <= _PART:
            continue
        street = known[1:] if len(known) > 2 and known[0].isdigit() else known
        for way in (known, street):
            yield "".join(way)
            if len(way) > 1 and way[-1] in _STREETS:
                yield "".join((*way[:-1], _STREETS[way[-1]]))
            if len(way) > 1 and (long := [name for name, short in _STREETS.items() if short == way[-1]]):
                yield "".join((*way[:-1], *long))


def joined_values(spoken: Sequence[Word], strings: Iterable[tuple[str, str, int]]) -> Iterator[tuple[str, int, int]]:
    """Values that consecutive words make up."""
    by_first_sign: dict[str, list[tuple[str, str, int]]] = {}
    for value in strings:
        by_first_sign.setdefault(value[1][0], []).append(value)
    if not by_first_sign:
        return
    for index, word in enumerate(spoken):
        for kind, signs, near in by_first_sign.get(word.text[0], ()):
            if signs.startswith(word.text) and (last := _spelt(spoken, index, signs, near)) is not None:
                yield kind, word.start, spoken[last].end


def _spelt(spoken: Sequence[Word], first: int, signs: str, near: int) -> int | None:
    """The last of the words from `at` on that make up the signs together."""
    done, before = 0, None
    for number in range(first, len(spoken)):
        word = spoken[number]
        if not signs.startswith(word.text, done) or (before is not None and word.start - before > near):
            return None
        done, before = done + len(word.text), word.end
        if done == len(signs):
            return number
    return None


def joined_words(spoken: Sequence[Word], most: int = 4) -> set[str]:
    """The words, and up to four neighbours written as one.

    >>> sorted(joined_words(words("(555) 201-3345")))
    ['201', '2013345', '3345', '555', '555201', '5552013345']
    """
    runs = {word.text for word in spoken}
    for i in range(len(spoken)):
        signs = spoken[i].text
        for word_before, word_after in pairwise(spoken[i : i + most]):
            if word_after.start - word_before.end > _NEAR:
                break
            signs += word_after.text
            runs.add(signs)
    return runs


class _Part(NamedTuple):
    """A number, or a month by name, of a date."""

    month: int
    digits: str
    start: int
    end: int
    near: bool
    """Does it follow the part before it, with nothing but signs and "th of the" between?"""


def find_dates(bare: str, dates: Sequence[date]) -> Iterator[tuple[str, int, int]]:
    """Where one of the dates stands."""
    parts = _date_parts(bare)
    first = {number for day in dates for number in (day.day, day.month, day.year)}
    for index, part in enumerate(parts):
        if len(part.digits) not in (0, 8) and (len(part.digits) > 4 or int(part.digits) not in first):
            continue  # no date begins with it
        for day in dates:
            if (last := _date_at(bare, parts, index, day)) is not None:
                yield "DATE", part.start, parts[last].end
                break


def dates_in(bare: str) -> set[date]:
    """Every day, month and year that a plain text may mean.

    >>> sorted(day.isoformat() for day in dates_in("5 March '61; 10/11/2019"))
    ['1961-03-05', '2019-10-11', '2019-11-10', '2061-03-05']
    """
    parts, days = _date_parts(bare), set()
    for index in range(len(parts)):
        digits = parts[index].digits
        if len(digits) == 8:
            days |= set(_dates(digits[:4], digits[4:6], digits[6:]))
            days |= set(_dates(digits[4:], digits[:2], digits[2:4])) | set(_dates(digits[4:], digits[2:4], digits[:2]))
        three = parts[index : index + 3]
        if len(three) == 3 and _near(three):
            a, b, c = (str(part.month) if part.month else part.digits for part in three)
            named = [i for i, part in enumerate(three) if part.month]
            if len(three[0].digits) == 4:
                days |= set(_dates(a, b, c))
            elif not named or named == [0]:
                days |= set(_dates(c, a, b))
            if len(three[0].digits) < 4 and (not named or named == [1]):
                days |= set(_dates(c, b, a))
    return days


def _dates(year: str, month: str, day: str) -> Iterator[date]:
    """The date, if there is one; two of a short year."""
    if not (year and month and day and len(year) in (2, 4) and len(month) <= 2 and len(day) <= 2):
        return
    for full_year in (year,) if len(year) == 4 else (f"19{year}", f"20{year}"):
        if _FIRST_YEAR <= int(full_year) <= _LAST_YEAR and 1 <= int(month) <= 12 and 1 <= int(day) <= 31:
            with suppress(ValueError):  # 31 April
                yield date(int(full_year), int(month), int(day))


def _date_parts(bare: str) -> list[_Part]:
    parts: list[_Part] = []
    last_end = -_NEAR - 1
    for match in _PIECE.finditer(bare):
        start, end = match.span()
        near = start - last_end <= _NEAR and _BETWEEN.fullmatch(bare, last_end, start) is not None
        month = MONTH.get(match[0].lower(), 0)
        parts.append(_Part(month, "" if month else match[0], start, end, near))
        last_end = end
    return parts


def _date_at(bare: str, parts: Sequence[_Part], index: int, day: date) -> int | None:
    """The last part of this date, if it begins here."""
    first = parts[index]
    if len(first.digits) == 8 and first.digits in (f"{day:%Y%m%d}", f"{day:%m%d%Y}", f"{day:%d%m%Y}"):
        return index
    three = parts[index : index + 3]
    if len(three) == 3 and _near(three) and _whole(three, day):
        return index + 2
    two = parts[index : index + 2]
    if len(two) == 2 and _near(two) and _day_and_month(two, day) and not _another_year(bare, parts, index):
        return index + 1
    return None


def _whole(three: Sequence[_Part], day: date) -> bool:
    """Year last or first, the month by name or number, in any order that is usual."""
    for year, rest in ((three[2], three[:2]), (three[0], three[1:])):
        is_year = _is(year, day.year) if len(year.digits) == 4 else year is three[2] and _is_short(year, day.year)
        if is_year and (_day_and_month(rest, day) or _in_numbers(rest, day)):
            return True
    return False


def _is(part: _Part, number: int) -> bool:
    return bool(part.digits) and len(part.digits) <= 4 and int(part.digits) == number


def _is_short(part: _Part, year: int) -> bool:
    return len(part.digits) == 2 and int(part.digits) == year % 100


def _day_and_month(two: Sequence[_Part], day: date) -> bool:
    return any(month.month == day.month and _is(number, day.day) for month, number in (two, two[::-1]))


def _in_numbers(two: Sequence[_Part], day: date) -> bool:
    return any(_is(month, day.month) and _is(number, day.day) for month, number in (two, two[::-1]))


def _near(parts: Sequence[_Part]) -> bool:
    return all(part.near for part in parts[1:])


def _another_year(bare: str, parts: Sequence[_Part], index: int) -> bool:
    """Does a year stand right before or after the two parts? This date's own year would have been recognised."""
    if index > 0 and _near(parts[index - 1 : index + 1]) and _is_year(parts[index - 1]):
        return True
    if index + 2 >= len(parts) or not _near(parts[index + 1 : index + 3]):
        return False
    after, between = parts[index + 2], bare[parts[index + 1].end : parts[index + 2].start]
    short = len(after.digits) == 2 and (between.strip() in ("'", "’", ", '") or between in ("-", "/", "."))
    return _is_year(after) or short


def _is_year(part: _Part) -> bool:
    return len(part.digits) == 4 and _FIRST_YEAR <= int(part.digits) <= _LAST_YEAR
