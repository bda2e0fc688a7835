"""The attacker who knows codes and SNPs, and looks for the record."""

from __future__ import annotations

from typing import Any

import numpy as np
import plain_dna
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.codes import CodeSets
from sharewell.errors import Infeasible, PolicyError
from sharewell.joint import JoinedAnonymization, JoinedRecord, RTData, RTLinkage, SnpCells
from sharewell.tables import Table
from sharewell.testing import check_finding

people = st.lists(plain_dna.person(plain_dna.calls), min_size=4, max_size=10)


@given(people, st.integers(1, 3), st.integers(1, 2), st.integers(1, 2))
@settings(max_examples=40, deadline=None)
def test_nobody_is_found_better_than_was_promised(rows: Any, k: int, m: int, snps: int) -> None:
    data = plain_dna.opened(rows)
    try:
        found = JoinedAnonymization(bound=1.0, sizes=(1,)).protect(data, [JoinedRecord(k, m, snps)])
    except Infeasible:
        return
    for truth in (None, found.truth(data)):
        finding = RTLinkage(m=m, snps=snps, draws=3, k=k).mount(found.data, truth)
        if finding.value is not None:
            assert finding.value <= 1 / k + 1e-9
            assert finding.details.below_k == 0


def test_a_snp_tells_apart_who_have_the_same_codes() -> None:
    table = Table.of(pa.table({"age": [20] * 4}), quasi=["age"])
    codes = CodeSets.of([["401"]] * 4)
    data = RTData.of(table, codes, SnpCells.of_calls([[0], [0], [1], [2]], ["rs1"]))
    assert RTLinkage(m=1).mount(data).value == 0.25
    finding = RTLinkage(m=1, snps=1).mount(data)
    assert finding.value == (0.5 + 0.5 + 1 + 1) / 4
    assert (finding.details.unique, finding.details.searches) == (0.5, 80)
    check_finding(finding, pa.table({"code": ["401"]}))
    every = RTLinkage("all", snps=1).mount(data)
    assert every.value == finding.value


def test_the_order_of_the_records_does_not_matter() -> None:
    rows = [(20, "F", {"abcdef"[i % 4], "abcdef"[i % 3]}, [i % 3, i % 2, 1]) for i in range(20)]
    data = plain_dna.opened(rows)
    other = data.take(np.random.default_rng(2).permutation(20))
    attack = RTLinkage(m=1, snps=2)
    assert attack.mount(data).value == attack.mount(other).value


def test_what_cannot_be_known_is_said() -> None:
    data = plain_dna.opened([(20, "F", set(), [1, 1, 1])] * 3)
    assert RTLinkage(snps=1).mount(data).note == "nobody has enough codes"
    with pytest.raises(PolicyError, match="no DNA is published"):
        RTLinkage(snps=1).mount(RTData.of(data.table, data.codes))
    with pytest.raises(ValueError, match="snps"):
        RTLinkage(snps=-1)
