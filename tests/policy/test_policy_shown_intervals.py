"""A length of stay between two shifted dates is published exactly, so that it cannot be a quasi column."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from sharewell.errors import PolicyError
from sharewell.pipeline.plan import plan
from sharewell.policy import check, load
from sharewell.proposal import Proposal

POLICY = """\
sharewell: 1
release: {name: r}
datasets:
  stays:
    kind: tables
    read: {csv: stays.csv}
    columns: {patient: subject, admitted: shift, discharged: OUT, days: DAYS, ward: quasi}
    using: mondrian
    require: [k-anonymity: {k: 2}]
write: {csv: out}
"""


@pytest.fixture(autouse=True)
def stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = []
    for i in range(80):
        first = date(2024, 1, 1) + timedelta(days=5 * i % 300)
        rows.append(f"p{i // 2},{first},{first + timedelta(days=1 + i % 12)},{1 + i % 12},w{i % 3}\n")
    Path("stays.csv").write_text("patient,admitted,discharged,days,ward\n" + "".join(rows))


def _policy(out: str, days: str) -> Path:
    path = Path("policy.yaml")
    path.write_text(POLICY.replace("OUT", out).replace("DAYS", days))
    return path


def test_such_a_policy_is_refused_by_check_and_plan() -> None:
    path = _policy("shift", "quasi")
    with pytest.raises(PolicyError) as refused:
        check(path)
    [mistake] = refused.value.mistakes
    assert mistake.where == "datasets.stays.columns.days"
    assert "is the time from admitted to discharged" in mistake.what
    with pytest.raises(PolicyError, match="admitted to discharged"):
        plan(load(path))


@pytest.mark.parametrize(("out", "days"), [("drop", "quasi"), ("shift", "drop"), ("quasi", "quasi")])
def test_it_is_allowed_where_one_of_the_three_goes(out: str, days: str) -> None:
    assert check(_policy(out, days)).datasets["stays"].columns["days"].role == days


def test_a_draft_drops_the_later_date() -> None:
    draft = Proposal.of([Path("stays.csv")], base=Path()).text
    assert "discharged: drop" in draft
    assert "its time from admitted would publish days exactly" in draft
    Path("policy.yaml").write_text(draft)
    check(Path("policy.yaml"))
