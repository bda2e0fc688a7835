"""Signs of a name that need no list: initials that sign, who writes, aliases in quotes, apostrophes, logs.

Each rule is a pattern and a reason. They find names of any language, and words of English used as names, for nothing
but the form of the line tells them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sharewell.notes.detectors.initials import initials
from sharewell.notes.engine.lexicons import people, words
from sharewell.notes.engine.spans import Span, Text
from sharewell.notes.engine.word_lists import lexicon, listed

_LETTERS = r"[^\W\d_]"
_TITLE = rf"(?:[A-ZÀ-ÞŁŚŻŠČ]{_LETTERS}{{1,24}})"
_DATED = re.compile(
    r"[ \t>*]*(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{1,2} [A-Za-z]{3,9} ?\d{0,4})(?: \d{1,2}[:.]?\d{2})?[ ,–-]*"
    r"(?P<initials>[A-Z]{2,3})(?=:| \([a-z]| ?[–-] )"
)
_NOT_INITIALS = lexicon("forms_not_initials")
_END = re.compile(r"[.!?)] (?P<initials>[A-Z]{2}|[b-df-hj-np-tv-z]{2,3})(?=[ \t]*(?:\n|$))")
_BY = re.compile(r"(?:by|BY|By)(?P<field>:)? (?P<name>[A-Z]{2,3})(?=[.,;)/]?(?:[ \t]*(?:\n|$)|  | \d| \()|, )")
"""Read by QZW: initials where the one who did it is named."""
_TYPIST = re.compile(r"(?<![\w/:.-])[A-Z]{2,3}[/:](?:[a-z]{2,3}\d{0,4}|[A-Z]{2,3})(?=[ \t]*(?:\n|\Z)|  )")
"""QF/trw at the foot of a letter: who dictated, who typed."""
_STROKE = re.compile(r"[/:](?=[A-Za-z]{2,3}\d{0,4}(?:[ \t]*$|  ))", re.MULTILINE)
_HERE = re.compile(
    rf"(?:\A|\b(?:[Hh]i|[Hh]ello|[Hh]ey|[Mm]orning|[Aa]fternoon|[Ee]vening|[Hh]iya)(?: there| all| team)?[,!.]? )"
    rf"(?P<name>{_LETTERS}{{3,14}}) here\b(?! (?:is|are|was|were|to)\b)"
)
"""Hi, Marigold here."""
_FARE_WELL = re.compile(
    r"\b(?:love|cheers|thx|thanks|ta|x|xx|regards|best|lots of love),? (?P<name>[^\W\d_]{3,14})(?: x{1,3})?[.!]?\s*\Z",
    re.IGNORECASE,
)
_BY_WHAT = lexicon("forms_by_what")
_NOT_SIGNED = lexicon("forms_not_signed")
_TICKED = re.compile(rf"\b(?P<part>[ODLM])[’'ʼ](?P<rest>[A-Z]{_LETTERS}{{2,}})")
_SAYS = re.compile(
    rf"\b(?:[Tt]his is|[Ii]['’]?m|[Ii] am|[Ii]t['’]?s|asks?|[Mm]y name['’]?s|[Mm]y name is|[Aa]sk for|[Ll]ooking for"
    rf"|[Rr]egards,|[Tt]hanks,|[Tt]hx,?|[Cc]heers,?)"
    rf" (?P<name>{_LETTERS}{{2,}})(?=,|\s*$| here\b| and\b| at\b| lol\b| from\b|\.|!)"
)
_ALIAS = re.compile(
    rf"\b(?:[Aa]lias|[Aa]ka|AKA|a\.k\.a\.|[Kk]nown as|[Cc]alled|[Nn]icknamed|[Gg]oes by|[Pp]refers|[Pp]ref:)[:,]?"
    rf" [\"“‘'](?P<name>{_LETTERS}[\w' -]{{1,20}})[\"”’']"
)
_ENTERED = re.compile(
    r"\b(?:[Ee]ntered|[Tt]yped|[Ss]cribe[d]?|[Dd]ictated|[Kk]eyed|[Ii]nit(?:ial)?s?|[Cc]hecked|[Vv]erified"
    r"|[Tt]ranscribed)(?: by)?[: ](?:[ ]?\d[\d/.]+ )?[ ]?"
    r"(?P<name>[A-Z]{2,3}|[a-z]{2,3}(?<![aeiouy][a-z])(?<![a-z][aeiouy]))(?=[.,;\s]|$)(?! [a-z])"
)
_INITIAL = re.compile(
    rf"(?P<name>[A-Z]\.[ ]?(?:[A-Z]\.[ ]?)?{_TITLE})(?=[.,;:)/]|\s*\n|\s*$"
    r"| (?:[A-Z]{2,}|dob|DOB|\(|#|and|&|will|to|\d))"
)
_INITIAL_BEFORE = re.compile(
    r"(?:(?:^|\n)[ \t]*|\b(?:with|by|per|and|pt|patient|dear|seen|signed|rn|np|pa|of|for|to|via|crew|tech)[:,]? "
    r"|[&;,/] |[(:] ?)\Z",
    re.IGNORECASE,
)
_NO_SURNAMES = listed("coli diff pylori aureus difficile the and head of") - {"head"}
_LOGGED = re.compile(
    r"[ \t]*\d{2}:?\d{2} (?P<name>[A-Z][A-Z'’-]+(?: [A-Z][A-Z'’-]*){1,3}?)(?: #\d)? (?P<id>\d{3,}-?\d{2,})(?= )"
)


def signs(text: Text) -> Iterator[Span]:
    """Names by form alone."""
    yield from _lines(text)
    for match in _beginning(text, _TICKED, _TICKED_LETTERS) if "'" in text or "’" in text else ():
        yield Span(*match.span(), "NAME", 0.7, "name with an apostrophe")
    yield from initials(text)


def _beginning(text: Text, pattern: re.Pattern[str], first: frozenset[str]) -> Iterator[re.Match[str]]:
    """Matches as written whose first token is one of some words."""
    for at in text.where(first):
        match = pattern.match(text, text.tokens[at].start)
        if match:
            yield match


def beside_strokes(text: Text, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Matches of a pattern of two or three capitals, a stroke or a colon, and initials that end a line or a column."""
    for stroke in _STROKE.finditer(text):
        starts = (max(0, stroke.start() - 3), max(0, stroke.start() - 2))
        match = pattern.match(text, starts[0]) or pattern.match(text, starts[1])
        if match:
            yield match


