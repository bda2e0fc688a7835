"""What the compiled judge (`node_kernel`) needs to know of a criterion, column by column.

Only where every record is another person's: persons with several records are left to the criterion itself, and so is
whatever does not fit 64 bits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from sharewell.tables.criteria.alpha_k_anonymity import AlphaKAnonymity
from sharewell.tables.criteria.beta_likeness import BetaLikeness
from sharewell.tables.criteria.delta_disclosure import DeltaDisclosure
from sharewell.tables.criteria.delta_presence import DeltaPresence
from sharewell.tables.criteria.entropy_l_diversity import EntropyLDiversity
from sharewell.tables.criteria.epsilon_m_anonymity import EpsilonMAnonymity
from sharewell.tables.criteria.journalist_risk import JournalistRisk
from sharewell.tables.criteria.k_anonymity import KAnonymity
from sharewell.tables.criteria.k_map import KMap
from sharewell.tables.criteria.l_diversity import LDiversity
from sharewell.tables.criteria.marketer_risk import MarketerRisk
from sharewell.tables.criteria.prosecutor_risk import ProsecutorRisk
from sharewell.tables.criteria.recursive_l_diversity import RecursiveLDiversity
from sharewell.tables.criteria.sample_uniqueness import SampleUniqueness
from sharewell.tables.criteria.t_closeness import TCloseness
from sharewell.tables.data import Classes, Column, Floats, Ints, Table
from sharewell.tables.engine.array_types import Judges, Values
from sharewell.tables.engine.checks.distributions import WeightedClasses
from sharewell.tables.engine.checks.exact_averages import OverallCriterion
from sharewell.tables.engine.checks.exact_criteria import SHARE_ROUNDS
from sharewell.tables.engine.checks.population_classes import PerClassCriterion, PopulationClassCriterion
from sharewell.tables.engine.checks.reference_criterion import ReferenceComparison, ReferenceCriterion
from sharewell.tables.engine.checks.sensitive_columns import having, sensitive_columns
from sharewell.tables.engine.protection.lattice.rollup import TableTuples

DISTINCT, ENTROPY, RECURSIVE, SHARES, PARTITIONS, ORDERED, WINDOWS, SIZE, PEOPLE, PRESENCE = range(10)
"""Kinds of judges."""
_SYMMETRIC = (DISTINCT, ENTROPY, RECURSIVE, SIZE)
"""Those to which it does not matter which values occur."""
SMALL = 64
"""Up to this many records in a class, shares of values are looked up rather than reckoned."""
FAILS, CERTAIN, UNSURE = 1, 2, 3
"""Verdicts: a class fails; all its records are withheld at every lower node as well; its criterion must decide."""
Kept = TypeVar("Kept", bound=np.generic)
_MOST = 2**62
_NO_WHOLE = np.zeros((1, 1), dtype=np.int64)
_NO_FEW = np.zeros((1, 1), dtype=np.int32)
_NO_REAL = np.zeros((1, 1))


@dataclass(frozen=True, eq=False)
class ColumnJudge:
    """A criterion about one column, in numbers: see the judges of each kind for what these mean."""

    kind: int
    column: str | None
    """None if it is about the size of classes alone."""
    scalars: Ints
    whole: Ints
    few: Values
    real: Floats


@dataclass(frozen=True, eq=False)
class PackedJudges:
    """The judges of several criteria, one below the other, as the kernel wants them."""

    arrays: Judges

    @cached_property
    def symmetric(self) -> bool:
        """Does it matter to none of them which values occur?"""
        return all(kind in _SYMMETRIC for kind in self.arrays[0].tolist())

    @cached_property
    def known_values(self) -> list[tuple[int, int]]:
        """From where to before which place the known values of each judge's column lie in a row of counts."""
        begins, known = self.arrays[1].tolist(), self.arrays[3][:, 1].tolist()
        return [(begin, begin + number) for begin, number in zip(begins, known, strict=True)]

    @classmethod
    def of(
        cls,
        criteria: Sequence[PerClassCriterion],
        safe: Sequence[bool],
        least_records: int,
        space: TableTuples,
        people: Mapping[int, int],
        overall: Sequence[OverallCriterion] = (),
    ) -> PackedJudges | None:
        """None if one of them, or of the columns that it judges, is not for the kernel.

        least_records: how many a class needs by any criterion. people: by the identity of each criterion that wants to
        know who fits a class, how many people there are.
        """
        judges, flags, begins = [], [], []
        for i, criterion in enumerate(criteria):
            built = column_judges(criterion, space.table, people.get(id(criterion), 0))
            if built is None or any(one.column is not None and one.column not in space.counted for one in built):
                return None
            judges += built
            flags += [[criterion.growing, safe[i], least_records]] * len(built)
            place = list(people).index(id(criterion)) if id(criterion) in people else 0
            begins += [place if one.column is None else space.counted[one.column] for one in built]
        bound = _overall(overall, space.table, people)
        return None if bound is None else cls(_packed(judges, begins, flags, bound))


