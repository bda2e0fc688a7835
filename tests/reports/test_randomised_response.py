"""Randomised response: the probabilities told are the true ones, the estimate is unbiased, and answers last."""

from __future__ import annotations

import json
import math
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.cli import main
from sharewell.errors import DataError
from sharewell.reports.gathering.randomised_response import RandomisedResponse
from sharewell.subjects import Key

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
