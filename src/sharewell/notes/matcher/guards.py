"""Guards: named questions about what a pattern matched, which a regular expression asks badly or not at all.

A rule names them: `guards = ["luhn", "digits_at_least:5", "not_after:versions"]`. What stands behind the colon is a
number, or the name of a lexicon. A guard is a function below; `sharewell notes rules guards` shows the docstrings.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable

from sharewell.notes.matcher.rule import Candidate, Guard

Lexicons = Callable[[str], frozenset[str]]
_DIGITS = re.compile(r"\d+")
_LETTERS = re.compile(r"[^\W\d_]+")
_CLOCK = re.compile(r"(?:[01]\d|2[0-3])[0-5]\d")
_DATE_OR_LIST = re.compile(r"\d\. |^\d{1,2}/\d{1,2}/(?:\d\d|\d{4})(?!\d)")
_LAST_WORD = re.compile(r"([^\W_]+)[^\w\n]{0,4}\Z")
_NEXT_WORD = re.compile(r"[^\w\n]{0,4}([^\W_]+)")


def guard(text: str, lexicons: Lexicons) -> Guard:
    """The guard that a rule names: "luhn" or "digits_at_least:5". KeyError if there is none, or no such lexicon."""
    name, _, given = text.partition(":")
    if name in _PLAIN:
        return _PLAIN[name]
    return _NUMBERED[name](int(given)) if name in _NUMBERED else _WORDED[name](lexicons(given))


def described() -> dict[str, str]:
    """Every guard and what it asks."""
    every = {**_PLAIN, **{f"{name}:N": make for name, make in _NUMBERED.items()}}
    every |= {f"{name}:LEXICON": make for name, make in _WORDED.items()}
    return {name: " ".join((inspect.getdoc(make) or "").split()) for name, make in sorted(every.items())}


def luhn(found: Candidate) -> bool:
    """Its digits pass the check of cards (Luhn)."""
    digits = [int(sign) for sign in found.written if sign.isdigit()]
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def not_clocks(found: Candidate) -> bool:
    """Its groups of digits are not all times of day (0830 0915)."""
    return not all(map(_CLOCK.fullmatch, _DIGITS.findall(found.written)))


def not_round(found: Candidate) -> bool:
    """Its groups of digits are not all multiples of five (500 250 125)."""
    return any(int(group) % 5 for group in _DIGITS.findall(found.written))


def not_a_numeric_date(found: Candidate) -> bool:
    """It is no date such as 3/4/2021, and no item of a list follows a full stop in it."""
    return _DATE_OR_LIST.search(found.written) is None


def has_digit(found: Candidate) -> bool:
    """A digit is in it."""
    return _DIGITS.search(found.written) is not None


def same_line(found: Candidate) -> bool:
    """No line ends in it."""
    return "\n" not in found.written


def capital(found: Candidate) -> bool:
    """It begins with a capital."""
    return found.written[:1].isupper()


def cased_note(found: Candidate) -> bool:
    """The note has capitals and small letters as usual, so that capitals tell something."""
    return not found.text.caseless


_PLAIN: dict[str, Guard] = {
    one.__name__: one for one in (luhn, not_clocks, not_round, not_a_numeric_date, has_digit, same_line, capital, cased_note)
}


def digits_at_least(number: int) -> Guard:
    """It holds at least N digits."""
    return lambda found: sum(map(str.isdigit, found.written)) >= number


def digits_at_most(number: int) -> Guard:
    """It holds at most N digits."""
    return lambda found: sum(map(str.isdigit, found.written)) <= number


def alphanumerics_at_least(number: int) -> Guard:
    """It holds at least N letters and digits."""
    return lambda found: sum(map(str.isalnum, found.written)) >= number


_NUMBERED: dict[str, Callable[[int], Guard]] = {
    make.__name__: make for make in (digits_at_least, digits_at_most, alphanumerics_at_least)
}


def after(words: frozenset[str]) -> Guard:
    """The word right before it is in the lexicon."""
    return lambda found: (last := _LAST_WORD.search(found.before)) is not None and last[1] in words


def not_after(words: frozenset[str]) -> Guard:
    """The word right before it is not in the lexicon."""
    return lambda found: (last := _LAST_WORD.search(found.before)) is None or last[1] not in words


def not_followed_by(words: frozenset[str]) -> Guard:
    """The word right after it is not in the lexicon."""
    return lambda found: (word := _NEXT_WORD.match(found.after)) is None or word[1] not in words


def holds_none(words: frozenset[str]) -> Guard:
    """None of its own words is in the lexicon."""
    return lambda found: words.isdisjoint(_LETTERS.findall(found.lower))


def near(words: frozenset[str]) -> Guard:
    """A word of the lexicon stands within a line's length of it."""
    return lambda found: not words.isdisjoint(_LETTERS.findall(f"{found.before} {found.after}"))


_WORDED: dict[str, Callable[[frozenset[str]], Guard]] = {
    make.__name__: make for make in (after, not_after, not_followed_by, holds_none, near)
}
