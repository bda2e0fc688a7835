"""After joined suppression every combination fits k persons: counted anew, by another way to count."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from joined_worlds import draw
from numpy.typing import NDArray

from sharewell.errors import Infeasible
from sharewell.joint.criteria.joined_inference import JoinedInference
from sharewell.joint.criteria.joined_k_anonymity import JoinedKAnonymity
from sharewell.joint.mechanisms.joined_suppression import JoinedSuppression
from sharewell.protocols import PersonFacts, ProtectedDataset, RemovedFacts

HIDDEN = 99
"""The cell of a place that says nothing."""


@dataclass(frozen=True)
class Dataset:
    """Facts alone, with the removals that a wing would do."""

    held: PersonFacts
    kind: str = "plain"

    def facts(self) -> PersonFacts:
        return self.held

    def coarser(self, k: int) -> Dataset | None:
        return None

    def too_few(self) -> None:
        return None

    def loss(self) -> float:
        return 0.0

    def broken(self) -> list[str]:
        return []

    def without_facts(
        self, removed: RemovedFacts, records: NDArray[np.bool_], coarser: NDArray[np.int64] | None = None
    ) -> Dataset:
        facts, kept = self.held, np.flatnonzero(~records)
        if facts.sets is not None:
            starts, items = facts.sets
            gone = removed.get("labels", np.zeros(len(items), bool))
            rows = [[items[i] for i in range(starts[row], starts[row + 1]) if not gone[i]] for row in kept]
            lengths = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(int)
            facts = replace(facts, sets=(lengths, np.array([item for row in rows for item in row], int)))
            if facts.marked is not None:
                facts = replace(facts, marked=facts.marked[kept] | ("labels" in removed))
        cells = dict(facts.cells)
        if "places" in removed:
            marks = removed["places"].reshape(len(facts.persons), len(facts.places))
            hidden = {name: np.where(marks[:, i], HIDDEN, cells[name]) for i, name in enumerate(facts.places)}
            cells = cells | hidden
        if "rows" in removed:
            kept = np.flatnonzero(~(records | removed["rows"]))
        return Dataset(
            replace(
                facts,
                persons=[facts.persons[row] for row in kept],
                cells={name: one[kept] for name, one in cells.items()},
                sensitive={name: one[kept] for name, one in facts.sensitive.items()},
            )
        )


def counted(facts: dict[str, PersonFacts], knows: dict[str, Any], at_most: int | None = None) -> int | None:
    """The fewest persons with equal facts, over everybody and everything that may be known."""
    people = sorted({str(person) for name in knows for person in facts[name].persons})
    asked = [(name, *one) for name, given in knows.items() for one in _asked(facts[name], given)]
    records = {who: [_of(facts[name], who, sort, most) for name, sort, most in asked] for who in people}
    fewest = None
    for who in people:
        known = [_parts(own, most) for own, (*_, most) in zip(records[who], asked, strict=True)]
        for parts in product(*known):
            if at_most is not None and sum(map(_size, parts)) > at_most:
                continue
            fits = sum(all(map(_holds, other, parts)) for other in records.values())
            fewest = fits if fewest is None else min(fewest, fits)
    return fewest


def _asked(facts: PersonFacts, given: Any) -> list[tuple[str, Any]]:
    if isinstance(given, dict):
        return [("labels" if word == "codes" else "places", most) for word, most in given.items()]
    return [("labels" if facts.sets is not None else "places" if facts.places else "rows", given)]


def _size(part: Any) -> int:
    """Facts in a piece of knowledge; columns that are known for sure are none."""
    return 0 if not part or type(part[0]) is int else sum(part[1].values()) + part[2]


def _of(facts: PersonFacts, who: str, sort: str, most: Any) -> Any:
    rows = [i for i, person in enumerate(facts.persons) if person == who]
    if isinstance(most, list):
        return tuple(int(facts.cells[name][row]) for row in rows for name in most)
    held = _counter(facts, rows, sort)
    signs = facts.marked is None or any(facts.marked[row] for row in rows)
    lacks = sort == "labels" and bool(rows) and (signs or not held)
    return (bool(rows), lacks), held


def _counter(facts: PersonFacts, rows: list[int], sort: str) -> Counter[Any]:
    if sort == "labels":
        assert facts.sets is not None
        return Counter({int(one) for row in rows for one in facts.sets[1][facts.sets[0][row] : facts.sets[0][row + 1]]})
    if sort == "places":
        return Counter((name, int(facts.cells[name][row])) for row in rows for name in facts.places)
    return Counter(tuple(int(facts.cells[name][row]) for name in facts.knowable) for row in rows)


def _parts(own: Any, most: Any) -> list[Any]:
    if isinstance(most, list):
        return [own]
    (there, lacks), held = own
    every = sorted(held.elements(), key=repr)
    some = [(there, Counter(part), 0) for size in range(most + 1) for part in combinations(every, size)]
    if lacks and most:  # that it shows something, or nothing, is known like one fact more
        some += [((there, bool(held)), known, 1) for _, known, _ in some if known.total() < most]
    return some


def _holds(own: Any, part: Any) -> bool:
    if not part or type(part[0]) is int:  # columns that are known for sure
        return bool(own == part)
    ((there, lacks), held), (state, known, _) = own, part
    if isinstance(state, tuple) and not (lacks and state == (there, bool(held))):
        return False
    alike = isinstance(state, tuple) or state == there
    return alike and all(held[fact] >= times for fact, times in known.items())


def test_every_release_is_k_anonymous_when_counted_anew(cases: Callable[[int], int]) -> None:
    rng, done, worlds = np.random.default_rng(3), 0, cases(8_000)
    for _ in range(worlds):
        world, k = draw(rng), int(rng.integers(1, 4))
        facts = {name: Dataset(one) for name, one in world.facts().items()}
        try:
            must = [JoinedKAnonymity(k, world.knows, world.at_most)]
            left = JoinedSuppression(suppress=1).protect(facts, must, "people")
        except Infeasible:
            continue
        fewest = counted({name: one.facts() for name, one in left.datasets.items()}, world.knows, world.at_most)  # type: ignore[misc]
        assert fewest is None or fewest >= k
        done += 1
    assert done > worlds // 4


def test_inference_is_bounded_too() -> None:
    who = list("abcdef")
    people = PersonFacts(who, {"age": np.zeros(6, int)}, ("age",), {"illness": np.array([0, 0, 0, 1, 1, 1])})
    codes = PersonFacts(who, {}, sets=(np.arange(0, 13, 2), np.array([0, 2, 0, 2, 0, 2, 1, 2, 1, 2, 1, 2])))
    knows = {"people": ["age"], "codes": 1}
    must = [JoinedKAnonymity(3, knows), JoinedInference("1/2", knows)]
    left = JoinedSuppression().protect({"people": Dataset(people), "codes": Dataset(codes)}, must, "people")
    after = left.datasets["codes"].facts()
    assert after is not None
    assert after.sets is not None
    assert set(after.sets[1].tolist()) == {2}
    assert left.details.datasets[1].left_out == 6


def test_what_cannot_be_helped_is_infeasible() -> None:
    people = PersonFacts(["a", "b"], {"age": np.array([0, 1])}, ("age",))
    with pytest.raises(Infeasible, match="no variant makes the joint criteria hold"):
        JoinedSuppression().protect({"people": Dataset(people)}, [JoinedKAnonymity(2, {"people": ["age"]})], "people")


def test_what_would_help_is_tried() -> None:
    """Two persons of each age: k = 2 can be kept, k = 4 only if everybody is withheld."""
    people = PersonFacts(list("abcd"), {"age": np.array([0, 0, 1, 1])}, ("age",))
    codes = PersonFacts(list("abcd"), {}, sets=(np.arange(5), np.array([0, 0, 1, 1])))
    datasets = {"people": Dataset(people), "codes": Dataset(codes)}
    with pytest.raises(Infeasible) as told:
        JoinedSuppression().protect(datasets, [JoinedKAnonymity(4, {"people": ["age"], "codes": 1})], "people")
    assert told.value.relaxations == ("k: 2 instead of 4",)


def test_how_many_persons_would_have_to_be_withheld_is_told() -> None:
    people = PersonFacts(list("abc"), {"age": np.array([0, 0, 1])}, ("age",))
    with pytest.raises(Infeasible) as told:
        JoinedSuppression().protect({"people": Dataset(people)}, [JoinedKAnonymity(2, {"people": ["age"]})], "people")
    assert told.value.relaxations == ("suppress: 0.34, which withholds 1 of 3 persons",)


def test_where_nothing_helps_what_was_tried_is_told() -> None:
    people = PersonFacts(["a", "b"], {"age": np.array([0, 1])}, ("age",))
    with pytest.raises(Infeasible) as told:
        JoinedSuppression().protect({"people": Dataset(people)}, [JoinedKAnonymity(2, {"people": ["age"]})], "people")
    assert told.value.relaxations[0].startswith("none of these was enough: at_most: 1, suppress: 1")


@dataclass(frozen=True)
class People(Dataset):
    """A table whose classes are of consecutive people; the more classes, the more detail."""

    def coarser(self, k: int) -> People:
        people = len(self.held.persons)
        return People(replace(self.held, cells={"age": np.minimum(np.arange(people) // k, max(0, people // k - 1))}))

    def without_facts(self, removed: RemovedFacts, records: NDArray[np.bool_], coarser: Any = None) -> People:
        return People(super().without_facts(removed, records, coarser).held)

    def loss(self) -> float:
        return 0.98 if self.held.cells["age"].any() else 1.0


@pytest.mark.parametrize(("shared", "taken"), [(16, 4), (1, 8)], ids=["costs hardly more", "costs half of the codes"])
def test_few_people_are_not_all_of_one_class_unless_that_costs_much_less(shared: int, taken: int) -> None:
    """Classes of 40 of sixty people are one class. In classes of 20 everybody loses one code and keeps the shared."""
    who = [f"p{i:02}" for i in range(60)]
    people = People(PersonFacts(who, {"age": np.arange(60)}, ("age",)))
    sets = [[*range(shared), shared + i % 6] for i in range(60)]
    codes = PersonFacts(who, {}, sets=(np.arange(0, 60 * shared + 61, shared + 1), np.concatenate(sets)))
    must = [JoinedKAnonymity(5, {"people": ["age"], "codes": 1})]
    left = JoinedSuppression((8,)).protect({"people": people, "codes": Dataset(codes)}, must, "people")
    assert left.details.coarser == taken
    assert len(left.details.tried) == 2


LOSSES = {8: 0.5, 4: 0.9, 2: 0.2, 1: 0.7}
"""Of a table, by how many times larger its classes are."""


@dataclass(frozen=True)
class Uneven(Dataset):
    """A table that loses more in classes of middle size than in larger and in smaller ones."""

    times: int = 1

    def coarser(self, k: int) -> Uneven:
        return replace(self, times=k // 2)

    def without_facts(self, removed: RemovedFacts, records: NDArray[np.bool_], coarser: Any = None) -> Uneven:
        return replace(self, held=super().without_facts(removed, records, coarser).held)

    def loss(self) -> float:
        return LOSSES[self.times]


def test_a_better_size_of_classes_is_found_behind_one_that_loses_more() -> None:
    who = [f"p{i}" for i in range(100)]
    people = Uneven(PersonFacts(who, {"age": np.zeros(100, int)}, ("age",)))
    rare = np.where(np.arange(100) == 0, 1, 0)  # somebody has to go in every variant, after which it can be given up
    codes = Dataset(PersonFacts(who, {}, sets=(np.arange(101), rare)))
    must = [JoinedKAnonymity(2, {"people": ["age"], "codes": 1})]
    left = JoinedSuppression((1, 2, 4, 8), suppress=1.0).protect({"people": people, "codes": codes}, must, "people")
    assert left.details.coarser == 2
    assert ["given up" in told for told in left.details.tried] == [False, True, False, True]


@dataclass(frozen=True)
class Cut(Dataset):
    """A table in classes of consecutive people, of which some are withheld where a random draw says so."""

    share: float = 0.0

    def coarser(self, k: int) -> Cut:
        people = len(self.held.persons)
        cells = np.minimum(np.arange(people) // k, max(0, people // k - 1))
        return Cut(replace(self.held, cells={"age": cells}), share=1 - 1 / k)

    def without_facts(self, removed: RemovedFacts, records: NDArray[np.bool_], coarser: Any = None) -> Cut:
        return Cut(super().without_facts(removed, records, coarser).held, share=self.share)

    def loss(self) -> float:
        return self.share


@pytest.mark.parametrize("seed", range(16))
def test_no_size_that_was_given_up_loses_less(seed: int) -> None:
    """The variant that is taken is the best of all sizes, each of them tried by itself."""
    rng = np.random.default_rng(seed)
    who = [f"p{i:02}" for i in range(48)]
    people = Cut(PersonFacts(who, {"age": np.arange(48)}, ("age",)))
    codes = [np.flatnonzero(rng.random(6) < rng.uniform(0.2, 0.9)) for _ in who]
    starts = np.concatenate([[0], np.cumsum([len(one) for one in codes])])
    both = {"people": people, "codes": Dataset(PersonFacts(who, {}, sets=(starts, np.concatenate(codes))))}
    must = [JoinedKAnonymity(3, {"people": ["age"], "codes": 2})]
    losses = {}
    for times in (1, 2, 4, 8):
        with contextlib.suppress(Infeasible):
            losses[times] = JoinedSuppression((times,), suppress=0.5)._protected(both, must, "people").details.loss
    taken = JoinedSuppression((1, 2, 4, 8), suppress=0.5)._protected(both, must, "people").details
    assert taken.loss == min(losses.values()) == losses[taken.coarser]


@dataclass(frozen=True)
class Rows(Dataset):
    """A table whose own criteria no longer allow the row of one person."""

    def too_few(self) -> NDArray[np.bool_]:  # type: ignore[override]
        return np.array([person == "f" for person in self.held.persons])

    def without_facts(self, removed: RemovedFacts, records: NDArray[np.bool_], coarser: Any = None) -> Rows:
        return Rows(super().without_facts(removed, records, coarser).held)


@dataclass(frozen=True)
class Texts(Dataset):
    agreed: frozenset[str | None] | None = None
    """Whose rows they were last held against."""

    def agreeing(self, table: Dataset, judge: object) -> Texts:
        return replace(self, agreed=frozenset(table.facts().persons))

    def without_facts(self, removed: RemovedFacts, records: NDArray[np.bool_], coarser: Any = None) -> Texts:
        return replace(self, held=super().without_facts(removed, records, coarser).held)


@dataclass(frozen=True)
class Agreement:
    name: str = "agreement"
    named_datasets: tuple[str, str] = ("people", "notes")
    of_rows: object = "a judge"


def test_texts_agree_with_the_rows_that_are_left_at_last() -> None:
    """Texts of a person whose row went afterwards would say more than the table, and be refused."""
    who = list("abcdef")
    rows = Rows(PersonFacts(who, {"age": np.zeros(6, int)}, ("age",)))
    notes = Texts(PersonFacts(who, {}, sets=(np.arange(7), np.zeros(6, int)), called="word"))
    must: list[Any] = [JoinedKAnonymity(2, {"notes": 1}), Agreement()]
    left = JoinedSuppression((1,)).protect({"people": rows, "notes": notes}, must, "people")
    assert left.datasets["people"].facts().persons == list("abcde")  # type: ignore[union-attr]
    assert left.datasets["notes"].agreed == frozenset("abcde")  # type: ignore[attr-defined]
    assert list(left.datasets["notes"].facts().persons) == who  # type: ignore[union-attr]


@dataclass(frozen=True)
class ChangedTexts(Dataset):
    """Notes that lose one word as soon as they agree with a table."""

    agreed: list[bool] = field(default_factory=list)
    lost: bool = False

    def agreeing(self, table: ProtectedDataset, judge: object) -> ChangedTexts:
        self.agreed.append(True)
        starts, items = self.held.sets or (np.zeros(1, int), np.zeros(0, int))
        return replace(self, held=replace(self.held, sets=(starts, np.where(items == 1, 0, items))), lost=True)

    def without_facts(
        self, removed: RemovedFacts, records: NDArray[np.bool_], coarser: NDArray[np.int64] | None = None
    ) -> Dataset:
        self.agreed.append(False)
        return super().without_facts(removed, records, coarser)


@dataclass(frozen=True)
class TextAgreement:
    """Stands for a criterion that holds texts against a table."""

    of_rows: str = "a judge of texts"
    named_datasets: tuple[str, str] = ("people", "notes")
    name: str = "agreement"


@pytest.mark.parametrize("draw_of", range(20))
def test_with_one_size_of_classes_nothing_is_left_out_before_texts_agree(draw_of: int) -> None:
    rng = np.random.default_rng(draw_of)
    who = [f"p{i}" for i in range(12)]
    people = Dataset(PersonFacts(who, {"age": rng.integers(0, 2, 12)}, ("age",)))
    starts = np.arange(0, 37, 3)
    words = np.concatenate([np.sort(rng.choice(5, 3, replace=False)) for _ in who])
    criterion: Any = JoinedKAnonymity(3, {"people": ["age"], "notes": 1})
    must: Any = [criterion, TextAgreement()]
    results = []
    for sizes in ((1,), (1, 2)):  # there are no larger classes, but they are looked for
        notes: Any = ChangedTexts(PersonFacts(who, {}, sets=(starts, words)))
        try:
            done: Any = JoinedSuppression(sizes, suppress=1.0)._protected(
                {"people": people, "notes": notes}, must, "people"
            )
        except Infeasible as error:
            results.append(str(error).splitlines()[0])
            continue
        left = done.datasets["notes"].facts()
        results.append((list(left.persons), *(one.tolist() for one in left.sets)))
        assert sizes != (1,) or (notes.agreed[0] and notes.agreed.count(True) == 1)
    assert results[0] == results[1]
