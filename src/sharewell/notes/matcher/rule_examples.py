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
    """An example that a rule does not do justice to. Somebody may have copied it from a note: it is told by its number,
    and its words only to who asks for them."""

    rule: Rule
    field: str
    """found or not_found."""
    number: int
    """From 1, in that field."""
    example: str
    found: tuple[str, ...]
    """What the rule finds in it."""

    @property
    def where(self) -> str:
        return f"rule {self.rule.name}, {self.field}, example {self.number}"

    @property
    def what(self) -> str:
        marked = len(unmarked(self.example)[1])
        if bool(marked) != (self.field == "found"):
            return "no [[brackets]] mark what must be found" if not marked else "[[brackets]] mark something to find"
        result = len(self.found)
        return (
            "finds something else than is marked" if result == marked else f"finds {result} where {marked} are marked"
        )

    def __str__(self) -> str:
        return f"{self.rule.place}: {self.where} — {self.what}"

    @property
    def with_words(self) -> str:
        """The same with the words of the example."""
        return f"{self} — finds {', '.join(self.found) or 'nothing'} in: {self.example}"


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
        for field, examples in (("found", rule.found), ("not_found", rule.not_found)):
            for number, example in enumerate(examples, 1):
                text, wanted = unmarked(example)
                spans = [(span.start, span.end) for span in found(rule, Text.of(text))]
                if sorted(spans) != wanted or bool(wanted) != (field == "found"):
                    yield FailedExample(rule, field, number, example, tuple(text[start:end] for start, end in spans))
