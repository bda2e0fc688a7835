"""Places below the country: cities, counties, states, and words built like them.

Names come from a list (GeoNames), but many are also words and surnames: a name counts at once if it is large or has
several words; a shorter or rarer one needs a place's surroundings: "lives in", a comma and a state, a ZIP code. After
"lives in" any capitalised words are a place, and so are words built like towns ("Wilcoxfurt") and "North", "Lake",
"Port" before a name. Codes of states are clinical abbreviations too (MS, PA, OR, CT): they need a city or a ZIP code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from sharewell.calendar_names import MONTHS, SHORT_MONTHS, WEEKDAYS
from sharewell.notes.detectors.capitals import SENTENCE_WORDS, gap, is_capital, run_from, shouted
from sharewell.notes.detectors.clinical_words import TONGUES
from sharewell.notes.detectors.institutions import weight
from sharewell.notes.engine.gazetteer import STATES, countries, places, plain, short_states, state_names
from sharewell.notes.engine.lexicons import eponyms, people, words
from sharewell.notes.engine.spans import Span, Text, Token
from sharewell.notes.engine.word_lists import lexicon, listed

if TYPE_CHECKING:
    from sharewell.notes.engine.known_identifiers import Known

CALENDAR = frozenset((*MONTHS, *WEEKDAYS))
_INSIDE = frozenset((" ", "-", ". ", "'", "’"))
_CODES = {code.lower() for code in STATES}
_WAYS = listed("street st avenue ave road rd drive dr lane ln boulevard blvd court ct way")
_PREPOSITIONS = listed("in from to near of at outside around via visiting")
_BETWEEN = listed("the upstate northern southern eastern western central downtown")
_OLDER = short_states()
_DEGREES = listed("md do rn ms pa ma")
_CLINICAL = listed("id or ct me dc pr ok hi in la al ca co de mt sc ne vi as va")
_ZIP_AFTER = re.compile(r"[., ]{1,3}\d{5}(?:-\d{4})?\b")
_SAFE_CODES = listed("tx ny fl nj az ga ky wv wy ut nv nm nh ks ia wi mn il oh")
"""Codes that are seldom anything else in a note: a word such as "in" before them is enough."""
_SHORT_MONTHS = frozenset(SHORT_MONTHS) - listed("mar may")
_FIRST_OF_STATE: dict[str, list[str]] = {}
for _name in sorted(state_names(), key=len, reverse=True):
    _FIRST_OF_STATE.setdefault(_name.split()[0], []).append(_name)
_STATE_WORDS = frozenset(_FIRST_OF_STATE) | _CODES | _OLDER
_LOCATIVE = re.compile(
    r"\b(?:(?:lives?|living|lived|resid(?:es?|ing|ed)|resident|born(?: and raised)?|raised|grew up|moved?|moving"
    r"|relocat(?:ed|ing)|native|stationed|incarcerated|house|home|apartment|condo|cabin|farm|ranch|residence|hometown"
    r"|domiciled|settled|homeless)(?: [a-z-]+){0,4}? (?:in|of|to|from|near|outside|at)"
    r"|(?:flying|flies|flew|driving|drove)(?: in| up| down| over| back)? (?:from|to)|visiting|out of"
    r"|hometown(?: is|:)?|home city"
    r"|where:|venue:|location:|city:|town:|county:|birthplace:|place of birth:|state:|city is)"
    r"[ ]+(?:the )?(?:city of |town of |county of )?(?=[a-z])"
)
_LOCATIVE_WORDS = lexicon("places_locative_words")
_SURE_ENDINGS = (
    *("ville", "burgh", "bury", "shire", "chester", "borough", "mouth", "haven", "stad", "furt", "berg", "burg"),
)
_PREFIX = listed(
    """
    north south east west new lake port mount fort saint st mt ft san santa los las el la upper lower n s e w
    """
)
_PLAIN_PREFIX = listed("north south east west lake port")
_AFTER_PREFIX_NOT = lexicon("places_after_prefix_not")
_PIECES = lexicon("places_pieces")
"""Names of places that are pieces of other names, of institutions, or of clinical phrases."""
_NOT_AFTER = lexicon("places_not_after")
"""What stands after a place that names a disease or a thing: Glasgow Coma Scale, Lyme disease, Boston Scientific."""


def _is_word(name: str) -> bool:
    """A word of English that is no rare one: never a place by itself."""
    return name in _PIECES or len(name) < 4 or words().get(name, "9") <= "3"


class Places:
    """Finds places."""

    name: ClassVar[str] = "places"

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        text = Text.of(text)
        found = [*_with_states(text), *_listed(text), *_after_locatives(text)]
        return [*found, *_small_prefixes(text)]


def _small_prefixes(text: Text) -> Iterator[Span]:
    """From ft hood, near lake ioana, in west lothian: a word that towns begin with, in small letters or capitals."""
    tokens, low = text.tokens, text.lowered
    for at in text.where(_SMALL_PREFIX):
        if at == 0 or at + 1 >= len(tokens) or low[at - 1] not in _TOWARDS or gap(text, at - 1, at) != " ":
            continue
        if (not text.caseless and text.written[at].istitle()) or gap(text, at, at + 1) not in (" ", ". "):
            continue
        name = low[at + 1]
        listed_one = f"{low[at]} {plain(name)}" in places().marks and low[at] in (
            "st",
            "ft",
            "mt",
            "el",
            "san",
            "santa",
        )
        if listed_one or weight(name) == 3 or (weight(name) and low[at] in ("fort", "ft", "mount", "mt", "lake")):
            yield Span(tokens[at].start, tokens[at + 1].end, "PLACE", 0.56, "direction or water before a name")


_SMALL_PREFIX = listed("lake mount mt ft fort port north south east west new st san santa el la los las")
_TOWARDS = _PREPOSITIONS | listed("past toward towards round into past")


class State(NamedTuple):
    """A state in a note: its first token, the one after its last, and how it is written."""

    first: int
    after: int
    coded: bool


def _states(text: Text) -> Iterator[State]:
    """Codes in capitals, older abbreviations, and names."""
    tokens, low = text.tokens, text.folded
    for at in text.where(_STATE_WORDS):
        start, end, word = tokens[at]
        if word in _FIRST_OF_STATE:
            for name in _FIRST_OF_STATE[word]:
                if low.startswith(name, start) and not low[start + len(name) : start + len(name) + 1].isalnum():
                    yield State(at, at + name.count(" ") + 1, False)
                    break
        elif word in _CODES or word in _OLDER:
            zipped = text.caseless and _ZIP_AFTER.match(text, end)
            older = word in _OLDER and text[start].isupper() and low[end : end + 1] == "."
            small = text.caseless and word in _CODES and _behind_city(text, at)
            if older or small or (word in _CODES and (text[start:end].isupper() or zipped)):
                yield State(at, at + 1, True)


def _behind_city(text: Text, at: int) -> bool:
    """biloxi, ms in a note without case: a comma, and a city of the list right before it."""
    if at == 0 or text.gaps[at] != ", ":
        return False
    return any(" ".join(map(plain, text.lowered[max(0, at - many) : at])) in places().marks for many in (1, 2, 3))


def _with_states(text: Text) -> Iterator[Span]:
    """States, and the cities before them: a city, a comma and a state; or a city, a state and a ZIP code."""
    tokens = text.tokens
    for first, after, coded in _states(text):
        start, end = tokens[first].start, tokens[after - 1].end
        located = _located(text, first)
        if not coded and (text[start].isupper() or located):
            yield Span(start, end, "PLACE", 0.75, "state or province")
        if coded and located and tokens[first].lower in _SAFE_CODES and text.upper_share < 0.4:
            yield Span(start, end, "PLACE", 0.6, "code of a state")
        joint = gap(text, first - 1, first) if first else ":"
        zipped = _ZIP_AFTER.match(text, end) is not None
        if joint.strip(" \r\n") not in ("", ",") or not ("," in joint or zipped):
            continue
        begin = _city_start(text, first - 1, text.caseless and zipped)
        if text.caseless and not zipped:
            begin = _listed_start(text, first, begin)
        if begin < first and _is_city(text, begin, first, zipped or not coded):
            yield Span(tokens[begin].start, tokens[first - 1].end, "PLACE", 0.75, "city before a state")
            yield Span(start, end, "PLACE", 0.8, "state after a city")


def _listed_start(text: Text, first: int, begin: int) -> int:
    """The longest name of the list that ends before a state; else where it was thought to begin."""
    for count in (3, 2, 1):
        name = " ".join(map(plain, text.lowered[max(0, first - count) : first]))
        if (
            first >= count
            and name in places().marks
            and all(g in _INSIDE for g in text.gaps[first - count + 1 : first])
        ):
            return first - count
    return begin


def _is_city(text: Text, begin: int, state: int, sure: bool) -> bool:
    """Smith, MD and Jones, PA are people: a code that is a degree or a word wants a listed city, or "in" before it."""
    tokens = text.tokens
    name = " ".join(plain(token.lower) for token in tokens[begin:state])
    code = tokens[state].lower
    listed_city = name in places().marks
    enclosed = text.startswith(")", tokens[state].end) and text.startswith("(", tokens[begin].start - 1)  # (Erie, PA)
    if sure or (listed_city and (enclosed or code not in _DEGREES or name not in people() or _located(text, begin))):
        return True
    if code in _DEGREES or text.caseless or tokens[state - 1].lower[:3] in _SHORT_MONTHS:
        return False
    if code == "mo" and name in people():  # a medical officer
        return _located(text, begin)
    return code not in _CLINICAL or _located(text, begin)


def _located(text: Text, at: int) -> bool:
    """Does a preposition of place stand before a token, perhaps with "the" or "northern" between?"""
    tokens = text.tokens
    if at and tokens[at - 1].lower in _BETWEEN and gap(text, at - 1, at) == " ":
        at -= 1
    return at > 0 and tokens[at - 1].lower in _PREPOSITIONS and gap(text, at - 1, at) == " "


def _city_start(text: Text, at: int, any_word: bool = False) -> int:
    """The first token of a city's name that ends at a token; at + 1 if there is none. Any word will do before a ZIP."""
    tokens = text.tokens
    start = at + 1
    while start > 0 and at + 1 - start < 3:
        token = tokens[start - 1]
        if start <= at and gap(text, start - 1, start) not in (" ", "-", ". ", "'", "’"):
            break
        if not (is_capital(text, token) or any_word) or token.lower in SENTENCE_WORDS or token.lower in _WAYS:
            break
        if start <= at and gap(text, start - 1, start) == ". " and token.lower not in ("st", "ft", "mt"):
            break
        start -= 1
    return start


