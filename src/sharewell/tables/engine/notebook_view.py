"""How tables and assessments show themselves in a notebook: roles and counts; rows of protected tables alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from sharewell import notebook
from sharewell.findings import html_of_findings
from sharewell.number_format import show

if TYPE_CHECKING:
    from sharewell.tables.data import Table
    from sharewell.tables.engine.assessment import Assessment

_MOST_ROWS = 10


def table_html(data: Table) -> str:
    """What each column is. A protected table also shows a record of each of its first classes, in their order."""
    rows = []
    for name, role in data.schema.roles.items():
        column = data.columns.get(name)
        facts = (None, None) if column is None else (column.kind, column.known)
        rows.append((name, role, *facts))
    persons = f", {data.persons} persons" if data.subject is not None else ""
    what = f"{'published' if data.published else 'original'} table: {data.rows} rows{persons}"
    roles = notebook.table(("column", "role", "read as", "distinct"), rows, what)
    return notebook.whole(roles, _sample(data) if data.published else notebook.paragraph("cells are not shown"))


def _sample(data: Table) -> str:
    """By class, so that the order of the original is not shown."""
    classes = data.classes
    first = classes.order[classes.starts[: min(_MOST_ROWS, classes.count)]]
    shown = data.arrow.take(pa.array(first))
    cells = zip(*(shown[name].to_pylist() for name in shown.column_names), strict=True)
    sentence = f"one record of {len(first)} of {classes.count} classes"
    return notebook.table(shown.column_names, list(cells), sentence)


def assessment_html(one: Assessment) -> str:
    """Whether data is anonymous as it stands, and which columns cost the most. No value."""
    verdict = f"every class has {one.k} {one.unit} or more" if one.anonymous else f"not anonymous for k = {one.k}"
    rows: list[tuple[object, ...]] = [
        ("records", one.rows),
        ("classes", one.classes),
        ("smallest class", show(one.smallest)),
        (f"{one.unit} alone in a class", one.unique),
        (f"{one.unit} in classes below {one.k}", one.below),
        ("largest re-identification risk", show(one.prosecutor.value)),
        ("average re-identification risk", show(one.marketer)),
    ]
    risks = one.columns.columns
    columns = [(c.column, c.distinct, show(c.alone), show(c.without), show(c.contribution)) for c in risks]
    heads = ("column", "values", "alone by it", "risk without it", "adds")
    guessed = "roles were guessed: name them with quasi=, sensitive= and subject=" if one.guessed else ""
    go = f"look like direct identifiers, keys or free text: {', '.join(one.identifiers)}" if one.identifiers else ""
    return notebook.whole(
        notebook.paragraph(f"by {', '.join(one.quasi) or 'no column'}: {verdict}", guessed, go),
        notebook.table(("risk before protection", ""), rows),
        html_of_findings(one.inference, "sensitive values guessed"),
        notebook.table(heads, columns, "risk by column"),
    )
