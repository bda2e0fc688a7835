"""The ICD trees that ship."""

from __future__ import annotations

import time

import numpy as np
import pytest

from sharewell.hierarchy import ICD9CM, ICD10CM
from sharewell.hierarchy.codetree import CodeTree
from sharewell.io.shipped import shipped_text


@pytest.mark.parametrize(
    ("code", "chain"),
    [
        ("E11.65", "E11.65 E11.6 E11 E08-E13 ch04 *"),
        (" e1165 ", "E11.65 E11.6 E11 E08-E13 ch04 *"),
        ("B20", "B20 B20-B20 ch01 *"),
        ("b20-b20", "B20-B20 ch01 *"),
        ("C4A.0", "C4A.0 C4A C43-C44 ch02 *"),
        ("M1A", "M1A M05-M14 ch13 *"),
        ("Z3A.00", "Z3A.00 Z3A.0 Z3A Z30-Z39 ch21 *"),
        ("S00.00XA", "S00.00XA S00.00 S00.0 S00 S00-S09 ch19 *"),
        ("I10.9", "I10.9 I10 I10-I1A ch09 *"),
        ("E11.65Z", "E11.65Z E11.65 E11.6 E11 E08-E13 ch04 *"),
        ("CH04", "ch04 *"),
        ("E1.165", "E1.165 *"),
        ("nothing", "nothing *"),
        ("E", "E *"),
    ],
)
def test_icd10_chains(code: str, chain: str) -> None:
    """Code, subcategories, category, block, chapter, root, however the code is written."""
    assert " ".join(ICD10CM().chain(code)) == chain


@pytest.mark.parametrize(
    ("code", "chain"),
    [
        ("250.00", "250.00 250.0 250 249-259 ch03 *"),
        ("25000", "250.00 250.0 250 249-259 ch03 *"),
        ("042", "042 042-042 ch01 *"),
        ("e8120", "E812.0 E812 E800-E848 ch19 *"),
        ("V91.99", "V91.99 V91.9 V91 V91-V91 ch18 *"),
        ("E000.9", "E000.9 E000 E000-E000 ch19 *"),
        ("42", "42 *"),
    ],
)
def test_icd9_chains(code: str, chain: str) -> None:
    """V codes part after three characters, E codes after four, and leading zeros count."""
    assert " ".join(ICD9CM().chain(code)) == chain


@pytest.mark.parametrize(("tree", "leaves", "codes"), [(ICD10CM(), 74_719, 98_186), (ICD9CM(), 14_567, 17_553)])
def test_the_whole_release_compiles(tree: ICD10CM | ICD9CM, leaves: int, codes: int) -> None:
    """Every code of the release has its place: chapters, blocks and categories three levels from the top."""
    levels = tree.compile(tree.codes())
    assert (levels.domain, levels.unknown, len(levels.values)) == (leaves, 0, codes)
    assert all(levels.labels[n].startswith("ch") for n in np.unique(levels.nodes[-2]))
    assert all("-" in levels.labels[n] for n in np.unique(levels.nodes[-3]))
    assert all("." not in levels.labels[n] for n in np.unique(levels.nodes[-4]))
    assert levels.values == tree.codes()


def test_an_inner_code_lies_inside_its_subtree() -> None:
    """`E11` among its subcodes is the node they meet in, and keeps that node's leaves."""
    levels = ICD10CM().compile(["E11.65", "E10.9", "E11", "E11.9", "E13.9"])
    assert levels.values == ("E10.9", "E11", "E11.65", "E11.9", "E13.9")
    run = levels.nodes[levels.height - 3]
    assert [levels.labels[n] for n in run] == ["E10", "E11", "E11", "E11", "E13"]
    assert levels.leaves[levels.nodes[0, 1]] == levels.leaves[levels.node_of["E11"]] > 50


def test_unlisted_codes_hang_from_the_nearest_and_add_a_leaf() -> None:
    """A retired code counts as unknown, and every node above it grows by one."""
    known, more = ICD10CM().compile(["E11.65"]), ICD10CM().compile(["E11.65", "E11.67", "E11.6Q", "??"])
    assert more.unknown == 3
    assert more.leaves[more.node_of["E11.6"]] == known.leaves[known.node_of["E11.6"]] + 2
    assert more.domain == known.domain + 3


def test_spellings_of_one_code_are_one_node() -> None:
    """Values stay as they came; their label is the dotted code."""
    levels = ICD10CM().compile(["E1165", "E11.65", "e11.65"])
    assert set(levels.values) == {"E1165", "E11.65", "e11.65"}
    assert {levels.labels[n] for n in levels.nodes[0]} == {"E11.65"}
    assert levels.leaves[levels.node_of["E11.65"]] == 1


@pytest.mark.parametrize(
    ("tree", "code", "title"),
    [
        (ICD10CM(), "I10", "Essential (primary) hypertension"),
        (ICD10CM(), "s52521a", "Torus fracture of lower end of right radius, initial encounter for closed fracture"),
        (ICD10CM(), "Q99.Q", None),
        (ICD9CM(), "4019", "Unspecified essential hypertension"),
        (ICD9CM(), "ch02", "Neoplasms"),
        (ICD9CM(), "401", None),
    ],
)
def test_titles(tree: ICD10CM | ICD9CM, code: str, title: str | None) -> None:
    """Titles are there for every listed ICD-10-CM code and for billable ICD-9-CM codes."""
    assert tree.title(code) == title


def test_every_icd10_node_has_a_title() -> None:
    """Titles that continue their parent's are put together again."""
    tree = ICD10CM()
    assert all(tree.title(code) for code in (*tree.codes()[::7], "ch01", "A00-A09"))


def test_loading_takes_milliseconds() -> None:
    """Reading the tree for one code stays far from anything a person would notice."""
    best = 1.0
    for _ in range(5):
        start = time.process_time()
        CodeTree(shipped_text("icd10cm.txt.gz"), lambda code: 3).chain("E11.65")
        best = min(best, time.process_time() - start)
    assert best < 0.1
