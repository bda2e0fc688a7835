"""Places and houses by the form of their names: what stands after "at", saints, wards, plots, roads, districts.

No list knows the names of wards, pubs, farms and small clinics. Their form does: capitalised words after "at" or in a
field for a place, "St" or "Our Lady of" before a name, a name before "Ward" or "Dist.", a kind of plot and its number,
a road's letter and number, words on a line that ends in a postcode.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from sharewell.calendar_names import MONTHS, WEEKDAYS
from sharewell.notes.detectors.capitals import SENTENCE_WORDS, gap
from sharewell.notes.engine.gazetteer import countries, places, plain
from sharewell.notes.engine.lexicons import eponyms, words
from sharewell.notes.engine.spans import Span, Text
from sharewell.notes.engine.word_lists import TITLES, lexicon, listed

if TYPE_CHECKING:
    from sharewell.notes.engine.known_identifiers import Known

_UP = "A-ZÀ-ÞŁŚŻŠČŽ"
_WORD = rf"(?:[{_UP}][\w’'&.-]{{0,30}}\w|[{_UP}])"
_RUN = rf"{_WORD}(?:(?: (?:of|of the|and|de|la|del|du|y|upon|le|di|da|al|el) | & |[ -]){_WORD}){{0,5}}"
_SAINT = re.compile(
    rf"\b(?:St\.?|Saint|Sainte|Mt\.?|Mount|Our Lady(?: of(?: the)?)?|Sacred|Holy|Blessed|Good|Queen|King|Royal|Lady"
    rf"|Fort|Ft\.) "
    rf"(?P<name>{_WORD})(?:['’]s)?(?:(?: |['’-]){_WORD}(?:['’]s)?){{0,4}}"
)
_SAINT_FIRST = listed("st saint sainte mt mount our sacred holy blessed queen king royal fort ft")
_SAINT_WORDS = _SAINT_FIRST | {"good", "lady"}
"""What the pattern begins with; the last two only where another one is in the note."""
_SAINTLY = listed("heart family cross name trinity spirit redeemer samaritan shepherd")
_FIELD = re.compile(
    r"(?:facility|hospital|clinic|pharmacy|pharm|school|employer|practice|company|church"
    r"|location|loc"
    r"|dest|destination|sent to|transferred to|transfer to|sending(?: facility)?|receiving(?: facility)?|site|venue"
    r"|ward"
    r"|residence|home address|address|addr|home|sober house|care home|nursing home|shelter|camp|works at|work|job"
    r"|pcp office"
    rf"|birthplace|city|town)[ ]?(?::|=)[ ]*(?P<value>(?:the )?(?-i:[{_UP}\d])[^\n;|]{{2,80}})",
    re.IGNORECASE,
)
_FIELD_STOP = re.compile(
    r"  +|, (?=[a-z]{2,} )|\.(?= [A-Z])|,(?= (?:phone|tel|fax|ph)\b)| (?=(?:[A-Z]\w+|[A-Z]+):)|[.,]?$|\(|\t"
    r"| (?:on|for|since|because|with|who|to|fax|phone|tel|ph)\b"
)
_PLOT = re.compile(
    rf"(?<![\w.])(?:(?P<sure>Stand|Plot|Flat|Villa|Erf|House [Nn]o|H\. ?No|Door [Nn]o|Brgy|Barangay|Gali|Quận|Blk)\b"
    rf"|(?P<maybe>Unit|Lot|Block|Apt|No"
    rf"|Room|Zone|Phase|Sector|Terminal|Hostel|RD|Suite|Floor|House|Hut|Cabin|Bungalow|Trailer|Site)\b)\.? ?(?:No\.?"
    rf" ?)?#?(?:\d+[\w/-]*|[A-Z]\b|(?<=Brgy\. ){_WORD})"
    rf"(?P<tail>(?:,? (?:\d+/F|(?:Road|Gali|Street|Zone|Block|Phase|Sector|Ward|Quận|Cross|Main)(?: No\.?)? \d+\w?"
    rf"|{_WORD}(?:['’]s)?"
    rf"(?: {_WORD}){{0,3}}|\d{{1,5}} {_WORD}(?: {_WORD}){{0,2}})){{0,5}})"
)
_PLOT_STREET = re.compile(r", (?:Street|Road|Gali|Sector|Block|Phase|Lane)(?: No\.?)? \d")
_ROAD = re.compile(
    r"(?<![\w-])(?:(?:M|A|B|N|R)\d{1,4}(?: (?:junction|jct|J|exit|services)\.? ?\d{0,3})?(?<=\d)|[Jj](?:unction|ct)"
    r" \d+ of the [MA]\d+)(?! (?:pulley|vertebra|segment|receptor|antibod|allele|lesion))"
    r"(?: near [A-Z]\w+(?: [A-Z]\w+)?)?"
    r"|\bI-\d{1,3}(?: [NSEW]B)?(?: mm ?\d+(?:\.\d)?)?(?: (?:nr|near|at|@|x) ?Exit \d+\w?)?"
)
_ROAD_BEFORE = re.compile(
    r"\b(?:on|off|along|from|near|of|accident|crash|rtc|mvc|collision|stuck|the) (?:the )?$", re.IGNORECASE
)
_DISTRICT = re.compile(
    rf"\b(?P<name>{_WORD}(?:[ -]{_WORD}){{0,2}}) (?:Dist(?:rict|\.)?|[Rr]egion|[Cc]ounty|[Pp]rovince|[Pp]refecture"
    rf"|[Bb]orough|[Pp]arish"
    rf"|[Rr]eservation|[Tt]ownship|[Mm]unicipality|Bdwy|Broadway"
    rf"|Co(?= (?:SO|EMS|PD|ME|[Ss]heriff|[Jj]ail|[Cc]oroner)\b))\b\.?|\bCo\. (?P<county>{_WORD})"
)
_POSTCODE = re.compile(
    r"\b(?:[A-Z]\d[\dW] [A-Z\d]{4}(?=\W|$)(?<=\d\w\w\w|\w\d\w\w|\w\w\d\w|\w\w\w\d)|\d{4}-\d{3} (?=[A-ZÀ-Þ])|\d{4}"
    r" ?[A-Z]{2}(?= [A-ZÀ-Þ][a-z])"
    r"|\d{5} (?=[A-ZÀ-Þ][a-zà-ÿ]+)|(?<=[a-z] - )\d{6}(?!\d)|(?<=[a-z], )\d{6}(?=\W))"
)
_POST_CITY = re.compile(rf"{_WORD}(?:[ -]{_WORD}){{0,2}}")
_LINE = re.compile(rf"(?:{_WORD}(?:['’]s)?|\d{{1,5}}[A-Za-z]?(?:[/-][\dA-Z]+)?|\dº ?\w{{1,4}}|#\w+)(?:,? |[-–] ?|, )?")
_NOT_SITES = TITLES.union(MONTHS, WEEKDAYS) | lexicon("sites_not_sites")
_FRAMES = listed("ward wards unit wing suite house hall court lodge building tower pavilion campus annexe annex hub")
_PLAIN_BEFORE = lexicon("sites_plain_before")


_DISTRICTS = listed(
    """
    dist district region county province prefecture borough parish reservation township municipality bdwy broadway co
    """
)
_FIELD_WORDS = lexicon("sites_field_words")
_MEASURED = re.compile(r"\d[.,]\d|%|\bmg\b")
_FIELD_BEFORE = frozenset(("", "\n", "|", ";", ",", ".", "(", "\r"))
_PLOT_WORDS = listed(
    """
    stand plot flat villa erf house h door brgy barangay gali quận blk unit lot block apt no room zone phase sector
    terminal hostel rd suite floor hut cabin bungalow trailer site
    """
)


class Sites:
    """Finds places by the form of their names."""

    name: ClassVar[str] = "sites"

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        text = Text.of(text)
        found = [*_at(text), *_numbered(text), *_frames(text), *_fields(text), *_plots(text), *_postcodes(text)]
        if not text.words.isdisjoint(_SAINT_FIRST):
            found += _saints(text)
        found += [
            Span(*match.span(), "ADDRESS", 0.6, "road")
            for match in _roads(text)
            if (match[0][0] == "I" and len(match[0]) > 6)
            or _ROAD_BEFORE.search(text, max(0, match.start() - 14), match.start())
        ]
        for match in _DISTRICT.finditer(text) if not text.words.isdisjoint(_DISTRICTS) else ():
            first = (match["name"] or match["county"]).split()[0].lower()
            if first not in SENTENCE_WORDS and first not in _PLAIN_BEFORE and words().get(first, "9") > "1":
                found.append(Span(*match.span(), "PLACE", 0.6, "district"))
        return found


_AT = re.compile(
    rf"(?:at|@) (?P<name>(?:[Tt]he )?{_RUN}(?:['’]s(?: {_WORD}(?: {_WORD})?)?)?)(?P<more>(?:,"
    rf" {_WORD}(?:[ -]{_WORD}){{0,2}})?)"
)


def _at(text: Text) -> Iterator[Span]:
    """Capitalised words after "at"."""
    if text.upper_share > 0.4:
        return
    for at in text.where(_AT_WORDS):
        match = _AT.match(text, text.tokens[at].start)
        if not match:
            continue
        said = re.findall(r"[^\W_]+", match["name"])
        lower = [plain(word.lower()) for word in said if word.lower() != "the"]
        if not lower or lower[0] in _NOT_SITES or lower[0] in countries():
            continue
        short = len(lower) == 1 and (words().get(lower[0], "9") < "3" or (said[-1].isupper() and len(said[-1]) < 3))
        if len(lower) == 1 and (lower[0][-1].isdigit() or lower[0] == "anc"):
            continue
        if short or all(word in _NOT_SITES or eponyms().get(word) is False for word in lower):
            continue
        end = match.end() if match["more"] and _is_place(match["more"]) else match.end("name")
        start = match.start("name") + 4 * match["name"].startswith("the ")
        yield Span(start, end, "ORGANISATION", 0.54, "after the word at")


_AT_WORDS = frozenset(["at"])


def _is_place(more: str) -> bool:
    name = plain(more.strip(", ").lower())
    if more[3:4].isupper() or len(name) < 3:
        return False
    return name in places().marks or (words().get(name, "9") > "4" and len(name) > 3)


_NUMBERED = re.compile(
    rf"(?<![\w.,/$-])(?P<house>(?:#\d+ ?[–-] ?)?\d{{1,5}}[A-Za-z]? (?:[NSEW]{{1,2}}\.? )?(?:{_WORD}(?:"
    rf" {_WORD}){{0,2}}|\d{{1,3}}(?:st|nd|rd|th)))"
    rf"(?:(?P<unit>,? #\w+)|, (?P<city>{_WORD}(?: {_WORD})?)(?:,? (?P<state>[A-Z]{{2}})\b)?)"
)


def _numbered(text: Text) -> Iterator[Span]:
    """218 Sycamore, Demopolis: a number, a name, and a place after the comma."""
    if text.caseless:
        return
    for start, end in text.digits:
        if text[max(0, start - 1) : start] == "#":
            start -= 1
        elif not _name_after(text[end : end + 3]):
            continue
        match = _NUMBERED.match(text, start) if end - start < 6 else None
        if not match:
            continue
        name = match["house"].split(" ", 1)[1]
        said = [word.lower() for word in re.findall(r"[^\W\d_]+", name)]
        if any(word in SENTENCE_WORDS or word in _NOT_SITES for word in said) or name.isupper():
            continue
        city = plain((match["city"] or "").lower())
        if match["unit"] or match["state"] or city in places().marks:
            yield Span(*match.span(), "ADDRESS", 0.6, "house number, name and place")


def _name_after(behind: str) -> bool:
    """A quick look: whether a blank and no small letter stand after a house number, which may end in a letter."""
    blank = behind.find(" ", 0, 2)
    return blank >= 0 and not behind[blank + 1 : blank + 2].islower()


def _roads(text: Text) -> Iterator[re.Match[str]]:
    """The M62, I-84: tried where a number follows such a letter."""
    for sign in _ROAD_SIGN.finditer(text):
        match = _ROAD.match(text, sign.start())
        if match:
            yield match


_ROAD_SIGN = re.compile(r"(?:[MABNR]|I-)(?=\d)")


def _saints(text: Text) -> Iterator[Span]:
    past = 0
    for at in text.where(_SAINT_WORDS):
        start = text.tokens[at].start
        match = _SAINT.match(text, start) if start >= past else None
        if not match:
            continue
        past = match.end()
        first, name = match[0].split()[0].rstrip(".").lower(), match["name"].lower()
        named = name not in SENTENCE_WORDS and name not in _NOT_SITES and not name.isdigit()
        if first in ("sacred", "holy", "blessed", "good") and name not in _SAINTLY:
            named = False
        if first in ("royal", "queen", "king", "lady", "fort") and words().get(name, "9") < "3":
            named = False
        if named and not (first == "good" and name != "samaritan"):
            yield Span(*match.span(), "ORGANISATION", 0.56, "house named after a saint or a queen")


def _frames(text: Text) -> Iterator[Span]:
    """Bluebell Ward: a name before a word for a part of a house."""
    tokens = text.tokens
    if text.caseless:
        return
    for at in text.where(_FRAMES):
        first = at
        while (
            first > 0
            and at - first < 3
            and text[tokens[first - 1].start].isupper()
            and gap(text, first - 1, first) in (" ", "-")
        ):
            first -= 1
        said = [token.lower for token in tokens[first:at]]
        telling = [word for word in said if word not in _PLAIN_BEFORE and word not in SENTENCE_WORDS and len(word) > 2]
        titled = text[tokens[at].start].isupper() and not text[tokens[first].start : tokens[at].end].isupper()
        if telling and titled and not tokens[at - 1].lower.endswith(("ical", "ology", "ic", "ary", "ing", "tion")):
            yield Span(tokens[first].start, tokens[at].end, "ORGANISATION", 0.58, "named part of a house")


def _fields(text: Text) -> Iterator[Span]:
    """What stands in a field for a place."""
    if ":" not in text and "=" not in text:
        return
    for at in text.where(_FIELD_WORDS):
        start = text.tokens[at].start
        match = _FIELD.match(text, start)
        if not match or text[max(0, start - 12) : start].rstrip(" \t")[-1:] not in _FIELD_BEFORE:
            continue
        stop = _FIELD_STOP.search(match["value"])
        value = (match["value"][: stop.start()] if stop else match["value"]).rstrip(" ,.")
        lower = [word.lower() for word in re.findall(r"[^\W_]+", value)]
        plain_words = all(
            word in _NOT_SITES or word in SENTENCE_WORDS or words().get(word, "9") == "1" for word in lower
        )
        if len(lower) > 1 and lower[0].isdigit() and lower[1] in SENTENCE_WORDS:
            continue
        if plain_words and match[0].lower().startswith(_HOUSES) and value.istitle() and lower[0] not in SENTENCE_WORDS:
            plain_words = len(lower) < 2 or any(word in _NOT_SITES for word in lower)
        if plain_words or lower[0] in SENTENCE_WORDS - {"the"} or len(lower) > 11 or _MEASURED.search(value):
            continue
        yield Span(
            match.start("value"), match.start("value") + len(value), "ORGANISATION", 0.56, "in a field for a place"
        )


_HOUSES = ("school", "hospital", "pharm", "clinic", "employer", "practice", "company", "church")


def _plots(text: Text) -> Iterator[Span]:
    """Plot 17, Road No. 3; Flat C, 23/F, Block 8."""
    for at in text.where(_PLOT_WORDS):
        match = _PLOT.match(text, text.tokens[at].start)
        if not match:
            continue
        tail = match["tail"].strip(" ,")
        named = [word for word in re.findall(r"[^\W\d_]+", tail) if words().get(word.lower(), "9") > "2"]
        if (
            match["sure"]
            or _PLOT_STREET.match(match["tail"])
            or (named and tail and match["tail"].startswith(", "))
            or (match["maybe"] == "Terminal" and named)
        ):
            yield Span(*match.span(), "ADDRESS", 0.62, "plot, flat or house by number")


def _postcodes(text: Text) -> Iterator[Span]:
    """Postcodes of other countries, the city beside them, and the line before them."""
    for start, end in text.digits:
        if end - start < 3:
            match = _POSTCODE.match(text, start - 1) if start and text[start - 1].isupper() else None
        else:
            match = _POSTCODE.match(text, start) if 3 < end - start < 7 else None
        if not match:
            continue
        code = match[0].strip()
        if re.fullmatch(r"(?:1[89]|20)\d\d ?(?:AD|BC|AM|PM|IN|AT|ON|TO|BY|OF|IS)?", code):
            continue
        line = max(text.rfind("\n", 0, match.start()), match.start() - 90) + 1
        first = match.start()
        for piece in _LINE.finditer(text, line, match.start()):
            if piece.end() == match.start() or text[piece.end() : match.start()].strip(" ,-–") == "":
                first = _line_start(text, line, match.start())
                break
        blank = match.end() - (text[match.end() - 1] == " ")
        city = _POST_CITY.match(text, blank + 1) if text[blank : blank + 1] == " " else None
        beside = city is not None and plain(city[0].lower()) in places().marks
        comma = text[max(0, match.start() - 2) : match.start()] in (", ", "- ") or match.start() == line
        if re.fullmatch(r"\d{5}", code) and not (beside or (city and comma)):
            continue
        end = city.end() if city and (beside or comma) and code[0].isdigit() else match.start() + len(code)
        yield Span(first, end, "ADDRESS", 0.66, "postcode of another country and its line")


_NOT_LINES = _NOT_SITES | listed("eircode cep zip postcode lives placed moved address resides living home in to")


def _line_start(text: Text, line: int, end: int) -> int:
    """Where the capitalised words and numbers begin that go on to a postcode without a break."""
    pieces = list(_LINE.finditer(text, line, end))
    first = end
    for piece in reversed(pieces):
        if text[piece.end() : first].strip(" ,-–") or piece[0].strip(" ,").lower() in _NOT_LINES:
            break
        first = piece.start()
    return first
