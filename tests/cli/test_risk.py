"""`sharewell risk`: one line says whether a file is anonymous, and tells no value."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

from sharewell.cli import main


@pytest.fixture
def patients(tmp_path: Path) -> Path:
    rows = 60
    frame = pa.table(
        {
            "patient_id": [f"P{i:04}" for i in range(rows)],
            "name": [f"Given{i} Family{i}" for i in range(rows)],
            "age": [str(20 + i % 3) for i in range(rows)],
            "sex": ["female" if i % 2 else "male" for i in range(rows)],
            "diagnosis": [("influenza", "pneumonia", "appendicitis")[i // 2 % 3] for i in range(rows)],
        }
    )
    pa.csv.write_csv(frame, tmp_path / "patients.csv")
    pa.parquet.write_table(frame, tmp_path / "patients.parquet")
    pa.csv.write_csv(frame.drop_columns(["name"]), tmp_path / "clean.csv")
    return tmp_path


def values(path: Path) -> set[str]:
    frame = pa.csv.read_csv(path)
    found = {str(value) for name in frame.column_names for value in frame[name].to_pylist()}
    return {value for value in found if len(value) >= 4 and not value.isdigit()}


NAMED = ["--quasi", "age,sex", "--sensitive", "diagnosis", "--subject", "patient_id"]


def test_yes_and_no(patients: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(patients / "patients.csv")
    assert main(["risk", file, *NAMED, "--k", "10"]) == 0
    shown = capsys.readouterr().out
    assert "answer: yes — every class has 10 persons or more" in shown
    assert "caution    name" in shown
    assert main(["risk", file, *NAMED, "--k", "11"]) == 1
    shown = capsys.readouterr().out
    assert "answer: no — 60 persons in classes of fewer than 11" in shown
    assert "█" in shown
    assert not [value for value in values(patients / "patients.csv") if value in shown]


def test_roles_are_guessed_and_that_is_said(patients: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["risk", str(patients / "patients.csv"), "--k", "2"]) == 1
    shown = capsys.readouterr().out
    assert "roles were guessed" in shown
    assert "must go    name" in shown
    assert "answer: no — 1 column(s) must go" in shown
    assert main(["risk", str(patients / "clean.csv"), "--k", "2"]) == 0
    assert "quasi      age, sex" in capsys.readouterr().out


def test_json_says_the_same(patients: Path, capsys: pytest.CaptureFixture[str]) -> None:
    codes = [main(["risk", str(patients / name), *NAMED, "--json"]) for name in ("patients.csv", "patients.parquet")]
    assert codes == [1, 1]
    text = capsys.readouterr().out
    first, second = text[: text.index("}\n{") + 1], text[text.index("}\n{") + 2 :]
    found = json.loads(first)
    assert found == json.loads(second)
    assert (found["anonymous"], found["smallest"], found["below"], found["unique"]) == (False, 10, 60, 0)
    assert {one["column"] for one in found["columns"]["columns"]} == {"age", "sex"}
    assert found["inference"][0]["column"] == "diagnosis"
    assert not [value for value in values(patients / "patients.csv") if value in text]


def test_a_population_adds_the_journalist(patients: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listed = str(patients / "clean.csv")
    assert main(["risk", listed, *NAMED, "--k", "10", "--population", listed]) == 0
    assert "journalist" in capsys.readouterr().out


def test_a_release_is_read_by_its_dictionary(patients: Path, capsys: pytest.CaptureFixture[str]) -> None:
    policy = """\
sharewell: 1
release: {name: r}
datasets:
  patients:
    kind: tables
    read: {csv: clean.csv}
    columns: {patient_id: subject, age: quasi, sex: quasi, diagnosis: sensitive}
    require: [k-anonymity: {k: 12}]
    using: mondrian
    attacks:
      - uniqueness
      - multi-record-linkage: {pseudonyms: true}
      - background-knowledge: {rules: [{when: {sex: male}, never: [pneumonia]}], known: {csv: clean.csv}}
      - composition: {other: {csv: clean.csv}, earlier: true}
