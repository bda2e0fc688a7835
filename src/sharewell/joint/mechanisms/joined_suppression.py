"""Joined suppression: coarsens or removes facts by which several datasets together identify a person.

## Guarantee
Every `joined-k-anonymity` and `joined-inference` that the policy requires holds: whatever the stated attacker knows
about a person, over all datasets at once, fits at least k persons, of whom not too many have the same sensitive value.
Criteria of single datasets are judged afterwards, as in every release.

## Adversary
That of the criteria.

## What it does not protect
What the criteria do not. Facts are coarsened or left out and none is falsified, so codes, rows and words are less
frequent in the release than in the data, rare ones most of all. `[…]` stands in notes where words were left out. Every
note lacks a word at least, or it would tell that its person had none of those that are missing; more signs in a note,
and the words beside them, may still suggest something to whoever knows what is missing.

## Parameters
suppress: the largest share of persons that may be withheld from all datasets.
coarser: how many times larger than required the classes of the people's table are made. In larger classes fewer codes,
rows and SNPs must be left out. All are tried, the largest number first, and the variant that loses least over all
datasets is taken; one is given up as soon as more is gone than another loses in all. Of few people, a smaller number
is tried besides, with which the table can still have about three classes; it is taken if it costs hardly more than a
table that tells nothing.

## Worked example
Four people, two of each age. The first two have different codes, which would single them out, and lose them. The other
two have the same code and keep it.

>>> import numpy as np
>>> from sharewell.joint.criteria.joined_k_anonymity import JoinedKAnonymity
>>> from sharewell.joint.engine.protection.fact_suppression import facts_to_leave_out
>>> from sharewell.joint.engine.joined_records import JoinedRecords
>>> from sharewell.protocols import PersonFacts
>>> who, ages = ["a", "b", "c", "d"], np.array([0, 0, 1, 1])
>>> codes = PersonFacts(who, {}, sets=(np.arange(5), np.array([0, 1, 0, 0])))
>>> facts = {"people": PersonFacts(who, {"age": ages}, ("age",)), "codes": codes}
>>> joined = JoinedRecords.of(facts, {"people": ["age"], "codes": 1})
>>> facts_to_leave_out(joined, 2).facts["codes"]["labels"].tolist()
[True, True, False, False]

## Why it is safe
A fact that fewer than k persons of a group have, or that is part of a combination which fits fewer than k, goes from
the whole group; combinations without it fit the same persons as before. Where that costs less, and enough persons of
the group then show it, a coarser fact stands in its place: a code becomes a node above it in the classification, a cell
of a row the next step of its hierarchy, a month, a quarter, a year or `*`. Persons of whom no fact is left in a dataset
are seen otherwise than the others, or the empty record would tell whose facts were left out: where fewer than k look
like that, the cheapest of several steps is taken. Their other facts in the dataset go, or the same facts of a few
others, or they are withheld from all datasets. The search then joins the records again and repeats until nothing more
has to go. The criterion itself judges what is written; it shares only the enumeration of combinations with this search.

## Cost
That of the criterion for each pass, and one run of the people's mechanism for each entry of `coarser` that is tried.

## Source
Greedy suppression as for (h,k,p)-coherence (Xu, Wang, Fu and Yu 2008), inside the classes of a table as for
(k, k^m)-anonymity (Poulis, Loukides, Gkoulalas-Divanis and Skiadopoulos 2013).
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, ClassVar

import numpy as np
import pyarrow as pa
from annotated_types import MinLen

from sharewell.algorithm import Count, Declared, Infeasible, Share
from sharewell.distinct_numbers import distinct
from sharewell.joint.criteria.joined_inference import JoinedInference
from sharewell.joint.criteria.joined_k_anonymity import JoinedKAnonymity
from sharewell.joint.engine.joined_records import JoinedRecords
from sharewell.joint.engine.protection.fact_suppression import LargestShare
from sharewell.joint.engine.protection.joint_passes import Asked, JointPasses, Passed, SuppressedFacts, facts_shown
from sharewell.protocols import JointCriterion, JointlyProtected, JointMechanism, PersonFacts, ProtectedDataset
from sharewell.record_owners import RecordOwners

_SOME_CLASSES = 3
_NOTHING_LEFT = 0.05
"""So much worse is a variant, as if it lost this share of detail more, in which a dataset tells nothing at all."""
_MOST_AGREEMENTS = 10
"""How often texts are made to agree anew, because rows of the table had to go."""
Joined = JoinedKAnonymity | JoinedInference


@dataclass(frozen=True)
class JoinedSuppressionDetails:
    coarser: int
    """How many times larger the classes of the people's table were made."""
    tried: tuple[str, ...]
    """Each variant that was tried, with the mean share of detail that it loses."""
    datasets: tuple[SuppressedFacts, ...]
    loss: float
    """Mean over the datasets, from 0 to 1."""
    suppressed_persons: int
    """Withheld from all datasets."""


