"""Czech, Turkish and other letters that are valid windows-1252 are not taken for Western ones, nor the other way."""

from __future__ import annotations

import random
import re
import unicodedata
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from words_of_languages import ENCODINGS, WESTERN, WORDS

from sharewell.errors import DataError
from sharewell.io.encodings import detect_encoding
from sharewell.io.national_letters import is_garbled, likely_encodings
from sharewell.io.sources import Source

TONES = "\u0300\u0309\u0303\u0301\u0323"
OTHERS = [
    (
        "cp1250",
        "windows-1250",
        "Pacientka přichází pro bolest břicha trvající tři dny, užívá léky, kouří deset cigaret.",
    ),
    (
        "cp1250",
        "windows-1250",
        "Pacientka prichádza pre bolesti brucha, užíva lieky; pečeň nezväčšená, ľavá noha bolí.",
    ),
    ("cp1254", "windows-1254", "Hasta karın ağrısı şikayetiyle başvurdu, üç gündür ateşi yüksek, ilaç kullanıyor."),
    ("cp1250", "windows-1250", "A beteg három napja tartó fájdalommal érkezett, gyógyszert szed; nőgyógyászati műtét."),
    (
        "cp1250",
        "windows-1250",
        "Pacienta se prezintă pentru dureri apărute în urmă cu trei zile, uşor sensibil, soţul.",
    ),
    ("cp1250", "windows-1250", "Bolesnica dolazi zbog bolova, šećerna bolest, žučni kamenci, povišen tlak, čir."),
    ("iso-8859-2", "iso-8859-2", "Pacjentka leczona z powodu nadciśnienia, źle śpi, wątroba, ściana, głowa."),
    ("cp1257", "windows-1257", "Pacientė kreipėsi dėl pilvo skausmų, kurie tęsiasi; dešinėje jautrus, čia ąžuolas."),
    (
        "cp1257",
        "windows-1257",
        "Paciente sūdzas par sāpēm vēderā, kas ilgst trīs dienas; lieto zāles, smēķē, ķermeņa masa.",
    ),
]
SENTENCES = [
    "Die Patientin stellt sich wegen Übelkeit vor: Müller, Weiß, Jörg, täglich, größer, Ärztin.",
    "La patiente présente des antécédents: hypertension traitée, où, cœur, naïf, garçon, dû, hôpital.",
    "La paziente si presenta così: è più difficile, però giù, venerdì, qualità, andò, perché.",
    "La paciente: exploración, niño, señora, corazón, médico, según, único, García, lingüística.",
    "A paciente há três dias: coração, não, então, João, ações, órgãos, à, fígado, câncer.",
    "Patienten møder på grund af smerter, forhøjet blodtryk, Søren, Åse, nyre, læge, får, ømhed.",
    "Patienten söker för buksmärtor, högt blodtryck, Åsa, läkare, på, även, mjölk, café.",
    "Sjúklingur leitar vegna kviðverkja í þrjá daga, meðhöndluð við háþrýstingi, ástæða, ógleði.",
    "Potilas hakeutuu, kestänyt kolme päivää, lääkäri, äiti, yö, hyvä, Åbo.",
    "Patsient kõhuvalu tõttu, kõrge vererõhk, õde, täna, öö, üks, šokk.",
    "Seán Ó Briain, Máire Ní Shúilleabháin, Pádraig, Éamonn, Ciarán, Róisín, Gráinne",
    "Müller, Rösli, Käthi, Zürich, François, Hélène, Genève, Niccolò, Günther, Jürg, Renée, Gaël",
    "Müller; Böhm; Ødegård; Muñoz; García; Weiß; Jürgen; Käthe; Köhler; Schröder; 5 µg, 38,5 °C, 10 m²",
]
ALPHABETS = ("äöüß", "éèêëàâçùûîïôœ", "áéíóúñü", "ãõâêôáéíóúç", "æøå", "åäöé", "áéíóúýðþæö", "õäöüšž")


@pytest.mark.parametrize(("code", "encoding", "text"), OTHERS)
def test_letters_of_other_encodings_are_in_doubt(code: str, encoding: str, text: str, tmp_path: Path) -> None:
    assert likely_encodings(text.encode(code))[0][0] == encoding
    path = tmp_path / "notes.csv"
    path.write_bytes(f"patient_id,text\n1,{text.replace(',', ' ')}\n".encode(code))
    with pytest.raises(DataError, match=encoding) as caught:
        Source.detected(path)
    assert not any(word in str(caught.value) for word in text.split() if not word.isascii())
    assert Source.detected(path, Source(encoding=encoding))[0].read()["text"].to_pylist()[0] == text.replace(",", " ")


