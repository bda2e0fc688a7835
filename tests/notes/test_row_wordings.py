"""Unusual wordings of ages and sexes are rewritten beside a row, rather than withheld with their text."""

from __future__ import annotations

from tests.notes.test_person_wordings import NOTHING_SAID, UNUSUAL_AGES, UNUSUAL_SEXES
from tests.notes.test_row_agreement import judged, rewritten

from sharewell.notes import TextAgreesWithTable


def test_unusual_wordings_are_rewritten_and_not_withheld() -> None:
    """What the judge takes for an age or a sex, the mechanism finds too: a withheld text helps nobody."""
    judge = TextAgreesWithTable(ages=("age",), sexes=("sex",))
    row = {"age": "[60-69]", "sex": "*"}
    texts = [*UNUSUAL_AGES, *UNUSUAL_SEXES, *NOTHING_SAID]
    published = rewritten(texts, [row] * len(texts), judge)
    assert [text for text, new in zip(texts, published, strict=True) if new is None] == []
    assert judged([text or "" for text in published], [row] * len(texts), judge) == 0
    assert published[texts.index("Pt 64 presents with cough.")] == "Pt 60s presents with cough."
    assert published[texts.index("A waitress.")] == "A server."
    assert published[texts.index("Took 64 mg.")] == "Took 64 mg."
