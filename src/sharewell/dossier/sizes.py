"""How much there was and is, in words: the lines that several kinds of data have in common."""

from __future__ import annotations

from sharewell.dossier.views import Dataset, Number, number
from sharewell.dossier.words import count


def records(dataset: Dataset) -> tuple[str, str]:
    return "Records, before → after", f"{count(number(dataset.before.get('rows')))} → {count(dataset.rows)}"


def persons(dataset: Dataset) -> tuple[str, str]:
    before, after = (count(number(side.get("persons"))) for side in (dataset.before, dataset.after))
    return "Persons, before → after", f"{before} → {after}"


def out_of(now: Number | None, was: Number | None) -> str:
    """What is left of what there was.

    >>> out_of(3, 7), out_of(7, 7), out_of(3, None)
    ('3 of 7', '7', '3')
    """
    return count(now) if now is None or was is None or was == now else f"{count(now)} of {count(was)}"
