"""The engine: candidates of rules in a note, each tried only where its cue is.

One tokenisation (`Text`) serves all rules. Lists of words are looked up together: `Text.where` turns all lists about
once (a word → the lists that have it), so that a list none of whose words occurs costs nothing. Digits are found once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.notes.engine.spans import Span, Text
from sharewell.notes.matcher.rule import Candidate, Rule
from sharewell.notes.matcher.rule_files import read, shipped

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

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        note = Text.of(text)
        return [span for rule in self.rules for span in found(rule, note)]


def found(rule: Rule, text: Text) -> Iterator[Span]:
    """What one rule finds; its matches do not overlap."""
    for match in _matches(rule, text):
        for group in rule.groups:
            start, end = match.span(group)
            if start < end and rule.accepts(Candidate(text, match, start, end)):
                yield Span(start, end, rule.kind, rule.certainty, rule.name)


def _matches(rule: Rule, text: Text) -> Iterator[re.Match[str]]:
    if rule.words:
        return _at(rule, text, [text.tokens[at][0] for at in text.where(rule.words)])
    if rule.digits is not None:
        return _at(rule, text, _digit_starts(rule, text))
    return _around(rule, text)


def _at(rule: Rule, text: Text, starts: Sequence[int]) -> Iterator[re.Match[str]]:
    """Matches that begin at given places."""
    if not starts:
        return
    seen, regex, past = text if rule.as_written else text.folded, rule.regex, 0
    for start in starts:
        if start >= past and (match := regex.match(seen, max(past, start - rule.reach))):
            past = match.end()
            yield match


def _digit_starts(rule: Rule, text: Text) -> list[int]:
    """Where runs of digits of the rule's length begin, with a sign behind them that it allows."""
    least, most = rule.digits or (1, 0)
    runs = [run for long in range(least, most + 1) for run in text.digit_runs.get(long, ())]
    if rule.next:
        low = text.folded
        runs = [(start, end) for start, end in runs if low[end : end + 1] in rule.next and end < len(low)]
    return [start for start, _ in (sorted(runs) if most > least else runs)]


def _around(rule: Rule, text: Text) -> Iterator[re.Match[str]]:
    """Matches that go over a sign, and begin at it or at a word a little before it."""
    seen, past = text if rule.as_written else text.folded, 0
    for sign in rule.sign_regex.finditer(seen):
        if sign.start() < past:
            continue
        for start in _begins(seen, max(past, sign.start() - rule.reach), sign.start()):
            match = rule.regex.match(seen, start)
            if match and match.end() > sign.start():
                past = match.end()
                yield match
                break


def _begins(seen: str, first: int, last: int) -> Iterator[int]:
    """Where a pattern may begin: at words and signs, not inside a word."""
    for at in range(first, last + 1):
        if at == last or not (at and seen[at - 1].isalnum() and seen[at].isalnum()):
            yield at
