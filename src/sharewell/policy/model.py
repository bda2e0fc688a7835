"""The typed policy: what a steward wrote, checked and resolved. Plain frozen records, no behaviour."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Generic, Literal, TypeVar

from sharewell.io.yaml_positions import Path as Place
from sharewell.plain_data import Json
from sharewell.protocols import (
    Algorithm,
    AnyAttack,
    AnyCriterion,
    AnyMeasure,
    AnyMechanism,
    JointCriterion,
    JointMechanism,
    Protected,
)
from sharewell.roles import Role, Time
from sharewell.styles import Style

if TYPE_CHECKING:
    from sharewell.io.sources import Source
    from sharewell.keys import Key

Data = TypeVar("Data")
Built = TypeVar("Built", covariant=True)
Disagreement = tuple[Place, str, str, bool]
"""(path, what, hint, is the data at fault rather than the policy?)"""


@dataclass(frozen=True)
class OwnKeys:
    """The keys of a dataset that its kind alone has, and what the rest of the house asks about them.

    A wing derives a frozen record of its own (columns of visits, files of further owners, …). The answers here are
    those of a kind that says nothing of its own.
    """

    @property
    def unit(self) -> str:
        """What one published record is about."""
        return "person"

    @property
    def persons_in(self) -> Literal["internal"] | None:
        """Where persons can be counted, if the kind decides it; None: the columns tell."""
        return None

    @property
    def counted_apart(self) -> tuple[str, ...]:
        """What a policy calls the sorts of facts, where records have several, such as codes and SNPs."""
        return ()

    def files(self) -> tuple[tuple[Place, Source], ...]:
        """Further files that the keys name, each with the key; their headers are checked."""
        return ()

    def more_rows(self) -> tuple[Source, ...]:
        """Further files with the columns of `read`."""
        return ()

    def further_tables(self) -> tuple[tuple[Place, Source], ...]:
        """Files with further columns of the same people, each with its key."""
        return ()

    def people(self) -> tuple[Source, ...]:
        """Every file beside `read` whose people are published."""
        return (*self.more_rows(), *(source for _, source in self.further_tables()))

    def column_files(self, read: Source) -> tuple[Source, ...]:
        """The files whose columns the dataset gives roles to."""
        given = (read, *(source for _, source in self.further_tables()))
        return tuple(source for source in given if not source.is_dna)

    def typed_files(self, read: Source) -> tuple[Source, ...]:
        """The files in which it matters whether a column is read as numbers, dates or text."""
        return self.column_files(read)

    def tied_to(self) -> object | None:
        """What random choices depend on beside the columns, so that another choice draws anew."""
        return None

    def against_data(self, dataset: Dataset, readable: bool, path: Place) -> Iterable[Disagreement] | None:
        """In what the keys and the data disagree, where columns have no roles; None: columns are checked as usual."""
        return None

    def beside(self, dataset: Dataset, earlier: Sequence[Dataset], path: Place) -> Iterable[Disagreement]:
        """In what the dataset disagrees with those before it in the policy."""
        return ()


@dataclass(frozen=True)
class Release:
    """What is released, to whom, in which setting."""

    name: str
    recipient: str = ""
    context: Literal["public", "non-public", ""] = ""
    after: tuple[Path, ...] = ()
    """Earlier releases about the same people, with which this one is judged."""
    same_identifiers: bool = False
    """Does the steward claim that a person has the same identifier in every file, of earlier releases too?"""

    @property
    def scope(self) -> str:
        """What random choices are tied to: two recipients of one name share no pseudonym, shift or noise."""
        return f"{self.name}\0{self.recipient}" if self.recipient else self.name


@dataclass(frozen=True)
class Secrets:
    """Where secrets lie: `env:NAME` or `file:PATH`. Never the secret itself."""

    key: str | None = None
    sign: str | None = None


@dataclass(frozen=True)
class ColumnRule:
    """One column: its role, and what else the steward said about it."""

    role: Role
    hierarchy: Json = None
    """As written: a built-in name, or {csv: …}, {intervals: …}, {order: […]}, …"""
    type: Literal["number", "date", "text"] | None = None
    date_format: str | None = None
    most_days: int = 182
    """For shift: how far a date may move, either way."""
    time: Time = "drop"
    """For shift: what becomes of the time of day, which does not move."""
    style: Style | None = None
    """For quasi: how classes are published, where it is not left to us."""
    separator: str | None = None
    """For a column of codes: what stands between the codes of one cell."""
    using: Using | None = None
    """For a column of text in a table: how it is protected."""
    known: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For a column of text in a table: columns of the same row that are searched for in it, by sort."""
    require: tuple[ConfiguredCriterion, ...] = ()
    """For a column of text in a table: what must hold in it, which follows from what is known."""
    agrees: bool = field(default=True, compare=False)
    """For a column of text in a table: may it say no more than its row? Follows from `require`."""
    anyway: bool = False
    """For keep and sensitive: published as it is although it looks like an identifier, or singles people out."""


