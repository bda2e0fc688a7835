"""The dossier's words for noisy tables, and what it says of their noise: the loss, and what it means for one person."""

from __future__ import annotations

import math
from collections.abc import Mapping

from sharewell.dossier.figures import Chart, Series, figure
from sharewell.dossier.markup import Html, element, facts, folded, joined, name, names, table
from sharewell.dossier.views import Dataset, Number, mapping, number, text
from sharewell.dossier.wing_dossier import Vocabulary, WingDossier
from sharewell.dossier.words import count, several, share
from sharewell.plain_data import Json, JsonObject

PRIORS = (0.01, 0.1, 0.5, 0.9)
"""Beliefs before, of which the page says what becomes of them."""
_NEIGHBOURS = {"add-remove": "one person more or less", "change-one": "one person in place of another"}


class QueriesDossier(WingDossier):
    """Data that answers questions, and noisy tables of it."""

    kind = "queries"
    title = "data that answers questions, and noisy tables of it"
    words = Vocabulary.shipped("queries")

    def size(self, dataset: Dataset) -> list[tuple[str, str]] | None:
        """A published row is a cell, and no record of a person."""
        if dataset.kind != self.kind:
            return None
        before = dataset.before
        counted = f"{count(number(before.get('counted')))} of {count(number(before.get('rows')))}"
        return [("rows that count", counted), ("cells published", count(dataset.rows))]

    def key_figures(self, dataset: Dataset) -> list[tuple[str, str]] | None:
        return self.size(dataset)

    def knowledge(self, dataset: Dataset) -> str | None:
        if dataset.kind != self.kind:
            return None
        return "An attacker is assumed to know everything about everybody but one person, and how the noise was drawn."

    def column_meaning(self, facts: Mapping[str, Json]) -> str | None:
        if text(facts.get("kind")) == "noisy count":
            return "how many people or records, with noise; it may be negative"
        return "the category that is counted; * is all" if text(facts.get("style")) == "public labels" else None

    def assumptions(self, dataset: Dataset) -> list[str]:
        if dataset.kind != self.kind:
            return []
        return [
            "That anybody could verify afterwards that noise was drawn. Recipients can check its mechanism, its scale"
            " and the loss that follows from them; the steward can check that the ledger was charged for this table."
        ]

    def headline(self, dataset: Dataset) -> str | None:
        """What the loss means for one person."""
        epsilon = number(_spent(dataset).get("epsilon"))
        if dataset.kind != self.kind or epsilon is None:
            return None
        return (
            f"Somebody who thinks it as likely as not that a person is in the data afterwards believes it with at most"
            f" {share(_posterior(0.5, float(epsilon)))} after seeing the table (ε = {epsilon:g})."
        )

    def fates(self, dataset: Dataset) -> list[tuple[str, str]] | None:
        """Counts are published, and no record."""
        if dataset.kind != self.kind:
            return None
        pairs = [("Published", f"{several(dataset.rows, 'noisy count')}, no record of a person")]
        counted = [column for column, known in dataset.columns.items() if not known.get("falsified")]
        return [*pairs, ("Counted by", names(counted))] if counted else pairs

    def section(self, dataset: Dataset) -> Html | None:
        """What was spent, how far off counts are, and what anybody can come to believe of one person."""
        spent = _spent(dataset)
        if dataset.kind != self.kind or not spent:
            return None
        epsilon, rho = number(spent.get("epsilon")), number(spent.get("rho"))
        pairs = [
            ("loss", f"ε = {epsilon:g}" if epsilon is not None else f"ρ = {rho:g}" if rho is not None else "—"),
            (
                "tables that are hard to distinguish differ by",
                _NEIGHBOURS.get(text(spent.get("neighbours")) or "", "—"),
            ),
            ("rows of one person that count", count(number(spent.get("rows_per_person")))),
            ("noise", f"{text(spent.get('noise')) or '—'}, scale {number(spent.get('scale')) or 0:g}"),
        ]
        if (off := number(spent.get("half_width"))) is not None:
            pairs.append(("largest error of a count, with 95 % probability", count(off)))
        parts: list[Html | None] = [element("h3", "Noise and budget"), facts(pairs)]
        if epsilon is not None:
            rows = [[share(prior), share(_posterior(prior, float(epsilon)))] for prior in PRIORS]
            caption = "How far anybody's belief that a person is in the data can grow"
            beliefs = table(caption, ["believed before", "believed after, at most"], rows)
            parts.append(folded("How far anybody's belief can grow", beliefs, paper=True))
        return joined([*parts, budget(dataset)])

    def remarks(self, dataset: Dataset) -> list[str]:
        if dataset.kind != self.kind:
            return []
        return [
            "Every published count has separate noise and may be negative; the dictionary says how large the noise is.",
            "The loss of this table was charged to the ledger of the dataset, from which answers are paid too:"
            " sharewell budget shows what is left.",
            "Nobody can verify that the noise was drawn: mechanism and arithmetic can be checked, the draw cannot.",
        ]


