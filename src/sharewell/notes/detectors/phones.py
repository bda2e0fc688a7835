"""Telephone, fax and pager numbers.

Ten digits in the groups of a North American number, an international number after +, and shorter or looser groups of
digits where "phone", "call", "fax", "pager" or "ext" stand before them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from sharewell.notes.engine.spans import Span, Text
from sharewell.notes.engine.word_lists import listed

if TYPE_CHECKING:
    from sharewell.notes.engine.known_identifiers import Known

_EXT = (
    r"(?:[ ,]{0,2}(?:x|ext?n?\.?|extension|poste|option|durchwahl|dw|ramal|anexo|samb\.?|lok\.?|linka"
    r"|int(?:erno)?\.?|toestel|nst\.?"
    r"|app\.?)[ :.#]{0,2}"
    r"\d{1,6}\b|(?!\w|[-./]\d))"
)
_WHOLE = re.compile(
    r"(?<![\w./+-])(?:\+?1[-. ]{0,2})?(?:\(\d{3}\)[-. /]{0,2}|\d{3}[-./ ]\s?|\d{3} - )"
    rf"\d{{3}}(?:[-. ]| - )\d{{4}}{_EXT}"
    rf"|(?<![\w./+-])(?:\(? ?\d{{3}} ?\) {{0,2}}|\d{{3}} ?[-.] ?)\d{{3}} ?[-.] ?\d{{4}}{_EXT}"
    rf"|(?<![\w.])\+ ?\d{{1,3}}[-. ]?(?:\(\d{{1,4}}\)[-. ]?)?\d(?:[-. /]{{0,2}}\d){{5,12}}{_EXT}"
    rf"|(?<![\w./-])001[- ]\d{{3}}[- ]\d{{3}}[- ]\d{{4}}{_EXT}"
    rf"|(?<![\w./+-])0\d{{1,4}}(?P<gap>[ .-])\d{{2,4}}(?P=gap)\d{{2,4}}(?:(?P=gap)\d{{2,4}}){{0,2}}(?!/){_EXT}"
    rf"|(?<![\w./+-])0\d{{3,4}} \d{{6}}(?!/| \d){_EXT}"
    rf"|(?<![\w./+-])00[1-9]\d{{0,2}}(?:[ .-]?\(0\))?(?:[ .-]\d{{1,4}}){{2,5}}(?!/){_EXT}"
    rf"|(?<![\w./+-])\(0\d{{1,4}}\)[ -]?\d{{2,8}}(?:[ .-]\d{{2,4}}){{0,3}}(?!/){_EXT}"
    r"|(?<![\w./+-])\d{3} \d{3} \d{3}(?![\w/]|[ .-]\d)"
    rf"|(?<![\w./+-])0\d{{1,4}} ?[/–-] ?(?:\d{{5,8}}|\d{{3,4}}(?:[ -]\d{{2,4}}){{1,3}})(?!/){_EXT}"
    rf"|(?<![\w./+-])0\d{{1,4}} \d{{2,4}}[- ]\d{{2,4}}(?:[- ]\d{{2,4}})?(?!/){_EXT}"
    rf"|(?<![\w./+-])0\d{{1,3}}[ -]\d{{6,8}}(?!/| \d){_EXT}"
    rf"|(?<![\w./+-])[6-9]\d{{4}}[ -]\d{{5}}(?!/| \d){_EXT}"
    rf"|(?<![\w./+-])(?:\(\d\d\) ?|\d\d )9?\d{{4}}[- ]\d{{4}}(?!/| \d){_EXT}"
    rf"|(?<![\w./+-])1[3-9]\d[ -]\d{{4}}[ -]\d{{4}}(?!/| \d){_EXT}"
    rf"|(?<![\w./+-])[1-9]\d\d \d\d \d\d \d\d(?!/| \d){_EXT}"
    rf"|(?:(?<=\bon )|(?<=\btel )|(?<=\btlf )|(?<=\btlf\. )|(?<=\btel\. )|(?<=[(]))\d\d \d\d \d\d \d\d(?!/| \d){_EXT}"
    rf"|(?<![\w./+-])0\d{{4}} \d{{4,5}}(?!/| \d|\d| ?(?:mg|ml|units)){_EXT}"
    rf"|(?<![\w./+-])[78][ -]\(?\d{{3}}\)?[ -]\d{{3}}[ -]\d\d[ -]\d\d(?!/){_EXT}"
    rf"|(?<![\w./+-])1[38]00 ?\d{{3}} ?\d{{3}}(?!/| \d){_EXT}|(?<![\w./+-])13 \d\d \d\d(?!/| \d){_EXT}"
)
_FREE = listed("800 888 877 866 855 844 833 1300 1800 0800 0300")
_VANITY = re.compile(r"\d{3,4}[- ](?=[a-z\d-]{0,6}[a-z]{3})(?:[a-z\d]{2,5}-[a-z\d]{2,5}|(?<=-)[a-z]{6,9})\b")
"""A free number in letters: 1-800-GET-WELL."""
_SEVEN = re.compile(rf"(?<![\w./$:-])\d{{3}}[-.]\d{{4}}(?!%|\s?(?:mg|ml|units|cal)){_EXT}")
_INSIDE = re.compile(r"(?<![\w./$:,-])[1-9]-[1-9]\d{3}(?![\w%/-]|[.,]\d| ?(?:mg|ml|units|kcal|cal|steps|u\b|iu\b|cc))")
"""A number inside the house: 3-5518."""
_EIGHT = re.compile(
    r"(?<![\w./$:,-])[2-9]\d{3}[ -]\d{4}(?![\w%/-]|[.,]\d| \d| ?(?:mg|ml|units|kcal|cal|steps|hrs?|h\b))"
)
_TIME_OF_DAY = re.compile(r"(?:[01]\d|2[0-3])[0-5]\d")
_LOOSE = re.compile(rf"(?<![\w$])[+(]?\d(?:[-. ()/]{{0,2}}\d){{2,15}}(?![.,]\d|\s?(?:mg|ml|units|%)){_EXT}")
_CUE = re.compile(
    r"(?:\b(?:phone|phones|telephone|tel|ph|mobile|cell|cellular|fax|pager|beeper|paged?|call(?:ed|ing)?(?: back)?"
    r"|text(?:ed|s)?|dial(?:ed)?|reach(?:ed|able)?|contact(?:ed|able)?|home|work|voicemail|vm|whatsapp|viber|signal"
    r"|imessage|hotline"
    r"|callback|number|numbers|line|extension|ext|ring|rang|rung|phoned|cb|answer(?:ing)?|messages?|sms|mms"
    r"|registered|desk|office"
    r"|enquir(?:y|ies)|inquir(?:y|ies)|landline|mob|cel|celular|handy|gsm|hp|switchboard|reception|secretary"
    r"|bookings?|queries"
    r"|helpline|telefon\w*|t[ée]l[ée]?phone|portable|móvil|movil|fijo|telemóvel|telemovel|cellulare|mobil|puhelin"
    r"|telefoon"
    r"|facsimile|telefax|rappel|nok|kin|emergency contact|direct|toll[- ]free|freephone|out of hours|ooh)\b|☎|📞|✆"
    r"|\b[htcfpmw]:)"
    r"[ .:#'’)]*(?:(?:no|number|num|nr|\(?[cmhwof]\)?|is|at|on|me|him|her|us|them|me at|him at|her at|was|to|of"
    r"|days|nights|evenings?|line|direct|preferred|alt|alternate|"
    r"this|my|the|back|and|or|s|desk|office|home|work|unit|nurse|\d{4,}|same|under|mum|mom|dad|wife|husband|son"
    r"|daughter)"
    r"[ .:#()-]*){0,4}$"
)
_LABEL = re.compile(r"[- ]?\(?(?:office|fax|mobile|cell|home|work|landline|tel)\b(?! (?:visit|health|care|bp|o2))")
"""What stands after a number in a list of contacts."""
_EXTENSION = re.compile(r"x(?<![a-z\d]x)(?:\d-\d{4}|\d{3,6}| \d{4,6})\b")
_LINE = re.compile(
    r"(?:\b(?:call|work|at|ext|phone|or|office|desk|page|line|pager|md|rn|pa-c|pa|np|do|pharmd|tel|dial|switchboard"
    r"|lpn|cna|msw"
    r"|lcsw|rd|pt|ot|dpt|fellow|resident|attending|intern|ring|on|lab|icu|ed|ward|unit|nurse|pharmacy|reach"
    r"|contact)[ :.]{1,2}|, |[a-z] \()$"
)
_SHORT_CUE = re.compile(
    r"\b(?:(?P<sure>pager|pgr|beeper|bpr|ext|extn|exts|extension|extensions|poste|bleep|bleeps|vocera|ascom|dect"
    r"|baton|radiopage"
    r"|short ?code|speed ?dial|durchwahl|dw|piepser|funk|ramal|anexo|toestel|bip|area code|prefix|hotline|crash call"
    r"|zone phone|spectralink|handset)"
    r"|(?P<near>(?:bleeped|bleeping)(?: (?:me|him|her|them|us))?)"
    r"|(?P<line>(?:team|ward|unit|icu|rrt|charge|desk|code|house|rapid response|room) phone|switchboard|operator)"
    r"|(?P<bid>(?:page|bleep)(?: (?:dr\.? )?[a-z'’-]{2,}){1,4} at)"
    r"|(?:page|paged|bleep|bleeped|bleeping)(?: (?:dr\.? )?[a-z'’-]{2,}){0,2} on|page|paged|bleeped|x|text \w+ to"
    r"|sms \w+ to|dial|phone (?:number )?ending(?: in)?|number ending(?: in)?"
    r"|(?:cell|fax|mobile|tel) ending(?: in)?)"
    r"[ .:#,(]*(?:(?:no|number|is|at|on|me|via|in)[ .:#]*){0,2}$"
)
_SHORT_LAST = listed(
    """
    pager pgr beeper bpr ext extn exts extension extensions poste bleep bleeps vocera ascom dect baton radiopage code
    shortcode dial speeddial durchwahl dw piepser funk ramal anexo toestel bip prefix hotline call phone page paged
    bleeped bleeping him her them us spectralink handset switchboard operator x to ending in no number is at on me via
    """
)
"""The last word before the number of a pager or an extension."""
_FAX_END = re.compile(r"(?:fax|dw|durchwahl|ext)\.?[ :]{0,3}(?P<end>-\d{1,4})(?![\w.,-])")
_FAX_WORDS = frozenset(("fax", "dw", "durchwahl", "ext"))
_SPOKEN = re.compile(
    r"\b(?P<digits>(?:(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|double|triple|niner)[ ,-]{1,2}){4,})"
    r"(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)\b"
)
_SPOKEN_CUE = re.compile(
    r"\b(?:number|record|mrn|account|id|badge|extension|ext|pager|zip|code|case|accession|job|unit|is)[ :]{1,2}$"
)
_DIGIT = r"(?:(?:double|triple) )?(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)"
_SPOKEN_EXT = re.compile(
    rf"\b(?:extension|ext|pager|bleep|beeper)(?: (?:is|number"
    rf"|no))?[ :]{{1,2}}(?P<digits>{_DIGIT}(?:[ ,-]{{1,2}}{_DIGIT}){{2,5}})\b"
)
_EXT_WORDS = listed("extension ext pager bleep beeper")
_HALF_SPOKEN = re.compile(rf"(?P<digits>\d{{3}}(?:[ ,-]{{1,2}}{_DIGIT}){{1,4}}[ ,-]{{1,2}}\d{{2,4}})\b")
_EXT_BEFORE = re.compile(r"\b(?:ext|extn|extension)[.:]? $")
_AREA = re.compile(r"(?P<digits>\d{3}) area code\b")
_SPOKEN_WORDS = listed("zero oh one two three four five six seven eight nine double triple niner")
_EMERGENCY = listed("911 999 112 111 000 988 101 211 311 411 119 110")


class Phones:
    """Finds telephone numbers."""

    name: ClassVar[str] = "phones"

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        text = Text.of(text)
        low = text.folded
        found = [
            Span(*match.span(), "PHONE", 0.9, "telephone number")
            for match in _whole(text, low)
            if _can_be_number(match)
        ]
        for match in _EXTENSION.finditer(low):
            number = int(match[0][1:].replace("-", ""))
            five = (
                match.end() - match.start() > 4
                and number > 999
                and number % 50
                and not low[max(0, match.start() - 1) : match.start()].strip()
            )
            if five or _LINE.search(low, max(0, match.start() - 12), match.start()):
                found.append(Span(*match.span(), "PHONE", 0.8, "extension"))
        found += [
            Span(*seven.span(), "PHONE", 0.65, "seven digits")
            for start, end in text.digits
            if end - start == 3
            and low[end : end + 1] in ("-", ".")
            and (seven := _SEVEN.match(low, start))
            and _plausible(low, seven)
        ]
        found += [*_inside(text, low), *_loose(text, low)]
        for start, end in text.digits:
            if low[start:end] in _FREE and (free := _VANITY.match(low, start)):
                start -= 2 * (low[max(0, start - 2) : start] in ("1-", "1 "))
                found.append(Span(start, free.end(), "PHONE", 0.8, "number in letters"))
        for match in text.cued(_SPOKEN, _SPOKEN_WORDS):
            many = len(re.findall("[a-z]+", match["digits"])) > 5
            if many or _SPOKEN_CUE.search(low, max(0, match.start() - 24), match.start()):
                found.append(Span(*match.span(), "PHONE", 0.7, "dictated digits"))
        for match in text.cued(_SPOKEN_EXT, _EXT_WORDS):
            found.append(Span(*match.span("digits"), "PHONE", 0.7, "dictated digits"))
        for start, end in text.digits:
            half = None
            if end - start == 3 and low[end : end + 1] == " " and low[end + 1 : end + 2].isalpha():
                half = _HALF_SPOKEN.match(low, start) or _AREA.match(low, start)
            if half:
                found.append(Span(start, half.end("digits"), "PHONE", 0.7, "dictated digits"))
        for match in text.cued(_FAX_END, _FAX_WORDS) if found else ():
            found.append(Span(*match.span("end"), "PHONE", 0.7, "last digits of a number"))
        return found


def _whole(text: Text, low: str) -> Iterator[re.Match[str]]:
    """Matches of the long pattern: tried at numbers that stand alone, if others may follow, and nowhere else."""
    past = 0
    for start, end in text.digits:
        sign = low[start - 1 : start]
        if start < past or sign in _GLUED or sign.isalnum():
            continue
        first = start - 2 if start > 1 and low.startswith("+ ", start - 2) else start - (sign in _OPENING)
        alone = end - start != 10 and not low[end : end + 4].lstrip(_GAPS)[:1].isdigit()
        if alone and low[first] != "+":
            continue
        match = _WHOLE.match(low, first) if first >= past else None
        match = match or (_WHOLE.match(low, start) if first < start else None)
        if match:
            past = match.end()
            yield match


_GLUED, _OPENING, _GAPS = frozenset("_./-"), frozenset("(+"), " ./–-()\t\n"


def _inside(text: Text, low: str) -> Iterator[Span]:
    """3-5518 and 5555 0138: no range, no hours, no year, no round number."""
    for start, end in text.digits:
        sign = low[end : end + 1]
        if end - start == 1 and sign == "-" and (match := _INSIDE.match(low, start)):
            last = int(match[0][2:])
            if last % 100 and not 1900 <= last < 2100:
                yield Span(*match.span(), "PHONE", 0.55, "number inside the house")
        elif end - start == 4 and (sign in (" ", "-")) and (match := _EIGHT.match(low, start)):
            one, two = match[0][:4], match[0][5:]
            clocks = _TIME_OF_DAY.fullmatch(one) and _TIME_OF_DAY.fullmatch(two)
            if (
                not clocks
                and int(one) % 100
                and int(two) % 100
                and not one.startswith("20")
                and two[:2] not in ("19", "20")
            ):
                yield Span(*match.span(), "PHONE", 0.55, "eight digits")


def _can_be_number(match: re.Match[str]) -> bool:
    """03-11-24 is a date, 0830 0915 1030 are hours, 500 250 125 are amounts."""
    groups = re.findall(r"\d+", match[0])
    if match["gap"] and (sum(map(len, groups)) < 8 or all(map(_TIME_OF_DAY.fullmatch, groups))):
        return False
    return len(groups) != 3 or set(map(len, groups)) != {3} or any(int(group) % 5 for group in groups)


def _plausible(low: str, match: re.Match[str]) -> bool:
    """No range of values: those grow, and a name of what was measured stands before them."""
    before = low[max(0, match.start() - 24) : match.start()]
    return not _NO_PHONE.search(before)


_NO_PHONE = re.compile(
    r"\b(?:range|ref|normal|between|from|goal|mrn|id|record|account|acct|case|lot|serial)\b[^\n]{0,12}$"
)
_DATE_OR_LIST = re.compile(r"\d\. |^\d{1,2}/\d{1,2}/(?:\d\d|\d{4})(?!\d)")


def _loose(text: Text, low: str) -> Iterator[Span]:
    past, tokens = 0, text.tokens
    for start, end in text.digits:
        if end - start < 3 and not low[end : end + 3].lstrip("-. ()/")[:1].isdigit():
            continue
        at = text.starts.get(start, 0)
        start -= start > 0 and low[start - 1] in "+("
        match = _LOOSE.match(low, start) if start >= past else None
        if match is None:
            continue
        past = match.end()
        if "\n" in text[start:past]:  # a number ends with its line
            match = _LOOSE.match(low, start, text.find("\n", start))
        if match is None or _DATE_OR_LIST.search(match[0]):
            continue
        past, digits = match.end(), sum(map(str.isdigit, match[0]))
        before = low[max(0, match.start() - 40) : match.start()]
        if digits >= 7 and (_LABEL.match(low, past) or _CUE.search(before)):
            yield Span(*match.span(), "PHONE", 0.85, "number after a word about calling")
        elif digits > 6 or "." in match[0] or "/" in match[0] or not at or tokens[at - 1][2] not in _SHORT_LAST:
            continue
        elif cue := _SHORT_CUE.search(before):
            doubtful = not (cue["sure"] or cue["bid"]) and (
                digits < 4 or cue["line"] or cue["near"] or re.search(r"paged\b[\w .:,(]*$", before)
            )
            few = digits < 4 and not cue["near"]
            if match[0] in _EMERGENCY or (doubtful and (few or _TIME_OF_DAY.fullmatch(match[0]))):
                continue
            start = match.start() + (match[0][0] == "(" and ")" not in match[0])
            if word := _EXT_BEFORE.search(low, max(0, start - 12), start):
                start = word.start()
            yield Span(start, match.end(), "PHONE", 0.8, "pager or extension")
