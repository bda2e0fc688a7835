"""What the name of a column, or a label within a cell, says: by the words of the rule and a few of their translations.

The rule lists eighteen kinds of identifiers, 45 CFR 164.514(b)(2)(i)(A) to (R). A name is cut where its characters
change, and each word is held against the beginnings of the words of that list. Mechanisms recognise columns by phrases;
nothing of those is used here.

>>> [of_name(name) for name in ("dateOfBirth", "zip5", "home_phone", "county", "sex", "visitID", "drug_name")]
['birth-date', 'zip', 'identifier', 'geography', None, 'identifier', None]
>>> [identifier_of(name) for name in ("mrn", "patient_name", "visit_id", "site_id", "drug_concept_id")]
['number', 'name', 'key', 'code', None]
>>> code_system("snomed_code"), code_system("cost")
('snomed', None)
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Literal

from sharewell.tables.engine.checks.cell_spelling import word_set

IdentifierKind = Literal["number", "name", "place", "key", "code"]
"""A number that somebody assigned · a person's name · coordinates · a key of persons or visits · some other code."""

_BIRTH = word_set("birthd birthy birthm bday dob yob born geburt gebdat naiss nacim geboor dateofb yearofb")  # (C)
_OF_BIRTH = word_set("date year month day dt time datetime")
_AGE = word_set("age ages alter edad leeftijd ageyears ageyrs ageinyears patientage ageatvisit ageatadmission agegroup")
_POSTAL = word_set("zip zipc zipp postal postc postl plz eircode")  # (B)
_PLACES = word_set(
    "city cities town county counties village municip parish precinct district borough neighbo",
    "wohnort stadt gemeinde kreis landkreis bezirk commune ciudad pueblo gemeente stad",
)
_WIDE_PLACES = word_set("subdivis region provinc ort ville canton")
"""As large as a state, or no place at all (a region of the body), if the steward says so."""
_DATES = word_set("date dates datum fecha datetime")
_EVENTS = word_set("admis admit disch death deceas died")
_PARTS_OF_DATES = word_set("month weekday day dow quarter")
_PROSE = word_set("note notes comment comments remark remarks narrative freetext memo")
_NUMBERED = word_set(
    "addr street stras straat rue domicil direcc apartmentn housen",  # within (B)
    "email mail courriel correo phone telep telef tel fax pager mobilen mobilep cellp",  # (D), (E), (F)
    "ssn socials socsec mrn medicalr chartn hospitaln beneficiar nhs kvnr bsn dni nie nir nationali",  # (G), (H)
    "insurancen insurancei policyn versichertenn medicaren medicarei medicaidn medicaidi",
    "accountn accounti acct iban konton cuentan creditc debitc cardn certificaten licen passp reisep",  # (I), (J), (K)
    "vehicl vin platen numberp deviceid devices serialn imei udi url website homep ipad ipv ipaddr macaddr",  # (L)–(O)
    "identifi uuid guid",  # (R)
)
_COORDINATES = word_set("latit longitude geoc coordin gps lat lon lng")
_PERSONAL = word_set(  # (A)
    "surn foren firstn lastn fulln givenn familyn maidenn middlen nickn alias initials vorn nachn prenom apell voorn",
    "achtern usern login",
)
_DOUBTFUL = word_set(
    "account konto cuenta ip mac biometric biometrici fingerpr voicepr retinas retinals photog photoi photof photoid",
    "pictur portrait signat pseudon barcode accession hash",  # (P), (Q), (R)
)
_DOUBTFUL_WHOLE = word_set("photo photos")
_ENDINGS = ("zipcode", "zip", "postcode", "dob", "birthdate", "ssn", "mrn", "phone", "email", "surname", "lastname")
_CODES = word_set("id ids uid pid key keys")
_NUMBERS = word_set("nr no number num nummer numero")
_PERSONS = word_set("patient subject person participant member client doctor physician provider nurse record case")
_VISITS = word_set(
    "visit encount episod admission stay sample specim aliquot order claim study subj pat pt row mother child"
)
_NAMES = word_set("name names nom nombre naam")
_SYSTEMS = word_set(
    "cpt hcpcs icd loinc snomed sct sctid rxnorm rxcui ndc atc drg meddra cvx omop mesh umls cui omim mim hp hpo orpha",
    "hgnc mondo doid go chebi unii pzn ops rs ensg enst ensp ensembl nct pmid doi chr refseq nm np dbsnp clinvar cas",
)
"""Code systems of diseases, drugs, tests and genes: what is written with their name is a code of them."""
_KINDS_OF_THINGS = word_set(
    "concept drug product test procedure diagnosis disease organism allergy vaccine type category class group status",
    "level form route specialty department language country state",
)
_EXACT = 3
"""Shorter beginnings must be the whole word: `ip`, `fax`, `ort`."""

