"""Training on marked notes: generated ones, so that the truth is known."""

import json

import pytest

from sharewell.cli import main
from sharewell.errors import DataError
from sharewell.hospital import Hospital
from sharewell.notes.detectors import Detectors
from sharewell.notes.detectors.learned import Learned
from sharewell.notes.training import example, features_of, train

pytest.importorskip("pycrfsuite")


@pytest.fixture(scope="module")
def marked(tmp_path_factory):
    hospital = Hospital(patients=24, seed=3)
    spans = {row["note_id"]: row["spans"] for block in hospital.note_spans() for row in block}
    path = tmp_path_factory.mktemp("marked") / "marked.jsonl"
    lines = [
        json.dumps({"id": note["note_id"], "text": note["body"], "spans": spans[note["note_id"]]})
        for block in hospital.notes()
        for note in block
    ]
    path.write_text("\n".join(lines))
    return path


@pytest.fixture(scope="module")
def model(marked, tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "house.crf"
    return path, train(marked, path)


def test_it_learns_the_notes_of_a_house(model):
    _, learnt = model
    assert learnt.measured is not None
    assert learnt.measured["f2"] > 0.6
    assert "NAME" in learnt.kinds
    assert [notes for notes, _ in learnt.curve] == sorted(notes for notes, _ in learnt.curve)


def test_the_model_is_one_more_detector(model):
    path, _ = model
    text = "Patient: Rosa Delgado      MRN: 1234567"
    found = Detectors.of("names").find(text)
    both = Detectors((*Detectors.of("names").all, Learned(path))).find(text)
    assert {s.start for s in found} <= {s.start for s in both}
    assert Learned(path).find("") == []


def test_a_model_file_holds_no_rare_word(marked, model):
    path, _ = model
    told = path.read_bytes().lower()
    rows = [json.loads(line) for line in marked.read_text().splitlines()]
    names = {span["text"].lower() for row in rows for span in row["spans"] if span["label"] in ("NAME", "ID", "SSN")}
    rare = {name.encode() for name in names if len(name) > 6 and " " not in name}
    assert rare
    assert not [name for name in rare if name in told]


def test_labels_begin_and_go_on():
    features, labels = example("Seen by Rosa Delgado today", [(8, 20, "NAME")])
    assert labels == ["O", "O", "B-NAME", "I-NAME", "O"]
    assert len(features) == 5
    assert features_of(type("T", (), {"tokens": []})()) == []


@pytest.mark.parametrize("rows", [[], [{"id": "a", "text": "nothing", "spans": []}]])
def test_too_little_to_learn_from(tmp_path, rows):
    path = tmp_path / "few.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    with pytest.raises(DataError):
        train(path, tmp_path / "model")


def test_no_model(tmp_path):
    (tmp_path / "bad").write_bytes(b"nonsense")
    with pytest.raises(DataError):
        Learned(tmp_path / "bad").find("text")


def test_command(marked, tmp_path, capsys):
    assert main(["notes", "train", str(marked), "--out", str(tmp_path / "m"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert set(told) >= {"notes", "kinds", "measured", "curve", "written"}
    assert main(["notes", "train", str(marked), "--out", str(tmp_path / "m")]) == 3
