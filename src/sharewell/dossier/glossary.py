"""Terms of the page: each algorithm by its sentence in the catalogue, and the few words that tables and tiers need.

A term is a link to its line in the appendix; the appendix explains those that the page links to, and no others.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from sharewell import registry
from sharewell.dossier.markup import Html, element, facts, joined, name
from sharewell.dossier.views import Dataset
from sharewell.dossier.words import TIERS, title
from sharewell.errors import SharewellError

BASIC = {
    "class": ("Class", "All records that show the same values in the columns that an attacker may know."),
    "detail-lost": (
        "Detail lost (NCP)",
        "Normalised certainty penalty: the share of a column's detail that is gone. 0 % is as it was, 100 % nothing"
        " left.",
    ),
    "discernibility": (
        "Discernibility",
        "The sum of the squared sizes of all classes: the larger it is, the less easily records can be told apart.",
    ),
    "exact": ("Exact cells", "Cells that are published with the value that they had."),
    "prosecutor": (
        "Prosecutor risk",
        "The probability that somebody who knows that a person is in the data, and knows the columns marked quasi,"
        " picks the right record.",
    ),
    "quasi": ("Quasi", "A column that an attacker may know of a person, such as age, sex or postcode."),
    "tier": ("Who can re-check (tier)", " ".join(f"{tier}: {sentence}" for tier, sentence in TIERS.items())),
    "attack": ("Attack", "A computed or simulated attempt to learn something about a person from what is published."),
    "commitment": (
        "Key commitment",
        "A value that fixes the secret key of the release without telling it: whoever is shown the key can check it.",
    ),
}
"""Place → the term and what it means."""
_LINK = re.compile(r'href="#term-([a-z0-9-]+)"')


def term(place: str, words: str) -> Html:
    """Words that lead to what they mean."""
    return element("a", words, href=f"#term-{place}", class_="term")


def algorithm(result: str) -> Html:
    """The plain name of an algorithm, which leads to what it means where the catalogue knows it."""
    place = _place(result)
    return term(place, title(result)) if place in BASIC or place in _catalogue() else joined([title(result)])


def mechanism(result: str) -> Html:
    """A mechanism by its own name, which leads to what it does."""
    return term(_place(result), result) if _place(result) in _catalogue() else name(result)


def appendix(body: str, data: Sequence[Dataset]) -> Html | None:
    """What the terms mean that this page links to, in alphabetical order."""
    used = dict.fromkeys(_LINK.findall(body))
    known = {place: _meaning(place, data) for place in used}
    entries = sorted(((*meaning, place) for place, meaning in known.items() if meaning), key=lambda one: one[0].lower())
    if not entries:
        return None
    lines = [(element("span", words, id=f"term-{place}"), sentence) for words, sentence, place in entries]
    return facts(lines, "facts narrow")


def meaning(result: str, kind: str) -> str:
    """What an algorithm of a kind of data means, in the sentence of the catalogue; empty where it has none."""
    entry = _catalogue().get(_place(result), {}).get(kind)
    return _sentence(entry)[1] if entry is not None else ""


def _meaning(place: str, data: Sequence[Dataset]) -> tuple[str, str] | None:
    if place in BASIC:
        return BASIC[place]
    entries = _catalogue().get(place, {})
    kinds = sorted({dataset.kind for dataset in data})
    entry = next((entries[kind] for kind in (*kinds, *entries) if kind in entries), None)
    return None if entry is None else _sentence(entry)


def _sentence(entry: registry.Entry) -> tuple[str, str]:
    """The name of an algorithm as its page has it, and what it means."""
    try:
        words, colon, rest = entry.summary.partition(": ")
    except (SharewellError, ImportError):  # what it needs is not installed here
        return entry.name, "See the catalogue of sharewell."
    return (words, rest[:1].upper() + rest[1:]) if colon else (entry.name, words)


def _place(result: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", result.lower()).strip("-")


@cache
def _catalogue() -> Mapping[str, Mapping[str, registry.Entry]]:
    """Name of an algorithm → kind of data → its entry, which is not opened before its sentence is needed."""
    results: dict[str, dict[str, registry.Entry]] = {}
    for entry in registry.entries():
        results.setdefault(_place(entry.name), {}).setdefault(entry.kind, entry)
    return results
