"""Initials that stand for a person, and acronyms that do not."""

from __future__ import annotations

import pytest
from marked_text import parts

from sharewell.notes.matcher.matching import RuleDetector

FOUND = """
Patient: [MSM], 93F, MRN 25167820; Pt [AEB], 41F, chest pain
[MSP] is a 60yo F. [AHP] is a graduate student at the college
Entirely submitted in A1. Grossing: [FEF]. Site marked [MNB].
Query run by a clerk. Tech: [SG]. Nothing else was done
Present: Mrs [PE], her son
Reported to family. [RJ] 1-21
The [MMD] signed note; please renew - [JG]
""".strip().splitlines()

NOTHING = """
DM is a disease. COPD was a 10-year problem. Patient: MRI, then home
Tech support called. Marked MR. was heard; reviewed (CT, MRI) yesterday at noon
Known CAD. MI 1-21 was missed? no: seen. Patient has HIV
""".strip().splitlines()


@pytest.mark.parametrize("marked", FOUND)
def test_initials(marked: str) -> None:
    text, wanted = parts(marked)
    found = sorted({(span.start, span.end) for span in RuleDetector.shipped("name-forms").find(text)})
    assert [text[start:end] for start, end in found] == wanted


@pytest.mark.parametrize("text", NOTHING)
def test_acronyms_are_nobody(text: str) -> None:
    assert list(RuleDetector.shipped("name-forms").find(text)) == []
