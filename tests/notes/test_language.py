"""The language of a note: what is taken for English, what is not, and when nobody can tell."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.notes.engine.language import ENGLISH, english, judge

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
    "Pt s/p lap chole POD1, tol PO, +flatus, amb w/ PT, JP drain 30cc ss. Plan dc am.",
    "Pt wnts meds rfilled, adv to cll pharm, vrbalized undrstnding",
    "gravida 3 para 2, SVD x2, LMP unsure. Sig: 1 tab po bid prn, disp #30, refills nil",
    "Signs of inflammation present: rubor, calor, dolor, tumor.",
    "Cx grew Stenotrophomonas maltophilia, Acinetobacter baumannii, Burkholderia cepacia; sens to meropenem.",
    "In situ, in vitro, post mortem, per os, ad libitum, nil per os, status post, locus minoris resistentiae",
    "Café-au-lait macules noted. Naïve to opioids. Ménière disease, Sjögren syndrome, Guillain-Barré.",
    "Takes ashwagandha, triphala, brahmi and turmeric. Ate tamales and arroz con pollo at a quinceañera.",
    'Pt states "dolor" and points to abdomen; interpreter: "mucho dolor" in the back.',
    "Daughter María de los Ángeles de la Cruz Hernández; son José Luis.",
    "Records from Klinikum rechts der Isar, Ismaninger Straße 22, München requested.",
    "Hospital Universitario La Paz, Paseo de la Castellana 261, Madrid faxed discharge papers.",
    "Czech pt, Jiří Dvořák, born Plzeň, lives Kněžská 15, České Budějovice; speaks some English.",
    "Seen today in the clinic with his wife and feels well. Mrs. Ольга Иванова and 岡本里美 (里美さん) called too.",
    "Friend محمد عبد الله drove him here and waits outside; both agree to the plan as it stands today.",
]
TELEGRAMS = [
    "Paciente masculino 45 años, dolor torácico, HTA, DM2. Juan Pérez, vive Calle Mayor 12, Madrid.",
    "Fièvre, toux, dyspnée. Mme Dupont, 12 rue Lafayette, Paris. Contrôle demain.",
    "Dolor abdominal, fiebre, vómitos. Refiere mejoría. Juan Pérez acompañado esposa Lucía.",
    "Patient klagt über Schmerzen",
    "Pcte refiere dolor",
    "Fièvre, toux, Mme Dupont",
    "pcte masculino, tos seca, fiebre 39, dolor de garganta, amoxicilina 500 c/8h",
    "PACIENTE CON DOLOR TORACICO Y FIEBRE. INGRESA A PLANTA.",
    "PATIENTIN KLAGT UEBER SCHMERZEN IM BAUCH SEIT GESTERN",
    "Herida en pierna derecha, sutura 4 puntos, curas diarias. Vacuna tétanos.",
    "Bon état général, constantes stables, pansement propre, reprise alimentation.",
    "Bauchschmerzen, Durchfall, kein Fieber. Labor unauffällig. Entlassung morgen.",
    "Dolore addominale, vomito, diarrea. Il sig. Rossi abita a Milano, via Garibaldi 3.",
    "Dor abdominal, náuseas, vômitos. Mora na Rua das Flores 10, Lisboa.",
    "Buikpijn, misselijkheid, braken. Mevrouw De Vries woont Kerkstraat 5 Utrecht.",
    "Ból brzucha, wymioty, biegunka. Stan ogólny dobry.",
    "A beteg fejfájásra és lázra panaszkodik három napja.",
]
SENTENCES = [
    "La paciente Rosa Delgado fue vista hoy en la clínica por el doctor y se siente bien con su tratamiento.",
    "Die Patientin Frau Weber wurde heute in der Klinik gesehen und fühlt sich mit der neuen Behandlung gut.",
    "Sa fille Marie Dupont habite à Lyon et elle vient la voir tous les dimanches.",
    "Il figlio Marco Rossi abita vicino alla chiesa e la accompagna sempre alle visite.",
    "Le dimos acetaminofén y se fue a su casa con su hermana Rosa Delgado.",
    "O filho João Silva mora em Lisboa e trabalha no banco com a mãe.",
    "Jej syn Piotr Kowalski mieszka w Krakowie i pracuje w szpitalu jako kierowca.",
    "Zijn dochter Anneke woont in Utrecht en komt elke week op bezoek bij hem.",
]
MINE = "The patient was seen today in the clinic and she feels well with the new treatment. "


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


@pytest.mark.parametrize("text", TELEGRAMS)
def test_telegrams_of_another_language_are_withheld(text: str) -> None:
    """No stop words hold them together; what they tell of an illness does."""
    assert not english(text)
    assert not english(MINE * 5 + text)


@pytest.mark.parametrize("text", [*SENTENCES, *SCRIPTS])
@pytest.mark.parametrize("times", [1, 3, 12, 80])
def test_one_sentence_of_another_language_is_enough(text: str, times: int) -> None:
    assert not english(MINE * times + text)
    assert not english(f"{MINE * times}\n\n{text} {MINE * times}")


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
    for odd in ("dolor ", '"a ', "x@", "pacie, ", "a.b"):
        english(odd * 50_000)


def test_notes_of_the_hospital_are_english() -> None:
    from sharewell.hospital.hospital import Hospital

    assert all(english(note["body"]) for block in Hospital(patients=60, seed=3).blocks() for note in block.notes)
