"""Retention replacement: each sensitive value is kept with a known probability, else replaced by another public value.

## Guarantee
Behind every published value, any declared value can be the true one: no true value makes the published values of a
person more than γ times as likely as another true value would, over all drawn records and columns of the person
together. γ is the largest number that `rho1-to-rho2`, `delta-growth` and the parameter `ratio` all allow. This is local
differential privacy with ε = ln γ. Other criteria in the policy are checked on the table as it would be published.

## Adversary
Reads the release, knows how values were drawn and everything about everybody else. Does not have the key.

## What it does not protect
**The published values are false** for most records where there are many values: of 15,000 codes at γ = 9 a value is the
true one with probability 0.0006, and only counts of frequent values can be estimated. Not hidden are the quasi columns,
which are published unchanged, who is in the data, and, where values are drawn within groups, the group of each value.

## Parameters
columns: sensitive column → all values that it can have, listed from public knowledge and not from the data; or → groups
of them, by name (`{infections: [A00, A09], …}`): a value is then drawn within its group, which keeps more truth and
publishes the group (small-domain randomisation).
ratio: γ for all that is drawn of one person, if no criterion says it.
rows_per_person: the most records that one person has; more are refused.

## Worked example
With ten possible values at γ = 9, half of the values are kept; with four at γ = 6, as here, two thirds. Recipients
estimate the true counts, with a standard error.

>>> import pyarrow as pa
>>> from sharewell.keys import Key
>>> from sharewell.tables import Table
>>> codes = ["none"] * 6000 + ["flu"] * 3000 + ["HIV"] * 1000
>>> table = Table.of(pa.table({"age": ["40"] * 10000, "code": codes}), quasi=["age"], sensitive=["code"])
>>> how = RetentionReplacement({"code": ["none", "flu", "HIV", "measles"]}, ratio=6)
>>> released = how.protect(table, must=[], key=Key(b"an example key of enough bytes..")).data
>>> seen = released.arrow["code"].to_pylist()
>>> estimates = released.columns["code"].drawn.estimates({value: seen.count(value) for value in set(seen)})
>>> {value: (round(count, -2), round(error)) for value, (count, error) in sorted(estimates.items())}
{'HIV': (1100.0, 68), 'flu': (2900.0, 80), 'measles': (100.0, 57), 'none': (6000.0, 89)}

## Why it is safe
Of m possible values, the true one is published with probability p = γ / (γ + m − 1) and each other one with q = 1 / (γ
+ m − 1), so that p / q = γ; p is rounded down to a multiple of 2⁻⁶⁴. Retaining the value with probability (γ − 1) / (γ
+ m − 1), and otherwise replacing it by any value, the same one included, amounts to the same. If a person has c records
and d drawn columns, each value is drawn with the (c·d)-th root of γ, so that the product over all of them is within γ.
Draws are independent of each other, and come from the secret key, the parameters, γ and the table itself: a table that
changed is drawn again, and both releases together have the ratio γ² for people who are in both. Within a group that
holds the share s of the records, the mechanism allows only the ratio that keeps a belief of ρ₁ / s within bounds; where
no ratio does, the release is Infeasible.

## Cost
O(n log n) for n records.

## Source
Warner, 1965; Agrawal, Srikant and Thomas, 2005 (retention replacement); Evfimievski, Gehrke and Srikant, 2003; Chaytor
and Wang, 2010 (small domains).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated, ClassVar

import numpy as np
import pyarrow as pa
from annotated_types import Gt, MinLen

from sharewell.algorithm import Criteria, DataError, Infeasible, Key, Mechanism, PolicyError, Protected, refuse_failing
from sharewell.key_scope import described, drawing_key
from sharewell.parameters import Count, Declared
from sharewell.roles import Role, did_you_mean
from sharewell.spelling import fold
from sharewell.tables.data import Column, Ints, Table, encode
from sharewell.tables.engine.drawn_values import BoundsRatio, DrawnValues, ValueGroup, most_truthful
from sharewell.tables.engine.protection.partitioning.preconditions import refuse_unfit
from sharewell.tables.engine.protection.perturbation.cell_writer import released
from sharewell.tables.engine.protection.row_order import by_content
from sharewell.wing import ColumnFacts

Listed = Sequence[str] | Mapping[str, Sequence[str]]
_HELPS = ("fewer values, in groups", "a weaker bound", "fewer records a person")


@dataclass(frozen=True)
class RetentionDetails:
    """How each column was drawn; how many values changed stays inside."""

    columns: dict[str, DrawnValues]
    changed: dict[str, int]

    @property
    def dictionary(self) -> dict[str, ColumnFacts]:
        return {name: how.facts for name, how in self.columns.items()}


@dataclass(frozen=True)
class RetentionReplacement(Declared, Mechanism[Table]):
    """Sensitive values that are true with a known probability."""

    columns: Annotated[Mapping[str, Listed], MinLen(1)]
    ratio: Annotated[Fraction, Gt(1)] | None = None
    rows_per_person: Count = 1

    engine: ClassVar[tuple[str, ...]] = ("largest_ratio", "check")
    refuses: ClassVar[tuple[str, ...]] = ("personalised-privacy",)
    """Drawn values have no tree in which a person could guard a node."""
    falsifies: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        groups = {name: _groups(name, listed) for name, listed in self.columns.items()}
        if any(len(one) > 1 for one in groups.values()) and (len(groups) > 1 or self.rows_per_person > 1):
            raise ValueError("columns — groups of values need one drawn column and one record a person")

    def protect(self, data: Table, must: Criteria[Table], key: Key | None = None) -> Protected[Table]:
        refuse_unfit(self.name, data)
        self._refuse_many_rows(data)
        bounds = [one for one in must if isinstance(one, BoundsRatio)]
        if self.ratio is None and not bounds:
            hint = "ask for rho1-to-rho2 or delta-growth, or give a ratio"
            raise PolicyError(f"{self.name} — the policy does not say how truthful values may be — {hint}")
        drawing = drawing_key(key or Key.fresh(), self, data.content)
        order, others, drawn, changed = by_content(data), {}, {}, {}
        for name in sorted(self.columns):
            column = self._column(data, name)
            groups = _groups(name, self.columns[name])
            place = _declared(self.name, column, groups)
            how = self._draws(groups, place, bounds)
            shown = np.empty(data.rows, dtype=np.int64)
            shown[order] = _drawn(place[order], how, _own_key(drawing, how) if bounds else drawing, name)
            values = pa.array([value for group in groups for value in group], pa.string())
            array = values.take(pa.array(shown))
            others[name] = (array, replace(encode(name, Role.SENSITIVE, array, kind="text"), drawn=how))
            drawn[name], changed[name] = how, int((shown != place).sum())
        out = released(data, None, others)
        refuse_failing(self.name, out, must, _HELPS)
        return Protected(out, RetentionDetails(drawn, changed), np.arange(data.rows), reproducible=key is not None)

    def _column(self, data: Table, name: str) -> Column:
        if name not in data.schema.sensitive:
            hint = did_you_mean(name, data.schema.sensitive) or "only sensitive columns are drawn"
            raise PolicyError(f"{self.name} — no sensitive column '{name}' — {hint}")
        return data.columns[name]

    def _refuse_many_rows(self, data: Table) -> None:
        if data.subject is None:
            return
        if data.subject.has_missing:
            nobody = int((data.subject.codes == data.subject.size - 1).sum())
            raise DataError(f"{self.name} — {nobody} record(s) name no person — fill the subject column")
        most = int(np.bincount(data.subject.codes).max(initial=0))
        if most > self.rows_per_person:
            problem = f"somebody has {most} records, and rows_per_person is {self.rows_per_person}"
            raise DataError(f"{self.name} — {problem} — raise it, or give one record a person")

    def _draws(self, groups: list[tuple[str, ...]], place: Ints, bounds: Sequence[BoundsRatio]) -> DrawnValues:
        """How truthful the values of each group may be, for all records and columns of a person together."""
        together = self.rows_per_person * len(self.columns)
        owner = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
        sizes = np.bincount(owner[place], minlength=len(groups))
        results = []
        for group, size in zip(groups, sizes.tolist(), strict=True):
            share = Fraction(size, len(place)) if size and len(groups) > 1 else Fraction(1)
            allowed = [one.largest_ratio(share) for one in bounds] + ([] if self.ratio is None else [self.ratio])
            drawn = None if min(allowed) <= 1 else most_truthful(min(allowed), len(group), together)
            if drawn is None:
                problem = f"{len(group)} value(s) of one group can tell nothing within the bounds"
                raise Infeasible(f"{self.name} — {problem}", relaxations=list(_HELPS))
            results.append(ValueGroup(group, drawn))
        return DrawnValues(tuple(results), self.rows_per_person)


def _own_key(key: Key, how: DrawnValues) -> Key:
    """Criteria are no parameters: without this, releases of one table under two bounds would be drawn alike.

    Whoever had both would find the truth wherever they differ.
    """
    return Key(key.digest("retention as", described(how)))


def _groups(name: str, listed: Listed) -> list[tuple[str, ...]]:
    """The declared values, group by group."""
    groups = [listed] if not isinstance(listed, Mapping) else list(listed.values())
    if any(isinstance(one, str) or len(one) < 2 for one in groups) or not groups:
        raise ValueError(f"columns — {name}: list at least two values, or groups of at least two")
    results = [tuple(str(value) for value in one) for one in groups]
    spelt = [fold(value) for one in results for value in one]
    if len(set(spelt)) < len(spelt) or "" in spelt:
        raise ValueError(f"columns — {name}: values must be there, and all different, also in case and blanks")
    return results


def _declared(mechanism: str, column: Column, groups: list[tuple[str, ...]]) -> Ints:
    """The place of each record's value among the declared ones."""
    place = np.full(column.size, -1, dtype=np.int64)
    for i, value in enumerate(value for group in groups for value in group):
        place[column.codes_of(value)] = i
    result = place[column.codes]
    if strange := int((result < 0).sum()):
        problem = f"column {column.name} — {strange} record(s) without a declared value"
        raise DataError(f"{mechanism} — {problem} — declare it, or fill in what is missing")
    return result


def _drawn(place: Ints, how: DrawnValues, key: Key, column: str) -> Ints:
    """The place of the value to publish, for records in the order of their content."""
    sizes = np.array([len(group.values) for group in how.groups], dtype=np.int64)
    owner = np.repeat(np.arange(len(sizes)), sizes)[place]
    begin, size = (np.cumsum(sizes) - sizes)[owner], sizes[owner]
    kept = np.array([group.drawn.kept for group in how.groups], dtype=np.uint64)[owner]
    first, high, low = key.words(f"retention {column}", 3 * len(place)).reshape(3, -1)
    # 128 bits modulo the number of other values: no value is preferred by more than 2⁻⁶⁴ of its probability.
    others = (size - 1).astype(np.uint64)
    wrap = np.uint64(2**64 - 1) % others + np.uint64(1)
    step = 1 + ((high % others) * (wrap % others) + low % others) % others
    moved = begin + (place - begin + step.astype(np.int64)) % size
    return np.where(first < kept, place, moved)
