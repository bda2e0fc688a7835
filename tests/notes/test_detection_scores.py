"""Scores of detectors against notes that people marked."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.cli import main
from sharewell.errors import DataError
from sharewell.notes.detectors import Detectors
from sharewell.notes.detectors.plugged import Plugged
from sharewell.notes.engine.detection_scores import Scores, evaluate, gold_span
from sharewell.notes.engine.spans import Span, tokens


def write(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def row(text: str, *spans: tuple[str, str]) -> dict[str, Any]:
    """Spans by the piece of the text and its label."""
    marks = [{"start": text.index(p), "end": text.index(p) + len(p), "label": label, "text": p} for p, label in spans]
    return {"id": text[:3], "text": text, "spans": marks}


def finding(*pieces: tuple[str, str]) -> Detectors:
    """A detector that finds given pieces."""

    def find(text: str) -> list[tuple[int, int, str]]:
        return [(text.index(p), text.index(p) + len(p), kind) for p, kind in pieces if p in text]

    return Detectors((Plugged(find),))


def test_figures_by_hand(tmp_path: Path) -> None:
    """Seven gold tokens, of which five are found, and one word too many."""
    file = write(
        tmp_path / "a.jsonl",
        row("Anna Maria Smith came 03/05/2016 to stay", ("Anna Maria Smith", "NAME"), ("03/05/2016", "DATE")),
        row("MRN 1234567 is hers", ("1234567", "ID")),
    )
    found = evaluate(file, finding(("Anna", "NAME"), ("03/05/2016", "DATE"), ("1234567", "ID"), ("hers", "NAME")))[
        "phi"
    ]
    assert found == {
        "precision": round(5 / 6, 4),
        "recall": round(5 / 7, 4),
        "f2": round(5 * (5 / 6) * (5 / 7) / (4 * 5 / 6 + 5 / 7), 4),
        "full": round(2 / 3, 4),
        "clean": 1,
        "documents": 2,
        "by_label": {"DATE": 1.0, "ID": 1.0, "NAME": round(1 / 3, 4)},
    }


def test_part_of_a_token_is_a_hit(tmp_path: Path) -> None:
    file = write(tmp_path / "a.jsonl", row("seen by Anderson", ("Anderson", "NAME")))
    assert evaluate(file, finding(("Ander", "NAME")))["phi"]["recall"] == 1


def test_neutral_marks_do_not_count(tmp_path: Path) -> None:
    """A year, a country, an age below 90 and a title: found or not, the scores are the same."""
    gold = row(
        "Mr. X, 45, left Norway in 1998", ("Mr.", "TITLE"), ("45", "AGE"), ("Norway", "GPE"), ("1998", "DATE_TIME")
    )
    file = write(tmp_path / "a.jsonl", gold)
    for found in (finding(), finding(("Norway", "PLACE"), ("1998", "DATE"), ("45", "AGE"), ("Mr.", "NAME"))):
        told = evaluate(file, found)["phi"]
        assert (told["precision"], told["recall"], told["f2"], told["clean"]) == (1, 1, 1, 1)


@pytest.mark.parametrize(
    ("said", "label", "role"),
    [
        ("97", "AGE", "phi"),
        ("1998", "DATE", "neutral"),
        ("May 1998", "DATE", "phi"),
        ("Ohio", "GPE", "phi"),
        ("x", "NEW", "phi"),
    ],
)
def test_roles(said: str, label: str, role: str) -> None:
    assert gold_span(said, 0, len(said), label).role == role


def test_drugs_and_doses_by_overlap(tmp_path: Path) -> None:
    file = write(
        tmp_path / "a.jsonl", row("Lasix 20 mg and Zosyn", ("Lasix", "DRUG"), ("20 mg", "DOSE"), ("Zosyn", "DRUG"))
    )
    told = evaluate(file, finding(("Lasix 20", "DRUG"), ("mg and", "DOSE"), ("and Z", "DOSE")))
    assert "phi" not in told
    assert told["drug"] == {"precision": 1.0, "recall": 0.5}
    assert told["dose"]["recall"] == 1.0
    assert told["notes_per_cpu_second"] > 0


def test_nothing_marked_and_nothing_found_scores_one(tmp_path: Path) -> None:
    file = write(
        tmp_path / "a.jsonl", {"id": 1, "text": "all is well", "spans": []}, {"id": 2, "text": "", "spans": []}
    )
    told = evaluate(file, finding())
    assert told["phi"] == {
        "precision": 1.0, "recall": 1.0, "f2": 1.0, "full": 1.0, "clean": 2, "documents": 2, "by_label": {},
    }  # fmt: skip
    assert "drug" not in told
    assert "dose" not in told


@given(st.data())
def test_overlapping_gold_counts_each_token_once(data: st.DataObject) -> None:
    """Against sets of characters, by brute force."""
    text = data.draw(st.text("ab 1-", min_size=1, max_size=40))
    pair = st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).map(sorted)
    gold = [gold_span(text, a, b, "NAME") for a, b in data.draw(st.lists(pair, max_size=5))]
    found = [Span(a, b, "NAME", 1.0) for a, b in data.draw(st.lists(pair, max_size=5))]
    scores = Scores()
    scores.add(text, gold, found)
    places = [set(range(a, b)) for a, b in tokens(text)]
    marked = {c for mark in gold for c in range(mark.start, mark.end)}
    covered = {c for span in found for c in range(span.start, span.end)}
    assert scores.gold == sum(bool(place & marked) for place in places)
    assert scores.found == sum(bool(place & covered) for place in places)
    assert scores.right == sum(bool(place & marked and place & covered) for place in places)
    assert scores.clean == (scores.right == scores.gold)


@pytest.mark.parametrize(
    "line",
    [
        "not json",
        "[1]",
        '{"id": 1}',
        '{"text": 3, "spans": []}',
        '{"text": "secret", "spans": [{"start": 0, "end": 99, "label": "NAME"}]}',
        '{"text": "secret", "spans": [{"start": 0}]}',
        '{"text": "secret", "spans": [7]}',
    ],
)
def test_broken_lines_are_told_by_number_alone(tmp_path: Path, line: str) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text('{"text": "fine", "spans": []}\n' + line + "\n", encoding="utf-8")
    with pytest.raises(DataError, match="line 2") as told:
        evaluate(file, finding())
    assert "secret" not in str(told.value)


def test_empty_missing_and_binary_files(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("\n\n", encoding="utf-8")
    (tmp_path / "binary.jsonl").write_bytes(b"\xff\xfe\x00{")
    for name in ("empty.jsonl", "binary.jsonl", "missing.jsonl"):
        with pytest.raises(DataError, match=name):
            evaluate(tmp_path / name, finding())


def test_offsets_that_count_something_else_are_told(tmp_path: Path) -> None:
    """Bytes and UTF-16 units fit the text up to the first letter that takes two of them, and miss it from there on."""
    text = "Señora 😀 Delgado"
    right = {"start": 9, "end": 16, "label": "NAME", "text": "Delgado"}
    fine = {"id": 1, "text": text, "spans": [right, {"start": 0, "end": 6, "label": "NAME"}]}
    assert evaluate(write(tmp_path / "a.jsonl", fine), finding(("Delgado", "NAME")))["phi"]["documents"] == 1
    utf16 = {"id": 2, "text": text + ".", "spans": [right | {"start": 10, "end": 17}]}
    file = write(tmp_path / "b.jsonl", fine, utf16)
    with pytest.raises(
        DataError, match=r"b\.jsonl, line 2 and on — .* 1 of 3 spans .* — count offsets in char"
    ) as told:
        evaluate(file, finding())
    assert "Delgado" not in str(told.value)


def test_a_slip_and_tidy_words_are_no_other_way_to_count(tmp_path: Path) -> None:
    text = "Rosa\n Delgado, seen by Ann Lee"
    tidy = {"start": 0, "end": 13, "label": "NAME", "text": "Rosa Delgado"}
    rows = [{"id": at, "text": text, "spans": [tidy]} for at in range(30)]
    rows[7]["spans"] = [{"start": 15, "end": 22, "label": "NAME", "text": "Ann Lee"}]
    assert evaluate(write(tmp_path / "a.jsonl", *rows), finding())["phi"]["documents"] == 30


@pytest.mark.parametrize(
    ("label", "parts"), [("DRUG", {"drug"}), ("DOSE", {"dose"}), ("NAME", {"phi"}), ("TITLE", {"phi"}), (None, {"phi"})]
)
def test_parts_without_a_label_are_absent(tmp_path: Path, label: str | None, parts: set[str]) -> None:
    """A file of which every note is marked clean is scored on false alarms."""
    file = write(tmp_path / "a.jsonl", row("x marks it", *([("x", label)] if label else [])))
    assert evaluate(file, finding()).keys() - {"notes_per_cpu_second"} == parts


def test_a_damaged_archive_is_told(tmp_path: Path) -> None:
    whole = gzip.compress(b'{"text": "fine", "spans": []}\n' * 500)
    (tmp_path / "good.jsonl.gz").write_bytes(whole)
    assert evaluate(tmp_path / "good.jsonl.gz", finding())["phi"]["documents"] == 500
    flipped = whole[:12] + bytes(255 - one for one in whole[12:30]) + whole[30:]
    for damaged in (whole[:-20], flipped, whole[:-8] + b"12345678"):
        (tmp_path / "bad.jsonl.gz").write_bytes(damaged)
        with pytest.raises(DataError, match=r"bad\.jsonl\.gz — is a damaged gzip archive"):
            evaluate(tmp_path / "bad.jsonl.gz", finding())
    (tmp_path / "latin.jsonl.gz").write_bytes(gzip.compress('{"text": "é"}'.encode("latin-1")))
    with pytest.raises(DataError, match="is not text in UTF-8"):
        evaluate(tmp_path / "latin.jsonl.gz", finding())


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(
        tmp_path / "a.jsonl",
        row("Seen 03/05/2016, call 503-555-0142", ("03/05/2016", "DATE"), ("503-555-0142", "PHONE")),
    )
    assert main(["notes", "evaluate", str(file), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["phi"]["recall"] == 1
    assert told["phi"]["by_label"] == {"DATE": 1.0, "PHONE": 1.0}
    assert main(["notes", "evaluate", str(file)]) == 0
    assert "1 of 1 notes without a leak" in capsys.readouterr().out


def test_detect_tells_offsets_but_no_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path / "a.jsonl", {"id": "n1", "body": "Seen 03/05/2016"})
    assert main(["notes", "detect", str(file), "--text", "body", "--json"]) == 0
    out = capsys.readouterr().out
    told = json.loads(out)
    assert told["by_kind"] == {"DATE": 1}
    assert told["found"][0]["spans"][0]["start"] == 5
    assert "03/05" not in out
    spans = tmp_path / "spans.jsonl"
    assert main(["notes", "detect", str(file), "--text", "body", "--out", str(spans)]) == 0
    assert json.loads(spans.read_text())["spans"][0]["end"] == 15
    assert main(["notes", "detect", str(file), "--text", "body", "--out", str(spans)]) == DataError.exit_code
    assert main(["notes", "detect", str(file)]) == DataError.exit_code
    plain = tmp_path / "note.txt"
    plain.write_text("Seen 03/05/2016", encoding="utf-8")
    assert main(["notes", "detect", str(plain)]) == 0
    assert "03/05" not in capsys.readouterr().out
