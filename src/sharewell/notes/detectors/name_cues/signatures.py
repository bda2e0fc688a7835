"""Who signs, who is listed, who is whose child: names told by the form of a line, in any case of letters.

An initial and a surname before a degree ("b. parkes rmn"), initials before a degree or after the word for what was
done ("scribe jqv", "closed 4/2, wdk."), a surname and an initial in a field of a list, a bed's number and a surname, a
patronymic between two names ("Meena a/p Ravi"), and the name under a message.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sharewell.notes.detectors.name_words import HONORIFICS, NEVER
from sharewell.notes.detectors.things import THINGS
from sharewell.notes.engine.lexicons import eponyms, nameness, people, words
from sharewell.notes.engine.spans import Span, Text
from sharewell.notes.engine.word_lists import lexicon, listed

DEGREES_IN_ANY_CASE = lexicon("signatures_degrees_in_any_case")
_NO_INITIALS = lexicon("signatures_no_initials")
_ANY_CASE = r"[^\W\d_]"
_INITIALLED = re.compile(
    rf"(?<![\w.'’-])(?P<name>{_ANY_CASE}\.?[ ]?(?:{_ANY_CASE}\.[ ]?)?"
    rf"(?P<last>{_ANY_CASE}[^\W\d_'’-]*(?:['’-]{_ANY_CASE}+)*))"
    r",?[ ]+\Z"
)
_SIGNER = re.compile(r"(?:\A|\n|[:;/—–] ?|\d |, |\) )[ \t*-]*(?P<name>[A-Z]{2,3}|[b-df-hj-np-tv-z]{2,3}),?[ ]\Z")
_DOER = re.compile(
    r"(?:staff|screener|scribe|recorder|typist|coder|sec|witness|checker|abstractor|screened|checked|typed|keyed|closed"
    r"|pended|filed|initialled|initialed|initials|recd|taken|entered)(?: by)?\.?[: =\"]{1,3}"
    r"(?P<name>[A-Z]{2,4}|[b-df-hj-np-tv-z]{2,3}|[a-z]{3}(?= (?:RN|rn|LPN|MA|\d)))"
    r"(?=[.,;/)\"]|[ \t]*(?:\n|\Z)| [A-Z]{2,}\b| \d)",
)
_DOERS = listed(
    """
    staff screener scribe recorder typist coder sec witness checker abstractor screened checked typed keyed closed
    pended filed initialled initialed initials recd taken entered
    """
)
_AFTER_DATE = re.compile(
    r"(?:\b\d{1,2}/\d{1,2}(?:/\d{2,4})?|\b[012]\d[0-5]\d"
    r"|\b(?:ok|done|given|verified|confirmed|readback|read back|filed))"
    r"(?:,[ ]|[ ][-–—]{1,2}[ ]?|[ ])(?P<name>[b-df-hj-np-tv-z]{2,3})\.?[ \t]*\Z"
)
_CHILD = re.compile(
    r"(?P<name>[A-Z][\w’'-]+(?: [A-Z][\w’'-]+){0,2} (?:[aA]/[lpLP]|[sdSD]/[oO]) [A-Z][\w’'-]+(?: [A-Z][\w’'-]+)?)"
)
_FIELD = re.compile(
    r"(?:\A|[;|\t\n])[ ]*(?P<name>(?:(?:VAN|DER|DEN|DE|DU|LA|LE|AL|EL|ST|MC|BIN|DOS|DA) )*[A-Z][A-Z'’-]{2,}[ ][A-Z]\.?)"
    r"(?=[ ]*[;|\t])"
)
_NUMBERED = re.compile(
    r"[ \t]*(?:\d{1,3}[.):]?[ ]+(?P<name>(?P<first>[A-Z][a-z]{2,}) [A-Z]\.)(?= |,)"
    r"|[-•*] ?(?P<bullet>[^\W\d_]{3,}) \(\d{1,3}[AB]?\):)"
)
_DASHED = re.compile(r"[ \n.!?)][-–—~] ?(?P<name>[a-zA-Z][a-z]{1,11})[ \t]*\Z")


def signers(text: Text) -> Iterator[Span]:
    """Names and initials by which a line is signed, and names in lists."""
    yield from _before_degrees(text)
    yield from _initials(text)
    yield from _lines(text)
    if "/" in text and _STROKED.search(text):
        for match in _CHILD.finditer(text):
            start = match.start("name")
            while (first := text[start : match.end()].partition(" "))[0].lower() in _BEFORE_NAMES:
                start += len(first[0]) + 1
            yield Span(start, match.end("name"), "NAME", 0.8, "child of somebody")
    yield from _listed(text)
    writer = _DASHED.search(text, max(0, len(text) - 16))
    if writer:
        lower = writer["name"].lower()
        if (lower in people() or len(lower) > 2) and words().get(lower, "9") > "3" and lower not in _NO_INITIALS:
            yield Span(*writer.span("name"), "NAME", 0.64, "who writes")


def monograms(text: Text, found: Sequence[Span]) -> Iterator[Span]:
    """Initials of a name that stands in the note, where a line is signed with them or they stand for who did it."""
    wanted: set[str] = set()
    for said in {text[span.start : span.end] for span in found if span.kind == "NAME" and span.certainty >= 0.6}:
        if " " in said or "-" in said:
            letters = "".join([part[0] for part in said.lower().replace("-", " ").split()])
            if 1 < len(letters) < 5 and letters.isalpha():
                wanted |= {letters, letters[0] + letters[-1], letters[-1] + letters[0]}
    for at in text.where(wanted - _NO_INITIALS - NEVER):
        said, (start, end, lower) = text.written[at], text.tokens[at]
        if said != lower and not said.isupper():
            continue
        before, after = text[max(0, start - 2) : start], text[end : end + 2]
        ends = not after or after[0] in "\n.,;/)|:\t(" or after in ("  ", " =", " |", " (")
        ends = ends or (after[:1] == " " == before[1:] and said == lower and not after[1:].isdigit())
        led = (
            not before
            or before[-1] in "\n/(|\t=-–—+"
            or before in ("  ", ". ", ", ", ": ", "= ", "| ", "& ", "y ", "r ")
        )
        led = led or (said == lower and (not after or after[0] == "\n"))
        if ends and led and words().get(lower, "9") > "2" and text.upper_share < 0.5:
            yield Span(start, end, "NAME", 0.6, "initials of a name in the note")


_STROKED = re.compile(r" (?:[aA]/[lpLP]|[sdSD]/[oO]) ")
_BEFORE_NAMES = NEVER | HONORIFICS | listed("mo ho sn")


def _surname(word: str) -> bool:
    """A name in the lists, or a word of no list; no eponym."""
    lower = word.lower()
    if lower in NEVER or len(lower) < 2:
        return False
    return words().get(lower, "9") > "2" or people().get(lower, "").isupper()


def _before_degrees(text: Text) -> Iterator[Span]:
    """b. parkes rmn; k pergolesi pgy1; JQ, RN."""
    for at in text.where(DEGREES_IN_ANY_CASE):
        start = text.tokens[at].start
        if not at or text.breaks[at] not in (" ", ", ", "  ") or text.written[at] in ("do", "en", "pa"):
            continue
        match = _INITIALLED.search(text, max(0, start - 40), start)
        if match and _surname(match["last"]) and _apart(text, match.start("name")):
            name = match["name"]
            plain = match["last"].islower() and match["last"] in words() and not text.caseless  # R main PA
            spaced = name[1:2] == " " and name[0] not in "aIi" and match["last"].lower() in people() and not plain
            if "." in name or spaced:
                yield Span(*match.span("name"), "NAME", 0.72, "before a degree")
                continue
        match = _SIGNER.search(text, max(0, start - 10), start)
        if match and _are_initials(match["name"]) and text.upper_share < 0.5:
            yield Span(*match.span("name"), "NAME", 0.58, "initials before a degree")
            continue
        before = text.lowered[at - 1]
        low = text.written[at - 1].islower() and before in people() and before not in words() and len(before) > 3
        if low and nameness(before) > 0 and before not in NEVER and before not in eponyms():
            yield Span(*text.tokens[at - 1][:2], "NAME", 0.64, "before a degree")


def _apart(text: str, start: int) -> bool:
    """Whether an initial is no part of an abbreviation or a number before it."""
    return start == 0 or (text[start - 1] in " \t\n-–—(/:" and not text[max(0, start - 2) : start - 1].isdigit())


def _are_initials(said: str) -> bool:
    lower = said.lower()
    return lower not in _NO_INITIALS and words().get(lower, "9") > "3"


def _initials(text: Text) -> Iterator[Span]:
    for at in text.where(_DOERS):
        match = _DOER.match(text, text.tokens[at].start) or _DOER.match(text.folded, text.tokens[at].start)
        if match and _are_initials(match["name"]) and text.upper_share < 0.5:
            yield Span(*match.span("name"), "NAME", 0.58, "initials of who did it")


def _lines(text: Text) -> Iterator[Span]:
    """Lines that end with who signs them, and lines of lists."""
    start, shouted = 0, text.upper_share > 0.5
    for line in text.split("\n"):
        end = start + len(line)
        first = line.lstrip()[:1]
        if first.isdigit() or first in _BULLETS:
            yield from _numbered(text, start, end)
        tail = line.rstrip(" \t.")[-4:]
        if tail[-1:].islower():
            initials = _AFTER_DATE.search(text, max(start, end - 36), end) if " " in tail and not shouted else None
            if initials and _are_initials(initials["name"]):
                yield Span(*initials.span("name"), "NAME", 0.56, "initials that sign")
        start = end + 1


_BULLETS = frozenset("-•*")


def _numbered(text: Text, start: int, end: int) -> Iterator[Span]:
    """A line that begins with a bed, a number or a bullet, and goes on with a name."""
    match = _NUMBERED.match(text, start, end)
    if match:
        group = "name" if match["name"] else "bullet"
        first = (match["first"] or match["bullet"]).lower()
        if first not in NEVER and first not in _NO_INITIALS and first not in THINGS:
            yield Span(*match.span(group), "NAME", 0.66, "name in a list")


def _listed(text: Text) -> Iterator[Span]:
    """Fields that are a surname in capitals and an initial."""
    if ";" in text or "|" in text or "\t" in text:
        for match in _FIELD.finditer(text):
            last = match["name"].rstrip(".")[:-2].rpartition(" ")[2]
            if _surname(last) and last.lower() not in _NO_INITIALS:
                yield Span(*match.span("name"), "NAME", 0.7, "name in a list")
