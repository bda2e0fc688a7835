"""What a kind of data adds to the page: its words, its facts and its sections.

Each wing registers one subclass of `WingDossier` (`("codes", "dossier", "codes")` in the registry, or the entry point
`codes.dossier.codes`). Every one of them is asked about every dataset and answers for what it recognises, because the
page must come out whatever the JSON holds: text, say, may stand in a table too.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, TypeVar

from sharewell import registry
from sharewell.dossier.markup import Html
from sharewell.dossier.views import Attack, Dataset
from sharewell.io.shipped import shipped_text
from sharewell.plain_data import Json

ROOM = "dossier"
Answer = TypeVar("Answer")


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Words for what a wing's algorithms find."""

    titles: Mapping[str, str] = field(default_factory=dict)
    """Algorithm → its plain name."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Detail of a finding → what it is."""
    shares: frozenset[str] = frozenset()
    """Details that are shares or probabilities, told in percent."""
    means: frozenset[str] = frozenset()
    """Attacks whose value is a mean over the people attacked, not the largest probability."""
    in_percent: frozenset[str] = frozenset()
    """Measures without a unit that are told in percent."""
    who_fits: Mapping[str, str] = field(default_factory=dict)
    """Attack that counts the people whom a record fits, rather than records → the note below its chart."""
    concerns: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Question of WP216 → words in the names of algorithms that speak to it."""

    @classmethod
    def shipped(cls, kind: str) -> Vocabulary:
        """From `data/dossier/KIND.toml`, where `shares` has the labels of details that are shares."""
        content = tomllib.loads(shipped_text(f"dossier/{kind}.toml"))
        shares = content.pop("shares", {})
        return cls(
            labels=content.pop("labels", {}) | shares,
            shares=frozenset(shares),
            means=frozenset(content.pop("means", ())),
            in_percent=frozenset(content.pop("in_percent", ())),
            **content,
        )


class WingDossier:
    """What one kind of data tells; these are the answers of one with nothing of its own to tell."""

    kind: ClassVar[str] = ""
    title: ClassVar[str] = ""
    """What its data is called."""
    words: ClassVar[Vocabulary] = Vocabulary()

    def size(self, dataset: Dataset) -> list[tuple[str, str]] | None:
        """How much there was and is, where it is not told in records and persons."""
        return None

    def key_figures(self, dataset: Dataset) -> list[tuple[str, str]] | None:
        """Key figures of how much there is, where they are not records and persons."""
        return None

    def knowledge(self, dataset: Dataset) -> str | None:
        """What an attacker is assumed to know and to want, where the columns do not say so."""
        return None

    def headline(self, dataset: Dataset) -> str | None:
        """One sentence for the first page: what the release means for one person, or for whoever uses it."""
        return None

    def fates(self, dataset: Dataset) -> list[tuple[str, str]] | None:
        """What became of the data, where the columns do not tell."""
        return None

    def column_meaning(self, facts: Mapping[str, Json]) -> str | None:
        """What a published column holds, for recipients, from what the certificate says of it: words, no value."""
        return None

    def assumptions(self, dataset: Dataset) -> list[str]:
        """What recipients must not assume of such data. It is published: the certificate alone may be asked."""
        return []

    def section(self, dataset: Dataset) -> Html | None:
        """What follows the columns of a dataset."""
        return None

    def remarks(self, dataset: Dataset) -> list[str]:
        """What to weigh before relying on the release."""
        return []

    def unclaimed(self, dataset: Dataset) -> str | None:
        """What the release does not claim about such data; the names of the datasets follow."""
        return None

    def drawings(self, dataset: Dataset, attacks: Sequence[Attack], key: str) -> list[Html]:
        """Figures of attacks that only this kind of data has."""
        return []


def dossiers() -> tuple[WingDossier, ...]:
    """The dossier of every kind of data that registers one, in the order of registration."""
    return tuple(result() for result in registry.owned(ROOM).values())


def first_answer(ask: Callable[[WingDossier], Answer | None]) -> Answer | None:
    """What the first kind of data says that has something to say."""
    return next((result for one in dossiers() if (result := ask(one)) is not None), None)
