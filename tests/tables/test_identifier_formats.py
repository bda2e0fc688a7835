"""Identifiers of the eighteen kinds in a column that the steward calls `other`: in every form, with any decoration."""

from __future__ import annotations

import datetime
import itertools
import uuid
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.findings import Finding
from sharewell.tables import LimitedDataSetRule, SafeHarborRule, Table

FORMS: dict[str, str] = {
    "ZIP+4": "02139-4307",
    "ZIP code with its state": "MA 02139",
    "ZIP code with its zero": "02139",
    "Canadian postcode": "K1A 0B1",
    "British postcode": "SW1A 1AA",
    "coordinates": "42.3601, -71.0942",
    "coordinates with hemispheres": "42.3601 N, 71.0942 W",
    "street": "12 Main Street",
    "day": "2025-01-31",
    "time and zone": "2025-01-31T10:15:30+01:00",
    "compact time": "20250131T101530Z",
    "American day": "1/31/2025",
    "German day": "31.01.2025",
    "named month": "31 January 2025",
    "day of a statistics program": "31JAN2025",
    "month": "2025-03",
    "telephone": "(617) 555-0123",
    "telephone with dots": "617.555.0123",
    "telephone abroad": "+41 44 668 18 00",
    "British telephone": "020 7946 0958",
    "French telephone": "06 12 34 56 78",
    "German telephone": "0171/1234567",
    "international prefix": "0044 20 7946 0958",
    "e-mail": "ann.lee@example.org",
    "social security number": "123-45-6789",
    "social security number in blanks": "123 45 6789",
    "end of a social security number": "XXX-XX-6789",
    "insurance number in groups": "943 023 5919",
    "beneficiary": "1EG4-TE5-MK73",
    "card": "4111 1111 1111 1111",
    "card with hyphens": "5500-0000-0000-0004",
    "bank account": "DE89 3704 0044 0532 0130 00",
    "account in groups": "1234-5678-9013",
    "vehicle": "1HGCM82633A004352",
    "device": "(01)00844588003288(17)141120(10)7654321D(21)10987654d321",
    "mobile telephone's own number": "49-015420-323751-8",
    "hardware address": "00:1a:2b:3c:4d:5e",
    "hardware address with dots": "001a.2b3c.4d5e",
    "web address": "https://example.org/p/1",
    "web address without its scheme": "example.org/p/1",
    "network address": "192.168.1.1",
    "network address with port": "192.168.1.1:80",
    "network and mask": "10.1.2.0/24",
    "version 6": "2001:db8::8a2e:370:7334",
    "version 6 with port": "[2001:db8::1]:443",
    "random identifier": "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
    "hash": "9e107d9d372bb6826bd81d3542a419d6",
    "picture": "IMG-2041.jpg",
    "age": "age 95",
}
MAY_STAY = {
    "ZIP+4",
    "ZIP code with its state",
    "ZIP code with its zero",
    "Canadian postcode",
    "British postcode",
    "day",
}
MAY_STAY |= {"time and zone", "compact time", "American day", "German day", "named month", "month", "age"}
MAY_STAY |= {"day of a statistics program"}
"""In a Limited Data Set."""
FULL_WIDTH = str.maketrans({str(digit): chr(0xFF10 + digit) for digit in range(10)})
ARABIC = str.maketrans({str(digit): chr(0x0660 + digit) for digit in range(10)})
DECORATIONS: dict[str, Callable[[str], str]] = {
    "plain": lambda text: text,
    "blanks": lambda text: f"  {text} ",
    "brackets": lambda text: f"({text})",
    "square brackets": lambda text: f"[{text}]",
    "quotes": lambda text: f"“{text}”",
    "words before": lambda text: f"as told: {text}",
    "words behind": lambda text: f"{text} (confirmed)",
    "a mark behind": lambda text: f"{text}*",
    "a full stop": lambda text: f"{text}.",
    "a list": lambda text: f"unknown; {text}",
    "a set": lambda text: f"{{{text},x}}",
    "an equals sign": lambda text: f"value={text}",
    "full-width digits": lambda text: text.translate(FULL_WIDTH),
    "Arabic digits": lambda text: text.translate(ARABIC),
    "dashes": lambda text: text.replace("-", "\u2013"),
    "minus signs": lambda text: text.replace("-", "\u2212"),
    "narrow blanks": lambda text: text.replace(" ", "\u202f"),
    "invisible characters": lambda text: text[:2] + "\u200b" + text[2:] + "\ufeff",
}


def called_other(cells: list[Any], name: str = "x", rest: bool = False) -> tuple[Finding, Finding]:
    frame = pa.table({"sex": ["F"] * len(cells), name: cells})
    table = Table.of(frame, quasi=["sex"], keep=[name], published=True)
    said: Any = {"rest": "other"} if rest else {"columns": {"sex": "other", name: "other"}}
    return SafeHarborRule(**said, year=2026).check(table), LimitedDataSetRule(**said).check(table)


