"""What cleaning did to every source of a dataset: its own files, and the populations that its algorithms name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from sharewell import registry
from sharewell.io.cleaning import cleaning_digest
from sharewell.io.cleaning_account import Account
from sharewell.io.sources import Source, sources_in
from sharewell.plain_data import JsonObject
from sharewell.policy.model import Auto, Dataset


@dataclass(frozen=True)
class SourceAccount:
    """One file: its columns that are cleaned, and the account of each. Counts only."""

    source: str
    columns: Mapping[str, Account]

    def to_json(self) -> JsonObject:
        return {"source": self.source, "columns": {name: one.to_json() for name, one in self.columns.items()}}


def accounts_of(dataset: Dataset, base: Path = Path()) -> tuple[SourceAccount, ...]:
    """What cleaning did to every source that is cleaned. Values that may not go unread are refused anywhere."""
    results = tuple(SourceAccount(source.label, source.refused_or_accounted()) for source in _cleaned(dataset))
    own = registry.wing(dataset.kind).accounts(dataset, base)
    return (*results, SourceAccount(dataset.read.label, own)) if own else results


def _cleaned(dataset: Dataset) -> list[Source]:
    """Each source once, however many algorithms name it."""
    results = {
        (str(one.path), cleaning_digest(one.clean)): one for one in reversed(list(_sources(dataset))) if one.clean
    }
    return list(reversed(results.values()))


def _sources(dataset: Dataset) -> Iterator[Source]:
    yield dataset.read
    yield from dataset.own.people()
    yield from (source for _, source in dataset.own.files())
    mechanisms = dataset.using.built.candidates if isinstance(dataset.using.built, Auto) else (dataset.using,)
    for one in (*dataset.require, *mechanisms, *dataset.attacks, *dataset.utility):
        yield from (source for value in one.parameters.values() for source in sources_in(value))
