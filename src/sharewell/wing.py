"""The door between a kind of data and the pipeline: the `Wing` protocol, and the records that pass through it.

The pipeline plans, releases and verifies any kind of data through these types alone. A wing subclasses `Wing`, writes
the methods without a body here, and inherits default answers for the rest. What only some kinds of data can do
(columns that may be dropped, pages for readers, tables made from text) is a protocol of its own that the wing lists in
its `Capabilities`; the pipeline asks there, once, and never guesses.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Protocol, TypeAlias, TypeVar

from sharewell.errors import DataError
from sharewell.plain_data import Json, JsonObject
from sharewell.protocols import AnyCriterion, Attack, Criterion, Mechanism, NamesOfPeople, PersonFacts, Protected, Truth

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from sharewell.findings import Finding
    from sharewell.hierarchy.levels import Hierarchy
    from sharewell.io.cleaning_account import Account
    from sharewell.io.external_sort import SortedRows
    from sharewell.io.sources import Source
    from sharewell.io.yaml_positions import Document
    from sharewell.keys import Key
    from sharewell.policy.model import Dataset
    from sharewell.protocols import ListedValues, RemovedFacts

ColumnFacts = Mapping[str, Json]
"""What the dictionary says of one published column: plain JSON."""
Dictionary = Mapping[str, ColumnFacts]
Trees: TypeAlias = "Mapping[str, Hierarchy] | None"
"""A steward's own hierarchies, by column."""
LINKED = "pseudonym, one for each person in all linked datasets"
"""What the dictionary says of the column that links datasets."""
Persons = Literal["none", "published", "internal", "linked"]
"""Where a judge finds which records are one person's."""


class Records(Protocol):
    """What the pipeline itself needs to know of any data, original or released."""

    @property
    def rows(self) -> int: ...


class Original(Records, Protocol):
    """Data as `Wing.open` gives it."""

    @property
    def content(self) -> str:
        """A digest of its rows, whatever their order: random choices depend on it."""


Data = TypeVar("Data", bound=Records)
Shown = TypeVar("Shown", bound=Records, contravariant=True)
"""Data that is only looked at."""


PEOPLE = "_people.parquet"
"""The file of internal/<dataset>/ that tells whose each published row is; no dataset has a name that begins so."""


@dataclass(frozen=True)
class Published:
    """What a wing hands over to be written."""

    table: pa.Table | SortedRows
    """The public file."""
    dictionary: dict[str, JsonObject]
    """What is said of each of its columns."""
    evidence: pa.Table | SortedRows | None = None
    """For internal/: what a judge of persons, or of true cells, needs beside the file."""
    mapping: pa.Table | SortedRows | None = None
    """For internal/: pseudonym → person, where the policy asks for it."""
    unit: str | None = None
    """What criteria count, where the wing knows before they are checked."""
    subjects: pa.Table | SortedRows | None = None
    """Where text columns are published: whose each row is, by the names of the source, for internal/."""
    people: pa.Table | SortedRows | None = None
    """For internal/: whose each row is, under names by which other datasets of the same people can be compared."""
    offsets: pa.Table | SortedRows | None = None
    """For internal/: which characters of a text were replaced."""
    pages: Mapping[str, str] = field(default_factory=dict)
    """Further public files, by what follows the dataset's name."""
    internal_files: Mapping[str, str] = field(default_factory=dict)
    """Further files for internal/, by name."""


