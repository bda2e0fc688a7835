"""Places by the form of their names, and cells of tables: what is bracketed is found, and little else."""

from __future__ import annotations

import pytest
from bracketed_text import covered, halves

from sharewell.notes import Detectors
from sharewell.notes.detectors.tables import Tables

PLACES = """
She teaches at [Ravensmoor Preparatory] and rests.
CT done at [Elk Crossing] last week
Born at [St Tegla's Maternity Unit], now well
from [Mt. Zion A.M.E.] came the pastor
moved to [Foxglove Ward] tonight
resident of [Kurnool Dist], Andhra
home: [Plot 12, Road No. 4, Jubilee Park]
[Flat B, 11/F, Block 3, Ocean Court]
accident on the [M56 junction 9], no injuries
found at [I-90 EB mm 14 nr Exit 3]
lives at [401 Juniper, Eutaw] with her son
[Wharf Lane, Whitby YO21 4QQ]
Herengracht 12-III, [1017 BS Amsterdam]
Rua do Sol 4, [1100-200 Lisboa]
Drumlin House, [F92 K4P1]
Facility: [Cypress Bend Gardens]
School: [Four Corners Middle]
Co. [Leitrim] and back
Dad in [Surrey] has gout
She prefers [Traverse City] this year
""".strip().splitlines()
PLAIN = [
    "Pain at rest, worse at night, at Baseline now.",
    "BP at 0800 was 120/80; at Discharge 118/70.",
    "Site: left lower quadrant, two fingers above the spine",
    "Block 2 of the slide, Room Air, Unit dose given",
    "Surgical Ward, Cardiac Unit, Isolation Ward",
    "A1 pulley, M2 segment, N1 node, B12 level",
    "Good Friday, Holy water, King size",
]


@pytest.mark.parametrize("marked", PLACES)
def test_places_by_form(marked: str) -> None:
    text, wanted = halves(marked)
    assert not covered(text, wanted, Detectors.usual(without=("learned",)).find(text)).missed


@pytest.mark.parametrize("text", PLAIN)
def test_what_is_no_place_stays(text: str) -> None:
    assert Detectors.of("addresses", "organisations", "places").find(text) == []


def test_columns_of_a_table() -> None:
    text = (
        "room | init | age | onset | spec | result\n"
        "3 | A.B. | 88 | 2/1 | V23.118 | neg\n4 | C.D. | 95 | 3/1 | V23.121 | pos\n\nNothing | else | here\n"
    )
    found = [(text[s.start : s.end], s.kind) for s in Tables().find(text)]
    assert ("A.B", "NAME") in found
    assert ("95", "AGE") in found
    assert ("2/1", "DATE") in found
    assert ("V23.121", "ID") in found
    assert not {"88", "neg", "else"} & {piece for piece, _ in found}


def test_cells_with_quotes_and_rows_of_another_length() -> None:
    text = 'id,name,dob,complaint\nA-1,"Doe, Jane",1/2/1960,"cough, fever"\nshort,row\n'
    pieces = [text[s.start : s.end] for s in Tables().find(text)]
    assert pieces == ["A-1", "Doe, Jane", "1/2/1960"]


def test_segments_of_a_message() -> None:
    text = (
        "MSH|^~\\&|ADT|ELM CTR|LAB|X|202101020304||ADT^A01|M7|P\r"
        "PID|1||4411^^^EC^MR||DOE^JANE||19600102|F|||1 ELM^^OAK^MN\r"
    )
    found = {text[s.start : s.end]: s.kind for s in Tables().find(text)}
    assert found["DOE"] == found["JANE"] == "NAME"
    assert found["19600102"] == "DATE"
    assert found["1 ELM"] == "ADDRESS"
    assert found["ELM CTR"] == "ORGANISATION"
    assert "F" not in found


@pytest.mark.parametrize("text", ["", "|", "|||\n|||", "a|b|c\n", "name|dob\n", "PID|", "MSH|^~\\&", "x,y,z\n" * 3])
def test_odd_tables(text: str) -> None:
    assert Tables().find(text) == []