write: {csv: out}
"""
    (patients / "policy.yaml").write_text(policy)
    assert main(["release", str(patients / "policy.yaml")]) == 0
    public = next((patients / "out" / "r" / "public").glob("patients*.csv"))
    capsys.readouterr()
    assert main(["risk", str(public), "--published", "--k", "12"]) == 0
    shown = capsys.readouterr().out
    assert "quasi      age, sex" in shown
    assert "guessed from" not in shown
    assert main(["risk", str(public), "--published", "--quasi", "age,sex", "--k", "13"]) in (0, 1)
    dossier = (patients / "out" / "r" / "internal" / "dossier.html").read_text()
    for title in ("Uniqueness: alone", "Linkage by the number", "Background knowledge:", "Composition with another"):
        assert title in dossier


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (["--quasi", "aeg"], 3),
        (["--quasi", "age", "--sensitive", "age"], 2),
        (["--population", "nowhere.csv"], 3),
    ],
)
def test_mistakes_have_their_codes(patients: Path, argv: list[str], code: int) -> None:
    assert main(["risk", str(patients / "clean.csv"), *argv]) == code


def test_no_file_and_no_records(patients: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["risk", str(patients / "nowhere.csv")]) == 3
    (patients / "empty.csv").write_text("age,sex\n")
    assert main(["risk", str(patients / "empty.csv")]) == 1
    assert "answer: undecided" in capsys.readouterr().out
    with pytest.raises(SystemExit) as stopped:
        main(["risk", str(patients / "empty.csv"), "--k", "0"])
    assert stopped.value.code == 2


@pytest.mark.parametrize(
    "content",
    [
        "patient_id\n",
        "patient_id\na\nb\n",
        "patient_id,age,illness\n",
        "patient_id\n\n\n",
        "age",
        "patient_id,age\n,3\n,4\n",
    ],
    ids=["only the head of an id", "only an id", "only a head", "an id of nobody", "one word", "nobody's ages"],
)
@pytest.mark.parametrize("options", [[], ["--json"], ["--sensitive", "illness"], ["--subject", "patient_id"]], ids=str)
def test_a_file_with_little_in_it_has_an_answer_or_an_error(tmp_path: Path, content: str, options: list[str]) -> None:
    (tmp_path / "little.csv").write_text(content)
    assert main(["risk", str(tmp_path / "little.csv"), *options]) in (1, 3)


def test_a_file_without_columns_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pa.parquet.write_table(pa.table({}), tmp_path / "none.parquet")
    assert main(["risk", str(tmp_path / "none.parquet")]) == 3
    assert "has no columns" in capsys.readouterr().err
    pa.parquet.write_table(pa.table({"patient_id": pa.nulls(3)}), tmp_path / "nobody.parquet")
    assert main(["risk", str(tmp_path / "nobody.parquet"), "--subject", "patient_id"]) == 1


def test_a_population_that_nobody_fits_decides_nothing(patients: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (patients / "others.csv").write_text("age,sex\n99,female\n99,female\n")
    argv = ["risk", str(patients / "clean.csv"), "--quasi", "age,sex", "--population", str(patients / "others.csv")]
    assert main(argv) in (0, 1)
    shown = capsys.readouterr().out
    assert "undecided: no record fits anybody on the list" in shown
    assert "population the list names no persons, so that each of its rows counts as one" in shown


def test_help_starts_at_once() -> None:
    """Nothing heavy is imported before there is something to compute."""
    code = (
        "import sys; from sharewell.cli import parser; parser('risk'); print({'numpy', 'pyarrow'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_a_file_without_a_header_is_refused_and_shows_no_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [f"CANARY{i};12.03.19{50 + i};F;0213{i}" for i in range(9)]
    (tmp_path / "people.csv").write_text("\n".join(rows) + "\n")
    assert main(["risk", str(tmp_path / "people.csv"), "--quasi", "F"]) == 3
    told = "".join(capsys.readouterr())
    assert "has no header line" in told
    assert "CANARY" not in told