@pytest.mark.parametrize("form", FORMS)
def test_no_form_holds_with_any_decoration(form: str) -> None:
    for (decoration, decorated), rest in itertools.product(DECORATIONS.items(), (False, True)):
        harbour, limited = called_other([decorated(FORMS[form]), "unknown"], rest=rest)
        assert harbour.failed, decoration
        assert limited.failed == (form not in MAY_STAY), decoration
        assert rest or harbour.value == 1, decoration


LABELLED = {
    "ZIP": "02139",
    "zip code ": "02139",
    "PLZ": "50667",
    "SSN": "123456789",
    "SSN: ": "123 45 6789",
    "MRN": "00123456",
    "MRN no. ": "4711",
    "medical record # ": "H-4711",
    "Tel": "6175550142",
    "Tel. ": "555-0100",
    "fax:": "555-0100",
    "acct ": "998877",
    "IBAN": "DE89370400440532013000",
    "card ": "4111111111111111",
    "VIN": "1HGCM82633A004352",
    "plate ": "ABC-1234",
    "licence no ": "D1234567",
    "passport ": "C01X00T47",
    "IMEI ": "490154203237518",
    "serial no.": "SN-88123",
    "MAC": "aa:bb:cc:dd:ee:ff",
    "IP": "192.168.1.1",
    "IPv6 ": "fe80::1ff:fe23:4567:890a",
    "DOB": "1981-05-01",
    "dob": "January 5, 1981",
    "DOB:": "010581",
    "uuid": "f81d4fae7dec11d0a76500a0c91e6bf6",
    "postcode": "SW1A1AA",
    "aged ": "93",
}


@pytest.mark.parametrize("label", LABELLED)
@pytest.mark.parametrize("decoration", ["plain", "brackets", "words before", "full-width digits", "a list"])
def test_a_label_in_the_cell_is_believed(label: str, decoration: str) -> None:
    cells = [DECORATIONS[decoration](label + LABELLED[label]), "unknown"]
    assert called_other(cells)[0].value == 1


def test_a_label_behind_the_digits_is_believed() -> None:
    for cell in ("02139 (ZIP)", "4711 (MRN)", "6175550142 phone", "95-year-old", "95 yo"):
        assert called_other([cell, "unknown"])[0].value == 1


SPELLINGS = """\
4111.1111.1111.1111|4111/1111/1111/1111|4111  1111  1111  1111|411111 1111111111|3782 822463 10005|4111_1111_1111_1111
192.168.1.1/index|192.168.001.001|192 .168 .1 .1|::ffff:192.168.1.1|fe80::1%eth0|10.0.0.1-10.0.0.9|192[.]168[.]1[.]1
Zip Code: 02139|02139-4307USA|ZIP+4 021394307|Cambridge, MA 02139|zip-02139|#02139|02139-|ZIP_02139|zip:2139|MA-02139
617 5550123|6175550123x22|1 (617) 555 0123|1-617-555-0123|617/555-0123|tel:+16175550123|[617]5550123|617·555·0123
SSN#123456789|123-456789|123 - 45 - 6789|123--45--6789|AAA123-45-6789BBB|***-**-6789|123/45/6789|12-3456789
2025.01.31|31.Jan.2025|2025-01-31 10:15 PM EST|Friday, 31 January 2025|20250131|seen on 2025-01-31_10-15|2025. 01. 31.
ann(at)example.org|ann AT example DOT org|<ann@example.org>|mailto:ann@example.org|ann＠example.org
MRN:12|MR# 123456|Medical Record Number 123456|pt id 44123|Patient ID: A-1|chart no 5512|H123456789|00123456|A1234567
IBAN: GB82 WEST 1234 5698 7654 32|GB82-WEST-1234-5698-7654-32|1hgcm82633a004352|1HG CM826 33A 004352|49 015420 323751 8
example.com|www.example.de|linkedin.com/in/ann|aa-bb-cc-dd-ee-ff|aabb.ccdd.ee00|urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6
42.36, -71.09|42°21'36"N|POINT(-71.09 42.36)|48.8566, 2.3522|lat 42.3601 lon -71.0942|12 Main St|Hauptstr. 5|PO Box 123
95yo|95 y/o|aged 101|age:95|95-year-old male|ABC-1234|B-MW 1234|AB 123 CD|license ABC1234"""


@pytest.mark.parametrize("cell", [cell for line in SPELLINGS.splitlines() for cell in line.split("|")])
def test_other_spellings_do_not_hold(cell: str) -> None:
    assert called_other([cell, "unknown", "asthma"])[0].value == 1


