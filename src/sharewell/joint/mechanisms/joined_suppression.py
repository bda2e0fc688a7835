"""Joined suppression: coarsens or leaves out facts by which a person is found in several datasets taken together.

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
rows and SNPs must be left out. The largest number is tried first, then smaller ones until one loses more over all
datasets than one before it; the variant that loses least is taken. Of few people, a smaller number is tried besides,
with which the table can still have about three classes; it is taken if it costs hardly more than a table that tells
nothing.

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

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

import numpy as np
import pyarrow as pa
from annotated_types import MinLen

from sharewell.distinct_numbers import distinct
from sharewell.errors import Infeasible
from sharewell.joint.criteria.joined_inference import JoinedInference
from sharewell.joint.criteria.joined_k_anonymity import JoinedKAnonymity
from sharewell.joint.engine.attacker_knowledge import known_parts
from sharewell.joint.engine.joined_records import JoinedRecords, TooManyRows
from sharewell.joint.engine.protection.fact_suppression import LargestShare, LeftOut, coarsened, facts_to_leave_out
from sharewell.joint.engine.row_covers import CannotTell
from sharewell.parameters import Count, Declared, Share
from sharewell.protocols import (
    CoarserFacts,
    JointCriterion,
    JointlyProtected,
    JointMechanism,
    PersonFacts,
    ProtectedDataset,
)
from sharewell.record_owners import RecordOwners

_MOST_PASSES = 50
_COARSENING_PASSES = 25
"""After these, what still cannot stay is left out."""
_SOME_CLASSES = 3
_NOTHING_LEFT = 0.05
"""So much worse is a variant, as if it lost this share of detail more, in which a dataset tells nothing at all."""
_MOST_AGREEMENTS = 10
"""How often texts are made to agree anew, because rows of the table had to go."""
Joined = JoinedKAnonymity | JoinedInference


@dataclass(frozen=True)
class SuppressedFacts:
    """How many facts of each dataset were left out."""

    dataset: str
    facts: int
    left_out: int
    records: int
    """Records that were left out as a whole."""


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
        self, datasets: Mapping[str, ProtectedDataset], must: Sequence[JointCriterion], people: str
    ) -> tuple[int, ...]:
        """The largest number with which the people's table can have about three classes, if an entry exceeds it."""
        facts = datasets[people].facts() if people in datasets else None
        k = max((one.k for one in must if isinstance(one, JoinedKAnonymity)), default=2)
        most = max(1, round(len({*facts.persons}) / (_SOME_CLASSES * k))) if facts is not None else max(self.coarser)
        return (most,) if most < max(self.coarser) else ()

    def _protected(
        self, datasets: Mapping[str, ProtectedDataset], must: Sequence[JointCriterion], people: str
    ) -> JointlyProtected:
        criteria = [one for one in must if isinstance(one, JoinedKAnonymity | JoinedInference)]
        k = max((one.k for one in criteria if isinstance(one, JoinedKAnonymity)), default=2)
        problems: list[str] = []
        alone = len(set(self.coarser)) == 1  # nothing is to be chosen: texts are made to agree with the table at once
        variants = self._variants(datasets, criteria, people, k, problems, must if alone else ())
        results = _until_worse(variants)
        tried = tuple(one.told for one in results)
        for one in sorted(results, key=lambda variant: (variant.rank, variant.times)):
            try:  # making texts agree with a table takes long: only with the one that is chosen
                one = one if alone else self._agreeing(one, must, criteria)
                one = self._agreeing_without_rows(one, must, criteria)
            except Infeasible as error:
                problems.append(f"classes {one.times} times as large: {str(error).splitlines()[0]}")
                continue
            details = JoinedSuppressionDetails(one.times, tried, one.counts, one.loss, one.withheld)
            return JointlyProtected(one.left, details)
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
            variants = replace(self, suppress=suppress)._variants(datasets, relaxed, people, k, [])
            return next(iter(variants), None)

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
                share = math.ceil(100 * every.withheld / max(1, every.persons)) / 100
                result.append(f"suppress: {share:g}, which withholds {every.withheld} of {every.persons} persons")
        if len({type(one) for one in criteria}) > 1:
            tried.append("joined-k-anonymity alone")
            if works([one for one in criteria if isinstance(one, JoinedKAnonymity)], self.suppress):
                result.append("joined-k-anonymity alone, or a larger max of joined-inference")
        return result or [f"none of these was enough: {', '.join(tried)}; let `knows` name fewer columns or datasets"]

    def _variants(
        self,
        datasets: Mapping[str, ProtectedDataset],
        criteria: Sequence[Joined],
        people: str,
        k: int,
        problems: list[str],
        agreeing: Sequence[JointCriterion] = (),
    ) -> Iterator[_Variant]:
        """What each size of classes comes to, the largest first.

        agreeing: criteria that hold texts against the table, if they count.
        """
        for times in sorted(set(self.coarser), reverse=True):
            try:
                before = self._variant(datasets, people, k, times)
                if before is not None:
                    yield _Variant.of(times, _agreeing(before, agreeing) or before, criteria, self.suppress)
            except Infeasible as error:
                problems.append(f"classes {times} times as large: {str(error).splitlines()[0]}")

    def _agreeing(self, one: _Variant, must: Sequence[JointCriterion], criteria: Sequence[Joined]) -> _Variant:
        """With texts that say no more than the table of this variant."""
        agreeing = _agreeing(one.before, must)
        return one if agreeing is None else _Variant.of(one.times, agreeing, criteria, self.suppress)

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
                    if lacking & {*_facts(before, table).persons}:
                        known |= lacking
                        rows = np.array([person in known for person in _facts(before, table).persons], dtype=bool)
                        before[texts] = before[texts].agreeing(before[table].without_facts({}, rows), rule.of_rows)
                        changed = True
            if not changed:
                return one
            one = _Variant.of(one.times, before, criteria, self.suppress)
        raise Infeasible("joined-suppression — rows of the table go again and again once texts agree with the others")

    def _variant(
        self, datasets: Mapping[str, ProtectedDataset], people: str, k: int, times: int
    ) -> dict[str, ProtectedDataset] | None:
        if times == 1:
            return dict(datasets)
        coarse = datasets[people].coarser(k * times) if people in datasets else None
        return None if coarse is None else {**datasets, people: coarse}


