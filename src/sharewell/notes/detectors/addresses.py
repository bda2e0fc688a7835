"""Street addresses, units, post boxes and postcodes.

A house number and words that end like a street ("1858 Nguyen Prairie", "12 oak st"), streets of other languages
("Via Roma 131", "Friedhofstrasse 33"), post boxes, units beside them, ZIP codes after a state or by their own form, and
what stands after "address:" if it holds a number. "2 View Chest" and "20 minute walk" are not.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from sharewell.notes.detectors.capitals import LOW_JOINERS, SENTENCE_WORDS, gap
from sharewell.notes.detectors.postal import postal_lines
from sharewell.notes.detectors.ways import ways
from sharewell.notes.engine.gazetteer import STATES, countries, state_names
from sharewell.notes.engine.lexicons import people
from sharewell.notes.engine.spans import Span, Text, Token
from sharewell.notes.engine.word_lists import lexicon, listed

if TYPE_CHECKING:
    from sharewell.notes.engine.known_identifiers import Known

_COMMON = lexicon("addresses_common")
_RARE = lexicon("addresses_rare")
_WAYS = _COMMON | _RARE
_ROADS = re.compile(
    r"(?:(?<=\bon )|(?<=\bof )|(?<=\bat ))(?:[A-Z][a-z]+ ){1,3}(?:Rd|Road|Street|St|Ave|Avenue|Blvd|Boulevard|Lane"
    r"|Ln|Pike|Turnpike|Hwy|Highway|Parkway)\b(?: \d{1,4}\b(?! ?(?:mg|mL|%)))?"
    r"|(?<=\bon )\d{1,3}(?:st|nd|rd|th) (?:Ave|Avenue|St|Street)\b"
    r"|\b(?:I-\d{2,3}|H-[123](?= at )|(?<![Ee]n )(?:[Rr]oute|Rte|Interstate|[Hh]ighway|Hwy|County Rd|County Road"
    r"|SR|FM|BIA|CR|State Road|US) ?-?\d{1,4})\b(?! ?(?:mg|mL|%)|[-.]\d)"
    r"(?: (?:in|near|at|by|outside|nr) (?:[A-Z][\w'’-]+)(?: [A-Z][\w'’-]+){0,2})?"
)
_WAY = r"(?: (?:St|Street|Ave|Avenue|Blvd|Boulevard|Rd|Road|Hwy|Pike|Lane|Ln|Way)\b\.?)"
_STREET = r"(?:\d{1,3}(?:st|nd|rd|th)|(?!The |And |He |She )[A-Z][\w’']+(?: [A-Z][\w’']+)?)"
_CROSSING = re.compile(
    rf"(?:(?<=\bat )|(?<=\bon )|(?<=\bof )|(?<=\bnear ))(?:{_STREET}{_WAY} (?:&|and|@|/|x) {_STREET}{_WAY}?"
    rf"|{_STREET} (?:&|and|@|/) {_STREET}{_WAY})"
)
"""Where two streets meet: 2nd Ave & Pine."""
_LINE_BEFORE = re.compile(
    r"(?:^|\n|[a-z] )[ \t>?|]*(?P<street>(?:\d|[A-ZÀ-Þ]\S* (?:\S+ ){0,3}\d)[^\n:]{1,50}?)[ ,]*\r?\n[ \t>?|]*$"
)
_TOLD = re.compile(r"^.*?\b(?:at|in|to|is|of|and|from|on) (?=\d)")
_ROAD_WORDS = listed(
    """
    rd road street st ave avenue blvd boulevard lane ln pike turnpike hwy highway parkway route rte interstate sr fm bia
    """
)
_CUE_WORDS = listed(
    """
    address addresses resides residing residence lives live living domiciled located delivered mail mailed sent office
    offices drop drops meet arrived return returned ship shipped taxi cab moved based
    """
)
_DIRECTIONS = listed("n s e w ne nw se sw north south east west")
_ABROAD_JOINTS = (" ", ". ", "'", "’", "-", "/ ", " / ")
_LEAD = re.compile(
    r"(?<![\w.])(?:\d{1,4}[A-Za-z]?/|(?:(?:Room|Rm|Bldg|Building|Tower|Block|Blk|Level|Floor|Flat|Unit|Apt|Suite|Shop"
    r"|House|Villa|Cottage|Lot)\.? ?#?(?:\d{1,5}[A-Z]?|[A-Z])|\d{1,2}(?:st|nd|rd|th) [Ff]loor|[A-Z][a-z]+ (?:House"
    r"|Cottage|Court|Lodge|Tower|Mansions|Buildings)),? (?:No\.? ?)?)$"
)
"""What stands before a house number: a unit, a floor, a house with a name, half of a fraction."""
_HOUSE = re.compile(r"\d{1,4}[a-z]?")
_INSIDE = (" ", "-", ". ", "'", "’", ".", "  ")
_BOX = re.compile(
    r"\b(?:p\.? ?o\.? ?box|post office box|postbox|box|pmb|rural route|rr(?="
    r" \d+[ ,]+box))[ #]{1,2}\d+(?:[ ,]+box[ #]+\d+)?"
    r"|\b(?:psc|unit|cmr|uss|usns|usnv|uscgc) [\w ]{1,24}?,?[ \n]+(?:box \d+[ ,\n]+)?(?:apo|fpo"
    r"|dpo)[ ,]+a[aep] \d{5}(?:-\d{4})?\b"
    r"|\b(?:psc \d+|unit \d+),? box \d+"
)
_BOX_WORDS = listed("box postbox pmb rr rural psc cmr apo fpo dpo")
_UNIT = r"(?:apt|apartment|suite|ste|flat)\b\.?[ ]?#?[ ]?(?:no\.? ?)?(?:\d[\w-]{0,5}|[a-vx-z]|[a-z]\d{1,3})\b"
_UNITS = re.compile(rf"\b{_UNIT}")
_UNIT_WORDS = listed("apt apartment suite ste flat")
_INWORD = (
    *(
        "strasse",
        "straße",
        "gasse",
        "platz",
        "weg",
        "allee",
        "gatan",
        "vägen",
        "gata",
        "gade",
        "vej",
        "veien",
        "vegen",
        "wei",
    ),
    *(
        "katu",
        "tie",
        "polku",
        "kuja",
        "straat",
        "laan",
        "plein",
        "gracht",
        "kade",
        "utca",
        "stræde",
        "dreef",
        "steenweg",
    ),
    *("stien", "stigen", "gränd", "bakken", "haugen", "braut", "gård", "väg", "str", "daero"),
)
"""How streets end in languages that write them in one word."""
_FOREWORDS = lexicon("addresses_forewords")
_SEP = r"(?:[ ]*,[ ]*|[ ]+|[ ]*[,.]?[ ]*(?:\r?\n[ \t>?|]*){1,2},?[ ]*)"
_CITY = (
    r"(?!(?:CITY|STATE|ZIP|TEL|PHONE|DOB|RN|MD|SSN|COPY)\b)"
    r"[A-ZÀ-Þ][\w'’.-]*(?:[ ](?:[A-ZÀ-Þ][\w'’.-]*|de|la|del|der|den|nad|do|di|am|an|sur|i)){0,3}"
    r"(?: ?\([\w ]+\))?(?![ ]*:)"
)
_TAIL_UNIT = rf"(?i:{_UNIT}|(?:unit|floor|fl|room|rm|bldg|#)\b\.? ?#? ?[\w-]{{1,6}})"
_NATIONS = "|".join(
    sorted({*(c.title() for c in countries()), *(s.title() for s in state_names())}, key=len, reverse=True)
)
_TAILS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?:{_SEP}{_TAIL_UNIT}){{0,2}}(?:{_SEP}{_CITY}){{0,3}}?(?:{_SEP}(?:[A-Z]{{2,3}}"
        rf"|nan))?(?:{_SEP}{_CITY})??{_SEP}\d{{4,6}}(?:-\d{{4}})?(?![\w/:-]|\.\d)",
        rf"(?:{_SEP}{_TAIL_UNIT}){{0,2}}(?:{_SEP}{_CITY}){{0,2}}?{_SEP}(?:{_NATIONS}|[A-Z]{{2}}(?=[\s.,]))",
        rf"(?:{_SEP}{_TAIL_UNIT}){{1,2}}(?:,[ ]*{_CITY}|[ ]{_CITY}(?=\s*(?:[.,;?!\n]|$)))?",
        rf",[ ]+{_CITY}(?:,[ ]*(?:[A-Z]{{2}}\b|{_CITY}))?",
    )
)
"""What may follow a street, most telling first: up to a postcode, up to a country or state, a unit, a city."""
_AFTER_CUE = re.compile(
    r"\b(?:address(?:es)?(?:[ ]+(?:is|of record|on file|changed to|to"
    r"|with)(?: to| at)?[ :]+|[ ]*[:=]\s*|[ ]+of [^\n:]{2,40} is[ :]+)"
    r"|(?:resid(?:es|ing|ence)(?: is)?|lives?|living|domiciled|located|delivered|mailed?|sent|offices?"
    r"|drops? [a-z]+ off|meet [a-z]+|arrived"
    r"|residence|return(?:ed)?|ship(?:ped)?|taxi|cab|moved|based) (?:at|to):?[ ]+)(?P<rest>[^\n]{3,160})"
)
_CODE_ENDS = re.compile(
    r"(?<=[a-z] )\d{5}(?:-\d{4})?(?=[ ,]+(?!(?:usa|us|united)\b)[a-z])"
    r"|\b(?:[a-z]{1,2}\d[a-z\d]? \d[a-z]{2}|[a-z]\d[a-z] \d[a-z]\d)(?=[ ,]+(?!(?:uk|canada|united)\b)[a-z])"
)
"""A postcode in the middle: the address ends there."""
_LIKE_ADDRESS = re.compile(r"\d.{0,30}[^\W\d_]{3}|[^\W\d_]{3}.{0,30}\d")
_CORNER = re.compile(r"\bthe corner of [^\n?!,;]{3,60}? and [^\W\d_]+(?: [^\W\d_]+)?")
_STOP = re.compile(
    r"(?<! st)(?<! dr)(?<! rd)(?<!ave)(?<!apt)(?<!ste)(?<! no)(?<!lvd)[.!?](?= +[^\d ]|\s*$)|\s{3,}|[|;\t]|\s\w+:"
    r"|\b(?:phone|tel|email|ssn|dob|mrn|with|since|which|who|after|before|last|this|tonight|tomorrow|for|in"
    r"|please|and i|but)\b"
)
_STATE = "|".join(code.lower() for code in STATES)
_STATE_NAME = "|".join(sorted((name.lower() for name in STATES.values()), key=len, reverse=True))
_ZIP = re.compile(r"(?<![\w.,/$-])\d{5}(?:-\d{4})?(?![\w-]|[.,]\d)")
_ZIP_STATE = re.compile(rf"\b(?:{_STATE}|{_STATE_NAME})[., ]{{1,3}}$")
_ZIP_CUE = re.compile(
    r"\b(?:zip(?:[ -]?code)?|post(?:al)?[ -]?code)(?: is| of|s)?[ :#=|]*"
    r"(?P<zip>\d{3,5}(?:[- ]\d{2,4})?(?: ?[a-z]{2}\b)?(?:xx|\*\*)?|[a-z]\d[a-z\d]{0,2} ?\d[a-z]{1,2}\d?)(?!\w)"
)
_ZIP_ABROAD = re.compile(
    r"\b(?:[A-PR-UWYZ](?:\d{1,2}|[A-HK-Y]\d{1,2}|\d[A-HJKS-UW]|[A-HK-Y]\d[ABEHMNPRV-Y]) \d[ABD-HJLNP-UW-Z]{2}"
    r"|[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z] ?\d[ABCEGHJ-NPRSTV-Z]\d)\b"
)
_ZIP_LAST = re.compile(r"\s*(?:$|[\n,;]|usa|united states)")
_ZIP_CITY = re.compile(r"([^\W\d_])[^\W\d_]*[, ]{1,3}$")
_NOT_STREETS = lexicon("addresses_not_streets")
_PARTICLES = LOW_JOINERS - listed("and the of y und et &")
_DOUBTFUL = listed("st dr way place pl close row ct av ter court sq square")
"""Words for streets that are other words too."""


class Addresses:
    """Finds street addresses and postcodes."""

    name: ClassVar[str] = "addresses"

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        text = Text.of(text)
        low = text.folded
        found = []
        for seed in (*_streets(text), *_marked(text, low), *_abroad(text), *_number_before(text)):
            grown = _grown(text, seed)
            found += [grown, *_tail(text, grown), *_line_before(text, grown)]
        found += [Span(*place, "ADDRESS", 0.6, "road") for place in sorted(_roads(text))]
        found += _postcodes(text, low)
        found += _cued(text, low)
        return [*found, *postal_lines(text), *ways(text)]


def _roads(text: Text) -> set[tuple[int, int]]:
    """Roads, tried around the words for them and around I-."""
    places = [text.tokens[at].start for at in text.where(_ROAD_WORDS)]
    if "I-" in text:
        places += [match.start() for match in re.finditer("I-", text)]
    corners = {match.span() for at in places for match in _CROSSING.finditer(text, max(0, at - 24), at + 40)}
    return corners | {match.span() for at in places for match in _ROADS.finditer(text, max(0, at - 70), at + 30)}


def _streets(text: Text) -> Iterator[Span]:
    """From a word for a street back to its house number."""
    tokens = text.tokens
    for at in text.where(_WAYS):
        token = tokens[at]
        if at < 2:
            continue
        start = at
        while start > 0 and at - start < 6 and _continues(text, start):
            start -= 1
            if tokens[start].lower[0].isdigit() and not tokens[start].lower.endswith(("st", "nd", "rd", "th")):
                break
        number = tokens[start].lower
        names = tokens[start + 1 : at]
        if not names or not re.fullmatch(r"\d{1,6}[a-d]?|one", number) or not _is_street(text, number, names, at):
            continue
        end = at + 1
        if (
            end < len(tokens)
            and tokens[end].lower in _DIRECTIONS
            and gap(text, at, end) == " "
            and not text.startswith("/", tokens[end].end)
        ):
            end += 1
        rare = token.lower in _RARE
        first = tokens[start].start
        lead = _LEAD.search(text, max(0, first - 40), first)
        yield Span(
            lead.start() if lead else first,
            tokens[end - 1].end,
            "ADDRESS",
            0.75 if rare else 0.85,
            "house number and street",
        )


def _continues(text: Text, at: int) -> bool:
    """Whether a street's name goes on backwards over what stands before a token: no full stop but after N. or St."""
    between, before = text[text.tokens[at - 1].end : text.tokens[at].start], text.tokens[at - 1].lower
    if ". " in between and before not in _DIRECTIONS and before not in ("st", "mt", "ft", "dr"):
        return False
    return between in _INSIDE


