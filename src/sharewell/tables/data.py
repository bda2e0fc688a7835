"""Table: rows about persons, every column with a role."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sharewell.cells import SUPPRESSED
from sharewell.content_order import content_order
from sharewell.errors import PolicyError, RowOrderWarning
from sharewell.hierarchy.levels import Hierarchy
from sharewell.io.frames import from_arrow, to_arrow
from sharewell.roles import Role, Schema
from sharewell.row_digest import RowDigest, coded
from sharewell.styles import Style, clash
from sharewell.tables.engine.array_types import Bools, Floats, Indices, Ints
from sharewell.tables.engine.classes import Classes, group
from sharewell.tables.engine.columns import Column, Kind, Numbers, encode
from sharewell.tables.engine.low_high import is_low_high, join_low_high, split_low_high
from sharewell.tables.engine.published_trails import PublishedTrails

__all__ = ["Bools", "Classes", "Column", "Floats", "Indices", "Ints", "Kind", "Numbers", "Table", "encode", "group"]

_CODED = (Role.QUASI, Role.SENSITIVE, Role.SUBJECT)
ROW_ORDER = (
    "rows of this frame stand in the order of the original: whoever has that can lay them beside each other."
    " To give it away, take .sorted_frame, or make a release"
)
_SHOWN = (Role.QUASI, Role.SENSITIVE, Role.KEEP, Role.SHIFT, Role.TEXT)


@dataclass(frozen=True, eq=False)
class Table:
    """Quasi, sensitive and subject columns as integer codes; every other column stays in Arrow.

    >>> import pyarrow as pa
    >>> frame = pa.table({"age": [30, 30, 41], "sex": ["F", "F", "M"], "disease": ["flu", "flu", "hiv"]})
    >>> table = Table.of(frame, quasi=["age", "sex"], sensitive=["disease"])
    >>> table.rows, table.classes.sizes.tolist()
    (3, [2, 1])
    """

    schema: Schema
    columns: Mapping[str, Column] = field(repr=False)
    carried: pa.Table = field(repr=False)
    """Columns shown as they came, in Arrow: not the subject, not dropped ones, in a release not the quasi columns.

    Where they are not in memory, what answers like a table: `SpilledColumns` on disk, `LazyColumns` in their file.
    """
    rows: int
    backend: str = "pyarrow"
    """What kind of frame it came from, and `frame` goes back to."""
    published: bool = False
    """Are the quasi columns cells of a release, rather than original values?"""
    in_original_order: bool = False
    """Was it made from an original, whose rows stand in the same order?"""
    trails: PublishedTrails | None = field(default=None, repr=False)
    """Of a release in which a person may have several pseudonyms: which rows stand under one; None: all of a person."""

    @classmethod
    def of(
        cls,
        frame: object,
        *,
        quasi: Sequence[str],
        sensitive: Sequence[str] = (),
        subject: str | None = None,
        keep: Sequence[str] = (),
        drop: Sequence[str] = (),
        shift: Sequence[str] = (),
        text: Sequence[str] = (),
        rest: Role | str | None = None,
        hierarchies: Mapping[str, Hierarchy] | None = None,
        styles: Mapping[str, object] | None = None,
        published: bool = False,
    ) -> Table:
        """Any dataframe (pandas, polars, Arrow, …). Every column gets a role; `rest` names one for all others.

        `styles` says how quasi columns are published (see `sharewell.styles`): `{"age": "mean", "zip": "common"}`.
        `published` says that the quasi columns hold cells of a release: `[20-25]` is then a range, not a text; `styles`
        then says in which style, and a column that was published as low and high is named without these endings.
        """
        shown = {*quasi, *sensitive, *keep, *shift, *text, subject}
        dropped = set(drop)
        drops_rest = rest is not None and Role(rest) is Role.DROP and not published
        arrow, backend = to_arrow(frame, lambda name: name in dropped or (drops_rest and name not in shown))
        wanted = _styles(styles)
        if published:
            arrow = join_low_high(arrow, [name for name, style in wanted.items() if style.name == "low-high"])
        named = {Role.QUASI: quasi, Role.SENSITIVE: sensitive, Role.KEEP: keep, Role.DROP: drop}
        named |= {Role.SHIFT: shift, Role.TEXT: text, Role.SUBJECT: [subject] if subject else []}
        given: dict[str, Role] = {}
        for role, names in named.items():
            if isinstance(names, str):
                raise PolicyError(f"Table.of — {role}= takes a list of column names, not one string")
            for name in names:
                if given.setdefault(name, role) != role:
                    raise PolicyError(f"columns.{name} — two roles: {given[name]} and {role} — give it one")
        schema = Schema.of(arrow.column_names, given, Role(rest) if rest else None)
        return cls.from_arrow(arrow, schema, hierarchies or {}, styles=wanted, backend=backend, published=published)

    @classmethod
    def from_arrow(
        cls,
        arrow: pa.Table,
        schema: Schema,
        hierarchies: Mapping[str, Hierarchy],
        *,
        kinds: Mapping[str, Kind] | None = None,
        date_formats: Mapping[str, str] | None = None,
        styles: Mapping[str, Style] | None = None,
        carried: pa.Table | None = None,
        backend: str = "pyarrow",
        published: bool = False,
    ) -> Table:
        """A table from an Arrow table and a complete schema.

        `published` says that quasi columns hold cells. `carried` brings columns that are not in the Arrow table.
        """
        unknown = [name for name in hierarchies if name not in schema.quasi + schema.sensitive]
        if unknown:
            raise PolicyError(
                f"hierarchies — given for {', '.join(unknown)} — only quasi and sensitive columns take one"
            )
        columns = {}
        for name in schema.having(*_CODED):
            role, tree = schema.roles[name], hierarchies.get(name)
            if published and role is Role.QUASI:
                column = encode(name, role, arrow[name], kind="cells")
                columns[name] = replace(column, hierarchy=tree)
                continue
            kind = "text" if role is Role.SUBJECT else (kinds or {}).get(name)
            form = (date_formats or {}).get(name)
            columns[name] = encode(name, role, arrow[name], hierarchy=tree, kind=kind, date_format=form)
        for name, style in (styles or {}).items():
            _refuse_style(name, style, schema)
            columns[name] = columns[name].styled(style)
        if carried is None:
            left_out = schema.quasi if published else ()
            carried = arrow.select([name for name in schema.having(*_SHOWN) if name not in left_out])
        return cls(schema, columns, carried, arrow.num_rows, backend, published)

    @property
    def quasi(self) -> tuple[Column, ...]:
        return tuple(self.columns[name] for name in self.schema.quasi)

    @property
    def sensitive(self) -> tuple[Column, ...]:
        return tuple(self.columns[name] for name in self.schema.sensitive)

    @property
    def subject(self) -> Column | None:
        return self.columns[self.schema.subject] if self.schema.subject else None

    @cached_property
    def persons(self) -> int:
        """How many distinct persons; where a subject is known, records that lack it add none. O(n)"""
        if self.subject is None:
            return self.rows
        seen = np.bincount(self.subject.codes, minlength=self.subject.size) > 0
        return int(seen.sum()) - int(self.subject.has_missing and seen[-1])

    @property
    def several_records(self) -> bool:
        """Does a person own several records, or a record lack its person?"""
        return self.subject is not None and self.persons < self.rows

    @cached_property
    def suppressed(self) -> NDArray[np.bool_]:
        """Rows that a release withholds: every quasi cell is marked so, and every sensitive cell is empty.

        A row that shows anything is judged like all others.
        """
        marked = np.full(self.rows, bool(self.published and self.quasi))
        for column in self.quasi if marked.any() else ():
            marked &= column.codes == (column.texts.index(SUPPRESSED) if SUPPRESSED in column.texts else -1)
        for column in self.sensitive if marked.any() else ():
            marked &= column.codes == (column.size - 1 if column.has_missing else -1)
            if column.unseen and column.name in self.carried.column_names:  # it shows something, though nobody sees it
                marked &= self.carried[column.name].is_null().to_numpy(zero_copy_only=False)
        return marked

    @cached_property
    def classes(self) -> Classes:
        """Grouped anew from the quasi cells; withheld rows belong to no class."""
        return self.grouped(self.quasi)

    def grouped(self, columns: Sequence[Column]) -> Classes:
        """The same by the cells of some columns."""
        visible = np.flatnonzero(~self.suppressed) if self.suppressed.any() else None
        codes = [c.codes if visible is None else c.codes[visible] for c in columns]
        order, starts = group(codes, self.rows if visible is None else len(visible))
        return self.as_classes(order if visible is None else visible[order], starts)

    @cached_property
    def content(self) -> str:
        """A digest of every value that the table holds, whatever the order of its rows. Confidential."""
        named, digest = self.schema.roles, RowDigest()
        carried = [name for name in self.carried.column_names if name not in self.schema.quasi]
        columns: dict[str, tuple[Sequence[object], NDArray[np.integer]]] = {
            f"coded {named[n]} {n}": (one.values, one.codes) for n, one in self.columns.items()
        }
        columns |= {f"{named[name]} {name}": coded(self.carried[name]) for name in carried}
        digest.add_coded(columns)
        return digest.hexdigest()

    def take(self, rows: NDArray[np.intp]) -> Table:
        """The same table with these rows only; domains stay as they are."""
        columns = {name: column.take(rows) for name, column in self.columns.items()}
        trails = None if self.trails is None else self.trails.take(rows)
        return replace(self, columns=columns, carried=self.carried.take(pa.array(rows)), rows=len(rows), trails=trails)

    def released(self, quasi: Mapping[str, Column], rows: NDArray[np.intp] | None = None) -> Table:
        """The release of some rows, or all, that shows these quasi cells, and every other column as it is here."""
        columns = {name: column for name, column in self.columns.items() if column.role is not Role.QUASI}
        carried = self.carried.select([name for name in self.carried.column_names if name not in self.schema.quasi])
        if rows is not None and len(rows) < self.rows:
            columns = {name: column.take(rows) for name, column in columns.items()}
            carried = carried.take(pa.array(rows))
        count = self.rows if rows is None else len(rows)
        shown = {**columns, **quasi}
        return Table(self.schema, shown, carried, count, self.backend, published=True, in_original_order=True)

    def as_classes(self, order: NDArray[np.intp], starts: NDArray[np.intp]) -> Classes:
        """A partition of rows, with the columns that criteria may look at."""
        return Classes(order, starts, self.columns, self.schema.subject if self.several_records else None)

    @cached_property
    def arrow(self) -> pa.Table:
        """All columns that may be shown, in source order; the subject and dropped columns are not among them."""
        shown = {}
        for name in self.schema.having(*_SHOWN):
            if name in self.carried.column_names:
                shown[name] = self.carried[name]
            else:
                column = self.columns[name]
                shown |= split_low_high(column) if is_low_high(column) else {name: column.arrow}
        return pa.table(shown) if shown else pa.table({})

    @property
    def frame(self) -> Any:
        """The same as a dataframe of the kind it came from, row by row as the original: for your own eyes.

        Whoever has the original, or a part of it, can lay the rows beside each other. To give it away, take
        `sorted_frame`, or make a release.
        """
        if self.in_original_order:
            warnings.warn(ROW_ORDER, RowOrderWarning, stacklevel=2)
        return from_arrow(self.arrow, self.backend)

    @property
    def sorted_frame(self) -> Any:
        """The same with rows in the order of what they show, so that the order of the original is gone. O(n log n)"""
        return from_arrow(self.arrow.take(pa.array(content_order(self.arrow))), self.backend)

    def _repr_html_(self) -> str:
        from sharewell.tables.engine.notebook_view import table_html

        return table_html(self)


def _styles(given: Mapping[str, object] | None) -> dict[str, Style]:
    results = {}
    for name, style in (given or {}).items():
        try:
            results[name] = Style.of(style)
        except PolicyError as error:
            raise PolicyError(f"columns.{name}.{error.mistakes[0]}") from None
    return results


def _refuse_style(name: str, style: Style, schema: Schema) -> None:
    """Only quasi columns have a style, and what it publishes must not bear the name of something else."""
    if name not in schema.quasi:
        raise PolicyError(f"columns.{name} — style {style.name} — only quasi columns are published in a style")
    if taken := clash(name, style, schema.having(*_SHOWN, Role.SUBJECT)):
        raise PolicyError(f"columns.{name} — {' — '.join(taken)}")
