"""The four one-method protocols of every wing, and what a mechanism returns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Protocol, Self, TypeAlias, TypeVar, cast

from sharewell.bare_frames import refuse_bare_frames
from sharewell.findings import Finding, Number, Sense
from sharewell.plain_data import Json
from sharewell.registry import ROOMS

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from sharewell.io.sources import Source
    from sharewell.keys import Key
    from sharewell.roles import Role

Frame: TypeAlias = Any
"""A dataframe of any library: pandas, polars, Arrow, DuckDB and others have no type in common."""
Data = TypeVar("Data")
Judged = TypeVar("Judged", contravariant=True)


class Algorithm(Protocol):
    """What every registered class says of itself. Subclass the protocol of its room: the defaults come with it."""

    name: ClassVar[str] = ""
    """As a policy names it. Unless a class in a room of a wing gives one, it is that of its file, with `-` for `_`."""
    applied_by: ClassVar[str] = ""
    """The method that takes data of one kind, and refuses a dataframe without roles."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        package, _, module = cls.__module__.rpartition(".")
        if package.rpartition(".")[2] in ROOMS and "name" not in vars(cls):
            cls.name = module.replace("_", "-")
        if cls.applied_by:
            refuse_bare_frames(cls, cls.applied_by)

    @property
    def packages(self) -> tuple[str, ...]:
        """Optional packages that it needs."""
        return ()

    @property
    def kept_inside(self) -> tuple[str, ...]:
        """Parameters that the public certificate does not show."""
        return ()


class Bounded(Algorithm, Protocol):
    """What is held against a bound."""

    sense: ClassVar[Sense] = "≤"
    """Must the value be at most (`≤`) or at least (`≥`) the bound?"""
    bounded_by: ClassVar[str] = ""
    """The parameter that is the bound; empty where the class has a `bound` that is none of its parameters."""

    if TYPE_CHECKING:  # a dataclass with a field of this name would take the property for its default

        @property
        def bound(self) -> Number:
            return cast("Number", getattr(self, self.bounded_by))

    def __init_subclass__(cls, **settings: Any) -> None:
        super().__init_subclass__(**settings)
        if name := vars(cls).get("bounded_by"):
            cls.bound = property(attrgetter(name))  # type: ignore[method-assign, assignment]

    def finding(
        self,
        value: Number | None,
        *,
        column: str | None = None,
        unit: str = "",
        parts: Sequence[Finding] = (),
        details: Any = None,
        note: str = "",
    ) -> Finding:
        """What was reached, held against the bound; None is undecided."""
        return Finding.judge(
            self.name, value, self.sense, self.bound, column=column, unit=unit, parts=parts, details=details, note=note
        )


class Criterion(Bounded, Protocol[Judged]):
    """What must hold. Evidence beyond the published data is a field."""

    applied_by: ClassVar[str] = "check"
    needs_evidence: ClassVar[bool] = False
    """Does it take the steward's evidence (true cells, say) to check it at all?"""
    about_columns: ClassVar[bool] = False
    """Does it speak of the columns and cells of each record alone, whoever else shows the same?"""
    draws_unseen: ClassVar[bool] = False
    """Does it rest on random draws? No file shows them: what is stated about them is judged, and the claim attested."""
    judges_trails: ClassVar[bool] = False
    """Does it judge all rows of a person together, as one pseudonym for all of them shows them?"""

    def check(self, data: Judged) -> Finding: ...

    @property
    def unit(self) -> str:
        """What is counted: `person`, or `record` and the like, for which nobody has to know whose a record is."""
        return "person"

    @property
    def column(self) -> str | None:
        """The one column that it speaks of."""
        return None

    @property
    def beside_text(self) -> tuple[str, ...] | None:
        """The columns of the published row against which it holds a column of text; None: it does no such thing."""
        return None

    @property
    def reads_trees(self) -> Role | None:
        """The role of columns whose hierarchy decides whether it holds."""
        return None

    @property
    def relaxes(self) -> str | None:
        """The parameter that can give way, where the bound is none of the parameters."""
        return None

    @property
    def tightens(self) -> Sense:
        """Is it a larger (`≥`) or a smaller (`≤`) value of that parameter, or of the bound, that asks for more?"""
        return self.sense

    def cautions(self, data: Judged) -> Sequence[str]:
        """What it has seen in the lists that it is given, for the plan."""
        return ()

    def weaker_than(self, other: Self) -> str | None:
        """How it asks for less than another of the same name, empty if it does not; None: bound and parameters tell."""
        return None

    def publicly(self, data: Judged) -> Sequence[Finding]:
        """What anybody can check without the evidence that the criterion needs."""
        return ()

    def parameters_from(self, data: Judged) -> Mapping[str, object]:
        """Parameters that the policy leaves open and the original decides."""
        return {}