@dataclass(frozen=True)
class JoinedSuppression(Declared, JointMechanism):
    """Leaves out what singles people out, in the people's classes that make it cost least."""

    coarser: Annotated[tuple[Count, ...], MinLen(1)] = (1, 2, 4, 8)
    suppress: Share = 0.2

    engine: ClassVar[str] = "judge"

    def protect(
        self, datasets: Mapping[str, ProtectedDataset], must: Sequence[JointCriterion], people: str
    ) -> JointlyProtected:
        """Of few people, large classes hold all of them: then smaller ones are tried, too."""
        smaller = self._telling(datasets, must, people)
        return replace(self, coarser=tuple(dict.fromkeys([*self.coarser, *smaller])))._protected(datasets, must, people)

    def _telling(
        self, datasets: Mapping[str, ProtectedDataset], criteria: Sequence[JointCriterion], people: str
    ) -> tuple[int, ...]:
        """The largest number with which the people's table can have about three classes, if an entry exceeds it."""
        facts = datasets[people].facts() if people in datasets else None
        k = max((one.k for one in criteria if isinstance(one, JoinedKAnonymity)), default=2)
        most = max(1, round(len({*facts.persons}) / (_SOME_CLASSES * k))) if facts is not None else max(self.coarser)
        return (most,) if most < max(self.coarser) else ()

    def _protected(
        self, datasets: Mapping[str, ProtectedDataset], must: Sequence[JointCriterion], people: str
    ) -> JointlyProtected:
        criteria = [one for one in must if isinstance(one, JoinedKAnonymity | JoinedInference)]
        k = max((one.k for one in criteria if isinstance(one, JoinedKAnonymity)), default=2)
        problems: list[str] = []
        alone = len(set(self.coarser)) == 1  # nothing is to be chosen: texts are made to agree with the table at once
        sizes = list(self._sizes(datasets, people, k, problems, must if alone else ()))
        results, given_up = self._tried(sizes, criteria, problems)
        every: list[_Variant | _GivenUp] = [*results, *given_up]
        tried = tuple(one.description for one in sorted(every, key=lambda one: -one.times))
        for one in self._least_lossy_first(results, given_up, criteria, problems):
            try:  # making texts agree with a table takes long: only with the one that is chosen
                if not alone and (agreeing := _agreeing(one.before, must)) is not None:
                    one = _Variant.of(_Size(one.times, agreeing), criteria, self.suppress)
                one = self._agreeing_without_rows(one, must, criteria)
            except Infeasible as error:
                problems.append(_problem(one.times, error))
                continue
            details = JoinedSuppressionDetails(one.times, tried, one.passed.counts, one.loss, one.passed.withheld)
            return JointlyProtected(one.left, details, tuple(zip(criteria, one.passed.findings, strict=True)))
        raise Infeasible(
            f"{self.name} — no variant makes the joint criteria hold; nothing was released",
            blocking=problems or [one.name for one in must],
            relaxations=self._relaxations(datasets, criteria, people, k),
        )

    def _relaxations(
        self, datasets: Mapping[str, ProtectedDataset], criteria: Sequence[Joined], people: str, k: int
    ) -> list[str]:
        """What was tried and would help: the largest smaller k, an attacker who knows less, more persons withheld."""

        def works(relaxed: Sequence[Joined], suppress: float) -> _Variant | None:
            for size in self._sizes(datasets, people, k, []):
                with contextlib.suppress(Infeasible):
                    return _Variant.of(size, relaxed, suppress)
            return None

        result, tried = [], []
        low, high = 1, k  # k = 1 asks for nothing, and k itself cannot be kept
        while high - low > 1:
            half = (low + high) // 2
            low, high = (half, high) if works(_with_k(criteria, half), self.suppress) else (low, half)
        if k > 2:
            tried.append(f"k from {k - 1} down to 2")
        if low > 1:
            result.append(f"k: {low} instead of {k}")
        if any(one.at_most != 1 for one in criteria):
            tried.append("at_most: 1")
            if works([replace(one, at_most=1) for one in criteria], self.suppress):
                result.append("at_most: 1, an attacker who knows one fact beside the columns")
        if self.suppress < 1:
            tried.append("suppress: 1")
            if (every := works(criteria, 1.0)) is not None:
                withheld, persons = every.passed.withheld, every.persons
                share = math.ceil(100 * withheld / max(1, persons)) / 100
                result.append(f"suppress: {share:g}, which withholds {withheld} of {persons} persons")
        if len({type(one) for one in criteria}) > 1:
            tried.append("joined-k-anonymity alone")
            if works([one for one in criteria if isinstance(one, JoinedKAnonymity)], self.suppress):
                result.append("joined-k-anonymity alone, or a larger max of joined-inference")
        return result or [f"none of these was enough: {', '.join(tried)}; let `knows` name fewer columns or datasets"]

    def _sizes(
        self,
        datasets: Mapping[str, ProtectedDataset],
        people: str,
        k: int,
        problems: list[str],
        agreeing: Sequence[JointCriterion] = (),
    ) -> Iterator[_Size]:
        """The datasets with each size of classes, the largest first.

        agreeing: criteria that hold texts against the table, if they count.
        """
        for times in sorted(set(self.coarser), reverse=True):
            try:
                before = self._coarse(datasets, people, k, times)
                if before is not None:
                    yield _Size(times, _agreeing(before, agreeing) or before)
            except Infeasible as error:
                problems.append(_problem(times, error))

    def _tried(
        self, sizes: Sequence[_Size], criteria: Sequence[Joined], problems: list[str]
    ) -> tuple[list[_Variant], list[_GivenUp]]:
        """What each size comes to, but for those that are given up because they are sure to lose more than another."""
        results: list[_Variant] = []
        given_up: list[_GivenUp] = []
        for size in sizes:
            best = min((one.rank for one in results), default=None)

            def enough(passes: JointPasses, best: float | None = best) -> None:
                """No fact comes back or becomes finer: what is lost so far is the least that will be."""
                if best is not None and (lost := _loss(passes.left, passes.counts())) > best:
                    raise _LosesMore(lost)

            try:
                results.append(_Variant.of(size, criteria, self.suppress, enough))
            except _LosesMore as more:
                given_up.append(_GivenUp(size, more.least))
            except Infeasible as error:
                problems.append(_problem(size.times, error))
        return results, given_up

    def _least_lossy_first(
        self, results: Sequence[_Variant], given_up: Sequence[_GivenUp], criteria: Sequence[Joined], problems: list[str]
    ) -> Iterator[_Variant]:
        """All variants, those that were given up last: they are needed only if texts agree with no other."""
        yield from sorted(results, key=lambda one: (one.rank, one.times))
        for one in sorted(given_up, key=lambda one: one.least):
            try:
                yield _Variant.of(one.size, criteria, self.suppress)
            except Infeasible as error:
                problems.append(_problem(one.times, error))

    def _agreeing_without_rows(
        self, one: _Variant, must: Sequence[JointCriterion], criteria: Sequence[Joined]
    ) -> _Variant:
        """With texts that say nothing of persons whose row was left out of the table after texts agreed with it."""
        gone: dict[str, set[str | None]] = {}
        for _ in range(_MOST_AGREEMENTS):
            before, changed = dict(one.before), False
            for rule in must:
                if rule.of_rows is not None:
                    table, texts = rule.named_datasets
                    known = gone.setdefault(table, set())
                    lacking = _without_row(one.left[table], one.left[texts]) - known
                    if lacking & {*facts_shown(before, table).persons}:
                        known |= lacking
                        rows = np.array([person in known for person in facts_shown(before, table).persons], dtype=bool)
                        before[texts] = before[texts].agreeing(before[table].without_facts({}, rows), rule.of_rows)
                        changed = True
            if not changed:
                return one
            one = _Variant.of(_Size(one.times, before), criteria, self.suppress)
        raise Infeasible("joined-suppression — rows of the table go again and again once texts agree with the others")

    def _coarse(
        self, datasets: Mapping[str, ProtectedDataset], people: str, k: int, times: int
    ) -> dict[str, ProtectedDataset] | None:
        if times == 1:
            return dict(datasets)
        coarse = datasets[people].coarser(k * times) if people in datasets else None
        return None if coarse is None else {**datasets, people: coarse}


