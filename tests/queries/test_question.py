"""Questions: what can be asked, that it is understood, and that equal questions have equal texts."""

from __future__ import annotations

import json
import random

import pytest

from sharewell.errors import PolicyError
from sharewell.queries import Question, Range, Values
from sharewell.queries.question import MOST_CONDITIONS, QuestionError

DOMAINS = {"sex": Values(("F", "M")), "age": Range(0, 100, 10), "ward": Values(("1", "2", "03"))}


def text(given: object) -> str:
    return Question.of(given).about(DOMAINS).text  # type: ignore[arg-type]


SAME = [
    ("count", {"measure": "count"}, '{"measure": "count"}', "measure: count", "{measure: count, filter: {and: []}}"),
    ({"measure": {"median": "age"}}, {"measure": {"quantile": {"column": "age", "at": 0.5}}}),
    ({"measure": {"histogram": "age"}}, {"measure": "count", "group_by": "age"}),
    ({"measure": {"histogram": "sex"}, "group_by": ["age"]}, {"measure": "count", "group_by": ["sex", "age"]}),
    (
        {"measure": "count", "filter": {"sex": "F", "age": {">": 5, "<=": 60}}},
        {"measure": "count", "filter": {"and": [{"age": {"<=": 60.0}}, {"sex": {"=": "F"}}, {"age": {">": 5}}]}},
        {"measure": "count", "filter": {"and": [{"and": [{"sex": ["F"]}]}, {"age": {"<=": 60, ">": 5}}]}},
        {"measure": "count", "filter": {"not": {"not": {"sex": {"in": ["F", "F"]}, "age": {"<=": 60, ">": 5}}}}},
    ),
    (
        {"measure": "count", "filter": {"age": {"between": [10, 20]}}},
        {"measure": "count", "filter": {"age": {">=": 10, "<=": 20}}},
    ),
    (
        {"measure": "count", "filter": {"ward": {"!=": 1}}},
        {"measure": "count", "filter": {"not": {"ward": "1"}}},
    ),
    (
        {"measure": "count", "filter": {"or": [{"ward": ["2", "1"]}, {"sex": "M"}]}},
        {"measure": "count", "filter": {"or": [{"sex": ["M"]}, {"ward": [1, 2]}, {"sex": "M"}]}},
    ),
]


@pytest.mark.parametrize("forms", SAME, ids=range(len(SAME)))
def test_what_means_the_same_has_the_same_text(forms: tuple[object, ...]) -> None:
    assert len({text(form) for form in forms}) == 1
    assert json.loads(text(forms[0])) == json.loads(Question.of(text(forms[0])).about(DOMAINS).text)


def test_other_questions_have_other_texts() -> None:
    others = [
        "count",
        {"measure": {"sum": "age"}},
        {"measure": {"mean": "age"}},
        {"measure": {"quantile": {"column": "age", "at": 0.9}}},
        {"measure": {"top": {"column": "ward", "k": 1}}},
        {"measure": {"top": {"column": "ward", "k": 2}}},
        {"measure": "count", "filter": {"age": {"<": 60}}},
        {"measure": "count", "filter": {"age": {"<=": 60}}},
        {"measure": "count", "filter": {"not": {"age": {"<=": 60}}}},
        {"measure": "count", "filter": {"or": []}},
        {"measure": "count", "filter": {"sex": "F", "ward": "1"}},
        {"measure": "count", "filter": {"or": [{"sex": "F"}, {"ward": "1"}]}},
    ]
    assert len({text(one) for one in others}) == len({Question.of(one).sha256 for one in others}) == len(others)


