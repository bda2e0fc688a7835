"""Codes through a policy: every shape of file, one set a person, and a verifier that trusts the files alone."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.cli import main
from sharewell.codes.engine.labels import read_record, read_sequence, write_record, write_sequence
from sharewell.errors import DataError, Infeasible, PolicyError, VerificationFailed
from sharewell.pipeline.compare import compare_policy
from sharewell.pipeline.plan import plan
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.policy import check

PATIENTS = [["401.1", "250.00"], ["401.1", "250.00"], ["401.1", "250.01"], ["401.9", "250.00"], ["401.9"], []] * 3
POLICY = """\
sharewell: 1
release: {name: r}
secrets: {key: env:TEST_CODES_KEY}
datasets:
  diagnoses:
    kind: codes
    read: {csv: dx.csv}
    columns: {who: subject, visit: drop, code: {role: quasi, hierarchy: icd9cm}}
    visit: visit
    require: [km-anonymity: {k: 3, m: 2}]
    using: apriori
write: {csv: out}
"""

Written = Callable[..., Path]


@pytest.fixture(autouse=True)
def secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_CODES_KEY", "an example secret, long enough")


@pytest.fixture
def written(tmp_path: Path) -> Written:
    """A policy with its file beside it: one code a row unless told otherwise."""

    def write(*changes: tuple[str, str], rows: list[list[str]] | None = None, header: str = "who,visit,code") -> Path:
        text = POLICY
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        (tmp_path / "policy.yaml").write_text(text)
        with (tmp_path / "dx.csv").open("w", newline="") as file:
            csv.writer(file).writerows([header.split(","), *(long_rows() if rows is None else rows)])
        return tmp_path / "policy.yaml"

    return write


def long_rows(patients: list[list[str]] = PATIENTS) -> list[list[str]]:
    rows = [[f"p{i}", f"v{i}.{j // 2}", code] for i, codes in enumerate(patients) for j, code in enumerate(codes)]
    return rows + [[f"p{i}", "", ""] for i, codes in enumerate(patients) if not codes]


def published(policy: Path) -> list[list[str]]:
    """The records of the public file, in its order."""
    with (policy.parent / "out" / "r" / "public" / "diagnoses.csv").open() as file:
        return [read_record(row[0]) for row in list(csv.reader(file))[1:]]


def test_one_set_a_person_is_published_and_verified(written: Written) -> None:
    policy = written()
    done = release(check(policy))
    (found,) = verify(done.directory).raise_if_failed().findings["diagnoses"]
    assert found.ok
    assert found.tier == "steward"
    assert found.value >= 3
    records = published(policy)
    assert len(records) == len(PATIENTS)
    assert records.count([]) == 3
    certificate = json.loads((done.directory / "public" / "certificate.json").read_text())
    assert certificate["datasets"]["diagnoses"]["unit"] == "persons"
    assert "p0" not in (done.directory / "public" / "diagnoses.csv").read_text()


def test_codes_that_stay_as_they_are_are_not_called_coarsened(written: Written) -> None:
    """The dossier tells by this share whether a column was coarsened or is unchanged."""
    for k, share in (("1", 1.0), ("7", 0.0)):
        policy = check(written(("k: 3", f"k: {k}"), ("name: r", f"name: r{k}")))
        release(policy)
        findings = json.loads((policy.path.parent / "out" / f"r{k}" / "internal" / "findings.json").read_text())
        exact = findings["datasets"]["diagnoses"]["columns"]["code"]["exact_share"]
        assert (exact == 1.0) == (share == 1.0)
    told = (policy.path.parent / "out" / "r1" / "internal" / "dossier.html").read_text()
    assert "Unchanged, though an attacker may know them" in told
    assert "Coarsened" not in told


def test_codes_that_were_left_out_are_not_called_unchanged(written: Written) -> None:
    """All labels that are shown are exact, and yet the first page must say that some are gone."""
    policy = check(written(("using: apriori", "using: local-suppression"), ("k: 3", "k: 4"), ("name: r", "name: gone")))
    release(policy)
    told = (policy.path.parent / "out" / "gone" / "internal" / "dossier.html").read_text()
    findings = json.loads((policy.path.parent / "out" / "gone" / "internal" / "findings.json").read_text())
    assert findings["datasets"]["diagnoses"]["columns"]["code"]["exact_share"] == 1
    assert findings["datasets"]["diagnoses"]["mechanism"]["details"]["deleted"] > 0
    assert "Left out of some records" in told
    assert "Unchanged, though" not in told


def test_the_order_of_rows_does_not_show(written: Written, tmp_path: Path) -> None:
    rows = long_rows()
    first = release(check(written())).directory / "public"
    before = {path.name: path.read_bytes() for path in first.iterdir()}
    (tmp_path / "out").rename(tmp_path / "kept")
    random.Random(4).shuffle(rows)
    second = release(check(written(rows=rows))).directory / "public"
    assert {path.name: path.read_bytes() for path in second.iterdir()} == before


def test_a_list_in_a_cell_a_column_a_place_and_a_code_a_row_say_the_same(written: Written, tmp_path: Path) -> None:
    long = written()
    release(check(long))
    expected = published(long)
    (tmp_path / "out").rename(tmp_path / "first")
    columns = "{who: subject, visit: drop, code: {role: quasi, hierarchy: icd9cm}}"
    listed = written(
        (columns, '{who: subject, code: {role: quasi, hierarchy: icd9cm, separator: ";"}}'),
        ("    visit: visit\n", ""),
        rows=[[f"p{i}", "; ".join(codes)] for i, codes in enumerate(PATIENTS)],
        header="who,code",
    )
    release(check(listed))
    assert published(listed) == expected
    (tmp_path / "out").rename(tmp_path / "second")
    tree = "{role: quasi, hierarchy: icd9cm}"
    wide = written(
        (columns, f"{{who: subject, dx1: {tree}, dx2: {tree}}}"),
        ("    visit: visit\n", ""),
        rows=[[f"p{i}", *([*codes, "", ""])[:2]] for i, codes in enumerate(PATIENTS)],
        header="who,dx1,dx2",
    )
    done = release(check(wide))
    assert published(wide) == expected
    assert verify(done.directory).ok
    assert json.loads((done.directory / "public" / "dictionary.json").read_text())["diagnoses"]["codes"]["of"] == [
        "dx1",
        "dx2",
    ]


def test_lists_of_a_parquet_file_are_read_as_they_are(written: Written, tmp_path: Path) -> None:
    policy = written(
        ("{csv: dx.csv}", "{parquet: dx.parquet}"), ("visit: drop, ", ""), ("    visit: visit\n", ""), rows=[]
    )
    table = pa.table({"who": [f"p{i}" for i in range(len(PATIENTS))], "code": pa.array(PATIENTS)})
    pq.write_table(table, tmp_path / "dx.parquet")
    assert verify(release(check(policy)).directory).ok
    assert len(published(policy)) == len(PATIENTS)


def test_visits_are_published_only_by_the_word(written: Written) -> None:
    rows = [row for row in long_rows() if row[2]]
    policy = written(("    visit: visit\n", "    visit: visit\n    unit: visit\n"), rows=rows)
    done = release(check(policy))
    certificate = json.loads((done.directory / "public" / "certificate.json").read_text())
    assert certificate["datasets"]["diagnoses"]["unit"] == "visits"
    assert verify(done.directory).ok


def test_two_classifications_in_one_column_are_refused_with_counts(written: Written) -> None:
    rows = [*long_rows(), ["p1", "v", "I10"], ["p2", "v", "E11.9"]]
    with pytest.raises(DataError, match="2 of 6 different codes are not of icd9cm but of icd10cm"):
        release(check(written(rows=rows)))


def test_a_system_column_keeps_two_classifications_apart(written: Written) -> None:
    rows = [[*row, "9"] for row in long_rows()] + [[f"p{i}", "v", "I10", "10"] for i in range(18)]
    policy = written(
        ("code: {role: quasi, hierarchy: icd9cm}", "sys: drop, code: {role: quasi, hierarchy: TREES}"),
        ("TREES", '{systems: {"9": icd9cm, "10": icd10cm}}'),
        ("    visit: visit\n", "    visit: visit\n    system: sys\n"),
        rows=rows,
        header="who,visit,code,sys",
    )
    done = release(check(policy))
    assert verify(done.directory).ok
    shown = {label for record in published(policy) for label in record}
    assert any(label.startswith("10") for label in shown)
    assert any(label.startswith("9") for label in shown)


MISTAKES = [
    ("visit: visit\n", "visit: vist\n", "no column 'vist' in `columns` — did you mean 'visit'"),
    ("visit: drop", "visit: keep", "cannot be keep"),
    ("visit: drop", "visit: sensitive", "cannot be sensitive"),
    ("    using:", "    publish: within-class\n    using:", "without a pseudonym"),
    ("    using:", "    link: true\n    using:", "needs a joint criterion"),
    ("    using:", "    map: true\n    using:", "without a pseudonym"),
    ("    visit: visit\n", "    unit: visit\n", "unit: visit needs to know the visits"),
    ("code: {role: quasi, hierarchy: icd9cm}", "code: drop", "no column holds codes"),
    ("using: apriori", "using: mondrian", "no mechanisms named 'mondrian' for codes"),
    ("require: [km-anonymity: {k: 3, m: 2}]", "require: [km-anonymity: {k: 0}]", "k must be at least 1, not 0"),
    ("    using:", "    demographics: {csv: dx.csv}\n    using:", "demographics are for kind joint"),
    ("hierarchy: icd9cm", "hierarchy: icd9cm, style: set", "codes are published as labels"),
]


@pytest.mark.parametrize(("old", "new", "said"), MISTAKES, ids=[said[:30] for _, _, said in MISTAKES])
def test_a_mistake_is_told(written: Written, old: str, new: str, said: str) -> None:
    with pytest.raises(PolicyError, match=said.replace("(", r"\(")):
        check(written((old, new)))


def test_keys_of_codes_are_for_codes(written: Written) -> None:
    text = written().read_text().replace("kind: codes", "kind: tables").replace("km-anonymity: {k: 3, m: 2}", "x")
    path = written()
    path.write_text(text)
    with pytest.raises(PolicyError, match="visit is for datasets of codes"):
        check(path)


def test_a_policy_in_a_file_is_told_by_its_hash_alone(written: Written, tmp_path: Path) -> None:
    (tmp_path / "privacy.csv").write_text("# pairs\n401.1 250.01\n")
    policy = written(
        ("require: [km-anonymity: {k: 3, m: 2}]", "require: [privacy-policy: {k: 3, file: {csv: privacy.csv}}]"),
        ("using: apriori", "using: pcta"),
    )
    done = release(check(policy))
    text = (done.directory / "public" / "certificate.json").read_text()
    embedded = json.loads(text)["policy"]["redacted"]["datasets"]["diagnoses"]["require"][0]["parameters"]
    assert embedded["itemsets"] == []
    assert set(embedded["file"]) == {"salted_sha256"}
    stranger = verify(done.directory / "public")
    assert stranger.ok
    assert [f.tier for f in stranger.findings["diagnoses"]] == ["attested"]
    steward = verify(done.directory, with_=tmp_path)
    assert steward.ok
    assert [f.tier for f in steward.findings["diagnoses"]] == ["steward"]


def test_what_a_dictionary_says_of_a_label_must_lie_below_it(written: Written) -> None:
    done = release(check(written(("k: 3", "k: 7"))))
    public = done.directory / "public"
    dictionary = json.loads((public / "dictionary.json").read_text())
    labels = dictionary["diagnoses"]["code"]["labels"]
    node = next(label for label, facts in labels.items() if "codes" in facts)
    labels[node]["codes"].append("V22.1")
    forge(public, dictionary)
    with pytest.raises(VerificationFailed, match="codes that do not lie below it"):
        verify(done.directory).raise_if_failed()


def forge(public: Path, dictionary: dict[str, Any]) -> None:
    """Rewrite the dictionary and every hash that covers it, as whoever forges would."""
    from sharewell.io.plain_files import sha256
    from sharewell.pipeline.certificate import write_sums

    certificate = json.loads((public / "certificate.json").read_text())
    for name, columns in dictionary.items():
        certificate["datasets"][name]["columns"] = columns
    (public / "dictionary.json").write_text(json.dumps(dictionary))
    certificate["files"]["dictionary.json"] = sha256(public / "dictionary.json")
    (public / "certificate.json").write_text(json.dumps(certificate))
    write_sums(public)


def test_a_record_taken_out_is_noticed(written: Written) -> None:
    done = release(check(written()))
    path = done.directory / "public" / "diagnoses.csv"
    path.write_text("\n".join(path.read_text().splitlines()[:-1]) + "\n")
    assert not verify(done.directory).ok


def test_one_person_with_two_records_is_no_evidence(written: Written) -> None:
    done = release(check(written()))
    path = done.directory / "internal" / "persons" / "diagnoses.parquet"
    people = pq.read_table(path)["person"].to_pylist()
    assert len(set(people)) == len(people) == len(PATIENTS)
    assert not any(person.startswith("p") and person[1:].isdigit() for person in people)


def test_too_few_people_are_refused_with_what_would_help(written: Written) -> None:
    with pytest.raises(Infeasible, match="k = 2"):
        release(check(written(rows=long_rows([["401.1"], ["401.1"]]))))


@pytest.mark.parametrize("rows", [[], [["p1", "v", ""]]], ids=["no row", "no code"])
def test_nothing_to_publish_is_refused_or_defined(written: Written, rows: list[list[str]]) -> None:
    policy = written(rows=rows)
    try:
        done = release(check(policy))
    except (Infeasible, DataError, VerificationFailed):
        assert not (policy.parent / "out" / "r").exists()
    else:
        assert verify(done.directory).ok


def test_a_patient_with_five_hundred_codes_and_codes_of_nowhere(written: Written) -> None:
    many = [["p0", "v", f"{100 + i // 2}.{i % 2}"] for i in range(500)]
    odd = [[f"p{i}", "v", code] for i in range(4) for code in ("not a code", "x,y", "(z)", "a b", "a b")]
    policy = written(rows=[*long_rows(), *many, *odd])
    assert verify(release(check(policy)).directory).ok
    assert len(published(policy)) == len(PATIENTS)


def test_rows_of_nobody_are_refused(written: Written) -> None:
    with pytest.raises(DataError, match=r"1 row.s. belong to nobody"):
        release(check(written(rows=[*long_rows(), ["", "v", "401.1"]])))


def test_a_plan_says_what_was_understood(written: Written) -> None:
    (told,) = plan(check(written())).values()
    assert told.size["rows"] == told.size["persons"] == len(PATIENTS)
    assert told.columns["code"]["distinct"] == 4
    assert told.outcome.feasible
    assert [risk.name for risk in told.risks] == ["km-anonymity", "code-linkage"]


LABELS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1, max_size=6).filter(
    lambda text: text.strip() == text
)


@settings(max_examples=200, deadline=None)
@given(st.lists(LABELS, max_size=5))
def test_a_record_is_read_as_it_was_written(labels: list[str]) -> None:
    assert read_record(write_record(labels)) == labels


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(LABELS, min_size=1, max_size=3), max_size=4))
def test_a_sequence_is_read_as_it_was_written(visits: list[list[str]]) -> None:
    assert read_sequence(write_sequence(visits)) == visits


def test_what_identifies_is_extracted_and_protected(written: Written, tmp_path: Path) -> None:
    policy = written(
        ("require: [km-anonymity: {k: 3, m: 2}]", "require: [privacy-policy: {k: 4, file: {csv: privacy.csv}}]"),
        ("using: apriori", "using: pcta"),
    )
    asked = ["extract", "privacy", str(tmp_path / "dx.csv"), "--subject", "who", "--code", "code", "--visit", "visit"]
    asked += ["--k", "4", "--knowing", "visit", "--out", str(tmp_path / "privacy.csv")]
    assert main(asked) == 0
    assert (tmp_path / "privacy.csv").read_text().splitlines()[1:] == ["250.00 401.9", "250.01 401.1"]
    assert verify(release(check(policy)).directory, with_=tmp_path).ok
    assert main(asked) == 3  # nothing is overwritten
    assert main([*asked[:-1], str(tmp_path / "other.csv"), "--k", "0"]) == 2


def test_categories_are_extracted_as_utility_sets(written: Written, tmp_path: Path) -> None:
    written()
    asked = ["extract", "utility", str(tmp_path / "dx.csv"), "--subject", "who", "--code", "code"]
    assert main([*asked, "--hierarchy", "icd9cm", "--out", str(tmp_path / "utility.csv")]) == 0
    assert (tmp_path / "utility.csv").read_text().splitlines()[1:] == ["250.00 250.01", "401.1 401.9"]


def test_codes_are_compared_by_k_and_mechanism(written: Written) -> None:
    found = compare_policy(check(written()), k=[2, 5], using=["apriori", "lra"])["diagnoses"]
    assert found.risk == "code-linkage"
    assert {(point.label, point.mechanism) for point in found.points} == {
        (k, name) for k in ("k = 2", "k = 5") for name in ("apriori", "lra")
    }
