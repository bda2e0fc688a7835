"""Codes with check characters, random ones, and codes that only look like them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.proposal.content import is_iban
from sharewell.tables.engine.checks.code_formats import (
    ACCOUNT,
    BENEFICIARY,
    DEVICE,
    UNIQUE,
    VEHICLE,
    checks_by_doubling,
    code_format,
    is_plate,
)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *((text, VEHICLE) for text in ("1HGCM82633A004352", "1hg cm826 33a 004352", "VIN:1HGCM82633A004352.")),
        *(
            (text, ACCOUNT)
            for text in ("DE89370400440532013000", "IBAN GB82 WEST 1234 5698 7654 32", "gb82west12345698765432")
        ),
        *((text, BENEFICIARY) for text in ("1EG4-TE5-MK73", "1eg4te5mk73")),
        *((text, DEVICE) for text in ("(01)00844588003288(17)141120", "(21)10987654d321")),
        *(
            (text, UNIQUE)
            for text in ("f81d4fae7dec11d0a76500a0c91e6bf6", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "001a2b3c4d5e")
        ),
        *((text, None) for text in ("1HGCM82633A004353", "DE88370400440532013000", "A10BA02", "ENSG00000139618")),
        *((text, None) for text in ("Arg1443LeufsTer24", "c.1234_1235insACGTACGT", "CD45 positive B cells in 2019")),
    ],
)
def test_codes(text: str, kind: str | None) -> None:
    assert code_format(text.replace("_", "-")) == kind


@given(st.sampled_from(["DE", "GB", "CH", "FR", "NL"]), st.text("0123456789", min_size=30, max_size=30))
def test_accounts_agree_with_another_reckoning(country: str, digits: str) -> None:
    lengths = {"DE": 22, "GB": 22, "CH": 21, "FR": 27, "NL": 18}
    number = country + digits[: lengths[country] - 2]
    assert (code_format(number) == ACCOUNT) == is_iban(number)


@given(st.text("0123456789", min_size=2, max_size=18))
def test_one_last_digit_checks(digits: str) -> None:
    checked = [last for last in "0123456789" if checks_by_doubling(digits + last)]
    assert len(checked) == 1 or len(set(digits)) == 1


@pytest.mark.parametrize(
    ("text", "plate"),
    [
        *(
            (text, True)
            for text in ("ABC-1234", "ABC 123", "7ABC123", "AB12 CDE", "AB-123-CD", "B-MW 1234", "(abc1234)")
        ),
        *((text, False) for text in ("E11.9", "CD20", "HLA-B27", "A10BA02", "BW28ZZZ", "J1234", "T2N1M0", "stage 3")),
    ],
)
def test_plates(text: str, plate: bool) -> None:
    assert is_plate(text) is plate
