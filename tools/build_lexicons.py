"""Build the word and name lists that detectors of names in notes look words up in.

`data/names/people.txt.gz`: names of people, lower case without accents, after a mark: `g` given name, `s` surname,
`b` both; capital letters G, S, B for the frequent ones. From the 2010 census table in this repository and the Python
packages `names` (1990 census, MIT) and `faker` (MIT, all its languages in Latin letters).
`data/words.txt.gz`: words of English after a mark: 1 everyday, 2 common, 3 known, 4 rare, c only in titles of the ICD.
From SCOWL (Debian package scowl, unpacked: its folder of lists is the argument) and the titles in this repository.
`data/names/letters.txt.gz`: how much more often three letters in a row stand in names than in words, in tenths of bits.
Run: python tools/build_lexicons.py FOLDER
"""

from __future__ import annotations

import csv
import gzip
import importlib
import math
import pkgutil
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

DATA = Path(__file__).parents[1] / "src" / "sharewell" / "data"
LEVELS = {10: "1", 20: "1", 35: "2", 40: "3", 50: "3", 55: "4", 60: "4", 70: "4"}
FREQUENT_GIVEN = 500
FREQUENT_SURNAME = 20_000
OTHER_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ß": "ss", "æ": "ae", "œ": "oe", "ı": "i", "ð": "d", "þ": "th"}
)


def plain(name: str) -> str:
    bare = "".join(c for c in unicodedata.normalize("NFKD", name.casefold()) if not unicodedata.combining(c))
    return bare.translate(OTHER_LETTERS)


def parts(names: Iterable[str]) -> set[str]:
    """The words of names, in plain letters, two letters and more."""
    found = {part for name in names for part in re.findall(r"[^\W\d_]+", plain(name))}
    return {part for part in found if part.isascii() and len(part) > 1}


def faker_names(only: str = "") -> tuple[set[str], set[str]]:
    import faker.providers.person as home

    given: set[str] = set()
    surnames: set[str] = set()
    for module in pkgutil.iter_modules(home.__path__):
        if only and module.name != only:
            continue
        provider = importlib.import_module(f"faker.providers.person.{module.name}").Provider
        for name in dir(provider):
            held = getattr(provider, name)
            if isinstance(held, tuple | list | dict):
                values = [value for value in held if isinstance(value, str)]
                if "first" in name:
                    given |= parts(values)
                elif "last" in name and "name" in name:
                    surnames |= parts(values)
    return given, surnames


def census_1990() -> tuple[set[str], set[str], set[str]]:
    """Given names, the frequent ones among them, surnames."""
    import names  # type: ignore[import-untyped]

    home = Path(names.__file__).parent
    ranked = {kind: [line.split()[0] for line in (home / f"dist.{kind}").read_text().splitlines()] for kind in
              ("female.first", "male.first", "all.last")}  # fmt: skip
    given = ranked["female.first"], ranked["male.first"]
    return (
        parts(given[0] + given[1]),
        parts(given[0][:FREQUENT_GIVEN] + given[1][:FREQUENT_GIVEN]),
        parts(ranked["all.last"]),
    )


def people() -> dict[str, str]:
    given, surnames = faker_names()
    frequent_given, frequent_surnames = faker_names("en_US")
    older, often, older_surnames = census_1990()
    given |= older
    frequent_given |= often
    surnames |= older_surnames
    with gzip.open(DATA / "names" / "surnames_2010.csv.gz", "rt") as file:
        frequent_surnames |= parts(
            row["surname"] for row in csv.DictReader(file) if int(row["rank"]) <= FREQUENT_SURNAME
        )
    surnames |= frequent_surnames
    given |= frequent_given
    marks = {}
    for name in given | surnames:
        mark = "b" if name in given and name in surnames else "g" if name in given else "s"
        marks[name] = mark.upper() if name in frequent_given or name in frequent_surnames else mark
    return marks


def words(scowl: Path) -> dict[str, str]:
    marks: dict[str, str] = {}
    for title in ("icd10cm_titles.txt.gz", "icd9cm_titles.txt.gz"):
        text = gzip.decompress((DATA / title).read_bytes()).decode()
        marks |= dict.fromkeys(re.findall(r"(?<![A-Za-z'])[a-z]{3,}(?![A-Za-z'])", text), "c")
    for level in sorted(LEVELS, reverse=True):
        for kind in ("english-words", "american-words", "british-words"):
            path = scowl / f"{kind}.{level}"
            found = path.read_text("latin-1").split() if path.exists() else []
            marks |= {word: LEVELS[level] for word in found if re.fullmatch(r"[a-z]{2,}", word)}
    return marks


def letters(names: Iterable[str], plain_words: Iterable[str]) -> dict[str, int]:
    """Three letters → tenths of a bit that speak for a name; `^` and `$` are the ends of a word."""
    counts = []
    for side in (names, plain_words):
        count: Counter[str] = Counter()
        for word in side:
            framed = f"^{word}$"
            count.update(framed[i : i + 3] for i in range(len(framed) - 2))
        counts.append(count)
    totals = [sum(count.values()) for count in counts]
    bits = {}
    for triple in counts[0] | counts[1]:
        if counts[0][triple] + counts[1][triple] >= 8:
            shares = [(count[triple] + 1) / (total + 10_000) for count, total in zip(counts, totals, strict=True)]
            bits[triple] = round(10 * math.log2(shares[0] / shares[1]))
    return {triple: bit for triple, bit in bits.items() if bit}


def write(name: str, lines: Iterable[str]) -> None:
    with gzip.GzipFile(DATA / name, "wb", compresslevel=9, mtime=0) as file:
        file.write("\n".join(lines).encode() + b"\n")


def main(scowl: Path) -> None:
    persons, vocabulary = people(), words(scowl)
    write("names/people.txt.gz", (persons[name] + name for name in sorted(persons)))
    write("words.txt.gz", (vocabulary[word] + word for word in sorted(vocabulary)))
    only = sorted(name for name, mark in persons.items() if name not in vocabulary)
    bits = letters(only, (word for word in vocabulary if word not in persons))
    write("names/letters.txt.gz", (f"{triple}{bits[triple]}" for triple in sorted(bits)))
    sys.stdout.write(f"{len(persons)} names, {len(vocabulary)} words, {len(bits)} triples\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
