"""Randomised response: the probabilities told are the true ones, the estimate is unbiased, and answers last."""

from __future__ import annotations

import csv
import json
import math
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.cli import main
from sharewell.errors import DataError, PolicyError
from sharewell.io.writing import write_json
from sharewell.keys import Key
from sharewell.pipeline import certificate as cert
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.policy import check
from sharewell.randomised import Randomised
from sharewell.reports import CountTable, LocalPrivacy
from sharewell.reports.gathering.mechanisms.randomised_response import RandomisedResponse

KEY = Key(b"an example key of enough bytes..")
VALUES = ("no", "yes", "unknown", "refused")


@given(st.floats(0.01, 20), st.integers(2, 4))
def test_no_answer_tells_more_than_epsilon(epsilon: float, size: int) -> None:
    """The ratio of the two probabilities, in fractions of the draws, is within e^ε, and hardly below."""
    asked = RandomisedResponse(epsilon, VALUES[:size])
    kept = Fraction(asked._kept, 2**64)
    ratio = kept / ((1 - kept) / (size - 1))
    assert ratio > 1
    assert epsilon - 1e-5 < math.log(ratio) <= epsilon


@pytest.mark.parametrize("size", [2, 3, 4])
def test_answers_have_the_probabilities_told(size: int) -> None:
    asked, people = RandomisedResponse(1.0, VALUES[:size]), 20_000
    counts = Counter(asked.answers({f"p{i}": "yes" for i in range(people)}, KEY, "m").values())
    for value in asked.values:
        chance = asked.stay if value == "yes" else asked.other
        assert abs(counts[value] - people * chance) < 5 * math.sqrt(people * chance * (1 - chance))


@given(st.lists(st.sampled_from(VALUES), min_size=1, max_size=6), st.floats(0.1, 5))
def test_the_estimate_is_unbiased(truth: list[str], epsilon: float) -> None:
    """It is linear in the counts: put in their expectation, and the true shares come out."""
    asked = RandomisedResponse(epsilon, VALUES)
    expected = {
        answer: sum(asked.stay if answer == value else asked.other for value in truth) * 5000 for answer in VALUES
    }
    answers = [answer for answer, count in expected.items() for _ in range(round(count))]
    reach = asked.stay - asked.other
    for value in VALUES:
        found = asked.estimate(answers).shares[value]
        assert found == pytest.approx(truth.count(value) / len(truth), abs=3 / len(answers) / reach)


@pytest.mark.parametrize(("epsilon", "points"), [(1.0, 0.76), (3.0, 0.19)])
def test_ten_thousand_patients_give_a_rate_within_a_point(epsilon: float, points: float) -> None:
    """The mean error of ten keys is near what theory says, as measured in the literature's setting."""
    asked = RandomisedResponse(epsilon)
    truth = {f"p{i}": "yes" if i % 10 < 6 else "no" for i in range(10_000)}
    errors = []
    for i in range(10):
        found = asked.estimate(asked.answers(truth, Key(f"one key of many, number {i}".encode()), "m").values())
        errors.append(abs(found.shares["yes"] - 0.6) * 100)
        assert abs(found.shares["yes"] - 0.6) < 5 * found.errors["yes"]
    assert sum(errors) / len(errors) < 3 * points


def test_answers_last_and_change_with_what_they_hang_on() -> None:
    asked = RandomisedResponse(0.5)
    truth = {f"p{i}": "yes" for i in range(200)}
    first = asked.answers(truth, KEY, "smokes")
    assert asked.answers(dict(reversed(truth.items())), KEY, "smokes") == first
    assert asked.answers(truth, KEY, "drinks") != first
    assert asked.answers(truth, Key(b"another key of enough bytes....."), "smokes") != first
    flipped = asked.answers(dict.fromkeys(truth, "no"), KEY, "smokes")
    assert 20 < sum(flipped[p] == first[p] for p in truth) < 180  # neither kept nor always turned: drawn anew


def test_bad_input_is_refused() -> None:
    for epsilon in (0, -1, 21, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="epsilon"):
            RandomisedResponse(epsilon)
    with pytest.raises(ValueError, match="values"):
        RandomisedResponse(1, ("yes",))
    asked = RandomisedResponse(1)
    with pytest.raises(DataError, match="1 patient") as refused:
        asked.answers({"Ann": "perhaps"}, KEY, "m")
    assert "perhaps" not in str(refused.value)
    with pytest.raises(DataError, match="answers"):
        asked.estimate([])
    with pytest.raises(DataError, match="1 of them"):
        asked.estimate(["yes", None])


