"""Terms of a vocabulary in a text: the longest run of words that is a term, whatever its case and accents.

Concepts are a vocabulary whose terms may have codes. The shipped one holds titles of ICD-10-CM (categories and their
subdivisions) with their codes, names of drugs and their classes, and words of these titles (of diseases, findings and
injuries) that are in no list of names. A hospital brings its own as a table with the columns `term` and, if it has
codes, `code`.

>>> terms = Vocabulary(["heart failure", "failure", "Crohn's disease"])
>>> text = "Heart failure; Crohn's disease. A failure."
>>> [(text[start:end], term) for start, end, term in terms.find(text)]
[('Heart failure', 'heart failure'), ("Crohn's disease", "Crohn's disease"), ('failure', 'failure')]
>>> shipped_concepts().code("Essential (primary) hypertension"), shipped_concepts().code("metoprolol")
('I10', '')
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

from sharewell.errors import DataError
from sharewell.hierarchy.icd import ICD10CM
from sharewell.io.sources import Source
from sharewell.notes.engine.drug_lexicon import lexicon
from sharewell.notes.engine.gazetteer import plain
from sharewell.notes.engine.lexicons import eponym_words, people, words
from sharewell.notes.engine.spans import Text

_APART = 3
"""Characters that may stand between two words of one term: a blank, a hyphen, an apostrophe, a line end."""


class TermMatch(NamedTuple):
    """Where a term stands, and the term as the vocabulary writes it."""

    start: int
    end: int
    term: str


@dataclass(frozen=True)
class Vocabulary:
    """Terms of one word or more. Two terms that differ in case, accents or signs alone are one: the first stands."""

    terms: Iterable[str]

    def __post_init__(self) -> None:
        object.__setattr__(self, "terms", tuple(dict.fromkeys(self.terms)))

    @cached_property
    def _by_first(self) -> dict[str, list[tuple[tuple[str, ...], str]]]:
        """First word → (all words, term), the longest first."""
        term_of_words: dict[tuple[str, ...], str] = {}
        for term in self.terms:
            words = words_of(term)
            if words:
                term_of_words.setdefault(words, term)
        by_first: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for words in sorted(term_of_words, key=len, reverse=True):
            by_first.setdefault(words[0], []).append((words, term_of_words[words]))
        return by_first

    def find(self, text: str) -> list[TermMatch]:
        """Terms in the order of the text; they do not overlap, and the longest at a place wins. O(words)"""
        matches: list[TermMatch] = []
        for match in self.every(text):
            if not matches or match.start >= matches[-1].end:
                matches.append(match)
        return matches

    def every(self, text: str) -> list[TermMatch]:
        """All terms, also those inside or across others; at one place the longest first. O(words)"""
        tokens = Text.of(text).tokens
        words = [plain(token.lower) for token in tokens]
        matches = []
        for index, word in enumerate(words):
            for wanted, term in self._by_first.get(word, ()):
                last = index + len(wanted) - 1
                if tuple(words[index : last + 1]) == wanted and all(
                    tokens[i + 1].start - tokens[i].end <= _APART for i in range(index, last)
                ):
                    matches.append(TermMatch(tokens[index].start, tokens[last].end, term))
        return matches


def words_of(term: str) -> tuple[str, ...]:
    """The words of a term, as they are compared.

    >>> words_of("Ménière's disease")
    ('meniere', 's', 'disease')
    """
    return tuple(map(plain, Text.of(term).lowered))


_LONGEST_CODE = 5
"""Titles of longer codes are sentences that nobody writes."""
_OF_DISEASES = frozenset("ABCDEFGHIJKLMNOPQRST")
"""Chapters about diseases, findings and injuries; those about accidents speak of streets and vehicles."""
_BESIDE = re.compile(r" ?[(\[][^)\]]*[)\]]")


@dataclass(frozen=True)
class Concepts:
    """Term → code; an empty code where a term has none."""

    codes: Mapping[str, str]

    @cached_property
    def vocabulary(self) -> Vocabulary:
        return Vocabulary(self.codes)

    def code(self, term: str) -> str:
        return self.codes.get(term, "")

    @cached_property
    def coded(self) -> frozenset[str]:
        """Every code, as its words are compared."""
        return frozenset(word for code in self.codes.values() for word in words_of(code))


def concepts_of(source: Source | None) -> Concepts:
    """A house's own vocabulary, or the shipped one."""
    if source is None:
        return shipped_concepts()
    names = source.names()
    if "term" not in names:
        raise DataError(f"{source.label} — no column 'term' — name the terms' column so, and that of codes `code`")
    rows = source.read([name for name in ("term", "code") if name in names])
    terms = rows["term"].to_pylist()
    codes = rows["code"].to_pylist() if "code" in names else [""] * len(terms)
    code_of_term = {
        str(term): str(code or "") for term, code in zip(terms, codes, strict=True) if term and words_of(str(term))
    }
    if not code_of_term:
        raise DataError(f"{source.label} — contains no term — give one term per row")
    return Concepts(code_of_term)


@cache
def shipped_concepts() -> Concepts:
    """What comes with the product. Whatever may be a person's name by itself is not in it."""
    return Concepts(dict(_shipped()))


def _shipped() -> Iterator[tuple[str, str]]:
    """Titles come first: of two spellings of one term the first stands, and titles have codes."""
    named = people()
    tree = ICD10CM()
    short = [code for code in tree.codes() if len(code) <= _LONGEST_CODE]
    titles = {code: tree.title(code) or "" for code in sorted(short, key=len, reverse=True)}
    clinical: set[str] = set()
    for code, title in titles.items():  # of one title the shortest code stands
        for form in dict.fromkeys((title, _BESIDE.sub("", title))):
            form_words = words_of(form)
            if form == title and code[0] in _OF_DISEASES:
                clinical.update(form_words)
            if form_words and not (len(form_words) == 1 and (form_words[0] in named or len(form_words[0]) < 3)):
                yield form, code
    for form, term in lexicon().terms.items():
        if term.sure and form not in named and not form.isdigit():
            yield form, ""
    for word in sorted(clinical | {word for word, rarity in words().items() if rarity == "c"}):
        if len(word) > 3 and word.isalpha() and word not in named and word not in eponym_words():
            yield word, ""
