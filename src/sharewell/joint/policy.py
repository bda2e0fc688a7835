"""The policy keys of datasets of people with their codes: `demographics`, and the keys of codes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from sharewell.io.sources import Source
from sharewell.io.yaml_positions import Path as Place
from sharewell.plain_data import JsonObject
from sharewell.policy.model import Dataset, OwnKeys
from sharewell.policy.sources import source
from sharewell.policy.wing_policy import Draft, Schema, WingPolicy, policy_of

CODES = "codes"
_KEY = "demographics"


@dataclass(frozen=True, kw_only=True)
class JointSpec:
    """The keys as they are written."""

    demographics: Annotated[JsonObject | None, "Of kind joint: where the people themselves are, one a row."] = None


@dataclass(frozen=True)
class JointKeys(OwnKeys):
    """Where the people are, one a row; `read` has their codes."""

    demographics: Source | None = None
    codes: OwnKeys = field(default_factory=OwnKeys)
    """What the kind of codes says of its columns."""

    @property
    def unit(self) -> str:
        return self.codes.unit

    def second_table(self) -> tuple[Place, Source] | None:
        return None if self.demographics is None else ((_KEY,), self.demographics)

    def tied_to(self) -> object | None:
        return self.codes.tied_to()

    def files(self) -> tuple[tuple[Place, Source], ...]:
        return self.codes.files()


def joint_keys(dataset: Dataset) -> JointKeys:
    """The keys of a dataset of people with their codes."""
    return dataset.own if isinstance(dataset.own, JointKeys) else JointKeys()


class JointPolicy(WingPolicy):
    """People with their codes, one row a person."""

    kind = "joint"
    keys = JointSpec
    takes_keys_of = (CODES,)

    def schema(self) -> dict[str, Schema]:
        return {_KEY: {"$ref": "#/$defs/source"}}

    def elsewhere(self, draft: Draft) -> JointKeys | None:
        if _KEY not in draft.fields:
            return None
        draft.mistake((_KEY,), "demographics are for kind joint", "take it out, or say kind: joint")
        return JointKeys(_people(draft))

    def read(self, draft: Draft) -> JointKeys:
        if _KEY not in draft.fields:
            draft.mistake(
                (), "kind joint needs the people beside their codes", "such as demographics: {csv: people.csv}"
            )
        return JointKeys(_people(draft), policy_of(CODES).read(draft))

    def check(self, draft: Draft, own: OwnKeys) -> None:
        draft.refuse_pseudonyms("a record of codes is published without a pseudonym, so there is none to keep")


def _people(draft: Draft) -> Source | None:
    if _KEY not in draft.fields:
        return None
    return source(draft.reading, draft.fields[_KEY], (*draft.path, _KEY))
