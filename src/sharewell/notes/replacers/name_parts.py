"""The parts of all names in one person's notes: spellings of one part, given names and surnames, initials.

A part is a word of a name, whatever its case and accents. A word that is one letter away from a part is that part if
the person's own row has it, or if the word is in no list of names. Whether a part is a given name or a surname is voted
on by its places in names and by lists; the gender of a given name is that of the lists, else of a title beside it. An
initial stands for the part that it abbreviates beside the same other part: with "Rosa Delgado" in one note, the R in
"R. Delgado" of another is Rosa's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations

from sharewell.io.shipped import shipped_rows, shipped_text
from sharewell.notes.engine.known_identifiers import one_letter_off
from sharewell.notes.replacers.name_words import WrittenName

_SLIP, _LONGEST = 5, 40
"""Shorter and longer words are not taken for others."""
_LISTED = 2
"""How much a list of names weighs beside one place in a name."""
_LIST = 64
"""More different parts than that are a list of people: no initial of it is anybody's in particular."""


@dataclass(frozen=True)
class NameParts:
    """What is known of the parts. `canonical` maps a word to its part."""

    canonical: Mapping[str, str]
    given: frozenset[str]
    genders: Mapping[str, str]
    abbreviations: Mapping[tuple[str, str], str]
    """(part, initial) → the part that this initial stands for beside it."""
    by_initials: Mapping[str, tuple[str, ...]]
    """Initials of a whole name → its parts."""

    @classmethod
    def of(cls, names: Iterable[WrittenName], row_names: Iterable[WrittenName] = ()) -> NameParts:
        """From all names as they are written in the notes, and those of the person's own row."""
        row_names, every = list(row_names), [*names, *row_names]
        counts = Counter(word.plain for name in every for word in name.parts)
        canonical = _canonical(counts, {word.plain for name in row_names for word in name.parts})
        votes: Counter[str] = Counter()
        titles: dict[str, Counter[str]] = {}
        beside_part: dict[tuple[str, str], Counter[str]] = {}
        by_initials: dict[str, Counter[tuple[str, ...]]] = {}
        for name in every:
            ordered = [canonical.get(word.plain, word.plain) for word in name.in_order]
            parts = [part for part in ordered if len(part) > 1]
            for part in parts if len(ordered) > 1 else ():
                votes[part] += -1 if part == parts[-1] and ordered[-1] == part else 1
            if name.titled and len(ordered) == 1 and parts:
                votes[parts[0]] -= 1
            for part in parts if name.gender else ():
                titles.setdefault(part, Counter())[name.gender] += 1
            for part, other, times in _pairs(parts):
                beside_part.setdefault((part, other[0]), Counter())[other] += times
            if len(parts) > 1 and len(parts) == len(ordered):
                by_initials.setdefault("".join(part[0] for part in parts), Counter())[tuple(parts)] += 1
        leaning = {part: votes[part] + _LISTED * name_lists().leaning(part) for part in set(canonical.values())}
        given = frozenset(
            part for part, sum_ in leaning.items() if sum_ > 0 or (not sum_ and part in name_lists().genders)
        )
        genders = {part: name_lists().gender(part) or _first(titles.get(part, Counter())) for part in given}
        return cls(
            canonical,
            given,
            genders,
            {pair: _first(count) for pair, count in beside_part.items()},
            {initials: min(count, key=lambda parts: (-count[parts], parts)) for initials, count in by_initials.items()},
        )

    @property
    def parts(self) -> frozenset[str]:
        return frozenset(self.canonical.values())

    def part(self, word: str) -> str:
        return self.canonical.get(word, word)

    def abbreviated(self, initial: str, others: Iterable[str]) -> str | None:
        """The part that an initial stands for beside these parts."""
        stands_for = (self.abbreviations.get((self.part(other), initial)) for other in others)
        return next((part for part in stands_for if part is not None), None)


@dataclass(frozen=True)
class NameLists:
    """Given names of women and men, and surnames, of the US; the gender of given names of several countries."""

    women: Mapping[str, float]
    men: Mapping[str, float]
    surnames: Mapping[str, float]
    genders: Mapping[str, str]
    """Name in plain lower case → f, m, or nothing where it is both."""

    def leaning(self, part: str) -> int:
        """1 if lists know the word as a given name only, −1 if as a surname only."""
        from sharewell.notes.engine.lexicons import people

        is_given, is_surname = part in self.genders, part.capitalize() in self.surnames
        if is_given != is_surname:
            return 1 if is_given else -1
        return {"g": 1, "s": -1}.get(people().get(part, "").lower(), 0)

    def gender(self, part: str) -> str:
        return self.genders.get(part, "")


@cache
def name_lists() -> NameLists:
    """The shipped lists, read once."""
    shares: dict[str, dict[str, float]] = {"f": {}, "m": {}, "s": {}}
    for row in shipped_rows("names/surrogate_names.csv"):
        shares[row["list"]][row["name"]] = float(row["share"])
    lines = shipped_text("names/given_genders.txt").splitlines()
    genders = {line[1:]: line[0].removeprefix("b") for line in lines}
    return NameLists(shares["f"], shares["m"], shares["s"], genders)


def _pairs(parts: Sequence[str]) -> Iterator[tuple[str, str, int]]:
    """Different parts of one name, two and two, and how often they stand beside each other in it."""
    times = Counter(parts)
    if 1 < len(times) <= _LIST:
        for part, other in permutations(times, 2):
            yield part, other, times[part] * times[other]


def _canonical(counts: Mapping[str, int], row_words: set[str]) -> dict[str, str]:
    """Each word → its part."""
    from sharewell.notes.engine.lexicons import people

    long = sorted((word for word in counts if _SLIP <= len(word) <= _LONGEST), key=lambda word: (-counts[word], word))
    rank = {word: i for i, word in enumerate(long)}
    alike: dict[str, list[str]] = {}
    for word in long:
        for form in _shortened(word):
            alike.setdefault(form, []).append(word)
    listed = people()
    part_of = {word: word for word in counts}
    for word in long:
        if word in row_words:
            continue
        others = {other for form in _shortened(word) for other in alike[form]}
        near = sorted(
            (other_word for other_word in others if other_word[0] == word[0] and one_letter_off(word, other_word)),
            key=rank.__getitem__,
        )
        in_row = [other for other in near if other in row_words]
        better = [other for other in near if other in listed] if word not in listed else []
        part_of[word] = (in_row or better or [word])[0]
    return part_of


def _shortened(word: str) -> set[str]:
    """A word, and the word without one of its letters: two that are one slip apart have one of these in common."""
    return {word, *(word[:i] + word[i + 1 :] for i in range(1, len(word)))}


def _first(counts: Counter[str]) -> str:
    """The most frequent, the first by name on a tie; nothing of nothing."""
    return min(counts, key=lambda entry: (-counts[entry], entry), default="")
