"""Ordinary clinical columns may be called `other`: what is refused although it is no identifier is known and listed."""

from __future__ import annotations

import gzip
import random
from importlib import resources
from typing import Any

import pyarrow as pa
import pytest

from sharewell.tables import LimitedDataSetRule, SafeHarborRule, Table
from sharewell.tables.engine.checks.identifier_formats import CountedCell, format_of, identifying_cells

ORDINARY: dict[str, list[str]] = {
    "icd10": [
        "E11.9",
        "I10",
        "J45.909",
        "S72.001A",
        "C50.911",
        "O36.0110",
        "R40.2110",
        "Z79.4",
        "T40.601A",
        "W01.0XXA",
        "M80.051A",
    ],
    "icd10_plain": [
        "E119",
        "I10",
        "J45909",
        "S72001A",
        "C50911",
        "O360110",
        "R402110",
        "Z794",
        "T40601A",
        "W010XXA",
        "M80051A",
    ],
    "icd9": ["250.00", "401.9", "038.9", "427.31", "V30.00", "E812.0", "486"],
    "icd9_plain": ["25000", "0389", "4019", "42731", "00845", "V3000", "486", "5849"],
    "icd_code": ["25000", "25001", "42731", "00845"],
    "procedure_pcs": ["0DTJ4ZZ", "02703ZZ", "3E0234Z", "0JH60PZ", "BW28ZZZ"],
    "cpt": ["99213", "93000", "80053", "36415", "70553"],
    "hcpcs": ["J1234", "G0008", "A0428", "E0601", "99213"],
    "drg": ["470", "871", "291", "003"],
    "loinc": ["2345-7", "718-7", "2028-9", "1988-5", "2019-8", "2160-0", "4548-4", "94500-6", "1975-2"],
    "snomed": ["195967001", "233604007", "386661006", "44054006", "73211009"],
    "snomed_one": ["195967001"],
    "rxnorm": ["860975", "197361", "1049221", "617314"],
    "rxcui_labelled": ["RxNorm 860975", "RXCUI:197361", "RxCUI 1049221"],
    "ndc": ["12345-678-90", "0002-1433-80", "50242-040-62", "00071-0155-23", "63459-0177-1"],
    "ndc_bare": ["00071015523", "00002143380", "50242004062"],
    "ndc_product": ["0002-1433", "50242-040", "50090-0481", "0071-0155"],
    "atc": ["A10BA02", "C09AA05", "N02BE01", "B01AC06", "J01CA04"],
    "umls": ["C0011849", "C0020538", "C0004096"],
    "mesh": ["D003920", "D006973", "D001249"],
    "hpo": ["HP:0001250", "HP:0000007", "HP:0002315"],
    "rsid": ["rs429358", "rs7412", "rs1800562", "rs334"],
    "hgvs": ["NM_000059.3:c.7007G>A", "p.Arg1443LeufsTer24", "c.68_69del", "p.Gly12Asp"],
    "ensembl": ["ENSG00000139618", "ENSG00000012048", "ENSG00000141510"],
    "gene": ["BRCA1", "TP53", "ZNF217", "CD20", "HLA-B27", "HER2"],
    "hla": ["A*02:01", "B*27:05:02", "DRB1*15:01:01:01", "C*07:02"],
    "trial": ["NCT01234567", "NCT00000620"],
    "lab": ["7.4 mmol/L", "140 mmol/L", "0.9 mg/dL", "<0.01 ng/mL", ">1000 U/L", "4.5 x10^9/L", "12,5 g/dL"],
    "viral_load": ["12345 copies/mL", "98211 copies/mL", "45670 copies/mL"],
    "bnp": ["12345 pg/mL", "10433 pg/mL"],
    "platelets": ["150000", "233000", "412345", "98000"],
    "culture": ["100000 cfu/ml", "10^5 CFU/mL", "no growth"],
    "level": ["7.35", "7.41", "140.2", "0.00012", "1e-5", "-3.2", "10001.5"],
    "precise": ["0.123456789", "123.4567891", "42.3601", "71.09425"],
    "interval": ["0.812, 0.934", "1.02 to 1.57", "(1.2345, 2.3456)", "-1.25, 3.5", "10.5-13.2", "1000-2000"],
    "blood_pressure": ["120/80", "135/85", "118/76 mmHg", "120/80 118/76 125/82"],
    "series": ["120 118 125 130", "98 97 99", "0 1 0 0 2 1 0 3 1"],
    "dose": ["500 mg", "1-0-1", "1-1-1", "0.5 ml", "2x500mg", "5000 IU", "50000 IU", "10 mg/kg", "1/2 tablet", "81mg"],
    "drug": ["Augmentin 875", "Novolog 70/30", "Decadron 40 mg", "vitamin B12", "insulin 100 U/ml", "5-FU", "AMG 510"],
    "titre": ["1:160", "1:2048", "1/320", "1/2048", "1/1024", "1/640", "1/80", "1/40"],
    "sex": ["F", "M", "other"],
    "race": ["White", "Black or African American", "Asian", "2 or more", "American Indian/Alaska Native"],
    "count": ["0", "1", "12", "340", "9000"],
    "visits": ["3", "17", "4", "22", "101"],
    "year": ["2019", "1987", "2020", "1999"],
    "years": ["1980-1989", "2010-2019", "[2020-2029]", "before 1990"],
    "fiscal_year": ["2009-10", "2010-11", "2011-12", "2012-13"],
    "duration": ["3 months", "12 days", "2-3 weeks", "1.5 h", "00:45", "10:15:30", "P1Y2M", "95 years"],
    "ward": ["ICU", "4 West", "Ward 12", "W3-04", "B2", "ICU-1", "station 7a"],
    "stage": ["stage IIb", "T2N1M0", "T1N0M0", "pT3 N1 M0", "IIIA", "grade 3", "Gleason 4+3=7", "ECOG 1", "G2P1"],
    "coma": ["E4V5M6", "15", "GCS 14"],
    "smoking": ["20 pack years", "100 pack-years", "never", "former (quit 1998)"],
    "cost": ["12345", "10437", "23418", "98211"],
    "cost_mixed": ["1234.50", "10345.75", "998.00", "$10,001", "15000 EUR"],
    "rounded": ["15000", "23000", "12500", "48000"],
    "income": ["10000-19999", "20000-29999", "100000-149999", "$50,000 or more"],
    "state": ["MA", "NY", "CA", "TX"],
    "country": ["US", "CH", "DE"],
    "result": ["positive", "negative", "see note", "+", "-", "1+", "3+"],
    "answer": ["yes", "no", "may", "unknown"],
    "organism": ["E.coli", "S.aureus", "H1N1", "influenza A(H3N2)", "SARS-CoV-2"],
    "version": ["v1.2", "CTCAE 5.0", "ICD-10", "DSM-5", "1.2.840.10008.5.1.4"],
    "vertebra": ["L5 1st", "L4/L5", "C5-C6", "T12"],
    "age_group": ["0-17", "18-64", "65-89", "90+", "90 and over", "adult"],
    "age_months": ["12", "95", "144"],
    "gestational_age_days": ["280", "273"],
    "region": ["Northeast", "Midwest", "abdomen"],
    "mac": ["mild", "severe"],
    "photophobia": ["0", "1", "2"],
    "retinal_thickness": ["250.3", "311.8", "287.5"],
    "ip": ["yes", "no"],
    "site_type": ["1", "3", "7"],
    "drug_concept_id": ["1503297", "40162522", "19019066"],
    "has_email": ["yes", "no"],
    "phone_contact": ["reached", "not reached", "declined"],
    "notes_available": ["yes", "no"],
    "birth_weight": ["3410", "2890", "3555"],
    "born_preterm": ["0", "1"],
    "date_precision": ["day", "month"],
    "zip_known": ["yes", "no"],
    "county_type": ["urban", "rural"],
    "comment_kind": ["fall", "none"],
}