@pytest.mark.parametrize("text", SENTENCES)
def test_western_letters_are_not(text: str, tmp_path: Path) -> None:
    assert likely_encodings(text.encode("cp1252")) == ()
    path = tmp_path / "notes.csv"
    path.write_bytes(f"patient_id,text\n1,{text.replace(',', ' ')}\n".encode("cp1252"))
    assert Source.detected(path)[0].encoding == "windows-1252"


def spelt(word: str, letters: str) -> str:
    """As its language spells: õ before e in Portuguese, and vowels with accents in every Icelandic text."""
    if "ãõ" in letters:
        return re.sub("[õÕ]", lambda match: match[0] + "e", word)
    return word + "á" * (1 + len(word) // 4) if "þ" in letters else word


@given(
    st.sampled_from(ALPHABETS).flatmap(
        lambda letters: st.lists(
            st.text("abe" + letters + letters.upper(), max_size=9).map(lambda word: spelt(word, letters))
        )
    )
)
def test_text_of_one_western_alphabet_is_never_in_doubt(words: list[str]) -> None:
    assert likely_encodings(" ".join(words).encode("cp1252", "ignore")) == ()


@given(st.binary(max_size=300))
def test_any_bytes_have_an_answer(content: bytes) -> None:
    assert all(encoding and language for encoding, language in likely_encodings(content))


def test_a_few_letters_say_nothing() -> None:
    assert likely_encodings("Dvořák".encode("cp1250")) == ()


def rows(language: str, count: int, seed: int = 1) -> str:
    """Records with two words of a language each, names and illnesses among them."""
    draw, words = random.Random(seed), WORDS[language].split()
    lines = [f"{i};{draw.choice('MF')};{draw.choice(words)};{draw.choice(words)}" for i in range(count)]
    return "patient_id;sex;name;place\n" + "\n".join(lines) + "\n"


def in_bytes(text: str, encoding: str) -> bytes:
    """With the tones of Vietnamese apart, as that encoding has them; what an encoding lacks is left out."""
    pieces = []
    for sign in text:
        apart = unicodedata.normalize("NFD", sign)
        tones = "".join(one for one in apart if one in TONES)
        vowel = unicodedata.normalize("NFC", "".join(one for one in apart if one not in TONES))
        pieces.append(vowel + tones if encoding == "cp1258" else sign)
    return "".join(pieces).encode(encoding, "ignore")


@pytest.mark.parametrize(("language", "encoding"), [(name, one) for name, some in ENCODINGS.items() for one in some])
def test_no_other_encoding_is_read_as_a_western_one(language: str, encoding: str) -> None:
    """Refused, whatever it is, or the text is what it was."""
    for seed in range(5):
        content = in_bytes(rows(language, 60, seed), encoding)
        with suppress(DataError):
            result = detect_encoding(content, True, "export.csv")
            assert content.decode(result.name) == content.decode(encoding)


def test_a_refusal_repeats_no_word() -> None:
    with pytest.raises(
        DataError, match=r"words would have signs and capitals in their middle — .* name its encoding"
    ) as one:
        detect_encoding(rows("finnish", 60).encode("cp850"), True, "export.csv")
    assert not any(word[1:] in str(one.value) for word in WORDS["finnish"].split())


@pytest.mark.parametrize("language", WESTERN)
@pytest.mark.parametrize("count", [1, 3, 10, 100])
def test_western_languages_are_read(language: str, count: int) -> None:
    for seed in range(5):
        text = rows(language, count, seed)
        result = detect_encoding(text.encode("cp1252"), True, "export.csv")
        assert text.encode("cp1252").decode(result.name) == text


@pytest.mark.parametrize(
    "text",
    ["10 m³, 37,2 °C, 5 µmol/l, ±2, ½", "l’école, O’Neill, “quoted”, ‘so’, Müller–Lyer, Größe…", "1ª vez, n.º 7, 20 €",
     "MÜLLER, JOSÉ, ÅSE, CONCEIÇÃO, SØREN", "Maria\u00a0José, 10\u00a0mg, é\u00a0normal", "mother–child, Käthe, Jörg"],
)  # fmt: skip
def test_signs_where_people_write_them_are_not_in_doubt(text: str) -> None:
    assert not is_garbled(text.encode("cp1252"))
    assert likely_encodings(text.encode("cp1252")) == ()
