"""What a steward says about a release, in answer to five questions.

Who receives it, which column is the person, what an attacker may know, what is sensitive, and which profile holds.

The answers name columns of all files together: each holds wherever a file has the column.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from sharewell.errors import PolicyError
from sharewell.proposal.dataset_kinds import DatasetDraft
from sharewell.proposal.survey import ColumnLook, Survey, with_subject
from sharewell.roles import Role, did_you_mean

USUAL_PROFILE = "el-emam/11"
PUBLIC_PROFILE = "ema-policy-0070"
UNSUITABLE = ("hipaa-safe-harbor",)
"""Profiles that need a mechanism and parameters of their own, which no draft can guess."""
Context = Literal["public", "non-public"]


@dataclass(frozen=True)
class Answers:
    """None where the data decides."""

    recipient: str = ""
    context: Context = "non-public"
    person: str | None = None
    """The column of the person; empty if there is none."""
    quasi: tuple[str, ...] | None = None
    sensitive: tuple[str, ...] | None = None
    profile: str = USUAL_PROFILE

    @property
    def other_context(self) -> Context:
        return "non-public" if self.context == "public" else "public"

    def with_person(self, one: Survey) -> Survey:
        """A file with the person column that was named, if it has it."""
        if self.person is None or not one.columns:
            return one
        names = [column.name for column in one.columns]
        if self.person and self.person not in names:
            return one
        return with_subject(one, self.person or None)

    def applied(self, dataset: DatasetDraft) -> DatasetDraft:
        """A table with the roles that were named."""
        if not dataset.takes_roles:
            return dataset
        return replace(dataset, columns=tuple(self._answered(column) for column in dataset.columns))

    def _answered(self, column: ColumnLook) -> ColumnLook:
        said = self._said(column.name)
        if said is not None and said is not column.role:
            tree = column.hierarchy if column.role in (Role.QUASI, Role.SENSITIVE) else None
            return replace(column, role=said, reasons=("you said so",), hierarchy=tree, sure=True)
        left_out = (column.role is Role.QUASI and self.quasi is not None and column.name not in self.quasi) or (
            column.role is Role.SENSITIVE and self.sensitive is not None and column.name not in self.sensitive
        )
        if said is None and left_out:
            why = "you did not list it, so it is not published; keep would publish it as it is"
            return replace(column, role=Role.DROP, reasons=(why,), hierarchy=None, date_form=None, need=None)
        return column

    def _said(self, name: str) -> Role | None:
        if self.sensitive is not None and name in self.sensitive:
            return Role.SENSITIVE
        return Role.QUASI if self.quasi is not None and name in self.quasi else None


def chosen(answer: str, usual: Sequence[str], known: Iterable[str]) -> tuple[str, ...]:
    """Columns by an answer: a list of names, or what is added to the usual ones (`+x`) and taken away (`-y`).

    >>> chosen("", ["age", "sex"], ["age", "sex", "zip"]), chosen("-age +zip", ["age", "sex"], ["age", "sex", "zip"])
    (('age', 'sex'), ('sex', 'zip'))
    """
    known = list(known)
    words = _words(answer, known)
    if not words:
        return tuple(usual)
    if words == ["none"] and "none" not in known:
        return ()
    changes = [word for word in words if word not in known and word[:1] in "+-"]
    named = [word.lstrip("+-") if word in changes else word for word in words]
    for name in named:
        if name not in known:
            raise PolicyError(f"no column '{name}' — {did_you_mean(name, known) or 'see the list above'}")
    if not changes:
        return tuple(dict.fromkeys(named))
    gone = {word[1:] for word in changes if word[0] == "-"}
    added = [name for word, name in zip(words, named, strict=True) if word not in changes or word[0] == "+"]
    return tuple(dict.fromkeys(name for name in (*usual, *added) if name not in gone))


def _words(answer: str, known: Sequence[str]) -> list[str]:
    """Names parted by commas, or by blanks where no name has one."""
    if any(" " in name for name in known) or "," in answer:
        return [word.strip() for word in answer.split(",") if word.strip()]
    return answer.split()
