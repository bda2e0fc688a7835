"""A quasi column that other published columns of its row tell is refused, since no class can hide it."""

from __future__ import annotations

import random
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
    columns: {COLUMNS}
    rest: drop
    using: USING
    require: [k-anonymity: {k: 2}]
write: {csv: out}
"""


@pytest.fixture(autouse=True)
def stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    draw = random.Random(2)
    rows = ["patient,born,admitted,discharged,age,minutes,sex,code,ill"]
    for i in range(150):
        born = date(1940, 1, 1) + timedelta(days=draw.randint(0, 20_000))
        first = date(2020, 1, 1) + timedelta(days=draw.randint(0, 1400))
        stay, sex = draw.choice([1, 2, 3, 5, 8, 13]), draw.choice("FM")
        last, age = first + timedelta(days=stay), (first - born).days // 365
        cells = (f"p{i}", born, f"{first:%d.%m.%Y}", f"{last:%d.%m.%Y}", age, 1440 * stay, sex)
        rows.append(",".join(map(str, (*cells, "12"[sex == "F"], draw.choice("abc")))))
    Path("stays.csv").write_text("\n".join(rows) + "\n")


def _policy(columns: str, using: str = "mondrian") -> Path:
    path = Path("policy.yaml")
    path.write_text(POLICY.replace("COLUMNS", f"patient: subject, {columns}").replace("USING", using))
    return path


@pytest.mark.parametrize(
    ("columns", "what"),
    [
        ("minutes: quasi, admitted: shift, discharged: shift", "follows from the time between admitted and discharged"),
        ("age: quasi, born: shift", "a date that moves by at most 182 days still tells it"),
        ("sex: quasi, code: keep", "follows from code, which is published as it is"),
        ("sex: quasi, code: sensitive", "follows from code, which is published as it is"),
        ("born: {role: quasi, type: date}, age: sensitive", "follows from age"),
    ],
)
def test_such_a_policy_is_refused_by_check_and_plan(columns: str, what: str) -> None:
    path = _policy(columns)
    with pytest.raises(PolicyError) as refused:
        check(path)
    [mistake] = refused.value.mistakes
    assert what in mistake.what
    with pytest.raises(PolicyError, match=what):
        plan(load(path))


@pytest.mark.parametrize(
    ("columns", "using"),
    [
        ("age: quasi, sex: quasi, ill: sensitive, admitted: shift", "mondrian"),
        ("sex: quasi, code: {keep: anyway}", "mondrian"),
        ("age: quasi, born: {role: shift, most_days: 3650}, ill: sensitive, sex: keep", "mondrian"),
        ("sex: quasi, code: keep", "{pram: {columns: {code: 0.5}}}"),
    ],
)
def test_what_tells_nothing_or_is_meant_is_let_through(columns: str, using: str) -> None:
    check(_policy(columns, using))


def test_a_draft_drops_the_shifted_date() -> None:
    draft = Proposal.of([Path("stays.csv")], base=Path()).text
    assert "would tell minutes, however that is generalised" in draft
    Path("policy.yaml").write_text(draft)
    check(Path("policy.yaml"))
