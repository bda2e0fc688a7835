"""The policy of a kind of data: its own keys of a dataset, and how they are read, checked and shown to editors.

Each wing registers one subclass of `WingPolicy` (`("codes", "policy", "codes")` in the registry, or the entry point
`codes.policy.codes`). Loading asks the dataset's own kind, and asks every other kind about keys that stand in the wrong
place; nothing here knows which kinds there are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from sharewell import registry
from sharewell.errors import PolicyError
from sharewell.io.yaml_positions import Path as Place
from sharewell.io.yaml_positions import dotted
from sharewell.plain_data import Json, JsonObject
from sharewell.policy.mistakes import MistakeCollector, known_fields
from sharewell.policy.model import ColumnRule, Configured, ConfiguredCriterion, Dataset, OwnKeys
from sharewell.policy.specs import DatasetSpec
from sharewell.roles import Role

if TYPE_CHECKING:
    from sharewell.io.sources import Source
    from sharewell.policy.profiles import Facts

Schema = JsonObject
"""A part of a JSON Schema."""
ROOM = "policy"
_UNSAID = (None, False, "none")
"""What `publish` and `map` say where no pseudonym is asked for."""


@dataclass
class Draft:
    """A dataset while it is read: what is written, what of it fits, and where its mistakes and decisions go."""

    reading: MistakeCollector
    name: str
    kind: str | None
    """None if there is no such kind."""
    fields: JsonObject
    """Keys whose values have the right type."""
    rules: dict[str, ColumnRule]
    read: Source | None = None
    rest: Role | None = None
    decisions: list[str] = field(default_factory=list)
    deviations: list[str] = field(default_factory=list)
    extract: Dataset | None = None
    """A dataset that is made from this one, protected, and written back."""
    attacked: bool = False
    """Nothing is released, so that no criterion is needed."""

    @property
    def path(self) -> Place:
        return ("datasets", self.name)

    @property
    def written(self) -> Mapping[str, Json]:
        """The columns as they are written."""
        columns: Mapping[str, Json] = self.fields.get("columns", {})
        return columns

    def mistake(self, place: Place, what: str, hint: str = "") -> None:
        """Note a mistake at a place within the dataset."""
        self.reading.mistake((*self.path, *place), what, hint)

    def decide(self, what: str, place: Place = ()) -> None:
        """Note what was left to us, and how it was decided."""
        self.decisions.append(f"{dotted((*self.path, *place))}: {what}")

    def deviate(self, what: str, place: Place = ()) -> None:
        """Note where the policy asks for less than is usual."""
        self.deviations.append(f"{dotted((*self.path, *place))}: {what}")

    def having(self, role: Role) -> list[str]:
        return [name for name, rule in self.rules.items() if rule.role is role]

    def refuse_pseudonyms(self, why: str) -> None:
        """For a kind that publishes no pseudonym."""
        for key in ("publish", "map"):
            if self.fields.get(key) not in _UNSAID:
                self.mistake((key,), why, "take it out")


@dataclass(frozen=True, kw_only=True)
class NoKeys:
    """A kind of data without keys of its own."""


class WingPolicy:
    """What a kind of data adds to the policy language; these are the answers of one that adds nothing."""

    kind: ClassVar[str] = ""
    keys: ClassVar[type] = NoKeys
    """A frozen dataclass: its fields are the keys, each annotated with its type and one line for editors."""
    takes_keys_of: ClassVar[tuple[str, ...]] = ()
    """Other kinds whose keys it understands as well."""
    more_formats: ClassVar[tuple[str, ...]] = ()
    """Files that its sources may name besides tables."""
    reads_lists: ClassVar[bool] = False
    """May a cell of its files hold a list of values?"""
    typed_columns: ClassVar[bool] = False
    """Does it matter whether a column is read as numbers, dates or text?"""
    usual_measure: ClassVar[str] = "ncp"
    """By what trials of mechanisms are compared where the policy names no measure."""
    text_columns: ClassVar[bool] = False
    """May its columns have the role text, which the kind that protects text then rewrites in place?"""
    protects_text: ClassVar[bool] = False
    """Does it protect the text columns of other kinds?"""
    optional: ClassVar[tuple[str, ...]] = ()
    """Keys that others need and its own datasets can do without: `using`, where publishing is not all one can do."""
    profiled: ClassVar[bool] = False
    """Are profiles written for it? Of other kinds a release says what a profile does not reach."""

    def schema(self) -> Mapping[str, Schema]:
        """What the annotations of its keys alone do not say."""
        return {}

    def criteria_schema(self) -> Mapping[str, Mapping[str, Schema]]:
        """Criterion → what `criteria_written` takes beside its parameters."""
        return {}

    def schema_without_columns(self) -> Schema | None:
        """A JSON Schema of those datasets that need no `columns`."""
        return None

    def without_columns(self, draft: Draft) -> bool:
        """Does the dataset need no `columns`?"""
        return False

    def elsewhere(self, draft: Draft) -> OwnKeys | None:
        """Refuse its keys in a dataset of another kind; what could be understood of them is returned all the same."""
        self.misplaced(draft, f"is for datasets of kind {self.kind}")
        return None

    def misplaced(self, draft: Draft, where: str, hint: str = "take it out") -> None:
        for key in known_fields(self.keys):
            if key in draft.fields:
                draft.mistake((key,), f"{key} {where}", hint)

    def read(self, draft: Draft) -> OwnKeys:
        """Its keys of a dataset."""
        return OwnKeys()

    def check(self, draft: Draft, own: OwnKeys) -> None:
        """Columns, roles and keys that do not go with this kind of data."""

    def called(self, own: OwnKeys) -> str:
        """What profiles know such a dataset by."""
        return self.kind

    def from_profile(self, facts: Facts) -> tuple[ConfiguredCriterion, ...]:
        """The criteria that a profile adds to such data."""
        return ()

    def criteria_written(self, draft: Draft, given: Json) -> Json:
        """`require` as it is written, with what refers to other parts of the policy resolved."""
        return given

    def criteria(
        self, draft: Draft, own: OwnKeys, written: Sequence[ConfiguredCriterion]
    ) -> tuple[ConfiguredCriterion, ...]:
        """The criteria in force: those written, and those that follow from its keys."""
        return tuple(written)

    def mechanism_written(self, draft: Draft, own: OwnKeys, given: Json) -> Json:
        """`using` as it is written, with what its keys add."""
        return given

    def check_algorithms(self, draft: Draft, own: OwnKeys, named: Sequence[Configured | None]) -> None:
        """Algorithms that do not go with what the keys say."""

    def held_against(self, people: Dataset) -> JsonObject:
        """Columns of a table of its people that text may not say more than, by sort; of data that is no text, none."""
        return {}


def policies() -> tuple[WingPolicy, ...]:
    """The policy keys of every kind of data that registers some, in the order of registration."""
    return tuple(result() for result in registry.owned(ROOM).values())


def policy_of(kind: str | None) -> WingPolicy:
    """The policy of a kind; of none, or of one that registers none, the answers of a kind that adds nothing."""
    if kind is None:
        return WingPolicy()
    policy: WingPolicy = registry.owned(ROOM).get(kind, WingPolicy)()
    return policy


def text_policy() -> WingPolicy | None:
    """The policy of the kind that protects columns of text."""
    return next((one for one in policies() if one.protects_text), None)


def dataset_record() -> type:
    """The keys of a dataset, common ones first, then those of every kind of data."""
    return _record(tuple((one.kind, one.keys) for one in policies()))


@lru_cache(maxsize=8)
def _record(keys: tuple[tuple[str, type], ...]) -> type:
    known = set(known_fields(DatasetSpec))
    records = dict.fromkeys(record for _, record in keys if record is not NoKeys)
    for record in records:
        if twice := known & set(known_fields(record)):
            kind = next(kind for kind, its in keys if its is record)
            raise PolicyError(f"kind {kind} — another kind has the key {', '.join(sorted(twice))} already — rename it")
        known |= set(known_fields(record))
    bases = (*reversed(records), DatasetSpec)  # fields come in the reverse order of bases
    merged = type(DatasetSpec.__name__, bases, {"__doc__": DatasetSpec.__doc__, "__module__": __name__})
    return dataclass(frozen=True, kw_only=True)(merged)
