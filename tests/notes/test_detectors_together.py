"""All detectors at once, on notes, headers, tables and messages of several hands: what is bracketed must be covered."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from time_growth import grows_with_the_square

from sharewell.notes import Detectors, tokens

NOTES = """
Is [Maria Gonzalez-Ruiz] (DOB [4/7/58]) allergic to penicillin?
Schedule [Aaliyah Washington] for MRI on [14th of August] at [St. Luke's Medical Center]
Patient ID [A-102938], policy # [XJ-8891-223], group [99812]
Mother's cell: [(212)555-0199]; father, [Deshawn], works at [Ford Motor Company].
The pt is a [96] y.o. vet from [Duluth], [MN], born in [Guadalajara], came to [California] in 1987
Address on file [221B Baker Street], [London] [NW1 6XE]
Email me: [priya_n@hospital.example.org] or see [https://portal.example.com/u/9931]
Device S/N [GX-7781902-A], lot [44B219], UDI [00844588003288]
IP [10.1.22.3] logged in as user [jdoe77]; subscriber [W2299 41882]
Visit [03-11-24]; next [April 2]; last seen [12/23]; LMP [1/15]
He was a teacher at [Roosevelt High School] and plays chess at [Temple Beth El]
Signed: [Hannah Lindqvist], MD  [2024-05-06T08:12:44Z]
Accession: [US-24-009182]  Specimen # [B24-1123]
Lives w/ wife [Ingrid] in [Bend], [OR] [97701]
NAME: [Le, Kim]   AGE: 44  PHONE: [555-0188]
Name|[Ahmed Hassan]|DOB|[1961-02-28]|Zip|[30301]
Discharged to [Sunny Acres Nursing Home], room 12B
Looking to support [Slashdb] in [Arendal], ask [Katarzyna]
12:10 BP 120/80, HR 94, T12-L1 fusion, pain 6/10, EF 55-60%, K 4.1, lisinopril 40 mg daily
Pt denies fever. Reflexes 2+, strength 5/5. Glasgow Coma Scale 15. Foley in place. Parkinson's disease stable.
""".strip().splitlines()


def halves(marked: str) -> tuple[str, list[tuple[int, int]]]:
    """The text without brackets, and where they were."""
    spans = []
    for number, match in enumerate(re.finditer(r"\[([^\]]*)\]", marked)):
        start = match.start() - 2 * number
        spans.append((start, start + len(match[1])))
    return re.sub(r"[\[\]]", "", marked), spans


def missed_and_extra(text: str, spans: list[tuple[int, int]]) -> tuple[list[str], list[str]]:
    found = [(s.start, s.end) for s in Detectors.usual().find(text) if s.kind not in ("DRUG", "DOSE")]

    def inside(token: tuple[int, int], areas: list[tuple[int, int]]) -> bool:
        return any(token[0] < end and start < token[1] for start, end in areas)

    each = [(text[t[0] : t[1]], inside(t, spans), inside(t, found)) for t in tokens(text)]
    return [word for word, gold, hit in each if gold and not hit], [
        word for word, gold, hit in each if hit and not gold
    ]


@pytest.mark.parametrize("marked", NOTES)
def test_everything_is_covered_and_little_else(marked: str) -> None:
    missed, extra = missed_and_extra(*halves(marked))
    assert not missed
    assert len(extra) <= 1


@pytest.mark.parametrize("change", [str.upper, str.lower])
def test_most_is_covered_without_case(change: Callable[[str], str]) -> None:
    """A note in capitals or in lower case gives fewer hints: nine tenths of the tokens are still covered."""
    gold = missed = 0
    for marked in NOTES:
        text, spans = halves(change(marked))
        gold += sum(any(t[0] < end and start < t[1] for start, end in spans) for t in tokens(text))
        missed += len(missed_and_extra(text, spans)[0])
    assert missed <= 0.1 * gold


def test_ten_times_the_text_does_not_take_a_hundred_times_as_long() -> None:
    """Of one long note: what is looked for once a note must not be looked for once a finding."""
    lines = "".join(halves(marked)[0] + "\n" for marked in NOTES)
    short = (lines * (5_000 // len(lines) + 1))[:5_000]
    assert not grows_with_the_square(Detectors.usual().find, short, short * 10, 10)