@dataclass(frozen=True)
class _Size:
    """One size of classes: the datasets with it, before facts are left out."""

    times: int
    datasets: Mapping[str, ProtectedDataset]


@dataclass(frozen=True)
class _GivenUp:
    """A size that loses more than another."""

    size: _Size
    least: float
    """What it loses at least."""

    @property
    def times(self) -> int:
        return self.size.times

    @property
    def description(self) -> str:
        return f"classes {self.times} times as large: {self.least:.1%} lost or more, given up"


class _LosesMore(Exception):
    """What is gone so far is more than another variant loses in all."""

    def __init__(self, least: float) -> None:
        super().__init__()
        self.least = least


@dataclass(frozen=True)
class _Variant:
    """One size of classes, before and after facts were left out."""

    times: int
    before: Mapping[str, ProtectedDataset]
    passed: Passed
    loss: float

    @classmethod
    def of(
        cls,
        size: _Size,
        criteria: Sequence[Joined],
        suppress: float,
        after_each: Callable[[JointPasses], None] = lambda passes: None,
    ) -> _Variant:
        try:
            passed = _suppressed(size.datasets, criteria, suppress, after_each, coarsen=True)
        except Infeasible:  # a dataset's own criteria may allow nothing coarser
            passed = _suppressed(size.datasets, criteria, suppress, after_each, coarsen=False)
        return cls(size.times, size.datasets, passed, _loss(passed.left, passed.counts))

    @property
    def left(self) -> Mapping[str, ProtectedDataset]:
        return self.passed.left

    @property
    def persons(self) -> int:
        """Of all datasets, before any was withheld."""
        return _people({name: facts_shown(self.before, name) for name in self.before})

    @property
    def rank(self) -> float:
        """The loss, and more where nothing is left of a dataset."""
        return self.loss + (_NOTHING_LEFT if any(one.loss() >= 1 for one in self.left.values()) else 0)

    @property
    def description(self) -> str:
        return f"classes {self.times} times as large: {self.loss:.1%} lost, {self.passed.withheld} persons withheld"


