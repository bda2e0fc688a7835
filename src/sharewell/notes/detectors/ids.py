"""Numbers that stand for a person or a thing of theirs: record, account, plan, licence, vehicle, device, specimen.

A candidate holds a digit, and words such as "MRN", "account" or "serial" stand before it. Names of users count too.
Laboratory values, doses, spine levels, codes of diseases, years, rooms and beds do not. What is an identifier by its
form alone is a rule (`rules/identifier-forms.toml`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from sharewell.io.compiled_patterns import compiled
from sharewell.notes.detectors.user_names import user_names
from sharewell.notes.engine.lexicons import words
from sharewell.notes.engine.pattern_pieces import MEASURE, patterns
from sharewell.notes.engine.spans import Span, Text
from sharewell.notes.engine.word_lists import lexicon, listed

if TYPE_CHECKING:
    from sharewell.notes.engine.known_identifiers import Known

_PATTERNS = patterns("notes/ids.toml")
STRONG, CLINICAL = lexicon("identifier_names"), lexicon("clinical_codes")
"""What follows the names is an identifier even if it is short; short codes of tests and scales are none."""
PLAIN = listed("no nos nr num number numbers ref refs reference code codes id ids")
"""They say that a number follows, and not of what."""
_CUES = STRONG | lexicon("numbered_papers")
_AFTER = _PATTERNS["after"]
"""What stands after the name of an identifier: letters and digits in groups, "HBT 3390 17 552"."""
_EXPLICIT = _PATTERNS["explicit"]
_NO_VALUE = _PATTERNS["no_value"]
_MEASURE = compiled(MEASURE)
_LONE_WORD = compiled(r"([A-Z]+)(?: |\. )(?=[A-Z\d])")
_VITALS = _PATTERNS["vitals"]
"""Vital signs, ranges of a laboratory, laws, a bed and an hour: what follows the word is no identifier."""
_USER = _PATTERNS["user"]
_USER_WORDS = lexicon("ids_user_words")
_SPEAKER = compiled(r"\[(?:\d{1,2}/\d{1,2}[ ,]+)?\d{1,2}:\d\d(?::\d\d)?\]\s(?P<user>[a-z][\w.-]*):")
"""Who speaks in a log of messages."""
_UNDERSCORE = compiled(r"(?<![\w./@-])[a-z\d]+(?:[._][a-z\d]+)+(?![\w@]|\s?[=(\[\"])")
_REACH = 40
"""A candidate has its first digit within so many characters."""


class Ids:
    """Finds what a word such as MRN, account or user names."""

    name: ClassVar[str] = "ids"

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        text = Text.of(text)
        results = [*_named_users(text), *user_names(text)]
        return [*_after_names(text), *results] if text.digits else results


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


def _slashed(text: Text) -> Iterator[int]:
    """The last letters of "S/N" and "I/C"."""
    for word, before in (("n", "s/"), ("c", "i/")):
        for at in text.positions.get(word, ()):
            start = text.tokens[at].start
            if text.folded[max(0, start - 2) : start] == before and not text.folded[start - 3 : start - 2].isalnum():
                yield at


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
_CODE = _PATTERNS["code"]
_SHORT_CODE = compiled(r"[A-Z]{1,4}-?\d{3,4}")
_CODED = listed("code id ids ref tech technician operator workstation guard straw jar locker tag")
_HOURS = listed(
    """
    film phone scan mri ct report exam event note visit shift rota theatre clinic call run trip service unit site case
    hospital
    """
)
_SHIFT = compiled(r"\d{1,2}/\d{1,2} [0-2]\d[0-5]\d|[0-2]\d[0-5]\d(?:h|hrs|-[0-2]\d[0-5]\d)")
_SHORT_ONES = listed(
    "mrn pin badge pc wpc lot pin constable officer passport ending bleep shield collar csn mrns tag bib"
)


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
