"""Lists of words and names, loaded once when asked for: names of people, words of English and of the clinic, eponyms.

Everything is in lower case and without accents; look a word up as `plain(word.lower())`. A word in a list of names is
weak evidence: Brown, Rose and Hunt are words, Parkinson is a disease. Where a name is in no list, its letters still
tell: `nameness` adds how much more often each three letters in a row stand in names than in words.
"""

from __future__ import annotations

from functools import cache

from sharewell.io.shipped import shipped_marks, shipped_rows, shipped_text

FREQUENT_EPONYM = 1500
"""Eponyms borne by more people than that rank are names unless the phrase says otherwise: Johnson, Wilson, Turner."""


@cache
def people() -> dict[str, str]:
    """Name → g given, s surname, b both; in capitals if frequent in the US."""
    marks = shipped_marks("names/people.txt.gz")
    known = words()
    for name in shipped_text("names/more_given.txt").split():
        if name not in known:  # a word stays as doubtful as it was
            marks[name] = "B" if marks.get(name, "g") in "sSbB" else "G"
        elif known[name] == "4":
            marks.setdefault(name, "g")
    return marks


@cache
def words() -> dict[str, str]:
    """Word → 1 everyday, 2 common, 3 known, 4 rare, c only in titles of the classification of diseases."""
    return shipped_marks("words.txt.gz")


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


@cache
def eponyms() -> dict[str, bool]:
    """Words of medical eponyms → whether they may stand for a person by themselves, being frequent as surnames."""
    may_be_person: dict[str, bool] = {}
    parts_of_phrases: list[str] = []
    for row in shipped_rows("names/medical_eponyms.csv.gz"):
        rank = int(row["surname_rank_2010"] or 10**6)
        frequent = rank <= (
            FREQUENT_EPONYM if row["kind"] in ("disease", "anatomy", "procedure") else FREQUENT_EPONYM // 4
        )
        if " " in row["eponym"]:
            parts_of_phrases += row["eponym"].lower().split()
        else:
            may_be_person[row["eponym"].lower()] = may_be_person.get(row["eponym"].lower(), True) and frequent
    for word in (*parts_of_phrases, *shipped_text("names/more_eponyms.txt").split()):
        may_be_person.setdefault(word, people().get(word, "").isupper() or word in words())
    return may_be_person


@cache
def eponym_words() -> frozenset[str]:
    return frozenset(eponyms())


@cache
def eponym_phrases() -> tuple[tuple[str, str], ...]:
    """(eponym, phrase) as the list writes them, in lower case."""
    return tuple((row["eponym"].lower(), row["phrase"].lower()) for row in shipped_rows("names/medical_eponyms.csv.gz"))