@dataclass(frozen=True)
class _Variant:
    """One size of classes, before and after facts were left out."""

    times: int
    before: Mapping[str, ProtectedDataset]
    left: Mapping[str, ProtectedDataset]
    counts: tuple[SuppressedFacts, ...]
    withheld: int
    loss: float

    @property
    def persons(self) -> int:
        """Of all datasets, before any was withheld."""
        return _people({name: _facts(self.before, name) for name in self.before})

    @classmethod
    def of(
        cls, times: int, before: Mapping[str, ProtectedDataset], criteria: Sequence[Joined], suppress: float
    ) -> _Variant:
        try:
            left, counts, withheld = _suppressed(before, criteria, suppress, coarsen=True)
        except Infeasible:  # a dataset's own criteria may allow nothing coarser
            left, counts, withheld = _suppressed(before, criteria, suppress, coarsen=False)
        return cls(times, before, left, counts, withheld, _loss(left, counts))

    @property
    def rank(self) -> float:
        """The loss, and more where nothing is left of a dataset."""
        return self.loss + (_NOTHING_LEFT if any(one.loss() >= 1 for one in self.left.values()) else 0)

    @property
    def told(self) -> str:
        return f"classes {self.times} times as large: {self.loss:.1%} lost, {self.withheld} persons withheld"


def _until_worse(variants: Iterator[_Variant]) -> list[_Variant]:
    """All up to the first that loses more than one before it.

    The smaller the classes, the more must be left out of the other datasets, and the less the table itself loses: where
    one step towards smaller ones does not pay any more, the next hardly does.
    """
    results: list[_Variant] = []
    for one in variants:
        results.append(one)
        if one.rank > min(each.rank for each in results):
            break
    return results


def _with_k(criteria: Sequence[Joined], k: int) -> list[Joined]:
    return [replace(one, k=min(one.k, k)) if isinstance(one, JoinedKAnonymity) else one for one in criteria]


def _agreeing(
    datasets: Mapping[str, ProtectedDataset], must: Sequence[JointCriterion]
) -> dict[str, ProtectedDataset] | None:
    """With texts that say no more than the table; None where no criterion holds texts against one."""
    results = dict(datasets)
    for one in must:
        if one.of_rows is not None:
            table, texts = one.named_datasets
            results[texts] = results[texts].agreeing(results[table], one.of_rows)
    return results if any(one.of_rows is not None for one in must) else None


def _without_row(table: ProtectedDataset, texts: ProtectedDataset) -> set[str | None]:
    """Persons of whom there are texts, and no row of the table."""
    rows, written = (_facts({"": one}, "").persons for one in (table, texts))
    return {*written} - {*rows}


