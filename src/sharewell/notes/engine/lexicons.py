"""Lists of words and names, loaded once when asked for: names of people, words of English and of the clinic, eponyms.

Everything is in lower case and without accents; look a word up as `plain(word.lower())`. A word in a list of names is
weak evidence: Brown, Rose and Hunt are words, Parkinson is a disease. Where a name is in no list, its letters still
tell: `nameness` adds how much more often each three letters in a row stand in names than in words.
"""

from __future__ import annotations

from functools import cache, lru_cache

from sharewell.io.shipped import shipped_rows, shipped_text
from sharewell.notes.engine.sorted_marks import SortedMarks

FREQUENT_EPONYM = 1500
"""Eponyms borne by more people than that rank are names unless the phrase says otherwise: Johnson, Wilson, Turner."""


@cache
def people() -> SortedMarks:
    """Name → g given, s surname, b both; in capitals if frequent in the US."""
    return SortedMarks.shipped("names/people.txt.gz", shipped_text("names/more_given.txt").split(), _given_too)


def _given_too(name: str, mark: str) -> str:
    """The mark of a name that the list of further given names has; a word stays as doubtful as it was."""
    rarity = words().get(name)
    if rarity is None:
        return "B" if (mark or "g") in "sSbB" else "G"
    return mark or ("g" if rarity == "4" else "")


@cache
def words() -> SortedMarks:
    """Word → 1 everyday, 2 common, 3 known, 4 rare, c only in titles of the classification of diseases."""
    return SortedMarks.shipped("words.txt.gz")


@cache
def letters() -> dict[str, int]:
    """Three letters in a row (`^` and `$` are the ends of a word) → tenths of a bit for a name."""
    return {line[:3]: int(line[3:]) for line in shipped_text("names/letters.txt.gz").splitlines()}


def nameness(word: str) -> int:
    """Tenths of a bit by which the letters of a word speak for a name rather than for a word.

    >>> nameness("borkowski") > 100, nameness("acticoat") < -100
    (True, True)
    """
    table, framed = letters(), f"^{word}$"
    return sum([table.get(framed[i : i + 3], 0) for i in range(len(framed) - 2)])


@lru_cache(maxsize=1 << 12)
def eponym(word: str) -> bool | None:
    """Whether a word of a medical eponym may stand for a person by itself, being frequent as a surname; None: it is
    none."""
    if word not in eponym_words():
        return None
    given = _ranked_eponyms()[0].get(word)
    return given if given is not None else people().get(word, "").isupper() or word in words()


@cache
def eponym_words() -> frozenset[str]:
    return frozenset((*_ranked_eponyms()[0], *_ranked_eponyms()[1], *shipped_text("names/more_eponyms.txt").split()))


@cache
def _ranked_eponyms() -> tuple[dict[str, bool], list[str]]:
    """Eponyms of one word → whether they are frequent as surnames, and the words of the others."""
    frequent: dict[str, bool] = {}
    parts_of_phrases: list[str] = []
    for row in shipped_rows("names/medical_eponyms.csv.gz"):
        rank = int(row["surname_rank_2010"] or 10**6)
        lowest = FREQUENT_EPONYM if row["kind"] in ("disease", "anatomy", "procedure") else FREQUENT_EPONYM // 4
        word = row["eponym"].lower()
        if " " in word:
            parts_of_phrases += word.split()
        else:
            frequent[word] = frequent.get(word, True) and rank <= lowest
    return frequent, parts_of_phrases


@cache
def eponym_phrases() -> tuple[tuple[str, str], ...]:
    """(eponym, phrase) as the list writes them, in lower case."""
    return tuple((row["eponym"].lower(), row["phrase"].lower()) for row in shipped_rows("names/medical_eponyms.csv.gz"))