WRONG = {
    "measure — is missing": [{}, {"filter": {"sex": "F"}}],
    "must be a mapping": [[], "[1, 2]", "3"],
    "neither JSON nor YAML": [
        "{measure: count",
        "measure: [",
        "a: b: c",
        '{"measure": "count", "filter": {"sex": "F", "sex": "M"}}',
    ],
    "unknown key": [{"measure": "count", "where": {"sex": "F"}}, {"measure": {"mean": {"column": "age", "at": 1}}}],
    "measure — is unknown": [{"measure": "variance"}, {"measure": {"variance": "age"}}, {"measure": {"count": "age"}}],
    "names no column": [{"measure": "mean"}],
    "must be count, or one name": [{"measure": 3}, {"measure": {"sum": "age", "mean": "age"}}, {"measure": {}}],
    "must name a column": [{"measure": {"mean": ["age"]}}, {"measure": {"mean": {"at": 0.5}}}],
    "between 0 and 1": [{"measure": {"quantile": {"column": "age", "at": at}}} for at in (0, 1, -1, "x", None, True)],
    "whole number, 1 or more": [{"measure": {"top": {"column": "ward", "k": k}}} for k in (0, -1, 1.5, True, None)],
    "cannot be grouped": [{"measure": {"top": {"column": "ward", "k": 1}}, "group_by": ["sex"]}],
    "labels": [{"measure": {"top": {"column": "ward", "k": 5}}}],
    "no declared domain": [{"measure": {"mean": "agee"}}, {"measure": "count", "group_by": ["name"]}],
    "no declared bounds": [{"measure": {"mean": "sex"}}, {"measure": {"sum": "ward"}}, {"measure": {"median": "sex"}}],
    "group_by — ": [{"measure": "count", "group_by": 3}, {"measure": "count", "group_by": ["sex", "sex"]}],
    "does not order": [{"measure": "count", "filter": {"sex": {"<": 3}}}],
    "holds numbers": [{"measure": "count", "filter": {"age": "old"}}],
    "not among those": [{"measure": "count", "filter": {"sex": "CANARY"}}, {"measure": "count", "filter": {"ward": 3}}],
    "unknown comparison": [{"measure": "count", "filter": {"age": {"~": 3}}}],
    "compares with a number": [{"measure": "count", "filter": {"age": {"<": "x"}}}],
    "two numbers": [{"measure": "count", "filter": {"age": {"between": [1]}}}],
    "must be a list": [{"measure": "count", "filter": {"age": {"in": 3}}}, {"measure": "count", "filter": {"or": 3}}],
    "text or a number": [{"measure": "count", "filter": {"sex": one}} for one in (None, True, [None], [[1]])],
    "says nothing": [{"measure": "count", "filter": {"sex": {}}}],
    "nested more than": [{"measure": "count", "filter": json.loads('{"not":' * 20 + '{"sex":"F"}' + "}" * 20)}],
    "more than 100 conditions": [
        {"measure": "count", "filter": {"or": [{"age": {"<": i}} for i in range(MOST_CONDITIONS + 1)]}}
    ],
    "lists more than": [{"measure": "count", "filter": {"age": list(range(2000))}}],
    "characters": ["{measure: count, filter: {age: [" + "1, " * 10_000 + "]}}"],
}


@pytest.mark.parametrize("said", WRONG)
def test_what_cannot_be_asked_is_refused_in_words(said: str) -> None:
    for given in WRONG[said]:
        with pytest.raises(QuestionError) as raised:
            text(given)
        assert said in str(raised.value), given
        assert "CANARY" not in str(raised.value)
        assert isinstance(raised.value, PolicyError)


def test_a_name_that_is_nearly_right_is_suggested() -> None:
    with pytest.raises(QuestionError, match="did you mean 'age'"):
        text({"measure": {"mean": "agee"}})


def test_too_many_groups_are_refused() -> None:
    domains = {name: Range(0, 100, 100) for name in "abc"}
    with pytest.raises(QuestionError, match="1000000 groups"):
        Question.of({"measure": "count", "group_by": ["a", "b", "c"]}).about(domains)


def test_no_text_makes_it_fail_otherwise() -> None:
    """Whatever is thrown at it: a question or a QuestionError."""
    chance = random.Random(5)
    pieces = [
        "{",
        "}",
        "[",
        "]",
        "measure",
        "count",
        "filter",
        ":",
        ",",
        '"',
        "age",
        "sex",
        "and",
        "not",
        "1",
        "-",
        "\n",
    ]
    for _ in range(1500):
        given = " ".join(chance.choices(pieces, k=chance.randint(1, 15)))
        try:
            Question.of(given).about(DOMAINS)
        except QuestionError:
            continue
