"""Dates, times, numbers and doses as they are written or dictated in notes."""

from __future__ import annotations

from datetime import date

from sharewell import calendar_names
from sharewell.hospital.draws import Dice

MONTHS = tuple(month.capitalize() for month in calendar_names.MONTHS)
DAYS = tuple(day.capitalize() for day in calendar_names.WEEKDAYS)
_ONES = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
eighteen nineteen
""".split()  # noqa: SIM905 - a list of words reads best as text
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ORDINALS = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth"}
_ORDINALS |= {"nine": "ninth", "twelve": "twelfth"}
_UNITS = {"mg": "milligrams", "mcg": "micrograms", "g": "grams", "mL": "milliliters", "%": "percent"}
_UNITS |= {"mg/kg": "milligrams per kilo"}  # others, such as units and puffs, are said as they are written
DATE_STYLES = 7


def _suffix(day: int) -> str:
    return "th" if 10 <= day % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


def written_date(day: date, style: int) -> str:
    """A date in one of the seven ways clinicians write it."""
    month = MONTHS[day.month - 1]
    styles = (
        f"{day.month}/{day.day}/{day:%y}",
        f"{day:%m/%d}/{day.year}",
        f"{day.day} {month[:3]} {day:%y}",
        day.isoformat(),
        f"{month} {day.day}{_suffix(day.day)}",
        f"{day.month}-{day.day}",
        f"{day:%m%d}{day.year}",
    )
    return styles[style]


def long_date(day: date) -> str:
    """June 3, 2024"""
    return f"{MONTHS[day.month - 1]} {day.day}, {day.year}"


def spoken_number(number: int) -> str:
    """twenty five, one thousand two hundred"""
    if number < 20:
        return _ONES[number]
    if number < 100:
        return _TENS[number // 10] + (f" {_ONES[number % 10]}" if number % 10 else "")
    size, word = (1000, "thousand") if number >= 1000 else (100, "hundred")
    rest = f" {spoken_number(number % size)}" if number % size else ""
    return f"{spoken_number(number // size)} {word}{rest}"


def _ordinal(number: int) -> str:
    words = spoken_number(number).split()
    last = words[-1]
    words[-1] = _ORDINALS.get(last) or (last[:-1] + "ieth" if last.endswith("y") else last + "th")
    return " ".join(words)


def spoken_date(day: date) -> str:
    """june third twenty twenty four"""
    year = f"{spoken_number(day.year // 100)} {spoken_number(day.year % 100)}" if day.year % 100 >= 10 else ""
    return f"{MONTHS[day.month - 1].lower()} {_ordinal(day.day)} {year or spoken_number(day.year)}"


def spoken_dose(dose: str) -> str:
    """twenty milligrams, zero point four milligrams"""
    amount, _, unit = dose.partition(" ")
    integer, _, decimals = amount.partition(".")
    if not integer.isdigit():
        return dose
    fraction = " point " + " ".join(_ONES[int(digit)] for digit in decimals) if decimals else ""
    words = spoken_number(int(integer)) + fraction
    return f"{words} {_UNITS.get(unit, unit)}"


def clock(dice: Dice) -> str:
    """0430, 4:30 or 4.30pm"""
    hour, minute, style = dice.below(24), dice.below(12) * 5, dice.below(3)
    late = f"{(hour - 1) % 12 + 1}.{minute:02d}{'pm' if hour >= 12 else 'am'}"
    return (f"{hour:02d}{minute:02d}", f"{hour}:{minute:02d}", late)[style]


def other_dose(dose: str, doses: tuple[str, ...], dice: Dice) -> str:
    """Another strength of the same drug; half or double where the table has one only."""
    others = [strength for strength in doses if strength != dose]
    if others:
        return str(dice.of(others))
    amount, _, unit = dose.partition(" ")
    try:
        return f"{float(amount) / 2:g} {unit}" if dice.chance(0.5) else f"{float(amount) * 2:g} {unit}"
    except ValueError:
        return dose


def add_years(day: date, years: int) -> date:
    """The same day some years later (29 February becomes the 28th)."""
    try:
        return day.replace(year=day.year + years)
    except ValueError:
        return day.replace(year=day.year + years, day=28)
