"""The case study runs, on a few people: so that it cannot rot. What it finds at full size stands in docs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SMALL = {"patients": 16, "people": 40, "k": 2, "seed": 1}


@pytest.fixture(autouse=True)
def _from_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """Benchmarks are run from the root of the project, and are no part of the package."""
    monkeypatch.syspath_prepend(str(ROOT))


@pytest.fixture(scope="module")
def found() -> Any:
    """The study of a few people, made once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT))
        from benchmarks.case_study import study

        return study(**SMALL)


def test_the_records_are_the_same_for_the_same_seed_and_hold_only_codes_of_icd_9() -> None:
    from benchmarks.emrs import code_sets, records

    from sharewell.hierarchy import ICD9CM

    table = records(50, seed=4)
    assert table.equals(records(50, seed=4))
    assert not table.equals(records(50, seed=5))
    data = code_sets(table)
    assert data.records == 50
    assert (data.sets.lengths > 0).all()
    assert set(data.names) <= set(ICD9CM().codes())
    assert code_sets(table, 20).records == 20


def test_every_policy_is_met_by_every_method_and_told(found: Any) -> None:
    assert found.patients == 16
    assert found.people == 40
    assert [len(rows) for rows in found.by_policy.values()] == [7] * 4
    assert set(found.listed) == set(found.by_policy)
    assert len(found.plain) == 5
    for row in (*found.plain, *(row for rows in found.by_policy.values() for row in rows)):
        assert 0 <= row.unique <= 1
        assert 0 <= row.unique_visits <= 1
        assert 0 <= row.left_out <= found.codes
    assert len(found.plain[0].kept) == 18  # as recorded, everything is exact


def test_it_prints_tables(found: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from benchmarks.case_study import BEGINS, main

    asked = []
    monkeypatch.setattr("benchmarks.case_study.study", lambda *given: asked.append(given) or found)
    assert main(["--patients", "16", "--people", "40", "--k", "2"]) == 0
    assert asked == [tuple(SMALL.values())]
    shown = capsys.readouterr().out
    assert all(f"| {disease} | " in shown for disease in BEGINS)
    assert shown.count("| aclip | ") == 4


def test_sets_written_in_a_few_lines_give_the_same_answers() -> None:
    from benchmarks import plain_codes
    from benchmarks.emrs import code_sets, records

    from sharewell.codes import UGACLIP, CodeLinkage, KmAnonymity, PrivacyPolicy

    data = code_sets(records(14))
    plain = [frozenset(data.names[i] for i in data.sets.row(row)) for row in range(data.records)]
    assert plain_codes.least_support(plain, 2) == KmAnonymity(3, 2).check(data).value
    unique = sum(one == 1 for one in plain_codes.support_of_all(plain)) / data.records
    assert CodeLinkage("all").mount(data).details.unique == pytest.approx(unique)
    itemsets = PrivacyPolicy.extract(data, 2, "visit").itemsets[:3]
    ours = UGACLIP().protect(data, [PrivacyPolicy(itemsets, 2, strict=False)]).data
    assert ours.labels is not None
    theirs = plain_codes.ugaclip(plain, itemsets, 2)
    assert {code: set(ours.members[ours.names.index(label or "")]) for code, label in ours.labels.items()} == theirs
