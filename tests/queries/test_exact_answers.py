"""Exact answers for trusted rooms, from the policy to the ledger: what is told, refused, withheld and remembered."""

from __future__ import annotations

import json
import shutil
import threading
from pathlib import Path

import pytest

from sharewell.cli import main
from sharewell.errors import DataError, PolicyError
from sharewell.policy import check, load
from sharewell.queries import Session
from sharewell.queries.accounts import Accounts
from sharewell.queries.engine.ledger import Ledger
from sharewell.queries.loss import NO_GUARANTEE
from sharewell.queries.question import QuestionError

POLICY = """\
sharewell: 1
release: {name: room}
datasets:
  stays:
    kind: queries
    read: {csv: stays.csv}
    columns: {who: subject, ward: quasi, age: quasi, cost: sensitive, hiv: sensitive}
    domains:
      ward: {values: [A, B, C, D]}
      age: {low: 0, high: 110, bins: 11}
      cost: {low: 0, high: 1000}
      hiv: {values: ["yes", "no"]}
    mode: exact
    exact: {least: 5}
"""
WARD = {"measure": "count", "filter": {"ward": "A", "hiv": "yes"}}
BELOW_80 = {"measure": "count", "filter": {"ward": "A", "age": {"<": 80}, "hiv": "yes"}}


def stays() -> str:
    """The ward of ten: 3 positive, 2 of the 9 below 80. Twelve in B, fifteen in C, two in D."""
    rows = [("A", 81 if i == 0 else 30 + i, "yes" if i in (0, 3, 4) else "no") for i in range(10)]
    rows += [
        (ward, 20 + i, "yes" if i % 4 == 0 else "no") for ward, n in (("B", 12), ("C", 15), ("D", 2)) for i in range(n)
    ]
    return "".join(f"p{i},{ward},{age},{100 + i},{hiv}\n" for i, (ward, age, hiv) in enumerate(rows))


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    (tmp_path / "stays.csv").write_text("who,ward,age,cost,hiv\n" + stays())
    (tmp_path / "policy.yaml").write_text(POLICY)
    return tmp_path / "policy.yaml"


def test_the_second_question_of_the_ward_is_refused_whoever_asks_it(policy: Path) -> None:
    with Session.open(policy, analyst="Ada") as ada, Session.open(policy, analyst="Bob") as bob:
        assert ada.ask(WARD).value == 3
        for session in (ada, bob):
            with pytest.raises(QuestionError, match="fewer than 5 people more or less than a set that was told"):
                session.ask(BELOW_80)
        assert bob.ask({"measure": {"sum": "cost"}, "filter": {"ward": "A"}}).value == sum(range(100, 110))
    with Session.open(policy) as later, pytest.raises(QuestionError):  # another process: the ledger remembers
        later.ask(BELOW_80)


def test_without_the_first_the_second_is_told_and_the_first_refused(policy: Path) -> None:
    """A control for the tests above: neither question by itself is refused."""
    with Session.open(policy) as session:
        assert session.ask(BELOW_80).value == 2
        with pytest.raises(QuestionError):
            session.ask(WARD)


def test_a_refusal_depends_on_no_sensitive_value(policy: Path) -> None:
    """The same questions of data with all sensitive cells exchanged have the same fate."""
    questions = [
        {"measure": "count", "filter": {"age": {">=": low}, "hiv": "yes"}, "group_by": group}
        for low in (20, 24, 31, 33)
        for group in ([], ["ward"], ["hiv"])
    ]
    fates = []
    for swapped in (False, True):
        place = policy.parent / str(swapped)
        place.mkdir()
        rows = stays().replace("yes", "?").replace("no", "yes").replace("?", "no") if swapped else stays()
        (place / "stays.csv").write_text("who,ward,age,cost,hiv\n" + rows)
        (place / "policy.yaml").write_text(POLICY)
        with Session.open(place / "policy.yaml") as session:
            fates.append([_fate(session, question) for question in questions])
    assert fates[0] == fates[1]
    assert len({json.dumps(one) for one in fates[0]}) > 2


def _fate(session: Session, question: dict[str, object]) -> list[bool] | str:
    try:
        return [row["value"] is None for row in session.ask(question).rows]
    except QuestionError as error:
        return str(error)


def test_groups_that_may_not_be_told_are_withheld(policy: Path) -> None:
    with Session.open(policy) as session:
        answer = session.ask({"measure": "count", "group_by": ["ward", "hiv"]})
        told = {(row["group"]["ward"], row["group"]["hiv"]): row["value"] for row in answer.rows}
        assert told["A", "yes"] == 3
        assert told["A", "no"] == 7
        assert told["D", "yes"] is None
        assert told["other", "no"] is None
        assert (answer.loss.to_json()["delta"], answer.accuracy["noise"]) == ("1", "none")


