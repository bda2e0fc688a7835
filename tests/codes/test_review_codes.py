"""Corners of the codes wing in which something was wrong once."""

from __future__ import annotations

import random
import time
from typing import Any

import numpy as np
import plain_codes as plain
import pytest

from sharewell.codes import (
    COAT,
    NCP,
    UGACLIP,
    UL,
    CaseCounts,
    CodeHomogeneity,
    CodeLinkage,
    CodeSets,
    CompleteKAnonymity,
    GreedyPartitioning,
    PrivacyPolicy,
    UtilityPolicy,
)
from sharewell.codes.engine.labels import read_label, write_label
from sharewell.errors import Infeasible
from sharewell.hierarchy import ICD9CM, Tree
from sharewell.protocols import Truth


def labels_of(data: CodeSets) -> list[list[frozenset[str]]]:
    return [[frozenset(data.members[i]) for i in data.sets.row(row)] for row in range(data.records)]


@pytest.mark.parametrize("text", ["()", "(,)", "(a,)", "(\\)", "(a\\)", ",", "\\", "("])
def test_a_text_that_no_label_can_be_means_itself(text: str) -> None:
    """Once `(\\)` stood for no code at all, and attacks on it ended in an IndexError."""
    assert all(read_label(text))
    assert read_label(write_label([text])) == (text,)
    released = CodeSets.of([[text, "x"]] * 2, published=True)
    assert all(released.members)
    CodeHomogeneity(["x"], "all").mount(released)
    CodeLinkage("all").mount(released)


@pytest.mark.parametrize("mechanism", [UGACLIP(), COAT()])
@pytest.mark.parametrize("codes", ["abc", "abcde", "abcdefgh", "de"])
@pytest.mark.parametrize("share", [0, 0.2, 0.6, 1])
def test_what_is_published_meets_a_utility_policy_that_names_the_codes_itself(
    mechanism: Any, codes: str, share: float
) -> None:
    """The share is of the codes named there, which need not be those of the data."""
    data = CodeSets.of([["a"], ["b"], ["c"], *[["d"]] * 5, *[["e"]] * 5])
    useful = UtilityPolicy([], max_suppressed=share, codes=list(codes))
    private = PrivacyPolicy([["a"], ["b"], ["c"]], k=2)
    try:
        released = mechanism.protect(data, [private, useful]).data
    except Infeasible:
        return
    assert useful.check(released).ok
    assert private.check(released).ok


def test_one_disease_may_be_named_by_one_code_and_by_no_blank() -> None:
    """A text is one beginning of codes, not its letters; a blank would be the beginning of all."""
    before = CodeSets.of([["250.1"], ["250.2"], ["571"], ["401.1"]])
    found = CaseCounts({"diabetes": "250"}).score(before, before)  # type: ignore[dict-item]
    assert found.details.cases["diabetes"].before == 2
    policy = UtilityPolicy.extract(before, diseases={"diabetes": "250"})
    assert policy.sets == (("250.1", "250.2"),)
    for blank in ([""], [" "], []):
        with pytest.raises(ValueError, match="blank"):
            CaseCounts({"all": blank})
        with pytest.raises(ValueError, match="blank"):
            UtilityPolicy.extract(before, diseases={"all": blank})


def test_no_step_leads_below_a_code() -> None:
    with pytest.raises(ValueError, match="0 or more"):
        UtilityPolicy.extract(["401.1", "250.00"], level=-1, hierarchy=ICD9CM())


def test_an_attacker_leaves_out_codes_that_the_release_does_not_tell() -> None:
    """Each of ten has a code that was suppressed everywhere; all of them have 295, and that is no secret now."""
    original = CodeSets.of([[f"own{i}", "295"] for i in range(10)])
    released = CodeSets.of([["295"]] * 10, published=True)
    truth = Truth(original, np.arange(10))
    homogeneity = CodeHomogeneity(["295"], "all").mount(released, truth)
    assert homogeneity.value == homogeneity.details.certain == 1
    assert homogeneity.details.simulated.share == 1
    linkage = CodeLinkage("all").mount(released, truth)
    assert linkage.value == pytest.approx(1 / 10)
    assert linkage.details.absent == 0
    pairs = CodeLinkage("m", m=1).mount(CodeSets.of([["295"], ["303"]], published=True), Truth(original, np.arange(2)))
    assert 0.5 <= pairs.value < 1  # 295 finds one of two; a code that is not told leaves both


def test_the_rarest_part_of_a_combination_is_found_by_definition() -> None:
    draw = random.Random(5)
    for _ in range(300):
        codes = list("abcdefg")[: draw.randint(1, 7)]
        labels = [write_label(set(draw.sample(codes, draw.randint(1, min(3, len(codes)))))) for _ in range(5)]
        rows = [sorted(set(draw.sample(labels, draw.randint(0, 5)))) for _ in range(draw.randint(1, 12))]
        data = CodeSets.of(rows, published=True)
        policy = PrivacyPolicy([draw.sample([*codes, "absent"], draw.randint(1, len(codes) + 1))], k=2)
        parts = plain.combinations(policy.itemsets[0], len(policy.itemsets[0]))
        supports = [plain.support(labels_of(data), part) for part in parts]
        assert policy.least(data) == [min((one for one in supports if one), default=0)]


def test_a_combination_of_500_codes_is_judged_quickly() -> None:
    """The time does not grow with the square of the different parts, of which there are ten thousand."""
    draw = np.random.default_rng(1)
    rows = [[f"c{code}" for code in np.unique(draw.zipf(1.3, 40) % 3000)] for _ in range(10_000)]
    data, policy = CodeSets.of(rows * 5), PrivacyPolicy([[f"c{i}" for i in range(500)]], k=5)
    begin = time.process_time()
    assert policy.check(data).value == 5
    assert time.process_time() - begin < 20


def test_the_loss_is_told_where_records_without_a_code_were_dropped() -> None:
    rows = [["401.0", "401.1"], [], ["401.2", "401.3"], ["401.0", "401.1"], ["401.4", "401.3"]]
    tree = Tree([[f"401.{i}", "401"] for i in range(5)])
    data = CodeSets.of(rows, hierarchy=tree)
    released = GreedyPartitioning().protect(data, [CompleteKAnonymity(2)])
    assert released.details.dropped_records == 1
    assert NCP().score(data, released.data).value == pytest.approx(4 / 8)  # four of eight codes are shown as all five


def test_a_code_that_the_hierarchy_does_not_list_hangs_where_mechanisms_hang_it() -> None:
    """Mechanisms took it; the measure of what they did, and the extraction of sets for them, were refused."""
    tree = Tree([["401.1", "401", "heart"], ["401.9", "401", "heart"], ["250.0", "250", "sugar"]])
    before = CodeSets.of([["401.1", "401.9"], ["401.zz", "other"], ["250.0"]], hierarchy=tree)
    after = CodeSets.of([["(401.1,401.9,401.zz)"], ["(401.1,401.9,401.zz)", "other"], ["250.0"]], published=True)
    near = UL(weight="tree").score(before, after).value
    far = CodeSets.of([["(250.0,401.1,401.9)"], ["401.zz", "other"], ["(250.0,401.1,401.9)"]], published=True)
    assert 0 < near < UL(weight="tree").score(before, far).value
    assert UtilityPolicy.extract(before, level=1).sets == (("401.1", "401.9", "401.zz"),)
