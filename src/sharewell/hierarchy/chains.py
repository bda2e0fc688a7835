"""Chains: one value and the ever more general labels that cover it, and what happens to values without a chain.

Three rules hold for every kind of hierarchy:

- the last label of a chain is the root `*`, and a blank value says nothing, so that its chain is the root alone;
- a value spelled like a node *is* that node: a date `2015` among full dates, a code `E11` among its own subcodes;
- a value that the hierarchy does not list is a *gap*: the work is refused, or the value hangs from the root (`on_gap`).

>>> all_chains("vowels", lambda text: (text, "vowel", ROOT) if text in "aeiou" else None, [" a ", "x", ""], "root")
([('a', 'vowel', '*'), ('x', '*'), ('*',)], ['x'])
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from sharewell.errors import DataError

ROOT = "*"
Chain = tuple[str, ...]
OnGap = Literal["refuse", "root"]
Path = Callable[[str], "Chain | None"]
"""Gives the chain of a text that is neither blank nor the root, or None if the hierarchy does not list it."""


class HierarchyGap(DataError):
    """A hierarchy does not list some values of a column. It holds counts only, never the values."""

    def __init__(self, hierarchy: str, missing: int, total: int, hint: str = "") -> None:
        self.hierarchy, self.missing, self.total, self.hint = hierarchy, missing, total, hint
        advice = hint or "add them, or set on_gap: root to let them hang from the root"
        super().__init__(f"hierarchy {hierarchy} — values without an entry — {missing} of {total} values — {advice}")


def cover(path: Path, value: str | None) -> Chain | None:
    """The chain of any value, blank ones included; None is a gap."""
    text = (value or "").strip()
    return (ROOT,) if text in ("", ROOT) else path(text)


def all_chains(
    name: str, path: Path, values: Sequence[str], on_gap: OnGap, hint: str = ""
) -> tuple[list[Chain], list[str]]:
    """The chains of many values, and the texts among them that were gaps."""
    chains = [cover(path, value) for value in values]
    missing = [value.strip() for value, chain in zip(values, chains, strict=True) if chain is None]
    if missing and on_gap == "refuse":
        raise HierarchyGap(name, len(missing), len(chains), hint)
    return [chain or (value.strip(), ROOT) for value, chain in zip(values, chains, strict=True)], missing


def distinct(values: Iterable[str | None]) -> list[str]:
    """Distinct values in the order of their text, so that nothing depends on the order of rows. None counts as blank.

    >>> distinct(["b", "a", "b", None])
    ['', 'a', 'b']
    """
    return sorted({value or "" for value in values})