LABELS: dict[str, Literal["zip", "record", "number", "day"]] = {
    **dict.fromkeys(word_set("zip zipcode postcode postal postalcode plz"), "zip"),
    **dict.fromkeys(word_set("ssn mrn medicalrecord socialsecurity"), "record"),
    **dict.fromkeys(word_set("dob dod born geboren birthdate date datum fecha"), "day"),
    **dict.fromkeys(
        word_set(
            "tel telephone telefon phone fax mobile account acct konto iban passport licence license plate vin imei",
            "udi card serial policy certificate medicaid medicare beneficiary uuid barcode",
        ),
        "number",
    ),
}
"""Words that, written before the digits of a cell, say what these are."""
FILLERS = word_set("no nr num number nummer numero id ids code is of")
LABELS_WITH_NUMBER: dict[str, Literal["record", "number"]] = {
    **dict.fromkeys(word_set("patient pt subject participant"), "record"),
    **dict.fromkeys(word_set("member client person chart mr record hospital case encounter visit"), "number"),
}
"""Those that say it together with `no.`, `id` or `#` only."""


def of_name(name: str) -> str | None:
    """What the words of a name say, by the letters of the rule."""
    words, glued = _read(name)
    if _begins(glued, _BIRTH) or words == ["birth"] or ("birth" in words and _OF_BIRTH & set(words)):
        return "birth-date"
    if _AGE & {*words, "".join(words)}:
        return "age"
    if _begins(glued, _POSTAL):
        return "zip"
    if _identifier(words, glued) is not None:
        return "identifier"
    if _begins(words, _PLACES | _WIDE_PLACES):
        return "geography"
    if _DATES & set(words) or tells_part_of_date(name):
        return "date"
    return "text" if _PROSE & set(words) else None


def identifier_of(name: str) -> IdentifierKind | None:
    """Which identifier a name says, where the steward says that it is none; None if codes of things can be meant."""
    kind = _identifier(*_read(name))
    return None if kind in ("key", "code") and set(words_of(name)) & (_KINDS_OF_THINGS | _SYSTEMS) else kind


def is_wide_place(name: str) -> bool:
    """Is the name that of a region, which may be larger than a state, or a part of the body?"""
    words, _ = _read(name)
    return _begins(words, _WIDE_PLACES) and not _begins(words, _PLACES)


def tells_part_of_date(name: str) -> bool:
    """`admission_month`, `weekday_of_death`: a part of a date that the rule names, and not the year.

    >>> [tells_part_of_date(name) for name in ("admission_month", "months_since_admission", "month_of_follow_up")]
    [True, False, False]
    """
    words, _ = _read(name)
    return bool(_PARTS_OF_DATES & set(words)) and _begins(words, _EVENTS)


def is_code_system(word: str) -> bool:
    """Is a word, in small letters, the name of such a system?"""
    return word in _SYSTEMS


def code_system(name: str) -> str | None:
    """The system of codes of diseases, drugs, tests or genes that a name names."""
    return next((word for word in words_of(name) if word in _SYSTEMS), None)


_AMOUNTS = word_set(
    "cost costs charge charges price amount paid payment income revenue count counts dose weight load copies total sum",
    "volume units score concentration level",
)


def is_amount(name: str) -> bool:
    """Does the name say that something is counted, measured or paid?

    >>> is_amount("total_cost"), is_amount("viral_load"), is_amount("area")
    (True, True, False)
    """
    return bool(_AMOUNTS & set(words_of(name)))


def _read(name: str) -> tuple[list[str], list[str]]:
    """The words of a name, and these with neighbours glued together, and what long words end in."""
    words = [word for word in words_of(name) if not word.isdigit()]
    glued = [*words, *("".join(words[i : i + 2]) for i in range(len(words) - 1)), "".join(words)]
    return words, [*glued, *(end for word in words for end in _ENDINGS if word.endswith(end))]


def _identifier(words: list[str], glued: list[str]) -> IdentifierKind | None:
    if _begins(glued, _COORDINATES):
        return "place"
    if _begins(glued, _PERSONAL):
        return "name"
    if _begins(glued, _NUMBERED):
        return "number"
    if _begins(glued, _DOUBTFUL) or _DOUBTFUL_WHOLE & set(words):
        return "code"
    if not words:
        return None
    last, others = words[-1], words[:-1]
    about_persons = _begins(others, _PERSONS | _VISITS)
    if last in _CODES:
        return "key" if about_persons or not others else "code"
    if not others and last in _NAMES:
        return "name"
    if not others and last in _PERSONS | _NUMBERS:
        return "key"
    if last in _NUMBERS | _NAMES and _begins(others, _PERSONS):
        return "name" if last in _NAMES else "key"
    return "key" if last == "code" and _begins(others, _PERSONS) else None


def _begins(words: Iterable[str], stems: frozenset[str]) -> bool:
    long = tuple(stem for stem in stems if len(stem) > _EXACT)
    return any(word in stems or word.startswith(long) for word in words)


def words_of(name: str) -> list[str]:
    """Runs of letters, or of digits, in small letters without accents; a capital after a small letter begins a word."""
    plain = [c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c)]
    parts: list[str] = []
    before = ""
    for character in plain:
        kind = "d" if character.isdigit() else "U" if character.isupper() else "l" if character.isalpha() else ""
        joins = kind == before or (before == "U" and kind == "l")
        if kind and joins:
            parts[-1] += character
        elif kind:
            parts.append(character)
        before = kind
    return [part.casefold() for part in parts]
