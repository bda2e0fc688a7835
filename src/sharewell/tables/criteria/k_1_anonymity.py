"""(k,1)-anonymity: every published record is consistent with at least k original records.

## Guarantee
Whoever has the original quasi values of everybody finds at least k persons who fit a published record: its cells cover
the values of each of them.

## Adversary
Knows the quasi values of everybody in the data; starts from a published record and looks for its owner.

## What it does not protect
The other way: a person may fit one published record alone, as 10 does in the example (see 1-k-anonymity). An attacker
who matches all records at once may exclude some of the k (see k-anonymity).

## Parameters
originals: the file or frame of original records; `columns` of the source map names where they differ.
k: the least number of original persons whom a published record may stand for.
subject: the column of the originals that identifies persons, where the release knows persons too.
unit: "person" (default), or "record" to count rows although a subject is known.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.tables import OneKAnonymity, Table
>>> originals = pa.table({"age": [10, 20, 30, 40]})
>>> shown = pa.table({"age": ["[10-20]", "[20-30]", "[20-30]", "[30-40]"]})
>>> table = Table.of(shown, quasi=["age"], published=True)
>>> print(K1Anonymity(originals, 2).check(table))
k-1-anonymity = 2 records (≥ 2: holds)
>>> print(OneKAnonymity(originals, 2).check(table))
1-k-anonymity = 1 records (≥ 2: FAILS)

## Why it is safe
The check reads what published cells mean, and counts the originals they cover; it knows nothing of who became what. An
original record without a person adds none. Only a steward, who has the originals, can re-check it. Mechanisms make it
hold through classes of k persons, which is more than necessary.

## Cost
O(originals · log originals) where classes do not overlap, O(originals · classes) where every class covers everything.

A search over levels may take all above a level that withholds nothing to fit, where persons are not shared by
classes; below a level at least one record of every failing class is withheld.

## Source
Gionis, Mazza and Tassa, 2008.
"""

from __future__ import annotations

from dataclasses import dataclass

from sharewell.findings import Finding
from sharewell.tables.data import Table
from sharewell.tables.engine.checks.consistent_records import OriginalsCriterion


@dataclass(frozen=True)
class K1Anonymity(OriginalsCriterion):
    """At least k original records are consistent with every published one."""

    def check(self, data: Table) -> Finding:
        return self.judge_published(data, self.consistent(data))
