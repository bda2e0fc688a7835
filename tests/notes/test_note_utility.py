"""What protection of notes costs: clusters that persist, terms that are kept, and the four data sets."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.cli import main
from sharewell.errors import DataError
from sharewell.notes import ClinicalTermsKept, DisclosureRisk, Notes, Pacs, Persistence
from sharewell.notes.engine.measures.four_data_sets import four_data_sets
from sharewell.notes.engine.measures.note_clusters import clusters, compare_clusters, stems
from sharewell.notes.utility.disclosure_risk import risk

TOPICS = ("cough fever sputum pneumonia", "ankle fracture cast fall", "glucose insulin diabetes thirst")
NOTES = [f"Patient {i} with {topic} seen {i % 7} times." for i in range(8) for topic in TOPICS]
DRUGS = ["morphine 5 mg", "heparin 5,000 units", "Lasix 40 mg", "Ativan 2 mg", "vancomycin 1 g"]


def test_words_go_through_stop_words_stems_and_lengths_in_that_order() -> None:
    assert stems("The dosing of her doses was dosed: IV, NPO, being ok at 10") == {"dose", "npo"}


def test_clusters_are_numbered_by_size_and_repeat() -> None:
    texts = [NOTES[i] for i in range(0, len(NOTES), 3)] + NOTES[1:5:3]
    found = clusters(texts, 2, seed=3, starts=4)
    assert np.bincount(found).tolist() == sorted(np.bincount(found), reverse=True)
    assert found.tolist() == clusters(texts, 2, seed=3, starts=4).tolist()


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=12))
def test_clusters_are_paired_as_well_as_they_can_be(pairs: list[tuple[int, int]]) -> None:
    before, after = np.array([old for old, _ in pairs]), np.array([new for _, new in pairs])
    k = 3
    share = [[_agreement(before == i, after == j) for j in range(k)] for i in range(k)]
    best = max(sum(share[i][order[i]] for i in range(k)) for order in permutations(range(k)))
    found = compare_clusters(before, after)
    assert sum(found.by_cluster) == pytest.approx(best)
    assert compare_clusters(before, before).average == pytest.approx(len(set(before.tolist())) / (before.max() + 1))


def _agreement(one: np.ndarray, other: np.ndarray) -> float:
    return (one & other).sum() / max(1, (one | other).sum())


def test_persistence_is_whole_where_nothing_changed_and_tells_what_chance_costs() -> None:
    found = Persistence(k=3).score(Notes.of(NOTES), Notes.of(NOTES))
    assert found.value == 1
    assert found.details.by_cluster == (1, 1, 1)
    assert 0 < found.details.two_starts <= 1


def test_withheld_notes_are_in_neither_clustering() -> None:
    before = Notes.of([*NOTES, "Zweimal täglich eine Tablette nehmen."])
    released = Pacs().protect(before.take(range(len(NOTES))), []).data
    assert Persistence(k=3).score(before, released).value == 1
    with pytest.raises(DataError, match="which published note"):
        Persistence(k=3).score(before, Notes.of(NOTES))


def test_too_few_notes_for_the_clusters_are_refused() -> None:
    with pytest.raises(DataError, match="fewer than 5 different notes"):
        Persistence().score(Notes.of(["a cough"] * 9), Notes.of(["a cough"] * 9))


@pytest.mark.parametrize(
    ("fraction", "persistence", "product"),
    [
        (0.01, 0.86, 0.0086),
        (0.05, 0.86, 0.043),  # the paper's table prints 4.5 %
        (0.10, 0.86, 0.086),
        (0.05, 0.55, 0.0275),
        (0.10, 0.45, 0.045),  # the paper's table prints 4.6 %
    ],
)
def test_risk_is_fraction_times_persistence_and_not_the_papers_misprints(
    fraction: float, persistence: float, product: float
) -> None:
    assert risk(fraction, persistence) == pytest.approx(product)


def test_risk_of_a_release_counts_what_was_withheld() -> None:
    before = Notes.of(NOTES)
    released = Pacs().protect(before.take(range(12)), []).data
    found = DisclosureRisk(k=3).score(before, released)
    assert found.value == pytest.approx(0.5)
    assert found.details.at["5%"] == pytest.approx(0.05)


def test_terms_count_once_a_note_and_a_class_does_not_stand_for_its_drug() -> None:
    before = Notes.of(["Asthma, asthma. On metoprolol.", "No complaint."])
    after = Pacs(drugs=1).protect(before, []).data
    found = ClinicalTermsKept().score(before, after)
    assert (found.details.before, found.details.kept) == (2, 1)
    assert ClinicalTermsKept().score(Notes.of(["Well."]), Notes.of(["Well."])).value == 1


@pytest.mark.parametrize(
    ("option", "what"),
    [
        ("--clusters=0", "clusters is 1 or more"),
        ("--clusters=-2", "clusters is 1 or more"),
        ("--clusters=99", "fewer than 99 different notes"),
        ("--seed=-1", "seed is 0 or more"),
    ],
)
def test_clusters_that_cannot_be_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str, what: str
) -> None:
    file = tmp_path / "notes.jsonl"
    file.write_text("".join(json.dumps({"text": text}) + "\n" for text in NOTES))
    assert main(["notes", "persistence", str(file), option]) == DataError.exit_code
    assert what in capsys.readouterr().err


def test_the_four_data_sets_and_their_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = [f"{text} Given {DRUGS[i % 5]} by zyxcanary." for i, text in enumerate(NOTES)]
    file, page = tmp_path / "notes.jsonl", tmp_path / "page.html"
    file.write_text("".join(json.dumps({"id": i, "text": text}) + "\n" for i, text in enumerate(texts)))
    assert main(["notes", "persistence", str(file), "--clusters", "3", "--out", str(page), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert list(told["data_sets"]) == ["noD", "noM", "noMD"]
    assert told["flagged"] == told["notes"] == len(texts)
    assert told["data_sets"]["noMD"]["risk"]["10%"] == pytest.approx(0.1 * told["data_sets"]["noMD"]["persistence"])
    html = page.read_text()
    assert html.count("<figure") == 2
    assert "zyxcanary" not in html
    assert four_data_sets(texts, k=3).to_json() == {key: value for key, value in told.items() if key != "written"}
