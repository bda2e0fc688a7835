"""Questions: a small typed language for what an analyst may ask, and nothing else. No code of an analyst ever runs.

    {measure: count}
    {measure: {mean: age}, filter: {sex: F, age: {">=": 65}}, group_by: [ward]}
    {measure: {quantile: {column: age, at: 0.9}}, filter: {or: [{ward: A}, {not: {sex: M}}]}}
    {measure: {histogram: age}}, {measure: {top: {column: diagnosis, k: 3}}}

A question that means the same has the same text (`Question.text`), whatever the order in which it was written: the
second time it is asked, the stored answer is given. Questions speak of the columns that have a public domain alone.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

from sharewell.errors import PolicyError
from sharewell.plain_data import Json, JsonObject
from sharewell.queries.data import Domain, Range, Values
from sharewell.roles import did_you_mean

MOST_DEPTH = 8
MOST_CONDITIONS = 100
MOST_VALUES = 1_000
MOST_CELLS = 20_000
MOST_TEXT = 20_000
"""Limits on what one question may ask for."""
MEASURES = ("count", "sum", "mean", "median", "quantile", "histogram", "top")
OPERATORS = ("=", "!=", "in", "<", "<=", ">", ">=", "between")
_KEYS = ("measure", "filter", "group_by")
Scalar = str | float


class QuestionError(PolicyError):
    """The question cannot be asked: it names what is not declared, or is too large."""

    def __init__(self, place: str, what: str, hint: str = "") -> None:
        super().__init__(" — ".join(filter(None, (place, what, hint))), "question")


@dataclass(frozen=True)
class OneOf:
    """The cell is one of these: labels of a list of values, or numbers."""

    column: str
    values: tuple[Scalar, ...]

    def to_json(self) -> JsonObject:
        return {self.column: {"in": list(self.values)}}


@dataclass(frozen=True)
class Compared:
    """The number compares so with another."""

    column: str
    operator: str
    number: float

    def to_json(self) -> JsonObject:
        return {self.column: {self.operator: self.number}}


@dataclass(frozen=True)
class All:
    """Every part holds; of no parts, everybody."""

    parts: tuple[Condition, ...] = ()

    def to_json(self) -> JsonObject:
        return {"and": [part.to_json() for part in self.parts]}


@dataclass(frozen=True)
class Some:
    """At least one part holds; of no parts, nobody."""

    parts: tuple[Condition, ...] = ()

    def to_json(self) -> JsonObject:
        return {"or": [part.to_json() for part in self.parts]}


@dataclass(frozen=True)
class Not:
    """The part does not hold."""

    part: Condition

    def to_json(self) -> JsonObject:
        return {"not": self.part.to_json()}


Condition = OneOf | Compared | All | Some | Not
EVERYBODY = All()


@dataclass(frozen=True)
class Measure:
    """What is computed of the rows that pass the filter, in each group."""

    name: str
    column: str | None = None
    at: float | None = None
    """Of a quantile: the share of rows below it."""
    k: int | None = None
    """Of the most frequent values: how many."""

    takes_numbers: ClassVar[tuple[str, ...]] = ("sum", "mean", "quantile")

    def to_json(self) -> Json:
        if self.column is None:
            return self.name
        extra = {key: value for key, value in (("at", self.at), ("k", self.k)) if value is not None}
        return {self.name: {"column": self.column, **extra} if extra else self.column}


COUNT = Measure("count")


@dataclass(frozen=True)
class Question:
    """One question, as it was understood.

    >>> one = Question.of({"measure": {"histogram": "sex"}, "filter": {"ward": ["B", "A"], "age": {"between": [6, 9]}}})
    >>> two = Question.of('{measure: count, group_by: sex, filter: {age: {"<=": 9, ">=": 6}, ward: {in: [A, B]}}}')
    >>> one == two
    True
    >>> one.to_json()["filter"]["and"][0], Question.of("count").text
    ({'age': {'<=': 9.0}}, '{"measure":"count"}')
    """

    measure: Measure = COUNT
    condition: Condition = EVERYBODY
    group_by: tuple[str, ...] = ()

    @classmethod
    def of(cls, given: Question | str | Mapping[str, Json]) -> Question:
        """From a mapping, from JSON or YAML text, or from a question. What is wrong is a QuestionError."""
        if isinstance(given, Question):
            return given
        plain: Json = _parsed(given) if isinstance(given, str) else given
        if isinstance(plain, str):
            plain = {"measure": plain}
        if not isinstance(plain, Mapping):
            raise QuestionError("", "must be a mapping", f"known: {', '.join(_KEYS)}; such as {{measure: count}}")
        _refuse_unknown("", plain, _KEYS)
        if "measure" not in plain:
            raise QuestionError("measure", "is missing", f"one of {', '.join(MEASURES)}")
        measure = _measure(plain["measure"])
        group_by = _columns(plain.get("group_by"))
        condition = EVERYBODY if plain.get("filter") is None else _condition(plain["filter"], "filter", 0)
        if sum(1 for _ in _leaves(condition)) > MOST_CONDITIONS:
            raise QuestionError("filter", f"has more than {MOST_CONDITIONS} conditions", "ask a smaller question")
        if measure.name == "top" and group_by:
            raise QuestionError(
                "group_by", "the most frequent values cannot be grouped", "ask once for each group, with a filter"
            )
        if measure.name == "histogram":  # the same as counting by its labels
            assert measure.column is not None
            group_by, measure = (*group_by, measure.column), COUNT
        return cls(measure, _canonical(condition), tuple(sorted(set(group_by))))

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column that it names."""
        named = [*self.group_by, *(leaf.column for leaf in _leaves(self.condition))]
        return tuple(dict.fromkeys([*([] if self.measure.column is None else [self.measure.column]), *named]))

    def to_json(self) -> JsonObject:
        """The canonical form: what is left out is not written."""
        plain: JsonObject = {"measure": self.measure.to_json()}
        if self.condition != EVERYBODY:
            plain["filter"] = self.condition.to_json()
        if self.group_by:
            plain["group_by"] = list(self.group_by)
        return plain

    @cached_property
    def text(self) -> str:
        """The canonical form as text: the same for questions that mean the same, as far as reordering goes."""
        return json.dumps(_numbers_plain(self.to_json()), sort_keys=True, separators=(",", ":"), ensure_ascii=False)

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()

    def about(self, domains: Mapping[str, Domain]) -> Question:
        """The question with every name and value held against what is declared; a QuestionError if it is not."""
        for name in self.columns:
            if name not in domains:
                hint = did_you_mean(name, domains) or f"these can be asked about: {', '.join(domains) or 'none'}"
                raise QuestionError("", f"column '{name}' has no declared domain", hint)
        measure, column = self.measure, self.measure.column
        if column is not None and measure.name in Measure.takes_numbers and not isinstance(domains[column], Range):
            what = f"column '{column}' has no declared bounds, so its numbers cannot be added up or ordered"
            raise QuestionError("measure", what, f"count it, or declare {column}: {{low: …, high: …}} in the policy")
        if column is not None and measure.k is not None and measure.k > len(domains[column].labels):
            raise QuestionError("measure.top.k", f"column '{column}' has {len(domains[column].labels)} labels")
        cells = math.prod(len(domains[name].labels) for name in self.group_by)
        if cells > MOST_CELLS:
            raise QuestionError(
                "group_by", f"makes {cells} groups, and {MOST_CELLS} are the most", "name fewer columns"
            )
        return replace(self, condition=_canonical(_about(self.condition, domains)))


