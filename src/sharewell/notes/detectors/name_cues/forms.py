"""Signs of a name that need no list: who speaks in a chat, initials that sign, nicknames in quotes, lists of kin,
apostrophes, other scripts.

Each rule is a pattern and a reason. They find names of any language, and words of English used as names, for nothing
but the form of the line tells them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sharewell.notes.detectors.initials import initials
from sharewell.notes.detectors.name_words import HONORIFICS, SYLLABLES
from sharewell.notes.engine.lexicons import people, words
from sharewell.notes.engine.spans import Span, Text
from sharewell.notes.engine.word_lists import lexicon, listed

_LETTERS = r"[^\W\d_]"
_TITLE = rf"(?:[A-ZÀ-ÞŁŚŻŠČ]{_LETTERS}{{1,24}})"
_SPEAKER = re.compile(
    rf"[ \t>*]*\[?\(?(?:\d{{1,4}}[/.-]\d{{1,2}}[/.-]\d{{1,4}},? )?\d{{1,2}}[:.h]\d{{2}}(?::\d{{2}})?(?:"
    rf" ?[AaPp][Mm])?\]?\)?[ ,-]*"
    rf"(?P<name>{_TITLE}(?:[ -]{_TITLE}|[ ][A-Z]\.?)?)[ ]?:(?= )"
)
_DATED = re.compile(
    r"[ \t>*]*(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{1,2} [A-Za-z]{3,9} ?\d{0,4})(?: \d{1,2}[:.]?\d{2})?[ ,–-]*"
    r"(?P<initials>[A-Z]{2,3})(?=:| \([a-z]| ?[–-] )"
)
_DOTTED = re.compile(r"(?P<initials>[A-Z](?<![\w.][A-Z])\.[ ]?(?:[A-Z]|Mc[A-Z]|O['’][A-Z])\.(?:[ ]?[A-Z]\.)?)(?![\w.])")
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
_AGED = re.compile(
    rf"(?:^|\n|[.;:|] )[ \t]*(?P<name>(?:{_TITLE}(?: {_TITLE}){{0,2}}(?: [A-Z]\.)?|[A-Z][A-Z'’-]{{2,}}(?: [A-Z]\.?)?))"
    r",? \(?\Z"
)
_IS_AGED = re.compile(
    rf"(?P<name>{_LETTERS}[\w'’-]+(?: {_LETTERS}\.?)?(?: {_LETTERS}[\w'’-]+)) (?:is|was) (?:an?|the) \d{{1,3}}[ -]?y",
    re.IGNORECASE,
)
"""angel hall is a 94 y.o. female: whatever the words, at the head of a sentence."""
_YEARS = re.compile(r" ?(?:[MFmf]\b|y/?o\b|yo\b|yrs?\b|years?\b)")
"""Winnie B., 84, ...; KOWALCZYK, 57F: who is how old."""
_BY_WHAT = lexicon("forms_by_what")
_NOT_SIGNED = lexicon("forms_not_signed")
_QUOTED = re.compile(rf"[\"“‘(]+(?P<nick>{_LETTERS}[\w’'-]{{1,14}})[\"”’)]+")
_TICKED = re.compile(rf"\b(?P<part>[ODLM])[’'ʼ](?P<rest>[A-Z]{_LETTERS}{{2,}})")
_SYLLABLED = re.compile(r"\b(?P<first>[A-Z][a-z]{1,6})[-‐‑](?P<last>[a-z]{2,6})(?![\w-])")
_LIST = re.compile(
    rf"\b(?:kids|children|siblings|sons|daughters|grandchildren|grandkids|sisters|brothers|parents|twins|nephews"
    rf"|nieces|attendees"
    rf"|attended by|attendance|crew|present|pets|household)(?: are| were|"
    rf" include)?[:,]?[ ]+(?P<names>(?-i:{_TITLE})[^\n;]{{0,90}})",
    re.IGNORECASE,
)
_LISTED = re.compile(rf"(?P<name>{_TITLE}(?:-{_TITLE})?)(?=[ ]?[(,;.]|[ ]\d|[ ](?:and|&)[ ]|[ ]?$)")
_BREAK = re.compile(r"[.!?](?= [A-Z])|\b(?:with|who|has|have|were|was|is|are|for|in|at|on|all|both|live|lives)\b")
_OTHER_SCRIPT = re.compile(
    "[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af\u0400-\u04ff\u0370-\u03ff\u0590-\u05ff\u0600-\u06ff\u0900-\u0dff\u0e00-\u0e7f]{2,}"
)
_GREEK = re.compile("[\u0370-\u03ff]{1,2}")
_TURNED = re.compile(
    r"\b(?:PT|PATIENT|NAME|RE|PATIENT NAME)[ :]+(?P<name>(?:[A-Z][A-Z'’-]+ ){0,2}[A-Z][A-Z'’-]+, ?[A-Z][A-Z'’-]+)(?="
    r" |,|\.|\n|$)"
)
_WILL = re.compile(r"(?<=[a-z,] )(?P<name>Will)(?= [a-z])")
_SAYS = re.compile(
    rf"\b(?:[Tt]his is|[Ii]['’]?m|[Ii] am|[Ii]t['’]?s|asks?|[Mm]y name['’]?s|[Mm]y name is|[Aa]sk for|[Ll]ooking for"
    rf"|[Rr]egards,|[Tt]hanks,|[Tt]hx,?|[Cc]heers,?)"
    rf" (?P<name>{_LETTERS}{{2,}})(?=,|\s*$| here\b| and\b| at\b| lol\b| from\b|\.|!)"
)
_WHOSE = re.compile(
    r"['’]s (?:brother|sister|mother|father|mum|mom|dad|wife|husband|son|daughter|partner"
    r"|carer|teacher|aunt"
    r"|uncle|gran|nan|granny|boyfriend|girlfriend|cousin|nephew|niece|twin|baby|appointment|appt|prescription"
    r"|refill|results|chart|file|vaccine"
    r"|vaccines|shots|bloods|referral|inhaler|meds|medication|medications|bed|room|glasses|wheelchair|discharge"
    r"|follow-up|birthday)\b"
)
_ROLES_OF_NOBODY = frozenset(
    ("patient", "pt", "child", "baby", "infant", "newborn", "client", "resident", "boy", "girl", "mother", "father",
     "mum", "mom", "dad", "lady", "gentleman", "veteran", "member", "caller", "donor", "deceased", "today", "everyone")
)  # fmt: skip
_OWNER = re.compile(rf"\b{_LETTERS}{{3,24}}\Z")
_ALIAS = re.compile(
    rf"\b(?:[Aa]lias|[Aa]ka|AKA|a\.k\.a\.|[Kk]nown as|[Cc]alled|[Nn]icknamed|[Gg]oes by|[Pp]refers|[Pp]ref:)[:,]?"
    rf" [\"“‘'](?P<name>{_LETTERS}[\w' -]{{1,20}})[\"”’']"
)
_ROLE = re.compile(
    rf"\b(?:nurse|midwife|charge|manager|partner|boy|girl|chaplain|registrar|scribe|peer|waiter|driver|dispatch"
    rf"|handoff to"
    rf"|handover to|corrected by|reviewed by|counted by|attending(?: tonight| today| on call)?|on call)[,:]?"
    rf" \(?(?P<name>(?-i:{_TITLE}))(?=[.,;)]|\s*$|\s*\n| \(| [A-Z]\.| [a-z])",
    re.IGNORECASE,
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
_DATES = re.compile("\\d|[年月日]")


def signs(text: Text) -> Iterator[Span]:
    """Names by form alone."""
    yield from _lines(text)
    for match in _beginning(text, _TICKED, _TICKED_LETTERS) if "'" in text or "’" in text else ():
        yield Span(*match.span(), "NAME", 0.7, "name with an apostrophe")
    for match in _SYLLABLED.finditer(text) if not text.words.isdisjoint(SYLLABLES) else ():
        first = match["first"].lower()
        if match["last"] in SYLLABLES and (first in people() or first not in words()):
            yield Span(*match.span(), "NAME", 0.7, "given name of two syllables")
    yield from initials(text)
    yield from _lists(text)
    if not text.isascii():
        yield from _scripts(text)


def nicknames(text: Text, found: list[Span]) -> Iterator[Span]:
    """A word in quotes or brackets between the parts of a name: Bruce "Bluey" Hargreaves, Okonkwo (Chidera)."""
    if '"' not in text and "“" not in text and "(" not in text:
        return
    ends, starts = {span.end for span in found}, {span.start for span in found}
    for match in _QUOTED.finditer(text):
        quoted = match[0][0] in '"“‘'
        before = any(at in ends for at in (match.start() - 1, match.start() - 2))
        after = match.end() + 1 in starts
        word = match["nick"]
        if not (before or after) or not (word[0].isupper() or text.caseless) or (word.isupper() and len(word) < 4):
            continue
        if quoted or (before and people().get(word.lower(), "s") in "gGbB" and words().get(word.lower(), "9") > "1"):
            yield Span(*match.span("nick"), "NAME", 0.72, "nickname beside a name")


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


_NOBODY = re.compile(
    r"(?:pt|patient|base|control|unit|user|agent|bot|caller|nurse|doctor|rn|md|triage|note|plan|status|system|admin|reply"
    r"|me|them|staff|dispatch|crew|medic|ward|lab|bed|bay|room|obs|bp|hr|sats|temp)\b"
)
"""Who speaks and is nobody by name."""
_MONTH_NAMES = frozenset(("may", "june", "april"))


def _lines(text: Text) -> Iterator[Span]:
    """Who speaks, who signs."""
    numbered = list(_numbered(text))
    singles = [text.tokens[at].start for at in text.where(ALPHABET)]
    for match in _opening(text, _SPEAKER, numbered, _TIMED):
        if not _NOBODY.match(match["name"].lower()):
            yield Span(*match.span("name"), "NAME", 0.85, "who speaks in a chat")
    yield from _initials(text, numbered, singles)
    for match in _apart(text, _INITIAL, singles):
        surname = match["name"].rpartition(" ")[2].lower()
        led = _INITIAL_BEFORE.search(text, max(0, match.start() - 12), match.start())
        if led and people().get(surname, "g") in "sSbB" and surname not in _NO_SURNAMES:
            yield Span(*match.span("name"), "NAME", 0.66, "initial and surname")
    yield from _signed(text)
    for match in _WILL.finditer(text) if "Will" in text else ():
        yield Span(*match.span("name"), "NAME", 0.6, "Will inside a sentence")
    for match in _beginning(text, _SAYS, _SAYS_WORDS):
        if _is_name(match["name"]):
            yield Span(*match.span("name"), "NAME", 0.7, "who writes")
    for match in _WHOSE.finditer(text) if "'s " in text or "’s " in text else ():
        owner = _OWNER.search(text, max(0, match.start() - 25), match.start())
        if owner and owner[0].lower() in _ROLES_OF_NOBODY:
            continue
        if owner and (_is_name(owner[0]) or owner[0].lower() not in words()):
            yield Span(*owner.span(), "NAME", 0.66, "whose kin")
    for match in _beginning(text, _ALIAS, _ALIAS_WORDS):
        yield Span(*match.span("name"), "NAME", 0.72, "alias")
    for match in _beginning(text, _ROLE, _ROLE_WORDS):
        lower = match["name"].lower()
        if lower in people() and lower not in _NO_SURNAMES and lower not in HONORIFICS and text.upper_share < 0.5:
            yield Span(*match.span("name"), "NAME", 0.66, "beside a role")
    for match in _beginning(text, _ENTERED, _ENTERED_WORDS):
        yield Span(*match.span("name"), "NAME", 0.6, "initials of who entered it")
    for match in _opening(text, _LOGGED, numbered, _LOG):
        yield Span(*match.span("name"), "NAME", 0.7, "name in a log")
        yield Span(*match.span("id"), "ID", 0.7, "number in a log")
    for match in _beginning(text, _TURNED, _TURNED_WORDS):
        given = match["name"].rpartition(",")[2].strip().lower()
        if people().get(given, "s") in "gGbB" or given not in words():
            yield Span(*match.span("name"), "NAME", 0.8, "surname, given name after the word patient")


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


def _initials(text: Text, numbered: list[int], singles: list[int]) -> Iterator[Span]:
    """Initials after a date, with dots, at the end of a text."""
    for matches, reason in (
        (_opening(text, _DATED, numbered, _DAY), "initials after a date"),
        (_apart(text, _DOTTED, singles), "initials with dots"),
        (_END.finditer(text), "initials that sign"),
    ):
        for match in matches:
            said = re.sub(r"\W", "", match["initials"]).lower()
            shouted = text.upper_share > 0.5 and match.re is not _DATED
            if said not in _NOT_INITIALS and not (match.re is _END and said in _NOT_SIGNED) and not shouted:
                yield Span(*match.span("initials"), "NAME", 0.56, reason)


def _signed(text: Text) -> Iterator[Span]:
    """Initials of who did, dictated and typed it; the name under a message; who is how old."""
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
    for at in text.where(_BEING):
        yield from _aged_subject(text, at)
    for start, end in text.digits:
        if end - start < 4 and text[end : end + 2].strip()[:1] in _AFTER_AGE and _of_age(text, start, end):
            match = _AGED.search(text, max(0, start - 70), start)
            if match and _aged(match["name"]):
                yield Span(*match.span("name"), "NAME", 0.66, "name before an age")


_BEING = frozenset(("is", "was"))


def _aged_subject(text: Text, being: int) -> Iterator[Span]:
    """Who "is a 94-year-old", if two or three words that may be a name are the whole of what stands before it."""
    for many in (3, 2):
        first = being - many
        opens = first == 0 or (first > 0 and text.breaks[first].strip(" \t*_")[-1:] in ("\n", ".", ":", "-", "—"))
        if not opens or (match := _IS_AGED.match(text, text.tokens[first].start)) is None:
            continue
        parts = text.lowered[first:being]
        named = sum(part in people() and part not in _ROLES_OF_NOBODY for part in parts)
        if match.end("name") == text.tokens[being - 1].end and named and not set(parts) & _NOT_A_NAME:
            yield Span(*match.span("name"), "NAME", 0.68, "who is how old")
            return


_NOT_A_NAME = listed("the this that she he it they her his my our their mother father who which there here today")


def _of_age(text: Text, start: int, end: int) -> bool:
    """Whether a number is an age: 57F, 84 y/o, or between commas."""
    if text[start - 1 : start] not in (" ", "("):
        return False
    if text[end : end + 1] in (",", ".") and text[end + 1 : end + 2] == " ":
        return text[start - 2 : start] == ", "
    return text[end : end + 2].strip()[:1] in ("M", "F", "m", "f", "y") and _YEARS.match(text, end) is not None


def _aged(name: str) -> bool:
    """Whether words before an age are a name: each may be one, and one is no word or all are names."""
    parts = [part.lower() for part in re.findall(r"[^\W\d_]{2,}", name)]
    marks = [people().get(part, "") for part in parts]
    if not parts or any(words().get(part) == "c" or part in _NOT_AGED for part in parts):
        return False
    if name.endswith("."):
        return bool(marks[0])
    bare = [bool(mark) and part not in words() for mark, part in zip(marks, parts, strict=True)]
    if len(parts) == 1:
        return bare[0] and len(parts[0]) > 3
    return all(marks) and (any(bare) or marks[0] in ("G", "B"))


_AFTER_AGE = frozenset(",.MFmfy")
_BY_WORD = frozenset(("by",))
_NOT_AGED = listed(
    "miss age aged room bed bay ward floor unit male female man woman boy girl para gravida stage grade type"
)


def _lists(text: Text) -> Iterator[Span]:
    """Names after "kids:" or "present:"."""
    for match in _beginning(text, _LIST, _LIST_WORDS) if text.upper_share < 0.5 else ():
        stop = _BREAK.search(match["names"])
        names = match["names"][: stop.start()] if stop else match["names"]
        for name in _LISTED.finditer(names):
            known = words().get(name["name"].lower(), "9") > "1" or name["name"].lower() in people()
            if known and not name["name"].isupper():
                start = match.start("names") + name.start()
                yield Span(start, start + len(name["name"]), "NAME", 0.68, "in a list of people")


def _scripts(text: Text) -> Iterator[Span]:
    """Words in another script, in a note that is written in Latin letters."""
    runs = [match for match in _OTHER_SCRIPT.finditer(text) if not _GREEK.fullmatch(match[0])]
    if 0 < sum(len(match[0]) for match in runs) <= 0.3 * len(text):
        for match in runs:
            if not _DATES.search(match[0]):
                yield Span(*match.span(), "NAME", 0.55, "words in another script")


_LIST_WORDS = lexicon("forms_list_words")
_TIMED = re.compile(r"\d[:.h]\d\d(?::\d\d)?(?: ?[AaPp][Mm])?\]?\)?[ ,-]{1,3}[A-ZÀ-Þ]")
_DAY = re.compile(r"[\d./-](?: \d{1,2}[:.]?\d{2})?[ ,–-]{1,3}[A-Z]{2,3}(?=:| \(| ?[–-] )")
_LOG = re.compile(r"\d\d:?\d\d [A-Z]{2}")
"""What chats, dated entries and logs are not without."""
ALPHABET = frozenset("abcdefghijklmnopqrstuvwxyz")
_TICKED_LETTERS = frozenset("odlm")
_FARE_WELL_WORDS = listed("love cheers thx thanks ta x xx regards best")
_ALIAS_WORDS = listed("alias aka a known called nicknamed goes prefers pref")
_ROLE_WORDS = listed(
    """
    nurse midwife charge manager partner boy girl chaplain registrar scribe peer waiter driver dispatch handoff handover
    corrected reviewed counted attending on
    """
)
_ENTERED_WORDS = listed(
    """
    entered typed scribe scribed dictated keyed init inits initial initials checked verified transcribed
    """
)
_TURNED_WORDS = listed("pt patient name re")
_SAYS_WORDS = listed("this i im it its ask asks looking my regards thanks thx cheers")
