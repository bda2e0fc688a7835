"""Facts that are coarsened in place of being left out: whatever true facts are known, nobody is among fewer than k.

A code c lies in category 10 + c // 2, and that in chapter 20 + c // 4; so do wards. Candidates are counted from true
codes and wards, over people, by the definition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray
from test_joined_suppression import Dataset, counted

from sharewell.errors import Infeasible
from sharewell.joint.criteria.joined_inference import JoinedInference
from sharewell.joint.criteria.joined_k_anonymity import JoinedKAnonymity
from sharewell.joint.engine.joined_records import Ints, Items, JoinedRecords
from sharewell.joint.engine.protection.fact_coarsening import LEFT_OUT, Allowed, coarser_facts
from sharewell.joint.mechanisms.joined_suppression import JoinedSuppression
from sharewell.protocols import CoarserFacts, PersonFacts, RemovedFacts

CODES = 8
PARENT = np.array([10 + c // 2 for c in range(CODES)] + [-1, -1] + [20 + c // 2 for c in range(4)] + [-1] * 8)
LOSS = np.array([0.0] * 10 + [0.25] * 4 + [1.0] * 6 + [0.5] * 2)


def covers(shown: int, code: int) -> bool:
    return shown in (code, 10 + code // 2, 20 + code // 4)


@dataclass(frozen=True)
class TreeDataset(Dataset):
    """Facts that can be coarsened along the tree."""

    def facts(self) -> PersonFacts:
        return replace(self.held, coarser=self._coarser)

    def _coarser(self) -> CoarserFacts:
        node = np.arange(22) if self.held.sets is not None else self.held.cells["ward"]
        return CoarserFacts(node, PARENT, LOSS)

    def without_facts(
        self, removed: RemovedFacts, records: NDArray[np.bool_], coarser: NDArray[np.int64] | None = None
    ) -> TreeDataset:
        facts = self.held
        if coarser is not None and facts.sets is not None:
            facts = replace(facts, sets=(facts.sets[0], np.where(coarser >= 0, coarser, facts.sets[1])))
        elif coarser is not None:
            facts = replace(facts, cells={"ward": np.where(coarser >= 0, coarser, facts.cells["ward"])})
        left = Dataset(facts).without_facts(removed, records).facts()
        if left.sets is not None:  # a label that a record has twice is one label
            starts, items = left.sets
            rows = [sorted(set(items[starts[i] : starts[i + 1]].tolist())) for i in range(len(left.persons))]
            lengths = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(int)
            left = replace(left, sets=(lengths, np.array([one for row in rows for one in row], int)))
        return TreeDataset(left)


@dataclass(frozen=True)
class Person:
    age: int
    codes: tuple[int, ...]
    wards: tuple[int, ...]


def _draw(rng: np.random.Generator) -> list[Person]:
    people = int(rng.integers(2, 9))
    some = int(rng.integers(2, CODES + 1))
    return [
        Person(
            int(rng.integers(0, 2)) if rng.random() < 0.3 else 0,
            tuple(sorted(set(rng.integers(0, some, int(rng.integers(0, 4))).tolist()))),
            tuple(sorted(rng.integers(0, some, int(rng.integers(0, 3))).tolist())),
        )
        for _ in range(people)
    ]


def _datasets(people: list[Person]) -> dict[str, Dataset]:
    names = [f"p{i}" for i in range(len(people))]
    sets = np.cumsum([0, *(len(one.codes) for one in people)]), np.array([c for one in people for c in one.codes], int)
    visits = [(name, ward) for name, one in zip(names, people, strict=True) for ward in one.wards]
    illness = {"ill": np.arange(len(people)) % 3}
    return {
        "people": Dataset(PersonFacts(names, {"age": np.array([one.age for one in people])}, ("age",), illness)),
        "codes": TreeDataset(PersonFacts(names, {}, sets=sets)),
        "visits": TreeDataset(
            PersonFacts([name for name, _ in visits], {"ward": np.array([w for _, w in visits], int)}, ("ward",))
        ),
    }


def _published(facts: dict[str, PersonFacts]) -> dict[str, tuple[int, set[int] | None, Counter[int]]]:
    """Person → age, labels (None: no record), wards."""
    people, codes, visits = facts["people"], facts["codes"], facts["visits"]
    assert codes.sets is not None
    starts, items = codes.sets
    labels = {str(who): set(items[starts[i] : starts[i + 1]].tolist()) for i, who in enumerate(codes.persons)}
    wards: dict[str, Counter[int]] = {}
    for who, ward in zip(visits.persons, visits.cells["ward"].tolist(), strict=True):
        wards.setdefault(str(who), Counter())[ward] += 1
    ages = {str(who): int(age) for who, age in zip(people.persons, people.cells["age"], strict=True)}
    return {who: (ages[who], labels.get(who), wards.get(who, Counter())) for who in ages}


def _fewest(people: list[Person], facts: dict[str, PersonFacts], codes: int, wards: int) -> int | None:
    """Over all persons and all true codes and wards that may be known: the fewest whom that fits.

    The attacker knows how facts are coarsened, and takes only those who show the very cell that may stand for the known
    fact in the target's record; or, of a code that was left out, those whose records are seen like the target's. What
    is known of wards that were left out excludes nobody who has some.
    """
    shown, found = _published(facts), list[int]()
    for i, one in enumerate(people):
        if (own := shown.get(f"p{i}")) is None:
            continue
        alike = [q for q in shown.values() if q[0] == own[0] and bool(q[1] is None) == bool(own[1] is None)]
        alike = [q for q in alike if bool(q[2]) == bool(own[2])]
        for known_codes, known_wards in product(_some(one.codes, codes), _some(one.wards, wards)):
            labels = [[label for label in own[1] or () if covers(label, code)] for code in known_codes]
            cells = [[ward for ward in own[2] if covers(ward, true)] for true in known_wards]
            for pick in product(*(each or [None] for each in (*labels, *cells))):
                held = {label for label in pick[: len(known_codes)] if label is not None}
                state = None in pick[: len(known_codes)]
                rows = Counter(ward for ward in pick[len(known_codes) :] if ward is not None)
                if any(own[2][ward] < times for ward, times in rows.items()):
                    continue
                found.append(
                    sum(
                        held <= (q[1] or set())
                        and (not state or bool(q[1]) == bool(own[1]))
                        and all(q[2][ward] >= times for ward, times in rows.items())
                        for q in alike
                    )
                )
    return min(found, default=None)


def _some(facts: tuple[int, ...], most: int) -> list[tuple[int, ...]]:
    return sorted({part for size in range(most + 1) for part in combinations(facts, size)})


def test_true_facts_fit_k_persons_after_coarsening(cases: Callable[[int], int]) -> None:
    rng, worlds, done, coarser = np.random.default_rng(23), cases(10_000), 0, 0
    for _ in range(worlds):
        people, k = _draw(rng), int(rng.integers(2, 4))
        codes, wards = int(rng.integers(0, 3)), int(rng.integers(0, 2))
        knows = {"people": ["age"], "codes": codes, "visits": wards}
        try:
            left = JoinedSuppression(suppress=1).protect(_datasets(people), [JoinedKAnonymity(k, knows)], "people")
        except Infeasible:
            continue
        facts = {name: one.facts() for name, one in left.datasets.items()}
        assert all(one is not None for one in facts.values())
        plain: dict[str, PersonFacts] = {name: one for name, one in facts.items() if one is not None}
        for fewest in (counted(plain, knows), _fewest(people, plain, codes, wards)):
            assert fewest is None or fewest >= k, (people, knows, k)
        done += 1
        assert plain["codes"].sets is not None
        coarser += bool((plain["codes"].sets[1] >= 10).any() or (plain["visits"].cells["ward"] >= 10).any())
    assert done > worlds // 4
    assert coarser > worlds // 20  # facts are coarsened now and then


def test_inference_holds_after_coarsening(cases: Callable[[int], int]) -> None:
    """No illness has more than two thirds of those who show the same facts, counted from the facts that are left."""
    rng, done = np.random.default_rng(29), 0
    for _ in range(cases(2_000)):
        people = _draw(rng)
        knows = {"people": ["age"], "codes": 1, "visits": 1}
        must = [JoinedInference("2/3", knows), JoinedKAnonymity(2, knows)]
        try:
            left = JoinedSuppression(suppress=1).protect(_datasets(people), must, "people")
        except Infeasible:
            continue
        plain = {name: one for name, each in left.datasets.items() if (one := each.facts()) is not None}
        shown = _published(plain)
        for one, ward in product(range(22), range(22)):
            for age in (0, 1):
                fits = [
                    who
                    for who, q in shown.items()
                    if q[0] == age and one in (q[1] or ()) and (q[2][ward] or ward == 21)
                ]
                with_state = [who for who in fits if bool(shown[who][2])] if ward == 21 else fits
                counts = Counter(int(who[1:]) % 3 for who in with_state)
                assert not counts or 3 * max(counts.values()) <= 2 * len(with_state)
        done += 1
    assert done


def test_rare_codes_of_a_category_become_the_category_and_frequent_ones_stay() -> None:
    """Codes 0 and 1 have one holder each and become category 10; code 2 is shared, and 6 has nobody beside it."""
    who = list("abcd")
    codes = PersonFacts(who, {}, sets=(np.array([0, 2, 4, 5, 6]), np.array([0, 2, 1, 2, 2, 6])))
    joined = JoinedRecords.of({"codes": codes}, {"codes": 1})
    tree = CoarserFacts(np.arange(22), PARENT, LOSS)
    marks = np.array([True, False, True, False, False, True])
    found = coarser_facts(joined, joined.parts[0], marks, tree, lambda persons: len(persons) >= 2)
    assert found.tolist() == [10, -1, 10, -1, -1, LEFT_OUT]


def test_all_become_the_category_where_that_costs_less_than_leaving_one_out() -> None:
    """Nobody but a has code 1, and b has code 0: as a category both are two."""
    codes = PersonFacts(list("ab"), {}, sets=(np.arange(3), np.array([1, 0])))
    joined = JoinedRecords.of({"codes": codes}, {"codes": 1})
    tree = CoarserFacts(np.arange(22), PARENT, LOSS)
    found = coarser_facts(joined, joined.parts[0], np.array([True, False]), tree, lambda persons: len(persons) >= 2)
    assert found.tolist() == [10, 10]


def _more_than_one(persons: Sequence[int]) -> bool:
    return len(persons) > 1


def _becomes(
    who: Ints, code: Ints, group: Ints, marks: NDArray[np.bool_], allowed: Allowed = _more_than_one
) -> list[int]:
    persons = len(group)
    part = Items("d", "labels", 1, np.zeros(persons + 1, int), np.zeros(0, int), who, code)
    seen = np.zeros((persons, 1), int)
    joined = JoinedRecords(persons, group, group, seen, np.arange(persons), (part,), {}, {}, 1, frozenset())
    tree = CoarserFacts(np.arange(22), PARENT, LOSS)
    return coarser_facts(joined, part, marks, tree, allowed).tolist()


def test_facts_of_every_group_are_coarsened_as_if_there_were_no_other_group() -> None:
    rng = np.random.default_rng(4)
    for _ in range(40):
        facts = int(rng.integers(1, 30))
        who, code, group = rng.integers(0, 9, facts), rng.integers(0, CODES, facts), rng.integers(0, 3, 9)
        marks = rng.random(facts) < 0.4
        whole = np.array(_becomes(who, code, group, marks))
        for one in range(3):
            kept = group[who] == one
            assert whole[kept].tolist() == _becomes(who[kept], code[kept], np.zeros(9, int), marks[kept])


def test_whoever_shows_a_coarser_fact_is_one_of_persons_who_may() -> None:
    """Whatever the rule is: it is asked about every person once, of all who show the fact in the end."""
    rng, coarser = np.random.default_rng(7), 0
    for _ in range(300):
        facts, turn = int(rng.integers(1, 14)), int(rng.integers(0, 3))
        who, code = rng.integers(0, 6, facts), rng.choice([*range(CODES), 10, 12], facts)
        refused = rng.integers(0, 10) == 0

        def allowed(persons: Sequence[int], turn: int = turn, refused: bool = bool(refused)) -> bool:
            assert list(persons) == sorted(set(persons))
            return not refused and (sum(persons) + turn) % 3 > 0

        marks = np.isin(code, rng.choice(code, max(1, facts // 3)))
        becomes = np.array(_becomes(who, code, np.zeros(6, int), marks, allowed))
        shown = np.where(becomes >= 0, becomes, np.where(becomes == -1, code, -1))
        for node in set(becomes[becomes >= 0].tolist()):
            assert allowed(sorted(set(who[shown == node].tolist()))), (who, code, marks, becomes)
            coarser += 1
        assert not marks[becomes == -1].any()
        if refused:
            assert becomes.tolist() == np.where(marks, LEFT_OUT, -1).tolist()
    assert coarser > 100


def test_where_everybody_may_no_fact_with_a_category_is_left_out() -> None:
    """A category costs a quarter of leaving out."""
    rng = np.random.default_rng(8)
    for _ in range(50):
        facts = int(rng.integers(1, 14))
        who, code = rng.integers(0, 6, facts), rng.integers(0, CODES, facts)
        marks = rng.random(facts) < 0.4
        assert LEFT_OUT not in _becomes(who, code, np.zeros(6, int), marks, lambda persons: True)


def test_those_who_show_the_category_already_count() -> None:
    """Person 0 shows category 10; person 1 has code 0, which cannot stay: two show the category."""
    marks = np.array([False, True])
    assert _becomes(np.array([0, 1]), np.array([10, 0]), np.zeros(2, int), marks) == [-1, 10]
    assert _becomes(np.array([0, 0]), np.array([10, 0]), np.zeros(2, int), marks) == [-1, LEFT_OUT]
