"""Declared parameters of algorithms: one statement of type, range, unit and meaning, which all others read.

The parameters of an algorithm are the fields of its dataclass. The annotation declares the type and the range, in the
vocabulary of `annotated_types`; the section *Parameters* of the algorithm's page says what each one means. Whoever
builds one, `sharewell check`, the JSON Schema of policies and `sharewell catalogue NAME` read these and nothing else.

>>> @dataclass(frozen=True)
... class Thinning(Declared):
...     k: Count
...     share: Annotated[float, Interval(ge=0, lt=1), Unit("of the persons")] = 0.0
...     order: Literal["random", "sorted"] = "random"
>>> Thinning(5, share=0.1)
Thinning(k=5, share=0.1, order='random')
>>> Thinning(0)
Traceback (most recent call last):
ValueError: k — must be at least 1, not 0
>>> Thinning(2, order="none")
Traceback (most recent call last):
ValueError: order — must be one of random, sorted
>>> [f"{one.name}: {one.words}" for one in parameters_of(Thinning)]
['k: a whole number, at least 1', 'share: a number, at least 0 and below 1', 'order: one of random, sorted']

What one annotation cannot say, such as a rule about two parameters, is a short `__post_init__` that begins with
`super().__post_init__()`.
"""

from __future__ import annotations

import dataclasses
import math
import operator
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from numbers import Integral, Rational, Real
from types import NoneType, UnionType
from typing import Annotated, Literal, TypeVar, Union, get_args, get_type_hints

from annotated_types import Ge, GroupedMetadata, Gt, Interval, Le, Lt, MinLen, Unit

from sharewell.plain_data import ANYTHING, Hint, Json, origin_of

Built = TypeVar("Built")
Count = Annotated[int, Ge(1)]
"""How many there are, where none at all makes no sense."""
Natural = Annotated[int, Ge(0)]
TwoOrMore = Annotated[int, Ge(2)]
Positive = Annotated[float, Gt(0)]
NotNegative = Annotated[float, Ge(0)]
Share = Annotated[float, Interval(ge=0, le=1)]
PositiveShare = Annotated[float, Interval(gt=0, le=1)]
ShareBelowOne = Annotated[float, Interval(ge=0, lt=1)]
Chance = Annotated[float, Interval(gt=0, lt=1)]
"""Neither impossible nor certain."""
ExactNotNegative = Annotated[Fraction, Ge(0)]
ExactShare = Annotated[Fraction, Interval(ge=0, le=1)]
ExactPositiveShare = Annotated[Fraction, Interval(gt=0, le=1)]
ExactShareBelowOne = Annotated[Fraction, Interval(ge=0, lt=1)]
ExactChance = Annotated[Fraction, Interval(gt=0, lt=1)]
Year = Annotated[int, Interval(ge=1900, le=9999)]

_LARGEST_SHOWN = 10**15
_WORDS: dict[Hint, str] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    Fraction: "a number or a fraction such as 1/11",
    str: "text",
}
_NUMBERS: dict[Hint, type] = {int: Integral, float: Real, Fraction: Rational}
_BOUNDS: dict[type, tuple[str, str, Callable[[Real, Real], bool]]] = {
    Ge: ("ge", "at least", operator.ge),
    Gt: ("gt", "above", operator.gt),
    Le: ("le", "at most", operator.le),
    Lt: ("lt", "below", operator.lt),
}


@dataclass(frozen=True)
class As:
    """Converts what is given before it is checked: `Annotated[Source, As(Source.of)]`."""

    convert: Callable[[object], object]


class Declared:
    """An algorithm that takes its parameters only as its annotations declare them."""

    def __post_init__(self) -> None:
        algorithm: type = type(self)
        for name, hint in _checked(algorithm):
            given = getattr(self, name)
            value = settled(hint, given)
            if value is not given:
                object.__setattr__(self, name, value)
            if wrong := problem(hint, value):
                raise ValueError(" — ".join(filter(None, (name, wrong, advice(algorithm, name, wrong)))))


