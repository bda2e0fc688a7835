"""Sparse linkage, against scores that are added up record by record."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sharewell.codes import Apriori, CodeSets, KmAnonymity, SparseLinkage
from sharewell.codes.engine.attackers.known_codes import KnownCodes
from sharewell.codes.engine.attackers.scoreboard import Scoreboard
from sharewell.protocols import Truth
from sharewell.testing import check_attack

CODES = list("abcdefg")
records = st.lists(st.sets(st.sampled_from(CODES), min_size=1, max_size=5), min_size=1, max_size=10)


def of(rows: Any, **more: Any) -> CodeSets:
    return CodeSets.of([sorted(row) for row in rows], **more)


@settings(max_examples=100, deadline=None)
@given(records, st.integers(1, 3), st.sampled_from([0.0, 0.5, 1.5]))
@example([{"a", "b"}] * 3, 2, 0.0)  # all alike, with a deviation above 0 by rounding alone
def test_a_claim_is_made_where_a_record_stands_out(rows: Any, m: int, eccentricity: float) -> None:
    data = of(rows)
    truth = Truth(data, np.arange(data.records))
    known = KnownCodes.of(data, truth, "m", m, 1, frozenset())
    board = Scoreboard.of(data, truth, 1.0)
    chances = []
    for number in known.drawn():
        target, codes = int(known.target[number]), known.codes(int(number))
        support = {code: sum(code in row for row in rows) for code in codes}
        scores = [round(sum(1 / math.log(1 + support[c]) for c in codes if c in row), 9) for row in rows]
        ranked = sorted(scores, reverse=True)
        gap = ranked[0] - (ranked[1] if len(ranked) > 1 else 0.0)
        deviation = float(np.std(scores))
        claim = board.claim(known, int(number), 0, eccentricity, np.random.default_rng(0))
        assert claim.best == (scores[target] == ranked[0])
        assert claim.best, "without wrong codes nobody scores more than the target"
        assert claim.made == (deviation > 1e-6 and gap >= eccentricity * deviation - 1e-9)
        assert claim.chance == (1 / scores.count(ranked[0]) if claim.made else 0)
        chances.append(claim.chance)
    found = SparseLinkage(known=m, wrong=0, eccentricity=eccentricity).mount(data, truth)
    if chances:
        assert found.value == pytest.approx(np.mean(chances))
        assert found.details.simulated.targets == len(chances)
        assert found.details.claims == pytest.approx(found.value + found.details.false_claims)
    else:
        assert found.value is None


def sparse(seed: int, persons: int = 300) -> CodeSets:
    """Few frequent codes and many rare ones, as in health records."""
    rng = np.random.default_rng(seed)
    weights = 1 / np.arange(1, 401)
    names = [f"c{i:03d}" for i in range(400)]
    return CodeSets.of(
        [
            list(rng.choice(names, size=int(rng.integers(4, 12)), replace=False, p=weights / weights.sum()))
            for _ in range(persons)
        ]
    )


def test_wrong_codes_do_not_save_anybody_and_protection_does() -> None:
    data = sparse(1)
    truth = Truth(data, np.arange(data.records))
    exact, fuzzy = (SparseLinkage(known=4 + wrong, wrong=wrong).mount(data, truth) for wrong in (0, 1))
    assert exact.value > 0.5, "four codes are enough"
    assert fuzzy.value > 0.3
    assert fuzzy.value <= exact.value
    protected = Apriori().protect(
        CodeSets.of([[data.names[i] for i in data.sets.row(r)] for r in range(data.records)]), [KmAnonymity(k=5, m=2)]
    )
    after = SparseLinkage(known=5, wrong=1).mount(protected.data, protected.truth(data))
    assert after.value < fuzzy.value / 2


def test_more_eccentric_means_fewer_claims() -> None:
    data = sparse(2)
    truth = Truth(data, np.arange(data.records))
    found = [SparseLinkage(known=4, wrong=2, eccentricity=e).mount(data, truth).details for e in (0, 1.0, 3.0)]
    assert found[0].claims >= found[1].claims >= found[2].claims
    assert found[0].false_claims >= found[2].false_claims


def test_the_order_of_visits_tells_records_apart() -> None:
    """Two persons with the same codes in another order: who remembers when, finds the right one."""
    rows = [[["a"], ["b"], ["c"]], [["c"], ["b"], ["a"]], *([["d"], ["e"]] for _ in range(8))]
    data = CodeSets.of_visits(rows)
    truth = Truth(data, np.arange(data.records))
    found = SparseLinkage(known=3, wrong=0, eccentricity=0.1).mount(data, truth)
    assert found.details.by_order
    assert found.value == 1
    plain = CodeSets.of([sorted({code for visit in row for code in visit}) for row in rows])
    assert SparseLinkage(known=3, wrong=0, eccentricity=0.1).mount(plain, Truth(plain, np.arange(10))).value == 0


def test_the_order_of_records_does_not_matter() -> None:
    data = sparse(3, 80)
    rows = [[data.names[i] for i in data.sets.row(r)] for r in range(data.records)]
    other = CodeSets.of(rows[::-1])
    found = [SparseLinkage().mount(one, Truth(one, np.arange(one.records))) for one in (data, other)]
    assert found[0].value == found[1].value
    assert found[0].details == found[1].details


def test_parameters_and_contract() -> None:
    with pytest.raises(ValueError, match="wrong must be less than known"):
        SparseLinkage(known=2, wrong=2)
    frame = pa.table(
        {"who": ["1", "1", "2", "3", "3", "3"], "code": ["flu x", "asthma", "asthma", "gouty", "flu x", "burn"]}
    )
    check_attack(
        SparseLinkage(known=2, wrong=1), lambda one: CodeSets.from_long(one, subject="who", code="code"), frame
    )
    assert SparseLinkage().mount(CodeSets.of([["a"]])).note == "nobody has enough codes"
    assert SparseLinkage().mount(CodeSets.of([])).value is None
