"""Dates and ages, and what only looks like them."""

from __future__ import annotations

import pytest
from marked_text import Together, check, found

from sharewell.notes.engine.spans import Text
from sharewell.notes.matcher.matching import RuleDetector

DATES = """
Seen on [03/05/2016] and [3/5/16], discharged [2016-03-09].
DOB: [12.04.1956]   Admitted: [05-MAR-2016]   Printed [2016-03-05 14:22:01]
[July 31, 2016], [31 July 2016], [31st of July, 2016], [Jul 31 2016], [July 31st]
Follow up in [October], last seen [June 2019], started [06/2019].
He was ADMITTED [MARCH 5, 2016] AND DISCHARGED [9 MAR 16].
dictated [june third twenty twenty four] by the resident
born [september the first nineteen fifty six], moved in 1987
on [May 5] she may 5 minutes later; [May 2021]; it may rise
Since [may]. Next visit in [March]. They march in place.
Compared with CT of [3/5]. Last visit [2/14], appointment [11/3].
Note of [9-27], DOS [7-15], adm [10-16] 2255 via ED
Monday to Friday; off on [Thanksgiving] and [Christmas Eve]; seen [Mon], [4 March], [Thurs] the [9th]
fell in the [summer of 2019]
[06252023] scan   [20230625] scan
| Date | Value |
| [01/02/2020] | 7.4 |
from [6/3/2016] to [6/9/2016]; [June 3-7, 2016]
Episode: [11/27/23]-[1/25/24]; [04.05.2020] - [09.05.2020]; visits [3/4]-[3/9/21]
Last seen here [May 20]; no-showed [8-14]. Outside labs [8-29-23]: TSH 1.4, take 2-3 tablets
holter in [august] showed occasional beats
Seen with Jun-ho and Jan-erik; off [Jun]-[Aug]
next in [12/31/2100], [2150-03-14], [31.12.2150]; at 2130
""".strip().splitlines()


FAR_APART = (
    "Date of Birth [September 28, 1956] // NOK a friend of hers who lives in the same street, no telephone\n\n"
    "Oncologic History: [1/2017]: felt a lump on the left side. [February 22, 2017]: core biopsy"
)

NO_DATES = """
BP 120/80, pulse 72, strength 5/5, reflexes 2+, pain 6/10, grade 3/6 murmur
L4-5 disc bulge, T12-L1 fracture, C3/4 stenosis, S1
MMT 4/5-5/5, BP 120/80-130/90, 1.2-3.4.10
version 1.2.10, section 4.3.2, 1/2 tablet, 3/4 of the bottle
in 1998 and 2004, the 90s, since 2011
at 10:30, 0430, 7:15 pm, q6h, 24/7
28 weeks 3/7, G2P1, EDC pending, gestational age 39 2/7
Hemoglobin 12.5, sodium 135-145, INR 2-3, take 1-2 tablets
may improve with rest; she may 2 times daily; marching; decreased 10 mg
visual acuity 20/40, ratio 2:1, Bell 3-4/10, 5-10 days, from 3-5 days
April was the name of her nurse? no: decided, mayor, augment, octopus
GCS 14/15, Apgars 8/9, ejection fraction 55-60%
""".strip().splitlines()

AGES = """
[94]-year-old woman, [97] y/o male, [91] yo F, [103] years of age, [90]yoM
Age: [95]   Sex: F
aged [92], AGE [101], died at [97], passed away at age [99], turned [100]
HX: [91]F smoker. Her mother died of the same at [93].
a [NINETY-FOUR]-YEAR-OLD man; a [centenarian]; a [one hundred and two] year old
in her [90]s; on her [95]th birthday; Gloria is [97], oldest of all
""".strip().splitlines()

NO_AGES = """
a 58 y/o female; aged 45; 89-year-old; died at 62; in her 80s
SpO2 94%, sats 95 on room air, weight 92 kg, pulse is 97, HR 101
temp 99F, fever to 101F, 100 mg, bp in the 90s, glucose 110
95 days old, 98 weeks, 100 pack-years, 90 minutes, gestational age 39 weeks
INR 2.94, room 94, 94/60, scored 95 points, ninety tablets, 120 years ago
""".strip().splitlines()


@pytest.mark.parametrize("marked", [*DATES, FAR_APART])
def test_dates(marked: str) -> None:
    check(Together("dates", "short-dates"), marked)


@pytest.mark.parametrize("text", NO_DATES)
def test_no_dates(text: str) -> None:
    kept = [
        piece for piece in found(Together("dates", "short-dates"), text) if piece != "April"
    ]  # a given name is as identifying
    assert not kept


@pytest.mark.parametrize("marked", AGES)
def test_ages(marked: str) -> None:
    check(Together("ages"), marked)


@pytest.mark.parametrize("text", NO_AGES)
def test_no_ages(text: str) -> None:
    assert not found(Together("ages"), text)


def test_younger_ages_on_request() -> None:
    assert found(RuleDetector.shipped("any-age"), "58 y/o female, aged 45, 7 years old, age: 3") == [
        "58",
        "45",
        "7",
        "3",
    ]


def test_a_wrapped_line_is_read_on() -> None:
    text = "The patient was seen again in this clinic on the morning of July\n31, 2016 by the attending."
    assert found(Together("dates", "short-dates"), text) == ["July\n31, 2016"]


def test_a_letter_that_grows_in_lower_case_keeps_offsets() -> None:
    text = "İİİ seen 03/05/2016"
    assert len(Text(text).folded) == len(text)
    assert found(Together("dates", "short-dates"), text) == ["03/05/2016"]
