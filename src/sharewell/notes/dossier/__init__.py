"""What the page tells of clinical notes, and of columns of text in other data."""

from __future__ import annotations

from sharewell.dossier.markup import Html
from sharewell.dossier.views import Dataset
from sharewell.dossier.wing_dossier import Vocabulary, WingDossier
from sharewell.dossier.words import INFERENCE, SINGLING_OUT
from sharewell.notes.dossier.rewriting import rewriting

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
        "no-known-identifiers": "No known identifiers: persons of whom one survives in their notes",
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