def _all_located(text: Text) -> set[int]:
    """The tokens before which a preposition of place stands."""
    lowered, gaps = text.lowered, text.gaps
    found = set()
    for at in text.where(_PREPOSITIONS):
        after = at + 1
        if after < len(gaps) and gaps[after] == " ":
            found.add(after)
            if lowered[after] in _BETWEEN and after + 1 < len(gaps) and gaps[after + 1] == " ":
                found.add(after + 1)
    return found


def _listed(text: Text) -> Iterator[Span]:
    """Names in the list, and words built like towns."""
    known, shout, lowered = places(), text.caseless, text.lowered
    located = _all_located(text)
    past = 0  # the token after the last name
    for at in range(len(lowered)) if shout else sorted({*text.capitals, *located, *text.where(known.large)}):
        if at < past:
            continue
        word = lowered[at]
        most = known.longest.get(word)
        if most:
            count, found = _from_list(text, at, most, at in located)
            past = at + count
            yield from found
        elif not shout and (at in located or _like_town(word)) and text.written[at][0].isupper():
            yield from _built(text, at, at in located)


def _from_list(text: Text, at: int, most: int, located: bool) -> tuple[int, list[Span]]:
    """The longest name of the list that begins here: how many tokens it has, and a span if it counts here."""
    tokens, lowered, gaps, known, shout = text.tokens, text.lowered, text.gaps, places(), text.caseless
    said = [lowered[at]]
    mark = known.marks.get(said[0], "")
    count = 1 if mark else 0
    most = min(most, len(lowered) - at)
    if most > 1 and gaps[at + 1] in _INSIDE and f"{said[0]} {plain(lowered[at + 1])}" in known.pairs:
        while len(said) < most and gaps[at + len(said)] in _INSIDE:
            said.append(plain(lowered[at + len(said)]))
        count, mark = known.at(said)
    if not count or (count == 1 and not located and _is_word(said[0])):  # the usual case, told quickly
        return count, _built(text, at, located) if located or _like_town(said[0]) else []
    start, end = tokens[at].start, tokens[at + count - 1].end
    capital = shout or all(text[t.start].isupper() for t in tokens[at : at + count] if len(t.lower) > 3)
    if count > 1:
        generic = all(word in _PREFIX or _is_word(word) for word in said[:count])
        if (
            capital
            and (shout or not shouted(text, tokens[at]))
            and (mark != "w" or located)
            and (not generic or located or mark == "*")
        ):
            return count, [Span(start, end, "PLACE", 0.72, "place of several words")]
        if (
            capital
            and generic
            and mark != "w"
            and not text.caseless
            and not shouted(text, tokens[at])
            and _mid(text, at)
        ):
            return count, [Span(start, end, "PLACE", 0.5, "place of several words inside a sentence")]
        return count, []
    name = said[0]
    if name in countries() or name in _LANGUAGES:
        return 1, []
    word = _is_word(name) or (at + 1 < len(tokens) and tokens[at + 1].lower in _NOT_AFTER)
    graded = text[end : end + 1] == " " and name in eponyms() and _GRADED.match(text, end) is not None
    if not located and (graded or (shouted(text, tokens[at]) and name == "lima" and not shout)):
        return 1, []  # Glasgow 10, LIMA-LAD
    if mark == "*" and not word and (capital or located):
        return 1, [Span(start, end, "PLACE", 0.68, "large place")]
    inside = located and tokens[at - 1].lower in ("in", "from", "near", "to", "outside") and not text.caseless
    telling = name not in _PIECES and len(name) > 3 and name not in words_never()
    if inside and capital and telling and not shouted(text, tokens[at]):
        sure = 0.66 if mark == "*" and not graded else 0.52
        return 1, [Span(start, end, "PLACE", sure, "place that is a word, after a preposition")]
    if capital and (located or _enclosed(text, at)) and not word and (mark != "w" or len(name) > 4):
        return 1, [Span(start, end, "PLACE", 0.62, "place after a preposition")]
    return 1, _built(text, at, located)


