"""From published datasets to the facts that an attacker may know of their persons, and how that is said in words."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

from sharewell import registry
from sharewell.errors import DataError
from sharewell.findings import Finding
from sharewell.joint.engine.joined_records import Known, Knows
from sharewell.parameters import Declared
from sharewell.plain_data import Json
from sharewell.protocols import JointCriterion, PersonFacts, PublishedDataset


class JoinedCriterion(Declared, JointCriterion):
    """What must hold of joined records, for an attacker who knows what `knows` lists."""

    knows: Mapping[str, Json]

    asked: ClassVar[bool] = True
    needs_kind: ClassVar[str] = ""
    needs_fact: ClassVar[str] = ""
    kinds: ClassVar[tuple[str, ...]] = ()
    by_columns: ClassVar[bool] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        for dataset, given in self.knows.items():
            Known.of(dataset, given)

    @property
    def named_datasets(self) -> tuple[str, ...]:
        return tuple(self.knows)

    def relevant(self, datasets: Sequence[PublishedDataset]) -> list[PublishedDataset]:
        """The datasets of this release of which something is known."""
        return [one for one in datasets if not one.release and one.name in self.knows]

    def check(self, datasets: Sequence[PublishedDataset]) -> Finding:
        return self.judge(facts_of(datasets))

    @abstractmethod
    def judge(self, datasets: Mapping[str, PersonFacts]) -> Finding:
        """From the facts of each dataset."""


def facts_of(datasets: Sequence[PublishedDataset]) -> dict[str, PersonFacts]:
    """Dataset → what it shows of its persons. DataError where nobody can tell whose its records are."""
    found = {}
    for one in datasets:
        reader = registry.wing(one.kind).capabilities().facts
        facts = None if reader is None else reader.person_facts(one.data)
        if facts is None:
            what = "nobody can tell whose its records are, so that it cannot be joined with other datasets"
            raise DataError(f"{one.name} — {what}")
        found[one.name] = facts
    return found


def told_knowledge(knows: Knows, datasets: Mapping[str, PersonFacts]) -> str:
    """What is known, in words."""
    words = []
    for name, given in knows.items():
        known, facts = Known.of(name, given), datasets[name]
        columns = ", ".join(facts.knowable if known.columns is None else known.columns)
        if known.most is None:
            words.append(f"{columns} of {name}")
        elif facts.sets is not None:
            words.append(f"any {_several(known.most, 'code')} of {name}")
        elif facts.by_column:
            words.append(f"any {_several(known.most, 'place')} of {name}")
        else:
            words.append(f"any {_several(known.most, 'row')} of {name}" + (f" ({columns})" if columns else ""))
    return "; ".join(words)


def _several(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
