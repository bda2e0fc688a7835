"""Is a secret plainly easy to guess?

No program can tell that a secret is hard to guess: a line of a poem looks like any other. This refuses what is surely
weak, in two ways. The first counts *unpredictable* characters, those that nothing before them suggests. Predictable is
a character that

- repeats the one before it (`aaaa`),
- goes on in a sequence (`4567`, `dcba`) or along a row of the keyboard (`asdf`), or
- ends a piece of three characters that occurred before (`horsehorse`).

A text needs 24 unpredictable characters; other bytes need 12, at eight bits each. The second way reads a text as people
make it up: of all ways to cut it into words, dates, sequences, walks on the keyboard, well-known phrases and single
characters, the one that is guessed soonest counts. An everyday word is worth 6 bits, a common one 9, a known one 12 and
a rare one 14 (English words by how common they are; in a sentence they are worth less than chosen at random); a word
that occurred before, blanks and marks between words 1 bit; a date 12 and a year 6; a phrase that everybody knows 8; a
sequence or walk 6, whatever its length; a digit 3; any other character 5. `@` counts as a, `0` as o and so on, as in
`p@ssw0rd`, for 1 bit a word. A text needs 36 bits: at 0.1 s for each guess (`Key.from_secret`) that is about 200 years
of one processor. A 16-byte random key passes, and so does any that `sharewell keygen --secret` makes, with 256 bits.

>>> is_guessable(b"aaaaaaaaaaaaaaaa"), is_guessable(b"passwordpasswordpassword"), is_guessable(b"characteristically")
(True, True, True)
>>> is_guessable(b"0123456789abcdef0123456789abcdef"), is_guessable(bytes(range(32)))
(True, True)
>>> is_guessable(b"to be or not to be, that is the question"), is_guessable(b"Hospital release key 2026-11-17!")
(True, True)
>>> is_guessable(b"an example key of enough bytes.."), is_guessable(bytes.fromhex("8f1b6a53c09de2447c15b0f3692ad84e"))
(False, False)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

LEAST_OF_TEXT, LEAST_OF_BYTES = 24, 12
"""Unpredictable characters, or bytes, that a secret must have."""
LEAST_BITS = 36
"""By the second way."""
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm", "1234567890", "qwertzuiop", "yxcvbnm", "azertyuiop", "qsdfghjklm")
_KEYBOARD = frozenset(row[i : i + 3] for one in _ROWS for row in (one, one[::-1]) for i in range(len(one) - 2))
_BITS = {"1": 6, "2": 9, "3": 12, "4": 14, "c": 14}
"""By the mark of the shipped list of words."""
_AGAIN, _BETWEEN, _YEAR, _DATE, _PHRASE, _WALK, _DIGIT, _OTHER = 1, 1, 6, 12, 8, 6, 3, 5
_LEET = str.maketrans("@4301!$57", "aaeoiisst")
_LONGEST_WORD = 24
_OFTEN = ("password", "passphrase", "passwort", "letmein", "iloveyou", "changeme", "sharewell")
"""Words that the list of English lacks, as it does months and days of the week."""
_YEARS = re.compile(r"(19|20)\d\d")


def is_guessable(secret: bytes) -> bool:
    """Has the secret too few characters that nothing before them suggests, or is it made of too few words?"""
    try:
        text = secret.decode()
    except UnicodeDecodeError:
        return _unpredictable(secret) < LEAST_OF_BYTES
    if not text.isprintable():
        return _unpredictable(secret) < LEAST_OF_BYTES
    typed = text.casefold()
    few = _unpredictable([ord(sign) for sign in typed]) - _typed_in_a_row(typed) < LEAST_OF_TEXT
    return few or bits(text, enough=LEAST_BITS) < LEAST_BITS


def bits(text: str, enough: int | None = None) -> int:
    """How many guesses a text is worth to somebody who tries words, dates and the like first; as a power of two.

    enough: it need not be known how much more than this it is.

    >>> [bits(text) for text in ("correct horse battery staple", "p@ssw0rd", "1987-05-23", "qwertyuiop", "xq7#")]
    [8, 7, 12, 6, 14]
    """
    typed = text.casefold()[:4096]
    cheapest = [0, *[_OTHER * len(typed)] * len(typed)]
    seen: list[frozenset[str]] = [frozenset() for _ in range(len(typed) + 1)]
    words, starts, walk_ends = _words(), _phrases_in(typed), _walk_ends(typed)
    for at in range(len(typed)):
        if enough is not None and (least := min(cheapest[at:])) >= enough:
            return least
        # From the middle of a long walk nothing is reached sooner than from its beginning, as a rule.
        is_sooner = max(cheapest[at + 3 : walk_ends[at] + 1], default=0) > cheapest[at] + _AGAIN
        for end, cost, word in _pieces(typed, at, words, starts, walk_ends[at] if is_sooner else at):
            total = cheapest[at] + (_AGAIN if word and word in seen[at] else cost)
            if total < cheapest[end]:
                cheapest[end], seen[end] = total, seen[at] | {word} if word else seen[at]
    return cheapest[-1]


def _pieces(
    typed: str, at: int, words: Mapping[str, str], phrases: Mapping[int, int], walk_end: int
) -> Iterator[tuple[int, int, str]]:
    """(where it ends, how many bits it is worth, the word) of everything that a piece from here on may be."""
    sign = typed[at]
    between = not sign.isalnum() and (at == 0 or typed[at - 1].isalnum() or typed[at - 1] == sign)
    yield at + 1, _BETWEEN if between else _DIGIT if sign.isdecimal() else _OTHER, ""
    plain = typed[at : at + _LONGEST_WORD]
    read = plain.translate(_LEET)
    for length in range(len(plain), 2, -1):
        if mark := words.get(plain[:length]):
            yield at + length, _BITS[mark], plain[:length]
        elif mark := words.get(read[:length]):
            yield at + length, _BITS[mark] + 1, read[:length]
    for length in range(1, min(len(plain), 2) + 1):
        if plain[:length] in _SHORT:
            yield at + length, _BITS["1"], plain[:length]
    for pattern, cost in ((_dates(), _DATE), (_YEARS, _YEAR)):
        if match := pattern.match(typed, at):
            yield match.end(), cost, match[0]
    yield from ((stop, _WALK, typed[at:stop]) for stop in range(at + 3, walk_end + 1))
    if at in phrases:
        yield phrases[at], _PHRASE, ""


_SHORT = frozenset(
    (
        *("a", "i", "am", "an", "as", "at", "be", "by", "do", "go", "he", "if", "in"),
        *("is", "it", "me", "my", "no", "of", "on", "or", "so", "to", "up", "us", "we"),
    )
)


def _walk_ends(typed: str) -> list[int]:
    """Where a run of one character, a sequence or a walk along the keyboard stops that begins at each place."""
    ends = [at + 2 for at in range(len(typed))]
    for at in range(len(typed) - 3, -1, -1):
        a, b, c = (ord(sign) for sign in typed[at : at + 3])
        if (c - b == b - a and abs(c - b) < 2) or typed[at : at + 3] in _KEYBOARD:
            ends[at] = max(at + 3, ends[at + 1])
    return ends


@lru_cache(maxsize=1)
def _words() -> Mapping[str, str]:
    from sharewell.calendar_names import MONTHS, WEEKDAYS  # only where there is a secret to look at
    from sharewell.io.shipped import shipped_text

    listed = {line[1:]: line[0] for line in shipped_text("words.txt.gz").splitlines()}
    return listed | dict.fromkeys((*_OFTEN, *MONTHS, *WEEKDAYS), "1")


@lru_cache(maxsize=1)
def _dates() -> re.Pattern[str]:
    from sharewell.calendar_names import SHORT_MONTHS

    return re.compile(
        r"(19|20)\d\d[-/. ]?[01]?\d[-/. ]?[0-3]?\d|[0-3]?\d[-/. ]?[01]?\d[-/. ]?(19|20)\d\d"
        rf"|[0-3]?\d[-. ]?({'|'.join(SHORT_MONTHS)})[a-z]{{0,6}}[-. ]?(19|20)\d\d"
    )


@lru_cache(maxsize=1)
def _known_phrases() -> tuple[str, ...]:
    from sharewell.io.shipped import shipped_text

    lines = shipped_text("known_phrases.txt").splitlines()
    return tuple("".join(sign for sign in line if sign.isalnum()) for line in lines)


def _phrases_in(typed: str) -> dict[int, int]:
    """Where a phrase that everybody knows begins → where it ends, whatever stands between its words."""
    places = [i for i, sign in enumerate(typed) if sign.isalnum()]
    letters = "".join(typed[i] for i in places)
    results: dict[int, int] = {}
    for phrase in _known_phrases():
        begin = letters.find(phrase)
        while begin >= 0:
            end = places[begin + len(phrase) - 1] + 1
            results[places[begin]] = max(results.get(places[begin], 0), end)
            begin = letters.find(phrase, begin + 1)
    return results


def _unpredictable(signs: Sequence[int]) -> int:
    """How many signs neither repeat, nor go on in a sequence, nor end a piece that occurred before."""
    seen: set[tuple[int, ...]] = set()
    count = min(2, len(set(signs[:2])))
    for i in range(2, len(signs)):
        piece = tuple(signs[i - 2 : i + 1])
        step, before = piece[2] - piece[1], piece[1] - piece[0]
        count += not (step == 0 or (step == before and abs(step) == 1) or piece in seen)
        seen.add(piece)
    return count


def _typed_in_a_row(text: str) -> int:
    """How many characters go on along a row of the keyboard, and were not counted as a sequence of digits already."""
    pieces = (text[i - 2 : i + 1] for i in range(2, len(text)))
    return sum(piece in _KEYBOARD and not piece.isdigit() for piece in pieces)
