r"""The language of published cells.

| cell | text | meaning |
|---|---|---|
| Exact | `Flu` | the value itself; an empty cell is a missing value |
| Interval | `[20-25]`, `[2019-01-31..2019-03-04]` | between two values of an ordered column, both included |
| Set | `{A,B}` | one of these |
| Prefix | `0213*` | begins like this |
| Node | `E11` | below this label of the column's hierarchy |
| Mean | `24.5` | the mean of a class, in a column that is said to show means: covers nobody knowably |
| Any | `*` | anything |
| Suppressed | `<suppressed>` | a withheld record: not a value, never part of a class |

A literal value that looks like one of these gets a backslash in front, so nothing in the data can pass for a
generalisation: the text of a cell can always be read back to the same cell.

>>> Interval("20", "25").text, Interval("-5", "3").text, Set(("B", "A")).text, Exact("*").text
('[20-25]', '[-5..3]', '{A,B}', '\\*')
>>> parse("[20-25]"), parse(r"\[20-25]"), parse("E11", nodes=True)
(Interval(low='20', high='25'), Exact(value='[20-25]'), Node(label='E11'))
>>> parse("24.5", means=True), parse("*", means=True)
(Mean(value='24.5'), Any())
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

_PLAIN = re.compile(r"\d+(?:\.\d+)?")
_INTERVAL = re.compile(r"\[(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)\]")
_RANGE = re.compile(r"\[((?:[^\\.\]]|\\.|\.(?!\.))*)\.\.((?:[^\\\]]|\\.)*)\]", re.DOTALL)
_SET = re.compile(r"\{((?:[^\\}]|\\.)*)\}", re.DOTALL)
_MEMBER = re.compile(r"((?:[^\\,]|\\.)*),", re.DOTALL)
_IN_SET = str.maketrans({special: "\\" + special for special in "\\,{}"})
SUPPRESSED = "<suppressed>"
_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
Place = tuple[str, Decimal | int]
"""Where a number or a date lies on its line, with the name of the line."""


@dataclass(frozen=True)
class Exact:
    value: str

    @property
    def text(self) -> str:
        plain = not self.value or (self.value[0] not in _OPENERS and self.value[-1] != "*")
        return self.value if plain or parse(self.value) == self else "\\" + self.value


@dataclass(frozen=True)
class Interval:
    low: str
    high: str

    @property
    def text(self) -> str:
        if _PLAIN.fullmatch(self.low) and _PLAIN.fullmatch(self.high):
            return f"[{self.low}-{self.high}]"
        return f"[{_end(self.low)}..{_end(self.high)}]"


@dataclass(frozen=True)
class Set:
    members: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "members", tuple(sorted(set(self.members))))

    @property
    def text(self) -> str:
        plain = ",".join(self.members)
        if plain.count(",") < len(self.members) and not ("\\" in plain or "{" in plain or "}" in plain):
            return "{" + plain + "}"
        return "{" + ",".join(member.translate(_IN_SET) for member in self.members) + "}"


@dataclass(frozen=True)
class Prefix:
    start: str

    @property
    def text(self) -> str:
        return f"<prefix:{self.start}>" if not self.start or self.start[0] in _OPENERS else self.start + "*"


@dataclass(frozen=True)
class Node:
    label: str

    @property
    def text(self) -> str:
        return self.label if parse(self.label, nodes=True) == self else f"<node:{self.label}>"


@dataclass(frozen=True)
class Mean:
    """A number or an ISO date. That it is a mean stands in dictionary.json, so that others can compute with it."""

    value: str

    @property
    def text(self) -> str:
        return self.value


@dataclass(frozen=True)
class Any:
    @property
    def text(self) -> str:
        return "*"


@dataclass(frozen=True)
class Suppressed:
    @property
    def text(self) -> str:
        return SUPPRESSED


Cell = Exact | Interval | Set | Prefix | Node | Mean | Any | Suppressed
_OPENERS = ("\\", "[", "{", "<")


def parse(text: str, *, nodes: bool = False, means: bool = False) -> Cell:
    """Read a cell back. What plain text is, dictionary.json says: a label of the column's hierarchy, or a mean."""
    if text == "*":
        return Any()
    if text.startswith("\\"):
        return Exact(text[1:])
    if text.startswith("<"):
        return _angled(text)
    if text.startswith("["):
        match = _INTERVAL.fullmatch(text) or _RANGE.fullmatch(text)
        return Interval(*(_unescape(end) for end in match.groups())) if match else Exact(text)
    if text.startswith("{"):
        match = _SET.fullmatch(text)
        return Set(tuple(_unescape(m) for m in _MEMBER.findall(match.group(1) + ","))) if match else Exact(text)
    if text.endswith("*"):
        return Prefix(text[:-1])
    if means and text:
        return Mean(text)
    return Node(text) if nodes and text else Exact(text)