def _is_street(text: Text, number: str, names: Sequence[Token], at: int) -> bool:
    """No count of things: "2 View Chest", "20 minute walk", "3 other place"."""
    way = text.tokens[at]
    if any(token.lower in _NOT_STREETS for token in names) or len(names) > 4:
        return False
    if number[0] == "0" and not _AT_HOUSE.search(text.folded, max(0, names[0].start - 16), names[0].start):
        return False  # a time
    first = next((t for t in names if t.lower not in _DIRECTIONS), names[-1])
    capitals = text.caseless or not text[first.start].islower()
    if way.lower in _RARE:
        if text.caseless and len(number) > 2 and len(names) < 3 and first.lower in people():
            return True
        shout = text[first.start : way.end].isupper()
        return capitals and text[way.start].isupper() and len(names) <= 3 and not (shout or len(number) < 2)
    if not capitals:
        return len(names) <= (2 if way.lower not in _DOUBTFUL else 1) and (
            len(number) > 1 or way.lower not in _DOUBTFUL
        )
    return True


_AT_HOUSE = re.compile(r"(?:\b(?:at|to|in|from|of|address|lives?|is)|[,:]) 0\d+ $")


def _marked(text: Text, low: str) -> Iterator[Span]:
    """Post boxes, flats and suites."""
    if not text.words.isdisjoint(_BOX_WORDS):
        for match in _BOX.finditer(low):
            if not match[0].startswith(("box ", "rr ")) or text[match.start()].isupper():
                yield Span(*match.span(), "ADDRESS", 0.85, "post box")
    if not text.words.isdisjoint(_UNIT_WORDS):
        for match in text.cued(_UNITS, _UNIT_WORDS):
            if not match[0].startswith("flat") or match[0][-1].isdigit():
                yield Span(*match.span(), "ADDRESS", 0.7, "flat or suite")