_GRADED = re.compile(
    r" (?:\d{1,2}(?![\d/]| ?[a-z]+ (?:St|Rd|Ave|Road|Street)\b)|[IV]+\b|Is\b|prep|biops|triage|scor|severe|mild"
    r"|moderate|stem|criteria|stag|scale|class|grade|in,|protocol)"
)
"""What stands after a place that names a scale."""
_LANGUAGES = TONGUES | lexicon("places_languages")
_ROOMS = listed("ed er icu ccu micu sicu nicu picu pacu or ct mri ir snf ltac rehab home hospice ward floor unit")
"""Where a patient is in a hospital: no place."""
_MID = re.compile(r"(?:[a-z,] |, |[|(] ?)\Z")


def _mid(text: Text, at: int) -> bool:
    """Inside a sentence, where no word has a capital without need."""
    start = text.tokens[at].start
    return _MID.search(text, max(0, start - 3), start) is not None


@cache
def words_never() -> frozenset[str]:
    """Words that begin sentences, and months: no places, whatever stands before them."""
    return SENTENCE_WORDS | CALENDAR | countries()


def _enclosed(text: Text, at: int) -> bool:
    """After a comma, and at the end of a line or before another comma: a line of an address."""
    tokens = text.tokens
    behind = text[tokens[at].end : tokens[at].end + 1]
    return at > 0 and gap(text, at - 1, at) == ", " and behind in ("", "\n", "\r", ",") and not text.caseless


