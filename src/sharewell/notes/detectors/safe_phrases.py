"""Eponyms of medicine that look like names of people: claimed as SAFE, so that nothing else takes them.

They count where the phrase says so: "Parkinson's disease", "Foley catheter", "positive Murphy's sign". Eponyms that
hardly anyone bears as a surname (Babinski, Holter) count by themselves, with less certainty than a title before them
has: "Dr. Holter" stays a name. Other terms of medicine are rules (`rules/clinical-terms.toml`, `rules/measures.toml`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, ClassVar

from sharewell.notes.detectors.things import JOINED_FIRST
from sharewell.notes.engine.gazetteer import plain
from sharewell.notes.engine.lexicons import eponym, eponym_phrases, eponym_words, people, words
from sharewell.notes.engine.spans import SAFE, Span, Text
from sharewell.notes.engine.word_lists import lexicon, listed

if TYPE_CHECKING:
    from sharewell.notes.engine.known_identifiers import Known

_HEADS = lexicon("safe_phrases_heads")
_ALSO_PLACES = listed("surgery point view body bed area line lines position present foot fall table medium port ports")
"""Words of medicine that end names of houses and places too: West Point, Ward bed 19, Texas Surgery Center."""
_BEFORE = listed(
    """
    of the a with for in and no positive negative had has at by from to on is was who or
    """
)
_SINGLE_CERTAINTY = 0.62


class SafePhrases:
    """Finds phrases of medicine that must stay."""

    name: ClassVar[str] = "safe-phrases"

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        return list(_eponyms(Text.of(text)))


@cache
def _specific() -> dict[str, frozenset[str]]:
    """Words that the list of phrases puts right after an eponym."""
    results: dict[str, set[str]] = {}
    for named, phrase in eponym_phrases():
        after = phrase.partition(named.split()[-1])[2].replace("-", " ").split()
        if after:
            results.setdefault(named.split()[-1], set()).add(after[0])
    return {named: frozenset(after) for named, after in results.items()}


def _eponyms(text: Text) -> Iterator[Span]:
    """Eponyms with a head word after them, or rare enough as surnames to count alone."""
    tokens, past = text.tokens, 0
    for at in text.where_plain(eponym_words()):
        if at < past:
            continue
        end = _joined(text, at)
        head = 0 if _of_somebody(text, at) else _head(text, at, end)
        rare = all(eponym(plain(t.lower)) is False or t.lower == "s" for t in tokens[at:end])
        if head:
            yield Span(tokens[at].start, tokens[head - 1].end, SAFE, 0.9, "eponym with its word")
        elif end - at > 1 and _two(text, at, end):
            yield Span(tokens[at].start, tokens[end - 1].end, SAFE, 0.78, "two eponyms joined")
        elif rare:
            yield Span(tokens[at].start, tokens[end - 1].end, SAFE, _SINGLE_CERTAINTY, "eponym by itself")
        past = max(end, head)


def _of_somebody(text: Text, at: int) -> bool:
    """Tyler E. Horton: a given name, perhaps an initial, and then the eponym."""
    before = at - 1
    if before > 0 and len(text.written[before]) == 1 and text.written[before].isupper():
        if text.breaks[at] not in (" ", ". ") or text.breaks[before] != " ":
            return False
        before -= 1
    elif before < 0 or text.breaks[at] != " ":
        return False
    word = text.lowered[before]
    given = people().get(word, "") in ("G", "B") and text.written[before].istitle() and word not in eponym_words()
    return given and words().get(word, "9") > "2" and word not in JOINED_FIRST


def _two(text: Text, at: int, end: int) -> bool:
    """Two eponyms joined by a dash, one of which hardly anyone bears as a surname."""
    said = [plain(token.lower) for token in text.tokens[at:end] if token.lower != "s"]
    dashed = text[text.tokens[at].end : text.tokens[at + 1].start] in ("-", "–")
    return dashed and len(said) > 1 and any(eponym(word) is False for word in said)


def _joined(text: Text, at: int) -> int:
    """After the last of eponyms joined by dashes, blanks, "and" or a possessive."""
    tokens = text.tokens
    end = at + 1
    while end < len(tokens) and end - at < 5:
        between = text[tokens[end - 1].end : tokens[end].start]
        word = plain(tokens[end].lower)
        if not (
            (between in ("-", "–", " ", "/") and word in eponym_words()) or (between in ("'", "’") and word == "s")
        ):
            break
        end += 1
    return end


def _head(text: Text, at: int, end: int) -> int:
    """The place after the head word that follows an eponym, at most two words on; 0 if there is none."""
    tokens = text.tokens
    last = plain(tokens[end - 1].lower)
    name = plain(tokens[end - 2].lower) if last == "s" and end - at > 1 else last
    borne = eponym(name) is not False  # people are called so as well
    for place in range(end, min(end + 3, len(tokens))):
        between = text[tokens[place - 1].end : tokens[place].start]
        if between.strip("'’ -") or "\n" in between:
            return 0
        titled = text.caseless or text.written[place].istitle()
        if tokens[place].lower in _HEADS or tokens[place].lower in _specific().get(name, ()):
            return 0 if borne and titled and tokens[place].lower in _ALSO_PLACES else place + 1
        if tokens[place].lower in _BEFORE or (borne and titled):  # Allen Auto Body, Kings Cross Road Surgery
            return 0
    return 0
