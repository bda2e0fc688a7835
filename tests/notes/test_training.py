"""Training on marked notes: generated ones, so that the truth is known."""

import json
import stat

import numpy as np
import pytest

from sharewell.cli import main
from sharewell.errors import DataError
from sharewell.hospital import Hospital
from sharewell.notes.annotation import modelfile
from sharewell.notes.annotation.features import features_of, gaps, segments
from sharewell.notes.annotation.marginals import Decoder
from sharewell.notes.annotation.modelfile import Model, read_model
from sharewell.notes.annotation.training import example, learn, svg, train
from sharewell.notes.detectors import Detectors
from sharewell.notes.detectors.learned import Learned
from sharewell.notes.engine.spans import Text

pytest.importorskip("pycrfsuite")


@pytest.fixture(scope="module")
def rows():
    hospital = Hospital(patients=12, seed=3)
    spans = {row["note_id"]: row["spans"] for block in hospital.blocks() for row in block.note_spans}
    notes = [note for block in hospital.blocks() for note in block.notes]
    return [{"id": n["note_id"], "text": n["body"], "spans": spans[n["note_id"]]} for n in notes[:28]]


@pytest.fixture(scope="module")
def marked(rows, tmp_path_factory):
    path = tmp_path_factory.mktemp("marked") / "marked.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


@pytest.fixture(scope="module")
def model(marked, tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "house.model"
    return path, train(marked, path)


def test_it_learns_the_notes_of_a_house(model):
    _, learnt = model
    assert learnt.sheet.measured["f2"] > 0.5
    assert "NAME" in learnt.sheet.kinds
    assert [point.notes for point in learnt.points] == sorted({point.notes for point in learnt.points})
    assert learnt.points[-1].with_rules["recall"] >= learnt.rules["recall"]
    assert "<svg" in svg(learnt)


def test_the_model_is_one_more_detector(model):
    path, _ = model
    text = "Patient: Rosa Delgado      MRN: 1234567"
    found = Detectors.of("names").find(text)
    both = Detectors((*Detectors.of("names").all, Learned(path))).find(text)
    assert {s.start for s in found} <= {s.start for s in both}
    assert Learned(path).find("") == []


def test_a_model_file_is_private_and_holds_no_rare_word(rows, model):
    path, _ = model
    told = path.read_text().lower()
    names = {s["text"].lower() for row in rows for s in row["spans"] if s["label"] in ("NAME", "ID", "SSN")}
    rare = {name for name in names if len(name) > 6 and " " not in name}
    assert rare
    assert not [name for name in rare if name in told]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    sheet = read_model(path).sheet
    assert sheet.notes > 0
    assert len(sheet.trained_on[0]) == 64


def test_words_of_few_notes_are_left_out():
    notes = [("the wobbly gait of Rosa Delgado", [(19, 31, "NAME")])] * 2 + [("gait normal", [])] * 3
    weights = learn(notes, least=3, c1=0.0).weights
    assert not [fact for fact in weights if fact.endswith(("word=wobbly", "front=wo", "back=bly"))]
    assert [fact for fact in weights if fact.endswith("word=gait")]


def test_the_same_notes_give_the_same_model(rows):
    notes = [(row["text"], [(s["start"], s["end"], "NAME") for s in row["spans"]]) for row in rows[:6]]
    assert learn(notes).to_bytes() == learn(notes).to_bytes()


def test_marginals_are_those_of_the_library(rows, monkeypatch):
    """What is computed with arrays is what python-crfsuite computes, but for weights that were rounded."""
    opened, kept = modelfile._opened, []
    monkeypatch.setattr(modelfile, "_opened", lambda path: kept.append(opened(path)) or kept[-1])
    notes = [(row["text"], [(s["start"], s["end"], s["label"]) for s in row["spans"]]) for row in rows[:12]]
    decoder = Decoder(learn(notes, least=1))
    text = Text.of(rows[-1]["text"])
    found, features = decoder.marginals(text), features_of(text)
    starts = segments(gaps(text))
    assert np.allclose(found.sum(axis=1), 1)
    for first, end in zip(starts, [*starts[1:], len(features)], strict=True):
        kept[0].set(features[first:end])
        theirs = [[kept[0].marginal(label, at) for label in decoder.model.labels] for at in range(end - first)]
        assert np.allclose(found[first:end], theirs, atol=0.02)


def test_labels_are_kinds():
    features, labels = example("Seen by Rosa Delgado today", [(8, 20, "NAME")])
    assert labels == ["O", "O", "NAME", "NAME", "O"]
    assert len(features) == 5
    assert features_of(Text.of("")) == []


def test_corrected_notes_replace_earlier_ones(rows, tmp_path):
    rows = rows[:14]
    first, second = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    first.write_text("\n".join(json.dumps(row | {"spans": []}) for row in rows))
    second.write_text("\n".join(map(json.dumps, rows)))
    with pytest.raises(DataError):
        train(first, tmp_path / "none")
    learnt = train([first, second], tmp_path / "model", whole=True)
    assert learnt.sheet.notes == len(rows)
    assert len(learnt.sheet.trained_on) == 2


@pytest.mark.parametrize("rows", [[], [{"id": "a", "text": "nothing", "spans": []}]])
def test_too_little_to_learn_from(tmp_path, rows):
    path = tmp_path / "few.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    with pytest.raises(DataError):
        train(path, tmp_path / "model")


@pytest.mark.parametrize("content", [b"nonsense", b"{}", b'{"sheet": 1}', b"\xff"])
def test_no_model(tmp_path, content):
    (tmp_path / "bad").write_bytes(content)
    with pytest.raises(DataError):
        Learned(tmp_path / "bad").find("text")


def test_a_model_of_another_version_is_refused(model, tmp_path):
    told = json.loads(model[0].read_text())
    told["sheet"]["features"] = 1
    with pytest.raises(DataError, match="another version"):
        Model.of_bytes(json.dumps(told).encode(), "old")


def test_a_model_with_the_card_of_an_earlier_version_is_read(model):
    told = json.loads(model[0].read_text())
    told["sheet"] |= {"rules": [], "calibration": []}
    assert Model.of_bytes(json.dumps(told).encode(), "old").sheet == read_model(model[0]).sheet


def test_command(rows, tmp_path, capsys):
    marked, model, curve = tmp_path / "marked.jsonl", tmp_path / "m", tmp_path / "curve.svg"
    marked.write_text("\n".join(map(json.dumps, rows[:14])))
    assert main(["notes", "train", str(marked), "--out", str(model), "--curve", str(curve), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert set(told) >= {"notes", "kinds", "measured", "curve", "rules", "trained_on", "written", "drawn"}
    assert curve.read_text().startswith("<svg")
    assert main(["notes", "train", str(marked), "--out", str(model)]) == 3
