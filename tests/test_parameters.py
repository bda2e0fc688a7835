"""Parameters are declared once: what a declaration says is what is refused, shown and offered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import pytest
from annotated_types import Ge, Gt, Interval, MinLen, Unit

from sharewell import registry
from sharewell.io.sources import Evidence, Source
from sharewell.parameters import Count, Declared, Share, noun, parameters_of, problem, settled
from sharewell.policy.schema import json_schema


@dataclass(frozen=True)
class Base(Declared):
    k: Count


@dataclass(frozen=True)
class Method(Base):
    bound: Annotated[Fraction, Interval(gt=0, le=1)] = Fraction(1, 2)
    columns: tuple[str, ...] = ()
    weights: Mapping[str, Annotated[float, Gt(0)]] | None = None
    level: Annotated[int, Ge(0)] | Literal["full"] = 0
    days: Annotated[int, Ge(1), Unit("days")] | None = None
    other: Evidence | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.days is not None and self.days < self.k:
            raise ValueError("days must be at least k")


def test_what_is_given_is_kept_as_it_is_declared() -> None:
    made = Method(np.int64(5), 0.2, ["a", "b"], other="register.csv")  # type: ignore[arg-type]
    assert (made.bound, made.columns) == (Fraction(1, 5), ("a", "b"))
    assert made.other == Source(Path("register.csv"))
    assert Method(5, "1/11").bound == Fraction(1, 11)  # type: ignore[arg-type]
    assert replace(made, k=7) == Method(7, Fraction(1, 5), ("a", "b"), other=Source(Path("register.csv")))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"k": 0}, "k — must be at least 1, not 0"),
        ({"k": 2.5}, "k — must be a whole number, not 2.5"),
        ({"k": True}, "k — must be a whole number"),
        ({"k": "John Smith"}, "k — must be a whole number"),
        ({"bound": 0}, "bound — must be above 0 and at most 1, not 0"),
        ({"bound": 1.5}, "bound — must be above 0 and at most 1, not 3/2"),
        ({"bound": "half"}, "bound — must be a number or a fraction such as 1/11"),
        ({"columns": "age"}, "columns — must be a list"),
        ({"weights": {"age": 0}}, "weights — has an entry that must be above 0"),
        ({"weights": ["age"]}, "weights — must be a mapping"),
        ({"level": -1}, "level — must be at least 0, not -1"),
        ({"level": "all"}, "level — must be a whole number, at least 0, or full"),
        ({"days": 0}, "days — must be at least 1, not 0"),
        ({"days": 2}, "days must be at least k"),
    ],
)
def test_what_is_not_declared_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match="must be") as caught:
        Method(**({"k": 5} | given))
    assert str(caught.value) == message


def test_numbers_that_are_none() -> None:
    for hint in (float, Share, Annotated[float, Gt(0)]):
        assert problem(hint, float("nan"))
        assert problem(hint, float("inf"))
    assert problem(tuple[int, float], [1]) == "must be a list of 2"
    assert not problem(tuple[Count, Share], [1, 0.5])
    assert problem(Annotated[Sequence[str], MinLen(1)], []) == "must not be empty"
    assert settled(Fraction | float | int, 5) == 5
    assert isinstance(settled(Fraction | float | int, 5), int)
    assert settled(dict[str, Fraction], {"a": "1/3"}) == {"a": Fraction(1, 3)}


def test_marks_of_others_may_have_no_hash() -> None:
    hint = Annotated[int, Ge(2), ["somebody's own"]]
    assert problem(hint, 1) == "must be at least 2, not 1"
    assert not problem(hint, 2)


def test_words() -> None:
    assert noun(tuple[Count, Share]) == "a list of 2: a whole number, at least 1; a number, at least 0 and at most 1"
    assert noun(dict[str, Annotated[float, Gt(0)]] | None) == "a mapping, each a number, above 0"
    assert [(one.name, one.unit) for one in parameters_of(Method) if one.unit] == [("days", "days")]
    assert [one.name for one in parameters_of(Method) if one.default is MISSING] == ["k"]


def test_the_schema_offers_what_is_declared() -> None:
    forms = json_schema()["$defs"]["criteria"]["anyOf"]
    [km] = [
        form["properties"]["km-anonymity"]["properties"]
        for form in forms
        if "km-anonymity" in form.get("properties", ())
    ]
    assert km["m"]["anyOf"][0] == {"type": "integer", "minimum": 1}
    assert km["m"]["default"] == 2
    assert km["k"]["description"]


ENTRIES = list(registry.entries())


@pytest.mark.parametrize("entry", ENTRIES, ids=[f"{one.kind}-{one.room}-{one.name}" for one in ENTRIES])
def test_every_parameter_is_declared_and_described(entry: registry.Entry) -> None:
    algorithm = entry.load()
    assert issubclass(algorithm, Declared), "a dataclass whose parameters are checked"
    known = parameters_of(algorithm)
    assert [one.name for one in known if not one.help] == [], "said under Parameters of the page"