def _abroad(text: Text) -> Iterator[Span]:
    """Streets of other languages, with the house number behind: Via Roma 131, Friedhofstrasse 33."""
    tokens = text.tokens
    starts = text.starts
    for digits, _ in text.digits:
        if not (at := starts.get(digits, 0)):
            continue
        start, end, word = tokens[at - 1]
        if len(word) < 6 or end != digits - 1 or not text[start].isupper() or not word.endswith(_INWORD):
            continue
        _, stop, number = tokens[at]
        if text.folded[end] == " " and _HOUSE.fullmatch(number):
            yield Span(start, stop, "ADDRESS", 0.7, "street and house number")
    for at in text.where(_FOREWORDS):
        token = tokens[at]
        if token.lower == "c" and text[token.end : token.end + 1] != "/":
            continue  # a letter of a list
        if token.lower == "via" and text.written[at + 1 : at + 2] and text.written[at + 1].isupper():
            continue  # came via ED
        if text[token.start].isupper() or token.lower in ("ul", "rue", "calle", "rua", "via"):
            last = _number_after(text, at)
            if last:
                yield Span(token.start, last, "ADDRESS", 0.7, "street and house number")


def _number_before(text: Text) -> Iterator[Span]:
    """24 rue Lepic, 12 bis avenue Foch; Calle 72 #10-34."""
    tokens = text.tokens
    for at in text.where(_FRENCH):
        first = at - 1 - (at > 1 and tokens[at - 1].lower in ("bis", "ter"))
        if first < 0 or not tokens[first].lower.isdigit() or gap(text, first, first + 1) not in (" ", ", "):
            continue
        if tokens[at].lower == "via" and text.written[at + 1 : at + 2] and text.written[at + 1].isupper():
            continue  # 3:35 via ED
        end = at + 1
        joints = (" ", "-", "'", "’", ". ") if tokens[at].lower in ("boul", "av", "ch") else (" ", "-", "'", "’")
        while end < len(tokens) and end - at < 6 and gap(text, end - 1, end) in joints:
            word = tokens[end].lower
            if not (text[tokens[end].start].isupper() or word in _PARTICLES or word in ("d", "l")):
                break
            end += 1
        if end > at + 1 and text[tokens[end - 1].start].isupper():
            yield Span(tokens[first].start, tokens[end - 1].end, "ADDRESS", 0.7, "street and house number")
    for match in text.cued(_GRID, _GRID_WORDS):
        yield Span(*match.span(), "ADDRESS", 0.75, "street and house number")


