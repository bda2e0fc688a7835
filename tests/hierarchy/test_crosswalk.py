"""The crosswalks that ship, held against facts about them and against the classifications themselves."""

from __future__ import annotations

import pytest

from sharewell.hierarchy import ICD9CM, ICD10CM
from sharewell.hierarchy.crosswalk import SHIPPED, Crosswalk, plain


@pytest.mark.parametrize(
    ("name", "codes", "without", "origin"),
    [("icd9cm-icd10cm", 14_567, 425, ICD9CM()), ("icd10cm-icd9cm", 69_832, 669, ICD10CM())],
)
def test_every_code_is_there(name: str, codes: int, without: int, origin: ICD9CM | ICD10CM) -> None:
    walk = Crosswalk.shipped(name)
    assert len(walk.table) == codes
    assert sum(not answers for answers in walk.table.values()) == without
    listed = {plain(code) for code in origin.codes()}
    assert len(set(walk.table) - listed) < codes / 50, "codes of 2018 that are gone by now"


@pytest.mark.parametrize("name", SHIPPED)
def test_answers_are_codes_of_the_other_classification(name: str) -> None:
    target = ICD10CM() if name.endswith("icd10cm") else ICD9CM()
    found = {code for answers in Crosswalk.shipped(name).table.values() for answer in answers for code in answer}
    assert all(target.chain(code)[0] == code for code in found)
    assert sum(not target.lists(code) for code in found) < len(found) / 100


def test_no_answer_is_told_twice() -> None:
    for name in SHIPPED:
        for answers in Crosswalk.shipped(name).table.values():
            assert len(set(answers)) == len(answers)


def test_spelling_does_not_matter() -> None:
    walk = Crosswalk.shipped("icd10cm-icd9cm")
    assert walk.answers("e11.9") == walk.answers(" E119 ") == (("250.00",),)
    assert walk.answers("E11") is None
