"""Releases of codes about the same people: judged as one, against an enumeration of what attackers find."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from sharewell.codes import (
    CodeSets,
    CompleteKAnonymity,
    KmAnonymity,
    PrivacyPolicy,
    RhoUncertainty,
    UtilityPolicy,
)
from sharewell.codes.criteria.codes_together import CodesTogether, LinkedSets, judge_codes
from sharewell.codes.engine.labels import write_label
from sharewell.io.sources import Source
from sharewell.people_evidence import PeopleEvidence
from sharewell.protocols import PublishedDataset

CODES = "abcd"
Labels = tuple[frozenset[str], ...]
Fact = tuple[int, str]
"""A release, and a code that a record shows there."""


@dataclass(frozen=True)
class PlainRecord:
    """One published record: whose it is, the codes that it truly has, and its labels."""

    person: int
    held: frozenset[str]
    labels: Labels

    def shows(self, code: str) -> bool:
        return any(code in label for label in self.labels)


Release = list[PlainRecord]


def drawn(draw: random.Random, persons: int, most_records: int) -> list[Release]:
    """Two or three releases. Codes come and go, persons too; labels differ from release to record.

    Persons have several records in the first alone: which of two files' visits are the same, nobody could tell.
    """
    true = [frozenset(draw.sample(CODES, draw.randint(0, 3))) for _ in range(persons)]
    releases = []
    for number in range(draw.choice([2, 2, 2, 3])):
        whole = recoding(draw)
        local = draw.random() < 0.3
        release = []
        for person, codes in enumerate(true):
            if draw.random() < 0.15:
                continue
            for _ in range(draw.randint(1, 1 if number else most_records)):
                held = codes if draw.random() < 0.7 else codes | {draw.choice(CODES)}
                shown = recoding(draw) if local else whole
                labels = {label for code in held if (label := shown.get(code)) and draw.random() < 0.95}
                release.append(PlainRecord(person, frozenset(held), tuple(sorted(labels, key=sorted))))
        releases.append(release)
    return [release for release in releases if release]


def recoding(draw: random.Random) -> dict[str, frozenset[str]]:
    """A partition of the codes, some of them suppressed."""
    parts: dict[int, set[str]] = {}
    for code in CODES:
        parts.setdefault(draw.randint(0, 2), set()).add(code)
    return {code: frozenset(part) for part in parts.values() for code in part if draw.random() < 0.9}


def linked(releases: Sequence[Release]) -> list[LinkedSets]:
    results = []
    for number, release in enumerate(releases):
        rows = [[write_label(label) for label in record.labels] for record in release]
        persons = pa.array([f"p{record.person}" for record in release])
        people = PeopleEvidence("names", "", persons, np.arange(len(rows)))
        data = CodeSets.of(rows, published=True)
        results.append(LinkedSets(f"r{number}", data, people, same_identifiers=True))
    return results


def joined(releases: Sequence[Release], own: int) -> list[tuple[int, tuple[PlainRecord | None, ...]]]:
    """(number of the own record, a record of the person in each release)."""
    results = []
    for number, record in enumerate(releases[own]):
        rows: list[tuple[PlainRecord | None, ...]] = [()]
        for i, release in enumerate(releases):
            of_person: list[PlainRecord | None] = [one for one in release if one.person == record.person]
            these = [record] if i == own else of_person or [None]
            rows = [(*row, one) for row in rows for one in these]
        results += [(number, row) for row in rows]
    return results


def holds(row: Sequence[PlainRecord | None], like: Sequence[PlainRecord | None], facts: Sequence[Fact]) -> bool:
    """Could this be the record that is looked for: in the same releases, and all facts in it?"""
    if [one is None for one in row] != [one is None for one in like]:
        return False
    return all((record := row[release]) is not None and record.shows(code) for release, code in facts)


def facts_of(row: Sequence[PlainRecord | None], codes: Sequence[str]) -> list[Fact]:
    """What some known codes are in what a person's records show."""
    return [(i, code) for i, record in enumerate(row) for code in codes if record is not None and record.shows(code)]


