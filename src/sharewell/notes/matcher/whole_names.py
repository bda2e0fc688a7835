"""Whole names: what is joined to a found one by a dash, an apostrophe or a blank and a capital belongs to it.

Mokoena-Black, Hyun-woo, Fa'asavalu, Wabikon-on-the-Lake, Teesmouth Alkalis, Mai See Vang: a part that is a word of
English, or that no list knows, would stay behind otherwise. Ordinary compounds ("Brown-appearing", "Boston-based") do
not grow, nor does a note without case, and nothing grows over the end of a sentence, a field, a drug or a safe phrase.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache

from sharewell.calendar_names import MONTH_WORDS, WEEKDAYS
from sharewell.io.compiled_patterns import compiled
from sharewell.notes.engine.gazetteer import STATES
from sharewell.notes.engine.lexicons import eponym, words
from sharewell.notes.engine.pattern_pieces import TITLE, patterns
from sharewell.notes.engine.spans import Span, Text
from sharewell.notes.engine.word_lists import TITLES, lexicon, listed
from sharewell.notes.matcher.rule_files import alternation

_PATTERNS = patterns("notes/whole_names.toml")
_LETTERS = r"[^\W\d_]"
_SYLLABLES, _SENTENCE_WORDS = lexicon("syllables"), lexicon("capitals_sentence_words")
_CHAIN = _PATTERNS["chain"]
_BEFORE = compiled(rf"(?<![\w'’-])(?:(?P<part>{_LETTERS}+)[-‐‑]|(?:[ODLM]|Fa|Mc|Ní|d|o)['’ʼ])$")
_PARTICLES = compiled(r"(?<![\w'’-])(?:(?:van|von|de|der|del|della|dos|ter) |(?<=[A-Z]\. )(?:ten|den|la|le) ){1,2}$")
_INITIALS = compiled(r"(?<![\w.'’/^])(?<!\d )(?:[A-ZÀ-Þ]\.[ -]?){1,3}$|(?:^|\n|(?<=[,;:(] ))[B-HJ-Z] $")
"""What stands before a surname: J. de Boer, P.-A. Roche, D Whitcombe."""
_NEXT = _PATTERNS["next"]
_LAST = compiled(rf"(?<=[\w,;(&] )(?P<word>{_LETTERS}[\w’'-]*)(?: | & )$")
_JOINTS = frozenset("-‐‑'’ʼ")
_JOINTS_BEFORE = _JOINTS | {"\n"}  # a pattern's end may stand before a line break
_KINDS = ("NAME", "PLACE", "ORGANISATION", "OTHER")
_REACH = 3
_KOREAN = 14
Phrases = Sequence[tuple[int, int]]
"""Ends and beginnings of safe phrases, in order."""
_STOPS = _SENTENCE_WORDS.union(MONTH_WORDS, WEEKDAYS) | lexicon("whole_names_stops")
_ROLES = TITLES | lexicon("whole_names_roles")


def whole_names(text: Text, spans: Sequence[Span], safe: Sequence[Span] = ()) -> list[Span]:
    """Spans of names and places, grown over what is joined to them; still in order and without overlap.

    >>> [(s.start, s.end) for s in whole_names(Text("Ann Mokoena-Black came"), [Span(0, 11, "NAME", 0.7)])]
    [(0, 17)]
    """
    phrases = sorted([(phrase.end, phrase.start) for phrase in safe])
    kept: list[Span] = []
    since = 0
    for at, span in enumerate(spans):
        if span.kind == "ADDRESS":
            until = spans[at + 1].start if at + 1 < len(spans) else len(text)
            end = _with_unit(text, _with_state(text, span.kind, span.end, until), until)
            if end > span.end:
                span = Span(span.start, end, span.kind, span.certainty, span.reason)
        if span.kind in _KINDS:
            until = spans[at + 1].start if at + 1 < len(spans) else len(text)
            start, end = _back(text, span, since, phrases), _on(text, span, until, phrases)
            if not text.caseless:
                start, end = _titled(text, span.kind, start, end, since, until, phrases)
            start, end = _as_house(text, span.kind, start, end, since, until, phrases)
            if until > end:
                end = _bridged(text, span.kind, start, end, spans[at + 1] if at + 1 < len(spans) else None)
            if until > end and kept and span.kind != "ORGANISATION" and kept[-1].kind == "ADDRESS":
                end = _with_code(text, end, until) if text[kept[-1].end : start] in (", ", " ", ",") else end
            start, end = max(start, since), min(end, until)  # whatever a rule says: others keep what they have
            if start < span.start or end > span.end:
                span = Span(start, end, span.kind, span.certainty, span.reason)
        kept.append(span)
        since = span.end
    return kept


def _as_house(text: Text, kind: str, start: int, end: int, since: int, until: int, safe: Phrases) -> tuple[int, int]:
    """With the words for a house behind it ("district hospital") and "royal" before it, in any case."""
    low = text.folded
    before = low[max(since, start - 10) : start]
    house = _house_after(kind == "NAME").match(low, end, until)
    if house and not _TITLE_BEFORE.search(before) and not _is_safe(end, house.end(), safe):
        end = house.end()
    royal = _ROYAL_BEFORE.search(before) if house or kind != "NAME" else None
    return start - (len(before) - royal.start() if royal else 0), end


@cache
def _house_after(of_person: bool) -> re.Pattern[str]:
    """Words for a house; after the name of a person only those that mean nothing else."""
    last = alternation("institutions_strong" if of_person else "houses_in_small_letters")
    middle = rf"(?:[ -]{{1,2}}(?:{alternation('houses_middle')}|of)\b)"
    no_house = r"(?! (?:stay|course|beds?|days?|acquired|policy)\b)"
    return compiled(rf"(?:['’]s)?{middle}{{0,4}}[ -]{{1,2}}{last}\b{no_house}")


def _bridged(text: Text, kind: str, start: int, end: int, after: Span | None) -> int:
    """Over "on" to the street of a shop, over "of" to the place of a house, over "'s" of a shop, and over a state."""
    if (
        text.startswith(("'s", "’s"), end)
        and _SHOP_AFTER.match(text, end + 2)
        and (kind == "ORGANISATION" or _SHOP_BEFORE.search(text, max(0, start - 10), start))
    ):
        return end + 2
    if kind == "NAME":
        return end
    if kind == "ORGANISATION" and after is not None and after.start - end < 9 and after.kind in ("PLACE", "ADDRESS"):
        between = text[end : after.start]
        if between in (" on ", " on the ", " of ") or (between == " at " and text.startswith(("The ", "the "), start)):
            return after.start
    number = _STORE.match(text, end) if kind == "ORGANISATION" and text.startswith((" #", "#"), end) else None
    if number and (after is None or number.end() <= after.start):
        return number.end()
    return _with_state(text, kind, end, after.start if after else len(text))


def _with_unit(text: Text, end: int, until: int) -> int:
    """Over a flat behind a street, in the words of many countries."""
    match = _UNIT.match(text.folded, end) if text.startswith((" ", ","), end) else None
    return match.end() if match and match.end() <= until else end


def _with_code(text: Text, end: int, until: int) -> int:
    """Over four digits, or the first half of a British postcode, behind the place of a street."""
    match = _CODE.match(text, end) if text.startswith((" ", ","), end) else None
    return match.end() if match and match.end() <= until else end


def _with_state(text: Text, kind: str, end: int, until: int) -> int:
    """Over a comma and the code of a state, and the postcode behind it."""
    match = _STATE.match(text, end) if text.startswith((" ", ","), end) else None
    if not match or match.end() > until:
        return end
    code, comma = match["code"], "," in match["gap"]
    if text[end - 1].isdigit() and not code.isupper():
        return end
    if code.isupper():
        plainly = comma or not text.caseless
        return match.end() if plainly and (comma or code not in _UNSURE or match["post"]) else end
    if (
        code.islower()
        and kind != "ORGANISATION"
        and code not in ("in", "or", "me", "on", "as")
        and not text.startswith(":", match.end())
    ):
        closed = comma and text[match.end() : match.end() + 1] in ("", ".", ",", ";", "\n", ")")
        return match.end() if closed or code in _SAFE_CODES else end
    return end


_TITLE_BEFORE = compiled(rf"\b(?:{TITLE}|mx|sister|nurse)\.? \Z")
_ROYAL_BEFORE = compiled(r"\b(?:royal|queen|king|prince|princess|saint|st|sainte|mount|mt|fort|ft|san|santa)\.? \Z")
_STORE = compiled(r" ?#\d{1,5}\b")
_UNIT = _PATTERNS["unit"]
_CODE = compiled(r"(?: (?!19|20)\d{4}|,? [A-Z]{1,2}\d{1,2})(?=[.,;\n)]|$)")
_SHOP_BEFORE = compiled(r"(?:\b(?:at|from|the|to|via)|[,@]) $")
_SHOP_AFTER = compiled(r" on |\s*(?:[.,;)]|$)")
_ABROAD = "NSW|QLD|VIC|TAS|ACT|NT|SA|WA|ON|QC|BC|AB|MB|SK|NS|NB|NL|PE|YT"
_STATE = compiled(
    rf"(?P<gap>,? )(?P<code>(?i:{'|'.join(STATES)}|{_ABROAD}))"
    r"(?P<post>,? (?:\d{4,5}(?:-\d{4})?|[A-Z]\d[A-Z] \d[A-Z]\d))?"
    r"(?![\w/-]|['’.]\w)"
)
_UNSURE = listed("in or me on as md pa ms do ct or id hi ok ma co al de la mt pr vi")
_UNSURE = _UNSURE | {code.upper() for code in _UNSURE}
_SAFE_CODES = listed("ny fl nj az ga ky wv wy ut nv nm nh ks wi mn il oh tn nd sd vt nsw qld")


def _on(text: str, span: Span, until: int, safe: Phrases) -> int:
    end = span.end
    if text[end : end + 1] not in _JOINTS:
        return end
    while (match := _CHAIN.match(text, end)) and match.end() <= until:
        part = match["part"] or match["tail"]
        syllable = match["part"] is not None and part in _SYLLABLES and end - span.start < _KOREAN
        if not (syllable or _joins(part, part[0].isupper() and match["part"] is not None)) or _is_safe(
            end, match.end(), safe
        ):
            break
        end = match.end()
    return end


def _back(text: str, span: Span, since: int, safe: Phrases) -> int:
    start = span.start
    if span.kind == "NAME" and text[start : start + 1].isupper():
        if text[max(0, start - 2) : start].endswith((" ", "\n")):
            match = _PARTICLES.search(text, max(since, start - 14), start)
            start = match.start() if match else start
        if not text[max(0, start - 2) : start].strip(" \n-").islower():  # a dot or a capital
            match = _INITIALS.search(text, max(since, start - 9), start)
            if match and not _is_safe(match.start(), start, safe):
                start = match.start()
    if text[max(0, start - 1) : start] not in _JOINTS_BEFORE:
        return start
    while match := _BEFORE.search(text, max(since, start - 24), start):
        part = match["part"]
        if (part is not None and not _joins(part, part[0].isupper())) or _is_safe(match.start(), start, safe):
            break
        start = match.start()
    return start


def _titled(text: Text, kind: str, start: int, end: int, since: int, until: int, safe: Phrases) -> tuple[int, int]:
    """Over capitalised words beside it; backwards only for places and organisations, inside a sentence."""
    for _ in range(_REACH if _may_go_on(text, end) else 0):
        match = _NEXT.match(text, end)
        if not match or match.end() > until or not _goes_on(match["word"]) or _is_safe(end, match.end(), safe):
            break
        end = match.end()
    for _ in range(_REACH if kind in ("PLACE", "ORGANISATION") else 0):
        match = _LAST.search(text, max(since, start - 24), start)
        if not match or not _goes_on(match["word"]) or match["word"].lower() in _ROLES:
            break
        if _is_safe(match.start("word"), start, safe):
            break
        start = match.start("word")
    tail = _TAIL.match(text, end)
    if tail and tail.end() <= until and not _is_safe(end, tail.end(), safe) and not tail[0].endswith("MD"):
        end = tail.end()
    the = _THE.search(text, max(since, start - 4), start) if kind == "ORGANISATION" else None
    return the.start() if the else start, end


def _may_go_on(text: str, end: int) -> bool:
    """A quick look: a blank and a capital, or another sign that joins words."""
    sign, after = text[end : end + 1], text[end + 1 : end + 2]
    return after.isupper() or after == "&" if sign == " " else sign in _JOINTS


def _goes_on(word: str) -> bool:
    """Written like a part of a name, and no word that begins something else."""
    lower = word.lower()
    if not word[0].isupper() or word.isupper() or not word.isalpha() or lower in _STOPS or lower in _ROLES:
        return False
    return len(word) > 2 and eponym(lower) is not False


def _joins(part: str, titled: bool) -> bool:
    """In title case, or no common word."""
    level = words().get(part.lower(), "9")
    return (titled and not part.isupper()) or (level > "3" and not part.isupper()) or (titled and level > "2")


_THE = compiled(r"(?<![\w])The $")
_TAIL = _PATTERNS["tail"]
"""What is written in capitals and ends a name: police departments, royal hospitals, sons."""


def _is_safe(start: int, end: int, safe: Phrases) -> bool:
    """Does a safe phrase have a part in it?"""
    at = bisect_left(safe, (start + 1, 0))
    return any(begins < end for _, begins in safe[at : at + 4])
