"""Organisations that locate a person: hospitals, clinics, practices, employers, schools, care homes, pharmacies.

A capitalised name that ends in such a word ("Rice Medical Center", "Diaz Inc"), or that follows words such as "works
at" or "transferred from". Departments ("Pulmonary Clinic", "the hospital") are everywhere and locate nobody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from sharewell.notes.detectors.capitals import LOW_JOINERS, SENTENCE_WORDS, gap, is_capital, run_from
from sharewell.notes.detectors.institutions import acronyms, holy, homes, institutions
from sharewell.notes.engine.lexicons import people, words
from sharewell.notes.engine.spans import Span, Text
from sharewell.notes.engine.word_lists import TITLES, lexicon, listed

if TYPE_CHECKING:
    from sharewell.notes.engine.known_identifiers import Known

_HEADS = lexicon("organisations_heads")
_CERTAIN = listed(
    """
    hospital infirmary inc llc ltd corp corporation plc llp pllc gmbh university college academy elementary
    pharmacy hospice church
    """
)
_WEAK = lexicon("organisations_weak")
"""Heads that also stand in plain words ("Health System", "Times"): the word before them must be no word of medicine."""
_FORMS = listed("inc llc ltd co llp pllc pc")
_CASELESS = _CERTAIN | listed("clinic center centre memorial regional general school diner grocery trust lodge manor")
"""Heads that count where case tells nothing."""
_NAMING = listed(
    """
    community general regional memorial medical family high middle primary state county city st saint mercy
    """
)
_GENERIC = lexicon("organisations_generic")
_CUE = re.compile(
    r"\b(?:(?P<work>(?:works?|working|worked|employed|employment|job|volunteers?"
    r"|volunteered)(?: [a-z]+){0,6}? (?:at|for|by|with)|employer(?: is|:)?|retired (?:from|after [\w -]{2,20} at)|"
    r"(?:drives?|driving|drove|hauls?|hauling|cooks?|cooking|cleans?|welds?|paints?)(?: [a-z]+){0,3}? (?:for|at)|"
    r"travaille chez|arbeitet bei|trabaja (?:en|para)|lavora (?:a|presso|per|alla)|werkt bij|jobbar på|"
    r"occupation:[^\n]{0,30}? at|hired by|laid off (?:from|by)|fired from|career (?:at|with)|co-?workers? at|"
    r"(?:manager|teacher|nurse|engineer|driver|clerk|cashier|cook|foreman|welder|mechanic|supervisor|accountant"
    r"|technician|custodian|janitor|secretary|guard|lawyer|attorney|salesman|operator|assistant) (?:at|for|with))"
    r"|(?P<go>(?:transferred|transfer|referred|admitted|discharged|sent|presented|seen|evaluated|treated"
    r"|hospitalized|hospitalised|hospitalization|taken|brought|airlifted|flown|admission|stay|stayed"
    r"|follow(?:ed)?[- ]?up|followed|underwent|surgery|performed|delivered|born|records?|care|resident|resides"
    r"|lives|living|placed|facility|rehab|icu|ed|er|facility is|visit)"
    r"(?: [a-z]+){0,3}? (?:from|to|at|by|in|of)|(?:facility|hospital|clinic|pharmacy|school|employer|practice"
    r"|company|church|institution|location)(?: name)?(?: is| was|:)"
    r"|(?:attends|attending|student at|studies at|enrolled (?:at|in)|goes to|teaches at|teacher at"
    r"|graduated from|pupil at)))"
    r"[ ]+(?:the[ ]+)?(?=[a-z\d])"
)
_CUE_WORDS = lexicon("organisations_cue_words")
"""What the pattern above begins with."""
_FIRM = re.compile(r"\b([A-Z][\w’'-]{1,30}), ([A-Z][\w’'-]{1,30}),? (?:and|&) ([A-Z][\w’'-]{1,30})\b")
_FIRM_END = re.compile(r", [A-Z][\w’'-]{1,30},? (?:and|&) [A-Z]")
_OF = listed(
    """
    university college school hospital bank church city county town department museum academy diocese institute centre
    center port isle clinic temple parish archdiocese
    """
)
_MOVED = re.compile(
    r"(?:transferred|transfer|referred|sent|discharged|admitted|resident|attends|enrolled|student|teaches"
    r"|graduated|goes)\b"
)
_TITLES = TITLES | listed("rn np pa")
_CARE_JOINTS = (" ", "-", ". ", "'", "’", "", " & ")
_BACK_JOINTS = (" ", "-", ". ", "'", "’", " & ", ", ", "")
_LINKS = listed("and of for the de la")
_JOINTS = (" ", "-", ". ", "'", "’", "", " & ", ", ", "/")


class Organisations:
    """Finds organisations."""

    name: ClassVar[str] = "organisations"

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        text = Text.of(text)
        found = [*_by_head(text), *_by_cue(text), *_of_place(text), *_firms(text)]
        return [*found, *institutions(text), *holy(text), *homes(text), *acronyms(text)]


def _by_head(text: Text) -> Iterator[Span]:
    """Names that end in a word for an organisation: walk back over capitalised words from it."""
    tokens = text.tokens
    for at in text.where(_HEADS):
        token = tokens[at]
        if at == 0 or not (text.caseless or text[token.start].isupper()):
            continue
        if (
            at + 1 < len(tokens)
            and tokens[at + 1].lower in _HEADS
            and gap(text, at, at + 1) == " "
            and (text.caseless or text[tokens[at + 1].start].isupper())
        ):
            continue  # the last head of the run speaks for it
        start = _back(text, at)
        plain = _GENERIC if token.lower in _CERTAIN else _GENERIC | _HEADS
        telling = [t.lower for t in tokens[start:at] if t.lower not in plain and len(t.lower) > 1]
        if token.lower in ("ag", "co") and at - start < 2 and not text.startswith(".", token.end):
            continue  # silver in a dressing, an output of the heart
        shout = token.lower in _WEAK and text[tokens[start].start : token.end].isupper() and not text.caseless
        if not telling or (shout and not _own_line(text, start, at)):
            continue
        if text.caseless and token.lower not in _CASELESS:
            continue
        if token.lower in _WEAK and start + 1 == at and not _name_like(tokens[start].lower):
            continue
        certainty = 0.85 if token.lower in _CERTAIN else 0.72
        trust = _TRUST.match(text.folded, token.end)
        end = trust.end() if trust else token.end
        yield Span(tokens[start].start, end, "ORGANISATION", certainty, "name that ends like an organisation")


_TRUST = re.compile(r" (?:university )?nhs (?:foundation )?trust\b|,? (?:inc|llc|ltd)\b")


def _own_line(text: Text, start: int, at: int) -> bool:
    """A letterhead in capitals: a whole line that begins with a word English hardly knows."""
    first, last = text.tokens[start], text.tokens[at]
    alone = text[max(0, first.start - 1) : first.start] in ("", "\n") and text[last.end : last.end + 1] in (
        "",
        "\n",
        "\r",
    )
    return alone and at - start > 1 and words().get(first.lower, "9") > "4"


def _of_place(text: Text) -> Iterator[Span]:
    """University of …, Bank of …, Church of …"""
    tokens = text.tokens
    if text.caseless:
        return
    for at in text.where(_OF):
        if at + 2 < len(tokens) and tokens[at + 1].lower == "of" and text[tokens[at].start].isupper():
            place = tokens[at + 2]
            if tokens[at].lower == "church" and place.lower in _FAITHS:
                continue
            if is_capital(text, place) and place.lower not in SENTENCE_WORDS and place.lower not in _GENERIC:
                end = run_from(text, at + 2, 4, (" ", "-", ". ", "'", "’"))
                first = at - (at > 0 and gap(text, at - 1, at) == " " and text[tokens[at - 1].start].isupper())
                first += tokens[first].lower in SENTENCE_WORDS
                yield Span(tokens[first].start, tokens[end - 1].end, "ORGANISATION", 0.72, "institution of a place")


_FAITHS = listed("england scotland ireland wales sweden norway denmark")


def _firms(text: Text) -> Iterator[Span]:
    """Three surnames side by side: Bennett, Gardner and White."""
    for match in _FIRM.finditer(text) if _FIRM_END.search(text) else ():
        if all(name.lower() in people() for name in match.groups()):
            yield Span(*match.span(), "ORGANISATION", 0.5, "surnames side by side")


def _proper(said: list[str]) -> bool:
    """Two words that are not both of medicine, or one that English does not know."""
    known = words()
    plain = [word for word in said if word not in _GENERIC and word not in _HEADS]
    return len(plain) > 1 or any(known.get(word, "9") > "3" and not word.isdigit() for word in plain)


def _name_like(word: str) -> bool:
    """No common ending of medical and plain words."""
    return not word.endswith(
        (
            "ology",
            "ical",
            "ic",
            "al",
            "ary",
            "ing",
            "tion",
            "ment",
            "ive",
            "ous",
            "ics",
            "ness",
            "ity",
            "ed",
            "ly",
            "ies",
        )
    )


def _back(text: Text, at: int) -> int:
    """The first token of the capitalised run that ends before a head."""
    tokens = text.tokens
    start = at
    while start > 0 and at - start < 6:
        step = _step(text, start, at)
        if not step:
            break
        start -= step
    while start < at and (tokens[start].lower in LOW_JOINERS or (at - start > 1 and tokens[start].lower in _EDGES)):
        start += 1
    return start


_EDGES = lexicon("organisations_edges")
"""What stands before a name at the beginning of a sentence, with a capital."""


def _step(text: Text, start: int, at: int) -> int:
    """How many tokens further back a name may begin; 0: it begins here."""
    tokens = text.tokens
    between, before = gap(text, start - 1, start), tokens[start - 1]
    if between not in _BACK_JOINTS or (between == ". " and before.lower not in ("st", "mt", "ft", "s")):
        return 0
    if before.lower == "s":  # a possessive
        return int(start > 1 and gap(text, start - 2, start - 1) in ("'", "’"))
    if before.lower in _LINKS:  # "Fisher and Sons", "Our Lady of Mercy Hospital"
        ahead = tokens[start - 2] if start > 1 else before
        linked = between == " " and at > start and gap(text, start - 2, start - 1) in (" ", ", ")
        if before.lower in ("of", "the") and (before.lower == "the" or _person(text, start - 2)):
            return 0  # somebody of a house
        return 2 if linked and text[ahead.start].isupper() and ahead.lower not in SENTENCE_WORDS else 0
    if between == ", " and not (at > start and tokens[at].lower in _FORMS) and tokens[start].lower not in _FORMS:
        return 0
    named = is_capital(text, before) or (text.caseless and before.lower in _NAMING)
    return int(named and before.lower not in SENTENCE_WORDS)


def _person(text: Text, at: int) -> bool:
    """A surname, a ward or an occupation before "of"; no lady, heart or hospital."""
    word = text.tokens[at].lower
    if word in _OF or word in ("lady", "sisters", "house", "hospital", "heart", "church", "friends", "prince", "queen"):
        return False
    if at and text.tokens[at - 1].lower in people() and gap(text, at - 1, at) == " ":
        return True
    return word in people() or word in _EDGES or word in ("ward", "dr", "unit")


def _by_cue(text: Text) -> Iterator[Span]:
    """Names after words about work, care or school."""
    tokens = text.tokens
    for match in text.cued(_CUE, _CUE_WORDS):
        at = text.starts.get(match.end())
        if at is not None and tokens[at].lower not in SENTENCE_WORDS:
            end = _end_without_case(text, at) if text.caseless else _end_of_name(text, at, match)
            if end > at:
                yield Span(
                    tokens[at].start, tokens[end - 1].end, "ORGANISATION", 0.7, "after words about work, care or school"
                )


def _end_of_name(text: Text, at: int, cue: re.Match[str]) -> int:
    """The token after the name that begins at one; the same if it is no name of an organisation."""
    if not is_capital(text, text.tokens[at]):
        return at
    work = bool(cue["work"])
    end = run_from(text, at, 8, _JOINTS if work else _CARE_JOINTS)
    if work:
        end = _company_end(text, at, end)
    said = [token.lower for token in text.tokens[at:end]]
    if all(word in _GENERIC or word in _HEADS for word in said):
        return at
    moved = _MOVED.match(cue[0]) is not None and said[0] not in _TITLES and _proper(said)
    saint = said[0] in ("st", "mount", "saint") and len(said) > 1
    return end if work or moved or saint or said[-1] in _HEADS else at


def _end_without_case(text: Text, at: int) -> int:
    """Without capitals a name ends in a word for an organisation, at most five words on."""
    tokens = text.tokens
    end = best = at
    while end < len(tokens) and end - at < 5 and tokens[end].lower not in SENTENCE_WORDS:
        if end > at and gap(text, end - 1, end) not in _CARE_JOINTS:
            break
        end += 1
        if tokens[end - 1].lower in _HEADS and end - at > 1:
            best = end
    generic = all(token.lower in _GENERIC or token.lower in _HEADS for token in tokens[at:best])
    return at if generic else best


def _company_end(text: Text, at: int, end: int) -> int:
    """ "Bennett, Gardner and White" goes on over commas only if "and" closes the list, or a form of company ends it."""
    tokens = text.tokens
    joints = [gap(text, i, i + 1) for i in range(at, end - 1)]
    if ", " in joints and not any(
        token.lower in ("and", "inc", "llc", "ltd", "plc", "co", "sons", "group") for token in tokens[at:end]
    ):
        return at + joints.index(", ") + 1
    return end