class Mechanism(Algorithm, Protocol[Data]):
    """How it is made to hold. Raises Infeasible rather than return what fails. The key is for random choices alone."""

    applied_by: ClassVar[str] = "protect"
    falsifies: ClassVar[bool] = False
    """Does it change values on purpose, so that a published cell need not be true?"""
    for_trails: ClassVar[bool] = False
    """Is it made for releases that show all rows of a person under one pseudonym? Else `auto` leaves it out."""
    several_pseudonyms: ClassVar[bool] = False
    """May it publish one person under several pseudonyms, where all rows of a person would bear one?"""
    own_hierarchies: ClassVar[bool] = False
    """Does it generalise by hierarchies of its own, whatever the policy names?"""
    only_years: ClassVar[bool] = False
    """Does it publish no more of a date than its year, whatever the column's role?"""
    changes_named_columns: ClassVar[bool] = True
    """Are the columns that its parameter `columns` names published as something else?"""
    measured_by: ClassVar[str] = ""
    """The measure by which its ways are compared, where it is not the usual one of its kind of data."""
    engine: ClassVar[str | tuple[str, ...]]
    """The method that a criterion must offer."""
    refuses: ClassVar[tuple[str, ...]] = ()
    """Criteria that it cannot make hold although they offer that method."""

    def protect(self, data: Data, must: Sequence[Any], key: Key | None = None) -> Protected[Data]: ...


class Attack(Algorithm, Protocol[Judged]):
    """What an attacker could do. What the attacker knows are fields; `truth` only counts successes."""

    applied_by: ClassVar[str] = "mount"
    released_only: ClassVar[bool] = False
    """Can it be mounted on what a mechanism publishes, and not on the original?"""
    sense: ClassVar[Sense] = "≤"
    """Which way is safer: `≤` a smaller value is, `≥` a larger one."""
    picks_record: ClassVar[bool] = False
    """Is the value the chance of picking the right record, for which there are customary thresholds such as 1/11?"""

    def mount(self, released: Judged, truth: Any = None) -> Finding: ...

    def knowing(self, mechanism: AnyMechanism, criteria: Sequence[AnyCriterion]) -> Self:
        """The attack by somebody who knows how the release was made."""
        return self

    def cautions(self, data: Judged) -> Sequence[str]:
        """What it has seen in the lists that it is given, for the plan."""
        return ()


class Measure(Algorithm, Protocol[Judged]):
    """What it cost."""

    applied_by: ClassVar[str] = "score"
    sense: ClassVar[Sense] = "≤"
    """Which way is better: `≤` less is, `≥` more is."""

    def score(self, before: Judged, after: Judged) -> Finding: ...


Criteria: TypeAlias = Sequence[Criterion[Data]]
AnyCriterion: TypeAlias = Criterion[Any]
AnyMechanism: TypeAlias = Mechanism[Any]
AnyAttack: TypeAlias = Attack[Any]
AnyMeasure: TypeAlias = Measure[Any]
"""Algorithms of a kind of data that only the policy knows."""


