"""Relaxing: what would help where a policy cannot be kept, tried in memory and measured, the cheapest first.

Each way changes one thing: a bound a little weaker, some persons withheld, another mechanism, a column left out. What
is reported did hold when it was tried, criterion by criterion. Work is bounded in steps, not in seconds, so that the
answer is the same on every machine; large tables are tried on a sample, and the answer says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Generic

from sharewell import registry
from sharewell.errors import Infeasible, SharewellError
from sharewell.findings import Number, float_of
from sharewell.keys import Key
from sharewell.number_format import show
from sharewell.parameters import values_of, with_values
from sharewell.pipeline.column_fates import lost_columns
from sharewell.pipeline.mechanism_choice import held, rule
from sharewell.pipeline.variants import matched
from sharewell.policy.algorithms import able, usual_measure
from sharewell.policy.bounds import bounding, is_number
from sharewell.policy.model import Auto, Bound, Dataset
from sharewell.progress import PartsOf, Progress, within
from sharewell.protocols import AnyCriterion, AnyMeasure, AnyMechanism
from sharewell.roles import Role
from sharewell.wing import Data, Records, Wing, trial_data

Promise = tuple[AnyMeasure, Bound]
"""A measure and the bound on it."""
Way = tuple[str, AnyCriterion]
"""A criterion, and in words how it differs from the one asked for."""

MOST_ROWS = 20_000
"""Larger tables are tried on this many of their rows."""
MOST_STEPS = 60
"""At most this many trials."""
MOST_TOLD = 8
WITHHELD = (0.01, 0.05, 0.1)
"""Shares of persons that may be withheld."""
MECHANISMS = 4
"""Other mechanisms that are tried at most."""
RESCUE_ROWS, RESCUE_STEPS = 5_000, 40
"""Rows and trials for a column that would be lost."""
LOOKS = 1_000
"""Steps that a mechanism which counts its own may take in a trial."""
_SCALE = (0.005, 0.01, 0.02, 0.05, 0.075, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.5, 2, 3, 5, 10)
_NICE = tuple(Fraction(str(value)) for value in _SCALE)
"""Bounds that people would write, for what is no whole number; 1, which bounds nothing, is none of them."""


@dataclass(frozen=True)
class Relaxation:
    """One change with which everything holds, and what it costs."""

    what: str
    measure: str
    cost: float | None
    """Against the whole original: a column that is left out counts as lost."""
    rest: float | None = None
    """Where a column is left out: what the others lose, which is how its release would be scored."""
    withheld: float = 0.0
    """Share of persons."""

    def __str__(self) -> str:
        sentence = f"{self.what}: holds, {self.measure} {show(self.cost)}"
        if self.rest is not None:
            sentence += f" ({show(self.rest)} in the other columns)"
        return sentence + (f", {100 * self.withheld:.1f} % of persons withheld" if self.withheld else "")


@dataclass(frozen=True)
class Saving:
    """What the other columns would lose without this one, for the same criteria."""

    column: str
    measure: str
    before: float
    after: float

    def __str__(self) -> str:
        losses = f"from {show(self.before)} to {show(self.after)}"
        return f"dropping {self.column} would cut the loss of the other columns ({self.measure}) {losses}"


def relaxations(
    data: Records,
    mechanism: AnyMechanism,
    criteria: Sequence[AnyCriterion],
    *,
    measure: AnyMeasure | None = None,
    promises: Sequence[Promise] = (),
    kind: str = registry.USUAL_KIND,
    steps: int = MOST_STEPS,
    progress: Progress = lambda step: None,
) -> tuple[Relaxation, ...]:
    """Every single change, tried in memory, with which the criteria and the promises about utility hold."""
    wing = registry.wing(kind)
    measure = measure or registry.lookup(kind, "utility", usual_measure(kind))()
    trying = _Trying(wing, trial_data(wing, data), tuple(promises), measure, steps, progress)
    return _ways(trying, kind, mechanism, tuple(criteria))


def _ways(
    trying: _Trying[Data], kind: str, mechanism: AnyMechanism, criteria: tuple[AnyCriterion, ...]
) -> tuple[Relaxation, ...]:
    """The cheapest first."""
    results = [
        *_weaker(trying, mechanism, criteria),
        *_withholding(trying, mechanism, criteria),
        *_other_mechanisms(trying, kind, mechanism, criteria),
        *_fewer_columns(trying, mechanism, criteria),
    ]
    results = results or list(_weaker_together(trying, mechanism, criteria))
    upwards = trying.measure.sense == "≥"
    return tuple(sorted(results, key=lambda one: _place(one.cost, upwards)))


def explained(
    wing: Wing[Data], data: Data, dataset: Dataset, error: Infeasible, progress: Progress = lambda step: None
) -> Infeasible:
    """The same refusal with what would help, measured, in front of what the mechanism itself says."""
    if not wing.capabilities().relaxations:
        return error
    sample = wing.sample(trial_data(wing, data), MOST_ROWS)
    criteria = dataset.criteria
    mechanism = dataset.using.built
    if isinstance(mechanism, Auto):
        mechanism = rule(wing, sample, mechanism.candidates, criteria)[0].built
    promises = [(one.built, one.bound) for one in dataset.utility if one.bound is not None]
    results = relaxations(
        sample,
        mechanism,
        criteria,
        measure=cost_of(dataset),
        promises=promises,
        kind=dataset.kind,
        progress=within(f"{dataset.name}: what would help", progress),
    )
    where = "" if sample.rows == data.rows else f" (tried on {sample.rows} rows)"
    measured = [f"{one}{where}" for one in results[:MOST_TOLD]]
    first = str(error).splitlines()[0]
    return Infeasible(first, blocking=error.blocking, relaxations=[*measured, *error.relaxations])


def savings(
    wing: Wing[Data], data: Data, dataset: Dataset, most: int = 3, progress: Progress = lambda step: None
) -> tuple[Saving, ...]:
    """Columns without which the same criteria would cost the other columns clearly less, the greatest saving first."""
    columns = wing.capabilities().columns
    if columns is None or not columns.droppable_columns(data):
        return ()
    measure = cost_of(dataset)
    results = []
    begin = PartsOf(f"costing each column of {dataset.name}", 1 + len(columns.droppable_columns(data)), progress)
    begin("all of them")
    try:
        released = dataset.protect(data, Key.fresh()).data
    except (SharewellError, ValueError):  # a sample may be too small for what the whole table keeps
        return ()
    for column in columns.droppable_columns(data):
        begin(f"without {column}")
        fewer = columns.without_column(data, column)
        try:
            protected = dataset.protect(fewer, Key.fresh())
        except (SharewellError, ValueError):
            continue
        before = float_of(measure.score(fewer, columns.without_column(released, column)))
        after = float_of(measure.score(fewer, protected.data))
        if before is not None and after is not None and _clearly(before, after, measure.sense):
            results.append(Saving(column, measure.name, before, after))
    return tuple(sorted(results, key=lambda one: -abs(one.before - one.after))[:most])


def rescues(
    wing: Wing[Data],
    data: Data,
    dataset: Dataset,
    columns: Sequence[str],
    base: Path,
    progress: Progress = lambda step: None,
) -> dict[str, Relaxation | None]:
    """For each of these columns the cheapest single change with which it no longer shows the same in nearly every row.

    A change that is tried for one column is not tried again for the next.
    base: the folder of the policy, from which the data is read anew where a hierarchy is left out.
    """
    if not wing.capabilities().relaxations:
        return dict.fromkeys(columns)
    measure = cost_of(dataset)
    promises = tuple((one.built, one.bound) for one in dataset.utility if one.bound is not None)
    sample, tried = trial_data(wing, data), dict[tuple[str, str | None], _Trial]()
    most = min(_most_trials(wing, sample, dataset.criteria), RESCUE_STEPS)
    begin = PartsOf(f"{dataset.name}: what would save columns that are lost", most, progress)
    best: dict[str, Relaxation | None] = {}
    for column in columns:
        trying = _Trying(wing, sample, promises, measure, RESCUE_STEPS, begin, column, tried)
        results = list(_ways(trying, dataset.kind, dataset.mechanism, tuple(dataset.criteria)))
        plain = _without_hierarchy(wing, dataset, column, base)
        if plain is not None:
            ranged = _Trying(wing, plain, promises, measure, 1, progress, column)
            ranges = ranged(f"{column} without its hierarchy, as ranges", dataset.mechanism, dataset.criteria)
            results += [] if ranges is None else [ranges]
        upwards = measure.sense == "≥"
        best[column] = min(results, key=lambda one: _place(one.cost, upwards), default=None)
    return best


def _most_trials(wing: Wing[Data], data: Data, criteria: Sequence[AnyCriterion]) -> int:
    """How many changes of one thing there are to try, where bounds are found by bisection."""
    bounds = sum(len(ladder).bit_length() for ladder in map(_steps_down, criteria))
    columns = wing.capabilities().columns
    return bounds + len(WITHHELD) + MECHANISMS + (0 if columns is None else len(columns.droppable_columns(data)))


def _telling(wing: Wing[Data], data: Data, released: Data) -> frozenset[str]:
    """Columns of a release that still tell rows apart."""
    after = {name: facts for name, facts in wing.describe(released).items() if facts.get("role") != Role.DROP}
    return frozenset(after).difference(lost_columns(wing.describe(data), after, shown_cells(wing, released)))


def _without_hierarchy(wing: Wing[Data], dataset: Dataset, column: str, base: Path) -> Data | None:
    """Some rows, with a column of numbers or dates that is generalised to ranges; None where it cannot be."""
    rule = dataset.columns.get(column)
    if rule is None or rule.hierarchy is None:
        return None
    columns = {**dataset.columns, column: replace(rule, hierarchy=None, style=None)}
    try:
        data = wing.open(replace(dataset, columns=columns), base)
    except SharewellError:
        return None
    ordered = wing.describe(data).get(column, {}).get("kind") in ("number", "date")
    return wing.sample(trial_data(wing, data), RESCUE_ROWS) if ordered else None


def shown_cells(wing: Wing[Data], released: Data) -> dict[str, list[str | None]]:
    """Quasi column → its published cells, where the wing can tell them."""
    people = wing.capabilities().people
    return {} if people is None else {name: column.to_pylist() for name, column in people.quasi_cells(released).items()}


def cost_of(dataset: Dataset) -> AnyMeasure:
    """The measure by which ways are compared: the first that is promised, else the first that is measured."""
    ordered = [*(one for one in dataset.utility if one.bound), *dataset.utility]
    usual = dataset.using.built.measured_by or usual_measure(dataset.kind)
    measure: AnyMeasure = ordered[0].built if ordered else registry.lookup(dataset.kind, "utility", usual)()
    return measure


@dataclass(frozen=True)
class _Trial:
    """What came of one change: None if it does not hold."""

    relaxation: Relaxation | None = None
    telling: frozenset[str] = frozenset()
    """Columns that still tell rows apart."""


@dataclass
class _Trying(Generic[Data]):
    """One table, one measure, and how many trials are left."""

    wing: Wing[Data]
    data: Data
    promises: tuple[Promise, ...]
    measure: AnyMeasure
    steps: int
    progress: Progress
    saved: str | None = None
    """The column that a trial must save beside keeping the criteria."""
    known: dict[tuple[str, str | None], _Trial] = field(default_factory=dict)
    """Trials of the same table, mechanism and criteria, by their words and the column left out."""

    def __call__(
        self, what: str, mechanism: AnyMechanism, must: Sequence[AnyCriterion], column: str | None = None
    ) -> Relaxation | None:
        """Does it hold, and at what cost? None if it does not, or if there is no trial left."""
        if self.steps <= 0:
            return None
        self.steps -= 1
        trial = self.known.get((what, column))
        if trial is None:
            self.progress(what)
            trial = self.known[what, column] = self._trial(what, mechanism, must, column)
        return trial.relaxation if self.saved is None or self.saved in trial.telling else None

    def _trial(
        self, what: str, mechanism: AnyMechanism, criteria: Sequence[AnyCriterion], column: str | None
    ) -> _Trial:
        columns = self.wing.capabilities().columns
        data = self.data if column is None or columns is None else columns.without_column(self.data, column)
        try:
            protected = mechanism.protect(data, criteria, Key.fresh())
            released = protected.data
            good = not any(criterion.check(released).failed for criterion in criteria)
            good = good and not any(held(m.score(data, released), bound).failed for m, bound in self.promises)
            telling = _telling(self.wing, self.data, released) if good and self.saved is not None else frozenset[str]()
            if not good or (self.saved is not None and not telling):
                return _Trial()
            cost = rest = float_of(self.measure.score(data, released))
            if column is not None and columns is not None:
                blank = columns.with_column_blank(released, self.data, column)
                cost = float_of(self.measure.score(self.data, blank))
        except (SharewellError, ValueError):
            return _Trial()
        lost = values_of(protected.details).get("suppressed_persons")
        gone = lost / self.wing.size(data)["persons"] if isinstance(lost, int) and lost else 0.0
        return _Trial(Relaxation(what, self.measure.name, cost, None if column is None else rest, gone), telling)


def _weaker(trying: _Trying[Data], mechanism: AnyMechanism, criteria: tuple[AnyCriterion, ...]) -> Iterator[Relaxation]:
    """Each criterion by itself, as little weaker as is enough."""
    for i, criterion in enumerate(criteria):

        def attempt(way: Way, i: int = i) -> Relaxation | None:
            weaker = (*criteria[:i], way[1], *criteria[i + 1 :])
            return trying(way[0], matched(mechanism, criteria, weaker), weaker)

        result = _least(_steps_down(criterion), attempt)
        if result is not None:
            yield result[1]


def _weaker_together(
    trying: _Trying[Data], mechanism: AnyMechanism, criteria: tuple[AnyCriterion, ...]
) -> Iterator[Relaxation]:
    """Where no single change is enough: every criterion at its weakest, then each as strict again as goes."""
    ladders: list[list[Way]] = [[("", one), *_steps_down(one)] for one in criteria]
    row = [ladder[-1] for ladder in ladders]

    def attempt(way: Way, i: int) -> Relaxation | None:
        tried = [*row[:i], way, *row[i + 1 :]]
        what = " and ".join(words for words, _ in tried if words)
        weaker = tuple(one for _, one in tried)
        return trying(what, matched(mechanism, criteria, weaker), weaker)

    best = None
    for i, ladder in enumerate(ladders):
        result = _least(ladder, lambda way, i=i: attempt(way, i))  # type: ignore[misc]
        if result is None:
            break
        row[i], best = result
    if best is not None:
        yield best


def _least(ladder: Sequence[Way], attempt: Callable[[Way], Relaxation | None]) -> tuple[Way, Relaxation] | None:
    """The first rung that holds, by bisection: a weaker one is taken to hold too."""
    result = attempt(ladder[-1]) if ladder else None
    low, high = -1, len(ladder) - 1
    while result is not None and high - low > 1:
        middle = (low + high) // 2
        better = attempt(ladder[middle])
        low, high, result = (middle, high, result) if better is None else (low, middle, better)
    return None if result is None else (ladder[high], result)


def _steps_down(criterion: AnyCriterion) -> list[Way]:
    """The criterion with ever weaker bounds, in words and built; empty where no parameter is its bound.

    A criterion whose bound is none of its parameters may name the one that can give way (`relaxes`).
    """
    key = bounding(criterion)
    bound = None if key is None else values_of(criterion)[key]
    if key is None or not is_number(bound):
        return []
    down = criterion.tightens == "≥"
    values: Sequence[Number]
    if isinstance(bound, int):
        values = _whole(bound) if down else [bound + step for step in range(1, 33)]
    else:
        values = [v for v in _NICE if v < bound][::-1] if down else [v for v in _NICE if v > bound]
    ladder = []
    for value in values:
        what = f"{criterion.name} with {key} = {show(value)} instead of {show(bound)}"
        try:
            number = float(value) if isinstance(bound, float) else value
            ladder.append((what, with_values(criterion, **{key: number})))
        except (ValueError, TypeError):
            continue
    return ladder


def _whole(bound: int) -> list[int]:
    """Whole numbers below, down to 2: all of them, or above a thousand some that lie further apart."""
    result, value = [], bound - 1
    while value >= 2:
        result.append(value)
        value -= max(1, value // 1000)
    return result


def _withholding(
    trying: _Trying[Data], mechanism: AnyMechanism, criteria: tuple[AnyCriterion, ...]
) -> Iterator[Relaxation]:
    """The smallest share that is enough."""
    now = values_of(mechanism).get("suppress")
    if not is_number(now):
        return
    for share in WITHHELD:
        if share > now:
            result = trying(f"suppress: {share:g}", with_values(mechanism, suppress=share), criteria)
            if result is not None:
                yield result
                return


def _other_mechanisms(
    trying: _Trying[Data], kind: str, mechanism: AnyMechanism, criteria: tuple[AnyCriterion, ...]
) -> Iterator[Relaxation]:
    others = {one.name: one for one in able(kind, criteria) if one.name != mechanism.name}
    preferred = [name for name, _ in trying.wing.preferences(trying.data, criteria) if name in others]
    for name in list(dict.fromkeys(preferred or others))[:MECHANISMS]:
        other = others[name].built
        unbounded = values_of(other).get("steps", LOOKS) is None
        result = trying(f"using {name}", with_values(other, steps=LOOKS) if unbounded else other, criteria)
        if result is not None:
            yield result


def _fewer_columns(
    trying: _Trying[Data], mechanism: AnyMechanism, criteria: tuple[AnyCriterion, ...]
) -> Iterator[Relaxation]:
    columns = trying.wing.capabilities().columns
    for column in () if columns is None else columns.droppable_columns(trying.data):
        result = trying(f"without column {column}", mechanism, criteria, column)
        if result is not None:
            yield result


def _place(cost: float | None, upwards: bool) -> tuple[bool, float]:
    return (cost is None, 0.0 if cost is None else -cost if upwards else cost)


def _clearly(before: float, after: float, sense: str) -> bool:
    """A fifth less, and not about hairs."""
    saved = after - before if sense == "≥" else before - after
    return saved >= 0.01 and saved >= 0.2 * abs(before)
