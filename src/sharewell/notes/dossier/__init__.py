"""The dossier's sections on clinical notes and on columns of text in other data: what was replaced and withheld, and
examples on notes that are invented."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sharewell.dossier.markup import Html, element, items, joined, name, table
from sharewell.dossier.views import Dataset, mapping, number, sequence, text
from sharewell.dossier.wing_dossier import Vocabulary, WingDossier
from sharewell.dossier.words import INFERENCE, SINGLING_OUT, count
from sharewell.plain_data import Json

_SHARES = {
    "fitting": "share of notes that somebody fits",
    "singled_out": "share of notes that one person fits best",
    "fitting_by_chance": "share that somebody fits by chance",
    "singled_out_by_chance": "share that one person fits best by chance",
    "by_chance": "share linked by chance",
    "linked_right": "share linked to a note of the same patient",
    "shares_nothing": "share of notes that no other resembles",
    "own_word": "share of persons with a word that nobody else has",
    "own_word_in_originals": "share of persons with such a word in the originals",
    "found_nowhere": "share of draws whose words no note holds together",
    "tells_drug": "share of notes that tell a drug",
    "tells_drug_in_originals": "share of originals that tell a drug",
    "right_if_told": "right guesses where a drug is told",
    "rightly_named": "share of notes whose best fit is the right person",
    "in_originals": "the same attack on the originals",
}
"""Figures of attacks, all of them shares → what the page calls them."""
WORDS = Vocabulary(
    titles={
        "t-plausible": "t-plausible: texts that a note could stand for",
        "concepts-only": "Concepts only: words outside the vocabulary",
        "k-safe": "K-safe: diseases that fit what is said",
        "persistence": "Persistence: clusters of notes found again",
        "disclosure-risk": "Released fraction times persistence",
        "clinical-terms-kept": "Clinical terms that are still said",
        "no-known-identifiers": "Patients whose own identifiers still appear in their notes",
        "extracted-values": "Extracted values: persons whose notes say more than their published row",
        "residual-risk": "Residual risk: people with a leak, at most, by a marked sample",
        "register-search": "Search of the notes for people of a register",
        "note-linkage": "Notes of one patient put together",
        "rare-words": "Persons singled out by some words of their notes",
        "condition-from-drugs": "Conditions guessed from the drugs that are left",
    },
    labels=_SHARES,
    shares=frozenset(_SHARES),
    means=frozenset({"register-search", "note-linkage", "rare-words", "condition-from-drugs"}),
    concerns={
        INFERENCE: ("plausible", "k-safe", "condition-from"),
        SINGLING_OUT: ("known-identifiers", "register-search", "rare-words", "residual-risk", "concepts-only"),
    },
)


class NotesDossier(WingDossier):
    """Clinical notes."""

    kind = "notes"
    title = "clinical notes"
    words = WORDS

    def knowledge(self, dataset: Dataset) -> str | None:
        if dataset.kind != self.kind:
            return None
        return "An attacker is taken to read the notes, to know people who may be in them, and to look for them."

    def section(self, dataset: Dataset) -> Html | None:
        return rewriting(dataset, of_notes=dataset.kind == self.kind)


GROUPS = {
    "who": ("names and organisations", ("NAME", "ORGANISATION")),
    "when": ("dates and ages", ("DATE", "AGE")),
    "where": ("places and addresses", ("PLACE", "ADDRESS")),
    "number": ("numbers, telephones and addresses on the net", ("PHONE", "EMAIL", "URL", "IP", "SSN", "ID", "OTHER")),
    "drug": ("drugs and doses", ("DRUG", "DOSE")),
}
"""Class of a piece → what it is called, and its kinds."""
OF_KIND = {kind: group for group, (_, kinds) in GROUPS.items() for kind in kinds}
INVENTED = (
    "These notes are invented: the synthetic hospital wrote them, and the mechanism of this release protected them "
    "under a key that is no secret. No note of the release is shown here."
)
REASONS = {
    "empty": "without text",
    "language": "not in English, which no detector can read",
    "known identifier": "of which an identifier could not be taken out",
}


def rewriting(dataset: Dataset, *, of_notes: bool) -> Html | None:
    """Nothing for a dataset without text. In other data than notes, text stands in columns."""
    blocks: list[Html] = []
    details = mapping(mapping(dataset.found.get("mechanism")).get("details"))
    if of_notes and details:
        blocks += _counts(details, "notes")
    for column, column_facts in mapping(dataset.found.get("texts")).items():
        blocks += [
            element("h4", "Text in ", name(column)),
            *_counts(mapping(mapping(column_facts).get("details")), "cells"),
        ]
    shown = [_example(mapping(example), i) for i, example in enumerate(sequence(dataset.found.get("examples")), 1)]
    if shown:
        blocks += [element("h4", "How it looks"), element("p", INVENTED), _legend(), *shown]
    return joined(blocks) if blocks else None


def _counts(details: Mapping[str, Json], unit: str) -> list[Html]:
    changed = [(kind.lower(), number(times)) for kind, times in mapping(details.get("changed")).items()]
    blocks: list[Html] = []
    if changed:
        total = sum(times or 0 for _, times in changed)
        rows = [[kind, count(times)] for kind, times in sorted(changed, key=lambda entry: -(entry[1] or 0))]
        blocks.append(table(f"{count(total)} pieces replaced, by kind", ["Kind", "Pieces"], rows))
    withheld = mapping(details.get("withheld"))
    if withheld:
        words = [f"{count(number(times))} {REASONS.get(why, why)}" for why, times in withheld.items()]
        blocks += [element("p", f"Not published, of the {unit}:"), items(words)]
    else:
        blocks.append(element("p", f"None of the {unit} was withheld."))
    return blocks


def _legend() -> Html:
    return element("p", joined([_piece(words, group) for group, (words, _) in GROUPS.items()], " "), class_="small")


def _piece(words: str, group: str) -> Html:
    return element("mark", words, class_=f"piece of-{group}")


def _example(example: Mapping[str, Json], place: int) -> Html:
    before, after = (_marked(sequence(example.get(side))) for side in ("before", "after"))
    return element(
        "div",
        element("p", f"Invented note {place}: {text(example.get('kind')) or 'a note'}", class_="name"),
        element("div", element("p", "before", class_="over"), element("p", before, class_="note"), class_="side"),
        element("div", element("p", "after", class_="over"), element("p", after, class_="note"), class_="side"),
        class_="invented",
    )


def _marked(pieces: Sequence[Json]) -> Html:
    marked = []
    for piece in pieces:
        words, kind = (text(part) for part in (*sequence(piece), "", "")[:2])
        marked.append(_piece(words, OF_KIND.get(kind, "number")) if kind else joined([words]))
    return joined(marked)
