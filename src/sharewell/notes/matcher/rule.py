"""A rule of a detector, as data: a cue, a pattern there, guards, a kind, a certainty, and its own examples.

    [[rule]]
    name = "social-security-number"        # what spans give as their reason
    kind = "SSN"
    certainty = 0.93
    digits = 3                             # the cue: where three digits in a row begin
    pattern = '(?<![\\w.-])\\d{3}-\\d\\d-\\d{4}(?![\\w]|-\\d)'
    not_before = 'ref(?:erence)? '         # what must not stand right before what is found
    guards = ["not_all_zero"]
    found = ["SSN [[123-45-6789]] on file"]
    not_found = ["555-123-4567", "CPT 123-45-67890"]

Cues, of which a rule has one: `words` (a list, or the name of a lexicon; the pattern begins at such a word), `digits`
(how many digits in a row: 3, or [1, 4]; the pattern begins there; `next` says which signs may follow them, `sign` what
must be there), `sign` alone (a short pattern, such as "@"; the long one goes over it), `run` (true: the pattern is all
of a run of letters, digits and signs such as dashes that holds a digit), `phrases` (the name of a gazetteer, or of a
lexicon whose words are joined by underscores: the pattern is all of the longest entry that begins at a word), `follows`
(the name of a detector: the pattern begins where something ends that this one found, or, in its own file, what the rule
itself found last). With `reach` the pattern may begin so many characters before its cue. Patterns see the note in lower
case unless `as_written`, or `as_named`: as written, but in a note without case every word that English hardly knows has
a capital. The span is the group `value` of the pattern, or all of it; `spans` names other groups.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from sharewell.io.compiled_patterns import compiled
from sharewell.notes.engine.spans import Text, View
from sharewell.notes.matcher.backtracking import widths
from sharewell.notes.matcher.pattern_beginnings import BEYOND, Beginning, beginning, first_characters

FEW_PLACES = 2
"""Where so few places are tried, it does not pay to know what the pattern begins with."""
WINDOW = 48
"""How far `before` and `not_before` look, in characters."""
SEEN = 400
"""So many characters, from where it is tried, a pattern of a user's own rule sees: its time is bounded by them."""


@dataclass(slots=True)
class Candidate:
    """What a pattern matched: guards look at it, and say yes or no."""

    text: Text
    match: re.Match[str]
    start: int
    end: int

    @property
    def written(self) -> str:
        return self.text[self.start : self.end]

    @property
    def lower(self) -> str:
        return self.text.folded[self.start : self.end]

    @property
    def before(self) -> str:
        """What stands before it, in lower case."""
        return self.text.folded[max(0, self.start - WINDOW) : self.start]

    @property
    def after(self) -> str:
        return self.text.folded[self.end : self.end + WINDOW]


class _Admitted(dict[str, bool]):
    """Character → whether its bit is among some."""

    def __init__(self, bits: int) -> None:
        super().__init__()
        self._bits = bits

    def __missing__(self, character: str) -> bool:
        answer = self[character] = bool(self._bits >> min(ord(character), BEYOND) & 1)
        return answer


Guard = Callable[[Candidate], bool]
MakeNumbered = Callable[[int], Guard]
MakeWorded = Callable[[frozenset[str]], Guard]


@dataclass(frozen=True)
class GuardList:
    """The guards of a file, each under the name of its function."""

    plain: dict[str, Guard] = field(default_factory=dict)
    numbered: dict[str, MakeNumbered] = field(default_factory=dict)
    worded: dict[str, MakeWorded] = field(default_factory=dict)

    def add(self, guard: Guard) -> Guard:
        self.plain[guard.__name__] = guard
        return guard

    def add_numbered(self, make: MakeNumbered) -> MakeNumbered:
        self.numbered[make.__name__] = make
        return make

    def add_worded(self, make: MakeWorded) -> MakeWorded:
        self.worded[make.__name__] = make
        return make