@dataclass(frozen=True)
class Bound:
    """How good a measure must come out: at most, or at least, so much."""

    sense: Literal["≥", "≤"]
    value: Fraction


@dataclass(frozen=True)
class ConfiguredAlgorithm(Generic[Built]):
    """An algorithm by its registered name, and the object built from its parameters."""

    name: str
    parameters: Mapping[str, Json]
    built: Built
    from_profile: bool = False
    at: tuple[str | int, ...] = field(default=(), repr=False, compare=False)
    """Where the policy names it: a path into the file."""
    bound: Bound | None = None
    """Of a measure: what the policy promises about it."""
    rungs: tuple[ConfiguredAlgorithm[Built], ...] = ()
    """Of a criterion that is to be as strict as utility allows: what to try, from the weakest to the strictest."""
    follows: tuple[str, ...] = ()
    """Of a mechanism: parameters that have the value of such a criterion's parameter of the same name."""

    drawn_as: ClassVar[str] = "Named"
    """What keys call it: another name for the class must not change what releases draw."""


ConfiguredCriterion = ConfiguredAlgorithm[AnyCriterion]
ConfiguredMechanism = ConfiguredAlgorithm[AnyMechanism]
ConfiguredAttack = ConfiguredAlgorithm[AnyAttack]
ConfiguredMeasure = ConfiguredAlgorithm[AnyMeasure]


@dataclass(frozen=True)
class Auto:
    """A mechanism that is chosen when the data is there: by rule, or by trying some and taking the best."""

    candidates: tuple[ConfiguredMechanism, ...]
    measure: ConfiguredMeasure | None = None
    """By what trials are compared; None chooses by rule."""

    measured_by: ClassVar[str] = ""
    """Like the mechanism that stands for it: no measure of its own."""


Using = ConfiguredAlgorithm[AnyMechanism | Auto]
"""What `using` names: a mechanism, or that one is to be chosen."""
Configured = ConfiguredAlgorithm[Algorithm | Auto]
"""Whatever a policy names: of these only what every algorithm says of itself is known."""


def mechanism_of(using: Using) -> AnyMechanism:
    """The mechanism, once it is chosen."""
    assert not isinstance(using.built, Auto), "a mechanism that is left to the data is chosen before it is used"
    return using.built


def several_pseudonyms(using: Using) -> bool:
    """May one person be published under several pseudonyms, so that these do not tell how many persons there are?"""
    return not isinstance(using.built, Auto) and using.built.several_pseudonyms


@dataclass(frozen=True)
class Compare:
    """What `sharewell compare` puts side by side; what is empty is taken from the dataset itself."""

    k: tuple[int, ...] = ()
    require: tuple[tuple[ConfiguredCriterion, ...], ...] = ()
    """More lists of criteria, each in place of the dataset's own."""
    using: tuple[ConfiguredMechanism, ...] = ()
    risk: ConfiguredAttack | None = None
    risk_part: str = ""
    """Which detail of the attack's finding is drawn, such as `average`; empty: its value."""
    measure: ConfiguredMeasure | None = None


