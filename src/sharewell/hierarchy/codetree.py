"""A large code tree that ships with the package, parsed only as far as needed.

The file holds one line per chapter (`@ch04`), block (`=E08-E13`) and category, in tree order. A category's line has its
code, its number of leaves and the rest of each code below it (`E11`, `87`, `0 00 01 1 10 …`). The parent of a code is
the longest shorter code of the same category that it begins with; `tools/build_icd.py` checks that this is so for
every one. Reading the file splits lines; the codes of a category are parsed when one of them first occurs.

>>> tree = CodeTree("@ch1\\n=A00-A09\\nA00\\t3\\t0 1 10 11\\nB20\\t1\\t\\n", cut=lambda code: 3)
>>> tree.chain("A00.11")
('A00.11', 'A00.1', 'A00', 'A00-A09', 'ch1', '*')
>>> tree.nearest("a0019"), tree.leaves("A00.1"), tree.leaves("*")
(('A00.19', 'A00.1', 'A00', 'A00-A09', 'ch1', '*'), 2, 4)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from sharewell.hierarchy.chains import ROOT, Chain

_UPPER = 4
"""Category, block, chapter and root end every chain; their leaves are counted when the file is read."""


def dotted(code: str, cut: int) -> str:
    """A code with a dot after this many characters, if it has more."""
    return f"{code[:cut]}.{code[cut:]}" if len(code) > cut else code


class CodeTree:
    """Chapters → blocks → categories → codes."""

    def __init__(self, text: str, cut: Callable[[str], int]) -> None:
        """`cut` tells how many characters of a code without its dot make the category."""
        self._cut = cut
        self._upper: dict[str, Chain] = {}
        self._folded: dict[str, str] = {}
        self._unfolded: set[str] = set()
        self._rank: dict[str, tuple[int, int]] = {}
        self._leaves: Counter[str] = Counter()
        self._chains: dict[str, Chain] = {}
        self._read(text)

    def _read(self, text: str) -> None:
        chapter: Chain = (ROOT,)
        block: Chain = (ROOT,)
        for number, line in enumerate(text.splitlines()):
            code, *rest = line.lstrip("@=").split("\t")
            self._rank[code] = (number, 0)
            if line[0] == "@":
                chapter = self._upper[code.upper()] = (code, ROOT)
            elif line[0] == "=":
                block = self._upper[code.upper()] = (code, *chapter)
            else:
                leaves, self._folded[code] = rest
                self._chains[code] = (code, *block)
                for label in self._chains[code]:
                    self._leaves[label] += int(leaves)

    def chain(self, value: str) -> Chain | None:
        """The chain of a listed code, block or chapter, however it is written; None if it is not listed."""
        text = value.strip().upper()
        if text in self._upper:
            return self._upper[text]
        code = self._dotless(text)
        self._unfold(code[: self._cut(code)])
        return self._chains.get(code)

    def nearest(self, value: str) -> Chain:
        """The same, but an unlisted code hangs from the longest listed code that it begins with, else from the root."""
        if listed := self.chain(value):
            return listed
        code = self._dotless(value.strip().upper())
        for end in range(len(code) - 1, self._cut(code) - 1, -1):
            if parent := self._chains.get(code[:end]):
                return (self.dotted(code), *parent)
        return (value.strip(), ROOT)

    def leaves(self, label: str) -> int:
        """How many leaves (billable codes) of the whole tree a label covers; 0 if it is not listed."""
        return self._leaves[label]

    def rank(self, chain: Chain) -> tuple[int, int]:
        """Where the first listed label of a chain stands in tree order."""
        last = (len(self._upper) + len(self._folded), 0)
        return next((self._rank[label] for label in chain if label in self._rank), last)

    def codes(self) -> Iterator[str]:
        """Every code of category depth or below, with its dot, in tree order."""
        for category in self._folded:
            yield category
            for rest in self._folded[category].split():
                yield self.dotted(category + rest)

    def dotted(self, code: str) -> str:
        """A code without a dot, with it."""
        return dotted(code, self._cut(code))

    def _dotless(self, text: str) -> str:
        head, dot, tail = text.partition(".")
        # A dot in the wrong place is not a way of writing a code.
        return head + tail if len(head) == self._cut(text) else text if dot else head

    def _unfold(self, category: str) -> None:
        """Enter the codes of a category, once; its line is in tree order, so parents come before their children."""
        if category in self._unfolded or category not in self._folded:
            return
        self._unfolded.add(category)
        number = self._rank[category][0]
        stack, inner, codes = [category], set(), []
        for place, rest in enumerate(self._folded[category].split(), start=1):
            code = category + rest
            while not code.startswith(stack[-1]):
                stack.pop()
            inner.add(stack[-1])
            label = self.dotted(code)
            self._chains[code] = (label, *self._chains[stack[-1]])
            self._rank[label] = (number, place)
            stack.append(code)
            codes.append(code)
        leaves = (self._chains[code][:-_UPPER] for code in codes if code not in inner)
        self._leaves.update(label for labels in leaves for label in labels)
