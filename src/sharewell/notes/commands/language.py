"""`--language` of the verbs under `sharewell notes`: whose detectors look."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sharewell.notes.detectors import Detector, Detectors

LANGUAGE = "the language of the notes: english, or one with a pack, such as german (english)"


def language_detectors(name: str, also: Sequence[Detector] = ()) -> Detectors:
    """The detectors of a language, and others beside them. PolicyError if it has no pack."""
    from sharewell.errors import PolicyError
    from sharewell.notes.detectors import Detectors
    from sharewell.notes.matcher.language_packs import language_packs
    from sharewell.roles import did_you_mean

    if name == "english":
        return Detectors.usual(also=also)
    if name not in language_packs():
        known = ("english", *language_packs())
        raise PolicyError(f"--language — no pack is called {name} — {did_you_mean(name, known) or ', '.join(known)}")
    return Detectors((*Detectors.of_language(name).all, *also))