Publish = Literal["none", "within-class", "dataset"]
"""What stands for the subject: nothing, a pseudonym for each person and class, or one for all rows of a person."""


@dataclass(frozen=True)
class Dataset:
    name: str
    kind: str
    read: Source
    columns: Mapping[str, ColumnRule]
    require: tuple[ConfiguredCriterion, ...]
    using: Using
    attacks: tuple[ConfiguredAttack, ...] = ()
    utility: tuple[ConfiguredMeasure, ...] = ()
    rest: Role | None = None
    publish: Publish = "none"
    """What stands for the subject in public: nothing, or a pseudonym, one within a class or one for all rows."""
    link: bool = False
    """Publish one pseudonym of a person, and shift dates alike, in all datasets that say so."""
    tied: bool = False
    """Is it tied to other datasets by person? Then its persons have one name in the evidence of all of them."""
    map: bool = False
    """Keep the table pseudonym → person in internal/."""
    compare: Compare | None = None
    chosen: tuple[str, ...] = ()
    """Why the mechanism and the criteria are what they are, where that was left to us, in words."""
    own: OwnKeys = field(default_factory=OwnKeys)
    """What only this kind of data says of a dataset."""
    extract: Dataset | None = None
    """A table that is made from the data, protected, and written back; its rows are read from the data."""

    @property
    def criteria(self) -> list[AnyCriterion]:
        """What must hold."""
        return [one.built for one in self.require]

    @property
    def mechanism(self) -> AnyMechanism:
        return mechanism_of(self.using)

    def protect(self, data: Data, key: Key) -> Protected[Data]:
        """The data as the chosen mechanism makes every criterion hold in it."""
        return self.mechanism.protect(data, self.criteria, key)


@dataclass(frozen=True)
class Write:
    format: Literal["parquet", "csv"] = "parquet"
    directory: Path = Path("out")


@dataclass(frozen=True)
class Profile:
    """A named, cited set of thresholds."""

    name: str
    title: str
    citation: str
    criteria: tuple[ConfiguredCriterion, ...] = ()
    notes: tuple[str, ...] = ()
    """What the profile means and what of it is not enforced."""
    bound: Fraction | None = None
    """The largest risk it allows, where it states one."""
    by_kind: Mapping[str, tuple[ConfiguredCriterion, ...]] = field(default_factory=dict)
    """What it adds to each kind of data; `criteria` are those of the kinds that profiles are written for."""


@dataclass(frozen=True)
class PersonTie:
    """How datasets are tied by person, and what must hold of all that is published of a person."""

    table: str
    """The dataset of the people."""
    key: str
    """Its subject column."""
    require: tuple[ConfiguredAlgorithm[JointCriterion], ...] = ()
    using: ConfiguredAlgorithm[JointMechanism] | None = None

    @property
    def named_datasets(self) -> set[str]:
        """The datasets that some joint criterion names."""
        return {name for one in self.require for name in one.built.named_datasets}


@dataclass(frozen=True)
class Policy:
    path: Path
    sha256: str
    release: Release
    datasets: Mapping[str, Dataset]
    write: Write = Write()
    secrets: Secrets = Secrets()
    profile: Profile | None = None
    person: PersonTie | None = None
    deviations: tuple[str, ...] = ()
    """Where the policy asks for less than its profile, or publishes a column that is usually refused."""
    decisions: tuple[str, ...] = ()
    """What was left to us and how it was decided, in words."""
    plain: Mapping[str, Json] = field(default_factory=dict, repr=False)
    """The file as plain data."""
    positions: Mapping[tuple[str | int, ...], tuple[int, int]] = field(default_factory=dict, repr=False, compare=False)
    """Where each path of the file stands: line and column, from 1."""