def _like_town(word: str) -> bool:
    """North, Lake; or an ending that towns have."""
    return word in _PLAIN_PREFIX or word.endswith(_SURE_ENDINGS)


def _built(text: Text, at: int, located: bool) -> list[Span]:
    """Words built like places: North Michael, Lake Amanda."""
    tokens = text.tokens
    token = tokens[at]
    if not (located or _like_town(token.lower)) or shouted(text, token):
        return []
    if token.lower in _PLAIN_PREFIX and at + 1 < len(tokens):
        if gap(text, at, at + 1) == " " and _names_place(text, tokens[at + 1]):
            return [Span(token.start, tokens[at + 1].end, "PLACE", 0.6, "direction or water before a name")]
        return []
    return []


def _on_line(text: Text, at: int, end: int) -> int:
    """Where a run of capitalised words ends on its line, without the room or the count behind it."""
    for i in range(at + 1, end):
        if "\n" in text.breaks[i] or (". " in text.breaks[i] and text.lowered[i - 1] not in ("st", "mt", "ft")):
            end = i
            break
    while end > at + 1 and (text.lowered[end - 1] in _ROOMS or text.lowered[end - 1].isdigit()):
        end -= 1
    return end


def _names_place(text: Text, token: Token) -> bool:
    """Can it stand after "North" or "Lake"?"""
    written = text[token.start].isupper() and not shouted(text, token) and len(token.lower) > 2
    return written and token.lower not in _AFTER_PREFIX_NOT and token.lower not in SENTENCE_WORDS


def _after_locatives(text: Text) -> Iterator[Span]:
    """Capitalised words after "lives in"; in lower case, a name of the list."""
    tokens = text.tokens
    for match in text.cued(_LOCATIVE, _LOCATIVE_WORDS):
        at = text.starts.get(match.end())
        if at is None or tokens[at].lower in SENTENCE_WORDS:
            continue
        if text[tokens[at].start].isupper() and not text.caseless:
            if match[0].startswith(("visiting", "out")):
                continue
            end = _on_line(text, at, run_from(text, at, 4, (" ", "-", ". ", "'", "’")))
            name = " ".join(t.lower for t in tokens[at:end])
            if name in _ROOMS or name in countries():
                continue
            if not all(t.lower in SENTENCE_WORDS for t in tokens[at:end]):
                yield Span(tokens[at].start, tokens[end - 1].end, "PLACE", 0.64, "after words about living somewhere")
