"""What only one kind of data says of a dataset, and what the rest of the house asks about it.

A wing derives a frozen record of its own from `OwnKeys` (columns of visits, files of further owners, …). The answers
here are those of a kind that says nothing of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from sharewell.io.sources import DNA, Source
from sharewell.io.yaml_positions import Path as Place

if TYPE_CHECKING:
    from sharewell.policy.model import Dataset

Disagreement = tuple[Place, str, str, bool]
"""(path, what, hint, is the data at fault rather than the policy?)"""


@dataclass(frozen=True)
class OwnKeys:
    """The keys of a dataset that its kind alone has."""

    @property
    def unit(self) -> str:
        """What one published record is about."""
        return "person"

    @property
    def persons_in(self) -> Literal["internal"] | None:
        """Where persons can be counted, if the kind decides it; None: the columns tell."""
        return None

    def files(self) -> tuple[tuple[Place, Source], ...]:
        """Further files that the keys name, each with the key; their headers are checked."""
        return ()

    def more_rows(self) -> tuple[Source, ...]:
        """Further files with the columns of `read`."""
        return ()

    def second_table(self) -> tuple[Place, Source] | None:
        """A file with further columns of the same people, and its key."""
        return None

    def people(self) -> tuple[Source, ...]:
        """Every file beside `read` whose people are published."""
        second = self.second_table()
        return (*self.more_rows(), *(() if second is None else (second[1],)))

    def column_files(self, read: Source) -> tuple[Source, ...]:
        """The files whose columns the dataset gives roles to."""
        second = self.second_table()
        given = (read, *(() if second is None else (second[1],)))
        return tuple(source for source in given if source.format not in DNA)

    def tied_to(self) -> object | None:
        """What random choices depend on beside the columns, so that another choice draws anew."""
        return None

    def against_data(self, dataset: Dataset, readable: bool, path: Place) -> Iterable[Disagreement] | None:
        """In what the keys and the data disagree, where columns have no roles; None: columns are checked as usual."""
        return None

    def beside(self, dataset: Dataset, earlier: Sequence[Dataset], path: Place) -> Iterable[Disagreement]:
        """In what the dataset disagrees with those before it in the policy."""
        return ()
