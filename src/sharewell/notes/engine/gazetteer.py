"""Names of places: cities and counties (shipped, from GeoNames), states of the US, countries; loaded when asked for."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache

from sharewell.notes.engine.more_places import NEIGHBOURHOODS, REGIONS
from sharewell.notes.engine.word_lists import listed

STATES = {
    "AL": "Alabama", "AK": "Alaska", "AZ": "Arizona", "AR": "Arkansas", "CA": "California", "CO": "Colorado",
    "CT": "Connecticut", "DE": "Delaware", "DC": "District of Columbia", "FL": "Florida", "GA": "Georgia",
    "HI": "Hawaii", "ID": "Idaho", "IL": "Illinois", "IN": "Indiana", "IA": "Iowa", "KS": "Kansas",
    "KY": "Kentucky", "LA": "Louisiana", "ME": "Maine", "MD": "Maryland", "MA": "Massachusetts", "MI": "Michigan",
    "MN": "Minnesota", "MS": "Mississippi", "MO": "Missouri", "MT": "Montana", "NE": "Nebraska", "NV": "Nevada",
    "NH": "New Hampshire", "NJ": "New Jersey", "NM": "New Mexico", "NY": "New York", "NC": "North Carolina",
    "ND": "North Dakota", "OH": "Ohio", "OK": "Oklahoma", "OR": "Oregon", "PA": "Pennsylvania",
    "RI": "Rhode Island", "SC": "South Carolina", "SD": "South Dakota", "TN": "Tennessee", "TX": "Texas",
    "UT": "Utah", "VT": "Vermont", "VA": "Virginia", "WA": "Washington", "WV": "West Virginia", "WI": "Wisconsin",
    "WY": "Wyoming", "PR": "Puerto Rico", "GU": "Guam", "VI": "Virgin Islands", "AS": "American Samoa",
    "MP": "Northern Mariana Islands",
}  # fmt: skip
"""USPS codes and names."""

PROVINCES = (
    "alberta", "british columbia", "manitoba", "new brunswick", "newfoundland", "nova scotia", "ontario",
    "quebec", "saskatchewan", "prince edward island", "new south wales", "queensland", "tasmania", "bavaria",
    "yorkshire",
)  # fmt: skip
SHORT_STATES = (
    "ala", "ariz", "calif", "colo", "conn", "fla", "ill", "kan", "mass", "mich", "minn", "mont", "nebr", "nev",
    "okla", "oreg", "penn", "penna", "tenn", "tex", "wash", "wis", "wyo",
)  # fmt: skip
"""Older abbreviations; they need a city before them."""

COUNTRIES = listed(
    """
    afghanistan albania algeria andorra angola argentina armenia australia austria azerbaijan bahamas bahrain
    bangladesh barbados belarus belgium belize benin bhutan bolivia botswana brazil brunei bulgaria burundi
    cambodia cameroon canada chad chile china colombia comoros congo croatia cuba cyprus czechia denmark
    djibouti dominica ecuador egypt england eritrea estonia eswatini ethiopia fiji finland france gabon gambia
    germany ghana greece greenland grenada guatemala guinea guyana haiti honduras hungary iceland india
    indonesia iran iraq ireland israel italy jamaica japan kazakhstan kenya kiribati kosovo kuwait kyrgyzstan
    laos latvia lebanon lesotho liberia libya liechtenstein lithuania luxembourg madagascar malawi malaysia
    maldives mali malta mauritania mauritius mexico micronesia moldova monaco mongolia montenegro morocco
    mozambique myanmar namibia nauru nepal netherlands nicaragua niger nigeria norway oman pakistan palau panama
    paraguay peru philippines poland portugal qatar romania russia rwanda samoa scotland senegal serbia
    seychelles singapore slovakia slovenia somalia spain sudan suriname sweden switzerland syria taiwan
    tajikistan tanzania thailand togo tonga tunisia turkey turkmenistan tuvalu uganda ukraine uruguay usa us uk
    uzbekistan vanuatu venezuela vietnam wales yemen zambia zimbabwe america britain holland
    """
)
_LONG_COUNTRIES = (
    "united states", "united states of america", "united kingdom", "great britain", "new zealand", "south africa",
    "south korea", "north korea", "saudi arabia", "sri lanka", "costa rica", "el salvador", "dominican republic",
    "czech republic", "hong kong", "northern ireland", "sierra leone", "papua new guinea", "burkina faso",
    "cape verde", "central african republic", "ivory coast", "south sudan", "united arab emirates",
    "the netherlands", "north macedonia", "bosnia and herzegovina", "trinidad and tobago", "u.s.", "u.s.a.",
    "u.k.", "republic of ireland", "san marino",
)  # fmt: skip


@dataclass(frozen=True)
class Places:
    """Names as words joined by blanks, with their mark, and the most words a name has after its first."""

    marks: dict[str, str]
    longest: dict[str, int]
    large: frozenset[str]
    """Large ones of one word."""
    pairs: frozenset[str]
    """The first two words of those that have several."""

    def at(self, words: list[str]) -> tuple[int, str]:
        """How many of the words (lower case) make the longest name that begins here, and its mark; 0: none."""
        for count in range(min(self.longest.get(words[0], 0), len(words)), 0, -1):
            mark = self.marks.get(" ".join(words[:count]))
            if mark:
                return count, mark
        return 0, ""


@cache
def places() -> Places:
    """Cities and counties: mark `*` large, `u` of the US, `w` of the world."""
    from sharewell.io.shipped import shipped_text

    marks: dict[str, str] = {}
    longest: dict[str, int] = {}
    for line in shipped_text("places.txt.gz").splitlines():
        name = line[1:]
        first, _, rest = name.partition(" ")
        marks[name] = line[0]
        count = rest.count(" ") + 2 if rest else 1
        if longest.get(first, 0) < count:
            longest[first] = count
    for name in map(plain, (*NEIGHBOURHOODS, *REGIONS)):
        first = name.split()[0]
        marks.setdefault(name, "u")
        longest[first] = max(longest.get(first, 0), name.count(" ") + 1)
    large = frozenset(name for name, mark in marks.items() if mark == "*" and " " not in name)
    pairs = frozenset(" ".join(name.split(" ", 2)[:2]) for name in marks if " " in name)
    return Places(marks, longest, large, pairs)


@cache
def state_names() -> frozenset[str]:
    return frozenset(name.lower() for name in STATES.values()) | frozenset(PROVINCES)


@cache
def countries() -> frozenset[str]:
    """Countries in lower case."""
    return COUNTRIES | frozenset(_LONG_COUNTRIES)


def plain(word: str) -> str:
    """Without accents, as the list writes names."""
    if word.isascii():
        return word
    bare = "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))
    return bare.replace("ø", "o").replace("ł", "l").replace("đ", "d").replace("ß", "ss")
