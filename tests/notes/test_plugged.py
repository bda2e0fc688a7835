"""A recogniser of the user's: its labels, its offsets, and its place in a release."""

from __future__ import annotations

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from sharewell.errors import DataError
from sharewell.keys import Key
from sharewell.notes import Notes, Plugged, Replace, Span
from sharewell.notes.data import WorkSettings
from sharewell.notes.detectors.plugged import LEFT_OUT
from sharewell.notes.engine.protection import worker_blocks

KEY = Key(b"a key of enough bytes for tests.")
TEXT = "Mr. Zorblatt was seen at 5 pm, took 3 tablets (25%) costing $20, second visit."
FOUND = {"Zorblatt": "PERSON", "5 pm": "TIME", r"\b3\b": "CARDINAL", "25%": "PERCENT", "second": "ORDINAL"}


def pipeline(text: str) -> SimpleNamespace:
    """As spaCy would."""
    found = [(one.span(), label) for form, label in FOUND.items() for one in re.finditer(form, text)]
    ents = [SimpleNamespace(start_char=start, end_char=end, label_=label) for (start, end), label in found]
    return SimpleNamespace(ents=ents)


def test_numbers_and_times_stay() -> None:
    assert [(span.kind, TEXT[span.start : span.end]) for span in Plugged.spacy(pipeline).find(TEXT)] == [
        ("NAME", "Zorblatt")
    ]


@pytest.mark.parametrize("label", sorted(LEFT_OUT))
def test_labels_that_identify_nobody_are_left_out(label: str) -> None:
    assert Plugged(lambda text: [(0, 4, label)]).find("some text") == []
    asked = Plugged(lambda text: [(0, 4, label)], labels={label.lower(): "OTHER"})
    assert [span.kind for span in asked.find("some text")] == ["OTHER"]


def test_a_label_that_is_listed_as_none_is_not_an_unknown_one() -> None:
    plugged = Plugged(lambda text: [(0, 4, "DATE"), (5, 9, "NEW")], labels={"DATE": None})
    assert plugged.find("some text") == [Span(5, 9, "OTHER", 0.75, "plugged-in recogniser")]


@pytest.mark.parametrize("label", ["B-PER", "I-PER", "E-PER", "S-PER", "PER", "per"])
def test_a_place_in_a_name_is_no_part_of_a_label(label: str) -> None:
    assert [span.kind for span in Plugged(lambda text: [(0, 4, label)], unknown=None).find("Anna")] == ["NAME"]


@pytest.mark.parametrize(
    "given",
    [
        {"entity": "B-PER", "score": 0.9, "word": "Zor", "start": None, "end": None},
        {"entity": "B-PER", "word": "Zor"},
        (4, "Zorblatt"),
        (4, "Zorblatt", "PERSON"),
        SimpleNamespace(text="Zorblatt"),
        "Zorblatt",
    ],
)
def test_a_finding_without_offsets_is_told_without_its_words(given: Any) -> None:
    with pytest.raises(DataError, match=r"model, finding 1 .*has no offsets — return start and end") as told:
        Plugged(lambda text: [given], name="model").find(TEXT)
    assert "Zor" not in str(told.value)


def test_a_kind_that_is_none() -> None:
    with pytest.raises(ValueError, match="become no kind"):
        Plugged(lambda text: [], labels={"XYZ": "PERSON"})


def test_a_recogniser_in_a_release() -> None:
    """Beside the shipped detectors, in one process however many are asked for."""
    note = "Then Zorblatt was seen 03/05/2016 at 5 pm, took 3 tablets."
    notes = Notes.of([note], ["p"], {})
    assert any("Zorblatt" in text for text in Replace(detectors=["dates"]).protect(notes, [], KEY).data.texts)
    for how in (Replace(also=[Plugged.spacy(pipeline)]), Replace(detectors=["dates"], also=[Plugged.spacy(pipeline)])):
        (text,) = how.protect(notes, [], KEY).data.texts
        assert "Zorblatt" not in text
        assert "03/05/2016" not in text
        assert "at 5 pm, took 3 tablets." in text


def test_one_process_does_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_blocks, "WORTH_PROCESSES", 1)
    notes = replace(Notes.of(["Then Zorblatt came.", "He is well."], ["p", "q"], {}), work=WorkSettings(processes=2))
    released = Replace(also=[Plugged.spacy(pipeline)]).protect(notes, [], KEY)
    assert "Zorblatt" not in " ".join(released.data.texts)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"detectors": [Plugged.spacy(pipeline)]}, "objects of your own: `also`"),
        ({"also": ["dates"]}, "wrap a recogniser in Plugged"),
        ({"also": [pipeline]}, "wrap a recogniser in Plugged"),
    ],
)
def test_what_is_no_detector_is_told(given: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        Replace(**given)


def test_what_goes_wrong_in_it_is_told_without_words() -> None:
    def broken(text: str) -> list[Any]:
        raise RuntimeError(text)

    with pytest.raises(DataError, match="1 could not be rewritten") as told:
        Replace(also=[Plugged(broken)]).protect(Notes.of(["Then Zorblatt came."], ["p"], {}), [], KEY)
    assert "Zorblatt" not in str(told.value)
