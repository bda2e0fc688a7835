"""Trees from tables and files."""

from __future__ import annotations

from pathlib import Path

import pytest

from sharewell.errors import DataError, PolicyError
from sharewell.hierarchy import HierarchyGap, Tree

SECRET = "Jane-Roe"


@pytest.mark.parametrize(
    ("rows", "value", "chain"),
    [
        ([["a", "g", "*"]], "a", ("a", "g", "*")),
        ([["a", "g"]], "a", ("a", "g", "*")),
        ([["a"], ["b"]], "b", ("b", "*")),
        ([["a", "g", "*****"]], "a", ("a", "g", "*")),
        ([["a", "g", "*", ""], ["b", "", "", ""]], "b", ("b", "*")),
        ([[" a ", " g", "*"]], "a ", ("a", "g", "*")),
        ([["a", "", "g", "*"]], "a", ("a", "g", "*")),
        ([["a", "g", "*"], []], "g", ("g", "*")),
        ([["a", "a", "*"], ["b", "g", "*"]], "a", ("a", "a", "*")),
        ([["a", "g", "*"]], "*", ("*",)),
        ([["a", "g", "*"]], "", ("*",)),
    ],
)
def test_rows_become_chains(rows: list[list[str]], value: str, chain: tuple[str, ...]) -> None:
    """Short rows, missing roots, blanks and leaf-only tables all give a chain that ends in the root."""
    assert Tree(rows).chain(value) == chain


def test_what_was_mended_is_counted() -> None:
    """Repeated rows, rows without a root and short chains are accepted and counted."""
    tree = Tree([["a", "g", "h", "*"], ["a", "g", "h", "*"], ["b", "h"], ["c"]])
    assert list(tree.summary().values())[2:] == [1, 2, 2, 0]
    assert tree.leaves == ("a", "b", "c")
    assert tree.summary()["levels above them"] == 3


def test_leaves_keep_the_order_of_the_file_depth_first() -> None:
    """Siblings stand as they first appear, whichever of them a column holds."""
    tree = Tree([["mild", "low", "*"], ["severe", "high", "*"], ["none", "low", "*"], ["fatal", "high", "*"]])
    assert tree.leaves == ("mild", "none", "severe", "fatal")
    assert tree.compile(["fatal", "severe", "none"]).values == ("none", "severe", "fatal")
    assert tree.compile(["severe", "none", "high", "low"]).values == ("low", "none", "high", "severe")


def test_leaves_are_those_of_the_whole_tree() -> None:
    """A label counts its leaves in the file, not in the column."""
    levels = Tree([["a", "g", "*"], ["b", "g", "*"], ["c", "g", "*"], ["d", "h", "*"]]).compile(["a", "d"])
    assert {label: int(n) for label, n in zip(levels.labels, levels.leaves, strict=True)} == {
        "a": 1,
        "g": 3,
        "d": 1,
        "h": 1,
        "*": 4,
    }


def test_a_leaf_named_like_its_group_is_that_group() -> None:
    """`Other` under `Other` is one node, which both values share from level 1 on."""
    tree = Tree([["Other", "Other", "*"], ["Misc", "Other", "*"], ["A", "B", "*"]])
    levels = tree.compile(["Other", "Misc", "A"])
    assert tree.summary()["labels told apart by their column"] == 0
    assert tree.chain("Misc") == ("Misc", "Other", "*")
    assert levels.leaves[levels.node_of["Other"]] == 2


def test_columns_serve_as_levels_where_they_can() -> None:
    """In an even file a label that repeats upwards keeps its columns, so level 1 stays level 1."""
    levels = Tree([["x", "A", "B", "B", "*"], ["y", "C", "D", "E", "*"]]).compile(["x", "y"])
    assert [levels.labels[n] for n in levels.nodes[1]] == ["A", "C"]


def test_repeats_that_do_not_line_up_are_aligned_at_the_top() -> None:
    """A label in column 2 of one row and column 3 of another is still one node."""
    tree = Tree([["x", "A", "A", "B", "*"], ["y", "A", "B", "B", "*"], ["w", "C", "B", "B", "*"]])
    assert tree.chain("x") == ("x", "A", "B", "*")
    assert tree.chain("y") == ("y", "A", "B", "*")


def test_numbered_groups_over_numbered_values_are_told_apart() -> None:
    """Where a label means a leaf in one column and a group in the next, the whole column is named by its level."""
    tree = Tree([["1", "1", "*"], ["2", "1", "*"], ["3", "2", "*"], ["4", "2", "*"]])
    assert tree.summary()["labels told apart by their column"] == 2
    assert tree.chain("2") == ("2", "1 (level 1)", "*")
    assert tree.chain("3") == ("3", "2 (level 1)", "*")


