"""Dates that a fax, a scan or a dictation spoilt, and short ones in odd places."""

from __future__ import annotations

import pytest
from marked_text import Together, check, found

DATES = [
    "Born [Octo-\n   ber 12, 1961] in Leith",
    "lost the leg in [Janu-\nary 2011].",
    "period.end=[2017-\n04-12] and MRI [2016- 11-02]: normal",
    "Coll [O3/l2/2Ol9] and [0l-22-1977]",
    "my birth date is [eleven six fifty two] and",
    "[2019-Mar-12], [Mar-12-2019], [2019 March 12], [12 - 3 - 2019], [03.2019]",
    "seen [7 xi 2018]; DOB [1954 03 12]; COLL [071219]",
    "last dose [9-14], surgery is [10-06]; home [3-2].",
    "court the [nineteenth]\nnext to the church",
    'angio [24th]\nthen home; her bday is the [21st]"',
    "[Thurs] the [12th] thing moved",
    "wait till [Greek Easter]; fell at [easter]; back [Easter Tuesday]; [Ash Weds]",
    "bloods [may 10]: K 4; tested [dec 29], well",
    "week of [3/12]; field day on [4/8]",
    "in Ipoh [23 Mac 2021]",
]
NO_DATES = """
SEP-1 bundle met; LP #1 clear; the 25th centile; weight 3.8 kg (25th), HC 35 cm (50th)
Friday and Mondays; on Tuesday; every Saturday
VS 98.4 - 92 - 16 - 148/91; steps 40 - 80 - 120
start 2-3 L fluids; given 1-2 tabs; see 3-4 patients; home 2-3 times
case 6/14, series 2/31, monofilament 8/10, 28/7 course
the twelfth rib, the second toe, the third time
""".strip().splitlines()


@pytest.mark.parametrize("marked", DATES)
def test_spoilt_dates(marked: str) -> None:
    check(Together("dates", "short-dates"), marked)


@pytest.mark.parametrize("text", NO_DATES)
def test_no_dates(text: str) -> None:
    assert found(Together("dates", "short-dates"), text) == []


@pytest.mark.parametrize("piece", ["Sep-\n", "1 1 / ", "o1/", "2018- ", "birth ten ", "the tenth ", "9-14 "])
def test_long_runs_are_quick(piece: str) -> None:
    Together("dates", "short-dates").find(piece * 3000)