def _packed(
    judges: Sequence[ColumnJudge], begins: Sequence[int], flags: Sequence[Sequence[int]], bound: Ints
) -> Judges:
    return (
        np.array([one.kind for one in judges], dtype=np.int64),
        np.array(begins, dtype=np.int64),
        np.array(flags, dtype=np.int64).reshape(-1, 3),
        _stacked([one.scalars[None, :] for one in judges], _NO_WHOLE)[:, 0].copy(),
        _stacked([one.whole for one in judges], _NO_WHOLE),
        _stacked([one.few for one in judges], _NO_FEW),
        _stacked([one.real for one in judges], _NO_REAL),
        bound,
    )


def _overall(criteria: Sequence[OverallCriterion], table: Table, people: Mapping[int, int]) -> Ints | None:
    """What `riskiest` is given: the least size (0 for an average), the numbers of the share, whose people count (−1 if
    nobody's do), and whether the list must have everybody; nothing where no criterion is about all classes."""
    if not criteria:
        return np.zeros(0, dtype=np.int64)
    criterion = criteria[0]
    least, share = overall_bound(criterion)
    most = max(table.rows, least, *people.values(), 0)
    fits = most < 2**31 and table.rows * max(share.numerator, share.denominator) < _MOST
    if not share or not fits or len(criteria) > 1 or not table.rows:
        return None
    place, fully = -1, False
    if isinstance(criterion, JournalistRisk):
        place, fully = list(people).index(id(criterion)), criterion.covers == "fully"
    return np.array([least, share.numerator, share.denominator, place, fully], dtype=np.int64)