def test_a_label_above_itself_is_told_apart() -> None:
    """A group between a leaf and a group of the same name does no harm."""
    assert Tree([["A", "B", "A", "*"], ["c", "B", "A", "*"]]).chain("A") == ("A", "B", "A (level 2)", "*")


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([], "0 rows"),
        ([["*"], [""]], "2 rows"),
        ([[SECRET, "g", "*"], ["b", "g", "*"], [SECRET, "h", "*"]], "1 leaves, 2 lines: 1, 3"),
        ([[SECRET, "g", "h", "*"], ["b", "g", "i", "*"]], "1 labels, 2 lines: 1, 2"),
        ([["a", "g", "*"], [SECRET, "*", "g"]], "line 2"),
    ],
)
def test_broken_tables_are_refused_without_naming_values(rows: list[list[str]], says: str) -> None:
    """The message holds line numbers and counts, and no label."""
    with pytest.raises(DataError) as caught:
        Tree(rows)
    assert says in str(caught.value)
    assert SECRET not in str(caught.value)


def test_gaps_are_refused_with_counts_or_hang_from_the_root() -> None:
    """The error counts; with `on_gap="root"` the values keep themselves and the root."""
    rows = [["a", "g", "*"], ["b", "h", "*"]]
    with pytest.raises(HierarchyGap) as caught:
        Tree(rows).compile(["a", SECRET, "d"])
    assert (caught.value.missing, caught.value.total) == (2, 3)
    assert SECRET not in str(caught.value)
    levels = Tree(rows, on_gap="root").compile(["a", "c", "d"])
    assert (levels.unknown, levels.domain, levels.values) == (2, 4, ("a", "c", "d"))
    with pytest.raises(HierarchyGap):
        Tree(rows).chain("c")
    with pytest.raises(PolicyError):
        Tree(rows, on_gap="drop")  # type: ignore[arg-type]


def test_a_tree_does_not_show_its_rows() -> None:
    """The first column may hold patient values."""
    assert SECRET not in repr(Tree([[SECRET, "*"]]))


@pytest.mark.parametrize(
    "raw",
    [
        "é;g;*\nb;g;*\n".encode(),
        "é,g,*\r\nb,g,*\r\n".encode("utf-8-sig"),
        "é\tg\t*\nb\tg\t*".encode("utf-16"),
        "é|g|*\nb|g|*\n".encode("utf-16-le"),
        "é|g|*\nb|g|*\n".encode("utf-16-be"),
        "é;g;*\nb;g;*\n".encode("cp1252"),
        '"é";"g";"*"\n"b";"g";"*"\n'.encode(),
        '"é",g\n\n"b",g\n'.encode(),
    ],
)
def test_files_of_any_common_encoding_and_separator(raw: bytes, tmp_path: Path) -> None:
    """Whatever program wrote the file, the tree is the same."""
    path = tmp_path / "tree.csv"
    path.write_bytes(raw)
    assert Tree.from_csv(path).leaves == ("é", "b")
    assert Tree.from_csv(path).chain("é") == ("é", "g", "*")


def test_a_separator_can_be_named(tmp_path: Path) -> None:
    """Where labels hold the other separators, saying which one splits helps."""
    path = tmp_path / "tree.csv"
    path.write_text("29,[20;30[,*\n35,[30;40[,*\n")
    assert Tree.from_csv(path, separator=",").chain("29") == ("29", "[20;30[", "*")


@pytest.mark.parametrize("raw", [None, b"PK\x03\x04\x00\x00\x00", b"a;" + b"x" * 200_000])
def test_unreadable_files_are_data_errors(raw: bytes | None, tmp_path: Path) -> None:
    """No file, a binary file and an endless cell are told apart from a tree, without quoting them."""
    path = tmp_path / "tree.csv"
    if raw is not None:
        path.write_bytes(raw)
    with pytest.raises(DataError) as caught:
        Tree.from_csv(path)
    assert "xxxx" not in str(caught.value)


def test_lines_are_counted_with_blank_ones(tmp_path: Path) -> None:
    """A blank line keeps its number, so that messages lead to the right place."""
    path = tmp_path / "tree.csv"
    path.write_text("a;g;*\n\na;h;*\n")
    with pytest.raises(DataError, match="2 lines: 1, 3"):
        Tree.from_csv(path)
