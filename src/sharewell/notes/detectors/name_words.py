"""Words around names: titles, headers, degrees, kin, verbs, and words that are no names although lists hold them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sharewell.calendar_names import MONTH_WORDS, WEEKDAYS
from sharewell.io.compiled_patterns import compiled
from sharewell.notes.detectors.clinical_words import PRODUCTS, SHORTHAND, TONGUES
from sharewell.notes.detectors.things import KITH, THINGS
from sharewell.notes.engine.pattern_pieces import patterns
from sharewell.notes.engine.spans import Text
from sharewell.notes.engine.word_lists import TITLES, lexicon, listed

_PATTERNS = patterns("notes/name_words.toml")
_PERSON, _DOING, _KIN = (_PATTERNS.pieces[name] for name in ("person", "doing", "kin"))
_START = r"(?:^|(?<=[\n\t;|(\[{>*•.])[ ]?|(?<=  )|(?<=, )|(?<=- )|(?<=\d ))"
_HEADER = _PATTERNS["header"]
"""A word for a person or for signing, and a colon: what follows is a name."""
_FIELD = compiled(rf"{_START}(?:[a-z][a-z.'’/-]*[ ]){{0,3}}\Z", re.MULTILINE)
"""Where a field may begin, and at most three words of its name."""


def headers(text: Text) -> Iterator[re.Match[str]]:
    """Fields whose value is a name, each up to its value."""
    low = text.folded
    for match in text.cued(_HEADER, _HEADER_WORDS):
        if _FIELD.search(low, max(0, match.start() - 70), match.start()):
            yield match


TITLE = _PATTERNS["title"]
"""A title before a name."""
NEAR = _PATTERNS["near"]
"""Words that often stand before a name, and often before others: the words after them must look like names."""
NAMED = _PATTERNS["named"]
"""Words that say that a name follows."""
DEGREES = _PATTERNS["degrees"]
"""A degree or a suffix after a name."""
DEGREE_WORDS = lexicon("name_words_degree_words")
"""How degrees and suffixes begin."""
ABBREVIATIONS_TOO = listed("od dc ma pt ot rt rd pa ms slp mph ii iii iv ra")
"""Degrees that are also something else."""
VERBS = lexicon("name_words_verbs")
"""Verbs with a person before them."""
COPULAS = listed("is was has had will would can did does were and's needs seems")
"""Verbs that things have before them as well."""
JOINT = frozenset((" ", "-", "'", "’", "ʼ"))
PARTICLES = lexicon("name_words_particles")
SUFFIXES = listed("jr sr ii iii iv esq")
NEVER = MONTH_WORDS.union(WEEKDAYS) | lexicon("name_words_never")
NEVER |= frozenset(re.findall(r"[a-z]{2,}", f"{_PERSON} {_KIN}")) | lexicon("name_words_never_too")
"""Words that are no name, whatever stands before them."""
NAMES_TOO = lexicon("name_words_names_too")
"""Words of the list above that are surnames and given names after a title or a given name."""
HONORIFICS = lexicon("name_words_honorifics") | KITH
"""What stands before a name in capitals and is none of it."""
MONTHS_AND_WILL = frozenset(("will", "may", "june", "april", "august"))
"""Given names that are nearly always something else."""
NEVER_ALONE = lexicon("name_words_never_alone") | PRODUCTS | SHORTHAND | TONGUES | THINGS
"""Names that by themselves are rather a word, a place, a laboratory value or shorthand of the clinic."""
DRUG_BEFORE = lexicon("name_words_drug_before")
"""Words before a drug, a sign or a unit."""
MEDICAL_AFTER = lexicon("name_words_medical_after")
"""Words after a sign, a test, a drug or a language."""


def _firsts(*alternatives: str) -> frozenset[str]:
    """Words that alternatives of patterns begin with, and their plurals."""
    results = {word.removesuffix("s") for word in re.findall(r"(?:^|\|)([^\W_]+)", "|".join(alternatives))}
    return frozenset(results | {f"{word}s" for word in results})


_HEADER_WORDS = _firsts(_PERSON, _DOING) | lexicon("name_words_header_words")
TITLE_WORDS = TITLES | lexicon("name_words_title_words")
KIN = _firsts(_KIN)
STAFF = listed("rn np pa md dr lpn cna tech crna nurse resident intern attending per pharmd rt emt")
NEAR_WORDS = _firsts(_DOING, _KIN) | lexicon("name_words_near_words")
NAMED_WORDS = lexicon("name_words_named_words")
