"""Streets, postcodes, cities, states and organisations."""

from __future__ import annotations

import pytest
from marked_text import check, found

from sharewell.notes import Detectors
from sharewell.notes.matcher.matching import RuleDetector

ADDRESSES, ORGANISATIONS, PLACES = map(RuleDetector.shipped, ("addresses", "organisations", "places"))
FOUND = [
    (ADDRESSES, "Address: [9910 Jason Green], [South William, Alabama 28119]"),
    (ADDRESSES, "lives [144 Birch Dr Apt 3B], second floor".replace(" Apt", "] [Apt")),
    (ADDRESSES, "at [2503 Cook Tunnel] [Suite 177] since"),
    (ADDRESSES, "from [10 n jefferson ave] by ambulance; [1858 Nguyen Prairie]"),
    (ADDRESSES, "Mail to [PO Box 287]; ZIP: [02139]; TX [73301-0001]"),
    (ADDRESSES, "[Friedhofstrasse 33] and [Via Roma 131] and [ul. Zamkowa 33]"),
    (ADDRESSES, "pole on [Old Post Rd] and [I-95]"),
    (ADDRESSES, "postcode [SW1A 1AA], [K1A 0B1]"),
    (PLACES, "lives in [South William] with her daughter"),
    (PLACES, "She moved from [Seattle] to [Fayetteville], [Tennessee]."),
    (PLACES, "born in [Moniqueburgh]; from [Gig Harbor], [WA] [98335]".replace(" [98335]", " 98335")),
    (PLACES, "Resident of [Baltimore]. He flew to [Las Vegas]."),
    (PLACES, "he goes to [Cape Cod]"),
    (PLACES, "lives in [boston] and was born in [texas] long ago"),
    (PLACES, "LIVES IN [BOSTON], WAS BORN IN [TEXAS] AND IS WELL"),
    (ORGANISATIONS, "transferred from [St. Kathryn Hospital] on Friday"),
    (ORGANISATIONS, "[Rice Medical Center]\nDISCHARGE SUMMARY"),
    (ORGANISATIONS, "works at [Bennett, Gardner and White]. The patient"),
    (ORGANISATIONS, "works at [Chang-Wilson]. Employed by [Diaz Inc]. Retired from [Northline Transit]."),
    (ORGANISATIONS, "teaches at [Riverbend Elementary]; attends [Old Mill Academy]"),
    (ORGANISATIONS, "filled at [Wellspring Pharmacy], studied at the [University of Oregon]"),
    (ORGANISATIONS, "referred to [Stepping Stone] for housing"),
]

NOTHING = [
    (ADDRESSES, "2 View Chest X-ray, 20 minute walk, 3 way stopcock, 12 lead EKG, 10 units of the drug"),
    (ADDRESSES, "Dr. Owens saw her; 5 mg by mouth; 4 point restraint; GCS 14 (E3V5M6); 45 year old lives alone"),
    (ADDRESSES, "Route: PO. En route 10 minutes. WBC 12345 noted. Box checked."),
    (PLACES, "Glasgow Coma Scale was 15. Lyme disease. Boston Scientific stent. West Nile virus"),
    (PLACES, "MS, PA, OR, CT, MI, ME, LA, IN, OK; in OR; pt in PT; Smith, MD and Jones, PA"),
    (PLACES, "Reading glasses. Mobile in bed. Orange juice. Hope remains. Normal. Bath daily. Split dose."),
    (PLACES, "bedside, inside, report, support; South Asian; Port placement; Lake like"),
    (PLACES, "travelled to Mexico and India last year"),
    (ORGANISATIONS, "seen in Pulmonary Clinic and at the hospital; Emergency Department; Primary Care; Urgent Care"),
    (ORGANISATIONS, "Hospital Course: stable. Home Health. Physical Therapy. Intensive Care Unit. Wound Care Center"),
    (ORGANISATIONS, "HOSPITAL COURSE\nPAST MEDICAL HISTORY\nFAMILY HISTORY AND SOCIAL SERVICES"),
    (ORGANISATIONS, "works at night, employed by himself, referred to Cardiology, attends therapy"),
]


@pytest.mark.parametrize(("detector", "marked"), FOUND)
def test_places(detector: object, marked: str) -> None:
    check(detector, marked)  # type: ignore[arg-type]


@pytest.mark.parametrize(("detector", "text"), NOTHING)
def test_no_places(detector: object, text: str) -> None:
    assert not found(detector, text)  # type: ignore[arg-type]


def test_an_address_over_several_lines() -> None:
    text = "12 Oak Street\nApt. 4\nSpringfield, IL 62704\nPhone: none"
    spans = Detectors.of("addresses", "places").find(text)
    held = " ".join(text[span.start : span.end] for span in spans)
    assert all(part in held for part in ("12 Oak Street", "Apt. 4", "Springfield", "IL", "62704"))