@dataclass(frozen=True)
class Parameter:
    """One parameter, for those who list them."""

    name: str
    hint: Hint
    default: object
    """`dataclasses.MISSING` where a value must be given."""
    help: str

    @property
    def words(self) -> str:
        return noun(self.hint)

    @property
    def unit(self) -> str:
        return next((mark.unit for mark in _marks(self.hint) if isinstance(mark, Unit)), "")

    @property
    def required(self) -> bool:
        return self.default is dataclasses.MISSING


def parameters_of(algorithm: type) -> list[Parameter]:
    """What can be given when an algorithm is built, in order."""
    hints, texts = declared(algorithm), _texts(algorithm)
    return [
        Parameter(one.name, hints.get(one.name, ANYTHING), _default(one), texts.get(one.name, ""))
        for one in dataclasses.fields(algorithm)
        if one.init
    ]


def values_of(record: object) -> dict[str, object]:
    """Name → value of each parameter of an algorithm, or each entry of another dataclass; empty of anything else."""
    if not dataclasses.is_dataclass(record):
        return {}
    return {one.name: getattr(record, one.name) for one in dataclasses.fields(record) if one.init}


def with_values(algorithm: Built, **values: object) -> Built:
    """The same algorithm with other values of these parameters."""
    if not dataclasses.is_dataclass(algorithm) or isinstance(algorithm, type):
        raise TypeError(f"{type(algorithm).__name__} — not a dataclass, so its parameters cannot be changed")
    return dataclasses.replace(algorithm, **values)


def advice(algorithm: type, name: str, wrong: str) -> str:
    """What a parameter means, in the first sentence about it; nothing where the words to choose from were listed."""
    if " one of " in wrong:
        return ""
    return re.split(r"[.;] ", _texts(algorithm).get(name, "") + " ")[0].strip().rstrip(".;")


@cache
def declared(record: type) -> dict[str, Hint]:
    """Annotations by name, with their ranges; a record whose annotations do not resolve checks its values itself."""
    try:
        return get_type_hints(record, include_extras=True)
    except NameError:
        return {}


def problem(hint: Hint, value: Json) -> str:
    """What is wrong with a value, in words that follow its name; empty if nothing is.

    A number is repeated, a text never: it may have been pasted from the data.

    >>> problem(Annotated[float, Gt(0)] | None, -1), problem(Sequence[Count], "abc"), problem(Sequence[Count], [0])
    ('must be above 0, not -1', 'must be a list', 'has an entry that must be at least 1')
    """
    wrong = _problem(hint, value)
    number = _is_of(float, value) and abs(value) < _LARGEST_SHOWN
    return f"{wrong}, not {value}" if wrong and number else wrong


def _problem(hint: Hint, value: object) -> str:
    origin = origin_of(hint)
    if origin is Annotated:
        return _problem(get_args(hint)[0], value) or _outside(_marks(hint), value)
    if _is_union(hint):
        return _of_union(get_args(hint), value)
    if origin is Literal:
        return "" if value in get_args(hint) else f"must be {noun(hint)}"
    kind = origin or hint
    if kind in _WORDS:
        return "" if _is_of(kind, value) else f"must be {_WORDS[kind]}"
    if hint is NoneType:
        return "" if value is None else "must be left out"
    if isinstance(kind, type) and issubclass(kind, Mapping):
        return _of_entries(get_args(hint)[1:], value.values()) if isinstance(value, Mapping) else "must be a mapping"
    if isinstance(kind, type) and issubclass(kind, Sequence | Set):
        return _of_list(hint, value)
    return ""


def _of_union(parts: Sequence[Hint], value: object) -> str:
    """The right type in the wrong range is what a reader wants to hear of first."""
    wrong = {part: _problem(part, value) for part in parts}
    if not all(wrong.values()):
        return ""
    typed = [said for part, said in wrong.items() if origin_of(part) is Annotated and not _problem(_bare(part), value)]
    some = [said for part, said in wrong.items() if part is not NoneType]
    return (typed or some)[0] if typed or len(some) == 1 else f"must be {_any_of(parts)}"


def _of_list(hint: Hint, value: object) -> str:
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        return "must be a list"
    parts = get_args(hint)
    if (origin_of(hint) or hint) is tuple and parts and Ellipsis not in parts:
        if len(value := tuple(value)) != len(parts):
            return f"must be a list of {len(parts)}"
        return next((said for part, one in zip(parts, value, strict=True) if (said := _of_entries([part], [one]))), "")
    return _of_entries(parts[:1], value)


