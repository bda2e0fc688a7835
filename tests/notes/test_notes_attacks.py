"""Attacks on published notes: against brute force, against their baselines, and silent about the texts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.errors import DataError
from sharewell.hospital import Hospital
from sharewell.notes import ConditionFromDrugs, NoteLinkage, Notes, RareWords, RegisterSearch
from sharewell.notes.attacks.condition_from_drugs import drug_knowledge
from sharewell.notes.attacks.note_linkage import tfidf_vectors
from sharewell.notes.attacks.rare_words import memorable_words
from sharewell.notes.attacks.register_search import _Index
from sharewell.notes.engine.attackers.published_texts import AttackedNotes
from sharewell.protocols import Truth
from sharewell.testing import check_attack

REGISTER = pa.table({
    "id": ["p0", "p1", "p2", "p3"],
    "first": ["Rosalind", "Anneke", "Rosalind", "Tobias"],
    "last": ["Delgado", "Springer", "Springer", None],
    "born": ["1961-03-05", "1970-01-31", "1980-12-01", "1990-06-06"],
    "zip": ["02139", "02139", "03601", "94110"],
})  # fmt: skip
ILLS = ("gout", "rash", "knee", "cough")
SEARCH = RegisterSearch(REGISTER, names=["first", "last"], dates=["born"], places=["zip"], subject="id")


def truth_of(originals: Sequence[str], persons: Sequence[str]) -> Truth[Notes]:
    return Truth(Notes.of(originals, persons), np.arange(len(originals)))


def opened(table: pa.Table) -> Notes:
    return Notes.of(table["text"].to_pylist(), table["who"].to_pylist())


@pytest.fixture(scope="module")
def hospital() -> dict[str, Any]:
    house = Hospital(patients=90, seed=5)
    block = next(iter(house.blocks()))
    masked, persons = [], [note["patient_id"] for note in block.notes]
    for note, spans in zip(block.notes, block.note_spans, strict=True):
        text = note["body"]
        for span in sorted(spans["spans"], key=lambda span: -span["start"]):
            if span["label"] not in ("DRUG", "DOSE"):
                text = text[: span["start"]] + "[X]" + text[span["end"] :]
        masked.append(text)
    original = Notes.of([note["body"] for note in block.notes], persons)
    released = replace(original, texts=tuple(masked), published=True)
    truth = Truth(original, np.arange(original.rows))
    tables = {name: house.frame(name) for name in ("patients", "diagnoses")}
    return {"original": original, "released": released, "truth": truth, **tables}


# register-search


def by_force(text: str, m: int) -> int:
    """The one best match of a plain note, person by person and attribute by attribute; −1 if there is none."""
    words = {word.strip(".,") for word in text.split()}
    scores = []
    for row in REGISTER.to_pylist():
        scores.append(sum(row[name] in words for name in ("first", "last", "born", "zip") if row[name]))
    best = max(scores)
    return scores.index(best) if best >= m and scores.count(best) == 1 else -1


@settings(deadline=None)
@given(st.lists(st.sampled_from(["Rosalind", "Springer", "Delgado", "Tobias", "1961-03-05", "1980-12-01", "02139",
    "03601", "gout", "Anneke"]), max_size=5), st.integers(1, 3))  # fmt: skip
def test_register_search_is_that_of_brute_force(words: list[str], m: int) -> None:
    text = ", ".join(words)
    found = replace(SEARCH, m=m).mount(Notes.of([text, "nothing here"], ["p0", "p1"]))
    best = by_force(text, m)
    assert found.details.singled_out == (0.5 if best >= 0 else 0.0)
    assert found.details.rightly_named == (0.5 if best == 0 else 0.0)


def test_register_search_counts_who_is_found() -> None:
    texts = ["Mr Delgado, born 5 March 61", "ANNEKE from 02139", "Rosalind Springer", "well"]
    found = SEARCH.mount(Notes.of(texts, ["p0", "p1", "p0", "p3"]))
    assert found.value == 0.75
    assert (found.details.rightly_named, found.details.persons_found, found.details.persons_right) == (0.5, 3, 2)
    unnamed = SEARCH.mount(Notes.of(texts))
    assert unnamed.details.rightly_named is None
    assert "not simulated" in unnamed.note


def test_surrogates_match_no_more_than_by_chance(hospital: dict[str, Any]) -> None:
    """Notes full of names drawn blind from the register: a shuffled register matches as many."""
    patients, rng = hospital["patients"], np.random.default_rng(3)
    firsts, lasts = patients["given"].to_pylist(), patients["family"].to_pylist()
    texts = [f"{rng.choice(firsts)} {rng.choice(lasts)} has gout" for _ in range(600)]
    found = RegisterSearch(patients, names=["given", "family"]).mount(Notes.of(texts))
    assert abs(found.details.singled_out - found.details.singled_out_by_chance) < 0.05
    true = [f"{first} {last} has gout" for first, last in zip(firsts, lasts, strict=True) if first and last]
    assert RegisterSearch(patients, names=["given", "family"]).mount(Notes.of(true)).details.singled_out > 0.7


def test_register_search_on_the_synthetic_hospital(hospital: dict[str, Any]) -> None:
    attack = RegisterSearch(
        hospital["patients"], names=["given", "family"], dates=["birth_date"], phones=["phone"], subject="patient_id"
    )
    before, after = attack.mount(hospital["original"]), attack.mount(hospital["released"], hospital["truth"])
    assert before.details.rightly_named > 0.3 > 3 * before.details.singled_out_by_chance
    assert after.value == after.details.rightly_named == 0


def test_register_search_refuses_what_makes_no_sense() -> None:
    with pytest.raises(ValueError, match="columns"):
        RegisterSearch(REGISTER)
    with pytest.raises(ValueError, match="m — must be at least 1"):
        replace(SEARCH, m=0)
    with pytest.raises(DataError) as error:
        RegisterSearch(REGISTER, dates=["last"]).mount(Notes.of(["x"]))
    assert "Delgado" not in str(error.value)
    assert SEARCH.mount(Notes.of([])).value is None
    assert SEARCH.mount(Notes.of([""])).value == 0


# note-linkage


def test_linkage_weights_are_those_of_plain_python() -> None:
    texts = ["gout gout knee", "gout rash", "knee rash", "cough"]
    vectors = np.asarray(tfidf_vectors(texts, 1.0).todense())
    idf = np.log(5 / 2)
    raw = np.array([[(1 + np.log(2)) * idf, idf, 0], [idf, 0, idf], [0, idf, idf], [0, 0, 0]])
    lengths = np.linalg.norm(raw, axis=1, keepdims=True)
    assert np.allclose(vectors, raw / np.where(lengths > 0, lengths, 1))


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("ab"), st.sets(st.sampled_from(ILLS))), min_size=3, max_size=8))
def test_linkage_is_that_of_brute_force(rows: list[tuple[str, set[str]]]) -> None:
    persons, texts = [who for who, _ in rows], [" ".join(sorted(words)) for _, words in rows]
    found = NoteLinkage(common=1.0).mount(Notes.of(texts, persons))
    targets = [i for i, who in enumerate(persons) if persons.count(who) > 1]
    if not targets:
        assert found.value is None
        return
    near = np.asarray((tfidf_vectors(texts, 1.0) @ tfidf_vectors(texts, 1.0).T).todense()).round(9)
    chances = []
    for i in targets:
        others = [j for j in range(len(texts)) if j != i]
        best = [j for j in others if near[i, j] == max(near[i, k] for k in others)]
        chances.append(sum(persons[j] == persons[i] for j in best) / len(best))
    assert found.value == pytest.approx(np.mean(chances))


def test_consistent_surrogates_link_and_tags_do_not() -> None:
    names = [f"Qarlson{i}" for i in range(40)]
    persons = [f"p{i}" for i in range(40) for _ in range(2)]
    originals = [f"{names[i]} has gout" for i in range(40) for _ in range(2)]
    surrogates = [text.replace("Qarlson", "Zuzuki") for text in originals]
    tags = ["[NAME] has gout"] * 80
    truth = truth_of(originals, persons)
    linked = NoteLinkage().mount(Notes.of(surrogates), truth)
    assert (linked.value, linked.details.in_originals) == (1.0, 1.0)
    tagged = NoteLinkage().mount(Notes.of(tags), truth)
    assert tagged.value == pytest.approx(tagged.details.by_chance)
    assert tagged.details.shares_nothing == 1.0


def test_linkage_needs_persons_and_two_notes() -> None:
    assert NoteLinkage().mount(Notes.of(["a", "b"])).value is None
    assert NoteLinkage().mount(Notes.of(["a", "b"], ["p", "q"])).value is None
    assert NoteLinkage().mount(Notes.of([], [])).value is None
    with pytest.raises(ValueError, match="common"):
        NoteLinkage(common=0)


# rare-words


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.sets(st.sampled_from(ILLS), min_size=2)), min_size=1, max_size=6))
def test_rare_words_lie_within_brute_force(rows: list[tuple[str, set[str]]]) -> None:
    """Each draw is one of all pairs; a value of 0 or 1 for all pairs is the value itself."""
    persons, texts = [who for who, _ in rows], [" ".join(sorted(words)) for _, words in rows]
    found = RareWords(m=2, draws=4).mount(Notes.of(texts, persons))
    alone = [
        {persons[j] for j, (_, other) in enumerate(rows) if set(pair) <= other} == {persons[i]}
        for i, (_, words) in enumerate(rows)
        for pair in combinations(sorted(words), 2)
    ]
    if all(alone) or not any(alone):
        assert found.value == float(all(alone))
    own = {
        persons[i]
        for i, (_, words) in enumerate(rows)
        for word in words
        if {persons[j] for j, (_, other) in enumerate(rows) if word in other} == {persons[i]}
    }
    assert found.details.own_word == pytest.approx(len(own) / len(set(persons)))


def test_words_that_were_replaced_do_not_help() -> None:
    originals = [f"gout of {name}" for name in ("Qarlson", "Zuzuki", "Xylander")]
    released = Notes.of(["gout of Vovavo", "gout of Wewawo", "gout of Uhuhuh"])
    truth = truth_of(originals, ["a", "b", "c"])
    found = RareWords(m=1, draws=20).mount(released, truth)
    assert found.value == 0.0
    assert found.details.own_word == 0.0
    assert found.details.own_word_in_originals == 1.0
    assert found.details.in_originals > 0.2
    assert RareWords(m=1).mount(released).details.own_word == 1.0  # nobody told it what is true


def test_rare_words_with_too_little() -> None:
    assert RareWords(m=3).mount(Notes.of(["on 5 mg"])).value is None
    assert memorable_words("Of 12 mg, Gout & x-ray") == {"gout"}
    with pytest.raises(ValueError, match="m — must be at least 1"):
        RareWords(m=0)


# condition-from-drugs


def test_the_table_speaks_for_what_drugs_are_given_for() -> None:
    table = drug_knowledge()
    anxiety = table.codes.index("F41.9")
    likely = table.likely("on Ativan prn", doses=True)
    assert likely is not None
    assert likely.argmax() == anxiety
    assert table.likely("on medication", doses=True) is None
    by_class = table.likely("takes a benzodiazepine", doses=False)
    assert by_class is not None
    assert by_class[anxiety] > 10 * table.prior[anxiety]
    assert table.prior.sum() == pytest.approx(1)


def test_posteriors_are_those_of_bayes() -> None:
    """For one drug: prevalence × how often it is given, over the sum."""
    table = drug_knowledge()
    for drug, uses in table.given.items():
        likely = table.likely(f"on {drug}", doses=False)
        weights = {code: table.prior[code] * share for code, (share, _) in uses.items()}
        assert likely is not None
        assert np.allclose([likely[code] for code in weights], [w / sum(weights.values()) for w in weights.values()])
        assert likely.sum() == pytest.approx(1)


def test_condition_from_drugs_on_the_synthetic_hospital(hospital: dict[str, Any]) -> None:
    attack = ConditionFromDrugs(hospital["diagnoses"], subject="patient_id")
    kept = attack.mount(hospital["released"], hospital["truth"])
    assert kept.value > kept.details.baseline + 0.1
    assert "synthetic" in kept.note
    gone = replace(hospital["released"], texts=("on medication",) * hospital["released"].rows)
    nothing = attack.mount(gone, hospital["truth"])
    assert nothing.value == pytest.approx(nothing.details.baseline, abs=0.02)
    assert nothing.details.tells_drug == 0
    assert nothing.details.in_originals == pytest.approx(kept.details.in_originals)
    assert ConditionFromDrugs().mount(gone).details.tells_drug == 0


def test_condition_from_drugs_with_nobody_listed() -> None:
    nobody = pa.table({"subject": ["p9"], "code": ["I10"]})
    assert ConditionFromDrugs(nobody).mount(Notes.of(["on Ativan"], ["p1"])).value is None
    assert ConditionFromDrugs().mount(Notes.of([])).value is None


# all of them

ATTACKS = [
    SEARCH,
    NoteLinkage(),
    RareWords(m=1),
    ConditionFromDrugs(pa.table({"who": ["p0"], "code": ["F41.9"]}), subject="who"),
]
FRAME = pa.table({
    "text": ["Rosalind Delgado on Ativan", "Delgado improved unheardly", "Springer gouty", "Tobias, gouty toes"],
    "who": ["p0-x", "p0-x", "p1-x", "p1-x"],
})  # fmt: skip


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_contract(attack: Any) -> None:
    check_attack(attack, opened, FRAME)
    found = attack.mount(opened(FRAME), truth_of(FRAME["text"].to_pylist(), FRAME["who"].to_pylist()))
    shown = json.dumps(found.to_json(), ensure_ascii=False).casefold()
    assert not any(word in shown for word in ("delgado", "rosalind", "unheardly", "ativan", "p0-x"))


def test_very_many_notes_are_drawn_by_person_in_any_order() -> None:
    persons = [f"p{i // 3}" for i in range(300)]
    data = Notes.of([f"note {i}" for i in range(300)], persons)
    seen = AttackedNotes.of(data, None, most=100)
    assert 90 < len(seen.texts) <= 100
    assert seen.left_out == 300 - len(seen.texts)
    assert seen.persons is not None
    assert all(list(seen.persons).count(person) == 3 for person in seen.persons)
    order = np.random.default_rng(1).permutation(300)
    assert sorted(AttackedNotes.of(data.take(order), None, most=100).texts) == sorted(seen.texts)
    assert len(AttackedNotes.of(replace(data, persons=None), None, most=100).texts) == 100


def test_several_rows_of_a_register_are_one_person() -> None:
    """Rosa moved: two rows that fit equally well are no two people, by her id or because they are equal."""
    text = ["Rosa Delgado has gout."]
    moved = pa.table({"first": ["Rosa"] * 2, "last": ["Delgado"] * 2, "city": ["Leeds", "York"], "id": ["p1", "p1"]})
    found = RegisterSearch(moved, names=["first", "last"], places=["city"], subject="id").mount(Notes.of(text))
    assert (found.value, found.details.register, found.details.persons_found) == (1.0, 1, 1)
    assert RegisterSearch(moved, names=["first", "last"]).mount(Notes.of(text)).value == 1.0
    other = moved.set_column(3, "id", [["p1", "p2"]])
    assert RegisterSearch(other, names=["first", "last"], subject="id").mount(Notes.of(text)).value == 0.0


@given(
    st.lists(
        st.lists(st.frozensets(st.sampled_from("abcdef"), max_size=2), min_size=4, max_size=4), min_size=1, max_size=3
    ),
    st.frozensets(st.sampled_from("abcdefg")),
)
def test_matches_in_a_register_are_those_that_counting_finds(
    slots: list[list[frozenset[str]]], keys: frozenset[str]
) -> None:
    counts = {
        person: sum(bool(slot[person] & keys) for slot in slots)
        for person in range(4)
        if any(slot[person] & keys for slot in slots)
    }
    people, found = _Index([[tuple(sorted(forms)) for forms in slot] for slot in slots]).matches(set(keys))
    assert dict(zip(people.tolist(), found.tolist(), strict=True)) == counts
    assert people.tolist() == sorted(counts)
