"""Names told by the form of a line, and whole names: what is bracketed is found, what is not stays."""

from __future__ import annotations

import pytest
from bracketed_text import covered, halves

from sharewell.notes import Detectors, Span
from sharewell.notes.detectors.names import Names
from sharewell.notes.engine.spans import SAFE, Text
from sharewell.notes.matcher.whole_names import whole_names

FORMS = """
[14:31] [Oisín]: bed 4 is free
Bloods chased, all fine. [KW]
I care for [R.T.] at home
Harold "[Hal]" Osterman came with his wife
Kids: [Milo] 7, [June] 4, both well
Present: [Falkenrath], [Obuya], [Lindgren]
Seen by [O'Halloran] and [D'Souza]
Re 周, chart of [周美玲], seen in clinic
PT [BEAR RUNNER], [WINONA] AGE 51
ward round with [T. Bell], plan as before
can [Will] bring his own chair
hi this is [june], may i change my slot
i'm [kofi], [abena]'s brother, she is unwell
Ask for [Grace] at the desk
alias "[Duke]", no fixed abode
the night nurse, [Ruby], rang back
Entered by [BKL]
Mr [X] was found on the floor
[TANAKA] [Yuki], MD
letter for [Ines] [de] [Groot], b. 2 May
a call from [yusuf] [bin] [tariq] about his scan
[Willow]'s mother called
Last, First: [Cox], [Dawn]   Ward 4
seen with [Jun]-[ho] and [Seo]-[young] today
CM: [Sorrel], bed 4
Read by I. [Fry]. Told to hold it; [Fry] to review
[Rose] knows to ring us; Niece ([Rose]) has the key
""".strip().splitlines()
PLAIN = [
    "Vitamin C. Head CT normal.",
    "No murmur. RRR. BP 120/80 a.m. and p.m.",
    "Murphy neg, Thompson -ve, Pemberton +, Hoffman absent",
    "Kellgren-Lawrence 3, Fugl-Meyer 9, Passy-Muir on",
    "Children are well. Present complaint: cough.",
    "He will bring it. I'm tired, it's fine.",
    "EXAM: MR LUMBAR SPINE WITHOUT CONTRAST",
]


@pytest.mark.parametrize("marked", FORMS)
def test_names_by_form(marked: str) -> None:
    text, wanted = halves(marked)
    assert not covered(text, wanted, Detectors.usual(without=("learned",)).find(text)).missed


@pytest.mark.parametrize("text", PLAIN)
def test_what_only_looks_alike(text: str) -> None:
    safe = Detectors.of("clinical-terms", "safe-phrases").candidates(Text.of(text))
    for span in Names().find(text):
        assert any(s.kind == SAFE and s.start <= span.start and span.end <= s.end for s in safe), text[
            span.start : span.end
        ]


@pytest.mark.parametrize(
    ("text", "found", "grown"),
    [
        ("Ann Mokoena-Black came", "Ann Mokoena", "Ann Mokoena-Black"),
        ("Park Seo-jun came", "Park Seo", "Park Seo-jun"),
        ("Leilani Ka'ahumanu came", "Leilani Ka", "Leilani Ka'ahumanu"),
        ("at Camp Loon-on-the-Water now", "Loon", "Camp Loon-on-the-Water"),
        ("works for Tarn Alkalis since", "Tarn", "Tarn Alkalis"),
        ("a Boston-based firm", "Boston", "Boston"),
        ("Smith denies pain", "Smith", "Smith"),
        ("in Tarn. Monday came", "Tarn", "Tarn"),
        ("Tarn Date: 3", "Tarn", "Tarn"),
    ],
)
def test_names_are_whole(text: str, found: str, grown: str) -> None:
    start = text.index(found)
    kind = "NAME" if found.count(" ") else "ORGANISATION"
    (span,) = whole_names(Text(text), [Span(start, start + len(found), kind, 0.7)])
    assert text[span.start : span.end] == grown


def test_nothing_grows_over_the_next_finding_or_a_safe_phrase() -> None:
    text = Text("Ann Baker Cyst seen")
    assert whole_names(text, [Span(0, 3, "NAME", 0.7)], [Span(4, 14, SAFE, 0.9)])[0].end == 3
    spans = [Span(0, 3, "NAME", 0.7), Span(4, 9, "NAME", 0.6)]
    assert next(s.end for s in whole_names(text, spans)) == 3
