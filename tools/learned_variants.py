"""Further text to train the shipped model on, made from marked text: what authors differ in, and few notes have.

- `drawn_name`: names drawn letter by letter that stand in no list;
- `with_phrases`: between the lines or sentences stand phrases of `learned_phrases.txt`: grades, scores, vertebrae,
  acronyms and openings that identify nobody, and short forms whose slots are filled with what does.

All draws come from a seed and the number of the note: the same text gives the same variants.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from sharewell.notes.engine.gazetteer import places
from sharewell.notes.engine.lexicons import people, words

PHRASES = Path(__file__).parent / "learned_phrases.txt"
Row = dict[str, Any]
"""A text, and the spans marked in it."""
_SLOT = re.compile(r"\{(\w+)\}")
_BREAK = re.compile(r"\n+|(?<=[a-z]{3}\.) ")
_SOME = 5
_DIGITS = re.compile("#")
_GIVEN = (
    "Ann",
    "Raj",
    "Maria",
    "Tom",
    "Fatima",
    "Joe",
    "Linh",
    "Kofi",
    "Sue",
    "Pavel",
    "Rosa",
    "Deb",
    "Iain",
    "Mei",
    "Omar",
    "Gwen",
    "Luis",
    "Tess",
    "Abdi",
    "Nora",
)
_SURNAMES = (
    "Ortiz",
    "Walsh",
    "Chen",
    "Okoro",
    "Young",
    "Singh",
    "Novak",
    "Hill",
    "Reyes",
    "Burke",
    "Khan",
    "Stone",
    "Diaz",
    "Larsen",
    "Field",
    "Mbeki",
    "Rowe",
)
_TOWNS = (
    "Dayton", "Galway", "Perth", "Halifax", "Tulsa", "Leeds", "Waco, TX", "Dundee", "Fresno", "Cork", "Ottawa", "Bury",
    "Salem, OR", "Boise", "Truro", "Cairns", "Peoria", "Derry", "Kelso", "Napier",
)  # fmt: skip
_STREETS = (
    "# Elm St", "## Chapel Road", "### 3rd Ave", "#A Orchard Close", "### Bay View Drive", "## Quarry Lane",
    "####½ W Pine Blvd", "# The Meadows", "Flat #, ## {name} Row", "{name} Cottage, Mill Lane",
    "##-B {name} Apartments", "Lot ##, {name} Trailer Park", "Apt #C, ### N {name} St", "Unit #/## {name} Pde",
    "Route # box ##", "## St {given}'s Tce", "#{name} Run", "the {name} Estate", "## {name} Gardens, Block C",
    "{name} Farm, off the A##", "PO Box ###",
)  # fmt: skip
_HOUSES = (
    "{town} General", "St {given}'s Hospital", "{name} Medical Center", "{name} House", "Royal {town} Infirmary",
    "{town} Health Centre", "{name} Park Surgery", "Mercy {town}", "{name} Valley Nursing Home", "{town} High School",
    "the VA in {town}", "{town} Base Hospital", "the {name} Unit", "St {given}'s", "{town} PD", "{name} Court",
    "{name} Lodge", "{town} Primary School", "{town} Hospice", "{name} Family Practice", "Lutheran {town}",
    "Sacred Heart", "{town} East", "{name} & {name} Dental", "{town} Rehab", "{town} Elementary", "{name} Clinic",
    "Baptist - {town}", "UH {town}",
)  # fmt: skip
_FIRMS = (
    "Target", "Asda", "{name} & Sons", "{town} Steel", "FedEx", "{name} Plumbing", "{town} Council", "Costco",
    "Tesco", "the Railway Inn", "the {name} Arms", "{town} Tribune", "{town} Symphony", "{name} Farms", "Home Depot",
    "Boots", "{name} Dairy", "the {town} Hotel", "Amazon", "Toyota", "{town} Fire Dept", "Walmart",
    "the Post Office in {town}", "{name} Trucking", "{town} Rovers", "{name} Trust", "Ford", "M/s {name} Engineering",
    "{name} Solicitors", "Aldi",
)  # fmt: skip
_FEASTS = ("Christmas", "Easter", "Labor Day", "Diwali", "New Year", "Eid", "Thanksgiving", "Boxing Day")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_LABELS = {
    **dict.fromkeys(("given", "name", "full", "upper", "initials", "initial"), "NAME"),
    **dict.fromkeys(("town", "house", "firm", "street"), "LOCATION"),
    **dict.fromkeys(("date", "md", "feast"), "DATE"),
    **dict.fromkeys(("phone", "ext"), "PHONE"),
    "id": "ID",
    **dict.fromkeys(("brand", "degree")),
}
"""What fills a slot counts as that; a product or a degree, as nothing."""
_DEGREE_LETTERS = "ABCDEFGHMNPRSTV"


def drawn_name(random: Random) -> str:
    """A name that no list has, letter by letter as names go on."""
    while True:
        name = "^^"
        while name[-1] != "$":
            name += random.choice(_followers()[name[-2:]])
        name = name.strip("^$")
        if 4 <= len(name) <= 10 and name not in people() and name not in words():
            return name.capitalize()


@cache
def everyday_names() -> list[str]:
    """Names that are everyday words too."""
    names = (name for name in sorted(people()) if name.isascii() and name.isalpha() and len(name) > 2)
    return [name for name in names if words().get(name, "") in ("1", "2", "3") and people()[name].lower() != "g"]


@cache
def town_names() -> list[str]:
    """Places of one word."""
    return [place for place in sorted(places()) if place.isascii() and place.isalpha() and len(place) > 3]


@cache
def _followers() -> dict[str, str]:
    """Two letters → those that follow them in names."""
    following: dict[str, list[str]] = defaultdict(list)
    for name in sorted(name for name in people() if name.isascii() and name.isalpha())[::5]:
        framed = f"^^{name}$"
        for at in range(2, len(framed)):
            following[framed[at - 2 : at]].append(framed[at])
    return {pair: "".join(letters) for pair, letters in following.items()}


def with_phrases(row: Row, random: Random) -> Row:
    """The same note with some phrases between its lines or sentences."""
    text, spans = row["text"], row["spans"]
    breaks = [match.end() for match in _BREAK.finditer(text)]
    breaks = [at for at in breaks if not any(span["start"] < at < span["end"] for span in spans)] or [len(text)]
    pieces, end = [], 0
    for at in sorted(random.sample(breaks, min(_SOME, len(breaks)))):
        pieces += [*_between(row, end, at), *phrase(random), ("\n" if text[at - 1 : at] in ("\n", "") else " ", None)]
        end = at
    return of_pieces([*pieces, *_between(row, end, len(text))])


def _between(row: Row, start: int, end: int) -> list[tuple[str, str | None]]:
    """Pieces of a note from one place to another, with the labels of those that are marked."""
    pieces: list[tuple[str, str | None]] = []
    for span in sorted(row["spans"], key=lambda span: span["start"]):
        if start <= span["start"] and span["end"] <= end:
            pieces += [
                (row["text"][start : span["start"]], None),
                (row["text"][span["start"] : span["end"]], span["label"]),
            ]
            start = span["end"]
    return [*pieces, (row["text"][start:end], None)]


def of_phrases(random: Random) -> Row:
    """A short text of phrases alone."""
    pieces: list[tuple[str, str | None]] = []
    for _ in range(random.randint(1, 4)):
        pieces += [*phrase(random), (random.choice(("\n", " ")), None)]
    return of_pieces(pieces[:-1])


@cache
def _phrases() -> list[str]:
    lines = PHRASES.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("# ")]


def phrase(random: Random) -> list[tuple[str, str | None]]:
    """One phrase, its slots filled: pieces with their labels."""
    pieces: list[tuple[str, str | None]] = []
    for number, piece in enumerate(_SLOT.split(random.choice(_phrases()))):
        slot = bool(number % 2)
        pieces.append((_filled(piece, random), _LABELS[piece]) if slot else (_digits(piece, random), None))
    return pieces


def _filled(slot: str, random: Random) -> str:
    """Something invented for a slot."""
    number, letters = random.randint, "ABCDEGHJKLMNPRSTVW"
    month, day, year = number(1, 12), number(1, 28), number(2015, 2025)
    given = drawn_name(random) if random.random() < 0.3 else random.choice(_GIVEN)
    chance = random.random()
    others = _SURNAMES if chance < 0.75 else everyday_names()
    name = drawn_name(random) if chance < 0.5 else random.choice(others).capitalize()
    listed = random.random() < 0.5
    town = random.choice(town_names()).capitalize() if listed else random.choice(_TOWNS)
    short = (f"{month}/{day}", f"{day}/{month}", f"{day} {_MONTHS[month - 1]}", f"{_MONTHS[month - 1]} {day}")
    long = (f"{month}/{day}/{year}", f"{day:02}/{month:02}/{year % 100}", f"{day}-{_MONTHS[month - 1]}-{year}")
    forms = {
        "given": (given,),
        "brand": (drawn_name(random),),
        "degree": ("".join(random.choices(_DEGREE_LETTERS, k=number(2, 7))),),
        "name": (name,),
        "full": (f"{given} {name}", f"{given} {random.choice(letters)}. {name}", f"{random.choice(letters)} {name}"),
        "upper": (name.upper(),),
        "initials": ("".join(random.choices(letters, k=number(2, 3))),),
        "initial": (random.choice(letters),),
        "town": (town,),
        "house": _HOUSES,
        "firm": _FIRMS,
        "street": _STREETS,
        "date": (*short, *long),
        "md": short,
        "feast": _FEASTS,
        "phone": (
            "555-01##",
            "(###) 555-01##",
            "07### ######",
            "###-555-01##",
            "01### ######",
            "+## ## #### ####",
            "555.01##",
        ),
        "ext": ("####", "#####", "###"),
        "id": (
            "#######",
            "##-##-##",
            "A######",
            "##########",
            "AB-#####",
            "##S#####",
            "####/##",
            "XK ## ## ##",
            "# ### ### ###",
        ),
    }
    chosen = _digits(random.choice(forms[slot]), random)
    return _SLOT.sub(lambda match: {"town": town.partition(",")[0], "given": given, "name": name}[match[1]], chosen)


def _digits(pattern: str, random: Random) -> str:
    return _DIGITS.sub(lambda _: str(random.randint(0, 9)), pattern)


def of_pieces(pieces: list[tuple[str, str | None]]) -> Row:
    """A text of pieces, those with a label marked."""
    text, spans = "", []
    for piece, label in pieces:
        if label and piece:
            spans.append({"start": len(text), "end": len(text) + len(piece), "label": label})
        text += piece
    return {"text": text, "spans": spans}
