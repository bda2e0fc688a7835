"""Which facts of joined records to leave out, so that every combination an attacker may know fits k persons or nobody.

Inside a group of persons who show the same in what is known for sure, a fact is left out of all records or of none. So
leaving one out changes no other combination: those that hold it are gone, all others fit whom they fitted. But somebody
may show no fact any more, and is then seen otherwise than the rest of the group, which is why the search is repeated
until nothing is left to do. Persons of a group that is too small are withheld from all datasets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial

import numpy as np
from numpy.typing import NDArray

from sharewell.distinct_numbers import contained, counted, distinct
from sharewell.joint.engine.attacker_knowledge import FactSort
from sharewell.joint.engine.combination_walk import Combinations, OneMore, Walk, run_numbers
from sharewell.joint.engine.covering_facts import covering_records
from sharewell.joint.engine.joined_records import Ints, JoinedRecords, ranks
from sharewell.joint.engine.protection.fact_coarsening import LEFT_OUT, coarser_facts
from sharewell.joint.engine.protection.greedy_hitting_set import hitting_facts
from sharewell.joint.engine.protection.group_levelling import ABSENT, WITH_FACTS, levelled, ways_known
from sharewell.protocols import CoarserFacts, RemovedFacts

Marks = NDArray[np.bool_]
_NEVER = 1 << 50
"""The cost of what cannot be left out: how a record is seen."""


@dataclass(frozen=True)
class LeftOut:
    """What is left out of each dataset: marks of its facts, and of whole records."""

    facts: Mapping[str, RemovedFacts]
    records: Mapping[str, Marks]
    persons: int = 0
    """Who is withheld from all datasets."""
    coarser: Mapping[str, Ints] = field(default_factory=dict)
    """Dataset → what each of its labels or rows becomes; -1: it stays as it is, or is left out."""
    levels: bool = False
    """Do facts go because somebody would be seen otherwise than others, so that nothing may stand in their place?"""

    @property
    def nothing(self) -> bool:
        facts = [marks for sorts in self.facts.values() for marks in sorts.values()]
        changed = [nodes >= 0 for nodes in self.coarser.values()]
        return not any(marks.any() for marks in (*facts, *changed, *self.records.values()))


@dataclass(frozen=True)
class LargestShare:
    """No value of a sensitive column may belong to more than a share of those whom a combination fits."""

    starts: Ints
    values: Ints
    """Those of person p are values[starts[p] : starts[p + 1]]."""
    most: Fraction

    @classmethod
    def of(cls, joined: JoinedRecords, column: tuple[str, str], most: Fraction) -> LargestShare:
        person, values = joined.sensitive[column]
        counts = np.bincount(person, minlength=joined.persons)
        return cls(np.concatenate([[0], np.cumsum(counts)]).astype(np.int64), values, most)

    def tells(self, persons: Sequence[int]) -> bool:
        """Has a value too large a share among these persons?"""
        held = [self.values[self.starts[person] : self.starts[person + 1]] for person in persons]
        counts = np.bincount(np.concatenate(held)) if held else np.zeros(0, np.int64)
        most = int(counts.max(initial=0))
        return most * self.most.denominator > self.most.numerator * len(persons)

    def broken(self, owner: Ints, node: Ints, support: Ints) -> Marks:
        """Sets of persons (node by node, this many of each) in which a value has too large a share."""
        lengths = self.starts[owner + 1] - self.starts[owner]
        width, total = int(self.values.max(initial=0)) + 1, int(lengths.sum())
        within = np.arange(total) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        places = np.repeat(self.starts[owner], lengths) + within
        keys, counts = counted(np.repeat(node, lengths) * width + self.values[places])
        most = np.zeros(len(support), np.int64)
        np.maximum.at(most, keys // width, counts)
        return np.asarray(most * self.most.denominator > self.most.numerator * support)


def _allowed(k: int, shares: Sequence[LargestShare], persons: Sequence[int]) -> bool:
    """Are these persons enough to show something, and do they not give a sensitive value away?"""
    return len(persons) >= k and not any(share.tells(persons) for share in shares)


def coarsened(
    joined: JoinedRecords, out: LeftOut, k: int, shares: Sequence[LargestShare], coarser: Mapping[str, CoarserFacts]
) -> LeftOut:
    """The same, with coarser facts in the place of some that would go. coarser: dataset → what facts may become."""
    facts, nodes = {name: dict(sorts) for name, sorts in out.facts.items()}, dict[str, Ints]()
    for part in joined.parts if not out.levels else ():
        marks = out.facts.get(part.dataset, {}).get(part.sort)
        tree = coarser.get(part.dataset)
        if tree is None or part.sort == "places" or marks is None or not marks.any():
            continue
        becomes = coarser_facts(joined, part, marks, tree, partial(_allowed, k, shares))
        nodes[part.dataset] = np.where(becomes == LEFT_OUT, -1, becomes)
        facts[part.dataset][part.sort] = becomes == LEFT_OUT
    return replace(out, facts=facts, coarser=nodes)


def facts_to_leave_out(joined: JoinedRecords, k: int, shares: Sequence[LargestShare] = ()) -> LeftOut:
    """One pass: every combination is as it must be, or holds a fact that is left out.

    It fits k persons, and no sensitive value has too large a share among these.
    """
    wrong = _seen_by_too_few(joined, k, shares)
    if wrong.any():  # how people are seen comes first: whoever stays is then judged again
        return _levelled(joined, k, shares, wrong)
    left, keys, tallies = joined, list[Ints](), list[_Tally]()
    for part in range(len(joined.parts)):
        rare, tally, marks = _rare(joined, part, k)
        left = left if marks is None else left.without(part, marks)
        keys.append(rare)
        tallies.append(tally)
    for part, more in enumerate(_of_combinations(left, k, shares, tallies)):
        keys[part] = np.concatenate([keys[part], more])
    if shares and not any(map(len, keys)):  # true values tell more than equal facts only where cells overlap
        keys = _of_true_values(joined, shares)
    return _marked(joined, [_whole_places(joined, part, one) for part, one in enumerate(keys)])


def _seen_by_too_few(joined: JoinedRecords, k: int, shares: Sequence[LargestShare]) -> Marks:
    """Persons who are seen in a way, in one dataset or in several, that fits too few or gives a value away."""
    wrong = np.zeros(joined.persons, bool)
    for parts in ways_known(joined):
        listed = ~(joined.seen[:, parts] > WITH_FACTS).any(axis=1)
        key = ranks(np.concatenate([joined.group[:, None], joined.seen[:, parts]], axis=1))
        owner = np.flatnonzero(listed)[np.argsort(key[listed], kind="stable")]
        node, support = run_numbers(key[owner])
        bad = support < k
        for share in shares:
            bad |= share.broken(owner, node, support)
        wrong[owner[bad[node]]] = True
    return wrong


def _levelled(joined: JoinedRecords, k: int, shares: Sequence[LargestShare], wrong: Marks) -> LeftOut:
    """What to leave out where it shows which sorts of facts a person has, and too few others have the same sorts."""
    known = [*joined.known_for_sure, *(one.dataset for one in joined.parts)]
    droppable = [one.sort != "places" and known.count(one.dataset) == 1 for one in joined.parts]
    target, withheld = levelled(joined, k, partial(_allowed, k, shares), wrong, droppable)
    records = {name: withheld[of] for name, of in joined.person_of.items()}
    facts: dict[str, dict[FactSort, Marks]] = {}
    for part, one in enumerate(joined.parts):
        emptied = (joined.seen[:, part] >= WITH_FACTS) & (target[:, part] < WITH_FACTS)
        facts.setdefault(one.dataset, {})[one.sort] = emptied[one.fact_person]
        if one.sort == "labels":
            absent = (joined.seen[:, part] > ABSENT) & (target[:, part] == ABSENT)
            records[one.dataset] = records[one.dataset] | absent[joined.person_of[one.dataset]]
    return LeftOut(facts, records, int(withheld.sum()), levels=True)


def _whole_places(joined: JoinedRecords, part: int, keys: Ints) -> Ints:
    """A place goes for the whole group: whoever knows a hidden value could tell apart those who show another one."""
    values, width = joined.parts[part].values, _width(joined, part)
    if not values or not len(keys):
        return distinct(keys)
    first = distinct(keys - keys % width % values)
    return distinct((first[:, None] + np.arange(values)).ravel())


def _width(joined: JoinedRecords, part: int) -> int:
    one = joined.parts[part]
    step = one.values or one.repeats
    return -(-one.widest // step) * step


def _keys(joined: JoinedRecords, part: int) -> Ints:
    """(group, item) as one number, of each item of a part."""
    one = joined.parts[part]
    return np.repeat(joined.group * _width(joined, part), np.diff(one.starts)) + one.items


_Tally = tuple[Ints, Ints]
"""(group, item) keys that occur, ascending, and how often each does."""


def _rare(joined: JoinedRecords, part: int, k: int) -> tuple[Ints, _Tally, Marks | None]:
    """Keys of items that fewer than k persons of their group hold: nothing but leaving them out helps.

    Besides the tally of all others, and marks of the rare items among those of the part; None where there are none. Of
    a dataset of which no fact is known, all may stay.
    """
    one, keys = joined.parts[part], _keys(joined, part)
    values, counts = counted(keys)
    few = counts < (k if one.most else 0)
    if few.any():
        few &= ~contained(values % _width(joined, part), one.ways_seen)
    marks = contained(keys, values[few]) if few.any() else None
    return keys[marks] if marks is not None else keys[:0], (values[~few], counts[~few]), marks


def _of_combinations(
    joined: JoinedRecords, k: int, shares: Sequence[LargestShare], tallies: Sequence[_Tally] | None = None
) -> list[Ints]:
    """Part by part, (group, item) keys that break every combination that is not as it must be.

    tallies: of each part, where they are known.
    """
    walk = Walk(joined)
    total = int(walk.offsets[-1]) + 1
    costs: tuple[Ints, Ints] | None = None
    results: list[list[Ints]] = [[] for _ in joined.parts]
    for one in walk.groups():
        group_of = np.zeros(len(one.support), np.int64)
        group_of[one.node] = joined.group[one.owner]
        bad: list[tuple[Ints, Ints]] = []
        _collect(walk, one, group_of, (k, shares), bad)
        if bad:
            groups, facts = np.concatenate([g for g, _ in bad]), np.concatenate([f for _, f in bad])
            tallies = tallies or [counted(_keys(joined, part)) for part in range(len(joined.parts))]
            costs = costs or _costs(joined, walk.offsets, total, tallies)
            chosen = hitting_facts(groups, facts, total, costs)
            for part, keys in enumerate(results):
                keys.append(_of_part(joined, part, walk.offsets, chosen // total, chosen % total))
    return [np.concatenate([np.zeros(0, np.int64), *keys]) for keys in results]


def _of_true_values(joined: JoinedRecords, shares: Sequence[LargestShare]) -> list[Ints]:
    """Part by part, (group, item) keys of facts that may stand for values which are known and tell too much.

    All of the facts that may stand for such a value go, of the whole group.
    """
    keys: list[list[Ints]] = [[np.zeros(0, np.int64)] for _ in joined.parts]
    for covering in covering_records(joined):
        for part, result in enumerate(_of_combinations(covering.joined, 1, shares)):
            stands_for, one = covering.stands_for[part], joined.parts[part]
            if stands_for is None:
                keys[part].append(result)
                continue
            groups, values = np.divmod(result, _width(covering.joined, part))
            for group, value in zip(groups.tolist(), values.tolist(), strict=True):
                first = np.array(stands_for[value]) * one.repeats
                items = (first[:, None] + np.arange(one.repeats)).ravel()
                keys[part].append(group * _width(joined, part) + items)
    return [np.concatenate(each) for each in keys]


def _collect(
    walk: Walk,
    one: Combinations,
    group_of: Ints,
    rule: tuple[int, Sequence[LargestShare]],
    bad: list[tuple[Ints, Ints]],
) -> None:
    """Combinations that fit too few or give a value away, none of them an extension of another."""
    k, shares = rule
    wrong = one.support < k
    if one.part >= 0:
        for share in shares:
            wrong |= share.broken(one.owner, one.node, one.support)
        if wrong.any():
            bad.append((group_of[wrong], one.items[wrong]))
    for rows in walk.one_more(one, ~wrong):
        if not shares and not walk.goes_on(one, rows):
            parents, facts = rare_with(walk, one, rows, k)
            if len(parents):
                bad.append((group_of[parents], facts))
            continue
        more = walk.combined(one, rows)
        groups = np.zeros(len(more.support), np.int64)
        groups[more.node] = walk.joined.group[more.owner]
        _collect(walk, more, groups, rule, bad)


def rare_with(walk: Walk, one: Combinations, more: OneMore, k: int) -> tuple[Ints, Ints]:
    """Combinations with one fact more that fit fewer than k persons: what each extends, and its facts.

    They are counted without listing all others. one: the combinations that are extended; each fits k persons.
    """
    _, combinations, counts = more.counted()
    rare = combinations[(counts > 0) & (counts < k)]
    parents = rare // more.width + more.least
    facts = one.items[parents]
    facts[:, one.known] = rare % more.width + walk.offsets[more.part]
    return parents, facts


def _costs(joined: JoinedRecords, offsets: Ints, total: int, tallies: Sequence[_Tally]) -> tuple[Ints, Ints]:
    """(group, fact) → occurrences that go when the fact goes."""
    keys, every = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for part, (one, (values, counts)) in enumerate(zip(joined.parts, tallies, strict=True)):
        groups, items = np.divmod(values, _width(joined, part))
        keys.append(groups * total + offsets[part] + items)
        every.append(np.where(contained(items, one.ways_seen), _NEVER, counts))
    pairs = np.concatenate(keys)
    order = np.argsort(pairs, kind="stable")
    return pairs[order], np.concatenate(every)[order]


def _of_part(joined: JoinedRecords, part: int, offsets: Ints, groups: Ints, facts: Ints) -> Ints:
    """(group, item) keys of the facts of one part; with a row goes every repetition of it."""
    mine = (facts >= offsets[part]) & (facts < offsets[part + 1])
    groups, items = groups[mine], facts[mine] - offsets[part]
    repeats, width = joined.parts[part].repeats, _width(joined, part)
    later = [
        groups[here] * width + items[here] + step
        for step in range(repeats)
        if (here := items % repeats + step < repeats).any()
    ]
    return np.concatenate([np.zeros(0, np.int64), *later])


def _marked(joined: JoinedRecords, keys: list[Ints]) -> LeftOut:
    """The facts and records of each dataset that (group, item) keys stand for."""
    facts: dict[str, dict[FactSort, Marks]] = {}
    for part, one in enumerate(joined.parts):
        of_fact = joined.group[one.fact_person] * _width(joined, part) + one.fact_item
        facts.setdefault(one.dataset, {})[one.sort] = contained(of_fact, keys[part])
    return LeftOut(facts, {name: np.zeros(len(of), bool) for name, of in joined.person_of.items()})
