"""What would give people away sideways: odd spellings of their own row, days of the week, published hashes, paths."""

from __future__ import annotations

import re
from itertools import permutations
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sharewell.cli import main
from sharewell.errors import DataError
from sharewell.io.plain_files import sha256
from sharewell.io.sources import Source
from sharewell.io.writing import write_salted, write_table
from sharewell.keys import Key
from sharewell.notes import Known, NoKnownIdentifiers, Notes
from sharewell.notes.engine.checks.known_value_search import Search
from sharewell.notes.mechanisms.replace import Replace
from sharewell.notes.wing import NotesWing
from sharewell.pipeline.text_columns_check import _refuse_strangers
from sharewell.policy.model import ConfiguredAlgorithm
from sharewell.policy.redact import shown_parameters

KEY = Key(b"a key of enough bytes for tests..")
KNOWN = Known.of(
    names=["Rosa", "Delgado"],
    dates=["1961-03-05"],
    ids=["MRN-0041299", "078-05-1120"],
    places=["12 Elm Street, Cambridge, MA 02139"],
    phones=["(617) 253-1000"],
)
SEARCH = Search.of(KNOWN.values)
BEFORE = "The patient was seen today in the clinic for follow up of diabetes and is doing well: "


def published(text: str, **how: Any) -> str:
    notes = Notes.of([BEFORE + text], ["p1"], {"p1": KNOWN})
    released = Replace(**how).protect(notes, [NoKnownIdentifiers()], KEY).data
    return next(iter(released.texts)).removeprefix(BEFORE)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("rosadelgado", "NAME"),
        ("DelgadoRosa", "NAME"),
        ("user rdelgado", "NAME"),
        ("delgador", "NAME"),
        ("Delgado1961", "NAME"),
        ("1Delgado", "NAME"),
        ("Del-\ngado", "NAME"),
        ("Delga- \r\n  do", "NAME"),
        ("D.e.l.g.a.d.o", "NAME"),
        ("(R-o-s-a)", "NAME"),
        ("078 - 05 - 1120", "ID"),
        ("617 / 253 / 1000", "PHONE"),
        ("no 41299", "ID"),
        ("0041\u066299", "ID"),
        ("Elm Street", "PLACE"),
        ("12 Elm St", "PLACE"),
        ("from cambridge", "PLACE"),
    ],
)
def test_odd_spellings_of_the_row_are_judged_and_replaced(text: str, kind: str) -> None:
    assert kind in SEARCH.kinds(text)
    made = published(text + " was noted.")
    assert not SEARCH.kinds(made)
    assert re.sub(r"\W", "", text).lower() not in re.sub(r"\W", "", made).lower()


@pytest.mark.parametrize(
    "text",
    ["a rosacea", "Del-\nta", "r.o.s.e", "ma", "the street", "elm-\ntree", "delgad", "12 - 05", "A. B. C. D. E.", "99"],
)
def test_other_words_are_left_alone(text: str) -> None:
    assert not SEARCH.kinds(text)


@pytest.mark.parametrize(
    "text",
    ["Sun Mar 06 2016", "3/6/2016, Sun", "Sat 3/5/2016", "3/7/2016 (Mon)", "Thurs. 3/10/2016", "Sunday, March 6, 2016"],
)
def test_a_day_of_the_week_beside_a_date_moves_with_it(text: str) -> None:
    from datetime import date, datetime

    made = published(f"called on {text} again.")
    found = re.search(r"(\d+)/(\d+)/(\d{4})", made)
    if found:
        moved = date(int(found[3]), int(found[1]), int(found[2]))
    else:
        words = re.search(r"([A-Z][a-z]{2})[a-z]* (\d+),? (\d{4})", made)
        assert words
        moved = datetime.strptime(" ".join(words.groups()), "%b %d %Y").date()
    assert moved.strftime("%a") in made


def test_a_model_is_told_by_its_hash(tmp_path: Path) -> None:
    file = tmp_path / "secret-ward.model"
    file.write_text("{}")
    source = Source(file, "jsonl")
    told = shown_parameters(ConfiguredAlgorithm("replace", {"model": source}, Replace(model=source)))
    assert told["model"]["sha256"] == sha256(file)
    assert "secret-ward" not in str(told)
    assert Replace(model=f"file:{file}").model == source  # type: ignore[arg-type]


def test_the_published_hash_of_evidence_cannot_be_guessed(tmp_path: Path) -> None:
    people = ["p1", "p2", "p3"]
    write_salted(tmp_path / "one", pa.table({"person": people}), KEY.digest("evidence", "notes"))
    for guess in permutations(people):
        write_table(tmp_path / "guess", pa.table({"person": list(guess)}), "parquet")
        assert sha256(tmp_path / "guess") != sha256(tmp_path / "one")
    write_salted(tmp_path / "again", pa.table({"person": people}), KEY.digest("evidence", "notes"))
    assert sha256(tmp_path / "again") == sha256(tmp_path / "one")
    assert pq.read_table(tmp_path / "one").to_pydict() == {"person": people}
    write_salted(tmp_path / "none", pa.table({"person": pa.array([], pa.string())}), b"salt")
    assert pq.read_table(tmp_path / "none").num_rows == 0


def test_evidence_of_texts_names_people_of_the_table_only() -> None:
    judge = NoKnownIdentifiers(Source.of(pa.table({"id": ["p1", "p2"], "name": ["A", "B"]})), "id", names=("name",))
    _refuse_strangers(judge, ["p2", "p1", "p1"])
    for strangers in (["p1", None], ["zz"]):
        with pytest.raises(DataError, match="does not list"):
            _refuse_strangers(judge, strangers)


def test_columns_kept_beside_notes_are_cautioned_about() -> None:
    roles = {"text": "text", "date": "keep", "seen": "keep", "last_name": "keep", "ward": "keep", "when": "shift"}
    cells = {"date": ["x"], "seen": ["2016-03-05"], "last_name": ["x"], "ward": ["w1"], "when": ["2016-03-05"]}
    notes = Notes(("A note.",), ("p1",), beside=pa.table(cells), facts={n: {"role": r} for n, r in roles.items()})
    told = NotesWing().cautions(notes)
    assert [caution.partition(":")[0] for caution in told] == ["date", "seen", "last_name"]


def test_a_name_with_particles_is_found_as_one_word() -> None:
    search = Search.of([("NAME", "Jan van der Berg")])
    assert all(search.kinds(text) for text in ("vanderberg", "VanDerBerg", "JanVanDerBerg@example.org"))
    assert not search.kinds("van der, the vander derby")


@pytest.mark.parametrize("verb", ["tag", "detect"])
def test_a_failed_verb_leaves_no_file(verb: str, tmp_path: Path) -> None:
    notes, out = tmp_path / "notes.jsonl", tmp_path / "out.jsonl"
    notes.write_text('{"id": "1", "text": "Seen today."}\n{"id": "2"}\n')
    assert main(["notes", verb, str(notes), "--out", str(out)]) == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notes.jsonl"]
    notes.write_text('{"id": "1", "text": "Seen today."}\n')
    assert main(["notes", verb, str(notes), "--out", str(out)]) == 0
    assert out.is_file()
