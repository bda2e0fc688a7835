"""CodeSets: for each person the set of their diagnosis codes; in a release, the set of labels that stand for them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sharewell.codes.engine.labels import read_label
from sharewell.codes.engine.packed_sets import Ints, Sets, numbering
from sharewell.codes.engine.visits import Rows, Visits
from sharewell.errors import DataError, PolicyError
from sharewell.io.frames import to_arrow
from sharewell.protocols import Frame
from sharewell.row_digest import RowDigest, words_of
from sharewell.spelling import fold

if TYPE_CHECKING:
    from sharewell.codes.engine.code_tree import CodeHierarchy, CodesTree
    from sharewell.codes.engine.label_tree import LabelTree

__all__ = ["CodeSets", "Ints", "Sets"]


@dataclass(frozen=True, eq=False)
class CodeSets:
    """Sets of labels, the most frequent label first.

    What a release says about codes is its *published support*: the number of records in which every code of a
    combination lies in some label. Codes that lie in the same labels cannot be told apart; such a group is an *atom*.
    Where no code lies in two labels the atoms are the labels themselves.

    >>> data = CodeSets.of([["401.2", "401.3"], ["401.3", "401.4"], ["401.4"], ["401.2"]])
    >>> data.records, data.codes, data.support(["401.3"]), data.support(["401.2", "401.4"])
    (4, ('401.2', '401.3', '401.4'), 2, 0)
    >>> released = CodeSets.of([["(401.2,401.4)", "401.3"]] * 2 + [["(401.2,401.4)"]] * 2, published=True)
    >>> released.support(["401.2", "401.4"]), released.support(["401.2", "401.3"])
    (4, 2)
    """

    sets: Sets = field(repr=False)
    names: tuple[str, ...]
    """The labels by falling support, then by text; items of the sets number into them."""
    members: tuple[tuple[str, ...], ...] = field(repr=False)
    """The codes that each label may stand for: itself alone, in original data."""
    labels: Mapping[str, str | None] | None = field(default=None, repr=False)
    """In a release by one recoding for all: the label of every original code, None where it was suppressed."""
    persons: tuple[str, ...] | None = field(default=None, repr=False)
    """The person of each set; None where persons are not named."""
    visits: Visits | None = field(default=None, repr=False)
    hierarchy: CodeHierarchy | None = field(default=None, repr=False)
    published: bool = False
    column: str = "codes"
    """The name of the column that holds them, before and after."""
    codes_before: int | None = field(default=None, repr=False)
    """In a release read from its files: how many codes the original had, as the certificate says."""
    alike: Mapping[str, int] = field(default_factory=dict, repr=False)
    """Of an original: the column of its persons → how many names look like another one and count as one person."""

    @classmethod
    def of(
        cls,
        rows: Sequence[Iterable[str]],
        *,
        hierarchy: CodeHierarchy | None = None,
        published: bool = False,
        members: Mapping[str, Collection[str]] | None = None,
        persons: Sequence[str] | None = None,
    ) -> CodeSets:
        """From a list of codes for each person. `members`: the codes of labels in a release that do not list them.

        `persons`: who they are, each named once; `from_long` puts several rows of a person together.
        """
        if isinstance(rows, str) or any(isinstance(row, str) for row in rows):
            raise PolicyError("CodeSets.of — takes a list of codes for each record, not one string")
        listed = [[_text(code) for code in row] for row in rows]
        if persons is not None:
            _refuse_repeated(persons, len(listed))
        owner = np.repeat(np.arange(len(listed)), [len(row) for row in listed])
        texts = pa.array([code for row in listed for code in row], pa.string())
        return cls._built(owner, texts, len(listed), hierarchy, published, members, persons)

    @classmethod
    def of_visits(
        cls,
        rows: Rows,
        *,
        ordered: bool = False,
        hierarchy: CodeHierarchy | None = None,
        published: bool = False,
        members: Mapping[str, Collection[str]] | None = None,
        persons: Sequence[str] | None = None,
    ) -> CodeSets:
        """From the visits of each person in time order, each a list of codes; other options as for `of`.

        ordered: do the codes of a visit follow each other as listed, or is a visit just a set?

        >>> data = CodeSets.of_visits([[["401.2"], ["295", "303"]], [["295"]]])
        >>> data.visits.listed(data.names, data.records)
        [[['401.2'], ['295', '303']], [['295']]]
        """
        tidy = [[[_text(code) for code in visit] for visit in visits] for visits in rows]
        listed = [[code for visit in visits for code in visit] for visits in tidy]
        built = cls.of(listed, hierarchy=hierarchy, published=published, members=members, persons=persons)
        return replace(built, visits=Visits.of_rows(built.names, tidy, ordered=ordered))

    @classmethod
    def from_long(
        cls,
        frame: Frame,
        *,
        subject: str,
        code: str,
        visit: str | None = None,
        date: str | None = None,
        sequence: str | None = None,
        hierarchy: CodeHierarchy | None = None,
    ) -> CodeSets:
        """One code a row, in any dataframe. A row without a code adds none; its person still has a record.

        visit: what tells visits of a person apart; without it, each date is one. date: by which visits are in order;
        without it, they are in the order in which they first stand in the frame. sequence: numbers by which the codes
        of a visit are in order; without it they have none. See `Visits.of` for missing values.
        """
        arrow, _ = to_arrow(frame)
        wanted = [name for name in (subject, code, visit, date, sequence) if name is not None]
        if lacking := [name for name in wanted if name not in arrow.column_names]:
            raise DataError(f"no column {', '.join(lacking)} — columns: {', '.join(arrow.column_names)}")
        if sequence is not None and visit is None and date is None:
            raise PolicyError("CodeSets.from_long — sequence orders the codes of a visit — name the visit, or its date")
        from sharewell.codes.engine.code_files import named_persons, texts_of

        people = pc.dictionary_encode(named_persons(arrow[subject]))
        if nobody := people.null_count:
            raise DataError(f"column {subject} — {nobody} row(s) belong to nobody — name the person, or drop the rows")
        owner = people.indices.to_numpy(zero_copy_only=False).astype(np.int64)
        texts = texts_of(arrow[code])
        persons = people.dictionary.to_pylist()
        built = cls._built(owner, texts, len(persons), hierarchy, False, None, persons)
        if visit is None and date is None:
            return built
        return replace(built, visits=Visits.of(built.names, owner, texts, arrow, visit, date, sequence))

    @classmethod
    def _built(
        cls,
        owner: Ints,
        texts: pa.Array,
        count: int,
        hierarchy: CodeHierarchy | None,
        published: bool,
        members: Mapping[str, Collection[str]] | None,
        persons: Sequence[str] | None,
    ) -> CodeSets:
        present = pc.and_(pc.is_valid(texts), pc.not_equal(texts, "")).to_numpy(zero_copy_only=False)
        present = np.asarray(present, dtype=bool)
        encoded = pc.dictionary_encode(texts.filter(pa.array(present)))
        distinct = encoded.dictionary.to_pylist()
        raw = Sets.of_pairs(owner[present], encoded.indices.to_numpy(zero_copy_only=False), count)
        sets, order = raw.by_support(distinct)
        names = tuple(distinct[i] for i in order)
        covered = [
            tuple(sorted((members or {}).get(name) or read_label(name))) if published else (name,) for name in names
        ]
        people = None if persons is None else tuple(persons)
        return cls(sets, names, tuple(covered), persons=people, hierarchy=hierarchy, published=published)

    def recoded(self, labels: Mapping[str, str | None], members: Mapping[str, Collection[str]]) -> CodeSets:
        """The release in which every code is shown by its label; equal labels of a record become one."""
        shown = sorted({label for label in labels.values() if label is not None})
        place = {label: i for i, label in enumerate(shown)}
        number = np.array([place.get(labels[code] or "", -1) for code in self.names], dtype=np.int64)
        sets, order = self.sets.renumbered(number).by_support(shown)
        names = tuple(shown[i] for i in order)
        covered = tuple(tuple(sorted(members[name])) for name in names)
        return CodeSets(sets, names, covered, dict(labels), self.persons, None, self.hierarchy, published=True)

    @cached_property
    def content(self) -> str:
        """A digest of all sets and their persons, whatever their order. Confidential."""
        sums = np.zeros((self.records, 2), np.uint64)
        np.add.at(sums, self.sets.row_of, words_of(f"codes {self.column}", self.names)[self.sets.items])
        if self.persons is not None:
            sums += words_of("person", self.persons)
        digest = RowDigest()
        digest.add_sums(sums)
        return digest.hexdigest()

    @property
    def records(self) -> int:
        return self.sets.count

    @property
    def rows(self) -> int:
        """One row of the file a record."""
        return self.sets.count

    def take(self, rows: NDArray[np.integer]) -> CodeSets:
        """Some of the records, without their visits and without labels that none of them holds."""
        sets, order = self.sets.take(rows).by_support(self.names)
        names, members = tuple(self.names[i] for i in order), tuple(self.members[i] for i in order)
        persons = None if self.persons is None else tuple(map(self.persons.__getitem__, rows.tolist()))
        return replace(self, sets=sets, names=names, members=members, persons=persons, visits=None)

    def without(self, removed: NDArray[np.bool_]) -> CodeSets:
        """Without some occurrences of labels: one mark for each item of the sets."""
        if not removed.any():
            return self
        kept = Sets.of_pairs(self.sets.row_of[~removed], self.sets.items[~removed], self.records)
        sets, order = kept.by_support(self.names)
        names, members = tuple(self.names[i] for i in order), tuple(self.members[i] for i in order)
        return replace(self, sets=sets, names=names, members=members, labels=None)

    @cached_property
    def coarser(self) -> LabelTree:
        """What the labels of a release may be coarsened to."""
        from sharewell.codes.engine.label_tree import LabelTree

        return LabelTree.of(self)

    def coarsened(self, nodes: NDArray[np.int64], removed: NDArray[np.bool_]) -> CodeSets:
        """With nodes of `coarser` in the place of some occurrences of labels (-1: as it is), and without others."""
        if not (nodes >= 0).any():
            return self.without(removed)
        tree, items = self.coarser, np.where(nodes >= 0, nodes, self.sets.items)
        shown = Sets.of_pairs(self.sets.row_of[~removed], items[~removed], self.records)
        sets, order = shown.by_support(tree.names)
        names, members = tuple(tree.names[i] for i in order), tuple(tree.members[i] for i in order)
        return replace(self, sets=sets, names=names, members=members, labels=None)

    def records_of(self, persons: Sequence[str]) -> CodeSets:
        """One record for each of these persons, in this order: empty for those of whom there is none.

        >>> CodeSets.of([["401"]], persons=["b"]).records_of(["a", "b"]).sets.lengths.tolist()
        [0, 1]
        """
        place = {person: row for row, person in enumerate(persons)}
        row_of = np.array([place[person] for person in self.persons or ()], dtype=np.int64)
        sets = Sets.of_pairs(row_of[self.sets.row_of], self.sets.items, len(persons))
        return replace(self, sets=sets, persons=tuple(persons), visits=None, labels=None)

    @cached_property
    def codes(self) -> tuple[str, ...]:
        """Every code that some label may stand for."""
        if not self.published:
            return tuple(sorted(self.names))
        return tuple(sorted({code for codes in self.members for code in codes}))

    @cached_property
    def atoms(self) -> Atoms:
        return Atoms.of(self)

    @cached_property
    def tree(self) -> CodesTree:
        """The tree above the codes; without a hierarchy, a root alone."""
        from sharewell.codes.engine.code_tree import CodesTree

        return CodesTree.of(self)

    @cached_property
    def labels_of(self) -> dict[str, list[int]]:
        """The labels that may stand for each code."""
        labels: dict[str, list[int]] = {}
        for label, codes in enumerate(self.members):
            for code in codes:
                labels.setdefault(code, []).append(label)
        return labels

    def overlapping_labels(self) -> list[NDArray[np.int64]]:
        """Labels that may stand for the same code, two or more of them."""
        several = sorted({tuple(labels) for labels in self.labels_of.values() if len(labels) > 1})
        return [np.array(labels, dtype=np.int64) for labels in several]

    def support(self, codes: Iterable[str]) -> int:
        """The published support of a combination of original codes: 0 if a code is in no label."""
        return len(self.atoms.holding(codes))


def _refuse_repeated(persons: Sequence[str], records: int) -> None:
    """Every record is counted as another person's, so that no person may have two."""
    if len(persons) != records:
        raise DataError(f"CodeSets.of — {len(persons)} person(s) for {records} record(s) — name one for each")
    folds = [fold(str(person)) for person in persons if person is not None]
    if nobody := records - sum(map(bool, folds)):
        raise DataError(f"CodeSets.of — {nobody} record(s) belong to nobody — name the person, or drop the records")
    if repeated := records - len(set(folds)):
        problem = f"{repeated} of {records} record(s) are of a person who was named before"
        raise DataError(f"CodeSets.of — {problem} — give one set a person, or use CodeSets.from_long")