def test_from_file_to_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("RESPONSE_KEY", "an example secret, long enough")
    patients, answers = tmp_path / "patients.csv", tmp_path / "answers.csv"
    rows = "\n".join(f"p{i},{'yes' if i % 4 else 'no'},{'no' if i % 4 else 'yes'}" for i in range(2000))
    patients.write_text(f"id,tested,smokes\n{rows}\n")
    command = ["reports", "gather", "randomise", str(patients), "--subject", "id", "--columns", "tested,smokes"]
    command += ["--epsilon", "4", "--key", "env:RESPONSE_KEY", "--out", str(answers)]
    assert main(command) == 0
    lines = answers.read_text().splitlines()
    assert len(lines) == 2001
    assert lines[1:] == sorted(lines[1:])
    assert "p1" not in answers.read_text()
    told = json.loads((tmp_path / "answers.csv.json").read_text())
    assert (told["epsilon_of_a_patient"], told["epsilon_of_an_answer"]) == (4.0, 2.0)
    capsys.readouterr()
    assert main(["reports", "gather", "estimate", str(answers), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["tested"]["shares"]["yes"] == pytest.approx(0.75, abs=0.08)
    assert main(["reports", "gather", "estimate", str(answers)]) == 0
    assert main(command) == 3  # never over what is there
    patients.write_text("id,tested,smokes\np1,yes,no\np1,no,no\n")
    assert main([*command[:-1], str(tmp_path / "other.csv")]) == 3
    assert main([*command[:4], "--subject", "name", *command[6:-1], str(tmp_path / "other.csv")]) == 3
    assert not (tmp_path / "other.csv").exists()


POLICY = """\
sharewell: 1
release: {name: r}
secrets: {key: env:RESPONSE_KEY}
datasets:
  answers:
    kind: reports
    read: {csv: patients.csv}
    columns: {id: subject, smokes: quasi}
    require: [local-privacy: {epsilon: 1.5}]
    using: {randomised-response: {epsilon: 1, values: [no, yes, unknown]}}
write: {csv: out}
"""


@pytest.fixture
def policy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RESPONSE_KEY", "an example secret, long enough")
    rows = "\n".join(f"p{i},{'yes' if i % 4 == 0 else 'no'}" for i in range(2000))
    (tmp_path / "patients.csv").write_text(f"id,smokes\n{rows}\n")
    (tmp_path / "policy.yaml").write_text(POLICY)
    return tmp_path / "policy.yaml"


def test_through_a_policy_answers_and_estimates_are_published(policy: Path) -> None:
    done = release(check(policy))
    public = done.directory / "public"
    cells = {row[0]: row[1:] for row in csv.reader((public / "answers.csv").read_text().splitlines())}
    assert cells["*"] == ["2000", "2000.00", "0.00"]
    assert set(cells) == {"smokes", "*", "no", "yes", "unknown"}  # also what nobody has: it was declared
    for value, true in (("no", 1500), ("yes", 500), ("unknown", 0)):
        _, estimate, error = map(float, cells[value])
        assert abs(estimate - true) < 5 * error
    (finding,) = verify(done.directory).raise_if_failed().findings["answers"]
    assert (finding.tier, finding.ok) == ("steward", True)
    assert finding.value == pytest.approx(1, abs=1e-9)
    (finding,) = verify(public).raise_if_failed().findings["answers"]
    assert finding.tier == "attested"
    told = json.loads((public / "dictionary.json").read_text())["answers"]["count"]["randomised"]
    assert told["epsilon"] == pytest.approx(1, abs=1e-9)
    assert told["epsilon"] <= 1
    assert "p1" not in (public / "answers.csv").read_text()


@pytest.mark.parametrize(("old", "new"), [("estimate", "2000.00"), ("kept", '"kept": "17')])
def test_estimates_and_draws_that_do_not_fit_are_found(policy: Path, old: str, new: str) -> None:
    place = release(check(policy)).directory / "public"
    if old == "estimate":
        text = (place / "answers.csv").read_text()
        (place / "answers.csv").write_text(text.replace(new, "2001.00"))
    for name in ("dictionary.json", "certificate.json") if old == "kept" else ():
        (place / name).write_text((place / name).read_text().replace('"kept": "', new))
    told = json.loads((place / "certificate.json").read_text())
    told["files"] = cert.file_hashes(place)
    write_json(place / "certificate.json", told)
    cert.write_sums(place)
    said = "do not follow" if old == "estimate" else "how its answers were drawn"
    assert any(said in problem for problem in verify(place).problems)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("epsilon: 1,", "epsilon: 2,", "epsilon is more than the 1.5"),
        ("[no, yes, unknown]", "[no, unknown]", "500 person"),
        ("local-privacy: {epsilon: 1.5}", "cell-protection: {threshold: 5}", "cannot make 'cell-protection' hold"),
        ("using: {randomised-response: {epsilon: 1, values: [no, yes, unknown]}}", "using: auto", "no mechanism can"),
        ("{epsilon: 1.5}", "{epsilon: 0}", "must be above 0"),
    ],
)
def test_a_policy_that_cannot_be_followed_is_refused(policy: Path, old: str, new: str, said: str) -> None:
    policy.write_text(policy.read_text().replace(old, new))
    with pytest.raises((PolicyError, DataError), match=said):
        release(check(policy))


def test_a_table_that_changed_is_drawn_anew() -> None:
    """Were draws used again for somebody else, whoever knows the one's value would know the other's answer."""
    asked, must = RandomisedResponse(0.5), [LocalPrivacy(1)]
    one, other = (CountTable.of_cells({("no",): 400, ("yes",): yes}, ["x"]) for yes in (300, 301))
    first = asked.protect(one, must, KEY).data.shown
    assert (asked.protect(one, must, KEY).data.shown == first).all()
    assert abs(int(asked.protect(other, must, KEY).data.shown[1]) - int(first[1])) > 1
    assert not asked.protect(one, must).reproducible


@given(st.integers(2, 5), st.floats(0.2, 4), st.lists(st.integers(0, 40), min_size=5, max_size=5), st.integers(1, 4))
def test_estimates_of_several_answers_are_unbiased_and_their_error_is_enough(
    size: int, epsilon: float, counts: list[int], together: int
) -> None:
    """By exact expectation and variance of how many persons give one of the first few answers."""
    counts, together, people = counts[:size], min(together, size - 1), sum(counts[:size])
    drawn = Randomised(RandomisedResponse(epsilon, tuple("abcde"[:size]))._kept, size)
    inside = drawn.stay + (together - 1) * drawn.other
    outside = together * drawn.other
    have = sum(counts[:together])
    seen = have * inside + (people - have) * outside
    assert (seen - people * outside) / (drawn.stay - drawn.other) == have
    variance = have * inside * (1 - inside) + (people - have) * outside * (1 - outside)
    if people:
        assert variance <= seen * (people - seen) / people
