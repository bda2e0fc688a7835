"""Sequences: one DNA sequence a person, as text of IUPAC codes, aligned or still to be aligned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike, NDArray

from sharewell.content_order import content_order
from sharewell.errors import DataError, PolicyError
from sharewell.genomes.engine import iupac_lattice
from sharewell.genomes.engine.alignment import star
from sharewell.genomes.engine.iupac_lattice import ANY, SYMBOLS, Codes
from sharewell.genomes.engine.sample_persons import PersonKey, named, refuse_twice
from sharewell.genomes.engine.sample_persons import texts as text_column
from sharewell.io.fasta import Record, fasta_text, read_fasta, write_fasta
from sharewell.io.frames import to_arrow
from sharewell.protocols import Frame
from sharewell.row_digest import content_of
from sharewell.spelling import as_one

if TYPE_CHECKING:
    from sharewell.genomes.data.genotypes import Genotypes

Ints = NDArray[np.int64]
SAID = "description"
"""Labels are what follows the name in a FASTA file."""


@dataclass(frozen=True, eq=False)
class Sequences:
    """Rows of codes; a row that is shorter than the longest ends in zeros.

    Lower case is read as upper case and U as T. `-` is a gap, N an unknown base; any other symbol that is no IUPAC code
    is refused. Sequences of several lengths can be held and aligned; what compares them place by place refuses them.

    >>> data = Sequences.of(["AATTA", "aatga", "ATTCA", "AATGA"], ids=["1", "2", "3", "4"])
    >>> data.rows, data.length, [i + 1 for i in data.variable.nonzero()[0].tolist()]
    (4, 5, [2, 4])
    >>> Sequences.of(["ACGGTTCA", "ACGTTCA"]).aligned(to="ACGGTTCA").texts
    ('ACGGTTCA', 'AC-GTTCA')
    """

    codes: Codes = field(repr=False)
    ids: tuple[str, ...] | None = field(default=None, repr=False)
    """Whose each one is; None where nobody is named."""
    labels: tuple[str | None, ...] | None = field(default=None, repr=False)
    """What an attacker may want to learn, such as a disease; published beside the sequence."""
    published: bool = False
    column: str = "sequence"
    label_column: str = "label"

    form: ClassVar[str] = "sequences"

    def __post_init__(self) -> None:
        for what, given in (("id(s)", self.ids), ("label(s)", self.labels)):
            if given is not None and len(given) != len(self.codes):
                raise DataError(f"sequences — {len(self.codes)} of them and {len(given)} {what} — give one for each")
        if self.ids is not None:
            refuse_twice(self.ids, "id(s)", "the unit of protection is the person: keep one of each", "sequences")

    def __repr__(self) -> str:
        return f"Sequences({self.rows:,} × {self.codes.shape[1]:,})"

    @classmethod
    def of(
        cls,
        texts: Sequence[str],
        *,
        ids: Sequence[str] | None = None,
        labels: Sequence[str | None] | None = None,
        published: bool = False,
    ) -> Sequences:
        """From one text for each person."""
        if isinstance(texts, str):
            raise PolicyError("Sequences.of — takes a list of texts, not one string")
        listed = [str(text).strip() for text in texts]
        codes = np.zeros((len(listed), max(map(len, listed), default=0)), dtype=np.uint8)
        lengths = np.array([len(text) for text in listed], dtype=np.int64)
        for row, text in zip(codes, listed, strict=True):
            row[: len(text)] = iupac_lattice.read(text)
        if empty := int((lengths == 0).sum()):
            raise DataError(f"sequences — {empty} of {len(listed)} are empty — leave them out")
        strange = (codes == 0) & (np.arange(codes.shape[1]) < lengths[:, None])
        if strange.any():
            what = f"{int(strange.sum())} symbol(s) in {int(strange.any(axis=1).sum())} sequence(s) are no IUPAC codes"
            raise DataError(f"sequences — {what} — use {SYMBOLS[1:]}: N for an unknown base, - for a gap")
        whose = None if ids is None else tuple(map(str, ids))
        said = None if labels is None else tuple(None if one is None else str(one).strip() or None for one in labels)
        return cls(codes, whose, said, published)

    @classmethod
    def from_fasta(
        cls, path: str | Path, *, labels: Mapping[str, str | None] | str | None = None, persons: PersonKey | None = None
    ) -> Sequences:
        """A FASTA file, plain or gzipped; the first word of a sequence's line is its name.

        labels: a mapping from names, or "description" for what else stands on the line. persons: a key from names to
        persons, as `people.named` takes it; a name without a person is left out.
        """
        records = read_fasta(Path(path))
        names = [one.name for one in records]
        people, kept = named(names, persons, "sequences")
        said: list[str | None] | None = None
        if labels == SAID:
            said = [records[i].description for i in kept]
        elif isinstance(labels, Mapping):
            said = [labels.get(names[i]) for i in kept]
        elif labels is not None:
            raise PolicyError(f"Sequences.from_fasta — labels are a mapping from names, or '{SAID}'")
        return cls.of([records[i].text for i in kept], ids=people, labels=said)

    @classmethod
    def from_frame(
        cls, frame: Frame, *, sequence: str = "sequence", subject: str | None = None, sensitive: str | None = None
    ) -> Sequences:
        """One row a person, in any dataframe."""
        arrow, _ = to_arrow(frame)
        wanted = [name for name in (sequence, subject, sensitive) if name is not None]
        if lacking := [name for name in wanted if name not in arrow.column_names]:
            raise DataError(f"no column {', '.join(lacking)} — columns: {', '.join(arrow.column_names)}")
        columns = {name: text_column(arrow[name], name) for name in wanted}
        for name in wanted[: 1 + (subject is not None)]:
            if none := columns[name].count(None):
                raise DataError(f"column {name} — {none} row(s) are empty — fill them, or drop the rows")
        built = cls.of(
            _present(columns[sequence]),
            ids=None if subject is None else _present(columns[subject]),
            labels=None if sensitive is None else columns[sensitive],
        )
        return replace(built, column=sequence, label_column=sensitive or built.label_column)

    @classmethod
    def of_genotypes(cls, genotypes: Genotypes) -> Sequences:
        """One symbol a SNP: the base of a person with two equal alleles, the code of both where they differ.

        A missing call is N. The SNPs must say their alleles, each a single base.

        >>> from sharewell.genomes import Genotypes, Snps
        >>> snps = Snps.of(["rs1", "rs2"], effect=["A", "C"], other=["G", "T"])
        >>> Sequences.of_genotypes(Genotypes.of([[0, 1], [2, -1]], snps=snps)).texts
        ('GY', 'AN')
        """
        alleles = [
            [iupac_lattice.read(str(text)) for text in one] for one in (genotypes.snps.effect, genotypes.snps.other)
        ]
        plain = [[len(code) == 1 and code[0] in (1, 2, 4, 8) for code in one] for one in alleles]
        if odd := genotypes.count - sum(map(all, zip(*plain, strict=True))):
            what = f"{odd} of {genotypes.count} SNP(s) do not name two alleles of one base each"
            raise DataError(f"sequences — {what} — give the alleles, or leave out such SNPs")
        effect, other = (np.array([code[0] for code in one], dtype=np.uint8) for one in alleles)
        any_base = np.full(genotypes.count, ANY, dtype=np.uint8)
        choices = np.stack([other, effect | other, effect, any_base])  # a call of -1 is the last of them
        codes = choices[genotypes.array(), np.arange(genotypes.count)]
        return cls(codes, genotypes.persons)

    @classmethod
    def from_arrow(cls, table: pa.Table, column: str = "sequence", label: str | None = None) -> Sequences:
        """A release, as its file shows it."""
        return replace(cls.from_frame(table, sequence=column, sensitive=label), published=True)

    @property
    def rows(self) -> int:
        return len(self.codes)

    @property
    def persons(self) -> tuple[str, ...] | None:
        return self.ids

    @property
    def unit(self) -> str:
        """What one row is."""
        return "sequences" if self.ids is None else "persons"

    @cached_property
    def lengths(self) -> Ints:
        """Symbols of each one, gaps included."""
        return np.asarray((self.codes != 0).sum(axis=1), dtype=np.int64)

    @property
    def length(self) -> int:
        """How many symbols each sequence has, where all have as many."""
        return int(self.matrix.shape[1])

    @cached_property
    def matrix(self) -> Codes:
        """All sequences, place by place; refused if they differ in length."""
        if self.rows and int(self.lengths.min()) < self.codes.shape[1]:
            what = f"{len(np.unique(self.lengths))} lengths, {self.lengths.min()} to {self.lengths.max()} symbols"
            raise DataError(f"sequences — {what} — align them first: .aligned(to=reference), in a policy `align:`")
        return self.codes

    @property
    def variable(self) -> NDArray[np.bool_]:
        """The single nucleotide variable regions: places in which not all sequences show the same symbol."""
        codes = self.matrix
        return np.asarray((codes != codes[:1]).any(axis=0)) if len(codes) else np.zeros(codes.shape[1], dtype=bool)

    @cached_property
    def groups(self) -> Ints:
        """The number of each row's text, by the order of texts; equal texts have one number."""
        if not self.codes.shape[1]:
            return np.zeros(self.rows, dtype=np.int64)
        texts = np.ascontiguousarray(self.codes).view(f"S{self.codes.shape[1]}")[:, 0]
        return np.asarray(np.unique(texts, return_inverse=True)[1], dtype=np.int64)

    @cached_property
    def label_codes(self) -> Ints:
        """The number of each row's label, -1 where it has none; one for labels that look alike.

        Refused if there are no labels.
        """
        if self.labels is None:
            raise PolicyError("sequences — no labels — name the sensitive column, or leave the criterion out")
        labels = as_one(pa.array(self.labels, pa.string())).to_pylist()
        number = {label: i for i, label in enumerate(sorted({one for one in labels if one is not None}))}
        return np.array([-1 if one is None else number[one] for one in labels], dtype=np.int64)

    @cached_property
    def order(self) -> NDArray[np.intp]:
        """By text, then label, then id: the order in which a release is written, whatever the source's was."""
        named = {"label": self.labels, "id": self.ids}
        texts = {name: [one or "" for one in column] for name, column in named.items() if column is not None}
        return content_order(pa.table({"text": self.groups, **texts}))

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(iupac_lattice.write(row) for row in self.codes)

    @cached_property
    def content(self) -> str:
        """A digest of all sequences, whatever their order. Confidential."""
        nobody: tuple[None, ...] = (None,) * self.rows
        columns = {"sequence": self.texts, "person": self.ids or nobody, "label": self.labels or nobody}
        return content_of({name: pa.array(values, pa.string()) for name, values in columns.items()})

    def take(self, rows: ArrayLike) -> Sequences:
        """Some of them: numbers or a mask, such as `data.lengths == 360`."""
        which = np.asarray(rows)
        which = np.flatnonzero(which) if which.dtype == bool else which.astype(np.intp)
        codes = self.codes[which]
        wide = int((codes != 0).sum(axis=1).max(initial=0))
        ids = None if self.ids is None else tuple(self.ids[i] for i in which)
        labels = None if self.labels is None else tuple(self.labels[i] for i in which)
        return replace(self, codes=np.ascontiguousarray(codes[:, :wide]), ids=ids, labels=labels)

    def aligned(self, to: str | Path | Sequences) -> Sequences:
        """Star alignment to a reference (extra `genomes`): its text, the path of a FASTA file, or Sequences of one.

        Time grows with the product of both lengths, for every different sequence: a reference of the same region is
        much quicker than a whole genome.
        """
        if not isinstance(to, Sequences):
            to = Sequences.of([to]) if isinstance(to, str) else Sequences.from_fasta(to)
        if to.rows != 1:
            raise PolicyError(f"sequences — {to.rows} references to align to — give one")
        return replace(self, codes=star(list(self.codes), to.codes[0]))

    def shown(self, codes: Codes) -> Sequences:
        """What is published instead, row by row."""
        return replace(self, codes=iupac_lattice.shown(codes), published=True)

    def beside(self, original: Sequences | Genotypes) -> tuple[Codes, Codes] | None:
        """The original and this release as codes, row by row; None if a symbol does not cover the true one."""
        true = original if isinstance(original, Sequences) else Sequences.of_genotypes(original)
        if true.codes.shape != self.codes.shape or not iupac_lattice.covers(self.matrix, true.matrix).all():
            return None
        return true.matrix, self.matrix

    @property
    def arrow(self) -> pa.Table:
        """One row a sequence, as they stand; `take(order)` sorts them."""
        columns = {self.column: pa.array(self.texts, pa.string())}
        if self.labels is not None:
            columns[self.label_column] = pa.array(self.labels, pa.string())
        return pa.table(columns)

    def to_fasta(self) -> str:
        """Named by id; a release is sorted and numbered, and says nobody's name. A label follows the name."""
        return fasta_text(self._records())

    def write_fasta(self, path: str | Path) -> None:
        write_fasta(Path(path), self._records())

    def _records(self) -> list[Record]:
        data = self.take(self.order) if self.published else self
        named = data.ids if data.ids is not None and not data.published else [str(i + 1) for i in range(data.rows)]
        said = data.labels or (None,) * data.rows
        return [Record(*one) for one in zip(named, (label or "" for label in said), data.texts, strict=True)]


def _present(cells: Sequence[str | None]) -> list[str]:
    return [cell for cell in cells if cell is not None]
