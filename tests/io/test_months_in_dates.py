"""Names of months in several languages."""

from __future__ import annotations

import pyarrow as pa
import pytest

from sharewell.io.date_forms import DateForm
from sharewell.io.months_in_dates import FULL_MONTHS, MONTH_NUMBERS, SHORT_MONTHS


def test_no_name_stands_for_two_months() -> None:
    """A name that is short in one language and full in another, as mai, is of the same month in both."""
    assert all(SHORT_MONTHS.get(name, month) == month for name, month in FULL_MONTHS.items())
    assert set(MONTH_NUMBERS.values()) == set(range(1, 13))


@pytest.mark.parametrize(
    ("text", "form", "date"),
    [
        ("3. Mrz 2021", "%d. %b %Y", "2021-03-03"),
        ("3. März 2021", "%d. %B %Y", "2021-03-03"),
        ("3. maerz 2021", "%d. %B %Y", None),
        ("15 févr. 2020", "%d %b %Y", "2020-02-15"),
        ("15 fevrier 2020", "%d %B %Y", "2020-02-15"),
        ("01-ENE-2019", "%d-%b-%Y", "2019-01-01"),
        ("31 giugno 2020", "%d %B %Y", None),
        ("30 juin 2020", "%d %b %Y", "2020-06-30"),
        ("May 5, 2020", "%B %d, %Y", "2020-05-05"),
        ("Sept 5, 2020", "%b %d, %Y", "2020-09-05"),
        ("Marble 5, 2020", "%b %d, %Y", None),
    ],
)
def test_dates_are_read_in_every_language(text: str, form: str, date: str | None) -> None:
    assert DateForm(form).read(pa.array([text])).to_pylist() == [date]
