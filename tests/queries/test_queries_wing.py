"""Releases of noisy tables: charged, verified by strangers and by stewards, and refused when they were altered."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from small_visits import POLICY, PUBLISHED, desk

import sharewell
from sharewell.errors import BudgetExhausted, Infeasible, PolicyError, VerificationFailed
from sharewell.findings import Tier
from sharewell.io.sources import Source
from sharewell.policy import load
from sharewell.queries import ConfidentialTable, Loss, NoisyTable
from sharewell.queries.accounts import Accounts
from sharewell.queries.engine.ledger import Ledger
from sharewell.queries.wing import QueriesWing


@pytest.fixture
def released(tmp_path: Path) -> Path:
    return sharewell.release(desk(tmp_path, POLICY + PUBLISHED)).directory


def test_a_release_is_charged_to_the_ledger_of_the_questions(tmp_path: Path, released: Path) -> None:
    accounts = Accounts.of(load(tmp_path / "policy.yaml").datasets["visits"])
    balances, [charge] = accounts.statement()
    assert str(balances["dataset:visits"].spent) == "epsilon 1"
    assert (charge.kind, charge.what["mechanism"], charge.answered) == ("release", "noisy-marginals", True)


def test_a_plan_charges_nothing(tmp_path: Path) -> None:
    plan = sharewell.plan(desk(tmp_path, POLICY + PUBLISHED))["visits"]
    assert plan.outcome.feasible
    assert plan.columns["ward"] == {"role": "sensitive", "kind": "values", "distinct": 3, "missing": 0}
    assert not (tmp_path / "ledger.sqlite").exists()


def test_a_plan_warns_of_rows_that_do_not_count_and_values_that_are_not_listed(tmp_path: Path) -> None:
    policy = (POLICY + PUBLISHED).replace("{rows: 2}", "{rows: 1}").replace("values: [A, B]", "values: [C]")
    told = sharewell.plan(desk(tmp_path, policy))["visits"].cautions
    assert told[0].startswith("30 of 60 rows do not count: their persons have more than 1")
    assert told[1] == "column ward: 30 of 30 cells are none of its values and count as other"


def test_a_release_beyond_the_budget_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(BudgetExhausted, match="dataset:visits"):
        sharewell.release(desk(tmp_path, (POLICY + PUBLISHED).replace("{epsilon: 3, analyst: 2}", "{epsilon: 0.5}")))
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["audit.jsonl"]


def test_a_release_is_charged_before_anything_is_computed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever fails while rows are counted has paid, and nothing is given back."""
    policy = desk(tmp_path, POLICY + PUBLISHED)
    counted = ConfidentialTable.counts

    def fails(self: ConfidentialTable, columns: Sequence[str]) -> object:
        if self.rows:
            raise RuntimeError("out of memory")
        return counted(self, columns)

    monkeypatch.setattr(ConfidentialTable, "counts", fails)
    with pytest.raises(RuntimeError):
        sharewell.release(policy)
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        [charge] = ledger.history("dataset:visits")
        assert (charge.kind, charge.answered, charge.loss) == ("release", False, Loss.of(epsilon=1))
        assert [term["noise"] for term in charge.what["terms"]] == ["discrete-laplace"]
    monkeypatch.undo()
    sharewell.release(policy)
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        assert ledger.balance("dataset:visits").spent == Loss.of(epsilon=2)


def test_a_release_that_no_row_is_needed_to_refuse_costs_nothing(tmp_path: Path) -> None:
    policy = (POLICY + PUBLISHED).replace("differential-privacy: {epsilon: 1}", "differential-privacy: {epsilon: 0.5}")
    assert policy != POLICY + PUBLISHED
    with pytest.raises(Infeasible):
        sharewell.release(desk(tmp_path, policy))
    assert not (tmp_path / "ledger.sqlite").exists()


def test_two_recipients_pay_twice_and_get_other_noise(tmp_path: Path) -> None:
    """The same table for somebody else is fresh noise, which could be averaged: it is charged again."""
    tables = []
    for name in ("one", "two"):
        policy = (POLICY + PUBLISHED).replace("release: {name: ", f"release: {{recipient: {name}, name: {name}-")
        assert policy != POLICY + PUBLISHED
        done = sharewell.release(desk(tmp_path, policy))
        tables.append((done.directory / "public" / "visits.csv").read_text())
    assert tables[0] != tables[1]
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        assert ledger.balance("dataset:visits").spent == Loss.of(epsilon=2)
        assert len({charge.number for charge in ledger.history("dataset:visits")}) == 2


def test_a_recipient_checks_the_arithmetic_and_a_steward_the_charge(released: Path) -> None:
    [stranger] = sharewell.verify(released / "public").findings["visits"]
    assert stranger.tier is Tier.ATTESTED
    [seen] = stranger.parts
    assert (seen.tier, seen.value, seen.ok) == (Tier.RECIPIENT, 1, True)
    [steward] = sharewell.verify(released).findings["visits"]
    assert (steward.tier, steward.value, steward.ok) == (Tier.STEWARD, 1, True)


