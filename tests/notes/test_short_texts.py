"""A column of remarks that are each too short to tell their language is refused if all of them together are foreign."""

from __future__ import annotations

from pathlib import Path

import pytest

import sharewell
from sharewell.errors import Infeasible
from sharewell.notes.engine.language import english
from sharewell.notes.engine.protection.short_texts import foreign_together

NAMES = ("Müller", "Schmidt", "Schneider", "Fischer", "Weber", "Meyer", "Wagner", "Becker", "Schulz", "Hoffmann")
GERMAN = [
    f"{sentence} {name}"
    for name in NAMES
    for sentence in (
        "Pat. bitte Kontrolle in 2 Wochen, Gruß",
        "Hämolytisch, telefonisch durchgegeben an Dr.",
        "Wiederholung empfohlen; Rücksprache Station 3 mit",
        "Befund wurde bereits mitgeteilt, siehe Brief von",
        "nüchtern, aber vor der Abnahme geraucht, laut",
    )
]
ENGLISH = [
    f"{sentence} {name}"
    for name in NAMES
    for sentence in ("Please recheck in 2 weeks, regards", "Sample haemolysed, phoned to Dr.", "Pt s/p CABG, f/u")
]


def test_single_remarks_tell_nothing_but_all_together_do() -> None:
    assert sum(map(english, GERMAN)) >= len(GERMAN) / 2
    assert foreign_together(GERMAN)
    assert not foreign_together(ENGLISH)


def test_remarks_that_differ_in_numbers_alone_are_told_by_their_words() -> None:
    """Windows of such a text hold one or two words that tell a language, over and over."""
    ages = [f"Patient de {age} ans, habite à Lyon." for age in range(20, 80)]
    assert foreign_together(["Toux depuis trois jours.", "Pas de plainte.", "Contrôle dans deux semaines.", *ages])
    assert not foreign_together(
        ["Cough for three days.", *(f"Pt of {age} y, lives in Los Angeles." for age in range(20, 80))]
    )


def test_a_few_remarks_and_those_beside_longer_notes_are_judged_by_themselves() -> None:
    assert not foreign_together(GERMAN[:1])
    long = [f"{number} " + "The patient was seen in the clinic and is well; no change of treatment is planned today. "
            for number in range(len(GERMAN) + 1)]  # fmt: skip
    assert not foreign_together([*long, *GERMAN])


@pytest.mark.parametrize(("remarks", "refused"), [(GERMAN, True), (ENGLISH, False)], ids=["german", "english"])
def test_plan_refuses_such_a_column_and_says_what_to_do(remarks: list[str], refused: bool, tmp_path: Path) -> None:
    rows = "".join(f'p{i},{30 + i % 5},"{remark}"\n' for i, remark in enumerate(remarks))
    (tmp_path / "d.csv").write_text(f"id,age,remarks\n{rows}", encoding="utf-8")
    (tmp_path / "policy.yaml").write_text(
        "sharewell: 1\nrelease: {name: r}\ndatasets:\n  d:\n    kind: tables\n    read: {csv: d.csv}\n"
        "    columns: {id: subject, age: quasi, remarks: text}\n    require: [k-anonymity: {k: 2}]\n"
        "    using: mondrian\nwrite: {csv: out}\n"
    )
    outcome = sharewell.plan(tmp_path / "policy.yaml")["d"].outcome
    assert outcome.feasible is not refused
    if refused:
        assert "its short texts, read as one, are not in English" in outcome.why_not
        assert "replace: {language: german}" in outcome.why_not
        with pytest.raises(Infeasible, match="not in English"):
            sharewell.release(tmp_path / "policy.yaml")
