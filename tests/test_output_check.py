"""A mechanism refuses to publish what fails a criterion, and names every failure."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from sharewell.errors import Infeasible
from sharewell.findings import Finding
from sharewell.output_check import refuse_failing


@dataclass(frozen=True)
class Fixed:
    """A criterion with a fixed answer."""

    finding: Finding

    def check(self, released: object) -> Finding:
        return self.finding


SMALL = Finding.judge("k-anonymity", 2, "≥", 5, unit="persons")
HOLDS = Finding.judge("l-diversity", 3, "≥", 2, column="disease")
NEVER = Finding.judge("safe-harbor", 3, "≤", 0, unit="cells", note="drop the column")
UNDECIDED = Finding.judge("t-closeness", None, "≤", 0.2, column="disease", note="no reference")


def test_what_holds_is_returned() -> None:
    assert refuse_failing("noise", None, [Fixed(HOLDS)]) == (HOLDS,)


def test_all_failures_are_named_with_what_would_help() -> None:
    """The advice of the mechanism first, then bounds that were reached; a bound of zero is not for bargaining."""
    with pytest.raises(Infeasible) as caught:
        refuse_failing("noise", None, [Fixed(SMALL), Fixed(HOLDS), Fixed(NEVER), Fixed(UNDECIDED)], ["more noise"])
    assert str(caught.value).splitlines() == [
        "noise — 3 of 4 criteria fail in what would be published",
        "  blocked by: k-anonymity ≥ 5 persons: 2 reached",
        "  blocked by: safe-harbor ≤ 0 cells: 3 reached (drop the column)",
        "  blocked by: t-closeness of disease ≤ 0.2: undecided (no reference)",
        "  would help: more noise",
        "  would help: k-anonymity with bound 2",
    ]


@pytest.mark.parametrize(("what", "said"), [("", "what would be published fails"), ("both fail", "both fail")])
def test_the_only_criterion_and_a_sentence_of_the_mechanism(what: str, said: str) -> None:
    with pytest.raises(Infeasible, match=f"^noise — {said}\n"):
        refuse_failing("noise", None, [Fixed(SMALL)], what=what)
