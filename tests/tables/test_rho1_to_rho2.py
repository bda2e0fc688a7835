"""ρ₁-to-ρ₂ privacy of drawn tables: contract, undrawn columns, undeclared cells, people with more records."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.keys import Key
from sharewell.randomised import Randomised
from sharewell.tables import RetentionReplacement, Rho1ToRho2, Table
from sharewell.tables.engine.checks.drawn_columns import MORE_ROWS, NOT_DRAWN, UNDECLARED
from sharewell.tables.engine.drawn_values import DrawnValues, ValueGroup

KEY = Key(b"an example key of enough bytes..")
RHO = Rho1ToRho2("1/10", "1/2")


def stated(
    codes: list[str], groups: list[tuple[tuple[str, ...], int]], rows: int = 1, who: list[str] | None = None
) -> Table:
    """A published table whose dictionary states the ratios."""
    frame = pa.table({"who": who or [f"p{i}" for i in range(len(codes))], "code": codes})
    table = Table.of(frame, quasi=[], sensitive=["code"], subject="who", published=True)
    drawn = tuple(ValueGroup(values, Randomised.within(Fraction(ratio), len(values))) for values, ratio in groups)
    column = replace(table.columns["code"], drawn=DrawnValues(drawn, rows))
    return replace(table, columns={**table.columns, "code": column})


ALL = ("a", "b", "c", "d")


def test_what_is_stated_is_judged_exactly() -> None:
    assert RHO.check(stated(["a", "b"], [(ALL, 9)])).ok
    assert RHO.check(stated(["a", "b"], [(ALL, 10)])).ok is False


def test_records_of_a_person_multiply() -> None:
    who = ["p", "p"]
    assert RHO.check(stated(["a", "b"], [(ALL, 3)], 2, who)).ok
    assert RHO.check(stated(["a", "b"], [(ALL, 4)], 2, who)).ok is False
    assert RHO.check(stated(["a", "b"], [(ALL, 3)], 1, who)).note == MORE_ROWS


def test_undrawn_columns_and_undeclared_cells_are_undecided() -> None:
    plain = Table.of(pa.table({"code": ["a"]}), quasi=[], sensitive=["code"], published=True)
    assert (RHO.check(plain).ok, RHO.check(plain).note) == (None, NOT_DRAWN)
    strange = RHO.check(stated(["a", "z"], [(ALL, 9)]))
    assert (strange.ok, strange.note) == (None, UNDECLARED)


@given(st.integers(1, 30), st.integers(1, 30), st.integers(2, 12), st.integers(2, 12))
def test_beliefs_that_follow_the_shares_stay_within_the_bound(left: int, right: int, one: int, two: int) -> None:
    """Any set of values whose share of all records is at most ρ₁, in groups: Bayes' rule in fractions."""
    groups = [(("a", "b"), one), (("c", "d"), two)]
    table = stated(["a"] * left + ["c"] * right, groups)
    if not RHO.check(table).ok:
        return
    how = table.columns["code"].drawn
    assert how is not None
    total = left + right
    for group, size in zip(how.groups, (left, right), strict=True):
        # The rarer value of the group has the share ρ₁ of all records, the other one the rest of the group.
        rare = Fraction(1, 10) / Fraction(size, total)
        after = rare * group.drawn.stay / (rare * group.drawn.stay + (1 - rare) * group.drawn.other)
        assert after <= Fraction(1, 2)


def test_a_release_holds_and_its_original_does_not() -> None:
    codes = [ALL[i % 4] for i in range(40)]
    frame = pa.table({"who": [f"p{i}" for i in range(40)], "sex": ["F"] * 40, "code": codes})
    table = Table.of(frame, quasi=["sex"], sensitive=["code"], subject="who")
    released = RetentionReplacement({"code": ALL}).protect(table, [RHO], KEY).data
    assert (RHO.check(released).ok, RHO.check(table).ok) == (True, None)


def test_a_posterior_below_the_prior_is_refused() -> None:
    with pytest.raises(ValueError, match="must be above prior"):
        Rho1ToRho2("1/2", "1/10")
