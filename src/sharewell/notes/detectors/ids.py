"""Numbers that stand for a person or a thing of theirs: record, account, plan, licence, vehicle, device, specimen.

A candidate holds a digit. It counts if words such as "MRN", "account" or "serial" stand before it, if its form is that
of an identifier (letters and many digits, a specimen's year and number, a national number, a card), or if the same
value was found elsewhere in the note. Names of users and files count too. Laboratory values, doses, spine levels, codes
of diseases, years, rooms and beds do not.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise
from string import ascii_letters, digits
from typing import TYPE_CHECKING, ClassVar

from sharewell.notes.detectors.identifier_forms import SPACED, TRAP, has_form, plausible
from sharewell.notes.detectors.identifier_words import AIRLINES, CLINICAL, PLAIN, STRONG, WEAK
from sharewell.notes.detectors.user_names import user_names
from sharewell.notes.engine.lexicons import words
from sharewell.notes.engine.spans import Span, Text
from sharewell.notes.engine.word_lists import listed

if TYPE_CHECKING:
    from sharewell.notes.engine.known_identifiers import Known

_CUES = STRONG | WEAK
_LINK = (
    r"(?:(?:no|nos|num|numbers?|nr|id|ids|is|was|are|code|ref|says|said|reads|of|on file|ending(?: in)?|ends(?: in)?|as"
    r"|document"
    r"|identification|plates?|card|tag|serial|lot|on|shows|changed to|now|s/n|sn|reg|licen[cs]e|record|account|acct)\b"
    r"(?!['’])|nº|n°|№|#|\([A-Za-z]{1,12}\))"
)
_STOP = (
    r"(?! ?(?:yo\b|y/o|y\.o|yrs?\b|years?|mg|mcg|ml\b|cc\b|kg|lbs?\b|cm\b|mm\b|bpm|units?|days?|weeks?|months?|hours?"
    r"|hrs?"
    r"|min|x\d|[mf]\b|%|am\b|pm\b)|[:/]\d|\.\d|, \d{1,2}\b|[a-z]* ?\d{4}\b(?<=(?:jan|feb|mar|apr|may|jun|jul|aug|sep"
    r"|oct|nov|dec)....))"
)
_CHUNK = (
    r"(?:[a-z]{0,6}\d[a-z\d]*(?:[-/._+][a-z\d]+)*(?:\([a-z\d]\))?"
    r"|[a-z]{1,6}(?:[-/._][a-z\d]+)*[-/._]\d[a-z\d]*(?:[-/._][a-z\d]+)*)"
)
_LONE = r"(?-i:[A-Z]{1,6})"
_AFTER = re.compile(
    rf"['’]?s?[ \t.:#()=/|,\"“-]{{0,5}}(?P<links>(?:{_LINK}[ \t.:#()=,\"“-]{{0,4}}){{0,3}})"
    rf"(?P<value>(?:{_LONE}[ /.-]{{1,2}})?{_CHUNK}(?![a-z\d])"
    rf"(?: (?:{_CHUNK}(?![\w]){_STOP}|{_LONE}(?= \d)|(?-i:[A-Z])(?![\w'’-])|(?-i:[A-Z]{{2}})(?=[;,.)\n]"
    rf"|$))){{0,5}})(?![%\w]|[/.-]\d)",
    re.IGNORECASE,
)
"""What stands after the name of an identifier: letters and digits in groups, "HBT 3390 17 552"."""
_EXPLICIT = re.compile(
    r"(?:\b(?:no|nos|num|numbers?|nr|id|ids|code|ref|serial|lot|sn|ending(?: in)?|ends in)\b|[#º°№])", re.IGNORECASE
)
_NO_VALUE = re.compile(
    r"(?:[a-z]{3}[ -])?(?:1[89]|20)\d\d|\d{1,2}[/.-]\d{1,2}[/.-](?:\d{2}|\d{4})|\d{1,2}[:.]\d\d(?::\d\d)?(?: ?[ap]m)?"
    r"|\d{1,3}(?:\.\d+)?"
    r"(?:-\d{1,3}(?:\.\d+)?)?[a-z]?|\d{2,3}/\d{2,3}|\d+\.\d+|\d{1,2}(?:st|nd|rd|th)|[a-z]+-?1?\d|\d+-\d+\.\d+"
    r"|(?:\d{1,2} )?[a-z]\d\d\.\w{1,4}|[tlcs]\d{1,2}(?:-[tlcs]?\d{1,2})?|\d{1,2}/\d{1,2}|(?:1[89]|20)\d\d[-/](?:0?\d"
    r"|1[0-2])[-/][0-3]?\d.*|\d+x\d+\w*"
    r"|\d{1,2} ?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*.*|(?:bp|hr|rr|spo2|temp|hb|wbc|inr|hba1c"
    r"|a1c)[ -]?\d{2,3}\b.*"
    r"|(?:1[89]|20)\d\d-(?:1[89]|20)\d\d|\d+(?:mg|ml|mcg|g|kg|cm|mm|cc|fr|ga?|mhz|hz|v|ma|ms)",
    re.IGNORECASE,
)
_MEASURE = re.compile(
    r" ?(?:mg|mcg|[µμ]g|ug|ml|cc|g\b|gm|kg|units?\b|iu\b|u/|meq|mmol|mol|cells|copies|cfu|/(?=[a-z])|%|x ?10|k\b|per "
    r"|steps|miles"
    r"|dollars|usd|eur|bpm|mmhg|mm\b|cm\b|ng|pg|fl\b|iu/|years?|yrs?|days?|weeks?|hours?|hrs?|minutes?|mins?|degrees"
    r"|ppm|hz|kcal"
    r"|cal\b|lbs?\b|litres?|liters?|pounds?|euros?|rupees|tablets?|tabs?\b|capsules?|caps\b|doses?|patients|people"
    r"|rpm|watts?|j\b"
    r"|calories|pack|cigarettes|times|nm\b|kpa|cmh2o)"
)
_MORE = re.compile(
    rf"(?:,| ?/| ?&| ?\+|,? and|,? or| to| not|;| →| ->) ?(?:#"
    rf"|no\.? )?(?P<value>(?:(?-i:[A-Z]{{2,4}}) )?{_CHUNK})(?![\w%]|[/.-]\d)",
    re.IGNORECASE,
)
_DATED = re.compile(r" (?:(?:19|20)\d\d-\d\d?-\d\d?|\d\d?[/.]\d\d?[/.]\d{2,4})$")
"""DOS 2025-07-10: a word, and a date."""
_LONE_WORD = re.compile(r"([A-Z]+)(?: |\. )(?=[A-Z\d])")
_VITALS = re.compile(
    r"(?<=\d )(?:HR|BP|RR|PR|CFR|USC|SpO2|O2|Hz|Fr|FR)\b|^\d{1,3}\.\d+(?:-\d+\.\d+|$| )|^\d{1,2} [012]\d[0-5]\d$"
)
"""Vital signs, ranges of a laboratory, laws, a bed and an hour: what follows the word is no identifier."""
_GROUPED = re.compile(r"(?<![\w.,/$-])\d{3,6}(?: \d{3,6}){2,4}(?![\w.,])|(?<![\w.,/$-])\d(?: \d){5,}(?![\w.,])")
_HASH = re.compile(r"#(?<!\w#) ?(?P<value>[a-z]{0,5}-?\d[a-z\d]*(?:[-/][a-z\d]+)*)(?![\w%])")
_PLATE = re.compile(
    r"\b(?:plates?|licen[cs]e plate|tag|rego|reg|registration|number ?plate)\b[ :#(]*(?:(?:no|number|is|reads"
    r"|was)\b[ .:#]*)?"
    r"(?P<plate>(?=[a-z -]{0,5}\d)[a-z\d]{1,4}[ -]?[a-z\d]{2,4}(?:[ -][a-z\d]{1,4})?)\b"
)
_CARS = listed(
    """
    car van minibus bus coach truck suv taxi cab sedan bike motorcycle motorbike lorry buick ford toyota honda kia
    chevy chevrolet dodge
    nissan tesla bmw audi fiat jeep mazda volvo vw golf polo swift corolla civic camry accord prius hilux ranger
    pickup minivan vehicle mercedes renault peugeot citroen skoda seat opel vauxhall hyundai subaru suzuki mitsubishi
    lexus ute scooter moped rig trailer tractor hatchback estate saloon jaguar rover mini focus fiesta astra corsa
    yaris maruti tata mahindra rickshaw auto

    """
)
_VEHICLE = re.compile(
    r"[ ,(:]{1,2}(?:[A-Z][a-z]+ (?:plates? )?)?"
    r"(?P<plate>(?=[A-Z -]*\d)[A-Z\d]{1,4}[ -][A-Z\d]{2,4}(?:[ -][A-Z\d]{1,4}){0,2}"
    r"|(?=[A-Z]*\d)(?=\d*[A-Z])[A-Z\d]{6,8})\b"
)
_USER = re.compile(
    r"\b(?P<cue>user ?name|user ?id|login(?: name| id)?|logon|screen ?name|logged in as(?: user)?|user|handle"
    r"|gamertag|insta(?:gram)?"
    r"|twitter|tiktok|snap(?:chat)?|telegram|skype|discord|wechat|kik|reddit|facebook|fb|signed in as|healthlink)"
    r"(?: (?:name|id|handle|is|was|as|acct|account))?[:=]? ?[\"'“@]?"
    r"(?P<user>[a-z][\w.-]*\w)(?![\w@])"
)
_USER_WORDS = listed(
    """
    user username userid login logon screen logged handle gamertag insta instagram twitter tiktok snap snapchat
    telegram skype discord wechat kik reddit facebook fb signed healthlink

    """
)
_SPEAKER = re.compile(r"\[(?:\d{1,2}/\d{1,2}[ ,]+)?\d{1,2}:\d\d(?::\d\d)?\]\s(?P<user>[a-z][\w.-]*):")
"""Who speaks in a log of messages."""
_UNDERSCORE = re.compile(r"(?<![\w./@-])[a-z\d]+(?:[._][a-z\d]+)+(?![\w@]|\s?[=(\[\"])")
_FILE = re.compile(
    r"(?<![\w/@])[\w()-]+(?:\.[\w()-]+){0,4}\.(?:pdf|docx?|jpe?g|png|dcm|tiff?|xlsx?|csv|txt|mp[34]|wav|zip|xml|json"
    r"|heic|hl7|rtf"
    r"|avi|mov|edf|nii|gz|bmp|gif|eml|msg|m4a)\b"
)
_FILE_END = re.compile(
    r"\.(?:pdf|doc|jpe?g|png|dcm|tif|xls|csv|txt|mp[34]|wav|zip|xml|json|heic|hl7|rtf|avi|mov|edf|nii|bmp|gif|eml|msg"
    r"|m4a)"
)
_LETTERED = re.compile(
    r"\b(?:(?:bic|swift)(?:[ /-](?:bic|swift|code))?[ :.#]*(?P<bic>(?-i:[A-Z]{6}[A-Z\d]{2}(?:[A-Z\d]{3})?"
    r"|[a-z]{6}[a-z\d]{2}))"
    r"|(?:pnr|(?:record )?locator|booking(?: (?:ref(?:erence)?|code))?|reservation(?: code)?"
    r"|confirmation(?: code)?)(?: is"
    r"| no\.?|:|#)*"
    r" (?P<pnr>(?-i:[A-Z\d]{6}))"
    r"|(?:tail|aircraft|helicopter|helo|heli|plane|jet|callsign|registration|air ambulance|fixed wing|rotor)"
    r"(?: (?:no\.?|number|reg|is))*[ :,(#]{1,2}"
    r"(?P<tail>n\d{1,5}[a-z]{0,2}|[a-z]{1,2}-[a-z]{3,4}|[a-z]{1,2}\d?-[a-z\d]{3,4})"
    r"|(?:flight|flt|flug|vol|vuelo)(?: (?:no\.?|number|is|on))?[ :#]{1,2}(?P<flight>(?-i:[A-Z]{1,3}|[a-z]{2}|[A-Z]\d"
    r"|\d[A-Z])[ -]?\d{1,4})"
    r"|(?:pc|wpc|dc|ds|det|const|constable|officer|trooper|sgt|deputy"
    r"|detective)\.?(?-i:(?: [A-Z][\w'’-]+){1,2}),? #?(?P<badge>\d{3,6}[a-z]{0,2}|[a-z]{1,2}\d{3,5})"
    r"|(?:cvv2?|cvc|security code)(?: (?:is|code|number))?[ :#]{1,2}(?P<cvv>\d{3,4})"
    r"|sort(?:ing)?(?: ?code)?(?: is|:)? ?(?P<sort>\d\d[- ]?\d\d[- ]?\d\d))(?!\w)",
    re.IGNORECASE,
)
_LETTERED_WORDS = listed(
    """
    bic swift pnr record locator booking reservation confirmation tail aircraft helicopter helo heli plane jet
    callsign registration air fixed rotor flight flt flug vol vuelo cvv cvv2 cvc security sort sorting sortcode pc wpc
    dc ds det const constable officer trooper sgt deputy detective

    """
)
_REACH = 40
"""A candidate has its first digit within so many characters."""
_SIGNS = frozenset("-/_.:()#")
_RUN = re.compile(r"[\w/.:()#-]{0,64}")


class Ids:
    """Finds identifying numbers."""

    name: ClassVar[str] = "ids"

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        text = Text.of(text)
        if not text.digits:
            return [*_named_users(text), *user_names(text)]
        runs: list[tuple[int, int]] = []
        found = [*_after_names(text), *_by_form(text, runs), *_named_users(text), *_special(text), *_flights(text)]
        found += user_names(text)
        return [*found, *_again(text, found, runs)]


def _after_names(text: Text) -> Iterator[Span]:
    """Values after the name of an identifier, and further ones of the same shape in a row."""
    past, digits = -1, text.digits
    german = "nr" in text.folded or "nummer" in text.folded
    numbers = {name for name in text.words if name.endswith(("nummer", "nr")) and len(name) > 4} if german else ()
    for at in sorted([*text.where(_CUES.union(numbers) if numbers else _CUES), *_slashed(text)]):
        _, end, word = text.tokens[at]
        near = bisect_right(digits, (end, 0))
        if near == len(digits) or digits[near][0] > end + _REACH:
            continue
        match = _AFTER.match(text, end)
        if not match or match.start("value") < past or not _is_value(text, match, word):
            continue
        first, past = match.span("value")
        lone = _LONE_WORD.match(match["value"])
        if lone and lone[1].lower() in _CUES and lone[1] != "SN":
            first += lone.end()
        certainty = 0.88 if word in STRONG else 0.86 if past - first > 5 else 0.83
        yield Span(first, past, "ID", certainty, "number after the name of an identifier")
        shape = _shape(match["value"])
        while (more := _MORE.match(text, past)) and _is_like(more["value"], shape):
            yield Span(*more.span("value"), "ID", 0.8, "one more number after the name of an identifier")
            past = more.end()
    for match in _HASH.finditer(text.folded) if "#" in text else ():
        value = match["value"]
        if sum(map(str.isdigit, value)) >= 4 or (len(value) >= 4 and not value.isdigit()):
            yield Span(*match.span("value"), "ID", 0.7, "number after a sharp")
    yield from _grouped(text)


def _is_like(value: str, shape: str) -> bool:
    """Of the same shape, or as much of letters and digits."""
    mine = _shape(value)
    if value.partition(" ")[0].lower() in _CUES or _DATED.search(value):
        return False
    return len(shape) > 3 and (
        mine == shape or bool(_CODE.fullmatch(value)) or (mine.count("0") > 4 and "A" in mine and "A" in shape)
    )


def _slashed(text: Text) -> Iterator[int]:
    """The last letters of "S/N" and "I/C"."""
    for word, before in (("n", "s/"), ("c", "i/")):
        for at in text.positions.get(word, ()):
            start = text.tokens[at].start
            if text.folded[max(0, start - 2) : start] == before and not text.folded[start - 3 : start - 2].isalnum():
                yield at


def _grouped(text: Text) -> Iterator[Span]:
    """Groups of digits alone: tried where a blank and more digits follow a number."""
    low, past = text.folded, 0
    for (start, end), (after, _) in pairwise(text.digits):
        if after == end + 1 and low[end] == " " and start >= past and (match := _GROUPED.match(low, start)):
            past = match.end()
            if match[0][1] == " " or sum(map(str.isdigit, match[0])) >= 12:
                yield Span(start, past, "ID", 0.8, "groups of digits")


def _measured(text: str, end: int) -> bool:
    """Does a unit follow?"""
    after = text[end : end + 16].lower()
    return (after[:1] in _UNIT_SIGNS or after[:1].isalpha()) and _MEASURE.match(after) is not None


_UNIT_SIGNS = frozenset(" /%")


def _is_value(text: Text, match: re.Match[str], word: str) -> bool:
    """Long enough for an identifier, or shorter after words that leave no doubt; no measure, date, clock or year."""
    value = match["value"]
    digits = sum(map(str.isdigit, value))
    letters = sum(map(str.isalpha, value))
    between = text[match.start() : match.start("value")]
    explicit = _EXPLICIT.search(between) is not None
    if word == "ending" and not re.match(r" (?:in )?\d{4}$", text[match.start() : match.end()]):
        return False
    if _measured(text, match.end()) or value.count(".") > 2 or _VITALS.search(value):
        return False
    if _NO_VALUE.fullmatch(value) and not (digits > 4 and value[:-1].isdigit() and value[-1].isalpha()):
        if value[0] == "0" and digits >= 5 and "-" in value:
            return True
        sure = (word in STRONG or word in _LETTERS) and (
            explicit or word in _SHORT_ONES or value[0] == "0" or digits >= 5
        )
        if explicit and digits == 3 and value.isdigit() and word in _BOOKS:
            return True
        return sure and digits >= (2 if explicit and word in _SHORT_ONES else 3) and not re.search(r"[/:.]", value)
    if max(map(len, re.findall(r"\d+", value))) < 3 and digits < 6 and " " in value:
        return False
    if word in STRONG or word in _LETTERS or (explicit and word not in PLAIN):
        return digits >= 3 or (digits >= 2 and letters >= 1 and len(value) >= 4)
    if ("\n" in between and digits < 6) or (word in _HOURS and _SHIFT.fullmatch(value)):
        return False
    if digits >= 5 or (digits == 4 and (letters > 0 or "-" in value or "/" in value or word in ("id", "card"))):
        return True
    if digits == 4 and (word in PLAIN or word in _FOUR) and value.isdigit() and int(value) % 50:
        return True
    if word in _CODED and _SHORT_CODE.fullmatch(value):
        return True
    return bool(_CODE.fullmatch(value)) and value.partition("-")[0].lower() not in CLINICAL


_LETTERS = frozenset("nc")
_BOOKS = listed("book booklet register file folder ticket claim voucher card locker key form slip kit sample tube")
"""What is numbered from one on: their numbers are short."""
_FOUR = listed("safe keysafe cheque docket custody receipt locker")
_CODE = re.compile(
    r"[A-Z]{2,4}-\d{2,3}|[A-Z]-\d{3}|(?=(?:[A-Z]*\d){3})(?=[A-Z\d]{5})(?:\d+[A-Z]+\d[A-Z\d]*|[A-Z]+\d+[A-Z]+\d[A-Z\d]*)"
)
_SHORT_CODE = re.compile(r"[A-Z]{1,4}-?\d{3,4}")
_CODED = listed("code id ids ref tech technician operator workstation guard straw jar locker tag")
_HOURS = listed(
    """
    film phone scan mri ct report exam event note visit shift rota theatre clinic call run trip service unit site case
    hospital
    """
)
_SHIFT = re.compile(r"\d{1,2}/\d{1,2} [0-2]\d[0-5]\d|[0-2]\d[0-5]\d(?:h|hrs|-[0-2]\d[0-5]\d)")
_SHORT_ONES = listed(
    "mrn pin badge pc wpc lot pin constable officer passport ending bleep shield collar csn mrns tag bib"
)


def _by_form(text: Text, runs: list[tuple[int, int]]) -> Iterator[Span]:
    """Runs of letters and digits, and groups with blanks, that are identifiers without any name before them. What is
    none by its form alone is added to `runs`."""
    low, past = text.folded, 0
    for digit, until in text.digits:
        if digit < past:
            continue
        before, after = low[digit - 1 : digit], low[until : until + 1]
        if until - digit < 5 and not (before.isalnum() or after.isalnum() or before in _SIGNS or after in _SIGNS):
            past = until  # a short number by itself, as most are
            continue
        first = digit
        while first > past and digit - first < _REACH and (low[first - 1].isalnum() or low[first - 1] in _SIGNS):
            first -= 1
        past = _RUN.match(low, digit).end()  # type: ignore[union-attr]
        start, end = _trimmed(low, first, past)
        if end - start < 5 or low[start - 1 : start] in ("$", "£", "€", "@", "+", "%") or low[end : end + 1] == "@":
            continue
        if low[start - 1 : start] == "," and low[start - 2 : start - 1].isdigit() and low[start : start + 3].isdigit():
            continue
        if low[end : end + 1] == "," and low[end + 1 : end + 4].isdigit() and end - start < 4:
            continue
        if _measured(low, end) or TRAP.fullmatch(low, start, end):
            continue
        if has_form(text[start:end], low[start:end]):
            yield Span(start, end, "ID", 0.6, "form of an identifier")
        else:
            runs.append((start, end))
    for match in _groups(text):
        if plausible(match) and not _measured(low, match.end()):
            name, _, rest = match[0].partition(" ")
            start = match.end() - len(rest) if name.lower() in _CUES else match.start()
            yield Span(start, match.end(), "ID", 0.58, "groups of an identifier")


def _groups(text: Text) -> Iterator[re.Match[str]]:
    """Matches of the pattern of groups: tried where a group with digits is, and at short groups before it."""
    tokens, starts, past, done = text.tokens, text.starts, 0, -1
    for digit, _ in text.digits:
        at = starts[digit] if digit in starts else bisect_right(tokens, (digit + 1,)) - 1
        here = tokens[at][0]
        for start in _group_starts(text, at) if here >= past else ():
            if start >= past and start > done and (match := SPACED.match(text, start)):
                past = match.end()
                yield match
                break
        done = here - 2


def _group_starts(text: Text, at: int) -> list[int]:
    """Where groups may begin that hold the digits of a token: two or one short tokens in capitals before it, the token,
    or a bracket right before it."""
    start, end, _ = text.tokens[at]
    found = []
    if start > 1 and text[start - 2].isupper() and text[start - 1] == " ":
        for first, last, _ in text.tokens[max(0, at - 2) : at]:
            if last - first < 5 and text[first].isupper() and text[last] == (" " if last == start - 1 else "-"):
                found.append(first)
    if text[start].isupper() or (text[end : end + 1] == " " and text[end + 1 : end + 2].isdigit()):
        found.append(start)
    if text.startswith("(01)", start - 1):
        found.append(start - 1)
    return found


def _trimmed(low: str, start: int, end: int) -> tuple[int, int]:
    """Without signs around; brackets stay if both are inside."""
    while end > start and low[end - 1] in "-/_.:(#":
        end -= 1
    while start < end and (
        low[start] in "-/_.:)#" or (low[start] == "(" and low.find(")", start, end) in (-1, end - 1))
    ):
        start += 1
    while end > start and (low[end - 1] in "-/_.:(#" or (low[end - 1] == ")" and "(" not in low[start:end])):
        end -= 1
    return start, end


def _named_users(text: Text) -> Iterator[Span]:
    """Names of users after a word that says so, words with an underscore, and files."""
    low = text.folded
    for match in text.cued(_USER, _USER_WORDS):
        user = match["user"]
        odd = any(sign.isdigit() or sign in "_." for sign in user)
        if odd or (len(user) > 3 and words().get(user, "9") > "3" and not user.endswith(("ing", "ed", "s"))):
            yield Span(*match.span("user"), "ID", 0.8 if odd else 0.6, "name of a user")
    for match in _SPEAKER.finditer(low) if "[" in low else ():
        user = match["user"]
        if len(user) > 3 and ("_" in user or words().get(user, "9") > "3"):
            yield Span(*match.span("user"), "ID", 0.6, "name of a user")
    for match in _UNDERSCORE.finditer(low) if "_" in low else ():
        parts = [part for part in re.split("[._]", match[0]) if part]
        if "_" not in match[0]:
            continue
        if low[match.end() : match.end() + 1] == ":" and match[0].replace("_", "").isalpha():
            continue  # the name of a field
        if any(
            len(part) > 2 and words().get(part.strip("0123456789"), "9") > "4" for part in parts if not part.isdigit()
        ):
            yield Span(*match.span(), "ID", 0.6, "name with an underscore")
    for match in _FILE.finditer(low) if _FILE_END.search(low) else ():
        if any(sign.isdigit() or sign in "_-" for sign in match[0].rpartition(".")[0]):
            yield Span(*match.span(), "ID", 0.7, "name of a file")


def _special(text: Text) -> Iterator[Span]:
    """Plates, bank codes, bookings, aircraft, flights."""
    low = text.folded
    for match in text.cued(_PLATE, _PLATE_WORDS):
        start, end = match.span("plate")
        while (last := low[start:end].rpartition(" ")[2]).isalpha() and words().get(last, "9") < "3":
            end -= len(last) + 1
        if not _NO_VALUE.fullmatch(text, start, end):
            yield Span(start, end, "ID", 0.85, "plate of a vehicle")
    tokens, past = text.tokens, 0
    for at in text.where(_CARS):
        if car := _VEHICLE.match(text, tokens[at][1]):
            yield Span(*car.span("plate"), "ID", 0.7, "plate of a vehicle")
    for at in text.where(_LETTERED_WORDS):
        start = tokens[at][0]
        if start >= past and (code := _LETTERED.match(text, start)):
            past = code.end()
            kind = code.lastgroup or ""
            if kind == "pnr" and not any(map(str.isdigit, code[kind])) and words().get(code[kind].lower(), "9") < "4":
                continue
            yield Span(*code.span(kind), "ID", 0.87, "code after its name")


def _flights(text: Text) -> Iterator[Span]:
    """KL 1042 where words about flying stand near: a code of an airline and a number."""
    if text.words.isdisjoint(_FLYING):
        return
    for start, end in text.digits:
        first = start - 1 if text[start - 1 : start] == " " else start
        code = text[max(0, first - 2) : first]
        if end - start < 2 or end - start > 4 or code not in AIRLINES or text[max(0, first - 3) : first - 2].isalnum():
            continue
        near = text.folded[max(0, start - 70) : start + 50]
        if not text[end : end + 1].isalnum() and not _FLYING.isdisjoint(re.findall("[a-z]+", near)):
            yield Span(first - 2, end, "ID", 0.62, "number of a flight")


_FLYING = listed(
    """
    fly flies flew flying flown flight flights land lands landed landing airport airline airlines plane gate boarding
    arrive arrives arrived arriving reaches departs departing departure terminal layover off jet
    """
)
_PLATE_WORDS = listed("plate plates license licence tag rego reg registration number numberplate")


def _shape(value: str) -> str:
    return value.translate(_SHAPES)


_SHAPES = {ord(sign): "0" if sign in digits else "A" for sign in digits + ascii_letters}


def _again(text: Text, found: list[Span], runs: list[tuple[int, int]]) -> Iterator[Span]:
    """The same value once more, and what has the shape of an identifier of the note (44-71-90, 4471-K) is one too."""
    values = {text[span.start : span.end] for span in found if span.certainty >= 0.6}
    shapes = {_shape(value) for value in values}
    for start, end in runs:
        shape = _shape(text[start:end])
        if text[start:end] in values:
            yield Span(start, end, "ID", 0.58, "a value found elsewhere in the note")
        elif (
            shape in shapes
            and shape.count("0") >= 3
            and len(set(shape)) > 1
            and not _NO_VALUE.fullmatch(text, start, end)
        ):
            yield Span(start, end, "ID", 0.58, "shape of an identifier of the note")
