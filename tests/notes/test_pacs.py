"""PACS: the paper's three outputs, levels, and what leaving out doses leaves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.hierarchy import Tree
from sharewell.notes.engine.protection.drugs_and_doses import generalise_drug
from sharewell.notes.mechanisms.pacs import VARIANTS, Pacs

PAPER = Tree([["phenylephrine", "decongestant", "vasopressor", "medication"]], name="the paper's")
SENTENCE = "Patient on vasopressors noted to have dose of phenylephrine which was 10 times recommended maximum dose."


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        (0, SENTENCE),
        (1, "Patient on vasopressors noted to have dose of decongestant which was 10 times recommended maximum dose."),
        (2, "Patient on vasopressors noted to have dose of vasopressor which was 10 times recommended maximum dose."),
        ("full", "Patient on medication noted to have dose of medication which was 10 times recommended maximum dose."),
    ],
)
@pytest.mark.parametrize("doses", ["keep", "suppress"])
def test_the_papers_sentence(level, expected, doses) -> None:
    assert Pacs(level, doses, PAPER).of(SENTENCE) == expected


def test_the_four_data_sets() -> None:
    text = "Pharmacy sent Lasix 40 mg IV, but order was for 5,000 units of heparin (2 ml)."
    assert {name: pacs.of(text) for name, pacs in VARIANTS.items()} == {
        "original": text,
        "noD": "Pharmacy sent Lasix, but order was for heparin.",
        "noM": "Pharmacy sent medication 40 mg IV, but order was for 5,000 units of medication (2 ml).",
        "noMD": "Pharmacy sent medication, but order was for medication.",
    }


@pytest.mark.parametrize(
    ("written", "levels"),
    [
        ("Levophed", ["catecholamine", "vasopressor", "medication", "medication"]),
        ("norephinephrine", ["catecholamine", "vasopressor", "medication", "medication"]),
        ("conivaptan", ["vasopressin antagonist", "diuretic", "medication", "medication"]),
        ("pressors", ["pressors", "pressors", "pressors", "medication"]),
        ("xyzolib", ["medication"] * 4),
    ],
)
def test_levels_of_the_shipped_tree(written, levels) -> None:
    assert [generalise_drug(written, level) for level in (1, 2, 3, "full")] == levels


def test_a_drug_that_a_users_tree_does_not_list_is_written_as_its_top() -> None:
    assert Pacs(1, tree=PAPER).of("Given heparin.") == "Given medication."


def test_a_note_without_drugs_passes_unchanged() -> None:
    text = "Foley bag  was not emptied , output not recorded for 6 hours.\r\n"
    assert all(pacs.of(text) == text for pacs in VARIANTS.values())


@pytest.mark.parametrize("level", [-1, "all", 1.5, True])
def test_a_level_that_is_none_is_refused(level) -> None:
    with pytest.raises(ValueError, match=r"drugs — must be .*at least 0"):
        Pacs(level)


@given(st.text(max_size=200))
def test_any_text_is_treated(text) -> None:
    VARIANTS["noMD"].of(text)
    assert Pacs().of(text) == text
