"""Words of the clinic that no dictionary has and that a note writes with a capital: products, shorthand, and what is
built of Greek and Latin parts."""

from __future__ import annotations

from sharewell.io.compiled_patterns import compiled
from sharewell.notes.engine.gazetteer import places, plain
from sharewell.notes.engine.lexicons import people, words
from sharewell.notes.engine.pattern_pieces import patterns
from sharewell.notes.engine.spans import Text, Token
from sharewell.notes.engine.word_lists import lexicon

PRODUCTS = lexicon("clinical_words_products")
"""Products that a note writes with a capital."""
SHORTHAND = lexicon("clinical_words_shorthand")
"""Shortened words that begin a line or a field."""
TONGUES = lexicon("clinical_words_tongues")
"""Languages and peoples."""
_PATTERNS = patterns("notes/clinical_words.toml")
_ENDINGS = _PATTERNS["endings"]
_BEGINNINGS = _PATTERNS["beginnings"]
_PASSIVE = compiled(r"[a-z]{3,}[bcdfglmnprstvz]ed$")


def clinical(text: Text, token: Token) -> bool:
    """Is a word that no list knows of the clinic, by its parts, or because it heads a field?"""
    word = plain(token.lower)
    if word in SHORTHAND or word in TONGUES:
        return True
    if word in people() or word in places():
        return False
    if text[token.end : token.end + 1] == ":" and (token.start == 0 or text[token.start - 1] in "\n\t"):
        return True
    if _ENDINGS.search(word) or _BEGINNINGS.match(word):
        return True
    return bool(_PASSIVE.match(word)) and (word[:-2] in words() or word[:-1] in words() or word[:-3] in words())