def labelled(label: str) -> Cell:
    """The cell of a hierarchy's label: `021*`, `[20-24]` and `*` are cells by themselves, anything else is a Node."""
    cell = parse(label, nodes=True)
    return Node(label) if isinstance(cell, Exact | Suppressed) else cell


def place_on_line(text: str) -> Place | None:
    """A number or an ISO date as a place on its line, exactly; None for anything else.

    >>> place_on_line("9007199254740993"), place_on_line("0001-01-01"), place_on_line("nan")
    (('number', Decimal('9007199254740993')), ('date', 1), None)
    """
    if _NUMBER.fullmatch(text):
        return "number", Decimal(text)
    if ISO_DATE.fullmatch(text):
        try:
            return "date", datetime.date.fromisoformat(text).toordinal()
        except ValueError:
            return None
    return None


def intervals_of(values: Sequence[str]) -> Callable[[int, int], str]:
    """How intervals between some of these values are written, for many of them: every end is looked at once.

    >>> text = intervals_of(["-5", "3", "20"])
    >>> text(1, 2), text(0, 2)
    ('[3-20]', '[-5..20]')
    """

    @cache
    def end(place: int) -> tuple[bool, str]:
        value = values[place]
        return (True, value) if _PLAIN.fullmatch(value) else (False, _end(value))

    def text(low: int, high: int) -> str:
        (low_is_plain, first), (high_is_plain, last) = end(low), end(high)
        return f"[{first}-{last}]" if low_is_plain and high_is_plain else f"[{first}..{last}]"

    return text


def sets_of(values: Sequence[str]) -> Callable[[Sequence[int]], str]:
    """The same of sets, given as the ascending places of their members; a set of one is that value.

    >>> text = sets_of(["B", "A,C", "*"])
    >>> text([0, 1]), text([2])
    ('{A\\\\,C,B}', '\\\\*')
    """
    ordered = sorted(set(values))
    spelt, number = [value.translate(_IN_SET) for value in ordered], {value: i for i, value in enumerate(ordered)}
    numbers = [number[value] for value in values]
    in_order = len(ordered) == len(values) and numbers == sorted(numbers)

    def text(places: Sequence[int]) -> str:
        members = places if in_order else sorted({numbers[place] for place in places})
        if len(members) == 1:
            return Exact(ordered[members[0]]).text
        return "{" + ",".join([spelt[member] for member in members]) + "}"

    return text


def _angled(text: str) -> Cell:
    if text == SUPPRESSED:
        return Suppressed()
    for opening, kind in (("<prefix:", Prefix), ("<node:", Node)):
        if text.startswith(opening) and text.endswith(">"):
            return kind(text[len(opening) : -1])
    return Exact(text)


def _end(value: str) -> str:
    """An end of a range: numbers and dates read better bare; in anything else the dots are escaped too."""
    if re.fullmatch(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|[\d:T+-]+", value):
        return value
    return re.sub(r"([\\.\[\]{}])", r"\\\1", value)


def _unescape(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL) if "\\" in text else text
