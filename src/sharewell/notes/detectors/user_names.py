"""Names of users: who signed, typed, opened or sent, as a system calls them ("signed tolsen2", "k.ferrara", "rkhan:").

The form is that of an account: a surname with an initial before it or behind it, letters with a number at the end, or
two parts with a dot. It counts after words about signing and logging in, and where it opens several lines of a talk.
The same name counts wherever it stands.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from sharewell.io.compiled_patterns import compiled
from sharewell.notes.detectors.clinical_words import SHORTHAND
from sharewell.notes.engine.lexicons import eponym_words, people, words
from sharewell.notes.engine.pattern_pieces import patterns
from sharewell.notes.engine.spans import Span, Text
from sharewell.notes.engine.word_lists import lexicon

_PATTERNS = patterns("notes/user_names.toml")
_CUE = _PATTERNS["cue"]
_BESIDE = _PATTERNS["beside"]
"""Behind a stroke (Gross/tony_e), before the address of a machine (will.ke@10.0.4.2)."""
_MACHINE = compiled(r"@\d{1,3}\.\d{1,3}\.")
_CUES = lexicon("user_names_cues")
_SPEAKER = compiled(r"\n[\"'>*• \t-]{0,5}(?P<user>[A-Za-z][\w.-]{2,24}?)(?: \d{1,2}:\d\d(?: ?[ap]m)?)?[ \t]?:(?=\s)")
_FIRST = compiled(_SPEAKER.pattern.removeprefix(r"\n"))
_SURNAMES = frozenset("SB")
_LOOSE = ("by ", "from ", "per ", "via ")
_CODED = compiled(r"[a-z]{3}\d{3}")
_NUMBERED_NAME = compiled(r"[a-z]{5,9}\d{1,2}")
_NUMBERED = lexicon("user_names_numbered")


def user_names(text: Text) -> Iterator[Span]:
    """Accounts by their form and their place."""
    low = text.folded
    results: dict[str, None] = {}
    for match in text.cued(_CUE, _CUES):
        if is_account(match["user"], signed=not match[0].startswith(_LOOSE)):
            results[match["user"]] = None
            yield Span(*match.span("user"), "ID", 0.62, "name of a user")
    for match in _BESIDE.finditer(low) if "_" in low or _MACHINE.search(low) else ():
        results[match["stroke"] or match["at"]] = None
        yield Span(*match.span(match.lastgroup or 0), "ID", 0.62, "name of a user")
    if ":" in text:
        yield from _speakers(text, results)
    mark = words().mark
    for word in text.words:
        if 5 < len(word) < 13 and not mark(word) and _by_form(text, word):
            results[word] = None
    for user in results:
        if user.isalnum():
            for at in text.positions.get(user, ()):
                yield Span(text.tokens[at].start, text.tokens[at].end, "ID", 0.6, "name of a user")


def _by_form(text: Text, word: str) -> bool:
    """Does a word look like an account wherever it stands: an initial and a surname in small letters or in capitals,
    letters that no list knows and a number behind them, three letters and three digits?"""
    if word.isalpha():
        named = people().get(word[1:]) in _SURNAMES and word not in people()
        return (
            named
            and word not in SHORTHAND
            and not any(text.written[at].istitle() or not text.written[at].isascii() for at in text.positions[word])
        )
    if not word[-1].isdigit() or not word[0].isalpha() or not word.isascii():
        return False
    letters = word.rstrip("0123456789")
    if any(letters in known for known in (_NUMBERED, lexicon("clinical_codes"), words(), eponym_words(), SHORTHAND)):
        return False
    return _NUMBERED_NAME.fullmatch(word) is not None or _CODED.fullmatch(word) is not None


def _speakers(text: Text, results: dict[str, None]) -> Iterator[Span]:
    """Who opens two lines of a talk or more, and is no word or field."""
    first = _FIRST.match(text)
    matches: list[re.Match[str]] = [*([first] if first else []), *_SPEAKER.finditer(text)]
    often = Counter(match["user"] for match in matches)
    for match in matches:
        user = match["user"]
        if often[user] > 1 and _is_nick(user):
            results[user.lower()] = None
            yield Span(*match.span("user"), "ID", 0.62, "who speaks")


def _is_nick(user: str) -> bool:
    """A name such as people take in a chat: in small letters, or with a number or capitals inside."""
    lower = user.lower()
    parts = [part for part in re.split(r"[\W\d_]+", lower) if part]
    plain = user.istitle() or user.isupper() or lower in SHORTHAND
    if len(lower) < 4 or max(map(len, parts), default=0) < 3 or (plain and not any(map(str.isdigit, user))):
        return False
    if "_" in user:
        return any(map(str.isdigit, user)) or any(part not in words() for part in parts)
    if any(part in words() or part in SHORTHAND for part in parts) or lower in people():
        return False
    return lower != parts[0] or _initial_and_surname(lower)


def is_account(user: str, signed: bool) -> bool:
    """A surname and an initial, letters and a number, or two parts with a dot; after "signed" what no list knows."""
    first, dot, last = user.partition(".")
    if "_" in user or (dot and signed and len(first) > 1 and 1 < len(last) < 4):
        return signed  # typed by kell.fi
    if dot:
        return len(last) > 3 and (last in people() or last not in words()) and (len(first) == 1 or first in people())
    letters = user.rstrip("0123456789")
    if len(letters) < 3 or letters in _NUMBERED:
        return False
    known = words().get(letters, "9") < "9"
    if letters != user:
        return not known and (len(letters) > 3 or signed or _CODED.fullmatch(user) is not None)
    if known or user in people() or user in SHORTHAND:
        return False
    return _initial_and_surname(user) or (signed and len(user) > 3 and _no_vowels(user))


def _initial_and_surname(user: str) -> bool:
    return len(user) > 4 and (people().get(user[1:]) in _SURNAMES or people().get(user[:-1]) in _SURNAMES)


def _no_vowels(user: str) -> bool:
    return sum(sign in "aeiouy" for sign in user) * 5 < len(user)
