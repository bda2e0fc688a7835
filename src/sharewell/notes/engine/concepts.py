"""Concepts: a vocabulary of terms, most of them with a code. What a note may say if nothing else is to be left of it.

The shipped one holds titles of ICD-10-CM (categories and their subdivisions) with their codes, names of drugs and their
classes, and words of these titles (of diseases, findings and injuries) that are in no list of names. A house brings
its own as a table with the columns `term` and, if it has codes, `code`.

>>> shipped_concepts().code("Essential (primary) hypertension"), shipped_concepts().code("metoprolol")
('I10', '')
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from sharewell.errors import DataError
from sharewell.hierarchy.icd import ICD10CM
from sharewell.io.sources import Source
from sharewell.notes.engine.drug_lexicon import lexicon
from sharewell.notes.engine.lexicons import eponyms, people, words
from sharewell.notes.engine.vocabulary import Vocabulary, words_of

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
        raise DataError(f"{source.label} — holds no term — one term a row is wanted")
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
    for code, title in titles.items():  # of one title the shortest code stands
        for form in (title, _BESIDE.sub("", title)):
            form_words = words_of(form)
            if form_words and not (len(form_words) == 1 and (form_words[0] in named or len(form_words[0]) < 3)):
                yield form, code
    for form, term in lexicon().terms.items():
        if term.sure and form not in named and not form.isdigit():
            yield form, ""
    clinical = {word for code, title in titles.items() if code[0] in _OF_DISEASES for word in words_of(title)}
    for word in sorted(clinical | {word for word, rarity in words().items() if rarity == "c"}):
        if len(word) > 3 and word.isalpha() and word not in named and word not in eponyms():
            yield word, ""
