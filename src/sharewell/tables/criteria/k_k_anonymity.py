"""(k,k)-anonymity: (k,1) and (1,k) together, a weaker and cheaper relative of k-anonymity.

## Guarantee
A published record fits at least k original persons, and an original person fits at least k published ones.

## Adversary
Knows the quasi values of a target who is in the data, or of everybody, and matches one record at a time.

## What it does not protect
An attacker who matches all records at once may exclude some of the k: (k,k) does not imply k-anonymity.

## Parameters
originals: the file or frame of original records; `columns` of the source map names where they differ.
k: the least number either way.
subject: the column of the originals that identifies persons, where the release knows persons too.
unit: "person" (default), or "record" to count rows although a subject is known.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.tables import KAnonymity, Table
>>> originals = pa.table({"age": [10, 20, 30, 40]})
>>> shown = pa.table({"age": ["[10-20]", "[10-30]", "[30-40]", "[30-40]"]})
>>> table = Table.of(shown, quasi=["age"], published=True)
>>> print(KKAnonymity(originals, 2).check(table))
k-k-anonymity = 2 records (≥ 2: holds)
>>> print(KAnonymity(2).check(table))
k-anonymity = 1 records (≥ 2: FAILS)

## Why it is safe
As k-1-anonymity and 1-k-anonymity, whose counts it shares. Mechanisms make it hold through classes of k persons, which
is more than necessary.

## Cost
O(originals · log originals) where classes do not overlap, O(originals · classes) where every class covers everything.

A search over levels may take all above a level that withholds nothing to fit, where persons are not shared by
classes; below a level at least one record of every failing class is withheld.

## Source
Gionis, Mazza and Tassa, 2008.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from sharewell.findings import Finding
from sharewell.tables.data import Table
from sharewell.tables.engine.checks.consistent_records import OriginalsCriterion


@dataclass(frozen=True)
class KKAnonymity(OriginalsCriterion):
    """At least k either way."""

    def check(self, data: Table) -> Finding:
        counts = self.consistent(data)
        ways = [self.judge_published(data, counts), self.judge_originals(data, counts)]
        parts = [replace(way, name=name) for way, name in zip(ways, ("(k,1)", "(1,k)"), strict=True)]
        values = [part.value for part in parts if part.value is not None]
        value = min(values) if len(values) == len(parts) else None
        return self.finding(value, unit=parts[0].unit, parts=parts, note=parts[1].note)
