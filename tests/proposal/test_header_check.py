"""A file without a header line is refused, and odd headers are not."""

from __future__ import annotations

import pyarrow as pa
import pytest

from sharewell.errors import DataError
from sharewell.proposal.header_check import refuse_headless

HEADLESS = {
    "dates": ["1970-01-02", "1971-03-04", "1972-05-06"],
    "long ids and a category": ["P10001,F,02139", "P10002,M,02140", "P10003,F,02141", "P10004,F,02139"],
    "names and places": ["Ann,Boston,married", "Bo,Boston,single", "Cy,Salem,married", "Ann,Salem,single"],
    "a list of names": ["Mary Smith", "John Brown", "Linda Garcia"],
    "one address": ["ann@example.org,x", "bo@example.org,y"],
    "one date of birth": ["P1,somebody,1980-01-01", "P2,else,1981-02-03"],
    "one long number": ["x,12345,m", "y,12346,f", "z,12399,f"],
    "one telephone number and no record": ["Karl,Winter,617-555-0123"],
    "a note with commas": ["Mr. Winter,63,SSN 123-45-6789 was seen."],
    "two lines of a note": ["He,63,was seen in Boston.", "He has diabetes,64,and was seen in Salem."],
    "decimal numbers": ["71.5,6.1", "80.2,5.9", "64.3,7.0"],
}
HEADERS = {
    "years of a table of counts": ["ward,2019,2020,2021", "a,1532,1201,1409", "b,1433,1522,1398"],
    "running numbers": ["ward,1,2,3", "a,4,5,6", "b,7,8,9"],
    "SNPs": ["patient,rs334,rs1800562,syn0001", "P0001,0,1,2", "P0002,1,1,0"],
    "short names with a digit": ["t1,t2,n0", "a2,b3,c1", "a1,b4,c2"],
    "months that are given names too": ["ward,April,June", "a,4,5", "b,7,8"],
    "dates of a wide table": ["ward,2020-01-01,2020-02-01,kind,x", "a,4,5,b,c", "b,7,8,b,d"],
    "numbers of concepts": ["patient,sex,201826,4329847,8507", "P0001,F,0,1,1", "P0002,M,1,0,0"],
    "abbreviations": ["Pat. No.,Date of adm.,Datum der letzten Aufn.", "x,a,b", "y,c,d"],
    "places of codes": ["dx1,dx2", "I10,E11", "I12,E13"],
    "one name that is a value": ["sex,age,other,zip", "F,30,other,02139", "M,41,x,02140"],
}


def table(lines: list[str]) -> pa.Table:
    header, *rows = (line.split(",") for line in lines)
    columns = zip(*rows, strict=True) if rows else [()] * len(header)
    return pa.table([pa.array(column, pa.string()) for column in columns], names=header)


@pytest.mark.parametrize("lines", HEADLESS.values(), ids=HEADLESS)
def test_a_first_line_that_is_a_record_is_refused_without_repeating_it(lines: list[str]) -> None:
    with pytest.raises(DataError, match="names of columns above") as caught:
        refuse_headless(table(lines), "a.csv")
    assert not [cell for cell in lines[0].split(",") if len(cell) > 1 and cell in str(caught.value)]


@pytest.mark.parametrize("lines", HEADERS.values(), ids=HEADERS)
def test_odd_headers_are_headers(lines: list[str]) -> None:
    refuse_headless(table(lines), "a.csv")


def test_a_header_that_occurs_again_is_told_apart() -> None:
    with pytest.raises(DataError, match="occurs again among the records"):
        refuse_headless(table(["sex,ward", "F,a", "sex,ward", "M,b"]), "a.csv")


def test_a_date_above_what_was_read_as_dates_is_a_record() -> None:
    days = pa.table({"x": ["a", "b"], "y": ["c", "d"], "1980-01-01": pa.array([0, 1], pa.date32())})
    with pytest.raises(DataError, match="names of columns above"):
        refuse_headless(days, "a.csv")


def test_a_given_name_above_given_names_is_a_record() -> None:
    given = ["Mary", "John", "Linda", "James", "Robert", "Susan", "David", "Barbara", "Thomas", "Sarah", "Nancy"]
    with pytest.raises(DataError, match="names of columns above"):
        refuse_headless(table(["Karen,x,y,z", *(f"{name},{i},b,c" for i, name in enumerate(given))]), "a.csv")


@pytest.mark.parametrize("stem", ["MRN", "patient_", "Subject ", "pid-", "Patientennummer"])
def test_persons_as_columns_are_refused_without_repeating_them(stem: str) -> None:
    """A table of genes with a column for each patient would publish their numbers, and count genes."""
    names = ["gene", *(f"{stem}{4711000 + 13 * i}" for i in range(12))]
    frame = pa.table({name: pa.array([f"g{i}" if name == "gene" else str(i) for i in range(30)]) for name in names})
    with pytest.raises(DataError, match=r"^a\.csv — 12 of its 13 columns .* — turn the table") as caught:
        refuse_headless(frame, "a.csv")
    assert "4711" not in str(caught.value)


def test_a_few_columns_about_patients_are_no_persons() -> None:
    names = ["patient_1", "patient_id", "subject_2", "mrn", "dx1", "dx2", "dx10", "dx11", "dx12", "weight_2020"]
    refuse_headless(pa.table({name: pa.array(["a", "b"]) for name in names}), "a.csv")
