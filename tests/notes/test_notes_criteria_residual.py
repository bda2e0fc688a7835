"""Residual risk from marked notes: the interval, the comparison, and that nothing is taken on trust."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from math import comb
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.errors import DataError
from sharewell.io.sources import Source
from sharewell.notes import Notes, ResidualRisk
from sharewell.notes.criteria.residual_risk import at_most, upper_limit
from sharewell.notes.engine.checks.marked_notes import GoldNote, counterparts
from sharewell.testing import check_criterion

ALL = Fraction(1)
WORDS = "gout fever cough rash ankle knee chest pain swelling nausea improved worse stable overnight dressing".split()  # noqa: SIM905


def cdf(hits: int, of: int, share: Fraction) -> Fraction:
    return sum((comb(of, k) * share**k * (1 - share) ** (of - k) for k in range(hits + 1)), Fraction(0))


@settings(deadline=None)
@given(st.integers(1, 60), st.data())
def test_the_limit_is_that_of_clopper_and_pearson(of: int, data: st.DataObject) -> None:
    """At the limit so few hits have the probability 1 − confidence exactly; the decision agrees with it."""
    hits = data.draw(st.integers(0, of - 1))
    upper = upper_limit(hits, of, 0.95)
    assert float(cdf(hits, of, Fraction(upper))) == pytest.approx(0.05, abs=1e-9)
    share = data.draw(st.fractions(Fraction(1, 100), 1, max_denominator=100))
    assert at_most(hits, of, share, Fraction(95, 100)) is (cdf(hits, of, share) <= Fraction(5, 100))
    if abs(upper - share) > 1e-9:
        assert at_most(hits, of, share, Fraction(95, 100)) is (upper <= share)


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 25), st.fractions(0, 1, max_denominator=20))
def test_the_interval_covers_as_often_as_it_says(of: int, share: Fraction) -> None:
    """Whatever the true share: the limit lies below it in at most 5 % of all samples."""
    missed = sum(
        comb(of, hits) * share**hits * (1 - share) ** (of - hits)
        for hits in range(of + 1)
        if upper_limit(hits, of, 0.95) < share - Fraction(1, 10**9)
    )
    assert missed <= Fraction(5, 100)


def test_everything_leaks_or_nothing_is_sampled() -> None:
    assert upper_limit(3, 3, 0.95) == 1.0
    assert at_most(3, 3, Fraction(1), Fraction(1, 2))
    assert not at_most(3, 3, Fraction(99, 100), Fraction(1, 2))


def marked(text: str, *pieces: tuple[str, str]) -> GoldNote:
    return GoldNote.of(text, [(text.index(piece), text.index(piece) + len(piece), label) for piece, label in pieces])


@pytest.mark.parametrize(
    ("published", "leaked"),
    [
        ("Rosa Delgado seen 5 March 2019 at 12 Oak Street.", 3),
        ("Rosa Ortiz seen 9 April 2019 at 4 Elm Street.", 1),  # a first name
        ("**NAME[AAA] seen 2019 at [ADDRESS].", 0),
        ("Ann Ortiz seen 5 March 2019 at [ADDRESS].", 1),  # the date
        ("Ann Ortiz seen 7 March 2019 at [ADDRESS].", 0),
        ("Ann Ortiz seen 2019 at Oak.", 1),
        ("Ann Ortiz seen 2019 at 9 Fir Street. Signed: DELGADO", 1),  # elsewhere in the text
        ("seen at", 0),
    ],
)
def test_what_is_left_of_marked_pieces(published: str, leaked: int) -> None:
    text = "Rosa Delgado seen 5 March 2019 at 12 Oak Street."
    note = marked(text, ("Rosa Delgado", "NAME"), ("5 March 2019", "DATE"), ("12 Oak Street", "ADDRESS"))
    assert note.compared(published).leaked == leaked


def test_years_young_ages_drugs_and_doses_identify_nobody() -> None:
    note = marked("2019: a 45 year old and a 93 year old on aspirin 81 mg",
        ("2019", "DATE"), ("45", "AGE"), ("93", "AGE"), ("aspirin", "DRUG"), ("81 mg", "DOSE"))  # fmt: skip
    assert [label for label, _ in note.pieces] == ["AGE"]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(WORDS), min_size=8, max_size=30), st.data())
def test_a_survivor_is_counted_wherever_it_stands(words: list[str], data: st.DataObject) -> None:
    """Brute force: of names that occur nowhere else, exactly those that are published are left."""
    names = data.draw(st.lists(st.sampled_from(["Qarl", "Zuzu", "Xyla", "Vova"]), min_size=1, max_size=4, unique=True))
    places = [data.draw(st.integers(0, len(words))) for _ in names]
    kept = [data.draw(st.booleans()) for _ in names]
    original, published = list(words), list(words)
    for name, at, stays in zip(names, places, kept, strict=True):
        original.insert(at, name)
        published.insert(at, name if stays else "[NAME]")
    text = " ".join(original)
    note = marked(text, *((name, "NAME") for name in names))
    assert note.compared(" ".join(published)).leaked == sum(kept)


def sample_of(texts: list[str], names: list[str], persons: list[str] | None = None) -> pa.Table:
    spans = [
        json.dumps([{"start": text.index(name), "end": text.index(name) + len(name), "label": "NAME"}])
        for text, name in zip(texts, names, strict=True)
    ]
    return pa.table({"text": texts, "spans": spans} | ({"who": persons} if persons else {}))


TEXTS = [f"{a} {b} {c}, Delgado{i} saw it; {c} {a} again {b} on ward {i}" for i, (a, b, c) in enumerate(
    zip(WORDS, WORDS[1:] + WORDS[:1], WORDS[2:] + WORDS[:2], strict=True))]  # fmt: skip
NAMES = [f"Delgado{i}" for i in range(len(TEXTS))]
CLEAN = [text.replace(name, "[NAME]") for text, name in zip(TEXTS, NAMES, strict=True)]


@given(st.sets(st.integers(0, len(TEXTS) - 1)), st.randoms(use_true_random=False))
@settings(max_examples=30, deadline=None)
def test_leaking_notes_are_counted_in_any_order(leaking: set[int], shuffle: object) -> None:
    texts = [TEXTS[i] if i in leaking else CLEAN[i] for i in range(len(TEXTS))]
    shuffle.shuffle(texts)  # type: ignore[attr-defined]
    found = ResidualRisk(sample_of(TEXTS, NAMES), max=ALL).check(Notes.of([*texts, "another note of nobody's"]))
    assert (found.details.leaking, found.details.sampled) == (len(leaking), len(TEXTS))
    assert found.value == upper_limit(len(leaking), len(TEXTS), 0.95)


def test_persons_are_the_unit_where_they_are_named() -> None:
    persons = [f"p{i // 5}" for i in range(len(TEXTS))]
    rule = ResidualRisk(sample_of(TEXTS, NAMES, persons), max=Fraction(9, 10), subject="who")
    found = rule.check(Notes.of([*TEXTS[:2], *CLEAN[2:]], persons))
    assert (found.details.leaking, found.details.sampled, found.unit) == (1, 3, "of persons")
    swapped = rule.check(Notes.of([*TEXTS[:2], *CLEAN[2:]], [*persons[5:], *persons[:5]]))
    assert swapped.failed  # counterparts are looked for among the person's own notes
    assert swapped.value is None


def test_a_sample_that_is_not_in_the_release_clears_nothing() -> None:
    other = Notes.of(["nothing of the kind", "was ever released"])
    found = ResidualRisk(sample_of(TEXTS, NAMES)).check(other)
    assert found.failed
    assert found.value is None
    some = Notes.of(CLEAN[:-1])
    assert ResidualRisk(sample_of(TEXTS, NAMES), max=ALL).check(some).value is None
    allowed = ResidualRisk(sample_of(TEXTS, NAMES), max=ALL, absent="allow").check(some)
    assert (allowed.ok, allowed.details.not_released) == (True, 1)
    assert ResidualRisk(sample_of(TEXTS, NAMES), absent="allow").check(Notes.of([])).failed


def test_a_copy_that_leaks_counts_for_the_note() -> None:
    """Two published texts fit equally well: the worse one counts."""
    sample = [marked(TEXTS[0], (NAMES[0], "NAME"))]
    for texts in ([CLEAN[0], TEXTS[0]], [TEXTS[0], CLEAN[0]]):
        found = counterparts(sample, Notes.of(texts))[0]
        assert found is not None
        assert found.leaked == 1


def test_from_json_lines_and_bad_files(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    lines = [
        {"id": i, "text": TEXTS[i], "spans": json.loads(sample_of(TEXTS, NAMES)["spans"][i].as_py())} for i in (0, 1)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    rule = ResidualRisk(Source.of(path), max=ALL)
    assert rule.check(Notes.of([TEXTS[0], CLEAN[1]])).details.leaking == 1
    bad = pa.table({"text": ["Delgado"], "spans": ['[{"start": 3, "end": 99, "label": "NAME"}]']})
    with pytest.raises(DataError) as error:
        ResidualRisk(bad).check(Notes.of(["x"]))
    assert "Delgado" not in str(error.value)
    for wrong in ({"max": 0}, {"max": 2}, {"max": "x"}, {"confidence": 1}, {"absent": "so"}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            ResidualRisk(bad, **wrong)


def test_contract() -> None:
    frame = pa.table({"text": [*TEXTS[:3], *CLEAN[3:]]})
    check_criterion(
        ResidualRisk(sample_of(TEXTS, NAMES), max=Fraction(1, 2)),
        lambda table: replace(Notes.of(table["text"].to_pylist()), published=True),
        frame,
    )
