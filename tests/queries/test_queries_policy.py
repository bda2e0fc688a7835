"""What a policy may say of data that answers questions: every mistake has its line and what to do about it."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_visits import POLICY, PUBLISHED, desk

from sharewell.errors import DataError, PolicyError
from sharewell.policy import check, load
from sharewell.policy.schema import json_schema
from sharewell.queries import Range, Values
from sharewell.queries.policy import Budget, confidential_table, query_keys

WRONG = {
    "no column may be asked about": ("    domains:\n", "    x-domains:\n"),
    "values and bounds": ("sex: {values: [F, M]}", "sex: {values: [F, M], low: 3, high: 5}"),
    "neither values nor bounds": ("sex: {values: [F, M]}", "sex: {}"),
    "gives no high": ("age: {low: 0, high: 100, bins: 10}", "age: {low: 0}"),
    "low below high": ("age: {low: 0, high: 100, bins: 10}", "age: {low: 9, high: 3}"),
    "bins": ("bins: 10", "bins: 0"),
    "different values": ("values: [F, M]", "values: [F, F]"),
    "none of them called other": ("values: [F, M]", "values: [F, other]"),
    "stands for all values": ("values: [F, M]", 'values: [F, "*"]'),
    "must be a list of values": ("values: [F, M]", "values: F"),
    "no column 'sx'": ("      sex: {values", "      sx: {values"),
    "has no domain": ("      ward: {values: [A, B]}\n", ""),
    "has the role drop": ("      sex: {values", "      name: {values: [x]}\n      sex: {values"),
    "has the role subject": ("      sex: {values", "      who: {values: [x]}\n      sex: {values"),
    "identifies the person of a row": ("contributions: {rows: 2}", "contributions: {unit: record}"),
    "no column identifies the person": ("who: subject", "who: drop"),
    "rows must be": ("contributions: {rows: 2}", "contributions: {rows: 0}"),
    "nothing says how much": ("    budget: {epsilon: 3, analyst: 2}\n", ""),
    "epsilon must be": ("epsilon: 3", "epsilon: -3"),
    "'epsilon' is missing": ("epsilon: 3, ", ""),
    "more than all together": ("analyst: 2", "analyst: 4"),
    "pure accounting has no delta": ("analyst: 2", "analyst: 2, delta: 0.1"),
    "accounting": ("analyst: 2", "analyst: 2, accounting: renyi"),
    "env:NAME": ("analyst: 2", "analyst: 2, ledger: 'postgresql://me:secret@host/db'"),
    "cannot be shift": ("age: quasi", "age: shift"),
    "labels of a domain": ("age: quasi", "age: {role: quasi, hierarchy: {intervals: 10}}"),
    "neighbours": ("    contributions", "    neighbours: swap\n    contributions"),
    "has nothing to look at": (
        "    contributions",
        "    require: [differential-privacy: {epsilon: 1}]\n    contributions",
    ),
    "say rest: drop": ("    contributions", "    rest: keep\n    contributions"),
    "no pseudonym to keep": ("    contributions", "    publish: within-class\n    contributions"),
}


@pytest.mark.parametrize("said", WRONG)
def test_every_mistake_has_its_line(said: str, tmp_path: Path) -> None:
    old, new = WRONG[said]
    assert old in POLICY
    with pytest.raises(PolicyError) as raised:
        load(desk(tmp_path, POLICY.replace(old, new)))
    about = [mistake for mistake in raised.value.mistakes if said in str(mistake)]
    assert about, str(raised.value)
    assert about[0].line > 0
    assert "secret" not in str(raised.value)


def test_a_good_policy_says_what_was_decided(tmp_path: Path) -> None:
    policy = check(desk(tmp_path))
    assert any("publishes nothing" in text for text in policy.decisions)
    assert any("add-remove" in text for text in policy.decisions)
    keys = query_keys(policy.datasets["visits"])
    assert keys.budget == Budget(3.0, 0.0, "pure", 2.0, str(tmp_path / "ledger.sqlite"))
    table = confidential_table(policy.datasets["visits"])
    assert table.domains == {"sex": Values(("F", "M")), "age": Range(0, 100, 10), "ward": Values(("A", "B"))}
    assert (table.subject, table.rows_per_person, table.neighbours) == ("who", 2, "add-remove")


def test_a_release_of_what_only_answers_says_so(tmp_path: Path) -> None:
    import sharewell

    for verb in (sharewell.release, sharewell.plan):
        with pytest.raises(
            PolicyError, match=r"datasets.visits — answers questions and publishes nothing.*sharewell ask"
        ):
            verb(desk(tmp_path))


def test_every_row_may_be_another_person(tmp_path: Path) -> None:
    policy = POLICY.replace("who: subject", "who: drop").replace("{rows: 2}", "{unit: record}")
    table = confidential_table(load(desk(tmp_path, policy)).datasets["visits"])
    assert (table.subject, table.rows_per_person) == (None, 1)


def test_values_may_come_from_a_file_and_keep_their_zeros(tmp_path: Path) -> None:
    (tmp_path / "wards.csv").write_text("value\n01\n02\n")
    policy = POLICY.replace("ward: {values: [A, B]}", "ward: {values: {csv: wards.csv}}")
    dataset = check(desk(tmp_path, policy)).datasets["visits"]
    assert confidential_table(dataset).domains["ward"] == Values(("01", "02"))
    written = load(desk(tmp_path, POLICY.replace("values: [A, B]", "values: [01, 02]"))).datasets["visits"]
    assert confidential_table(written).domains["ward"] == Values(("01", "02"))
    (tmp_path / "wards.csv").write_text("value\n01\n01\n")
    with pytest.raises(DataError, match="different values") as raised:
        confidential_table(dataset)
    assert "01" not in str(raised.value)
    (tmp_path / "wards.csv").unlink()
    with pytest.raises(PolicyError, match=r"domains\.ward\.values"):
        check(desk(tmp_path, policy))


def test_a_bound_on_utility_would_look_at_the_data(tmp_path: Path) -> None:
    published = PUBLISHED.replace("[query-error]", "[query-error: {at_most: 0.5}]")
    with pytest.raises(PolicyError, match="accept or reject noise by looking"):
        load(desk(tmp_path, POLICY + published))


def test_the_keys_belong_to_this_kind_alone(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="domains is for datasets of kind queries"):
        load(desk(tmp_path, POLICY.replace("kind: queries", "kind: tables")))
    with pytest.raises(PolicyError, match="the key 'using' is missing"):
        load(desk(tmp_path, POLICY.replace("kind: queries", "kind: tables")))


def test_editors_know_the_keys_and_that_using_may_be_left_out() -> None:
    dataset = json_schema()["properties"]["datasets"]["additionalProperties"]
    assert {"domains", "contributions", "neighbours", "budget"} <= set(dataset["properties"])
    known = {"epsilon", "delta", "accounting", "analyst", "account", "ledger"}
    assert set(dataset["properties"]["budget"]["properties"]) == known
    assert "using" not in dataset["required"]
    assert dataset["allOf"] == [
        {"if": {"properties": {"kind": {"enum": ["queries"]}}}, "else": {"required": ["using"]}}
    ]
