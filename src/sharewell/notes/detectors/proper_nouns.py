"""Proper nouns in plain text: names of companies and the like that no list knows.

In a note such words are drugs, devices and eponyms, so nothing is claimed where clinical words occur. In a
message or a query without any a capitalised word that English does not know, a word with a capital inside, and several
capitalised words in a row are somebody's or something's name. They are claimed with little certainty: every other
detector knows better.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from sharewell.notes.detectors.clinical_words import PRODUCTS, clinical
from sharewell.notes.detectors.name_tokens import letters_say
from sharewell.notes.detectors.name_words import HONORIFICS, MEDICAL_AFTER
from sharewell.notes.detectors.things import JOINED, JOINED_FIRST, KITH, THINGS
from sharewell.notes.engine.drug_names import Drugs
from sharewell.notes.engine.gazetteer import countries, plain
from sharewell.notes.engine.lexicons import eponym, eponym_words, people, words
from sharewell.notes.engine.spans import SAFE, Span, Text, Token
from sharewell.notes.engine.word_lists import lexicon, listed

if TYPE_CHECKING:
    from sharewell.notes.engine.known_identifiers import Known

_CLINICAL = lexicon("proper_nouns_clinical")
_HALF_CLINICAL = lexicon("proper_nouns_half_clinical")
"""Words of the clinic that messages use too: two of them make a note."""
_CODE = re.compile(r",? (?P<code>(?!(?:19|20)\d\d\b)\d{4,5}|\d{3} \d\d|\d{4}-\d{3})(?![\w%-]|[.,:]\d)")
"""A postcode after a place."""
_LONG = 700
"""A longer text is a note."""
_NAMELIKE = 20
"""What the letters of a word must say that begins a sentence."""
_SENTENCE_ENDS = frozenset(".:!?\n•*[>")
_ROMAN = listed("i ii iii iv v vi vii viii")
_INNER = re.compile(r"[a-z][A-Z]")
_DEMONYMS = ("ese", "ish", "ian", "ean", "ians")
_BEGINNERS = lexicon("capitals_sentence_words") | KITH | HONORIFICS | lexicon("proper_nouns_beginners")


class ProperNouns:
    """Finds capitalised words that English does not know, where no clinical word occurs."""

    name: ClassVar[str] = "proper-nouns"

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        text = Text.of(text)
        if text.caseless:
            return []
        clinical = not text.words.isdisjoint(_CLINICAL) or len(text.words & _HALF_CLINICAL) > 1 or _medical(text)
        return [*_safe(text), *(_strange(text) if clinical else _found(text))]


def _safe(text: Text) -> Iterator[Span]:
    """Things that have a capital and are nobody: whoever is hardly sure of a name there is wrong."""
    for at in text.where(JOINED_FIRST):
        joined = at + 1 < len(text.tokens) and text.gaps[at + 1] in (" ", "-", "–")
        if joined and f"{text.lowered[at]} {text.lowered[at + 1]}" in JOINED:
            yield Span(text.tokens[at].start, text.tokens[at + 1].end, SAFE, 0.76, "two names that are a thing")
    for at in text.where(THINGS):
        before = at > 0 and text.gaps[at] == " " and text.written[at - 1].istitle() and not _opens(text, at - 1)
        after = at + 1 < len(text.tokens) and text.gaps[at + 1] in (" ", "-") and text.written[at + 1].istitle()
        if text.written[at][0].isupper() and not (before or after):
            yield Span(*text.tokens[at][:2], SAFE, 0.45, "thing with a capital")


def _strange(text: Text) -> Iterator[Span]:
    """Words in title case that neither English nor medicine knows: in a note, most are of people and places."""
    drugs = {span.start for span in Drugs().find(text)}
    for at in text.capitals:
        if _odd(text.written[at]) and not _measured(text, at):
            start, end, lower = token = text.tokens[at]
            if _opens(text, at) and letters_say(lower) < _NAMELIKE:
                continue
            if start not in drugs and (text[end : end + 1] != ":" or not clinical(text, token)):
                yield Span(start, end, "OTHER", 0.35, "word in title case that no list knows")


def _opens(text: Text, at: int) -> bool:
    """Whether a sentence, a line or a field begins with a word: then its capital tells nothing."""
    return at == 0 or not _SENTENCE_ENDS.isdisjoint(text.breaks[at])


def _measured(text: Text, at: int) -> bool:
    """Whether a number or a word for a test, a sign or a dose follows: a person has none."""
    if at + 1 == len(text.tokens) or text.gaps[at + 1] != " ":
        return False
    after = text.lowered[at + 1]
    return after in MEDICAL_AFTER or after in _ROMAN or (after.isdigit() and len(after) < 3)


@lru_cache(maxsize=1 << 14)
def _odd(said: str) -> bool:
    """Whether a word is in title case, no list knows it, and its parts are not of the clinic."""
    lower = said.lower()
    if len(lower) < 4 or not said[1:].islower() or lower in words() or not _unknown(said, lower):
        return False
    plainly = plain(lower)
    if (
        plainly in eponym_words()
        or plainly in countries()
        or plainly in PRODUCTS
        or plainly in THINGS
        or plainly in _BEGINNERS
    ):
        return False
    return not clinical(Text(f" {said} "), Token(1, len(said) + 1, lower))  # it heads no field here


def _found(text: Text) -> Iterator[Span]:
    for first, end in _runs(text):
        run = text.tokens[first:end]
        telling = [token for token in run if token.lower not in countries() and not token.lower.isdigit()]
        spoken = text[run[-1].end : run[-1].end + 1] == ":"
        if len(run) == 1 and (_of_medicine(text, run[0]) or _everyday(run[0].lower)):
            continue
        if run[-1].lower in _ROMAN and plain(run[0].lower) in eponym_words():  # a grade
            continue
        if all(text.written[at].isupper() for at in range(first, end)):  # shorthand and headings
            continue
        if telling and (
            sum(len(token.lower) > 1 for token in run) > 1
            or spoken
            or any(_unknown(text.written[at], text.lowered[at]) for at in range(first, end))
        ):
            yield Span(run[0].start, run[-1].end, "ORGANISATION", 0.35, "proper noun in plain text")
            code = _CODE.match(text, run[-1].end)
            if code:
                yield Span(*code.span("code"), "ADDRESS", 0.35, "number after a proper noun in plain text")


def _of_medicine(text: Text, token: Token) -> bool:
    """A product, a language, a word of the clinic, or an eponym with its number or its noun."""
    word = plain(token.lower)
    scored = text[token.end : token.end + 2].strip().isdigit()
    return (
        word in PRODUCTS
        or word in THINGS
        or clinical(text, token)
        or (word in eponym_words() and (scored or not eponym(word)))
    )


def _medical(text: Text) -> bool:
    """Drugs, or several words that only titles of diseases have."""
    known = words()
    return len(text) > _LONG or bool(Drugs().find(text)) or sum(known.get(word) == "c" for word in text.words) > 1


def _runs(text: Text) -> Iterator[tuple[int, int]]:
    """Capitalised words side by side, without words that only begin a sentence or a field."""
    tokens, gaps, past = text.tokens, text.breaks, 0  # no run goes over a line
    capitals = frozenset(text.capitals)
    for first in text.capitals:
        if first < past:
            continue
        end = first + 1
        while end in capitals and gaps[end] in (" ", "-", " & "):
            end += 1
        past = end
        while first < end and (
            tokens[first].lower in _BEGINNERS or (_opens(text, first) and _plain_word(tokens[first].lower))
        ):
            first += 1
        if first < end and (text[tokens[end - 1].end : tokens[end - 1].end + 1] != ":" or _speaks(text, first, end)):
            yield first, end


def _plain_word(lower: str) -> bool:
    """A word of English that nobody is called: at the beginning of a sentence it has its capital from there."""
    return words().get(lower, "9") < "4" and lower not in people()


def _everyday(lower: str) -> bool:
    return words().get(lower, "9") < "3" and lower not in people()


def _speaks(text: Text, first: int, end: int) -> bool:
    """A given name and a colon that begin a line: who speaks, not a field."""
    start = text.tokens[first].start
    begins = start == 0 or text[start - 1] == "\n"
    return begins and end == first + 1 and people().get(text.tokens[first].lower, "s") in "gGbB"


def _unknown(said: str, lower: str) -> bool:
    """A capital and no word of English, or a capital inside."""
    if not said.isalpha() or len(said) < (5 if said.isupper() else 4) or not said[0].isupper():
        return False
    if lower.endswith(_DEMONYMS):  # a language or a people
        return False
    bare = plain(lower)
    return _INNER.search(said) is not None or (bare not in words() and bare.rstrip("s") not in words())
