"""The engine: candidates of rules in a note, each tried only where its cue is.

One tokenisation (`Text`) serves all rules. Their words are looked up together: `SharedCues` turns all lists about once
(a word → the rules that have it), so that a rule none of whose words occurs costs nothing. An Aho–Corasick automaton
over the letters would be no quicker (of 6,717 words: pyahocorasick 0.45 ms a kilobyte, ahocorasick_rs 0.2): the tokens
are needed anyway. Digits are found once.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.notes.engine.drug_names import drug_spans
from sharewell.notes.engine.spans import Span, Text
from sharewell.notes.matcher.phrases import phrases
from sharewell.notes.matcher.rule import Candidate, Rule
from sharewell.notes.matcher.rule_files import DRUGS, read, shipped

if TYPE_CHECKING:
    from sharewell.notes.engine.known_identifiers import Known


@dataclass(frozen=True)
class RuleDetector:
    """The rules of one detector.

    >>> [(span.kind, span.reason) for span in RuleDetector.shipped("ssn").find("SSN 123-45-6789")]
    [('SSN', 'social-security-number'), ('SSN', 'after-social-security')]
    """

    name: str
    rules: tuple[Rule, ...]

    @classmethod
    def shipped(cls, name: str) -> RuleDetector:
        return cls(name, shipped(name))

    @classmethod
    def from_file(cls, path: Path) -> RuleDetector:
        """A user's own rules."""
        return cls(path.stem, read(path))

    @cached_property
    def _cues(self) -> SharedCues:
        return SharedCues(self.rules)

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        note = Text.of(text)
        shared, first = self.__dict__.get(_SHARED) or (self._cues, 0)
        cues, rules, spans = shared.of(note), self.rules, list[Span]()
        for number in shared.numbers(note, first, first + len(rules)):
            rule = rules[number - first]
            if rule.follows == self.name:
                note.ends.setdefault(self.name, sorted({span.end for span in spans}))
            spans += found(rule, note, cues.get(number))
        return spans


_SHARED = "shared cues"


class SharedCues:
    """The words of many rules, turned about: one look at the words of a note finds the cues of all of them."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._by_word: dict[str, list[int]] = {}
        self._without_words: list[int] = []
        for number, rule in enumerate(rules):
            if not rule.words:
                self._without_words.append(number)
            for word in rule.words:
                self._by_word.setdefault(word, []).append(number)

    def of(self, text: Text) -> dict[int, list[int]]:
        """Number of a rule → where its words begin, in order; looked for once. Rules without any are left out."""
        return self._looked_up(text)[0]

    def numbers(self, text: Text, first: int, end: int) -> list[int]:
        """Which of some rules may find something: those whose words are there, and those whose cue is no word."""
        tried = self._looked_up(text)[1]
        return tried[bisect_left(tried, first) : bisect_left(tried, end)]

    def _looked_up(self, text: Text) -> tuple[dict[int, list[int]], list[int]]:
        if self not in text.cues:
            cues = self._found(text)
            text.cues[self] = cues, sorted([*cues, *self._without_words])
        return text.cues[self]

    def _found(self, text: Text) -> dict[int, list[int]]:
        cues: dict[int, list[int]] = {}
        by_word, starts, several = self._by_word, text.token_starts, set()
        for word, indices in text.positions.items():
            for number in by_word.get(word, ()):
                if number in cues:
                    cues[number] += [starts[at] for at in indices]
                    several.add(number)
                else:
                    cues[number] = [starts[at] for at in indices]
        for number in several:
            cues[number].sort()
        return cues


def share_cues(detectors: Iterable[object]) -> None:
    """Let these detectors look for the words of all their rules together."""
    ours = [detector for detector in detectors if isinstance(detector, RuleDetector)]
    shared, first = SharedCues(rule for detector in ours for rule in detector.rules), 0
    for detector in ours:
        detector.__dict__[_SHARED] = shared, first
        first += len(detector.rules)


def found(rule: Rule, text: Text, words: Sequence[int] | None = None) -> list[Span]:
    """What one rule finds; its matches do not overlap. `words`: where its words begin, if that is known."""
    spans: list[Span] = []
    for match in _matches(rule, text, words):
        for group in rule.groups:
            start, end = match.span(group)
            if start < end and rule.accepts(Candidate(text, match, start, end)):
                spans.append(Span(start, end, rule.kind, rule.certainty, rule.name))
    return spans


def _matches(rule: Rule, text: Text, words: Sequence[int] | None) -> Sequence[re.Match[str]]:
    if rule.is_whole:
        places = _phrase_places(rule, text) if rule.phrases else text.runs
        return _whole(rule, text, places) if places else ()
    if rule.follows:
        return list(_following(rule, text))
    cues = _cues(rule, text, words)
    if not cues:
        return ()
    return _at(rule, text, cues) if rule.begins_at_cue else _over(rule, text, cues)


def _at(rule: Rule, text: Text, cues: Sequence[int]) -> list[re.Match[str]]:
    """Matches that begin at a cue."""
    seen, attempt, past, matches = rule.view(text), rule.regex.match, 0, []
    for cue in cues:
        if cue >= past and (match := attempt(seen, cue)) and match.end() > cue:
            past = match.end()
            matches.append(match)
    return matches


def _cues(rule: Rule, text: Text, words: Sequence[int] | None) -> Sequence[int]:
    """Where a rule's words, digits or sign begin."""
    if rule.words:
        starts = [text.token_starts[at] for at in text.where(rule.words)] if words is None else words
        if rule.capital and starts:
            seen = rule.view(text)
            return [start for start in starts if seen[start].isupper()]
        return starts
    if rule.sign or rule.digits is None:
        return _signs(rule, text)
    return _digit_starts(rule.digits, rule.next, text)


