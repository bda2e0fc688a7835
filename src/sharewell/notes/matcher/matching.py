"""The engine: candidates of rules in a note, each tried only where its cue is.

One tokenisation (`Text`) serves all rules, and their cues are looked for together (`cues`): a rule without any costs
nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.notes.engine.drug_names import drug_spans
from sharewell.notes.engine.spans import Span, Text
from sharewell.notes.matcher.cues import Places, SharedCues
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
        (cues, tried), rules, spans = shared.of(note), self.rules, list[Span]()
        for number in tried[bisect_left(tried, first) : bisect_left(tried, first + len(rules))]:
            rule = rules[number - first]
            if rule.follows == self.name:
                note.ends.setdefault(self.name, sorted({span.end for span in spans}))
            spans += found(rule, note, cues.get(number, ()))
        return spans


_SHARED = "shared cues"


def share_cues(detectors: Iterable[object]) -> None:
    """Let these detectors look for the words of all their rules together."""
    ours = [detector for detector in detectors if isinstance(detector, RuleDetector)]
    shared, first = SharedCues(rule for detector in ours for rule in detector.rules), 0
    for detector in ours:
        detector.__dict__[_SHARED] = shared, first
        first += len(detector.rules)


def found(rule: Rule, text: Text, places: Places | None = None) -> list[Span]:
    """What one rule finds; its matches do not overlap. `places`: its cues, if they are known."""
    if places is None:
        places = _alone(rule).of(text)[0].get(0, ())
    spans: list[Span] = []
    free = rule.is_free
    for match in _matches(rule, text, places):
        for group in rule.groups:
            start, end = match.span(group)
            if start < end and (free or rule.accepts(Candidate(text, match, start, end))):
                spans.append(Span(start, end, rule.kind, rule.certainty, rule.name))
    return spans


@lru_cache(maxsize=64)
def _alone(rule: Rule) -> SharedCues:
    return SharedCues([rule])


def _matches(rule: Rule, text: Text, places: Places) -> Sequence[re.Match[str]]:
    if rule.is_whole:
        return _whole(rule, text, places)
    if rule.follows:
        return list(_following(rule, text))
    if rule.capital:
        seen = text.seen(rule.view)
        places = [start for start in places if seen[start].isupper()]
    return _at(rule, text, places) if rule.begins_at_cue else _over(rule, text, places)


def _at(rule: Rule, text: Text, cues: Sequence[int]) -> list[re.Match[str]]:
    """Matches that begin at a cue."""
    seen, attempt, past, matches = text.seen(rule.view), rule.regex.match, 0, []
    for cue in cues:
        if cue >= past and (match := attempt(seen, cue)) and match.end() > cue:
            past = match.end()
            matches.append(match)
    return matches


def _whole(rule: Rule, text: Text, places: Sequence[tuple[int, int]]) -> list[re.Match[str]]:
    """Matches that are all of one of some places."""
    seen, fullmatch, sight = text.seen(rule.view), rule.regex.fullmatch, rule.seen
    tried = [fullmatch(seen, start, end) for start, end in places if sight is None or end <= start + sight]
    return [match for match in tried if match]


def _over(rule: Rule, text: Text, cues: Sequence[int]) -> list[re.Match[str]]:
    """Matches that go over a cue, and begin at it or at a word a little before it.

    A pattern that did not match somewhere, or ended before a cue, does no better for the next cue: no place is tried
    twice.
    """
    attempt, reach, untried, matches = _attempt(rule, text), rule.reach, 0, []
    seen, may_begin = text.seen(rule.view), rule.may_begin
    for cue in cues:
        if cue < untried:
            continue
        begins = _begins(text, max(untried, cue - reach), cue) if reach else (cue,)
        untried = cue + 1
        for begin in begins:
            if may_begin[seen[begin]] and (match := attempt(begin)) and match.end() > cue:
                untried = match.end()
                matches.append(match)
                break
    return matches


def _following(rule: Rule, text: Text) -> Iterator[re.Match[str]]:
    """Matches that begin where something ends, and where the last match of the rule itself ends."""
    ends = _ends(rule.follows, text)
    if not ends:
        return
    attempt, group, past = _attempt(rule, text), rule.groups[-1], 0
    for end in ends:
        begin = end
        while begin >= past and (match := attempt(begin)) and match.end(group) > begin:
            yield match
            begin = past = match.end(group)


def _ends(detector: str, text: Text) -> list[int]:
    """Where something ends that the rules of a detector find which do not follow it themselves; found once."""
    if detector not in text.ends:
        spans: Iterable[Span] = drug_spans(text)
        if detector != DRUGS:
            spans = _leading(detector).find(text)
        text.ends[detector] = sorted({span.end for span in spans})
    return text.ends[detector]


@lru_cache(maxsize=16)
def _leading(detector: str) -> RuleDetector:
    """The rules of a shipped detector that do not follow it themselves; their cues are prepared once for all notes."""
    return RuleDetector(detector, tuple(rule for rule in shipped(detector) if rule.follows != detector))


def _attempt(rule: Rule, text: Text) -> Callable[[int], re.Match[str] | None]:
    """The pattern at a place: it sees what follows, a part of it, or the rest of the line."""
    seen = text.seen(rule.view)
    if rule.seen is None and not rule.one_line:
        return partial(rule.regex.match, seen)

    def match(begin: int) -> re.Match[str] | None:
        end = rule.sight(seen, begin)
        if rule.one_line and (line_end := text.find("\n", begin, end)) >= 0:
            end = line_end
        return rule.regex.match(seen, begin, end)

    return match


def _begins(text: Text, first: int, last: int) -> Sequence[int]:
    """Where a pattern may begin: at the cue, and at words and signs before it, not inside a word."""
    if first >= last:
        return (last,)
    begins = text.begins
    places = begins[bisect_left(begins, first) : bisect_left(begins, last)]
    return [*places, last] if first else [0, *places, last]