def _text(code: object) -> str:
    """A code as text; what is missing is no code."""
    return "" if code is None or code != code else str(code).strip()


@dataclass(frozen=True, eq=False)
class Atoms:
    """Codes that lie in the same labels, as one; and for each record those it may hold."""

    sets: Sets
    count: int
    of_code: dict[str, int]

    @classmethod
    def of(cls, data: CodeSets) -> Atoms:
        """O(occurrences) where no code lies in two labels; else each record is spread over the atoms of its labels."""
        apart = sum(len(codes) for codes in data.members) == len(data.codes)
        if apart:
            named = {code: label for label, codes in enumerate(data.members) for code in codes}
            return cls(data.sets, len(data.names), named)
        number = {code: i for i, code in enumerate(data.codes)}
        covers = Sets.of([[number[code] for code in codes] for codes in data.members])
        alike, sizes = covers.transposed(len(number)).equal()
        spread = data.sets.composed_with(covers.renumbered(alike))
        support = spread.supports(len(sizes))
        rank = numbering(np.argsort(-support, kind="stable"), len(sizes))
        return cls(spread.renumbered(rank), len(sizes), {code: int(rank[alike[i]]) for code, i in number.items()})

    @cached_property
    def _records(self) -> Sets:
        return self.sets.transposed(self.count)

    def holding(self, codes: Iterable[str]) -> NDArray[np.int32]:
        """The records in which every one of the codes lies in some label."""
        wanted = {self.of_code.get(code, -1) for code in codes}
        if -1 in wanted:
            return np.zeros(0, dtype=np.int32)
        return self.sets.holding(sorted(wanted), self._records)
