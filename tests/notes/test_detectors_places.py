"""Streets, postcodes, cities, states and organisations."""

from __future__ import annotations

import pytest
from marked_text import check, found

from sharewell.notes.detectors.addresses import Addresses
from sharewell.notes.detectors.organisations import Organisations
from sharewell.notes.detectors.places import Places

FOUND = [
    (Addresses(), "Address: [9910 Jason Green, South William, Alabama 28119]"),
    (Addresses(), "lives [144 Birch Dr Apt 3B], second floor".replace(" Apt", "] [Apt")),
    (Addresses(), "at [2503 Cook Tunnel Suite 177] since"),
    (Addresses(), "from [10 n jefferson ave] by ambulance; [1858 Nguyen Prairie]"),
    (Addresses(), "Mail to [PO Box 287]; ZIP: [02139]; TX [73301-0001]"),
    (Addresses(), "[Friedhofstrasse 33] and [Via Roma 131] and [ul. Zamkowa 33]"),
    (Addresses(), "pole on [Old Post Rd] and [I-95]"),
    (Addresses(), "postcode [SW1A 1AA], [K1A 0B1]"),
    (Places(), "lives in [South William] with her daughter"),
    (Places(), "She moved from [Seattle] to [Fayetteville], [Tennessee]."),
    (Places(), "born in [Moniqueburgh]; from [Gig Harbor], [WA] [98335]".replace(" [98335]", " 98335")),
    (Places(), "Resident of [Baltimore]. He flew to [Las Vegas]."),
    (Places(), "works in [TX] and visits [Cape Cod]".replace("visits", "goes to")),
    (Places(), "lives in [boston] and was born in [texas] long ago"),
    (Places(), "LIVES IN [BOSTON], WAS BORN IN [TEXAS] AND IS WELL"),
    (Organisations(), "transferred from [St. Kathryn Hospital] on Friday"),
    (Organisations(), "[Rice Medical Center]\nDISCHARGE SUMMARY"),
    (Organisations(), "works at [Bennett, Gardner and White]. The patient"),
    (Organisations(), "works at [Chang-Wilson]. Employed by [Diaz Inc]. Retired from [Northline Transit]."),
    (Organisations(), "teaches at [Riverbend Elementary]; attends [Old Mill Academy]"),
    (Organisations(), "filled at [Wellspring Pharmacy], studied at the [University of Oregon]"),
    (Organisations(), "referred to [Stepping Stone] for housing"),
]

NOTHING = [
    (Addresses(), "2 View Chest X-ray, 20 minute walk, 3 way stopcock, 12 lead EKG, 10 units of the drug"),
    (Addresses(), "Dr. Owens saw her; 5 mg by mouth; 4 point restraint; GCS 14 (E3V5M6); 45 year old lives alone"),
    (Addresses(), "Route: PO. En route 10 minutes. WBC 12345 noted. Box checked."),
    (Places(), "Glasgow Coma Scale was 15. Lyme disease. Boston Scientific stent. West Nile virus"),
    (Places(), "MS, PA, OR, CT, MI, ME, LA, IN, OK; in OR; pt in PT; Smith, MD and Jones, PA"),
    (Places(), "Reading glasses. Mobile in bed. Orange juice. Hope remains. Normal. Bath daily. Split dose."),
    (Places(), "bedside, inside, report, support; South Asian; Port placement; Lake like"),
    (Places(), "travelled to Mexico and India last year"),
    (Organisations(), "seen in Pulmonary Clinic and at the hospital; Emergency Department; Primary Care; Urgent Care"),
    (Organisations(), "Hospital Course: stable. Home Health. Physical Therapy. Intensive Care Unit. Wound Care Center"),
    (Organisations(), "HOSPITAL COURSE\nPAST MEDICAL HISTORY\nFAMILY HISTORY AND SOCIAL SERVICES"),
    (Organisations(), "works at night, employed by himself, referred to Cardiology, attends therapy"),
]


@pytest.mark.parametrize(("detector", "marked"), FOUND)
def test_places(detector: object, marked: str) -> None:
    check(detector, marked)  # type: ignore[arg-type]


@pytest.mark.parametrize(("detector", "text"), NOTHING)
def test_no_places(detector: object, text: str) -> None:
    assert not found(detector, text)  # type: ignore[arg-type]


def test_an_address_over_several_lines() -> None:
    text = "12 Oak Street\nApt. 4\nSpringfield, IL 62704\nPhone: none"
    claimed = " ".join(found(Addresses(), text))
    assert all(part in claimed for part in ("12 Oak Street", "Apt. 4", "Springfield", "IL", "62704"))
    assert "Phone" not in claimed