@pytest.mark.parametrize(
    "cells",
    [
        ["PT000123", "PT000124", "PT000451"],
        ["H-1234567", "H-1234568"],
        ["ABC-1234", "XYZ-9876"],
        ["AB12 CDE", "GH55 XYZ"],
        ["loc02139", "loc10001"],
        ["D-50667", "D-10115"],
        ["02139USA", "10001USA"],
        ["4111111111111111", "5500000000000004"] * 10,
        ["31.1.25", "1.2.25"],
        ["20250131", "19990228"],
        ["March", "December", "May"],
    ],
)
def test_forms_without_a_check_are_told_by_their_column(cells: list[str]) -> None:
    assert called_other(cells)[0].value == len(cells)


def _digits(least: int, most: int) -> st.SearchStrategy[str]:
    return st.integers(least, most).flatmap(lambda n: st.text("0123456789", min_size=n, max_size=n))


def _checked(number: str) -> str:
    total = sum(sum(map(int, str(int(d) * (2 - i % 2)))) for i, d in enumerate(reversed(number)))
    return number + str(-total % 10)


def _iban(country: str, account: str) -> str:
    value = int("".join(str(int(c, 36)) for c in account + country + "00"))
    return f"{country}{98 - value % 97:02}{account}"


NANP = st.tuples(st.integers(200, 999), st.integers(200, 999), st.integers(0, 9999))
AREAS = ("021", "100", "606", "941", "770", "331")
KINDS: dict[str, st.SearchStrategy[str]] = {
    "ZIP+4": st.builds("{}{:02}-{:04}".format, st.sampled_from(AREAS), st.integers(0, 99), st.integers(0, 9999)),
    "ZIP": st.builds("{} {}{:02}".format, st.sampled_from(["MA", "NY"]), st.sampled_from(AREAS), st.integers(1, 99)),
    "labelled ZIP": st.builds("ZIP{}{:02}".format, st.sampled_from(AREAS), st.integers(0, 99)),
    "postcode": st.from_regex(r"\A(SW|N|EC|LS|M)[1-9][0-9]? [0-9][ABD-HJLNP-UW-Z]{2}\Z"),
    "coordinates": st.builds("{:.4f}, -{:.4f}".format, st.floats(24, 49), st.floats(66, 125)),
    "day": st.dates(datetime.date(1900, 1, 1), datetime.date(2030, 1, 1)).map(str),
    "instant": st.datetimes(datetime.datetime(1900, 1, 1), datetime.datetime(2030, 1, 1)).map(lambda t: f"{t:%FT%TZ}"),
    "American": st.dates(datetime.date(1900, 1, 1), datetime.date(2030, 1, 1)).map(lambda day: f"{day:%m/%d/%Y}"),
    "telephone": NANP.map(lambda n: f"({n[0]}) {n[1]}-{n[2]:04}"),
    "international": st.builds(
        "+{} {} {:03} {:04}".format,
        *(st.integers(low, high) for low, high in ((20, 98), (10, 99), (0, 999), (0, 9999))),
    ),
    "e-mail": st.builds("{}@{}.org".format, *(st.text("abcdefgh123", min_size=1, max_size=8) for _ in range(2))),
    "social security": st.builds(
        "{:03}-{:02}-{:04}".format, st.integers(1, 665), st.integers(1, 99), st.integers(1, 9999)
    ),
    "record": st.builds("MRN{}".format, _digits(4, 10)),
    "card": _digits(12, 15).map(lambda n: _checked("4" + n[1:])).map(lambda n: " ".join((n[:4], n[4:8], n[8:]))),
    "account": _digits(18, 18).map(lambda n: _iban("DE", n)),
    "random": st.uuids().map(str),
    "hash": st.uuids().map(lambda one: uuid.uuid5(one, "x").hex),
    "network": st.ip_addresses(v=4).map(str),
    "port": st.builds("{}:{}".format, st.ip_addresses(v=4), st.integers(1, 65535)),
    "version 6": st.builds("2001:db8:{:x}::{:x}".format, st.integers(0x1000, 0xFFFF), st.integers(1, 0xFFFF)),
    "hardware": st.binary(min_size=6, max_size=6).map(lambda b: b.hex(":")),
    "web": st.builds("https://{}.com/{}".format, st.text("abcxyz", min_size=1, max_size=8), st.integers(0, 99)),
}


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=40, deadline=None)
@given(st.data())
def test_random_identifiers_with_random_decorations_never_hold(kind: str, data: st.DataObject) -> None:
    """Whatever else the column holds."""
    wrapped = data.draw(st.lists(st.sampled_from(sorted(DECORATIONS)), max_size=2))
    cell = data.draw(KINDS[kind])
    for decoration in wrapped:
        cell = DECORATIONS[decoration](cell)
    others = data.draw(st.lists(st.sampled_from(["unknown", "asthma", "E11.9", "7.4", "120/80", ""]), max_size=9))
    harbour, _ = called_other([cell, *others])
    assert harbour.value is not None
    assert harbour.value >= 1
