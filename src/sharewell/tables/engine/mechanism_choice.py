"""Which mechanism suits a table and its criteria: a few rules, each with its reason in words.

The rules look at what is asked for and at sizes, never at values, and their words hold no number of the data: they are
published with the release. Nothing here knows a mechanism but by its name.
"""

from __future__ import annotations

from collections.abc import Iterator

from sharewell.protocols import Criteria
from sharewell.tables.data import Table
from sharewell.tables.engine.checks.class_criterion import ClassCriterion
from sharewell.tables.engine.checks.population_classes import PopulationClassCriterion

MOST_WORK = 200_000 * 1_000
"""Rows times records a block, up to which clustering is quick enough to be the first choice."""
SMALL = 20_000
"""Rows up to which slow mechanisms are worth a trial."""
OF_PERSONS = ("g-balance", "h-affiliation", "record-share")
"""Criteria about how the records of one person are spread."""


def preferences(table: Table, criteria: Criteria[Table]) -> Iterator[tuple[str, str]]:
    """(mechanism, reason), the best first; whether it can make the criteria hold is asked elsewhere."""
    listed = [c.name for c in criteria if isinstance(c, PopulationClassCriterion)]
    if listed:
        words = f"{' and '.join(listed)} concerns a population"
        yield "instance-partitioning", f"{words}, and this mechanism cuts it into the same boxes, which do not overlap"
        yield (
            "optimal-recoding",
            f"{words}, against which this mechanism judges whole levels, with proof of the least loss",
        )
    if any(one.judges_trails for one in criteria):
        yield (
            "trail-grouping",
            "all rows of a person have one pseudonym, and it makes persons of a group publish the same rows",
        )
        yield (
            "trail-breaking",
            "all rows of a person have one pseudonym, and it gives rows that are not shared a separate one",
        )
    spread = [c.name for c in criteria if c.name in OF_PERSONS]
    if table.several_records and spread:
        words = f"persons have several records, and {' and '.join(spread)} concerns their spread"
        yield "multi-record-partitioning", f"{words}: it cuts so that records stay evenly spread"
    block = max([1000, *(20 * c.least_records for c in criteria if isinstance(c, ClassCriterion))])
    if table.rows * block <= MOST_WORK:
        yield "k-member", "the table is small enough for clusters of nearest records, which usually lose less than cuts"
    yield (
        "mondrian",
        "the table is too large for clusters of nearest records, and this mechanism cuts all of it at once",
    )
    if table.rows <= SMALL:
        yield (
            "top-down",
            "the table is small enough to be split around distant records, which is slow but often loses least",
        )
    yield "optimal-recoding", "it finds the least loss among whole levels, with proof"
    yield "k-member", "clusters of nearest records usually lose little"
