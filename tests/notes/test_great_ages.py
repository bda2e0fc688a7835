"""Ages over 89 as people write them: [an age]; and great numbers that are none."""

from __future__ import annotations

import pytest
from marked_text import check, found

from sharewell.notes.detectors import Detectors

AGES = """
Seen with her neighbour, Mr Alfred Binns, [93], who drove.
Dorothy Okonjo ([96]) was transferred from the cottage hospital.
This [one hundred-and-four]-year-old man and [a hundred and two] year old woman.
frail on the list, [95], no transport; sats steady, 96, on air
He turned [91] last Tuesday and still gardens.
She will be [100] in March; the family plan a party.
Both lived into old age: mother to [92], father to [a hundred and two].
DOB 30/04/1933  ([91]), lives alone
Client aged ninety-one? No: aged [ninety-three], per passport.
Her father lived to be [one hundred and one]; her mother died at [94].
My nan is [97] and has a cough, can she take anything
Grandpa's [92], should he have the shingles jab?
is [95] too old to have a hip done
Rosalind is [98] and insists on walking to the chapel.
Husband ([90]) is main carer, daughter lives away.
pt [94]F adm w/ #NOF, NOK son
F/[94], lives alone, 3 falls this year
M, [92], ex-miner, home O2
[91]/F from nursing home with UTI
The resident, now [102], remains independent with a frame.
A nonagenarian couple: he is [95], she is [93].
He is in his [nineties] and frail; she is in her [90]s too.
Pt is a [99]-yr-old retired nun.
This [ninety-eight]-year-old lady slipped in the bath.
Her sister, also [91], was present.
Both parents alive at [90] and [92].
I'm [93] and I can't open the bottles
Age/sex: [90]/M
Miss Ottoline Crewe [96], from the almshouse, and Mr. B. Tull [91], her lodger
IRENE PLUMLEY, [101], of Wick; Lettice Rowe, [92] – a lovely day
assessment for ivy garrow [93]y, lives alone
A man over [90] with a cough; at [94] she lives alone; at [ninety] he gave up driving
Mother d. [96], stroke; her [100]th bday; in her late [nineties]; age=[95]
His uncle died at [ninety-seven] in Truro. Ninety tablets. "How old? [Ninety-one], from Hull."
""".strip().splitlines()

TABLES = [
    ("Initials | Age | Ward\nJ.R. | [95] | 4\nK.L. | 71 | 5\nM.T. | [101] | 6", ["95", "101"]),
    ("name\tsex\tage\nHolt, Ida\tF\t[92]\nKerr, Sam\tM\t44", ["92"]),
    ("id,age,sex\n17,[94],F\n18,61,M", ["94"]),
    ("Bed | Pt | Obs\n3 | sats | 95\n4 | HR | 102", []),
    ("Test | Result\nNa | 134\nCl | 99\nGlucose | 110", []),
]

NO_AGES = """
HR 94, BP 118/92, SpO2 97, RR 18, temp 98.6, glucose 102, MAP 91
Her pulse was 96 and her blood pressure 140/90. Sats are 93 on air.
Systolic in the 90s, sats in the mid-nineties, rate about one hundred
Weight 92 kg, height 91 cm, Hb 96, plts 110, CRP 98, urea 9.1, Na 128, Cl 99
He walked 100 yards; 95 beds; 120 patients; ninety tablets; 90 minutes; 100 mg
Room 94, bed 101, ext 112, page 96, flat 92, 95 Mill Road, bus 97
She scored 95 on the test and 93 on the retest. IQ 104. 90% of meals eaten.
Took propranolol, 90 of them; PEEP 10; vent rate 12; tidal volume 110
Ninety, sixty and thirty were the settings; pulse over 90; at 95 the alarm went
aged 88, turned 70, is 65, died at 89, in her eighties
""".strip().splitlines()


@pytest.mark.parametrize("marked", AGES)
def test_ages_as_people_write_them(marked: str) -> None:
    wanted = marked.replace("A nonagenarian", "A [nonagenarian]").replace("aged ninety-one?", "aged [ninety-one]?")
    check(Detectors.of("ages"), wanted)


@pytest.mark.parametrize(("marked", "wanted"), TABLES)
def test_tables(marked: str, wanted: list[str]) -> None:
    text = marked.replace("[", "").replace("]", "")
    spans = Detectors.of("ages", "tables").find(text)
    assert [text[span.start : span.end] for span in spans if span.kind == "AGE"] == wanted


@pytest.mark.parametrize("text", NO_AGES)
def test_great_numbers_that_are_no_ages(text: str) -> None:
    assert found(Detectors.of("ages"), text) == []


@pytest.mark.parametrize("piece", ["95 and ", "| 95 ", "95\n", "mother ", "born 1921 ", "one hundred ", "a\t95\n"])
def test_long_runs_are_quick(piece: str) -> None:
    Detectors.of("ages").find(piece * 500)


def test_a_year_of_birth_that_tells_a_great_age() -> None:
    assert found(Detectors.of("ages"), "Born 1921 in Cork. Seen in clinic 2016.") == ["1921"]
    assert found(Detectors.of("ages"), "Born 1950 in Cork. Seen in clinic 2016.") == []
    assert found(Detectors.of("ages"), "Born 1921 in Cork, moved in 1950.") == []