@dataclass(frozen=True)
class Claim:
    """What the certificate says of one dataset."""

    kind: str
    file: str
    rows: int
    columns: Mapping[str, ColumnFacts]
    mechanism: Mapping[str, Json]
    persons: Persons = "none"
    persons_sha256: str | None = None
    link: str | None = None
    """The first column of the file: a pseudonym of the person, the same in all linked datasets."""
    lookalikes: Mapping[str, int] | None = None
    utility: Sequence[Mapping[str, Json]] | None = None
    """Measures whose bound the policy promises."""
    text_columns: Mapping[str, Json] | None = None
    unit: str | None = None
    pages: Sequence[str] = ()
    findings: Sequence[Mapping[str, Json]] | None = None
    """None before the written file was judged."""

    @property
    def falsified(self) -> bool:
        """Were values changed on purpose, so that a cell need not be true?"""
        return bool(self.mechanism.get("falsifies"))

    def described(self) -> dict[str, ColumnFacts]:
        """Every column of the file, for the dictionary."""
        link = {} if self.link is None else {self.link: {"role": "subject", "style": LINKED}}
        return {**link, **self.columns}

    def to_json(self) -> JsonObject:
        """Plain JSON; what is not claimed is left out."""
        optional = {
            "lookalikes": self.lookalikes,
            "utility": self.utility,
            "persons_sha256": self.persons_sha256,
            "link": self.link,
            "texts": self.text_columns,
            "unit": self.unit,
            "pages": list(self.pages) or None,
            "findings": self.findings,
        }
        return {
            "kind": self.kind,
            "file": self.file,
            "rows": self.rows,
            "columns": self.columns,
            "mechanism": self.mechanism,
            "persons": self.persons,
            **{key: value for key, value in optional.items() if value is not None},
        }

    @classmethod
    def from_json(cls, given: Json) -> Claim:
        """A claim as a certificate has it; whoever wrote that is not trusted to have written it well."""
        try:
            claim = cls(
                kind=given["kind"],
                file=given["file"],
                rows=given["rows"],
                columns=given["columns"],
                mechanism=given["mechanism"],
                persons=given["persons"],
                persons_sha256=given.get("persons_sha256"),
                link=given.get("link"),
                lookalikes=given.get("lookalikes"),
                utility=given.get("utility"),
                text_columns=given.get("texts"),
                unit=given.get("unit"),
                pages=given.get("pages", ()),
                findings=given.get("findings"),
            )
        except (LookupError, TypeError, AttributeError):
            raise DataError(DAMAGED_CLAIM) from None
        if not claim._well_formed():
            raise DataError(DAMAGED_CLAIM)
        return claim

    def _well_formed(self) -> bool:
        texts = (self.kind, self.file, self.persons)
        facts = self.columns.values() if isinstance(self.columns, Mapping) else ()
        mappings = (self.columns, self.mechanism, *facts)
        lists = (self.pages, self.utility or (), self.findings or ())
        return (
            all(isinstance(one, str) for one in texts)
            and type(self.rows) is int
            and all(isinstance(one, Mapping) for one in mappings)
            and all(isinstance(one, list | tuple) for one in lists)
            and isinstance(self.text_columns, Mapping | None)
        )


DAMAGED_CLAIM = "the certificate's entry is damaged or was edited"


class DroppableColumns(Protocol[Data]):
    """Data that can be tried without one of its columns."""

    def trial_data(self, data: Data) -> Data:
        """Only what algorithms look at, for trials in memory."""
        ...

    def droppable_columns(self, data: Data) -> tuple[str, ...]: ...

    def without_column(self, data: Data, column: str) -> Data: ...

    def with_column_blank(self, released: Data, original: Data, column: str) -> Data:
        """A release made without the column, as one in which the column says nothing."""
        ...


class PeopleTable(Protocol[Data]):
    """One row a record about a person, beside which other data of the same people is published."""

    def generalised(self, data: Data, order: NDArray[np.intp], starts: NDArray[np.intp]) -> Data:
        """The table as it is published when rows `order[starts[i] : starts[i + 1]]` form class i."""
        ...

    def with_shifts(self, protected: Protected[Data], dataset: Dataset, key: Key) -> Protected[Data]:
        """The release with its dates moved."""
        ...

    def quasi_cells(self, released: Data) -> Mapping[str, pa.ChunkedArray]:
        """Quasi column → its cells as they are published."""


class ParallelWork(Protocol[Data]):
    """Data whose records are protected one after the other, by several processes if wanted."""

    def with_workers(self, data: Data, processes: int, report_progress: Callable[[int], None]) -> Data: ...


class ReaderPages(Protocol[Shown]):
    """Data that is also published as pages for readers, which must say what the file says."""

    def pages(self, data: Shown, columns: Mapping[str, ColumnFacts]) -> JsonObject:
        """By what follows the dataset's name: text, or JSON."""
        ...


class PolicyComparison(Protocol[Shown]):
    """Data whose evidence can be held against the policy that lies beside it in internal/."""

    def departures(self, data: Shown, name: str, policy: Document) -> list[str]: ...


class TextColumns(Protocol[Data]):
    """Data that may carry columns of text, to be protected by the kind of data that reads text."""

    def column(self, data: Data, name: str) -> pa.ChunkedArray: ...

    def with_columns(self, protected: Protected[Data], columns: Mapping[str, pa.Array]) -> Protected[Data]: ...


class TextData(Records, Protocol):
    """Texts, one a record."""

    @property
    def texts(self) -> Sequence[str]: ...


Texts = TypeVar("Texts", bound=TextData)


