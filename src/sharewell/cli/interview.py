"""The five questions of `init --interactive`, each with an answer that the data suggests.

An empty line takes what stands in brackets. What is not understood is said, and asked again. The end of the input
(Ctrl-D) ends the interview: nothing is written until all questions are answered.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from sharewell.errors import PolicyError

if TYPE_CHECKING:
    from sharewell.proposal import Answers, Survey

T = TypeVar("T")
_PUBLIC = {"public", "everybody", "everyone", "anybody", "anyone", "the public", "open"}
_HOW = "names separated by commas; +name adds one, -name removes one; none"


class Stopped(Exception):
    """The answers ended before the questions did."""


def interview(surveys: Sequence[Survey]) -> Answers:
    """Ask, and return what was said."""
    from sharewell.policy.profiles import FACTS, profile
    from sharewell.proposal.answers import PUBLIC_PROFILE, UNSUITABLE, USUAL_PROFILE, Answers, chosen
    from sharewell.proposal.dataset_kinds import datasets_of
    from sharewell.proposal.shared_persons import registers
    from sharewell.roles import Role, did_you_mean

    answers = Answers()
    recipient = _ask("1/5  Who receives the data? A name, or public if anybody may have it.", "not said", str)
    if recipient.casefold() in _PUBLIC:
        answers = replace(answers, recipient="everybody", context="public")
    elif recipient:
        answers = replace(answers, recipient=recipient)

    known = list(dict.fromkeys(column.name for one in surveys for column in one.columns))
    persons = list(dict.fromkeys(one.subject for one in surveys if one.subject is not None))

    def person(answer: str) -> str | None:
        if answer in ("", "none"):
            return "" if answer == "none" and "none" not in known else None
        if answer not in known:
            raise PolicyError(f"no column '{answer}' — {did_you_mean(answer, known) or 'see the list above'}")
        return answer

    if known:
        print(f"\nColumns: {', '.join(known)}")
        question = "2/5  Which column identifies the person of a record? none if every record is a different person."
        answers = replace(answers, person=_ask(question, ", ".join(persons) or "none", person))
        surveys = [answers.with_person(one) for one in surveys]
    lists = registers(surveys)
    drafts = [draft for draft in datasets_of([one for one in surveys if one.name not in lists]) if draft.takes_roles]
    columns = list(dict.fromkeys(column.name for draft in drafts for column in draft.columns))

    def usual(role: Role) -> list[str]:
        return list(dict.fromkeys(column.name for draft in drafts for column in draft.having(role)))

    def listed(role: Role) -> Callable[[str], tuple[str, ...] | None]:
        return lambda answer: chosen(answer, usual(role), columns) if answer else None

    if columns:
        question = f"3/5  What may an attacker know about somebody? ({_HOW})"
        answers = replace(answers, quasi=_ask(question, ", ".join(usual(Role.QUASI)) or "none", listed(Role.QUASI)))
        question = f"4/5  What would an attacker want to learn; in other words, what is sensitive? ({_HOW})"
        sensitive = _ask(question, ", ".join(usual(Role.SENSITIVE)) or "none", listed(Role.SENSITIVE))
        answers = replace(answers, sensitive=sensitive)

    def named(answer: str) -> str:
        if answer in UNSUITABLE:
            raise PolicyError(f"{answer} has its own rules for every column — choose another, or write it by hand")
        return profile(answer).name if answer else usual_profile

    usual_profile = PUBLIC_PROFILE if answers.context == "public" else USUAL_PROFILE
    offered = [f"{one.name} (k = {one.k})" if one.k else one.name for one in FACTS if one.name not in UNSUITABLE]
    print(f"\nProfiles: {', '.join(offered)}")
    return replace(answers, profile=_ask("5/5  Which profile of thresholds applies?", usual_profile, named))


def _ask(question: str, usual: str, understood: Callable[[str], T]) -> T:
    """One question, until its answer is understood."""
    while True:
        print(f"\n{question}\n[{usual}] > ", end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            raise Stopped
        try:
            return understood(line.strip())
        except PolicyError as error:
            print(f"     {error}")
