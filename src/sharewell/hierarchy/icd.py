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

from sharewell.hierarchy.chains import Chain, all_chains, cover, distinct, one_chain
from sharewell.hierarchy.codetree import CodeTree
from sharewell.hierarchy.levels import Levels, compile_chains
from sharewell.io.shipped import shipped_text


@dataclass(frozen=True)
class ICD10CM:
    """Diagnoses in US hospitals since October 2015."""

    name: ClassVar[str] = "icd10cm"
    release: ClassVar[str] = "April 2026"

    def lists(self, value: str) -> bool:
        """Whether the release has a code (a block or a chapter counts too)."""
        return cover(_icd10().chain, value) is not None

    def chain(self, value: str) -> Chain:
        return one_chain(self.name, _icd10().nearest, value, "root")

    def compile(self, values: Sequence[str]) -> Levels:
        return _compile(self.name, _icd10(), values)

    def title(self, code: str) -> str | None:
        """What a code, block or chapter stands for; None if it is not listed."""
        return _title(_icd10(), "icd10cm_titles.txt.gz", code)

    def codes(self) -> tuple[str, ...]:
        """Every code from category down, in tree order."""
        return tuple(_icd10().codes())


@dataclass(frozen=True)
class ICD9CM:
    """Diagnoses in US hospitals until September 2015 (version 32)."""

    name: ClassVar[str] = "icd9cm"
    release: ClassVar[str] = "version 32 (October 2014)"

    def lists(self, value: str) -> bool:
        """Whether the release has a code (a block or a chapter counts too)."""
        return cover(_icd9().chain, value) is not None

    def chain(self, value: str) -> Chain:
        return one_chain(self.name, _icd9().nearest, value, "root")

    def compile(self, values: Sequence[str]) -> Levels:
        return _compile(self.name, _icd9(), values)

    def title(self, code: str) -> str | None:
        """What a billable code or a chapter stands for; None for anything else."""
        return _title(_icd9(), "icd9cm_titles.txt.gz", code)

    def codes(self) -> tuple[str, ...]:
        """Every code from category down, in tree order."""
        return tuple(_icd9().codes())


@cache
def _icd10() -> CodeTree:
    return CodeTree(shipped_text("icd10cm.txt.gz"), lambda code: 3)


@cache
def _icd9() -> CodeTree:
    return CodeTree(shipped_text("icd9cm.txt.gz"), lambda code: 4 if code.startswith("E") else 3)


def _compile(name: str, tree: CodeTree, values: Sequence[str]) -> Levels:
    given = distinct(values)
    chains, _ = all_chains(name, tree.nearest, given, "root")
    unknown = sum(tree.leaves(chain[0]) == 0 for chain in chains)
    order = sorted(range(len(given)), key=lambda i: (tree.rank(chains[i]), len(chains[i])))
    return compile_chains([given[i] for i in order], [chains[i] for i in order], tree.leaves, unknown)


@cache
def _titles(file: str) -> dict[str, str]:
    return dict(line.split("\t") for line in shipped_text(file).splitlines())


def _title(tree: CodeTree, file: str, code: str) -> str | None:
    """Titles that continue the one of the parent are stored as `+` and the rest."""
    chain = tree.chain(code)
    if chain is None:
        return None
    title = _titles(file).get(chain[0])
    if title is not None and title.startswith("+"):
        return (_title(tree, file, chain[1]) or "") + title[1:]
    return title
