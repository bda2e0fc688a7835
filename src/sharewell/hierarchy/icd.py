"""ICD-10-CM and ICD-9-CM: code → subcategories → category → block → chapter.

>>> ICD10CM().chain("e1165")
('E11.65', 'E11.6', 'E11', 'E08-E13', 'ch04', '*')
>>> ICD9CM().chain("E812.0")
('E812.0', 'E812', 'E800-E848', 'ch19', '*')
>>> ICD10CM().title("I10")
'Essential (primary) hypertension'

Codes are taken with or without their dot, in either case; their published form is the dotted one. Blocks and chapters
come from the classification's own tree, not from the order of letters: `C4A` belongs to `C43-C44`. Counted from the
top, the root is the last level, then come chapter, block and category; below it codes differ in depth, and a short one
repeats.

Codes change from year to year. A code that the release lacks hangs from the longest code it begins with, else from the
root; `Levels.unknown` counts such codes. Leaves are the billable codes of the whole release.

Source: ICD-9-CM and ICD-10-CM as published by CMS and NCHS/CDC (United States); see data/ORIGINS.md. These are the US
clinical modifications, not the WHO's ICD.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from sharewell.hierarchy.chains import Chain, all_chains, cover, distinct
from sharewell.hierarchy.codetree import CodeTree
from sharewell.hierarchy.levels import ChainHierarchy, Levels, compile_chains
from sharewell.io.shipped import shipped_text


class ClinicalModification(ChainHierarchy):
    """A release of the classification that ships with the package, under its `name`."""

    def category_length(self, code: str) -> int:
        """How many characters of a code without its dot name the category."""
        return 3

    @property
    def tree(self) -> CodeTree:
        return _tree(self)

    def path(self, text: str) -> Chain:
        return self.tree.nearest(text)

    def lists(self, value: str) -> bool:
        """Whether the release has a code (a block or a chapter counts too)."""
        return cover(self.tree.chain, value) is not None

    def compile(self, values: Sequence[str]) -> Levels:
        texts, tree = distinct(values), self.tree
        chains, _ = all_chains(self.name, tree.nearest, texts, "root")
        unknown = sum(tree.leaves(chain[0]) == 0 for chain in chains)
        order = sorted(range(len(texts)), key=lambda i: (tree.rank(chains[i]), len(chains[i])))
        return compile_chains([texts[i] for i in order], [chains[i] for i in order], tree.leaves, unknown)

    def title(self, code: str) -> str | None:
        """What a code, block or chapter stands for; None if it is not listed. ICD-9-CM names no blocks or categories.

        Titles that continue the one of the parent are stored as `+` and the rest.
        """
        chain = self.tree.chain(code)
        if chain is None:
            return None
        title = _titles(self.name).get(chain[0])
        if title is not None and title.startswith("+"):
            return (self.title(chain[1]) or "") + title[1:]
        return title

    def codes(self) -> tuple[str, ...]:
        """Every code from category down, in tree order."""
        return tuple(self.tree.codes())


@dataclass(frozen=True)
class ICD10CM(ClinicalModification):
    """Diagnoses in US hospitals since October 2015."""

    name: ClassVar[str] = "icd10cm"
    release: ClassVar[str] = "April 2026"


@dataclass(frozen=True)
class ICD9CM(ClinicalModification):
    """Diagnoses in US hospitals until September 2015 (version 32)."""

    name: ClassVar[str] = "icd9cm"
    release: ClassVar[str] = "version 32 (October 2014)"

    def category_length(self, code: str) -> int:
        return 4 if code.startswith("E") else 3


@cache
def _tree(release: ClinicalModification) -> CodeTree:
    return CodeTree(shipped_text(f"{release.name}.txt.gz"), release.category_length)


@cache
def _titles(name: str) -> dict[str, str]:
    return dict(line.split("\t") for line in shipped_text(f"{name}_titles.txt.gz").splitlines())
