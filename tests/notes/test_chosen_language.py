"""Which allowed language a note is in: the evidence is words, and another language is withheld."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sharewell.notes.engine.chosen_language import chosen_language

MARKED = Path(__file__).parents[2] / "benchmarks" / "marked"
ALL = ("english", "german", "spanish")
ABROAD = [
    "Fièvre, toux, dyspnée",
    "Le patient a été hospitalisé hier pour une douleur thoracique et il va mieux.",
    "Paziente con febbre e tosse da tre giorni.",
    "O paciente refere dor no peito há dois dias e não tem febre.",
    "De patiënt is gisteren opgenomen met koorts en hoesten.",
    "Пациент поступил вчера с болью в груди",
    "Der Patient ist wach. Le patient est sorti hier et il va bien avec sa fille. Er isst.",
    "Ingresa con fiebre. The patient was seen by the team and is to be discharged with her son. Alta.",
]


def texts(file: str) -> list[str]:
    return [json.loads(line)["text"] for line in (MARKED / file).read_text("utf-8").splitlines()]


@pytest.mark.parametrize(("code", "name", "other"), [("de", "german", "spanish"), ("es", "spanish", "german")])
def test_notes_of_a_pack_are_told(code: str, name: str, other: str) -> None:
    for file in ("tuning_notes.jsonl", "heldout_notes.jsonl"):
        for text in texts(f"{code}/{file}"):
            assert chosen_language(text, (name,)) == name
            assert chosen_language(text, ALL) == name
            assert chosen_language(text, ("english", other)) is None


def test_english_notes_stay_english() -> None:
    for text in texts("tuning9_notes.jsonl")[::4]:
        assert chosen_language(text, ("english",)) == chosen_language(text, ALL) == "english"
        assert chosen_language(text, ("german", "spanish")) is None


@pytest.mark.parametrize("text", ABROAD)
def test_other_languages_and_mixtures_are_withheld(text: str) -> None:
    assert chosen_language(text, ("german",)) is None
    assert chosen_language(text, ("spanish",)) is None
    assert chosen_language(text, ("german", "spanish")) is None


def test_a_short_list_is_of_the_language_that_the_policy_names() -> None:
    assert chosen_language("Herr Müller, 3.4.2020", ("german",)) == "german"
    assert chosen_language("120/80, 72, 98 %", ("spanish",)) == "spanish"
