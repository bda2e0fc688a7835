"""A rule's own examples: [[brackets]] mark what it must find; in texts without any it must find nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sharewell.notes.engine.spans import Text
from sharewell.notes.matcher.matching import found
from sharewell.notes.matcher.rule import Rule

_MARKED = re.compile(r"\[\[(.*?)\]\]", re.DOTALL)


@dataclass(frozen=True)
class FailedExample:
    """An example that a rule does not do justice to. Examples are invented, so they may be shown."""

    rule: Rule
    example: str
    found: tuple[str, ...]

    def __str__(self) -> str:
        what = ", ".join(self.found) or "nothing"
        return f"{self.rule.place}: rule {self.rule.name} — finds {what} in: {self.example}"


def unmarked(example: str) -> tuple[str, list[tuple[int, int]]]:
    """The text without its brackets, and where they were.

    >>> unmarked("SSN [[123-45-6789]] on file")
    ('SSN 123-45-6789 on file', [(4, 15)])
    """
    spans, taken = [], 0
    for match in _MARKED.finditer(example):
        start = match.start() - taken
        spans.append((start, start + len(match[1])))
        taken += 4
    return _MARKED.sub(r"\1", example), spans


def failed(rules: Iterable[Rule]) -> Iterator[FailedExample]:
    """Examples that their rules get wrong."""
    for rule in rules:
        for example in (*rule.found, *rule.not_found):
            text, wanted = unmarked(example)
            spans = [(span.start, span.end) for span in found(rule, Text.of(text))]
            if sorted(spans) != wanted or bool(wanted) != (example in rule.found):
                yield FailedExample(rule, example, tuple(text[start:end] for start, end in spans))