class TextReader(ParallelWork[Texts], Protocol[Texts]):
    """The kind of data that protects columns of text of other kinds."""

    def of_column(
        self,
        texts: Sequence[str],
        persons: Sequence[str],
        judge: AnyCriterion | None,
        column: str,
        name: str,
        shifted: Mapping[str, tuple[int, str | None]] | None = None,
        shift_key: Key | None = None,
        beside: Mapping[str, Sequence[str]] | None = None,
        scopes: Sequence[str] = (),
    ) -> Texts: ...

    def agreeing(
        self,
        mechanism: Mechanism[Texts],
        judge: AnyCriterion,
        texts: Texts,
        beside: Mapping[str, Sequence[str]],
        values: Mapping[str, Sequence[str]],
        own: tuple[Dataset, Mapping[str, Sequence[str | None]]] | None = None,
    ) -> Mechanism[Texts]:
        """A mechanism after which no text says more than the published cells beside it (`judge.beside_text`).

        values: what the columns may show, before and after; own: the dataset, and its original `own_columns`.
        """

    def own_columns(self, dataset: Dataset) -> Sequence[str]: ...

    def remembering(self, mechanism: Mechanism[Texts]) -> Mechanism[Texts]: ...


class Extraction(Protocol[Data]):
    """Data from which a table about its people can be made, and into which a protected one is written back."""

    def extract(self, data: Data, wanted: tuple[str, ...]) -> pa.Table: ...

    def writing_back(
        self, mechanism: Mechanism[Data], columns: tuple[str, ...], cells: Mapping[str, Mapping[str, str | None]]
    ) -> Mechanism[Data]: ...


class FactsOfPersons(Protocol[Data]):
    """Data whose published records show facts of persons, so that several datasets can be joined by person."""

    def person_facts(self, data: Data) -> PersonFacts | None: ...

    def too_few(self, data: Data, criteria: Sequence[AnyCriterion]) -> NDArray[np.bool_] | None: ...

    def without_facts(
        self,
        protected: Protected[Data],
        removed: RemovedFacts,
        records: NDArray[np.bool_],
        coarser: NDArray[np.int64] | None = None,
        key: Key | None = None,
    ) -> Protected[Data]:
        """Without some facts, by marks of rows, labels of sets or places of records; and without whole records.

        coarser: for each label of all sets, or each row, what it becomes among the `coarser` facts of `person_facts`;
        -1: it stays as it is. key: draws what is left out where it does not matter what (None: a fresh one).
        """


@dataclass(frozen=True)
class Capabilities(Generic[Data]):
    """What a wing can do beyond what every wing can; None: it cannot."""

    columns: DroppableColumns[Data] | None = None
    people: PeopleTable[Data] | None = None
    workers: ParallelWork[Data] | None = None
    pages: ReaderPages[Data] | None = None
    policy: PolicyComparison[Data] | None = None
    text_columns: TextColumns[Data] | None = None
    text_reader: TextReader[Any] | None = None
    extraction: Extraction[Data] | None = None
    facts: FactsOfPersons[Data] | None = None
    journal: bool = False
    """Long work goes on where it was interrupted: `open` is given a directory that outlives the process."""
    previewed: bool = True
    """May `publish` be called without a release? Not where publishing is charged to a ledger."""
    relaxations: bool = True
    """May changes to a policy that cannot be kept be tried in memory? Not where a weaker criterion would not help."""


@dataclass(frozen=True)
class Axes(Generic[Data]):
    """What a comparison draws where nothing is named: risk against what protection costs."""

    attack: Attack[Data]
    part: str = ""
    """The detail of its finding that is drawn; empty: its value."""
    measure: str = ""
    """By name; empty: the usual measure of the mechanism, or of the kind of data."""
    simulated: bool = False
    """Is the attack carried out with the truth, because what is computed without it does not depend on the variant?"""


