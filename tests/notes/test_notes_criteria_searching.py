"""The judge's search: every common spelling is found, and nothing else that merely looks like it."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.notes import Known
from sharewell.notes.engine.checks.known_value_search import (
    MONTH,
    PARTICLES,
    Search,
    dates_in,
    name_parts,
    spellings,
)
from sharewell.notes.engine.checks.plain_text import plain

DAYS = st.dates(date(1900, 1, 1), date(2030, 12, 31))
WORDS = st.text("bcdfghjklmnpqrstvwxyz", min_size=3, max_size=9).filter(lambda word: word not in PARTICLES)
FULL = "january february march april may june july august september october november december".split()  # noqa: SIM905


def written_out(day: date) -> list[str]:
    """Written out by hand, for the search shares nothing with it."""
    d, m, y = day.day, day.month, day.year
    name, short, yy = FULL[m - 1].title(), FULL[m - 1][:3], f"{y % 100:02d}"
    th = "th" if 10 < d < 14 else {1: "st", 2: "nd", 3: "rd"}.get(d % 10, "th")
    numbers = [f"{m}/{d}/{y}", f"{m:02d}/{d:02d}/{y}", f"{d}.{m}.{y}", f"{d:02d}-{m:02d}-{y}", f"{y}-{m:02d}-{d:02d}"]
    numbers += [f"{y}/{m}/{d}", f"{m}/{d}/{yy}", f"{d}/{m}/{yy}", f"{y}{m:02d}{d:02d}", f"{m:02d}{d:02d}{y}"]
    named = [
        f"{name} {d}, {y}",
        f"{d} {name} {y}",
        f"{d}{th} of {name}, {y}",
        f"{d:02d}-{short}-{y}",
        f"{name} {d}{th}",
    ]
    named += [f"{d:02d}{short.upper()}{y}", f"{d}{short}{yy}", f"{d} {name}", f"{short}. {d}", f"{name} {d} '{yy}"]
    return [*numbers, *named, f"{y}-{m:02d}-{d:02d}T08:15:00", f"{y} {name} {d}"]


@settings(deadline=None)
@given(DAYS, st.integers(0, 21))
def test_a_date_is_found_in_every_spelling(day: date, number: int) -> None:
    written = written_out(day)[number]
    search = Search.of([("DATE", day.isoformat())])
    assert search.kinds(f"seen {written}; stable, bp 120/80") == {"DATE"}, written


@settings(deadline=None)
@given(DAYS, st.integers(1, 20_000), st.integers(0, 21))
def test_another_date_is_not_found(day: date, apart: int, number: int) -> None:
    other = day + timedelta(days=apart)
    written = written_out(other)[number]
    same_day = (other.day, other.month) == (day.day, day.month)
    swapped = (other.day, other.month) == (day.month, day.day) and other.year % 100 == day.year % 100
    glued = {f"{day:%Y%m%d}", f"{day:%m%d%Y}", f"{day:%d%m%Y}"} & {written}
    short = other.year % 100 == day.year % 100  # two digits of a year may be either century's
    numeric_mix = {other.day, other.month, other.year % 100} == {day.day, day.month, day.year % 100}
    if not (same_day or swapped or glued or short or numeric_mix):
        assert not Search.of([("DATE", day.isoformat())]).kinds(f"seen {written} and well")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("5 March 1962", False),
        ("March 5, 1961", True),
        ("1962 March 5", False),
        ("5-Mar-62", False),
        ("5 March", True),
        ("March 5 12:30", True),
        ("on the 5th of March he", True),
        ("3/5", False),
        ("strength 3/5 in 1961", False),
        ("13/5/1961", False),
        ("March 1961", False),
        ("15 March 1961", False),
        ("5 March 19610", True),
    ],
)
def test_day_and_month_without_a_year(text: str, found: bool) -> None:
    assert bool(Search.of([("DATE", "1961-03-05")]).kinds(text)) is found


@settings(deadline=None)
@given(
    WORDS, WORDS, st.sampled_from(["{}", "Mr. {}'s", "({})", "_{}_", "{}@example.org", "a/{}/b", "{},"]), st.booleans()
)
def test_every_part_of_a_name_is_found_in_any_case(first: str, last: str, form: str, loud: bool) -> None:
    search = Search.of([("NAME", f"{first} van {last}")])
    for part in (first, last):
        assert search.kinds("seen " + form.format(part.upper() if loud else part)) == {"NAME"}
    assert search.kinds(f"4{first}") == {"NAME"}
    assert not search.kinds(f"aa{first} {last}aa van")


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("José Núñez", "JOSE nunez", True),
        ("José", "Jose\u0301", True),
        ("Delgado", "Del\u00adga\u200bdo", True),
        ("Strauß", "STRAUSS", True),
        ("Łukasz Sørensen", "lukasz", True),
        ("Pat O'Neil", "ONeil", True),
        ("Ann Smith-Jones", "smithjones", True),
        ("Ann Smith-Jones", "Jones", True),
        ("Van Do", "Do came", True),
        ("Van Do", "do come", False),
        ("Rosa de la Cruz", "de la mar", False),
        ("Le", "Le came", True),
        ("May", "since may", True),
        ("J. Smith", "J. came", False),
        ("Rosa", "rosacea", False),
        ("", "anything", False),
    ],
)
def test_names(name: str, text: str, found: bool) -> None:
    assert bool(Search.of([("NAME", name)]).kinds(text)) is found


@settings(deadline=None)
@given(st.text("0123456789AB", min_size=2, max_size=10), st.data())
def test_numbers_are_found_with_and_without_separators(value: str, data: st.DataObject) -> None:
    gaps = [data.draw(st.sampled_from(["", "", "-", " ", ". "])) for _ in value[1:]]
    written = value[0] + "".join(gap + sign for gap, sign in zip(gaps, value[1:], strict=True))
    assert Search.of([("ID", value)]).kinds(f"no {written.lower()}, stable") == {"ID"}
    if not any(len(run) >= 5 for run in spellings("ID", value) if run != value.casefold()):
        assert not Search.of([("ID", value)]).kinds(f"no 9{value} and {value}9")


def joined_by_force(value: str, text: str) -> bool:
    """Every run of neighbouring words, written as one."""
    bare = plain(text).casefold()
    places, at = [], 0
    for word in "".join(sign if sign.isalnum() else " " for sign in bare).split():
        start = bare.index(word, at)
        places.append((start, at := start + len(word)))
    for i in range(len(places)):
        for j in range(i, len(places)):
            near = all(places[k + 1][0] - places[k][1] <= 3 for k in range(i, j))
            if near and "".join(bare[a:b] for a, b in places[i : j + 1]) == value:
                return True
    return False


@settings(max_examples=300, deadline=None)
@given(st.text("12", min_size=2, max_size=4), st.text("12 -.x", max_size=14))
def test_the_search_is_that_of_brute_force(value: str, text: str) -> None:
    assert bool(Search.of([("OTHER", value)]).kinds(text)) is joined_by_force(value, text)


@pytest.mark.parametrize(
    ("kind", "value", "text", "found"),
    [
        ("ID", "MRN-00412", "mrn 00412", True),
        ("ID", "MRN-00412", "record 00412", True),
        ("ID", "MRN-0041", "record 0041", False),
        ("PHONE", "(555) 201-3345", "555.201.3345", True),
        ("PHONE", "(555) 201-3345", "call 201-3345", True),
        ("PHONE", "(555) 201-3345", "+15552013345", True),
        ("PHONE", "+1 555 201 3345", "(555) 201 3345", True),
        ("PHONE", "(555) 201-3345", "201 to 3345", False),
        ("EMAIL", "r.delgado@example.org", "R.Delgado@Example.org", True),
        ("PLACE", "02139-4307", "zip 02139", True),
        ("PLACE", "New York", "new\n  york", True),
        ("PLACE", "New York", "york", False),
        ("OTHER", "plumber", "a Plumber.", True),
        ("OTHER", "x", "x", False),
    ],
)
def test_other_values(kind: str, value: str, text: str, found: bool) -> None:
    assert bool(Search.of([(kind, value)]).kinds(text)) is found


@settings(deadline=None)
@given(DAYS, st.integers(0, 21))
def test_dates_are_read_from_text(day: date, number: int) -> None:
    written = written_out(day)[number]
    if number not in (14, 17, 18):  # these have no year
        assert day in dates_in(plain(f"seen {written} here")), written


@settings(deadline=None)
@given(st.text(max_size=200))
def test_any_text_can_be_searched(text: str) -> None:
    search = Search.of(Known.of(names=["Rosa Delgado"], dates=["1961-03-05"], ids=["412-7"]).values)
    assert search.kinds(text) <= {"NAME", "DATE", "ID"}
    dates_in(plain(text))


def test_parts_of_names_and_months() -> None:
    assert list(name_parts("Dr. Rosa M. de la Cruz-Delgado")) == ["rosa", "cruz", "delgado", "cruzdelgado"]
    assert not Search.of([])
    assert MONTH["sept"] == MONTH["september"] == 9


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Delga&shy;dillo", "Delga&shy;dillo"),
        ("Ms Delga&#173;dillo,", "Delga&#173;dillo"),
        ("Delga&zwnj;dillo", "Delga&zwnj;dillo"),
        ("Delga&#8203;dillo", "Delga&#8203;dillo"),
        ("Delgad&iacute;llo", "Delgad&iacute;llo"),
        ("Delgadi&#769;llo;", "Delgadi&#769;llo"),
        ("Delga\x00dillo", "Delga\x00dillo"),
        (r"{\rtf1 Delgad\u237?llo}", r"Delgad\u237?llo"),
        (r"{\rtf1\uc0 Delgad\u237 llo}", r"Delgad\u237 llo"),
        (r"{\rtf1 Delgad\'edllo}", r"Delgad\'edllo"),
        (r"{\rtf1 Delga\-dillo}", r"Delga\-dillo"),
        (r"{\rtf1 {\b Delga}dillo}", r"Delga}dillo"),
        ("MsDelgadillo", "Delgadillo"),
        ("DelgadilloCT", "Delgadillo"),
        ("CTDelgadillo", "Delgadillo"),
        ("patientDelgadillo2", "Delgadillo"),
        ("Delga\u2011\r\ndillo", "Delga\u2011\r\ndillo"),
        ("Delgadi\u0301llo\u0301 x", "Delgadi\u0301llo\u0301"),
        ("predelgadillo Delgadilloes", ""),
        ("C:\\delga\\dillo &delga; dillo", ""),
    ],
)
def test_what_a_screen_shows_is_found_at_its_place(text: str, found: str) -> None:
    places = list(Search.of([("NAME", "Rosalind Delgadillo")]).hits(text))
    assert {text[start:end] for _, start, end in places} == ({found} if found else set())


def test_a_name_that_is_spelt_twice_is_found_twice() -> None:
    assert len(list(Search.of([("NAME", "Ortega")]).hits("O R T E G A O R T E G A"))) == 2


FILLERS = "\u115f\u1160\u3164\uffa0\u2800"


@pytest.mark.parametrize("sign", [*FILLERS, *"\u034f\u17b4\u180b\u200b\u2065\ufe0f\ufff0\U0001bca0\U000e0fff"])
def test_a_name_with_a_sign_in_it_that_nobody_sees_is_found(sign: str) -> None:
    search = Search.of([("NAME", "Rosa Delgado"), ("ID", "1234602")])
    assert search.kinds(f"seen Del{sign}gado today") == {"NAME"}
    assert ("NAME", f"Del{sign}gado") in spans(search, f"seen Del{sign}gado today")
    assert search.kinds(f"mrn 123{sign}4602") == {"ID"}


@pytest.mark.parametrize("sign", FILLERS)
def test_a_sign_that_looks_like_a_blank_parts_words(sign: str) -> None:
    search = Search.of([("NAME", "Rosa Delgado")])
    assert search.kinds(f"seen{sign}delgado{sign}today") == {"NAME"}


def spans(search: Search, text: str) -> set[tuple[str, str]]:
    return {(kind, text[start:end]) for kind, start, end in search.hits(text)}
