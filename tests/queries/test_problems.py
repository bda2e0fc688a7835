"""What is said when there is no answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from sharewell.errors import BudgetExhausted, DataError, Infeasible, PolicyError
from sharewell.queries.question import QuestionError
from sharewell.queries.service.problems import CODES, Refused, log_line, refused

SECRET = "a cell of Jane Doe"


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (RuntimeError(SECRET), "failed"),
        (KeyError(SECRET), "failed"),
        (DataError(SECRET), "unavailable"),
        (Infeasible(SECRET), "unavailable"),
    ],
)
def test_an_error_after_the_question_was_understood_says_nothing(error: Exception, code: str) -> None:
    found = refused(error)
    assert found.code == code
    assert "Jane" not in str(found.to_json())
    assert "detail" not in found.to_json()


def test_what_question_and_budget_alone_decide_is_told() -> None:
    assert refused(QuestionError("filter", "is wrong", "mend it")).to_json()["detail"] == "filter — is wrong — mend it"
    assert refused(PolicyError("epsilon — must be a number")).to_json()["detail"] == "epsilon — must be a number"
    assert refused(BudgetExhausted("a — 0.1 is left")).to_json()["detail"] == "a — 0.1 is left"
    assert refused(BudgetExhausted("a")).status == 409
    own = Refused("busy")
    assert refused(own) is own


def test_every_code_has_a_status_and_a_sentence() -> None:
    for code, status in CODES.items():
        told = Refused(code).to_json()
        assert 400 <= status < 600
        assert told["status"] == status
        assert told["title"].endswith(".")


def test_the_log_has_kind_and_place_and_no_message() -> None:
    with pytest.raises(TypeError) as raised:
        Refused("busy", SECRET, 0.0, SECRET)  # type: ignore[call-arg]
    assert log_line(raised.value).startswith("unforeseen TypeError at ")
    with pytest.raises(ValueError, match="Jane") as other:
        raise ValueError(SECRET)
    assert "Jane" not in log_line(other.value)
    assert log_line(DataError("the disk is full")) == "the disk is full"


def test_the_documents_name_every_code() -> None:
    text = (Path(__file__).parents[2] / "docs" / "service.md").read_text()
    assert [code for code in CODES if f"`{code}`" not in text] == []
