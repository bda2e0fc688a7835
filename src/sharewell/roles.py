"""Roles: what each column means to an attacker, and so what happens to it. Every column gets one."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, get_args

from sharewell.errors import Mistake, PolicyError


class Role(StrEnum):
    SUBJECT = "subject"
    """Whom the row is about; never published as it is."""
    DROP = "drop"
    """Not published."""
    QUASI = "quasi"
    """An attacker may know it."""
    SENSITIVE = "sensitive"
    """An attacker wants it."""
    KEEP = "keep"
    """Published as it is."""
    SHIFT = "shift"
    """A date, moved by the person's own secret number of days, so that intervals stay."""
    TEXT = "text"
    """Free text, protected in place by the notes wing."""


Time = Literal["drop", "hour", "keep"]
TIMES: tuple[Time, ...] = get_args(Time)
"""What becomes of the time of day beside a shifted date: it does not move, and to the second it is a fingerprint."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint for a misspelt name, or nothing.

    >>> did_you_mean("k-anonimity", ["k-anonymity", "l-diversity"])
    "did you mean 'k-anonymity'?"
    """
    by_lower = {k.lower(): k for k in known}
    close = difflib.get_close_matches(word.lower(), by_lower, n=1, cutoff=0.6)
    return f"did you mean '{by_lower[close[0]]}'?" if close else ""


@dataclass(frozen=True)
class Schema:
    """column → role, in the order of the source."""

    roles: Mapping[str, Role]

    def __post_init__(self) -> None:
        subjects = self.having(Role.SUBJECT)
        if len(subjects) > 1:
            raise PolicyError(f"columns — two or more subjects: {', '.join(subjects)} — name one person column")

    @classmethod
    def of(cls, columns: Sequence[str], given: Mapping[str, Role], rest: Role | None = None) -> Schema:
        """Check that every column has a role and every role a column; all mistakes at once."""
        mistakes = []
        twice = sorted({c for c in columns if columns.count(c) > 1}) if len(set(columns)) < len(columns) else []
        if twice:
            mistakes.append(Mistake(0, 0, "columns", f"the source has two columns of one name: {', '.join(twice)}"))
        for name in given:
            if name not in columns:
                mistakes.append(Mistake(0, 0, f"columns.{name}", "no such column", did_you_mean(name, columns)))
        bare = [c for c in columns if c not in given]
        if bare and rest is None:
            what = f"{len(bare)} column(s) without a role: {', '.join(bare)}"
            roles = ", ".join(Role)
            mistakes.append(Mistake(0, 0, "columns", what, f"give each one of {roles}, or say rest="))
        if mistakes:
            raise PolicyError(mistakes)
        results = {column: given.get(column, rest) for column in columns}
        return cls({column: role for column, role in results.items() if role is not None})

    def having(self, *roles: Role) -> tuple[str, ...]:
        """The columns with one of these roles, in order."""
        return tuple(c for c, role in self.roles.items() if role in roles)

    @property
    def quasi(self) -> tuple[str, ...]:
        return self.having(Role.QUASI)

    @property
    def sensitive(self) -> tuple[str, ...]:
        return self.having(Role.SENSITIVE)

    @property
    def subject(self) -> str | None:
        result = self.having(Role.SUBJECT)
        return result[0] if result else None