def _of_entries(parts: Sequence[Hint], values: Iterable[object]) -> str:
    """Where texts are listed, as codes are, numbers pass, and a text among lists: algorithms read both as one code."""
    pairs = [(part, value) for part in parts for value in values if not _is_one_code(part, value)]
    said = next((said for part, value in pairs if (said := _problem(part, value))), "")
    return said if not said or said.startswith("has an entry") else f"has an entry that {said}"


def _is_one_code(hint: Hint, value: object) -> bool:
    if hint is str:
        return _is_of(float, value)
    return isinstance(value, str) and origin_of(hint) in (Sequence, list, tuple)


def _is_of(kind: Hint, value: Json) -> bool:
    if kind not in _NUMBERS:
        return isinstance(value, kind)
    known = isinstance(value, _NUMBERS[kind]) and not isinstance(value, bool)
    return known and (kind is not float or abs(value) < math.inf)


def _outside(marks: Iterable[object], value: object) -> str:
    for mark in marks:
        if isinstance(mark, MinLen) and isinstance(value, Collection) and len(value) < mark.min_length:
            return "must not be empty" if mark.min_length == 1 else f"must list at least {mark.min_length}"
        if type(mark) in _BOUNDS and isinstance(value, Real):
            bound, _, within = _BOUNDS[type(mark)]
            if not within(value, getattr(mark, bound)):
                return f"must be {_range(marks)}"
    return ""


def _range(marks: Iterable[object]) -> str:
    """Bounds in words: "above 0 and at most 1"."""
    sides = [(_BOUNDS[type(mark)], mark) for mark in marks if type(mark) in _BOUNDS]
    return " and ".join(f"{words} {_shown(getattr(mark, bound))}" for (bound, words, _), mark in sides)


def _shown(bound: object) -> str:
    return f"{bound:,}".replace(",", " ") if isinstance(bound, int) and bound >= 10_000 else str(bound)


def _marks(hint: Hint) -> tuple[object, ...]:
    """What is declared beside the type, groups such as Interval taken apart; of an optional one, that of its type."""
    try:
        return _marks_once(hint)
    except TypeError:  # somebody else's mark that has no hash
        return _marks_of(hint)


def _marks_of(hint: Hint) -> tuple[object, ...]:
    if _is_union(hint):
        return tuple(mark for part in get_args(hint) for mark in _marks(part))
    if origin_of(hint) is not Annotated:
        return ()
    given = get_args(hint)[1:]
    return tuple(one for mark in given for one in (mark if isinstance(mark, GroupedMetadata) else (mark,)))


_marks_once = cache(_marks_of)
"""Algorithms are built again and again, in every trial of a search; to ask a mark whether it is a group is slow."""


def _bare(hint: Hint) -> Hint:
    return get_args(hint)[0] if origin_of(hint) is Annotated else hint


def _is_union(hint: Hint) -> bool:
    return origin_of(hint) in (Union, UnionType)


def settled(hint: Hint, value: object) -> object:
    """The value as algorithms keep it: fractions exact, lists that are declared as tuples so, sources opened by `As`.

    >>> settled(Fraction | None, 0.2), settled(tuple[str, ...], ["a", "b"]), settled(int | None, 5)
    (Fraction(1, 5), ('a', 'b'), 5)
    """
    if value is None:
        return None
    if origin_of(hint) is Annotated:
        for mark in _marks(hint):
            value = mark.convert(value) if isinstance(mark, As) else value
        return settled(_bare(hint), value)
    if _is_union(hint):
        ways = [(part, settled(part, value)) for part in get_args(hint) if part is not NoneType]
        same = [way for part, way in ways if type(value) is _bare(part)]
        return next(iter([*same, *(way for part, way in ways if not _problem(part, way))]), value)
    if hint is Fraction and not isinstance(value, Fraction | bool):
        return _exact(value)
    if isinstance(value, dict) and _bare((*get_args(hint), None, None)[1]) is Fraction:
        return {key: settled(Fraction, one) for key, one in value.items()}
    if (origin_of(hint) or hint) is tuple and isinstance(value, Iterable) and not isinstance(value, str | bytes):
        parts, values = get_args(hint), tuple(value)
        each = parts if Ellipsis not in parts else parts[:1] * len(values)
        values = tuple(map(settled, each, values)) if len(each) == len(values) else values
        return value if values == value and isinstance(value, tuple) else values
    return value


