"""Detectors: each finds one sort of thing in a note, knows nothing of the others, and says how certain it is.

A detector is any object with a `name` and `find(text, known) → spans`. Packages add theirs through the entry-point
group `sharewell` with a name of the form `notes.detectors.NAME`; a model at hand (spaCy, Presidio, any function) plugs
in through `Plugged`.
"""

from __future__ import annotations

import gc
import importlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from sharewell.io.plug_ins import plug_ins
from sharewell.notes.engine.gazetteer import places
from sharewell.notes.engine.lexicons import people, words
from sharewell.notes.engine.readable_text import readable, spans_in_original
from sharewell.notes.engine.spans import Span, Text
from sharewell.notes.matcher.matching import RuleDetector, share_cues
from sharewell.notes.matcher.resolution import Reviewer, resolve
from sharewell.notes.matcher.rule_files import shipped_detectors

if TYPE_CHECKING:
    from sharewell.notes.engine.known_identifiers import Known

_HERE = "sharewell.notes.detectors"
BUILTIN: dict[str, str] = {
    "drugs": "sharewell.notes.engine.drug_names:Drugs",
    "ids": f"{_HERE}.ids:Ids",
    "known-identifiers": f"{_HERE}.known_identifiers:KnownIdentifiers",
    "learned": f"{_HERE}.learned:usual",
    "names": f"{_HERE}.names:Names",
    "proper-nouns": f"{_HERE}.proper_nouns:ProperNouns",
    "safe-phrases": f"{_HERE}.safe_phrases:SafePhrases",
    "short-dates": f"{_HERE}.short_dates:ShortDates",
    "tables": f"{_HERE}.tables:Tables",
}
"""Name → module:class of the shipped detectors that are no files of rules (`notes/rules`)."""
ON_REQUEST = frozenset(("any-age",))
"""Detectors that find what is no identifier by itself: only who names them gets them."""
_RULES = "rules"
"""Stands for module:class where a detector is a file of rules."""
_LONG = 200_000
"""Characters: a note as long as that is no usual one."""
_SAMPLE = (
    "Seen on 3 May 2021 at 12 Elm Street, Springfield; Rosa Delgdo, MRN 1234567, call 503-555-0142.\n"
    "Started lisinoprill 10 mg daily after St. Mary Hospital sent her home to Gdańsk, aged 94."
)
"""Every list is asked for something of it."""
_GROWING = frozenset(("name-forms", "names", "organisations", "places"))
"""Where one of these is at work, names grow over what is joined to them; a model alone is taken at its word."""


@runtime_checkable
class Detector(Protocol):
    """Finds spans of its own kind. A safe-phrase detector returns spans of kind SAFE."""

    @property
    def name(self) -> str: ...

    def find(self, text: str, known: Known | None = None) -> list[Span]: ...


@runtime_checkable
class Loading(Protocol):
    """A detector with lists or a model of its own that it can load beforehand."""

    def ready(self) -> None: ...


@dataclass(frozen=True)
class Detectors:
    """Several detectors, and their contest.

    >>> result = Detectors.of("dates", "phones").find("Seen 03/05/2016, call 503-555-0142.")
    >>> [(span.kind, span.start, span.end) for span in result]
    [('DATE', 5, 15), ('PHONE', 22, 34)]
    """

    all: tuple[Detector, ...]

    @classmethod
    def of(cls, *names: str) -> Detectors:
        """Shipped or installed detectors by name."""
        known = registered()
        return cls(tuple(_load(name, known[name]) for name in names))

    @classmethod
    def usual(cls, also: Iterable[Detector] = (), without: Sequence[str] = ()) -> Detectors:
        """All that are shipped or installed, except some, and a user's own."""
        names = [name for name in registered() if name not in without and name not in ON_REQUEST]
        return cls((*cls.of(*names).all, *also))

    @classmethod
    def of_language(cls, name: str) -> Detectors:
        """Those of a language: `english`, or one that has a pack (`german`)."""
        from sharewell.notes.matcher.language_packs import language_packs
        from sharewell.notes.matcher.repeated_names import RepeatedNames

        if name == "english":
            return cls.usual()
        pack = language_packs()[name]
        return cls((*cls.of(*pack.shared).all, *pack.detectors, RepeatedNames(pack.words("words"))))

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        """What they find together: spans that do not overlap, in order."""
        with _undisturbed(len(text)):
            shown, places = readable(text)
            note = Text.of(shown)
            return spans_in_original(self.resolved(note, self.candidates(note, known)), places)

    def candidates(self, note: Text, known: Known | None = None) -> list[Span]:
        """What each of them claims, safe phrases too."""
        self._sharing  # noqa: B018
        return [span for detector in self.all for span in detector.find(note, known)]

    def resolved(self, note: Text, claimed: Sequence[Span]) -> list[Span]:
        """What is left of the claims after the contest and all that follows it (`matcher.resolution`)."""
        return resolve(note, claimed, *self._resolution)

    @cached_property
    def _sharing(self) -> None:
        share_cues(self.all)

    @cached_property
    def _resolution(self) -> tuple[list[Reviewer], bool]:
        """Who weighs what won, and whether names grow."""
        reviewers: list[Reviewer] = [detector for detector in self.all if isinstance(detector, Reviewer)]
        return reviewers, any(detector.name in _GROWING for detector in self.all)

    def ready(self) -> Detectors:
        """The same, with every list loaded: what a long run, or a measurement of speed, begins with.

        What is loaded stays, and the collector of garbage need not look at it again.
        """
        for marks in (people(), words(), places()):
            marks.all()
        for detector in self.all:
            if isinstance(detector, Loading):
                detector.ready()
        self.find(_SAMPLE)
        gc.collect()
        gc.freeze()
        return self


@contextmanager
def _undisturbed(size: int) -> Iterator[None]:
    """Of a long note, millions of words and spans are alive until the end: the collector of garbage, which would go
    through them again and again in vain, waits."""
    waits = size >= _LONG and gc.isenabled()
    if waits:
        gc.disable()
    try:
        yield
    finally:
        if waits:
            gc.enable()


def registered() -> dict[str, str]:
    """Every detector by name; a package adds names, it never replaces a shipped one."""
    results = {}
    for given, target in plug_ins().items():
        kind, _, tail = given.partition(".")
        room, _, name = tail.partition(".")
        if kind == "notes" and room == "detectors" and name:
            results[name] = target
    return dict(sorted((results | dict.fromkeys(shipped_detectors(), _RULES) | BUILTIN).items()))


def _load(name: str, target: str) -> Any:
    if target == _RULES:
        return RuleDetector.shipped(name)
    module, _, attribute = target.partition(":")
    return getattr(importlib.import_module(module), attribute)()
