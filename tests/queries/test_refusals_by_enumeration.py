"""Exact answers about six people: all that their secrets may be, and what is refused of the same questions.

A refusal tells nothing if it falls alike in every world: whatever the secrets are, and whatever was answered before.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from test_exact_control import isolated

from sharewell.queries import Session
from sharewell.queries.engine.exact_control import ExactControl
from sharewell.queries.question import QuestionError

POLICY = """\
sharewell: 1
release: {{name: room}}
datasets:
  stays:
    kind: queries
    read: {{csv: stays.csv}}
    columns: {{who: subject, ward: quasi, age: quasi, cost: sensitive, hiv: sensitive}}
    domains:
      ward: {{values: [A, B]}}
      age: {{low: 0, high: 100, bins: 10}}
      cost: {{low: 0, high: 7}}
      hiv: {{values: ["yes", "no"]}}
    mode: exact
    exact: {{least: 2, rule: {rule}}}
"""
PEOPLE = (("A", 25), ("A", 35), ("A", 45), ("B", 25), ("B", 35), ("B", 85))
Question = dict[str, object]
Fate = tuple[bool, ...] | str
HIV: list[Question] = [
    {"measure": "count", "filter": {"ward": "A", "hiv": "yes"}},
    {"measure": "count", "filter": {"ward": "A", "age": {"<": 40}, "hiv": "yes"}},
    {"measure": "count", "filter": {"hiv": "yes"}, "group_by": ["ward"]},
    {"measure": "count", "group_by": ["hiv"], "filter": {"age": {"<": 40}}},
    {"measure": "count", "filter": {"hiv": "no", "age": {"<": 50}}},
    {"measure": "count", "filter": {"hiv": "yes", "age": {">=": 80}}},
    {"measure": "count", "group_by": ["hiv", "age"]},
    {"measure": "count", "filter": {"and": [{"hiv": "yes"}, {"cost": {">": 3}}]}},
]
COSTS: list[Question] = [
    {"measure": {"sum": "cost"}, "filter": where}
    for where in (
        {"ward": "A"},
        {"age": {"<": 30}},
        {"age": {">=": 30, "<": 40}},
        {"ward": "A", "age": {"<": 40}},
        {"or": [{"ward": "A", "age": {"<": 30}}, {"ward": "B", "age": {">=": 30, "<": 40}}]},
        {"age": {"<": 40}},
        {"or": [{"age": {">=": 80}}, {"age": {"<": 30}}]},
    )
]


def fates(place: Path, rule: str, secrets: Sequence[bool], questions: list[Question]) -> list[tuple[Fate, object]]:
    """What was told and withheld, question by question, with the numbers."""
    place.mkdir()
    rows = [
        f"p{i},{w},{a},{2 + 3 * s},{'yes' if s else 'no'}"
        for i, ((w, a), s) in enumerate(zip(PEOPLE, secrets, strict=True))
    ]
    rows.append(f"p0,{PEOPLE[0][0]},{PEOPLE[0][1]},4,{'no' if secrets[0] else 'yes'}")  # one more row of one person
    (place / "stays.csv").write_text("\n".join(["who,ward,age,cost,hiv", *rows]) + "\n")
    (place / "policy.yaml").write_text(POLICY.format(rule=rule))
    found: list[tuple[Fate, object]] = []
    with Session.open(place / "policy.yaml") as session:
        for question in questions:
            try:
                told = [row["value"] for row in session.ask(question).rows]
                found.append((tuple(value is None for value in told), told))
            except QuestionError as error:
                found.append((str(error), None))
    return found


@pytest.mark.parametrize(("rule", "questions"), [("cells", HIV), ("cells", COSTS), ("sums", COSTS)])
def test_the_next_refusal_is_the_same_whatever_the_secrets_are(
    rule: str, questions: list[Question], tmp_path: Path, full_size: bool
) -> None:
    """Six secrets, each yes or no: all worlds, or every third; each question in turn is the next one."""
    worlds = list(itertools.product((False, True), repeat=6))[:: 1 if full_size else 3]
    found = [fates(tmp_path / str(i), rule, world, questions) for i, world in enumerate(worlds)]
    assert len({tuple(fate for fate, _ in one) for one in found}) == 1
    kinds = {"refused" if isinstance(fate, str) else "told" for fate, _ in found[0]}
    assert kinds == {"refused", "told"}, "otherwise nothing would be compared"
    assert len({repr([numbers for _, numbers in one]) for one in found}) > 5, "answers differ, refusals do not"


def sets_of(people: int, least: int) -> list[tuple[int, ...]]:
    return [one for size in range(least, people - least + 1) for one in itertools.combinations(range(people), size)]


def histories(people: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Three sets one after the other; by symmetry the first is of the first people."""
    asked = sets_of(people, 2)
    for first in ((0, 1), (0, 1, 2)):
        yield from ((first, *more) for more in itertools.product(asked, repeat=2))


def members(of: tuple[int, ...], people: int) -> NDArray[np.bool_]:
    return np.isin(np.arange(people), of)


def test_the_audit_of_sums_refuses_what_singles_somebody_out_and_nothing_else() -> None:
    """Every sequence of three questions about five people, against ranks in fractions."""
    people, seen = 5, {"": 0, "overlap": 0, "combination": 0}

    @cache
    def singles_out(told: frozenset[tuple[int, ...]]) -> bool:
        return isolated([members(one, people) for one in sorted(told)], people, 2)

    for history in histories(people):
        control, told = ExactControl(people, 2, "sums"), set[tuple[int, ...]]()
        for one in history:
            why = control.grant(members(one, people))
            near = any(len(set(one) ^ set(other)) == 1 for other in told)
            expected = "overlap" if near else "combination" if singles_out(frozenset({*told, one})) else ""
            assert why == expected or one in told, history
            seen[why] += 1
            if not why:
                told.add(one)
    assert min(seen.values()) > 20


def test_by_cells_no_secret_follows_unless_all_of_a_cell_have_it() -> None:
    """Every sequence of three questions about six people, and all their zeros and ones: who is the same in every world
    that has these answers shares a cell with people who all are."""
    people = 6
    worlds = np.array(list(itertools.product((0, 1), repeat=people)))
    done: set[frozenset[tuple[int, ...]]] = set()
    asked = sets_of(people, 2)
    starts = [(0, 1), (0, 1, 2), (0, 1, 2, 3)]
    for history in ((first, *more) for first in starts for more in itertools.combinations(asked, 2)):
        control = ExactControl(people, 2)
        told = frozenset(one for one in history if not control.grant(members(one, people)))
        if told in done:
            continue
        done.add(told)
        inside = np.array([members(one, people) for one in sorted(told)])
        _, cell, sizes = np.unique(inside, axis=1, return_inverse=True, return_counts=True)
        assert sizes.min() >= 2, "nobody is alone in a cell"
        answers = worlds @ inside.T
        for world, answer in zip(worlds, answers, strict=True):
            alike = worlds[(answers == answer).all(axis=1)]
            known = (alike == world).all(axis=0)
            for person in np.flatnonzero(known):
                assert len(set(world[cell.reshape(-1) == cell.reshape(-1)[person]].tolist())) == 1
    assert len(done) > 20