def each_key_once(pairs: list[tuple[str, Json]]) -> JsonObject:
    """For readers of JSON, which take the last of two equal keys: somebody else may have read the first."""
    results = dict(pairs)
    if len(results) < len(pairs):
        raise ValueError("a key is given twice")
    return results


def _parsed(text: str) -> Json:
    """JSON, or YAML without anything that JSON has not."""
    if len(text) > MOST_TEXT:
        raise QuestionError("", f"has more than {MOST_TEXT} characters", "ask a smaller question")
    try:
        return json.loads(text, object_pairs_hook=each_key_once)
    except (ValueError, RecursionError):
        pass
    from sharewell.io.yaml_positions import parse

    document = parse(text)
    if document.mistakes:
        raise QuestionError("", "is neither JSON nor YAML", "such as {measure: count, filter: {sex: F}}")
    return document.plain


def _refuse_unknown(place: str, given: Mapping[str, Json], known: Sequence[str]) -> None:
    for key in given:
        if key not in known:
            hint = did_you_mean(str(key), known) or f"known: {', '.join(known)}"
            raise QuestionError(place, "has an unknown key", hint)


def _measure(given: Json) -> Measure:
    if given == "count":
        return COUNT
    if isinstance(given, str):
        known = did_you_mean(given, MEASURES) or f"known: {', '.join(MEASURES)}"
        hint = f"such as {given}: age" if given in MEASURES else known
        raise QuestionError("measure", "names no column" if given in MEASURES else "is unknown", hint)
    if not isinstance(given, Mapping) or len(given) != 1:
        raise QuestionError("measure", "must be count, or one name with a column", "such as {mean: age}")
    [(name, given_value)] = given.items()
    if name == "count" or name not in MEASURES:
        hint = "say measure: count" if name == "count" else did_you_mean(str(name), MEASURES)
        raise QuestionError("measure", "is unknown", hint or f"known: {', '.join(MEASURES)}")
    place = f"measure.{name}"
    fields = {"column": given_value} if isinstance(given_value, str) else given_value
    if not isinstance(fields, Mapping) or not isinstance(fields.get("column"), str):
        raise QuestionError(place, "must name a column", f"such as {{{name}: age}}")
    _refuse_unknown(place, fields, ("column", *{"quantile": ("at",), "top": ("k",)}.get(name, ())))
    if name == "median":
        return Measure("quantile", fields["column"], at=0.5)
    at: Json = fields.get("at")
    k: Json = fields.get("k")
    if name == "quantile" and not (_is_number(at) and 0 < at < 1):
        raise QuestionError(f"{place}.at", "must be a share between 0 and 1", "0.5 is the median")
    if name == "top" and not (isinstance(k, int) and not isinstance(k, bool) and k >= 1):
        raise QuestionError(f"{place}.k", "must be a whole number, 1 or more")
    return Measure(name, fields["column"], at if at is None else float(at), k)