def test_the_same_question_is_noted_once(policy: Path) -> None:
    with Session.open(policy) as session:
        first, again = session.ask(WARD), session.ask(WARD)
        assert (again.stored, again.rows, again.charge) == (True, first.rows, first.charge)
        assert [one.kind for one in session.history()] == ["exact"]
        [noted] = session.history()
        assert noted.answered
        assert "p0" not in json.dumps(noted.what)
    _, history = Accounts.of(load(policy).datasets["stays"]).statement()
    assert len(history) == 1
    with Ledger.open(policy.parent / "ledger.sqlite") as ledger:
        assert ledger.verify_chain().ok
        assert ledger.recount().ok


def test_other_data_under_the_same_name_is_refused(policy: Path) -> None:
    """Two sums, before and after somebody came, would tell of them."""
    with Session.open(policy) as session:
        session.ask(WARD)
    (policy.parent / "stays.csv").write_text("who,ward,age,cost,hiv\n" + stays() + "new,A,50,7,yes\n")
    with Session.open(policy) as session, pytest.raises(DataError, match="the data, or what the policy says"):
        session.ask(WARD)


@pytest.mark.parametrize(
    ("before", "after"),
    [("bins: 11", "bins: 10"), ("age: quasi", "age: sensitive"), ("values: [A, B", "values: [B, A")],
)
def test_other_bins_values_or_roles_are_refused(policy: Path, before: str, after: str) -> None:
    """The sets that were told are computed anew from the words of questions: by another policy they would be others."""
    with Session.open(policy) as session:
        session.ask(WARD)
    written = policy.read_text()
    assert before in written
    policy.write_text(written.replace(before, after))
    with Session.open(policy) as session, pytest.raises(DataError, match="what the policy says"):
        session.ask(WARD)


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ({"measure": {"median": "cost"}}, "not told exactly"),
        ({"measure": {"mean": "cost"}}, "not told exactly"),
        ({"measure": {"sum": "age"}, "filter": {"ward": "A", "hiv": "yes"}}, "it tells who they are"),
        ({"measure": {"sum": "age"}, "filter": {"ward": "A", "cost": {">": 104}}}, "it tells who they are"),
        ({"measure": {"sum": "age"}, "group_by": ["hiv"]}, "it tells who they are"),
        ({"measure": {"top": {"column": "hiv", "k": 1}}}, "not told exactly"),
        ({"measure": "count", "filter": {"or": [{"ward": "A"}, {"hiv": "yes"}]}}, "mixes sensitive and other"),
        ({"measure": "count", "filter": {"not": {"ward": "A", "hiv": "yes"}}}, "mixes sensitive and other"),
        ({"measure": "count"}, "all but fewer than 5"),
        ({"measure": "count", "filter": {"ward": "D"}}, "fewer than 5"),
    ],
)
def test_what_cannot_be_told_exactly_is_refused(policy: Path, question: dict[str, object], why: str) -> None:
    with Session.open(policy) as session:
        with pytest.raises(PolicyError, match=why):
            session.ask(question)
        assert session.history() == []
        with pytest.raises(PolicyError, match="leave the price out"):
            session.ask(WARD, epsilon=0.1)


def test_by_sums_numbers_are_told_and_who_has_a_value_is_not(policy: Path) -> None:
    policy.write_text(POLICY.replace("{least: 5}", "{least: 5, rule: sums}"))
    with Session.open(policy) as session:
        for question in (WARD, {"measure": "count", "group_by": ["ward", "hiv"]}):
            with pytest.raises(QuestionError, match="can be solved for"):
                session.ask(question)
        assert session.ask({"measure": {"sum": "cost"}, "group_by": ["ward"]}).rows[0]["value"] == 1045
        halves = [{"measure": {"sum": "cost"}, "filter": {"age": {"<": age}}} for age in (26, 29, 33)]
        assert [_fate(session, one) == [False] for one in halves] == [True, True, True]


@pytest.mark.parametrize(("low", "high", "fits"), [(0, 1, False), (0, 0.5, False), (1, 2, False), (0, 2, True)])
def test_nobody_has_yes_and_no_added_up_by_sums_unawares(policy: Path, low: float, high: float, fits: bool) -> None:
    """Sums of zeros and ones can be solved for. By cells they may be told; by sums the policy is refused."""
    numbers = POLICY.replace("cost: {low: 0, high: 1000}", f"cost: {{low: {low}, high: {high}}}")
    policy.write_text(numbers)
    load(policy)
    policy.write_text(numbers.replace("{least: 5}", "{least: 5, rule: sums}"))
    if fits:
        assert any("no codes for yes and no" in one for one in load(policy).decisions)
    else:
        with pytest.raises(PolicyError, match=r"domains.cost — numbers from .* may code yes and no"):
            load(policy)