def _is_name(word: str) -> bool:
    """Given often, or never a word."""
    mark, level = people().get(word.lower(), ""), words().get(word.lower(), "")
    if word[0].isupper():
        return bool(mark) and word.lower() not in _NO_SURNAMES
    return mark in ("G", "B") or (bool(mark) and not level) or word.lower() in _MONTH_NAMES


_MONTH_NAMES = frozenset(("may", "june", "april"))


def _lines(text: Text) -> Iterator[Span]:
    """Who speaks, who signs."""
    numbered = list(_numbered(text))
    singles = [text.tokens[at].start for at in text.where(ALPHABET)]
    yield from _initials(text, numbered)
    for match in _apart(text, _INITIAL, singles):
        surname = match["name"].rpartition(" ")[2].lower()
        led = _INITIAL_BEFORE.search(text, max(0, match.start() - 12), match.start())
        if led and people().get(surname, "g") in "sSbB" and surname not in _NO_SURNAMES:
            yield Span(*match.span("name"), "NAME", 0.66, "initial and surname")
    yield from _signed(text)
    for match in _beginning(text, _SAYS, _SAYS_WORDS):
        if _is_name(match["name"]):
            yield Span(*match.span("name"), "NAME", 0.7, "who writes")
    for match in _beginning(text, _ALIAS, _ALIAS_WORDS):
        yield Span(*match.span("name"), "NAME", 0.72, "alias")
    for match in _beginning(text, _ENTERED, _ENTERED_WORDS):
        yield Span(*match.span("name"), "NAME", 0.6, "initials of who entered it")
    for match in _opening(text, _LOGGED, numbered, _LOG):
        yield Span(*match.span("name"), "NAME", 0.7, "name in a log")
        yield Span(*match.span("id"), "ID", 0.7, "number in a log")


