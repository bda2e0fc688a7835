"""How the verbs of the pipeline speak of one kind of data: its `commands.py` says so in `WORDS`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class KindWords:
    """Words of one kind of data. Without any, records are counted, and risks are not among the rows of a release."""

    risks: Mapping[str, str] = field(default_factory=dict)
    """Risk → what a release calls it; `{unit}` stands for what was counted."""
    averages: Mapping[str, str] = field(default_factory=dict)
    """Risk → what a release calls its average, where that is shown too."""
    counted: tuple[str, str] = ("records", "rows")
    """What a release counts, and its part of the data's size; records where the data has no such part."""
    outcome: Callable[[Mapping[str, int], int], str] = lambda size, withheld: ""
    """From the size, and the number of records withheld: what a plan would publish, unless it is records."""
    explains_risks: bool = False
    """Does a plan show the notes of its risks?"""
    persons_by_subject: bool = False
    """Are persons known only where a column is the subject? Otherwise they always are."""


def of_kind(kind: str) -> KindWords:
    from sharewell import registry

    module = registry.commands(kind)
    result = getattr(module, "WORDS", None)
    return result if isinstance(result, KindWords) else KindWords()


def of_all_kinds() -> Iterable[KindWords]:
    """All of them: a dataset that joins two kinds has risks of both."""
    from sharewell import registry

    return [of_kind(kind) for kind in dict.fromkeys((*registry.WINGS, *registry.kinds()))]
