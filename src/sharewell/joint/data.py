"""RTData: people, one row each, and beside each the set of their codes (a relational and a transaction part).

The two parts are what their own wings make of them; they are only put side by side here. A third part may stand beside
them: the DNA of the same people.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sharewell.content_order import ranks
from sharewell.errors import DataError, PolicyError
from sharewell.joint.engine.snp_cells import SnpCells
from sharewell.spelling import fold

if TYPE_CHECKING:
    from sharewell.codes import CodeSets
    from sharewell.tables import Table


@dataclass(frozen=True, eq=False)
class RTData:
    """A table and sets of codes, record by record.

    >>> import pyarrow as pa
    >>> from sharewell.codes import CodeSets
    >>> from sharewell.tables import Table
    >>> people = pa.table({"who": ["a", "b", "c"], "sex": ["F", "M", "F"]})
    >>> diagnoses = pa.table({"who": ["c", "a", "c"], "code": ["401.1", "250.00", "428.0"]})
    >>> codes = CodeSets.from_long(diagnoses, subject="who", code="code")
    >>> data = RTData.joined(Table.of(people, quasi=["sex"], subject="who"), codes)
    >>> data.rows, data.codes.sets.lengths.tolist(), data.arrow["codes"].to_pylist()
    (3, [1, 0, 2], ['250.00', '', '401.1 428.0'])
    """

    table: Table
    codes: CodeSets
    dna: SnpCells | None = None

    @classmethod
    def of(cls, table: Table, codes: CodeSets, dna: SnpCells | None = None) -> RTData:
        """From parts that are in the same order already."""
        if dna is not None and dna.rows != table.rows:
            problem = f"the table has {table.rows} rows, and there is DNA of {dna.rows} persons"
            raise DataError(f"{problem} — give one row of it for each person, or join them by person (with_dna)")
        if table.rows != codes.records:
            problem = f"the table has {table.rows} rows, and there are {codes.records} sets of codes"
            raise DataError(f"{problem} — give one set for each row, or join them by person (RTData.joined)")
        known = table.subject
        nobody = np.bincount(known.codes, minlength=known.size)[-1] if known is not None and known.has_missing else 0
        if known is not None and table.persons + nobody < table.rows:
            problem = f"{table.rows} rows about {table.persons} persons"
            raise DataError(f"{problem} — people and their codes are joined by person: give one row per person")
        if known is not None and codes.persons is not None:
            names = [fold(text) for text in known.texts]
            strange = sum(names[code] != fold(person) for code, person in zip(known.codes, codes.persons, strict=True))
            if strange:
                problem = f"{strange} of {table.rows} rows and sets are about different persons"
                raise DataError(f"{problem} — join them by person (RTData.joined)")
        return cls(table, codes, dna)

    @classmethod
    def joined(cls, table: Table, codes: CodeSets) -> RTData:
        """From two parts that both name their persons, in any spelling. A person without codes has the empty set."""
        if table.subject is None or codes.persons is None:
            raise DataError("people and codes are joined by person — give both a subject column")
        names = [fold(text) for text in table.subject.texts]
        place = {names[code]: row for row, code in enumerate(table.subject.codes.tolist())}
        place.pop("", None)
        row_of = np.array([place.get(fold(person), -1) for person in codes.persons], dtype=np.int64)
        if strange := int((row_of < 0).sum()):
            lost = int(codes.sets.lengths[row_of < 0].sum())
            problem = f"{strange} of {codes.records} persons with codes ({lost} codes) are not in the table of people"
            raise DataError(f"{problem} — add these people, or take their codes out")
        persons = tuple(table.subject.texts[code] for code in table.subject.codes)
        sets = type(codes.sets).of_pairs(row_of[codes.sets.row_of], codes.sets.items, table.rows)
        visits = codes.visits if codes.visits is None else replace(codes.visits, owner=row_of[codes.visits.owner])
        return cls.of(table, replace(codes, sets=sets, persons=persons, visits=visits))

    def with_dna(self, dna: SnpCells, persons: Sequence[str]) -> RTData:
        """The same people with their DNA beside them, joined by name. Of whom there is none, nothing is known.

        >>> import pyarrow as pa
        >>> from sharewell.codes import CodeSets
        >>> from sharewell.tables import Table
        >>> people = Table.of(pa.table({"who": ["a", "b"]}), quasi=[], subject="who")
        >>> data = RTData.joined(people, CodeSets.of([["401"], ["250"]], persons=["a", "b"]))
        >>> data.with_dna(SnpCells.of_calls([[2]], names=["rs1"]), ["b"]).arrow["rs1"].to_pylist()
        ['*', '2']
        """
        if self.codes.persons is None:
            raise DataError("people and DNA are joined by person — give the people a subject column")
        place = {fold(person): row for row, person in enumerate(self.codes.persons)}
        place.pop("", None)
        row_of = np.array([place.get(fold(person), -1) for person in persons], dtype=np.int64)
        if strange := int((row_of < 0).sum()):
            problem = f"{strange} of {len(persons)} persons with DNA are not among the people"
            raise DataError(f"{problem} — add these people, or take their DNA out")
        if len(np.unique(row_of)) < len(row_of):
            problem = f"{len(row_of) - len(np.unique(row_of))} rows of DNA are about somebody who has another one"
            raise DataError(f"{problem} — give one row per person")
        return replace(self, dna=dna.spread(row_of.tolist(), self.rows))

    @staticmethod
    def require(data: object, name: str) -> None:
        """Refuse anything else: `name` is the algorithm that was given it."""
        if not isinstance(data, RTData):
            raise PolicyError(f"{name} — reads people together with their codes (kind: joint), and nothing else")

    @property
    def rows(self) -> int:
        return self.table.rows

    @property
    def records(self) -> int:
        return self.table.rows

    @property
    def published(self) -> bool:
        return self.table.published or self.codes.published or (self.dna is not None and self.dna.published)

    @property
    def content(self) -> str:
        """A digest of people and codes, whatever their order. Both name the persons, or the order ties them."""
        of_dna = "" if self.dna is None else f" {self.dna.content}"
        return f"{self.table.content} {self.codes.content}{of_dna}"

    def take(self, rows: NDArray[np.intp]) -> RTData:
        """Some of the people, in the given order."""
        return RTData(self.table.take(rows), self.codes.take(rows), None if self.dna is None else self.dna.take(rows))

    @cached_property
    def class_of_row(self) -> NDArray[np.intp]:
        """The class of each row by its quasi cells. Withheld rows that show something all the same are one more."""
        classes = self.table.classes
        class_of = np.full(self.rows, -1, dtype=np.intp)
        class_of[classes.order] = classes.class_of
        shows = self.codes.sets.lengths > 0
        if self.dna is not None:
            shows = shows | self.dna.has_known_places
        class_of[(class_of < 0) & shows] = classes.count
        return class_of

    @cached_property
    def content_rank(self) -> NDArray[np.int64]:
        """The place of each person in an order of codes, DNA, names and columns: not of the rows as they came."""
        place = np.empty(self.rows, dtype=np.int64)
        place[self.codes.sets.by_content()] = np.arange(self.rows)
        alike = self.codes.sets.equal()[0]
        least = np.full(int(alike.max(initial=-1)) + 1, self.rows, dtype=np.int64)
        np.minimum.at(least, alike, place)
        names = np.array(self.codes.persons if self.codes.persons is not None else [""] * self.rows)
        dna = np.zeros(self.rows, dtype=np.int64) if self.dna is None else self.dna.groups
        columns = [ranks(self.table.arrow[name]) for name in reversed(self.table.arrow.column_names)]
        rank = np.empty(self.rows, dtype=np.int64)
        rank[np.lexsort((*columns, names, dna, least[alike]))] = np.arange(self.rows)
        return rank

    @cached_property
    def arrow(self) -> pa.Table:
        """The columns that may be shown, the labels of each person, and their DNA."""
        names, sets = self.codes.names, self.codes.sets
        labels = [" ".join(sorted(names[i] for i in sets.row(row))) for row in range(self.rows)]
        shown = {name: self.table.arrow[name] for name in self.table.arrow.column_names}
        beside = {self.codes.column: pa.array(labels, pa.string()), **({} if self.dna is None else self.dna.arrow())}
        for name, column in beside.items():
            while name in shown:
                name += "_"
            shown[name] = column
        return pa.table(shown)
