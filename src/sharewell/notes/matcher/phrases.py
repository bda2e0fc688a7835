"""Phrases of gazetteers and lexicons in a note: the longest that begins at each word."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from typing import cast

from sharewell.notes.engine.gazetteer import places, plain, state_names
from sharewell.notes.engine.spans import Text
from sharewell.notes.engine.word_lists import lexicon

_JOINTS = frozenset((" ", "-", ". ", "'", "’", "&", " & "))


@dataclass(frozen=True, eq=False)
class Phrases:
    """Phrases as words joined by blanks, and how many words the longest has that begins with a word (0: none does)."""

    all: AbstractSet[str]
    has: Callable[[str], object]
    """Whether something is one of them."""
    longest: Callable[[str], int]
    firsts: AbstractSet[str]

    @classmethod
    def of(cls, phrases: Iterable[str]) -> Phrases:
        every, longest = frozenset(phrases), dict[str, int]()
        for phrase in every:
            first = phrase.partition(" ")[0]
            longest[first] = max(longest.get(first, 0), phrase.count(" ") + 1)
        return cls(every, every.__contains__, lambda first: longest.get(first, 0), frozenset(longest))

    def within(self, text: Text, seen: str = "") -> Iterator[tuple[int, int]]:
        """Where phrases are, from character to character; they do not overlap. `seen`: what must have a capital."""
        tokens, lowered, gaps, past, ascii_only = text.tokens, text.lowered, text.gaps, 0, text.isascii()
        has, longest = self.has, self.longest
        if self not in text.beginnings:
            text.beginnings[self] = text.where_plain(self.firsts)
        for at in text.beginnings[self]:
            if at < past or (seen and not seen[tokens[at][0]].isupper()):
                continue
            phrase = lowered[at] if ascii_only else plain(lowered[at])
            end, until = at + 1, min(at + longest(phrase), len(gaps))
            if has(phrase):
                past = end
            while end < until and gaps[end] in _JOINTS:
                phrase += " " + (lowered[end] if ascii_only else plain(lowered[end]))
                end += 1
                if has(phrase):
                    past = end
            if past > at:
                yield tokens[at].start, tokens[past - 1].end


class _FirstWords(AbstractSet[str]):
    """The words that places begin with: each is looked up when it is asked for, nobody goes through all."""

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and places().most_words(word) > 0

    def __and__(self, others: Iterable[object]) -> AbstractSet[str]:
        return set(filter(places().most_words, cast("Iterable[str]", others)))

    __rand__ = __and__

    def __iter__(self) -> Iterator[str]:
        return iter({name.partition(" ")[0]: None for name in places()})

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _cities() -> Phrases:
    """All places: their list knows how long they are."""
    return Phrases(places().keys(), places().mark, places().most_words, _FirstWords())


GAZETTEERS: Mapping[str, Callable[[], Phrases]] = {
    "cities": _cities,
    "large_cities": lambda: Phrases.of(places().marked("*")),
    "states": lambda: Phrases.of(state_names()),
}
"""Lists of places that a rule may name beside the lexicons."""


@cache
def phrases(name: str) -> Phrases:
    if name in GAZETTEERS:
        return GAZETTEERS[name]()
    return Phrases.of(plain(word.replace("_", " ")) for word in lexicon(name))
