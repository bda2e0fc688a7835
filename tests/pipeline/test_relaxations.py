"""What would help: every relaxation that is told does hold, and costs what it says."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.cli import main
from sharewell.errors import Infeasible
from sharewell.pipeline import relax
from sharewell.pipeline.plan import plan
from sharewell.pipeline.relax import Relaxation, relaxations
from sharewell.pipeline.run import release
from sharewell.policy import check
from sharewell.policy.model import Bound
from sharewell.tables import (
    NCP,
    GBalance,
    KAnonymity,
    KMember,
    LDiversity,
    Mondrian,
    OptimalRecoding,
    Table,
    TCloseness,
)

POLICY = """\
sharewell: 1
release: {name: r1}
datasets:
  people:
    kind: tables
    read: {csv: people.csv}
    columns: {who: drop, age: quasi, town: quasi, sex: quasi, illness: sensitive}
    require: [k-anonymity: {k: 4}, l-diversity: {l: 4}]
    using: mondrian
    utility: [ncp]
write: {csv: out}
"""
TOWNS = ("Aytonbury", "Beebyfield", "Corbyville", "Derbyworth")


def people(n: int = 120, seed: int = 3) -> Any:
    rng = np.random.default_rng(seed)
    return pa.table(
        {
            "who": [f"P{i}" for i in range(n)],
            "age": rng.integers(0, 90, n),
            "town": rng.choice(TOWNS, n),
            "sex": rng.choice(["F", "M"], n),
            "illness": rng.choice(["fluxx", "goutx", "hivxx"], n, p=[0.6, 0.3, 0.1]),
        }
    )


def table(n: int = 120, seed: int = 3) -> Table:
    return Table.of(people(n, seed), quasi=["age", "town", "sex"], sensitive=["illness"], drop=["who"])


def by_what(found: tuple[Relaxation, ...]) -> dict[str, Relaxation]:
    return {one.what: one for one in found}


def test_the_least_weaker_bound_is_found() -> None:
    found = by_what(relaxations(table(), Mondrian(), [KAnonymity(500)]))
    assert list(found) == ["k-anonymity with k = 120 instead of 500"]
    found = by_what(relaxations(table(), Mondrian(), [KAnonymity(4), LDiversity(4)]))
    assert "l-diversity with l = 3 instead of 4" in found


def test_two_criteria_that_both_block_are_weakened_together() -> None:
    [one] = relaxations(table(), Mondrian(), [KAnonymity(500), LDiversity(4)])
    assert re.fullmatch(r"k-anonymity with k = \d+ instead of 500 and l-diversity with l = 3 instead of 4", one.what)


def test_a_share_is_weakened_to_a_number_that_people_write() -> None:
    found = relaxations(table(), Mondrian(), [GBalance("999/1000")])
    assert found == () or found[0].what.startswith("g-balance with g = 0.9 instead of 0.999")
    [best, *_] = relaxations(table(), Mondrian(), [TCloseness("1/100"), KAnonymity(200)])
    assert best.what == "k-anonymity with k = 120 instead of 200"


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 50),
    k=st.integers(2, 12),
    bound=st.integers(1, 40),
    mechanism=st.sampled_from([Mondrian(), KMember(), OptimalRecoding()]),
)
def test_whatever_is_told_holds_and_costs_what_it_says(seed: int, k: int, bound: int, mechanism: Any) -> None:
    """Each change is made again by hand, and scored."""
    data = table(60, seed)
    promise = Bound("≤", Fraction(bound, 100))
    found = relaxations(data, mechanism, [KAnonymity(k)], promises=[(NCP(), promise)], steps=20)
    assert [one.cost for one in found] == sorted(one.cost for one in found if one.cost is not None)
    for one in found:
        if match := re.match(r"k-anonymity with k = (\d+) ", one.what):
            after = mechanism.protect(data, [KAnonymity(int(match[1]))]).data
            assert NCP().score(data, after).value == pytest.approx(one.cost)
            assert one.cost is not None
            assert one.cost <= promise.value
        if match := re.match(r"without column (\w+)", one.what):
            fewer = Table.of(
                people(60, seed).drop_columns([match[1]]),
                quasi=[name for name in ("age", "town", "sex") if name != match[1]],
                sensitive=["illness"],
                drop=["who"],
            )
            after = mechanism.protect(fewer, [KAnonymity(k)]).data
            assert KAnonymity(k).check(after).ok
            assert NCP().score(fewer, after).value == pytest.approx(one.rest)
            assert one.rest is not None
            assert one.cost == pytest.approx((2 * one.rest + 1) / 3)


def test_withholding_says_how_many_persons_it_took() -> None:
    data = Table.of(pa.table({"age": [*[30] * 99, 90]}), quasi=["age"])
    found = by_what(
        relaxations(data, OptimalRecoding(), [KAnonymity(2)], promises=[(NCP(), Bound("≤", Fraction(1, 5)))])
    )
    assert found["suppress: 0.01"].withheld == pytest.approx(0.01)
    assert str(found["suppress: 0.01"]) == "suppress: 0.01: holds, ncp 0.01, 1.0 % of persons withheld"


def test_another_mechanism_may_be_what_helps() -> None:
    found = relaxations(table(), OptimalRecoding(), [KAnonymity(2)], promises=[(NCP(), Bound("≤", Fraction(1, 10)))])
    assert "using k-member" in by_what(found)


def test_work_is_bounded_in_steps() -> None:
    tried: list[str] = []
    relaxations(table(), Mondrian(), [KAnonymity(500), LDiversity(4)], steps=7, progress=tried.append)
    assert len(tried) == 7


def test_a_refused_release_tells_what_would_help_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pa_csv.write_csv(people(), tmp_path / "people.csv")
    (tmp_path / "policy.yaml").write_text(POLICY)
    with pytest.raises(Infeasible) as caught:
        release(check(tmp_path / "policy.yaml"))
    assert caught.value.blocking == ("l-diversity ≥ 4: all rows as one class reach 3",)
    first, *_, last = caught.value.relaxations
    assert re.fullmatch(r"l-diversity with l = 3 instead of 4: holds, ncp 0\.\d+", first)
    assert last == "l-diversity with bound 3"
    assert not (tmp_path / "out" / "r1").exists()
    assert main(["plan", str(tmp_path / "policy.yaml"), "--json"]) == 1
    shown = capsys.readouterr()
    assert first in json.loads(shown.out)["people"]["outcome"]["why_not"]
    assert not re.search("Aytonbury|Corbyville|fluxx|P7", shown.out + shown.err + str(caught.value))


def test_a_sample_is_said_to_be_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relax, "MOST_ROWS", 50)
    pa_csv.write_csv(people(), tmp_path / "people.csv")
    (tmp_path / "policy.yaml").write_text(POLICY)
    found = plan(check(tmp_path / "policy.yaml"))["people"].outcome
    assert "(tried on 50 rows)" in found.why_not


def test_plan_tells_which_columns_are_costly(tmp_path: Path) -> None:
    """What the other columns lose, with the column and without it, for the same criteria."""
    pa_csv.write_csv(people(), tmp_path / "people.csv")
    (tmp_path / "policy.yaml").write_text(POLICY.replace("l: 4", "l: 2"))
    told = plan(check(tmp_path / "policy.yaml"))["people"].outcome.savings
    data, must = table(), [KAnonymity(4), LDiversity(2)]
    losses = {part.column: part.value for part in NCP().score(data, Mondrian().protect(data, must).data).parts}
    expected = {}
    for column in ("age", "town", "sex"):
        others = [name for name in losses if name != column]
        fewer = Table.of(people(), quasi=others, sensitive=["illness"], drop=["who", column])
        after = float(NCP().score(fewer, Mondrian().protect(fewer, must).data).value or 0)
        before = float(np.mean([losses[name] for name in others]))
        if before - after >= max(0.01, 0.2 * before):
            line = f"dropping {column} would cut the loss of the other columns (ncp) from {before:.4g} to {after:.4g}"
            expected[line] = after - before
    assert expected
    assert list(told) == sorted(expected, key=lambda line: expected[line])


@pytest.mark.parametrize("rows", [0, 1])
def test_hopeless_tables_have_no_way_out(rows: int) -> None:
    assert relaxations(table(rows), Mondrian(), [KAnonymity(2)]) == ()
