"""From published datasets to the facts that an attacker may know of their persons, and how that is said in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sharewell import registry
from sharewell.errors import DataError
from sharewell.joint.engine.joined_records import Known, Knows
from sharewell.protocols import PersonFacts, PublishedDataset


def known_datasets(knows: Knows, datasets: Sequence[PublishedDataset]) -> list[PublishedDataset]:
    """The datasets of this release of which something is known."""
    return [one for one in datasets if not one.release and one.name in knows]


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