def _phrase_places(rule: Rule, text: Text) -> list[tuple[int, int]]:
    """Entries of a gazetteer; rules that name the same one share the search."""
    key = rule.phrases, rule.as_named
    if key not in text.phrases:
        text.phrases[key] = list(phrases(rule.phrases).within(text, rule.view(text) if rule.as_named else ""))
    return text.phrases[key]


def _whole(rule: Rule, text: Text, places: Sequence[tuple[int, int]]) -> list[re.Match[str]]:
    """Matches that are all of one of some places."""
    seen, fullmatch, sight = rule.view(text), rule.regex.fullmatch, rule.seen
    tried = [fullmatch(seen, start, end) for start, end in places if sight is None or end <= start + sight]
    return [match for match in tried if match]


def _over(rule: Rule, text: Text, cues: Sequence[int]) -> list[re.Match[str]]:
    """Matches that go over a cue, and begin at it or at a word a little before it.

    A pattern that did not match somewhere, or ended before a cue, does no better for the next cue: no place is tried
    twice.
    """
    attempt, reach, untried, matches = _attempt(rule, text), rule.reach, 0, []
    for cue in cues:
        if cue < untried:
            continue
        begins = _begins(text, max(untried, cue - reach), cue) if reach else (cue,)
        untried = cue + 1
        for begin in begins:
            if (match := attempt(begin)) and match.end() > cue:
                untried = match.end()
                matches.append(match)
                break
    return matches


def _following(rule: Rule, text: Text) -> Iterator[re.Match[str]]:
    """Matches that begin where something ends, and where the last match of the rule itself ends."""
    attempt, group, past = _attempt(rule, text), rule.groups[-1], 0
    for end in _ends(rule.follows, text):
        begin = end
        while begin >= past and (match := attempt(begin)) and match.end(group) > begin:
            yield match
            begin = past = match.end(group)


def _ends(detector: str, text: Text) -> list[int]:
    """Where something ends that the rules of a detector find which do not follow it themselves; found once."""
    if detector not in text.ends:
        spans: Iterable[Span] = drug_spans(text)
        if detector != DRUGS:
            spans = RuleDetector(detector, tuple(r for r in shipped(detector) if r.follows != detector)).find(text)
        text.ends[detector] = sorted({span.end for span in spans})
    return text.ends[detector]


def _attempt(rule: Rule, text: Text) -> Callable[[int], re.Match[str] | None]:
    """The pattern at a place: it sees what follows, a part of it, or the rest of the line."""
    seen = rule.view(text)
    if rule.seen is None and not rule.one_line:
        return partial(rule.regex.match, seen)

    def match(begin: int) -> re.Match[str] | None:
        end = rule.sight(seen, begin)
        if rule.one_line and (line_end := text.find("\n", begin, end)) >= 0:
            end = line_end
        return rule.regex.match(seen, begin, end)

    return match


def _digit_starts(digits: tuple[int, int], following: str, text: Text) -> list[int]:
    """Where runs of digits of some length begin, with a sign behind them that is allowed; searched for once."""
    key = digits, following
    if key not in text.digit_starts:
        least, most = digits
        runs = [run for long in range(least, most + 1) for run in text.digit_runs.get(long, ())]
        if following and runs:
            low = text.folded
            runs = [(start, end) for start, end in runs if low[end : end + 1] in following and end < len(low)]
        text.digit_starts[key] = sorted([start for start, _ in runs])
    return text.digit_starts[key]


def _signs(rule: Rule, text: Text) -> list[int]:
    """Where the sign of a rule is, or where digits begin and it is there; rules with the same sign share the search."""
    key = rule.sign, rule.as_written or rule.as_named, rule.digits
    if key not in text.signs:
        seen, sign = rule.view(text), rule.sign_regex
        if any(text.characters.isdisjoint(signs) for signs in rule.sign_needs):
            text.signs[key] = []
        elif rule.digits is None:
            text.signs[key] = [match.start() for match in sign.finditer(seen)]
        else:
            text.signs[key] = [start for start in _digit_starts(rule.digits, "", text) if sign.match(seen, start)]
    return text.signs[key]


def _begins(text: Text, first: int, last: int) -> Sequence[int]:
    """Where a pattern may begin: at the cue, and at words and signs before it, not inside a word."""
    if first >= last:
        return (last,)
    begins = text.begins
    places = begins[bisect_left(begins, first) : bisect_left(begins, last)]
    return [*places, last] if first else [0, *places, last]
