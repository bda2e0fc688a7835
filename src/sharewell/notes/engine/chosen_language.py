"""Which of the languages that a policy allows a note is written in; a note in another one is withheld.

The evidence is words: those that hold sentences together, and those of the sick-room and the family, of seventeen
languages (`data/notes/languages.txt`). A note is of the allowed language that has most of them, unless one that is not
allowed has more, in the whole note or in a dozen words of it. Where hardly any such word stands (a list, a telegram),
the pack must know some of the longer words. English is judged by `language.english`, which asks for more.

>>> chosen_language("Der Patient wurde gestern entlassen und ist stabil.", ("german",))
'german'
>>> chosen_language("Le patient est sorti hier et il va bien.", ("german", "spanish")) is None
True
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from sharewell.notes.engine.language import ENGLISH, english, foreign_script, telling_words, words_of
from sharewell.notes.engine.word_lists import STOP_WORDS, lexicon

_WINDOW, _STEP = 14, 7
_FEW = 12
"""A note of fewer words may be a list of names and numbers."""
_SOME = 0.05
"""The share of telling words that running text reaches."""
_FOREIGN = 3
"""So many different words of another language in a dozen are no quotation."""
_KNOWN, _LONG = 0.2, 5
"""Without telling words, the pack must know that share of the words of so many letters."""


def chosen_language(text: str, allowed: Sequence[str]) -> str | None:
    """The name of the allowed language that a note is in; None: withhold it."""
    if tuple(allowed) == ("english",):
        return "english" if english(text) else None
    lowered = words_of(text)
    if foreign_script(lowered):
        return None
    codes = {_code(name): name for name in allowed}
    counts = _counts(lowered, codes)
    scores = {code: counts[code] + _pack_hits(lowered, code) / 2 for code in codes}
    best = max(codes, key=lambda code: scores[code])
    others = max((count for code, count in counts.items() if code not in codes), default=0)
    if others > scores[best] or _elsewhere(lowered, codes):
        return None
    if ENGLISH in codes and scores[ENGLISH] >= scores[best] and english(text):
        return "english"
    if best == ENGLISH:
        return None
    return codes[best] if _speaks(lowered, best, counts[best]) else None


def _code(name: str) -> str:
    from sharewell.notes.matcher.language_packs import language_packs

    return ENGLISH if name == "english" else language_packs()[name].code


def _counts(lowered: Sequence[str], codes: Mapping[str, str]) -> dict[str, int]:
    """Language → how many words of the note tell it."""
    counts = dict.fromkeys((*_telling(), *codes), 0)
    for word in lowered:
        for code in _by_word().get(word, ()):
            counts[code] += 1
    return counts


def _elsewhere(lowered: Sequence[str], codes: Mapping[str, str]) -> bool:
    """Do a dozen words in a row tell another language more than any that is allowed?"""
    table = _by_word()
    for start in range(0, max(1, len(lowered) - _STEP), _STEP):
        window = lowered[start : start + _WINDOW]
        ours = sum(not codes.keys().isdisjoint(table.get(word, ())) for word in window)
        foreign: dict[str, set[str]] = {}
        for word in window:
            languages = table.get(word, ())
            for code in languages if codes.keys().isdisjoint(languages) else ():
                foreign.setdefault(code, set()).add(word)
        if any(len(words) >= _FOREIGN and len(words) > ours for words in foreign.values()):
            return True
    return False


def _speaks(lowered: Sequence[str], code: str, count: int) -> bool:
    """Enough words of the language, or a short list, or words that its pack knows."""
    if count >= max(1, _SOME * len(lowered)):
        return True
    long = [word for word in lowered if len(word) >= _LONG]
    known = sum(word in _pack_words(code) for word in long)
    return known >= _KNOWN * len(long) if long else len(lowered) < _FEW


def _pack_hits(lowered: Sequence[str], code: str) -> int:
    """Longer words that the pack lists as words of its language."""
    if code == ENGLISH:
        return 0
    listed = lexicon(f"{code}_words")
    return sum(len(word) >= _LONG and word in listed for word in lowered)


@cache
def _pack_words(code: str) -> frozenset[str]:
    return frozenset[str]().union(*(lexicon(f"{code}_{name}") for name in ("words", "given", "surnames", "places")))


@cache
def _telling() -> dict[str, frozenset[str]]:
    return {ENGLISH: STOP_WORDS, **telling_words()}


@cache
def _by_word() -> dict[str, tuple[str, ...]]:
    """Word → the languages that it tells."""
    by_word: dict[str, list[str]] = {}
    for code, words in _telling().items():
        for word in words:
            by_word.setdefault(word, []).append(code)
    return {word: tuple(codes) for word, codes in by_word.items()}
