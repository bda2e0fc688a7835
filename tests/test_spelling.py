"""Spellings that look alike have one fold, one of them stands for all, and nothing changes where none are alike."""

import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from spellings import respelt

from sharewell.spelling import alike, as_one, fold, folded, folds_of, is_invisible, names_as_one, one_each

ALIKE = [
    ("p1", "P1 "),
    ("p1", "p\u200b1"),
    ("p1", "\ufeffp1"),
    ("p1", "p\u00ad1"),
    ("p1", "p\ufe0f1"),
    ("p1", "p\u034f1"),
    ("p1", "ｐ１"),
    ("p1", "p\x001"),
    ("p 1", "p\t \u00a0 1\n"),
    ("p 1", "p\u30001"),
    ("p 1", "p\x1c1"),
    ("é", "e\u0301"),
    ("É", "é"),
    ("Straße", "STRASSE"),
    ("ﬁ", "FI"),
    ("Å", "\u212b"),
    ("", "\u200b \u2060"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_spellings_that_a_reader_cannot_tell_apart_are_alike(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("one", "other"), [("007", "7"), ("1", "1.0"), ("p 1", "p1"), ("p-1", "p1"), ("a", "а"), ("e", "é"), ("O", "0")]
)
def test_other_texts_are_not(one: str, other: str) -> None:
    assert fold(one) != fold(other)


texts = st.text(st.one_of(st.characters(codec="utf-8"), st.characters(max_codepoint=127)), max_size=6)


@settings(deadline=None)
@given(texts)
@example("\u0345\u03b1")
@example("ẛ\u0323")
@example("a\u200b\u0301")
def test_a_fold_is_its_own_fold(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@settings(deadline=None)
@given(st.lists(texts, max_size=8))
@example(["ｶﾞ", "ガ"])
@example(["\u1100\u1161", "가"])
@example(["e\u0301", "é"])
@example(["ß", "ss"])
def test_a_column_is_folded_like_its_values(values: list[str]) -> None:
    for column in (pa.array(values, pa.string()), pa.array(["x", *values, "y"], pa.string())[1 : len(values) + 1]):
        assert folded(column).to_pylist() == [fold(text) for text in values]
        quick = folds_of(column)
        if quick is None:
            assert len({fold(text) for text in set(values)}) == len(set(values))


def _plainest(spellings: list[str]) -> str:
    """The shortest, then the first by its characters."""
    return sorted(sorted(spellings), key=len)[0]


@settings(deadline=None)
@given(st.lists(st.sampled_from(["p1", "P1", "p1 ", "p2", "Ｐ2", "q", "7", "07"]), unique=True))
def test_one_of_the_spellings_stands_for_all(values: list[str]) -> None:
    kept, place = one_each(pa.array(values, pa.string()))
    groups: dict[str, list[str]] = {}
    for text in values:
        groups.setdefault(fold(text), []).append(text)
    if len(groups) == len(values):
        assert (kept.to_pylist(), place) == (values, None)
    else:
        assert place is not None
        assert [kept[i].as_py() for i in place] == [_plainest(groups[fold(text)]) for text in values]
    assert sorted(kept.to_pylist()) == sorted(_plainest(group) for group in groups.values())
    assert alike(pa.array(values, pa.string())) == len(values) - len(groups)


@given(st.lists(st.sampled_from(["p1", "P1", "p1 ", "p2", "q"])), st.randoms())
def test_which_one_does_not_depend_on_their_order(names: list[str], random: object) -> None:
    chosen = dict(zip(names, names_as_one(names), strict=True))
    random.shuffle(names)  # type: ignore[attr-defined]
    assert dict(zip(names, names_as_one(names), strict=True)) == chosen


def test_nothing_changes_where_none_are_alike() -> None:
    column = pa.chunked_array([["P1", None], ["P2", "P1"]])
    assert as_one(column).to_pylist() == column.to_pylist()
    assert as_one(pa.array(["p1", None, "P1"])).to_pylist() == ["P1", None, "P1"]
    assert as_one(pa.array(["a", "", "\u200b", " ", "A"])).to_pylist() == ["A", None, None, None, "A"]
    assert as_one(pa.array(["a", ""])).to_pylist() == ["a", None]
    assert folds_of(pa.array(["P1", "P2", "x-3"])) is None
    assert folds_of(pa.array(["José", "Łukasz", "王"])) is None
    assert folds_of(pa.array([], pa.string())) is None


@given(st.text("abAB1é ", max_size=5).map(str.strip), st.integers(0, 1 << 16))
def test_respelt_texts_of_the_tests_are_alike(text: str, seed: int) -> None:
    assert fold(respelt(text, seed)) == fold(text)


IGNORABLE = [(0xAD,), (0x34F,), (0x61C,), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x200B, 0x200F)]
IGNORABLE += [(0x202A, 0x202E), (0x2060, 0x206F), (0x3164,), (0xFE00, 0xFE0F), (0xFEFF,), (0xFFA0,), (0xFFF0, 0xFFF8)]
IGNORABLE += [(0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF)]


def test_every_character_that_unicode_lets_displays_ignore_is_ignored() -> None:
    """The ranges are those of Default_Ignorable_Code_Point in DerivedCoreProperties.txt, unassigned ones included."""
    every = [chr(i) for ends in IGNORABLE for i in range(ends[0], ends[-1] + 1)]
    assert [hex(ord(c)) for c in every if fold(f"p{c}1") != "p1" or not is_invisible(c)] == []
    assert folded(pa.array([f"p{c}1" for c in every])).unique().to_pylist() == ["p1"]


@pytest.mark.parametrize("blank", ["\x85", "\u2028", "\u2029", "\n", "\x1f"])
def test_ends_of_lines_and_separators_are_blanks(blank: str) -> None:
    assert fold(f"p{blank}1") == "p 1"
    assert not is_invisible(blank)


@pytest.mark.parametrize("dash", "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d")
def test_every_dash_is_a_hyphen(dash: str) -> None:
    assert fold(f"{dash}1") == "-1"
    assert folded(pa.array([f"2020{dash}01{dash}05"])).to_pylist() == ["2020-01-05"]
    assert alike(pa.array([f"{dash}1", "-1"])) == 1
