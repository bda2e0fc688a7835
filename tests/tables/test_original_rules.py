"""Rules mined from the original: against counting by hand, and what an attacker who knows them all can guess."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.protocols import Truth
from sharewell.tables import BackgroundKnowledge, Homogeneity, KAnonymity, Mondrian, Table
from sharewell.tables.engine.original_rules import OriginalRules, RuleThresholds
from sharewell.testing import check_attack

Row = tuple[str | None, str | None, str | None, str]
ROWS = st.lists(
    st.tuples(
        st.sampled_from(["f", "m", None]),
        st.sampled_from(["x", "y", None]),
        st.sampled_from(["a", "b", "c", None]),
        st.sampled_from("12345"),
    ),
    min_size=1,
    max_size=25,
)


def table_of(rows: list[Row]) -> Table:
    sex, area, ill, who = zip(*rows, strict=True)
    strings = {"sex": sex, "area": area, "ill": ill, "who": who}
    frame = pa.table({name: pa.array(values, pa.string()) for name, values in strings.items()})
    return Table.of(frame, quasi=["sex", "area"], sensitive=["ill"], subject="who")


def excluded_by_hand(rows: list[Row], least: RuleThresholds, size: int) -> dict[tuple[Any, ...], set[str]]:
    """(sex, area) → values that rules exclude, from the definition: persons who have the antecedent, and the value."""
    everybody = {who for *_, who in rows}
    having = defaultdict(set)
    for *_, ill, who in rows:
        having[ill].add(who)
    found: dict[tuple[Any, ...], set[str]] = {row[:2]: set() for row in rows}
    for many in range(1, size + 1):
        for which in combinations(range(2), many):
            for antecedent in {tuple(row[i] for i in which) for row in rows} - {(None,) * many}:
                if None in antecedent:
                    continue
                fit = [row for row in rows if tuple(row[i] for i in which) == antecedent]
                persons = {row[3] for row in fit}
                for value in set(having) - {None}:
                    both = {row[3] for row in fit if row[2] == value}
                    often = len(persons) * len(having[value]) >= least.expected * len(everybody)
                    supported = len(persons) >= least.support * len(everybody)
                    if often and supported and len(both) <= (1 - least.confidence) * len(persons) + 1e-9:
                        for pair in found:
                            if tuple(pair[i] for i in which) == antecedent:
                                found[pair].add(str(value))
    return found


@settings(max_examples=150, deadline=None)
@given(
    ROWS,
    st.sampled_from([0.5, 1.0, 2.0]),
    st.sampled_from([1.0, 0.75, 0.5]),
    st.sampled_from([0.0, 0.4]),
    st.integers(1, 2),
)
def test_profiles_are_those_of_the_definition(
    rows: list[Row], expected: float, confidence: float, support: float, size: int
) -> None:
    table, least = table_of(rows), RuleThresholds(expected, confidence, support)
    [sensitive] = table.sensitive
    rules = OriginalRules.mine(table.quasi, sensitive, table.subject if table.several_records else None, least, size)
    profiles = rules.profiles({one.name: one for one in table.quasi}, sensitive, table.rows)
    wanted = excluded_by_hand(rows, least, size)
    for row, profile in zip(rows, profiles.of_row, strict=True):
        found = {sensitive.texts[code] for code in np.flatnonzero(profiles.excludes[profile])}
        assert found == wanted[row[:2]]
    assert not profiles.excludes[0].any()
    assert (rules.count > 0) == any(wanted.values())


def test_a_rule_about_two_columns_is_not_one_about_either() -> None:
    """Women of x have a and b, men of y too; the others have b alone."""
    rows: list[Row] = []
    for sex, area in (("f", "x"), ("f", "y"), ("m", "x"), ("m", "y")):
        ill = ("a", "b") if (sex, area) in (("f", "x"), ("m", "y")) else ("b", "b")
        rows += [(sex, area, one, f"{sex}{area}{i}") for i in range(10) for one in ill[i % 2 :: 2]]
    table = table_of(rows)
    counts = [
        OriginalRules.mine(table.quasi, table.sensitive[0], None, RuleThresholds(2), size).count for size in (1, 2)
    ]
    assert counts == [0, 2]


def test_numbers_are_mined_in_ranges() -> None:
    ages = list(range(100))
    ill = ["dementia" if age % 2 and age > 60 else "flu" for age in ages]
    table = Table.of(pa.table({"age": ages, "ill": ill}), quasi=["age"], sensitive=["ill"])
    rules = OriginalRules.mine(table.quasi, table.sensitive[0], None, RuleThresholds(1), 1)
    profiles = rules.profiles({"age": table.quasi[0]}, table.sensitive[0], table.rows)
    young = profiles.excludes[profiles.of_row[:56]]
    assert young[:, list(table.sensitive[0].texts).index("dementia")].all()
    assert not profiles.of_row[70:].any()
    elsewhere = Table.of(pa.table({"age": ["none", "7"], "ill": ["flu", "gout"]}), quasi=["age"], sensitive=["ill"])
    profiles = rules.profiles({"age": elsewhere.quasi[0]}, elsewhere.sensitive[0], 2)
    assert profiles.of_row.tolist() == [0, 0], "texts are not in any range"


@settings(max_examples=80, deadline=None)
@given(ROWS, st.integers(2, 4))
def test_the_attack_is_the_worst_that_a_member_faces(rows: list[Row], k: int) -> None:
    """Everything in one class: c / (n − x), x the persons with values that rules exclude for the member."""
    table = table_of(rows)
    hidden = pa.table(
        {"sex": ["*"] * len(rows), "area": ["*"] * len(rows), "ill": pa.array([row[2] for row in rows], pa.string())}
    )
    hidden = hidden.append_column("who", pa.array([row[3] for row in rows]))
    shown = Table.of(hidden, quasi=["sex", "area"], sensitive=["ill"], subject="who", published=True)
    attack = BackgroundKnowledge(expected=float(k) / 2, mine=False)
    found = attack.mount(shown, Truth(table, np.arange(len(rows))))
    wanted = excluded_by_hand(rows, RuleThresholds(k / 2), 2)
    having: dict[str | None, set[str]] = defaultdict(set)
    for *_, ill, who in rows:
        having[ill].add(who)
    n = len({row[3] for row in rows})
    worst = 0.0
    for row in rows:
        out = wanted[row[:2]]
        x = sum(len(having[value]) for value in out)
        worst = max(
            worst,
            *(len(whose) / (max(len(whose), n - x) if value not in out else n) for value, whose in having.items()),
        )
    assert found.value == pytest.approx(worst)
    assert found.value >= float(Homogeneity().mount(shown).value or 0) - 1e-12


def test_without_the_original_only_the_release_tells() -> None:
    rng = np.random.default_rng(3)
    sex = rng.integers(0, 2, 400)
    ill = np.where(rng.random(400) < 0.5, "flu", np.where(sex == 0, "ovarian", "prostate"))
    frame = pa.table({"sex": np.where(sex == 0, "f", "m"), "age": rng.integers(20, 90, 400), "ill": ill})
    table = Table.of(frame, quasi=["sex", "age"], sensitive=["ill"])
    protected = Mondrian().protect(table, [KAnonymity(20)])
    truth = protected.truth(table)
    with_it, without = (BackgroundKnowledge(original=one).mount(protected.data, truth) for one in (True, False))
    assert with_it.details.rules >= 2
    assert with_it.details.rules >= without.details.rules
    assert with_it.details.risk.simulated.share >= without.details.risk.simulated.share
    assert (
        BackgroundKnowledge().mount(protected.data).value
        == BackgroundKnowledge(original=False).mount(protected.data).value
    )


@pytest.mark.parametrize("rows", [0, 1, 3])
def test_it_keeps_the_contract(rows: int) -> None:
    frame = pa.table({"sex": ["female", "male", "male"][:rows], "ill": ["influenza", "gouty", "influenza"][:rows]})
    check_attack(BackgroundKnowledge(expected=0.1), lambda one: Table.of(one, quasi=["sex"], sensitive=["ill"]), frame)
    table = Table.of(frame, quasi=["sex"], sensitive=["ill"])
    found = BackgroundKnowledge(expected=0.1).mount(table, Truth(table, np.arange(rows)))
    assert (found.value is None) == (rows == 0)


def test_thresholds_are_shares() -> None:
    for wrong in ({"confidence": 0}, {"confidence": 1.5}, {"support": 2}, {"size": 4}, {"size": 0}):
        with pytest.raises(ValueError, match="must be"):
            BackgroundKnowledge(**wrong)