def _suppressed(
    datasets: Mapping[str, ProtectedDataset], criteria: Sequence[Joined], suppress: float, *, coarsen: bool
) -> tuple[dict[str, ProtectedDataset], tuple[SuppressedFacts, ...], int]:
    """Coarsen facts, leave facts out, and withhold persons, until every criterion holds."""
    left, withheld = dict(datasets), 0
    before = {name: _facts(left, name) for name in left}
    dropped = dict.fromkeys(left, 0)
    least = max((one.k for one in criteria if isinstance(one, JoinedKAnonymity)), default=1)
    for turn in range(_MOST_PASSES):
        changed = False
        for criterion in criteria:
            facts = {name: _facts(left, name) for name in criterion.knows}
            joined = criterion.joined(facts)
            try:
                k, shares = _asked(criterion, joined)
                out = facts_to_leave_out(joined, k, shares)
                if coarsen and turn < _COARSENING_PASSES:
                    out = coarsened(joined, out, max(k, least), shares, _coarser(facts, criterion, out))
            except TooManyRows:
                what = "there are too many combinations to search for those that fit too few persons"
                raise Infeasible(f"joined-suppression — {what}", blocking=[criterion.name]) from None
            except CannotTell as why:
                raise Infeasible(f"joined-suppression — {why}", blocking=[criterion.name]) from None
            if out.nothing:
                continue
            changed, withheld = True, withheld + out.persons
            for name, records in out.records.items():
                left[name] = left[name].without_facts(out.facts.get(name, {}), records, out.coarser.get(name))
                dropped[name] += int(records.sum())
        for name, one in left.items():
            if (few := one.too_few()) is not None and few.any():
                left[name], changed = one.without_facts({}, few), True
                dropped[name] += int(few.sum())
        if not changed:
            break
    for criterion in criteria:
        finding = criterion.judge({name: _facts(left, name) for name in criterion.knows})
        if finding.failed:
            raise Infeasible(f"joined-suppression — {finding} although all facts that may go are gone")
    counts = [
        SuppressedFacts(name, _count(before[name]), _count(before[name]) - _count(_facts(left, name)), dropped[name])
        for name in left
    ]
    if empty := [one.dataset for one in counts if one.facts and one.left_out == one.facts]:
        raise Infeasible(f"joined-suppression — everything would have to be left out of {', '.join(empty)}")
    everybody = _people(before)
    if withheld > suppress * everybody:
        what = f"{withheld} of {everybody} persons would have to be withheld, more than suppress allows"
        raise Infeasible(f"joined-suppression — {what}")
    for name, one in left.items():
        if broken := one.broken():
            what = f"what is left of {name} no longer satisfies {', '.join(broken)}"
            hint = "let `knows` name as many of its codes or rows as that criterion speaks of"
            raise Infeasible(f"joined-suppression — {what} — {hint}")
    return left, tuple(counts), withheld


def _asked(criterion: Joined, joined: JoinedRecords) -> tuple[int, list[LargestShare]]:
    """How many persons every combination must fit, and what of them may not be learnt."""
    if isinstance(criterion, JoinedKAnonymity):
        return criterion.k, []
    return 1, [LargestShare.of(joined, column, criterion.max) for column in criterion.wanted(joined)]


def _coarser(facts: Mapping[str, PersonFacts], criterion: Joined, out: LeftOut) -> dict[str, CoarserFacts]:
    """What facts of datasets that lose some may become; not where an attacker knows some columns of a row alone."""
    results = {}
    for name, known in known_parts(criterion.knows) if not out.levels else ():
        whole = facts[name].sets is not None or known.columns is None
        loses = any(marks.any() for sort, marks in out.facts.get(name, {}).items() if sort != "places")
        coarser = facts[name].coarser
        if known.most and whole and loses and coarser is not None and (tree := coarser()) is not None:
            results[name] = tree
    return results


def _facts(datasets: Mapping[str, ProtectedDataset], name: str) -> PersonFacts:
    facts = datasets[name].facts()
    if facts is None:
        raise Infeasible(f"joined-suppression — {name}: nobody can tell whose its records are")
    return facts


def _people(datasets: Mapping[str, PersonFacts]) -> int:
    """How many persons some record names; nobody is one more."""
    owners = [RecordOwners.of(facts.persons) for facts in datasets.values()]
    return len({name for one in owners for name in one.names.take(pa.array(distinct(one.codes))).to_pylist()})


def _count(facts: PersonFacts) -> int:
    labels = 0 if facts.sets is None else len(facts.sets[1])
    places = len(facts.persons) * len(facts.places)
    return labels + places if facts.sets is not None or facts.places else len(facts.persons)


def _loss(datasets: Mapping[str, ProtectedDataset], counts: Sequence[SuppressedFacts]) -> float:
    """The mean over datasets of what protection alone lost, and of the facts that were left out after it."""
    losses = []
    for one in counts:
        losses.append(max(datasets[one.dataset].loss(), one.left_out / one.facts if one.facts else 0.0))
    return sum(losses) / max(1, len(losses))
