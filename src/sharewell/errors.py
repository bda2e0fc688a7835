"""Every error that sharewell raises on purpose, and the exit code each one becomes.

    SharewellError
    ├ PolicyError          the policy is wrong: unknown name, unknown column, column without role, bad value     exit 2
    ├ DataError            the data is wrong: unreadable, schema mismatch, hierarchy gap, release already there  exit 3
    │ └ MissingExtra       a package that this work needs is not installed                                       exit 3
    ├ Infeasible           nothing meets the policy                                                               exit 4
    ├ VerificationFailed   the written files do not satisfy what they claim                                       exit 5
    └ BudgetExhausted      an interactive budget is used up                                                       exit 6

A message reads: *place — what is wrong — names and counts found — what to do*. It never holds a cell value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


class SharewellError(Exception):
    """The root: `except SharewellError` catches all of them."""

    exit_code = 1


@dataclass(frozen=True, order=True)
class Mistake:
    """One thing wrong in a policy file, with its position (1-based; 0 where the file has none)."""

    line: int
    column: int
    where: str
    what: str
    hint: str = ""
    of_data: bool = False
    """Is the data at fault rather than the policy?"""

    def __str__(self) -> str:
        place = f"{self.line}:{self.column}: " if self.line else ""
        where = f"{self.where} — " if self.where else ""
        hint = f" — {self.hint}" if self.hint else ""
        return f"{place}{where}{self.what}{hint}"


class PolicyError(SharewellError):
    """The policy cannot be followed. `mistakes` lists all of them, in file order."""

    exit_code = 2

    def __init__(self, mistakes: Sequence[Mistake] | str, file: str = "policy") -> None:
        self.mistakes = tuple(sorted(mistakes)) if not isinstance(mistakes, str) else (Mistake(0, 0, "", mistakes),)
        self.file = file
        super().__init__("\n".join(f"{file}:{m}" if m.line else f"{file}: {m}" for m in self.mistakes))


class DataError(SharewellError):
    """The data, a hierarchy, a population or the place to write to is not as the work needs it."""

    exit_code = 3


class MissingExtra(DataError):
    """A package that only some algorithms need is not installed. It says nothing about data or release."""


class RowOrderWarning(UserWarning):
    """A protected frame was taken in the order of its original, by which a holder of the original can align the rows.

    No error: it is what a notebook needs, and not what may be given away.
    """


class Infeasible(SharewellError):
    """Nothing meets the policy. `blocking` names what fails, `relaxations` what would help, cheapest first."""

    exit_code = 4

    def __init__(self, message: str, *, blocking: Sequence[str] = (), relaxations: Sequence[str] = ()) -> None:
        self.blocking = tuple(blocking)
        self.relaxations = tuple(relaxations)
        lines = [message, *(f"  blocked by: {b}" for b in blocking), *(f"  would help: {r}" for r in relaxations)]
        super().__init__("\n".join(lines))


class VerificationFailed(SharewellError):
    """The written files do not satisfy what they claim. `failures` lists every finding and file that fails."""

    exit_code = 5

    def __init__(self, message: str, failures: Sequence[str] = ()) -> None:
        self.failures = tuple(failures)
        super().__init__("\n".join([message, *(f"  {f}" for f in failures)]))


class BudgetExhausted(SharewellError):
    """An interactive budget is used up; no further answer is given. `accounts` names those without room."""

    exit_code = 6

    def __init__(self, message: str, *, accounts: Sequence[str] = ()) -> None:
        self.accounts = tuple(accounts)
        super().__init__(message)
