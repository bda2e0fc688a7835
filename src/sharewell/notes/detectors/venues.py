"""Shops, schools, clubs and houses by their kind: chains of shops, a kind before a name, a name before a plain kind.

"Tesco on Mill Road", "Hotel Belvedere", "Hospital de la Luz", "the preschool (Busy Bees)", "Orsini plumbing",
"Fernwood HS", "AT GLENMARY" in a note in capitals. A chain that is also a word (Target, Boots, Subway) wants
a capital and a word such as "at", or a place behind it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from sharewell.calendar_names import WEEKDAYS
from sharewell.notes.detectors.capitals import SENTENCE_WORDS, gap
from sharewell.notes.detectors.clinical_words import SHORTHAND
from sharewell.notes.detectors.institutions import PLAIN_KINDS, weight
from sharewell.notes.engine.gazetteer import countries, places, plain
from sharewell.notes.engine.lexicons import eponyms, words
from sharewell.notes.engine.spans import Span, Text
from sharewell.notes.engine.word_lists import lexicon, listed

if TYPE_CHECKING:
    from sharewell.notes.engine.known_identifiers import Known

_CHAINS = """
    walgreens | cvs | rite aid | duane reade | walmart | wal mart | sam s club | costco | kroger | safeway | albertsons
    publix | winn dixie | h e b | heb | meijer | wegmans | shoprite | food lion | piggly wiggly | trader joe s
    whole foods | aldi | lidl | tesco | asda | sainsbury s | sainsburys | morrisons | waitrose | iceland foods | spar
    superdrug | lloyds pharmacy | boots | greggs | costa | costa coffee | pret | nando s | wetherspoons | starbucks
    dunkin | dunkin donuts | tim hortons | mcdonald s | mcdonalds | burger king | kfc | taco bell | wendy s | arby s
    chick fil a | chipotle | dairy queen | denny s | ihop | waffle house | cracker barrel | applebee s | olive garden
    red lobster | five guys | panera | subway | pizza hut | domino s | home depot | lowe s | menards | ace hardware
    ikea | target | kmart | sears | macy s | kohl s | jcpenney | best buy | tj maxx | dollar general | dollar tree
    family dollar | big lots | 7 eleven | circle k | wawa | sheetz | quiktrip | amazon | fedex | ups | usps | dhl
    labcorp | quest | quest diagnostics | medexpress | minuteclinic | kaiser | kaiser permanente | sutter | davita
    fresenius | concentra | planned parenthood | shoppers drug mart | loblaws | sobeys | rexall | jean coutu
    canadian tire | woolworths | coles | bunnings | chemist warehouse | priceline pharmacy | pick n pay | checkers
    clicks | dis chem | shoprite | carrefour | mercadona | migros | coop | edeka | rewe | rossmann | auchan | monoprix
    lawson | familymart | big bazaar | dmart | apollo pharmacy | medplus | reliance fresh | super 8 | motel 6
    holiday inn | best western | days inn | comfort inn | hampton inn | premier inn | travelodge | marriott | hilton
    shell | exxon | chevron | texaco | speedway
    la quinta | ford | boeing | tyson | tyson foods | smithfield | john deere | caterpillar | lockheed | raytheon
    chase bank | wells fargo | bank of america | barclays | hsbc | natwest | santander | air canada | delta airlines
    american airlines | united airlines | british airways | ryanair | easyjet | lufthansa | qantas | emirates
    bupa | nuffield health | specsavers | vision express | lenscrafters | aspen dental | planet fitness | ymca | ywca
    kwik trip | kum go | hy vee | hyvee | giant eagle | food city | harris teeter | fareway | cub foods | save mart
    smart final | ralphs | vons | fred meyer | goodwill | salvation army | stop shop | jewel osco | dillons
    king soopers | fry s food | brookshire s | raley s | stater bros | thrifty white | health mart | medicine shoppe
    good neighbor pharmacy | osco | longs drugs | bartell drugs | savemart | casey s general store | love s truck stop
    pilot flying j | buc ee s | racetrac | cumberland farms | bojangles | whataburger | culver s | zaxby s
    hardee s | jack in the box | panda express | outback steakhouse | texas roadhouse | texas instruments
    general motors | general mills | cargill | weyerhaeuser | john lewis | marks spencer | debenhams | poundland
    b m bargains | costcutter | londis | rowlands pharmacy | superdrug pharmacy | jumbo supermarket
    countdown supermarket
    sports direct | primark | argos | b q | wickes | screwfix | halfords | currys | royal mail | uber | lyft | deliveroo