_FRENCH = listed(
    "rue avenue boulevard boul ch chemin rang place allée allee impasse quai route cours ruelle montée via slí"
)
_GRID = re.compile(
    r"(?:calle|carrera|cra|cll|kr|transversal|diagonal|avenida|av)\.? ?\d{1,3} ?[a-z]? ?(?:bis )?(?:#|n[o°º]\.?) ?"
    r"\d{1,3} ?[a-z]? ?[-–] ?\d{1,3}"
)
_GRID_WORDS = listed("calle carrera cra cll kr transversal diagonal avenida av")


def _number_after(text: Text, at: int) -> int:
    """Where the number ends that follows a street's name, which begins at a token; 0 if none does."""
    tokens = text.tokens
    for end in range(at + 1, min(at + 6, len(tokens))):
        if gap(text, end - 1, end) not in _ABROAD_JOINTS:
            return 0
        if tokens[end].lower in ("po", "box"):
            return 0
        if tokens[end].lower.isdigit() and end > at + 1:
            return tokens[end].end
        if not text[tokens[end].start].isupper() and tokens[end].lower not in _PARTICLES:
            return 0
    return 0


def _grown(text: Text, seed: Span) -> Span:
    """With the capitalised words and numbers before it on the same line."""
    tokens = text.tokens
    at = bisect_left(tokens, seed.start, key=lambda token: token.start)
    first = at
    while first > 0 and at - first < 7:
        token = tokens[first - 1]
        between = text[token.end : tokens[first].start]
        if between not in _INSIDE and between not in (", ", "/ "):
            break
        capital = text[token.start].isupper() and token.lower not in SENTENCE_WORDS
        number = token.lower.isdigit() and between in (" ", ", ") and len(token.lower) < 7
        if not number and not (seed.reason != "house number and street" and (capital or token.lower in _PARTICLES)):
            break
        first -= 1
    while first < at and not text[tokens[first].start].isdigit():  # it begins with a number, or does not grow
        first += 1
    return replace(seed, start=tokens[first].start) if first < at else seed


