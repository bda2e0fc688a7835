"""The language of a note, by the share of words that hold its sentences together; and when nobody can tell.

Detectors know English. In another language they find little, and a note in which little is found looks clean. So a note
is taken for English unless something speaks against it: letters of another script, stop words of another language, a
quarter of the note in another language, or long words of which English knows hardly any. Nor is a note English of which
a single part (a sentence, a line, some words in a row) is not: two words or more that only another language has, stop
words or words of the sick-room, and fewer of English; or small words of which English knows hardly any. Such a note is
not judged clean; whoever releases notes withholds it and counts it.

A telegram is no foreign tongue. Abbreviations, numbers and words below five letters are no evidence at all ("Pt s/p
CABG POD2, afeb, VSS"), nor are names, streets and drugs, so that short notes, vital signs, addresses abroad and lists
of numbers pass, and so does what is quoted in three words or fewer. Only where there are eight long words and English
stop words are missing must English know most of the long words.

>>> judge("Der Patient wurde gestern mit Schmerzen in der Brust aufgenommen und ist nun stabil.").language
'de'
>>> english("BP 120/80 HR 72 afeb, d/c home"), english("Пациент поступил вчера с болью в груди")
(True, False)
>>> english("Fièvre, toux, dyspnée"), english("Seen today and doing well. Refiere dolor desde ayer. Will call again.")
(False, False)

What it does not do: tell apart languages that share their stop words, find single foreign words, or tell words of a
language that is not listed from names where nothing is capitalised, or everything.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from sharewell.io.shipped import shipped_text
from sharewell.notes.engine.gazetteer import plain
from sharewell.notes.engine.lexicons import people, words
from sharewell.notes.engine.word_lists import STOP_WORDS, listed

ENGLISH = "en"
_PARTICLES = listed(
    "al am com da das de degli dei del della den der des di do dos du e el en et het i im la las le les los san sig"
    " ten ter und van von vom y zu zum zur"
)
"""Names, streets and prescriptions have them, whatever the language around."""
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
_WORD = re.compile(r"[^\W\d_]+")
_WINDOW = 14
_FEWEST = 8
"""So many words at least are needed for a judgement."""
_SOME = 0.14
"""A share of stop words that a text of running words reaches, and a list of words does not."""
_LONG = 8
"""So many long words at least, if English is denied for want of known ones."""
_MIXED = 0.25
"""More of a note than that in another language: it is mixed."""
_KNOWN = 0.4
"""Without stop words, English must know that share of the long words."""
_LETTERS = 60
"""Few words of many letters are no words."""
_MOST = 400
"""So many windows are looked at; of a longer note every second, third, …"""
_PART = re.compile(r"(?<=[.!?;:])\s+|[\n|]+")
_ASIDE = re.compile(
    r"[\w.+-]{1,64}@\S+|\b(?:https?:|www\.)\S+|[\"“„«]\s?\w{1,30}(?:[ ,]{1,3}\w{1,30}){0,2}[.,!?]?\s?[\"”“»]"
)
"""E-mail and web addresses, and what is quoted in three words or fewer."""
_MADE = re.compile(
    r"(?:[aeo]mia|[aeo]sis|algia|ectomy|ed|emic|gram|graphy|ic|ing|ism|itis|ly|megaly|ness|oma|[oi]nal"
    r"|otomy|ous|pathy|penia|plasty|scopy|stomy|tion|uria|us|um|ae|ii|is)s?$"
)
"""Endings of words that English or medical Latin makes anew, so that no list holds all of them."""
_UNREAD = 20
"""More letters than that of another script, capitalised words aside, are no mere name."""
_CAPITALS = 0.04
"""So many words of a note have a capital where its writer uses them; then small words are no names."""


class LanguageJudgement(NamedTuple):
    """A language as a code of two letters, or None; the share of its stop words; how many words were judged."""

    language: str | None
    share: float
    tokens: int


def english(text: str) -> bool:
    """Whether a note may be treated as English. False: withhold it."""
    return judge(text).language == ENGLISH


def judge(text: str) -> LanguageJudgement:
    """The language of a text. None: another script, a mixture, or nothing that speaks for any language known here."""
    composed = _composed(text)
    written = _WORD.findall(composed)
    lowered = [word.lower() for word in written]
    if foreign_script(lowered):
        return LanguageJudgement(None, 0.0, len(lowered))
    judged = _as_one(lowered)
    return (
        judged._replace(language=None) if judged.language == ENGLISH and _part_abroad(composed, {*written}) else judged
    )


def mostly_english(text: str) -> bool:
    """Whether most of a text is: a part in another language, which makes a note not English, is let pass."""
    lowered = [word.lower() for word in _WORD.findall(_composed(text))]
    return not foreign_script(lowered) and _as_one(lowered).language == ENGLISH


_VOCABULARY = 5
"""So many different words must tell another language, where texts are too short to be judged one by one."""


def _as_one(lowered: Sequence[str]) -> LanguageJudgement:
    """The judgement over all words of a note."""
    counted = [word for word in lowered if len(word) > 1]
    if len(counted) < _FEWEST:
        letters = sum(map(len, counted))
        unknown = [word for word in counted if len(word) > 4 and not _known(word)]
        if letters > _LETTERS and len(unknown) > len(counted) / 2:
            return LanguageJudgement(None, 0.0, len(counted))
        best, share = _best(counted)
        strange = best != ENGLISH and share >= 0.3 and len(unknown) * 2 >= len(counted) > 2
        return LanguageJudgement(best if strange else ENGLISH, share, len(counted))
    language, share = _whole(counted)
    return LanguageJudgement(language, share, len(counted))


def _whole(counted: Sequence[str]) -> tuple[str | None, float]:
    """The judgement over windows of some words each."""
    step = _WINDOW // 2  # they overlap, so that a change of language falls on the edge of one
    last = max(0, len(counted) - _WINDOW)
    starts = sorted({*range(0, last, step), last})
    judged = [_window(counted[start : start + _WINDOW]) for start in starts[:: len(starts) // _MOST + 1]]
    foreign = sum(language != ENGLISH for language, _ in judged) / len(judged)
    if foreign < _MIXED:
        return ENGLISH, sum(share for _, share in judged) / len(judged)
    language, share = _best(counted)
    return (language if foreign >= 1 - _MIXED and language != ENGLISH and share >= _SOME else None), share


def _window(window: Sequence[str]) -> tuple[str | None, float]:
    """English unless stop words of another language prevail, or English knows hardly a long word."""
    counts: dict[str, int] = {}
    table = _languages()
    for word in window:
        for language in table.get(word, ()):
            counts[language] = counts.get(language, 0) + 1
    most = counts.get(ENGLISH, 0)
    if most and most == max(counts.values()) and most / len(window) >= _SOME:  # so nearly always
        return ENGLISH, most / len(window)
    shares = _shares(window)
    english_share = shares[ENGLISH]
    language = max(shares, key=lambda key: (shares[key], key == ENGLISH))
    share = shares[language]
    if language == ENGLISH and english_share >= _SOME:
        return ENGLISH, english_share
    strange = _strange(window)
    several = sum(language in _languages()[word] for word in {*window} & _languages().keys())
    enough = several >= (2 if strange > 1 - _KNOWN else 3)  # an address abroad has one or two of them
    if language != ENGLISH and enough and share >= _SOME and share > 1.25 * english_share and strange > 0.3:
        return language, share
    if english_share < _SOME and len([word for word in window if len(word) > 4]) >= _LONG and strange > 1 - _KNOWN:
        return None, english_share
    return ENGLISH, english_share


def _part_abroad(text: str, written: set[str]) -> bool:
    """Is a sentence, a line, or are some words in a row of another language?"""
    marked = {word for word in written if word.lower() in _marks()}
    odd = marked | {word for word in written if word.islower() and _odd(word)}
    unread = {word for word in written if not _latin(word[0]) and not word[0].isupper()}
    if len(odd) < 3 and not marked and not unread:
        return False
    parts = [_WORD.findall(part) for part in _PART.split(_ASIDE.sub(" ", text))]
    words = [word for part in parts for word in part]
    small = sum(word[0].isupper() and not word.isupper() for word in words) >= _CAPITALS * len(words)
    rows = (words[start : start + _WINDOW] for start in range(0, max(1, len(words) - _WINDOW // 2), _WINDOW // 2))
    if unread and any(sum(_weight(word) for word in part if word in unread) > _UNREAD for part in parts):
        return True
    worth = (part for part in (*parts, *rows) if len(part) > 2 and _worth_a_look(odd.intersection(part), marked))
    return any(_abroad(part, small) for part in worth)


def _weight(word: str) -> int:
    """Letters; syllables and ideographs count twice."""
    return len(word) * (2 if "\u3040" <= word[0] <= "\ud7a3" else 1)


def _worth_a_look(odd: set[str], marked: set[str]) -> bool:
    """Hardly any part of an English note is: only the others are judged, so that it takes little time."""
    return len(odd) > 2 or not odd.isdisjoint(marked)


def _abroad(part: Sequence[str], small: bool) -> bool:
    """Is a part of another language? small: words without a capital are no names."""
    lower = [word.lower() for word in part]
    loud = all(map(str.isupper, part))
    plainly = {low for word, low in zip(part, lower, strict=True) if loud or word[0].islower()}
    unknown = {word for word in plainly if small and not loud and _odd(word)}
    by_language = _telling_words({*lower}, plainly)
    table = _languages()
    english_words = [word for word in lower if ENGLISH in table.get(word, ())]
    least = len(english_words)
    for language, marks in by_language.items():
        english_only = sum(language not in table[word] for word in english_words)
        both = marks | {word for word in plainly if _holds(word, language)}
        if len(marks) > max(1, english_only) or len(both) > max(2, english_only):
            return True
        if not english_only and len(both) > 1 and unknown - marks:
            return True
        least = min(least, english_only)
    unknown |= {word for marks in by_language.values() for word in marks if not _worded(word)}
    most = len(unknown) > 0.6 * len([word for word in plainly if len(word) > 4]) and least <= len(unknown) / 4
    return most and len(unknown) >= (3 if by_language or not all(map(str.isascii, unknown)) else 4)


def _holds(word: str, language: str) -> bool:
    """Is it a stop word of a language, and no more of English than of names?"""
    languages = _languages().get(word, ())
    return language in languages and ENGLISH not in languages and len(word) > 1 and word not in _PARTICLES


def _telling_words(lowered: set[str], plainly: set[str]) -> dict[str, set[str]]:
    """Language → words that only it has. A capital makes a name of a stop word, not of a symptom."""
    by_language: dict[str, set[str]] = {}
    for word in lowered & _marks().keys():
        for language, ill in _marks()[word]:
            if ill or word in plainly:
                by_language.setdefault(language, set()).add(word)
    return by_language


@lru_cache(maxsize=1 << 14)
def _odd(word: str) -> bool:
    """A longer word that English does not know, nor a list of drugs, and not made of English or Latin pieces."""
    return len(word) > 4 and not _worded(word) and not (word.isascii() and _MADE.search(word[-8:]))


@cache
def _marks() -> dict[str, tuple[tuple[str, bool], ...]]:
    """Words that tell a language, English and names apart → (language, whether it is a word of the sick-room)."""
    by_word: dict[str, dict[str, bool]] = {}
    for language, stop_words in _shipped_words("stop").items():
        for word in stop_words:
            if len(word) > 2 and word not in _PARTICLES and word not in STOP_WORDS and not _worded(word):
                by_word.setdefault(word, {})[language] = False
    for language, of_illness in _shipped_words("ill").items():
        for word in of_illness:
            for spelt in {word, plain(word), word.translate(_UMLAUTS)}:
                if word == "dolor" or not _ours(spelt):
                    by_word.setdefault(spelt, {})[language] = True
    return {word: tuple(languages.items()) for word, languages in by_word.items()}


def _ours(word: str) -> bool:
    """Is it a word of English as well, or a name? Accents tell a word apart from its English twin."""
    return word in STOP_WORDS or (word.isascii() and _known(word))


def _best(lowered: Sequence[str]) -> tuple[str, float]:
    """The language with the largest share of stop words; English on a tie."""
    shares = _shares(lowered)
    language = max(shares, key=lambda key: (shares[key], key == ENGLISH))
    return language, shares[language]


def _shares(lowered: Sequence[str]) -> dict[str, float]:
    """The share of stop words of each language."""
    counts = dict.fromkeys((ENGLISH, *_shipped_words("stop")), 0)
    table = _languages()
    for word in lowered:
        for language in table.get(word, ()):
            counts[language] += 1
    return {language: count / max(1, len(lowered)) for language, count in counts.items()}


def _strange(window: Sequence[str]) -> float:
    """The share of longer words that neither English nor a list of names knows."""
    long = [word for word in window if len(word) > 4]
    return sum(not _known(word) for word in long) / len(long) if long else 1.0


@lru_cache(maxsize=1 << 14)  # bounded: notes stream in constant memory
def _known(word: str) -> bool:
    return _worded(word) or people().get(plain(word), "").isupper()


def _worded(word: str) -> bool:
    """Is it a word of English or of the clinic, or a drug?"""
    from sharewell.notes.engine.drug_lexicon import lexicon

    bare = plain(word)
    return bare in words() or (bare.endswith("s") and bare[:-1] in words()) or bare in lexicon().terms


def foreign_script(lowered: Sequence[str]) -> bool:
    """More than three tenths of the letters are of no Latin alphabet."""
    letters = sum(map(len, lowered))
    if not letters or all(map(str.isascii, lowered)):
        return False
    odd = sum(not _latin(letter) for word in lowered if not word.isascii() for letter in word)
    return odd > 0.3 * letters and odd > 3


@cache
def _latin(letter: str) -> bool:
    return letter.isascii() or "LATIN" in unicodedata.name(letter, "")


def words_of(text: str) -> list[str]:
    """The words of a text, in lower case, accents in one piece with their letters."""
    return [word.lower() for word in _WORD.findall(_composed(text))]


def telling_words() -> dict[str, frozenset[str]]:
    """Language → its stop words and its words of the sick-room, but for English."""
    ill = _shipped_words("ill")
    return {language: words | ill.get(language, frozenset()) for language, words in _shipped_words("stop").items()}


def foreign_vocabulary(texts: Iterable[str]) -> bool:
    """Do the different words of many texts tell another language? However often each occurs: remarks recur.

    >>> foreign_vocabulary(["Toux depuis trois jours.", "Pas de plainte.", "Contrôle dans deux semaines."])
    True
    >>> foreign_vocabulary(["Cough for three days.", "No complaints.", "Sra. de la Cruz, check in two weeks."])
    False
    """
    words = {word for text in texts for word in words_of(text)}
    ours = len(words & STOP_WORDS)
    return any(len(words & telling - STOP_WORDS) > max(ours, _VOCABULARY - 1) for telling in telling_words().values())


def _composed(text: str) -> str:
    """Accents in one piece with their letters, so that words stay whole."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


@cache
def _languages() -> dict[str, tuple[str, ...]]:
    """Stop word → the languages that have it."""
    lists = {ENGLISH: STOP_WORDS, **_shipped_words("stop")}
    every = frozenset[str]().union(*lists.values())
    return {word: tuple(language for language, known in lists.items() if word in known) for word in every}


@cache
def _shipped_words(sort: str) -> dict[str, frozenset[str]]:
    """Language → its most frequent words that hold sentences together (`stop`), or words of the sick-room and the
    family by which a telegram is told (`ill`), none of which is a title or a street."""
    lines = (line.split(": ") for line in shipped_text("notes/languages.txt").splitlines())
    return {head.split()[0]: frozenset(words.split()) for head, words in lines if head.endswith(f" {sort}")}