def overall_bound(criterion: OverallCriterion) -> tuple[int, Fraction]:
    """What share of the records may be in classes of fewer than so many people (0: the number of classes may be what
    share of that of records); no share where that is not for the kernel."""
    if type(criterion) is MarketerRisk and criterion.population is None:
        return 0, criterion.max
    if type(criterion) is SampleUniqueness:
        return 2, criterion.max
    if type(criterion) in (ProsecutorRisk, JournalistRisk):
        assert isinstance(criterion, ProsecutorRisk | JournalistRisk)
        return -(-criterion.max.denominator // criterion.max.numerator), criterion.share
    return 0, Fraction(0)


def _stacked(parts: Sequence[NDArray[Kept]], nothing: NDArray[Kept]) -> NDArray[Kept]:
    """Matrices of different size, one below the other."""
    shapes = [part.shape for part in parts] or [(1, 1)]
    stack = np.zeros((len(parts), max(a for a, _ in shapes), max(b for _, b in shapes)), dtype=nothing.dtype)
    for i, part in enumerate(parts):
        stack[i, : part.shape[0], : part.shape[1]] = part
    return stack


def has_judge(criterion: object) -> bool:
    """Is it for the kernel, if its numbers fit?"""
    return type(criterion) in _BUILDERS or type(criterion) in (DeltaPresence, JournalistRisk, KMap)


def column_judges(criterion: object, table: Table, people: int = 0) -> list[ColumnJudge] | None:
    """One for each column that the criterion judges; None where it is left to the criterion.

    people: how many there are in its population.
    """
    build = _BUILDERS.get(type(criterion))
    if table.several_records or not table.rows:
        return None
    if isinstance(criterion, PopulationClassCriterion):
        return _by_people(criterion, max(people, table.rows))
    if build is None:
        return None
    rows = np.arange(table.rows)
    built = list(build(criterion, Classes(rows, np.array([0, table.rows]), table.columns)))
    return None if any(one is None for one in built) else [one for one in built if one is not None]


def _judge(
    kind: int,
    column: Column,
    *scalars: int,
    whole: Sequence[Ints] | None = None,
    few: Sequence[Values] | None = None,
    real: Sequence[Floats] | None = None,
) -> ColumnJudge | None:
    """None where a number is too large."""
    if any(abs(number) >= _MOST for number in scalars):
        return None
    numbers = np.array([column.size, column.known, *scalars], dtype=np.int64)
    tables = _rows(whole, _NO_WHOLE), _rows(few, _NO_FEW), _rows(real, _NO_REAL)
    return ColumnJudge(kind, column.name, numbers, *tables)


def _rows(parts: Sequence[NDArray[Kept]] | None, nothing: NDArray[Kept]) -> NDArray[Kept]:
    """Rows of different length, one below the other."""
    if parts is None:
        return nothing
    rows = np.zeros((len(parts), max(map(len, parts))), dtype=nothing.dtype)
    for row, part in zip(rows, parts, strict=True):
        row[: len(part)] = part
    return rows


def _size(criterion: KAnonymity | ProsecutorRisk, every: Classes) -> Iterator[ColumnJudge | None]:
    yield ColumnJudge(SIZE, None, np.array([0, 0, criterion.least_records]), _NO_WHOLE, _NO_FEW, _NO_REAL)


def _by_people(criterion: PopulationClassCriterion, people: int) -> list[ColumnJudge] | None:
    """k-map, journalist risk and presence, told by the people who fit a class."""
    fully = int(criterion.covers == "fully")
    if type(criterion) is KMap:
        kind, numbers = PEOPLE, [criterion.k]
    elif type(criterion) is JournalistRisk:
        kind, numbers = PEOPLE, [-(-criterion.max.denominator // criterion.max.numerator)]
    elif type(criterion) is DeltaPresence and (criterion.complete or not criterion.min):
        bounds = criterion.max, criterion.min
        kind, numbers = PRESENCE, [number for bound in bounds for number in bound.as_integer_ratio()]
    else:
        return None
    scalars = np.array([0, 0, fully, *numbers], dtype=object)
    if max(numbers) * people >= _MOST:
        return None
    return [ColumnJudge(kind, None, scalars.astype(np.int64), _NO_WHOLE, _NO_FEW, _NO_REAL)]


def _distinct(criterion: LDiversity, every: Classes) -> Iterator[ColumnJudge | None]:
    for column in sensitive_columns(criterion.name, every, criterion.column):
        yield _judge(DISTINCT, column, criterion.l)


def _entropy(criterion: EntropyLDiversity, every: Classes) -> Iterator[ColumnJudge | None]:
    for column in sensitive_columns(criterion.name, every, criterion.column):
        terms = np.append(math.log(criterion.l), criterion.terms(len(every.order)))
        corrected = criterion.estimator == "grassberger"
        yield _judge(ENTROPY, column, math.ceil(criterion.l), corrected, real=[terms])


def _recursive(criterion: RecursiveLDiversity, every: Classes) -> Iterator[ColumnJudge | None]:
    for column in sensitive_columns(criterion.name, every, criterion.column):
        c, rows = criterion.c, len(every.order)
        fits = rows * max(c.numerator, c.denominator) < _MOST and criterion.l <= column.size + 1
        yield _judge(RECURSIVE, column, criterion.l, c.numerator, c.denominator) if fits else None


def _beta(criterion: BetaLikeness, every: Classes) -> Iterator[ColumnJudge | None]:
    for comparison, column, reference in _comparisons(criterion, every):
        beta, total = criterion.beta, int(comparison.total)
        limits = criterion.limits(comparison)[_own(comparison, column)]
        most = criterion.largest_shares(comparison)[_own(comparison, column)]
        scale = [total * beta.denominator, 1, int((beta + 1) * beta.denominator) * int(reference.max())]
        below = np.full(column.size, scale[0]), reference * int((beta + 1) * beta.denominator)
        fits = max(SMALL, len(every.order)) * max(scale) < _MOST
        yield _shares(column, below, None, limits, most) if fits else None


def _delta(criterion: DeltaDisclosure, every: Classes) -> Iterator[ColumnJudge | None]:
    for comparison, column, reference in _comparisons(criterion, every):
        if criterion.delta.denominator > 1 or criterion.delta > 60:
            yield None
            continue
        factor, total = 2 ** int(criterion.delta), int(comparison.total)
        below = np.full(column.size, total), reference * factor
        above = np.full(column.size, total * factor), reference
        most = factor * reference / total
        fits = max(SMALL, len(every.order)) * total * factor < _MOST
        yield _shares(column, below, above, None, most, strict=True) if fits else None


def _alpha(criterion: AlphaKAnonymity, every: Classes) -> Iterator[ColumnJudge | None]:
    for column in sensitive_columns(criterion.name, every, criterion.column):
        guarded = np.ones(column.size, dtype=bool) if criterion.values is None else having(column, criterion.values)
        alpha = criterion.alpha
        below = np.where(guarded, alpha.denominator, 0), np.where(guarded, alpha.numerator, 1)
        most = np.where(guarded, float(alpha), 1.0)
        fits = max(SMALL, len(every.order)) * alpha.denominator < _MOST
        yield _shares(column, below, None, None, most, least=criterion.k) if fits else None


def _shares(
    column: Column,
    below: tuple[Ints, Ints],
    above: tuple[Ints, Ints] | None,
    limits: Floats | None,
    most: Floats,
    *,
    strict: bool = False,
    least: int = 0,
) -> ColumnJudge | None:
    low = above or (np.ones(column.size, dtype=np.int64), np.zeros(column.size, dtype=np.int64))
    limits = np.full(column.size, np.inf) if limits is None else limits
    tables = list(_small_classes([*below, *low], strict, limits, most))
    kept = tables[-SMALL - 1 :]
    possible = (size for size in range(1, SHARE_ROUNDS + 1) if kept[size].sum() >= size)
    least = max(least, next(possible, SHARE_ROUNDS + 1))  # so many rounds are enough to withhold smaller ones
    few = [np.minimum(row, SMALL + 1).astype(np.int32) for row in tables]
    return _judge(SHARES, column, strict, least, whole=[*below, *low], few=few, real=[limits, most])


def _small_classes(whole: Sequence[Ints], strict: bool, limits: Floats, most: Floats) -> Iterator[Ints]:
    """For classes of 0, 1, … `SMALL` records: the most records that each value may have, so that it holds; then the
    fewest, if it occurs; then the most that parts which hold can keep."""
    sizes, counts = np.arange(SMALL + 1)[:, None, None], np.arange(SMALL + 1)[:, None]
    too_many = (counts * whole[0] + strict > sizes * whole[1]) | (counts / np.maximum(1, sizes) > limits)
    yield from (~too_many[:, 1:]).sum(axis=1)
    yield from (sizes * whole[3] + strict > counts * whole[2]).sum(axis=1)
    yield from np.floor(most * sizes[:, 0] + 1e-6).astype(np.int64)


def _closeness(criterion: TCloseness, every: Classes) -> Iterator[ColumnJudge | None]:
    for comparison, column, _ in _comparisons(criterion, every):
        t, total, rows = criterion.t, int(comparison.total), len(every.order)
        own, (parts, expected) = _own(comparison, column), criterion.parts(comparison)
        parts = [np.minimum(part, len(expected) - 1) for part in parts]  # values that nobody has may lie beyond
        fits = rows * total * max(1, len(parts), len(expected)) * max(t.numerator, t.denominator) < _MOST
        if not fits or not parts:
            yield None
        elif criterion.distance == "ordered":
            yield _judge(
                ORDERED,
                column,
                t.numerator,
                t.denominator,
                total,
                len(expected),
                whole=[parts[0][own], np.cumsum(expected)],
            )
        else:
            numbers, whole = (total, len(parts), len(expected)), [*(part[own] for part in parts), expected]
            yield _judge(PARTITIONS, column, t.numerator, t.denominator, *numbers, whole=whole, real=[expected / total])


def _windows(criterion: EpsilonMAnonymity, every: Classes) -> Iterator[ColumnJudge | None]:
    for column in sensitive_columns(criterion.name, every, criterion.column):
        rank, low, high = criterion.windows(column)
        order = np.argsort(rank, kind="stable")
        fits = (np.diff(rank[order]) == 1).all() and len(every.order) * criterion.m < _MOST
        yield _judge(WINDOWS, column, criterion.m, whole=[order, low, high]) if fits else None


def _comparisons(criterion: ReferenceCriterion, every: Classes) -> Iterator[tuple[ReferenceComparison, Column, Ints]]:
    """Each column beside the reference, and what the reference has of its values."""
    columns = sensitive_columns(criterion.name, every, criterion.column)
    for column, comparison in zip(columns, criterion.comparisons(WeightedClasses(every)), strict=True):
        yield comparison, column, np.asarray(comparison.reference[_own(comparison, column)], dtype=np.int64)


def _own(comparison: ReferenceComparison, column: Column) -> Ints:
    """The code that each value of the column has beside the reference."""
    place = comparison.expected.place
    return np.arange(column.size) if place is None else place


_BUILDERS: dict[type, Callable[..., Iterator[ColumnJudge | None]]] = {
    AlphaKAnonymity: _alpha,
    BetaLikeness: _beta,
    DeltaDisclosure: _delta,
    EntropyLDiversity: _entropy,
    EpsilonMAnonymity: _windows,
    KAnonymity: _size,
    LDiversity: _distinct,
    ProsecutorRisk: _size,
    RecursiveLDiversity: _recursive,
    TCloseness: _closeness,
}
