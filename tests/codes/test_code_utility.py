"""What it cost: utility loss, certainty penalty, retained codes, case counts and query error, against definitions."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.codes import CodeSets, PrivacyPolicy
from sharewell.codes.engine import labels
from sharewell.codes.mechanisms.pcta import PCTA
from sharewell.codes.utility.case_counts import CaseCounts
from sharewell.codes.utility.ncp import NCP
from sharewell.codes.utility.query_error import QueryError
from sharewell.codes.utility.retained_codes import RetainedCodes
from sharewell.codes.utility.ul import UL
from sharewell.errors import PolicyError
from sharewell.hierarchy import ICD9CM
from sharewell.testing import check_finding

CODES = list("abcdef")
rows = st.lists(st.sets(st.sampled_from(CODES), max_size=5), min_size=1, max_size=10)
numbers = st.lists(st.integers(-1, 3), min_size=6, max_size=6)
"""Codes of the same number become one label; −1 is suppressed."""


def released(records: Any, number: Any) -> tuple[CodeSets, CodeSets, dict[str, frozenset[str]]]:
    """(before, after, the members of each code's label, none if it is suppressed)."""
    before = CodeSets.of(records)
    held = dict(zip(CODES, number, strict=True))
    groups = {code: frozenset(c for c in before.names if held[c] == held[code]) for code in before.names}
    groups = {code: group if held[code] >= 0 else frozenset() for code, group in groups.items()}
    shown = {code: labels.write_label(group) if group else None for code, group in groups.items()}
    members = {labels.write_label(group): group for group in groups.values() if group}
    return before, before.recoded(shown, members), groups


@settings(max_examples=120, deadline=None)
@given(rows, numbers, st.booleans())
def test_utility_loss_is_as_defined(records: Any, number: Any, singles: bool) -> None:
    before, after, groups = released(records, number)
    n, size = len(records), len(before.names)
    if not size:
        assert UL().score(before, after).value is None
        return
    expected = Fraction(0)
    for group in set(groups.values()) - {frozenset()}:
        if len(group) > 1 or singles:
            support = sum(bool(group & row) for row in records)
            expected += Fraction(2 ** len(group) - 1, 2**size - 1) * Fraction(support, n)
    for code, group in groups.items():
        if not group:
            expected += Fraction(sum(code in row for row in records), n)
    found = UL(singles=singles).score(before, after)
    assert found.value == pytest.approx(float(expected))
    assert found.details.log2 == (pytest.approx(math.log2(expected)) if expected else None)


def test_utility_loss_of_any_number_of_codes() -> None:
    """A double ends at 2^1023; the logarithm does not."""
    codes = [f"c{i:04}" for i in range(5000)]
    before = CodeSets.of([codes, codes[:1]])
    one = labels.write_label(codes[:3])
    after = before.recoded(
        {c: one if c in codes[:3] else c for c in codes}, {one: codes[:3], **{c: [c] for c in codes}}
    )
    found = UL().score(before, after)
    assert found.value == 0.0
    assert found.details.log2 == pytest.approx(math.log2(7) - 5000)
    assert UL(universe=10).score(before, after).value == pytest.approx(7 / 1023)
    assert found.to_json()["details"]["groups"] == 1


def test_utility_loss_weighed_by_distance_in_the_tree() -> None:
    """Each pair's steps up and down, over the largest there can be."""
    tree = ICD9CM()
    codes = ["250.00", "250.01", "401.9", "780"]
    before = CodeSets.of([codes], hierarchy=tree)
    group = codes[:3]
    one = labels.write_label(group)
    after = before.recoded({c: one if c in group else c for c in codes}, {one: group, "780": ["780"]})
    chains = {code: tree.chain(code) for code in codes}
    largest = 2 * (max(map(len, chains.values())) - 1)
    steps = [
        len(chains[a]) + len(chains[b]) - 2 * len(set(chains[a]) & set(chains[b]))
        for a, b in itertools.combinations(group, 2)
    ]
    expected = 7 / 15 * sum(steps) / len(steps) / largest
    assert UL(weight="tree").score(before, after).value == pytest.approx(expected)
    with pytest.raises(PolicyError, match="needs a hierarchy"):
        UL(weight="tree").score(CodeSets.of([codes]), after)


@settings(max_examples=120, deadline=None)
@given(rows, numbers)
def test_certainty_penalty_and_retained_codes_are_as_defined(records: Any, number: Any) -> None:
    before, after, groups = released(records, number)
    size = len(before.names)
    if not size:
        assert NCP().score(before, after).value is None
        assert RetainedCodes().score(before, after).value is None
        return
    loss = {code: 0 if len(group) == 1 else len(group) / size if group else 1 for code, group in groups.items()}
    held = [code for row in records for code in row]
    assert NCP().score(before, after).value == pytest.approx(sum(loss[code] for code in held) / len(held))
    found = RetainedCodes().score(before, after)
    assert found.value == sum(len(group) == 1 for group in groups.values()) / size
    assert found.details.suppressed == sum(not group for group in groups.values())


@settings(max_examples=120, deadline=None)
@given(rows, st.data())
def test_certainty_penalty_where_labels_differ_by_record(records: Any, data: Any) -> None:
    """The tightest label of the record that covers the code; a code that none covers is lost."""
    shown = []
    for row in records:
        told = data.draw(st.sets(st.sampled_from(sorted(row)))) if row else set()
        shown.append({frozenset({code, *data.draw(st.sets(st.sampled_from(CODES), max_size=2))}) for code in told})
    before = CodeSets.of(records)
    after = CodeSets.of([[labels.write_label(one) for one in row] for row in shown], published=True)
    known, held = set(before.names), [(r, code) for r, row in enumerate(records) for code in row]
    if not held:
        return
    total = 0.0
    for r, code in held:
        sizes = [len(one & known) for one in shown[r] if code in one]
        total += 1 if not sizes else 0 if min(sizes) == 1 else min(sizes) / len(known)
    assert NCP().score(before, after).value == pytest.approx(total / len(held))


def test_records_in_another_order_are_noticed() -> None:
    before = CodeSets.of([["a", "b"], ["c"]])
    assert NCP().score(before, CodeSets.of([["c"], ["a", "b"]], published=True)).value == 0
    assert NCP().score(before, CodeSets.of([["(c,a)", "c"], ["(a,b)"]], published=True)).value is None


@settings(max_examples=120, deadline=None)
@given(rows, numbers, st.booleans())
def test_case_counts_are_kept_where_every_reading_agrees(records: Any, number: Any, known_controls: bool) -> None:
    before, after, groups = released(records, number)
    disease, others = {"a", "b"}, {"c", "d"} if known_controls else None
    shown = [{groups[code] for code in row} - {frozenset()} for row in records]
    sure = [any(one <= disease for one in row) for row in shown]
    maybe = [any(one & disease for one in row) for row in shown]
    cases = [bool(disease & row) for row in records]
    controls = [not case and (others is None or bool(others & row)) for case, row in zip(cases, records, strict=True)]
    least = [not m and (others is None or any(g <= others for g in row)) for m, row in zip(maybe, shown, strict=True)]
    most = [not s and (others is None or any(g & others for g in row)) for s, row in zip(sure, shown, strict=True)]
    kept = sum(cases) == sum(sure) == sum(maybe) and sum(controls) == sum(least) == sum(most)
    measure = CaseCounts({"D": sorted(disease)}, {"D": sorted(others)} if others else None)
    found = measure.score(before, after)
    assert (found.value, found.details.kept) == ((1, ("D",)) if kept else (0, ()))


@settings(max_examples=120, deadline=None)
@given(rows, numbers, st.sets(st.sampled_from(CODES), min_size=1, max_size=3), st.sampled_from(["simple", "subset"]))
def test_query_error_is_as_defined(records: Any, number: Any, query: Any, estimator: Any) -> None:
    """With subsets, by enumeration of all that a label may stand for."""
    before, after, groups = released(records, number)
    expected = 0.0
    for row in records:
        shown = {groups[code] for code in row} - {frozenset()}
        chance = 1.0
        for group in {groups.get(code, frozenset()) for code in query}:
            asked = [code for code in query if groups.get(code, frozenset()) == group]
            if group not in shown:
                chance = 0.0
            elif estimator == "simple":
                chance *= len(group) ** -len(asked)
            else:
                subsets = [set(s) for n in range(1, len(group) + 1) for s in itertools.combinations(group, n)]
                chance *= sum(set(asked) <= s for s in subsets) / len(subsets)
        expected += chance
    actual = sum(query <= row for row in records)
    found = QueryError([sorted(query)], estimator=estimator).score(before, after)
    assert found.value == pytest.approx(abs(expected - actual) / max(actual, 1))


def test_the_tutorials_query_error() -> None:
    """Read as it stands, the label of two codes gives 1.5 for a count of 1, and 1.7 with the last row."""
    before = CodeSets.of([["401.0", "401.1"], ["401.2", "401.3"], ["401.0", "401.1"], ["401.4", "401.3"]])
    meant = {"[401.1-2]": ["401.1", "401.2"], "401": [f"401.{i}" for i in range(5)]}
    shown = [["[401.1-2]"], ["[401.1-2]", "401.3"], ["[401.1-2]"], ["401", "401.3"]]
    after = CodeSets.of(shown, published=True, members=meant)
    assert QueryError([["401.2"]]).score(before, after).value == pytest.approx(0.7)
    after = CodeSets.of([*shown[:3], ["401.3"]], published=True, members=meant)
    assert QueryError([["401.2"]]).score(before, after).value == pytest.approx(0.5)
    after = CodeSets.of([["L"], ["L", "401.3"], ["L"], ["401.3"]], published=True, members={"L": meant["401"][:3]})
    assert QueryError([["401.2"]]).score(before, after).value == pytest.approx(0)


def test_drawn_queries_are_answered_and_do_not_depend_on_the_order() -> None:
    records = [["a", "b", "c"], ["a", "b"], ["c"], ["d", "a"], []] * 4
    asked = QueryError(number=30, size=2).drawn(CodeSets.of(records))
    assert len(asked) == 30
    assert asked == QueryError(number=30, size=2).drawn(CodeSets.of(records[::-1]))
    assert all(CodeSets.of(records).support(query) for query in asked)
    assert {tuple(q) for q in QueryError(number=9, size=2, frequent=0.4).drawn(CodeSets.of(records))} == {("a", "b")}
    assert QueryError(size=9).score(CodeSets.of(records), CodeSets.of(records)).value is None
    assert QueryError().score(CodeSets.of(records), CodeSets.of(records)).value == 0


def test_measures_tell_no_code_and_survive_nothing() -> None:
    import pyarrow as pa

    words = ["Alpha", "Bravo", "Charlie", "Delta"]
    before = CodeSets.of([words[:2], words[1:], words[:1], words[2:]])
    after = PCTA().protect(before, [PrivacyPolicy([words[:2]], 2)]).data
    frame = pa.table({"code": words})
    measures = [UL(), NCP(), RetainedCodes(), CaseCounts({"D": ["Al"]}), QueryError(number=5)]
    for measure in measures:
        check_finding(measure.score(before, after), frame)
        assert measure.score(CodeSets.of([]), CodeSets.of([], published=True)).value is None


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: UL(penalty=-1),
        lambda: UL(universe=0),
        lambda: UL(weight="none"),  # type: ignore[arg-type]
        lambda: CaseCounts({}),
        lambda: CaseCounts({"D": ["a"]}, {"E": ["b"]}),
        lambda: QueryError(number=0),
        lambda: QueryError(floor=0),
        lambda: QueryError(frequent=2),
        lambda: QueryError(estimator="none"),  # type: ignore[arg-type]
    ],
)
def test_bad_parameters_are_told(wrong: Any) -> None:
    with pytest.raises(ValueError, match=r"must|share"):
        wrong()