def found(releases: Sequence[Release], own: int, m: int, truly: bool) -> Iterator[int]:
    """How many records of a release every attacker finds who knows up to m codes; truly: codes that persons have."""
    rows = joined(releases, own)
    for _, row in rows:
        known = [
            code
            for code in CODES
            if any(record is not None and (code in record.held if truly else record.shows(code)) for record in row)
        ]
        for size in range(0 if len({tuple(one is None for one in other) for _, other in rows}) > 1 else 1, m + 1):
            for codes in combinations(known, size):
                facts = facts_of(row, codes)
                if facts or not codes:
                    yield len({number for number, other in rows if holds(other, row, facts)})


@pytest.mark.parametrize(("seed", "most_records"), [(seed, 1 + seed % 2) for seed in range(12)])
def test_it_holds_exactly_if_every_attacker_finds_k_records(seed: int, most_records: int, full_size: bool) -> None:
    draw = random.Random(seed)
    held = failed = 0
    for _ in range(150 if full_size else 30):
        releases = drawn(draw, draw.randint(2, 6), most_records)
        if len(releases) < 2:
            continue
        k, m = draw.choice([1, 2, 2, 3]), draw.randint(1, 3)
        asked = {f"r{i}": [KmAnonymity(k, m)] for i in range(len(releases))}
        finding = judge_codes(linked(releases), asked)
        possible = min((one for i in range(len(releases)) for one in found(releases, i, m, truly=False)), default=k)
        assert finding.ok is (possible >= k)
        true = min((one for i in range(len(releases)) for one in found(releases, i, m, truly=True)), default=k)
        assert true >= k or not finding.ok, "somebody is found, and it is said to hold"
        held, failed = held + bool(finding.ok), failed + (not finding.ok)
    assert min(held, failed) > (10 if full_size else 1)


@pytest.mark.parametrize("seed", range(6))
def test_no_world_singles_anybody_out_where_it_holds(seed: int, full_size: bool) -> None:
    """All ways to give the records of two releases to at most five persons, with and without knowing which of them
    belong together: the records that may be the target's are at least k."""
    draw = random.Random(100 + seed)
    looked = 0
    while looked < (12 if full_size else 3):
        releases = drawn(draw, draw.randint(3, 5), 1)[:2]
        k, m = 2, draw.randint(1, 2)
        if len(releases) < 2 or {one.person for one in releases[0]} != {one.person for one in releases[1]}:
            continue
        if not judge_codes(linked(releases), {f"r{i}": [KmAnonymity(k, m)] for i in range(2)}).ok:
            continue
        looked += 1
        first, second = (sorted(one, key=lambda record: record.person) for one in releases)
        people = range(len(first))
        for person in people:
            for size in range(1, m + 1):
                for codes in combinations(sorted(first[person].held | second[person].held), size):
                    facts = facts_of((first[person], second[person]), codes)
                    if not facts:
                        continue
                    together, apart = set(), set()
                    for world in permutations(people):
                        if holds((first[world[person]], second[world[person]]), (first[0], second[0]), facts):
                            together.add(world[person])
                        for other in permutations(people):
                            if holds((first[world[person]], second[other[person]]), (first[0], second[0]), facts):
                                apart.add(world[person])
                    assert k <= len(together) <= len(apart)


@pytest.mark.parametrize("seed", range(8))
def test_other_promises_by_their_definition(seed: int, full_size: bool) -> None:
    """Equal joined records, and what joined records show of listed combinations."""
    draw = random.Random(200 + seed)
    verdicts: set[tuple[str, bool]] = set()
    for _ in range(80 if full_size else 25):
        releases = drawn(draw, draw.randint(2, 4), draw.choice([1, 2]))
        if len(releases) < 2:
            continue
        if draw.random() < 0.5:  # everybody has a twin
            releases = [[*one, *(replace(record, person=record.person + 9) for record in one)] for one in releases]
        k, strict = draw.choice([2, 3]), draw.random() < 0.5
        itemsets = [draw.sample(CODES, draw.randint(1, 3)) for _ in range(2)]
        for rule in (CompleteKAnonymity(k), PrivacyPolicy(itemsets, k, strict=strict)):
            finding = judge_codes(linked(releases), {f"r{i}": [rule] for i in range(len(releases))})
            least = min(counted(releases, rule), default=k)
            assert finding.ok is (least >= k), rule
            verdicts.add((type(rule).__name__, bool(finding.ok)))
    assert len(verdicts) == 4


