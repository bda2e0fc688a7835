"""What may be published instead of a proposed report: its measures at lower levels, and which tells more than which.

>>> from sharewell.reports.figures.data import Report
>>> report = Report.of({"A": {"x": 60, "y": 20}, "B": {"x": 70, "y": 31}}, domain=(0, 100))
>>> menu = Menu.of(Publication.of(report, Levels(center=3), Levels(center=3, dispersion=3)), report)
>>> len(menu.utilities()), str(menu.top)
(26, '(3,1,1|3,3,1)')
>>> more, less, other = (Utility.of(levels) for levels in ((3, 1, 1, 3, 3, 1), (3, 1, 1, 3, 1, 1), (3, 1, 1, 3, 2, 1)))
>>> menu.tells(more, less), menu.tells(more, other)
(True, False)

The last line is the point: a spread is no coarser form of a standard deviation. What tells more is decided by the
figures themselves, never by the numbers of the levels.

`SearchSettings` say which of them is best: what measures weigh, what must be kept, and how much work may be spent.

>>> SearchSettings.of({"keep": {"rows.center": "mean"}}, beyond=4).kept(nested=False)
{('rows', 'center'): 3}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise, product
from typing import TYPE_CHECKING, Self, TypedDict, Unpack

from sharewell.algorithm import Declared, Natural, PolicyError, Protected
from sharewell.reports.figures.data import (
    AXES,
    METRICS,
    NOTHING,
    Axis,
    Convention,
    Figure,
    Levels,
    Metric,
    Publication,
    Report,
    figures,
    halves,
)
from sharewell.reports.figures.engine.numbers import coarser
from sharewell.reports.figures.engine.solvers.scip import NODES
from sharewell.roles import did_you_mean

if TYPE_CHECKING:
    from sharewell.reports.figures.engine.plan import Plan

Place = tuple[Axis, Metric]
PLACES: tuple[Place, ...] = tuple((axis, metric) for axis in AXES for metric in METRICS)
NAMES = {f"{axis}.{metric}": (axis, metric) for axis, metric in PLACES}
"""As weights and preferences name them: rows.center, columns.dispersion, …"""

LEVELS: dict[str, dict[str, int]] = {
    "center": {"mean": 3, "rounded": 2, "none": 1},
    "dispersion": {"sigma": 3, "spread": 2, "rounded": 2, "none": 1},
    "order": {"total": 3, "partial": 2, "none": 1},
    "median": {"median": 3, "rounded": 2, "none": 1},
}
"""The names of levels, by measure."""


@dataclass(frozen=True, order=True)
class Utility:
    """A utility vector: levels of centre, dispersion, order and, where there is one, median, for rows and columns."""

    rows: Levels = NOTHING
    columns: Levels = NOTHING

    @classmethod
    def of(cls, levels: Sequence[int]) -> Utility:
        half = len(levels) // 2
        return cls(Levels(*levels[:half]), Levels(*levels[half:]))

    @property
    def places(self) -> tuple[Place, ...]:
        """The measures that it speaks of: medians only where some are published."""
        medians = self.rows.median > 1 or self.columns.median > 1
        return tuple(place for place in PLACES if medians or place[1] != "median")

    @property
    def levels(self) -> tuple[int, ...]:
        return tuple(self.level(place) for place in self.places)

    def level(self, place: Place) -> int:
        axis, metric = place
        return (self.rows if axis == "rows" else self.columns).level(metric)

    def at(self, place: Place, level: int) -> Utility:
        """The same with one level changed."""
        axis, metric = place
        return replace(self, **{axis: replace(getattr(self, axis), **{metric: level})})

    def to_json(self) -> dict[str, dict[str, int]]:
        return {axis: {metric: self.level((of, metric)) for of, metric in self.places if of == axis} for axis in AXES}

    def __str__(self) -> str:
        half = len(self.levels) // 2
        rows, columns = (",".join(map(str, levels)) for levels in (self.levels[:half], self.levels[half:]))
        return f"({rows}|{columns})"


@dataclass(frozen=True, eq=False)
class Menu:
    """The figures of every measure at every level that a proposal leaves."""

    proposed: Publication
    rungs: Mapping[Place, Mapping[int, tuple[Figure, ...]]]
    coarser: bool
    """Are level 2 figures coarser forms of level 3, as they must be without true cells?"""
    _told: dict[tuple[Axis, Levels, Levels], bool] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, proposed: Publication, report: Report | None = None) -> Menu:
        """From the true cells where there are any; else from the proposed figures, each in a coarser form."""
        top = Utility(levels_shown(proposed, "rows"), levels_shown(proposed, "columns"))
        how = proposed.convention
        rungs: dict[Place, dict[int, tuple[Figure, ...]]] = {}
        for place in PLACES:
            proposed_figures = tuple(figure for figure in proposed.figures if _place(figure) == place)
            rungs[place] = {1: (), top.level(place): proposed_figures}
            if top.level(place) == 3 and report is not None:
                rungs[place][2] = _at_two(proposed, report, place)
            elif top.level(place) == 3 and (coarse := _coarser(proposed_figures, how)) is not None:
                rungs[place][2] = coarse
        return cls(proposed, rungs, report is None or how.nested)

    @property
    def top(self) -> Utility:
        """The proposal itself."""
        return Utility.of([max(self.rungs[place]) for place in PLACES])

    def utilities(self, keep: Mapping[Place, int] | None = None) -> list[Utility]:
        """Every vector below the proposal that publishes something, and keeps what must be kept."""
        if not self.proposed.figures:
            raise PolicyError("publish — the proposal has no figure — such as columns: {center: mean}")
        kept = keep or {}
        levels = [[level for level in self.rungs[place] if level >= kept.get(place, 1)] for place in PLACES]
        if any(not choice for choice in levels):
            short = [".".join(place) for place, choice in zip(PLACES, levels, strict=True) if not choice]
            raise PolicyError(f"search.keep — {', '.join(short)} — the proposal publishes less than is to be kept")
        every = [tuple(zip(PLACES, one, strict=True)) for one in product(*levels)]
        shown = [one for one in every if any(self.rungs[place][level] for place, level in one)]
        return [Utility.of([level for _, level in one]) for one in shown]

    def publish(self, utility: Utility) -> Publication:
        """What would be published at these levels."""
        shown = tuple(figure for place in PLACES for figure in self.rungs[place][utility.level(place)])
        return replace(self.proposed, figures=shown, row_levels=utility.rows, column_levels=utility.columns)

    def tells(self, more: Utility, less: Utility) -> bool:
        """Does every figure of the second vector follow from those of the first? Then the first tells no less."""
        return self._axis("rows", more.rows, less.rows) and self._axis("columns", more.columns, less.columns)

    def _axis(self, axis: Axis, more: Levels, less: Levels) -> bool:
        key = (axis, more, less)
        if key not in self._told:
            richer, poorer = (
                [figure for metric in METRICS for figure in self.rungs[axis, metric].get(one.level(metric), ())]
                for one in (more, less)
            )
            self._told[key] = implied(poorer, richer)
        return self._told[key]


def _at_two(proposed: Publication, report: Report, place: Place) -> tuple[Figure, ...]:
    """The figures of a measure at level 2; where rows have levels, those of each part, at level 2 at most."""
    axis, metric = place
    if not proposed.parts:
        return tuple(figures(report, axis, replace(NOTHING, **{metric: 2}), proposed.convention))
    parts = [
        replace(part, levels=replace(NOTHING, **{metric: min(part.levels.level(metric), 2)}))
        for part in proposed.parts
        if part.axis == axis
    ]
    return tuple(figure for part in parts for figure in part.figures(report, proposed.convention))


def levels_shown(publication: Publication, axis: Axis) -> Levels:
    """At which levels an axis is shown; of figures as they were given, by their form."""
    known = publication.row_levels if axis == "rows" else publication.column_levels
    if known is not None:
        return known
    by_metric = {metric: [f for f in publication.figures if _place(f) == (axis, metric)] for metric in METRICS}
    center, dispersion, median = (
        1 if not shown else 3 if any(f.value is not None and f.measure != "spread" for f in shown) else 2
        for shown in (by_metric["center"], by_metric["dispersion"], by_metric["median"])
    )
    order = 1 if not by_metric["order"] else 3 if _ranking(by_metric["order"]) else 2
    return Levels(center, dispersion, order, median)


def implied(less: Iterable[Figure], more: Sequence[Figure]) -> bool:
    """Does every figure follow from one of the others, or from orders among them?"""
    before = _orders(more)
    return all(
        figure.lines in before if figure.measure == "order" else any(_within(one, figure) for one in more)
        for figure in less
    )


def _within(fine: Figure, coarse: Figure) -> bool:
    """The same measure of the same line, in an interval inside."""
    same = (fine.measure, fine.axis, fine.lines) == (coarse.measure, coarse.axis, coarse.lines)
    same = same and fine.within == coarse.within
    if not same or (fine.measure == "sigma" and fine.ddof != coarse.ddof):
        return False
    low = coarse.low is None or (fine.low is not None and fine.low >= coarse.low)
    return low and (coarse.high is None or (fine.high is not None and fine.high <= coarse.high))


def _orders(shown: Sequence[Figure]) -> set[tuple[str, ...]]:
    """All pairs of lines whose means are in order, by the orders shown, by intervals apart, and by steps of both."""
    means = [figure for figure in shown if figure.measure == "mean"]
    pairs = {figure.lines for figure in shown if figure.measure == "order"}
    for one, other in product(means, means):
        if one.lines != other.lines and one.high is not None and other.low is not None and one.high <= other.low:
            pairs.add((*one.lines, *other.lines))
    names = {name for pair in pairs for name in pair}
    for middle in names:
        into = [a for a, b in pairs if b == middle]
        pairs |= {(a, b) for a in into for c, b in list(pairs) if c == middle}
    return pairs


def _place(figure: Figure) -> Place:
    """Where a figure belongs: a mean that is only bounded on one side tells an order."""
    if figure.measure in ("sigma", "spread"):
        return figure.axis, "dispersion"
    if figure.measure == "median":
        return figure.axis, "median"
    sided = figure.measure == "order" or figure.low is None or figure.high is None
    return figure.axis, "order" if sided else "center"


def _coarser(shown: Sequence[Figure], how: Convention) -> tuple[Figure, ...] | None:
    """Figures in bins that hold their whole interval; a ranking as its lower and upper half; None if that is the same.

    >>> how = Convention()
    >>> pairs = [Figure("mean", "rows", ("A",), *map(Fraction, pair)) for pair in ((62, 63), (64, 65), (60, 61))]
    >>> [(int(one.low), int(one.high)) for one in _coarser(pairs, how)]
    [(60, 66), (60, 66), (60, 66)]
    """
    ranked = _ranking(shown)
    coarse = [*halves(shown[0].axis, ranked)] if ranked else [_binned(figure, how) for figure in shown]
    return tuple(coarse) if coarse != list(shown) else None


def _binned(figure: Figure, how: Convention) -> Figure:
    if figure.low is None or figure.high is None:
        return figure
    centers = ("mean", "median")
    width: Fraction = how.bin if figure.measure in centers else how.sigma_bin
    if figure.value is not None and figure.high > figure.value:
        low, high = coarser(figure.value, figure.high - figure.value, width)
        return replace(figure, low=low if figure.measure in centers else max(low, Fraction(0)), high=high, value=None)
    # Of a pair: all pairs as wide that begin in the same bin. Were it the bins that it touches, two of them would tell
    # that the pair holds the number between them.
    begin = figure.low // width * width
    return replace(figure, low=begin, high=begin + width + figure.high - figure.low, value=None)


def _ranking(shown: Sequence[Figure]) -> list[str]:
    """Names from the lowest mean to the highest, if the figures are a chain; else nothing."""
    if not shown or any(figure.measure != "order" for figure in shown):
        return []
    if any(one.lines[1] != other.lines[0] for one, other in pairwise(shown)):
        return []
    names = [shown[0].lines[0], *(figure.lines[1] for figure in shown)]
    return names if len(set(names)) == len(names) else []


def place_named(name: str, key: str) -> Place:
    """A measure by the name that a file gives it."""
    if name not in NAMES:
        raise PolicyError(f"{key} — no measure '{name}' — {did_you_mean(name, NAMES) or ', '.join(NAMES)}")
    return NAMES[name]


def levels_of(key: str, nested: bool) -> dict[str, int]:
    """The names of the levels of a measure: a spread is no coarser form of a sigma, nor a rounded sigma a spread."""
    other = {"spread"} if nested else {"rounded"}
    return LEVELS[key] if key != "dispersion" else {n: v for n, v in LEVELS[key].items() if n not in other}


class Effort(TypedDict, total=False):
    """Settings that no file has."""

    beyond: int
    everything: bool
    nodes: int


@dataclass(frozen=True)
class SearchSettings(Declared):
    """The parameters of `aggregate`, which its page explains."""

    weights: Mapping[str, object] = field(default_factory=dict)
    keep: Mapping[str, object] = field(default_factory=dict)
    beyond: Natural = 12
    everything: bool = False
    nodes: Natural = NODES

    @classmethod
    def of(cls, search: Mapping[str, object], **more: Unpack[Effort]) -> Self:
        """As the key `search` of a report file says."""
        if search.get("undecided", "unsafe") != "unsafe":
            raise PolicyError("search.undecided — must be unsafe: what nobody could decide is never published")
        weights, keep = (_mapping(search, key) for key in ("weights", "keep"))
        try:
            return cls(weights, keep, **more)
        except ValueError as error:
            raise PolicyError(f"aggregate — {error}") from None

    def kept(self, nested: bool) -> dict[Place, int]:
        """The levels that no measure may fall below."""
        kept = {}
        for name, level in self.keep.items():
            place = place_named(name, "search.keep")
            known = levels_of(place[1], nested)
            number = known.get(level, 0) if isinstance(level, str) else level if isinstance(level, int) else 0
            if isinstance(level, bool) or number not in (1, 2, 3):
                raise PolicyError(f"search.keep.{name} — no such level — known: {', '.join(known)}, or 3, 2, 1")
            kept[place] = number
        return kept


@dataclass(frozen=True)
class Aggregated:
    """Details: what was chosen, and whether nothing of less loss is safe."""

    vector: str
    loss: float
    proven: bool
    optima: tuple[str, ...]
    vectors: int
    audited: int


@dataclass(frozen=True)
class Lowered(Protected[Publication]):
    """The report as `aggregate` returns it, and the plan behind it, which is as confidential as the cells."""

    plan: Plan | None = field(default=None, repr=False)


def _mapping(search: Mapping[str, object], key: str) -> Mapping[str, object]:
    value = search.get(key)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise PolicyError(f"search.{key} — must be a mapping of measures, such as {{rows.center: 2}}")
    return value
