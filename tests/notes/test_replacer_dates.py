"""Dates: every spelling moves by the same days, and what is no whole date is made coarser."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sharewell.keys import Key
from sharewell.notes import Known
from sharewell.notes.replacers.dates import DateRewriter, date_conventions, days_in_row, draw_shift, nearest_year

MOVED = DateRewriter(29, frozenset())
KEY = Key(b"an example key of enough bytes..")


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("03/05/2016", "04/03/2016"),
        ("3/5/2016", "4/3/2016"),
        ("12/15/2016", "01/13/2017"),
        ("03-05-16", "04-03-16"),
        ("3/5/'16", "4/3/'16"),
        ("25.12.2016", "23.01.2017"),
        ("2016-03-05", "2016-04-03"),
        ("2016-03-05T10:00", "2016-04-03T10:00"),
        ("2016-03-05 10:00:31.5Z", "2016-04-03 10:00"),
        ("2016/3/5", "2016/4/3"),
        ("20160305", "20160403"),
        ("03052016", "04032016"),
        ("5 March 2016", "3 April 2016"),
        ("5th of March, 2016", "3rd of April, 2016"),
        ("05MAR2016", "03APR2016"),
        ("March 5, 2016", "April 3, 2016"),
        ("MARCH 5TH, 2016", "APRIL 3rd, 2016"),
        ("mar. 5 2016", "apr. 3 2016"),
        ("Mar 5th", "Apr 3rd"),
        ("Mar-05-16", "Apr-03-16"),
        ("December 30-31, 2016", "January 28-29, 2017"),
        ("March 1-5", "March 30-April 3"),
        ("March the fifth, twenty sixteen", "April 3rd, 2016"),
        ("the twenty-first of May", "June 19th"),
        ("3/5", "4/3"),
        ("3/5-3/9", "4/3-4/7"),
        ("3/5 to 3/9/2016", "4/3 to 4/7/2016"),
        ("Monday", "Tuesday"),
        ("Mondays", "Tuesdays"),
        ("Monday, March 7, 2016", "Tuesday, April 5, 2016"),
        ("May 2016", "2016"),
        ("December of 2016", "2017"),
        ("05/2016", "2016"),
        ("Dec '16", "2017"),
        ("summer of 2016", "2016"),
        ("May twenty sixteen", "2016"),
        ("May", None),
        ("Christmas", None),
        ("Thanksgiving", None),
        ("02/30/2016", None),
        ("13/13/2016", None),
        ("9999-12-31", None),
        ("sometime in 03/05/2016", None),
        ("", None),
    ],
)
def test_every_spelling_moves(written, expected) -> None:
    assert MOVED.shifted(written) == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("03/05/2016", "2016"),
        ("5 March 1999", "1999"),
        ("May 2016", "2016"),
        ("3/5/15 - 3/9/16", "2015-2016"),
        ("Monday, March 7, 2016", "2016"),
        ("3/5", None),
        ("Monday", None),
        ("Christmas", None),
        ("Mar 5th", None),
    ],
)
def test_years_alone(written, expected) -> None:
    assert MOVED.years(written) == expected


def test_births_that_tell_an_age_above_89() -> None:
    old = DateRewriter(29, frozenset(), latest=2016)
    assert old.years("03/05/1926", birth=True) == "before 1927"
    assert old.years("03/05/1927", birth=True) == "1927"
    assert old.years("03/05/1926") == "1926"
    assert old.shifted("03/05/1921", birth=True) == "before 1927"
    assert old.shifted("03/05/1961", birth=True) == "04/03/1961"


def test_a_moved_date_that_is_one_of_the_persons_own_is_its_year() -> None:
    own = days_in_row(Known.of(dates=["1961-04-03"]))
    assert DateRewriter(29, own).shifted("03/05/2016") == "2016"
    assert DateRewriter(29, own).shifted("Mar 5th") is None
    assert DateRewriter(29, days_in_row(Known.of(dates=["1961-03-04"]))).shifted("2016-03-05") == "2016"
    assert days_in_row(None) == frozenset()


@pytest.mark.parametrize(
    ("written", "day_first", "latest"),
    [
        (["3/5/2016", "25/12/2015"], True, 2016),
        (["3/5/2016", "12/25/2015", "1/30/16"], False, 2016),
        (["3/5/2016"], False, 2016),
        (["25/12/2015", "12/25/2017"], False, 2017),
        (["13/13/2020", "may", "monday"], False, None),
        ([], False, None),
    ],
)
def test_day_or_month_first(written, day_first, latest) -> None:
    assert date_conventions(written) == (day_first, latest)


def test_ambiguous_dates_follow_the_person() -> None:
    assert DateRewriter(29, frozenset(), day_first=True).shifted("03/05/2016") == "01/06/2016"
    assert DateRewriter(29, frozenset(), day_first=True).shifted("03/25/2016") == "04/23/2016"


def test_the_year_beside_a_day() -> None:
    assert nearest_year([(10, 2015), (50, 2016)], 30) == 2015
    assert nearest_year([(10, 2015), (50, 2016)], 5) == 2015
    assert nearest_year([(10, 2015), (50, 2016)], 70) == 2016
    assert nearest_year([], 70) == 2023


def test_shifts_are_secret_never_nothing_and_whole_weeks_if_asked() -> None:
    keys = [KEY.scoped("notes", str(n)) for n in range(600)]
    shifts = [draw_shift(key, 30, weekdays=False) for key in keys]
    assert set(shifts) == set(range(-30, 31)) - {0}
    weeks = [draw_shift(key, 365, weekdays=True) for key in keys]
    assert all(week % 7 == 0 and 0 < abs(week) <= 364 for week in weeks)
    assert len(set(weeks)) > 90


FORMS = ("%m/%d/%Y", "%Y-%m-%d", "%d %B %Y", "%B %d, %Y", "%b %d, %Y", "%d-%b-%Y", "%Y%m%d", "%d%b%Y")


@given(
    st.dates(date(1902, 1, 1), date(2090, 1, 1)),
    st.integers(-700, 700).filter(bool),
    st.sampled_from(FORMS),
)
def test_a_moved_date_reads_as_the_other_day_in_the_same_form(day, shift, form) -> None:
    assume(day.month != 5 or "%b" not in form)  # May is short and whole
    made = DateRewriter(shift, frozenset()).shifted(day.strftime(form))
    assert datetime.strptime(made or "", form).date() == day + timedelta(shift)


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused(written) -> None:
    made = MOVED.shifted(written), MOVED.years(written)
    assert all(one is None or isinstance(one, str) for one in made)
