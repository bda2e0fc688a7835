"""Guards by the names that rules give them, of all files of guards."""

from __future__ import annotations

import inspect
from collections.abc import Callable

from sharewell.notes.matcher.amount_guards import OF_AMOUNTS
from sharewell.notes.matcher.check_digits import CHECKS
from sharewell.notes.matcher.guards import OF_FORM
from sharewell.notes.matcher.rule import Guard

Lexicons = Callable[[str], frozenset[str]]
_PLAIN = CHECKS.plain | OF_FORM.plain | OF_AMOUNTS.plain
_NUMBERED = OF_FORM.numbered | OF_AMOUNTS.numbered
_WORDED = OF_FORM.worded | OF_AMOUNTS.worded


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
