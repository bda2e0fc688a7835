"""Cuts for a purpose beat cuts by gain on their own yardstick, and are chosen as their definitions say."""

from __future__ import annotations

from itertools import pairwise
from math import log2
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.cli import main
from sharewell.errors import PolicyError
from sharewell.hierarchy import Prefixes
from sharewell.policy import load
from sharewell.tables import Classification, KAnonymity, LDiversity, Mondrian, Prediction, QueryError, Table
from sharewell.tables.engine.protection.partitioning.class_layout import Layout
from sharewell.tables.engine.protection.partitioning.workload_cuts import LabelCuts, QueryCuts

QUERIES = (
    {"age": "[18-29]", "sex": "F"},
    {"age": "[50-64]", "job": "{cook,nurse}"},
    {"zip": "021*", "sex": "M"},
    {"zip": "94*", "age": "[30-49]", "state": "ill"},
)


def patients(seed: int = 1, rows: int = 1500) -> pa.Table:
    """Being ill depends on age and smoking; cost on age; the rest is noise."""
    draw = np.random.default_rng(seed)
    age, smokes = draw.integers(18, 90, rows), draw.random(rows) < 0.4
    risk = 0.05 + 0.85 * ((age > 61) & smokes)
    return pa.table(
        {
            "age": age,
            "sex": draw.choice(["F", "M"], rows),
            "zip": draw.choice(["02139", "02138", "02115", "94110", "94117", "60601"], rows),
            "job": draw.choice(["clerk", "cook", "driver", "nurse", "tailor"], rows),
            "smokes": np.where(smokes, "yes", "no"),
            "state": np.where(draw.random(rows) < risk, "ill", "well"),
            "cost": (age > 40) * 1000 + draw.integers(0, 100, rows),
        }
    )


def opened(frame: pa.Table, **roles: Any) -> Table:
    roles = {"quasi": ["age", "sex", "zip", "job", "smokes"], "sensitive": ["state"], "keep": ["cost"]} | roles
    return Table.of(frame, **roles, hierarchies={"zip": Prefixes()})


def test_the_label_is_predicted_better_than_after_gain() -> None:
    """Fewer records differ from their class's label, and a tree trained on the release is right more often."""
    table, must = opened(patients()), [KAnonymity(25)]
    gain, label = (m.protect(table, must).data for m in (Mondrian(), Mondrian("label", label="state")))
    wrong = [Classification(label="state").score(table, data).value for data in (gain, label)]
    right = [Prediction(label="state", model="tree").score(table, data).value for data in (gain, label)]
    assert wrong[1] < wrong[0]  # type: ignore[operator]
    assert right[1] > right[0]  # type: ignore[operator]


def test_the_spread_of_a_number_is_smaller_than_after_gain() -> None:
    table, must = opened(patients(2)), [KAnonymity(25)]
    spread = []
    for mechanism in (Mondrian(), Mondrian("label", label="cost")):
        data = mechanism.protect(table, must).data
        classes, cost = data.classes, np.asarray(data.carried["cost"], dtype=float)
        spread.append(sum(np.var(cost[rows]) * len(rows) for rows in np.split(classes.order, classes.starts[1:-1])))
    assert spread[1] < spread[0] / 2


@pytest.mark.parametrize("relaxed", [False, True])
def test_queries_are_answered_better_than_after_gain(relaxed: bool) -> None:
    """The same list goes to the mechanism and to the measure."""
    table, must = opened(patients(3)), [KAnonymity(10), LDiversity(2)]
    mechanisms = (Mondrian(relaxed=relaxed), Mondrian("queries", queries=QUERIES, relaxed=relaxed))
    error = [QueryError(queries=QUERIES).score(table, m.protect(table, must).data).value for m in mechanisms]
    assert error[1] < error[0] / 2  # type: ignore[operator]


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10_000), rows=st.integers(2, 60), least=st.integers(1, 8), number=st.booleans())
def test_the_cut_for_a_label_is_the_best_there_is(seed: int, rows: int, least: int, number: bool) -> None:
    """Against every cut, by the textbook's formulas."""
    draw = np.random.default_rng(seed)
    ages, states = draw.integers(0, 9, rows), draw.integers(0, 4, rows)
    frame = pa.table({"age": ages, "state": states if number else [f"s{v}" for v in states]})
    table = Table.of(frame, quasi=["age"], sensitive=["state"])
    found = _proposed(table, LabelCuts.of(table, "state", least))
    measure = _deviation if number else _entropy

    def worth(at: int) -> float:
        sides = [states[ages <= at], states[ages > at]]
        if min(map(len, sides)) < least:
            return 0.0
        return measure(states) - sum(map(measure, sides))

    values = np.unique(ages)
    best = max((worth(at) for at in values[:-1]), default=0.0)
    if best < 1e-6:
        assert found.worth[0] < 1e-6
    else:
        at = int(values[found.at[0]])
        assert worth(at) == pytest.approx(best, rel=1e-4)
        assert found.left[0] == (ages <= at).sum()


def _entropy(labels: Any) -> float:
    """Bits of all labels together."""
    counts = np.unique(labels, return_counts=True)[1]
    return float(sum(-c * log2(c / len(labels)) for c in counts.tolist()))


