"""`using: auto`: a mechanism that suits criteria and data, why, and the release that says which one was used."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv
import pytest

from sharewell import registry
from sharewell.cli import main
from sharewell.errors import PolicyError
from sharewell.pipeline.certificate import write_sums
from sharewell.pipeline.mechanism_choice import rule
from sharewell.pipeline.plan import plan
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.policy import check, load
from sharewell.policy.algorithms import able, trusted
from sharewell.tables import NCP, GBalance, HAffiliation, KAnonymity, KMap, Table
from sharewell.tables.engine import mechanism_choice

POLICY = """\
sharewell: 1
release: {name: r1}
secrets: {key: env:TEST_RELEASE_KEY}
datasets:
  people:
    kind: tables
    read: {csv: people.csv}
    columns: {who: subject, age: quasi, sex: quasi, town: quasi, illness: sensitive}
    require: [k-anonymity: {k: 3}, l-diversity: {l: 2}]
    using: auto
    utility: [ncp]
write: {csv: out}
"""


def people(n: int = 240, records: int = 1) -> Any:
    rng = np.random.default_rng(3)
    who = np.repeat(np.arange(n), records)
    return pa.table(
        {
            "who": [f"P{i}" for i in who],
            "age": rng.integers(0, 90, n)[who],
            "sex": rng.choice(["F", "M"], n)[who],
            "town": rng.choice(["Ayton", "Beeby", "Corby", "Derby"], n)[who],
            "illness": rng.choice(["asthma", "flu", "gout", "mumps"], n * records),
        }
    )


def desk(tmp_path: Path, text: str = POLICY) -> Path:
    tmp_path.mkdir(exist_ok=True)
    pa_csv.write_csv(people(), tmp_path / "people.csv")
    (tmp_path / "policy.yaml").write_text(text)
    return tmp_path / "policy.yaml"


@pytest.fixture(autouse=True)
def secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_RELEASE_KEY", "an example secret, long enough")


def chosen_for(table: Table, must: list[Any]) -> tuple[str, str]:
    using, reason = rule(registry.wing("tables"), table, able("tables", must), must)
    return using.name, reason


def table_of(frame: Any) -> Table:
    return Table.of(frame, quasi=["age", "sex", "town"], sensitive=["illness"], subject="who")


def test_a_small_table_is_clustered_and_a_large_one_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of(people())
    assert chosen_for(table, [KAnonymity(3)])[0] == "k-member"
    monkeypatch.setattr(mechanism_choice, "MOST_WORK", 1000)
    name, reason = chosen_for(table, [KAnonymity(3)])
    assert name == "mondrian"
    assert "too large" in reason


def test_criteria_about_the_records_of_persons_get_the_mechanism_made_for_them() -> None:
    several, once = table_of(people(60, records=3)), table_of(people(60))
    assert chosen_for(several, [GBalance("1/2"), HAffiliation("4/5")])[0] == "multi-record-partitioning"
    assert chosen_for(once, [GBalance("1/2")])[0] == "k-member"


def test_criteria_about_a_population_get_one_that_looks_at_it() -> None:
    table = table_of(people())
    name, reason = chosen_for(table, [KMap(people(), 3)])
    assert name in ("instance-partitioning", "optimal-recoding")
    assert "population" in reason


@pytest.mark.parametrize("entry", list(registry.entries("tables", "criteria")), ids=lambda entry: entry.name)
def test_what_falsifies_or_only_looks_afterwards_is_never_taken(entry: registry.Entry) -> None:
    for one in able("tables", [_Kind(entry.load())]):
        assert trusted(type(one.built))
        assert not getattr(one.built, "falsifies", False)
        assert one.built.engine != "check"


def _Kind(criterion: Any) -> Any:
    """Something of the criterion's type, whatever its parameters."""
    return object.__new__(criterion)


def test_the_release_records_the_mechanism_that_was_used_and_why(tmp_path: Path) -> None:
    done = release(check(desk(tmp_path)))
    certificate = json.loads((done.directory / "public" / "certificate.json").read_text())
    embedded = certificate["policy"]["redacted"]
    assert certificate["datasets"]["people"]["mechanism"]["name"] == "k-member"
    assert embedded["datasets"]["people"]["using"] == {"name": "k-member", "parameters": {"block": None}}
    assert certificate["decisions"] == embedded["decisions"]
    assert "using: auto chose k-member by rule: " in certificate["decisions"][0]
    assert "using: auto chose k-member" in done.dossier.read_text()
    assert verify(done.directory).ok


def test_the_words_hold_no_number_of_the_data(tmp_path: Path) -> None:
    found = plan(check(desk(tmp_path)))["people"]
    assert found.using == "k-member"
    assert "240" not in " ".join(found.chosen)


