"""Loading: a valid policy becomes typed records; every mistake is found at once, each at its line and column."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest
from policy_texts import VALID, refusal

from sharewell import registry
from sharewell.errors import DataError, PolicyError
from sharewell.io.sources import Source
from sharewell.io.yaml_positions import Document
from sharewell.policy import Policy, load
from sharewell.policy.mistakes import MistakeCollector
from sharewell.policy.model import Release, Secrets, Write
from sharewell.roles import Role
from sharewell.tables import KAnonymity, LDiversity, Linkage, Mondrian

Loaded = Callable[[str], Policy]


def test_a_valid_policy_becomes_typed_records(loaded: Loaded, tmp_path: Path) -> None:
    policy = loaded(VALID)
    patients = policy.datasets["patients"]
    assert policy.release == Release("demo-1", "University X", "non-public")
    assert policy.secrets == Secrets("env:SHAREWELL_KEY", "file:steward.key")
    assert policy.write == Write("csv", Path("out"))
    assert patients.read == Source(tmp_path / "patients.csv", "csv", missing=("NA", "-9", "007"))
    assert [named.built for named in patients.require] == [KAnonymity(5), LDiversity(2, "diagnosis")]
    assert patients.using.built == Mondrian(suppress=0.01)
    assert patients.attacks[0].built == Linkage(Source(tmp_path / "people.csv"))
    assert [patients.columns[name].role for name in ("patient_id", "admitted")] == [Role.SUBJECT, Role.SHIFT]
    assert (patients.columns["born"].type, patients.columns["born"].date_format) == ("date", "%d/%m/%Y")
    assert (patients.columns["admitted"].most_days, patients.publish) == (100, "within-class")


def test_the_hash_is_of_the_files_bytes(loaded: Loaded) -> None:
    assert loaded(VALID).sha256 != loaded(VALID + "\n").sha256


def test_auto_is_decided_and_recorded(loaded: Loaded) -> None:
    policy = loaded(VALID.replace("{mondrian: {suppress: 0.01}}", "auto"))
    using = policy.datasets["patients"].using
    assert using.name == "auto"
    assert {"mondrian", "k-member"} <= {one.name for one in using.built.candidates}
    assert len(policy.decisions) == 1
    assert policy.decisions[0].startswith("datasets.patients: using: auto chooses by criteria and data among ")


def test_a_missing_policy_is_a_data_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        load(tmp_path / "policy.yaml")


def test_a_policy_that_is_not_utf8_names_the_line(tmp_path: Path) -> None:
    (tmp_path / "policy.yaml").write_bytes(b"sharewell: 1\nrelease: {name: \xff}\n")
    with pytest.raises(PolicyError, match=r"policy\.yaml:2:1: not valid UTF-8"):
        load(tmp_path / "policy.yaml")


ONE_MISTAKE = [
    # (what is replaced, by what, line:column, part of the message)
    ("sharewell: 1\n", "", "1:1", "the key 'sharewell' is missing"),
    ("sharewell: 1\n", "sharewell: 2\n", "1:1", "another version"),
    ("sharewell: 1\n", "sharewell: true\n", "1:1", "another version"),
    ("name: demo-1, ", "", "2:1", "the key 'name' is missing"),
    ("name: demo-1", "name: ../up", "2:11", "usable as a folder name"),
    ("name: demo-1", "name: con", "2:11", "usable as a folder name"),
    ("name: demo-1", "name: 2026", "2:11", "name must be text — put it in quotes"),
    ("recipient:", "recipent:", "2:25", "did you mean 'recipient'?"),
    ("non-public", "non-publik", "2:50", "did you mean 'non-public'?"),
    ("write: {csv: out/}", "write: {cvs: out/}", "22:9", "unknown key 'cvs' — did you mean 'csv'?"),
    ("write: {csv: out/}", "write: {csv: a, parquet: b}", "22:1", "2 formats where one was expected"),
    ("write:", "profile: ema-policy-007\nwrite:", "22:1", "did you mean 'ema-policy-0070'?"),
    ("write:", "profile: ipc-ontario-2025\nwrite:", "22:1", "one of ipc-ontario-2025/low"),
    ("datasets:", "dataset:", "4:1", "did you mean 'datasets'?"),
    ("  patients:", "  pat/ients:", "5:3", "usable as a folder name"),
    ("kind: tables", "kind: images", "6:5", "there is no kind of data called 'images'"),
    ("kind: tables", "kind: table", "6:5", "did you mean 'tables'?"),
    ("read: {csv: patients.csv,", "read: {", "7:5", "names no file"),
    ("read: {csv:", "read: {parquet: b, csv:", "7:5", "names 2 files"),
    ("missing:", "missng:", "7:31", "did you mean 'missing'?"),
    ("missing:", "separator: ab, missing:", "7:31", "must be one character"),
    ("missing:", "encoding: utf-9, missing:", "7:31", "no encoding of this name"),
    ("read: {csv:", "read: {separator: ';', parquet:", "7:12", "for csv files only"),
    ("publish: within-class", "publish: dataset", "8:5", "needs a criterion of their trails, and none is required"),
    ("publish: within-class", "publish: within-clas", "8:5", "did you mean 'within-class'?"),
    ("publish: within-class", "link: true", "8:5", "one pseudonym across datasets needs a joint criterion"),
    ("publish: within-class", "rest: subject", "8:5", "rest cannot be subject"),
    ("name: drop", "name: subject", "11:7", "a second subject; the first is 'patient_id'"),
    ("name: drop", "name: dropp", "11:7", "did you mean 'drop'?"),
    ("name: drop", "name: {role: text, using: replce}", "11:26", "did you mean 'replace'?"),
    ("name: drop", "name: {role: text, known: {named: [sex]}}", "11:34", "no sort of identifier named 'named'"),
    ("name: drop", "name: {role: drop, using: replace}", "11:26", "using is for a column of text in a table"),
    ("name: drop", "name: [drop]", "11:7", "must be a role"),
    ("name: drop", "name: {hierarchy: date}", "11:7", "the key 'role' is missing"),
    ("type: number", "tipe: number", "12:26", "did you mean 'type'?"),
    ("type: number", "type: nummer", "12:26", "did you mean 'number'?"),
    ("type: number", "hierarchy: intervalls", "12:26", "did you mean 'intervals'?"),
    ("type: number", "most_days: 3", "12:26", "for the role shift only"),
    ("%d/%m/%Y", "%d/%m", "13:27", "a form with year, month and day"),
    ("type: number", "time: keep", "12:26", "for the role shift only"),
    ("most_days: 100", "time: minute", "14:31", "no way to treat times of day"),
    ("most_days: 100", "most_days: 0", "14:31", "most_days must be at least 1 and at most 3650, not 0"),
    ("most_days: 100", "hierarchy: date", "14:31", "no effect on the role shift"),
    ("most_days: 100", "type: number", "14:31", "only a date can be shifted"),
    ("diagnosis: sensitive", "diagnosis: keep", "18:29", "does not have the role sensitive"),
    ("k-anonymity:", "k-anonimity:", "17:9", "did you mean 'k-anonymity'?"),
    (
        "{k: 5}",
        "{k: 0}",
        "17:23",
        "datasets.patients.require[0].k-anonymity.k — k must be at least 1, not 0",
    ),
    ("{k: 5}", "{k: five}", "17:23", "k must be a whole number"),
    ("{k: 5}", "{k: 5.5}", "17:23", "k must be a whole number"),
    ("{k: 5}", "{k: true}", "17:23", "k must be a whole number"),
    ("{k: 5}", "{k: '5'}", "17:23", "take the quotes off"),
    ("{k: 5}", "{}", "17:9", "the parameter 'k' is missing"),
    ("{k: 5}", "{k: 5, kk: 6}", "17:29", "unknown parameter 'kk' — did you mean 'k'?"),
    ("{k: 5}", "{k: 5, unit: recrod}", "17:29", "did you mean 'record'?"),
    ("{k: 5}", "5", "17:9", "parameters must be a mapping"),
    ("k-anonymity: {k: 5}", "k-anonymity:\n        k: 5", "17:9", "indent the parameters below the name"),
    ("k-anonymity: {k: 5}", "[k-anonymity]", "17:9", "must be a name"),
    ("k-anonymity: {k: 5}", "l-diversity: {l: 2, column: diagnosis}", "18:9", "stands twice"),
    ("column: diagnosis", "column: diagnoses", "18:29", "did you mean 'diagnosis'?"),
    ("mondrian:", "mondrain:", "19:13", "did you mean 'mondrian'?"),
    (
        "suppress: 0.01",
        "suppress: 2",
        "19:24",
        "must be at least 0 and below 1, not 2.0 — the share of persons",
    ),
    ("suppress: 0.01", "suppress: .nan", "19:24", "suppress must be a number"),
    ("    using: {mondrian: {suppress: 0.01}}\n", "", "5:3", "the key 'using' is missing"),
    ("linkage:", "linkige:", "20:15", "did you mean 'linkage'?"),
    ("{population: {csv: people.csv}}", "{}", "20:15", "the parameter 'population' is missing"),
    ("{csv: people.csv}", "people.csv", "20:25", "must be a mapping such as {csv: people.csv}"),
    ("[ncp]", "[npc]", "21:15", "did you mean 'ncp'?"),
    ("[ncp]", "ncp", "21:5", "utility must be a list"),
    (
        "      name: drop\n",
        "      name: drop\n      name: keep\n",
        "12:7",
        "the key 'name' stands twice, first in line 11",
    ),
    ("patient_id: subject", "patient_id: drop", "8:5", "publish: within-class needs to know the person"),
    ("sharewell: 1\n", "sharewell: 1\nsharewell\n", "3:1", "not valid YAML"),
    ("    kind: tables", "\tkind: tables", "6:1", "indent with spaces"),
]


@pytest.mark.parametrize(
    ("old", "new", "place", "said"), ONE_MISTAKE, ids=[f"{n[:24]}-{s[:24]}" for _, n, _, s in ONE_MISTAKE]
)
def test_a_mistake_is_told_with_its_place(loaded: Loaded, old: str, new: str, place: str, said: str) -> None:
    assert old in VALID
    lines = str(refusal(loaded, VALID.replace(old, new, 1))).splitlines()
    assert [line for line in lines if said in line], lines
    found = next(line for line in lines if said in line)
    assert found.startswith(f"policy.yaml:{place}:"), found


def test_shift_without_a_subject_and_no_criterion_are_mistakes(loaded: Loaded) -> None:
    text = VALID.replace("patient_id: subject", "patient_id: drop").replace("    publish: within-class\n", "")
    with pytest.raises(
        PolicyError, match=r"13:7: datasets\.patients\.columns\.admitted — shift needs to know the person"
    ):
        loaded(text)
    bare = "\n".join(line for line in VALID.splitlines() if not line.startswith(("    require", "      - ")))
    with pytest.raises(PolicyError, match="nothing is required, and there is no profile"):
        loaded(bare)
    with pytest.raises(PolicyError, match="profile hipaa-expert-determination adds no criterion"):
        loaded(bare + "\nprofile: hipaa-expert-determination\n")


@pytest.mark.parametrize(
    "text", ["", "[]", "5", "datasets: {}", "datasets: []", "release:\ndatasets:\n", "- a\n- b", "--- a\n--- b"]
)
def test_whatever_the_file_holds_it_is_a_policy_error(loaded: Loaded, text: str) -> None:
    with pytest.raises(PolicyError):
        loaded(text)


def test_a_mechanism_that_cannot_make_a_criterion_hold_is_refused(
    loaded: Loaded, monkeypatch: pytest.MonkeyPatch
) -> None:
    for entry in registry.entries("tables", "mechanisms"):
        monkeypatch.setattr(entry.load(), "refuses", ("l-diversity",))
    with pytest.raises(PolicyError, match=r"18:9: .*'mondrian' cannot make 'l-diversity' hold"):
        loaded(VALID)
    with pytest.raises(PolicyError, match="no mechanism can make all of these hold"):
        loaded(VALID.replace("{mondrian: {suppress: 0.01}}", "auto"))


def test_all_mistakes_are_told_at_once_in_the_order_of_the_file(loaded: Loaded) -> None:
    swaps = [
        ("sharewell: 1", "sharewell: 3"),
        ("recipient", "recipent"),
        ("env:SHAREWELL_KEY", "plain-text-canary"),
        ("missing", "missin"),
        ("name: drop", "name: dorp"),
        ("k: 5", "k: 0"),
        ("mondrian", "mondrain"),
        ("linkage", "linkige"),
        ("[ncp]", "[npc]"),
    ]
    text = VALID
    for old, new in swaps:
        text = text.replace(old, new, 1)
    mistakes = refusal(loaded, text).mistakes
    assert [m.line for m in mistakes] == [1, 2, 3, 7, 11, 17, 19, 20, 21]


@dataclass(frozen=True)
class _Bounded:
    """A criterion to come: exact and inexact bounds."""

    exact: Fraction
    inexact: float = 0.5


@pytest.mark.parametrize(
    ("given", "fields", "wrong"),
    [
        ({"exact": "1/11", "inexact": "1/4"}, {"exact": Fraction(1, 11), "inexact": 0.25}, 0),
        ({"exact": 0.09, "inexact": 1}, {"exact": Fraction(9, 100), "inexact": 1.0}, 0),
        ({"exact": "1/0", "inexact": "a/b"}, {}, 2),
        ({"exact": True, "inexact": [1]}, {}, 2),
    ],
)
def test_bounds_may_be_fractions(given: dict[str, object], fields: dict[str, object], wrong: int) -> None:
    reading = MistakeCollector(Document(), Path())
    assert reading.fields(_Bounded, given, ()) == fields
    assert len(reading.mistakes) == wrong


def test_importing_the_policy_room_is_light() -> None:
    heavy = "[m for m in ('pydantic', 'ruamel.yaml', 'numpy', 'pyarrow') if m in sys.modules]"
    code = f"import sys, sharewell.policy; print({heavy})"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"
    )