def counted(releases: Sequence[Release], rule: Any) -> Iterator[int]:
    """The records that share what a promise speaks of."""
    for own in range(len(releases)):
        rows = joined(releases, own)
        several = len({tuple(one is None for one in row) for _, row in rows}) > 1
        for _, row in rows:
            if several:
                yield len({number for number, other in rows if holds(other, row, [])})
            if isinstance(rule, CompleteKAnonymity):
                same = [tuple(one and one.labels for one in row)]
                yield len({n for n, other in rows if tuple(one and one.labels for one in other) in same})
                continue
            for codes in rule.itemsets:
                facts = facts_of(row, codes)
                if not rule.strict:
                    facts = [fact for fact in facts if sum(one == fact[0] for one, _ in facts) == len(codes)]
                if facts:
                    yield len({number for number, other in rows if holds(other, row, facts)})


def sets(*rows: str, persons: str = "", **changed: Any) -> LinkedSets:
    named = pa.array(list(persons or "uvwxyz"[: len(rows)]))
    people = PeopleEvidence("names", "", named, np.arange(len(rows)))
    data = CodeSets.of([row.split() for row in rows], published=True)
    return LinkedSets(**({"title": "r", "data": data, "people": people, "same_identifiers": True} | changed))


def test_a_promise_that_cannot_be_judged_leaves_it_undecided_unless_nothing_is_added() -> None:
    rule = RhoUncertainty(0.5, ["s"], 1)
    first, second = sets("a", "a s", "a", title="one"), sets("a", "a s", "a", title="two")
    asked = {"one": [rule], "two": [rule]}
    assert judge_codes([first, second], asked).ok
    finding = judge_codes([first, sets("a", "a", "a s", title="two")], asked)
    assert (finding.ok, finding.failed) == (None, True)
    assert "rho-uncertainty of one cannot be judged" in finding.note


def test_without_evidence_or_under_another_key_it_is_undecided() -> None:
    rule = {"one": [KmAnonymity(2, 1)], "two": [KmAnonymity(2, 1)]}
    first = sets("a", "a", title="one")
    assert judge_codes([first, sets("a", "a", title="two", people=None)], rule).ok is None
    other = PeopleEvidence("other names", "", pa.array(["u", "v"]), np.arange(2))
    assert judge_codes([first, sets("a", "a", title="two", people=other)], rule).ok is None


def test_a_newcomer_without_codes_stands_alone() -> None:
    rule = {"one": [KmAnonymity(2, 1)], "two": [KmAnonymity(2, 1)]}
    finding = judge_codes([sets("a", "a", title="one"), sets("a", "a", "", title="two")], rule)
    assert finding.value == 1


def test_it_speaks_of_sets_with_an_earlier_release_and_a_promise() -> None:
    def dataset(name: str, *criteria: Any, release: str = "", visits: bool = False) -> PublishedDataset:
        data = CodeSets.of_visits([[["a"]]], published=True) if visits else CodeSets.of([["a"]], published=True)
        return PublishedDataset(name, data, Source(), "codes", criteria, release=release)

    rule, cost = KmAnonymity(1), UtilityPolicy([["a", "b"]])
    now, before = dataset("dx", rule), dataset("dx", release="r1")
    names = lambda *datasets: [one.title for one in CodesTogether().relevant(datasets)]  # noqa: E731
    assert names(now, before) == ["dx", "dx of r1"]
    assert names(now, before, dataset("trails", rule, visits=True)) == ["dx", "dx of r1"]
    assert names(now, dataset("again", rule)) == []
    assert names(dataset("dx", cost), before) == []
