"""Diversity under rules: classes by hand, by definition, and as mechanisms and releases make it hold."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_original_rules import ROWS, Row, excluded_by_hand, table_of

import sharewell
from sharewell.errors import DataError, Infeasible, PolicyError
from sharewell.tables import PRAM, BackgroundKnowledge, DiversityUnderRules, KAnonymity, LDiversity, Mondrian, Table
from sharewell.tables.engine.original_rules import RuleThresholds
from sharewell.testing import check_criterion

ORIGINALS = pa.table({"sex": ["F", "F", "M", "M"] * 20, "ill": ["ovarian cancer", "flu", "gout", "flu"] * 20})


def shown(sex: list[str], ill: list[str | None]) -> Table:
    frame = pa.table({"sex": sex, "ill": pa.array(ill, pa.string())})
    return Table.of(frame, quasi=["sex"], sensitive=["ill"], published=True)


@pytest.mark.parametrize(
    ("sex", "ill", "value"),
    [
        (["*"] * 4, ["ovarian cancer", "flu", "gout", "flu"], Fraction(3, 2)),  # a man: flu, gout, flu
        (["F"] * 4, ["ovarian cancer", "flu", "ovarian cancer", "flu"], 2),  # nothing to exclude
        (["*"] * 2, ["ovarian cancer", "gout"], 1),  # a man has gout
        (["*"] * 3, ["flu", "gout", None], 1),  # a woman has the flu: a missing value is no protection
        (["*"] * 2, [None, None], 0),
    ],
)
def test_a_class_by_hand(sex: list[str], ill: list[str | None], value: Fraction | int) -> None:
    found = DiversityUnderRules(ORIGINALS, l=2).check(shown(sex, ill))
    assert found.value == value
    assert found.ok is (value >= 2)


def test_thresholds_decide_what_is_a_rule() -> None:
    table = shown(["*"] * 4, ["ovarian cancer", "flu", "gout", "flu"])
    assert DiversityUnderRules(ORIGINALS, l=2, expected=11).check(table).value == 2, "no rule is expected so often"
    assert DiversityUnderRules(ORIGINALS, l=2, support=0.6).check(table).value == 2
    assert DiversityUnderRules(ORIGINALS, l=2, confidence=0.6).check(table).value == Fraction(3, 2)


@settings(max_examples=120, deadline=None)
@given(ROWS, st.data())
def test_it_is_what_the_definition_says(rows: list[Row], data: st.DataObject) -> None:
    """Cells of two kinds, several records a person, missing values; everything counted again in plain sets."""
    cells = [data.draw(st.sampled_from([row[0] or "", "*"])) for row in rows]
    frame = pa.table(
        {"sex": cells, "area": ["*"] * len(rows), "ill": pa.array([row[2] for row in rows], pa.string())}
        | {"who": [row[3] for row in rows]}
    )
    table = Table.of(frame, quasi=["sex", "area"], sensitive=["ill"], subject="who", published=True)
    originals = table_of(rows).arrow.append_column("who", pa.array([row[3] for row in rows]))
    criterion = DiversityUnderRules(originals, l=2, expected=1, subject="who")
    excluded = excluded_by_hand(rows, RuleThresholds(1), 2)
    worst: Fraction | None = None
    for cell in set(cells):
        members = [row for row, shown_as in zip(rows, cells, strict=True) if shown_as == cell]
        covered = [row for row in rows if cell == "*" or (row[0] or "") == cell]
        for out in [set[str](), *(excluded[row[:2]] for row in covered)]:
            for key in (3, None):  # persons, then records
                whose = defaultdict(set)
                for i, row in enumerate(members):
                    whose[row[2]].add(i if key is None else row[key])
                n = len(set().union(*whose.values()))
                x = sum(len(who) for value, who in whose.items() if value is None or value in out)
                left = [len(who) for value, who in whose.items() if value is not None and value not in out]
                if left or not out:
                    reached = Fraction(max(max(left), n - x), max(left)) if left else Fraction(0)
                    worst = reached if worst is None else min(worst, reached)
    found = criterion.check(table)
    assert found.value == worst
    assert found.ok is (worst is not None and worst >= 2)


def test_rules_that_are_given_count_like_those_that_are_mined() -> None:
    few = ORIGINALS.slice(0, 8)  # too few to show a rule
    table = shown(["*"] * 4, ["ovarian cancer", "flu", "gout", "flu"])
    assert DiversityUnderRules(few, l=2).check(table).value == 2
    rule = {"when": {"sex": "M"}, "never": ["Ovarian cancer"]}
    assert DiversityUnderRules(few, l=2, rules=(rule,)).check(table).value == Fraction(3, 2)
    original = Table.of(few, quasi=["sex"], sensitive=["ill"])
    assert DiversityUnderRules(few, l=2, rules=(rule,)).worst(original.classes).tolist() == [2, 2]
    with pytest.raises(PolicyError, match="only quasi columns"):
        DiversityUnderRules(few, l=2, rules=({"when": {"height": "x"}, "never": ["flu"]},)).check(table)
    with pytest.raises(ValueError, match="rules need"):
        DiversityUnderRules(few, l=2, rules=("no rule",))


def people(seed: int, rows: int = 400) -> Table:
    rng = np.random.default_rng(seed)
    sex = rng.integers(0, 2, rows)
    own = np.where(sex == 0, "ovarian", "prostate")
    ill = np.where(rng.random(rows) < 0.3, own, rng.choice(["flu", "gout", "asthma", "ulcer"], rows))
    who = np.where(rng.random(rows) < 0.2, "p0", np.char.add("q", np.arange(rows).astype(str)))
    frame = pa.table({"sex": np.where(sex == 0, "F", "M"), "age": rng.integers(20, 90, rows), "ill": ill, "who": who})
    return Table.of(frame, quasi=["sex", "age"], sensitive=["ill"], subject="who")


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_a_mechanism_makes_hold_bounds_the_attack(seed: int) -> None:
    table = people(seed)
    originals = table.arrow.append_column("who", table.subject.arrow)  # type: ignore[union-attr]
    criterion = DiversityUnderRules(originals, l=2)
    protected = Mondrian().protect(table, [KAnonymity(3), criterion])
    assert criterion.check(protected.data).ok
    plain = Mondrian().protect(table, [KAnonymity(3), LDiversity(2)])
    assert not criterion.check(plain.data).ok
    attack = BackgroundKnowledge(mine=False)
    found = attack.mount(protected.data, protected.truth(table))
    assert found.value is not None
    assert found.value <= 0.5 + 1e-12
    worse = attack.mount(plain.data, plain.truth(table)).value
    assert worse is not None
    assert worse > found.value


def test_what_cannot_hold_is_refused() -> None:
    table = Table.of(ORIGINALS, quasi=["sex"], sensitive=["ill"])
    with pytest.raises(Infeasible, match="not even the table as one class"):
        Mondrian().protect(table, [DiversityUnderRules(ORIGINALS, l=2)])


def test_mechanisms_that_falsify_quasi_columns_are_refused() -> None:
    table = Table.of(ORIGINALS, quasi=["sex"], sensitive=["ill"])
    with pytest.raises(Infeasible, match="false cells"):
        PRAM({"sex": 0.8}).protect(table, [DiversityUnderRules(ORIGINALS, l=1)])


def test_other_originals_are_an_error() -> None:
    with pytest.raises(DataError, match="fewer records than 1 of 1"):
        DiversityUnderRules(ORIGINALS.slice(0, 3), l=1).check(shown(["*"] * 4, ["flu"] * 4))
    with pytest.raises(DataError, match="lacks the column"):
        DiversityUnderRules(ORIGINALS.select(["sex"]), l=1).check(shown(["*"] * 4, ["flu"] * 4))
    two = pa.table({"sex": ["*"] * 2, "ill": ["flu", "gout"], "who": ["a", "a"]})
    table = Table.of(two, quasi=["sex"], sensitive=["ill"], subject="who", published=True)
    with pytest.raises(DataError, match="name it with `subject:`"):
        DiversityUnderRules(ORIGINALS, l=1).check(table)
    with pytest.raises(PolicyError, match="no sensitive column"):
        DiversityUnderRules(ORIGINALS, l=1, column="x").check(shown(["*"], ["flu"]))


@pytest.mark.parametrize("rows", [0, 1, 4])
def test_it_keeps_the_contract(rows: int) -> None:
    frame = pa.table({"sex": ["female", "male"] * 2, "ill": ["influenza", "gouty"] * 2}).slice(0, rows)
    criterion = DiversityUnderRules(frame, l=2, expected=1)
    check_criterion(criterion, lambda one: Table.of(one, quasi=["sex"], sensitive=["ill"]), frame)


POLICY = """\
sharewell: 1
release: {name: rules}
datasets:
  people:
    kind: tables
    read: {csv: people.csv}
    columns: {who: subject, sex: quasi, age: {role: quasi, type: number}, ill: sensitive}
    require:
      - k-anonymity: {k: 3}
      - diversity-under-rules: {originals: {csv: people.csv}, l: 2}
    using: mondrian
write: {csv: out}
"""


def test_a_release_is_checked_by_the_steward_alone(tmp_path: Path) -> None:
    table = people(4)
    frame = table.arrow.append_column("who", table.subject.arrow)  # type: ignore[union-attr]
    pyarrow.csv.write_csv(frame, tmp_path / "people.csv")
    (tmp_path / "policy.yaml").write_text(POLICY)
    done = sharewell.release(tmp_path / "policy.yaml")
    verdict = sharewell.verify(done.directory)
    assert verdict.ok
    alone = sharewell.verify(done.directory / "public")
    tiers = {str(one.tier) for one in alone.findings["people"] if one.name == "diversity-under-rules"}
    assert tiers == {"attested"}
