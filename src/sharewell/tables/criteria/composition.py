"""Composition: every table keeps its criteria even for a reader of all tables of records about the same people.

## Guarantee
The classes of each table are divided by what every other table says about the same records. Every criterion that the
table promises holds in these smaller classes: the k, the l or the largest share that it requires holds as if all tables
were one table with the columns of all of them. sharewell judges this on every release that publishes two tables of
records about the same people, including earlier releases that the policy names. A release that fails it, or in which it
cannot be decided, is refused.

## Adversary
Has all of these tables, and knows the quasi values of a target and in which of the tables the target is. Also knows
which records of two tables belong together, as anyone may who finds the same illness, cost or date in both. The
intersection attack, which keeps the sensitive values that two classes of a person have in common, needs to know less.

## What it does not protect
Tables that the policy neither publishes nor names. Sensitive columns about which a table promises nothing: the attack
`composition-of-datasets` measures them. Attackers who know several records of one person and that they belong together:
no criterion of a single table bounds this either. Columns that are kept or shifted, and noise that two tables add to a
column. Persons of two files are matched by their identifiers: one whose identifier changes counts as somebody else. If
fewer than half of the persons are in both tables, or persons of one identifier look no more alike than strangers, the
result is undecided, unless the policy claims that identifiers are kept (`release: {same_identifiers: true}`). A few
persons who are renumbered among many who are not stay unnoticed.

## Parameters
None. The bounds are those of the tables' own criteria.

## Worked example
Each of two tables has classes of two people with two illnesses. But Ann is the only person in the first class of both
tables, and gout the only illness that both classes show.

>>> import numpy as np
>>> import pyarrow as pa
>>> from sharewell.io.sources import Source
>>> from sharewell.tables import KAnonymity, LDiversity, Table
>>> def published(ages, illnesses):
...     frame = pa.table({"age": ages, "illness": illnesses})
...     return Table.of(frame, quasi=["age"], sensitive=["illness"], published=True)
>>> def linked(title, table):
...     people = PeopleEvidence("", "the same file", None, np.arange(table.rows))
...     return LinkedTable(title, table, people)
>>> illnesses = ["gout", "flu", "asthma", "ulcer"]                                   # of Ann, Bob, Cleo and Dan
>>> first = linked("first", published(["[20-29]", "[20-29]", "[30-39]", "[30-39]"], illnesses))
>>> second = linked("second", published(["[24-31]", "[20-39]", "[24-31]", "[20-39]"], illnesses))
>>> asked = {"first": [KAnonymity(2)], "second": [LDiversity(2)]}
>>> print(judge_composition([first, second], asked))
composition = 8 groups (≤ 0: FAILS)

If the second table has the cells of the first, it adds nothing.

>>> print(judge_composition([first, linked("second", first.data)], asked))
composition = 0 groups (≤ 0: holds)

## Why it is safe
A reader who has all tables, and no more, knows less than a reader of one combined table in which the records that
belong together are one row. In the combined table the people of a group show the same cells: exchanging any two of them
changes nothing that this reader sees of them, except the values in question. The check groups each table anew into
classes by its published cells, and divides every class by the class of the same record in every other table, or by its
absence there. Each criterion of the table then judges each group as if it were a class. The steward's evidence says
which records belong together: the record itself where both tables read the same file, otherwise the person, who then
stands in one group for every class that the other table has for them.
Where several tables show the same sensitive column, each criterion also judges the part of each group whose values have
not changed, for a reader who knows that the target's has not.
Where evidence is missing, or a criterion cannot be judged on a part of a class, the result is undecided, unless no
class is divided. Two tables that publish the same pseudonym fail.

## Cost
O(m² · n log n) for m tables of n records; at most 20 million records in groups.

## Source
Ganta, Kasiviswanathan and Smith, 2008: Composition attacks and auxiliary information in data privacy (intersection
attack); Byun, Sohn, Bertino and Li, 2006, and Xiao and Tao, 2007 (releases of people who join and leave).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

from sharewell.algorithm import DataError, Declared, Finding, PolicyError, Role
from sharewell.people_evidence import NotComparable, PeopleEvidence
from sharewell.protocols import AnyCriterion, JointCriterion, PublishedDataset
from sharewell.tables.data import Table
from sharewell.tables.engine.checks.class_criterion import ClassCriterion
from sharewell.tables.engine.checks.identifier_doubts import identifier_doubts
from sharewell.tables.engine.checks.joint_classes import JointClasses, LinkedTable, joint_classes
from sharewell.tables.engine.drawn_values import BoundsRatio
from sharewell.tables.engine.people_evidence import people_of

TABLES = "tables"
MOST_REASONS = 4
"""Reasons that a note gives; the rest are counted."""
__all__ = ["CompositionRule", "LinkedTable", "PeopleEvidence", "judge_composition"]


@dataclass(frozen=True)
class CompositionDetails:
    """How the tables came to be judged."""

    tables: int
    criteria: int
    """Criteria that were judged in divided classes."""
    groups: int
    """Groups of all tables."""
    divided: int
    """Tables of which a class is divided."""
    smallest: int | None
    """The fewest persons of a group."""


@dataclass(frozen=True)
class CompositionRule(Declared, JointCriterion):
    """Every criterion of every table holds in its classes, divided by all other tables."""

    needs_kind: ClassVar[str] = TABLES
    kinds: ClassVar[tuple[str, ...]] = (TABLES,)
    remedies: ClassVar[tuple[str, ...]] = (
        "publish one table that has the columns of all of them",
        "give the new table the cells of the earlier one (`using: earlier-cells`)",
        "publish only people who are in no other table, or only one of these tables",
        "where it is undecided: let both read one file, or name persons by the same column under the same secret key",
        "where persons may have been renumbered: give them their earlier identifiers, or claim the same ones",
    )
    needs_people: ClassVar[bool] = True

    def relevant(self, datasets: Sequence[PublishedDataset]) -> list[PublishedDataset]:
        """Tables of records, if one of them promises something of its classes."""
        tables = [one for one in datasets if isinstance(one.data, Table)]
        return tables if any(_promises(one.criteria) for one in tables) else []

    def check(self, datasets: Sequence[PublishedDataset]) -> Finding:
        if shared := _shared_pseudonyms(datasets):
            pairs = "; ".join(f"{count} pseudonym(s) are in {a} and in {b}" for (a, b), count in shared.items())
            return _judged(sum(shared.values()), note=pairs)
        linked = [
            LinkedTable(one.title, one.data, people_of(one), one.source_names(), one.people, one.same_identifiers)
            for one in datasets
        ]
        return judge_composition(linked, {one.title: one.criteria for one in datasets})


def judge_composition(tables: Sequence[LinkedTable], asked: Mapping[str, Sequence[AnyCriterion]]) -> Finding:
    """How many groups, over all criteria of all tables, fail; undecided if any cannot be judged and none fails."""
    failing, criteria, groups, divided = 0, 0, 0, 0
    smallest: list[int] = []
    blocked: list[str] = []
    unsure: list[str] = []
    for table in tables:
        promised = _promises(asked[table.title])
        try:
            joint = joint_classes(table, [one for one in tables if one is not table])
        except NotComparable as problem:
            unsure.append(str(problem))
            continue
        groups += joint.groups.count
        smallest += [int(joint.groups.persons.min())] if joint.groups.count else []
        if not joint.divided:
            continue  # every criterion holds in it as it does in the table by itself
        divided += 1
        for criterion in promised:
            fails = _failing(criterion, joint)
            if fails is None:
                unsure.append(f"{criterion.name} of {table.title} cannot be judged on a part of a class")
            elif fails:
                blocked.append(f"{criterion.name} of {table.title} fails in {fails} of {joint.count} groups")
            criteria, failing = criteria + 1, failing + (fails or 0)
    details = CompositionDetails(len(tables), criteria, groups, divided, min(smallest, default=None))
    unsure += identifier_doubts(tables)
    value = None if unsure and not failing else failing
    reasons = list(dict.fromkeys(blocked or unsure))
    more = [f"and {len(reasons) - MOST_REASONS} more"] if len(reasons) > MOST_REASONS else []
    return _judged(value, details, "; ".join([*reasons[:MOST_REASONS], *more]))


def _judged(value: int | None, details: CompositionDetails | None = None, note: str = "") -> Finding:
    return Finding.judge(CompositionRule.name, value, "≤", 0, unit="groups", details=details, note=note)


def _promises(criteria: Sequence[AnyCriterion]) -> list[AnyCriterion]:
    """Those that depend on who shares a class. `draws-together` judges what is drawn."""
    return [one for one in criteria if not (one.about_columns or isinstance(one, BoundsRatio))]


def _failing(criterion: AnyCriterion, joint: JointClasses) -> int | None:
    """In how many groups a criterion fails; None: it cannot be judged there.

    One that counts people of a register, or reckons with how classes were chosen, speaks of whole classes only.
    """
    if not isinstance(criterion, ClassCriterion) or criterion.groupings is not None:
        return None
    try:
        return sum(int((~criterion.holds(one)).sum()) for one in (joint.groups, *joint.unchanged))
    except (DataError, PolicyError):  # a file that it compares with is not at hand
        return None


def _shared_pseudonyms(datasets: Sequence[PublishedDataset]) -> dict[tuple[str, str], int]:
    """How many published pseudonyms two tables have in common, where they have any."""
    shown = {}
    for one in datasets:
        named = [name for name, facts in one.columns.items() if facts.get("role") == Role.SUBJECT]
        subject = one.data.subject
        if subject is not None and subject.name in named:
            shown[one.title] = {text for text in subject.texts if text}
    common = {(a, b): len(shown[a] & shown[b]) for a, b in combinations(shown, 2)}
    return {pair: count for pair, count in common.items() if count}