def _numbered(text: Text) -> Iterator[int]:
    """Where lines begin that have a number first, as those of chats and logs have."""
    start = 0
    for line in text.split("\n"):
        if line.lstrip(" \t>*[(")[:1].isdigit():
            yield start
        start += len(line) + 1


def _apart(text: Text, pattern: re.Pattern[str], starts: list[int]) -> Iterator[re.Match[str]]:
    """Matches that begin at some places, and do not overlap."""
    past = 0
    for start in starts:
        if start >= past and (match := pattern.match(text, start)):
            past = match.end()
            yield match


def _opening(text: Text, pattern: re.Pattern[str], starts: list[int], sign: re.Pattern[str]) -> list[re.Match[str]]:
    """Matches where a line begins, in a note that has a sign of chats, logs or dated entries."""
    found = [match for start in starts if (match := pattern.match(text, start))]
    return found if found and sign.search(text) else []


def _initials(text: Text, numbered: list[int]) -> Iterator[Span]:
    """Initials after a date, and at the end of a text."""
    for matches, reason in (
        (_opening(text, _DATED, numbered, _DAY), "initials after a date"),
        (_END.finditer(text), "initials that sign"),
    ):
        for match in matches:
            said = re.sub(r"\W", "", match["initials"]).lower()
            shouted = text.upper_share > 0.5 and match.re is not _DATED
            if said not in _NOT_INITIALS and not (match.re is _END and said in _NOT_SIGNED) and not shouted:
                yield Span(*match.span("initials"), "NAME", 0.56, reason)


def _signed(text: Text) -> Iterator[Span]:
    """Initials of who did, dictated and typed it; the name under a message."""
    for at in text.where(_BY_WORD):
        match = _BY.match(text, text.tokens[at].start)
        said = match["name"].lower() if match else ""
        if match and said not in _BY_WHAT and (match["field"] or said not in words()):
            yield Span(*match.span("name"), "NAME", 0.6, "initials of who did it")
    for match in beside_strokes(text, _TYPIST):
        first, _, second = match[0].lower().replace(":", "/").partition("/")
        apart = text[max(0, match.start() - 2) : match.start()]
        if (not apart or apart[-1] in "\n\t" or apart == "  ") and not {first, second} & (_BY_WHAT | _NOT_SIGNED):
            yield Span(*match.span(), "NAME", 0.6, "initials of who dictated and typed")
    match = _HERE.search(text, 0, 60) if "here" in text.words else None
    if match and (_is_name(match["name"]) or (match.start("name") and words().get(match["name"].lower(), "9") > "1")):
        yield Span(*match.span("name"), "NAME", 0.66, "who writes")
    fare_well = not text.words.isdisjoint(_FARE_WELL_WORDS)
    match = _FARE_WELL.search(text, max(0, len(text) - 40)) if fare_well else None
    if match and (_is_name(match["name"]) or words().get(match["name"].lower(), "9") > "4"):
        yield Span(*match.span("name"), "NAME", 0.66, "who writes")


_BY_WORD = frozenset(("by",))
_DAY = re.compile(r"[\d./-](?: \d{1,2}[:.]?\d{2})?[ ,–-]{1,3}[A-Z]{2,3}(?=:| \(| ?[–-] )")
_LOG = re.compile(r"\d\d:?\d\d [A-Z]{2}")
"""What chats, dated entries and logs are not without."""
ALPHABET = frozenset("abcdefghijklmnopqrstuvwxyz")
_TICKED_LETTERS = frozenset("odlm")
_FARE_WELL_WORDS = listed("love cheers thx thanks ta x xx regards best")
_ALIAS_WORDS = listed("alias aka a known called nicknamed goes prefers pref")
_ENTERED_WORDS = listed(
    """
    entered typed scribe scribed dictated keyed init inits initial initials checked verified transcribed
    """
)
_SAYS_WORDS = listed("this i im it its ask asks looking my regards thanks thx cheers")
