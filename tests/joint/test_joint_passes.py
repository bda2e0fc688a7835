"""To look only at classes that changed comes to the same as to look at all of them in every pass."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from joined_worlds import draw
from numpy.typing import NDArray
from test_joined_suppression import Dataset

from sharewell.joint.criteria.joined_k_anonymity import JoinedKAnonymity
from sharewell.joint.engine.joined_records import PersonClasses
from sharewell.joint.engine.protection import joint_passes
from sharewell.joint.engine.protection.joint_passes import Asked
from sharewell.joint.engine.protection.open_classes import OpenClasses
from sharewell.protocols import PersonFacts, RemovedFacts


class _AllOpen(OpenClasses):
    """Looks at everything, always."""

    def _open(self, people: PersonClasses) -> tuple[Any, Any]:
        return np.ones(len(people.names), np.bool_), None


def _left(seed: int, k: int) -> list[Any]:
    world = draw(np.random.default_rng(seed))
    datasets = {name: Dataset(facts) for name, facts in world.facts().items()}
    rules = [JoinedKAnonymity(k, world.knows, world.at_most), JoinedKAnonymity(2, world.knows, 1)]
    asked = [Asked(one, lambda joined, k=one.k: (k, [])) for one in rules]
    done = joint_passes.JointPasses(datasets, asked, k).run(False, lambda passes: None)
    results: list[Any] = [done.counts, done.withheld, [one.value for one in done.findings]]
    for one in done.left.values():
        facts: Any = one.facts()
        sets = [] if facts.sets is None else [part.tolist() for part in facts.sets]
        results.append((list(facts.persons), sets, {name: cells.tolist() for name, cells in facts.cells.items()}))
    return results


def test_what_is_left_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = [(seed, 2 + seed % 3) for seed in range(60)]
    some = [_left(seed, k) for seed, k in cases]
    monkeypatch.setattr(joint_passes, "OpenClasses", _AllOpen)
    assert [_left(seed, k) for seed, k in cases] == some
    assert sum(any(each.left_out for each in one[0]) for one in some) > 15


@dataclass(frozen=True)
class Spoilt(Dataset):
    """Codes of which one more goes, of a person in another class, when some are left out for the first time."""

    spoilt: list[bool] = field(default_factory=list)

    def without_facts(self, removed: RemovedFacts, records: NDArray[np.bool_], coarser: Any = None) -> Spoilt:
        labels = removed["labels"].copy()
        if not self.spoilt:
            labels[-1] = True
        self.spoilt.append(True)
        return replace(self, held=super().without_facts({"labels": labels}, records, coarser).held)


def test_what_changed_unasked_is_found_by_the_judge_and_mended() -> None:
    who = list("abcdefgh")
    people = Dataset(PersonFacts(who, {"age": np.repeat([0, 1], 4)}, ("age",)))
    sets = [[0, 1], [0], [0], [0], [0, 2], [0], [0], [0, 2]]
    starts = np.concatenate([[0], np.cumsum([len(one) for one in sets])])
    codes = Spoilt(PersonFacts(who, {}, sets=(starts, np.concatenate(sets))))
    rule = JoinedKAnonymity(2, {"people": ["age"], "codes": 1})
    passes = joint_passes.JointPasses({"people": people, "codes": codes}, [Asked(rule, lambda joined: (2, []))], 2)
    done = passes.run(False, lambda passes: None)
    facts: Any = done.left["codes"].facts()
    assert [one.value for one in done.findings] == [4]
    assert facts.sets[1].tolist() == [0] * 8
