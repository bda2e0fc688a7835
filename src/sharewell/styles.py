"""Publication styles: how a class of records shows its values in one quasi column.

| style | a class with 23, 25, 25 shows | for |
|---|---|---|
| range | `[23-25]`: from the least to the greatest | numbers and dates |
| low-high | 23 and 25, in two columns `age_low` and `age_high` | numbers and dates |
| mean | `24`: the mean, which does *not* cover its members | numbers and dates |
| node | the lowest label of the hierarchy above all of them | columns with a hierarchy |
| common | the most detailed value that all share: see `sharewell.tables.engine.most_detailed` | any column |
| set | `{23,25}`: the values that occur | any column |

A policy writes `style: mean`, or `style: {mean: 1}` with the number of decimals that means are rounded to (left out: as
many as the column's own values have).

>>> Style.of("low-high"), Style.of({"mean": 1})
(Style(name='low-high', decimals=None), Style(name='mean', decimals=1))
>>> Style.of("whole")
Traceback (most recent call last):
sharewell.errors.PolicyError: policy: style — no style named 'whole' — styles: common, low-high, mean, node, range, set
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from annotated_types import Interval

from sharewell.errors import Mistake, PolicyError
from sharewell.parameters import noun, problem
from sharewell.roles import did_you_mean

StyleName = Literal["common", "low-high", "mean", "node", "range", "set"]
STYLES: tuple[StyleName, ...] = ("common", "low-high", "mean", "node", "range", "set")
ALONG_A_LINE: tuple[StyleName, ...] = ("low-high", "mean", "range")
"""Styles that only numbers and dates without a hierarchy have."""
NEVER_BY_ITSELF: tuple[StyleName, ...] = ("common", "low-high", "mean")
"""Styles that a column has only where the steward asks for them."""
Decimals = Annotated[int, Interval(ge=0, le=12)]


@dataclass(frozen=True)
class Style:
    """One style; `decimals` is for means alone."""

    name: StyleName
    decimals: int | None = None

    @classmethod
    def of(cls, given: object) -> Style:
        """From a policy or a call: a name, or `{mean: decimals}`."""
        if isinstance(given, Style):
            return given
        if isinstance(given, Mapping):
            decimals = given.get("mean")
            if set(given) != {"mean"} or problem(Decimals, decimals):
                raise _mistake(f"must be a name, or mean with its decimals, {noun(Decimals)}", "such as {mean: 1}")
            return cls("mean", decimals)
        if given not in STYLES:
            hint = did_you_mean(str(given), STYLES) or f"styles: {', '.join(STYLES)}"
            raise _mistake(f"no style named '{given}'", hint)
        return cls(given)


def ends_of(name: str) -> tuple[str, str]:
    """The names of the two columns that the style low-high publishes."""
    return f"{name}_low", f"{name}_high"


def clash(name: str, style: Style, others: Collection[str]) -> tuple[str, str] | None:
    """(what, hint) if a column of this style would bear the name of another one.

    >>> clash("age", Style("low-high"), ["age", "age_low"])[0]
    'style low-high publishes age_low and age_high, but there is a column age_low already'
    """
    taken = [end for end in ends_of(name) if end in others]
    if style.name != "low-high" or not taken:
        return None
    what = f"style low-high publishes {' and '.join(ends_of(name))}, but there is a column {taken[0]} already"
    return what, "rename that column, or choose range"


def _mistake(what: str, hint: str) -> PolicyError:
    return PolicyError([Mistake(0, 0, "style", what, hint)])
