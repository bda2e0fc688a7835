"""Names of accounts in notes, logs and talks."""

from __future__ import annotations

import pytest
from marked_text import Together, check, found

FINDER = Together("ids", "identifier-forms")

USERS = """
Plan as above. signed [thansen]
order opened by [pokafor] from the ward
electronically signed by [r.novak] on Friday
Told to come back. [jensenk4]
typed by [abk52]; reviewed later
typed by [carp.tr] at noon; log-in name [herma498]; Ref Gross/[tony_e]
[will.ke]@10.0.4.22: opened
reply by [OLS417], user [WEI902]
ROUTED TO THE BASKET OF [MGONZALEZ]
""".strip().splitlines()

TALK = """>>> [zebra_88]: bed 4 needs a line
>>> [mkowalski]: on my way
>>> [zebra_88]: thanks
>>> [mkowalski]: done"""

NO_USERS = """
signed and dated; reviewed by cardiology; seen by physio, per protocol
BRCA1 and SGLT2 discussed, grade2, birads4, covid19 swab, vitamin b12
plan: rest
plan: fluids
abdo: soft
abdo: tender
follow-up: none
follow-up: none
patient/family agree; procedure/time out done
""".strip().splitlines()


@pytest.mark.parametrize("marked", [*USERS, TALK])
def test_accounts(marked: str) -> None:
    spans = {(span.start, span.end) for span in FINDER.find(marked.replace("[", "").replace("]", ""))}
    assert spans
    text = marked.replace("[", "").replace("]", "")
    wanted = {marked.split("[")[at].split("]")[0] for at in range(1, marked.count("[") + 1)}
    assert {text[start:end] for start, end in spans} == wanted


def test_words_and_fields_are_no_accounts() -> None:
    assert not found(FINDER, "\n".join(NO_USERS))


def test_more_numbers_after_a_name() -> None:
    check(FINDER, "serials [48TR55210]; mrn [771290]")
    check(FINDER, "S/N [7714 QX20]; kit [22:RT40771]; key safe [4471]; drug book no. [418]")
    check(
        FINDER,
        "Sgt Holt [314KX]; blood [G071 120 334 181]; gave [9871 104 220]; CHI [220847 7193]",
    )


@pytest.mark.parametrize("piece", ["signed a ", "jensenk4\n", "ab_1: x\n", "Patient/1 ", "by x.y ", "lot 1 and "])
def test_long_runs_are_quick(piece: str) -> None:
    FINDER.find(piece * 3000)
