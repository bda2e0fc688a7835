"""How places smaller than a state are written: postal codes of three countries, coordinates, streets.

ZIP codes are those of the United States Postal Service, also after the letters of a state; postcodes of Canada by the
letters that its post uses, those of the United Kingdom by its postal areas. Coordinates are pairs of decimals that can
be a latitude and a longitude and cannot be the ends of an interval, degrees and minutes, or a pair with the letters of
the hemispheres. A street is a number, some words and a word for streets.

>>> [postal_code(text) for text in ("02139-4307", "MA 02139", "K1A 0B1", "SW1A 1AA", "T2N1M0", "12345-678-90", "E11.9")]
[True, True, True, True, False, False, False]
>>> [exact_place(text) for text in ("42.3601, -71.0942", "12 Main Street", "0.812, 0.934", "-1.25, 3.5", "2 per day")]
[True, True, False, False, False]
"""

from __future__ import annotations

import re
from functools import cache

from sharewell.io.shipped import shipped_rows
from sharewell.tables.engine.checks.cell_spelling import word_set

_LEAST_PEOPLE = 20_000
"""More must live in an area of three digits."""
_STATES = word_set(
    "AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR",
    "PA RI SC SD TN TX UT VT VA WA WV WI WY PR GU VI AS MP AA AE AP US USA",
)
_STATE_AND_ZIP = re.compile(r"(?<![A-Za-z])([A-Z]{2,3})[ ,.-]{0,3}([0-9]{5})(?![0-9])")
_PLUS_FOUR = re.compile(r"(?<![0-9])(?<![0-9][-./ ])([0-9]{5})(?:-| - | )[0-9]{4}(?![0-9])(?![-./ ][0-9])")
_BRITISH_AREAS = word_set(
    "AB AL B BA BB BD BF BH BL BN BR BS BT CA CB CF CH CM CO CR CT CV CW DA DD DE DG DH DL DN DT DY E EC EH EN",
    "EX FK FY G GL GU GY HA HD HG HP HR HS HU HX IG IM IP IV JE KA KT KW KY L LA LD LE LL LN LS LU M ME MK ML N",
    "NE NG NN NP NR NW OL OX PA PE PH PL PO PR RG RH RM S SA SE SG SK SL SM SN SO SP SR SS ST SW SY TA TD TF TN",
    "TQ TR TS TW UB W WA WC WD WF WN WR WS WV YO ZE",
)
_BRITISH = r"([A-Z]{1,2})[0-9][0-9A-Z]?( ?)[0-9][ABD-HJLNP-UW-Z]{2}"
_CANADIAN = r"[ABCEGHJ-NPRSTVXY][0-9][ABCEGHJ-NPRSTV-Z]([ -]?)[0-9][ABCEGHJ-NPRSTV-Z][0-9]"
_BRITISH_WITHIN, _BRITISH_ALONE = re.compile(rf"(?<![A-Za-z0-9]){_BRITISH}(?![A-Za-z0-9])"), re.compile(_BRITISH)
_CANADIAN_WITHIN, _CANADIAN_ALONE = re.compile(rf"(?<![A-Za-z0-9]){_CANADIAN}(?![A-Za-z0-9])"), re.compile(_CANADIAN)
_DECIMAL = r"([-+]?)([0-9]{1,3})\.([0-9]{2,})"
_PAIR = re.compile(
    rf"(?<![0-9.]){_DECIMAL}°? ?([NSns]?)(?: ?[,;/|] ?| ){_DECIMAL}°? ?([EWOewo]?)(?![0-9A-Za-z]|\.[0-9])"
)
_DEGREES = re.compile(r"[0-9]{1,3} ?° ?[0-9]{1,2}(?:\.[0-9]+)? ?['m]")
_HEMISPHERE = re.compile(
    r"[0-9]{1,3}\.[0-9]{2,}°? ?[NS][ ,;/]{1,3}[0-9]{1,3}\.[0-9]{2,}°? ?[EWO](?![a-z])"
    r"|\b[NS] ?[0-9]{1,2}\.[0-9]{2,}[ ,;/]{1,3}[EWO] ?[0-9]{1,3}\.[0-9]{2,}"
    r"|\blat[a-z]*[ :=]+[-+]?[0-9]{1,2}\.[0-9]+\W+(?:lon|lng)[a-z]*[ :=]+[-+]?[0-9]{1,3}\.[0-9]+"
)
_WELL_KNOWN = re.compile(r"\b(?:point ?\(|geo:) ?-?[0-9]{1,3}\.[0-9]+[ ,]+-?[0-9]{1,3}\.[0-9]+", re.IGNORECASE)
_STREET_WORDS = "street|avenue|boulevard|road|lane|drive|court|parkway|highway|terrace|strasse|straße|gasse|allee|weg"
_STREET = re.compile(
    rf"(?<![\w.])[0-9]{{1,5}}[a-z]?,? (?:[^\W\d_][\w.'-]* ){{1,4}}(?:(?:{_STREET_WORDS})(?!\w)|(?:st|ave|blvd|rd)\b"
    rf"(?= ?$|[^\w ]| \(| apt| [0-9]))"
    rf"|[^\W\d_]{{2,}}(?:strasse|straße|str\.|gasse|allee|weg) ?[0-9]{{1,4}}[a-z]?(?![0-9])"
    rf"|(?<![0-9.])[0-9]{{1,4}},? (?:bis |ter )?(?:rue|avenue|boulevard|calle) [^\W\d_]"
    rf"|\bp\.? ?o\.? box [0-9]",
    re.IGNORECASE,
)
_NOT_A_STREET = word_set("and or by per with times of in to for mg ml day days week weeks hours on the at")


