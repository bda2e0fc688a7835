"""Joined inference: facts about a person from several datasets make no sensitive value too likely.

## Guarantee
Treat everything that the named datasets publish about a person as one record. Among the persons who fit what the stated
attacker knows about a person, no sensitive value belongs to more than the share `max`.

## Adversary
Has all the datasets and knows which records belong to the same person. Knows about a target what `knows` lists,
whichever rows, codes or SNPs these are, and in which of the datasets the target is. How a record of codes or words is
seen (does it show any?) counts as one fact that may be known.

## What it does not protect
Values that mean nearly the same. Attackers who know more than `knows` lists, or who know how rare a value is among
people like the target. How many persons fit: require `joined-k-anonymity` as well. Whoever knows how facts were left
out may exclude worlds in which other facts would have gone, and so guess better (minimality).

## Parameters
max: the largest share of persons that one sensitive value may have.
knows: what the attacker knows from each dataset, as in `joined-k-anonymity`.
at_most: how many of the rows, codes, words and SNPs are known at once, as in `joined-k-anonymity`.
of: dataset → the columns that an attacker wants to learn; if left out, all sensitive columns of the named datasets.

## Worked example
The two persons of each age have different illnesses, so nobody's illness is certain. But each illness has its own code,
which gives it away.

>>> import numpy as np
>>> from sharewell.protocols import PersonFacts
>>> who, age, illness = ["a", "b", "c", "d"], np.array([0, 0, 1, 1]), {"illness": np.array([0, 1, 0, 1])}
>>> people = PersonFacts(who, {"age": age}, ("age",), illness)
>>> codes = PersonFacts(who, {}, sets=(np.arange(5), np.array([0, 1, 0, 1])))
>>> half = JoinedInference("1/2", {"people": ["age"]})
>>> print(half.judge({"people": people}))
joined-inference = 0.5 probability (≤ 0.5: holds)
>>> print(JoinedInference("1/2", {"people": ["age"], "codes": 1}).judge({"people": people, "codes": codes}))
joined-inference = 1 probability (≤ 0.5: FAILS)

## Why it is safe
The criterion enumerates every combination that can be known and counts the persons who fit by sensitive value; a person
with several values counts for each. Where published cells overlap, it counts twice: those who show equal cells, and
all whose cells may stand for the same true value (whoever knows a visit of type M finds `M` and `{M,Z}`). If the
enumeration would take too long, or nobody can tell what cells stand for, the result is undecided, and undecided fails.

## Cost
That of `joined-k-anonymity`, times the number of sensitive values per person.

## Source
Homogeneity and h-affiliation (Kartal and Li 2016) for records joined by person.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Interval, MinLen

from sharewell.algorithm import Count, Finding, PolicyError
from sharewell.distinct_numbers import counted, distinct
from sharewell.joint.engine.combination_walk import Combinations, TooManyRows, Walk, given_up
from sharewell.joint.engine.covering_facts import covering_records
from sharewell.joint.engine.joined_facts import JoinedCriterion
from sharewell.joint.engine.joined_records import Ints, JoinedRecords
from sharewell.joint.engine.row_covers import CannotTell
from sharewell.plain_data import Json
from sharewell.protocols import PersonFacts


@dataclass(frozen=True)
class InferenceDetails:
    """What was counted."""

    persons: int
    columns: int


@dataclass(frozen=True)
class JoinedInference(JoinedCriterion):
    """No sensitive value belongs to more than a share of those who fit what is known."""

    max: Annotated[Fraction, Interval(gt=0, lt=1)]
    knows: Annotated[Mapping[str, Json], MinLen(1)]
    of: Mapping[str, Sequence[str]] | None = None
    at_most: Count | None = None

    unit: ClassVar[str] = "probability"
    judges_all: ClassVar[bool] = True
    remedies: ClassVar[tuple[str, ...]] = (
        "a larger max, or an attacker who knows less",
        "coarser columns, cells that do not overlap, or fewer datasets of the same people",
        "drop the sensitive column from one of the datasets",
    )

    @property
    def bound(self) -> Fraction:
        return self.max

    def judge(self, datasets: Mapping[str, PersonFacts]) -> Finding:
        joined = self.joined(datasets)
        wanted = self.wanted(joined)
        shares = [_largest_share(joined, *joined.sensitive[one]) for one in wanted]
        note = self.knowledge(datasets)
        undecided = [why for _, why in shares if why]
        value: Fraction | None = max((share for share, _ in shares), default=Fraction(0))
        if undecided and value is not None and value <= self.max:
            value, note = None, f"{note}; undecided: {undecided[0]}"
        details = InferenceDetails(joined.persons, len(wanted))
        return Finding.judge(self.name, value, "≤", self.max, unit=self.unit, details=details, note=note)

    def wanted(self, joined: JoinedRecords) -> list[tuple[str, str]]:
        """(dataset, column) of all that an attacker wants to learn."""
        if self.of is None:
            results = list(joined.sensitive)
        else:
            results = [(dataset, column) for dataset, columns in self.of.items() for column in columns]
        if strange := [one for one in results if one not in joined.sensitive]:
            raise PolicyError(f"{self.name} — {len(strange)} column(s) to be learnt are not published as sensitive")
        if not results:
            raise PolicyError(f"{self.name} — none of the datasets has a sensitive column — leave the criterion out")
        return results


def _largest_share(joined: JoinedRecords, person: Ints, value: Ints) -> tuple[Fraction, str]:
    """The largest share of a value among those whom a combination fits; and why not everything was looked at, if so."""
    starts = np.concatenate([[0], np.cumsum(np.bincount(person, minlength=joined.persons))]).astype(np.int64)
    width, best = int(value.max(initial=0)) + 1, Fraction(0)
    examined = groups = 0
    try:
        for records in _readings(joined):
            walk, groups = Walk(records), len(distinct(records.group))
            for group in walk.groups():
                for one in walk.extensions(group):
                    best = max(best, _share(one, starts, value, width))
                    if best == 1:  # everybody who fits has the same value
                        return best, ""
                examined += len(group.support)
            examined = groups = 0
    except TooManyRows:
        return best, given_up(examined, groups)
    except CannotTell as why:
        return best, str(why)
    return best, ""


def _readings(joined: JoinedRecords) -> Iterator[JoinedRecords]:
    """Persons fit who show the same facts, or whose facts may stand for the same true values."""
    yield joined
    for covering in covering_records(joined):
        yield covering.joined


def _share(one: Combinations, starts: Ints, value: Ints, width: int) -> Fraction:
    """The largest share in these combinations, exactly."""
    lengths = starts[one.owner + 1] - starts[one.owner]
    total = int(lengths.sum())
    if not total:
        return Fraction(0)
    within = np.arange(total) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    keys = np.repeat(one.node, lengths) * width + value[np.repeat(starts[one.owner], lengths) + within]
    pairs, counts = counted(keys)
    support = one.support[pairs // width]
    near = counts / support >= (counts / support).max() - 1e-9
    most = {*zip(counts[near].tolist(), support[near].tolist(), strict=True)}
    return max(Fraction(count, fitting) for count, fitting in most)
