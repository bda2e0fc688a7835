"""Numbers that stand for a person or a thing of theirs: record, account, plan, licence, vehicle, device, specimen.

A candidate holds a digit. It counts if words such as "MRN", "account" or "serial" stand before it, or if its form is
that of an identifier: letters and many digits, a specimen's year and number, a card number, seven digits and more
that no unit follows. Laboratory values, doses, spine levels, codes of diseases and years do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from sharewell.notes.listed import listed
from sharewell.notes.spans import Span, Text

if TYPE_CHECKING:
    from sharewell.notes.known import Known

_CANDIDATE = re.compile(
    r"(?<![\w.,/$])#?(?=[a-z]{0,12}[-/]?\d|[a-z]{1,4}-[a-z\d-]*\d)[a-z\d]+(?:[-/_:][a-z\d]+|\.\d+)*(?![\w%])"
)
_NOUN = (
    r"mrn|mr|med(?:ical)? ?rec(?:ord)?|record|chart|acc(?:oun)?t|account|encounter|visit|csn|har|fin|patient|pt"
    r"|member|subscriber|"
    r"policy|plan|health plan|insurance|group|beneficiary|medicare|medicaid|hic|hicn|mbi|claim|authorization|auth|"
    r"licen[cs]e|dl|driver['’]?s licen[cs]e|state id|passport|visa|npi|dea|upin|certificate|cert|registration|permit|"
    r"vin|vehicle|plate|tag|license plate|serial|s/?n|model|device|implant|pacemaker|lot|udi|imei|"
    r"specimen|accession|acc|case|sample|slide|block|path(?:ology)?|surgical|order|requisition|rx|prescription|"
    r"employee|badge|staff|student|user|username|login|transaction|confirmation|reference|ref|ticket|tracking|"
    r"room|rm|bed|locker|interpreter|credit card|card|debit card|iban|routing|bank|unit|donor|study|subject"
    r"|trial|nhs|hospital|"
    r"case manager|worker|tax|ein|military|va|id|identification|identifier|identity|nct|batch|cpt|kit|token|pin"
    r"|code|key"
)
_LINK = r"no|nos|num|numbers?|nr|id|ids|is|was|of|on|for|#|code|reads|ending|ending in|as|identification|plate|document"
_CUE = re.compile(rf"\b(?:{_NOUN})s?\b['’]?[ \t.:#()=/|-]*(?:\b(?:{_LINK})\b[ \t.:#()=-]*|#[ ]*){{0,3}}$")
_ROOM = re.compile(r"\b(?:rm|room|bed)\b[ .:#]*(?:no\.? ?|number ?)?$")
_FORM = re.compile(
    r"[a-z]{2,5}-?\d{6,}|[a-z]\d{7,}|[a-z]{1,3}\d{2}-\d{3,}|[a-z]{1,4}-\d{2}-\d{3,}|[a-z]{1,2}-?\d{2}-\d{4,}"
    r"|[a-z]{2,4}-\d{5,}(?:-\d+)?|\d{2,4}-[a-z]{1,3}-?\d{3,}|\d{4}-\d{5,}"
    r"|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[a-z]{2}\d{2}[a-z]{4}\d{6,}"
    r"|\d{7,}|\d{3,4}-\d{3,4}-\d{3,4}(?:-\d+)?|\d{4}(?:-\d{4}){2,4}|\d{2}-\d{5,}|\d{6,}-\d+|\d{5,}[a-z]{1,3}"
)
_LETTERS = re.compile("[a-z]+")
_CUE_WORDS = listed(
    """
    acc accession account acct auth authorization badge bank batch bed beneficiary block card case cert
    certificate chart claim code confirmation cpt credit csn dea debit device dl donor driver drivers ein
    employee encounter fin group har health hic hicn hospital iban id identification identifier identity
    imei implant insurance interpreter key kit licence license locker login lot manager mbi med medicaid medical
    medicare member military model mr mrn n nct nhs npi order pacemaker passport path pathology
    patient permit pin plan plate policy prescription pt rec record ref reference registration requisition rm
    room routing rx sample serial slide sn specimen staff state student study subject subscriber surgical tag
    tax ticket token tracking transaction trial udi unit upin user username va vehicle vin visa visit worker
    """
)
"""Words of the pattern above: it is tried only where one of them is."""
_DOUBTLESS = re.compile(r"(?:#|\b(?:no|number|id|mrn|license|badge|plate|lot|pin)\b)[ .:#]*(?:is )?$")
_VIN = re.compile(r"[a-hj-npr-z\d]{17}")
_MEASURE = re.compile(
    r" ?(?:mg|mcg|ml|cc|g|kg|units?|iu|meq|mmol|cells|copies|cfu|/(?=[a-z])|%|x ?10|k\b|per |steps|miles|dollars"
    r"|bpm|mmhg|mm\b|cm\b|years?|days?|weeks?|hours?|minutes?|degrees)"
)
_GROUPED = re.compile(r"(?<![\w.,/$-])\d{3,4}(?: \d{3,4}){2,4}(?![\w.,])|(?<![\w.,/$-])\d(?: \d){5,}(?![\w.,])")
_PLATE = re.compile(
    r"\b(?:plates?|licen[cs]e plate|tag)\b[ :#]*(?:(?:no|number|is"
    r"|reads)\b[ .:#]*)?(?P<plate>(?=[a-z -]{0,5}\d)[a-z\d]{2,4}[ -]?[a-z\d]{2,4})\b"
)
_USER = re.compile(
    r"\b(?:user ?name|user ?id|login(?: name| id)?|screen ?name|logged in as(?: user)?|user)(?: is|[:=])? ?"
    r"(?:[:=#] ?|(?<= ))"
    r"(?P<user>[a-z][\w.-]*\d[\w.-]*\w|[a-z]+[._][a-z][\w.]+\w)"
)
_MORE = re.compile(r"(?: \d{4,})+(?![\w.,/-])")
_WORD_LIKE = re.compile(
    r"(?:[tlcs]\d{1,2}(?:-[tlcs]?\d{1,2})?|\d{1,2}(?:st|nd|rd"
    r"|th)|[a-z]+-?1?\d|\d+[a-z]?|\d+-\d+|covid-?19|[a-z]\d\d(?:\.\w{1,4})?)"
)


class Ids:
    """Finds identifying numbers."""

    name: ClassVar[str] = "ids"

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        return list(_found(Text.of(text).folded))


def _found(low: str) -> Iterator[Span]:
    for match in _CANDIDATE.finditer(low):
        said = match[0].lstrip("#")
        digits = sum(map(str.isdigit, said))
        if digits < 2:
            continue
        before = low[max(0, match.start() - 36) : match.start()]
        hash_sign = match[0][0] == "#"
        place = match.start() + hash_sign, match.end()
        cued = _is_cued(before) or (hash_sign and digits >= 3)
        if cued and _ROOM.search(before):
            if len(said) <= 6 and not _MEASURE.match(low, match.end()):
                yield Span(*place, "ID", 0.6, "room or bed")
        elif cued and _is_value(said, digits, before, hash_sign) and not _MEASURE.match(low, match.end()):
            more = _MORE.match(low, match.end())
            yield Span(place[0], more.end() if more else place[1], "ID", 0.88, "number after the name of an identifier")
        elif (_FORM.fullmatch(said) or (_VIN.fullmatch(said) and 3 <= digits < 17)) and not _MEASURE.match(
            low, match.end()
        ):
            yield Span(*place, "ID", 0.6, "form of an identifier")
    if "user" in low or "log" in low or "screen" in low:
        for match in _USER.finditer(low):
            yield Span(*match.span("user"), "ID", 0.8, "name of a user")
    if "plate" in low or "tag" in low:
        for match in _PLATE.finditer(low):
            yield Span(*match.span("plate"), "ID", 0.85, "plate of a vehicle")
    for match in _GROUPED.finditer(low):
        before = low[max(0, match.start() - 36) : match.start()]
        if _is_cued(before) or sum(map(str.isdigit, match[0])) >= 12:
            yield Span(*match.span(), "ID", 0.8, "groups of digits after the name of an identifier")


def _is_cued(before: str) -> bool:
    """Does the name of an identifier stand just before?"""
    known = any(word in _CUE_WORDS or word[:-1] in _CUE_WORDS for word in _LETTERS.findall(before))
    return known and _CUE.search(before) is not None


def _is_value(said: str, digits: int, before: str, hash_sign: bool) -> bool:
    """Long enough for an identifier, or shorter after words that leave no doubt."""
    if re.fullmatch(r"(?:1[89]|20)\d\d", said):
        return bool(re.search(r"(?:#|\bno\b\.?|number|\bid\b|mrn)[ :.]*$", before))
    if digits >= 5 or (digits >= 4 and not said.isdigit()):
        return True
    return digits >= 3 and (not _WORD_LIKE.fullmatch(said) or hash_sign or bool(_DOUBTLESS.search(before)))
