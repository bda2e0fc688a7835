"""Passes over joined records: what is left out of several datasets, pass by pass, until every criterion holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from sharewell.algorithm import Finding, Infeasible
from sharewell.joint.engine.attacker_knowledge import known_parts
from sharewell.joint.engine.combination_walk import TooManyRows
from sharewell.joint.engine.joined_facts import JoinedCriterion
from sharewell.joint.engine.joined_records import JoinedRecords
from sharewell.joint.engine.protection.fact_suppression import LargestShare, LeftOut, coarsened, facts_to_leave_out
from sharewell.joint.engine.protection.open_classes import OpenClasses, named, restricted, spread, whose
from sharewell.joint.engine.row_covers import CannotTell
from sharewell.protocols import CoarserFacts, PersonFacts, ProtectedDataset

_MOST_PASSES = 50
_COARSENING_PASSES = 25
"""After these, what still cannot stay is left out."""
Datasets = Mapping[str, ProtectedDataset]


@dataclass(frozen=True)
class Asked:
    """A criterion in the terms of the search."""

    criterion: JoinedCriterion
    of: Callable[[JoinedRecords], tuple[int, list[LargestShare]]]
    """How many persons every combination must fit, and what of them may not be learnt."""


@dataclass(frozen=True)
class SuppressedFacts:
    """How many facts of each dataset were left out."""

    dataset: str
    facts: int
    left_out: int
    records: int
    """Records that were left out as a whole."""

    @property
    def share(self) -> float:
        return self.left_out / self.facts if self.facts else 0.0


@dataclass(frozen=True)
class Passed:
    """What is left of the datasets, and what the criteria say of that."""

    left: Datasets
    counts: tuple[SuppressedFacts, ...]
    withheld: int
    """Persons, from all datasets."""
    findings: tuple[Finding, ...]


class JointPasses:
    """One search: what is left so far, and which classes of persons are to be looked at again."""

    def __init__(self, datasets: Datasets, asked: Sequence[Asked], least: int) -> None:
        """least: the fewest persons who may show a coarser fact."""
        self.asked, self.least = asked, least
        self.left, self.withheld = dict(datasets), 0
        self.before = {name: facts_shown(self.left, name) for name in self.left}
        self.dropped = dict.fromkeys(self.left, 0)
        self.searches = [OpenClasses(one.criterion.knows) for one in asked]

    def run(self, coarsen: bool, after_each: Callable[[JointPasses], None]) -> Passed:
        """Pass after pass. after_each: may look at what is gone so far, and raise."""
        for turn in range(_MOST_PASSES):
            if self._pass(coarsen and turn < _COARSENING_PASSES):
                after_each(self)
                continue
            findings = self._judged()
            if not any(one.failed for one in findings) or not any(one.settled for one in self.searches):
                break
            for search in self.searches:  # to leave something out of some records changed others, as notes do
                search.forget()
        else:
            findings = self._judged()
        return Passed(self.left, self.counts(), self.withheld, findings)

    def counts(self) -> tuple[SuppressedFacts, ...]:
        results = []
        for name, facts in self.before.items():
            every, now = _count(facts), _count(facts_shown(self.left, name))
            results.append(SuppressedFacts(name, every, every - now, self.dropped[name]))
        return tuple(results)

    def _pass(self, coarsen: bool) -> bool:
        """Did anything change?"""
        changed = False
        for asked, search in zip(self.asked, self.searches, strict=True):
            facts = {name: facts_shown(self.left, name) for name in asked.criterion.knows}
            records = search.records(facts)
            some = {name: restricted(facts[name], marks) for name, marks in records.items()}
            out = self._to_leave_out(asked, search, some, coarsen)
            search.looked_at(finished=not out.levels)
            if out.nothing:
                continue
            self._tell(whose(some, out))
            out = spread(out, facts, records)
            changed, self.withheld = True, self.withheld + out.persons
            for name, gone in out.records.items():
                self.left[name] = self.left[name].without_facts(out.facts.get(name, {}), gone, out.coarser.get(name))
                self.dropped[name] += int(gone.sum())
        return self._without_too_few() or changed

    def _without_too_few(self) -> bool:
        """Records that too few of their own dataset show."""
        changed = False
        for name, one in self.left.items():
            if (few := one.too_few()) is not None and few.any():
                self._tell(named(facts_shown(self.left, name), few))
                self.left[name], changed = one.without_facts({}, few), True
                self.dropped[name] += int(few.sum())
        return changed

    def _to_leave_out(
        self, asked: Asked, search: OpenClasses, facts: Mapping[str, PersonFacts], coarsen: bool
    ) -> LeftOut:
        criterion = asked.criterion
        joined = search.weighed(criterion.joined(facts, search.people))
        try:
            k, shares = asked.of(joined)
            out = facts_to_leave_out(joined, k, shares)
            if coarsen:
                out = coarsened(joined, out, max(k, self.least), shares, _coarser(facts, criterion, out))
        except TooManyRows:
            what = "there are too many combinations to search for those that fit too few persons"
            raise Infeasible(f"joined-suppression — {what}", blocking=[criterion.name]) from None
        except CannotTell as why:
            raise Infeasible(f"joined-suppression — {why}", blocking=[criterion.name]) from None
        return out

    def _tell(self, names: pa.Array) -> None:
        for search in self.searches:
            search.changed(names)

    def _judged(self) -> tuple[Finding, ...]:
        criteria = [one.criterion for one in self.asked]
        return tuple(one.judge({name: facts_shown(self.left, name) for name in one.knows}) for one in criteria)


def _coarser(facts: Mapping[str, PersonFacts], criterion: JoinedCriterion, out: LeftOut) -> dict[str, CoarserFacts]:
    """What facts of datasets that lose some may become; not where an attacker knows some columns of a row alone."""
    results = {}
    for name, known in known_parts(criterion.knows) if not out.levels else ():
        whole = facts[name].sets is not None or known.columns is None
        loses = any(marks.any() for sort, marks in out.facts.get(name, {}).items() if sort != "places")
        coarser = facts[name].coarser
        if known.most and whole and loses and coarser is not None and (tree := coarser()) is not None:
            results[name] = tree
    return results


def facts_shown(datasets: Datasets, name: str) -> PersonFacts:
    facts = datasets[name].facts()
    if facts is None:
        raise Infeasible(f"joined-suppression — {name}: it does not identify the persons of its records")
    return facts


def _count(facts: PersonFacts) -> int:
    labels = 0 if facts.sets is None else len(facts.sets[1])
    places = len(facts.persons) * len(facts.places)
    return labels + places if facts.sets is not None or facts.places else len(facts.persons)