def _columns(given: Json) -> tuple[str, ...]:
    names = [given] if isinstance(given, str) else ([] if given is None else given)
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise QuestionError("group_by", "must be a list of columns", "such as group_by: [sex, ward]")
    if len(set(names)) < len(names):
        raise QuestionError("group_by", "names a column twice", "name it once")
    return tuple(names)


def _condition(given: Json, place: str, depth: int) -> Condition:
    """A mapping: of a column to what its cell must be, or of and, or, not to further conditions. Several: all hold."""
    if depth > MOST_DEPTH:
        raise QuestionError("filter", f"is nested more than {MOST_DEPTH} deep", "ask a simpler question")
    if not isinstance(given, Mapping) or not given:
        raise QuestionError(place, "must be a mapping", 'such as {sex: F, age: {">=": 65}}')
    parts: list[Condition] = []
    for key, given_value in given.items():
        if not isinstance(key, str):
            raise QuestionError(place, "has a key that is not text")
        if key in ("and", "or"):
            if not isinstance(given_value, list | tuple):
                raise QuestionError(f"{place}.{key}", "must be a list of conditions")
            inner = tuple(_condition(one, f"{place}.{key}[{i}]", depth + 1) for i, one in enumerate(given_value))
            parts.append(All(inner) if key == "and" else Some(inner))
        elif key == "not":
            parts.append(Not(_condition(given_value, f"{place}.not", depth + 1)))
        else:
            parts.append(_of_column(key, given_value, f"{place}.{key}"))
    return parts[0] if len(parts) == 1 else All(tuple(parts))


def _of_column(column: str, given: Json, place: str) -> Condition:
    if isinstance(given, list | tuple):
        return OneOf(column, _scalars(given, place))
    if not isinstance(given, Mapping):
        return OneOf(column, _scalars([given], place))
    if not given:
        raise QuestionError(place, "says nothing", f"known: {', '.join(OPERATORS)}")
    parts: list[Condition] = []
    for operator, value in given.items():
        if operator not in OPERATORS:
            raise QuestionError(place, "has an unknown comparison", f"known: {', '.join(OPERATORS)}")
        parts.append(_comparison(column, operator, value, place))
    return parts[0] if len(parts) == 1 else All(tuple(parts))


