"""Lists of words: `notes/lexicons`, short ones that several modules share, and how such a list is written in code."""

from __future__ import annotations

from functools import cache

from sharewell.io.shipped import package_files, package_text, shipped_text


def listed(text: str) -> frozenset[str]:
    """The words of a text, as a set.

    >>> sorted(listed("of the and"))
    ['and', 'of', 'the']
    """
    return frozenset(text.split())


@cache
def lexicon(name: str) -> frozenset[str]:
    """The words of notes/lexicons/NAME.txt, one or several a line; lines that begin with # say where they are from."""
    lines = package_text(lexicon_files()[name]).splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


@cache
def lexicon_files() -> dict[str, str]:
    """Name → file of every lexicon; that of a language pack has the language in front (`de_women`)."""
    files = [*package_files("notes/lexicons", ".txt"), *package_files("notes/lexicons", ".txt.gz")]
    packs = [*package_files("notes/languages", ".txt"), *package_files("notes/languages", ".txt.gz")]
    own = {"_".join(file.partition(".")[0].split("/")[-2:]): file for file in packs}
    return {file.rpartition("/")[2].partition(".")[0]: file for file in files} | own


TITLES = listed("dr mr mrs ms miss prof")
"""Titles before names that detectors, replacers and features share; a rule adds the ranks and callings that it needs.
Criteria have lists of their own: a judge that took its words from here would miss what the detectors miss."""
STOP_WORDS = listed(shipped_text("notes/stop_words.txt"))
"""Words that hold English sentences together and tell nothing by themselves, in lower case."""
CONTRACTIONS = listed("s t d ll re ve m didn doesn don isn wasn weren hasn haven hadn won wouldn couldn shouldn aren")
"""Pieces of "don't" and "she'll": tokens end at the apostrophe."""