def _judged(name: str, cells: list[str]) -> tuple[Any, Any]:
    frame = pa.table({"sex": ["F"] * len(cells), name: cells} if name != "sex" else {"sex": cells})
    columns = ["sex"] if name == "sex" else ["sex", name]
    table = Table.of(frame, quasi=["sex"], keep=columns[1:], published=True)
    said: Any = dict.fromkeys(columns, "other")
    return SafeHarborRule(said, year=2026).check(table), LimitedDataSetRule(said).check(table)


@pytest.mark.parametrize("name", ORDINARY)
def test_ordinary_columns_may_be_called_other(name: str) -> None:
    """In tables so small that every cell belongs to one person, and alone."""
    harbour, limited = _judged(name, ORDINARY[name])
    assert harbour.ok, [part.note for part in harbour.parts if part.failed]
    assert limited.ok


def test_every_single_cell_of_an_ordinary_column_may_be_called_other() -> None:
    alone = {
        (name, cell)
        for name, cells in ORDINARY.items()
        for cell in cells
        if not all(finding.ok for finding in _judged(name, [cell]))
    }
    # A titre or a month and year, a gene or a drug or a plate: alone in a column, nothing tells them apart.
    assert alone == {("titre", "1/2048"), ("gene", "ZNF217"), ("drug", "AMG 510")}


def _shipped(name: str) -> list[list[str]]:
    path = resources.files("sharewell") / "data" / name
    return [line.split("\t") for line in gzip.decompress(path.read_bytes()).decode().splitlines()]


@pytest.mark.parametrize("name", ["icd10cm_titles.txt.gz", "icd9cm_titles.txt.gz"])
def test_no_code_or_title_of_a_disease_is_an_identifier(name: str) -> None:
    """A sample of them all; each by its own form, and all as one column."""
    rows = random.Random(0).sample(_shipped(name), 4000)
    codes = [row[0] for row in rows if row[0][:2] != "ch"]
    for texts in (codes, [code.replace(".", "") for code in codes], [row[-1] for row in rows]):
        assert not [text for text in texts if format_of(text)]
        assert not any(identifying_cells([CountedCell(text, 1) for text in texts]))
