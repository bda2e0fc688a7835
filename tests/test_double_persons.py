"""Persons who may be counted twice, held against comparing every pair of texts letter by letter."""

from __future__ import annotations

import random
from itertools import combinations
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.double_persons import Doubles, doubles, doubles_in
from sharewell.io.joined_person import JoinedPerson, reduced, sorted_words
from sharewell.io.sources import Source

SHORT = st.text("ab1", min_size=1, max_size=4)
DATES = st.sampled_from(["19500304", "19500403", "19500305", "19610304", "03041950", "04031950", "19501304"])


def _left_out(text: str) -> set[str]:
    return {text, *(text[:i] + text[i + 1 :] for i in range(len(text)))}


def _near(one: str, other: str, orders: dict[str, set[str]]) -> bool:
    if any(a == b for a in _left_out(one) for b in _left_out(other)):
        return True
    letters = not any(c.isdigit() for c in one + other)
    if letters and any(a.startswith(b) or a.endswith(b) for a, b in ((one, other), (other, one))):
        return True
    if len(one) == len(other) == 8 and (one + other).isdecimal():
        if one[:4] == other[:4] and (one[4:6], one[6:]) == (other[6:], other[4:6]):
            return True
        if one[4:] == other[4:] and (one[:2], one[2:4]) == (other[2:4], other[:2]):
            return True
    return not orders.get(one, set()).isdisjoint(orders.get(other, set()))


def _same_but_one(a: tuple[str, ...], b: tuple[str, ...], orders: dict[str, set[str]]) -> bool:
    """Is there a part of each without which they are the same, and are these two near?"""
    for i, one in enumerate(a):
        for j, other in enumerate(b):
            if sorted(a[:i] + a[i + 1 :]) == sorted(b[:j] + b[j + 1 :]) and _near(one, other, orders):
                return True
    return False


def _plain(persons: list[tuple[str, ...]], orders: dict[str, set[str]]) -> Doubles:
    group = list(range(len(persons)))
    for i, j in combinations(range(len(persons)), 2):
        if _same_but_one(persons[i], persons[j], orders):
            group = [group[i] if one == group[j] else one for one in group]
    return Doubles(len(persons), len(persons) - len(set(group)))


@settings(max_examples=300)
@given(st.sets(st.tuples(SHORT, SHORT, DATES).map(lambda one: tuple(sorted(one))), max_size=14))
def test_it_counts_what_comparing_all_pairs_counts(persons) -> None:
    listed = sorted(persons)
    assert doubles(listed) == _plain(listed, {})


@given(
    st.lists(
        st.tuples(st.sampled_from(["Anna", "Berg", "Anna Berg", "Berg, Anna", "A Berg", "Bergh"]), DATES), max_size=10
    )
)
def test_words_in_another_order_are_near(rows) -> None:
    persons = sorted({tuple(sorted((reduced(name), born))) for name, born in rows})
    orders: dict[str, set[str]] = {}
    for row in rows:
        for text in row:
            orders.setdefault(reduced(text), set()).add(sorted_words(text))
    assert doubles(persons, orders) == _plain(persons, orders)


def test_one_error_of_each_sort_is_seen() -> None:
    anna = ("19500304", "anna", "muller")
    near = [("19500314", "anna", "muller"), ("19500403", "anna", "muller"), ("19500304", "ana", "muller"),
            ("19500304", "anna", "mullre"), ("19500304", "a", "muller"), ("19500304", "annamaria", "muller"),
            ("19500304", "anna", "mullerschmidt"), ("19500304", "anna", "drmuller"), ("19500304", "evaanna", "muller"),
            ("19500304", "anna", "schmidtmuller")]  # fmt: skip
    for other in near:
        assert doubles([anna, other]).twice == 1, other
    far = [("19500304", "anna", "schmidt"), ("19500304", "eva", "muller"), ("19610304", "anna", "muller"),
           ("19500314", "ana", "muller")]  # fmt: skip
    for other in far:
        assert doubles([anna, other]).twice == 0, other


def test_the_measure_of_a_file_finds_every_planted_error(tmp_path: Path) -> None:
    draw = random.Random(5)
    rows, planted = [], 0
    for i in range(400):
        last, first = ("".join(draw.choices("bcdfghklmnprstvw", k=9)) for _ in range(2))
        born = f"{draw.randint(1930, 2010)}-{draw.randint(1, 12):02d}-{draw.randint(1, 28):02d}"
        rows += [(last, first, born)] * draw.randint(1, 3)
        if i % 8 == 0:
            planted += 1
            at = draw.randrange(9)
            rows.append((last[:at] + "ö" + last[at + 1 :], first.upper(), born))
    draw.shuffle(rows)
    (tmp_path / "v.csv").write_text("last,first,born\n" + "".join(f"{','.join(row)}\n" for row in rows))
    source = Source(tmp_path / "v.csv", clean={"person": JoinedPerson(parts=("last", "first", "born"))})
    assert doubles_in([(source, "person")]) == Doubles(400 + planted, planted)


def test_nobody_is_nobody_twice() -> None:
    assert doubles([]) == Doubles(0, 0)
    assert doubles([]).share == 0