def budget(dataset: Dataset) -> Html | None:
    """What each account of the ledger has spent and has left, as it stood when the release was made."""
    accounts = mapping(mapping(dataset.found.get("statement")).get("accounts"))
    rows = [(_account(one), _amounts(mapping(known))) for one, known in accounts.items()]
    known = [(one, amounts) for one, amounts in rows if amounts is not None]
    if not known:
        return None
    names_, (spent, left, cap) = tuple(one for one, _ in known), zip(*(amounts for _, amounts in known), strict=True)
    unit = "ρ" if any(text(mapping(one).get("accounting")) == "zcdp" for one in accounts.values()) else "ε"
    series = (Series("Spent", "after", tuple(spent)), Series("Left", "before", tuple(left)))
    said = " ".join(f"{one}: {count(s)} of {count(c)} spent." for one, s, c in zip(names_, spent, cap, strict=True))
    chart = Chart(f"d{dataset.index}-budget", f"Budget in {unit}", said, names_, series, count, top=max(cap))
    table_rows = [[name(one), *map(count, amounts)] for one, amounts in known]
    numbers = table(f"Budget in {unit}", ["Account", "Spent", "Left", "Cap"], table_rows)
    note = "The budget at the time of this release; every answer and every further table is charged to it."
    return figure(joined([f"Budget ({unit}) spent and left, ", name(dataset.name)]), [chart], numbers, note)


def _account(account: str) -> str:
    """An account in words.

    >>> _account("dataset:visits"), _account("dataset:visits/analyst:Ada")
    ('everything published about visits', 'analyst Ada')
    """
    dataset, analyst, who = account.partition("/analyst:")
    return f"analyst {who}" if analyst else f"everything published about {dataset.removeprefix('dataset:')}"


def _amounts(known: JsonObject) -> tuple[Number, Number, Number] | None:
    """Spent, left and cap, in the unit of the account."""
    unit = "rho" if text(known.get("accounting")) == "zcdp" else "epsilon"
    spent, left, cap = (_decimal(mapping(known.get(what)).get(unit)) for what in ("spent", "remaining", "cap"))
    return None if spent is None or left is None or cap is None or cap <= 0 else (spent, left, cap)


def _decimal(stated: Json) -> Number | None:
    """A ledger states its amounts exactly, as decimal texts."""
    try:
        return number(float(text(stated)))
    except ValueError:
        return None


def _spent(dataset: Dataset) -> JsonObject:
    return mapping(mapping(mapping(dataset.claimed.get("columns")).get("count")).get("spent"))


def _posterior(prior: float, epsilon: float) -> float:
    """The largest belief that an answer of this loss can make of a belief.

    >>> round(_posterior(0.5, 1.0), 3), _posterior(0.5, 1000.0)
    (0.731, 1.0)
    """
    return prior / (prior + (1 - prior) * math.exp(-min(epsilon, 700.0)))
