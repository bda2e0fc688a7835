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
        words = f"{' and '.join(listed)} looks at a population"
        yield "instance-partitioning", f"{words}, and here it is cut into the same boxes, which do not overlap"
        yield "optimal-recoding", f"{words}, against which whole levels are judged, and the least loss is proven"
    if any(one.judges_trails for one in criteria):
        yield (
            "trail-grouping",
            "all rows of a person bear one pseudonym, and here persons of a group publish the same rows",
        )
        yield (
            "trail-breaking",
            "all rows of a person bear one pseudonym, and here what is not shared gets one of its own",
        )
    spread = [c.name for c in criteria if c.name in OF_PERSONS]
    if table.several_records and spread:
        words = f"persons have several records, and {' and '.join(spread)} is about their spread"
        yield "multi-record-partitioning", f"{words}: it cuts where records stay evenly spread"
    block = max([1000, *(20 * c.least_records for c in criteria if isinstance(c, ClassCriterion))])
    if table.rows * block <= MOST_WORK:
        yield "k-member", "the table is small enough for clusters of nearest records, which usually lose less than cuts"
    yield "mondrian", "the table is too large for clusters of nearest records, and cuts take all of it at once"
    if table.rows <= SMALL:
        yield (
            "top-down",
            "the table is small enough to be split around far records, which is slow and often loses least",
        )
    yield "optimal-recoding", "it proves the least loss among whole levels"
    yield "k-member", "clusters of nearest records usually lose little"
