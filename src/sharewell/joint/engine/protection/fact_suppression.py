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

import numpy as np
from numpy.typing import NDArray

from sharewell.distinct_numbers import contained, counted, distinct, numbered
from sharewell.joint.engine.attacker_knowledge import FactSort
from sharewell.joint.engine.combination_walk import Combinations, Walk, run_numbers
from sharewell.joint.engine.covering_facts import covering_records
from sharewell.joint.engine.joined_records import Ints, JoinedRecords, ranks
from sharewell.joint.engine.protection.fact_coarsening import LEFT_OUT, coarser_facts
from sharewell.joint.engine.protection.group_levelling import ABSENT, WITH_FACTS, levelled, ways_known
from sharewell.joint.engine.protection.rare_combinations import rare_below
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
        """Sets of persons (node by node, so many of each) in which a value has too large a share."""
        lengths = self.starts[owner + 1] - self.starts[owner]
        width, total = int(self.values.max(initial=0)) + 1, int(lengths.sum())
        within = np.arange(total) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        places = np.repeat(self.starts[owner], lengths) + within
        keys, counts = counted(np.repeat(node, lengths) * width + self.values[places])
        most = np.zeros(len(support), np.int64)
        np.maximum.at(most, keys // width, counts)
        return np.asarray(most * self.most.denominator > self.most.numerator * support)


def coarsened(
    joined: JoinedRecords, out: LeftOut, k: int, shares: Sequence[LargestShare], coarser: Mapping[str, CoarserFacts]
) -> LeftOut:
    """The same, with coarser facts in the place of some that would go. coarser: dataset → what facts may become."""

    def allowed(persons: Sequence[int]) -> bool:
        return len(persons) >= k and not any(share.tells(persons) for share in shares)

    facts, nodes = {name: dict(sorts) for name, sorts in out.facts.items()}, dict[str, Ints]()
    for part in joined.parts if not out.levels else ():
        marks = out.facts.get(part.dataset, {}).get(part.sort)
        tree = coarser.get(part.dataset)
        if tree is None or part.sort == "places" or marks is None or not marks.any():
            continue
        becomes = coarser_facts(joined, part, marks, tree, allowed)
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
    removed = [_rare(joined, part, k) for part in range(len(joined.parts))]
    left = joined
    for part, marks in enumerate(removed):
        left = left.without(part, marks)
    keys = [_keys(joined, part)[marks] for part, marks in enumerate(removed)]
    for part, more in enumerate(_of_combinations(left, k, shares)):
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
    """What makes some persons be seen otherwise than others of their class, in groups that are too small, or tell."""

    def allowed(persons: Sequence[int]) -> bool:
        return len(persons) >= k and not any(share.tells(persons) for share in shares)

    names = [one.dataset for one in joined.parts]
    droppable = [one.sort != "places" and names.count(one.dataset) == 1 for one in joined.parts]
    droppable = [
        can and one.dataset not in joined.known_for_sure for can, one in zip(droppable, joined.parts, strict=True)
    ]
    target, withheld = levelled(joined, k, allowed, wrong, droppable)
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
    widest = max(int(one.fact_item.max(initial=0)), int(one.items.max(initial=0))) + 1
    step = one.values or one.repeats
    return -(-widest // step) * step


def _keys(joined: JoinedRecords, part: int) -> Ints:
    """(group, item) as one number, of each item of a part."""
    return joined.group[joined.owners(part)] * _width(joined, part) + joined.parts[part].items


def _rare(joined: JoinedRecords, part: int, k: int) -> Marks:
    """Items that fewer than k persons of their group hold: nothing but leaving them out helps.

    Of a dataset of which no fact is known, all may stay.
    """
    if not joined.parts[part].most:
        return np.zeros(len(joined.parts[part].items), bool)
    number = numbered(_keys(joined, part))[1]
    one = joined.parts[part]
    return np.asarray((np.bincount(number)[number] < k) & ~contained(one.items, one.ways_seen))


def _of_combinations(joined: JoinedRecords, k: int, shares: Sequence[LargestShare]) -> list[Ints]:
    """Part by part, (group, item) keys that break every combination that is not as it must be."""
    walk = Walk(joined)
    costs: tuple[Ints, Ints] | None = None
    results: list[list[Ints]] = [[] for _ in joined.parts]
    for one in walk.groups():
        group_of = np.zeros(len(one.support), np.int64)
        group_of[one.node] = joined.group[one.owner]
        bad: list[tuple[Ints, Ints]] = []
        _collect(walk, one, group_of, (k, shares), bad)
        if bad:
            groups, facts = np.concatenate([g for g, _ in bad]), np.concatenate([f for _, f in bad])
            costs = costs or _costs(joined, walk.offsets, int(walk.offsets[-1]) + 1)
            for part, keys in enumerate(_broken(joined, walk.offsets, costs, groups, facts)):
                results[part].append(keys)
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
    if not shares and one.known + 1 == walk.joined.at_most:  # nothing extends what is below
        bad += [(group_of[parents], facts) for parents, facts in rare_below(walk, one, ~wrong, k) if len(parents)]
        return
    for more in walk.below(one, ~wrong):
        groups = np.zeros(len(more.support), np.int64)
        groups[more.node] = walk.joined.group[more.owner]
        _collect(walk, more, groups, rule, bad)


def _broken(joined: JoinedRecords, offsets: Ints, prices: tuple[Ints, Ints], groups: Ints, facts: Ints) -> list[Ints]:
    """Greedy: in every group again and again the fact that breaks most combinations for each occurrence it costs."""
    total = int(offsets[-1]) + 1
    cost_keys, costs = prices
    alone = (facts >= 0).sum(axis=1) == 1  # nothing but leaving out the one fact helps
    chosen: list[Ints] = [distinct(groups[alone] * total + facts[alone].max(axis=1, initial=-1))]
    held = (contained((groups[:, None] * total + facts).ravel(), chosen[0]).reshape(facts.shape) & (facts >= 0)).any(
        axis=1
    )
    groups, facts = groups[~held], facts[~held]
    while len(facts):
        keys = (groups[:, None] * total + facts)[facts >= 0]
        facts_held, counts = counted(keys)
        score = counts / costs[np.searchsorted(cost_keys, facts_held)]
        order = np.lexsort((facts_held, -score, facts_held // total))
        first = np.concatenate([[True], np.diff(facts_held[order] // total) != 0])
        best = facts_held[order][first]  # one of each group, by group
        chosen.append(best)
        target = best[np.searchsorted(best // total, groups)] % total
        broken = (facts == target[:, None]).any(axis=1)
        groups, facts = groups[~broken], facts[~broken]
    every = np.concatenate([np.zeros(0, np.int64), *chosen])
    return [_of_part(joined, part, offsets, every // total, every % total) for part in range(len(joined.parts))]


def _costs(joined: JoinedRecords, offsets: Ints, total: int) -> tuple[Ints, Ints]:
    """(group, fact) → occurrences that go when the fact goes."""
    keys = [
        joined.group[joined.owners(part)] * total + offsets[part] + one.items for part, one in enumerate(joined.parts)
    ]
    pairs, counts = counted(np.concatenate(keys))
    stays = np.concatenate([offsets[part] + one.ways_seen for part, one in enumerate(joined.parts)])
    return pairs, np.where(contained(pairs % total, stays), _NEVER, counts)


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