@dataclass(frozen=True)
class PublishedDataset:
    """One dataset as it is published, by this release or by an earlier one: what is judged together with others."""

    name: str
    data: Any = field(repr=False)
    """As its wing reads it from the published file; with the steward's evidence where that is there."""
    file: Source
    """The published file itself."""
    kind: str = ""
    criteria: tuple[AnyCriterion, ...] = ()
    """What must hold in it by itself."""
    people: frozenset[int] = frozenset()
    """Labels of the files whose people it is about. Of an earlier release: empty, the people of whatever it joins."""
    release: str = ""
    """The name of the earlier release that published it; empty: this one."""
    columns: Mapping[str, Mapping[str, Json]] = field(default_factory=dict, repr=False)
    """Its part of the dictionary."""
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Published column → its name in the file that it comes from, where the policy gave it another one."""
    falsified: bool = False
    """Were values changed on purpose, so that a cell need not be true?"""
    counted: int | None = None
    """The label of the people whom it counts: of one release, equal if and only if they are all the same."""
    internal: Path | None = None
    """The folder of internal/ with further files of its own; None: there is none, or it is not at hand."""
    same_identifiers: bool = False
    """Does the policy claim that persons have the same identifiers in all its files and in earlier releases?"""

    @property
    def title(self) -> str:
        return f"{self.name} of {self.release}" if self.release else self.name

    def source_name(self, column: str) -> str:
        """By what its columns are compared with those of others: the name in the file, however it is spelt there.

        One of the two columns that hold the ends of a range bears the name of the range, and its own ending.
        """
        from sharewell.spelling import fold  # it takes pyarrow, which a command that reads no data does not load

        of = self.columns.get(column, {}).get("of")
        whole = of if isinstance(of, str) and column.startswith(of) else column
        return fold(self.renamed.get(whole, whole)) + column[len(whole) :]

    def source_names(self) -> dict[str, str]:
        """Published column → the same; a second column that is spelt alike keeps the name that it is published by."""
        results: dict[str, str] = {}
        for column in self.columns:
            name = self.source_name(column)
            results[column] = column if name in results.values() else name
        return results


@dataclass(frozen=True)
class NamesOfPeople:
    """How a dataset calls the people whom it counts. It stays in memory: no file of a release shows it."""

    counted: frozenset[str] = field(repr=False)
    also: frozenset[str] = field(default=frozenset(), repr=False)
    """Other names of the same people, as those of their samples."""


@dataclass(frozen=True)
class CoarserFacts:
    """What facts may be coarsened to: a forest whose nodes are facts, each a coarser one than those below it."""

    node: NDArray[np.int64] = field(repr=False)
    """Of each label by its number, or of each row."""
    parent: NDArray[np.int64] = field(repr=False)
    """Of each node; -1: nothing is coarser."""
    loss: NDArray[np.float64] = field(repr=False)
    """The share of detail that a fact has lost if it is shown so; whoever leaves it out loses 1."""


@dataclass(frozen=True)
class PersonFacts:
    """What a published dataset shows of persons, record by record, in numbers: equal numbers are equal cells."""

    persons: Sequence[str | None] = field(repr=False)
    """The person of each record."""
    cells: Mapping[str, NDArray[np.int64]] = field(repr=False)
    """Column → its cell in each record."""
    knowable: tuple[str, ...] = ()
    """Columns that an attacker knows of unless a policy says otherwise."""
    sensitive: Mapping[str, NDArray[np.int64]] = field(default_factory=dict, repr=False)
    """Column that an attacker wants to learn → its value in each record."""
    sets: tuple[NDArray[np.int64], NDArray[np.int64]] | None = field(default=None, repr=False)
    """Of records that are sets: the labels of record i are items[starts[i] : starts[i + 1]]."""
    called: str = "code"
    """What such a label is."""
    marked: NDArray[np.bool_] | None = field(default=None, repr=False)
    """Of records that show where something was left out: does this one? Whoever knows what was left out looks there."""
    places: tuple[str, ...] = ()
    """Columns of which single cells are known, as of SNPs, rather than whole rows."""
    rank: Callable[[], NDArray[np.int64]] | None = field(default=None, repr=False, compare=False)
    """The place of each record in an order that its whole content decides: between records whose cells are equal."""
    cell_covers: Callable[[str], Sequence[NDArray[np.int64]] | None] | None = field(
        default=None, repr=False, compare=False
    )
    """Column → for each true value that its cells allow, the cells that may stand for it; None: nobody can tell.

    Without it, different cells stand for different values.
    """
    label_covers: Callable[[], Sequence[NDArray[np.int64]]] | None = field(default=None, repr=False, compare=False)
    """The same of labels, without values that one label alone may stand for."""
    coarser: Callable[[], CoarserFacts | None] | None = field(default=None, repr=False, compare=False)
    """What the labels of sets, else the rows, may be shown as instead; None: nothing."""


RemovedFacts: TypeAlias = 'Mapping[Literal["rows", "labels", "places"], NDArray[np.bool_]]'
"""Sort of facts → one mark for each of them: rows, labels of all sets, or every place of every record."""


class JointAlgorithm(Algorithm, Protocol):
    """What looks at several published datasets taken together. `relevant` chooses those that it applies to."""

    asked: ClassVar[bool] = False
    """Only where a policy asks for it: a criterion with parameters, an attack on datasets that are tied by person."""
    needs_kind: ClassVar[str] = ""
    """It applies only if one of the datasets is of this kind; empty: to any."""
    needs_fact: ClassVar[str] = ""
    """It applies only if the dictionary says this of a column; empty: to any."""
    kinds: ClassVar[tuple[str, ...]] = ()
    """Kinds of data that it may speak of."""

    def relevant(self, datasets: Sequence[PublishedDataset]) -> list[PublishedDataset]: ...


class JointCriterion(JointAlgorithm, Bounded, Protocol):
    """What must hold of them. Unless `asked`, every release is judged by it."""

    unit: ClassVar[str] = ""
    judges_all: ClassVar[bool] = False
    """Does it judge all that two datasets tell of each other? Else they are still listed as not judged together."""
    remedies: ClassVar[tuple[str, ...]]
    """What would help where it fails."""
    by_columns: ClassVar[bool] = False
    """Does it judge hidden cells, which another column gives away that tells the same in other words?"""
    needs_people: ClassVar[bool] = False
    """Does it take the steward's evidence of whose each published row is?"""

    @property
    def bound(self) -> Number:
        """The bound, where a policy asks for it."""
        return 0

    @property
    def named_datasets(self) -> tuple[str, ...]:
        """The datasets that it names, where a policy asks for it."""
        return ()

    @property
    def of_rows(self) -> AnyCriterion | None:
        """What judges a text beside the cells of its person's row, where texts are held against a table.

        It names the table and the texts, in this order.
        """
        return None

    def check(self, datasets: Sequence[PublishedDataset]) -> Finding: ...


