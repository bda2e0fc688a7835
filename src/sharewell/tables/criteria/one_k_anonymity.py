"""(1,k)-anonymity: every original record is consistent with at least k published records.

## Guarantee
Whoever knows the quasi values of a person in the data finds at least k published persons whose cells cover them.

## Adversary
Knows the quasi values of a target, and that the target is in the data (the prosecutor).

## What it does not protect
The other way: a published record may fit one person alone (see k-1-anonymity). Records that a person is covered by may
be other people's for certain, to an attacker who matches all of them at once (see k-anonymity).

## Parameters
originals: the file or frame of original records; `columns` of the source map names where they differ.
k: the least number of published persons who cover an original record.
subject: the column of the originals that identifies persons, where the release knows persons too.
unit: "person" (default), or "record" to count rows although a subject is known.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.tables import KAnonymity, Table
>>> originals = pa.table({"age": [10, 20, 30, 40]})
>>> shown = pa.table({"age": ["[10-20]", "[10-30]", "[30-40]", "[30-40]"]})
>>> table = Table.of(shown, quasi=["age"], published=True)
>>> print(OneKAnonymity(originals, 2).check(table))
1-k-anonymity = 2 records (≥ 2: holds)
>>> print(KAnonymity(2).check(table))
k-anonymity = 1 records (≥ 2: FAILS)

## Why it is safe
The check reads what published cells mean, and counts the records that cover each original. Where one person owns
several records, in several classes and under several pseudonyms, the number of persons is not known for certain; the
least number that it can be is taken. Originals that nothing covers are allowed as far as records were withheld.
Mechanisms make it hold through classes of k persons, which is more than necessary.

## Cost
O(originals · log originals) where classes do not overlap, O(originals · classes) where every class covers everything.

A search over levels may take all above a level that withholds nothing to fit, where persons are not shared by
classes; below a level at least one record of every failing class is withheld.

## Source
Gionis, Mazza and Tassa, 2008.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sharewell.findings import Finding
from sharewell.tables.data import Table
from sharewell.tables.engine.checks.consistent_records import OriginalsCriterion


@dataclass(frozen=True)
class OneKAnonymity(OriginalsCriterion):
    """At least k published records are consistent with every original one."""

    name: ClassVar[str] = "1-k-anonymity"

    def check(self, data: Table) -> Finding:
        return self.judge_originals(data, self.consistent(data))