@dataclass(frozen=True)
class Rule:
    """One rule. Patterns are compiled when a note first has the rule's cue."""

    name: str
    kind: str
    certainty: float
    pattern: str
    detector: str
    place: str
    """The file it stands in."""
    words: frozenset[str] = frozenset()
    digits: tuple[int, int] | None = None
    sign: str = ""
    run: bool = False
    reach: int = 0
    """How far before its cue the pattern may begin: it is tried at the beginnings of words there, and at signs."""
    capital: bool = False
    """Of words: they begin with a capital in what the rule sees; saves time."""
    next: str = ""
    """Of digits: one of these characters must follow them; saves time."""
    phrases: str = ""
    follows: str = ""
    as_written: bool = False
    as_named: bool = False
    one_line: bool = False
    """Does a match end with its line? A line break that only wraps a sentence is a blank otherwise."""
    spans: tuple[str, ...] = ()
    before: str = ""
    not_before: str = ""
    after: str = ""
    not_after: str = ""
    guards: tuple[Guard, ...] = ()
    found: tuple[str, ...] = ()
    not_found: tuple[str, ...] = ()
    begins: Beginning | None = field(default=None, repr=False, compare=False)
    """What its cue begins with, if it has been worked out."""
    first: int | None = field(default=None, repr=False, compare=False)
    """Bits of the characters that its pattern may begin with; the same."""
    seen: int | None = None
    """So many characters from where they are tried its patterns see; None: all that follow."""

    @cached_property
    def regex(self) -> re.Pattern[str]:
        return self._compiled(self.pattern)

    @property
    def _compiled(self) -> Callable[[str], re.Pattern[str]]:
        """What comes with the software is compiled once on a machine; a user's own rules are kept nowhere."""
        return compiled if self.seen is None else re.compile

    @cached_property
    def is_whole(self) -> bool:
        """Is its pattern all of a run or of an entry of a gazetteer?"""
        return self.run or bool(self.phrases)

    @cached_property
    def begins_at_cue(self) -> bool:
        """Does its pattern begin at its cue, and see all that follows?"""
        return not self.reach and self.seen is None and not self.one_line

    @cached_property
    def groups(self) -> tuple[int | str, ...]:
        """Groups of the pattern that are spans."""
        return self.spans or (("value",) if "value" in self.regex.groupindex else (0,))

    @cached_property
    def view(self) -> View:
        """How its pattern sees a note."""
        return "named" if self.as_named else "written" if self.as_written else "folded"

    @property
    def cue(self) -> str:
        """A pattern that begins at its cue: what is looked for at digits, runs and signs."""
        return self.sign or ("" if self.digits and self.reach else self.pattern)

    @cached_property
    def cue_beginning(self) -> Beginning:
        return Beginning(*self.begins) if self.begins else beginning(self.cue)

    @cached_property
    def may_begin(self) -> Mapping[str, bool]:
        """Character → whether the pattern may begin with it; of use where many places are tried."""
        if self.reach <= FEW_PLACES:
            return _Admitted(-1)
        return _Admitted(first_characters(beginning(self.pattern).nodes) if self.first is None else self.first)

    def sight(self, text: str, start: int) -> int:
        """Where the part of a text ends that a pattern sees from there."""
        return len(text) if self.seen is None else min(len(text), start + self.seen)

    @cached_property
    def contexts(self) -> tuple[tuple[re.Pattern[str], int, bool], ...]:
        """(pattern, how far it looks back or 0, must match) of what stands around."""
        given = [(self.before, True, True), (self.not_before, True, False)]
        given += [(self.after, False, True), (self.not_after, False, False)]
        return tuple(
            (self._compiled(rf"(?:{text})\Z" if back else text), min(WINDOW, widths(text)[1]) if back else 0, criteria)
            for text, back, criteria in given
            if text
        )

    @cached_property
    def is_free(self) -> bool:
        """Is all that its pattern matches accepted?"""
        return not (self.before or self.not_before or self.after or self.not_after or self.guards)

    def accepts(self, candidate: Candidate) -> bool:
        """Do the words around and every guard agree?"""
        low = candidate.text.folded
        for regex, back, criteria in self.contexts:
            hit = (
                regex.search(low, max(0, candidate.start - back), candidate.start)
                if back
                else regex.match(low, candidate.end, self.sight(low, candidate.end))
            )
            if (hit is None) is criteria:
                return False
        for guard in self.guards:  # noqa: SIM110  (a generator costs more than most guards)
            if not guard(candidate):
                return False
        return True


def _text(given: object) -> bool:
    return isinstance(given, str)


def _texts(given: object) -> bool:
    return isinstance(given, list) and all(map(_text, given))


def _whole(given: object, least: int = 0) -> bool:
    return isinstance(given, int) and not isinstance(given, bool) and least <= given <= SEEN


def _lengths(given: object) -> bool:
    if isinstance(given, list):
        return 1 <= len(given) <= 2 and all(_whole(one, least=1) for one in given) and given[0] <= given[-1]
    return _whole(given, least=1)


def _certainty(given: object) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool) and 0 < given <= 1


@dataclass(frozen=True)
class FieldType:
    """What a field of a rule may hold in a file."""

    expected: str
    """What must be given, for who gave something else."""
    fits: Callable[[object], bool]


_TEXT, _TEXTS = FieldType("must be a text", _text), FieldType("must be a list of texts", _texts)
FIELDS: Mapping[str, FieldType] = {
    **dict.fromkeys(
        ("name", "kind", "pattern", "before", "not_before", "after", "not_after", "next", "sign", "phrases", "follows"),
        _TEXT,
    ),
    **dict.fromkeys(("found", "not_found", "guards", "spans"), _TEXTS),
    "certainty": FieldType("must be above 0 and at most 1", _certainty),
    "words": FieldType(
        "must be a list of texts, or the name of a lexicon", lambda given: _text(given) or _texts(given)
    ),
    "digits": FieldType(f"must be a number from 1 to {SEEN}, or two, the smaller first", _lengths),
    "reach": FieldType(f"must be a whole number from 0 to {SEEN}", _whole),
    **dict.fromkeys(
        ("as_named", "as_written", "capital", "one_line", "run"),
        FieldType("must be true or false", lambda given: isinstance(given, bool)),
    ),
}
"""The fields of a rule in a file. Nothing else looks at the types of what a file gives."""
