"""Is a secret plainly easy to guess?

No program can tell that a secret is hard to guess: a line of a poem looks like any other. This refuses what is surely
weak, by counting *unpredictable* characters, those that nothing before them suggests. Predictable is a character that

- repeats the one before it (`aaaa`),
- goes on in a sequence (`4567`, `dcba`) or along a row of the keyboard (`asdf`), or
- ends a piece of three characters that occurred before (`horsehorse`).

A text needs 24 unpredictable characters, at two bits each (English has one to two a character); other bytes need 12, at
eight bits each. A 16-byte random key passes, and so does any that `sharewell keygen --secret` makes.

>>> is_guessable(b"aaaaaaaaaaaaaaaa"), is_guessable(b"passwordpasswordpassword"), is_guessable(b"characteristically")
(True, True, True)
>>> is_guessable(b"0123456789abcdef0123456789abcdef"), is_guessable(bytes(range(32)))
(True, True)
>>> is_guessable(b"an example key of enough bytes.."), is_guessable(bytes.fromhex("8f1b6a53c09de2447c15b0f3692ad84e"))
(False, False)
"""

from __future__ import annotations

from collections.abc import Sequence

LEAST_OF_TEXT, LEAST_OF_BYTES = 24, 12
"""Unpredictable characters, or bytes, that a secret must have."""
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm", "1234567890", "qwertzuiop", "yxcvbnm", "azertyuiop", "qsdfghjklm")
_KEYBOARD = frozenset(row[i : i + 3] for one in _ROWS for row in (one, one[::-1]) for i in range(len(one) - 2))


def is_guessable(secret: bytes) -> bool:
    """Has the secret too few characters that nothing before them suggests?"""
    try:
        text = secret.decode()
    except UnicodeDecodeError:
        return _unpredictable(secret) < LEAST_OF_BYTES
    if not text.isprintable():
        return _unpredictable(secret) < LEAST_OF_BYTES
    typed = text.casefold()
    return _unpredictable([ord(sign) for sign in typed]) - _typed_in_a_row(typed) < LEAST_OF_TEXT


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
