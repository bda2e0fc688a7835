"""From published datasets to the facts that an attacker may know of their persons, and how that is said in words."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

from sharewell import registry
from sharewell.algorithm import DataError, Declared, Finding, PolicyError
from sharewell.joint.engine.attacker_knowledge import Known, Knows, known_parts
from sharewell.joint.engine.joined_records import JoinedRecords, PersonClasses
from sharewell.plain_data import Json
from sharewell.protocols import JointCriterion, PersonFacts, PublishedDataset


class JoinedCriterion(Declared, JointCriterion):
    """What must hold of joined records, for an attacker who knows what `knows` lists."""

    knows: Mapping[str, Json]
    at_most: int | None

    asked: ClassVar[bool] = True

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

    def joined(self, datasets: Mapping[str, PersonFacts], people: PersonClasses | None = None) -> JoinedRecords:
        """One record a person, of what this attacker may know. people: of these datasets, if they are known."""
        _refuse_unknown_rows(self.knows, datasets)
        return JoinedRecords.of(datasets, self.knows, self.at_most, people)

    def knowledge(self, datasets: Mapping[str, PersonFacts]) -> str:
        return f"the attacker knows {knowledge_in_words(self.knows, datasets, self.at_most)}"

    @abstractmethod
    def judge(self, datasets: Mapping[str, PersonFacts]) -> Finding:
        """From the facts of each dataset."""


def facts_of(datasets: Sequence[PublishedDataset]) -> dict[str, PersonFacts]:
    """Dataset → what it shows of its persons. DataError where nobody can tell whose its records are."""
    results = {}
    for one in datasets:
        reader = registry.wing(one.kind).capabilities().facts
        facts = None if reader is None else reader.person_facts(one.data)
        if facts is None:
            what = "nobody can tell whose its records are, so that it cannot be joined with other datasets"
            raise DataError(f"{one.name} — {what}")
        results[one.name] = facts
    return results


def _refuse_unknown_rows(knows: Knows, datasets: Mapping[str, PersonFacts]) -> None:
    """An attacker who knows rows of a table without quasi columns would know nothing of them.

    The finding would still say "any 1 row": whoever reads it would take the kept or shifted cells for judged.
    """
    for name, known in known_parts(knows):
        facts = datasets.get(name)
        if facts is None or not known.most or known.columns is not None or known.sort(name, facts) != "rows":
            continue
        if not known.shown_columns(name, facts):
            what = f"{name} publishes no quasi column, so that nothing of its rows would be known"
            raise PolicyError(f"knows — {what} — name columns, as in {name}: {{any: {known.most}, columns: [...]}}")


def knowledge_in_words(knows: Knows, datasets: Mapping[str, PersonFacts], at_most: int | None = None) -> str:
    """What is known, in words."""
    words = []
    for name, known in known_parts(knows):
        facts = datasets[name]
        columns = ", ".join(known.shown_columns(name, facts))
        if known.most is None:
            words.append(f"{columns} of {name}")
            continue
        match known.sort(name, facts):
            case "labels":
                words.append(f"any {_several(known.most, facts.called)} of {name}")
            case "places":
                words.append(f"any {_several(known.most, 'place')} of {name}")
            case "rows":
                words.append(f"any {_several(known.most, 'row')} of {name}" + (f" ({columns})" if columns else ""))
    limit = "" if at_most is None else f" (of all these rows, codes, words and places at most {at_most} at once)"
    return "; ".join(words) + limit


def _several(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
