"""The ways to group people and then protect the codes of each group, and the search for the one that loses least.

A way is a driver and a rule for merging: `R-T` merges clusters by their codes as long as the demographics stay within
their bound. Each is run on clusters of its own, since merging changes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, Literal, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from sharewell import registry
from sharewell.errors import Infeasible
from sharewell.joint.data import RTData
from sharewell.joint.engine.protection.class_codes import ClassCodes, CodedClass
from sharewell.joint.engine.protection.clusters import SLACK, Clusters, Rule, merge_until, merge_within
from sharewell.number_format import show
from sharewell.protocols import AnyCriterion

if TYPE_CHECKING:
    from sharewell.tables import Table
    from sharewell.wing import Wing

Rows = NDArray[np.intp]
Driver = Literal["R", "T"]
METHODS: tuple[tuple[Driver, Rule], ...] = (("R", "R"), ("R", "T"), ("R", "RT"), ("T", "R"), ("T", "T"), ("T", "RT"))
"""All six, in the order in which they are tried; of two that lose the same the first is taken."""
Start = Literal["k-member", "mondrian"]
Result = TypeVar("Result")


@runtime_checkable
class KnownCodes(Protocol):
    """A criterion of k persons and m codes."""

    k: int
    m: int


def strictest_km(name: str, data: RTData, criteria: Sequence[AnyCriterion]) -> tuple[int, int]:
    """The strictest k and m of the criteria; Infeasible where too few persons hold a code. name: the mechanism."""
    known = [one for one in criteria if isinstance(one, KnownCodes)]
    k, m = max((one.k for one in known), default=1), max((one.m for one in known), default=1)
    holding = int((data.codes.sets.lengths > 0).sum())
    if holding < k:
        problem = f"{holding} of {data.rows} persons hold a code, fewer than k = {k}"
        helps = [f"k at most {holding}"] if holding else []
        raise Infeasible(f"{name} — {problem}", blocking=[one.name for one in criteria], relaxations=helps)
    return k, m


@dataclass(frozen=True, eq=False)
class Grouped:
    """Clusters after merging, and what each shows of its codes."""

    clusters: Clusters
    coded: dict[int, CodedClass]
    merges: int
    code_loss: float
    """Mean NCP of the codes held (Tum)."""

    def released(self, data: RTData, codes: ClassCodes) -> RTData:
        """People and codes as they are published."""
        table = generalised_people(data, *self.clusters.partition())
        return replace(data, table=table, codes=codes.published(list(self.coded.values())))


@dataclass(frozen=True)
class Trial:
    """One way that was tried: what it lost, or why it was not taken."""

    method: str
    loss: float | None
    """The mean of the losses of all parts (joint NCP); None where it is out of the question."""
    demographics: float | None
    codes: float | None
    dna: float | None = None
    refused: str = ""
    """Why it could not be taken; empty where it could."""
    chosen: bool = False


def first_clusters(data: RTData, k: int, start: Start) -> tuple[Rows, Rows]:
    """Clusters of k persons or more, as (rows, starts). Records with equal cells are ordered by codes, then by DNA."""
    rows = data.codes.sets.by_content() if data.dna is None else np.argsort(data.content_rank, kind="stable")
    criterion = registry.lookup("tables", "criteria", "k-anonymity")(k)
    mechanism = registry.lookup("tables", "mechanisms", start)()
    protected = mechanism.protect(data.table.take(rows), [criterion])
    classes = protected.data.classes
    return rows[protected.rows[classes.order]], classes.starts


def generalised_people(data: RTData, order: Rows, starts: Rows) -> Table:
    """The people as they are published if rows `order[starts[i] : starts[i + 1]]` are class i."""
    tables: Wing[Table] = registry.lookup("tables", "wing", "tables")()
    people = tables.capabilities().people
    assert people is not None
    return people.generalised(data.table, order, starts)


def grouped(
    name: str,
    data: RTData,
    first: tuple[Rows, Rows],
    codes: ClassCodes,
    way: tuple[Driver, Rule],
    bound: float,
    merging: bool = True,
) -> Grouped:
    """Clusters by one pair of driver and merging rule, from the smallest clusters allowed. Raises Infeasible where the
    driver's bound is missed.

    name: the mechanism that asks. merging: if false, the first clusters stay as they are.
    """
    driver, merge = way
    clusters = Clusters(data, *first, by_codes=merge != "R")
    occurrences, merges = len(data.codes.sets.items), 0
    if driver == "R" or not merging:
        refuse_beyond(name, bound, clusters.lost, "clusters of the fewest persons allowed lose", "demographics")
        merges = merge_within(clusters, merge, bound) if merging else 0
        coded = {i: codes.of(clusters.members[i]) for i in np.flatnonzero(clusters.alive).tolist()}
    else:
        coded, merges = merge_until(clusters, merge, bound, codes, occurrences)
    lost = sum(coded_class.loss for coded_class in coded.values()) / max(1, occurrences)
    if driver == "T":
        refuse_beyond(name, bound, lost, "even all persons together lose", "codes")
    return Grouped(clusters, coded, merges, lost)


def refuse_beyond(name: str, bound: float, lost: float, cause: str, part: str, parameter: str = "bound") -> None:
    """Raise Infeasible if more is lost than the bound allows."""
    if lost > bound + SLACK:
        problem = f"{cause} {show(lost)} of the detail of the {part}, more than the bound {show(bound)}"
        enough = f"{parameter}: {min(1.0, np.ceil(lost * 1000) / 1000):g}"
        raise Infeasible(f"{name} — {problem}", blocking=[parameter], relaxations=[enough, "a smaller k or m"])


@dataclass(frozen=True, eq=False)
class Tried(Generic[Result]):
    """What a way came to."""

    trial: Trial
    result: Result


def least_lossy(ways: Iterable[tuple[str, Callable[[str, float], Tried[Result]]]]) -> tuple[Result, tuple[Trial, ...]]:
    """The result that lost least of all that were possible, and all trials. Raises Infeasible if none was.

    A way is told its name and the least that was lost so far; one that is sure to lose more may give up (Infeasible).
    Of two that lose the same the first is taken; losses are compared to nine decimals.
    """
    best: tuple[float, int, Result] | None = None
    trials: list[Trial] = []
    failed: Infeasible | None = None
    for number, (method, run) in enumerate(ways):
        try:
            tried = run(method, 1.0 if best is None else best[0])
        except Infeasible as error:
            failed = failed or error
            trials.append(Trial(method, None, None, None, refused=str(error).splitlines()[0].partition(" — ")[2]))
            continue
        trials.append(tried.trial)
        lost = round(tried.trial.loss if tried.trial.loss is not None else 1.0, 9)
        if best is None or lost < best[0]:
            best = lost, number, tried.result
    if best is None:
        assert failed is not None
        raise failed
    trials[best[1]] = replace(trials[best[1]], chosen=True)
    return best[2], tuple(trials)
