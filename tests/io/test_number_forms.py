"""Numbers as exports write them are read in one way or not at all."""

from __future__ import annotations

from decimal import Decimal

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.errors import PolicyError
from sharewell.io.number_forms import DECIMALS, THOUSANDS, NumberForm, unit_of

POINT, COMMA = NumberForm("."), NumberForm(",")
DOLLARS, EUROS = NumberForm(".", ",", "$"), NumberForm(",", ".", "€")
PERCENT, FRANCS = NumberForm(unit="%"), NumberForm(".", "'", "Fr.")
GERMAN, ENGLISH, SWISS, FRENCH = NumberForm(",", "."), NumberForm(".", ","), NumberForm(".", "'"), NumberForm(",", " ")


@pytest.mark.parametrize(
    ("form", "text", "number"),
    [
        (POINT, "12", "12"),
        (POINT, "12.50", "12.50"),
        (POINT, "+007", "7"),
        (POINT, ".5", "0.5"),
        (POINT, "-0", "0"),
        (POINT, "-0.0", "0.0"),
        (POINT, "−3", "-3"),
        (POINT, "1,5", None),
        (POINT, "1,234", None),
        (POINT, "5.", None),
        (POINT, ".", None),
        (POINT, "", None),
        (POINT, "1e5", None),
        (POINT, "12 kg", None),
        (POINT, "٣", None),
        (COMMA, "72,5", "72.5"),
        (COMMA, "1.234", None),
        (GERMAN, "1.234", "1234"),
        (GERMAN, "1.234.567,8", "1234567.8"),
        (GERMAN, "1234,8", "1234.8"),
        (GERMAN, "1.23", None),
        (GERMAN, "12.3456", None),
        (GERMAN, "1.2345.678", None),
        (ENGLISH, "1,234.5", "1234.5"),
        (SWISS, "1'234", "1234"),
        (SWISS, "1’234", "1234"),
        (FRENCH, "1 234,5", "1234.5"),
        (FRENCH, "1\u202f234", "1234"),
        (FRENCH, "1\u00a0234", "1234"),
        (FRENCH, "1  234", None),
        (DOLLARS, "$1,234.00", "1234.00"),
        (DOLLARS, "-$5.10", "-5.10"),
        (DOLLARS, "$-5.10", "-5.10"),
        (DOLLARS, "($1,005.10)", "-1005.10"),
        (DOLLARS, "$(5.10)", "-5.10"),
        (DOLLARS, "(5.10)", "-5.10"),
        (DOLLARS, "12", "12"),
        (DOLLARS, "12 $", "12"),
        (DOLLARS, "$12$", None),
        (DOLLARS, "-$-5", None),
        (DOLLARS, "(-$5)", None),
        (DOLLARS, "$", None),
        (DOLLARS, "€5", None),
        (DOLLARS, "$5 to $7", None),
        (EUROS, "1.725,98\u00a0€", "1725.98"),
        (FRANCS, "Fr. 1'200.50", "1200.50"),
        (PERCENT, "12.5%", "12.5"),
        (PERCENT, "12.5 %", "12.5"),
        (PERCENT, "12.5 % of 8", None),
        (POINT, "(5.10)", None),
    ],
)
def test_a_text_is_this_number_or_none(form: NumberForm, text: str, number: str | None) -> None:
    assert form.read(pa.array([text, None])).to_pylist() == [number, None]


@pytest.mark.parametrize(("decimal", "thousands"), [(";", None), (".", "."), (".", "x"), ("", None)])
def test_a_form_must_tell_its_signs_apart(decimal: str, thousands: str | None) -> None:
    with pytest.raises(PolicyError):
        NumberForm(decimal, thousands)


@given(
    st.decimals(min_value=-(10**9), max_value=10**9, places=3),
    st.sampled_from(DECIMALS),
    st.sampled_from((None, *THOUSANDS)),
)
def test_a_number_written_in_a_form_is_read_as_itself(number: Decimal, decimal: str, thousands: str | None) -> None:
    if decimal == thousands:
        return
    written = f"{number:,f}".replace(",", "\0").replace(".", decimal).replace("\0", thousands or "")
    [read] = NumberForm(decimal, thousands).read(pa.array([written])).to_pylist()
    assert Decimal(read) == number


@pytest.mark.parametrize("unit", ["", "5", "k g2", "-", "(", " kg", "kg ", ",", "'"])
def test_a_unit_has_neither_digits_nor_signs_of_numbers(unit: str) -> None:
    with pytest.raises(PolicyError, match="unit must be a sign or a word"):
        NumberForm(unit=unit)


@pytest.mark.parametrize(
    ("texts", "unit"),
    [
        (["$5.00", "($7.00)", "8"], "$"),
        (["US$ 5", "US$ 7"], "US$"),
        (["63 years", "7 years"], "years"),
        (["12 %", "7%"], "%"),
        (["$5", "€7"], None),
        (["5", "7"], None),
        (["5 mg", "10 mg"], None),
        (["kg", "$"], None),
    ],
)
def test_the_unit_of_a_column_is_the_only_known_one(texts: list[str], unit: str | None) -> None:
    assert unit_of(pa.array(texts)) == unit
