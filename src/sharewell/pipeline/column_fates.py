"""What becomes of each column: its fate in a word, how much of it stays exact, and an invented example of its form.

The fate comes from the dictionary and from published cells. Examples hold no value of any data: they are invented, and
show form alone.

>>> example_of({"role": "quasi", "kind": "number", "style": "range"}), example_of({"role": "text"})
('[40-49]', 'Seen by Dr. Lowe for a cough.')
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from sharewell import cells
from sharewell.findings import json_details
from sharewell.plain_data import Json, JsonObject
from sharewell.protocols import ListedValues
from sharewell.roles import Role
from sharewell.wing import ColumnFacts

Fate = Literal[
    "exact", "ranges", "sets", "labels", "prefixes", "means", "nothing", "one value", "dropped", "not published",
    "shifted", "rewritten", "pseudonyms", "changed", "merged",
]  # fmt: skip
"""In a word: `nothing` is `*` in every row."""
_MOSTLY = 0.9
"""A column is lost if this many of its rows show `*`."""
_FORMS: dict[type[cells.Cell], Fate] = {
    cells.Interval: "ranges",
    cells.Set: "sets",
    cells.Node: "labels",
    cells.Prefix: "prefixes",
    cells.Mean: "means",
}
_BY_ROLE: dict[str, Fate] = {
    Role.SUBJECT: "pseudonyms",
    Role.SHIFT: "shifted",
    Role.TEXT: "rewritten",
    Role.KEEP: "exact",
    Role.SENSITIVE: "exact",
    Role.DROP: "dropped",
}
_OF_TREES = {"date": "2021-03", "zip": "021*", "prefix": "021*", "safe-harbor-zip": "021", "safe-harbor-age": "90+"}
_OF_STYLES = {
    ("range", "number"): "[40-49]",
    ("range", "date"): "[2021-01-01..2021-03-31]",
    ("mean", "number"): "44.5",
    ("mean", "date"): "2021-02-14",
    ("low-high", "number"): "40",
    ("low-high", "date"): "2021-01-01",
    ("set", "number"): "{40,41,44}",
}


@dataclass(frozen=True)
class ColumnFate:
    """One column: what is published of it."""

    column: str
    role: str
    fate: Fate
    exact: float | None = None
    """The share of published cells that are the value itself, of codes the share of labels; None: it means nothing."""
    distinct_before: int | None = None
    distinct_after: int | None = None
    example: str = ""
    """Invented: what a cell looks like."""

    def to_json(self) -> JsonObject:
        plain: JsonObject = json_details(self)
        return plain


def unpublished(column: str, role: str, distinct: int | None) -> ColumnFate:
    """The fate of a column that no file shows."""
    return ColumnFate(column, role, "dropped" if role == Role.DROP else "not published", None, distinct)


def merged(column: str, role: str) -> ColumnFate:
    """The fate of one of several columns that are published as one."""
    return ColumnFate(column, role, "merged")


def fate_of(
    column: str,
    facts: ColumnFacts,
    shown: Sequence[str | None],
    before: Collection[str] | None,
    distinct: int | None = None,
) -> ColumnFate:
    """The fate of a published column. before: its values in the original, as texts; None: they are not at hand."""
    role = str(facts.get("role", ""))
    known = Counter(cell for cell in shown if cell is not None)
    rows, after = sum(known.values()), len(known)
    distinct = distinct if before is None else len(before)
    fate, exact = _BY_ROLE.get(role, "exact"), None
    if facts.get("falsified") or facts.get("noise"):
        fate = "changed"
    elif role == Role.QUASI:
        fate, exact = _generalised(facts, known, rows, before)
        if fate == "exact" and after == 1 and (distinct or 0) > 1:
            fate = "one value"
    elif fate == "exact":
        exact = 1.0
    example = "" if fate in ("exact", "one value") else "*" if fate == "nothing" else example_of(facts)
    return ColumnFate(column, role, fate, exact, distinct, after, example)


def fate_of_listed(column: str, facts: ColumnFacts, values: ListedValues) -> ColumnFate:
    """The fate of a column whose cells hold several values: what counts are its values, not its cells."""
    share = values.exact / max(values.labels, values.held) if values.labels else None
    all_exact = values.exact == values.labels  # codes may be left out beside them, which the share tells
    fate: Fate = "nothing" if values.stars >= _MOSTLY * values.labels else "exact" if all_exact else "labels"
    example = {"nothing": "*", "exact": ""}.get(fate, example_of(facts))
    return ColumnFate(column, str(facts.get("role", "")), fate, share, values.before, values.after, example)


def _generalised(
    facts: ColumnFacts, known: Counter[str], rows: int, before: Collection[str] | None
) -> tuple[Fate, float | None]:
    """The most frequent form of its cells, and the share of those that are exact."""
    nodes, means = "hierarchy" in facts, facts.get("style") == "mean"
    counted: Counter[Fate] = Counter()
    for text, count in known.items():
        cell = cells.parse(text, nodes=nodes, means=means)
        plain = text if isinstance(cell, cells.Node) else cell.value if isinstance(cell, cells.Exact) else None
        if isinstance(cell, cells.Any):
            counted["nothing"] += count
        elif plain is not None and (isinstance(cell, cells.Exact) or before is None or plain in before):
            counted["exact"] += count
        else:
            counted[_FORMS.get(type(cell), "exact")] += count
    if not rows:
        return "nothing", None
    share = counted["exact"] / rows
    if counted["nothing"] >= _MOSTLY * rows:
        return "nothing", share
    if len(known) == 1 and before is not None and len(before) > 1 and not share:
        return "one value", share
    forms = [(count, fate) for fate, count in counted.items() if fate not in ("exact", "nothing")]
    return (max(forms)[1] if forms else "exact"), share


def example_of(facts: ColumnFacts) -> str:
    """An invented cell in the form that the dictionary describes; empty where no form is typical."""
    role, style, kind = facts.get("role"), facts.get("style"), facts.get("kind")
    if role == Role.SUBJECT:
        return "q3f8b2a91c07d6e5"
    if role == Role.SHIFT:
        return "2019-07-14"
    if role == Role.TEXT:
        return "Seen by Dr. Lowe for a cough."
    if role != Role.QUASI:
        return ""
    return _of_tree(facts.get("hierarchy")) or _OF_STYLES.get((str(style), str(kind))) or _of_style(style)


def _of_tree(hierarchy: Json) -> str:
    if not isinstance(hierarchy, str):
        return ""
    return "E10-E14" if hierarchy.startswith("icd") else _OF_TREES.get(hierarchy, "a group")


def _of_style(style: Json) -> str:
    return {"set": "{A,B}", "node": "a group", "common": "A*"}.get(str(style), "")


def lost_columns(
    before: Mapping[str, Json], after: Mapping[str, Json], shown: Mapping[str, Sequence[str | None]]
) -> list[str]:
    """Columns that told rows apart and no longer do, by how a wing describes its data before and after.

    shown: the published cells of columns, where the wing can tell: nearly all of them `*` is as bad as one value.
    """
    lost = []
    for name, facts in before.items():
        if facts.get("role") != Role.QUASI or (facts.get("distinct") or 0) < 2 or name not in after:
            continue
        cells_shown = [cell for cell in shown.get(name, ()) if cell is not None]
        starred = cells_shown and cells_shown.count("*") >= _MOSTLY * len(cells_shown)
        if starred or after[name].get("distinct") == 1:
            lost.append(name)
    return lost