def _line_before(text: Text, seed: Span) -> Iterator[Span]:
    """The street on the line before a flat or suite that begins its own."""
    if seed.reason == "flat or suite":
        match = _LINE_BEFORE.search(text, max(0, seed.start - 90), seed.start)
        if match:
            told = _TOLD.search(match["street"])  # "meet me at 12 …"
            start = match.start("street") + (told.end() if told else 0)
            yield Span(start, match.end("street"), "ADDRESS", 0.65, "line before a flat or suite")


def _tail(text: Text, seed: Span) -> Iterator[Span]:
    """Units, city, region, country and postcode that follow a street."""
    for pattern in _TAILS:
        match = pattern.match(text, seed.end)
        if match:
            for piece in re.finditer(r"[^\s,>?|](?:[^,\n>?|]*[^\s,>?|])?", match[0]):
                start = match.start() + piece.start()
                number = re.search(r"(?:^| )(\d{4,6}(?:-\d{4})?)$", piece[0])
                words = piece[0][: number.start()] if number else piece[0]
                kind = "ADDRESS" if _UNITS.match(words.lower()) or words[:1].isdigit() else "PLACE"
                if words.strip():
                    yield Span(start, start + len(words), kind, 0.7, "after a street")
                if number:
                    yield Span(
                        start + number.start(1), start + number.end(1), "ADDRESS", 0.8, "postcode after a street"
                    )
            return


