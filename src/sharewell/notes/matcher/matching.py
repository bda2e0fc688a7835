"""The engine: candidates of rules in a note, each tried only where its cue is.

One tokenisation (`Text`) serves all rules. Lists of words are looked up together: `Text.where` turns all lists about
once (a word → the lists that have it), so that a list none of whose words occurs costs nothing. For 123 lists of 6,717
words that takes 0.4 ms a kilobyte; an Aho–Corasick automaton over the letters takes 0.45 (pyahocorasick) or 0.2
(ahocorasick_rs), which a dependency is not worth: the tokens are needed anyway. Digits are found once.
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
    def _by_word(self) -> dict[str, list[int]]:
        """Word → numbers of the rules that it may set off."""
        numbers: dict[str, list[int]] = {}
        for number, rule in enumerate(self.rules):
            for word in rule.words:
                numbers.setdefault(word, []).append(number)
        return numbers

    @cached_property
    def _without_words(self) -> list[int]:
        return [number for number, rule in enumerate(self.rules) if not rule.words]

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        note, by_word = Text.of(text), self._by_word
        numbers = {number for word in note.words & by_word.keys() for number in by_word[word]}
        spans: list[Span] = []
        for number in sorted(numbers.union(self._without_words)):
            rule = self.rules[number]
            if rule.follows == self.name:
                note.ends.setdefault(self.name, sorted({span.end for span in spans}))
            spans += found(rule, note)
        return spans


def found(rule: Rule, text: Text) -> Iterator[Span]:
    """What one rule finds; its matches do not overlap."""
    for match in _matches(rule, text):
        for group in rule.groups:
            start, end = match.span(group)
            if start < end and rule.accepts(Candidate(text, match, start, end)):
                yield Span(start, end, rule.kind, rule.certainty, rule.name)


def _matches(rule: Rule, text: Text) -> Iterable[re.Match[str]]:
    if rule.phrases:
        return _whole_phrases(rule, text)
    if rule.run:
        return _whole_runs(rule, text)
    if rule.follows:
        return _following(rule, text)
    cues = _cues(rule, text)
    return _over(rule, text, cues) if cues else ()


def _cues(rule: Rule, text: Text) -> Sequence[int]:
    """Where a rule's words, digits or sign begin."""
    if rule.words:
        tokens = text.tokens
        starts = [tokens[at][0] for at in text.where(rule.words)]
        if rule.capital and starts:
            seen = rule.view(text)
            return [start for start in starts if seen[start].isupper()]
        return starts
    if rule.sign or rule.digits is None:
        return _signs(rule, text)
    return _digit_starts(rule.digits, rule.next, text)


def _whole_phrases(rule: Rule, text: Text) -> Iterator[re.Match[str]]:
    """Entries of a gazetteer; rules that name the same one share the search."""
    key, seen = (rule.phrases, rule.as_named), rule.view(text)
    if key not in text.phrases:
        text.phrases[key] = list(phrases(rule.phrases).within(text, seen if rule.as_named else ""))
    return (match for place in text.phrases[key] if (match := rule.regex.fullmatch(seen, *place)))


def _over(rule: Rule, text: Text, cues: Sequence[int]) -> Iterator[re.Match[str]]:
    """Matches that go over a cue, and begin at it or at a word a little before it.

    A pattern that did not match somewhere, or ended before a cue, does no better for the next cue: no place is tried
    twice.
    """
    attempt, reach, untried = _attempt(rule, text), rule.reach, 0
    for cue in cues:
        if cue < untried:
            continue
        for begin in _begins(text, max(untried, cue - reach), cue) if reach else (cue,):
            if (match := attempt(begin)) and match.end() > cue:
                untried = match.end()
                yield match
                break
        else:
            untried = cue + 1


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


def _whole_runs(rule: Rule, text: Text) -> Iterator[re.Match[str]]:
    seen, fullmatch = rule.view(text), rule.regex.fullmatch
    for start, end in text.runs:
        if end <= rule.sight(seen, start) and (match := fullmatch(seen, start, end)):
            yield match


def _signs(rule: Rule, text: Text) -> list[int]:
    """Where the sign of a rule is, or where digits begin and it is there; rules with the same sign share the search."""
    key = rule.sign, rule.as_written or rule.as_named
    if key not in text.signs:
        seen, sign = rule.view(text), rule.sign_regex
        if rule.digits is None:
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
