"""German and Spanish files from end to end: detected, protected, released with criteria; a French note is withheld."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sharewell.cli import main

GERMAN = [
    "Herr Karl Brandhuber, geb. 03.05.1961, wohnhaft Lindenstraße 12, 50674 Köln, wurde am 3. März 2021 im Klinikum"
    " Tübingen aufgenommen. Die Ehefrau Gerda berichtet. Tel. 0221 / 478456, Versichertennummer A123456780.",
    "Herr Brandhuber war am Montag, 12. April 2021 bei Frau Dr. Trawin zur Kontrolle und ist wohlauf.",
]
SPANISH = [
    "D. Juan Tejarín Bravo, nacido el 5 de mayo de 1961, DNI 12345678Z, vive en C/ Mayor 5, 3º B, 28013 Madrid. Ingresa"
    " el 3 de marzo de 2024 en el Hospital Universitario Getafe. Su hija Lucía llama al 612 345 678.",
    "El Sr. Tejarín fue dado de alta el martes 9 de marzo de 2024 por la Dra. Etxarri y está estable.",
]
FRENCH = "Le patient Luc Moreau a été hospitalisé hier pour une douleur thoracique et il va mieux avec sa fille."
FILES = {
    "german": (GERMAN, {"name": "Karl Brandhuber", "birth_date": "1961-05-03", "number": "A123456780"}),
    "spanish": (SPANISH, {"name": "Juan Tejarín Bravo", "birth_date": "1961-05-05", "number": "12345678Z"}),
}
SECRETS = {
    "german": ("Brandhuber", "Gerda", "Trawin", "Lindenstraße", "Köln", "478456", "3. März 2021", "03.05.1961"),
    "spanish": ("Tejarín", "Bravo", "Lucía", "Etxarri", "Mayor", "Madrid", "612 345 678", "3 de marzo", "5 de mayo"),
}
KEPT = {"german": ("Die Ehefrau", "Straße", "zur Kontrolle"), "spanish": ("Su hija", "dado de alta", "Ingresa")}
POLICY = """
sharewell: 1
release: {{name: clinic, recipient: University X}}
secrets: {{key: "file:key"}}
datasets:
  notes:
    kind: notes
    read: {{jsonl: notes.jsonl}}
    columns: {{patient: subject, text: text}}
    require:
      - no-known-identifiers:
          people: {{csv: people.csv}}
          subject: patient
          names: [name]
          dates: [birth_date]
          ids: [number]
    using: {{replace: {{language: {language}}}}}
write: {{parquet: out}}
"""


@pytest.fixture(params=FILES)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def folder(tmp_path: Path, language: str) -> Path:
    texts, row = FILES[language]
    lines = (json.dumps({"patient": "p1", "text": text}) for text in (*texts, FRENCH))
    (tmp_path / "notes.jsonl").write_text("\n".join(lines), "utf-8")
    (tmp_path / "people.csv").write_text(f"patient,{','.join(row)}\np1,{','.join(row.values())}\n", "utf-8")
    (tmp_path / "key").write_bytes(bytes(range(64)).hex().encode())
    (tmp_path / "policy.yaml").write_text(POLICY.format(language=language), "utf-8")
    return tmp_path


def clean(texts: list[str], language: str) -> None:
    whole = "\n".join(texts)
    assert [secret for secret in SECRETS[language] if secret in whole] == []
    assert all(word.lower() in whole.lower() for word in KEPT[language])
    assert "Moreau" not in whole


def test_detect(folder: Path, language: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["notes", "detect", str(folder / "notes.jsonl"), "--language", language, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["by_kind"].keys() >= {"NAME", "DATE", "ADDRESS", "PLACE", "ORGANISATION", "PHONE", "ID"}
    assert main(["notes", "detect", str(folder / "notes.jsonl"), "--language", "germann"]) == 2
    assert "german" in capsys.readouterr().err


def test_protect(folder: Path, language: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = folder / "clean.jsonl"
    asked = [str(folder / "notes.jsonl"), "--out", str(out), "--subject", "patient", "--language", language]
    assert main(["notes", "protect", *asked, "--processes", "1", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["published"], answer["withheld"], answer["withheld notes"]) == (
        2,
        {"language": 1},
        {"language": [3]},
    )
    clean([json.loads(line)["text"] for line in out.read_text("utf-8").splitlines()], language)


def test_release(folder: Path, language: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["release", str(folder / "policy.yaml")]) == 0, capsys.readouterr()
    [certificate] = folder.rglob("certificate.json")
    assert main(["verify", str(certificate.parents[1]), "--with", str(folder)]) == 0
    import pyarrow.parquet as pq

    [published] = folder.rglob("public/notes.parquet")
    clean(pq.read_table(published)["text"].to_pylist(), language)


def test_several_languages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, out = tmp_path / "notes.csv", tmp_path / "clean.jsonl"
    english = "Rosa Delgado was seen on 3/5/2016 with her son and is doing well."
    file.write_text("text\n" + "\n".join(f'"{text}"' for text in (*GERMAN, *SPANISH, english, FRENCH)), "utf-8")
    languages = "english,german,spanish"
    assert main(["notes", "protect", str(file), "--out", str(out), "--language", languages, "--processes", "1"]) == 0
    assert "withheld 1 (language): note 6" in capsys.readouterr().out
    whole = out.read_text("utf-8")
    assert all(name not in whole for name in ("Delgado", "Brandhuber", "Tejarín", "Moreau"))


def test_what_reads_english_alone_judges_no_notes_in_another_language(
    folder: Path, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It would hold because it sees nothing."""
    policy = folder / "policy.yaml"
    policy.write_text(
        policy.read_text("utf-8").replace("    require:\n", "    require:\n      - safe-harbor\n"), "utf-8"
    )
    assert main(["plan", str(policy)]) == 2
    assert f"safe-harbor can judge English notes alone, and notes in {language} are let in" in capsys.readouterr().err
    assert main(["release", str(policy)]) == 2
    assert not (folder / "out" / "clinic").exists()


def test_a_text_beside_a_table_in_another_language_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = "".join(
        f'p{i},{60 + i % 3},"Herr Brandhuber ist {60 + i % 3} Jahre alt und kommt heute."\n' for i in range(12)
    )
    (tmp_path / "visits.csv").write_text(f"patient,age,remark\n{rows}", "utf-8")
    (tmp_path / "policy.yaml").write_text(
        "sharewell: 1\nrelease: {name: visits}\ndatasets:\n  visits:\n    kind: tables\n"
        "    read: {csv: visits.csv}\n    columns:\n      patient: subject\n      age: quasi\n"
        "      remark: {role: text, using: {replace: {language: german}}}\n"
        "    require: [k-anonymity: {k: 4}]\n    using: mondrian\nwrite: {csv: out}\n",
        "utf-8",
    )
    policy = tmp_path / "policy.yaml"
    for verb in ("check", "release"):
        assert main([verb, str(policy)]) == 2
        shown = capsys.readouterr()
        assert "text-agrees-with-table can judge English notes alone" in shown.out + shown.err
    policy.write_text(policy.read_text("utf-8").replace("german", "any"), "utf-8")
    assert main(["release", str(policy)]) == 4, "reading German as English does not make the judge understand it"
