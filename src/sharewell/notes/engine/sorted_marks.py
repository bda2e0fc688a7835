"""A long list of words with a mark each, looked up where it lies; only who asks for many words makes a dict of it.

A line is a mark of one character and a word; lines are in the order of their words. Three lists of a hundred thousand
words would take a tenth of a second and 40 MB to become dicts: a short note asks for a few dozen words, each found by
halving. What was asked for is remembered. Who looks at many notes calls `all` first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from operator import itemgetter
from typing import TypeVar, overload

from sharewell.io.shipped import shipped_bytes

_MANY = 1 << 12
"""So many words looked up one by one cost as much as the dict of all."""
_KEPT = 1 << 14
"""So many answers are remembered."""
Given = TypeVar("Given")
Answer = TypeVar("Answer")
Revise = Callable[[str, str], str]
"""A word of a further list, and its mark or "" → the mark that it has then, or ""."""


class _Answers(dict[str, Answer]):
    """What was asked for, and its answer: a look-up costs no call of Python after the first, and what a text asks for
    again and again lies closer together than in a dict of everything."""

    def __init__(self, answer: Callable[[str], Answer]) -> None:
        super().__init__()
        self._answer = answer

    def __missing__(self, word: str) -> Answer:
        if len(self) >= _KEPT:
            self.clear()
        answer = self[word] = self._answer(word)
        return answer


class SortedMarks(Mapping[str, str]):
    """Word → mark. `more`: words of a further list, which may change a mark or add one.

    >>> marks = SortedMarks(b"ualder\\nwalder creek\\nuash\\n", ["oak"], lambda word, mark: mark or "x")
    >>> marks["ash"], marks.get("oak"), marks.get("elm"), marks.most_words("alder"), marks.most_words("elm")
    ('u', 'x', None, 2, 0)
    """

    @classmethod
    def shipped(cls, name: str, more: Iterable[str] = (), revise: Revise = lambda word, mark: mark) -> SortedMarks:
        """A file of `sharewell/data`."""
        return cls(shipped_bytes(name), more, revise)

    def __init__(self, content: bytes, more: Iterable[str] = (), revise: Revise = lambda word, mark: mark) -> None:
        self._content, self._more, self._revise = content, dict.fromkeys(more), revise
        self._asked = 0
        self._all: dict[str, str] | None = None
        self._known = _Answers(self._looked_up)
        self.mark = self._known.__getitem__
        """Word → its mark, or nothing."""
        self.most_words = _Answers(self._longest).__getitem__
        """Word → how many words the longest entry has that begins with it; 0: none does."""

    @overload
    def get(self, word: str, /) -> str | None: ...
    @overload
    def get(self, word: str, /, default: Given) -> str | Given: ...
    def get(self, word: str, /, default: Given | None = None) -> str | Given | None:
        return self._known[word] or default

    def __getitem__(self, word: str) -> str:
        if not (mark := self._known[word]):
            raise KeyError(word)
        return mark

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self._known[word] != ""

    def __iter__(self) -> Iterator[str]:
        return iter(self.all())

    def __len__(self) -> int:
        return len(self.all())

    def all(self) -> dict[str, str]:
        """Everything as a dict: in the order of the list, then what the further list adds."""
        if self._all is None:
            lines = self._content.decode().splitlines()
            marks = dict(zip(map(itemgetter(slice(1, None)), lines), map(itemgetter(0), lines), strict=True))
            for word in self._more:
                marks[word] = self._revise(word, marks.get(word, ""))
                if not marks[word]:
                    del marks[word]
            self._all = marks
        return self._all

    def marked(self, mark: str) -> list[str]:
        """The words that have a mark."""
        lines = (b"\n" + self._content).split(b"\n" + mark.encode())[1:]
        listed = dict.fromkeys(line.partition(b"\n")[0].decode() for line in lines)
        return [word for word in listed | self._more if word not in self._more or self._known[word] == mark]

    def _looked_up(self, word: str) -> str:
        """The mark of a word, or nothing."""
        self._asked += 1
        if self._all is not None or self._asked > _MANY:
            return self.all().get(word, "")
        line, key = self._line(word), word.encode("utf-8", "surrogatepass")
        found = self._content[line + 1 : line + 2 + len(key)] == key + b"\n"
        mark = self._content[line : line + 1].decode() if found else ""
        return self._revise(word, mark) if word in self._more else mark

    def _longest(self, first: str) -> int:
        if self._all is not None:
            return self._longest_of_all.get(first, int(first in self._all))
        entries = [*self._beginning(first), *(word for word in self._more_by_first.get(first, ()) if word in self)]
        return max([entry.count(" ") + 1 for entry in entries], default=0)

    @cached_property
    def _longest_of_all(self) -> dict[str, int]:
        """First words of entries of several → how many words the longest has."""
        longest: dict[str, int] = {}
        for entry in self.all():
            if " " in entry:
                first, count = entry.partition(" ")[0], entry.count(" ") + 1
                longest[first] = max(longest.get(first, 0), count)
        return longest

    @cached_property
    def _more_by_first(self) -> dict[str, list[str]]:
        by_first: dict[str, list[str]] = {}
        for word in self._more:
            by_first.setdefault(word.partition(" ")[0], []).append(word)
        return by_first

    def _line(self, word: str) -> int:
        """Where the first line begins whose word is not before a word."""
        content, key = self._content, word.encode("utf-8", "surrogatepass")
        low, high = 0, len(content)
        while low < high:
            middle = (low + high) // 2
            begin = content.rfind(b"\n", low, middle) + 1 or low
            end = content.find(b"\n", middle)
            if content[begin + 1 : end] < key:
                low = end + 1
            else:
                high = begin
        return low

    def _beginning(self, first: str) -> Iterator[str]:
        """The entries of the list that begin with a word; they follow each other."""
        line = self._line(first)
        while (end := self._content.find(b"\n", line)) >= 0:
            entry = self._content[line + 1 : end].decode()
            if entry != first and not entry.startswith(first + " "):
                return
            yield entry
            line = end + 1
