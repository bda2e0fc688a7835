"""Numbers of records, accounts, plans, licences, vehicles, devices and specimens."""

from __future__ import annotations

import pytest
from marked_text import Together, check, found

FINDER = Together("ids", "identifier-forms")

IDS = """
MRN: [9345145]   Medical Record Number: [9345145]   Acct #[ACC929081003]
Health plan number [BEK468145384]; account [ACC929081003].
RE: Member ID [HMO3-18335216] / Claim [CL51491302] / DOS
The pathology specimen [S16-41205] was reviewed; accession [S24-01234]
Pacemaker serial number [SNDZ399207], lot [V93757].
driver's license [F162823540116], license number [S18938748], plate [134 SAH] per PD
VIN [1HGCM82633A004352], NPI [1234567893], DEA [AB1234563]
credit card [3545016474420058], IBAN [GB49AHER72277635787006], card [4417 1234 5678 9113]
mrn [4 4 1 0 9 2 7] as dictated
ID [7239109] and [7239110] were merged
| MRN | [8370394] |
interp #[149111].Referred on
specimen [22:RT40771]; id card [041882Q]; file ([71-93-44])
""".strip().splitlines()

NO_IDS = """
Hemoglobin 12.5, WBC 11.2, platelets 250000 /uL, glucose 110, CEA 14.2 -> 6.1
lisinopril 40 mg, heparin 5000 units, vancomycin 1250 mg, 100 mcg/hr, 1000000 units
T12-L1 fracture, L4-5, C5-C6, COVID-19, H1N1, HbA1c 7.1, vitamin B12, T4, CA-125, Q10
ICD E11.9, I10, J45.909; blood pressure 120/80; 3 of 5; G2P1001; 55-60%
in 1998 and 2004; case of 2019; 24-48 hours; plan 2 visits; group 3; lead II
seen in room 412, bed 12
BDI-II 22, HAM-D 31, CRP 211, film 1751h, phone 1030-1048, visit 6/14 0915
chart reviewed 3 times, patient 1 of 4, order 2 units, model 3, stage 2, bed 90 degrees
""".strip().splitlines()


@pytest.mark.parametrize("marked", IDS)
def test_ids(marked: str) -> None:
    check(FINDER, marked)


@pytest.mark.parametrize("marked", IDS)
def test_ids_in_lower_case(marked: str) -> None:
    check(FINDER, marked.lower())


@pytest.mark.parametrize("text", NO_IDS)
def test_no_ids(text: str) -> None:
    assert not found(FINDER, text)