def _comparison(column: str, operator: str, value: Json, place: str) -> Condition:
    if operator in ("=", "!="):
        equal = OneOf(column, _scalars([value], place))
        return equal if operator == "=" else Not(equal)
    if operator == "in":
        if not isinstance(value, list | tuple):
            raise QuestionError(f"{place}.in", "must be a list")
        return OneOf(column, _scalars(value, place))
    if operator == "between":
        if not (isinstance(value, list | tuple) and len(value) == 2 and all(map(_is_number, value))):
            raise QuestionError(f"{place}.between", "must be two numbers", "both ends are inside")
        return All((Compared(column, ">=", float(value[0])), Compared(column, "<=", float(value[1]))))
    if not _is_number(value):
        raise QuestionError(place, f"{operator} compares with a number")
    return Compared(column, operator, float(value))


def _scalars(given: Sequence[Json], place: str) -> tuple[Scalar, ...]:
    if len(given) > MOST_VALUES:
        raise QuestionError(place, f"lists more than {MOST_VALUES} values", "ask a smaller question")
    if not all(isinstance(one, str) or _is_number(one) for one in given):
        raise QuestionError(place, "must be a text or a number, or a list of them")
    return tuple(one if isinstance(one, str) else float(one) for one in given)


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300


def _leaves(condition: Condition) -> Iterator[OneOf | Compared]:
    match condition:
        case All(parts) | Some(parts):
            for part in parts:
                yield from _leaves(part)
        case Not(part):
            yield from _leaves(part)
        case OneOf() | Compared():
            yield condition


def _canonical(condition: Condition) -> Condition:
    """The same for every order of parts and values: nested lists are flat, what stands twice stands once."""
    match condition:
        case OneOf(column, values):
            return OneOf(column, tuple(sorted(set(values), key=lambda one: (isinstance(one, str), str(one), one))))
        case Not(part):
            inner = _canonical(part)
            return inner.part if isinstance(inner, Not) else Not(inner)
        case All(parts) | Some(parts):
            kind = type(condition)
            flat: dict[str, Condition] = {}
            for part in map(_canonical, parts):
                for one in part.parts if isinstance(part, kind) else (part,):
                    flat[json.dumps(one.to_json(), sort_keys=True)] = one
            ordered = tuple(flat[text] for text in sorted(flat))
            return ordered[0] if len(ordered) == 1 else kind(ordered)
    return condition


def _about(condition: Condition, domains: Mapping[str, Domain]) -> Condition:
    """Values as the domains write them: texts for labels, numbers for ranges."""
    match condition:
        case All(parts) | Some(parts):
            return type(condition)(tuple(_about(part, domains) for part in parts))
        case Not(part):
            return Not(_about(part, domains))
        case Compared(column, operator, _) if isinstance(domains[column], Values):
            what = f"column '{column}' has a list of values, which {operator} does not order"
            raise QuestionError("filter", what, "use =, != or in")
        case OneOf(column, values):
            return _of_domain(column, values, domains[column])
    return condition


def _of_domain(column: str, values: tuple[Scalar, ...], domain: Domain) -> OneOf:
    if isinstance(domain, Range):
        if any(isinstance(one, str) for one in values):
            raise QuestionError("filter", f"column '{column}' holds numbers", "compare it with a number")
        return OneOf(column, values)
    labels = tuple(one if isinstance(one, str) else _plain_number(one) for one in values)
    if unknown := sum(label not in domain.labels for label in labels):
        some = ", ".join(domain.labels[:20]) + (", …" if len(domain.labels) > 20 else "")
        raise QuestionError(
            "filter", f"{unknown} value(s) are not among those of column '{column}'", f"they are {some}"
        )
    return OneOf(column, labels)


def _plain_number(number: float) -> str:
    return str(int(number)) if number == int(number) else repr(number)


def _numbers_plain(value: Json) -> Json:
    """65.0 is written as 65."""
    if isinstance(value, dict):
        return {key: _numbers_plain(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_numbers_plain(one) for one in value]
    return int(value) if isinstance(value, float) and value == int(value) and abs(value) < 2**53 else value