class JointMechanism(Algorithm, Protocol):
    """How joint criteria are made to hold, after each dataset was protected by itself."""

    engine: ClassVar[str | tuple[str, ...]]
    """The method that a joint criterion must offer."""
    refuses: ClassVar[tuple[str, ...]] = ()
    """Criteria that it cannot make hold although they offer that method."""

    def protect(
        self, datasets: Mapping[str, ProtectedDataset], must: Sequence[JointCriterion], people: str
    ) -> JointlyProtected:
        """The datasets with less in them, or Infeasible. people: the dataset that has one row a person."""
        ...


class ProtectedDataset(Protocol):
    """One dataset on its way into a release: protected by itself, not yet written."""

    @property
    def kind(self) -> str: ...

    def facts(self) -> PersonFacts | None:
        """What it would show of its persons."""
        ...

    def too_few(self) -> NDArray[np.bool_] | None:
        """Records that its own criteria no longer allow, because too few others are like them."""
        ...

    def without_facts(
        self, removed: RemovedFacts, records: NDArray[np.bool_], coarser: NDArray[np.int64] | None = None
    ) -> Self:
        """Without some facts and records, and with coarser ones in the place of others (as of `FactsOfPersons`)."""
        ...

    def agreeing(self, table: Self, judge: AnyCriterion) -> Self:
        """Protected anew, so that its texts say no more of a person than the table (`judge.beside_text`)."""
        ...

    def coarser(self, k: int) -> Self | None:
        """Protected anew, with at least this many persons in every class; None where that cannot be asked of it."""
        ...

    def broken(self) -> list[str]:
        """Its own criteria that do not hold any more."""
        ...

    def loss(self) -> float:
        """How much of the detail was lost, from 0 to 1, by the usual measure of its kind."""
        ...


@dataclass(frozen=True)
class JointlyProtected:
    """What a joint mechanism made of the datasets."""

    datasets: Mapping[str, ProtectedDataset]
    details: Any
    judged: Sequence[tuple[JointCriterion, Finding]] = ()
    """What it found when it judged what is left, of the criteria that it judged."""


class JointAttack(JointAlgorithm, Protocol):
    """What an attacker can do with them. Unless `asked`, it is mounted on datasets that read the same file."""

    def mount(self, datasets: Sequence[PublishedDataset]) -> Finding: ...


@dataclass(frozen=True)
class Truth(Generic[Data]):
    """The original and the private alignment: row i of the release came from row rows[i] of the original."""

    original: Data
    rows: NDArray[np.intp] = field(repr=False)


@dataclass(frozen=True)
class ListedValues:
    """Of a column whose cells hold several values, such as the codes of a person: counts of single values.

    Values and labels count once for each record that holds them.
    """

    before: int
    """Different values of the original."""
    after: int
    """Different labels that are published."""
    labels: int
    exact: int
    """Labels that are a value of the same record in the original."""
    stars: int
    """Labels that stand for any value."""
    held: int
    """Values of the same records in the original, also those that are left out."""


@dataclass(frozen=True)
class Protected(Generic[Data]):
    """What a mechanism returns."""

    data: Data
    details: Any
    rows: NDArray[np.intp] = field(repr=False)
    reproducible: bool = True
    """False if a random choice was made under a key drawn on the spot."""

    def _repr_html_(self) -> str:
        """The protected data, if it shows itself."""
        from sharewell import notebook

        fresh = "" if self.reproducible else "drawn with a key made on the spot: it cannot be made again"
        return notebook.whole(notebook.of(self.data), notebook.paragraph(fresh))

    def truth(self, original: Data) -> Truth[Data]:
        """What only the steward knows: which published row is whose."""
        return Truth(original, self.rows)
