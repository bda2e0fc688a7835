"""Shops, schools and houses by their kind, lines of addresses, flights, and days like the others of a note."""

from __future__ import annotations

import pytest

from sharewell.notes import Detectors

VENUES = [
    ("picked up at Tesco on Mill Road today", "Tesco on Mill Road"),
    ("she shops at Target in Tulsa", "Target"),
    ("he shops at Target in Tulsa", "Tulsa"),
    ("he stays at the Hotel Belvedere now", "Hotel Belvedere"),
    ("seen in the Hospital de la Luz before", "Hospital de la Luz"),
    ("held in HMP Feltham since", "HMP Feltham"),
    ("her preschool is Busy Bees and", "Busy Bees"),
    ("the daycare (Tiny Tugboats) called", "Tiny Tugboats"),
    ("he works for Orsini plumbing in town", "Orsini plumbing"),
    ("born in Gorakhpur district hospital", "Gorakhpur district hospital"),
    ("goes to Fernwood Park HS by bus", "Fernwood Park HS"),
    ("drinks at the Drovers Arms on most days", "Drovers Arms"),
    ("SHE WAS SEEN AT GLENMARY AND SENT HOME BY THE NURSE", "GLENMARY"),
]
ADDRESSES = [
    ("moved to Calle Sol 7, 2º A, 46002 Valencia in June", "Calle Sol 7, 2º A, 46002 Valencia"),
    ("from ul. Polna 3 m. 12, 30-211 Kraków with his son", "ul. Polna 3 m. 12, 30-211 Kraków"),
    ("at Parkvägen 9 B, 2 tr, 752 25 Uppsala since", "Parkvägen 9 B, 2 tr, 752 25 Uppsala"),
    ("care of 24 rue Lepic, 75018 Paris", "24 rue Lepic, 75018 Paris"),
    ("lives at Carrera 15 # 88-21, Bogotá", "Carrera 15 # 88-21"),
    ("Room 12, No. 9 Harbour Road, Hobart TAS 7000.", "Room 12, No. 9 Harbour Road, Hobart TAS 7000"),
    ("deliver to 5/18 Esplanade Rd, Cairns QLD 4870.", "5/18 Esplanade Rd, Cairns QLD 4870"),
    ("crash on Route 22 near Altoona last", "Route 22"),
]
NUMBERS = [
    ("his mother lands at noon on KL 1042 tomorrow", "KL 1042"),
    ("hearing aid PX-4410-L lost", "PX-4410-L"),
    ("marrow (HB24-3317) shows", "HB24-3317"),
    ("[09:41] jtorres: bed ready", "jtorres"),
    ("medical record seven one oh four two two is hers", "seven one oh four two two"),
    ("Bleeped Anwar on 3318 re fluids", "3318"),
    ("he rang on 41 22 87 03 again", "41 22 87 03"),
    ("sort 20-45-11 account 55512340", "20-45-11"),
    ("truck, Nevada TRW-552, was found", "TRW-552"),
]
DAYS = [
    ("Seen 6/22, CT 6/25. Drain 7/2, stapled 7/3.", "7/2"),
    ("on lundi 4 mars she", "lundi 4 mars"),
    ("closed for Bunker Hill Day in town", "Bunker Hill Day"),
    ("le 1er juin at noon", "1er juin"),
    ("well since agosto, no fever", "agosto"),
]
PLAIN = [
    "Hospital Day 4, Post Op Day 2, Camp was fine, Hospital Course below",
    "A1 pulley released, strength 4/5, pain 6/10, reflexes 2/4, sats in the 120s never",
    "Temp 36.8 HR 88 BP 132/74 RR 18 under 45 CFR 164.501",
    "K 3.9 (0.50-1.10), target dose, quest for answers, boots on, subway tiles",
    "Stage 2/3, grade 1/4, 6/12 course, 2/7 then stop. Glucose high today.",
]


@pytest.fixture(scope="module")
def ours() -> Detectors:
    names = "addresses ages dates identifier-forms ids organisations phones places short-dates"
    return Detectors.of(*names.split(), "tables")


@pytest.mark.parametrize(("text", "phrase"), [*VENUES, *ADDRESSES, *NUMBERS, *DAYS])
def test_found_wholly(ours: Detectors, text: str, phrase: str) -> None:
    start = text.index(phrase)
    held = {place for span in ours.find(text) for place in range(span.start, span.end)}
    missed = [text[at] for at in range(start, start + len(phrase)) if text[at].isalnum() and at not in held]
    assert not missed


@pytest.mark.parametrize("text", PLAIN)
def test_plain_text_is_left(ours: Detectors, text: str) -> None:
    assert [text[span.start : span.end] for span in ours.find(text)] == []