def test_two_who_ask_at_once_do_not_get_what_one_would_not(policy: Path) -> None:
    """Decisions follow one another, in whatever order."""
    told = []

    def ask(question: dict[str, object]) -> None:
        with Session.open(policy) as session:
            told.append(_fate(session, question))

    for _ in range(3):
        threads = [threading.Thread(target=ask, args=(one,)) for one in (WARD, BELOW_80)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sum(one == [False] for one in told) == len(told) / 2


def test_a_policy_says_how_exact_answers_are_audited(policy: Path) -> None:
    wrong = {
        "no budget bounds them": ("    mode: exact", "    mode: exact\n    budget: {epsilon: 1}"),
        "protected by neither": ("    mode: exact", "    mode: exact\n    using: {noisy-marginals: {epsilon: 1}}"),
        "one row of a person counts": ("    mode: exact", "    mode: exact\n    contributions: {rows: 3}"),
        "is for exact answers": ("    mode: exact", "    mode: noisy\n    budget: {epsilon: 1}"),
        "at least 2": ("{least: 5}", "{least: 1}"),
        "nothing says how much may be spent": ("    mode: exact\n    exact: {least: 5}", ""),
    }
    for what, (before, after) in wrong.items():
        policy.write_text(POLICY.replace(before, after))
        with pytest.raises(PolicyError, match=what):
            check(policy)
    policy.write_text(POLICY)
    check(policy)


def test_the_commands_answer_exactly(policy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    question = json.dumps({"measure": "count", "group_by": ["ward"], "filter": {"hiv": "yes"}})
    assert main(["ask", str(policy), question, "--dry-run"]) == 0
    assert "would be answered exactly" in capsys.readouterr().out
    assert main(["ask", str(policy), question]) == 0
    shown = capsys.readouterr().out
    assert "withheld" in shown
    assert "noted in the ledger as 1" in shown
    assert main(["ask", str(policy), json.dumps(BELOW_80)]) == 2
    assert main(["budget", str(policy), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["accounts"]["dataset:stays"]["charges"] == 1


def test_the_example_answers_groups_and_refuses_everybody(tmp_path: Path) -> None:
    """Everybody leaves out nobody: the difference from any other answer would be about the rest."""
    shutil.copytree(Path(__file__).parents[2] / "examples", tmp_path / "examples")
    with Session.open(tmp_path / "examples" / "queries" / "exact.yaml", analyst="Ada") as session:
        answer = session.ask({"measure": "count", "filter": {"diagnosis": "asthma"}, "group_by": ["sex"]})
        assert [row["value"] for row in answer.rows][:2] == [14, 15]
        with pytest.raises(QuestionError):
            session.ask({"measure": "count", "filter": {"diagnosis": "asthma"}})


NOISY = POLICY.replace("    mode: exact\n    exact: {least: 5}\n", "    budget: {epsilon: 1}\n")


@pytest.mark.parametrize("first", ["exact", "noisy"])
def test_exact_and_noisy_answers_share_no_account(policy: Path, first: str) -> None:
    """An ε that counts the noisy answers alone would promise what the exact ones have broken."""
    texts = {"exact": POLICY, "noisy": NOISY}
    second = "noisy" if first == "exact" else "exact"
    policy.write_text(texts[first])
    with Session.open(policy) as session:
        session.ask(WARD, **({} if first == "exact" else {"epsilon": 0.1}))
    policy.write_text(texts[second])
    assert main(["budget", str(policy), "--apply", "exact answers were enough"]) == 0
    with Session.open(policy) as session, pytest.raises(PolicyError, match=f"counts losses with mode: {first}"):
        session.ask(WARD, **({} if second == "exact" else {"epsilon": 0.1}))


def test_an_account_of_exact_answers_promises_nothing(policy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Session.open(policy) as session:
        assert str(session.budget()["dataset:stays"].guarantee) == "epsilon 0"
        session.ask(WARD)
        for balance in session.budget().values():
            assert balance.guarantee == NO_GUARANTEE
    main(["budget", str(policy)])
    assert "no epsilon bounds what they tell" in capsys.readouterr().out


def test_the_same_file_read_otherwise_is_other_data(policy: Path) -> None:
    """Where another column is called ward, the sets that were told cannot be computed anew."""
    place = policy.parent
    (place / "stays.csv").write_text("who,ward,age,cost,hiv,unit\n" + stays().replace("\n", ",B\n"))
    policy.write_text(POLICY + "    rest: drop\n")
    with Session.open(policy) as session:
        session.ask(WARD)
    policy.write_text(
        policy.read_text().replace("{csv: stays.csv}", "{csv: stays.csv, columns: {ward: unit, unit: ward}}")
    )
    with Session.open(policy) as session, pytest.raises(DataError, match="changed since"):
        session.ask({"measure": "count", "filter": {"ward": "B", "age": {"<": 40}, "hiv": "yes"}})
