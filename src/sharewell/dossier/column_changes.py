"""What became of each column, in the few words that a decision needs: gone, useless, coarsened, moved, or as it was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum

from sharewell.dossier.markup import NOTHING, Html, element, joined, name
from sharewell.dossier.views import Dataset, Number, mapping, number, text
from sharewell.dossier.wing_dossier import first_answer
from sharewell.dossier.words import share
from sharewell.pipeline.column_fates import example_of
from sharewell.plain_data import Json

MOST_NAMES = 12
"""Columns that are named in one line; the table of the columns has all of them."""


class Fate(StrEnum):
    """In the order in which a reader should meet them: what is lost first."""

    DROPPED = "Not published"
    USELESS = "Nothing left: one value throughout"
    COARSENED = "Coarsened (cells still exact)"
    MOVED = "Dates moved by a secret number of days"
    REWRITTEN = "Free text, rewritten"
    PSEUDONYM = "Replaced by a pseudonym"
    NOISY = "Values changed on purpose"
    MADE = "Made by the release"
    LEFT_OUT = "Left out of some records; what is shown is exact"
    UNCHANGED = "Unchanged, though an attacker may know them"
    KEPT = "Published as they are"


LOSSES = (Fate.DROPPED, Fate.USELESS, Fate.COARSENED, Fate.MOVED, Fate.NOISY, Fate.LEFT_OUT, Fate.UNCHANGED)
"""What the first page tells; columns that are kept, and free text, are among its cautions."""
STYLES = {
    "range": "ranges",
    "low-high": "two columns, lowest and highest value",
    "mean": "means of groups",
    "node": "groups",
    "common": "the most detailed value that a group shares",
    "set": "sets of values",
    "labels": "labels of several codes",
    "public labels": "labels that were fixed beforehand",
}
"""How the cells of a column are written → in plain words."""


def fate(facts: Mapping[str, Json], *, published: bool = True, exact: Number | None = None) -> Fate:
    """What was done to one column, by what the certificate and the findings say of it.

    exact: the share of its cells that kept their value, where that is known.
    """
    role = text(facts.get("role"))
    before, after = number(facts.get("distinct_before")), number(facts.get("distinct_after"))
    if not published or role == "drop":
        return Fate.DROPPED
    if role == "subject":
        return Fate.PSEUDONYM
    if role == "text":
        return Fate.REWRITTEN
    if role == "shift":
        return Fate.MOVED
    if facts.get("falsified"):
        return Fate.NOISY
    if facts.get("of") == []:
        return Fate.MADE
    if role == "quasi":
        if exact == 1:
            return Fate.UNCHANGED
        return Fate.USELESS if after == 1 and before is not None and before > 1 else Fate.COARSENED
    return Fate.COARSENED if facts.get("style") else Fate.KEPT


def published_as(facts: Mapping[str, Json]) -> str:
    """How the cells of a published column are written.

    >>> published_as({"role": "quasi", "style": "node", "hierarchy": "zip"}), published_as({"role": "keep"})
    ('groups by zip', 'as it is')
    """
    style, hierarchy = text(facts.get("style")), text(facts.get("hierarchy"))
    if style:
        return " by ".join(filter(None, [STYLES.get(style, style), hierarchy]))
    return {Fate.MOVED: "moved by a secret number of days", Fate.REWRITTEN: "rewritten", Fate.KEPT: "as it is"}.get(
        fate(facts), NOTHING
    )


def invented(facts: Mapping[str, Json]) -> str:
    """What a cell looks like: an example of its form that stands in no data."""
    result = example_of(facts)
    return element("code", result) if result else NOTHING


def by_fate(dataset: Dataset) -> dict[Fate, list[str]]:
    """Fate → its columns, those of a source and then those that only the release has."""
    results: dict[Fate, list[str]] = {one: [] for one in Fate}
    for column, facts in dataset.columns.items():
        if text(facts.get("role")):
            exact = dataset.exact_shares.get(column)
            result = fate(facts, published=dataset.publishes(column), exact=exact)
            lacking = result is Fate.UNCHANGED and text(facts.get("style")) == "labels" and _lost_codes(dataset)
            results[Fate.LEFT_OUT if lacking else result].append(column)
    return {one: columns for one, columns in results.items() if columns}


def _lost_codes(dataset: Dataset) -> bool:
    """Whether codes are gone, by what the mechanism says or by the loss: then exact labels are not all there was."""
    deleted = number(mapping(dataset.mechanism.get("details")).get("deleted"))
    lost = dataset.detail_lost.value if dataset.detail_lost else None
    return bool(deleted) or bool(lost)


def lines(dataset: Dataset) -> list[tuple[str, str]]:
    """The columns that are lost or changed, by what became of them; a kind of data without such columns has its own."""
    own = first_answer(lambda one: one.fates(dataset))
    if own is not None:
        return own
    results = by_fate(dataset)
    return [(str(one), joined(_named(one, results[one], dataset), ", ")) for one in LOSSES if one in results]


def in_short(dataset: Dataset) -> Html | None:
    """The same in one line, for a first page with many datasets: how many columns; lost ones by name."""
    own = first_answer(lambda one: one.fates(dataset))
    if own is not None:
        return joined([joined([f"{term}: ", known]) for term, known in own], "; ") if own else None
    results = by_fate(dataset)
    phrases = [
        joined(
            [
                f"{len(results[one])} {words}",
                *([" (", joined(_named(one, results[one], dataset), ", "), ")"] if named else []),
            ]
        )
        for one, (words, named) in _SHORT.items()
        if one in results
    ]
    return joined(phrases, "; ") if phrases else None


_SHORT = {
    Fate.DROPPED: ("not published", False),
    Fate.USELESS: ("with nothing left", True),
    Fate.COARSENED: ("coarsened", False),
    Fate.MOVED: ("with dates moved", False),
    Fate.NOISY: ("changed on purpose", False),
    Fate.LEFT_OUT: ("left out of some records", True),
    Fate.UNCHANGED: ("unchanged, though an attacker may know them", True),
}


def _named(one: Fate, columns: list[str], dataset: Dataset) -> Iterator[Html]:
    for column in columns[:MOST_NAMES]:
        kept = dataset.exact_shares.get(column)
        amount = f" ({share(kept)})" if one is Fate.COARSENED and kept is not None else None
        yield joined([name(column), amount])
    if len(columns) > MOST_NAMES:
        yield joined([f"and {len(columns) - MOST_NAMES} more"])