def _deviation(labels: Any) -> float:
    return float(((labels - labels.mean()) ** 2).sum()) if len(labels) else 0.0


def _proposed(table: Table, proposal: Any) -> Any:
    root = table.as_classes(np.arange(table.rows), np.array([0, table.rows]))
    middles = Layout(table.quasi, root).find(np.array([0]), np.array([table.rows]))
    found = proposal(middles, root)
    return found[0] if found else middles[0]


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10_000), rows=st.integers(2, 60), ends=st.lists(st.integers(0, 9), min_size=2, max_size=6))
def test_the_cut_for_queries_clears_most_doubt(seed: int, rows: int, ends: list[int]) -> None:
    """Against every border: records in boxes that a query neither holds nor misses, each by its share of the answer."""
    draw = np.random.default_rng(seed)
    ages = draw.integers(0, 10, rows)
    table = Table.of(pa.table({"age": ages}), quasi=["age"])
    queries = [(min(pair), max(pair)) for pair in pairwise(ends)]
    found = _proposed(table, QueryCuts.of(table, [{"age": f"[{low}-{high}]"} for low, high in queries], 1))

    def doubt(part: Any, low: int, high: int) -> float:
        inside = [low <= value <= high for value in np.unique(ages) if part.min() <= value <= part.max()]
        in_doubt = any(inside) and not all(inside)
        return len(part) / max(1, int(((ages >= low) & (ages <= high)).sum())) if in_doubt else 0.0

    def cleared(at: int) -> float:
        sides = [ages[ages <= at], ages[ages > at]]
        return sum(doubt(ages, *q) - sum(doubt(side, *q) for side in sides) for q in queries)

    values = np.unique(ages)
    best = max((cleared(at) for at in values[:-1]), default=0.0)
    if best < 1e-9:
        assert found.worth is None or found.worth[0] < 1e-9
    else:
        assert found.worth[0] == pytest.approx(best)
        assert cleared(int(values[found.at[0]])) == pytest.approx(best)


def test_a_column_that_is_no_label_is_refused_without_a_value() -> None:
    table = opened(patients(rows=50))
    with pytest.raises(PolicyError, match="'stat' is not a sensitive or kept column"):
        Mondrian("label", label="stat").protect(table, [KAnonymity(2)])
    with pytest.raises(PolicyError, match="queries ask for nothing_like_it"):
        Mondrian("queries", queries=[{"nothing_like_it": "1"}]).protect(table, [KAnonymity(2)])
    for wrong in ({"split": "label"}, {"label": "state"}, {"split": "queries"}, {"queries": [{"age": "1"}]}):
        with pytest.raises(ValueError, match="go together"):
            Mondrian(**wrong)  # type: ignore[arg-type]


def test_labels_and_numbers_may_be_missing() -> None:
    frame = patients(rows=60)
    holes = pa.array([None if i % 3 else v for i, v in enumerate(frame["cost"].to_pylist())])
    empty = pa.array([None] * 60, pa.string())
    for label in (holes, empty):
        table = opened(frame.set_column(6, "cost", label))
        released = Mondrian("label", label="cost").protect(table, [KAnonymity(5)])
        assert KAnonymity(5).check(released.data).ok


POLICY = """\
sharewell: 1
release: {name: purpose}
datasets:
  people:
    kind: tables
    read: {csv: people.csv}
    columns: {age: quasi, sex: quasi, zip: {role: quasi, hierarchy: prefix}, job: quasi, smokes: quasi,
              state: sensitive, cost: keep}
    require: [k-anonymity: {k: 10}]
    using: {mondrian: %s}
write: {csv: out}
"""


@pytest.mark.parametrize(
    ("options", "built"),
    [
        ("{split: label, label: state}", Mondrian("label", label="state")),
        ("{split: label, label: cost, relaxed: true}", Mondrian("label", label="cost", relaxed=True)),
        (
            '{split: queries, queries: [{age: "[18-29]", sex: F}, {zip: 021*}]}',
            Mondrian("queries", queries=[{"age": "[18-29]", "sex": "F"}, {"zip": "021*"}]),
        ),
    ],
)
def test_a_policy_says_the_purpose(tmp_path: Path, options: str, built: Mondrian) -> None:
    import pyarrow.csv as pacsv

    pacsv.write_csv(patients(rows=300), tmp_path / "people.csv")
    (tmp_path / "policy.yaml").write_text(POLICY % options)
    assert load(tmp_path / "policy.yaml").datasets["people"].using.built == built
    assert main(["release", str(tmp_path / "policy.yaml")]) == 0
    assert main(["verify", str(tmp_path / "out" / "purpose" / "public")]) == 0


def test_a_policy_that_forgets_the_label_is_told_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "people.csv").write_text("age,sex,zip,job,smokes,state,cost\n1,F,02139,cook,no,well,1\n")
    (tmp_path / "policy.yaml").write_text(POLICY % "{split: label}")
    assert main(["check", str(tmp_path / "policy.yaml")]) == 2
    assert "label go together" in capsys.readouterr().err
