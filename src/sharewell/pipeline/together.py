"""Datasets of the same people are judged and attacked as one: those of this release, and earlier releases it names.

Joint criteria and joint attacks are registered under the kind `together`. A joint criterion that fails stops the
release; whatever is about the same people and was judged by no joint criterion is listed, so that the certificate never
says more than was looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar

from sharewell import registry
from sharewell.errors import DataError, PolicyError
from sharewell.findings import Finding
from sharewell.pipeline.certificate import public_finding
from sharewell.plain_data import Json, JsonObject
from sharewell.policy.people import connected
from sharewell.policy.person_tie import TOGETHER
from sharewell.protocols import JointAlgorithm, JointAttack, JointCriterion, PublishedDataset
from sharewell.wing import Claim

SEVERAL = "datasets together"
"""How tables and findings call what is about several datasets; no dataset can have this name."""
Chosen = TypeVar("Chosen", bound=JointAlgorithm)


@dataclass(frozen=True)
class Joint:
    """What holds, or can be done, with these datasets taken together."""

    datasets: tuple[str, ...]
    finding: Finding

    def to_json(self) -> JsonObject:
        return {"datasets": list(self.datasets), **self.finding.to_json()}

    def publicly(self) -> JsonObject:
        return {"datasets": list(self.datasets), **public_finding(self.finding)}


def judge_together(datasets: Mapping[str, PublishedDataset], earlier: Sequence[PublishedDataset] = ()) -> list[Joint]:
    """Every joint criterion that all releases are judged by, on every group of datasets that share people."""
    if len(datasets) + len(earlier) < 2:
        return []
    known: list[type[JointCriterion]] = [entry.load() for entry in registry.entries(TOGETHER, "criteria")]
    criteria = [one() for one in known if not one.asked]
    return [
        Joint(tuple(one.title for one in relevant), criterion.check(relevant))
        for criterion, relevant in _applicable(criteria, datasets, earlier)
    ]


def judge_asked(
    criterion: JointCriterion,
    datasets: Mapping[str, PublishedDataset],
    lacking: Collection[str] = (),
    *,
    undecided: bool = False,
) -> Joint:
    """A joint criterion that the policy asks for.

    lacking: datasets whose records nobody here can assign to persons. undecided: a file that it names is not at hand.
    """
    relevant = criterion.relevant(list(datasets.values()))
    titles = tuple(one.title for one in relevant)
    if undecided or any(title in lacking for title in titles):
        finding = Finding.judge(criterion.name, None, criterion.sense, criterion.bound, unit=criterion.unit)
        return Joint(titles, finding)
    return Joint(titles, criterion.check(relevant))


def attack_together(datasets: Mapping[str, PublishedDataset], earlier: Sequence[PublishedDataset] = ()) -> list[Joint]:
    """Every joint attack on every group of datasets that share people."""
    if len(datasets) + len(earlier) < 2:
        return []
    known: list[type[JointAttack]] = [entry.load() for entry in registry.entries(TOGETHER, "attacks")]
    attacks = [one() for one in known if not one.asked]
    return _mounted(_applicable(attacks, datasets, earlier))


def attack_tied(datasets: Sequence[PublishedDataset], attackers: Sequence[Mapping[str, Json]]) -> list[Joint]:
    """Every joint attack on the datasets that the policy ties by person, with the knowledge that its criteria name."""
    if len(datasets) < 2:
        return []
    known: list[type[JointAttack]] = [entry.load() for entry in registry.entries(TOGETHER, "attacks")]
    attacks = [one(**attacker) for one in known if one.asked for attacker in (attackers or [{}])]
    chosen = [(attack, attack.relevant(datasets)) for attack in attacks]
    return _mounted([(attack, relevant) for attack, relevant in chosen if len(relevant) > 1])


def _mounted(attacks: Sequence[tuple[JointAttack, list[PublishedDataset]]]) -> list[Joint]:
    results = []
    for attack, relevant in attacks:
        try:
            finding = attack.mount(relevant)
        except (PolicyError, DataError) as error:  # it has nothing to work on; that is no sign of safety
            finding = Finding(attack.name, None, note=f"not carried out: {error}")
        results.append(Joint(tuple(one.title for one in relevant), finding))
    return results


def concerned(room: str, claims: Mapping[str, Claim]) -> set[str]:
    """The datasets that some joint algorithm of the room may speak of, by what is claimed; no other is opened."""
    kinds = {name: claim.kind for name, claim in claims.items()}
    there, facts = (
        set(kinds.values()),
        {fact for claim in claims.values() for column in claim.columns.values() for fact in column},
    )
    wanted = {
        kind
        for algorithm in (entry.load() for entry in registry.entries(TOGETHER, room))
        if algorithm.kinds
        if algorithm.needs_kind in there and (not algorithm.needs_fact or algorithm.needs_fact in facts)
        for kind in algorithm.kinds
    }
    return {name for name, kind in kinds.items() if kind in wanted}


def _applicable(
    algorithms: Sequence[Chosen],
    datasets: Mapping[str, PublishedDataset],
    earlier: Sequence[PublishedDataset],
) -> list[tuple[Chosen, list[PublishedDataset]]]:
    """(algorithm, the datasets that it speaks of), for every group with at least two of them, one of this release."""
    results = []
    order = list(datasets)
    groups = [sorted(names, key=order.index) for names in connected({n: o.people for n, o in datasets.items()})]
    groups.sort(key=lambda names: order.index(names[0]))
    for names in groups:
        everything = [*(datasets[name] for name in names), *earlier]
        for algorithm in algorithms if len(everything) > 1 else ():
            relevant = algorithm.relevant(everything)
            if len(relevant) > 1 and any(not one.release for one in relevant):
                results.append((algorithm, relevant))
    return results


def not_judged(
    datasets: Mapping[str, PublishedDataset],
    earlier: Sequence[PublishedDataset],
    judged: Sequence[Joint],
    related: Callable[[str, str], bool],
) -> list[list[str]]:
    """Pairs of datasets about the same people of which no joint criterion spoke."""
    pairs = [
        (first, second)
        for first, second in combinations((*datasets.values(), *earlier), 2)
        if not (first.release and second.release)
        and (second.release or first.people & second.people or related(first.name, second.name))
    ]
    kinds = {one.title: one.kind for one in (*datasets.values(), *earlier)}
    return [[a.title, b.title] for a, b in pairs if not any(speaks_of(one, a.title, b.title, kinds) for one in judged)]


def criterion_of(one: Joint) -> type[JointCriterion]:
    """The joint criterion that was judged."""
    result: type[JointCriterion] = registry.lookup(TOGETHER, "criteria", one.finding.name)
    return result


def speaks_of(one: Joint, first: str, second: str, kinds: Mapping[str, str]) -> bool:
    """Does a joint finding judge these two? Of two datasets beside the kind that it is about, it says nothing."""
    criterion = criterion_of(one)
    about = not criterion.needs_kind or criterion.needs_kind in (kinds.get(first), kinds.get(second))
    return criterion.judges_all and about and {first, second} <= set(one.datasets)