def postal_code(text: str) -> bool:
    """Does a normalised text hold a ZIP code with its state or its other four digits, or a code of the other posts?"""
    if _PLUS_FOUR.search(text):
        return True
    if any(state in _STATES and is_postal(code) for state, code in _STATE_AND_ZIP.findall(text)):
        return True
    return _british(text) or _canadian(text)


def _british(text: str) -> bool:
    """Among other text only in capitals, alone also in small letters: `L5 1st` is none."""
    alone = _BRITISH_ALONE.fullmatch(_in_capitals(text))
    results = [*_BRITISH_WITHIN.finditer(text), *([alone] if alone else [])]
    return any(match[1] in _BRITISH_AREAS for match in results)


def _canadian(text: str) -> bool:
    """Without a blank, letters T, N and M in this order are the stage of a tumour; E, V and M those of a coma."""
    alone = _CANADIAN_ALONE.fullmatch(_in_capitals(text))
    results = [*_CANADIAN_WITHIN.finditer(text), *([alone] if alone else [])]
    return any(match[1] or "".join(c for c in match[0] if c.isalpha()) not in ("TNM", "EVM") for match in results)


def _in_capitals(text: str) -> str:
    """A text without brackets, in capitals if it had one case only."""
    bare = text.strip(" .,;:()[]{}*\"'")
    return bare.upper() if bare == bare.lower() else bare


def exact_place(text: str) -> bool:
    """Does a normalised text hold coordinates or a street?"""
    if "." in text and (_coordinates(text) or _HEMISPHERE.search(text) or _WELL_KNOWN.search(text)):
        return True
    if "°" in text and _DEGREES.search(text):
        return True
    match = _STREET.search(text)
    return match is not None and not _NOT_A_STREET & set(match[0].casefold().replace(",", "").split())


def _coordinates(text: str) -> bool:
    """Two decimals of which the second is negative, or of four digits or more behind the point and not both small.

    An interval never begins above its end, so that a pair with a negative second number is none unless both are.
    """
    for sign, whole, part, north, other_sign, other_whole, other_part, east in _PAIR.findall(text):
        latitude, longitude = float(f"{whole}.{part}"), float(f"{other_whole}.{other_part}")
        if latitude > 90 or longitude > 180:
            continue
        exact = min(len(part), len(other_part)) >= 4 and latitude >= 15
        if (north and east) or (other_sign == "-" and sign != "-" and latitude >= 15) or exact:
            return True
    return False


def is_postal(code: str) -> bool:
    """Is it in an area of the post, and no round number? Hardly any ZIP code ends in 00; costs and counts often do."""
    return code[:3] in _areas() and not code.endswith("00")


@cache
def _areas() -> frozenset[str]:
    return frozenset(row["zip3"] for row in shipped_rows("zip3_population_2020.csv"))


def is_populated_area(area: str) -> bool:
    """May an area of three digits be published: do more than 20,000 people live there, or is it for the rest?"""
    return area == "000" or area in populated_areas()


@cache
def populated_areas() -> frozenset[str]:
    """The first three digits of ZIP codes behind which more than 20,000 people live."""
    rows = shipped_rows("zip3_population_2020.csv")
    return frozenset(row["zip3"] for row in rows if int(row["population_2020"]) > _LEAST_PEOPLE)