def test_the_dictionary_says_what_was_spent_and_on_whom(released: Path) -> None:
    dictionary = json.loads((released / "public" / "dictionary.json").read_text())
    text = json.dumps(dictionary)
    for word in ("add-remove", "rows_per_person", "discrete-laplace", "scale", "sensitivity", "half_width"):
        assert word in text
    file = (released / "public" / "visits.csv").read_text()
    assert file.splitlines()[0] == '"sex","age","ward","count"'
    assert len(file.splitlines()) == 1 + 3 * 10 + 3


def test_the_certificate_says_what_can_be_checked_and_that_noise_cannot(released: Path) -> None:
    told = json.loads((released / "public" / "certificate.json").read_text())["datasets"]["visits"]["columns"]["count"]
    assert told["checkable"]["by nobody"] == "that the noise was drawn"
    assert set(told["checkable"]) == {"by anybody", "by the steward", "by nobody"}
    with Ledger.open(released.parents[1] / "ledger.sqlite") as ledger:
        [charge] = ledger.history("dataset:visits")
    assert told["charge"] == charge.number
    page = (released / "public" / "README.html").read_text()
    assert "That anybody could verify afterwards that noise was drawn" in page


def test_a_claim_about_another_charge_is_contradicted_by_the_stewards_evidence(released: Path) -> None:
    certificate = released / "public" / "certificate.json"
    told = json.loads(certificate.read_text())
    told["datasets"]["visits"]["columns"]["count"]["charge"] += 1
    certificate.write_text(json.dumps(told))
    with pytest.raises(VerificationFailed, match="under another number"):
        sharewell.verify(released).raise_if_failed()


def test_no_cell_of_the_data_is_in_any_file(released: Path) -> None:
    for path in released.rglob("*"):
        assert path.is_dir() or b"Name 1" not in path.read_bytes(), path


@pytest.mark.parametrize("where", ["scale", "sensitivity", "epsilon"])
def test_a_table_that_claims_less_than_it_cost_is_not_believed(released: Path, where: str) -> None:
    certificate = released / "public" / "certificate.json"
    told = json.loads(certificate.read_text())
    spent = told["datasets"]["visits"]["columns"]["count"]["spent"]
    term = spent["terms"][0]
    lies = {"scale": term["scale"] / 4, "sensitivity": 1.0, "epsilon": 0.25}
    spent[where] = term[where] = lies[where]
    if where == "scale":
        spent["epsilon"] = term["epsilon"] = 4.0
    if where == "epsilon":
        spent["rho"] = None
    certificate.write_text(json.dumps(told))
    for view in (released, released / "public"):
        with pytest.raises(VerificationFailed):
            sharewell.verify(view).raise_if_failed()


def test_an_altered_count_is_not_the_one_that_was_paid_for(released: Path) -> None:
    """Even where every public hash is made to fit."""
    table = released / "public" / "visits.csv"
    lines = table.read_text().splitlines()
    first, _, count = lines[1].rpartition(",")
    table.write_text("\n".join([lines[0], f"{first},{int(count) + 1}", *lines[2:]]) + "\n")
    columns = json.loads((released / "public" / "certificate.json").read_text())["datasets"]["visits"]["columns"]
    evidence = Source.of(released / "internal" / "persons" / "visits.parquet").read()
    data = QueriesWing().reopen(Source.of(table), columns, evidence)
    assert isinstance(data, NoisyTable)
    from sharewell.queries import DifferentialPrivacy

    finding = DifferentialPrivacy(1.0).check(data)
    assert finding.failed
    assert "another table" in finding.note


def test_gaussian_noise_is_released_under_zcdp(tmp_path: Path) -> None:
    policy = (POLICY + PUBLISHED).replace("analyst: 2", "analyst: 2, accounting: zcdp, delta: 0.000001")
    policy = policy.replace("{epsilon: 1, of", "{rho: 0.01, of").replace(
        "{epsilon: 1}", "{epsilon: 1, delta: 0.000001}"
    )
    done = sharewell.release(desk(tmp_path, policy))
    [finding] = done.verification.findings["visits"]
    assert finding.ok
    assert float(finding.value or 0) == pytest.approx(0.01 + 2 * (0.01 * 13.8155) ** 0.5, rel=1e-3)


def test_a_criterion_stricter_than_the_mechanism_is_infeasible(tmp_path: Path) -> None:
    with pytest.raises(sharewell.Infeasible):
        sharewell.release(
            desk(tmp_path, (POLICY + PUBLISHED).replace("privacy: {epsilon: 1}", "privacy: {epsilon: 0.5}"))
        )


def test_a_marginal_of_an_unknown_column_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="did you mean 'age'"):
        sharewell.release(desk(tmp_path, (POLICY + PUBLISHED).replace("[age, sex]", "[agee, sex]")))


def test_membership_is_tested_on_every_table_whose_noise_is_known(tmp_path: Path, released: Path) -> None:
    dataset = load(tmp_path / "policy.yaml").datasets["visits"]
    columns = json.loads((released / "public" / "certificate.json").read_text())["datasets"]["visits"]["columns"]
    table = QueriesWing().reopen(Source.of(released / "public" / "visits.csv"), columns)
    [attack] = QueriesWing().default_attacks(dataset, table)
    assert attack.name == "membership"
    assert attack.mount(table).value <= attack.mount(table).details.bound + 0.02
    assert QueriesWing().default_attacks(dataset, NoisyTable({}, table.counts[:0], {})) == ()