def test_plan_chooses_by_the_whole_table_and_not_by_its_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sharewell.pipeline.plan.SAMPLE", 100)
    monkeypatch.setattr(mechanism_choice, "MOST_WORK", 150 * 1000)
    assert plan(check(desk(tmp_path)))["people"].using == "mondrian"


def test_two_releases_are_the_same_bytes(tmp_path: Path) -> None:
    one, two = (release(check(desk(tmp_path / name))) for name in ("a", "b"))
    for path in sorted((one.directory / "public").iterdir()):
        assert path.read_bytes() == (two.directory / "public" / path.name).read_bytes()


def test_a_certificate_that_names_another_mechanism_is_refused(tmp_path: Path) -> None:
    done = release(check(desk(tmp_path)))
    path = done.directory / "public" / "certificate.json"
    certificate = json.loads(path.read_text())
    certificate["datasets"]["people"]["mechanism"]["name"] = "mondrian"
    path.write_text(json.dumps(certificate))
    write_sums(done.directory / "public")
    assert any("mechanism claimed" in problem for problem in verify(done.directory / "public").problems)


def test_by_trial_the_best_of_those_named_is_taken(tmp_path: Path) -> None:
    names = ["mondrian", "k-member", "optimal-recoding"]
    text = POLICY.replace("using: auto", "using: {auto: {among: [mondrian, k-member, optimal-recoding]}}")
    done = release(check(desk(tmp_path, text)))
    mechanism = done.findings["datasets"]["people"]["mechanism"]
    table = table_of(people())
    must = [one.built for one in check(tmp_path / "policy.yaml").datasets["people"].require]
    losses = {}
    for name in names:
        built = registry.lookup("tables", "mechanisms", name)()
        losses[name] = NCP().score(table, built.protect(table, must).data).value
    assert mechanism["name"] == min(names, key=lambda name: losses[name])
    assert {one["what"]: pytest.approx(one["measured"]["ncp"]) for one in mechanism["tried"]} == losses
    assert "by trial" in mechanism["chosen"][0]


def test_by_trial_a_mechanism_that_cannot_follow_the_policy_is_passed_over(tmp_path: Path) -> None:
    """One level for each column is no mean of a class; where nothing can follow it, the policy is at fault."""
    text = POLICY.replace("age: quasi", "age: {role: quasi, style: mean}")
    both = text.replace("using: auto", "using: {auto: {among: [optimal-recoding, mondrian]}}")
    mechanism = release(check(desk(tmp_path, both))).findings["datasets"]["people"]["mechanism"]
    assert mechanism["name"] == "mondrian"
    [passed] = [one for one in mechanism["tried"] if one["what"] == "optimal-recoding"]
    assert not passed["holds"]
    assert "style mean cannot be had where columns are published at the levels" in passed["why_not"]
    alone = text.replace("using: auto", "using: {auto: {among: [optimal-recoding]}}")
    with pytest.raises(PolicyError, match="style mean cannot be had"):
        release(check(desk(tmp_path / "alone", alone)))


def test_plan_says_what_was_chosen_and_what_was_tried(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = POLICY.replace("using: auto", "using: {auto: {among: [mondrian, k-member], measure: lm}}")
    assert main(["plan", str(desk(tmp_path, text))]) == 0
    shown = capsys.readouterr().out
    assert " by trial: of the mechanisms that meet the criteria, it has the best lm" in shown
    assert "tried    k-member: holds, lm " in shown
    assert "tried    mondrian: holds, lm " in shown


@pytest.mark.parametrize(
    ("using", "what"),
    [
        ("{auto: {among: []}}", r"10:20: .*among — there is nothing to try"),
        ("{auto: {amung: [mondrian]}}", r"10:20: .*unknown key 'amung' — did you mean 'among'"),
        ("{auto: {among: [mondrain]}}", r"10:28: .*no mechanisms named 'mondrain'"),
        ("{auto: {among: [mondrian], measure: npc}}", r"10:39: .*no utility named 'npc'"),
        ("{auto: [mondrian]}", r"10:13: .*must be a mapping"),
    ],
)
def test_mistakes_are_told_with_their_place(tmp_path: Path, using: str, what: str) -> None:
    with pytest.raises(PolicyError, match=what):
        load(desk(tmp_path, POLICY.replace("using: auto", f"using: {using}")))


def test_a_mechanism_that_falsifies_is_not_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry.lookup("tables", "mechanisms", "mondrian"), "falsifies", True, raising=False)
    text = POLICY.replace("using: auto", "using: {auto: {among: [k-member, mondrian]}}")
    with pytest.raises(PolicyError, match=r"10:38: .*auto never takes 'mondrian', which falsifies data"):
        load(desk(tmp_path, text))
    assert "mondrian" not in [one.name for one in able("tables", [KAnonymity(2)])]