def _problem(times: int, error: Infeasible) -> str:
    return f"classes {times} times as large: {str(error).splitlines()[0]}"


def _with_k(criteria: Sequence[Joined], k: int) -> list[Joined]:
    return [replace(one, k=min(one.k, k)) if isinstance(one, JoinedKAnonymity) else one for one in criteria]


def _agreeing(
    datasets: Mapping[str, ProtectedDataset], criteria: Sequence[JointCriterion]
) -> dict[str, ProtectedDataset] | None:
    """With texts that say no more than the table; None where no criterion holds texts against one."""
    results = dict(datasets)
    for one in criteria:
        if one.of_rows is not None:
            table, texts = one.named_datasets
            results[texts] = results[texts].agreeing(results[table], one.of_rows)
    return results if any(one.of_rows is not None for one in criteria) else None


def _without_row(table: ProtectedDataset, texts: ProtectedDataset) -> set[str | None]:
    """Persons of whom there are texts, and no row of the table."""
    rows, written = (facts_shown({"": one}, "").persons for one in (table, texts))
    return {*written} - {*rows}


def _suppressed(
    datasets: Mapping[str, ProtectedDataset],
    criteria: Sequence[Joined],
    suppress: float,
    after_each: Callable[[JointPasses], None],
    *,
    coarsen: bool,
) -> Passed:
    """Coarsen facts, leave facts out, and withhold persons, until every criterion holds."""
    least = max((one.k for one in criteria if isinstance(one, JoinedKAnonymity)), default=1)
    asked = [Asked(one, partial(_asked, one)) for one in criteria]
    passes = JointPasses(datasets, asked, least)
    done = passes.run(coarsen, after_each)
    for finding in done.findings:
        if finding.failed:
            raise Infeasible(f"joined-suppression — {finding} although all facts that may go are gone")
    if empty := [one.dataset for one in done.counts if one.facts and one.left_out == one.facts]:
        raise Infeasible(f"joined-suppression — everything would have to be left out of {', '.join(empty)}")
    everybody = _people(passes.before)
    if done.withheld > suppress * everybody:
        what = f"{done.withheld} of {everybody} persons would have to be withheld, more than suppress allows"
        raise Infeasible(f"joined-suppression — {what}")
    for name, one in done.left.items():
        if broken := one.broken():
            what = f"what is left of {name} no longer satisfies {', '.join(broken)}"
            hint = "let `knows` name as many of its codes or rows as that criterion speaks of"
            raise Infeasible(f"joined-suppression — {what} — {hint}")
    return done


def _asked(criterion: Joined, joined: JoinedRecords) -> tuple[int, list[LargestShare]]:
    """How many persons every combination must fit, and what of them may not be learnt."""
    if isinstance(criterion, JoinedKAnonymity):
        return criterion.k, []
    return 1, [LargestShare.of(joined, column, criterion.max) for column in criterion.wanted(joined)]


def _people(datasets: Mapping[str, PersonFacts]) -> int:
    """How many persons some record names; nobody is one more."""
    owners = [RecordOwners.of(facts.persons) for facts in datasets.values()]
    return len({name for one in owners for name in one.names.take(pa.array(distinct(one.codes))).to_pylist()})


def _loss(left: Mapping[str, ProtectedDataset], counts: Sequence[SuppressedFacts]) -> float:
    """The mean over datasets of what protection alone lost, and of the facts that were left out after it."""
    losses = [max(left[one.dataset].loss(), one.share) for one in counts]
    return sum(losses) / max(1, len(losses))
