"""What cells need: each case as distinct texts in, the cleaning out; and cleaning so gives what was meant."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.proposal.cleaning_needs import Need, Stated, missing_words, needed, sentinel, written

DAYS = [date(2019, 1, 1) + timedelta(days=17 * i) for i in range(40)]


def forms(days: list[date], *shapes: str) -> list[str]:
    return [day.strftime(shapes[i % len(shapes)]) for i, day in enumerate(days)]


def need_of(name: str, values: list[str], **stated: Any) -> Need | None:
    return needed(name, pa.array(values).unique(), Stated(**stated))


CASES = [
    ("seen", forms(DAYS, "%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y"), 'date: ["%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y"]'),
    ("seen", forms(DAYS, "%m/%d/%Y"), 'date: ["%m/%d/%Y"]'),
    ("seen", forms(DAYS, "%d-%b-%Y"), 'date: ["%d-%b-%Y"]'),
    ("seen", forms(DAYS, "%Y%m%d"), 'date: ["%Y%m%d"]'),
    ("seen", forms(DAYS, "%d.%m.%Y %H:%M"), 'date: ["%d.%m.%Y %H:%M"]'),
    ("seen", forms(DAYS, "%m/%d/%Y 02:15 PM"), 'date: ["%m/%d/%Y %I:%M %p"]'),
    ("seen", forms(DAYS, "%d-%b-%Y 09:30"), 'date: ["%d-%b-%Y %H:%M"]'),
    ("seen", forms(DAYS, "%B %d, %Y 9:30:05 am"), 'date: ["%B %d, %Y %I:%M:%S %p"]'),
    ("seen", forms(DAYS, "%Y-%m-%dT09:30:05+02:00"), 'date: ["%Y-%m-%dT%H:%M:%S%z"]'),
    ("seen", forms(DAYS, "%d/%m/%Y", "%d/%m/%Y 09:30"), 'date: ["%d/%m/%Y", "%d/%m/%Y %H:%M"]'),
    ("weight", ["71,5", "80", "64,25"], 'number: {decimal: ","}'),
    ("cost", ["1.234,50", "17,00", "12.001,00"], 'number: {decimal: ",", thousands: "."}'),
    ("cost", ["1,234.50", "17.00"], 'number: {decimal: ".", thousands: ","}'),
    ("cost", ["$1,234.50", "$17.00", "($3.10)"], 'number: {decimal: ".", thousands: ",", unit: "$"}'),
    ("Kosten", ["1.725,98 €", "335,66 €"], 'number: {decimal: ",", thousands: ".", unit: "€"}'),
    ("share", ["12.5%", "7%"], 'number: {decimal: ".", unit: "%"}'),
    ("zip", ["02139", "02140-1234", "021411234"], "zip5: true"),
    ("ward", ["a ", "b", "\u00a0c"], "trim: true"),
    ("city", ["Boston", "BOSTON", "boston", "Salem"], "trim: true, case: title"),
    ("stage", ["ii", "II", "III"], "trim: true, case: upper"),
]


def test_a_rare_form_among_thousands_is_found() -> None:
    days = [date(1990, 1, 1) + timedelta(days=i) for i in range(5000)]
    values = [*forms(days, "%Y-%m-%d %H:%M"), "31.12.2021 23:59"]
    need = need_of("seen", values)
    assert need is not None
    assert (need.cleaning.date, need.unread) == (("%Y-%m-%d %H:%M", "%d.%m.%Y %H:%M"), 0)


@pytest.mark.parametrize(("name", "values", "expected"), CASES)
def test_a_need_is_found_by_content(name: str, values: list[str], expected: str) -> None:
    need = need_of(name, values)
    assert need is not None
    assert (", ".join(written(need)), need.undecided, need.unread) == (expected, 0, 0)


NOTHING = [
    ("seen", forms(DAYS, "%Y-%m-%d")),
    ("weight", ["71.5", "80"]),
    ("zip", ["02139", "02140"]),
    ("postcode", ["8010", "8020 Graz"]),
    ("patient_id", ["1,234", "1,235"]),
    ("ward", ["a", "b"]),
    ("code", ["001", "002", "017"]),
    ("icd9", ["250.00", "401.9", "V58.11"]),
    ("sex", ["F", "M"]),
    ("Sexo", ["H", "M"]),
    ("dose", ["5 mg", "10 mg"]),
]


@pytest.mark.parametrize(("name", "values"), NOTHING)
def test_tidy_columns_need_nothing(name: str, values: list[str]) -> None:
    assert need_of(name, values) is None


def test_sex_in_six_spellings_becomes_two_letters_by_words_that_ship() -> None:
    values = ["F", "f", "female ", "M", "m", "Male", "weiblich"]
    need = need_of("sex", values)
    assert need is not None
    cleaned, _ = need.cleaning.apply(pa.chunked_array([values]))
    assert cleaned.to_pylist() == ["F", "F", "F", "M", "M", "M", "F"]


@pytest.mark.parametrize(
    ("name", "values", "meant"),
    [
        ("Sexo", ["Hombre", "Mujer", "H", "M", "hombre"], ["M", "F", "M", "F", "M"]),
        ("sexe", ["H", "F", "Homme", "Femme"], ["M", "F", "M", "F"]),
        ("Geschlecht", ["w", "Frau", "m", "Herr"], ["F", "F", "M", "M"]),
        ("sexe", ["Mme", "Monsieur", "F", "garçon"], ["F", "M", "F", "M"]),
        ("Sexo", ["Masculino", "Femenino", "M", "F"], ["M", "F", "M", "F"]),
        ("geslacht", ["V", "v", "M", "m"], ["F", "F", "M", "M"]),
        ("sex", ["V", "M", "vrouw", "man"], ["F", "M", "F", "M"]),
    ],
)
def test_letters_for_sex_mean_what_the_words_beside_them_say(name: str, values: list[str], meant: list[str]) -> None:
    need = need_of(name, values)
    assert need is not None
    assert need.cleaning.apply(pa.chunked_array([values]))[0].to_pylist() == meant


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("Sexo", ["Hombre", "Mujer", "M"]),
        ("Sexo", ["H", "M", "F", "Mujer"]),
        ("Sexo", ["V", "M", "v", "m"]),
        ("Sexo", ["Varón", "V", "M"]),
    ],
)
def test_letters_that_could_mean_either_sex_are_not_recoded(name: str, values: list[str]) -> None:
    need = need_of(name, values)
    assert need is not None
    assert list(written(need)) == []
    assert need.reasons == ("letters that may mean either sex: say clean: {recode: …}",)


def test_an_unknown_word_for_sex_is_left_to_people() -> None:
    need = need_of("sex", ["F", "female", "canary"])
    assert need is None or not need.cleaning.recode


def test_dates_that_fit_both_orders_are_counted_and_left_undecided() -> None:
    need = need_of("seen", ["03/04/2020", "05/06/2021", "07/07/2020"])
    assert need is not None
    assert (need.undecided, list(written(need))[-1]) == (3, "day_first: undecided")


def test_dates_in_both_orders_at_once_are_undecided_although_others_decide() -> None:
    need = need_of("seen", ["24/12/2020", "12/24/2020", "03/04/2020"], day_first=True)
    assert need is not None
    assert need.undecided == 1


def test_another_column_of_the_file_decides_the_order() -> None:
    need = need_of("seen", ["03/04/2020", "05/06/2021"], day_first=False)
    assert need is not None
    assert (need.cleaning.date, need.undecided) == (("%m/%d/%Y",), 0)


def test_numbers_of_two_readings_are_not_chosen() -> None:
    need = need_of("cost", ["1,234", "5,678"])
    assert need is not None
    assert list(written(need)) == []
    assert "2 ways" in need.reasons[0]


def test_a_stated_decimal_sign_decides_between_two_readings() -> None:
    need = need_of("cost", ["1,234", "5,678"], decimal=",")
    assert need is not None
    assert list(written(need)) == ['number: {decimal: ","}']


def test_words_for_no_value_are_proposed_as_they_are_written() -> None:
    columns = {
        "seen": pa.array(["2020-01-02", "N/A", "-"]),
        "sex": pa.array(["F", "M", "unknown"]),
        "race": pa.array(["White", "unknown", "Null "]),
        "allergy": pa.array(["none", "nuts"]),
    }
    assert missing_words(columns) == ("-", "N/A", "Null ", "unknown")


def test_no_value_is_known_as_german_clinics_write_it() -> None:
    assert missing_words({"HbA1c": pa.array(["7,1", "k. A.", "keine Angaben"])}) == ("k. A.", "keine Angaben")


@pytest.mark.parametrize("word", ["n/d", "NR", "n.r.", "nicht erhoben", "non fait", "no procede", "Not done"])
def test_no_value_is_known_in_other_words_beside_numbers(word: str) -> None:
    assert missing_words({"poids": pa.array(["71,2", "80,0", "64,5", word])}) == (word,)


def test_a_number_far_from_all_others_is_noticed() -> None:
    assert sentinel(pa.array(["61", "70.5", "80", "999"])) == "999"
    assert sentinel(pa.array(["61", "70.5", "800", "999"])) is None
    assert sentinel(pa.array(["4", "5", "6", "-9"])) == "-9"
    assert sentinel(pa.array(["-4", "5", "6", "-9"])) is None


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.dates(date(1900, 1, 1), date(2030, 12, 31)), min_size=20, max_size=60),
    st.lists(st.sampled_from(["%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y"]), min_size=1, max_size=3, unique=True),
)
def test_what_is_proposed_reads_all_dates_or_leaves_their_order_open(days: list[date], shapes: list[str]) -> None:
    values = forms(days, *shapes)
    need = need_of("seen", values)
    if need is None:
        assert all(value == day.isoformat() for value, day in zip(values, days, strict=True))
    elif not need.undecided:
        cleaned, account = need.cleaning.apply(pa.chunked_array([values]))
        assert account.unread == 0
        assert cleaned.to_pylist() == [day.isoformat() for day in days]


def test_names_of_months_in_other_languages_and_years_of_two_digits_are_dates() -> None:
    values = pa.array([f"{day}. {month} 1964" for day in (3, 14) for month in ("Mrz", "Mai", "Dez")] + ["07.08.58"])
    need = needed("Geb.-Dat.", values)
    assert need is not None
    assert set(need.cleaning.date) >= {"%d. %b %Y", "%d.%m.%y"}
    assert (need.two_digits, need.unread) == (1, 0)
    assert any("years of two digits" in reason for reason in need.reasons)
    whole = needed("seen", pa.array(["03.04.2020", "05.06.2020"]))
    assert whole is not None
    assert whole.two_digits == 0