def _abroad_codes(text: Text) -> Iterator[re.Match[str]]:
    """Postcodes that begin with letters: tried where one or two capitals stand before a digit."""
    past = 0
    for digits, _ in text.digits:
        for start in (digits - 2, digits - 1) if text[digits - 1].isupper() else ():
            match = _ZIP_ABROAD.match(text, start) if start >= past and text[start].isupper() else None
            if match:
                past = match.end()
                yield match
                break


def _postcodes(text: Text, low: str) -> Iterator[Span]:
    for digits in text.digits:
        match = _ZIP.match(low, digits[0]) if digits[1] - digits[0] == 5 else None
        if match is None:
            continue
        if len(match[0]) > 5 or _ZIP_STATE.search(low, max(0, match.start() - 24), match.start()):
            yield Span(*match.span(), "ADDRESS", 0.85, "postcode")
        elif _ZIP_LAST.match(low, match.end()):
            line = text[max(0, match.start() - 80) : match.start()].rpartition("\n")[2]
            last = _ZIP_CITY.search(line)
            if last and last[1].isupper() and "," in line:
                yield Span(*match.span(), "ADDRESS", 0.65, "postcode at the end of a line")
    if "zip" in low or ("post" in low and "code" in low):
        for match in _ZIP_CUE.finditer(low):
            yield Span(*match.span("zip"), "ADDRESS", 0.85, "postcode")
    for match in _abroad_codes(text):
        if not re.fullmatch(r"E\dV\d ?M\d", match[0]):  # the three parts of the Glasgow Coma Scale
            yield Span(*match.span(), "ADDRESS", 0.8, "postcode")


def _cued(text: Text, low: str) -> Iterator[Span]:
    """What stands after "address:", up to the end of the line, a sentence, or the next field; and street corners."""
    if "corner" in text.words:
        for match in _CORNER.finditer(low):
            yield Span(*match.span(), "ADDRESS", 0.7, "street corner")
    if text.words.isdisjoint(_CUE_WORDS):
        return
    for match in text.cued(_AFTER_CUE, _CUE_WORDS):
        rest = match["rest"]
        stop = _STOP.search(rest)
        said = (rest[: stop.start()] if stop else rest).rstrip(" ,")
        code = _CODE_ENDS.search(said)
        said = said[: code.end()] if code else said
        begins = match[0].startswith("address") or re.match(r"(?:\d{2,6} ){1,2}[^\W\d_]", rest)
        if begins and _LIKE_ADDRESS.search(said) and "@" not in said and not re.search(r"\d\.\d|http|www", said):
            yield Span(match.start("rest"), match.start("rest") + len(said), "ADDRESS", 0.7, "after the word address")
