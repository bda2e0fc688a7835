"""What identifiers look like: the judge's own patterns for the kinds that Safe Harbor lists, in English text.

A pattern is wide where a form is telling by itself (e-mail, SSN), and wants a word before it where numbers of all sorts
are written alike (record numbers, ZIP codes). Matches are counted, never quoted.

>>> [(one.letter, one.title, one.count("Call 617-555-0142 or mail to jo@example.org, seen 3/5/2019.")) for one in LISTED
...     if one.count("Call 617-555-0142 or mail to jo@example.org, seen 3/5/2019.")]
[('C', 'dates finer than the year', 1), ('D', 'telephone numbers', 1), ('F', 'e-mail addresses', 1)]
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from sharewell.hierarchy.zips import populous
from sharewell.notes.engine.checks.known_value_search import plain

Match = re.Match[str]
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)(?![a-z])\.?"
)
_DAY = r"(?:3[01]|[12]\d|0?[1-9])"
_YEAR = r"(?:1[89]|20|21)\d\d"
_NUMBER = r"(?:\s*(?:no|nr|num|number|id|code)\b\.?)?\s{0,9}[#:.]{0,3}\s{0,9}(?:is\s{1,9})?"
_CALLED = r"\s*(?:#|(?:no|nr|num|number|id|code)\b\.?)\s{0,9}[#:.]{0,3}\s{0,9}(?:is\s{1,9})?"
_CODE = r"(?=[A-Z\-/]{0,6}\d)[A-Z0-9][A-Z0-9\-/]{3,}\b"
_PHONE = r"(?<![\d.\-/])(?:\+?1[\s.\-]?)?(?:\(\d{3}\)\s?|\d{3}[\s.\-])\d{3}[\s.\-]?\d{4}(?![\d\-]|\.\d)"
_STREET = (
    r"(?:street|st|avenue|ave|road|rd|drive|dr(?!\.?[ \t]+(?-i:[A-Z*\[]))|lane|ln|boulevard|blvd|court|ct|place|pl"
    r"|terrace|way|highway|hwy|parkway|pkwy|circle|cir)\b"
)
_STATES = (
    r"(?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|P[AR]|RI|S[CD]|T[NX]|UT"
    r"|V[AT]|W[AIVY])"
)
_NINETY = r"(?:ninety[\s\-](?:one|two|three|four|five|six|seven|eight|nine)|(?:a|one)[\s\-]hundred(?:[\s\-]\w+){0,2})"
_OLD = r"(?:years?|yrs?)(?:[\s\-]+(?:of[\s\-]age|old))?|y/?o\b|y\.\s?o\.|year[\s\-]old"


@dataclass(frozen=True)
class IdentifierFormat:
    """One kind of identifier, by its letter in 45 CFR 164.514(b)(2)(i), and how it is written."""

    letter: str
    title: str
    pattern: re.Pattern[str] | None = field(default=None, repr=False)
    counts: Callable[[Match], bool] = field(default=lambda match: True, repr=False)
    """Whether a match is one."""
    unseen: str = ""
    """What no pattern can tell."""

    def count(self, text: str) -> int:
        """How many stand in a plain text."""
        if self.pattern is None:
            return 0
        return sum(map(self.counts, self.pattern.finditer(text)))


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


def _place(match: Match) -> bool:
    """Of ZIP codes: three digits of a populous area, and 000, may stay."""
    three = match.groupdict().get("three")
    return three is None or (three != "000" and three not in populous())


def _address(match: Match) -> bool:
    try:
        ipaddress.ip_address(match[0])
    except ValueError:
        return False
    return True


def _named(match: Match) -> bool:
    """A title and a capital; "Mr. X" and the like are no names."""
    name = match["name"]
    return len(name) > 1 and (len(name) > 4 or not name.isupper())


def _date(match: Match) -> bool:
    """In lower case, "may" and "march" are verbs, unless a year follows."""
    verb = re.search(r"\b(?:may|march)\b", match[0])
    return verb is None or bool(re.search(_YEAR, match[0]) or re.match(rf",?\s*{_YEAR}", match.string[match.end() :]))


NAMES = IdentifierFormat(
    "A",
    "names",
    re.compile(r"\b(?:Mr|Mrs|Ms|Miss|Mister|MR|MRS|MS)\b\.?\s+(?P<name>[A-Z][A-Za-z'\-]+)"),
    _named,
    unseen="names without a title are not established by any pattern: require no-known-identifiers beside it",
)
PLACES = IdentifierFormat(
    "B",
    "places smaller than a state",
    re.compile(
        rf"\b\d{{1,5}}[ \t]+(?:[NSEW]\.?[ \t]+)?(?:[A-Z][A-Za-z]+[ \t]+){{1,3}}(?i:{_STREET})"
        r"|\b(?i:p\.?\s?o\.?\s?box)\s+\d+"
        r"|\b\d{5}-\d{4}\b(?!-)"
        rf"|\b{_STATES},?\s+\d{{5}}\b"
        r"|\b(?i:zip(?:\s?code)?)\b\W{0,3}(?:is\s+)?(?:\d{5}|(?P<three>\d{3})\b)"
    ),
    _place,
    unseen="names of towns are not established by any pattern",
)
DATES = IdentifierFormat(
    "C",
    "dates finer than the year",
    _any(
        rf"(?<![\d/.\-]){_DAY}([/.\-]){_DAY}\1(?:{_YEAR}|\d\d)(?![\d/]|[.\-]\d)",
        rf"(?<![\d\-]){_YEAR}([/.\-])(?:1[0-2]|0?[1-9])\2{_DAY}(?!\d)",
        rf"(?<!\d){_YEAR}(?:1[0-2]|0[1-9])(?:3[01]|[12]\d|0[1-9])(?!\d)",
        rf"(?<![\d.]){_DAY}(?:st|nd|rd|th)?(?:\s+of)?[\s\-]*{_MONTH}(?![a-z])",
        rf"\b{_MONTH}[\s\-]*{_DAY}(?:st|nd|rd|th)?(?!\d|[.:]\d|\s*(?:mg|ml|mcg|g|units?|%))",
        rf"\b{_MONTH},?[\s\-]*(?:of\s+)?(?:{_YEAR}|'\d\d)\b",
        rf"\b(?:in|since|until|till|last|this|early|late|mid|during|by)[\s\-]+(?!may\b(?!\s+{_YEAR})){_MONTH}(?![a-z])",
        rf"\b(?:on|since|until|dated|date|dob|from|admitted|discharged|seen)\b:?\s+(?:1[0-2]|0?[1-9])/{_DAY}(?!\d|[/.]\d)",
        rf"(?<![\d/])(?:1[0-2]|0?[1-9])/(?:{_YEAR})(?![\d/])",
    ),
    _date,
)
AGES = IdentifierFormat(
    "C",
    "ages over 89",
    _any(
        rf"(?<![\d./])(?:9\d|1[0-3]\d)(?:\.\d)?[\s\-]*(?:{_OLD})",
        r"\b(?:aged?|age\s+(?:of|is))\b:?\s+(?:9\d|1[0-3]\d)\b(?!\s*(?:\+|or|and\s+(?:over|older|above)))",
        rf"\b{_NINETY}[\s\-]+(?:{_OLD})",
    ),
)
BORN = re.compile(rf"\b(?:born|birth|yob|b\.)\s*(?:year|in|:|,|of)*\s*({_YEAR})\b", re.IGNORECASE)
PHONES = IdentifierFormat(
    "D",
    "telephone numbers",
    _any(
        rf"(?<!fax )(?<!fax: ){_PHONE}",
        r"(?<!\w)\+(?!1\b)\d{1,3}[\s.\-]?(?:\(0\))?\d[\d\s.\-]{6,12}\d",
        r"\b(?:call|phone|tel|telephone|pager|beeper|cell|mobile|ext|extension)\b\W{0,3}(?:at\s+)?\d{3}-?\d{4}(?!\d)",
    ),
)
FAXES = IdentifierFormat(
    "E", "fax numbers", _any(rf"\bfax\b\W{{0,3}}(?:number|no\.?|at|to)?\W{{0,2}}(?:{_PHONE}|\d{{3}}-\d{{4}})")
)
MAILS = IdentifierFormat("F", "e-mail addresses", _any(r"[\w.+\-]{1,64}\s?@\s?[\w\-]{1,64}(?:\.[\w\-]{1,64})+"))
SSN = IdentifierFormat(
    "G",
    "social security numbers",
    _any(
        r"(?<![\d\-])\d{3}[\s\-]\d{2}[\s\-]\d{4}(?![\d\-])",
        rf"\b(?:ssn|social\s+security){_NUMBER}(?:ending\s+(?:in\s+)?|last\s+(?:four|4)\W+)?\d{{4,9}}\b",
    ),
)
RECORDS = IdentifierFormat(
    "H",
    "medical record numbers",
    _any(rf"\b(?:mrn|m\.r\.n\.){_NUMBER}{_CODE}", rf"\b(?:mr|record|chart){_CALLED}{_CODE}"),
)
PLANS = IdentifierFormat(
    "I",
    "health plan numbers",
    _any(r"\b(?:member|policy|plan|insurance|subscriber|beneficiary|medicare|medicaid|group)" rf"{_CALLED}{_CODE}"),
)
ACCOUNTS = IdentifierFormat("J", "account numbers", _any(rf"\b(?:account|acct|billing|invoice){_CALLED}{_CODE}"))
LICENCES = IdentifierFormat(
    "K",
    "certificate and licence numbers",
    _any(rf"\b(?:licen[sc]e|certificate|passport){_CALLED}{_CODE}", rf"\b(?:dea|npi){_NUMBER}{_CODE}"),
)
VEHICLES = IdentifierFormat(
    "L",
    "vehicle numbers",
    _any(
        rf"\b(?:vin|licen[sc]e\s+plate){_NUMBER}{_CODE}",
        rf"\bplate{_CALLED}{_CODE}",
        r"\b(?=[A-Z]*\d)(?=\d*[A-Z])[A-HJ-NPR-Z0-9]{17}\b",
    ),
)
DEVICES = IdentifierFormat(
    "M",
    "device numbers",
    _any(rf"\b(?:serial|device|implant|lot|pacemaker|pump){_CALLED}{_CODE}", rf"\bs/n{_NUMBER}{_CODE}"),
)
URLS = IdentifierFormat("N", "web addresses", _any(r"\b(?:https?|ftp)://\S+", r"\bwww\.[\w\-]+\.\w+"))
IPS = IdentifierFormat(
    "O",
    "IP addresses",
    _any(r"(?<![\w.:])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]\w)", r"(?<![\w:])(?:[\da-f]{0,4}:){3,7}[\da-f]{1,4}\b"),
    _address,
)
BODIES = IdentifierFormat("P", "biometric identifiers", unseen="not in text")
FACES = IdentifierFormat("Q", "full-face photographs", unseen="not in text")
OTHERS = IdentifierFormat(
    "R",
    "other unique numbers and codes",
    _any(
        r"\b(?:accession|specimen|case|encounter|visit|study|sample|order|claim|employee|badge|student)"
        rf"{_CALLED}{_CODE}",
        r"(?<![\w.\-+])[A-Z]{1,5}-?\d{5,}(?:-\d+)*\b",
        r"(?<![\d.,\-+/])\d{7,}(?![\d,]|\.\d)",
    ),
)
LISTED = (
    NAMES, PLACES, DATES, AGES, PHONES, FAXES, MAILS, SSN, RECORDS, PLANS, ACCOUNTS, LICENCES, VEHICLES, DEVICES, URLS,
    IPS, BODIES, FACES, OTHERS,
)  # fmt: skip
"""The 18 kinds, in the order of the rule; dates and ages are one kind there."""


def count_formats(text: str) -> list[int]:
    """How many of each kind stand in a text."""
    bare = plain(text)
    return [identifier.count(bare) for identifier in LISTED]


def birth_years(text: str) -> list[int]:
    """Years that a text calls years of birth."""
    return [int(match[1]) for match in BORN.finditer(plain(text))]
