"""The policy keys of datasets of people with their codes: `demographics`, `genotypes`, and the keys of codes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated

from sharewell.io.sources import Source
from sharewell.io.yaml_positions import Path as Place
from sharewell.plain_data import JsonObject
from sharewell.policy.model import Configured, Dataset, OwnKeys
from sharewell.policy.sources import source
from sharewell.policy.wing_policy import Draft, Schema, WingPolicy, policy_of

CODES = "codes"
PEOPLE, DNA = "demographics", "genotypes"
_KEYS = (PEOPLE, DNA)
JUDGES_DNA = "joined-record"
"""The criterion that counts the DNA in."""


@dataclass(frozen=True, kw_only=True)
class JointSpec:
    """The keys as they are written."""

    demographics: Annotated[JsonObject | None, "Of kind joint: where the people themselves are, one a row."] = None
    genotypes: Annotated[
        JsonObject | None, "Of kind joint: the DNA of the same people, one a row: a column for each SNP, or a sequence."
    ] = None


@dataclass(frozen=True)
class JointKeys(OwnKeys):
    """Files of the people and of their DNA, with one row a person; `read` names the file of their codes."""

    demographics: Source | None = None
    genotypes: Source | None = None
    codes: OwnKeys = field(default_factory=OwnKeys)
    """What the kind of codes says of its columns."""

    @property
    def unit(self) -> str:
        return self.codes.unit

    @property
    def counted_apart(self) -> tuple[str, ...]:
        """Codes and SNPs, where a record holds both."""
        return () if self.genotypes is None else ("codes", "snps")

    def further_tables(self) -> tuple[tuple[Place, Source], ...]:
        named = {PEOPLE: self.demographics, DNA: self.genotypes}
        return tuple(((key,), source) for key, source in named.items() if source is not None)

    def typed_files(self, read: Source) -> tuple[Source, ...]:
        """Codes and DNA are never numbers or dates."""
        return () if self.demographics is None else (self.demographics,)

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
    typed_columns = True

    def schema(self) -> dict[str, Schema]:
        return {key: {"$ref": "#/$defs/source"} for key in _KEYS}

    def elsewhere(self, draft: Draft) -> JointKeys | None:
        misplaced = [key for key in _KEYS if key in draft.fields]
        for key in misplaced:
            draft.mistake((key,), f"{key} are for kind joint", "take it out, or say kind: joint")
        return JointKeys(_source(draft, PEOPLE), _source(draft, DNA)) if misplaced else None

    def read(self, draft: Draft) -> JointKeys:
        if not any(key in draft.fields for key in _KEYS):
            draft.mistake(
                (),
                "kind joint needs the people, or their DNA, beside their codes",
                "such as demographics: {csv: people.csv}, or genotypes: {csv: snps.csv}",
            )
        return JointKeys(_source(draft, PEOPLE), _source(draft, DNA), policy_of(CODES).read(draft))

    def check(self, draft: Draft, own: OwnKeys) -> None:
        draft.refuse_pseudonyms("a record of codes is published without a pseudonym, so there is none to keep")

    def check_algorithms(self, draft: Draft, own: OwnKeys, named: Sequence[Configured | None]) -> None:
        """DNA is published only where a criterion counts it in, and that criterion needs some."""
        judged = [one for one in named if one is not None and one.name == JUDGES_DNA]
        if DNA in draft.fields and not judged and not draft.attacked:
            what = f"the DNA is published, and nothing but {JUDGES_DNA} judges it"
            draft.mistake(("require",), what, f"such as require: [{JUDGES_DNA}: {{k: 5, m: 2, snps: 1}}]")
        for one in judged if DNA not in draft.fields else ():
            hint = "name it, such as genotypes: {csv: snps.csv}, or require k-km-anonymity"
            draft.reading.mistake(one.at or (*draft.path, "require"), f"{one.name} judges DNA, and there is none", hint)


def _source(draft: Draft, key: str) -> Source | None:
    return source(draft.reading, draft.fields[key], (*draft.path, key)) if key in draft.fields else None