class Wing(Protocol[Data]):
    """How the pipeline handles one kind of data."""

    usual_risk: ClassVar[str]
    """The attack by which releases are compared unless another is named."""
    sized_by: ClassVar[str] = ""
    """The criterion that `compare` adds, and whose k it varies; empty: any criterion of the policy that has a k."""
    made_columns: ClassVar[frozenset[str]] = frozenset()
    """Kinds of columns that a release makes anew, so that they belong to no column of the policy."""
    persons_by_subject: ClassVar[bool] = True
    """Are its persons known by a subject column alone? A file of DNA names them itself."""
    counted_without_persons: ClassVar[str] = ""
    """What findings say they count instead of persons where it is not known whose the records are."""

    @abstractmethod
    def open(self, dataset: Dataset, base: Path, scratch: Path | None = None) -> Data:
        """The original, as the policy describes it. What does not fit into memory lies under `scratch`."""

    @abstractmethod
    def describe(self, data: Data) -> dict[str, JsonObject]:
        """What was understood of each column. Counts only, no value."""

    @abstractmethod
    def size(self, data: Data) -> dict[str, int]: ...

    @abstractmethod
    def risks(self, data: Data) -> list[Finding]:
        """What an attacker could do with the data as it stands."""

    @abstractmethod
    def preferences(self, data: Data, criteria: Sequence[Criterion[Data]]) -> list[tuple[str, str]]:
        """(mechanism, reason), the best first, for `using: auto`."""

    @abstractmethod
    def publish(
        self, original: Data, protected: Protected[Data], dataset: Dataset, key: Key, scratch: Path | None = None
    ) -> Published: ...

    @abstractmethod
    def reopen(
        self, source: Source, columns: Dictionary, evidence: pa.Table | None = None, trees: Trees = None
    ) -> Data:
        """The release as its file shows it. `trees` are a steward's own hierarchies, by column."""

    def capabilities(self) -> Capabilities[Data]:
        return Capabilities()

    def sample(self, data: Data, most: int) -> Data:
        """At most this many records for trials, evenly spread; all of fewer, and of data that means nothing in part."""
        return data

    def certified_unit(self, claim: Claim, asked: Mapping[str, Json]) -> str | None:
        """What criteria count, where the embedded policy decides it; None: what the first that counts says it counts.

        asked: what the policy that a certificate embeds says of the dataset.
        """
        return None

    def contradictions(self, data: Data, claim: Claim, asked: Mapping[str, Json]) -> list[str]:
        """Where the dictionary says something else than the published file and the embedded policy."""
        return []

    def protect(self, data: Data, dataset: Dataset, key: Key) -> Protected[Data]:
        return dataset.protect(data, key)

    def reserve(self, data: Data, dataset: Dataset) -> Data:
        """Before a release computes anything: pay for it, where that costs a budget. The data, with what was paid."""
        return data

    def refuse_unpublishable(self, data: Data, dataset: Dataset) -> None:
        """Raise what publishing would refuse in the end, before anything is protected: dates that cannot move, say."""
        return

    def lookalikes(self, data: Data) -> dict[str, int]:
        """Column → how many of its values look like another one: case, blanks, invisible characters and forms aside."""
        return {}

    def accounts(self, dataset: Dataset, base: Path) -> Mapping[str, Account]:
        """Column → what keys of this kind of data did to it before anything was measured. Counts only."""
        return {}

    def listed_values(self, original: Data, protected: Protected[Data]) -> Mapping[str, ListedValues]:
        """Published columns whose cells hold several values."""
        return {}

    def names_of_people(self, data: Data, dataset: Dataset) -> NamesOfPeople | None:
        """By which it is found out at release time which datasets are about the same people; None: by files alone."""
        return None

    def cautions(self, data: Data) -> list[str]:
        """What a steward should know of the source before it is released."""
        return []

    def examples(self, dataset: Dataset) -> list[JsonObject]:
        """Invented records before and after protection, for the dossier."""
        return []

    def statement(self, dataset: Dataset) -> JsonObject:
        """What the dossier tells besides, as it stands after publication: kept in internal/ alone."""
        return {}

    def default_attacks(self, dataset: Dataset, released: Data) -> Sequence[Attack[Data]]:
        """Attacks mounted on every release, whether the policy names them or not. Each bounds its own work."""
        return ()

    def attacked_part(self, original: Data, protected: Protected[Data]) -> tuple[Data, Protected[Data], str]:
        """What attacks and measures look at where the whole would take too long, and a note that says so."""
        return original, protected, ""

    def unprotected_form(self, original: Data, released: Data, attack: Attack[Data]) -> tuple[Data, Truth[Data] | None]:
        """What would be published of the original in the form of the release, without protection."""
        return original, None

    def open_published(self, dataset: Dataset) -> Data | None:
        """A file that shows what would be published, without a dictionary beside it; None: it is read as usual."""
        return None

    def axes(self, dataset: Dataset, data: Data) -> Axes[Data] | None:
        """What variants of this dataset are compared by, where its form decides it; None: `usual_risk`."""
        return None

    def variants(self, mechanism: Mechanism[Data]) -> Sequence[Mechanism[Data]]:
        """The same mechanism, set otherwise, for a comparison that names none; itself where nothing suggests others."""
        return (mechanism,)

    def attack_unprotected(self, attack: Attack[Data], data: Data) -> Finding:
        """An attack before any form of release is chosen; DataError for one that takes a release."""
        if attack.released_only:
            raise DataError(f"{attack.name} — is mounted on what a mechanism publishes, and this is the data itself")
        return attack.mount(data)


def trial_data(wing: Wing[Data], data: Data) -> Data:
    """Only what algorithms look at, where the wing can tell it apart."""
    columns = wing.capabilities().columns
    return data if columns is None else columns.trial_data(data)
