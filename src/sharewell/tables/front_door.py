"""What most people want of a table, in one call: the risk as it stands, or a protected frame.

>>> import pyarrow as pa
>>> frame = pa.table({"age": [30, 31, 40, 41], "illness": ["flu", "gout", "flu", "acne"]})
>>> risk(frame, quasi=["age"], sensitive=["illness"], k=2).unique
4
>>> protect(frame, quasi=["age"], sensitive=["illness"], k=2).data.sorted_frame["age"].to_pylist()
['[30-31]', '[30-31]', '[40-41]', '[40-41]']
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sharewell.algorithm import Criteria, DataError, Key, Mechanism, Protected, Role
from sharewell.hierarchy.levels import Hierarchy
from sharewell.io.sources import Source
from sharewell.tables.criteria.k_anonymity import KAnonymity
from sharewell.tables.data import Table
from sharewell.tables.engine.assessment import CUSTOMARY_K, Assessment, assess, assess_file
from sharewell.tables.engine.mistyped_columns import mistyped_columns
from sharewell.tables.mechanisms.mondrian import Mondrian
from sharewell.written_types import FreeText

_TYPED = {
    "dates": "make it a column of dates, without times of day",
    "numbers": "make it a column of numbers",
    "times of day": "cut it to the hour",
}
"""What to do first about a column that is read as text, by what its values are."""


def risk(
    data: Any,
    *,
    quasi: Sequence[str] | str | None = None,
    sensitive: Sequence[str] | str = (),
    subject: str | None = None,
    k: int = CUSTOMARY_K,
    population: Any = None,
    published: bool = False,
) -> Assessment:
    """What an attacker could do with data as it stands: a file, any dataframe, or a `Table`, which has its roles.

    quasi: columns that others may know; without them roles are guessed from names and shapes.
    population: a file or frame of people who exist. published: the data is a release, with cells such as `[20-29]`.
    """
    if isinstance(data, Table):
        return assess(data, k=k, population=population)
    known = None if quasi is None else _names(quasi)
    roles: dict[str, Any] = {"quasi": known, "sensitive": _names(sensitive), "subject": subject}
    return assess_file(data, **roles, published=published, k=k, population=population)


def protect(
    data: Any,
    *,
    quasi: Sequence[str] | str = (),
    sensitive: Sequence[str] | str = (),
    subject: str | None = None,
    rest: Role | str | None = None,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    k: int | None = CUSTOMARY_K,
    must: Criteria[Table] = (),
    using: Mechanism[Table] | None = None,
    key: Key | None = None,
) -> Protected[Table]:
    """The data with every quasi column made coarser until k persons share each class.

    `.data.frame` of the answer has the rows in their order, for your own eyes; `.data.sorted_frame` can be given away.

    data: a file, any dataframe, or a `Table`, which has its roles and hierarchies.
    rest: the role of every column that is not named. must: criteria beside k-anonymity; `k=None`: these alone.
    using: the mechanism; Mondrian unless another is given.
    """
    criteria = [*([] if k is None else [KAnonymity(k)]), *must]
    if not isinstance(data, Table):
        frame = data if (source := Source.of(data)).path is None else source.read()
        roles: dict[str, Any] = {"quasi": _names(quasi), "sensitive": _names(sensitive), "subject": subject}
        data = Table.of(frame, **roles, rest=rest, hierarchies=hierarchies)
        _refuse_mistyped(data, hierarchies or {})
    mechanism: Mechanism[Table] = Mondrian() if using is None else using
    return mechanism.protect(data, criteria, key)


def _names(columns: Sequence[str] | str) -> Sequence[str]:
    """A name alone is one column, not its letters."""
    return [columns] if isinstance(columns, str) else columns


def _refuse_mistyped(table: Table, hierarchies: Mapping[str, Hierarchy]) -> None:
    """Dates, numbers and free text that are read as categories would be published as sets of exact values."""
    for name, result in mistyped_columns(table, hierarchies):
        first = "leave it out" if isinstance(result, FreeText) else _TYPED[result.what]
        advice = f"{first}, give it a hierarchy, or, if these are categories, pass a Table.of(…)"
        raise DataError(f"column {name} — {result.problem(name)[0]} — {advice}")