def _exact(value: object) -> object:
    """0.2 is 1/5, and "1/11" (as a certificate writes it) is itself; what is not a number stays as it is."""
    try:
        return Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        return value


@cache
def _checked(algorithm: type) -> list[tuple[str, Hint]]:
    """The parameters about which something is declared."""
    return [(one.name, one.hint) for one in parameters_of(algorithm) if not _anything(one.hint)]


def _anything(hint: Hint) -> bool:
    if any(isinstance(mark, As) for mark in _marks(hint)):
        return False
    bare = _bare(hint)
    return bare is ANYTHING or (_is_union(bare) and any(_anything(part) for part in get_args(bare)))


def _default(one: dataclasses.Field[object]) -> object:
    return one.default if one.default_factory is dataclasses.MISSING else one.default_factory()


@cache
def _texts(algorithm: type) -> dict[str, str]:
    """What is said of each: a text in its annotation, else on the page, else on the page of a shared base."""
    results: dict[str, str] = {}
    for base in reversed(algorithm.__mro__):
        if dataclasses.is_dataclass(base):
            results |= dict(_lines(sys.modules[base.__module__].__doc__ or "", algorithm))
    for name, hint in declared(algorithm).items():
        if said := [mark for mark in _marks(hint) if isinstance(mark, str)]:
            results[name] = said[0]
    return results


def _lines(page: str, algorithm: type) -> Iterator[tuple[str, str]]:
    section = re.search(r"^(?:## )?Parameters\n(?:-+\n)?(.*?)(?:\n\n|\Z)", page, re.MULTILINE | re.DOTALL)
    known = {one.name for one in dataclasses.fields(algorithm)}
    names: list[str] = []
    text = ""
    for line in section[1].splitlines() if section else ():
        start = re.fullmatch(r"(\w+(?:, \w+)*): (.*)", line)
        if start and known & set(start[1].split(", ")):
            yield from ((name, text) for name in names)
            names, text = start[1].split(", "), start[2]
        else:
            text = f"{text} {line.strip()}"
    yield from ((name, text) for name in names)


def noun(hint: Hint) -> str:
    """A type in words, with its range, for those who write policies and not Python."""
    if origin_of(hint) is Annotated:
        bounds = _range(_marks(hint))
        return f"{noun(_bare(hint))}, {bounds}" if bounds else noun(_bare(hint))
    if hint in _WORDS:
        return _WORDS[hint]
    if origin_of(hint) is Literal:
        words = [str(word) for word in get_args(hint) if word != ""]
        return f"one of {', '.join(words)}" if len(words) > 1 else words[0]
    if _is_union(hint):
        return _any_of(get_args(hint))
    kind = origin_of(hint) or hint
    if isinstance(kind, type) and issubclass(kind, Enum):
        return f"one of {', '.join(str(member.value) for member in kind)}"
    if isinstance(kind, type) and issubclass(kind, Mapping):
        return f"a mapping{_each(get_args(hint)[1:])}"
    if isinstance(kind, type) and issubclass(kind, Sequence | Set):
        return f"a list{_each([part for part in get_args(hint) if part is not Ellipsis])}"
    return "another type (see the page)"


def _any_of(parts: Sequence[Hint]) -> str:
    nouns = dict.fromkeys(noun(part) for part in parts if part is not NoneType)
    return (", or " if any("," in one for one in nouns) else " or ").join(nouns)


def _each(parts: Sequence[Hint]) -> str:
    """The entries of a list or mapping, where they have a range."""
    if not any(_range(_marks(part)) for part in parts):
        return ""
    return f" of {len(parts)}: {'; '.join(map(noun, parts))}" if len(parts) > 1 else f", each {noun(parts[0])}"