"""
CHAINS = frozenset(name.strip() for line in _CHAINS.strip().splitlines() for name in line.split("|"))
"""Chains of shops and firms that everybody knows, apostrophes as blanks."""
_FIRST: dict[str, int] = {}
for _chain in CHAINS:
    _head = _chain.split()[0]
    _FIRST[_head] = max(_FIRST.get(_head, 0), _chain.count(" ") + 1)
_PLAIN_CHAINS = lexicon("venues_plain_chains")
_BEFORE = listed("at from in to for by near @ the via with of w outside behind and or both our")
_BRANCH = re.compile(
    r"(?:['’]s)?(?: (?:pharmacy|store|superstore|express|garage|supercenter|cafe|branch|warehouse|depot))?"
    r"(?:(?: on| in| at| near| by|,) (?:the )?(?!(?:[A-Z][a-z]+ )?(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr"
    r"|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Christmas|Easter)[a-z]*\b)"
    r"(?:(?:\d{1,3}(?:st|nd|rd|th)|[A-ZÀ-Þ][\w’'-]+)(?: (?:Street|St|Road|Rd|Ave"
    r"|Avenue|Blvd|Lane|Drive|[A-ZÀ-Þ][a-zà-ÿ]+))?"
    r"(?: (?:and|&) (?:\d{1,3}(?:st|nd|rd|th)|[A-Z][a-z]+(?= *(?:[.,;)]|$))))?))?"
)
_CHAIN_GAPS = frozenset((" ", "-", "'", "’", "&", " & "))
_IN = re.compile(r" in (?:the )?")
_KINDS = lexicon("venues_kinds")
_NAME = r"[A-ZÀ-ÞŁŚŻŠČŽĐ][\w’'&.-]*\w"
_LOW = (
    r"(?:de|la|le|les|las|los|du|des|da|das|do|dos|del|della|dei|di|der|den|van|von|an|na|of|the|y|e|zum|zur|am|im"
    r"|św\.)"
)
_AFTER_KIND = re.compile(
    rf"\.?(?: {_LOW}){{0,2}} (?:[dl]['’])?(?P<name>{_NAME})(?:(?: {_LOW}){{0,2}}[ -]{_NAME}){{0,4}}"
)
_SMALL = listed("camp hotel hmp")
_FOREIGN = listed(
    """
    klinikum klinik krankenhaus spital ospedale clínica hôpital hopital clinique sanatorio policlínica masjid gurdwara
    mandir ysgol gaelscoil école ecole lycée lycee escuela colegio parroquia iglesia hmp ehpad seniorenheim pflegeheim
    """
)
"""Kinds of houses that no English word is like: a name behind them is enough in any case."""
_ENGLISH_KINDS = listed(
    "hospital hotel camp club bar restaurant cafe parish casa convento templo pension gymnasium mv sp ob"
)
_NOT_NAMES = frozenset(WEEKDAYS) | lexicon("venues_not_names")
_HOUSES = lexicon("venues_houses")
_NAMED_SO = re.compile(
    rf"(?: is| was| called| named|:| name is)? ?"
    rf"(?P<open>[(“\"])?(?:the )?(?P<name>{_NAME}(?:(?: (?:of|on|in|at|and|&|the"
    rf"|de|la)){{0,2}} {_NAME}){{0,4}})(?P<close>[)”\",])?"
)
_LOW_HEADS = lexicon("venues_low_heads")
_LOW_LINKS = listed(
    """
    family urgent community general memorial district taluk regional county city primary medical dental taxi bus train
    health dry middle junior senior high care nursing steel auto body tire tyre state children women and
    """
)
_CASELESS_HEADS = _LOW_HEADS - listed("surgery and mine mill rank imaging farm") | listed("ihs")
_TAILS = re.compile(r" (?:ES|HS|MS|JHS|PS|RFC|FC|AFC|GAA|CC|NHS(?: Foundation)? Trust|IHS|CBOC|VAMC|MTF)(?![\w-])")
_TAIL_WORDS = listed("es hs ms jhs ps rfc fc afc gaa cc nhs ihs cboc vamc mtf")
_AT_SHOUTED = re.compile(r"(?:at|@) (?:the )?([a-z][a-z'’-]{3,})(?: [a-z'’-]{3,})?", re.IGNORECASE)
_NUMBERED_HOUSE = re.compile(
    r"(?:union |teamsters |ibew |uaw |seiu )?local (?:no\.? )?\d{1,4}\b|channel \d{1,2}\b"
    r"|(?:vfw|amvets|(?:american )?legion)(?: post)? (?:no\.? )?\d{1,5}\b|(?:scout )?troop \d{1,4}\b"
)
_ARMS = re.compile(
    r"\b[Tt]he (?:[A-Z][\w’']+ (?:and|&) )?[A-Z][\w’']+(?: [A-Z][\w’']+)? (?:Arms|Tavern|Inn|Alehouse|Pub)\b"
)


class Venues:
    """Finds shops, schools, clubs and houses."""

    name: ClassVar[str] = "venues"

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        text = Text.of(text)
        return [*_chains(text), *_kinds(text), *_named_so(text), *_plain_heads(text), *_tails(text), *_shouted(text)]


_FIRST_WORDS = frozenset(_FIRST)


def _chains(text: Text) -> Iterator[Span]:
    """Chains, with the street or the town after "on" or "in"."""
    tokens = text.tokens
    for at in text.where(_FIRST_WORDS):
        count = min(_FIRST[tokens[at].lower], len(tokens) - at)
        while count and " ".join(token.lower for token in tokens[at : at + count]) not in CHAINS:
            count -= 1
        if not count or any(gap(text, i, i + 1) not in _CHAIN_GAPS for i in range(at, at + count - 1)):
            continue
        start, end, first = tokens[at].start, tokens[at + count - 1].end, tokens[at].lower
        if first in ("cvs", "bupa") and text[end : end + 1] in (":", "-"):
            continue  # the heart and the vessels
        branch = _BRANCH.match(text, end)
        reach = branch.end() if branch else end
        if first in _PLAIN_CHAINS and count == 1:
            capital = text[start].isupper() and not text.caseless
            told = at > 0 and tokens[at - 1].lower in _BEFORE and gap(text, at - 1, at) in (" ", " (")
            listed_behind = at + 1 < len(tokens) and places().marks.get(plain(tokens[at + 1].lower), "w") != "w"
            lower_place = first in ("costa", "greggs", "tesco") and listed_behind
            if not ((capital and (told or reach > end)) or lower_place or (told and tokens[at - 1].lower == "@")):
                continue
        elif not (text[start].isupper() or text.caseless or count > 1 or words().get(first, "9") > "3"):
            continue
        if text.caseless and reach == end and at + count + 1 < len(tokens):
            link, place = tokens[at + count], tokens[at + count + 1]
            if link.lower in ("on", "in") and (plain(place.lower) in places().marks or place.lower[0].isdigit()):
                reach = place.end
        inner = _IN.search(text, end, reach) if reach > end else None
        yield Span(start, inner.start() if inner else max(end, reach), "ORGANISATION", 0.6, "chain of shops or firms")
        if inner:
            yield Span(inner.end(), reach, "PLACE", 0.6, "place of a shop")


def _kinds(text: Text) -> Iterator[Span]:
    """Hotel Belvedere, Hospital de la Luz, HMP Feltham: a kind, and a name behind it."""
    tokens = text.tokens
    for at in text.where(_KINDS):
        start, end, word = tokens[at]
        if text.caseless or text[start].islower():
            behind = tokens[at + 1].lower if at + 1 < len(tokens) and gap(text, at, at + 1) == " " else ""
            known = word in _FOREIGN and weight(behind) == 3
            if known or (text.caseless and word in _SMALL and len(behind) > 4 and words().get(behind, "9") > "4"):
                yield Span(start, tokens[at + 1].end, "ORGANISATION", 0.55, "kind of house before a name")
            continue
        match = _AFTER_KIND.match(text, end) if text[start].isupper() else None
        if not match or (len(word) > 3 and match[0][0] == ".") or _ROMAN.fullmatch(match["name"]):
            continue
        name, linked = match["name"].lower(), not match[0].startswith(f" {match['name']}")
        plainly = (
            word in _ENGLISH_KINDS and not linked and words().get(name, "9") < "3" and word not in ("hotel", "camp")
        )
        shout = text[start:end].isupper() and len(word) > 3 and match["name"].isupper()
        if name in _NOT_NAMES or name in SENTENCE_WORDS or plainly or shout or (word == "hospital" and not linked):
            continue
        if word in ("sp", "ob", "mv", "cf", "fc", "kg", "usp", "bar") and not text[start:end].isupper():
            continue
        if word in ("sp", "mv", "cf", "kg", "ob") and plain(name) not in places().marks:
            continue
        yield Span(start, match.end(), "ORGANISATION", 0.58, "kind of house before a name")


_ROMAN = re.compile("[IVX]+")


def _named_so(text: Text) -> Iterator[Span]:
    """Daycare (Busy Bees), the preschool is Busy Bees."""
    if text.caseless:
        return
    tokens = text.tokens
    for at in text.where(_HOUSES):
        end = tokens[at].end
        match = _NAMED_SO.match(text, end)
        if not match:
            continue
        said = match[0][: match.start("name") - match.start()].strip(' "“(')
        bracket = match["open"] == "(" and match["close"] in (")", ",")
        if not (bracket or said in ("is", "was", "called", "named", "name is")):
            continue
        name = [word.lower() for word in re.findall(r"[^\W_]+", match["name"])]
        if name[0] in SENTENCE_WORDS or name[0] in _NOT_NAMES or re.fullmatch("[A-Z]{1,3}", match["name"]):
            continue
        if len(name) == 1 and (eponyms().get(name[0]) is False or name[0] in countries()):
            continue
        yield Span(match.start("name"), match.end("name"), "ORGANISATION", 0.55, "name after a kind of house")


def _plain_heads(text: Text) -> Iterator[Span]:
    """Gorakhpur district hospital, Orsini plumbing: a name before a kind in small letters; in a note without case,
    words that English does not know."""
    tokens = text.tokens
    heads = _CASELESS_HEADS if text.caseless else _LOW_HEADS
    for at in text.where(heads):
        first = at
        while first and at - first < 3 and tokens[first - 1].lower in _LOW_LINKS and gap(text, first - 1, first) == " ":
            first -= 1
        if not first or gap(text, first - 1, first) != " " or (not text.caseless and text[tokens[at].start].isupper()):
            continue
        start = first
        while start and first - start < 3 and _telling(text, start - 1) and gap(text, start - 1, start) in (" ", " & "):
            start -= 1
        if start == first:
            continue
        listed_one = any(plain(token.lower) in places().marks for token in tokens[start:first])
        if tokens[at].lower == "high" and (
            not listed_one or (at + 1 < len(tokens) and tokens[at + 1].lower in _HIGH_NOT)
        ):
            continue
        unknown = any(words().get(plain(token.lower), "9") > "5" for token in tokens[start:first])
        if listed_one or unknown:
            yield Span(tokens[start].start, tokens[at].end, "ORGANISATION", 0.56, "name before a plain kind of house")


_HIGH_NOT = listed(
    "risk dose grade blood fever and with at to on in but today again flow output pressure bp sugar level"
)


def _telling(text: Text, at: int) -> bool:
    start, end, word = text.tokens[at]
    if word in SENTENCE_WORDS or word in _NOT_NAMES or len(word) < 3 or word[0].isdigit() or word in countries():
        return False
    if eponyms().get(word) is False or word in PLAIN_KINDS or word in SHORTHAND:
        return False
    if text.caseless:
        return words().get(word, "9") > "3" or word in (
            "st",
            "saint",
            "mercy",
            "north",
            "south",
            "east",
            "west",
        )
    return text[start].isupper() and not text[start:end].isupper() and words().get(word, "9") > "2"


def _tails(text: Text) -> Iterator[Span]:
    """Fernwood HS, Selkirk RFC, … NHS Trust; the Plume of Feathers Inn; Local 12."""
    tokens = text.tokens
    for at in text.where(_TAIL_WORDS) if text.upper_share < 0.4 else ():
        start = first = at
        while first and at - first < 3 and _capital(text, first - 1) and gap(text, first - 1, first) == " ":
            first -= 1
        match = _TAILS.match(text, tokens[at].start - 1)
        rare = any(words().get(t.lower, "9") > "2" for t in tokens[first:start])
        if match and first < start and (rare or start - first > 1):
            name = " ".join(plain(t.lower) for t in tokens[first:start])
            if tokens[at].lower not in ("ms", "cc", "ps") or name in places().marks:
                yield Span(tokens[first].start, match.end(), "ORGANISATION", 0.56, "name before a short kind of house")
    if not text.words.isdisjoint(_ARMS_WORDS):
        for match in _ARMS.finditer(text):
            yield Span(match.start() + 4, match.end(), "ORGANISATION", 0.56, "public house")
    for found in text.cued(_NUMBERED_HOUSE, _NUMBERED_WORDS):
        if any(map(str.isupper, text[found.start() : found.end()])) or text.caseless:
            yield Span(*found.span(), "ORGANISATION", 0.56, "union or station by its number")


_ARMS_WORDS = listed("arms tavern inn alehouse pub")
_NUMBERED_WORDS = listed("local union teamsters ibew uaw seiu channel vfw amvets american legion troop scout")


def _capital(text: Text, at: int) -> bool:
    start, end, word = text.tokens[at]
    return text[start].isupper() and not text[start:end].isupper() and word not in SENTENCE_WORDS and len(word) > 2


def _shouted(text: Text) -> Iterator[Span]:
    """SEEN AT GLENMARY: in a note without case, a word after "at" that English hardly knows."""
    if not text.caseless:
        return
    tokens = text.tokens
    for at in text.where(_AT):
        if at + 1 >= len(tokens) or gap(text, at, at + 1) != " ":
            continue
        start, end, word = tokens[at + 1]
        rare = len(word) > 3 and word.isalpha() and words().get(word, "9") > "3" and eponyms().get(word) is not False
        if rare and word not in _NO_SITE:
            yield Span(start, end, "ORGANISATION", 0.5, "rare word after at, in a note without case")


_AT = frozenset(["at"])
_NO_SITE = listed(
    "bedside bedtime baseline triage noon midnight discharge wknd breakfast lunchtime teatime hrs hours bolus tele"
)
