"""The language of a note: what is taken for English, what is not, and when nobody can tell."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.notes.language import ENGLISH, english, judge

ABROAD = {
    "cs": "Pacientka byla přijata včera pro bolest na hrudi. Nemá horečku a vyšetření je v normě, jde domů s léky.",
    "da": "Patienten blev indlagt i går med smerter i brystet. Hun har ikke feber, og hun skal hjem med medicin.",
    "de": "Die Patientin wurde gestern mit Schmerzen in der Brust aufgenommen. Sie hat kein Fieber und ist stabil.",
    "es": "La paciente ingresó ayer con dolor en el pecho. No tiene fiebre y se va a su casa con tratamiento.",
    "fi": "Potilas tuli eilen osastolle rintakivun vuoksi. Hänellä ei ole kuumetta ja hän on jo parempi kuin eilen.",
    "fr": "La patiente a été admise hier pour une douleur dans la poitrine. Elle n'a pas de fièvre et elle va mieux.",
    "it": "La paziente è stata ricoverata ieri per un dolore al petto. Non ha febbre e torna a casa con la terapia.",
    "nl": "De patiënte werd gisteren opgenomen met pijn op de borst. Zij heeft geen koorts en gaat naar huis.",
    "pl": "Pacjentka została przyjęta wczoraj z powodu bólu w klatce piersiowej. Nie ma gorączki i jest już w domu.",
    "pt": "A paciente foi internada ontem com dor no peito. Não tem febre e vai para casa com a medicação.",
    "sv": "Patienten kom in i går med smärta i bröstet. Hon har inte feber och går hem med läkemedel.",
    "tr": "Hasta dün göğüs ağrısı ile geldi. Ateşi yok ve bugün ilaç ile eve gidecek, sonra kontrol için gelecek.",
}
SCRIPTS = [
    "Пациентка поступила вчера с болью в груди, температуры нет.",
    "Η ασθενής εισήχθη χθες με πόνο στο στήθος",
    "患者昨日因胸痛入院,无发热。",
    "患者は昨日、胸の痛みで入院しました。",
    "환자는 어제 흉통으로 입원하였습니다.",
    "دخلت المريضة المستشفى أمس بسبب ألم في الصدر",
    "החולה אושפזה אתמול בגלל כאבים בחזה",
    "रोगी को कल सीने में दर्द के साथ भर्ती कराया गया",
]
ENOUGH = [
    "",
    "72",
    "WNL",
    "chest pain",
    "Kowalczyk 00412",
    "MRN 00412 DOB 03/05/61",
    "BP 118/76 HR 88 RR 16 T 37.1 SpO2 98% RA",
    "Na 138 K 4.1 Cl 101 HCO3 24 BUN 14 Cr 0.9 Glu 104 Hgb 12.1 Plt 240",
    "Pt s/p CABG POD2, afeb, VSS, CTAB, RRR, NTND. Cont ASA, metop. D/C CT today.",
    "Lisinopril 10, metoprolol 25 bid, atorvastatin 40, furosemide 20, warfarin 5, omeprazole 20, gabapentin 300",
    "LUNGS CLEAR. HEART REGULAR. ABDOMEN SOFT. EXTREMITIES WITHOUT EDEMA.",
    "Mrs. Anna-Lena Müller-Lüdenscheidt of Gärtnerstraße 12, Köln was seen today and is well.",
    "seen w son juan garcía, d/c home, f/u pcp 2 wks",
]


@pytest.mark.parametrize("language", sorted(ABROAD))
def test_other_languages_are_told(language: str) -> None:
    assert judge(ABROAD[language]).language == language
    assert not english(ABROAD[language])
    assert not english(ABROAD[language].upper())


@pytest.mark.parametrize("text", SCRIPTS)
def test_other_scripts_are_not_judged(text: str) -> None:
    assert judge(text).language is None


@pytest.mark.parametrize("text", ENOUGH)
def test_short_and_telegraphic_notes_pass(text: str) -> None:
    assert english(text)


def test_a_language_that_is_not_listed_is_not_taken_for_english() -> None:
    text = "Þjáningar sjúklingsins hófust skyndilega; rannsóknir leiddu ekkert óvenjulegt ljós, útskrifaður heimleiðis"
    assert not english(text)


def test_mixed_notes_abstain() -> None:
    mine = (
        "The patient was admitted yesterday with pain in the chest, has no fever, and is to go home today with tablets."
    )
    for language in ("de", "fr", "pl"):
        assert judge(f"{mine} {ABROAD[language]}").language is None
        assert judge(f"{ABROAD[language]} {mine}").language is None
    assert english(f"{mine} {mine} {mine} {mine} He said: ja, es geht mir gut.")


def test_no_words_but_many_letters() -> None:
    assert not english("qwtzxkjbvfghplmnoiukzt vbnmasdfghjklqwertzuiopy rtzfghvbnuijklmopqasd")


@settings(deadline=None)
@given(st.text(max_size=300))
def test_every_text_is_judged(text: str) -> None:
    judged = judge(text)
    assert 0 <= judged.share <= 1
    assert judged.tokens >= 0
    assert english(text) == (judged.language == ENGLISH)


def test_a_long_note_is_judged_in_proportion() -> None:
    assert english("The patient was seen today and feels well. " * 20_000)
    assert not english(ABROAD["fr"] * 5_000)
